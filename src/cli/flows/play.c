/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * play: one event starts the activities in order; the fabric does the rest.
 *
 * Invariants
 *  Y1  `order[0...next)` have been started, `order[next...)` wait, in the order of (start, line).
 *  Y2  `open` is the number of activities that have neither ended nor failed.
 */
#include "cli/flows/play.h"

#include "fabric/fabric.h"
#include "storage/storage.h"

#include <math.h>
#include <stdlib.h>

struct player {
    struct engine *engine;
    struct fabric *fabric;
    struct storage *storage;
    struct flows_list *list;
    struct base_status *st;
    uint32_t *order;
    uint32_t next, open;
    bool refused; /* an activity could not start; st says why */
    struct engine_event starts;
};

static struct player *playing; /* for the fabric's callbacks, which know only the activity */

static int by_start(const void *va, const void *vb)
{
    const struct flows_activity *list = playing->list->activity.at;
    uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
    if (list[a].at != list[b].at)
        return list[a].at < list[b].at ? -1 : 1;
    return a < b ? -1 : 1;
}

static void over(struct flows_activity *a, bool failed)
{
    a->end = engine_now(playing->engine);
    a->state = failed ? FLOWS_FAILED : FLOWS_DONE;
    /* Profiles of the platform may go on forever, so the last activity's end stops the run. */
    if (--playing->open == 0)
        engine_stop(playing->engine, 0);
}

static void ended(struct fabric *f, void *arg, enum fabric_outcome how)
{
    (void)f;
    over(arg, how != FABRIC_DONE);
}

static void accessed(void *arg, int error)
{
    over(arg, error != 0);
}

/* Y2 must hold at each call, because an activity may end within its start. */
static int start(struct player *y, struct flows_activity *a)
{
    struct base_status why;
    a->state = FLOWS_RUNNING;
    if (a->kind == FLOWS_EXEC) {
        fabric_exec_start(y->fabric, a->from, a->amount, ended, a);
        return 0;
    }
    if (a->kind == FLOWS_READ || a->kind == FLOWS_WRITE) {
        storage_disk_start(y->storage, a->to, a->kind == FLOWS_READ ? STORAGE_READ : STORAGE_WRITE, a->amount,
                           accessed, a);
        return 0;
    }
    if (fabric_transfer_start(y->fabric, a->from, a->to, a->amount, INFINITY, ended, a, &why) ||
        a->state != FLOWS_RUNNING)
        return 0;
    return base_fail(y->st, "%.100s:%u: %s", y->list->name, a->line, why.text);
}

static void start_due(struct engine *e, struct engine_event *ev)
{
    struct player *y = BASE_CONTAINER(ev, struct player, starts);
    struct flows_activity *list = y->list->activity.at;
    for (; y->next < y->list->activity.n && list[y->order[y->next]].at <= engine_now(e); y->next++)
        if (start(y, &list[y->order[y->next]])) {
            y->refused = true;
            engine_stop(e, 0);
            return;
        }
    if (y->next < y->list->activity.n)
        engine_event_at(e, ev, list[y->order[y->next]].at);
}

/* Y1. Most lists are in order already. */
static void put_in_order(struct player *y, uint32_t n)
{
    const struct flows_activity *list = y->list->activity.at;
    bool sorted = true;
    for (uint32_t k = 0; k < n; k++) {
        y->order[k] = k;
        sorted = sorted && (k == 0 || list[k - 1].at <= list[k].at);
    }
    if (!sorted)
        qsort(y->order, n, sizeof *y->order, by_start);
}

static void play(struct player *y)
{
    uint32_t n = (uint32_t)y->list->activity.n;
    y->open = n;
    put_in_order(y, n);
    engine_event_init(&y->starts, start_due);
    if (!n)
        return;
    engine_event_at(y->engine, &y->starts, y->list->activity.at[y->order[0]].at);
    engine_run(y->engine);
}

static void play_all(struct player *y)
{
    y->order = base_alloc((y->list->activity.n + 1) * sizeof *y->order, "order of activities");
    playing = y;
    play(y);
    playing = NULL;
    free(y->order);
}

int flows_play(struct flows_list *l, struct platform *p, const struct base_settings *s,
               struct base_status *st)
{
    struct player y = {.list = l, .st = st};
    y.engine = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = base_page_size()});
    struct fluid *fluid = fluid_create(y.engine);
    y.fabric = fabric_create(y.engine, fluid, p, s);
    y.refused = storage_create(&y.storage, y.fabric, s, st) != 0;
    if (!y.refused)
        play_all(&y);
    storage_destroy(y.storage);
    fabric_destroy(y.fabric);
    fluid_destroy(fluid);
    engine_destroy(y.engine);
    return y.refused ? -1 : 0;
}
