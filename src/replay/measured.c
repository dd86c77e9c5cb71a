/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured: when calls and computations were in the run that a trace was recorded of, as a trace of events, like that of a
 * simulation: for reports, and to be compared with one.
 *
 * Each rank's actions become its next few events; a heap says whose next event comes first. The calls of several threads
 * of a rank may overlap; they are shown one after the other.
 *
 * Invariants
 *  M1  A rank's events are in order of time.
 *  M2  A rank is in the heap exactly if it has a next event.
 */
#include "replay/about.h"
#include "replay/convert/convert.h"
#include "replay/player.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 5 }; /* events of one action */
static const double MOST_TIME = 1e9;

struct track {
    struct replay_cursor cursor;
    struct trace_event event[MOST]; /* at..n are still to come */
    uint32_t at, n;
    double now;     /* of the last event */
    double compute; /* seconds since the last call */
    double begin, duration;
    bool timed; /* the last two are of the next action */
    bool begun, over;
};

struct measured {
    struct replay_tape *tape;
    struct track *track;
    uint32_t *heap; /* ranks */
    uint32_t waiting, ranks;
    double zero; /* seconds of the recorder's clock */
    uint64_t calls;
    struct trace_sink sink;
};

/* --- a rank's events ------------------------------------------------------------------------------------ */

static void add(struct track *k, uint32_t rank, enum trace_type type, double time, const char *call)
{
    time = fmin(time, MOST_TIME);
    k->now = time > k->now ? time : k->now;
    k->event[k->n++] = (struct trace_event){.time = k->now, .type = type, .rank = rank, .call = call};
}

/* What was computed before `end`; the recorder's own time is before it. */
static void add_computation(struct track *k, uint32_t rank, double end)
{
    double begin = end - k->compute;
    k->compute = 0;
    if (end <= k->now)
        return;
    add(k, rank, TRACE_COMPUTE_BEGIN, begin, NULL);
    add(k, rank, TRACE_COMPUTE_END, end, NULL);
}

static void add_call(struct measured *m, struct track *k, uint32_t rank, const char *name)
{
    double begin = k->begin - m->zero, end = begin + k->duration;
    if (k->compute > 0)
        add_computation(k, rank, begin);
    add(k, rank, TRACE_CALL_ENTER, begin, name);
    add(k, rank, TRACE_CALL_LEAVE, end, name);
    k->timed = false;
    m->calls++;
}

static void take(struct measured *m, struct track *k, uint32_t rank, const struct replay_action *a)
{
    if (a->kind == REPLAY_TIMES) {
        k->begin = a->amount * 1e-9;
        k->duration = (double)a->bytes * 1e-9;
        k->timed = true;
    } else if (a->kind == REPLAY_SECONDS) {
        k->compute += a->amount;
    } else if (k->timed) {
        add_call(m, k, rank, a->kind == REPLAY_SKIP ? a->text : replay_call_name(a->kind, a->number));
    }
}

static void finish(struct track *k, uint32_t rank)
{
    if (k->compute > 0)
        add_computation(k, rank, k->now + k->compute);
    add(k, rank, TRACE_RANK_END, k->now, NULL);
    k->over = true;
}

/* false: the rank has no more events. */
static bool find_next(struct measured *m, uint32_t rank)
{
    struct track *k = &m->track[rank];
    struct replay_action a = {0};
    if (k->at < k->n)
        return true;
    k->at = k->n = 0;
    if (!k->begun) {
        k->begun = true;
        add(k, rank, TRACE_RANK_BEGIN, 0, NULL);
        return true;
    }
    while (!k->n && !k->over)
        if (replay_cursor_next(m->tape, &k->cursor, &a))
            take(m, k, rank, &a);
        else
            finish(k, rank);
    return k->n;
}

/* --- all ranks' events, in order of time ------------------------------------------------------------------ */

static bool before(const struct measured *m, uint32_t a, uint32_t b)
{
    const struct track *x = &m->track[a], *y = &m->track[b];
    double p = x->event[x->at].time, q = y->event[y->at].time;
    return p < q || (p == q && a < b);
}

/* Moves the rank at a place of the heap down to where it belongs. */
static void sink_down(struct measured *m, uint32_t place)
{
    uint32_t rank = m->heap[place];
    for (uint32_t child; (child = 2 * place + 1) < m->waiting; place = child) {
        if (child + 1 < m->waiting && before(m, m->heap[child + 1], m->heap[child]))
            child++;
        if (before(m, rank, m->heap[child]))
            break;
        m->heap[place] = m->heap[child];
    }
    m->heap[place] = rank;
}

static void write_events(struct measured *m)
{
    for (uint32_t rank = 0; rank < m->ranks; rank++)
        if (find_next(m, rank))
            m->heap[m->waiting++] = rank; /* all begin at 0, and lower ranks come first: a heap */
    while (m->waiting) {
        struct track *k = &m->track[m->heap[0]];
        m->sink.event(m->sink.ctx, &k->event[k->at++]);
        if (!find_next(m, m->heap[0]))
            m->heap[0] = m->heap[--m->waiting];
        if (m->waiting)
            sink_down(m, 0);
    }
}

/* --- a trace ---------------------------------------------------------------------------------------------- */

static int write_file(struct measured *m, const char *path, const char *to, struct base_status *st)
{
    struct replay_about about;
    replay_about_init(&about, path, m->ranks);
    int rc = trace_writer_open(&m->sink, to, &about.about, NULL, st);
    if (!rc) {
        write_events(m);
        if (m->sink.close(m->sink.ctx))
            rc = base_fail(st, "%s: not written whole", to);
    }
    replay_about_release(&about);
    return rc;
}

int replay_measured_write(const char *path, uint32_t ranks, const char *to, uint64_t *calls,
                          struct base_status *st)
{
    struct measured m = {.tape = replay_tape_read_measured(path, ranks, st), .zero = INFINITY};
    if (!m.tape)
        return -1;
    m.ranks = replay_tape_ranks(m.tape);
    m.track = base_zalloc(m.ranks * sizeof *m.track, "ranks of a measured trace");
    m.heap = base_zalloc(m.ranks * sizeof *m.heap, "ranks of a measured trace");
    for (uint32_t rank = 0; rank < m.ranks; rank++) {
        m.zero = fmin(m.zero, replay_first_end(m.tape, rank));
        replay_cursor_begin(m.tape, rank, &m.track[rank].cursor);
    }
    int rc = isinf(m.zero) ? base_fail(st,
                                       "%s: no line says when its call was (@BEGIN+DURATION, in ns); pgasim "
                                       "replay --trace FILE simulates that",
                                       path)
                           : write_file(&m, path, to, st);
    for (uint32_t rank = 0; rank < m.ranks; rank++)
        replay_cursor_end(&m.track[rank].cursor);
    if (calls)
        *calls = m.calls;
    free(m.heap);
    free(m.track);
    replay_tape_destroy(m.tape);
    return rc;
}
