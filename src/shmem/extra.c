/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * extra: the functions of shmemx.h, extensions that programs use (docs/openshmem.md). Most are made of the
 * standard's: a counting put is a put-with-signal.
 */
#include <shmemx.h>

#include "clocks/clocks.h"
#include "shmem/recorded.h"

BASE_PUBLIC int shmemx_init_thread(int requested, int *provided)
{
    return shmem_init_thread(requested, provided);
}

BASE_PUBLIC void shmemx_query_thread(int *provided)
{
    shmem_query_thread(provided);
}

/* No effect: pgasim knows its threads without this function. */
BASE_PUBLIC void shmemx_register_gettid(uint64_t (*gettid_fn)(void))
{
    (void)gettid_fn;
}

/* Each call takes time, so that a loop waiting for some time to pass ends. */
BASE_PUBLIC double shmemx_wtime(void)
{
    static const char call[] = "shmemx_wtime";
    struct rank *r = rank_enter(call);
    rma_poll(r);
    double now = clocks_shown(r, engine_now(r->engine));
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(r, RECORD_SHMEM_WTIME);
    rank_leave(r, call);
    return now;
}

/* The caller does not change it. */
BASE_PUBLIC char *shmemx_nodename(void)
{
    static const char call[] = "shmemx_nodename";
    struct rank *r = rank_enter(call);
    const char *name = platform_host(fabric_platform(rank_fabric(r->job)), r->host)->name;
    rank_leave(r, call);
    return (char *)(uintptr_t)name;
}

/* --- counting puts and gets --------------------------------------------------------------------- */

/* Called by all PEs, as shmem_free is. */
BASE_PUBLIC void shmemx_ct_create(shmemx_ct_t *ct)
{
    *ct = shmem_calloc(1, sizeof **ct);
}

BASE_PUBLIC void shmemx_ct_free(shmemx_ct_t *ct)
{
    shmem_free(*ct);
    *ct = NULL;
}

BASE_PUBLIC long shmemx_ct_get(shmemx_ct_t ct)
{
    return (long)shmem_signal_fetch(ct);
}

BASE_PUBLIC void shmemx_ct_set(shmemx_ct_t ct, long value)
{
    shmem_signal_set(ct, (uint64_t)value, shmem_my_pe());
    shmem_quiet();
}

BASE_PUBLIC void shmemx_ct_wait(shmemx_ct_t ct, long wait_for)
{
    shmem_signal_wait_until(ct, SHMEM_CMP_GE, (uint64_t)wait_for);
}

BASE_PUBLIC void shmemx_putmem_ct(shmemx_ct_t ct, void *target, const void *source, size_t len, int pe)
{
    shmem_putmem_signal(target, source, len, ct, 1, SHMEM_SIGNAL_ADD, pe);
}

BASE_PUBLIC void shmemx_getmem_ct(shmemx_ct_t ct, void *target, const void *source, size_t len, int pe)
{
    shmem_getmem(target, source, len, pe);
    shmem_signal_add(ct, 1, pe);
}

/* --- counters of operations --------------------------------------------------------------------- */

/* Takes time, as reading the clock does. */
static shmemx_pcntr_t counters(shmem_ctx_t ctx, const char *call)
{
    struct shmem_pe *self = shmem_enter(call);
    rma_poll(self->rank);
    const struct rma_progress p = rma_ctx_progress(shmem_context(self, ctx, call));
    const shmemx_pcntr_t counted = {.pending_put = p.issued[0],
                                    .pending_get = p.issued[1],
                                    .completed_put = p.completed[0],
                                    .completed_get = p.completed[1],
                                    .target = rma_arrived(self->rank)};
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(self->rank, RECORD_SHMEM_COUNTERS);
    shmem_leave_ctx(self, ctx, call);
    return counted;
}

BASE_PUBLIC void shmemx_pcntr_get_issued_write(shmem_ctx_t ctx, uint64_t *cntr_value)
{
    *cntr_value = counters(ctx, "shmemx_pcntr_get_issued_write").pending_put;
}

BASE_PUBLIC void shmemx_pcntr_get_issued_read(shmem_ctx_t ctx, uint64_t *cntr_value)
{
    *cntr_value = counters(ctx, "shmemx_pcntr_get_issued_read").pending_get;
}

BASE_PUBLIC void shmemx_pcntr_get_completed_write(shmem_ctx_t ctx, uint64_t *cntr_value)
{
    *cntr_value = counters(ctx, "shmemx_pcntr_get_completed_write").completed_put;
}

BASE_PUBLIC void shmemx_pcntr_get_completed_read(shmem_ctx_t ctx, uint64_t *cntr_value)
{
    *cntr_value = counters(ctx, "shmemx_pcntr_get_completed_read").completed_get;
}

BASE_PUBLIC void shmemx_pcntr_get_completed_target(uint64_t *cntr_value)
{
    *cntr_value = counters(SHMEM_CTX_DEFAULT, "shmemx_pcntr_get_completed_target").target;
}

BASE_PUBLIC void shmemx_pcntr_get_all(shmem_ctx_t ctx, shmemx_pcntr_t *pcntr)
{
    *pcntr = counters(ctx, "shmemx_pcntr_get_all");
}
