/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that rely on what MPI does not promise: that a put is at its target after a local flush, that a put
 * and an accumulate keep their order (Nasty-MPI, test programs 3 and 4), that a put's source may go before the put
 * is complete (the error found in DASH), that a put is delivered whole. With "right", each does it properly.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 2 -- local
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 2 $EXE local
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 2 $EXE local right
// stdout: right
// run: -np 2 -- order
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 2 $EXE order
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 2 $EXE order right
// stdout: right
// run: -np 2 -- barrier
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 1 .* was ended by signal 6" -np 2 $EXE barrier
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 2 $EXE barrier right
// stdout: right
// run: -np 2 -- answer
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 2 $EXE answer
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 20 "deadlock" --set check/progress=defer -np 2 $EXE answer
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" --set check/progress=defer -np 2 $EXE answer right
// stdout: right
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 };
static MPI_Win win;
static bool right;
static long *mine;

static long fetched(int place)
{
    long value = -1;
    MPI_Get(&value, 1, MPI_LONG, 1, place, 1, MPI_LONG, win);
    MPI_Win_flush(1, win);
    return value;
}

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void local(void)
{
    long value = 7;
    MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    if (right)
        MPI_Win_flush(1, win);
    else
        MPI_Win_flush_local(1, win);
    must(fetched(0) == 7);
}

static void order(void)
{
    long five = 5, two = 2;
    MPI_Put(&five, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    if (right)
        MPI_Win_flush(1, win);
    MPI_Accumulate(&two, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_flush(1, win);
    must(fetched(0) == 7);
}

static __attribute__((noinline)) void put_from_stack(void)
{
    long values[WORDS];
    for (int k = 0; k < WORDS; k++)
        values[k] = k + 1;
    MPI_Put(values, WORDS, MPI_LONG, 1, 0, WORDS, MPI_LONG, win);
    if (right)
        MPI_Win_flush_local(1, win);
}

static __attribute__((noinline)) void use_stack(void)
{
    volatile long other[2 * WORDS];
    for (int k = 0; k < 2 * WORDS; k++)
        other[k] = -1;
}

static void stack(void)
{
    put_from_stack();
    use_stack();
    MPI_Win_flush(1, win);
    must(fetched(WORDS / 2) == WORDS / 2 + 1);
}

/* Rank 1 answers when a put has come that nobody has completed: MPI lets both wait for ever. */
static void answer(int me)
{
    long value = 7;
    if (me == 0) {
        MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        if (right)
            MPI_Win_flush(1, win);
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        while (*(volatile long *)mine != 7)
            ;
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int me;
    const char *what = argc > 1 ? argv[1] : "";
    right = argc > 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(WORDS * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0 && !strcmp(what, "local"))
        local();
    else if (me == 0 && !strcmp(what, "order"))
        order();
    else if (me == 0 && !strcmp(what, "stack"))
        stack();
    if (!strcmp(what, "answer"))
        answer(me);
    if (!strcmp(what, "barrier")) { /* which completes no operation */
        long value = 7;
        if (me == 0)
            MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        if (me == 0 && right)
            MPI_Win_flush(1, win);
        MPI_Barrier(MPI_COMM_WORLD);
        must(me != 1 || *(volatile long *)mine == 7);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    if (me == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}
