/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * records: calls of MPI as a trace of DUMPI. Of a trace's actions it has computation, as time between the calls; other actions
 * are no calls. What DUMPI has no call for is left out, and what was made by such a call, too.
 */
#include "replay/convert/plain.h"
#include "replay/dumpi/dumpi.h"

#include <string.h>

struct records {
    struct replay_sink sink; /* first */
    struct replay_dumpi_writer *to;
    struct replay_tape *tape;
    const struct replay_comms *found;
    struct replay_sizes sizes; /* of the rank, as the next two */
    struct base_table comms;   /* word -> struct replay_known */
    uint32_t told;
    uint32_t rank;
    bool begun;
    int rc;
    struct base_status *st;
};

static uint64_t size_of(void *arg, int64_t type)
{
    return replay_size_of(&((struct records *)arg)->sizes, type);
}

/* --- a rank ------------------------------------------------------------------------------------------------------ */

static void note_comm(struct records *x, const char *name, int64_t word, struct replay_comm comm)
{
    if (name)
        record_value_of(RECORD_COMM, name, strlen(name), &word);
    if (comm.group == REPLAY_NO_GROUP || comm.remote != REPLAY_NO_GROUP)
        base_table_remove(&x->comms, (uint64_t)word);
    else
        *(struct replay_known *)base_table_add(&x->comms, (uint64_t)word, NULL) = (struct replay_known){
            comm, replay_place(x->tape, comm.group, x->rank), replay_members(x->tape, comm.group), 0};
}

static void open_rank(struct records *x, uint32_t rank)
{
    static const struct replay_comm world = {0, REPLAY_NO_GROUP, 0};
    struct replay_comm self = world;
    x->rank = rank;
    x->told = 0;
    x->begun = true;
    replay_sizes_init(&x->sizes);
    base_table_clear(&x->comms);
    note_comm(x, "MPI_COMM_WORLD", 0, world);
    if (replay_tape_ranks(x->tape) > 1)
        self.group = replay_tape_group(x->tape, &rank, 1);
    note_comm(x, "MPI_COMM_SELF", 0, self);
    x->rc = x->rc ? x->rc : replay_dumpi_writer_begin(x->to, rank, x->st);
}

static void end(struct replay_sink *s, uint32_t rank)
{
    struct records *x = (struct records *)(void *)s;
    if (!x->begun)
        open_rank(x, rank);
    x->begun = false;
    replay_sizes_release(&x->sizes);
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

static void note_made(struct records *x, const struct replay_words *w)
{
    if (!replay_comms_tells(w->function))
        return;
    struct replay_comm told = replay_comms_told(x->found, x->rank, x->told++);
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (p->param && p->param->object == RECORD_COMM && p->param->way == RECORD_OUT &&
            p->at[0] >= RECORD_MADE)
            note_comm(x, NULL, p->at[0], told);
    }
}

static void call(struct records *x, const struct replay_action *a)
{
    struct replay_words w;
    struct replay_dumpi_with with = {.size_of = size_of, .arg = x};
    replay_words_of(&w, a);
    if (a->number >= RECORD_MPI_FUNCTIONS) {
        replay_unsay(x->sink.out, w.f->name, "left out");
        return;
    }
    const struct replay_known *on = base_table_find(&x->comms, (uint64_t)replay_words_number(&w, "comm"));
    if (on) {
        with.place = on->place;
        with.members = on->size;
    }
    uint32_t as = stands_for(a->number);
    bool type = replay_sizes_note(&x->sizes, &w) != 0;
    bool said = !type && replay_dumpi_writer_call(x->to, as, w.f, w.part, &with);
    if (!said && !type && replay_rule_of(&w).way != REPLAY_QUIET_CALL)
        replay_unsay(x->sink.out, w.f->name, "left out");
    if (said && as != a->number)
        replay_unsay(x->sink.out, w.f->name, "as the call of MPI-2");
    note_made(x, &w);
}

static void compute(struct records *x, const struct replay_action *a)
{
    double seconds = a->amount, speed = x->sink.out->speed;
    if (a->kind == REPLAY_COMPUTE)
        seconds = speed > 0 ? a->amount / speed : 0;
    if (seconds > 0 && !replay_dumpi_writer_seconds(x->to, seconds))
        replay_unsay(x->sink.out, "computation of more than 30000 s", "as 30000 s");
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct records *x = (struct records *)(void *)s;
    if (!x->begun)
        open_rank(x, rank);
    if (x->rc)
        return;
    switch (a->kind) {
    case REPLAY_CALL:
        call(x, a);
        return;
    case REPLAY_COMPUTE:
    case REPLAY_SECONDS:
    case REPLAY_SLEEP:
        compute(x, a);
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

static bool has_flops(struct replay_tape *t)
{
    bool found = false;
    for (uint32_t rank = 0; !found && rank < replay_tape_ranks(t); rank++) {
        struct replay_cursor c;
        struct replay_action a = {0};
        replay_cursor_begin(t, rank, &c);
        while (!found && replay_cursor_next(t, &c, &a))
            found = a.kind == REPLAY_COMPUTE && a.amount > 0;
        replay_cursor_end(&c);
    }
    return found;
}

int replay_convert_dumpi(struct replay_tape *t, const char *path, struct replay_conversion *out,
                         struct base_status *st)
{
    if (!replay_tape_calls(t))
        return base_fail(st, "traces of DUMPI are of calls of MPI, and this trace has none");
    if (!(out->speed > 0) && has_flops(t))
        return base_fail(
            st, "traces of DUMPI have times, and this trace has flops: --speed says how fast cores are");
    struct replay_comms *found = replay_comms_find(t);
    struct records x = {.sink = {put, end, NULL, out}, .tape = t, .found = found, .st = st};
    x.to = replay_dumpi_writer_create(path, replay_tape_ranks(t));
    base_table_init(&x.comms, BASE_NUMBERS, sizeof(struct replay_known), "communicators of a trace");
    replay_feed(t, &x.sink, true);
    x.rc = x.rc ? x.rc : replay_dumpi_writer_close(x.to, st);
    base_table_release(&x.comms);
    replay_dumpi_writer_destroy(x.to);
    replay_comms_destroy(found);
    return x.rc;
}
