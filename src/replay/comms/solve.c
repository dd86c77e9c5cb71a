/* SPDX-License-Identifier: BSD-3-Clause */
/* solve: who the members of new communicators are, when all that make them have come. */
#include "replay/comms/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- split --------------------------------------------------------------------------------------------------- */

static int sign(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b)
{
    const struct comms_seat *x = a, *y = b;
    int by = sign(y->member, x->member);
    by = by ? by : sign(x->color, y->color);
    by = by ? by : sign(x->key, y->key);
    return by ? by : sign(x->place, y->place);
}

/* The places of those who have come, which order them where keys are the same. */
static void place(struct replay_comms *c, struct comms_meeting *m, uint32_t group, int64_t first)
{
    for (uint32_t k = 0; k < replay_members(c->tape, group); k++)
        c->mark[replay_member(c->tape, group, k)] = k;
    for (size_t k = 0; k < m->seats.n; k++) {
        struct comms_seat *s = &m->seats.at[k];
        if (m->on == REPLAY_NO_COMM || c->comm.at[s->side].comm.group == group)
            s->place = first + c->mark[s->rank];
    }
    for (uint32_t k = 0; k < replay_members(c->tape, group); k++)
        c->mark[replay_member(c->tape, group, k)] = 0;
}

/* The seats from `from` on that become one communicator; returns where they end. */
static size_t make(struct replay_comms *c, struct comms_meeting *m, size_t from)
{
    size_t to = from;
    const struct comms_seat *s = m->seats.at;
    uint32_t *rank = base_alloc((m->seats.n - from) * sizeof *rank, "a communicator of a trace");
    for (; to < m->seats.n && s[to].member && s[to].color == s[from].color; to++)
        rank[to - from] = s[to].rank;
    uint32_t made = comms_add(c, comms_group(c, rank, (uint32_t)(to - from)), REPLAY_NO_GROUP);
    free(rank);
    if (m->dims) {
        struct comms_one *one = &c->comm.at[made];
        one->dims = m->dims;
        one->dim = base_alloc(m->dims * sizeof *one->dim, "a grid of a trace");
        memcpy(one->dim, m->dim, m->dims * sizeof *one->dim);
    }
    for (; from < to; from++)
        comms_give(c, s[from].rank, made);
    return to;
}

static void split(struct replay_comms *c, struct comms_meeting *m)
{
    size_t k = 0;
    place(c, m, m->on == REPLAY_NO_COMM ? m->group : c->comm.at[m->on].comm.group, 0);
    qsort(m->seats.at, m->seats.n, sizeof *m->seats.at, compare);
    while (k < m->seats.n && m->seats.at[k].member)
        k = make(c, m, k);
    for (; k < m->seats.n; k++)
        comms_give(c, m->seats.at[k].rank, REPLAY_NO_COMM);
}

/* --- two groups ---------------------------------------------------------------------------------------------- */

static void duplicate(struct replay_comms *c, struct comms_meeting *m)
{
    const struct replay_comm of = c->comm.at[m->on].comm;
    uint32_t made = comms_make_sides(c, of.group, of.remote);
    for (size_t k = 0; k < m->seats.n; k++)
        comms_give(c, m->seats.at[k].rank, made + (m->seats.at[k].side != m->on));
}

/* Who passed `high` as false comes first; if all passed the same, the side that was made first. */
static void merge(struct replay_comms *c, struct comms_meeting *m)
{
    const struct replay_comm of = c->comm.at[m->on].comm;
    place(c, m, of.group, 0);
    place(c, m, of.remote, replay_members(c->tape, of.group));
    qsort(m->seats.at, m->seats.n, sizeof *m->seats.at, compare);
    make(c, m, 0);
}

/* false: it waits for its other side. */
static bool connect(struct replay_comms *c, struct comms_meeting *m)
{
    struct comms_meeting **at = &c->halves, *other;
    while ((other = *at) && (other->function != m->function || other->leader != m->remote ||
                             other->remote != m->leader || other->tag != m->tag))
        at = &other->next;
    if (!other) {
        m->next = NULL;
        *at = m;
        return false;
    }
    *at = other->next;
    uint32_t made = comms_make_sides(c, c->comm.at[other->on].comm.group, c->comm.at[m->on].comm.group);
    comms_give_all(c, other, made);
    comms_give_all(c, m, made + 1);
    comms_meeting_destroy(other);
    return true;
}

static bool of_processes(uint32_t function)
{
    return function == RECORD_MPI_COMM_ACCEPT || function == RECORD_MPI_COMM_CONNECT ||
           function == RECORD_MPI_COMM_JOIN || function == RECORD_MPI_COMM_SPAWN ||
           function == RECORD_MPI_COMM_SPAWN_MULTIPLE;
}

/* false, always: it waits for others at its port. */
static bool call(struct replay_comms *c, struct comms_meeting *m)
{
    m->next = c->callers;
    c->callers = m;
    return false;
}

/* Calls by which processes meet or start others; those that failed have made nothing. */
static bool solve_processes(struct replay_comms *c, struct comms_meeting *m)
{
    if (!m->seats.at[0].member)
        comms_give_all(c, m, REPLAY_NO_COMM);
    else if (m->function == RECORD_MPI_COMM_JOIN)
        return connect(c, m);
    else if (m->function == RECORD_MPI_COMM_ACCEPT || m->function == RECORD_MPI_COMM_CONNECT)
        return call(c, m);
    else
        comms_start(c, m);
    return true;
}

bool comms_solve(struct replay_comms *c, struct comms_meeting *m)
{
    if (m->wrong)
        comms_give_all(c, m, REPLAY_NO_COMM);
    else if (of_processes(m->function))
        return solve_processes(c, m);
    else if (m->function == RECORD_MPI_INTERCOMM_CREATE)
        return connect(c, m);
    else if (m->function == RECORD_MPI_INTERCOMM_MERGE)
        merge(c, m);
    else if (m->on != REPLAY_NO_COMM && c->comm.at[m->on].comm.remote != REPLAY_NO_GROUP)
        duplicate(c, m);
    else
        split(c, m);
    return true;
}
