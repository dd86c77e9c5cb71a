/* SPDX-License-Identifier: BSD-3-Clause */
/* ports: what a job keeps of ports and of names under which they are published (private to process/). */
#ifndef PGASIM_MPI_PORTS_H
#define PGASIM_MPI_PORTS_H

#include "mpi/process/process.h"

struct mpi_caller; /* port.c: a root that waits at a port */

struct mpi_port {
    struct mpi_port *next;
    char *name;
    const struct mpi_world
        *home; /* of players, who have those of their trace's first world; NULL: all ranks' */
    bool open;
    struct mpi_caller
        *waiting[2]; /* in MPI_Comm_accept; in MPI_Comm_connect: the one that has waited longest first */
};
struct mpi_service {
    struct mpi_service *next;
    char *name, *port;
};
struct mpi_ports {
    struct mpi_port *port;
    struct mpi_service *service;
    uint32_t opened;
};
struct mpi_ports *mpi_ports_of(struct mpi_job *job);
/* Two players meet, as those at a port do: the other is this rank. */
void mpi_port_join(struct mpi_call *c, struct mpi_comm *of, uint32_t other, struct mpi_crossing *out);

#endif
