/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with windows that real libraries let pass: warnings, and the program goes on. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 2 -- right
// stdout: done
// stderr-not: warning
// run: -np 2 -- lock
// stdout: done
// stderr-match: warning: .*rank 1's MPI_Win_lock \(in main, mpi_win_misuse.c:\d+\) meets memory of rank 0 that is exposed by MPI_Win_post \(in main, mpi_win_misuse.c:\d+\): expected MPI_Win_wait before
// run: -np 2 -- lock_all
// stdout: done
// stderr-match: rank 1's MPI_Win_lock_all \(in main, mpi_win_misuse.c:\d+\) meets memory of rank 0 that is exposed by MPI_Win_post
// run: -np 2 -- post
// stdout: done
// stderr-match: rank 0 .*: MPI_Win_post: window of 2 ranks \(MPI_Win_allocate\): the rank exposes its memory while it is locked, by rank 1, exclusively: expected an unlock before
// run: -np 2 -- post_shared
// stdout: done
// stderr-match: the rank exposes its memory while it is locked, by 1 rank, shared
// run: -np 2 -- fetch
// stdout: done
// stderr-match: MPI_Fetch_and_op: the buffers of the operand \(8 bytes at 0x\w+\) and of the result \(at 0x\w+\) overlap: expected separate ones
// run: -np 2 -- swap
// stdout: done
// stderr-match: MPI_Compare_and_swap: the buffers of the comparand \(8 bytes at 0x\w+\) and of the result
// run: -np 2 -- accumulate
// stdout: done
// stderr-match: MPI_Rget_accumulate: the buffers of the operand \(24 bytes at 0x\w+\) and of the result
// run: -np 2 -- request
// stdout: done
// stderr-match: rank 1 .*: MPI_Finalize: a request was neither completed nor freed
// run: -np 2 --strict -- fetch
// status: 5
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;

static int is(const char *what)
{
    return !strcmp(how, what);
}

int main(int argc, char **argv)
{
    int me;
    long *memory, v[8] = {1}, old[3];
    static char large[1 << 20];
    MPI_Win win;
    MPI_Group all, other;
    MPI_Request q;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    how = argc > 1 ? argv[1] : "right";
    const int peer = !me;
    MPI_Win_allocate(sizeof large, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    const int early = is("post") || is("post_shared"); /* the lock comes first, else the post */
    if (!me) {
        if (early)
            usleep(1000);
        if (is("lock") || is("lock_all") || early) {
            MPI_Win_post(other, 0, win);
            MPI_Win_wait(win);
        }
    } else {
        if (is("lock") || is("lock_all"))
            usleep(1000);
        if (is("lock_all"))
            MPI_Win_lock_all(0, win);
        else
            MPI_Win_lock(is("post") ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, win);
        if (early)
            usleep(2000);
        MPI_Fetch_and_op(v, is("fetch") ? v : old, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Compare_and_swap(v, v + 1, is("swap") ? v + 1 : old + 1, MPI_LONG, 0, 1, win);
        MPI_Rget_accumulate(v, 3, MPI_LONG, is("accumulate") ? v + 2 : v + 3, 3, MPI_LONG, 0, 0, 3, MPI_LONG,
                            MPI_SUM, win, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        if (is("request"))
            MPI_Rput(large, sizeof large, MPI_BYTE, 0, 0, sizeof large, MPI_BYTE, win, &q);
        if (is("lock_all"))
            MPI_Win_unlock_all(win);
        else
            MPI_Win_unlock(0, win);
        if (is("lock") || is("lock_all") || early) {
            MPI_Win_start(other, 0, win);
            MPI_Win_complete(win);
        }
    }
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    if (!me)
        puts("done");
    return 0;
}
