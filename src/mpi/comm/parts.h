/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: how communicators are made. Private to comm/.
 *
 * All ranks are in one process, so members of a call that makes communicators send each other nothing. Each
 * leaves its contribution (a colour and a key, a group) in its seat of a meeting. Then it takes part in a
 * collective of the parent that has the cost of agreeing on a context, an allreduce of one word, which ends
 * for nobody before all have come. The first whose part is over works out everyone's result.
 *
 * Invariants
 *  M20 A meeting lives from the first member's arrival until the last has taken its result.
 *  M21 A space has one reference for each member, from the moment at which it is made.
 */
#ifndef PGASIM_MPI_PARTS_H
#define PGASIM_MPI_PARTS_H

#include "mpi/comm/comm.h"

/* --- spaces (space.c) -------------------------------------------------------------------------------- */

/* A space of these members, whose references it takes; b NULL: intra. As many references as members. */
struct mpi_space *mpi_space_create(struct mpi_job *job, const char *maker, struct coll_group a,
                                   const struct coll_group *b);
void mpi_space_release(struct mpi_job *job, struct mpi_space *space);
/* A member's record of it, with a handle; takes over a reference. `parent`: whose error handler it gets;
 * NULL: the default. */
struct mpi_comm *mpi_comm_create_record(struct mpi_rank *self, struct mpi_space *space, uint8_t side,
                                        uint32_t me, const struct mpi_comm *parent);
/* Takes the handle back and lets go: it was never seen. */
void mpi_comm_drop(struct mpi_comm *comm);
/* The members of a, then those of b. */
struct coll_group mpi_group_joined(const struct coll_group *a, const struct coll_group *b);
/* The context of messages between leaders. */
static inline uint32_t mpi_space_leaders(const struct mpi_space *s)
{
    return s->context + (s->inter ? 3 : 1);
}

/* --- worlds (worlds.c) ------------------------------------------------------------------------------- */

void mpi_worlds_link(struct mpi_job *job, struct mpi_space *s); /* s was made: its members' worlds are connected */
void mpi_worlds_free(struct mpi_job *job, const struct mpi_space *s); /* s goes, and they stay connected */
void mpi_worlds_part(struct mpi_job *job, struct mpi_space *s);       /* it connects them no longer */
void mpi_worlds_release(struct mpi_job *job);
void mpi_worlds_connected(const struct rank *r, bool *with); /* as rank_on_abort wants it */

/* --- meetings (meeting.c) ---------------------------------------------------------------------------- */

struct mpi_seat {
    uint64_t word, agreed; /* the collective's */
    union {
        struct {
            int color, key;
        };
        struct coll_group group; /* a reference */
        void *given;
    };
    struct mpi_space *space; /* the result; NULL: MPI_COMM_NULL */
    uint32_t me;             /* the place there */
    uint8_t side;
    bool here;
};

struct mpi_meeting {
    struct mpi_meeting *next, **list;
    const char *call;        /* literal */
    struct mpi_space *space; /* of the parent; NULL: tagged */
    uint32_t number;         /* among those of its space */
    uint32_t parent;         /* tagged: context of the parent, 0: none */
    char *tag;
    uint32_t sides;        /* tagged: members of the first side */
    struct coll_group all; /* a reference */
    uint32_t came, gone;
    bool solved, grouped, given;   /* grouped: seats hold groups; given: blocks of memory */
    int error;                     /* of all members; MPI_SUCCESS: none */
    char text[160];                /* what it was */
    uint32_t members;              /* of the new communicator with a topology */
    struct mpi_topology *topology; /* of the new communicator: what the first member asked for */
    struct mpi_seat seat[];
};

/* How a call makes communicators: fills `space`, `me` and `side` of all seats. */
typedef void (*mpi_solve_fn)(struct mpi_job *job, struct mpi_meeting *m);

/* Comes to the next meeting of a communicator's members. */
struct mpi_meeting *mpi_meeting_enter(struct mpi_call *c, struct mpi_comm *comm);
/* Comes to a meeting of some ranks who name it alike. */
struct mpi_meeting *mpi_meeting_enter_tagged(struct mpi_call *c, const struct coll_group *all,
                                             uint32_t parent, const char *tag);
/* Agrees with the others; the first to come out solves. */
void mpi_meeting_agree(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, mpi_solve_fn solve);
/* The same without waiting; the meeting was solved before. */
void mpi_meeting_agree_start(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, coll_done_fn done,
                             void *arg);
/* Notes an error of the whole call; the first one stays. */
void mpi_meeting_fail(struct mpi_meeting *m, int code, const char *fmt, ...) BASE_PRINTF(3, 4);
/* A root tells all others that it has done its part. */
void mpi_meeting_tell(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, uint32_t root);
void mpi_solve_nothing(struct mpi_job *job, struct mpi_meeting *m);
/* Takes the result, and leaves. *out: the record, NULL for none. Fails with the meeting's error. */
int mpi_meeting_leave(struct mpi_call *c, struct mpi_meeting *m, uint32_t place, struct mpi_comm *parent,
                      struct mpi_comm **out);
/* The two halves of it: the record alone; and being done with the meeting. */
struct mpi_comm *mpi_meeting_take(struct mpi_rank *self, struct mpi_meeting *m, uint32_t place,
                                  const struct mpi_comm *parent);
void mpi_meeting_done(struct mpi_job *job, struct mpi_meeting *m);
void mpi_meetings_release(struct mpi_job *job, struct mpi_meeting **list); /* at the end of a job */

/* --- arguments (comm.c, hints.c) --------------------------------------------------------------------- */

/* Each returns MPI_SUCCESS, or has failed by the handler of the communicator, or of `on`. */
/* Checks the place for a new communicator's handle, and writes MPI_COMM_NULL there. That it is NULL is no
 * error of the communicator, so the handler is that of errors about nothing. */
int mpi_comm_check_inter(struct mpi_call *c, struct mpi_comm *of);
/* Gives a communicator the hints of an info object, or of none. */
void mpi_comm_hint(struct mpi_call *c, struct mpi_comm *comm, MPI_Info info);
/* Writes those that were given into an info object. */
int mpi_comm_hints_tell(struct mpi_call *c, const struct mpi_comm *comm, MPI_Info info);
/* Looks a key up; writes the value of an answer, unless the object is MPI_INFO_NULL. */
bool mpi_comm_info_value(struct mpi_call *c, MPI_Info info, const char *key, char *value, size_t size);
void mpi_comm_info_answer(struct mpi_call *c, MPI_Info info, const char *key, const char *value);
/* A group, or fails with MPI_ERR_GROUP. */
const struct mpi_group *mpi_group_for(struct mpi_call *c, struct mpi_guarded *on, MPI_Group group, int *rc);

/* --- results ----------------------------------------------------------------------------------------- */

/* Ends a call that makes a communicator: writes the handle. */
static inline int mpi_comm_give(int rc, const struct mpi_comm *made, MPI_Comm *to)
{
    *to = rc || !made ? MPI_COMM_NULL : MPI_HANDLE(MPI_Comm, made->guarded.object.handle);
    return rc;
}
/* One space for the n members at the places [0, n) of an intra-communicator's meeting; the others get none.
 * */
void mpi_solve_first(struct mpi_job *job, struct mpi_meeting *m, uint32_t n);
/* All members of an intra-communicator's meeting are this side of an inter-communicator's. */
void mpi_meeting_seat(struct mpi_meeting *m, struct mpi_space *s, uint8_t side);
/* The same members as the parent's. */
void mpi_solve_same(struct mpi_job *job, struct mpi_meeting *m);

/* By the seats' colours and keys (split.c). */
void mpi_solve_split(struct mpi_job *job, struct mpi_meeting *m);

/* --- topologies (topology.c) ------------------------------------------------------------------------- */

struct mpi_topology *mpi_topology_retain(struct mpi_topology *t);
void mpi_topology_release(struct mpi_topology *t); /* NULL is allowed */

#endif
