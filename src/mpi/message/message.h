/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message: messages and requests (MPI-5.0 chapters 3, 4, section 13.2). Every request, whatever it stands
 * for, has one request of p2p/, so that all are waited for in one place: that of its message, or one that its
 * owner completes (p2p_other_create).
 */
#ifndef PGASIM_MPI_MESSAGE_H
#define PGASIM_MPI_MESSAGE_H

#include "mpi/comm/comm.h"
#include "mpi/type/type.h"

struct mpi_request;

/* What a kind of request does that is none of a message's: those of collectives, of calls that make
 * communicators, generalized ones. `arg` is what mpi_request_other was given. NULL for what is not needed. */
struct mpi_other {
    const char *what;                                /* "collective": reports */
    void (*start)(struct mpi_request *q, void *arg); /* a persistent one: MPI_Start */
    /* It is complete and a call returns that: fills the status (empty before), and returns the error class. */
    int (*finish)(struct mpi_request *q, void *arg, MPI_Status *status);
    void (*describe)(const void *arg, char *buf, size_t size); /* what it waits for, in a deadlock's report */
    uint64_t (*whom)(const void *arg);        /* the rank that it waits for, or ENGINE_NOBODY; may be NULL */
    void (*destroy)(void *arg);               /* its handle and its work are gone */
    bool (*cancel)(void *arg, bool complete); /* MPI_Cancel; true: it is cancelled */
    /* For mpi/check-buffers: buffer[0] is what it sends, buffer[1] where it receives; returns which of them
     * are in use, one bit each. */
    unsigned (*buffers)(const void *arg, struct p2p_buffer buffer[2]);
    bool must_end; /* MPI_Request_free of an active one is a mistake (MPI-5.0 sections 4.2.1 and 6.12) */
};
/* A request of such a kind, about a communicator (NULL: none), whose handle is written to *handle. It is
 * under way unless it is persistent. */
struct mpi_request *mpi_request_other(struct mpi_call *c, struct mpi_comm *comm, const struct mpi_other *kind,
                                      void *arg, bool persistent, MPI_Request *handle);
/* For checkers: what the thread that learns of its end is to do (p2p_request_pending). */
struct rank_pending *mpi_request_pending(struct mpi_request *q);
/* Its work is done. From anywhere, at the clock's time. */
void mpi_request_done(struct mpi_request *q);

/* Bytes of data that a status is about, and setting them. */
int64_t mpi_status_bytes(const MPI_Status *s);
void mpi_status_set_bytes(MPI_Status *s, int64_t bytes);
/* What a call gives that has nothing to tell (section 3.7.3). */
void mpi_status_empty(MPI_Status *s);

/* At the end of the library for the rank: reports requests that were neither completed nor freed. When all
 * ranks have come to their ends: reports messages that the rank has never received. */
void mpi_message_leftovers(struct mpi_call *c);
void mpi_message_lost(struct mpi_rank *self);
void mpi_message_register(void); /* at start-up */

#endif
