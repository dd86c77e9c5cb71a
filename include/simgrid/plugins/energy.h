/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simgrid/plugins/energy.h: SimGrid's plug-in for the energy of hosts, as MPI programs made for SMPI call it
 * (docs/energy.md). Joules are counted if hosts have watts, whether or not the plug-in is initialised.
 */
#ifndef PGASIM_SIMGRID_PLUGINS_ENERGY_H
#define PGASIM_SIMGRID_PLUGINS_ENERGY_H

#include <simgrid/host.h>

#ifdef __cplusplus
extern "C" {
#endif

void sg_host_energy_plugin_init(void); /* these two do nothing */
void sg_host_energy_update_all(void);

double sg_host_get_consumed_energy(const_sg_host_t host);     /* joules so far */
double sg_host_get_current_consumption(const_sg_host_t host); /* watts now */
/* Watts while it has no load, in its pstate or in another one; with hardly any load; with all cores in use; and how
 * much the last two differ. */
double sg_host_get_idle_consumption(const_sg_host_t host);
double sg_host_get_idle_consumption_at(const_sg_host_t host, int pstate);
double sg_host_get_wattmin_at(const_sg_host_t host, int pstate);
double sg_host_get_wattmax_at(const_sg_host_t host, int pstate);
double sg_host_get_power_range_slope_at(const_sg_host_t host, int pstate);

#ifdef __cplusplus
}
#endif

#endif
