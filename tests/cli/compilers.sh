#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The wrappers with other compilers and linkers, and the options that they answer themselves.
# shellcheck disable=SC2015,SC2016,SC2086 # words; text for others; what fails is said once
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

# What configure scripts, CMake and Meson ask a compiler, and the ways in which builds call it.
for wrapper in oshcc "pgasim cc"; do
    for ask in -show --show -showme --showme -compile_info --compile_info -compile-info \
        -link_info --link_info -link-info; do
        expect 0 '^gcc ' $wrapper $ask
        [ "$(wc -l <out)" -eq 1 ] || fail "$wrapper $ask: $(cat out)"
    done
done
for part in command:gcc compile:-I link:-shared incdirs:/ libdirs:/ libs:pgasim 'version:pgasim [0-9]' \
    help:usage; do
    for dash in - --; do
        expect 0 "^${part#*:}" oshcc ${dash}showme:"${part%%:*}"
    done
done
# shellcheck disable=SC2046 # words
{ $(oshcc -compile_info) -c hello.c -o infos.o && $(oshcc -link_info) infos.o -o infos; } ||
    fail "-compile_info, -link_info"
expect 0 '^2 PEs' oshrun --quiet -np 2 ./infos
same() { # OPTION...: the wrapper says what the compiler says
    diff <(gcc "$@" 2>&1 </dev/null) <(oshcc "$@" 2>&1 </dev/null) >log || fail "oshcc $*: $(head -n 5 log)"
}
for ask in --version -v -dumpversion -dumpfullversion -dumpmachine -dumpspecs -print-search-dirs \
    -print-libgcc-file-name -print-file-name=libc.so -print-prog-name=ld -print-multi-os-directory \
    -print-sysroot --help=warnings --target-help -V -qversion -version; do
    same $ask
done
same -Q --help=optimizers -O2
expect 0 "__GNUC__ [0-9]" oshcc -dM -E -x c /dev/null
expect 0 "include.*search starts here" oshcc -E -P -v -x c /dev/null -o /dev/null
expect 0 'GNU ld' oshcc -Wl,--version
expect 0 'collect2.* -shared .*pgasim_crt.o' oshcc -### hello.c
expect 0 'shmem_init' oshcc -E hello.c
expect 0 '^hello.o: hello.c' oshcc -M hello.c
expect 0 '/include/shmem\.h' oshcc -M hello.c # the compiler breaks lines where the paths' lengths tell it to
oshcc -MM hello.c -MT x.o -MF made.d && grep -q '^x.o: hello.c' made.d || fail "-MM -MT -MF"
mkdir -p a/b
{ (cd a && oshcc -MMD -MP -MF b/x.d -c ../hello.c -o b/x.o) && oshcc a/b/x.o -o a/b/x && [ -s a/b/x.d ]; } ||
    fail "-o elsewhere"
expect 0 '^2 PEs' oshrun --quiet -np 2 a/b/x
echo 'int more(void) { return 1; }' >more.c
echo 'int more(void); int main(void) { return more() - 1; }' >uses.c
rm -f ./*.o
{ oshcc -c more.c uses.c && oshcc more.o uses.o -o a/uses && ./a/uses; } ||
    fail "several sources, -c without -o"
{ oshcc more.c uses.c && ./a.out; } || fail "several sources, a.out"
{ oshcc -shared -o a/libmore.so more.c && oshcc uses.c -La -lmore -Wl,-rpath,'$ORIGIN' -o a/dynamic &&
    a/dynamic; } || fail "-shared"
{ oshcc -S -o - uses.c | oshcc -x assembler - -x none more.c -o piped && ./piped; } || fail "-S -o -, -x"
{ cp uses.c uses.strange && oshcc -x c uses.strange more.c -o strange && ./strange; } || fail "-x c"
{ oshcc -x c -fsyntax-only - <uses.c; } || fail "-fsyntax-only -"
echo '#define ANSWER 0' >pre.h
{ oshcc pre.h && [ -s pre.h.gch ] && printf '#include "pre.h"\nint main(void) { return ANSWER; }\n' >pre.c &&
    oshcc -Winvalid-pch -Werror pre.c -o pre && ./pre; } || fail "a precompiled header"
{ oshcc -ftls-model=local-exec -xc - -o tls <<<'__thread int n = 3; int main(void) { return n - 3; }' &&
    ./tls; } || fail "-ftls-model"

# What a build that knows another OpenSHMEM links with is left out, and said once.
expect 0 '^pgasim: left out -loshmem -lopen-pal: ' oshcc hello.c -loshmem -lm -lopen-pal -o dropped
[ "$(grep -c 'left out' out)" -eq 1 ] || fail "left out: $(cat out)"
expect 0 '^2 PEs' oshrun --quiet -np 2 ./dropped
expect 0 'left out /opt/none/libsma.so.1: ' \
    oshcc hello.c /opt/none/libsma.so.1 -Wl,-rpath,/opt/none -o dropped
expect 0 'hello.o -o x.so' oshcc -show -shared hello.o -o x.so -lmpi
grep -qE '^gcc .*-lmpi' out && fail "-show has -lmpi: $(cat out)"
echo 'int main(void) { MPI_Nothing(0, 0); }' >mpi.c
expect 1 'undefined reference to .MPI_Nothing' oshcc -w mpi.c -lmpi
[ -z "$(oshcc -c hello.c -loshmem 2>&1)" ] || fail "-c -loshmem says something"

expect 2 'PGASIM_CC names this command itself' env PGASIM_CC=oshcc oshcc hello.c
expect 2 'PGASIM_CXX names this command itself' env PGASIM_CXX="ccache $bin/pgasim" oshc++ plain.cpp
expect 127 'cannot run the compiler no-such' env PGASIM_FC=no-such oshfort x.f90

# Flags from --showme make a program without the wrapper, as configure scripts use them.
# shellcheck disable=SC2046 # words
{ gcc $(oshcc --showme:compile) -c hello.c && gcc hello.o -o by-flags $(oshcc --showme:link); } ||
    fail "--showme flags"
expect 0 '^2 PEs' oshrun --quiet -np 2 ./by-flags

# A response file that is passed on, and one from which a word must be removed.
printf -- '-O2 hello.c\n-o "in a file"' >args
oshcc @args || fail "@args"
expect 0 '^2 PEs' oshrun --quiet -np 2 './in a file'
printf -- '-pie hello.o -o pie' >args
oshcc @args || fail "@args with -pie"
expect 0 '^2 PEs' oshrun --quiet -np 2 ./pie

# A program that does not call OpenSHMEM is an ordinary one when started directly.
echo 'int main(int c, char **v) { (void)v; return 40 + c; }' | oshcc -x c - -o ordinary || fail "stdin"
./ordinary one
status=$?
[ $status -eq 42 ] || fail "started directly: status $status"
finish
