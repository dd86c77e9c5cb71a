/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded: what cores do, as calls of traces (record/riscv.def), to whom records it. Between its accesses to others a core
 * only takes cycles. What others have written to its memory it reads without a call: so its loads are looked at (struct
 * riscv_timing), and the first one of a word that was written names the operation that did it.
 *
 * Invariants
 *  V3  A line in a core's list holds nothing that was written by others and not looked at since.
 */
#include "riscv/internal.h"

#include <stdlib.h>
#include <string.h>

struct riscv_recorded {
    struct riscv_near near;
    /* Cycles since the last call, and where among them the clock caught up with the core: how often, the last time but
     * one, and the last. */
    uint64_t from, stops, before, last;
    uint64_t
        at_barrier[2]; /* its operations when it entered a barrier, by the last bit of the barrier's number */
    int64_t toucher[2],
        woke[2]; /* a core and its operation: the last one that reached its memory; what ended its wait */
    uint64_t turn;
    bool unfenced, waits;
};

bool riscv_recording;
static riscv_record_fn listener;
static void *listens;

void riscv_record(riscv_record_fn fn, void *arg)
{
    riscv_recording = fn != NULL;
    listener = fn;
    listens = arg;
}

/* --- lines of a trace ------------------------------------------------------------------------------- */

static void say(const struct riscv_rank *k, uint32_t function, const int64_t *words, size_t n)
{
    struct record_words w = {0};
    for (size_t i = 0; i < n; i++)
        record_push(&w, words[i]);
    listener(listens, k->rank, function, &w);
    record_words_release(&w);
}

/* The cycles since the last call. */
static void say_cycles(struct riscv_rank *k)
{
    struct riscv_recorded *x = k->recorded;
    uint64_t spent = k->process.core.cycle - x->from;
    int64_t words[4] = {1};
    if (x->stops > 1)
        words[words[0]++] = (int64_t)x->before;
    if (x->stops)
        words[words[0]++] = (int64_t)(x->last - (x->stops > 1 ? x->before : 0));
    words[words[0]] = (int64_t)(spent - x->last);
    if (spent || x->stops)
        say(k, RECORD_RISCV_CYCLES, words, (size_t)words[0] + 1);
    x->from = k->process.core.cycle;
    x->stops = x->before = x->last = 0;
}

void riscv_record_stop(struct riscv_rank *k)
{
    struct riscv_recorded *x = k->recorded;
    x->before = x->last;
    x->last = k->process.core.cycle - x->from;
    x->stops++;
}

void riscv_record_back(struct riscv_rank *k)
{
    struct riscv_recorded *x = k->recorded;
    x->from = k->process.core.cycle;
    if (!x->waits)
        return;
    x->waits = false;
    say(k, RECORD_RISCV_WAIT, (const int64_t[]){(int64_t)x->turn, 2, x->woke[0], x->woke[1]}, 4);
}

void riscv_record_access(struct riscv_rank *k, const struct rank *other, const struct riscv_remote *a)
{
    say_cycles(k);
    k->recorded->unfenced |= a->kind == RISCV_STORE;
    say(k, RECORD_RISCV_LOAD + a->kind, (const int64_t[]){other->id, (int64_t)a->address, a->bytes}, 3);
}

/* Also if it finds nothing to wait for: on another platform it may. */
void riscv_record_fence(struct riscv_rank *k)
{
    if (!k->recorded->unfenced)
        return;
    say_cycles(k);
    k->recorded->unfenced = false;
    say(k, RECORD_RISCV_FENCE, NULL, 0);
}

void riscv_record_barrier(struct riscv_rank *k)
{
    say_cycles(k);
    k->recorded->at_barrier[(k->barriers + 1) % 2] = k->operations;
    say(k, RECORD_RISCV_BARRIER, NULL, 0);
}

void riscv_record_sleep(struct riscv_rank *k, uint64_t ns)
{
    say_cycles(k);
    say(k, RECORD_RISCV_SLEEP, (const int64_t[]){(int64_t)ns}, 1);
}

void riscv_record_wait(struct riscv_rank *k, uint64_t turn)
{
    say_cycles(k);
    k->recorded->waits = true;
    k->recorded->turn = turn;
}

void riscv_record_asked(struct riscv_rank *k)
{
    const struct rma_marked *now = rma_mark_acting(k->rank);
    struct riscv_recorded *x = k->recorded;
    memcpy(x->woke, x->toucher, sizeof x->woke);
    if (now) {
        x->woke[0] = now->origin;
        x->woke[1] = (int64_t)rma_cause_of(now);
    }
}

void riscv_record_end(struct riscv_rank *k)
{
    say_cycles(k);
}

/* --- what others have written ----------------------------------------------------------------------- */

static void forget(struct riscv_rank *k, uint64_t address)
{
    uint64_t line = address / RISCV_LINE;
    if (k->cache)
        riscv_cache_forget(k, address);
    else
        k->recorded->near.line[line & k->recorded->near.mask] = UINT64_MAX;
}

/* An operation is about to touch memory. */
static void told(void *arg, const struct rma_marked *m)
{
    struct riscv_job *job = arg;
    struct riscv_rank *k = riscv_rank_of(m->memory);
    if (m->low - RISCV_SCRATCH < sizeof k->scratch || !k || m->low == m->high)
        return;
    rma_writers_told(job->writers, m);
    k->recorded->toucher[0] = m->origin;
    k->recorded->toucher[1] = (int64_t)rma_cause_of(m);
    for (uint64_t line = m->low / RISCV_LINE; line <= (m->high - 1) / RISCV_LINE; line++)
        forget(k, line * RISCV_LINE);
}

/* Its origin had issued it before a barrier that the core has passed, so it waits for it anyway. */
static bool is_before_a_barrier(const struct riscv_rank *k, const struct rma_writer *w)
{
    const struct riscv_rank *origin = riscv_rank_of(rank_at(k->job->job, w->by));
    return k->barriers && origin && (uint64_t)w->cause / 2 <= origin->recorded->at_barrier[k->barriers % 2];
}

void riscv_record_look(struct riscv_rank *k, uint64_t address, unsigned bytes)
{
    struct rma_writer w;
    uint64_t line = address / RISCV_LINE * RISCV_LINE;
    if (rma_writers_look(k->job->writers, k->rank->id, address, address + bytes, &w) &&
        !is_before_a_barrier(k, &w)) {
        say_cycles(k);
        say(k, RECORD_RISCV_SEEN, (const int64_t[]){2, w.by, w.cause}, 3);
    }
    if (rma_writers_have_news(k->job->writers, k->rank->id, line, line + RISCV_LINE))
        forget(k, line);
    else if (!k->cache)
        k->recorded->near.line[address / RISCV_LINE & k->recorded->near.mask] =
            address / RISCV_LINE << 1 | RISCV_OWNED;
}

static uint32_t look(struct riscv_core *c, uint64_t address, unsigned bytes, enum riscv_use use)
{
    if (use != RISCV_USE_STORE)
        riscv_record_look(riscv_rank_of_core(c), address, bytes);
    return 0;
}

/* --- life ------------------------------------------------------------------------------------------- */

void riscv_record_begin(struct rank_job *ranks)
{
    struct riscv_job *job = riscv_job_of(ranks);
    if (!job || !riscv_recording)
        return;
    job->writers = rma_writers_create(rank_count(ranks));
    rma_mark_listen(ranks, told, job);
}

void riscv_record_attach(struct riscv_rank *k)
{
    static const struct riscv_timing looks = {NULL, look};
    struct riscv_recorded *x = base_zalloc(sizeof *x, "a recorded core");
    memset(x->near.line, 0xff, sizeof x->near.line);
    x->near.mask = RISCV_NEAR - 1;
    k->recorded = x;
    if (k->cache)
        return;
    k->process.core.near = &x->near;
    k->process.core.timing = &looks;
    k->process.core.flat = true;
}

void riscv_record_detach(struct riscv_rank *k)
{
    free(k->recorded);
    k->recorded = NULL;
}
