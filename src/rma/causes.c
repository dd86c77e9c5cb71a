/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes: the operations of a job's ranks while it is recorded or played. Each thread numbers those that front ends count.
 * When a run is recorded it is known which one wrote memory last (writers.c), and when it is played, which ones have been
 * done (effects.c): players wait for these.
 */
#include "rank/title.h"
#include "rma/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On the heap: others look at it while the rank waits. */
struct rma_awaited {
    struct rank *rank;
    const int64_t *cause; /* who (rma_marked_by) and what (rma_cause_of), by turns */
    int64_t n;
    struct rma_awaited *next; /* of those that wait for memory of any rank */
};

void rma_causes_record(struct rank_job *job)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    if (!j->writers && !j->effects)
        rma_mark_listen(job, rma_writers_told, j->writers = rma_writers_create(rank_job_config(job)->ranks));
}

void rma_causes_play(struct rank_job *job)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    if (!j->effects)
        rma_mark_listen(job, rma_effects_told, j->effects = rma_effects_create(rank_job_config(job)->ranks));
}

void rma_causes_release(struct rma_job *j)
{
    rma_writers_destroy(j->writers);
    rma_effects_destroy(j->effects);
    base_table_release(&j->numbers);
    base_table_release(&j->before);
}

const struct rma_writers *rma_causes_known(const struct rank_job *job)
{
    const struct rma_job *j = rank_part(job, &rma_slot);
    return j->writers;
}

static uint64_t thread_key(const struct rank *r, uint32_t thread)
{
    return (uint64_t)r->id << 32 | thread;
}

uint64_t rma_count_next(struct rank *r)
{
    struct rma_job *j = rma_job_of(r);
    uint32_t thread = r->threads > 1 ? rank_thread_number(r) : 0;
    if (BASE_LIKELY(!thread))
        return ++rma_rank_of(r)->counted;
    uint64_t *n = base_table_add(&j->numbers, thread_key(r, thread), NULL);
    j->threads = thread > j->threads ? thread : j->threads;
    return (uint64_t)thread << RMA_MARK_BITS | ++*n;
}

void rma_count(struct rank *r)
{
    const struct rma_job *j = rma_job_of(r);
    if (BASE_UNLIKELY(j->writers || j->effects))
        rma_mark_next(r, rma_count_next(r));
}

/* --- one trace after the other ---------------------------------------------------------------------- */

/* Numbers go on, as operations of the trace before may still be under way. */
void rma_causes_anew(struct rank *r)
{
    struct rma_job *j = rma_job_of(r);
    const struct rma_rank *k = rank_kept(r, &rma_slot);
    if (k && k->counted)
        *(uint64_t *)base_table_add(&j->before, thread_key(r, 0), NULL) = k->counted;
    for (uint32_t thread = 1; thread <= j->threads; thread++) {
        const uint64_t *n = base_table_find(&j->numbers, thread_key(r, thread));
        if (n)
            *(uint64_t *)base_table_add(&j->before, thread_key(r, thread), NULL) = *n;
    }
}

static uint64_t before(const struct rma_job *j, int64_t by)
{
    uint32_t ranks = rank_job_config(j->job)->ranks;
    if (by < 0)
        return 0;
    const uint64_t *n = base_table_find(
        &j->before, thread_key(rank_at(j->job, (uint32_t)(by % ranks)), (uint32_t)(by / ranks)));
    return n ? 2 * *n : 0;
}

int64_t rma_cause_here(const struct rank *r, uint32_t thread, int64_t cause)
{
    const struct rma_job *j = rma_job_of(r);
    return cause + (int64_t)before(j, r->id + (int64_t)thread * rank_job_config(j->job)->ranks);
}

/* --- players ---------------------------------------------------------------------------------------- */

bool rma_causes_done(const struct rank *r, const int64_t *cause, int64_t n)
{
    const struct rma_job *j = rma_job_of(r);
    for (int64_t k = 0; k + 1 < n; k += 2)
        if (!rma_effect_is(j->effects, cause[k], cause[k + 1]))
            return false;
    return true;
}

static bool are_there(struct rank *r, void *arg)
{
    const struct rma_awaited *a = arg;
    return rma_causes_done(r, a->cause, a->n);
}

/* A thread of a rank, as rma_marked_by numbers it; a trace may name one that there is not. */
static char *name_thread(const struct rma_job *j, int64_t by, char *buf, size_t size)
{
    int64_t ranks = rank_job_config(j->job)->ranks, thread = by / ranks + 1;
    if (by < 0) {
        snprintf(buf, size, "rank %lld", (long long)by);
        return buf;
    }
    rank_title(rank_at(j->job, (uint32_t)(by % ranks)), buf, size);
    if (thread > 1)
        snprintf(buf + strlen(buf), size - strlen(buf), ", thread %lld", (long long)thread);
    return buf;
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct rma_awaited *a = arg;
    const struct rma_job *j = rma_job_of(a->rank);
    for (int64_t k = 0; k + 1 < a->n; k += 2) {
        char who[RANK_TITLE_SIZE + 32];
        if (rma_causes_done(a->rank, &a->cause[k], 2))
            continue;
        snprintf(buf, size, "the end of its wait in the recorded run, operation %lld of %s, has not come",
                 (long long)a->cause[k + 1] - (long long)before(j, a->cause[k]),
                 name_thread(j, a->cause[k], who, sizeof who));
        return;
    }
}

static bool names(const struct rma_awaited *a, int64_t by, int64_t cause)
{
    for (int64_t k = 0; k + 1 < a->n; k += 2)
        if (a->cause[k] == by && a->cause[k + 1] == cause)
            return true;
    return false;
}

/* Those that look at memory of the rank itself have been asked. */
static void ask(void *arg, const struct rma_marked *m)
{
    struct rma_job *j = arg;
    int64_t by = rma_marked_by(m, rank_job_config(j->job)->ranks), cause = (int64_t)rma_cause_of(m);
    for (struct rma_awaited *a = j->awaited, *next; a; a = next) {
        next = a->next;
        if (a->rank != m->memory && names(a, by, cause))
            rma_stored(a->rank);
    }
}

void rma_causes_await(struct rank *r, const char *call, const int64_t *cause, int64_t n, uintptr_t low,
                      uintptr_t high)
{
    struct rma_job *j = rma_job_of(r);
    struct rma_awaited *a = base_alloc(sizeof *a, "causes of a wait"), **link;
    *a = (struct rma_awaited){r, cause, n, j->awaited};
    const struct rma_condition condition = {are_there, a, low, high};
    const struct engine_reason why = {call, describe, a};
    bool anywhere = !low && high == UINTPTR_MAX;
    if (anywhere) {
        j->awaited = a;
        j->ask = ask;
    }
    rma_wait_untold(r, &condition, &why);
    for (link = &j->awaited; anywhere && *link != a;)
        link = &(*link)->next;
    if (anywhere)
        *link = a->next;
    free(a);
}
