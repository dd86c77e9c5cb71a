/* SPDX-License-Identifier: BSD-3-Clause */
/* busy_links: the links that were busiest with messages of one packet, for the summary and --json. */
#include "cli/figures/busy_links.h"

#include "base/json.h"
#include "platform/platform.h"

static void look_at(void *ctx, uint32_t link, uint64_t packets, double seconds)
{
    struct busy_links *b = ctx;
    uint32_t at = b->n;
    b->used++;
    b->seconds += seconds;
    while (at > 0 && b->most[at - 1].seconds < seconds)
        at--;
    if (at == BUSY_LINKS)
        return;
    if (b->n < BUSY_LINKS)
        b->n++;
    for (uint32_t k = b->n - 1; k > at; k--)
        b->most[k] = b->most[k - 1];
    b->most[at] = (struct busy_link){link, NULL, packets, seconds};
}

struct busy_links busy_links_of(const struct fabric *f, const struct platform *p, double simulated)
{
    struct busy_links b = {.simulated = simulated};
    for (uint32_t k = 0; k < platform_link_count(p); k++)
        b.all += platform_link_unnamed(p, k)->policy != PLATFORM_FATPIPE;
    fabric_links_each(f, look_at, &b);
    for (uint32_t k = 0; k < b.n; k++)
        b.most[k].name = platform_link(p, b.most[k].link)->name;
    return b;
}

static double share(const struct busy_links *b, double seconds)
{
    return b->simulated > 0 ? seconds / b->simulated : 0;
}

void busy_links_print(const struct busy_links *b, FILE *out)
{
    char messages[32];
    if (!b->n)
        return;
    fprintf(out, "pgasim:   links: %u of %u used, %.1f %% of the time; %s %.1f %%, with %s messages\n",
            b->used, b->all, 100 * share(b, b->seconds) / b->used, b->most[0].name,
            100 * share(b, b->most[0].seconds), base_show_count(messages, (double)b->most[0].messages));
}

void busy_links_json(const struct busy_links *b, struct base_json *j)
{
    base_json_open(j, "links", '{');
    base_json_count(j, "all", b->all);
    base_json_count(j, "used", b->used);
    base_json_number(j, "busy_seconds", b->seconds);
    base_json_open(j, "busiest", '[');
    for (uint32_t k = 0; k < b->n; k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", b->most[k].name);
        base_json_count(j, "messages", b->most[k].messages);
        base_json_number(j, "busy_seconds", b->most[k].seconds);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_close(j);
}
