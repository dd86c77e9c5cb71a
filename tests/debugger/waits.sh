#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What `pgasim ranks` says of each wait: a variable and its value (global or on the heap), who is missing in a
# collective, operations under way; `pgasim messages` lists the messages of collectives.
. "$(dirname "$0")/lib.sh"
cat >waits.c <<'C'
#include <shmem.h>
static long flag = 3;
static char big[8 << 20];
int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    unsigned *word = shmem_calloc(2, sizeof *word);
    if (me == 1)
        shmem_long_wait_until(&flag, SHMEM_CMP_LT, -7);
    if (me == 2)
        shmem_uint_wait_until(word + 1, SHMEM_CMP_NE, 0);
    if (me == 4) {
        shmem_putmem_nbi(big, big, sizeof big, 3);
        shmem_quiet();
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
C
pgasim cc -g -O0 -o waits waits.c || fail "waits.c does not compile"
for way in "${ways[@]}"; do
    debug 5 ./waits "$way --map-by host --stop-at 100us" <<'G'
run
pgasim ranks
pgasim rank 1
pgasim messages
G
    has '^  ranks 0, 3: waits: shmem_barrier_all$' '^    2 of 5 members have come$' \
        '^  rank 1: waits: shmem_long_wait_until$' '^    flag is 3, waits for < -7$' \
        '^  rank 2: waits: shmem_uint_wait_until$' '^    0x[0-9a-f]* is 0, waits for != 0$' \
        '^  rank 4: waits: shmem_quiet$' '^    1 operation under way$' \
        '^rank 1 \(host node-1\) at .*, waits: shmem_long_wait_until$' '^  flag is 3, waits for < -7$' \
        '^  shmem_barrier_all, a message of 0 bytes, rank (0|3) -> rank [0-4]' \
        '^  shmem_putmem_nbi of 8388608 bytes, rank 4 -> rank 3: on its way, at big$'
done
finish
