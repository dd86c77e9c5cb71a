/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes: calls by which processes meet, or start others. Of the root's arguments the other callers' may be anything. A port
 * is named where it was open; a socket is recorded as the rank at its other end.
 */
#include "mpi/recorded/parts.h"
#include "mpi/recorded/recorded.h"

#include <stdlib.h>

/* The call is over. What it has left in the place of the new communicator counts only if it went well. */
static int record(struct mpi_call *c, uint32_t function, struct record_value *v, uint32_t made, int error)
{
    static const MPI_Comm none = MPI_COMM_NULL;
    struct record_words w = {0};
    if (error)
        v[made].p = &none;
    mpi_record_before(c, &w, function, v);
    mpi_record_after(c, &w, function, v, error);
    if (c->told)
        free(c->told->path);
    c->told = NULL;
    return error;
}

typedef int (*meet_fn)(struct mpi_call *c, const char *port_name, MPI_Info info, int root, MPI_Comm comm,
                       MPI_Comm *newcomm);

static int meet(struct mpi_call *c, uint32_t function, meet_fn fn, const char *port_name, MPI_Info info,
                int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    struct mpi_beside told = {0};
    c->told = &told;
    int rc = fn(c, port_name, info, root, comm, newcomm);
    struct record_value v[] = {
        {.p = told.path}, {.i = (int64_t)info}, {.i = root}, {.i = (int64_t)comm}, {.p = newcomm}};
    return record(c, function, v, 4, rc);
}

int mpi_recorded_comm_accept(struct mpi_call *c, const char *port_name, MPI_Info info, int root,
                             MPI_Comm comm, MPI_Comm *newcomm)
{
    return meet(c, RECORD_MPI_COMM_ACCEPT, mpi_comm_accept, port_name, info, root, comm, newcomm);
}

int mpi_recorded_comm_connect(struct mpi_call *c, const char *port_name, MPI_Info info, int root,
                              MPI_Comm comm, MPI_Comm *newcomm)
{
    return meet(c, RECORD_MPI_COMM_CONNECT, mpi_comm_connect, port_name, info, root, comm, newcomm);
}

int mpi_recorded_comm_join(struct mpi_call *c, int fd, MPI_Comm *intercomm)
{
    struct mpi_beside told = {.place = -1};
    c->told = &told;
    int rc = mpi_comm_join(c, fd, intercomm);
    struct record_value v[] = {{.i = told.place}, {.p = intercomm}};
    return record(c, RECORD_MPI_COMM_JOIN, v, 1, rc);
}

int mpi_recorded_comm_spawn(struct mpi_call *c, const char *command, char *argv[], int maxprocs,
                            MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm,
                            int array_of_errcodes[])
{
    int rc = mpi_comm_spawn(c, command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
    struct record_value v[] = {
        {0}, {0}, {.i = maxprocs}, {.i = (int64_t)info}, {.i = root}, {.i = (int64_t)comm}, {.p = intercomm},
        {0}};
    return record(c, RECORD_MPI_COMM_SPAWN, v, 6, rc);
}

int mpi_recorded_comm_spawn_multiple(struct mpi_call *c, int count, char *array_of_commands[],
                                     char **array_of_argv[], const int array_of_maxprocs[],
                                     const MPI_Info array_of_info[], int root, MPI_Comm comm,
                                     MPI_Comm *intercomm, int array_of_errcodes[])
{
    int rc = mpi_comm_spawn_multiple(c, count, array_of_commands, array_of_argv, array_of_maxprocs,
                                     array_of_info, root, comm, intercomm, array_of_errcodes);
    struct record_value v[] = {{.i = count},     {0}, {0}, {0}, {0}, {.i = root}, {.i = (int64_t)comm},
                               {.p = intercomm}, {0}};
    return record(c, RECORD_MPI_COMM_SPAWN_MULTIPLE, v, 7, rc);
}
