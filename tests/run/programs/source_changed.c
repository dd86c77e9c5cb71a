/* SPDX-License-Identifier: BSD-3-Clause */
/* A source that is changed, or freed, before the nonblocking put from it is complete. Each way is its own
 * run. */
// run: -np 2 --map-by host -- local
// stderr-match: warning: at .* rank 0: shmem_long_put_nbi of 8 bytes to .*grid.* of rank 1: its source .a local variable. was changed before shmem_quiet
// stdout: 1
// run: -np 2 --map-by host -- global
// stderr-match: shmem_putmem_nbi of 512 bytes to .*grid.* of rank 1: its source .*from.* was changed before shmem_quiet
// stdout: 1
// run: -np 2 --map-by host -- signal
// stderr-match: shmem_putmem_signal_nbi of 512 bytes to .*grid.* of rank 1: its source .*from.* was changed before shmem_quiet
// stdout: 1
// run: -np 2 --map-by host -- large
// stderr-match: shmem_putmem_nbi of 1048576 bytes to heap block .*main.* of rank 1: its source .heap block .* was changed before shmem_quiet
// stdout: 1
// run: -np 2 --map-by host --strict -- local
// status: 5
// stderr-match: error: at .*shmem_long_put_nbi.*--strict: misuse/source-changed
// run: -np 2 --map-by host -- none
// stderr-not: misuse|warning
// stdout: 1
// run: -np 2 --map-by host -- freed
// status: 139
// stderr-match: error: rank 0: shmem_putmem_nbi of 1048576 bytes to heap block .* of rank 1: its source .* was freed before shmem_quiet
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE = 1 << 20 };
static long grid[64], from[64];
static uint64_t sig;

static void send(const char *way, char *large, char *dest)
{
    long x = 1;
    from[0] = 1;
    memset(large, 1, LARGE);
    if (strcmp(way, "local") == 0) {
        shmem_long_put_nbi(grid, &x, 1, 1);
        x = 2;
    } else if (strcmp(way, "global") == 0) {
        shmem_putmem_nbi(grid, from, sizeof grid, 1);
        from[63] = 2;
    } else if (strcmp(way, "signal") == 0) {
        shmem_putmem_signal_nbi(grid, from, sizeof grid, &sig, 1, SHMEM_SIGNAL_SET, 1);
        from[63] = 2;
    } else if (strcmp(way, "large") == 0) {
        shmem_putmem_nbi(dest, large, LARGE, 1);
        memset(large, 2, LARGE);
    } else if (strcmp(way, "freed") == 0) {
        char *gone = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(gone, 1, LARGE);
        shmem_putmem_nbi(dest, gone, LARGE, 1);
        munmap(gone, LARGE);
    } else { /* each of them may be used again */
        shmem_long_put_nbi(grid, &x, 1, 1);
        shmem_quiet();
        x = 2;
        shmem_long_put(grid, from, 64, 1);
        from[0] = 2;
        shmem_long_p(&grid[1], x, 1);
        x = 3;
    }
    shmem_quiet();
}

int main(int argc, char **argv)
{
    shmem_init();
    char *large = shmem_malloc(LARGE), *dest = shmem_malloc(LARGE);
    (void)argc;
    if (shmem_my_pe() == 0)
        send(argv[1], large, dest);
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("%ld\n", strcmp(argv[1], "large") == 0 ? 1 : grid[0]);
    shmem_finalize();
    return 0;
}
