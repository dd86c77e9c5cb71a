/* SPDX-License-Identifier: BSD-3-Clause */
/* names_traced: the meaning, for a trace, of the names of waits in fold and of pgasim.h's calls. Sorted by
 * name. */
#include "fold/fold.h"

const struct trace_call fold_calls[] = {
    {"a look at the clock", TRACE_KIND_SLEEP, 0},
    {"futex", TRACE_KIND_THREAD, 0},
    {"memory polled without a call", TRACE_KIND_WAIT_VALUE, 0},
    {"pgasim_compute_copy", TRACE_KIND_COMPUTE, 0},
    {"pgasim_compute_flops", TRACE_KIND_COMPUTE, 0},
    {"pgasim_compute_memory", TRACE_KIND_COMPUTE, 0},
    {"pgasim_compute_seconds", TRACE_KIND_COMPUTE, 0},
    {"pgasim_joules", TRACE_KIND_QUERY, 0},
    {"pgasim_pstate", TRACE_KIND_QUERY, 0},
    {"pgasim_pstate_set", TRACE_KIND_QUERY, 0},
    {"pgasim_sample", TRACE_KIND_COMPUTE, 0},
    {"pgasim_time", TRACE_KIND_QUERY, TRACE_AWAITS_TIME},
    {"pgasim_view_make", TRACE_KIND_MEMORY, 0},
    {"pgasim_view_protect", TRACE_KIND_MEMORY, 0},
    {"pgasim_watts", TRACE_KIND_QUERY, 0},
    {"pthread_barrier_wait", TRACE_KIND_THREAD, 0},
    {"pthread_cond_wait", TRACE_KIND_THREAD, 0},
    {"pthread_exit of the first thread: the end of all others", TRACE_KIND_THREAD, 0},
    {"pthread_join", TRACE_KIND_THREAD, 0},
    {"pthread_mutex_lock", TRACE_KIND_LOCK, 0},
    {"pthread_once: what another thread does", TRACE_KIND_THREAD, 0},
    {"pthread_rwlock_rdlock", TRACE_KIND_LOCK, 0},
    {"pthread_rwlock_wrlock", TRACE_KIND_LOCK, 0},
    {"pthread_spin_lock", TRACE_KIND_LOCK, 0},
    {"sem_wait", TRACE_KIND_THREAD, 0},
    {"sg_host_get_available_speed", TRACE_KIND_QUERY, 0},
    {"sg_host_get_consumed_energy", TRACE_KIND_QUERY, 0},
    {"sg_host_get_current_consumption", TRACE_KIND_QUERY, 0},
    {"sg_host_get_idle_consumption", TRACE_KIND_QUERY, 0},
    {"sg_host_get_pstate", TRACE_KIND_QUERY, 0},
    {"sg_host_get_speed", TRACE_KIND_QUERY, 0},
    {"sg_host_is_on", TRACE_KIND_QUERY, 0},
    {"sg_host_set_pstate", TRACE_KIND_QUERY, 0},
    {"sleep", TRACE_KIND_SLEEP, 0},
    {"the end of the rank, which another thread works on", TRACE_KIND_THREAD, 0},
};
const size_t fold_calls_count = BASE_LENGTH(fold_calls);
