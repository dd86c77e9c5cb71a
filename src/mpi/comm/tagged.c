/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tagged: communicators that only the members of a group make, who find each other by a tag (MPI-5.0 sections
 * 7.4.2, 7.6.2). A parent takes no part, so the collective that agrees runs in a group of its own.
 */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdio.h>
#include <stdlib.h>

static void solve_all(struct mpi_job *job, struct mpi_meeting *m)
{
    mpi_solve_first(job, m, m->all.size);
}

/* Whether all members of a group are members of another. */
static bool is_part(const struct coll_group *part, const struct coll_group *of)
{
    bool runs = !part->list && !of->list && (of->stride == 1 || part->stride % of->stride == 0);
    for (uint32_t k = 0; k < part->size; k += runs && part->size > 1 ? part->size - 1 : 1)
        if (coll_group_place(of, coll_group_rank(part, k)) == COLL_NOBODY)
            return false;
    return true;
}

int mpi_comm_create_group(struct mpi_call *c, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS;
    char text[16];
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc), *made;
    const struct mpi_group *g = of ? mpi_group_for(c, &of->guarded, group, &rc) : NULL;
    if (!g || (rc = mpi_comm_check_new(c, newcomm)) || (rc = mpi_comm_check_intra(c, of)) ||
        (rc = mpi_check_sessions(c, &of->guarded, MPI_ERR_GROUP, of->session, g->session)))
        return rc;
    if (tag < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_TAG, "the tag is %d: expected 0 or more", tag);
    uint32_t me = coll_group_place(&g->members, c->rank->id);
    if (me == COLL_NOBODY)
        return MPI_SUCCESS;
    snprintf(text, sizeof text, "%d", tag);
    struct mpi_meeting *m = mpi_meeting_enter_tagged(c, &g->members, of->space->context, text);
    if (m->came == 1 && !is_part(&m->all, of->group))
        mpi_meeting_fail(m, MPI_ERR_GROUP, "not all %u members of the group are in the communicator",
                         m->all.size);
    mpi_meeting_agree(c, m, me, solve_all);
    rc = mpi_meeting_leave(c, m, me, of, &made);
    return mpi_comm_give(rc, made, newcomm);
}

/* --- without a parent -------------------------------------------------------------------------------- */

static struct mpi_errhandler *handler_of(struct mpi_call *c, MPI_Errhandler handle, int *rc)
{
    struct mpi_errhandler *known[] = {&mpi_errors_are_fatal, &mpi_errors_abort, &mpi_errors_return};
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (known[k]->object.handle == (uintptr_t)handle)
            return known[k];
    struct mpi_errhandler *h = mpi_find(c->self, MPI_KIND_ERRHANDLER, handle);
    if (!h || h->about != MPI_ABOUT_COMM) {
        *rc = mpi_fail(c, NULL, MPI_ERR_ERRHANDLER, "%#lx is no error handler for communicators",
                       (unsigned long)(uintptr_t)handle);
        return NULL;
    }
    return h;
}

/* What both functions have. Errors are the given handler's, as if the communicator were there. */
struct origin {
    const char *tag;
    MPI_Info info;
    uint32_t session;
    struct mpi_guarded on;
};

static int check(struct mpi_call *c, struct origin *o, MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_errhandler *h = handler_of(c, errhandler, &rc);
    if (!h)
        return rc;
    o->on = (struct mpi_guarded){.errhandler = h, .about = MPI_ABOUT_COMM};
    if (!newcomm)
        return mpi_fail(c, &o->on, MPI_ERR_ARG, "the place for the new communicator is NULL");
    *newcomm = MPI_COMM_NULL;
    if (!o->tag)
        return mpi_fail(c, &o->on, MPI_ERR_ARG, "the string tag is NULL");
    return mpi_comm_check_info(c, &o->on, o->info);
}

static int finish(struct mpi_call *c, struct mpi_meeting *m, uint32_t me, const struct origin *o,
                  MPI_Comm *newcomm)
{
    struct mpi_comm *made = mpi_meeting_take(c->self, m, me, NULL);
    made->guarded.errhandler = mpi_errhandler_retain(o->on.errhandler);
    made->session = o->session;
    mpi_comm_hint(c, made, o->info);
    mpi_meeting_done(c->self->job, m);
    return mpi_comm_give(MPI_SUCCESS, made, newcomm);
}

int mpi_comm_create_from_group(struct mpi_call *c, MPI_Group group, const char *stringtag, MPI_Info info,
                               MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    struct origin o = {.tag = stringtag, .info = info};
    int rc = check(c, &o, errhandler, newcomm);
    const struct mpi_group *g = rc ? NULL : mpi_group_for(c, &o.on, group, &rc);
    if (!g)
        return rc;
    uint32_t me = coll_group_place(&g->members, c->rank->id);
    o.session = g->session;
    if (!g->members.size)
        return MPI_SUCCESS;
    if (me == COLL_NOBODY)
        return mpi_fail(c, &o.on, MPI_ERR_GROUP, "the calling rank is not in the group");
    struct mpi_meeting *m = mpi_meeting_enter_tagged(c, &g->members, 0, stringtag);
    mpi_meeting_agree(c, m, me, solve_all);
    return finish(c, m, me, &o, newcomm);
}

/* The first m->sides members are side 0. */
static void solve_sides(struct mpi_job *job, struct mpi_meeting *m)
{
    uint32_t n = m->sides;
    struct coll_group a = coll_group_part(&m->all, 0, 0, 1, n);
    struct coll_group b = coll_group_part(&m->all, 0, n, 1, m->all.size - n);
    struct mpi_space *s = mpi_space_create(job, m->call, a, &b);
    for (uint32_t k = 0; k < m->all.size; k++) {
        m->seat[k].space = s;
        m->seat[k].side = k >= n;
        m->seat[k].me = k >= n ? k - n : k;
    }
}

static int check_groups(struct mpi_call *c, struct mpi_guarded *on, const struct coll_group *local,
                        int local_leader, const struct coll_group *remote, int remote_leader)
{
    if (coll_group_place(local, c->rank->id) == COLL_NOBODY || !remote->size)
        return mpi_fail(c, on, MPI_ERR_GROUP,
                        "the calling rank is not in the local group, or the remote one is empty");
    if (local_leader < 0 || (uint32_t)local_leader >= local->size || remote_leader < 0 ||
        (uint32_t)remote_leader >= remote->size)
        return mpi_fail(c, on, MPI_ERR_RANK, "the leaders are %d and %d of groups of %u and %u", local_leader,
                        remote_leader, local->size, remote->size);
    for (uint32_t k = 0; k < local->size; k++)
        if (coll_group_place(remote, coll_group_rank(local, k)) != COLL_NOBODY)
            return mpi_fail(c, on, MPI_ERR_GROUP, "rank %u of the local group is also in the remote group",
                            k);
    return MPI_SUCCESS;
}

int mpi_intercomm_create_from_groups(struct mpi_call *c, MPI_Group local_group, int local_leader,
                                     MPI_Group remote_group, int remote_leader, const char *stringtag,
                                     MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    struct origin o = {.tag = stringtag, .info = info};
    int rc = check(c, &o, errhandler, newintercomm);
    const struct mpi_group *l = rc ? NULL : mpi_group_for(c, &o.on, local_group, &rc);
    const struct mpi_group *r = l ? mpi_group_for(c, &o.on, remote_group, &rc) : NULL;
    if (!r || (rc = mpi_check_sessions(c, &o.on, MPI_ERR_GROUP, l->session, r->session)) ||
        (rc = check_groups(c, &o.on, &l->members, local_leader, &r->members, remote_leader)))
        return rc;
    o.session = l->session;
    uint32_t mine = coll_group_rank(&l->members, (uint32_t)local_leader);
    uint32_t theirs = coll_group_rank(&r->members, (uint32_t)remote_leader);
    const struct coll_group *a = mine < theirs ? &l->members : &r->members,
                            *b = mine < theirs ? &r->members : &l->members;
    struct coll_group all = mpi_group_joined(a, b);
    struct mpi_meeting *m = mpi_meeting_enter_tagged(c, &all, 0, stringtag);
    uint32_t me = coll_group_place(&all, c->rank->id);
    m->sides = a->size;
    coll_group_release(&all);
    mpi_meeting_agree(c, m, me, solve_sides);
    return finish(c, m, me, &o, newintercomm);
}
