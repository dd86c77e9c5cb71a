/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn: MPI_Comm_spawn and MPI_Comm_spawn_multiple (MPI-5.0 section 11.8). */
#include "mpi/calls.h"
#include "mpi/process/process.h"

#include <stdlib.h>
#include <string.h>

/* One call. The commands are the root's alone; all members learn the error codes. */
struct spawn {
    const struct mpi_command *command;
    int n;
    int *codes; /* MPI_ERRCODES_IGNORE: nobody asks */
};

/* What the root tells: of each process asked for, whether it was started. */
struct told {
    uint32_t n;
    int code[];
};

static void tell(const struct spawn *s, const uint32_t *started, struct mpi_crossing *out)
{
    uint64_t n = 0, at = 0;
    for (int k = 0; k < s->n; k++)
        n += s->command[k].maxprocs > 0 ? (uint64_t)s->command[k].maxprocs : 0;
    struct told *t = base_zalloc(sizeof *t + n * sizeof *t->code, "error codes of processes");
    t->n = (uint32_t)n;
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < s->command[k].maxprocs; i++)
            t->code[at++] = (uint32_t)i < started[k] ? MPI_SUCCESS : MPI_ERR_SPAWN;
    out->told = t;
}

/* The new processes have a world of their own, and know which command they were started by. */
static void make_world(struct mpi_job *job, struct mpi_world *by, const struct spawn *s,
                       const uint32_t *started, const struct coll_group *children)
{
    uint32_t rank = children->first;
    mpi_world_make(job, children);
    job->worlds->starter = by;
    by->starts = true;
    for (int k = 0; k < s->n; k++)
        for (uint32_t i = 0; i < started[k]; i++) {
            struct mpi_rank *child = mpi_rank_of(rank_at(job->job, rank++));
            child->started = true;
            child->command = (uint32_t)k;
        }
}

/* The call has not failed, or not before it had taken its time. */
static void tell_recorder(const struct mpi_call *c, const struct spawn *s, int64_t first,
                          const uint32_t *started)
{
    if (!c->told || c->rank->memory->nowhere)
        return;
    c->told->place = first;
    c->told->n = (uint32_t)s->n;
    c->told->started = base_alloc((size_t)s->n * sizeof *started, "started processes");
    memcpy(c->told->started, started, (size_t)s->n * sizeof *started);
}

static void find(struct mpi_call *c, struct mpi_comm *of, void *arg, struct mpi_crossing *out)
{
    const struct spawn *s = arg;
    uint32_t first = 0,
             *started = base_zalloc(((size_t)s->n + 1) * sizeof *started, "processes to be started");
    uint32_t n = 0;
    if (s->n)
        n = mpi_launch(c, s->command, s->n, &first, started, out);
    else
        mpi_crossing_fail(out, MPI_ERR_SPAWN, "the call failed in the recorded run");
    bool took_time = !out->error;
    if (n) {
        const struct coll_group children = {.first = first, .stride = 1, .size = n};
        make_world(c->self->job, c->self->home, s, started, &children);
        out->space = mpi_comm_of_children(c, of, &children);
    } else if (!out->error) {
        mpi_crossing_fail(out, MPI_ERR_SPAWN, "no process at all is to be started");
    }
    if (took_time)
        tell_recorder(c, s, n ? (int64_t)first : -1, started);
    tell(s, out->error ? (uint32_t *)memset(started, 0, (size_t)s->n * sizeof *started) : started, out);
    free(started);
}

static void give_codes(void *arg, const void *told)
{
    const struct spawn *s = arg;
    const struct told *t = told;
    for (uint32_t k = 0; s->codes && k < t->n; k++)
        s->codes[k] = t->code[k];
}

static int spawn(struct mpi_call *c, const struct mpi_command *command, int n, int root, MPI_Comm comm,
                 MPI_Comm *intercomm, int *codes)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    struct spawn s = {command, n, codes};
    if (!of || (rc = mpi_comm_check_new(c, intercomm)) || (rc = mpi_comm_check_intra(c, of)) ||
        (rc = mpi_comm_check_root(c, of, root)))
        return rc;
    c->effect = true;
    return mpi_comm_cross(c, of, root, &(struct mpi_bridge){find, give_codes, &s}, intercomm);
}

int mpi_comm_spawn_played(struct mpi_call *c, const struct mpi_command *command, int n, int root,
                          MPI_Comm comm, MPI_Comm *intercomm)
{
    return spawn(c, command, n, root, comm, intercomm, NULL);
}

int mpi_comm_spawn(struct mpi_call *c, const char *command, char *argv[], int maxprocs, MPI_Info info,
                   int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])
{
    const struct mpi_command one = {command, argv, maxprocs, info};
    return spawn(c, &one, 1, root, comm, intercomm, array_of_errcodes);
}

/* The arrays count at the root only. */
int mpi_comm_spawn_multiple(struct mpi_call *c, int count, char *array_of_commands[], char **array_of_argv[],
                            const int array_of_maxprocs[], const MPI_Info array_of_info[], int root,
                            MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])
{
    const struct mpi_comm *of = mpi_comm_find(c->self, comm);
    bool is_root = of && (int)of->me == root;
    if (is_root && (count < 1 || !array_of_commands || !array_of_maxprocs))
        return mpi_fail(c, of ? (struct mpi_guarded *)(uintptr_t)&of->guarded : NULL, MPI_ERR_ARG,
                        "%d commands: expected 1 or more, and their arrays", count);
    int n = is_root ? count : 0;
    struct mpi_command *command = base_zalloc(((size_t)n + 1) * sizeof *command, "processes to be started");
    for (int k = 0; k < n; k++)
        command[k] =
            (struct mpi_command){array_of_commands[k], array_of_argv ? array_of_argv[k] : NULL,
                                 array_of_maxprocs[k], array_of_info ? array_of_info[k] : MPI_INFO_NULL};
    int rc = spawn(c, command, n, root, comm, intercomm, array_of_errcodes);
    free(command);
    return rc;
}
