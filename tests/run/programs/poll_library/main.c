/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polls in a function of the program's own shared library: of the library's word, and of a block of the
 * symmetric heap. What never comes is named in the deadlock report, by its block and by who allocated it.
 */
// build: $PGASIM info settings | grep -q fold/poll-slice
// build: $OSHCC -g -O2 -shared -fPIC -o libwait.so $DIR/wait.c
// build: $OSHCC -g -O2 -o $EXE $SRC -L. -lwait -Wl,-rpath,$W
// run: -np 2 -- own
// stdout: own: 3 rounds
// stderr-not: warning
// run: -np 7 -- own
// stdout: own: 3 rounds
// stderr-not: warning
// jobs: 2
// run: -np 64 -- own
// stdout: own: 3 rounds
// stderr-not: warning
// times: 1
// jobs: 2
// run: -np 1000 -- own
// stdout: own: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 2 -- heap
// stdout: heap: 3 rounds
// stderr-not: warning
// run: -np 7 -- heap
// stdout: heap: 3 rounds
// stderr-not: warning
// jobs: 2
// run: -np 64 -- heap
// stdout: heap: 3 rounds
// stderr-not: warning
// times: 1
// jobs: 2
// run: -np 1000 -- heap
// stdout: heap: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 4 -- never
// status: 3
// stderr-match: memory polled without a call: 1 rank: 1
// stderr-match: rank 1 since .*: looks at heap block\+16 of 64 bytes \(shmem_calloc in main, main\.c:\d+\) in library_await, wait\.c:\d+
// run: -np 4 -- never-own
// status: 3
// stderr-match: rank 1 since .*: looks at arrived \(8 bytes, wait\.c:\d+\) in library_await\w*, wait\.c:\d+
// run: -np 4 -- never-freed
// status: 3
// stderr-match: rank 1 since .*: looks at freed heap block\+16 of 64 bytes \(shmem_calloc in main, main\.c:\d+; freed at \S+ \S+ by shmem_free in main, main\.c:\d+\) in library_await, wait\.c:\d+
#include <shmem.h>
#include <stdio.h>
#include <string.h>

long *library_word(void);
void library_await(const volatile long *word, long k);
void library_await_own(long k);

int main(int argc, char **argv)
{
    enum { ROUNDS = 3 };
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    const char *how = argc > 1 ? argv[1] : "";
    long *block = shmem_calloc(8, sizeof *block);
    int own = !strcmp(how, "own");
    if (!strcmp(how, "never-freed"))
        shmem_free(block);
    if (!strncmp(how, "never", 5) && me == 1) {
        if (!strcmp(how, "never-own"))
            library_await_own(1);
        else
            library_await(&block[2], 1);
    }
    shmem_barrier_all();
    for (long k = 1; k <= ROUNDS; k++) {
        if (me && own)
            library_await_own(k);
        else if (me)
            library_await(&block[5], k);
        shmem_long_p(own ? library_word() : &block[5], k, (me + 1) % n);
        if (!me && own)
            library_await_own(k);
        else if (!me)
            library_await(&block[5], k);
    }
    shmem_barrier_all();
    if (!me)
        printf("%s: %d rounds\n", how, ROUNDS);
    shmem_finalize();
    return 0;
}
