/* SPDX-License-Identifier: BSD-3-Clause */
/* split: MPI_Comm_split and MPI_Comm_split_type (MPI-5.0 section 7.4.2). */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- by colour --------------------------------------------------------------------------------------- */

struct choice {
    int color, key;
    uint32_t place; /* in the parent's members of both sides */
    uint8_t side;
};

static int by_color(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static uint32_t choices_of(const struct mpi_meeting *m, struct choice *out)
{
    uint32_t n = 0, first = m->space->side[0].size;
    for (uint32_t k = 0; k < m->all.size; k++)
        if (m->seat[k].color != MPI_UNDEFINED)
            out[n++] = (struct choice){m->seat[k].color, m->seat[k].key, k, k >= first};
    qsort(out, n, sizeof *out, by_color);
    return n;
}

static struct coll_group group_of(const struct mpi_meeting *m, const struct choice *of, uint32_t n,
                                  uint32_t *rank)
{
    for (uint32_t k = 0; k < n; k++)
        rank[k] = coll_group_rank(&m->all, of[k].place);
    return coll_group_of(0, rank, n);
}

/* The n members of one colour, of whom the first a are of side 0. */
static void make(struct mpi_job *job, struct mpi_meeting *m, const struct choice *of, uint32_t a, uint32_t n,
                 uint32_t *rank)
{
    bool inter = m->space->inter;
    if (inter && (!a || a == n))
        return; /* nobody on the other side: MPI_COMM_NULL */
    struct coll_group g = group_of(m, of, a, rank), h = {0};
    if (inter)
        h = group_of(m, of + a, n - a, rank);
    struct mpi_space *s = mpi_space_create(job, m->call, g, inter ? &h : NULL);
    for (uint32_t k = 0; k < n; k++) {
        struct mpi_seat *seat = &m->seat[of[k].place];
        seat->space = s;
        seat->side = k >= a;
        seat->me = k >= a ? k - a : k;
    }
}

void mpi_solve_split(struct mpi_job *job, struct mpi_meeting *m)
{
    struct choice *of = base_alloc(m->all.size * sizeof *of, "meetings of ranks");
    uint32_t *rank = base_alloc(m->all.size * sizeof *rank, "meetings of ranks"), n = choices_of(m, of);
    for (uint32_t from = 0, a, to; from < n; from = to) {
        for (a = from; a < n && of[a].color == of[from].color && !of[a].side; a++)
            ;
        for (to = a; to < n && of[to].color == of[from].color; to++)
            ;
        make(job, m, of + from, a - from, to - from, rank);
    }
    free(of);
    free(rank);
}

static int split(struct mpi_call *c, struct mpi_comm *of, int color, int key, mpi_solve_fn solve,
                 MPI_Comm *newcomm)
{
    struct mpi_comm *made;
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    m->seat[mpi_comm_place(of)].color = color;
    m->seat[mpi_comm_place(of)].key = key;
    mpi_meeting_agree(c, m, mpi_comm_place(of), solve);
    int rc = mpi_meeting_leave(c, m, mpi_comm_place(of), of, &made);
    return mpi_comm_give(rc, made, newcomm);
}

int mpi_comm_split(struct mpi_call *c, MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_comm_check_new(c, newcomm)))
        return rc;
    if (color < 0 && color != MPI_UNDEFINED)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG,
                        "the colour is %d: expected 0 or more, or MPI_UNDEFINED", color);
    return split(c, of, color, key, mpi_solve_split, newcomm);
}

/* --- by type ----------------------------------------------------------------------------------------- */

static const char resource_key[] = "mpi_hw_resource_type";

/* The hosts are the one level of hardware there is below the platform: a communicator whose members all share
 * one has no next level. */
static void solve_unguided(struct mpi_job *job, struct mpi_meeting *m)
{
    int color = MPI_UNDEFINED;
    bool differ = false;
    for (uint32_t k = 0; k < m->all.size; k++) {
        int own = m->seat[k].color;
        differ = differ || (own != MPI_UNDEFINED && color != MPI_UNDEFINED && own != color);
        color = own == MPI_UNDEFINED ? color : own;
    }
    if (differ)
        mpi_solve_split(job, m);
}

static bool is_one_of(const char *text, const char *const *names, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!strcmp(text, names[k]))
            return true;
    return false;
}

/* The colour that an info object asks for; none if it names what is not there. */
static int guided(struct mpi_call *c, MPI_Info info, bool sets)
{
    static const char *const hosts[] = {"mpi_shared_memory", "machine", "Machine", "node", "host"};
    char text[MPI_MAX_INFO_VAL];
    if (mpi_comm_info_value(c, info, resource_key, text, sizeof text))
        return is_one_of(text, hosts, BASE_LENGTH(hosts)) ? (int)c->rank->host : MPI_UNDEFINED;
    if (!sets || !mpi_comm_info_value(c, info, "mpi_pset_name", text, sizeof text))
        return MPI_UNDEFINED;
    struct coll_group members;
    if (!mpi_group_of_set(c->self, text, &members))
        return MPI_UNDEFINED;
    return (int)members.first;
}

int mpi_comm_split_type(struct mpi_call *c, MPI_Comm comm, int split_type, int key, MPI_Info info,
                        MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS, color = MPI_UNDEFINED;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_comm_check_new(c, newcomm)) || (rc = mpi_comm_check_info(c, &of->guarded, info)))
        return rc;
    mpi_solve_fn solve = mpi_solve_split;
    switch (split_type) {
    case MPI_UNDEFINED:
        break;
    case MPI_COMM_TYPE_HW_UNGUIDED:
        solve = solve_unguided;
        color = (int)c->rank->host;
        break;
    case MPI_COMM_TYPE_SHARED:
        color = (int)c->rank->host;
        break;
    case MPI_COMM_TYPE_HW_GUIDED:
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
        color = guided(c, info, split_type == MPI_COMM_TYPE_RESOURCE_GUIDED);
        break;
    default:
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "%d is no MPI_COMM_TYPE_... that exists", split_type);
    }
    rc = split(c, of, color, key, solve, newcomm);
    if (!rc && *newcomm != MPI_COMM_NULL && split_type == MPI_COMM_TYPE_HW_UNGUIDED)
        mpi_comm_info_answer(c, info, resource_key, "machine");
    return rc;
}
