/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes: ranks that others start, whose MPI_COMM_WORLD are these alone, and groups that meet at a port or at a socket.
 *
 * At a port, groups meet in the order in which they come, which a trace does not have. So they are found only when nobody
 * else can go on: if one accepts and one connects then, it is these two.
 */
#include "replay/comms/parts.h"

#include <stdlib.h>
#include <string.h>

uint32_t comms_make_sides(struct replay_comms *c, uint32_t a, uint32_t b)
{
    uint32_t first = comms_add(c, a, b), second = comms_add(c, b, a);
    c->comm.at[first].twin = second;
    c->comm.at[second].twin = first;
    return first;
}

void comms_give_all(struct replay_comms *c, const struct comms_meeting *m, uint32_t comm)
{
    for (size_t k = 0; k < m->seats.n; k++)
        comms_give(c, m->seats.at[k].rank, comm);
}

/* --- worlds -------------------------------------------------------------------------------------------------- */

/* n ranks from `first` on. */
static uint32_t add_world(struct replay_comms *c, uint32_t first, uint32_t n)
{
    uint32_t *rank = base_alloc(((size_t)n + 1) * sizeof *rank, "a world of a trace");
    for (uint32_t k = 0; k < n; k++)
        rank[k] = first + k;
    uint32_t world = comms_add(c, comms_group(c, rank, n), REPLAY_NO_GROUP);
    for (uint32_t k = 0; k < n; k++)
        c->walker[first + k].world = world;
    free(rank);
    return world;
}

void comms_worlds_begin(struct replay_comms *c)
{
    for (uint32_t rank = 0; rank < c->ranks; rank++)
        c->walker[rank].world = c->walker[rank].parents = REPLAY_NO_COMM;
    add_world(c, 0, replay_tape_initial(c->tape));
}

void comms_note_root(const struct replay_comms *c, struct comms_meeting *m, uint32_t rank,
                     const struct replay_words *w)
{
    uint32_t group = c->comm.at[m->on].comm.group;
    int64_t root = replay_words_number(w, "root");
    if (root < 0 || root >= replay_members(c->tape, group) ||
        replay_member(c->tape, group, (uint32_t)root) != rank)
        return;
    const struct record_part *port = replay_words_part(w, "port_name");
    if (!replay_starts_in(w->function, w->part, &m->first, &m->started))
        m->started = 0;
    for (int64_t k = 0; port && k < port->n; k++)
        BASE_ARRAY_PUSH(&m->port, port->at[k]);
}

static bool are_unborn(const struct replay_comms *c, uint32_t first, uint32_t n)
{
    bool are = n > 0 && first >= replay_tape_initial(c->tape) && first + n <= c->ranks;
    for (uint32_t k = 0; are && k < n; k++)
        are = c->walker[first + k].world == REPLAY_NO_COMM;
    return are;
}

void comms_start(struct replay_comms *c, struct comms_meeting *m)
{
    if (!are_unborn(c, m->first, m->started)) {
        comms_give_all(c, m, REPLAY_NO_COMM);
        return;
    }
    uint32_t first = m->first, n = m->started, world = add_world(c, first, n);
    uint32_t sides = comms_make_sides(c, c->comm.at[m->on].comm.group, c->comm.at[world].comm.group);
    for (uint32_t k = 0; k < n; k++) {
        c->walker[first + k].parents = sides + 1;
        BASE_ARRAY_PUSH(&c->ready, first + k);
    }
    comms_give_all(c, m, sides);
}

/* --- who meets ----------------------------------------------------------------------------------------------- */

struct comms_meeting *comms_socket(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    struct comms_meeting *m =
        comms_meeting_create(w->function, comms_find(c, rank, c->self), REPLAY_NO_GROUP, 1);
    int64_t other = replay_words_number(w, "fd");
    m->leader = rank;
    m->remote = other >= 0 && other < c->ranks ? (uint32_t)other : rank;
    return m;
}

/* One without a name is at none. */
static bool same_port(const struct comms_meeting *a, const struct comms_meeting *b)
{
    return a->port.n && a->port.n == b->port.n &&
           !memcmp(a->port.at, b->port.at, a->port.n * sizeof *a->port.at);
}

/* How many wait at the port of `m` in such a call; *last: one of them. */
static uint32_t waiting_at(struct replay_comms *c, const struct comms_meeting *m, uint32_t function,
                           struct comms_meeting **last)
{
    uint32_t n = 0;
    for (struct comms_meeting *one = c->callers; one; one = one->next)
        if (one->function == function && same_port(one, m)) {
            *last = one;
            n++;
        }
    return n;
}

static void take_caller(struct replay_comms *c, struct comms_meeting *m)
{
    struct comms_meeting **at = &c->callers;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
}

bool comms_ports_meet(struct replay_comms *c)
{
    struct comms_meeting *accepts = c->callers, *calls = NULL;
    while (accepts && (accepts->function != RECORD_MPI_COMM_ACCEPT ||
                       waiting_at(c, accepts, RECORD_MPI_COMM_ACCEPT, &calls) != 1 ||
                       waiting_at(c, accepts, RECORD_MPI_COMM_CONNECT, &calls) != 1))
        accepts = accepts->next;
    if (!accepts)
        return false;
    take_caller(c, accepts);
    take_caller(c, calls);
    uint32_t sides =
        comms_make_sides(c, c->comm.at[accepts->on].comm.group, c->comm.at[calls->on].comm.group);
    comms_give_all(c, accepts, sides);
    comms_give_all(c, calls, sides + 1);
    comms_meeting_destroy(accepts);
    comms_meeting_destroy(calls);
    return true;
}
