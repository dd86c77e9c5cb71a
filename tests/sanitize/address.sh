#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# AddressSanitizer: mistakes are reported with the right line and rank, in both ways of private globals, in C,
# C++ and OpenMP, on 2 to 300 ranks; right programs are silent. The summary and the trace are finished.
. "$(dirname "$0")/lib.sh"
needs -fsanitize=address
needs -fopenmp
pgasim cc -g -O1 -fsanitize=address -o plain "$folder/plain.c" || fail "plain.c does not compile"
pgasim c++ -g -O1 -fsanitize=address -o objects "$folder/objects.cpp" || fail "objects.cpp does not compile"
pgasim cc -g -O1 -fopenmp -fsanitize=address -o teams "$folder/teams.c" || fail "teams.c does not compile"

for way in "${ways[@]}"; do
    for k in heap:heap-buffer-overflow freed:heap-use-after-free stack:stack-buffer-overflow \
        global:global-buffer-overflow; do
        what=${k%%:*} at=$(line plain.c "${k%%:*}")
        wrong 5 4 "$way" plain "$what" 2 "#0 0x[0-9a-f]+ in $what .*plain.c:$at" \
            "^pgasim: error: rank 2 \(host node-0\) at .*: ${k#*:} .*plain.c:$at in $what"
    done
    ASAN_OPTIONS=detect_stack_use_after_return=1 wrong 5 3 "$way" plain returned 1 \
        "rank 1 .*: stack-use-after-return .*plain.c:$(line plain.c returned) in returned"
    # a buffer that is too short for the library, at the call
    wrong 5 3 "$way" plain given 1 "^READ of size 24" "in given .*plain.c:$(line plain.c given)"
    wrong 139 3 "$way" plain null 1 "rank 1 .*signal 11 .* in mistake, plain.c:$(line plain.c null)"
    wrong 5 3 "$way" objects heap 2 "rank 2 .*: heap-buffer-overflow .*objects.cpp:$(line objects.cpp heap) in past"
    wrong 5 2 "$way" teams heap 1 \
        "rank 1, thread 4 .*: heap-buffer-overflow .*teams.c:$(line teams.c heap) in main"
    wrong 5 2 "$way" teams stack 1 \
        "rank 1, thread 4 .*: stack-buffer-overflow .*teams.c:$(line teams.c stack) in main"
    right 2 "$way" plain 'ring of 2'
    right 5 "$way" objects 'caught 8'
    right 3 "$way" teams 'sum 4950'
    ASAN_OPTIONS=detect_stack_use_after_return=1 right 7 "$way" plain 'ring of 7'
    ASAN_OPTIONS=detect_stack_use_after_return=1 right 3 "$way" objects 'caught 8'
done

# more ranks than there are copies otherwise, and more than share a stack
wrong 5 300 auto plain heap 299 "rank 299 .*: heap-buffer-overflow .*plain.c:$(line plain.c heap) in heap"
right 300 auto plain 'ring of 300'
right 300 swap objects 'caught 8'

# it may go on, and then names each
pgasim cc -g -O1 -fsanitize=address -fsanitize-recover=address -o going "$folder/plain.c" ||
    fail "plain.c does not compile"
ASAN_OPTIONS=halt_on_error=0:detect_leaks=0 wrong 0 3 auto going stack 1 'ring of 3' 'rank 1 .*: stack-buffer-overflow'

# loops that poll memory, whose words reach past a variable
cat >poll.c <<'C'
#include <shmem.h>
#include <stdio.h>
static volatile int flag;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    while (me && !flag)
        ;
    if (me < n - 1)
        shmem_int_p((int *)&flag, 1, me + 1);
    shmem_barrier_all();
    if (me == 0)
        puts("seen");
    shmem_finalize();
    return 0;
}
C
pgasim cc -g -O1 -fsanitize=address -o poll poll.c || fail "poll.c does not compile"
for way in "${ways[@]}"; do
    right 3 "$way" poll seen
done

# ends in order
timeout 100 pgasim run -q -np 3 --compute off --json run.json --trace run.pgt ./plain stack 1 >out 2>&1
[ $? -eq 5 ] || fail "status with outputs: $(cat out)"
grep -qE '"[a-z_]*status": *5' run.json || fail "run.json: $(cat run.json)"
grep -q 'stack-buffer-overflow' run.json || fail "run.json names no error: $(cat run.json)"
expect 0 . pgasim profile run.pgt

# the ranks do not see how the process was started; an LD_PRELOAD of the user's is kept
cat >seen.c <<'C'
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
extern char **environ;
int main(void)
{
    const char *preload = getenv("LD_PRELOAD");
    shmem_init();
    printf("[%s]\n", preload ? preload : "none");
    for (char **e = environ; *e; e++)
        if (e[0][0] == 'P' && e[0][1] == 'G' && e[0][2] == 'A' && e[0][3] == 'S')
            puts(*e);
    shmem_finalize();
    return 0;
}
C
pgasim cc -g -fsanitize=address -o seen seen.c || fail "seen.c does not compile"
right 1 auto seen '[none]'
LD_PRELOAD=libm.so.6 right 1 swap seen '[libm.so.6]'
# from another folder, by name, and started alone
mkdir -p there && cp seen there/
expect 0 '\[none\]' pgasim run -q -np 1 --wdir there ./seen
expect 0 '\[none\]' ./seen
finish
