/* SPDX-License-Identifier: BSD-3-Clause */
/* objects: communicators, groups, datatypes and operators. Hints (MPI_Info) are left out. */
#include "play/play.h"

/* What happens around the program, or has no effect here: its time is the caller's. */
static void nothing(struct play_call *c)
{
    (void)c;
}

static void wtime(struct play_call *c)
{
    (void)c;
    MPI_Wtime();
}

/* --- communicators -------------------------------------------------------------------------------------- */

static void comm_dup(struct play_call *c)
{
    MPI_Comm comm;
    MPI_Comm_dup(play_comm(c, 0), &comm);
    PLAY_MADE(c, c->f->n - 1, comm, comm); /* with_info has one parameter more */
}

static void comm_split(struct play_call *c)
{
    MPI_Comm comm;
    MPI_Comm_split(play_comm(c, 0), play_int(c, 1), play_int(c, 2), &comm);
    PLAY_MADE(c, 3, comm, comm);
}

static void comm_create(struct play_call *c)
{
    MPI_Comm comm;
    MPI_Comm_create(play_comm(c, 0), play_group(c, 1), &comm);
    PLAY_MADE(c, 2, comm, comm);
}

static void comm_create_group(struct play_call *c)
{
    MPI_Comm comm;
    MPI_Comm_create_group(play_comm(c, 0), play_group(c, 1), play_int(c, 2), &comm);
    PLAY_MADE(c, 3, comm, comm);
}

static void comm_free(struct play_call *c)
{
    MPI_Comm comm = play_comm(c, 0);
    MPI_Comm_free(&comm);
}

static void comm_disconnect(struct play_call *c)
{
    MPI_Comm comm = play_comm(c, 0);
    MPI_Comm_disconnect(&comm);
}

static void intercomm_create(struct play_call *c)
{
    MPI_Comm comm;
    MPI_Intercomm_create(play_comm(c, 0), play_int(c, 1), play_comm(c, 2), play_int(c, 3), play_int(c, 4),
                         &comm);
    PLAY_MADE(c, 5, comm, comm);
}

static void intercomm_merge(struct play_call *c)
{
    MPI_Comm comm;
    MPI_Intercomm_merge(play_comm(c, 0), play_int(c, 1), &comm);
    PLAY_MADE(c, 2, comm, comm);
}

static void cart_create(struct play_call *c)
{
    MPI_Comm comm;
    int n = play_int(c, 1);
    if (c->part[2].n < n || c->part[3].n < n)
        play_stop(c->play, "dims, periods", "an element for each dimension");
    MPI_Cart_create(play_comm(c, 0), n, play_ints(c, 2), play_ints(c, 3), 0, &comm);
    PLAY_MADE(c, 5, comm, comm);
}

static void cart_sub(struct play_call *c)
{
    MPI_Comm old = play_comm(c, 0), comm;
    int n = 0;
    MPI_Cartdim_get(old, &n);
    if (c->part[1].n < n)
        play_stop(c->play, "remain_dims", "an element for each dimension");
    MPI_Cart_sub(old, play_ints(c, 1), &comm);
    PLAY_MADE(c, 2, comm, comm);
}

/* --- groups --------------------------------------------------------------------------------------------- */

static void comm_group(struct play_call *c)
{
    MPI_Group group;
    MPI_Comm_group(play_comm(c, 0), &group);
    PLAY_MADE(c, 1, group, group);
}

static void comm_remote_group(struct play_call *c)
{
    MPI_Group group;
    MPI_Comm_remote_group(play_comm(c, 0), &group);
    PLAY_MADE(c, 1, group, group);
}

static void group_of_ranks(struct play_call *c,
                           int (*fn)(MPI_Group group, int n, const int *ranks, MPI_Group *made))
{
    MPI_Group group;
    if (c->part[2].n < play_int(c, 1))
        play_stop(c->play, "ranks", "as many as n says");
    fn(play_group(c, 0), play_int(c, 1), play_ints(c, 2), &group);
    PLAY_MADE(c, 3, group, group);
}

static void group_incl(struct play_call *c)
{
    group_of_ranks(c, MPI_Group_incl);
}

static void group_excl(struct play_call *c)
{
    group_of_ranks(c, MPI_Group_excl);
}

static void group_of_ranges(struct play_call *c,
                            int (*fn)(MPI_Group group, int n, int ranges[][3], MPI_Group *made))
{
    MPI_Group group;
    if (c->part[2].n < 3 * (int64_t)play_int(c, 1))
        play_stop(c->play, "ranges", "three numbers for each of n");
    fn(play_group(c, 0), play_int(c, 1), (int(*)[3])play_ints(c, 2), &group);
    PLAY_MADE(c, 3, group, group);
}

static void group_range_incl(struct play_call *c)
{
    group_of_ranges(c, MPI_Group_range_incl);
}

static void group_range_excl(struct play_call *c)
{
    group_of_ranges(c, MPI_Group_range_excl);
}

static void group_of_two(struct play_call *c, int (*fn)(MPI_Group a, MPI_Group b, MPI_Group *made))
{
    MPI_Group group;
    fn(play_group(c, 0), play_group(c, 1), &group);
    PLAY_MADE(c, 2, group, group);
}

static void group_union(struct play_call *c)
{
    group_of_two(c, MPI_Group_union);
}

static void group_intersection(struct play_call *c)
{
    group_of_two(c, MPI_Group_intersection);
}

static void group_difference(struct play_call *c)
{
    group_of_two(c, MPI_Group_difference);
}

static void group_free(struct play_call *c)
{
    MPI_Group group = play_group(c, 0);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
}

/* --- operators ------------------------------------------------------------------------------------------ */

/* The program's own is not here: its computation stands in the trace. */
static void combines_nothing(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

static void op_create(struct play_call *c)
{
    MPI_Op op;
    MPI_Op_create(combines_nothing, play_int(c, 1), &op);
    PLAY_MADE(c, 2, op, op);
}

static void op_free(struct play_call *c)
{
    MPI_Op op = play_op(c, 0);
    MPI_Op_free(&op);
}

const struct play_entry play_objects[] = {{RECORD_MPI_INIT, nothing},
                                          {RECORD_MPI_INIT_THREAD, nothing},
                                          {RECORD_MPI_FINALIZE, nothing},
                                          {RECORD_MPI_WTIME, wtime},
                                          {RECORD_MPI_INFO_CREATE, nothing},
                                          {RECORD_MPI_INFO_SET, nothing},
                                          {RECORD_MPI_INFO_DELETE, nothing},
                                          {RECORD_MPI_INFO_DUP, nothing},
                                          {RECORD_MPI_INFO_FREE, nothing},
                                          {RECORD_MPI_COMM_SET_INFO, nothing},
                                          {RECORD_MPI_COMM_GET_INFO, nothing},
                                          {RECORD_MPI_COMM_DUP, comm_dup},
                                          {RECORD_MPI_COMM_DUP_WITH_INFO, comm_dup},
                                          {RECORD_MPI_COMM_SPLIT, comm_split},
                                          {RECORD_MPI_COMM_CREATE, comm_create},
                                          {RECORD_MPI_COMM_CREATE_GROUP, comm_create_group},
                                          {RECORD_MPI_COMM_FREE, comm_free},
                                          {RECORD_MPI_COMM_DISCONNECT, comm_disconnect},
                                          {RECORD_MPI_INTERCOMM_CREATE, intercomm_create},
                                          {RECORD_MPI_INTERCOMM_MERGE, intercomm_merge},
                                          {RECORD_MPI_CART_CREATE, cart_create},
                                          {RECORD_MPI_CART_SUB, cart_sub},
                                          {RECORD_MPI_COMM_GROUP, comm_group},
                                          {RECORD_MPI_COMM_REMOTE_GROUP, comm_remote_group},
                                          {RECORD_MPI_GROUP_INCL, group_incl},
                                          {RECORD_MPI_GROUP_EXCL, group_excl},
                                          {RECORD_MPI_GROUP_RANGE_INCL, group_range_incl},
                                          {RECORD_MPI_GROUP_RANGE_EXCL, group_range_excl},
                                          {RECORD_MPI_GROUP_UNION, group_union},
                                          {RECORD_MPI_GROUP_INTERSECTION, group_intersection},
                                          {RECORD_MPI_GROUP_DIFFERENCE, group_difference},
                                          {RECORD_MPI_GROUP_FREE, group_free},
                                          {RECORD_MPI_OP_CREATE, op_create},
                                          {RECORD_MPI_OP_FREE, op_free},
                                          {0, NULL}};
