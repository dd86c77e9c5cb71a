/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members that pass different values where all must pass the same (MPI-5.0 sections 14.2.4, 14.2.5, 14.4.4 and 14.6.1): what is
 * said of each, and whose value holds. Rank 0 calls first.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 3 -- $W/file size
// stdout: size: 1000
// stderr-match: ^pgasim: warning: rank [12] .*MPI_File_set_size: the members' sizes differ for .*/file: rank 1 passes 1001, rank 0 passed 1000
// run: -np 3 -- $W/file space
// stdout: space: 1000
// stderr-match: ^pgasim: warning: rank [12] .*MPI_File_preallocate: the members' sizes differ for .*: rank 1 passes 999, rank 0 passed 1000
// run: -np 3 -- $W/file seek
// stdout: seek: 1000
// stderr-match: ^pgasim: warning: rank [12] .*MPI_File_seek_shared: the members' offsets differ for .*: rank 1 passes 1001, rank 0 passed 1000
// run: -np 3 -- $W/file whence
// stdout: whence: 10
// stderr-match: ^pgasim: warning: rank [12] .*MPI_File_seek_shared: the members' values of whence differ for .*: rank 2 passes [0-9]
// run: -np 3 -- $W/file atomic
// stdout: atomic: 0
// stderr-match: ^pgasim: warning: rank [12] .*MPI_File_set_atomicity: the members' flags differ for .*: rank 1 passes 1, rank 0 passed 0
// misuse: warning misuse/collective-arguments -np 3 -- $W/file size
// run: -np 3 -- $W/file alike
// stdout: alike: 30
// stderr-not: misuse
// run: -np 3 -- $W/file refused
// stdout: refused: 10
// stderr-not: misuse
// shell: cd $W; for what in size seek; do $RUN -q --check=races -np 3 $EXE file $what > log 2>&1; echo $?; grep 'error:' log | sed "s,$(pwd -P)/,,; s/(host.*: MPI/MPI/"; done
// stdout: 7
// stdout: pgasim: error: rank 1 MPI_File_set_size: the members' sizes differ for file: rank 1 passes 1001, rank 0 passed 1000 (misuse/collective-arguments)
// stdout: 7
// stdout: pgasim: error: rank 1 MPI_File_seek_shared: the members' offsets differ for file: rank 1 passes 1001, rank 0 passed 1000 (misuse/collective-arguments)
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int me, flag = 0;
    MPI_File f;
    MPI_Offset result = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const char *what = argv[argc - 1];
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    MPI_File_set_size(f, 10);
    usleep(1000 * (useconds_t)me);
    if (!strcmp(what, "size"))
        MPI_File_set_size(f, 1000 + me % 2);
    if (!strcmp(what, "space"))
        MPI_File_preallocate(f, 1000 - me);
    if (!strcmp(what, "seek"))
        MPI_File_seek_shared(f, 1000 + me, MPI_SEEK_SET);
    if (!strcmp(what, "whence"))
        MPI_File_seek_shared(f, 0, me < 2 ? MPI_SEEK_END : MPI_SEEK_SET);
    if (!strcmp(what, "atomic"))
        MPI_File_set_atomicity(f, me == 1);
    if (!strcmp(what, "refused")) /* is an error of its own */
        MPI_File_set_size(f, me ? 10 : -1);
    if (!strcmp(what, "alike")) {
        MPI_File_set_atomicity(f, 1 + me);
        MPI_File_preallocate(f, 20);
        MPI_File_set_size(f, 30);
        MPI_File_seek_shared(f, 0, MPI_SEEK_END);
    }
    MPI_File_get_size(f, &result);
    if (*what == 'w' || !strcmp(what, "seek"))
        MPI_File_get_position_shared(f, &result);
    MPI_File_get_atomicity(f, &flag);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!me)
        printf("%s: %lld\n", what, *what == 'a' && what[1] == 't' ? flag : (long long)result);
    MPI_File_close(&f);
    MPI_Finalize();
    return 0;
}
