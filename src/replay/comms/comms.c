/* SPDX-License-Identifier: BSD-3-Clause */
/* comms: the ranks of a tape, read side by side. */
#include "replay/comms/parts.h"

#include <stdlib.h>
#include <string.h>

uint32_t replay_members(const struct replay_tape *t, uint32_t group)
{
    if (group >= REPLAY_EMPTY_GROUP)
        return 0;
    return group ? replay_tape_group_at(t, group)->n : replay_tape_ranks(t);
}

uint32_t replay_member(const struct replay_tape *t, uint32_t group, uint32_t place)
{
    return group ? replay_tape_group_at(t, group)->rank[place] : place;
}

uint32_t replay_place(const struct replay_tape *t, uint32_t group, uint32_t rank)
{
    uint32_t n = replay_members(t, group);
    if (!group)
        return rank;
    for (uint32_t k = 0; k < n; k++)
        if (replay_member(t, group, k) == rank)
            return k;
    return REPLAY_ANY;
}

/* --- functions --------------------------------------------------------------------------------------------- */

static bool makes(const struct record_function *f, unsigned object)
{
    for (uint32_t k = 0; k < f->n; k++)
        if (f->param[k].object == object && f->param[k].kind == RECORD_HANDLE &&
            f->param[k].way == RECORD_OUT)
            return true;
    return false;
}

bool replay_comms_tells(uint32_t function)
{
    if (function >= RECORD_MPI_FUNCTIONS)
        return false;
    return function == RECORD_MPI_WIN_POST || function == RECORD_MPI_WIN_START ||
           makes(record_function_of(function), RECORD_COMM);
}

/* --- communicators ------------------------------------------------------------------------------------------- */

uint32_t comms_add(struct replay_comms *c, uint32_t group, uint32_t remote)
{
    const struct comms_one one = {.comm = {group, remote, (uint32_t)c->comm.n}, .twin = REPLAY_NO_COMM};
    BASE_ARRAY_PUSH(&c->comm, one);
    return (uint32_t)c->comm.n - 1;
}

uint32_t comms_find(struct replay_comms *c, uint32_t rank, int64_t word)
{
    if (word == c->world)
        return c->walker[rank].world;
    uint32_t *known = base_table_find(&c->walker[rank].comms, (uint64_t)word);
    if (known)
        return *known;
    if (word != c->self)
        return REPLAY_NO_COMM;
    uint32_t self = comms_add(c, comms_group(c, &rank, 1), REPLAY_NO_GROUP);
    *(uint32_t *)base_table_add(&c->walker[rank].comms, (uint64_t)word, NULL) = self;
    return self;
}

void comms_give(struct replay_comms *c, uint32_t rank, uint32_t comm)
{
    struct comms_walker *w = &c->walker[rank];
    const struct replay_comm none = {REPLAY_NO_GROUP, REPLAY_NO_GROUP, 0};
    if (comm == REPLAY_NO_COMM) {
        base_table_remove(&w->comms, (uint64_t)w->made);
        BASE_ARRAY_PUSH(&w->told, none);
    } else {
        *(uint32_t *)base_table_add(&w->comms, (uint64_t)w->made, NULL) = comm;
        BASE_ARRAY_PUSH(&w->told, c->comm.at[comm].comm);
    }
    w->waits = false;
    BASE_ARRAY_PUSH(&c->ready, rank);
}

/* --- reading -------------------------------------------------------------------------------------------------- */

static void tell_group(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    const struct replay_comm named = {comms_group_of(c, &c->walker[rank], replay_words_number(w, "group")),
                                      REPLAY_NO_GROUP, 0};
    BASE_ARRAY_PUSH(&c->walker[rank].told, named);
}

static void make_group(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (!p->param || p->param->object != RECORD_GROUP || p->param->way != RECORD_OUT ||
            p->at[0] < RECORD_MADE)
            continue;
        uint32_t group = comms_group_made(c, rank, w);
        *(uint32_t *)base_table_add(&c->walker[rank].groups, (uint64_t)p->at[0], NULL) = group;
    }
}

/* Reads on until the rank waits or has no more. */
static void walk(struct replay_comms *c, uint32_t rank)
{
    struct replay_action a = {0};
    struct comms_walker *w = &c->walker[rank];
    w->begun = true;
    while (!w->waits && replay_cursor_next(c->tape, &w->cursor, &a)) {
        struct replay_words words;
        if (a.kind != REPLAY_CALL || a.number >= RECORD_MPI_FUNCTIONS)
            continue;
        const struct record_function *f = record_function_of(a.number);
        bool tells = replay_comms_tells(a.number);
        if (!tells && !makes(f, RECORD_GROUP))
            continue;
        replay_words_of(&words, &a);
        if (!tells)
            make_group(c, rank, &words);
        else if (makes(f, RECORD_COMM))
            comms_meet(c, rank, &words);
        else
            tell_group(c, rank, &words);
    }
}

/* Who waits now, waits for nobody that is known: the trace is wrong there, or does not say who met at a port. */
static bool give_up(struct replay_comms *c)
{
    comms_meetings_release(c);
    for (uint32_t rank = 0; rank < c->ranks; rank++)
        if (c->walker[rank].waits)
            comms_give(c, rank, REPLAY_NO_COMM);
    return c->ready.n > 0;
}

/* Nobody starts these. */
static bool read_others(struct replay_comms *c)
{
    bool some = false;
    for (uint32_t rank = 0; rank < c->ranks; rank++)
        if (!c->walker[rank].begun) {
            walk(c, rank);
            some = true;
        }
    return some;
}

static void walk_all(struct replay_comms *c)
{
    for (uint32_t rank = 0; rank < replay_tape_initial(c->tape); rank++)
        walk(c, rank);
    do {
        for (size_t k = 0; k < c->ready.n; k++)
            walk(c, c->ready.at[k]);
        c->ready.n = 0;
    } while (comms_ports_meet(c) || give_up(c) || read_others(c));
}

static void begin(struct replay_comms *c)
{
    record_value_of(RECORD_COMM, "MPI_COMM_WORLD", 14, &c->world);
    record_value_of(RECORD_COMM, "MPI_COMM_SELF", 13, &c->self);
    record_value_of(RECORD_GROUP, "MPI_GROUP_EMPTY", 15, &c->nobody);
    base_table_init(&c->together, BASE_NUMBERS, sizeof(struct comms_meeting *), "communicators of a trace");
    c->mark = base_zalloc(((size_t)c->ranks + 1) * sizeof *c->mark, "communicators of a trace");
    c->walker = base_zalloc(((size_t)c->ranks + 1) * sizeof *c->walker, "communicators of a trace");
    for (uint32_t rank = 0; rank < c->ranks; rank++) {
        struct comms_walker *w = &c->walker[rank];
        base_table_init(&w->comms, BASE_NUMBERS, sizeof(uint32_t), "communicators of a trace");
        base_table_init(&w->groups, BASE_NUMBERS, sizeof(uint32_t), "groups of a trace");
        replay_cursor_begin(c->tape, rank, &w->cursor);
    }
    comms_worlds_begin(c);
}

struct replay_comms *replay_comms_find(struct replay_tape *t)
{
    const struct replay_comm none = {REPLAY_NO_GROUP, REPLAY_NO_GROUP, 0};
    struct replay_comms *c = base_zalloc(sizeof *c, "communicators of a trace");
    c->tape = t;
    if (!replay_tape_calls(t))
        return c;
    c->ranks = replay_tape_ranks(t);
    begin(c);
    walk_all(c);
    for (uint32_t rank = 0; rank < c->ranks; rank++) {
        struct comms_walker *w = &c->walker[rank];
        w->home = w->world == REPLAY_NO_COMM ? none : c->comm.at[w->world].comm;
        base_table_release(&w->comms);
        base_table_release(&w->groups);
        replay_cursor_end(&w->cursor);
    }
    base_table_release(&c->together);
    for (size_t k = 0; k < c->comm.n; k++)
        free(c->comm.at[k].dim);
    free(c->comm.at);
    free(c->ready.at);
    free(c->mark);
    return c;
}

void replay_comms_destroy(struct replay_comms *c)
{
    for (uint32_t rank = 0; rank < c->ranks; rank++)
        free(c->walker[rank].told.at);
    free(c->walker);
    free(c);
}

struct replay_comm replay_comms_world(const struct replay_comms *c, uint32_t rank)
{
    const struct replay_comm all = {0, REPLAY_NO_GROUP, 0};
    return c->walker ? c->walker[rank].home : all;
}

struct replay_comm replay_comms_told(const struct replay_comms *c, uint32_t rank, uint32_t k)
{
    return c->walker[rank].told.at[k];
}
