#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs whose threads use cells, with the checker of naive.c: the cells whose uses are not ordered, and no others,
# are found, and all moments are given back. `order.sh BUILD`.
. "$(dirname "$0")/../cli/lib.sh"
folder=$top/tests/order

check() { # PROGRAM WRAPPER-COMMAND OPTION...
    local name=$1
    shift
    pgasim "$@" -fno-builtin -o "$name" "$folder/$name".c* || { fail "$name does not compile" && return; }
    for way in dlopen swap; do
        LD_LIBRARY_PATH=$bin/../tests/order timeout 100 pgasim run -q -np 1 --compute off --privatize $way "./$name" \
            >out 2>err </dev/null || fail "$name, $way: status $?: $(cat err)"
        grep '^race' out | cut -d' ' -f2 | sort -n >found
        grep '^expect' out | cut -d' ' -f2 | sort -n >expected
        cmp -s found expected ||
            fail "$name, $way: found $(tr '\n' ' ' <found), expected $(tr '\n' ' ' <expected): $(cat out err)"
        grep -q '^moments left 0$' out || fail "$name, $way: $(grep '^moments' out)"
    done
}
check posix cc -pthread
check openmp cc -fopenmp
check touch cc -pthread -w
check touch cc -pthread -w -O2 -D_FORTIFY_SOURCE=2 --check
finish
