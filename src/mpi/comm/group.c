/* SPDX-License-Identifier: BSD-3-Clause */
/* group: groups as objects, and questions about them (MPI-5.0 sections 7.3.1, 7.3.3). */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdlib.h>
#include <strings.h>

static const struct mpi_group empty = {
    .object = {0x109, 1}, .members = {.stride = 1}, .session = (uint32_t)MPI_ANY_SESSION};

int mpi_check_sessions(struct mpi_call *c, struct mpi_guarded *on, int code, uint32_t a, uint32_t b)
{
    const uint32_t any = (uint32_t)MPI_ANY_SESSION;
    if (BASE_LIKELY(a == b) || a == any || b == any)
        return MPI_SUCCESS;
    return mpi_fail(c, on, code, "two arguments are of different sessions%s: expected objects of one",
                    a && b ? "" : ", or of a session and of the world model");
}

const struct mpi_group *mpi_group_for(struct mpi_call *c, struct mpi_guarded *on, MPI_Group group, int *rc)
{
    if (group == MPI_GROUP_EMPTY)
        return &empty;
    const struct mpi_group *g = mpi_find(c->self, MPI_KIND_GROUP, group);
    if (!g)
        *rc = mpi_fail(c, on, MPI_ERR_GROUP, "%#lx is no group%s", (unsigned long)(uintptr_t)group,
                       group == MPI_GROUP_NULL ? " (MPI_GROUP_NULL)" : "");
    return g;
}

const struct mpi_group *mpi_group_of(struct mpi_call *c, MPI_Group group, int *rc)
{
    return mpi_group_for(c, NULL, group, rc);
}

MPI_Group mpi_group_make(struct mpi_rank *self, struct coll_group members, uint32_t session)
{
    if (!members.size) {
        coll_group_release(&members);
        return MPI_GROUP_EMPTY;
    }
    struct mpi_group *g = base_alloc(sizeof *g, "groups");
    g->members = members;
    g->members.id = 0;
    g->session = session;
    return MPI_HANDLE(MPI_Group, mpi_handle_make(self, MPI_KIND_GROUP, &g->object));
}

int mpi_group_free(struct mpi_call *c, MPI_Group *group)
{
    int rc = MPI_SUCCESS;
    if (!group)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place of the group is NULL");
    const struct mpi_group *g = mpi_group_of(c, *group, &rc);
    if (!g)
        return rc;
    if (g != &empty) {
        struct mpi_group *own = mpi_find(c->self, MPI_KIND_GROUP, *group);
        mpi_handle_drop(c->self, &own->object);
        coll_group_release(&own->members);
        free(own);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

static int give(struct mpi_call *c, const struct coll_group *members, uint32_t session, MPI_Group *group)
{
    if (!group)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the group is NULL");
    *group = mpi_group_make(c->self, coll_group_retain(members), session);
    return MPI_SUCCESS;
}

int mpi_comm_group(struct mpi_call *c, MPI_Comm comm, MPI_Group *group)
{
    int rc = MPI_SUCCESS;
    const struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? give(c, of->group, of->session, group) : rc;
}

int mpi_comm_remote_group(struct mpi_call *c, MPI_Comm comm, MPI_Group *group)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_comm_check_inter(c, of)))
        return rc;
    return give(c, of->remote, of->session, group);
}

bool mpi_group_of_set(struct mpi_rank *self, const char *name, struct coll_group *out)
{
    if (!strcasecmp(name, "mpi://WORLD"))
        *out = coll_group_retain(&self->home->members);
    else if (!strcasecmp(name, "mpi://SELF"))
        *out = (struct coll_group){.first = self->rank->id, .stride = 1, .size = 1};
    else
        return false;
    return true;
}

/* MPI-5.0 section 11.3.2: a set that does not exist has MPI_GROUP_NULL. */
int mpi_group_from_session_pset(struct mpi_call *c, MPI_Session session, const char *pset_name,
                                MPI_Group *newgroup)
{
    struct coll_group members;
    struct mpi_guarded *on = mpi_find(c->self, MPI_KIND_SESSION, session);
    if (!on)
        return mpi_fail(c, NULL, MPI_ERR_SESSION, "%#lx is no session%s", (unsigned long)(uintptr_t)session,
                        session == MPI_SESSION_NULL ? " (MPI_SESSION_NULL)" : "");
    if (!pset_name || !newgroup)
        return mpi_fail(c, on, MPI_ERR_ARG, "the %s is NULL",
                        pset_name ? "place for the group" : "set's name");
    *newgroup = MPI_GROUP_NULL;
    if (mpi_group_of_set(c->self, pset_name, &members))
        *newgroup = mpi_group_make(c->self, members, on->object.handle);
    return MPI_SUCCESS;
}

/* --- questions --------------------------------------------------------------------------------------- */

static int answer(struct mpi_call *c, int *to, int value)
{
    if (!to)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the answer is NULL");
    *to = value;
    return MPI_SUCCESS;
}

int mpi_group_size(struct mpi_call *c, MPI_Group group, int *size)
{
    int rc = MPI_SUCCESS;
    const struct mpi_group *g = mpi_group_of(c, group, &rc);
    return g ? answer(c, size, (int)g->members.size) : rc;
}

int mpi_group_rank(struct mpi_call *c, MPI_Group group, int *rank)
{
    int rc = MPI_SUCCESS;
    const struct mpi_group *g = mpi_group_of(c, group, &rc);
    if (!g)
        return rc;
    uint32_t place = coll_group_place(&g->members, c->rank->id);
    return answer(c, rank, place == COLL_NOBODY ? MPI_UNDEFINED : (int)place);
}

int mpi_group_compare(struct mpi_call *c, MPI_Group group1, MPI_Group group2, int *result)
{
    static const int names[] = {
        [COLL_IDENTICAL] = MPI_IDENT, [COLL_SIMILAR] = MPI_SIMILAR, [COLL_UNEQUAL] = MPI_UNEQUAL};
    int rc = MPI_SUCCESS;
    const struct mpi_group *a = mpi_group_of(c, group1, &rc), *b = a ? mpi_group_of(c, group2, &rc) : NULL;
    if (!b || (rc = mpi_check_sessions(c, NULL, MPI_ERR_GROUP, a->session, b->session)))
        return rc;
    return answer(c, result, names[coll_group_compare(&a->members, &b->members)]);
}

/* A rank of a group as a place of another. */
static int translated(const struct coll_group *from, int rank, const struct coll_group *to)
{
    if (rank == MPI_PROC_NULL)
        return MPI_PROC_NULL;
    uint32_t place = coll_group_place(to, coll_group_rank(from, (uint32_t)rank));
    return place == COLL_NOBODY ? MPI_UNDEFINED : (int)place;
}

int mpi_group_translate_ranks(struct mpi_call *c, MPI_Group group1, int n, const int ranks1[],
                              MPI_Group group2, int ranks2[])
{
    int rc = MPI_SUCCESS;
    const struct mpi_group *a = mpi_group_of(c, group1, &rc), *b = a ? mpi_group_of(c, group2, &rc) : NULL;
    if (!b || (rc = mpi_check_sessions(c, NULL, MPI_ERR_GROUP, a->session, b->session)))
        return rc;
    if (n < 0)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the number of ranks is %d: expected 0 or more", n);
    if (n && (!ranks1 || !ranks2))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an array of ranks is NULL");
    for (int k = 0; k < n; k++)
        if (ranks1[k] != MPI_PROC_NULL && (ranks1[k] < 0 || (uint32_t)ranks1[k] >= a->members.size))
            return mpi_fail(c, NULL, MPI_ERR_RANK, "rank %d, number %d of the array, is not in a group of %u",
                            ranks1[k], k, a->members.size);
    for (int k = 0; k < n; k++)
        ranks2[k] = translated(&a->members, ranks1[k], &b->members);
    return MPI_SUCCESS;
}
