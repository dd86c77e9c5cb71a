/* SPDX-License-Identifier: BSD-3-Clause */
/* call_time: Linux's calls about time, which is simulated time, and random numbers, which are the same in
 * every run. */
#include <errno.h>
#include <string.h>

#include "riscv/program/internal.h"

static const uint64_t second = 1000000000;

static int64_t give(struct riscv_process *x, uint64_t address, uint64_t first, uint64_t then)
{
    const uint64_t pair[2] = {first, then};
    void *to = riscv_memory_at(x, address, sizeof pair, RISCV_WRITE);
    if (!to)
        return -EFAULT;
    memcpy(to, pair, sizeof pair);
    return 0;
}

int64_t riscv_call_clock_gettime(struct riscv_process *x, const uint64_t *a)
{
    uint64_t now = x->world->now(x->ctx);
    return give(x, a[1], now / second, now % second);
}

int64_t riscv_call_clock_getres(struct riscv_process *x, const uint64_t *a)
{
    return a[1] ? give(x, a[1], 0, 1) : 0;
}

int64_t riscv_call_gettimeofday(struct riscv_process *x, const uint64_t *a)
{
    uint64_t now = x->world->now(x->ctx);
    return a[0] ? give(x, a[0], now / second, now % second / 1000) : 0;
}

/* User time is all of it. */
int64_t riscv_call_getrusage(struct riscv_process *x, const uint64_t *a)
{
    uint64_t now = x->world->used(x->ctx);
    const uint64_t used[18] = {now / second, now % second / 1000};
    void *to = riscv_memory_at(x, a[1], sizeof used, RISCV_WRITE);
    if (!to)
        return -EFAULT;
    memcpy(to, used, sizeof used);
    return 0;
}

static int64_t sleep_for(struct riscv_process *x, uint64_t address, bool until)
{
    uint64_t time[2];
    const void *from = riscv_memory_at(x, address, sizeof time, RISCV_READ);
    if (!from)
        return -EFAULT;
    memcpy(time, from, sizeof time);
    if (time[1] >= second || time[0] > UINT32_MAX)
        return -EINVAL;
    uint64_t at = time[0] * second + time[1];
    (until ? x->world->sleep_until : x->world->sleep)(x->ctx, at);
    return 0;
}

int64_t riscv_call_nanosleep(struct riscv_process *x, const uint64_t *a)
{
    return sleep_for(x, a[0], false);
}

int64_t riscv_call_clock_nanosleep(struct riscv_process *x, const uint64_t *a)
{
    enum { ABSOLUTE = 1 };
    return sleep_for(x, a[2], a[1] & ABSOLUTE);
}

int64_t riscv_call_sched_yield(struct riscv_process *x, const uint64_t *a)
{
    (void)a;
    x->world->yield(x->ctx);
    return 0;
}

/* SplitMix64: each process has a stream of its own. */
uint64_t riscv_random(struct riscv_process *x)
{
    uint64_t z = x->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t riscv_call_getrandom(struct riscv_process *x, const uint64_t *a)
{
    uint64_t size = a[1] < 256 ? a[1] : 256;
    unsigned char *to = riscv_memory_at(x, a[0], size, RISCV_WRITE);
    if (!to)
        return -EFAULT;
    for (uint64_t k = 0; k < size; k++)
        to[k] = (unsigned char)riscv_random(x);
    return (int64_t)size;
}
