/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * records: calls of MPI as a trace of DUMPI. Of a trace's actions it has computation, as time between the calls; others have
 * become calls before (whole.c). What DUMPI has no call for is left out, and what was made by such a call, too.
 */
#include "replay/convert/own.h"
#include "replay/dumpi/dumpi.h"

struct records {
    struct replay_sink sink; /* first */
    struct replay_dumpi_writer *to;
    struct replay_tape *tape;
    const struct replay_comms *found;
    struct replay_own own; /* of the rank */
    bool begun;
    bool called, computed; /* the rank has called at all; has computed since its last call */
    int rc;
    struct base_status *st;
};

static void open_rank(struct records *x, uint32_t rank)
{
    x->begun = true;
    x->called = x->computed = false;
    replay_own_begin(&x->own, x->tape, x->found, rank);
    x->rc = x->rc ? x->rc : replay_dumpi_writer_begin(x->to, rank, x->st);
}

/* A call that says no more than that the rank was there: where computation comes before the first call, or behind the last
 * one. */
static void put_moment(struct records *x)
{
    const struct replay_dumpi_with with = {.size_of = replay_own_size, .arg = &x->own};
    const struct record_part part[RECORD_PARAMS] = {0};
    if (!x->rc)
        replay_dumpi_writer_call(x->to, RECORD_MPI_WTIME, &record_mpi[RECORD_MPI_WTIME], part, &with);
}

static void end(struct replay_sink *s, uint32_t rank)
{
    struct records *x = (struct records *)(void *)s;
    if (!x->begun)
        open_rank(x, rank);
    if (x->computed)
        put_moment(x);
    x->begun = false;
    replay_own_end(&x->own);
    x->rc = x->rc ? x->rc : replay_dumpi_writer_end(x->to, x->st);
}

/* --- calls ----------------------------------------------------------------------------------------------------------- */

/* Calls of later standards that do what one of MPI-2 does. */
static uint32_t stands_for(uint32_t function)
{
    switch (function) {
    case RECORD_MPI_WIN_ALLOCATE:
        return RECORD_MPI_WIN_CREATE;
    case RECORD_MPI_COMM_DUP_WITH_INFO:
        return RECORD_MPI_COMM_DUP;
    default:
        return function;
    }
}

static void call(struct records *x, const struct replay_action *a)
{
    struct replay_words w;
    struct replay_dumpi_with with = {.size_of = replay_own_size, .arg = &x->own};
    replay_words_of(&w, a);
    if (a->number >= RECORD_MPI_FUNCTIONS) {
        replay_unsay(x->sink.out, w.f->name, "left out");
        return;
    }
    const struct replay_known *on = replay_own_comm(&x->own, replay_words_number(&w, "comm"));
    if (on) {
        with.place = on->place;
        with.members = on->size;
    }
    uint32_t as = stands_for(a->number);
    bool type = replay_sizes_note(&x->own.sizes, &w) != 0;
    bool said = !type && replay_dumpi_writer_call(x->to, as, w.f, w.part, &with);
    if (!said && !type && replay_rule_of(&w).way != REPLAY_QUIET_CALL)
        replay_unsay(x->sink.out, w.f->name, "left out");
    x->called |= said;
    x->computed &= !said;
    if (said && as != a->number)
        replay_unsay(x->sink.out, w.f->name, "as the call of MPI-2");
    replay_own_made(&x->own, &w, true);
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct records *x = (struct records *)(void *)s;
    if (!x->begun)
        open_rank(x, rank);
    if (x->rc)
        return;
    double seconds = replay_seconds_of(a, s->out->speed);
    if (seconds > 0 && !x->called)
        put_moment(x);
    x->called |= seconds > 0;
    x->computed |= seconds > 0;
    if (seconds > 0 && !replay_dumpi_writer_seconds(x->to, seconds))
        replay_unsay(s->out, "computation of more than 30000 s", "as 30000 s");
    if (seconds >= 0)
        return;
    switch (a->kind) {
    case REPLAY_CALL:
        call(x, a);
        return;
    case REPLAY_SOURCE:
        replay_unsay(s->out, "source", "as any source");
        return;
    case REPLAY_SKIP:
        if (!a->number)
            return;
        break;
    case REPLAY_LOCATION:
        return;
    default:
        break;
    }
    replay_unsay(x->sink.out, replay_name_of(a), "left out, as it is no call of MPI");
}

int replay_convert_dumpi(struct replay_tape *t, const char *path, struct replay_conversion *out,
                         struct base_status *st)
{
    if (replay_needs_speed(t, out->speed))
        return base_fail(
            st, "traces of DUMPI have times, and this trace has flops: --speed says how fast cores are");
    struct replay_comms *found = replay_comms_find(t);
    struct records x = {.sink = {.put = put, .end = end, .out = out}, .tape = t, .found = found, .st = st};
    x.to = replay_dumpi_writer_create(path, replay_tape_ranks(t));
    replay_feed(t, &x.sink, true);
    replay_leave_out_threads(t, out);
    x.rc = x.rc ? x.rc : replay_dumpi_writer_close(x.to, st);
    replay_dumpi_writer_destroy(x.to);
    replay_comms_destroy(found);
    return x.rc;
}
