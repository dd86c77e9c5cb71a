/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that rely on calls that do not wait though they may: standard sends that are buffered, collectives
 * that a member leaves before all have come. Each with "right" behind it is repaired.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 4 -- ring
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 5 "called in ring, mpi_nasty_waits.c:[0-9]+" -np 4 $EXE ring
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 12 "" -np 4 $EXE ring right
// stdout: right
// run: -np 4 -- start
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 5 "4 bytes to be received by rank [0-9], tag 1, of MPI_COMM_WORLD" -np 4 $EXE start
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 12 "" -np 4 $EXE start right
// stdout: right
// run: -np 4 -- self
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 5 "to be received by rank 0, tag 2, of MPI_COMM_SELF" -np 4 $EXE self
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 12 "" -np 4 $EXE self right
// stdout: right
// run: -np 4 -- broadcast
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 5 "collective 0 of MPI_COMM_WORLD, 3 of 4 members have not called it" -np 4 $EXE broadcast
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 12 "" -np 4 $EXE broadcast right
// stdout: right
// run: -np 4 -- reduce
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 5 "MPI_Reduce: " -np 4 $EXE reduce
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 12 "" -np 4 $EXE reduce right
// stdout: right
// run: -np 4 -- scan
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 5 "MPI_Scan: " -np 4 $EXE scan
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 12 "" -np 4 $EXE scan right
// stdout: right
// shell: $RUN --quiet --check=nasty --seed 1 --set check/decisions=$W/list -np 4 $EXE ring > $W/log 2>&1; echo $?; grep -c "^send@.*: waits for its receive" $W/list; grep "^send@[0-2]#" $W/list > $W/some; $RUN --quiet --check=nasty --seed 1 --set check/allow=$W/some -np 4 $EXE ring
// stdout: 3
// stdout: 4
// stdout: done
// shell: cd $W; $PGASIM check --systematic -np 4 $EXE ring > log 2>&1; echo $?; grep -o 'complete: all.*' log; grep -A 1 'if and only if (1 of 1' log | tail -n 1; $PGASIM check --systematic --shrink -np 4 $EXE broadcast 2>&1 | grep '^    each'; $PGASIM check --systematic -np 4 $EXE ring right 2>&1 | grep -o 'no error was found'
// stdout: 7
// stdout: complete: all 2 orders of the operations that may be kept back
// stdout:     each standard send waits for its receive
// stdout:     each collective waits until all members have come
// stdout: no error was found
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int me, n, from, to, got;
static bool right;

static void receive(int source, int tag)
{
    MPI_Recv(&got, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Each sends before it receives; or the odd ones do it the other way round. */
static void ring(void)
{
    if (right && me % 2)
        receive(from, 0);
    MPI_Send(&me, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    if (!right || me % 2 == 0)
        receive(from, 0);
}

/* The same with a request that is kept, and complete before the receive; or after it. */
static void start(void)
{
    MPI_Request q;
    MPI_Send_init(&me, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &q);
    for (int k = 0; k < 2; k++) {
        MPI_Start(&q);
        if (!right)
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        receive(from, 1);
        if (right)
            MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&q);
}

static void self(void)
{
    MPI_Request q = MPI_REQUEST_NULL;
    if (right)
        MPI_Irecv(&got, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &q);
    MPI_Send(&me, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    if (right)
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    else
        MPI_Recv(&got, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* The root leaves the broadcast before the others come, who wait for a message of its first; or for none. */
static void broadcast(void)
{
    if (me && !right)
        receive(0, 3);
    MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int k = 1; me == 0 && k < n; k++)
        MPI_Send(&me, 1, MPI_INT, k, 3, MPI_COMM_WORLD);
    if (me && right)
        receive(0, 3);
}

/* The last one has given its part before the root comes. */
static void reduce(void)
{
    if (me == 0 && !right)
        receive(n - 1, 4);
    MPI_Reduce(&me, &got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == n - 1)
        MPI_Ssend(&me, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    if (me == 0 && right)
        receive(n - 1, 4);
}

/* The first one needs nobody's part. */
static void scan(void)
{
    if (me == n - 1 && !right)
        receive(0, 5);
    MPI_Scan(&me, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        MPI_Ssend(&me, 1, MPI_INT, n - 1, 5, MPI_COMM_WORLD);
    if (me == n - 1 && right)
        receive(0, 5);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*fn)(void);
    } cases[] = {{"ring", ring},           {"start", start},   {"self", self},
                 {"broadcast", broadcast}, {"reduce", reduce}, {"scan", scan}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    to = (me + 1) % n;
    from = (me + n - 1) % n;
    right = argc > 2;
    for (size_t k = 0; argc > 1 && k < sizeof cases / sizeof *cases; k++)
        if (!strcmp(argv[1], cases[k].name))
            cases[k].fn();
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("done\n");
    MPI_Finalize();
}
