/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * play: plays a trace on a real MPI. Each rank makes the calls of its part of the trace, with buffers of the right sizes,
 * and sleeps where the program computed. Standard C, POSIX and MPI-3.
 *
 *   main.c         options, start, result              calls.c        a call's arguments; who plays it
 *   trace.c        files and lines                     handles.c      what numbers of the trace are here
 *   actions.c, group_actions.c, numbers.c: SMPI's actions as calls; buffers.c: memory of calls
 *   clock.c        a common start; sleeping            messages.c, requests.c, collectives.c, objects.c, types.c: the calls
 */
#ifndef PLAY_PLAY_H
#define PLAY_PLAY_H

#include <mpi.h>

#include "play/trace.h"

union play_handle {
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request request;
    MPI_Message message;
    uint64_t bits;
};

struct play_block; /* of memory */
/* A request of the trace. Its memory is given back when it is complete. */
struct play_request {
    MPI_Request request;
    struct play_block *blocks;
    bool persistent;
};

struct play_objects {
    union play_handle *at;
    bool *made;
    size_t n;
};
struct play_clock {
    double start;            /* when all ranks begin, on this rank's clock */
    bool shared;             /* by all ranks: it is the same clock */
    double behind;           /* how much longer than wanted it has slept so far, and not made up for */
    double processor;        /* seconds of it until then */
    double computed, latest; /* seconds that it was to sleep; the longest delay */
};
struct play {
    int rank, size;
    struct play_trace trace;
    double speed, scale; /* flop/s; of all computations */
    const struct play_step *step;
    struct play_objects objects[RECORD_OBJECTS];
    struct play_request **requests;
    size_t n_requests;
    struct play_block *blocks; /* of the call that goes on */
    struct play_block *spare[64];
    char *sends; /* what is sent: zeros */
    size_t sends_size;
    char *outgrown[64]; /* earlier ones, which may still be read */
    void *attached;     /* for buffered sends */
    struct play_clock clock;
    uint64_t calls, differing; /* of these: waits that ended otherwise than in the trace */
};

/* The call that goes on. */
struct play_call {
    struct play *play;
    const struct record_function *f;
    struct record_part part[RECORD_PARAMS];
    struct play_request *later; /* of a call that makes a request; NULL */
};
typedef void (*play_fn)(struct play_call *c);
struct play_entry {
    uint32_t function;
    play_fn play;
};
extern const struct play_entry play_messages[], play_requests[], play_collectives[], play_objects[],
    play_type_calls[];

/* Ends all ranks with a message, which begins with the step's file and line. */
_Noreturn void play_stop(const struct play *p, const char *what, const char *expected);
bool play_has_player(uint32_t function);
/* Makes numbers of a trace those of this MPI, and checks that they fit. */
void play_prepare(struct play *p);
void play_step_call(struct play *p, const struct play_step *s);

/* --- arguments of a call, by the place of the parameter ------------------------------------------------- */

int play_int(const struct play_call *c, uint32_t k);
MPI_Aint play_aint(const struct play_call *c, uint32_t k);
int *play_ints(struct play_call *c, uint32_t k); /* NULL: there is no array */
MPI_Aint *play_aints(struct play_call *c, uint32_t k);
int play_length(const struct play_call *c, uint32_t k);
MPI_Comm play_comm(const struct play_call *c, uint32_t k);
MPI_Group play_group(const struct play_call *c, uint32_t k);
MPI_Datatype play_type(const struct play_call *c, uint32_t k);
MPI_Datatype *play_types(struct play_call *c, uint32_t k);
MPI_Op play_op(const struct play_call *c, uint32_t k);
/* What the call has made, or changed, gets the number that the trace has there. */
void play_made(struct play_call *c, uint32_t k, union play_handle h);
#define PLAY_MADE(c, k, member, value) play_made(c, k, (union play_handle){.member = (value)})
struct play_request *play_request(struct play *p, int64_t word);
union play_handle play_handle(const struct play_call *c, enum record_object o, int64_t word);

/* --- memory --------------------------------------------------------------------------------------------- */

void *play_keep(struct play_call *c, size_t bytes); /* until the call, or its request, is over */
void play_give_back(struct play *p, struct play_block **blocks);
void play_memory_release(struct play *p);
/* So many elements, as the buffer of parameter k (it may be MPI_IN_PLACE): to be sent from, to be written to. */
void *play_from(struct play_call *c, uint32_t k, MPI_Aint count, MPI_Datatype type);
void *play_into(struct play_call *c, uint32_t k, MPI_Aint count, MPI_Datatype type);
/* Elements from the beginning of a buffer to the end of what arrays of counts and displacements name. */
MPI_Aint play_reach(const int *counts, const int *displs, int n);

/* --- time (clock.c) ------------------------------------------------------------------------------------- */

double play_now(void);
double play_processor_seconds(void); /* of this process, so far */
void play_start(struct play *p);
/* Sleeps; what it oversleeps is taken from the next computation. */
void play_compute(struct play *p, double seconds);

#endif
