/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the race detector says of memory that ends while an operation may use it, and of operations that
 * nobody waits for; and that it says nothing once the program is right.
 */
// build: $OSHCC --check -g -O0 "$SRC" -o $EXE
// run: --check=races --compute=off -np 2 -- frame
// status: 7
// stderr-match: ^    read by shmem_long_put_nbi of rank 0 in send, shmem_races.c:\d+$
// stderr-match: ^    written by a return of rank 0 in send, shmem_races.c:\d+$
// stderr-match: ^    shmem_long_put_nbi was not complete when a return began$
// run: --check=races --compute=off -np 2 -- frame right
// stderr-not: pgasim: race:
// run: --check=races --compute=off -np 2 -- free
// status: 7
// stderr-match: ^    written by shmem_ctx_long_put of rank 0 in main, shmem_races.c:\d+$
// stderr-match: ^    written by shmem_free of rank 1 in main, shmem_races.c:\d+$
// run: --check=races --compute=off -np 2 -- free right
// stderr-not: pgasim: race:
// run: --check=races --compute=off -np 2 -- unwaited
// stderr-match: ^pgasim: notice: shmem_long_p of rank 0 in main, shmem_races.c:\d+: nobody has waited for it when the API ended$
// run: --check=races --compute=off --strict -np 2 -- unwaited
// stderr-not: error
// run: --check=races --compute=off -np 2 -- unwaited right
// stderr-not: nobody has waited
// run: --check=races --compute=off -np 2 -- unwaited flag
// stderr-not: nobody has waited
#include <shmem.h>
#include <string.h>

static long data[4], flag;

static long __attribute__((noinline)) send(long value, int complete)
{
    long box[4] = {value, value, value, value};
    shmem_long_put_nbi(data, box, 4, 1);
    if (complete)
        shmem_quiet();
    return value;
}

/* From far down the stack: nothing else comes to lie where the variable was. */
static long __attribute__((noinline)) descend(long value, int complete)
{
    volatile char room[1 << 14];
    room[value] = 0;
    return send(value, complete) + room[value];
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    int right = strcmp(how, "right") == 0;
    shmem_ctx_t ctx;
    shmem_init();
    shmem_ctx_create(0, &ctx);
    long *block = shmem_malloc(80);
    if (shmem_my_pe() == 0 && strcmp(what, "frame") == 0)
        descend(41, right);
    shmem_quiet();
    if (shmem_my_pe() == 0 && strcmp(what, "free") == 0)
        shmem_ctx_long_put(ctx, block, data, 4, 1);
    if (right)
        shmem_ctx_quiet(ctx);
    shmem_free(block);
    shmem_ctx_destroy(ctx);
    if (shmem_my_pe() == 0 && strcmp(what, "unwaited") == 0)
        shmem_long_p(&data[0], 7, 1);
    if (right)
        shmem_barrier_all();
    if (shmem_my_pe() == 0 && strcmp(how, "flag") == 0) {
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    }
    if (shmem_my_pe() == 1 && strcmp(how, "flag") == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
