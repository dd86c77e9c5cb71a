#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs that are instrumented for `pgasim check` (--check, PGASIM_CHECK, -fsanitize=thread) are linked without
# ThreadSanitizer's run time, run as others do, and say that they are instrumented.
. "$(dirname "$0")/lib.sh"
needs -fsanitize=thread

# calls FILE: which callbacks an object refers to.
calls() {
    nm "$1" | grep -oE 'U __(tsan|sanitizer_cov)_[a-z_]*' | sort -u
}

both() { # COMPILER C++COMPILER OPTION...
    export PGASIM_CC=$1 PGASIM_CXX=$2
    shift 2
    for level in -O0 -O2; do
        pgasim cc --check $level -shared -fPIC -o libwork.so "$folder/threads.c" || fail "no library: $PGASIM_CC $level"
        pgasim c++ "$@" $level -std=c++17 -pthread -o threads "$folder/threads.cpp" ./libwork.so -Wl,-rpath,. ||
            fail "no program: $PGASIM_CXX $level"
        readelf -d threads libwork.so | grep -q tsan && fail "$PGASIM_CXX $level: linked with the run time"
        for way in "${ways[@]}"; do
            right 2 "$way" threads "$(printf '3 101 5, atomics 7 7 7 7 7\n3 101 5, atomics 7 7 7 7 7')"
        done
        expect 0 'threads: .*, instrumented in [0-9]+ of' pgasim info ./threads
        expect 0 'libwork.so: .*, instrumented in [0-9]+ of' pgasim info ./threads
        pgasim cc $level "$@" -c -o threads.o "$folder/threads.c" || fail "does not compile: $PGASIM_CC $level"
        calls threads.o | grep -q __tsan_func_entry || fail "$PGASIM_CC $level: not instrumented"
        calls threads.o | grep -q __tsan_volatile_write || fail "$PGASIM_CC $level: volatile is not told"
    done
}
both gcc g++ --check
export PGASIM_CHECK=1
both gcc g++
unset PGASIM_CHECK
echo "-fsanitize=thread,undefined -fno-sanitize=vptr" >response
both gcc g++ @response
if command -v clang >/dev/null; then
    both clang clang++ --check
fi
unset PGASIM_CC PGASIM_CXX
if ! PGASIM_CHECK=0 pgasim cc -c -o plain.o "$folder/plain.c" || [ -n "$(calls plain.o)" ]; then
    fail "instrumented unasked"
fi
if ! pgasim cc --check -fno-sanitize=all -c -o plain.o "$folder/plain.c" || [ -n "$(calls plain.o)" ]; then
    fail "instrumented against the user's word"
fi
pgasim cc --check --showme -c x.c | grep -q -- '-fsanitize=thread' || fail "--showme does not show the flags"
pgasim cc --check --showme:compile | grep -q -- '-fsanitize=thread' || fail "--showme:compile does not show the flags"
finish
