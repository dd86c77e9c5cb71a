/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep: gives back the states that no cell is in, the accesses that no such state has, and the ends that no
 * such access has and that are over. States and accesses get new numbers. Due when there are twice as many as
 * after the last sweep, so a sweep costs little of each access.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"

#include <stdlib.h>
#include <string.h>

/* A sweep reads all pages: new accesses and states for each of these, and for itself, before the next one. */
enum { FIRST = 1 << 14, FOR_A_PAGE = 64 };

struct sweep {
    struct race *d;
    uint32_t *state, *access; /* new numbers; while marking: 1 if it stays */
    bool *end;
};

static void mark(struct sweep *w, uint32_t state)
{
    for (; state & RACE_ONE || (state && !w->state[state]); state = race_node_of(w->d, state).rest) {
        if (!(state & RACE_ONE))
            w->state[state] = 1;
        w->access[race_node_of(w->d, state).item >> 4] = 1;
    }
}

static void each_cell(struct sweep *w, void (*fn)(struct sweep *w, uint32_t *cell))
{
    uint32_t at = 0;
    for (struct shadow_page **p; (p = base_table_next(&w->d->shadow.pages, &at));) {
        fn(w, &(*p)->all);
        for (size_t k = 0; (*p)->cell && k < SHADOW_CELLS; k++)
            fn(w, &(*p)->cell[k]);
    }
}

static void mark_cell(struct sweep *w, uint32_t *cell)
{
    mark(w, *cell);
}

static uint32_t renumbered(const struct sweep *w, uint32_t state)
{
    return state & RACE_ONE ? RACE_ONE | w->access[state & ~RACE_ONE] : w->state[state];
}

static void renumber_cell(struct sweep *w, uint32_t *cell)
{
    *cell = renumbered(w, *cell);
}

static void move_accesses(struct sweep *w)
{
    uint32_t n = w->d->accesses.n > 0; /* number 0 is there if any is */
    for (uint32_t k = 1; k < w->d->accesses.n; k++) {
        if (!w->access[k])
            continue;
        w->d->accesses.at[n] = w->d->accesses.at[k];
        if (w->d->traced)
            w->d->times.at[n] = w->d->times.at[k];
        w->end[w->d->accesses.at[n].end] = true;
        w->access[k] = n++;
    }
    w->d->accesses.n = n;
    if (w->d->traced)
        w->d->times.n = n;
}

/* What a node refers to has a smaller number, so it has moved already. */
static void move_states(struct sweep *w)
{
    uint32_t n = 1;
    base_table_clear(&w->d->state_numbers);
    for (uint32_t k = 1; k < w->d->states.n; k++) {
        if (!w->state[k])
            continue;
        struct race_node s = w->d->states.at[k];
        s = (struct race_node){w->access[s.item >> 4] << 4 | (s.item & RACE_ALL), renumbered(w, s.rest),
                               renumbered(w, s.skip)};
        w->d->states.at[n] = s;
        *(uint32_t *)base_table_add(&w->d->state_numbers, (uint64_t)s.item << 32 | s.rest, NULL) = n;
        w->state[k] = n++;
    }
    w->d->states.n = n;
}

static void free_ends(struct sweep *w)
{
    struct race *d = w->d;
    uint32_t at = 0;
    d->free_end = 0;
    race_contexts_drop(d);
    race_words_mark(d, w->end);
    race_contexts_mark(d, w->end);
    race_unwaited_mark(d, w->end);
    for (const uint32_t *k; (k = base_table_next(&d->requests, &at));)
        w->end[*k] = true;
    race_parts_mark(d, w->end);
    race_files_drop(d, w->end);
    for (uint32_t k = (uint32_t)d->ends.n; k-- > 1;) {
        struct race_end *e = &d->ends.at[k];
        if (w->end[k] || !e->remote.count)
            continue;
        base_table_remove(&d->values, k);
        base_table_remove(&d->fetches, k);
        race_end_free(d, k);
    }
}

static void sweep(struct race *d)
{
    struct sweep w = {.d = d,
                      .state = base_zalloc((d->states.n + 1) * sizeof(uint32_t), "a sweep"),
                      .access = base_zalloc((d->accesses.n + 1) * sizeof(uint32_t), "a sweep"),
                      .end = base_zalloc(d->ends.n + 1, "a sweep")};
    each_cell(&w, mark_cell);
    move_accesses(&w);
    move_states(&w);
    each_cell(&w, renumber_cell);
    free_ends(&w);
    memset(d->memo, 0, sizeof d->memo);
    memset(d->recent, 0, sizeof d->recent);
    race_copies_renumbered(d);
    for (size_t k = 0; k < d->ends.n; k++)
        memset(d->ends.at[k].access, 0, sizeof d->ends.at[k].access);
    free(w.state);
    free(w.access);
    free(w.end);
    d->counts.sweeps++;
}

void race_sweep_if_due(struct race *d)
{
    if (BASE_LIKELY(d->accesses.n < d->sweep_at && d->states.n < d->sweep_at))
        return;
    if (d->sweep_at)
        sweep(d);
    size_t n = d->accesses.n > d->states.n ? d->accesses.n : d->states.n;
    d->sweep_at = n + FIRST + d->shadow.pages.live * FOR_A_PAGE;
    if (d->sweep_at < 2 * n)
        d->sweep_at = 2 * n;
}
