/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * energy: whose joules they are. energy/ knows hosts; here what a host takes is divided among its ranks, and
 * what these take among the phases of the program, the regions that its marks name (docs/energy.md):
 *
 *   what a host takes above Idle   in proportion to the core-seconds that each rank has computed there
 *   the rest                       evenly, over the whole run, also after a rank's end
 *
 * So the ranks' joules add up to those of the hosts that have ranks, and so do the phases'. A part of
 * rank/rank.h.
 */
#ifndef PGASIM_RANK_ENERGY_H
#define PGASIM_RANK_ENERGY_H

#include <stdint.h>

struct energy;
struct rank;
struct rank_job;
struct rank_energies;

/* A rank computes so many flops. Called only if joules are counted. */
void rank_energy_computed(struct rank *r, double flops);
/* Tells the trace what the rank's host has taken so far: a counter. Called only if joules are counted. */
void rank_energy_count(struct rank *r);
/* The host goes on in another of its pstates, as the rank says. */
void rank_pstate_set(struct rank *r, uint32_t host, uint32_t pstate);
/* For recorders: `fn` is told of it, from all jobs; NULL: nobody is. */
typedef void (*rank_pstate_fn)(void *arg, struct rank *r, uint32_t host, uint32_t pstate);
void rank_on_pstate(rank_pstate_fn fn, void *arg);
/* The rank enters a phase of the program, or leaves the last one that it has entered. */
void rank_phase_begin(struct rank *r, const char *name);
void rank_phase_end(struct rank *r);

/* The division of what was taken until now. The first call ends the phases and tells the trace (the trace's
 * events "energy-..."); call it when nothing runs any more. NULL: joules are not counted. */
struct rank_phase {
    const char *name; /* "": in no phase */
    double seconds;   /* of all ranks */
    double joules;
};
struct rank_joules {
    struct energy *energy;
    double ranks_total; /* of hosts with ranks */
    const double *rank; /* joules of each */
    const struct rank_phase *phase;
    uint32_t phases;
};
const struct rank_joules *rank_energy_divide(struct rank_job *job);

#endif
