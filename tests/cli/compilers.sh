#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The wrappers with other compilers and linkers, and what they answer themselves.
. "$(dirname "$0")/lib.sh"
export PATH=$bin/wrappers:$PATH
cp "$top/examples/hello/hello.c" .
cat >plain.cpp <<'C'
#include <cstdio>
#include <shmem.h>
template <class T> struct once { static T value; };
template <class T> T once<T>::value = 40;
inline int &shared() { static int n = 1; return n; }
int main()
{
    shmem_init();
    once<int>::value += shmem_my_pe(), shared() += shmem_my_pe();
    shmem_barrier_all();
    std::printf("%d %d\n", once<int>::value, shared());
    shmem_finalize();
}
C
runs() { # COMMAND...: compiles ./program, which must greet
    rm -f program
    "$@" -o program hello.c >out 2>&1 || { fail "$*: $(cat out)"; return; }
    [ -s out ] && fail "$*: said $(cat out)"
    expect 0 '^3 PEs, their numbers add up to 3$' oshrun --quiet -np 3 ./program
}
runs oshcc -O2
runs oshcc -O2 -pie -fPIE
runs oshcc -no-pie
runs oshcc -pedantic -std=c11 -Wall -Wextra -Werror
for clang in clang clang-14; do
    command -v $clang >/dev/null && runs env PGASIM_CC=$clang oshcc -O1 -Wall -Wextra -Werror
done
runs env PGASIM_CC="env gcc" oshcc
command -v ld.gold >/dev/null && runs oshcc -fuse-ld=gold
command -v ld.lld >/dev/null && runs env PGASIM_CC=clang oshcc -fuse-ld=lld

for cxx in "oshc++" "env PGASIM_CXX=clang++ oshc++"; do
    # shellcheck disable=SC2086 # words
    $cxx -O1 plain.cpp -o plain || fail "$cxx"
    for way in dlopen swap; do
        expect 0 '^42 3$' oshrun --quiet -np 3 --privatize=$way ./plain
        grep -qx '40 1' out || fail "$cxx: ranks share data by $way: $(cat out)"
    done
done

expect 2 'error: -static: ' oshcc -static hello.c
expect 0 "^-I.*/include -fPIC" oshcc --showme:compile
expect 0 '^-shared .*pgasim_crt.o .*-lpgasim' oshcc --showme:link
expect 0 "^$build/lib$" oshcc --showme:libdirs
expect 0 '^pgasim$' oshcc --showme:libs
expect 2 'unknown word behind --showme:' oshcc --showme:nothing
expect 0 '^gcc|^cc' oshcc --showme:command
expect 0 "^gcc .*'a b.c'.*" oshcc -show -c 'a b.c'
expect 127 'cannot run the compiler no-such-compiler' env PGASIM_CC=no-such-compiler oshcc hello.c
expect 0 . oshcc --version
expect 0 . oshcc -dumpmachine
expect 1 'no input files' oshcc

# Flags from --showme make a program without the wrapper, as configure scripts use them.
# shellcheck disable=SC2046 # words
{ gcc $(oshcc --showme:compile) -c hello.c && gcc hello.o -o by-flags $(oshcc --showme:link); } || fail "--showme flags"
expect 0 '^2 PEs' oshrun --quiet -np 2 ./by-flags

# A response file that is passed on, and one from which a word must go.
printf -- '-O2 hello.c\n-o "in a file"' >args
oshcc @args || fail "@args"
expect 0 '^2 PEs' oshrun --quiet -np 2 './in a file'
printf -- '-pie hello.o -o pie' >args
oshcc @args || fail "@args with -pie"
expect 0 '^2 PEs' oshrun --quiet -np 2 ./pie

# A program that calls nothing of OpenSHMEM is an ordinary one when started directly.
echo 'int main(int c, char **v) { (void)v; return 40 + c; }' | oshcc -x c - -o ordinary || fail "stdin"
./ordinary one
status=$?
[ $status -eq 42 ] || fail "started directly: status $status"
finish
