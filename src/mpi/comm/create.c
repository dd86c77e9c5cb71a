/* SPDX-License-Identifier: BSD-3-Clause */
/* create: communicators of given groups (MPI-5.0 section 7.4.2): duplicates, MPI_Comm_create and its kin. */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdlib.h>

/* --- duplicates -------------------------------------------------------------------------------------- */

/* Nothing has to be agreed on but the context, so the result is there from the start. */
static struct mpi_meeting *enter_dup(struct mpi_call *c, struct mpi_comm *of)
{
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    if (!m->solved)
        mpi_solve_same(c->self->job, m);
    m->solved = true;
    return m;
}

static int copy_attributes(struct mpi_call *c, struct mpi_comm *from, struct mpi_comm *to)
{
    int rc = mpi_attributes_copy(c, from->attributes, from->guarded.object.handle, &to->attributes);
    if (rc)
        rc = mpi_fail(c, &from->guarded, rc, "a function that copies an attribute returned %d", rc);
    if (rc)
        mpi_comm_drop(to);
    return rc;
}

int mpi_comm_dup_with_info(struct mpi_call *c, MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc), *made;
    if (!of || (rc = mpi_comm_check_new(c, newcomm)) || (rc = mpi_comm_check_info(c, &of->guarded, info)))
        return rc;
    struct mpi_meeting *m = enter_dup(c, of);
    mpi_meeting_agree(c, m, mpi_comm_place(of), NULL);
    rc = mpi_meeting_leave(c, m, mpi_comm_place(of), of, &made);
    if (!rc)
        rc = copy_attributes(c, of, made);
    if (!rc)
        mpi_comm_hint(c, made, info);
    return mpi_comm_give(rc, made, newcomm);
}

int mpi_comm_dup(struct mpi_call *c, MPI_Comm comm, MPI_Comm *newcomm)
{
    return mpi_comm_dup_with_info(c, comm, MPI_INFO_NULL, newcomm);
}

/* What goes on after MPI_Comm_idup has returned. */
struct idup {
    struct mpi_comm *of; /* a reference */
    struct mpi_meeting *m;
    coll_done_fn done;
    void *arg;
};

static void idup_done(void *arg)
{
    struct idup *d = arg, copy = *d;
    free(d);
    mpi_meeting_done(copy.of->owner->job, copy.m);
    mpi_comm_release(copy.of);
    copy.done(copy.arg);
}

int mpi_comm_idup_start(struct mpi_call *c, struct mpi_comm *comm, MPI_Info info, MPI_Comm *newcomm,
                        coll_done_fn done, void *arg)
{
    struct idup *d = base_alloc(sizeof *d, "communicators");
    *d = (struct idup){mpi_comm_retain(comm), enter_dup(c, comm), done, arg};
    uint32_t place = mpi_comm_place(comm);
    struct mpi_comm *made = mpi_meeting_take(c->self, d->m, place, comm);
    mpi_meeting_agree_start(c, d->m, place, idup_done, d);
    int rc = copy_attributes(c, comm, made);
    if (!rc)
        mpi_comm_hint(c, made, info);
    return mpi_comm_give(rc, made, newcomm);
}

/* --- MPI_Comm_create --------------------------------------------------------------------------------- */

/* Whether the member at a place, which is member p of its own group, names the same group as the first of
 * that. */
static bool agrees(const struct mpi_meeting *m, uint32_t place, uint32_t p)
{
    const struct coll_group *mine = &m->seat[place].group;
    uint32_t first = coll_group_place(&m->all, coll_group_rank(mine, 0));
    if (first == COLL_NOBODY)
        return false;
    const struct coll_group *its = &m->seat[first].group;
    return its->size == mine->size && coll_group_rank(its, 0) == coll_group_rank(mine, 0) &&
           coll_group_rank(its, p) == coll_group_rank(&m->all, place);
}

/* Whether all members of the group that the member at a place is the first of have come, and name it too. */
static bool all_agree(const struct mpi_meeting *m, uint32_t place)
{
    const struct coll_group *g = &m->seat[place].group;
    for (uint32_t k = 0; k < g->size; k++) {
        uint32_t other = coll_group_place(&m->all, coll_group_rank(g, k));
        if (other == COLL_NOBODY || m->seat[other].group.size != g->size ||
            coll_group_rank(&m->seat[other].group, 0) != coll_group_rank(g, 0))
            return false;
    }
    return true;
}

static uint32_t own_place(const struct mpi_meeting *m, uint32_t place)
{
    const struct coll_group *g = &m->seat[place].group;
    return g->size ? coll_group_place(g, coll_group_rank(&m->all, place)) : COLL_NOBODY;
}

/* Whether all members of the groups pass the same ones, and are members of the communicator. */
static bool groups_agree(struct mpi_meeting *m)
{
    for (uint32_t k = 0; k < m->all.size; k++) {
        uint32_t p = own_place(m, k);
        if (p == COLL_NOBODY || (agrees(m, k, p) && (p || all_agree(m, k))))
            continue;
        mpi_meeting_fail(m, MPI_ERR_GROUP,
                         "the group of %u ranks that rank %u of the communicator passed is not a part of the "
                         "communicator, or another of its members passed another one",
                         m->seat[k].group.size, k);
        return false;
    }
    return true;
}

static void solve_create(struct mpi_job *job, struct mpi_meeting *m)
{
    if (!groups_agree(m))
        return;
    for (uint32_t k = 0; k < m->all.size; k++) {
        if (own_place(m, k) != 0)
            continue;
        struct coll_group g = coll_group_retain(&m->seat[k].group);
        struct mpi_space *s = mpi_space_create(job, m->call, g, NULL);
        for (uint32_t p = 0; p < g.size; p++) {
            struct mpi_seat *seat = &m->seat[coll_group_place(&m->all, coll_group_rank(&g, p))];
            seat->space = s;
            seat->me = p;
        }
    }
}

/* The group of one side's new members; an empty one: there are none. */
static struct coll_group side_of(const struct mpi_meeting *m, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++)
        if (own_place(m, k) == 0)
            return m->seat[k].group;
    return (struct coll_group){0};
}

static void seat_side(struct mpi_meeting *m, struct mpi_space *s, uint8_t side)
{
    for (uint32_t p = 0; p < s->side[side].size; p++) {
        struct mpi_seat *seat = &m->seat[coll_group_place(&m->all, coll_group_rank(&s->side[side], p))];
        *seat = (struct mpi_seat){.group = seat->group, .space = s, .me = p, .side = side, .here = true};
    }
}

/* Each side of an inter-communicator names a part of itself. */
static void solve_create_inter(struct mpi_job *job, struct mpi_meeting *m)
{
    uint32_t n = m->space->side[0].size;
    if (!groups_agree(m))
        return;
    struct coll_group a = side_of(m, 0, n), b = side_of(m, n, m->all.size);
    if (!a.size || !b.size)
        return;
    coll_group_retain(&a);
    coll_group_retain(&b);
    struct mpi_space *s = mpi_space_create(job, m->call, a, &b);
    seat_side(m, s, 0);
    seat_side(m, s, 1);
}

int mpi_comm_create(struct mpi_call *c, MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc), *made;
    const struct mpi_group *g = of ? mpi_group_for(c, &of->guarded, group, &rc) : NULL;
    if (!g || (rc = mpi_comm_check_new(c, newcomm)) ||
        (rc = mpi_check_sessions(c, &of->guarded, MPI_ERR_GROUP, of->session, g->session)))
        return rc;
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    m->grouped = true;
    m->seat[mpi_comm_place(of)].group = coll_group_retain(&g->members);
    mpi_meeting_agree(c, m, mpi_comm_place(of), of->remote ? solve_create_inter : solve_create);
    rc = mpi_meeting_leave(c, m, mpi_comm_place(of), of, &made);
    return mpi_comm_give(rc, made, newcomm);
}
