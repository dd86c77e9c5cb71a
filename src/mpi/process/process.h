/* SPDX-License-Identifier: BSD-3-Clause */
/* process: processes that start others, and those that meet at ports (MPI-5.0 sections 11.8 to 11.10). */
#ifndef PGASIM_MPI_PROCESS_H
#define PGASIM_MPI_PROCESS_H

#include "mpi/comm/comm.h"

/* What one command of MPI_Comm_spawn(_multiple) asks for. */
struct mpi_command {
    const char *command;
    char **argv;  /* without the command; NULL: none */
    int maxprocs; /* of a player: as many as were started in the recorded run */
    MPI_Info info;
};
/* A player's call (MPI_Comm_spawn_multiple): its root has what each command started. */
int mpi_comm_spawn_played(struct mpi_call *c, const struct mpi_command *command, int n, int root,
                          MPI_Comm comm, MPI_Comm *intercomm);

/* launch.c: starts the processes of all commands when the root's time has come. *first: the first one's rank; returns how
 * many there are. 0: `o` says why not. */
uint32_t mpi_launch(struct mpi_call *c, const struct mpi_command *command, int n, uint32_t *first,
                    uint32_t *started, struct mpi_crossing *o);
/* command.c: the program's file, as an absolute path that the caller frees; NULL: there is none. `folder`: where it is
 * looked for first; `path`: more folders. Either may be NULL. */
char *mpi_command_find(const char *command, const char *folder, const char *path);
/* soft.c: the largest number of at most `most` in a list "a:b:c,d,..." (section 11.8.4). -1: there is none; -2: it is no
 * such list. */
int64_t mpi_soft_most(const char *soft, int64_t most);

void mpi_process_register(void); /* at start-up */

#endif
