/* SPDX-License-Identifier: BSD-3-Clause */
/* --leaks: objects of MPI that were not freed, by the call that made them. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 3 --leaks -- none
// stderr-not: communicator|datatype|group
// run: -np 3 --leaks -- some
// stderr-match: leak: ranks 0-2: 2 communicators each, made by MPI_Comm_dup in main, mpi_leaks.c:\d+
// stderr-match: leak: rank 1: 1 datatype, made by MPI_Type_contiguous in main, mpi_leaks.c:\d+
// stderr-match: leak: ranks 0, 2: 1 request each, made by MPI_Send_init in main, mpi_leaks.c:\d+
// stderr-not: group
// run: -np 3 -- some
// stderr-not: leak
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int me, some = argc > 1 && !strcmp(argv[1], "some");
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Request q;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < 3; k++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (!some || k == 2)
            MPI_Comm_free(&comm);
    }
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_free(&group);
    MPI_Type_create_f90_real(12, MPI_UNDEFINED, &type); /* need not be freed */
    MPI_Type_contiguous(3, MPI_INT, &type);
    if (!some || me != 1)
        MPI_Type_free(&type);
    MPI_Send_init(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &q);
    if (!some || me == 1)
        MPI_Request_free(&q);
    MPI_Info_create(&info);
    MPI_Info_free(&info);
    MPI_Irecv(&me, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
