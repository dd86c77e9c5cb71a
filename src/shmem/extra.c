/* SPDX-License-Identifier: BSD-3-Clause */
/* extra: the functions of shmemx.h, extensions that programs use (docs/openshmem.md). */
#include <shmemx.h>

#include "shmem/inside.h"

BASE_PUBLIC int shmemx_init_thread(int requested, int *provided)
{
    return shmem_init_thread(requested, provided);
}

BASE_PUBLIC void shmemx_query_thread(int *provided)
{
    shmem_query_thread(provided);
}

/* Threads are known here without being asked for their numbers. */
BASE_PUBLIC void shmemx_register_gettid(uint64_t (*gettid_fn)(void))
{
    (void)gettid_fn;
}

/* A look at the clock costs time, so that a loop that waits for a time to come ends. */
BASE_PUBLIC double shmemx_wtime(void)
{
    static const char call[] = "shmemx_wtime";
    struct fold_rank *r = rank_enter(call);
    rma_poll(r);
    double now = engine_now(r->engine);
    rank_leave(r, call);
    return now;
}

/* The caller does not change it. */
BASE_PUBLIC char *shmemx_nodename(void)
{
    static const char call[] = "shmemx_nodename";
    struct fold_rank *r = rank_enter(call);
    const char *name = platform_host(fabric_platform(fold_fabric(r->job)), r->host)->name;
    rank_leave(r, call);
    return (char *)(uintptr_t)name;
}
