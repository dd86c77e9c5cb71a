/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs do wrong with communicators, and what is said about it. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 3 -- alone
// status: 3
// stderr-match: MPI_Comm_dup: 2 ranks: 0-1
// stderr-match: 1 of 3 members have not called it: rank 2
// run: -np 2 -- mixed
// status: 5
// stderr-match: MPI_Comm_split: another member of MPI_COMM_WORLD called MPI_Comm_dup in its place
// run: -np 2 -- freed
// status: 5
// stderr-match: MPI_Comm_size in .*MPI_ERR_COMM: 0x[0-9a-f]+ is no communicator
// run: -np 2 -- world
// status: 5
// stderr-match: MPI_ERR_COMM: MPI_COMM_WORLD is predefined: it cannot be freed
// run: -np 4 -- groups
// status: 5
// stderr-match: MPI_Comm_create in .*MPI_ERR_GROUP: the group of 4 ranks that rank 0 of the communicator passed
// run: -np 4 -- overlap
// status: 5
// stderr-match: MPI_Intercomm_create in .*MPI_ERR_COMM: the groups of the two leaders have members in common
// run: -np 4 -- leader
// status: 5
// stderr-match: MPI_ERR_RANK: the remote leader is 9: expected 0 to 3
// run: -np 4 -- shape
// status: 5
// stderr-match: MPI_Cart_create in .*MPI_ERR_ARG: members passed different topologies
// run: -np 4 -- large
// status: 5
// stderr-match: MPI_ERR_DIMS: the grid has more places than the 4 members of the communicator
// run: -np 4 -- nothing
// status: 5
// stderr-match: MPI_ERR_TOPOLOGY: communicator 'mine' of 4 ranks \(MPI_Comm_dup\) has no Cartesian topology
// run: -np 1 -- key
// status: 5
// stderr-match: MPI_ERR_KEYVAL: \d+ is no key for attributes of communicators
// run: -np 1 -- copy
// status: 5
// stderr-match: MPI_ERR_INTERN: a function that copies an attribute returned 17
// run: -np 2 -- lost
// stderr-match: warning: .*communicator of 2 ranks \(MPI_Comm_dup\) is freed, and its message of tag 7
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)in, (void)out, (void)flag;
    return MPI_ERR_INTERN;
}

static void attributes(const char *what)
{
    int key, other;
    MPI_Comm comm;
    MPI_Comm_create_keyval(refuse, NULL, &key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, NULL, &other, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, !strcmp(what, "key") ? other : key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
}

static void make(const char *what, int me, int size)
{
    MPI_Comm comm = MPI_COMM_NULL, other;
    MPI_Group all, self;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(MPI_COMM_SELF, &self);
    if (!strcmp(what, "groups"))
        MPI_Comm_create(MPI_COMM_WORLD, me == 2 ? self : all, &comm);
    else if (!strcmp(what, "overlap"))
        MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, 0, 1, &comm);
    else if (!strcmp(what, "leader")) {
        MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &other);
        MPI_Intercomm_create(other, 0, MPI_COMM_WORLD, 9, 1, &comm);
    } else if (!strcmp(what, "shape"))
        MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){me == 1 ? 1 : 2, 2}, (int[]){0, 0}, 0, &comm);
    else if (!strcmp(what, "large"))
        MPI_Cart_create(MPI_COMM_WORLD, 1, &(int){size + 1}, (int[]){0, 0}, 0, &comm);
    else {
        int rank;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_name(comm, "mine");
        MPI_Cart_rank(comm, &me, &rank);
    }
}

int main(int argc, char **argv)
{
    int me, size;
    MPI_Comm comm, old;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(what, "alone")) {
        if (me < 2)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    } else if (!strcmp(what, "mixed")) {
        if (me == 0)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else
            MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    } else if (!strcmp(what, "freed")) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        old = comm;
        MPI_Comm_free(&comm);
        MPI_Comm_size(old, &size);
    } else if (!strcmp(what, "world")) {
        comm = MPI_COMM_WORLD;
        MPI_Comm_free(&comm);
    } else if (!strcmp(what, "lost")) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (me == 0)
            MPI_Send(&me, 1, MPI_INT, 1, 7, comm);
        MPI_Comm_dup(comm, &old);
        MPI_Comm_free(&comm);
        MPI_Comm_free(&old);
    } else if (!strcmp(what, "key") || !strcmp(what, "copy"))
        attributes(what);
    else
        make(what, me, size);
    MPI_Finalize();
    return 0;
}
