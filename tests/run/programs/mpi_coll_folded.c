// SPDX-License-Identifier: BSD-3-Clause
// MPI's collectives between folded blocks: they move bytes, or with coll/leave-folded only take their time,
// which is the same. Blocking, started, persistent, in place, with parts of different sizes; where one of the two
// blocks is not folded, at all members or at one.
// build: $MPICC -g -Wall -Wextra -Werror "$SRC" -o $EXE
// run: -np 8 --set coll/selector=fixed
// stdout: alltoall moved, allgather moved, bcast moved, allreduce moved
// stdout: started moved, persistent moved, in place moved
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv moved, allgatherv moved, 0.000003479 s
// stdout: one of them private: 0.000012206 s
// run: -np 8 --set coll/selector=fixed --set coll/leave-folded=yes
// stdout: alltoall left, allgather left, bcast left, allreduce moved
// stdout: started left, persistent left, in place left
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv left, allgatherv left, 0.000003479 s
// stdout: one of them private: 0.000012206 s
// run: -np 8 --set coll/selector=fixed --set coll/alltoall=bruck
// stdout: alltoall moved, allgather moved, bcast moved, allreduce moved
// stdout: started moved, persistent moved, in place moved
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv moved, allgatherv moved, 0.000003479 s
// stdout: one of them private: 0.000013259 s
// run: -np 8 --set coll/selector=fixed --set coll/leave-folded=yes --set coll/alltoall=bruck
// stdout: alltoall left, allgather left, bcast left, allreduce moved
// stdout: started left, persistent left, in place left
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv left, allgatherv left, 0.000003479 s
// stdout: one of them private: 0.000013259 s
// run: -np 8 --set coll/selector=fixed --set coll/alltoallv=padded-bruck
// stdout: alltoall moved, allgather moved, bcast moved, allreduce moved
// stdout: started moved, persistent moved, in place moved
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv moved, allgatherv moved, 0.000006363 s
// stdout: one of them private: 0.000012206 s
// run: -np 8 --set coll/selector=fixed --set coll/leave-folded=yes --set coll/alltoallv=padded-bruck
// stdout: alltoall left, allgather left, bcast left, allreduce moved
// stdout: started left, persistent left, in place left
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv left, allgatherv left, 0.000006363 s
// stdout: one of them private: 0.000012206 s
// run: -np 8 --set coll/selector=fixed --set coll/alltoallv=two-phase-bruck
// stdout: alltoall moved, allgather moved, bcast moved, allreduce moved
// stdout: started moved, persistent moved, in place moved
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv moved, allgatherv moved, 0.000005743 s
// stdout: one of them private: 0.000012206 s
// run: -np 8 --set coll/selector=fixed --set coll/leave-folded=yes --set coll/alltoallv=two-phase-bruck
// stdout: alltoall left, allgather left, bcast left, allreduce moved
// stdout: started left, persistent left, in place left
// stdout: from private moved, to private moved, from a part moved
// stdout: alltoallv left, allgatherv left, 0.000005743 s
// stdout: one of them private: 0.000012206 s
#include <mpi.h>
#include <pgasim.h>
#include <stdio.h>
#include <string.h>

enum { EACH = 100, RANKS = 8, ALL = EACH * RANKS };
static long *source, *dest, *own_source, *own_dest, *part;
static int me;

/* All ranks write the same into `in`, and clear `out`. */
static void begin(long *in, long *out)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (in != out)
        memset(out, 0, ALL * sizeof *out);
    for (int i = 0; i < ALL; i++)
        in[i] = i / EACH * 10 + me + 1;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Whether the block that everyone shares, or my own, has changed. */
static const char *changed(const long *out, long before)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return out[EACH] == before ? "left" : "moved";
}

static const char *alltoall(long *in, long *out)
{
    begin(in, out);
    MPI_Alltoall(in, EACH, MPI_LONG, out, EACH, MPI_LONG, MPI_COMM_WORLD);
    return changed(out, 0);
}

static const char *allgather(void)
{
    begin(source, dest);
    MPI_Allgather(source, EACH, MPI_LONG, dest, EACH, MPI_LONG, MPI_COMM_WORLD);
    return changed(dest, 0);
}

/* All have the root's address, where nothing changes; so the others receive in another block. */
static const char *bcast(void)
{
    begin(source, dest);
    MPI_Bcast(me == 3 ? source : dest, ALL, MPI_LONG, 3, MPI_COMM_WORLD);
    return changed(dest, 0);
}

static const char *allreduce(void)
{
    begin(source, dest);
    MPI_Allreduce(source, dest, ALL, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    return changed(dest, 0);
}

static const char *started(void)
{
    MPI_Request q;
    begin(source, dest);
    MPI_Ialltoall(source, EACH, MPI_LONG, dest, EACH, MPI_LONG, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    return changed(dest, 0);
}

static const char *persistent(void)
{
    MPI_Request q;
    MPI_Alltoall_init(source, EACH, MPI_LONG, dest, EACH, MPI_LONG, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    begin(source, dest);
    MPI_Start(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Request_free(&q);
    return changed(dest, 0);
}

/* In the shared block, the part from the first rank becomes the part for it, or is not touched. */
static const char *in_place(void)
{
    begin(dest, dest);
    for (int i = 0; i < ALL; i++)
        dest[i] = i;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_LONG, dest, EACH, MPI_LONG, MPI_COMM_WORLD);
    return changed(dest, EACH);
}

/* Parts of different sizes. */
static const char *alltoallv(double *took)
{
    int out[RANKS], in[RANKS], from[RANKS], to[RANKS];
    for (int k = 0; k < RANKS; k++) {
        out[k] = (me * 3 + k) % 5 * EACH / 4;
        in[k] = (k * 3 + me) % 5 * EACH / 4;
        from[k] = to[k] = k * EACH;
    }
    begin(source, dest);
    const double start = MPI_Wtime();
    MPI_Alltoallv(source, out, from, MPI_LONG, dest, in, to, MPI_LONG, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    *took = MPI_Wtime() - start;
    return changed(dest, 0);
}

static const char *allgatherv(void)
{
    int in[RANKS], to[RANKS];
    for (int k = 0; k < RANKS; k++) {
        in[k] = EACH / (k + 1);
        to[k] = k * EACH;
    }
    begin(source, dest);
    MPI_Allgatherv(source, in[me], MPI_LONG, dest, in, to, MPI_LONG, MPI_COMM_WORLD);
    return changed(dest, 0);
}

/* A rank whose blocks are its own among others whose are shared. */
static double mixed(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    MPI_Alltoall(me == 5 ? own_source : source, EACH, MPI_LONG, me == 5 ? own_dest : dest, EACH, MPI_LONG,
                 MPI_COMM_WORLD);
    MPI_Bcast(me == 5 ? own_dest : dest, ALL, MPI_LONG, 5, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

int main(int argc, char **argv)
{
    static long memory[2][ALL];
    const size_t first[] = {0, 4096};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    source = pgasim_fold_malloc(ALL * sizeof *source);
    dest = pgasim_fold_malloc(ALL * sizeof *dest);
    part = pgasim_fold_malloc_only(ALL * sizeof *part, first, 1);
    own_source = memory[0];
    own_dest = memory[1];
    const char *a = alltoall(source, dest), *g = allgather(), *b = bcast(), *r = allreduce();
    const char *s = started(), *p = persistent(), *i = in_place();
    const char *from = alltoall(own_source, dest), *to = alltoall(source, own_dest),
               *of = alltoall(part, dest);
    const double took = mixed();
    double of_parts;
    const char *v = alltoallv(&of_parts), *w = allgatherv();
    if (me == 0) {
        printf("alltoall %s, allgather %s, bcast %s, allreduce %s\n", a, g, b, r);
        printf("started %s, persistent %s, in place %s\n", s, p, i);
        printf("from private %s, to private %s, from a part %s\n", from, to, of);
        printf("alltoallv %s, allgatherv %s, %.9f s\n", v, w, of_parts);
        printf("one of them private: %.9f s\n", took);
    }
    pgasim_fold_free(source);
    pgasim_fold_free(dest);
    pgasim_fold_free(part);
    MPI_Finalize();
    return 0;
}
