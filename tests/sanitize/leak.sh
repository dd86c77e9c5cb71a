#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Leaks, by AddressSanitizer and by LeakSanitizer alone: the line, the rank, once; nothing that globals,
# symmetric memory, thread-local variables or stacks point to.
. "$(dirname "$0")/lib.sh"
needs -fsanitize=address
needs -fsanitize=leak
needs -fopenmp
cat >any.c <<'C'
#include <stdlib.h>
int main(void)
{
    void *volatile p = malloc(7);
    p = NULL;
    return p != NULL;
}
C
"${CC:-cc}" -fsanitize=address -o any any.c || fail "any.c does not compile"
./any >out 2>&1
grep -q '7 byte' out || { echo "skipped: LeakSanitizer does not work here: $(cat out)" && exit 77; }

for kind in address leak; do
    pgasim cc -g -O1 -fsanitize=$kind -o plain "$folder/plain.c" || fail "plain.c does not compile"
    pgasim c++ -g -O1 -fsanitize=$kind -o objects "$folder/objects.cpp" || fail "objects.cpp does not compile"
    pgasim cc -g -O1 -fopenmp -fsanitize=$kind -o teams "$folder/teams.c" || fail "teams.c does not compile"
    for way in "${ways[@]}"; do
        who=2
        [ "$way" = dlopen ] && name="rank 2" || name="some ranks"
        wrong 5 4 "$way" plain leak $who "^pgasim: error: $name: leak of 77 bytes in 1 block$" \
            "called in leak .*plain.c:$(line plain.c leak)"
        [ "$(grep -c 'leak of' out)" = 1 ] || fail "$kind, $way: more than one leak: $(cat out)"
        wrong 5 3 "$way" objects leak $who "$name: leak of 32 bytes" \
            "called in lost.*objects.cpp:$(line objects.cpp leak)"
        right 6 "$way" plain 'ring of 6'
        right 4 "$way" objects 'caught 8'
        right 3 "$way" teams 'sum 4950'
    done
    wrong 5 3 auto teams leak 2 "rank 2: leak of (33|66|99|132) bytes in [1-4] block" "teams.c:$(line teams.c leak)"
done
wrong 5 300 auto objects leak 299 "rank 299: leak of 32 bytes"
right 300 auto plain 'ring of 300'
ASAN_OPTIONS=detect_leaks=0 LSAN_OPTIONS=detect_leaks=0 wrong 0 3 auto plain leak 1 'ring of 3'

# ranks that lose memory at one place are named in one line
cat >all.c <<'C'
#include <shmem.h>
#include <stdlib.h>
int main(void)
{
    shmem_init();
    if (shmem_my_pe() != 1) {
        void *volatile p = malloc(10);
        p = NULL;
        (void)p;
    }
    shmem_finalize();
    return 0;
}
C
pgasim cc -g -fsanitize=address -o all all.c || fail "all.c does not compile"
expect 5 'ranks 0, 2-4: leak of 40 bytes in 4 blocks' pgasim run -q -np 5 ./all
finish
