/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * energy: the joules that hosts and links take, with the accounting of SimGrid's plug-ins for the energy of
 * hosts and links (docs/energy.md). Power is piecewise constant; its integrals change only when a computation
 * or a transfer begins or ends, so that energy adds no events. Knows hosts and links, not ranks.
 *
 * A host that is on takes Idle watts without load, otherwise Epsilon + load * (AllCores - Epsilon), where load
 * is the part of its cores' peak speed that computations use. A link takes idle + load * (busy - idle).
 *
 * Invariants
 *  E1  Computations are told in an order in which none begins before the engine's clock.
 *  E2  A host's count of shared computations is that of the computations told and not ended.
 *  E3  A host that is off has no computation.
 */
#ifndef PGASIM_ENERGY_H
#define PGASIM_ENERGY_H

#include "platform/platform.h"

struct energy;

extern const struct base_setting energy_settings[];
extern const size_t energy_settings_count;

/* Reads the wattage properties of hosts and links, and the settings `energy/...`. *out is NULL if nothing has
 * watts, or the settings say that energy is off. The resources are those of platform_realize. -1 with st: a
 * property is wrong ("FILE:LINE: ..."), or a setting is. */
int energy_create(struct energy **out, struct engine *engine, struct fluid *fluid, const struct platform *p,
                  fluid_resource first_link, const struct base_settings *settings, struct base_status *st);
void energy_destroy(struct energy *e);

/* --- hosts (host.c) ------------------------------------------------------------------------------------- */

/* A core of the host computes at its peak speed in [from, until); `from` may be ahead of the clock. */
void energy_host_computes(struct energy *e, uint32_t host, double from, double until);
/* From now on so many computations share the host's cores, each at most at `factor` of the peak speed. */
void energy_host_shares(struct energy *e, uint32_t host, uint32_t computations, double factor);
/* The host goes off or on now. What computed there no longer does. */
void energy_host_off(struct energy *e, uint32_t host, bool off);
/* Joules from the beginning until now. Of that, `active`: what the host took above Idle. */
struct energy_joules {
    double all, active;
};
struct energy_joules energy_of_host(struct energy *e, uint32_t host);
bool energy_host_has_watts(const struct energy *e, uint32_t host);
bool energy_host_was_used(const struct energy *e, uint32_t host); /* it has computed */
/* The host goes on in another of its pstates. Its computations, if any, are told anew (energy_host_shares). */
void energy_host_pstate(struct energy *e, uint32_t host, uint32_t pstate);
double energy_host_power(struct energy *e, uint32_t host); /* watts, now */
struct energy_power {
    double idle, epsilon, all_cores; /* watts */
};
struct energy_power energy_host_power_in(const struct energy *e, uint32_t host, uint32_t pstate);

/* --- links (link.c) ------------------------------------------------------------------------------------- */

/* A transfer over these links starts or ends now; its flow, if any, is still there. */
void energy_links_sample(struct energy *e, const uint32_t *links, uint32_t n);
/* A flow is about to begin there: until the clock moves, samples do not see it. */
void energy_links_keep(struct energy *e, const uint32_t *links, uint32_t n);
/* So many bytes have crossed these links, unseen by samples. */
void energy_links_carry(struct energy *e, const uint32_t *links, uint32_t n, double bytes);
/* Links carry (energy/links=carried) instead of being sampled. */
bool energy_links_are_carried(const struct energy *e);
double energy_of_link(struct energy *e, uint32_t link); /* joules from the beginning until now */
bool energy_link_has_watts(const struct energy *e, uint32_t link);

/* --- all ------------------------------------------------------------------------------------------------ */

struct energy_totals {
    double hosts, used_hosts, links; /* joules; used: of hosts that have computed */
    uint32_t with_watts;             /* hosts */
    uint32_t links_with_watts;
};
struct energy_totals energy_totals(struct energy *e);

#endif
