/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of simgrid/host.h and simgrid/plugins/energy.h. A host is known by the address of its record in the
 * platform. */
#include "simgrid/plugins/energy.h"

#include "fold/annotate/annotate.h"

static const struct rank *anyone(void)
{
    return rank_current ? rank_current : rank_ahead;
}

static struct fabric *fabric_here(void)
{
    return fold_of(anyone())->fabric;
}

static const struct platform *platform_here(void)
{
    return fabric_platform(fabric_here());
}

static sg_host_t name_of(uint32_t host)
{
    return (sg_host_t)(uintptr_t)platform_host(platform_here(), host);
}

/* Whether it is a host, and its number. */
static bool is_host(const_sg_host_t host, uint32_t *number)
{
    if (!anyone() || !host)
        return false;
    uintptr_t first = (uintptr_t)platform_host(platform_here(), 0), at = (uintptr_t)host;
    *number = (uint32_t)((at - first) / sizeof(struct platform_host));
    return at >= first && (at - first) / sizeof(struct platform_host) < platform_host_count(platform_here());
}

/* --- what does not change -------------------------------------------------------------------------------- */

BASE_PUBLIC sg_host_t sg_host_self(void)
{
    const struct rank *r = anyone();
    return r ? name_of(r->host) : NULL;
}

BASE_PUBLIC const char *sg_host_self_get_name(void)
{
    return sg_host_get_name(sg_host_self());
}

BASE_PUBLIC sg_host_t sg_host_by_name(const char *name)
{
    uint32_t host;
    return anyone() && name && !platform_host_find(platform_here(), name, &host) ? name_of(host) : NULL;
}

BASE_PUBLIC size_t sg_host_count(void)
{
    return anyone() ? platform_host_count(platform_here()) : 0;
}

BASE_PUBLIC const char *sg_host_get_name(const_sg_host_t host)
{
    uint32_t h;
    return is_host(host, &h) ? platform_host(platform_here(), h)->name : "";
}

BASE_PUBLIC const char *sg_host_get_property_value(const_sg_host_t host, const char *name)
{
    uint32_t h;
    return is_host(host, &h) && name ? platform_host_property(platform_here(), h, name) : NULL;
}

BASE_PUBLIC int sg_host_core_count(const_sg_host_t host)
{
    uint32_t h;
    return is_host(host, &h) ? (int)platform_host(platform_here(), h)->cores : 0;
}

BASE_PUBLIC unsigned long sg_host_get_nb_pstates(const_sg_host_t host)
{
    uint32_t h, pstate;
    return is_host(host, &h) ? platform_host_pstates(platform_here(), h, &pstate) : 0;
}

BASE_PUBLIC double sg_host_get_pstate_speed(const_sg_host_t host, unsigned long pstate)
{
    uint32_t h;
    return is_host(host, &h) && pstate < UINT32_MAX
               ? platform_host_pstate_speed(platform_here(), h, (uint32_t)pstate)
               : 0;
}

static struct energy_power watts(const_sg_host_t host, int pstate)
{
    uint32_t h;
    bool known = is_host(host, &h) && fabric_energy(fabric_here()) && pstate >= 0 &&
                 (unsigned long)pstate < sg_host_get_nb_pstates(host);
    return known ? energy_host_power_in(fabric_energy(fabric_here()), h, (uint32_t)pstate)
                 : (struct energy_power){0};
}

BASE_PUBLIC double sg_host_get_idle_consumption_at(const_sg_host_t host, int pstate)
{
    return watts(host, pstate).idle;
}

BASE_PUBLIC double sg_host_get_wattmin_at(const_sg_host_t host, int pstate)
{
    return watts(host, pstate).epsilon;
}

BASE_PUBLIC double sg_host_get_wattmax_at(const_sg_host_t host, int pstate)
{
    return watts(host, pstate).all_cores;
}

BASE_PUBLIC double sg_host_get_power_range_slope_at(const_sg_host_t host, int pstate)
{
    return watts(host, pstate).all_cores - watts(host, pstate).epsilon;
}

BASE_PUBLIC void sg_host_energy_plugin_init(void)
{
}

BASE_PUBLIC void sg_host_energy_update_all(void)
{
}

/* --- what changes: the rank comes to its turn ------------------------------------------------------------ */

/* What is asked of a host at the rank's time. */
typedef double (*asked_fn)(const struct rank *r, uint32_t host);

static double ask(const char *call, const_sg_host_t host, asked_fn what)
{
    uint32_t h;
    struct rank *r = power_enter(call);
    if (!r)
        return 0;
    double answer = is_host(host, &h) ? what(r, h) : 0;
    rank_leave(r, call);
    return answer;
}

static double is_on(const struct rank *r, uint32_t host)
{
    return fabric_host_on(fold_of(r)->fabric, host);
}

static double speed(const struct rank *r, uint32_t host)
{
    return fabric_host_peak(fold_of(r)->fabric, host);
}

static double available(const struct rank *r, uint32_t host)
{
    return fabric_host_available(fold_of(r)->fabric, host);
}

static double pstate_of(const struct rank *r, uint32_t host)
{
    return fabric_host_pstate(fold_of(r)->fabric, host);
}

static double idle(const struct rank *r, uint32_t host)
{
    (void)r;
    return sg_host_get_idle_consumption_at(name_of(host), (int)pstate_of(r, host));
}

BASE_PUBLIC int sg_host_is_on(const_sg_host_t host)
{
    return ask("sg_host_is_on", host, is_on) > 0;
}

BASE_PUBLIC double sg_host_get_speed(const_sg_host_t host)
{
    return ask("sg_host_get_speed", host, speed);
}

BASE_PUBLIC double sg_host_get_available_speed(const_sg_host_t host)
{
    return ask("sg_host_get_available_speed", host, available);
}

BASE_PUBLIC unsigned long sg_host_get_pstate(const_sg_host_t host)
{
    return (unsigned long)ask("sg_host_get_pstate", host, pstate_of);
}

BASE_PUBLIC double sg_host_get_consumed_energy(const_sg_host_t host)
{
    return ask("sg_host_get_consumed_energy", host, power_joules);
}

BASE_PUBLIC double sg_host_get_current_consumption(const_sg_host_t host)
{
    return ask("sg_host_get_current_consumption", host, power_watts);
}

BASE_PUBLIC double sg_host_get_idle_consumption(const_sg_host_t host)
{
    return ask("sg_host_get_idle_consumption", host, idle);
}

BASE_PUBLIC void sg_host_set_pstate(sg_host_t host, unsigned long pstate)
{
    static const char call[] = "sg_host_set_pstate";
    uint32_t h;
    struct rank *r = power_enter(call);
    if (!r)
        return;
    if (is_host(host, &h))
        (void)power_pstate_set(r, call, h, pstate);
    rank_leave(r, call);
}
