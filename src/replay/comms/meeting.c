/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meeting: ranks come to the calls that make communicators. What a member passes is a seat with a colour and a key, as
 * those of MPI_Comm_split: all other calls are cases of that (solve.c).
 */
#include "replay/comms/parts.h"

#include <stdlib.h>
#include <string.h>

struct comms_meeting *comms_meeting_create(uint32_t function, uint32_t on, uint32_t group, uint32_t expected)
{
    struct comms_meeting *m = base_zalloc(sizeof *m, "communicators of a trace");
    m->function = function;
    m->on = on;
    m->group = group;
    m->expected = expected;
    return m;
}

void comms_meeting_destroy(struct comms_meeting *m)
{
    free(m->seats.at);
    free(m->dim);
    free(m->port.at);
    free(m);
}

/* --- seats --------------------------------------------------------------------------------------------------- */

static void keep_dims(struct comms_meeting *m, const int64_t *dim, int64_t n)
{
    if (m->dim || n <= 0)
        return;
    m->dim = base_alloc((size_t)n * sizeof *m->dim, "a grid of a trace");
    memcpy(m->dim, dim, (size_t)n * sizeof *m->dim);
    m->dims = (uint32_t)n;
}

/* The place in the grids that are left: by the coordinates in the dimensions that are not. */
static void slice(const struct replay_comms *c, struct comms_meeting *m, const struct replay_words *w,
                  struct comms_seat *s)
{
    const struct comms_one *grid = &c->comm.at[m->on];
    const struct record_part *remain = replay_words_part(w, "remain_dims");
    int64_t rest = replay_place(c->tape, grid->comm.group, s->rank), kept[64];
    uint32_t n = 0;
    s->member &= remain->n == grid->dims && grid->dims <= BASE_LENGTH(kept);
    for (uint32_t k = grid->dims; s->member && k-- > 0;) {
        int64_t at = rest % grid->dim[k];
        rest /= grid->dim[k];
        s->color = remain->at[k] ? s->color : s->color * grid->dim[k] + at;
    }
    for (uint32_t k = 0; s->member && k < grid->dims; k++)
        if (remain->at[k])
            kept[n++] = grid->dim[k];
    if (s->member)
        keep_dims(m, kept, n);
}

/* The first ranks, as many as a grid or a graph has. */
static void first_ones(const struct replay_comms *c, struct comms_meeting *m, const struct replay_words *w,
                       struct comms_seat *s)
{
    const struct record_part *dims = replay_words_part(w, "dims");
    int64_t size = replay_members(c->tape, c->comm.at[m->on].comm.group),
            n = dims ? 1 : replay_words_number(w, "nnodes");
    for (int64_t k = 0; dims && k < dims->n; k++)
        if (dims->at[k] <= 0 || (n *= dims->at[k]) > size)
            s->member = false;
    if (s->member && dims)
        keep_dims(m, dims->at, dims->n);
}

static void of_group(const struct replay_comms *c, const struct replay_words *w, struct comms_seat *s)
{
    uint32_t group = comms_group_of(c, &c->walker[s->rank], replay_words_number(w, "group"));
    s->color = group;
    s->key = replay_place(c->tape, group, s->rank);
    s->member &= group < REPLAY_EMPTY_GROUP && s->key != REPLAY_ANY;
}

static void lead(struct replay_comms *c, struct comms_meeting *m, uint32_t rank, const struct replay_words *w)
{
    const struct replay_tape *t = c->tape;
    uint32_t peers = comms_find(c, rank, replay_words_number(w, "peer_comm"));
    const struct replay_comm *local = &c->comm.at[m->on].comm;
    int64_t leader = replay_words_number(w, "local_leader"), remote = replay_words_number(w, "remote_leader");
    if (leader < 0 || leader >= replay_members(t, local->group) ||
        replay_member(t, local->group, (uint32_t)leader) != rank)
        return;
    if (peers == REPLAY_NO_COMM) {
        m->wrong = true;
        return;
    }
    const struct replay_comm *peer = &c->comm.at[peers].comm;
    uint32_t group = peer->remote == REPLAY_NO_GROUP ? peer->group : peer->remote;
    m->wrong |= remote < 0 || remote >= replay_members(t, group);
    m->leader = rank;
    m->remote = m->wrong ? 0 : replay_member(t, group, (uint32_t)remote);
    m->tag = replay_words_number(w, "tag");
}

static void take_seat(struct replay_comms *c, struct comms_meeting *m, uint32_t rank, uint32_t side,
                      const struct replay_words *w)
{
    struct comms_seat s = {.rank = rank, .side = side, .member = c->walker[rank].made >= RECORD_MADE};
    switch (w->function) {
    case RECORD_MPI_COMM_SPLIT:
        s.color = replay_words_number(w, "color");
        s.key = replay_words_number(w, "key");
        break;
    case RECORD_MPI_COMM_CREATE:
    case RECORD_MPI_COMM_CREATE_GROUP:
    case RECORD_MPI_COMM_CREATE_FROM_GROUP:
        of_group(c, w, &s);
        break;
    case RECORD_MPI_CART_SUB:
        slice(c, m, w, &s);
        break;
    case RECORD_MPI_CART_CREATE:
    case RECORD_MPI_GRAPH_CREATE:
        first_ones(c, m, w, &s);
        break;
    case RECORD_MPI_INTERCOMM_CREATE:
        lead(c, m, rank, w);
        break;
    case RECORD_MPI_COMM_ACCEPT:
    case RECORD_MPI_COMM_CONNECT:
    case RECORD_MPI_COMM_SPAWN:
    case RECORD_MPI_COMM_SPAWN_MULTIPLE:
        comms_note_root(c, m, rank, w);
        break;
    default:
        s.key = w->function == RECORD_MPI_INTERCOMM_MERGE ? replay_words_number(w, "high") : 0;
    }
    m->wrong |= m->function != w->function;
    BASE_ARRAY_PUSH(&m->seats, s);
}

/* --- meetings ------------------------------------------------------------------------------------------------ */

/* A text or a number, as a number. */
static uint32_t tag_of(const struct replay_words *w)
{
    const struct record_part *text = replay_words_part(w, "stringtag");
    uint64_t tag = text ? 1 : (uint64_t)replay_words_number(w, "tag") << 1;
    for (int64_t k = 0; text && k < text->n; k++)
        tag = base_hash(tag * 31 + (uint64_t)text->at[k]) | 1;
    return (uint32_t)tag;
}

/* Those of a group alone. NULL: the rank is not of it. */
static struct comms_meeting **of_members(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    bool fresh;
    uint32_t group = comms_group_of(c, &c->walker[rank], replay_words_number(w, "group"));
    if (group >= REPLAY_EMPTY_GROUP || replay_place(c->tape, group, rank) == REPLAY_ANY)
        return NULL;
    struct comms_meeting **m = base_table_add(&c->together, (uint64_t)group << 32 | tag_of(w), &fresh);
    if (fresh || !*m)
        *m = comms_meeting_create(w->function, REPLAY_NO_COMM, group, replay_members(c->tape, group));
    return m;
}

static bool is_known(const struct replay_words *w, bool inter)
{
    switch (w->function) {
    case RECORD_MPI_COMM_DUP:
    case RECORD_MPI_COMM_DUP_WITH_INFO:
    case RECORD_MPI_COMM_IDUP:
    case RECORD_MPI_COMM_IDUP_WITH_INFO:
        return true;
    case RECORD_MPI_INTERCOMM_MERGE:
        return inter;
    case RECORD_MPI_COMM_SPLIT:
    case RECORD_MPI_COMM_CREATE:
    case RECORD_MPI_CART_CREATE:
    case RECORD_MPI_CART_SUB:
    case RECORD_MPI_GRAPH_CREATE:
    case RECORD_MPI_DIST_GRAPH_CREATE:
    case RECORD_MPI_DIST_GRAPH_CREATE_ADJACENT:
    case RECORD_MPI_INTERCOMM_CREATE:
    case RECORD_MPI_COMM_ACCEPT:
    case RECORD_MPI_COMM_CONNECT:
    case RECORD_MPI_COMM_SPAWN:
    case RECORD_MPI_COMM_SPAWN_MULTIPLE:
        return !inter;
    default: /* such as MPI_Comm_split_type, whose members depend on the machine */
        return false;
    }
}

/* Those of a communicator; *side: the rank's. */
static struct comms_meeting **of_comm(struct replay_comms *c, uint32_t rank, const struct replay_words *w,
                                      uint32_t *side)
{
    *side = comms_find(c, rank, replay_words_parent(w));
    if (*side == REPLAY_NO_COMM)
        return NULL;
    const struct comms_one *one = &c->comm.at[*side];
    bool inter = one->comm.remote != REPLAY_NO_GROUP;
    if (!is_known(w, inter))
        return NULL;
    uint32_t on = inter && one->twin < *side ? one->twin : *side;
    if (!c->comm.at[on].open)
        c->comm.at[on].open = comms_meeting_create(w->function, on, REPLAY_NO_GROUP,
                                                   replay_members(c->tape, one->comm.group) +
                                                       replay_members(c->tape, one->comm.remote));
    return &c->comm.at[on].open;
}

/* All have come, unless others are to come elsewhere. */
static void end(struct replay_comms *c, struct comms_meeting *m)
{
    if (comms_solve(c, m))
        comms_meeting_destroy(m);
}

/* The members of a communicator, or of a group. */
static void meet_members(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    uint32_t side = REPLAY_NO_COMM;
    bool together =
        w->function == RECORD_MPI_COMM_CREATE_GROUP || w->function == RECORD_MPI_COMM_CREATE_FROM_GROUP;
    struct comms_meeting **at = together ? of_members(c, rank, w) : of_comm(c, rank, w, &side), *m;
    if (!at) {
        comms_give(c, rank, REPLAY_NO_COMM);
        return;
    }
    m = *at;
    take_seat(c, m, rank, side, w);
    if (m->seats.n < m->expected)
        return;
    if (together)
        *at = NULL;
    else
        c->comm.at[m->on].open = NULL;
    end(c, m);
}

void comms_meet(struct replay_comms *c, uint32_t rank, const struct replay_words *w)
{
    struct comms_walker *walker = &c->walker[rank];
    for (uint32_t k = 0; k < w->f->n; k++)
        if (w->part[k].param && w->part[k].param->object == RECORD_COMM &&
            w->part[k].param->way == RECORD_OUT)
            walker->made = w->part[k].at[0];
    walker->waits = true;
    if (w->function == RECORD_MPI_COMM_GET_PARENT) {
        comms_give(c, rank, walker->made >= RECORD_MADE ? walker->parents : REPLAY_NO_COMM);
    } else if (w->function == RECORD_MPI_COMM_JOIN) {
        struct comms_meeting *m = comms_socket(c, rank, w);
        take_seat(c, m, rank, m->on, w);
        end(c, m);
    } else {
        meet_members(c, rank, w);
    }
}

static void release_list(struct comms_meeting **list)
{
    for (struct comms_meeting *m; (m = *list); comms_meeting_destroy(m))
        *list = m->next;
}

void comms_meetings_release(struct replay_comms *c)
{
    struct comms_meeting **at;
    for (size_t k = 0; k < c->comm.n; k++)
        if (c->comm.at[k].open) {
            comms_meeting_destroy(c->comm.at[k].open);
            c->comm.at[k].open = NULL;
        }
    for (uint32_t k = 0; (at = base_table_next(&c->together, &k));)
        if (*at) {
            comms_meeting_destroy(*at);
            *at = NULL;
        }
    release_list(&c->halves);
    release_list(&c->callers);
}
