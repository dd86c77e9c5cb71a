/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter: inter-communicators (MPI-5.0 section 7.6). The members of each group agree as for any communicator.
 * Then the leaders exchange a message with their group's ranks, 8 bytes for each, over the peer communicator,
 * and each tells its group by a broadcast of one word.
 */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdlib.h>

/* What a leader brings: its message carries a pointer to it. */
struct offer {
    struct coll_group group; /* a reference */
    uint32_t leader;         /* rank */
    struct mpi_space *space; /* when the first of the two has seen the other's offer */
    int error;
    uint8_t readers; /* leaders who have not done with it */
};

static void offer_release(struct offer *o)
{
    if (--o->readers)
        return;
    coll_group_release(&o->group);
    free(o);
}

/* Sends the offer, waits for the other leader's, and returns it. */
static struct offer *exchange(struct mpi_call *c, uint32_t context, uint32_t to, int tag, struct offer *mine)
{
    struct rank *r = c->rank;
    uint64_t size = (uint64_t)mine->group.size * sizeof(uint64_t);
    struct p2p_buffer out = {(uintptr_t)mine, size, types_layout_of(TYPES_BYTE)};
    struct p2p_buffer in = {(uintptr_t)mine, (uint64_t)rank_room(r->job) * sizeof(uint64_t), out.layout};
    struct p2p_envelope wanted = {context, to, tag};
    struct p2p_request *q[2] = {p2p_receive_create(r, &wanted, &in, c->name),
                                p2p_send_create(r, to, context, tag, &out, P2P_STANDARD, c->name)};
    for (size_t k = 0; k < 2; k++) {
        p2p_request_unmoved(q[k]);
        if (k == 1)
            p2p_request_note(q[k], mine);
        p2p_issue(q[k]);
    }
    p2p_wait_all(r, q, 2, c->name);
    struct offer *theirs = p2p_status(q[0])->note;
    p2p_request_destroy(q[0]);
    p2p_request_destroy(q[1]);
    return theirs;
}

static bool overlap(const struct coll_group *a, const struct coll_group *b)
{
    if (a->size > b->size)
        return overlap(b, a);
    for (uint32_t k = 0; k < a->size; k++)
        if (coll_group_place(b, coll_group_rank(a, k)) != COLL_NOBODY)
            return true;
    return false;
}

/* The space of two leaders' groups; that of the lower one is side 0. NULL: they overlap. */
static struct mpi_space *agree(struct mpi_call *c, struct offer *mine, struct offer *theirs)
{
    if (mine->space || mine->error)
        return mine->space;
    if (mine == theirs || overlap(&mine->group, &theirs->group)) {
        mine->error = theirs->error = MPI_ERR_COMM;
        return NULL;
    }
    struct offer *a = mine->leader < theirs->leader ? mine : theirs, *b = a == mine ? theirs : mine;
    struct coll_group other = coll_group_retain(&b->group);
    struct mpi_space *s = mpi_space_create(c->self->job, c->name, coll_group_retain(&a->group), &other);
    mine->space = theirs->space = s;
    return s;
}

struct mpi_space *mpi_leaders_agree(struct mpi_call *c, const struct coll_group *group, uint32_t context, uint32_t to,
                                    int tag, uint8_t *side)
{
    struct offer *mine = base_zalloc(sizeof *mine, "communicators");
    *mine = (struct offer){.group = coll_group_retain(group), .leader = c->rank->id, .readers = 2};
    struct offer *theirs = exchange(c, context, to, tag, mine);
    struct mpi_space *s = agree(c, mine, theirs);
    *side = mine->leader > theirs->leader;
    offer_release(mine);
    offer_release(theirs);
    return s;
}

/* What a leader does between the two collectives of its group: seats all its members. */
static void lead(struct mpi_call *c, struct mpi_meeting *m, struct mpi_comm *local,
                 const struct mpi_comm *peer, uint32_t to, int tag)
{
    uint8_t side;
    struct mpi_space *s = mpi_leaders_agree(c, local->group, mpi_space_leaders(peer->space), to, tag, &side);
    if (s)
        mpi_meeting_seat(m, s, side);
    else
        mpi_meeting_fail(m, MPI_ERR_COMM, "the groups of the two leaders have members in common");
}

static int check_rank(struct mpi_call *c, struct mpi_comm *on, const char *what, int rank, uint32_t size)
{
    if (rank >= 0 && (uint32_t)rank < size)
        return MPI_SUCCESS;
    return mpi_fail(c, &on->guarded, MPI_ERR_RANK, "the %s leader is %d: expected 0 to %u", what, rank,
                    size - 1);
}

int mpi_intercomm_create(struct mpi_call *c, MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                         int remote_leader, int tag, MPI_Comm *newintercomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *local = mpi_comm_of(c, local_comm, &rc), *peer = NULL, *made;
    if (!local || (rc = mpi_comm_check_new(c, newintercomm)) || (rc = mpi_comm_check_intra(c, local)) ||
        (rc = check_rank(c, local, "local", local_leader, local->group->size)))
        return rc;
    bool leads = (int)local->me == local_leader;
    if (leads) {
        peer = mpi_comm_of(c, peer_comm, &rc);
        if (!peer || (rc = check_rank(c, local, "remote", remote_leader, mpi_comm_peers(peer)->size)))
            return rc;
    }
    if (tag < 0)
        return mpi_fail(c, &local->guarded, MPI_ERR_TAG, "the tag is %d: expected 0 or more", tag);
    struct mpi_meeting *m = mpi_meeting_enter(c, local);
    mpi_meeting_agree(c, m, local->me, mpi_solve_nothing);
    if (leads)
        lead(c, m, local, peer, coll_group_rank(mpi_comm_peers(peer), (uint32_t)remote_leader), tag);
    mpi_meeting_tell(c, m, local->me, (uint32_t)local_leader);
    rc = mpi_meeting_leave(c, m, local->me, local, &made);
    return mpi_comm_give(rc, made, newintercomm);
}

/* --- merging ----------------------------------------------------------------------------------------- */

/* The side whose members passed `high` as false comes first; side 0 if both passed the same. */
static void solve_merge(struct mpi_job *job, struct mpi_meeting *m)
{
    const struct mpi_space *old = m->space;
    uint32_t n = old->side[0].size;
    for (uint32_t k = 1; k < m->all.size; k++)
        if (k != n && m->seat[k].color != m->seat[k - 1].color) {
            mpi_meeting_fail(m, MPI_ERR_ARG, "members of one group passed different values of high");
            return;
        }
    bool swap = m->seat[0].color > m->seat[n].color;
    struct coll_group all = mpi_group_joined(&old->side[swap], &old->side[!swap]);
    struct mpi_space *s = mpi_space_create(job, m->call, all, NULL);
    for (uint32_t k = 0; k < m->all.size; k++) {
        m->seat[k].space = s;
        m->seat[k].me = !swap ? k : k < n ? old->side[1].size + k : k - n;
    }
}

int mpi_intercomm_merge(struct mpi_call *c, MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, intercomm, &rc), *made;
    if (!of || (rc = mpi_comm_check_new(c, newintracomm)) || (rc = mpi_comm_check_inter(c, of)))
        return rc;
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    uint32_t place = mpi_comm_place(of);
    m->seat[place].color = high != 0;
    mpi_meeting_agree(c, m, place, solve_merge);
    rc = mpi_meeting_leave(c, m, place, of, &made);
    return mpi_comm_give(rc, made, newintracomm);
}
