/* SPDX-License-Identifier: BSD-3-Clause */
/* worlds: the ranks that a recorded program started together, from the events of its .pgt. */
#include "cli/replay/worlds.h"

#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>

static void add(struct cli_worlds *w, const struct trace_event *ev)
{
    while (w->world.n <= ev->context)
        BASE_ARRAY_PUSH(&w->world, (struct cli_world){0});
    struct cli_world *at = &w->world.at[ev->context];
    if (!at->ranks || ev->rank < at->first)
        at->first = ev->rank;
    if (!at->ranks || ev->time < at->begin)
        at->begin = ev->time;
    at->ranks++;
}

void cli_worlds_read(struct cli_worlds *w, const char *path)
{
    struct trace_file *f;
    struct trace_event ev;
    struct base_status st;
    *w = (struct cli_worlds){0};
    if (trace_file_open(&f, path, &st))
        return;
    while (trace_file_next(f, &ev))
        if (ev.type == TRACE_RANK_BEGIN && ev.context < trace_file_about(f)->ranks)
            add(w, &ev);
    trace_file_close(f);
}

void cli_worlds_release(struct cli_worlds *w)
{
    free(w->world.at);
}

void cli_worlds_print(const struct cli_worlds *w)
{
    if (w->world.n < 2)
        return;
    puts("Ranks that were started together:");
    for (size_t k = 0; k < w->world.n; k++) {
        const struct cli_world *at = &w->world.at[k];
        char begin[32];
        if (at->ranks)
            printf("  world %zu: %" PRIu32 " rank%s from rank %" PRIu32 " on, at %s\n", k, at->ranks,
                   at->ranks == 1 ? "" : "s", at->first, base_show_time(begin, at->begin));
    }
}

void cli_worlds_json(const struct cli_worlds *w, struct base_json *j)
{
    if (w->world.n < 2)
        return;
    base_json_open(j, "worlds", '[');
    for (size_t k = 0; k < w->world.n; k++) {
        base_json_open(j, NULL, '{');
        base_json_count(j, "first_rank", w->world.at[k].first);
        base_json_count(j, "ranks", w->world.at[k].ranks);
        base_json_number(j, "begin", w->world.at[k].begin);
        base_json_close(j);
    }
    base_json_close(j);
}
