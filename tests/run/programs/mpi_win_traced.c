/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for locks and epochs in a profile: what they were for, who held the lock, and whose way the critical
 * path goes. */
// build: $MPICC -g "$SRC" -o $EXE
// shell: $RUN --quiet -np 4 --trace $W/lock.pgt $EXE lock && $PGASIM profile $W/lock.pgt >$W/lock; grep -E 'locks that| ms.*rank . for rank' $W/lock | sed 's/^ *//;s/  */ /g;s/ [0-9.]*%//'
// stdout: 9.001 ms 3 waits: locks that others held
// stdout: 4.000 ms rank 1 for rank 2
// stdout: 3.001 ms rank 0 for rank 1
// stdout: 2.001 ms rank 3 for rank 0
// shell: $RUN --quiet -np 4 --trace $W/post.pgt $EXE post && $PGASIM profile $W/post.pgt >$W/post; grep -E 'late posts| ms.*rank . for rank' $W/post | sed 's/^ *//;s/  */ /g;s/ [0-9.]*%//'
// stdout: 9.000 ms 4 waits: late posts and completes
// stdout: 3.002 ms rank 0 for rank 2
// stdout: 3.001 ms rank 3 for rank 2
// stdout: 3.000 ms rank 1 for rank 2
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int me, n;
    MPI_Win win;
    MPI_Group all, others;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    long *memory;
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && !strcmp(argv[1], "lock")) { /* rank 2 first, then 1, then 0 */
        usleep((unsigned)(1000 * ((2 - me + n) % n)));
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, win);
        if (me == 2)
            usleep(5000);
        MPI_Win_unlock(3, win);
    } else { /* rank 2 comes late */
        const int two = 2;
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        if (me == 2) {
            usleep(3000);
            MPI_Group_excl(all, 1, &two, &others);
            MPI_Win_post(others, 0, win);
            MPI_Win_wait(win);
        } else {
            MPI_Group_incl(all, 1, &two, &others);
            MPI_Win_start(others, 0, win);
            MPI_Win_complete(win);
        }
        MPI_Group_free(&others);
        MPI_Group_free(&all);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
