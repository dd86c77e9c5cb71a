/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch: how a program is started on all nodes. The MPI's own launcher runs on the first node; where it would
 * call ssh, it calls this tool under the name `agent`, which enters the node's namespaces.
 */
#ifndef CLUSTER_LAUNCH_H
#define CLUSTER_LAUNCH_H

#include <sys/types.h>

#include "topology.h"

enum launch_mpi {
    LAUNCH_GUESS,
    LAUNCH_OPENMPI,
    LAUNCH_MPICH,
    LAUNCH_SHMEM, /* Open MPI's OpenSHMEM */
    LAUNCH_NONE,  /* the program is run once, on the first node */
};

struct launch {
    enum launch_mpi mpi;
    uint32_t ranks;
    const char *folder; /* private to the run: the agent, the nodes, the MPI's own files */
    const char *idle;   /* a library to preload; NULL: none */
    bool spin;          /* which then does not make waiting ranks sleep */
    char **program;
};

int launch_mpi_parse(const char *text, enum launch_mpi *out, struct base_status *st);
/* Decides which MPI the program uses, if that is to be guessed. */
int launch_prepare(struct launch *l, struct base_status *st);
/* The launcher's words, ended by NULL; the caller frees the array and the words. */
char **launch_words(const struct launch *l, const struct topology *t);
/* Writes the run's folder: the agent's list of nodes, /etc/hosts. */
int launch_folder(const struct launch *l, const struct topology *t, const pid_t *holders,
                  struct base_status *st);
/* Replaces the calling process, which is on the first node. */
void launch_exec(const struct launch *l, const struct topology *t);
/* `agent [options] NODE COMMAND...`: runs the command on the node. */
int launch_agent(int argc, char **argv);

#endif
