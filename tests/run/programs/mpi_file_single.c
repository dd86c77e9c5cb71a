/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A filetype whose tiles would lie within one another, because a resized part of it moves its lower bound up (MPI-5.0
 * section 5.1.6): its first tile can be read and written, and there is no second one.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 2 -- $W/file
// stdout: done
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Three ints at 0 to 2, and one at 4 with bounds of its own: bounds [16, 24), so a second tile would begin at 8. */
enum { ITEMS = 4, SPAN = 6, MINE = SPAN * sizeof(int) };
static int me;

static void is(const char *what, long long got, long long wanted)
{
    if (got == wanted)
        return;
    printf("rank %d: %s is %lld, expected %lld\n", me, what, got, wanted);
    exit(1);
}

static MPI_Datatype tile(void)
{
    MPI_Datatype resized, t;
    MPI_Aint lower, extent;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &resized);
    MPI_Type_create_struct(2, (int[]){3, 1}, (MPI_Aint[]){0, 4 * sizeof(int)},
                           (MPI_Datatype[]){MPI_INT, resized}, &t);
    MPI_Type_commit(&t);
    MPI_Type_free(&resized);
    MPI_Type_get_extent(t, &lower, &extent);
    is("the lower bound", lower, 4 * sizeof(int));
    is("the extent", extent, 2 * sizeof(int));
    return t;
}

static int class_of(int rc)
{
    int class = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &class);
    return class;
}

int main(int argc, char **argv)
{
    int out[ITEMS + 1], in[SPAN] = {0};
    MPI_File f;
    MPI_Offset end;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Datatype t = tile();
    for (int k = 0; k <= ITEMS; k++)
        out[k] = 100 * me + k + 1;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_File_set_size(f, 2 * (MPI_Offset)MINE);
    is("setting the view",
       class_of(MPI_File_set_view(f, me * (MPI_Offset)MINE, MPI_INT, t, "native", MPI_INFO_NULL)),
       MPI_SUCCESS);
    is("writing a tile", class_of(MPI_File_write_at_all(f, 0, out, ITEMS, MPI_INT, MPI_STATUS_IGNORE)),
       MPI_SUCCESS);
    is("writing more", class_of(MPI_File_write_at_all(f, 0, out, ITEMS + 1, MPI_INT, MPI_STATUS_IGNORE)),
       MPI_ERR_ARG);
    is("writing behind it", class_of(MPI_File_write_at(f, ITEMS, out, 1, MPI_INT, MPI_STATUS_IGNORE)),
       MPI_ERR_ARG);
    MPI_File_seek(f, 0, MPI_SEEK_END);
    MPI_File_get_position(f, &end);
    is("the end of the view", end, ITEMS);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at_all(f, me * SPAN, in, SPAN, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < SPAN; k++)
        is("an item of the file", in[k], k < 3 ? out[k] : k == 4 ? out[3] : 0);
    MPI_Type_free(&t);
    MPI_File_close(&f);
    if (!me) {
        MPI_File_delete(argv[1], MPI_INFO_NULL);
        printf("done\n");
    }
    MPI_Finalize();
    return 0;
}
