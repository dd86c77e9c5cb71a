/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: requests, for the files of message/.
 *
 * Life of a request that a program has
 *   state      what holds                                            left by
 *   inactive   persistent, `active` is not set                       MPI_Start
 *   active     started; p2p's request is active or complete          a call that waits or tests, and finds it complete
 *   dropped    active, and the program freed it                      its end
 * One that is not persistent is active from the start, and gone when a call has found it complete.
 */
#ifndef PGASIM_MPI_MESSAGE_PARTS_H
#define PGASIM_MPI_MESSAGE_PARTS_H

#include "mpi/message/message.h"

enum mpi_seeks { MPI_SEEKS_SOURCE = 1, MPI_SEEKS_TAG = 2 }; /* what it takes any of; a sum */
struct mpi_sought;
enum mpi_request_kind { MPI_REQUEST_SEND, MPI_REQUEST_RECEIVE, MPI_REQUEST_NOTHING, MPI_REQUEST_OTHER };
struct mpi_request {
    struct mpi_object object;
    struct mpi_rank *owner;
    struct mpi_comm *comm; /* a reference; NULL: about none */
    struct p2p_request *p2p;
    const struct mpi_other *other; /* of OTHER */
    void *arg;
    uint64_t bytes; /* of a buffered send: the room that each start takes */
    uint8_t kind;   /* enum mpi_request_kind; NOTHING: to or from MPI_PROC_NULL */
    bool persistent, active, dropped, buffered;
    bool held;                 /* a call waits for it, or tests it */
    uint8_t seeks;             /* of a receive: enum mpi_seeks */
    struct mpi_sought *sought; /* of a receive that is under way, for a recorder; NULL: nobody asks */
};

/* Where a message goes to, or comes from. */
struct mpi_end {
    struct mpi_comm *comm;
    struct p2p_buffer buffer;
    struct p2p_envelope wanted; /* of a receive; of a send, the context and the tag */
    uint32_t to;                /* of a send: a rank of the job */
    bool nobody;                /* MPI_PROC_NULL */
};

/* request.c */
struct mpi_request *mpi_request_create(struct mpi_call *c, enum mpi_request_kind kind, struct mpi_comm *comm,
                                       bool persistent, MPI_Request *handle);
/* NULL: fails with MPI_ERR_REQUEST. MPI_REQUEST_NULL is no request. */
struct mpi_request *mpi_request_of(struct mpi_call *c, MPI_Request request, int *rc);
void mpi_request_begin(struct mpi_request *q); /* of the current rank: starts it */
/* It is complete: fills the status, frees it if it is not persistent. Returns the error class, which has been
 * through the error handler, unless `many`: then the caller fails with MPI_ERR_IN_STATUS if the handler lets
 * it go on. */
int mpi_request_finish(struct mpi_call *c, struct mpi_request *q, MPI_Request *handle, MPI_Status *status,
                       bool many);
/* A call waits for it, or tests it. */
static inline void mpi_request_want(const struct mpi_request *q)
{
    if (q->kind == MPI_REQUEST_OTHER && q->other->wanted)
        q->other->wanted(q->arg);
}
void mpi_request_drop(struct mpi_request *q); /* MPI_Request_free */
void mpi_request_register(void);              /* at start-up */

/* ends.c: the arguments of a send or a receive, checked. */
int mpi_send_end(struct mpi_call *c, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
                 int tag, MPI_Comm comm, struct mpi_end *out);
int mpi_receive_end(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int source,
                    int tag, MPI_Comm comm, struct mpi_end *out);
/* Of a probe: whom and what to look for. */
int mpi_probe_end(struct mpi_call *c, int source, int tag, MPI_Comm comm, struct mpi_end *out);
/* Whether it waits for its receive: by the setting mpi/buffering, or as an adversary says. */
enum p2p_sending mpi_standard(const struct mpi_rank *self, const struct mpi_end *to);

/* in_use.c, with mpi/check-buffers; all in calls of the rank. Reports requests under way whose buffers this
 * one overlaps; a request begins; it ends, and if it is complete, what it sent must be as it was. */
void mpi_use_check_now(const struct mpi_rank *self, const struct p2p_buffer *b, bool sends);
void mpi_use_begin_now(const struct mpi_request *q);
void mpi_use_end_now(const struct mpi_request *q, bool complete);
void mpi_uses_release(struct mpi_rank *self); /* the rank's end */
static inline void mpi_use_check(const struct mpi_rank *self, const struct p2p_buffer *b, bool sends)
{
    if (BASE_UNLIKELY(self->job->checks_buffers))
        mpi_use_check_now(self, b, sends);
}
static inline void mpi_use_begin(const struct mpi_request *q)
{
    if (BASE_UNLIKELY(q->owner->job->checks_buffers))
        mpi_use_begin_now(q);
}
static inline void mpi_use_end(const struct mpi_request *q, bool complete)
{
    if (BASE_UNLIKELY(q->owner->job->checks_buffers))
        mpi_use_end_now(q, complete);
}

/* sources.c: a receive or a probe that seeks begins; it is over, with this status (NULL: without a message). */
static inline uint8_t mpi_seeks(const struct p2p_envelope *wanted)
{
    return (uint8_t)((wanted->source == P2P_ANY_SOURCE ? MPI_SEEKS_SOURCE : 0) |
                     (wanted->tag == P2P_ANY_TAG ? MPI_SEEKS_TAG : 0));
}
extern bool mpi_sources_recorded;
struct mpi_sought *mpi_sought_begin_now(const struct rank *r);
void mpi_sought_end_now(struct mpi_sought *s, const struct mpi_comm *comm, const struct p2p_status *got);
static inline struct mpi_sought *mpi_sought_begin(const struct rank *r, uint8_t seeks)
{
    return BASE_UNLIKELY(mpi_sources_recorded) && seeks ? mpi_sought_begin_now(r) : NULL;
}
static inline void mpi_sought_end(struct mpi_sought **s, const struct mpi_comm *comm,
                                  const struct p2p_status *got)
{
    if (BASE_UNLIKELY(*s != NULL))
        mpi_sought_end_now(*s, comm, got);
    *s = NULL;
}
/* The same at once, of a call that has got its message. */
static inline void mpi_sought_found(const struct mpi_call *c, const struct mpi_end *e,
                                    const struct p2p_status *got)
{
    struct mpi_sought *s = mpi_sought_begin(c->rank, p2p_message_came(got) ? mpi_seeks(&e->wanted) : 0);
    mpi_sought_end(&s, e->comm, got);
}
/* Of a persistent one, before it is started by a player: whom it is to receive from. */
void mpi_sought_play(struct p2p_request *q, const struct mpi_comm *comm, uint8_t seeks);

/* status.c */
void mpi_status_nobody(MPI_Status *s); /* of a receive from MPI_PROC_NULL */
void mpi_status_received(MPI_Status *s, const struct mpi_comm *comm, const struct p2p_status *from);
/* The error class of how a message ended, and its text for the handler of the communicator. */
int mpi_outcome(struct mpi_call *c, struct mpi_comm *comm, const struct p2p_status *s, bool is_receive);
/* The class alone if the handler does not end the job. */
int mpi_outcome_class(struct mpi_call *c, struct mpi_comm *comm, const struct p2p_status *s, bool is_receive);

/* paired.c: what the messages of a partitioned request between two ranks of the job are to be matched by: a tag,
 * in a context that no receive of the program's has; the rank's end. */
enum { MPI_PARTS_CONTEXT = MPI_FIRST_CONTEXT - 1 };
int32_t mpi_part_pair(struct mpi_job *job, uint32_t from, uint32_t to, uint32_t context, int32_t tag,
                      bool sends);
void mpi_unpaired_release(struct mpi_rank *self);

/* buffer.c: room for a buffered send of this many bytes, or fails with MPI_ERR_BUFFER. *note: for the
 * message, whose receiver says when it has left; NULL: it leaves at once. */
int mpi_bsend_take(struct mpi_call *c, struct mpi_comm *comm, uint64_t bytes, void **note);
void mpi_bsend_left(void *note); /* NULL is allowed */

#endif
