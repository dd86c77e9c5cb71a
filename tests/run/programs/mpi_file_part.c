/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective accesses in which one member's part fails: its call fails, and the others' are complete, with all their
 * data. Rank 0 writes more than its disk's quota, then rank 1 passes a count below 0.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 4 -platform $DIR/mpi_file_time.xml --map-by host -- $W/file
// stdout: done
// run: -np 4 -- $W/file
// stdout: done
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1000 };
static const MPI_Offset far = 900 * 1000 * 1000;
static int me, limited;
static char data[SIZE], back[SIZE];
static MPI_File f;

static void is(const char *what, int got, int wanted)
{
    if (got == wanted)
        return;
    printf("rank %d: %s is %d, expected %d\n", me, what, got, wanted);
    exit(1);
}

static void fails(const char *what, int rc, int wanted)
{
    int class = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &class);
    is(what, class, wanted);
}

/* What the access before has written, of the ranks to whom it did not fail. */
static void check(const char *what, int failed, MPI_Offset offset)
{
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < SIZE; k++)
        back[k] = 0;
    if (me != failed)
        fails(what, MPI_File_read_at(f, offset, back, SIZE, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (int k = 0; k < SIZE && me != failed; k++)
        is(what, back[k], data[k]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < SIZE; k++)
        data[k] = (char)(data[k] + 3);
}

/* Each form of a collective write at an offset, of which rank `failed` is refused. */
static void write_all(int failed, MPI_Offset offset, int count, int class)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int wanted = me == failed ? class : MPI_SUCCESS;
    MPI_Offset mine = me == failed ? offset : (MPI_Offset)me * SIZE;
    int n = me == failed ? count : SIZE;
    fails("a blocking write", MPI_File_write_at_all(f, mine, data, n, MPI_BYTE, MPI_STATUS_IGNORE), wanted);
    check("a blocking write", failed, mine);
    fails("a nonblocking write", MPI_File_iwrite_at_all(f, mine, data, n, MPI_BYTE, &r), wanted);
    is("the refused request is MPI_REQUEST_NULL", r == MPI_REQUEST_NULL, me == failed);
    fails("its end", MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check("a nonblocking write", failed, mine);
    fails("a split write", MPI_File_write_at_all_begin(f, mine, data, n, MPI_BYTE), wanted);
    fails("its end", MPI_File_write_at_all_end(f, data, MPI_STATUS_IGNORE),
          me == failed ? MPI_ERR_OTHER : MPI_SUCCESS);
    check("a split write", failed, mine);
}

/* Who is refused takes no place among the others. */
static void write_ordered(int failed)
{
    MPI_Offset at = (MPI_Offset)(me - (me > failed)) * SIZE;
    fails("an ordered write",
          MPI_File_write_ordered(f, data, me == failed ? -1 : SIZE, MPI_BYTE, MPI_STATUS_IGNORE),
          me == failed ? MPI_ERR_COUNT : MPI_SUCCESS);
    check("an ordered write", failed, at);
}

/* A file may be closed while the others' access, of which this rank's part failed, is under way. */
static void leave(int failed)
{
    MPI_Request r = MPI_REQUEST_NULL;
    fails("a nonblocking write",
          MPI_File_iwrite_at_all(f, (MPI_Offset)me * SIZE, data, me == failed ? -1 : SIZE, MPI_BYTE, &r),
          me == failed ? MPI_ERR_COUNT : MPI_SUCCESS);
    fails("its end", MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    fails("closing", MPI_File_close(&f), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < SIZE; k++)
        data[k] = (char)(k * 7 + me);
    fails("open", MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f),
          MPI_SUCCESS);
    char name[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(name, &length);
    limited = name[0] == 'a' && !name[1];
    MPI_Bcast(&limited, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (limited)
        write_all(0, far, SIZE, MPI_ERR_QUOTA);
    write_all(1, SIZE, -1, MPI_ERR_COUNT);
    write_ordered(2);
    leave(3);
    if (!me) {
        MPI_File_delete(argv[1], MPI_INFO_NULL);
        printf("done\n");
    }
    MPI_Finalize();
    return 0;
}
