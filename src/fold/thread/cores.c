/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores: the cores of the simulated host as its threads see them. The ranks of a host divide its cores
 * evenly, as launchers that bind ranks do; a rank has at least one. A thread's core and priority are reported
 * but have no effect, since all cores are alike.
 */
#include "fold/thread/thread.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static const struct platform_host *host_of(const struct rank *r)
{
    return platform_host(fabric_platform(fold_of(r)->fabric), r->host);
}

uint32_t thread_cores(const struct rank *r)
{
    uint32_t cores = (uint32_t)host_of(r)->cores / rank_host_share(r);
    return cores ? cores : 1;
}

void thread_set_cores(struct fold_thread *t, const cpu_set_t *cores)
{
    if (!t->cores)
        t->cores = base_alloc(sizeof *t->cores, "a thread's cores");
    *t->cores = *cores;
}

/* --- affinity ----------------------------------------------------------------------------------- */

static int get_cores(const struct fold_thread *t, size_t size, cpu_set_t *out)
{
    uint32_t n = thread_cores(t->rank);
    if (size * 8 < n)
        return EINVAL;
    memset(out, 0, size);
    if (t->cores) {
        memcpy(out, t->cores, size < sizeof *t->cores ? size : sizeof *t->cores);
        return 0;
    }
    for (uint32_t k = 0; k < n && k < size * 8; k++)
        CPU_SET_S(k, size, out);
    return 0;
}

/* At least one of them must be the rank's. */
static int set_cores(struct fold_thread *t, size_t size, const cpu_set_t *set)
{
    cpu_set_t cores;
    uint32_t n = thread_cores(t->rank), given = 0;
    CPU_ZERO(&cores);
    for (uint32_t k = 0; k < n && k < size * 8 && k < CPU_SETSIZE; k++)
        if (CPU_ISSET_S(k, size, set)) {
            CPU_SET(k, &cores);
            given++;
        }
    if (!given)
        return EINVAL;
    thread_set_cores(t, &cores);
    return 0;
}

static struct fold_thread *found(pthread_t id)
{
    (void)thread_me();
    return thread_find(rank_current, id);
}

int in_rank_pthread_getaffinity_np(pthread_t id, size_t size, cpu_set_t *out)
{
    if (!rank_current)
        return pthread_getaffinity_np(id, size, out);
    const struct fold_thread *t = found(id);
    return t ? get_cores(t, size, out) : ESRCH;
}

int in_rank_pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *set)
{
    if (!rank_current)
        return pthread_setaffinity_np(id, size, set);
    struct fold_thread *t = found(id);
    return t ? set_cores(t, size, set) : ESRCH;
}

static int failed(int error)
{
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int in_rank_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *out)
{
    if (!rank_current)
        return sched_getaffinity(pid, size, out);
    return failed(get_cores(thread_me(), size, out));
}

int in_rank_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    if (!rank_current)
        return sched_setaffinity(pid, size, set);
    return failed(set_cores(thread_me(), size, set));
}

int in_rank_sched_getcpu(void)
{
    if (!rank_current)
        return sched_getcpu();
    return fold_thread ? (int)(fold_thread->slot % thread_cores(rank_current)) : 0;
}

unsigned in_rank_hardware_concurrency(void)
{
    return rank_current ? thread_cores(rank_current) : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

int in_rank_omp_get_num_procs(void)
{
    if (rank_current)
        return fold_thread && fold_thread->cores ? CPU_COUNT(fold_thread->cores)
                                                 : (int)thread_cores(rank_current);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* --- clocks, priorities ------------------------------------------------------------------------- */

int in_rank_pthread_getcpuclockid(pthread_t id, clockid_t *out)
{
    if (!rank_current)
        return pthread_getcpuclockid(id, out);
    if (!found(id))
        return ESRCH;
    *out = CLOCK_THREAD_CPUTIME_ID; /* the simulated clock, as all */
    return 0;
}

int in_rank_pthread_getschedparam(pthread_t id, int *policy, struct sched_param *out)
{
    if (!rank_current)
        return pthread_getschedparam(id, policy, out);
    if (!found(id))
        return ESRCH;
    *policy = SCHED_OTHER;
    *out = (struct sched_param){0};
    return 0;
}

static int set_priority(pthread_t id, bool usual)
{
    if (!found(id))
        return ESRCH;
    return usual ? 0 : EPERM; /* as for a user without privileges */
}

int in_rank_pthread_setschedparam(pthread_t id, int policy, const struct sched_param *set)
{
    if (!rank_current)
        return pthread_setschedparam(id, policy, set);
    return set_priority(id, policy == SCHED_OTHER && set->sched_priority == 0);
}

int in_rank_pthread_setschedprio(pthread_t id, int priority)
{
    if (!rank_current)
        return pthread_setschedprio(id, priority);
    return set_priority(id, priority == 0);
}
