/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronization of windows: counters under locks, post and start, flushes, requests, loops that poll. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 5
// stdout: done
// run: -np 16
// stdout: done
// run: -np 5 --set mpi/win-model=separate
// stdout: done
// run: -np 40 --set rdma/profile=software
// stdout: done
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10 };
static int me, n;
static long *at;
static MPI_Win win;

/* Not atomic: only the exclusive lock makes it right. */
static void counter(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        long v;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&v, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        v++;
        MPI_Put(&v, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    long v = -1;
    MPI_Get(&v, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
    MPI_Win_unlock(0, win);
    assert(v == (long)ROUNDS * n);
}

/* lock_all excludes exclusive locks, and nothing else. */
static void all(void)
{
    long one = 1, old, seen;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < ROUNDS; k++) {
        MPI_Win_lock_all(0, win);
        for (int r = 0; r < n; r++)
            MPI_Fetch_and_op(&one, &old, MPI_LONG, r, 1, MPI_SUM, win);
        MPI_Win_flush_all(win);
        MPI_Win_unlock_all(win);
        if (me == n - 1) { /* nobody's sums come between */
            long a, b;
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            MPI_Get(&a, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
            MPI_Win_flush(0, win);
            MPI_Get(&b, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
            MPI_Win_unlock(0, win);
            assert(a == b);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win);
    MPI_Get(&seen, 1, MPI_LONG, me, 1, 1, MPI_LONG, win);
    MPI_Win_unlock(me, win);
    assert(seen == (long)ROUNDS * n);
}

static void posts(void)
{
    MPI_Group world, to, from;
    int next = (me + 1) % n, last = (me + n - 1) % n, flag;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &next, &to);
    MPI_Group_incl(world, 1, &last, &from);
    for (long k = 0; k < ROUNDS; k++) {
        long v = 1000 * me + k;
        MPI_Win_post(from, 0, win);
        MPI_Win_start(to, 0, win);
        MPI_Put(&v, 1, MPI_LONG, next, 2, 1, MPI_LONG, win);
        MPI_Win_complete(win);
        if (k % 2)
            MPI_Win_wait(win);
        else
            do
                MPI_Win_test(win, &flag);
            while (!flag);
        assert(at[2] == 1000 * last + k);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
}

static void requests(void)
{
    enum { N = 8 };
    MPI_Request q[2 * N];
    long out[N], in[N], old[N];
    int next = (me + 1) % n, null;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int k = 0; k < N; k++) {
        out[k] = 10 * me + k;
        MPI_Rput(&out[k], 1, MPI_LONG, next, 8 + k, 1, MPI_LONG, win, &q[k]);
    }
    MPI_Waitall(N, q, MPI_STATUSES_IGNORE);
    MPI_Win_flush(next, win);
    for (int k = 0; k < N; k++) {
        MPI_Rget(&in[k], 1, MPI_LONG, next, 8 + k, 1, MPI_LONG, win, &q[k]);
        MPI_Rget_accumulate(&out[k], 1, MPI_LONG, &old[k], 1, MPI_LONG, next, 16 + k, 1, MPI_LONG,
                            MPI_REPLACE, win, &q[N + k]);
    }
    MPI_Waitall(2 * N, q, MPI_STATUSES_IGNORE);
    for (int k = 0; k < N; k++)
        assert(in[k] == 10 * me + k && old[k] == 0);
    MPI_Rput(out, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, win, &q[0]);
    MPI_Raccumulate(out, 0, MPI_LONG, next, 0, 0, MPI_LONG, MPI_SUM, win, &q[1]);
    do
        MPI_Testall(2, q, &null, MPI_STATUSES_IGNORE);
    while (!null);
    MPI_Win_unlock_all(win);
}

/* Rank 0 waits for a flag that the last one sets, in loops of several kinds. */
static void polls(void)
{
    for (long k = 1; k <= 3; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock_all(0, win);
        if (me == n - 1)
            MPI_Accumulate(&k, 1, MPI_LONG, 0, 3, 1, MPI_LONG, MPI_REPLACE, win);
        if (!me)
            for (long v = 0; v != k;) {
                if (k == 1) {
                    MPI_Win_sync(win);
                    v = *(volatile long *)&at[3];
                } else if (k == 2) {
                    MPI_Fetch_and_op(NULL, &v, MPI_LONG, 0, 3, MPI_NO_OP, win);
                    MPI_Win_flush(0, win);
                } else {
                    MPI_Get(&v, 1, MPI_LONG, 0, 3, 1, MPI_LONG, win);
                    MPI_Win_flush_local(0, win);
                }
            }
        MPI_Win_unlock_all(win);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(32 * sizeof *at, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
    counter();
    all();
    posts();
    requests();
    polls();
    MPI_Win_free(&win);
    MPI_Finalize();
    if (!me)
        puts("done");
    return 0;
}
