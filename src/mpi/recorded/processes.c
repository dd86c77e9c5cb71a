/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes: calls by which processes meet, or start others. Of the root's arguments the other callers' may be anything. A port
 * is named where it was open; a socket is recorded as the rank at its other end.
 */
#include "mpi/process/process.h"
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

/* --- started processes ------------------------------------------------------------------------------------ */

/* The members have the root's arguments in their places, or anything: what they have recorded is theirs alone. */
static int record_start(struct mpi_call *c, uint32_t function, struct record_value *v, uint32_t made,
                        int error)
{
    struct mpi_beside *told = c->told;
    v[made + 2].i = told->place;
    v[made + 3] = (struct record_value){.p = told->started, .i = told->n, .width = sizeof *told->started};
    int rc = record(c, function, v, made, error);
    free(told->started);
    return rc;
}

static bool is_root(struct mpi_call *c, MPI_Comm comm, int root)
{
    const struct mpi_comm *of = mpi_comm_find(c->self, comm);
    return of && (int)of->me == root;
}

int mpi_recorded_comm_spawn(struct mpi_call *c, const char *command, char *argv[], int maxprocs,
                            MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm,
                            int array_of_errcodes[])
{
    struct mpi_beside told = {.place = -1};
    bool here = is_root(c, comm, root);
    struct record_value v[] = {{0},
                               {0},
                               {.i = here ? maxprocs : 0},
                               {.i = (int64_t)(here ? info : MPI_INFO_NULL)},
                               {.i = root},
                               {.i = (int64_t)comm},
                               {.p = intercomm},
                               {0},
                               {0},
                               {0}};
    c->told = &told;
    int rc = mpi_comm_spawn(c, command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
    rc = record_start(c, RECORD_MPI_COMM_SPAWN, v, 6, rc);
    c->told = NULL;
    return rc;
}

int mpi_recorded_comm_spawn_multiple(struct mpi_call *c, int count, char *array_of_commands[],
                                     char **array_of_argv[], const int array_of_maxprocs[],
                                     const MPI_Info array_of_info[], int root, MPI_Comm comm,
                                     MPI_Comm *intercomm, int array_of_errcodes[])
{
    struct mpi_beside told = {.place = -1};
    bool here = is_root(c, comm, root) && count > 0;
    struct record_value v[] = {{.i = here ? count : 0},
                               {0},
                               {0},
                               {0},
                               {.p = here ? array_of_info : NULL},
                               {.i = root},
                               {.i = (int64_t)comm},
                               {.p = intercomm},
                               {0},
                               {0},
                               {0}};
    c->told = &told;
    int rc = mpi_comm_spawn_multiple(c, count, array_of_commands, array_of_argv, array_of_maxprocs,
                                     array_of_info, root, comm, intercomm, array_of_errcodes);
    rc = record_start(c, RECORD_MPI_COMM_SPAWN_MULTIPLE, v, 7, rc);
    c->told = NULL;
    return rc;
}

/* A player's call. `n`: commands that have started processes in the recorded run; 0: it failed, or the rank is not its root. */
static int play_start(struct mpi_call *c, const struct record_value *v, const MPI_Info *info, int n,
                      uint32_t made)
{
    const int *started = v[made + 3].p;
    struct mpi_command *command = base_zalloc(((size_t)n + 1) * sizeof *command, "processes to be started");
    struct mpi_beside told = {.fails = v[made].i < RECORD_MADE};
    for (int k = 0; k < n; k++)
        command[k] = (struct mpi_command){.maxprocs = started[k], .info = info ? info[k] : MPI_INFO_NULL};
    c->told = &told;
    int rc = mpi_comm_spawn_played(c, command, n, (int)v[made - 2].i, MPI_HANDLE(MPI_Comm, v[made - 1].i),
                                   (MPI_Comm *)(uintptr_t)v[made].p);
    c->told = NULL;
    free(command);
    return rc;
}

/* How many counts the trace has; 0 if one of them is none of processes. */
static int commands_of(const struct record_value *started)
{
    int n = started->p && started->i > 0 ? (int)started->i : 0;
    for (int k = 0; k < n; k++)
        if (((const int *)started->p)[k] < 0 || ((const int *)started->p)[k] > RECORD_RANKS_MOST)
            return 0;
    return n;
}

int mpi_play_comm_spawn(const struct record_value *v)
{
    struct mpi_call c = MPI_ENTER_FULL("MPI_Comm_spawn");
    const MPI_Info info = MPI_HANDLE(MPI_Info, v[3].i);
    int n = commands_of(&v[9]);
    return mpi_leave(&c, play_start(&c, v, &info, n < 1 ? n : 1, 6));
}

int mpi_play_comm_spawn_multiple(const struct record_value *v)
{
    struct mpi_call c = MPI_ENTER_FULL("MPI_Comm_spawn_multiple");
    int n = commands_of(&v[10]);
    return mpi_leave(&c, play_start(&c, v, v[4].p, n < (int)v[0].i ? n : (int)v[0].i, 7));
}
