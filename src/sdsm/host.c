/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host: what differs between a simulated cluster and a real one. pgasim's functions (pgasim.h) are weak here:
 * with a real MPI there are none, and nothing happens.
 */
#include <time.h>

#include "sdsm/internal.h"

#define SAT_WEAK __attribute__((weak))

SAT_WEAK int pgasim_simulated(void);
SAT_WEAK void pgasim_compute_seconds(double seconds);
SAT_WEAK const char *pgasim_host_property(const char *key);
SAT_WEAK int pgasim_event_type(const char *name, const char *fields);
SAT_WEAK int pgasim_event_wanted(void);
SAT_WEAK void pgasim_event(int type, const long long *values);
SAT_WEAK void pgasim_on_deadlock(void (*describe)(char *text, size_t size));

bool sat_host_simulated(void)
{
    return pgasim_simulated && pgasim_simulated();
}

const char *sat_host_property(const char *key)
{
    return pgasim_host_property ? pgasim_host_property(key) : NULL;
}

/* The process is busy with the S-DSM's own work for so long. On a real host it is by itself. */
void sat_host_charge(double seconds)
{
    if (seconds > 0 && pgasim_compute_seconds)
        pgasim_compute_seconds(seconds);
}

int sat_host_event_type(const char *name, const char *fields)
{
    return pgasim_event_type ? pgasim_event_type(name, fields) : -1;
}

bool sat_host_event_wanted(void)
{
    return pgasim_event_wanted && pgasim_event_wanted();
}

void sat_host_event(int type, const long long *values)
{
    if (pgasim_event)
        pgasim_event(type, values);
}

void sat_host_on_deadlock(void (*describe)(char *text, size_t size))
{
    if (pgasim_on_deadlock)
        pgasim_on_deadlock(describe);
}

/* Before an abort: launchers of a real MPI may drop what a process wrote just before (MPICH's mpirun lost the
 * message of one run in fifteen). A tenth of a second gives them time to pass it on. */
void sat_host_pass_on(void)
{
    if (!sat_host_simulated())
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}
