/* SPDX-License-Identifier: BSD-3-Clause */
/* power: the pstates and joules of hosts, for pgasim.h and simgrid.c. Asking takes no simulated time. */
#include "pgasim.h"

#include "fold/annotate/annotate.h"

#include <inttypes.h>

struct rank *power_enter(const char *call)
{
    return rank_current || rank_ahead ? annotated_enter(call) : NULL;
}

int power_pstate_set(struct rank *r, const char *call, uint32_t host, unsigned long pstate)
{
    struct fabric *f = fold_of(r)->fabric;
    uint32_t begin, n = platform_host_pstates(fabric_platform(f), host, &begin);
    if (pstate >= n) {
        base_warn("misuse/pstate", "%s: host %s has no pstate %lu; expected one below %" PRIu32, call,
                  platform_host(fabric_platform(f), host)->name, pstate, n);
        return -1;
    }
    rank_pstate_set(r, host, (uint32_t)pstate);
    return 0;
}

double power_joules(const struct rank *r, uint32_t host)
{
    struct energy *e = fabric_energy(fold_of(r)->fabric);
    return e ? energy_of_host(e, host).all : 0;
}

double power_watts(const struct rank *r, uint32_t host)
{
    struct energy *e = fabric_energy(fold_of(r)->fabric);
    return e ? energy_host_power(e, host) : 0;
}

/* --- pgasim.h -------------------------------------------------------------------------------------------- */

/* What does not change, a rank that is ahead may read. */
static const struct rank *anyone(void)
{
    return rank_current ? rank_current : rank_ahead;
}

BASE_PUBLIC unsigned pgasim_pstates(void)
{
    const struct rank *r = anyone();
    uint32_t pstate;
    return r ? platform_host_pstates(fabric_platform(fold_of(r)->fabric), r->host, &pstate) : 1;
}

BASE_PUBLIC double pgasim_pstate_speed(unsigned pstate)
{
    const struct rank *r = anyone();
    return r ? platform_host_pstate_speed(fabric_platform(fold_of(r)->fabric), r->host, pstate) : 0;
}

BASE_PUBLIC unsigned pgasim_pstate(void)
{
    struct rank *r = power_enter("pgasim_pstate");
    if (!r)
        return 0;
    unsigned pstate = fabric_host_pstate(fold_of(r)->fabric, r->host);
    rank_leave(r, "pgasim_pstate");
    return pstate;
}

BASE_PUBLIC int pgasim_pstate_set(unsigned pstate)
{
    struct rank *r = power_enter("pgasim_pstate_set");
    if (!r)
        return pstate ? -1 : 0;
    int status = power_pstate_set(r, "pgasim_pstate_set", r->host, pstate);
    rank_leave(r, "pgasim_pstate_set");
    return status;
}

BASE_PUBLIC double pgasim_joules(void)
{
    struct rank *r = power_enter("pgasim_joules");
    if (!r)
        return 0;
    double joules = power_joules(r, r->host);
    rank_leave(r, "pgasim_joules");
    return joules;
}

BASE_PUBLIC double pgasim_watts(void)
{
    struct rank *r = power_enter("pgasim_watts");
    if (!r)
        return 0;
    double watts = power_watts(r, r->host);
    rank_leave(r, "pgasim_watts");
    return watts;
}
