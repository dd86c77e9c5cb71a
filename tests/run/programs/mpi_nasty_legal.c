/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What MPI orders, which the adversary never breaks: each row of the table in docs/adversary.md that says so, by name.
 * "none" takes the order of accumulates away, and shows that it is then broken.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE accumulates
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 20 "was ended by signal 6" -np 4 $EXE none
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE atomicity
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE flush
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE local
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE requests
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE tests
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE fence
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 --set mpi/win-model=separate $EXE fence
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE pscw
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE lock
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE messages
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE collectives
// stdout: right
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 300, ROUNDS = 8 };
static int me, n;
static long *mine;
static MPI_Win win;

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void accumulates(void)
{
    MPI_Win_lock_all(0, win);
    for (long k = 1; me == 0 && k <= ROUNDS; k++)
        MPI_Accumulate(&k, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_REPLACE, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    must(me != 1 || mine[0] == ROUNDS);
}

static void atomicity(void)
{
    long ones[WORDS];
    for (int k = 0; k < WORDS; k++)
        ones[k] = 1;
    MPI_Win_lock_all(0, win);
    for (int k = 0; k < ROUNDS; k++)
        MPI_Accumulate(ones, WORDS, MPI_LONG, k % n, 0, WORDS, MPI_LONG, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < WORDS; k++)
        must(mine[k] == (long)ROUNDS / n * n);
}

/* What is complete at its target is there for everybody who learns of it. */
static void flush(void)
{
    long value = 7, got = 0;
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        MPI_Put(&value, 1, MPI_LONG, 1, 5, 1, MPI_LONG, win);
        MPI_Win_flush(1, win);
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (me == 2) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&got, 1, MPI_LONG, 1, 5, 1, MPI_LONG, win);
        MPI_Win_flush_local(1, win);
        must(got == 7);
    }
    MPI_Win_unlock_all(win);
}

/* A source is free after a local flush, whenever its put arrives. */
static void local(void)
{
    long values[WORDS];
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        for (int k = 0; k < WORDS; k++)
            values[k] = k;
        MPI_Put(values, WORDS, MPI_LONG, 1, 0, WORDS, MPI_LONG, win);
        MPI_Win_flush_local(1, win);
        memset(values, 0xff, sizeof values);
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; me == 1 && k < WORDS; k++)
        must(mine[k] == k);
}

static void requests(void)
{
    long value = 3, got = 0, none = 0;
    MPI_Request q[2];
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        MPI_Put(&value, 1, MPI_LONG, 1, 9, 1, MPI_LONG, win);
        MPI_Win_flush(1, win);
        MPI_Rget(&got, 1, MPI_LONG, 1, 9, 1, MPI_LONG, win, &q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        must(got == 3);
        got = 0;
        MPI_Rget_accumulate(&none, 1, MPI_LONG, &got, 1, MPI_LONG, 1, 9, 1, MPI_LONG, MPI_NO_OP, win, &q[0]);
        MPI_Rput(&value, 1, MPI_LONG, 1, 10, 1, MPI_LONG, win, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        value = 0;
        must(got == 3);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    must(me != 1 || mine[10] == 3);
}

/* A get comes although its rank only tests its request, and although others never block. */
static void tests(void)
{
    long got[3] = {-1, -1, -1};
    int there = 0;
    MPI_Request q[2];
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        for (int k = 0; k < 2; k++)
            MPI_Rget(&got[k], 1, MPI_LONG, 1, k, 1, MPI_LONG, win, &q[k]);
        while (!there)
            MPI_Testall(2, q, &there, MPI_STATUSES_IGNORE);
        MPI_Rget(&got[2], 1, MPI_LONG, 1, 2, 1, MPI_LONG, win, &q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        must(!got[0] && !got[1] && !got[2]);
        for (int k = 1; k < n; k++)
            MPI_Send(NULL, 0, MPI_BYTE, k, 7, MPI_COMM_WORLD);
    } else {
        while (!there)
            MPI_Iprobe(0, 7, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
}

static void fence(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        long value = me * 100 + k;
        MPI_Win_fence(0, win);
        MPI_Put(&value, 1, MPI_LONG, (me + 1) % n, k, 1, MPI_LONG, win);
        MPI_Win_fence(0, win);
        must(mine[k] == (me + n - 1) % n * 100 + k);
    }
}

static void pscw(void)
{
    MPI_Group all, others;
    int left = (me + n - 1) % n, right = (me + 1) % n;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int k = 0; k < ROUNDS; k++) {
        long value = me * 100 + k;
        MPI_Group_incl(all, 1, &left, &others);
        MPI_Win_post(others, 0, win);
        MPI_Group_free(&others);
        MPI_Group_incl(all, 1, &right, &others);
        MPI_Win_start(others, 0, win);
        MPI_Group_free(&others);
        MPI_Put(&value, 1, MPI_LONG, right, k, 1, MPI_LONG, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        must(mine[k] == left * 100 + k);
    }
    MPI_Group_free(&all);
}

static void lock(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        long count;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&count, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        count++;
        MPI_Put(&count, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win);
    must(me > 0 || mine[0] == (long)n * ROUNDS);
    MPI_Win_unlock(me, win);
}

/* Messages of one sender do not overtake each other. */
static void messages(void)
{
    int next[16] = {0}, value;
    MPI_Status status;
    for (int k = 0; me > 0 && k < ROUNDS; k++)
        MPI_Send(&k, 1, MPI_INT, 0, k % 2, MPI_COMM_WORLD);
    for (int k = 0; me == 0 && k < (n - 1) * ROUNDS; k++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        must(value == next[status.MPI_SOURCE]++);
    }
}

static void collectives(void)
{
    long sum = 0, from = me, all[16], tree = me == 2 ? 5 : 0;
    for (int k = 0; k < ROUNDS; k++) {
        MPI_Allreduce(&from, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        must(sum == (long)n * (n - 1) / 2);
        MPI_Allgather(&from, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD);
        must(all[n - 1] == n - 1);
        MPI_Bcast(&tree, 1, MPI_LONG, 2, MPI_COMM_WORLD);
        must(tree == 5);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } rows[] = {{"accumulates", accumulates},
                {"none", accumulates},
                {"atomicity", atomicity},
                {"flush", flush},
                {"local", local},
                {"requests", requests},
                {"tests", tests},
                {"fence", fence},
                {"pscw", pscw},
                {"lock", lock},
                {"messages", messages},
                {"collectives", collectives}};
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Info_create(&info);
    if (!strcmp(argv[1], "none"))
        MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Win_allocate(WORDS * sizeof *mine, sizeof *mine, info, MPI_COMM_WORLD, &mine, &win);
    MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(argv[1], rows[k].name))
            rows[k].run();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
