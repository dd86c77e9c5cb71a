/* SPDX-License-Identifier: BSD-3-Clause */
/* own: the datatypes and communicators of one rank while its calls are written, and how long its computations are. */
#include "replay/convert/own.h"

#include <string.h>

static void note(struct replay_own *x, int64_t word, struct replay_comm comm)
{
    if (comm.group == REPLAY_NO_GROUP || comm.remote != REPLAY_NO_GROUP)
        base_table_remove(&x->comms, (uint64_t)word);
    else
        *(struct replay_known *)base_table_add(&x->comms, (uint64_t)word, NULL) = (struct replay_known){
            comm, replay_place(x->tape, comm.group, x->rank), replay_members(x->tape, comm.group), 0};
}

static void note_named(struct replay_own *x, const char *name, uint32_t group)
{
    int64_t word = 0;
    record_value_of(RECORD_COMM, name, strlen(name), &word);
    note(x, word, (struct replay_comm){group, REPLAY_NO_GROUP, 0});
}

void replay_own_begin(struct replay_own *x, struct replay_tape *t, const struct replay_comms *found,
                      uint32_t rank)
{
    *x = (struct replay_own){.tape = t, .found = found, .rank = rank};
    replay_sizes_init(&x->sizes);
    base_table_init(&x->comms, BASE_NUMBERS, sizeof(struct replay_known), "communicators of a trace");
    note_named(x, "MPI_COMM_WORLD", 0);
    note_named(x, "MPI_COMM_SELF", replay_tape_ranks(t) > 1 ? replay_tape_group(t, &rank, 1) : 0);
}

void replay_own_end(struct replay_own *x)
{
    replay_sizes_release(&x->sizes);
    base_table_release(&x->comms);
}

uint64_t replay_own_size(void *own, int64_t type)
{
    return replay_size_of(&((struct replay_own *)own)->sizes, type);
}

const struct replay_known *replay_own_comm(const struct replay_own *x, int64_t word)
{
    return base_table_find(&x->comms, (uint64_t)word);
}

const struct replay_known *replay_own_next(const struct replay_own *x, struct replay_known *out)
{
    struct replay_comm comm = replay_comms_told(x->found, x->rank, x->told);
    if (comm.group == REPLAY_NO_GROUP || comm.group == REPLAY_EMPTY_GROUP || comm.remote != REPLAY_NO_GROUP)
        return NULL;
    *out = (struct replay_known){comm, replay_place(x->tape, comm.group, x->rank),
                                 replay_members(x->tape, comm.group), 0};
    return out;
}

void replay_own_made(struct replay_own *x, const struct replay_words *w, bool said)
{
    static const struct replay_comm none = {REPLAY_NO_GROUP, REPLAY_NO_GROUP, 0};
    if (!replay_comms_tells(w->function))
        return;
    struct replay_comm told = replay_comms_told(x->found, x->rank, x->told++);
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (p->param && p->param->object == RECORD_COMM && p->param->way == RECORD_OUT &&
            p->at[0] >= RECORD_MADE)
            note(x, p->at[0], said ? told : none);
    }
}

double replay_seconds_of(const struct replay_action *a, double speed)
{
    switch (a->kind) {
    case REPLAY_COMPUTE:
        return speed > 0 ? a->amount / speed : 0;
    case REPLAY_SECONDS:
    case REPLAY_SLEEP:
        return a->amount;
    default:
        return -1;
    }
}

bool replay_needs_speed(struct replay_tape *t, double speed)
{
    bool found = false;
    for (uint32_t rank = 0; !(speed > 0) && !found && rank < replay_tape_ranks(t); rank++) {
        struct replay_cursor c;
        struct replay_action a = {0};
        replay_cursor_begin(t, rank, &c);
        while (!found && replay_cursor_next(t, &c, &a))
            found = (a.kind == REPLAY_COMPUTE || a.kind == REPLAY_COLLECTIVE) && a.amount > 0;
        replay_cursor_end(&c);
    }
    return found;
}
