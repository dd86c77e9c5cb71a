#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# make, autotools, CMake, Meson and pkg-config build projects, as they are, with what `make install` left in a
# moved folder: under `pgasim env`, and, where they look for pgasim themselves, without it.
# shellcheck disable=SC2016 # text for other shells and for makefiles
. "$(dirname "$0")/lib.sh"
cmake --install "$build" --prefix "$work/first" >log 2>&1 || fail "install: $(tail -n 3 log)"
mv first "moved"
bin=$work/moved/bin
PATH=$bin:${PATH#*:}
unset CC CXX FC CFLAGS LDFLAGS MAKEFLAGS PKG_CONFIG_PATH CMAKE_PREFIX_PATH

skip() { # COMMAND: it is not there
    command -v "$1" >/dev/null && return 1
    echo "no $1: not tested with it"
}
run() { # COMMAND...: it must end with 0; its output is shown if not
    "$@" >out 2>&1 </dev/null || fail "$*: $(tail -n 20 out)"
}
greets() { # PROGRAM: it was built for pgasim
    expect 0 '^3 PEs, their numbers add up to 3$' pgasim run --quiet -np 3 "$1"
    expect 0 '^1 PEs, their numbers add up to 0$' "$1"
    [ "$(wc -l <out)" -eq 1 ] || fail "$1, started directly, says more: $(cat out)"
}
project() { # NAME: makes a folder with hello.c, and goes there
    mkdir -p "$work/$1" && cd "$work/$1" || exit 1
    cp "$top/examples/hello/hello.c" .
}

# --- what env sets -------------------------------------------------------------------------------------
expect 0 "^CC=$work/moved/lib/pgasim/wrappers/oshcc$" pgasim env --print
grep -q '^    calls gcc$' out || fail "env --print: $(cat out)"
expect 0 "^CC=.*oshcc$" pgasim env --print true
expect 0 '^oshcc:clang$' env CC=clang pgasim env sh -c 'echo "${CC##*/}:$PGASIM_CC"'
expect 0 '^oshcc:gcc-9 -m64$' env CC=mpicc PGASIM_CC='gcc-9 -m64' \
    pgasim env sh -c 'echo "${CC##*/}:$PGASIM_CC"'
expect 0 '^oshcc:$' env CC=/opt/bin/mpicc pgasim env sh -c 'echo "${CC##*/}:$PGASIM_CC"'
expect 0 '^oshcc oshc\+\+ mpicc oshrun$' \
    pgasim env sh -c 'echo "${CC##*/} ${CXX##*/} ${MPICC##*/} ${OSHRUN##*/}"'
eval "$(pgasim env)"
[ "$CC" = "$work/moved/lib/pgasim/wrappers/oshcc" ] || fail "eval: CC=$CC"
[ "$(pgasim env sh -c 'echo "$PATH"')" = "$PATH" ] || fail "PATH grows"
for v in $(pgasim env | sed -n 's/^export \([A-Z0-9a-z_]*\)=.*/\1/p'); do
    [ "$v" = PATH ] || unset "$v"
done
PATH=$bin:${PATH#*:*:}
hash -r

# --- make ------------------------------------------------------------------------------------------------
project make
echo 'hello: hello.o' >Makefile
run pgasim env make
greets ./hello
rm -f hello hello.o
printf 'CC = gcc\nhello: hello.o\n\t$(CC) hello.o -o hello -loshmem\n' >Makefile # sets CC itself
expect 0 'left out -loshmem: ' pgasim env make CC=oshcc
greets ./hello

# --- CMake -----------------------------------------------------------------------------------------------
cmake_lists() {
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(hello C%s)\n' "$1"
    cat
}
if ! skip cmake; then
    project cmake
    cmake_lists '' >CMakeLists.txt <<'C'
find_library(SHMEM_LIBRARY NAMES oshmem sma)
find_path(SHMEM_INCLUDE shmem.h)
find_program(SHMEM_RUN oshrun)
add_executable(hello hello.c)
target_include_directories(hello PRIVATE ${SHMEM_INCLUDE})
target_link_libraries(hello ${SHMEM_LIBRARY})
enable_testing()
add_test(NAME alone COMMAND hello)
add_test(NAME four COMMAND ${SHMEM_RUN} -np 4 $<TARGET_FILE:hello>)
C
    run pgasim env cmake -B build
    run cmake --build build # later, without the environment
    greets build/hello
    run ctest --test-dir build --output-on-failure

    project cmake_package
    cat >part.c <<'C'
int part(void) { static int calls; return ++calls; }
C
    cat >main.cpp <<'C'
#include <cstdio>
#include <shmem.h>
extern "C" int part(void);
inline int &shared() { static int n = 40; return n; }
int main()
{
    shmem_init();
    shared() += part() + shmem_my_pe();
    shmem_barrier_all();
    std::printf("%d\n", shared());
    shmem_finalize();
}
C
    cmake_lists ' CXX' >CMakeLists.txt <<'C'
find_package(pgasim @VERSION@ REQUIRED)
add_library(part SHARED part.c)
target_link_libraries(part PRIVATE pgasim::pgasim)
add_executable(hello hello.c)
target_link_libraries(hello PRIVATE pgasim::pgasim)
add_executable(both main.cpp)
target_link_libraries(both PRIVATE part pgasim::pgasim)
enable_testing()
add_test(NAME four COMMAND ${pgasim_COMMAND} run -np 4 $<TARGET_FILE:hello>)
add_test(NAME three COMMAND ${pgasim_RUN} -np 3 $<TARGET_FILE:hello>)
C
    sed -i "s/@VERSION@/$(pgasim --version | sed 's/pgasim \([0-9]*\.[0-9]*\).*/\1/')/" CMakeLists.txt
    wrappers=$work/moved/lib/pgasim/wrappers
    for how in "" "-DCMAKE_C_COMPILER=$wrappers/oshcc -DCMAKE_CXX_COMPILER=$wrappers/oshc++" \
        "$(command -v clang++ >/dev/null && echo -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)"; do
        rm -rf build
        # shellcheck disable=SC2086 # words
        run cmake -B build -DCMAKE_PREFIX_PATH="$work/moved" $how
        run cmake --build build
        greets build/hello
        for way in dlopen swap; do
            expect 0 '^43$' pgasim run --quiet -np 3 --privatize=$way build/both
            grep -qx 41 out || fail "find_package $how: ranks share data by $way: $(cat out)"
        done
        run ctest --test-dir build --output-on-failure
    done
    # A later minor version has all of an earlier one; an earlier one does not have all of a later one.
    major=$(pgasim --version | sed 's/pgasim \([0-9]*\).*/\1/')
    sed -i "s/$(pgasim --version | sed 's/pgasim //')/$major.7.3/" "$work/moved/lib/cmake/pgasim/pgasimConfigVersion.cmake"
    for asked in $major $major.0 $major.7 $major.8 $((major + 1)); do
        sed -i "s/pgasim [0-9.]* REQUIRED/pgasim $asked REQUIRED/" CMakeLists.txt
        rm -rf build
        case $asked in
        "$major" | *.[07]) expect 0 'Build files have been written' cmake -B build -DCMAKE_PREFIX_PATH="$work/moved" ;;
        *) expect 1 'that is compatible' cmake -B build -DCMAKE_PREFIX_PATH="$work/moved" ;;
        esac
    done
fi

# --- pkg-config ------------------------------------------------------------------------------------------
if ! skip pkg-config; then
    project pkg_config
    export PKG_CONFIG_PATH=$work/moved/lib/pkgconfig
    [ "$(pkg-config --modversion pgasim)" = "$(pgasim --version | cut -d ' ' -f 2)" ] || fail "modversion"
    # The flags are those of the wrapper.
    places() { sed "s,$work/moved/lib/pkgconfig/../..,$work/moved,g"; }
    diff <(pkg-config --libs pgasim | places | xargs -n 1 | sort) \
        <(pgasim cc --showme:link | xargs -n 1 | sort) >log ||
        fail "pkg-config --libs: $(cat log)"
    diff <(pkg-config --cflags pgasim | places | xargs -n 1 | sort) \
        <(PGASIM_CC=gcc pgasim cc --showme:compile | xargs -n 1 | sort) >log ||
        fail "pkg-config --cflags: $(cat log)"
    # shellcheck disable=SC2046 # words
    run gcc $(pkg-config --cflags pgasim) -o hello hello.c $(pkg-config --libs pgasim)
    greets ./hello
    unset PKG_CONFIG_PATH
    for name in oshmem sandia-openshmem; do
        run pgasim env sh -c "oshcc -o $name hello.c \$(pkg-config --cflags --libs $name)"
        greets ./$name
    done
fi

# --- Meson -----------------------------------------------------------------------------------------------
if ! skip meson && ! skip ninja; then
    project meson
    cat >meson.build <<'C'
project('hello', 'c', 'cpp')
oshmem = dependency('oshmem')
hello = executable('hello', 'hello.c', dependencies: oshmem)
test('alone', hello)
test('four', find_program('oshrun'), args: ['-np', '4', hello])
C
    run pgasim env meson setup build
    run pgasim env ninja -C build
    greets build/hello
    run pgasim env meson test -C build
    printf "%s\n" "project('hello', 'c')" \
        "executable('hello', 'hello.c', dependencies: dependency('pgasim'))" >meson.build
    rm -rf build
    run env PKG_CONFIG_PATH="$work/moved/lib/pkgconfig" CC=gcc meson setup build
    run ninja -C build
    greets build/hello
fi

# --- autotools: run-time probes, libtool, make check ---------------------------------------------------
if ! skip autoreconf && ! skip automake && ! skip libtoolize; then
    project autotools
    cat >configure.ac <<'C'
AC_INIT([hello], [1])
AM_INIT_AUTOMAKE([foreign])
LT_INIT
AC_PROG_CC
AC_CHECK_HEADERS([shmem.h], [], [AC_MSG_ERROR([no shmem.h])])
AC_SEARCH_LIBS([shmem_init], [oshmem sma], [], [AC_MSG_ERROR([no OpenSHMEM])])
AC_CHECK_FUNC([MPI_Init], [], [AC_MSG_ERROR([no MPI])])
AC_CHECK_LIB([mpi], [MPI_Init], [], [AC_MSG_ERROR([no MPI library])])
AC_CHECK_SIZEOF([long])
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <shmem.h>
#include <stdio.h>]], [[FILE *f = fopen("conftest.ran", "a");
fputs("once\n", f), fclose(f);
shmem_init();
int n = shmem_n_pes();
shmem_finalize();
return n != 1;]])], [test "`cat conftest.ran`" = once || AC_MSG_ERROR([the probe ran twice])],
    [AC_MSG_ERROR([the probe failed])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
C
    cat >Makefile.am <<'C'
lib_LTLIBRARIES = libpart.la
libpart_la_SOURCES = part.c
bin_PROGRAMS = hello
hello_LDADD = libpart.la
check_PROGRAMS = fails skips reads
TESTS = hello fails skips reads
XFAIL_TESTS = fails
C
    echo 'int part(void) { static int calls; return ++calls; }' >part.c
    sed -i 's/^int main/int part(void);\nint main/' hello.c
    sed -i 's/shmem_init();/shmem_init(); if (part() != 1) return 9;/' hello.c
    for ends in "fails return 3" "skips return 77" "reads return getchar() != EOF"; do
        printf '#include <shmem.h>\n#include <stdio.h>\n%s%s; }\n' \
            'int main(void) { shmem_init(); shmem_finalize(); ' "${ends#* }" >"${ends%% *}.c"
    done
    run autoreconf -i
    run pgasim env ./configure
    run make
    expect 0 '^# PASS:  2$' make check </dev/null
    for line in '^# SKIP:  1$' '^# XFAIL: 1$' '^# FAIL:  0$'; do
        grep -q "$line" out || fail "make check: no '$line' in $(cat out)"
    done
    sed '/^XFAIL\|^$/d' fails.log | grep -q . && fail "a test that fails says: $(cat fails.log)"
    run make install DESTDIR="$work/autotools/there"
    expect 0 '^3 PEs' env LD_LIBRARY_PATH="$work/autotools/there/usr/local/lib" pgasim run --quiet -np 3 \
        "$work/autotools/there/usr/local/bin/hello"
fi

# --- Fortran: parts of a program, and nothing that calls OpenSHMEM -------------------------------------
if ! skip gfortran; then
    project fortran
    cat >part.f90 <<'C'
integer function twice(n) bind(c)
  use iso_c_binding
  integer(c_int), value :: n
  integer, save :: calls = 0
  calls = calls + 1
  twice = 2 * n * calls
end function
C
    cat >main.c <<'C'
#include <shmem.h>
#include <stdio.h>
int twice(int n);
int main(void) { shmem_init(); printf("%d\n", twice(shmem_my_pe() + 1)); shmem_finalize(); }
C
    run pgasim env sh -c '$FC -c part.f90 && $CC -c main.c && $FC main.o part.o -o both'
    run pgasim env sh -c '$CC main.o part.o -lgfortran -o too'
    for way in dlopen swap; do
        expect 0 '^6$' pgasim run --quiet -np 3 --privatize=$way ./both
        grep -qx 2 out || fail "Fortran's saved data is shared by $way: $(cat out)"
    done
    cat >lost.f90 <<'C'
integer function kept(n) bind(c, name="twice")
  use iso_c_binding
  integer(c_int), value :: n
  integer(c_int), allocatable :: freed(:)
  integer(c_int), pointer :: lost(:)
  allocate(freed(100 * n), lost(10))
  freed = 1
  lost = 2
  kept = sum(freed) + sum(lost)
end function
C
    run pgasim env sh -c '$FC -g -c lost.f90 && $CC -g -c main.c && $FC main.o lost.o -o lost'
    expect 0 '^320$' pgasim run --quiet --leaks -np 3 ./lost
    grep -q 'leak: ranks 0-2: 40 bytes in 1 block each; allocated in .*lost.f90:6' out ||
        fail "a pointer that Fortran does not deallocate: $(cat out)"
    printf 'program p\ncall shmem_init()\nend program\n' >calls.f90
    expect 1 'undefined reference to .shmem_init_' pgasim fc calls.f90 -o calls
fi
expect 0 '^FC is left alone$' env PATH="$bin:$work/none" "$bin/pgasim" env --print

# --- another user, a folder that cannot be written -----------------------------------------------------
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    project user
    chmod 755 "$work" && chmod -R go+rX "$work/moved" && chmod 777 .
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent)
    echo 'hello: hello.c' >Makefile
    run "${as_nobody[@]}" "$bin/pgasim" env make
    greets ./hello
    chmod 755 .
    expect 0 '^1 PEs' "${as_nobody[@]}" ./hello
    expect 0 '^4 PEs' "${as_nobody[@]}" "$bin/pgasim" run --quiet -np 4 ./hello
else
    echo "not root, or no setpriv: not tested as another user"
fi
finish
