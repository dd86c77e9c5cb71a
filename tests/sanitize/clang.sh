#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# clang's run times: the wrapper links the shared ones, and the run finds them.
. "$(dirname "$0")/lib.sh"
runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so" 2>/dev/null)
case $runtime in
/*) ;;
*)
    echo "skipped: there is no clang with a shared run time"
    exit 77
    ;;
esac
export PGASIM_CC=clang
pgasim cc -g -O1 -fsanitize=address -o plain "$folder/plain.c" || fail "plain.c does not compile"
pgasim cc -g -O1 -fsanitize=undefined -o undefined "$folder/plain.c" || fail "plain.c does not compile"
for way in "${ways[@]}"; do
    for what in heap stack global; do
        wrong 5 3 "$way" plain $what 1 "rank 1 .*: $what-buffer-overflow .*plain.c:$(line plain.c $what).* in $what"
    done
    right 4 "$way" plain 'ring of 4'
    wrong 0 3 "$way" undefined overflow 1 'ring of 3' "^pgasim: error: rank 1 .*plain.c:$(line plain.c overflow)"
done
finish
