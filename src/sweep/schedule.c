/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule: runs the points that are pending, in their order, several at a time as long as what they are expected to need
 * of memory fits. Until the first one has ended nothing is known, and it runs alone. One that is too big runs alone, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sweep/internal.h"

enum { AHEAD = 64 }; /* points looked at behind one that does not fit */

/* --- what is started next --------------------------------------------------------------------------- */

struct queue {
    BASE_ARRAY(struct sweep_task *) task; /* in order; NULL: taken */
    size_t first;
    double memory;
    uint32_t done, all;
};

static double memory_in_use(const struct sweep *x)
{
    double sum = 0;
    for (uint32_t k = 0; k < x->jobs; k++)
        sum += x->process[k].pid ? x->process[k].memory : 0;
    return sum;
}

/* NULL: nothing can be started now. */
static struct sweep_task *next(const struct sweep *x, struct queue *q)
{
    double in_use = memory_in_use(x);
    while (q->first < q->task.n && !q->task.at[q->first])
        q->first++;
    for (size_t k = q->first; k < q->task.n && k < q->first + AHEAD; k++) {
        struct sweep_task *t = q->task.at[k];
        double needs = t ? sweep_memory_of(x, t) : 0;
        if (t && (!x->running || (needs > 0 && in_use + needs <= q->memory))) {
            q->task.at[k] = NULL;
            return t;
        }
    }
    return NULL;
}

static void start(struct sweep *x, struct queue *q)
{
    for (uint32_t k = 0; k < x->jobs; k++) {
        struct sweep_task *t = x->process[k].pid ? NULL : next(x, q);
        if (t) {
            sweep_process_start(x, &x->process[k], t);
            x->running++;
        }
    }
}

/* When Slurm ends a task it signals the task's runs, too, and theirs may be seen to end first: that is no failure of
 * theirs. */
static bool is_ours(struct sweep *x, const struct store_row *row)
{
    for (double until = sweep_clock() + 0.5;
         x->q->share && !store_row_ok(row) && !x->interrupt && sweep_clock() < until;)
        base_signals_wait(&x->signals, 0.1, &x->interrupt);
    return !x->interrupt || store_row_ok(row);
}

static int take(struct sweep *x, struct queue *q, struct sweep_task *t, struct store_row *row,
                struct base_status *st)
{
    x->running--;
    if (!is_ours(x, row)) {
        store_row_release(row);
        return 0;
    }
    x->ran++;
    q->done++;
    if (store_add(x->store, row, st)) {
        store_row_release(row);
        return -1;
    }
    store_row_release(&t->row);
    t->row = *row;
    t->state = SWEEP_DONE;
    x->pending--;
    x->failed += !store_row_ok(row);
    return 0;
}

static int collect(struct sweep *x, struct queue *q, struct base_status *st)
{
    struct store_row row;
    for (uint32_t k = 0; k < x->jobs; k++)
        if (x->process[k].pid && sweep_process_ended(x, &x->process[k], &row) &&
            take(x, q, x->process[k].task, &row, st))
            return -1;
    return 0;
}

int sweep_schedule(struct sweep *x, struct base_status *st)
{
    struct queue q = {.all = x->pending, .memory = x->memory ? (double)x->memory : 0.9 * sweep_memory_free()};
    int rc = 0;
    for (uint32_t k = 0; k < x->study->points; k++)
        if (x->task[k].state == SWEEP_PENDING)
            BASE_ARRAY_PUSH(&q.task, &x->task[k]);
    x->process = base_zalloc(x->jobs * sizeof *x->process, "runs");
    x->on_terminal = !x->q->quiet && isatty(STDERR_FILENO);
    x->began = sweep_clock();
    while (rc == 0 && !x->interrupt && q.done < q.all) {
        start(x, &q);
        base_signals_wait(&x->signals, 0.02, &x->interrupt);
        rc = collect(x, &q, st);
        sweep_progress(x, q.done, q.all);
    }
    sweep_progress_end(x);
    for (uint32_t k = 0; k < x->jobs; k++)
        sweep_process_kill(&x->process[k]);
    free(x->process);
    x->process = NULL;
    free(q.task.at);
    return rc;
}
