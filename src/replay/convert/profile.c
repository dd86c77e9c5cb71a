/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile: calls of MPI as a trace of liballprof. Of a trace's actions it has computation, as time between the calls; others
 * have become calls before (whole.c). Lines do not say what tests and waits for any had completed, so that becomes a wait; and only of
 * communicators that are split or copied can a reader tell who is in them, so others are split, too.
 */
#include <mpi.h>

#include "replay/allprof/allprof.h"
#include "replay/convert/own.h"

struct profile {
    struct replay_sink sink; /* first */
    struct replay_allprof_writer *to;
    struct replay_tape *tape;
    const struct replay_comms *found;
    struct replay_own own; /* of the rank */
    int rc;
    struct base_status *st;
};

/* Before its first action is taken from the tape, as its requests are looked for there. */
static void open_rank(struct profile *x, uint32_t rank)
{
    replay_own_begin(&x->own, x->tape, x->found, rank);
    x->rc = x->rc ? x->rc : replay_allprof_writer_begin(x->to, x->tape, rank, x->st);
}

static void end(struct replay_sink *s, uint32_t rank)
{
    struct profile *x = (struct profile *)(void *)s;
    replay_own_end(&x->own);
    x->rc = x->rc ? x->rc : replay_allprof_writer_end(x->to, x->st);
    if (rank + 1 < replay_tape_ranks(x->tape))
        open_rank(x, rank + 1);
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* The communicator that a call is on; NULL: there is none, or its members are not known. */
static const struct replay_known *comm_of(const struct profile *x, const struct replay_words *w)
{
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (p->param && p->param->kind == RECORD_HANDLE && p->param->object == RECORD_COMM &&
            p->param->way == RECORD_IN)
            return replay_own_comm(&x->own, p->at[0]);
    }
    return NULL;
}

static bool write_call(struct profile *x, const struct replay_words *w)
{
    struct replay_allprof_with with = {.size_of = replay_own_size, .arg = &x->own};
    const struct replay_known *on = comm_of(x, w);
    if (on) {
        with.place = on->place;
        with.members = on->size;
    }
    return replay_allprof_writer_call(x->to, w->f, w->part, &with);
}

static bool write_words(struct profile *x, uint32_t function, const int64_t *words, uint32_t n)
{
    struct replay_words w;
    replay_words_of(
        &w, &(struct replay_action){.kind = REPLAY_CALL, .number = function, .counts = words, .n = n});
    return write_call(x, &w);
}

static void became(struct profile *x, const struct replay_words *w, const char *what)
{
    replay_unsay(x->sink.out, w->f->name, what);
}

/* --- requests ---------------------------------------------------------------------------------------------------- */

/* One line for each request. */
static void write_each(struct profile *x, uint32_t function, const struct record_part *p)
{
    for (int64_t k = 0; k < p->n; k++)
        if (p->at[k] >= RECORD_MADE)
            write_words(x, function, &p->at[k], 1);
}

/* An array of requests that do not lie side by side has no line. */
static void write_all(struct profile *x, const struct replay_words *w, uint32_t one, const char *what)
{
    if (write_call(x, w))
        return;
    write_each(x, one, replay_words_part(w, "array_of_requests"));
    became(x, w, what);
}

/* Waits for those of an array whose places the call has given; false: it has given none. */
static bool wait_for_some(struct profile *x, const struct replay_words *w, const struct record_part *which)
{
    const struct record_part *all = replay_words_part(w, "array_of_requests");
    bool any = false;
    for (int64_t k = 0; which && k < which->n; k++) {
        if (which->at[k] < 0 || which->at[k] >= all->n)
            continue;
        any = true;
        write_words(x, RECORD_MPI_WAIT, &all->at[which->at[k]], 1);
    }
    return any;
}

static void complete(struct profile *x, const struct replay_words *w)
{
    const struct record_part *flag = replay_words_part(w, "flag"), *one = replay_words_part(w, "indx"),
                             *some = replay_words_part(w, "array_of_indices");
    if (one || some) {
        if (wait_for_some(x, w, one ? one : some))
            became(x, w, "as MPI_Wait");
        else if (!write_call(x, w))
            became(x, w, "left out where it completes nothing");
    } else if (flag && !flag->at[0]) {
        if (!write_call(x, w))
            became(x, w, "left out where it completes nothing");
    } else if (w->function == RECORD_MPI_TEST) {
        write_words(x, RECORD_MPI_WAIT, replay_words_part(w, "request")->at, 1);
        became(x, w, "as MPI_Wait");
    } else if (w->function == RECORD_MPI_TESTALL) {
        write_each(x, RECORD_MPI_WAIT, replay_words_part(w, "array_of_requests"));
        became(x, w, "as MPI_Wait");
    } else if (w->function == RECORD_MPI_WAITALL) {
        write_all(x, w, RECORD_MPI_WAIT, "as MPI_Wait, for one request after the other");
    } else if (!write_call(x, w)) {
        became(x, w, "left out");
    }
}

static bool write_probe(struct profile *x, const struct replay_words *w)
{
    const int64_t words[] = {replay_words_number(w, "source"), replay_words_number(w, "tag"),
                             replay_words_number(w, "comm")};
    became(x, w, "as MPI_Probe");
    return write_words(x, RECORD_MPI_PROBE, words, 3);
}

/* --- communicators -------------------------------------------------------------------------------------------------- */

static const struct record_part *made_by(const struct replay_words *w)
{
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (p->param && p->param->object == RECORD_COMM && p->param->way == RECORD_OUT)
            return p;
    }
    return NULL;
}

static bool is_collective_maker(uint32_t function)
{
    switch (function) {
    case RECORD_MPI_COMM_CREATE:
    case RECORD_MPI_CART_CREATE:
    case RECORD_MPI_CART_SUB:
    case RECORD_MPI_GRAPH_CREATE:
        return true;
    default:
        return false;
    }
}

/* A split by what the communicator became: its first member is the color, and places are keys. */
static bool write_split(struct profile *x, const struct replay_words *w, const struct replay_known *made,
                        int64_t word)
{
    int64_t comm = 0;
    for (uint32_t k = w->f->n; k-- > 0;)
        if (w->part[k].param && w->part[k].param->object == RECORD_COMM && w->part[k].param->way == RECORD_IN)
            comm = w->part[k].at[0];
    int64_t color = made ? (int64_t)replay_member(x->tape, made->comm.group, 0) : MPI_UNDEFINED;
    const int64_t words[] = {comm, color, made ? made->place : 0, word};
    bool said = write_words(x, RECORD_MPI_COMM_SPLIT, words, 4);
    if (said)
        became(x, w, "as MPI_Comm_split");
    return said;
}

static bool make_comm(struct profile *x, const struct replay_words *w)
{
    struct replay_known will;
    const struct record_part *out = made_by(w);
    const struct replay_known *made = replay_own_next(&x->own, &will);
    bool here = out && out->at[0] >= RECORD_MADE;
    if (!out || (here && !made)) {
        replay_allprof_writer_pass(x->to, w->f, w->part);
        return false;
    }
    bool said = is_collective_maker(w->function) ? write_split(x, w, here ? made : NULL, out->at[0])
                                                 : write_call(x, w);
    if (said && here)
        replay_allprof_writer_show(x->to, out->at[0], made->place, made->size);
    return said;
}

/* --- calls ----------------------------------------------------------------------------------------------------------- */

static void other(struct profile *x, const struct replay_words *w)
{
    bool makes = replay_comms_tells(w->function);
    bool said = makes ? make_comm(x, w) : write_call(x, w);
    if (!said && !replay_allprof_needs_no_line(w->f->name) && replay_rule_of(w).way != REPLAY_QUIET_CALL)
        became(x, w, "left out");
    if (makes)
        replay_own_made(&x->own, w, said);
}

static void call(struct profile *x, const struct replay_action *a)
{
    struct replay_words w;
    replay_words_of(&w, a);
    if (a->number >= RECORD_MPI_FUNCTIONS)
        became(x, &w, "left out");
    else if (replay_sizes_note(&x->own.sizes, &w))
        return;
    else if (replay_rule_of(&w).way == REPLAY_COMPLETE_CALL)
        complete(x, &w);
    else if (w.function == RECORD_MPI_STARTALL)
        write_all(x, &w, RECORD_MPI_START, "as MPI_Start, one after the other");
    else if (w.function != RECORD_MPI_IPROBE || !replay_words_number(&w, "flag") || !write_probe(x, &w))
        other(x, &w);
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct profile *x = (struct profile *)(void *)s;
    (void)rank;
    if (x->rc)
        return;
    double seconds = replay_seconds_of(a, s->out->speed);
    if (seconds > 0 && !replay_allprof_writer_seconds(x->to, seconds))
        replay_unsay(s->out, "computation of more than 1e9 s", "as 1e9 s");
    if (seconds >= 0)
        return;
    if (a->kind == REPLAY_CALL)
        call(x, a);
    else if (a->kind == REPLAY_SOURCE)
        replay_unsay(s->out, "source", "as any source");
    else if (a->kind != REPLAY_LOCATION && (a->kind != REPLAY_SKIP || a->number))
        replay_unsay(s->out, replay_name_of(a), "left out, as it is no call of MPI");
}

int replay_convert_allprof(struct replay_tape *t, const char *path, struct replay_conversion *out,
                           struct base_status *st)
{
    if (replay_needs_speed(t, out->speed))
        return base_fail(
            st, "traces of liballprof have times, and this trace has flops: --speed says how fast cores are");
    struct replay_allprof_writer *to = replay_allprof_writer_create(path, replay_tape_ranks(t), st);
    if (!to)
        return -1;
    struct replay_comms *found = replay_comms_find(t);
    struct profile x = {.sink = {.put = put, .end = end, .out = out}, .to = to, .tape = t, .found = found, .st = st};
    open_rank(&x, 0);
    replay_feed(t, &x.sink, true);
    replay_leave_out_threads(t, out);
    replay_allprof_writer_destroy(to);
    replay_comms_destroy(found);
    return x.rc;
}
