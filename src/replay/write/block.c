/* SPDX-License-Identifier: BSD-3-Clause */
/* block: amounts of computation, in the mean of all turns of the loops that they are in, and as text. */
#include "replay/write/block.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"

struct replay_block *replay_block_add(struct replay_block *b, enum replay_computes kind, double amount,
                                      uint64_t counted)
{
    if (!b)
        b = base_zalloc(sizeof *b, "lines of a trace");
    b->of[kind].sum += amount;
    b->of[kind].first += amount;
    b->counted += (double)counted;
    return b;
}

void replay_block_join(struct replay_block **to, const struct replay_block *from)
{
    static const struct replay_block nothing;
    if (!*to && !from)
        return;
    if (!*to)
        *to = base_zalloc(sizeof **to, "lines of a trace");
    from = from ? from : &nothing;
    for (int k = 0; k < REPLAY_COMPUTES; k++) {
        struct replay_amount *x = &(*to)->of[k];
        x->differs |= from->of[k].differs || from->of[k].first != x->first;
        x->sum += from->of[k].sum;
    }
    (*to)->counted += from->counted;
}

double replay_short_amount(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.8e", value);
    return strtod(text, NULL);
}

void replay_put_amount(struct base_text *to, double value)
{
    char text[BASE_DECIMAL];
    *base_decimal_write(text, value) = '\0';
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof text, "%.17g", value);
    base_text_add(to, text);
}

void replay_block_print(const struct replay_block *b, const char *who, uint64_t visits, struct base_text *to)
{
    static const char *const names[REPLAY_COMPUTES] = {"compute", "seconds"};
    for (int k = 0; k < REPLAY_COMPUTES; k++) {
        const struct replay_amount *x = &b->of[k];
        double mean = x->differs ? replay_short_amount(x->sum / (double)visits) : x->first;
        uint64_t counted = (uint64_t)(b->counted / (double)visits);
        if (!(mean > 0))
            continue;
        base_text_format(to, "%s %s ", who, names[k]);
        replay_put_amount(to, mean);
        if (k == REPLAY_COMPUTES_SECONDS && counted)
            base_text_format(to, " %" PRIu64, counted);
        base_text_char(to, '\n');
    }
}
