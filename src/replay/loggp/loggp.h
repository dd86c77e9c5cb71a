/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggp: plays schedules of GOAL in the LogGP model with LogGOPSim's rules (Hoefler, Schneider, Lumsdaine: LogGOPSim,
 * LSAP 2010): a network that is never crowded.
 *
 *   a send      at t, when its CPU and NIC are free: CPU busy for o + (s-1) O, NIC for g + (s-1) G;
 *               its message reaches the receiver at t + o + L
 *   a message   is taken from there when CPU and NIC are free: CPU busy for o + (s-1) max(O, G), NIC for g + (s-1) G,
 *               whether a receive waits for it or not
 *   a receive   takes no time itself
 *   a send of more than S bytes ends when message and receive have met, and its CPU and NIC wait until then
 *
 * What happens at one instant happens in the order in which it became possible. Of operations that become ready
 * together sends come first, then receives, then calculations (replay_goal_order).
 *
 * Only ranks are kept in the order of when something may be due, in a calendar, and only ranks that have something:
 *
 *   messages     all take equally long, so those on their way are a queue; with noise of latencies, a heap
 *   operations   of one kind, CPU and NIC of a rank become ready in the order in which they can start: a queue; and so
 *                are messages that wait for the CPU and NIC
 *
 * CPUs and NICs only become busy for longer. So a rank's entry in the calendar stays where it is when its next event is put
 * off, and the rank is looked at again when its turn comes.
 *
 * Invariants
 *  G1  Events are done in the order of (time, number); numbers are given in the order in which events become known.
 *  G2  In each queue the numbers rise, and the times at which its entries became known.
 *  G3  A rank whose queues hold something has an entry in the calendar that is not behind its earliest event; of several,
 *      the first one counts.
 *  G4  There are nodes for all operations and all messages.
 */
#ifndef PGASIM_REPLAY_LOGGP_H
#define PGASIM_REPLAY_LOGGP_H

#include "replay/goal/goal.h"

/* What makes runs differ, in nanoseconds; NULL: it does not. */
struct replay_loggp_noise {
    double (*work)(void *arg, uint32_t rank, double work); /* what such a calculation takes */
    double (*start)(void *arg, uint32_t rank);             /* when the rank starts */
    double (*late)(void *arg, uint32_t rank, double at,
                   double length); /* added to work of its CPU that begins then */
    double (*arrival)(void *arg, uint32_t from, uint32_t to, double sent, double L); /* of the next message */
    double (*byte_gap)(void *arg, uint32_t rank, double G);                          /* of its NICs */
    void *arg;                                                                       /* of all */
};

/* Times in nanoseconds. */
struct replay_loggp_parameters {
    double L, o, g; /* latency, overhead of a message, gap between messages */
    double G, O;    /* gap and overhead of each further byte */
    uint64_t S;     /* messages of more bytes wait for their receive */
    double compute_scale;
    struct replay_loggp_noise noise;
};

struct replay_loggp;
/* `ended` is told of each rank whose operations have all ended, at once. Uses up the schedules. NULL with st: there are
 * too many ranks, CPUs and NICs. */
struct replay_loggp *replay_loggp_create(struct replay_goal *g, const struct replay_loggp_parameters *p,
                                         void (*ended)(void *arg, uint32_t rank), void *arg,
                                         struct base_status *st);
void replay_loggp_destroy(struct replay_loggp *x);
/* Does at most `most` events. false: there are no more. */
bool replay_loggp_advance(struct replay_loggp *x, uint64_t most);
double replay_loggp_next(struct replay_loggp *x); /* when the next event is; there is one */
double replay_loggp_end(const struct replay_loggp *x,
                        uint32_t rank); /* until when its CPUs are busy, so far */
uint32_t replay_loggp_left(const struct replay_loggp *x, uint32_t rank); /* operations that have not ended */

struct replay_loggp_counts {
    uint64_t events; /* as LogGOPSim counts them: operations that were ready, and messages */
    uint64_t operations, messages, calculations; /* started */
    uint64_t unreceived;                         /* messages that have met no receive so far */
};
struct replay_loggp_counts replay_loggp_counts(const struct replay_loggp *x);
/* Calls fn for each message to a rank that has met no receive. */
void replay_loggp_unreceived(const struct replay_loggp *x, uint32_t rank,
                             void (*fn)(void *arg, uint32_t from, uint32_t tag, uint64_t bytes), void *arg);

#endif
