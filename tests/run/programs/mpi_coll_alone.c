/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short messages of collectives go without records of p2p's, unless there is a trace or the platform changes. The
 * times are the same: random collectives, several at once in several communicators, of sizes around the limits
 * of the modes, among ranks that come at different times.
 */
// build: $MPICC -g "$SRC" -o $EXE
// shell: for s in 1 2 3 4 5; do $RUN --quiet -np $((s * s + 3)) $EXE $s || exit 1; cp $W/figures.json $W/alone.json; $RUN --quiet -np $((s * s + 3)) --trace $W/t.pgt $EXE $s || exit 1; for f in alone figures; do grep -o '"simulated_seconds": *[0-9.e-]*' $W/$f.json; done | uniq | wc -l; done
// stdout: right
// stdout: right
// stdout: 1
// stdout: right
// stdout: right
// stdout: 1
// stdout: right
// stdout: right
// stdout: 1
// stdout: right
// stdout: right
// stdout: 1
// stdout: right
// stdout: right
// stdout: 1
// shell: for a in reduce=recursive-multiplying broadcast=scatter-whole-doubling; do for t in "" "--trace $W/t.pgt"; do $RUN --quiet --set coll/selector=fixed --set coll/$a -np 7 $t $EXE 5; grep -o '"simulated_seconds": *[0-9.e-]*' $W/figures.json; done | sort -u | wc -l; done
// stdout: 2
// stdout: 2
// shell: $RUN -np 8 --trace $W/p.pgt $EXE 1 2>&1 | grep -o '[0-9.]* [a-z]*messages.*' >$W/said; $PGASIM profile $W/p.pgt | grep -o '[0-9.]* [a-z]*messages ([^)]*)' >$W/profile; diff $W/said $W/profile && grep -c . $W/said
// stdout: 2
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 25, MOST = 20000, COMMS = 3, OPEN = 4 };

static unsigned long state;
static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % below;
}

static int wrong;
static unsigned char in[OPEN][MOST], out[OPEN][MOST];

static int size_of(void)
{
    static const int sizes[] = {0, 1, 8, 100, 8190, 8191, 8192, 8193, 16384, MOST};
    return sizes[draw(sizeof sizes / sizeof *sizes)];
}

/* All members draw the same numbers. */
static void start(MPI_Comm c, int k, int kind, int n, int root, MPI_Request *q)
{
    int me;
    MPI_Comm_rank(c, &me);
    for (int i = 0; i < n; i++) {
        in[k][i] = (unsigned char)(kind == 1 && me != root ? 0 : 1 + i % 7);
        out[k][i] = 0;
    }
    if (kind == 0)
        MPI_Ibarrier(c, q);
    else if (kind == 1)
        MPI_Ibcast(in[k], n, MPI_BYTE, root, c, q);
    else if (kind == 2)
        MPI_Iallreduce(in[k], out[k], n, MPI_UNSIGNED_CHAR, MPI_MAX, c, q);
    else if (kind == 3)
        MPI_Ireduce(in[k], out[k], n, MPI_UNSIGNED_CHAR, MPI_BOR, root, c, q);
    else
        MPI_Iscan(in[k], out[k], n, MPI_UNSIGNED_CHAR, MPI_MIN, c, q);
}

static void check(MPI_Comm c, int k, int kind, int n, int root)
{
    int me;
    MPI_Comm_rank(c, &me);
    const unsigned char *at = kind == 1 ? in[k] : out[k];
    for (int i = 0; kind && i < n && (kind != 3 || me == root); i++)
        wrong += at[i] != 1 + i % 7;
}

/* Ranks come to what follows at different times. */
static void dawdle(int rank)
{
    static char bytes[MOST];
    MPI_Request q;
    for (unsigned k = draw(3); k-- > 0;) {
        int n = (int)draw(MOST) / (1 + rank % 4);
        MPI_Isend(bytes, n, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &q);
        MPI_Recv(bytes, n, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, all;
    MPI_Comm comm[COMMS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    state = strtoul(argv[1], NULL, 10);
    comm[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm[2]);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    for (int round = 0; round < ROUNDS; round++) {
        int at[OPEN], kind[OPEN], n[OPEN], root[OPEN], open = 1 + (int)draw(OPEN);
        MPI_Request q[OPEN];
        for (int k = 0; k < open; k++) {
            at[k] = (int)draw(COMMS);
            kind[k] = (int)draw(5);
            n[k] = size_of();
            root[k] = (int)draw((unsigned)all);
            dawdle(rank);
            start(comm[at[k]], k, kind[k], n[k], root[k], &q[k]);
        }
        MPI_Waitall(open, q, MPI_STATUSES_IGNORE);
        for (int k = 0; k < open; k++)
            check(comm[at[k]], k, kind[k], n[k], root[k]);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", wrong ? "wrong" : "right");
    MPI_Comm_free(&comm[1]);
    MPI_Comm_free(&comm[2]);
    MPI_Finalize();
    return 0;
}
