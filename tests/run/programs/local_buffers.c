/* SPDX-License-Identifier: BSD-3-Clause */
/* Local buffers that are not there, or cannot be written: the report names the call, its rank and its line,
 * also when the buffer is first used in a delivery, on whatever rank's stack that is. PE 2 makes the call;
 * all others wait. */
// run: -np 4 --map-by host -- put
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_putmem: its caller gave it memory that cannot be read, at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [013]
// run: -np 4 --map-by host -- put_nbi
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_long_put_nbi: its caller gave it memory that cannot be read, at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [013]
// run: -np 4 --map-by host -- put_large
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_putmem: its caller gave it memory that cannot be read, at address \S+ \(not mapped\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [013]
// run: -np 4 --map-by host -- put_large_nbi
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_putmem_nbi: its caller gave it memory that cannot be read, at address \S+ \(not mapped\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [013]
// run: -np 4 --map-by host -- iput
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_int_iput: its caller gave it memory that cannot be read, at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [013]
// run: -np 4 --map-by host -- put_signal
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_putmem_signal: its caller gave it memory that cannot be read, at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [013]
// run: -np 4 --map-by host -- status
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_long_wait_until_some: its caller gave it memory that cannot be written, at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [013]
// run: -np 4 --map-by host -- get
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_getmem of 16 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 4 --map-by host -- get_nbi
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_long_get_nbi of 16 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 4 --map-by host -- get_large
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_getmem of 1048576 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(not mapped\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 4 --map-by host -- iget
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_int_iget of 8 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 4 --map-by host -- fetch_nbi
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_long_atomic_fetch_add_nbi of 8 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(near NULL\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 4 --map-by host -- get_constant
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_getmem of 16 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(read-only table \(400 bytes\)\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 4 --map-by host -- get_code
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_getmem of 16 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(function main\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 4 --map-by host -- gone
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+: shmem_getmem_nbi of 1048576 bytes, with rank 1: its (local buffer|memory) cannot be (written|accessed) at address \S+ \(not mapped\)\n.*called in (put|get|main), local_buffers.c:\d+
// stderr-not: rank [03]
// run: -np 300 --set fold/stacks=shared -- get_nbi
// times: 1
// status: 139
// stderr-match: error: rank 2 .*: shmem_long_get_nbi of 16 bytes, with rank 1: its local buffer cannot be
// run: -np 4 -- right
// stdout: all right
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE = 1 << 20 };
static const int table[100] = {1, 2, 3};
static char dest[LARGE];
static long word;
static uint64_t sig;
int main(int argc, char **argv);

static void *wild = (void *)24, *unmapped = (void *)0x123456789000;

static void put(const char *how)
{
    if (!strcmp(how, "put"))
        shmem_putmem(dest, wild, 16, 1);
    else if (!strcmp(how, "put_nbi"))
        shmem_long_put_nbi((long *)dest, wild, 2, 1);
    else if (!strcmp(how, "put_large"))
        shmem_putmem(dest, unmapped, 4000, 1);
    else if (!strcmp(how, "put_large_nbi"))
        shmem_putmem_nbi(dest, unmapped, LARGE, 1);
    else if (!strcmp(how, "iput"))
        shmem_int_iput((int *)dest, wild, 2, 2, 2, 1);
    else if (!strcmp(how, "put_signal"))
        shmem_putmem_signal(dest, wild, 16, &sig, 1, SHMEM_SIGNAL_SET, 1);
    else if (!strcmp(how, "status"))
        shmem_long_wait_until_some(&word, 1, wild, NULL, SHMEM_CMP_EQ, 0);
}

static void get(const char *how)
{
    if (!strcmp(how, "get"))
        shmem_getmem(wild, dest, 16, 1);
    else if (!strcmp(how, "get_nbi"))
        shmem_long_get_nbi(wild, (long *)dest, 2, 1);
    else if (!strcmp(how, "get_large"))
        shmem_getmem(unmapped, dest, LARGE, 1);
    else if (!strcmp(how, "iget"))
        shmem_int_iget(wild, (int *)dest, 2, 2, 2, 1);
    else if (!strcmp(how, "fetch_nbi"))
        shmem_long_atomic_fetch_add_nbi(wild, &word, 1, 1);
    else if (!strcmp(how, "get_constant"))
        shmem_getmem((void *)(uintptr_t)table, dest, 16, 1);
    else if (!strcmp(how, "get_code"))
        shmem_getmem((void *)(uintptr_t)main, dest, 16, 1);
    else if (!strcmp(how, "gone")) {
        void *area = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        shmem_getmem_nbi(area, dest, LARGE, 1);
        munmap(area, LARGE);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 2) {
        put(argv[1]);
        get(argv[1]);
        shmem_quiet();
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        puts("all right");
    shmem_finalize();
    return table[0] - 1;
}
