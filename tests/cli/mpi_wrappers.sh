#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The wrappers with names of MPI: the habits of Open MPI's and MPICH's, what is linked, and what CMake's FindMPI,
# pkg-config, autoconf and Meson find.
# shellcheck disable=SC2016,SC2046,SC2086 # text for others; words
. "$(dirname "$0")/lib.sh"
export PATH=$bin/wrappers:$PATH
unset CC CXX FC PKG_CONFIG_PATH CMAKE_PREFIX_PATH
skip() { # COMMAND: it is not there
    command -v "$1" >/dev/null && return 1
    echo "no $1: not tested with it"
}
run() { # COMMAND...: it must end with 0
    "$@" >out 2>&1 </dev/null || fail "$*: $(tail -n 20 out)"
}
cat >ring.c <<'C'
#include <mpi.h>
#include <stdio.h>
int pass(int value);
int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    pass(me);
    printf("rank %d: %d\n", me, pass(me));
    MPI_Finalize();
    return 0;
}
C
cat >pass.c <<'C'
#include <mpi.h>
#ifdef __cplusplus
extern "C"
#endif
int pass(int value);
int pass(int value)
{
    static int calls;
    int me, n, got;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Request no = MPI_REQUEST_NULL;
    (void)no;
    PMPI_Send(&value, 1, MPI_INT, (me + 1) % n, 3, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, (me + n - 1) % n, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got * 10 + ++calls;
}
C
sed 's/^int pass/extern "C" int pass/' ring.c >ring.cpp
rings() { # PROGRAM: its ranks pass their numbers round
    for way in dlopen swap; do
        expect 0 '^rank 0: 22$' mpirun --quiet -np 3 --privatize=$way "$1"
        grep -qx 'rank 2: 12' out || fail "$1 by $way: $(cat out)"
    done
    expect 0 '^rank 0: 2$' "$1"
}

# --- compiling and linking ---------------------------------------------------------------------------------
run mpicc -Wall -Wextra -Wpedantic -Werror ring.c pass.c -o whole
rings ./whole
for cxx in mpicxx mpic++ mpiCC; do
    run $cxx -Wall -Wextra -Werror -x c++ ring.cpp pass.c -o cxx
    rings ./cxx
done
run mpicc -c ring.c pass.c
run ar rcs libring.a ring.o
run ar rcs libpass.a pass.o
run mpicc -o archives -L. -lring -lpass # main is in an archive
rings ./archives
run mpicc -shared pass.o -o libpass.so
run mpicc ring.o -L"$work" -lpass -Wl,-rpath,'$ORIGIN' -o shared
rings ./shared
run oshcc ring.c pass.c -o whole # all wrappers are for both
rings ./whole

expect 0 'left out -lmpich -lmpi -lmpifort -lmpi_cxx: ' mpicc ring.c pass.c -lmpich -lmpi -lmpifort -lmpi_cxx \
    -pthread -lm -o dropped
rings ./dropped
expect 0 'left out /opt/none/libmpi.so.40: ' mpicc ring.c pass.c /opt/none/libmpi.so.40 \
    -Wl,-rpath,/opt/none -o dropped
[ -z "$(mpicc ring.c pass.c "$build/lib/pgasim/mpi/lib/libmpi.so" -lmpi_abi -o dropped 2>&1)" ] ||
    fail "our own libmpi.so is left out with a message"
rings ./dropped
run gcc $(mpicc -showme:compile) ring.c pass.c -o by-flags $(mpicc -showme:link)
rings ./by-flags
run $(mpicc -compile_info) -c ring.c -o r.o
run $(mpicc -link_info) r.o pass.o -o infos
rings ./infos

# --- what they answer ----------------------------------------------------------------------------------------
for w in mpicc mpicc_abi mpicxx mpic++ mpiCC; do
    for ask in -show --show -showme --showme -compile_info -compile-info -link_info -link-info; do
        expect 0 '^(gcc|g\+\+) ' $w $ask
    done
    for part in compile:-I link:-shared 'command:g(cc|\+\+)$' incdirs:/ libdirs:/ libs:pgasim 'version:pgasim [0-9]' \
        help:usage; do
        for dash in - --; do
            expect 0 "^${part#*:}" $w ${dash}showme:"${part%%:*}"
        done
    done
    expect 0 . $w --version
    expect 0 '^gcc .*|^g\+\+ .*' $w -show -c x.c
done
expect 0 '^gcc .* x.c .*-mpe=mpilog' mpicc -show x.c -mpe=mpilog
expect 0 '^mine a ' mpicc -cc="mine a" -show x.c
expect 0 '^mine ' mpicxx -cxx=mine -show
expect 0 '^mine ' mpifort -fc=mine -show
mpicc -show -static_mpi x.c | grep -q static_mpi && fail "-static_mpi is passed on"
for name in OMPI MPICH; do
    expect 0 '^mine$' env ${name}_CC=mine mpicc -showme:command
    expect 0 '^mine$' env ${name}_CXX=mine mpic++ -showme:command
    expect 0 '^mine$' env ${name}_FC=mine mpif90 -showme:command
    expect 0 '^ours$' env ${name}_CC=mine PGASIM_CC=ours mpicc -showme:command
    expect 0 '^gcc$' env ${name}_CC=mine oshcc -showme:command
    expect 0 '^gcc$' env ${name}_CC=mpicc mpicc -showme:command # CMake's FindMPI does so
done
command -v clang >/dev/null && run env MPICH_CC=clang mpicc ring.c pass.c -o clang && rings ./clang

# --- a project of other people, built by everything that looks for an MPI ----------------------------------------
expect 0 '^mpicc mpicxx mpirun mpiexec oshcc$' pgasim env sh -c \
    'echo "${MPICC##*/} ${MPICXX##*/} ${MPIRUN##*/} ${MPIEXEC##*/} ${CC##*/}"'
if ! skip cmake; then
    cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(ring C CXX)
find_package(MPI REQUIRED COMPONENTS C CXX)
if(NOT MPI_C_VERSION STREQUAL "5.0")
  message(FATAL_ERROR "version ${MPI_C_VERSION}")
endif()
add_library(pass SHARED pass.c)
target_link_libraries(pass PRIVATE MPI::MPI_C)
add_executable(ring ring.c)
target_link_libraries(ring pass MPI::MPI_C)
add_executable(cxx ring.cpp pass.c)
target_link_libraries(cxx MPI::MPI_CXX MPI::MPI_C)
enable_testing()
foreach(t ring cxx)
  add_test(NAME ${t} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${t}>
           ${MPIEXEC_POSTFLAGS})
endforeach()
C
    w=$bin/wrappers
    for how in "pgasim env cmake" "pgasim env cmake -DMPI_C_COMPILER=$w/mpicc -DMPI_CXX_COMPILER=mpicxx" \
        "cmake -DCMAKE_C_COMPILER=mpicc -DCMAKE_CXX_COMPILER=mpicxx" \
        "cmake -DCMAKE_C_COMPILER=$w/oshcc -DCMAKE_CXX_COMPILER=$w/mpic++ -DMPI_C_COMPILER=$w/mpicc" \
        "cmake -DCMAKE_C_COMPILER=mpicc -DCMAKE_CXX_COMPILER=mpicxx -DMPI_HOME=$build/lib/pgasim/mpi"; do
        rm -rf by-cmake
        run $how -B by-cmake
        grep -q Warning out && fail "$how: $(cat out)"
        run cmake --build by-cmake
        grep -q 'left out' out && fail "$how: $(cat out)"
        rings by-cmake/ring
        rings by-cmake/cxx
        run env --chdir=by-cmake ctest
    done
fi
if ! skip pkg-config; then
    for name in mpi ompi mpich ompi-c mpi-cxx; do
        run pgasim env sh -c "mpicc ring.c pass.c -o by-pc \$(pkg-config --cflags --libs $name)"
        [ -s out ] && fail "$name.pc: $(cat out)"
        rings ./by-pc
    done
fi
if ! skip meson && ! skip ninja; then
    cat >meson.build <<'C'
project('ring', 'c', 'cpp')
mpi = dependency('mpi', language: 'c')
part = library('pass', 'pass.c', dependencies: mpi)
ring = executable('ring', 'ring.c', link_with: part, dependencies: mpi)
cxx = executable('cxx', 'ring.cpp', link_with: part, dependencies: dependency('mpi', language: 'cpp'))
test('ring', find_program('mpirun'), args: ['-np', '3', ring])
C
    run pgasim env meson setup by-meson
    run pgasim env ninja -C by-meson
    rings by-meson/ring
    rings by-meson/cxx
    run pgasim env meson test -C by-meson
fi
if ! skip autoreconf; then # what AX_MPI does
    mkdir by-autoconf && cp ring.c pass.c by-autoconf
    cat >by-autoconf/configure.ac <<'C'
AC_INIT([ring], [1])
AC_ARG_VAR(MPICC, [MPI C compiler])
AC_CHECK_PROGS(MPICC, mpicc hcc mpxlc_r mpxlc mpcc cmpicc, $CC)
CC="$MPICC"
AC_PROG_CC
if test x = x"$MPILIBS"; then
    AC_CHECK_FUNC(MPI_Init, [MPILIBS=" "])
fi
AC_CHECK_LIB(mpi, MPI_Init, [], [AC_MSG_ERROR([no -lmpi])])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]])], [], [AC_MSG_ERROR([no mpi.h])])
test x = x"$MPILIBS" && AC_MSG_ERROR([no MPI])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
C
    printf 'ring: ring.o pass.o\n\t@CC@ -o ring ring.o pass.o @LIBS@\n.c.o:\n\t@CC@ -c $<\n' >by-autoconf/Makefile.in
    run env --chdir=by-autoconf autoreconf
    run env --chdir=by-autoconf ./configure # with the wrappers on PATH alone
    run make -C by-autoconf
    rings by-autoconf/ring
fi
finish
