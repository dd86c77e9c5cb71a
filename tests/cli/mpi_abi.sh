#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Objects and libraries that were compiled elsewhere against the MPI standard's ABI: here by gcc without the
# wrappers, with a header that has the ABI's values alone. What is linked with libmpi_abi.so.1, how it is
# found, and what is said of finished programs.
# shellcheck disable=SC2016 # text for the linker
. "$(dirname "$0")/lib.sh"
export PATH=$bin/wrappers:$PATH
run() { # COMMAND...: it must end with 0
    "$@" >out 2>&1 </dev/null || fail "$*: $(tail -n 20 out)"
}
needs() { # FILE NAME: whether the file names that library
    readelf -d "$1" | grep -q "NEEDED.*\[$2\]"
}
mkdir abi
cat >abi/mpi.h <<'C'
/* Values of MPI-5.0, appendix A.2. */
typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal[5]; } MPI_Status;
#define MPI_COMM_WORLD ((MPI_Comm)0x00000101)
#define MPI_INT ((MPI_Datatype)0x00000209)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
int MPI_Init(int *, char ***), MPI_Finalize(void);
int MPI_Comm_rank(MPI_Comm, int *), MPI_Comm_size(MPI_Comm, int *);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int PMPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
C
cat >main.c <<'C'
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
int calls;
int pass(int value)
{
    int me, n, got;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    PMPI_Send(&value, 1, MPI_INT, (me + 1) % n, 3, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, (me + n - 1) % n, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got * 10 + ++calls;
}
C
rings() { # PROGRAM: with ranks, and started by itself
    for way in dlopen swap; do
        expect 0 '^rank 0: 22$' mpirun --quiet -np 3 --privatize=$way "$1"
        grep -qx 'rank 2: 12' out || fail "$1 by $way: $(cat out)"
    done
    expect 0 '^rank 0: 2$' "$1"
}
elsewhere="gcc -Iabi -fPIC"
run $elsewhere -c main.c pass.c
rm -f libpass.a && ar rcs libpass.a pass.o main.o

# Objects and archives.
run mpicc main.o pass.o -o objects
rings ./objects
run mpicc_abi -L. -lpass -lmpi_abi -o archive
rings ./archive
needs archive libmpi_abi.so.1 || fail "mpicc_abi: $(readelf -d archive)"

# A shared library that was linked with -lmpi_abi somewhere, and knows no pgasim.
run $elsewhere -shared pass.o -o libpass.so -L"$build/lib" -lmpi_abi
needs libpass.so libmpi_abi.so.1 || fail "-lmpi_abi: $(readelf -d libpass.so)"
needs libpass.so libpgasim.so && fail "libpass.so names libpgasim.so"
run mpicc main.o -L. -lpass -Wl,-rpath,'$ORIGIN' -o shared
rings ./shared
run mpicc main.o "$work/libpass.so" -Wl,-rpath,'$ORIGIN' -o by-path
rings ./by-path
expect 0 '^by-path: will run' pgasim info by-path
grep -q 'MPI  *6 functions, all of which are modelled' out || fail "info: $(cat out)"
mkdir deep && mv libpass.so deep # a library of a library
echo 'int pass(int), middle(int v); int middle(int v) { return pass(v); }' >middle.c
run $elsewhere -shared middle.c -o libmiddle.so -Ldeep -lpass -Wl,-rpath,'$ORIGIN/deep'
sed 's/pass(/middle(/' main.c >uses.c
run mpicc uses.c -L. -lmiddle -Wl,-rpath,'$ORIGIN' -o deeper
rings ./deeper
cat >opens.c <<'C'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    void *handle = dlopen("./deep/libpass.so", RTLD_NOW);
    int (*pass)(int) = handle ? (int (*)(int))dlsym(handle, "pass") : 0;
    if (!pass)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    pass(me);
    printf("rank %d: %d\n", me, pass(me));
    MPI_Finalize();
    return 0;
}
C
run mpicc opens.c -o opens
rings ./opens

# A library for any MPI.
run mpicc_abi -shared pass.o -o libany.so
{ needs libany.so libmpi_abi.so.1 && ! needs libany.so libpgasim.so; } || fail "mpicc_abi -shared"
run mpicc main.c -L. -lany -Wl,-rpath,'$ORIGIN' -o any
rings ./any

# Every function has both names in it.
nm -D "$build/lib/libmpi_abi.so.1" | awk '$2 == "T" { print $3 }' | grep -E '^P?MPI_' | sort >names
nm -D "$build/lib/libpgasim.so" | awk '$2 == "T" { print $3 }' | grep -E '^P?MPI_[A-Z]' | sort >ours
diff names ours >log || fail "libmpi_abi and libpgasim have other names: $(head -n 5 log)"

# Finished programs are of another kind, whichever MPI they name.
run gcc -Iabi main.c pass.c -o finished -L"$build/lib" -lmpi_abi -Wl,-rpath,"$build/lib"
expect 2 'finished: linked with another MPI \(libmpi_abi.so.1\).*link it again with pgasim.s mpicc' \
    mpirun -n 2 ./finished
expect 5 'built for another library \(libmpi_abi.so.1\)' pgasim info finished
echo 'int main(void) { return 0; }' >nothing.c
for other in libmpi.so.40 libmpich.so.12; do
    run gcc -shared -fPIC -Iabi pass.c -o "$other" -Wl,-soname,$other -Wl,-z,undefs
    run gcc nothing.c -o other -Wl,--no-as-needed "./$other" -Wl,--allow-shlib-undefined
    expect 2 "other: linked with another MPI \\($other\\)" mpirun -n 2 ./other
    [ "$(wc -l <out)" -eq 1 ] || fail "more than one message: $(cat out)"
done
finish
