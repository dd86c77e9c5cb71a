/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simgrid/host.h: what MPI programs made for SMPI ask SimGrid about hosts, under SimGrid's names: speeds, pstates,
 * properties. docs/energy.md says where they differ. Units: flop/s.
 */
#ifndef PGASIM_SIMGRID_HOST_H
#define PGASIM_SIMGRID_HOST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct s4u_Host *sg_host_t;
typedef const struct s4u_Host *const_sg_host_t;

/* The calling rank's host; NULL outside of a simulation. */
sg_host_t sg_host_self(void);
const char *sg_host_self_get_name(void);
/* NULL: no host has this name. */
sg_host_t sg_host_by_name(const char *name);
size_t sg_host_count(void);
const char *sg_host_get_name(const_sg_host_t host);
const char *sg_host_get_property_value(const_sg_host_t host, const char *name); /* NULL: it has none */
int sg_host_core_count(const_sg_host_t host);
int sg_host_is_on(const_sg_host_t host);

/* Of one core: in the host's pstate, in another one. The part of it that is available (a profile's factor). */
double sg_host_get_speed(const_sg_host_t host);
double sg_host_get_pstate_speed(const_sg_host_t host, unsigned long pstate);
double sg_host_get_available_speed(const_sg_host_t host);

unsigned long sg_host_get_nb_pstates(const_sg_host_t host);
unsigned long sg_host_get_pstate(const_sg_host_t host);
/* Computations that are under way go on at the new speed. */
void sg_host_set_pstate(sg_host_t host, unsigned long pstate);

#ifdef __cplusplus
}
#endif

#endif
