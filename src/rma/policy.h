/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policy: decides when an operation that may take effect does. A part of rma.h.
 *
 * Without a policy each step of an operation happens as soon as the network and rma's order allow. With one,
 * the policy is asked at each step, and says which bytes act now and when it is to be asked again. So it can
 * keep operations back until a completion call needs them, let them overtake each other, cut them into
 * pieces, interleave them, and read the source of a put late. What the standards order stays ordered whatever
 * it says:
 *
 *   upheld by rma                                       free for the policy
 *   a fence's epochs; ordered accumulates' turns        any order within an epoch, among targets and contexts
 *   a signal after all of its own data                  any time between the two
 *   atomics and elements of accumulates: in one event   when; the order of elements
 *   completion calls return when all is done            when, until then
 *   a source is read before it is the caller's again    when, until then
 *   results are there when the operation is complete    when, until then; what is there before
 *   results are there when the operation is complete    when, until then; what is there before
 *
 * Simulated time: a step happens at the clock's time when the policy lets it, and its reply or
 * acknowledgement leaves then. A policy that always says "now" changes no time. Ranks run ahead of the clock
 * as usual (docs/decisions/0004): a step is never decided before its rank has issued the operation, because
 * the request starts at the rank's own time; and a completion call's demand comes at the rank's own time.
 *
 * Invariants
 *  P1  An operation that is kept back is released by the policy, or when a completion call needs it: quiet
 *      and local quiet, of all or some targets, a blocking call, rma_need. The same holds for those that it
 *      must wait for in its lane. So no completion call waits for a policy for ever.
 *  P2  Steps act in events only: never within the policy's functions, nor in a call of a rank.
 */
#ifndef PGASIM_RMA_POLICY_H
#define PGASIM_RMA_POLICY_H

#include "rma/listen.h"

struct rma_ctx;
struct rma_notice;

struct rma_question {
    uint64_t operation; /* its number, by which a policy names it */
    const char *call;
    struct rank *origin, *target;
    uint32_t context;
    enum rma_step step;
    struct rank *rank; /* whose memory the step touches, and where the first byte is */
    uintptr_t address;
    uint64_t bytes;   /* in all; offsets in verdicts are in the packed data */
    uint64_t unit;    /* cuts are at multiples of it; equal to `bytes`: not divisible */
    uint64_t left;    /* bytes that have not acted yet */
    uint32_t asked;   /* how often it has been asked about this step */
    bool released;    /* demanded or released: can be cut and delayed, but no longer kept */
    bool source_kept; /* RMA_AT_TARGET, RMA_SOURCE: a put's bytes can still be read from the source */
};
/* The bytes [from, to) act now. If that leaves some, the policy is asked again after `again` seconds;
 * INFINITY: it keeps the operation back. `late`: bytes that act now are read from the put's source now. A
 * range is widened to whole units, and to what keeps the number of gaps small (RMA_GAPS). */
struct rma_verdict {
    uint64_t from, to;
    double again;
    bool late;
};
enum {
    RMA_GAPS = 8,
    RMA_ASKED_MOST = 1000, /* an operation asked about so often at one step acts at once */
};
static inline struct rma_verdict rma_verdict_now(const struct rma_question *q)
{
    return (struct rma_verdict){0, q->bytes, 0, false};
}

/* Why operations are to be let go. */
enum rma_reason {
    RMA_FOR_COMPLETION, /* a completion call waits for them: all must go */
    RMA_FOR_MEMORY,     /* `rank` waits for a change of memory that they touch */
    RMA_FOR_POLL,       /* `rank` polls memory that they touch, in vain */
    RMA_FOR_PROGRESS,   /* nothing else can happen: if none goes, the job ends with a deadlock */
};
struct rma_demand {
    enum rma_reason reason;
    struct rank *rank; /* who waits; RMA_FOR_PROGRESS: NULL */
};

struct rma_policy {
    /* The step of an operation may happen. */
    struct rma_verdict (*decide)(void *arg, const struct rma_question *q);
    /* Puts the numbers of operations kept back, given in the order of their issue, into the order in which
     * they go, and returns how many of them go: RMA_FOR_COMPLETION: all. */
    size_t (*demand)(void *arg, const struct rma_demand *d, uint64_t *operations, size_t n);
    bool early; /* ask at RMA_ISSUED and RMA_REPLIED, too */
    /* Asked at an operation's issue, where RMA_AT_ORIGIN will write its results: true: that memory, which its
     * caller may not touch meanwhile, is filled with RMA_PATTERN until they are there. NULL: never. */
    bool (*fill)(void *arg, const struct rma_question *q);
};
enum { RMA_PATTERN = 0xa5 }; /* each byte */
/* Gives the job its policy. Called when rma's part of the job has begun (in job_begin of a front that was
 * registered later) and before its first operation; `policy` and `arg` stay valid until its end. */
void rma_police(struct rank_job *job, const struct rma_policy *policy, void *arg);
/* Lets go an operation that is kept back, in an event of this instant. false: it is not kept back. */
bool rma_release(struct rank_job *job, uint64_t operation);
/* A caller waits for this notice, or tests it (of a request): operations that it needs may no longer be kept
 * back. Does nothing without a policy. */
void rma_need(struct rma_ctx *c, const struct rma_notice *n);
/* The same for one who waits until its buffers may be used again: a copied source is enough. */
void rma_need_local(struct rma_ctx *c, const struct rma_notice *n);

#endif
