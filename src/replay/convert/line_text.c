/* SPDX-License-Identifier: BSD-3-Clause */
/* line_text: the words of a line, and where it goes. */
#include "replay/convert/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SMPI_ANY_SOURCE = -555, SMPI_ANY_TAG = -444 };

enum { WINDOW = 512 }; /* lines or loops that may be a loop's two turns */

/* The line is begun. */
static void open_fold(struct replay_lines *x)
{
    char who[24];
    if (!x->calls || x->fold)
        return;
    snprintf(who, sizeof who, "%.*s", (int)strcspn(x->text.at, " "), x->text.at);
    x->fold = replay_fold_create(who, WINDOW, x->put, x->ctx);
}

void replay_lines_compute(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    bool seconds = a->kind == REPLAY_SECONDS;
    replay_lines_begin(x, rank, "");
    open_fold(x);
    x->text.n = 0;
    replay_fold_compute(x->fold, seconds ? REPLAY_COMPUTES_SECONDS : REPLAY_COMPUTES_FLOPS, a->amount,
                        seconds ? a->bytes : 0);
}

void replay_lines_flush(struct replay_lines *x)
{
    base_text_char(&x->text, '\n');
    open_fold(x);
    if (x->fold)
        replay_fold_line(x->fold, x->text.at, x->text.n);
    else
        x->put(x->ctx, x->text.at, x->text.n);
    x->text.n = 0;
}

void replay_lines_begin(struct replay_lines *x, uint32_t rank, const char *name)
{
    x->rank = rank;
    x->self.rank = rank;
    if (x->relative)
        base_text_char(&x->text, '-');
    else
        base_text_format(&x->text, "%" PRIu32, rank);
    if (x->thread > 1)
        base_text_format(&x->text, ".%" PRIu32, x->thread);
    base_text_format(&x->text, " %s", name);
}

void replay_lines_number(struct replay_lines *x, uint64_t value)
{
    base_text_format(&x->text, " %" PRIu64, value);
}

/* A count, which lines have up to 2^53. */
void replay_lines_count(struct replay_lines *x, uint64_t value)
{
    static const uint64_t most = UINT64_C(1) << 53;
    if (value > most)
        replay_unsay(x->sink.out, "counts above 2^53", "as 2^53");
    replay_lines_number(x, value < most ? value : most);
}

void replay_lines_amount(struct replay_lines *x, double value)
{
    base_text_char(&x->text, ' ');
    replay_put_amount(&x->text, value);
}

void replay_lines_peer(struct replay_lines *x, uint32_t rank)
{
    if (rank == REPLAY_ANY)
        base_text_format(&x->text, " %d", SMPI_ANY_SOURCE);
    else if (x->relative)
        base_text_format(&x->text, " +%" PRIu32, (rank + x->self.ranks - x->rank) % x->self.ranks);
    else
        replay_lines_number(x, rank);
}

void replay_lines_tag(struct replay_lines *x, int32_t value)
{
    base_text_format(&x->text, " %" PRId32, value == REPLAY_ANY_TAG ? SMPI_ANY_TAG : value);
}
