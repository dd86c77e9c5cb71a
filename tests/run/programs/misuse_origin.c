/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports say where a symmetric object came from: the call that made it, its function and source line; in a
 * program without debug information, the place in the file; for freed memory, also who freed it and when. */
// build: $OSHCC -g "$SRC" -o $EXE
// build: $OSHCC "$SRC" -o $W/plain
// build: $OSHCC -s "$SRC" -o $W/stripped
// run: --strict -np 3 -- freed
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: 8 bytes of PE 0 lie in freed memory: freed heap block\+16 of 80 bytes \(shmem_malloc in build_mesh, misuse_origin.c:69; freed at \S+ \S+ by shmem_free in main, misuse_origin.c:80\) \(an error because of --strict: misuse/[\w-]+\)$
// stderr-match: ^pgasim:   called in main, misuse_origin.c:\d+$
// run: --strict -np 3 -- freed_atomic
// status: 5
// stderr-match: : shmem_long_atomic_add: 8 bytes of PE 0 lie in freed memory: freed heap block of 80 bytes \(shmem_malloc in build_mesh,
// run: --strict -np 3 -- freed_get
// status: 5
// stderr-match: : shmem_long_g: 8 bytes of PE 0 lie in freed memory: freed heap block of 80 bytes \(shmem_malloc in build_mesh,
// run: --strict -np 3 -- moved
// status: 5
// stderr-match: : shmem_long_p: 8 bytes of PE 0 lie in freed memory: freed heap block of 80 bytes \(shmem_malloc in build_mesh, misuse_origin.c:\d+; freed at \S+ \S+ by shmem_realloc in main, misuse_origin.c:\d+\) \(an error because of --strict: misuse/[\w-]+\)$
// run: --strict -np 3 -- overrun
// status: 5
// stderr-match: : shmem_long_put: 88 bytes of PE 0 run 24 bytes past the end of heap block\+16 of 80 bytes \(shmem_malloc in build_mesh, misuse_origin.c:\d+\)
// run: -np 3 -- overrun
// stderr-match: ^pgasim: warning: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: 88 bytes of PE 0 run 24 bytes past the end of heap block\+16 of 80 bytes
// run: --strict -np 3 -- behind
// status: 5
// stderr-match: : shmem_long_p: 8 bytes of PE 0 lie in no symmetric object: unallocated, 80 bytes past the end of the nearest heap block of 80 bytes \(shmem_malloc in build_mesh, misuse_origin.c:\d+\) \(an error because of --strict: misuse/[\w-]+\)$
// run: --strict -np 3 -- static
// status: 5
// stderr-match: : shmem_long_put: 88 bytes of PE 0 run 24 bytes past the end of grid\+16 \(80 bytes, misuse_origin.c:\d+\)
// run: --strict -np 3 -- inner
// status: 5
// stderr-match: : shmem_int_put: 8 bytes of PE 0 run 4 bytes past the end of inner\S* \(4 bytes, misuse_origin.c:\d+\)
// run: -np 3 -- local
// status: 5
// stderr-match: : shmem_long_p: 8 bytes of PE 0: not a symmetric address: a local variable; the nearest symmetric object is \S
// run: -np 3 -- null
// status: 5
// stderr-match: : shmem_long_p: 8 bytes of PE 0: not a symmetric address: a null pointer; the nearest symmetric object is \S
// run: --strict -np 3 -- twice
// status: 5
// stderr-match: : shmem_free: the argument is not the start of an allocated block: freed heap block of 80 bytes \(shmem_malloc in build_mesh, misuse_origin.c:69; freed at \S+ \S+ by shmem_free in main, misuse_origin.c:80\) \(an error because of --strict: misuse/[\w-]+\)$
// run: --strict -np 3 -- inside
// status: 5
// stderr-match: : shmem_free: the argument is not the start of an allocated block: heap block\+16 of 80 bytes \(shmem_malloc in build_mesh, misuse_origin.c:\d+\) \(an error because of --strict: misuse/[\w-]+\)$
// run: -np 3 -- wait
// status: 3
// stderr-match: rank 1 since \S+ \S+: heap block\+16 of 80 bytes \(shmem_malloc in build_mesh, misuse_origin.c:\d+\) is 0, waits for == 1$
// shell: $RUN --quiet --strict -np 3 $W/plain overrun
// status: 5
// stderr-match: past the end of heap block\+16 of 80 bytes \(shmem_malloc in build_mesh, plain\+0x[0-9a-f]+\)
// shell: $RUN --quiet --strict -np 3 $W/plain static
// status: 5
// stderr-match: past the end of grid\+16 \(80 bytes\)
// shell: $RUN --quiet --strict -np 3 $W/stripped overrun
// status: 5
// stderr-match: past the end of heap block\+16 of 80 bytes \(shmem_malloc in stripped\+0x[0-9a-f]+\)
// shell: $RUN --quiet --strict -np 3 --stack-size 16k $EXE overrun
// status: 5
// stderr-match: ^pgasim:   called in main, misuse_origin.c:\d+$
// stderr-match: \(shmem_malloc in build_mesh, misuse_origin.c:\d+\)
#include <shmem.h>
#include <string.h>

static long grid[10];

static __attribute__((noinline)) long *build_mesh(size_t n)
{
    return shmem_malloc(n * sizeof(long));
}

int main(int argc, char **argv)
{
    static int inner;
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    long *mesh = build_mesh(10), local[20] = {0};
    int to = 0;
    if (strncmp(what, "freed", 5) == 0 || strcmp(what, "twice") == 0)
        shmem_free(mesh);
    if (strcmp(what, "twice") == 0)
        shmem_free(mesh);
    if (strcmp(what, "inside") == 0)
        shmem_free(mesh + 2);
    if (strcmp(what, "moved") == 0) {
        shmem_malloc(8);
        shmem_realloc(mesh, 800);
    }
    if (shmem_my_pe() != 1)
        to = 1;
    else if (strcmp(what, "freed") == 0)
        shmem_long_put(mesh + 2, local, 1, to);
    else if (strcmp(what, "freed_atomic") == 0)
        shmem_long_atomic_add(mesh, 1, to);
    else if (strcmp(what, "freed_get") == 0)
        shmem_long_g(mesh, to);
    else if (strcmp(what, "moved") == 0)
        shmem_long_p(mesh, 1, to);
    else if (strcmp(what, "overrun") == 0)
        shmem_long_put(mesh + 2, local, 11, to);
    else if (strcmp(what, "behind") == 0)
        shmem_long_p(mesh + 20, 1, to);
    else if (strcmp(what, "static") == 0)
        shmem_long_put(grid + 2, local, 11, to);
    else if (strcmp(what, "inner") == 0)
        shmem_int_put(&inner, (int *)local, 2, to);
    else if (strcmp(what, "local") == 0)
        shmem_long_p(local, 2, to);
    else if (strcmp(what, "null") == 0)
        shmem_long_p(NULL, 2, to);
    else if (strcmp(what, "wait") == 0)
        shmem_long_wait_until(mesh + 2, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
