/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs: real runs one after the other, as they would disturb each other, in rounds over all cases, so that a drift of the
 * machine is no property of a case; simulated runs several at a time.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/validate/parts.h"

enum { HOPELESS = 2 }; /* failures of a case that has no measurement */

/* --- one run ---------------------------------------------------------------------------------------- */

static void start(struct validate *v, struct validate_side *side, struct sweep_task *t,
                  struct sweep_process *p)
{
    struct sweep *x = &side->sweep;
    x->signals = v->main.signals;
    if (mkdir(x->work, 0777) && errno != EEXIST)
        base_fatal(BASE_EXIT_HOST, "cannot make the folder %s: %s", x->work, strerror(errno));
    sweep_process_start(x, p, t);
    v->main.running++;
}

/* A run that says that it is void has its first result so. */
static void judge(const struct validate_side *side, struct store_row *row)
{
    static const char is_void[] = "{\"void\":1";
    if (!side->real || !store_row_ok(row) || strncmp(row->kept, is_void, sizeof is_void - 1) != 0)
        return;
    free(row->status);
    row->status = base_strdup("void");
    row->reason = base_strdup("the run says that it is void");
}

/* Takes the row if the run has ended. -1 with st: it could not be written. */
static int collect(struct validate *v, struct validate_side *side, struct sweep_process *p, bool *ended,
                   struct base_status *st)
{
    struct store_row row;
    struct sweep_task *t = p->task;
    *ended = sweep_process_ended(&side->sweep, p, &row);
    if (!*ended)
        return 0;
    v->main.running--;
    judge(side, &row);
    validate_facts_add(v, side, &row);
    row.point = 0; /* numbered at the end */
    if (store_add(v->main.store, &row, st)) {
        store_row_release(&row);
        return -1;
    }
    store_row_release(&t->row);
    t->row = row;
    t->state = SWEEP_DONE;
    v->main.ran++;
    v->main.failed += !store_row_ok(&row);
    return 0;
}

/* --- real runs -------------------------------------------------------------------------------------- */

static bool is_void(const struct store_row *r)
{
    return r->status && !strcmp(r->status, "void");
}

static int measure_once(struct validate *v, struct validate_side *side, struct sweep_task *t,
                        struct base_status *st)
{
    for (uint32_t k = 0; k < v->file->tries && !v->main.interrupt; k++) {
        struct sweep_process p;
        bool ended = false;
        int rc = 0;
        start(v, side, t, &p);
        while (rc == 0 && !ended && !v->main.interrupt) {
            base_signals_wait(&v->main.signals, 0.02, &v->main.interrupt);
            rc = collect(v, side, &p, &ended, st);
        }
        if (!ended)
            sweep_process_kill(&p);
        if (rc || !is_void(&t->row))
            return rc;
    }
    return 0;
}

/* Whether more runs would tell more. */
static bool is_known(const struct validate *v, const struct validate_case *c)
{
    struct validate_sample s;
    validate_sample_read(c, true, &s);
    double half = v->file->interval * s.median;
    bool narrow = s.n >= v->file->least && s.low >= s.median - half && s.high <= s.median + half,
         hopeless = !s.n && s.failed >= HOPELESS;
    validate_sample_release(&s);
    return narrow || hopeless;
}

static int measure_round(struct validate *v, uint32_t round, struct base_status *st)
{
    for (size_t k = 0; k < v->cases && !v->main.interrupt; k++) {
        struct validate_case *c = &v->at[k];
        struct validate_side *side = (struct validate_side *)&c->pair->real;
        struct sweep_task *t = validate_task(side, c->number, round);
        if (c->wanted && t->state == SWEEP_PENDING && !is_known(v, c) && measure_once(v, side, t, st))
            return -1;
        sweep_progress(&v->main, (uint32_t)(round * v->cases + k + 1), v->file->most * (uint32_t)v->cases);
    }
    return 0;
}

/* What is to be run again counts no longer. */
static void forget_failed(struct validate *v)
{
    for (size_t k = 0; k < v->pairs; k++) {
        struct sweep *x = &v->pair[k].real.sweep;
        for (uint32_t i = 0; i < x->study->points; i++)
            if (x->task[i].state == SWEEP_PENDING)
                store_row_release(&x->task[i].row);
    }
}

int validate_measure(struct validate *v, struct base_status *st)
{
    int rc = 0;
    forget_failed(v);
    for (uint32_t round = 0; rc == 0 && round < v->file->most && !v->main.interrupt; round++)
        rc = measure_round(v, round, st);
    sweep_progress_end(&v->main);
    return rc;
}

/* --- simulated runs --------------------------------------------------------------------------------- */

struct slot {
    struct sweep_process process;
    struct validate_side *side; /* NULL: it is free */
};
struct queue {
    size_t at; /* the case, and its seed, that is next */
    uint32_t seed, done;
};

static struct sweep_task *next(struct validate *v, struct queue *q, struct validate_side **side)
{
    for (; q->at < v->cases; q->at++, q->seed = 0) {
        const struct validate_case *c = &v->at[q->at];
        *side = (struct validate_side *)&c->pair->simulated;
        while (c->wanted && q->seed < (*side)->each) {
            struct sweep_task *t = validate_task(*side, c->number, q->seed++);
            if (t->state == SWEEP_PENDING)
                return t;
        }
    }
    return NULL;
}

static int step(struct validate *v, struct queue *q, struct slot *s, struct base_status *st)
{
    bool ended = false;
    if (s->side && collect(v, s->side, &s->process, &ended, st))
        return -1;
    q->done += ended;
    s->side = ended ? NULL : s->side;
    struct sweep_task *t = s->side ? NULL : next(v, q, &s->side);
    if (t)
        start(v, s->side, t, &s->process);
    else if (!s->process.pid)
        s->side = NULL;
    return 0;
}

int validate_simulate(struct validate *v, struct base_status *st)
{
    struct slot *slot = base_zalloc(v->q->jobs * sizeof *slot, "runs");
    struct queue q = {0};
    uint32_t all = 0;
    int rc = 0;
    for (size_t k = 0; k < v->cases; k++)
        all += v->at[k].pair->simulated.each;
    for (bool any = true; any && rc == 0 && !v->main.interrupt;) {
        any = false;
        for (uint32_t k = 0; rc == 0 && k < v->q->jobs; k++) {
            rc = step(v, &q, &slot[k], st);
            any |= slot[k].side != NULL;
        }
        if (any && rc == 0)
            base_signals_wait(&v->main.signals, 0.02, &v->main.interrupt);
        sweep_progress(&v->main, q.done, all);
    }
    sweep_progress_end(&v->main);
    for (uint32_t k = 0; k < v->q->jobs; k++)
        if (slot[k].side)
            sweep_process_kill(&slot[k].process);
    free(slot);
    return rc;
}
