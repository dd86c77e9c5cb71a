/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal: put-with-signal and the operations on a signal alone, behind the typed shims (OpenSHMEM 1.6 section
 * 9.8). A put-with-signal of no elements still updates its signal.
 */
#include "shmem/recorded.h"

#include <string.h>

/* Where the signal is at `world`, after checks. */
static struct rma_target signal_at(const struct shmem_pe *self, const uint64_t *sig_addr, int64_t world,
                                   const char *call)
{
    struct rma_target t = shmem_symmetric(self, sig_addr, sizeof *sig_addr, world, call);
    if (BASE_UNLIKELY(t.address % sizeof *sig_addr))
        shmem_misaligned(self, sig_addr, sizeof *sig_addr, call);
    return t;
}

void shmem_core_put_signal(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                           size_t nelems, const struct shmem_signal *s, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    rank_called_from(self->rank, s->caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    size_t bytes = shmem_bytes(self, nelems, f->size, f->call);
    struct rma_target t = shmem_symmetric(self, dest, bytes, world, f->call);
    struct rma_target word = signal_at(self, s->sig_addr, world, f->call);
    struct rma_signal update = {word.address, s->value, word.word, RMA_SIGNAL_SET};
    if (s->op == SHMEM_SIGNAL_ADD)
        update.op = RMA_SIGNAL_ADD;
    else if (BASE_UNLIKELY(s->op != SHMEM_SIGNAL_SET))
        base_warn("misuse/signal-operator",
                  "%s: %d is not a signal operator (SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD); the signal is set",
                  f->call, s->op);
    if (BASE_UNLIKELY(update.remote - t.address < bytes ||
                      (bytes && t.address - update.remote < sizeof *s->sig_addr)))
        base_warn("misuse/overlap", "%s: the signal lies within the data that is put", f->call);
    if (BASE_LIKELY(bytes))
        shmem_check_local(self, source, t.address, bytes, world, f->call);
    rma_count(self->rank);
    rma_put_signal(c, t, source, bytes, &update, (enum rma_mode)f->kind, f->call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_put_signal(self, f, ctx, dest, source, bytes, s, pe);
    shmem_leave_ctx(self, ctx, f->call);
}

void shmem_core_signal(const char *call, shmem_ctx_t ctx, const struct shmem_signal *s, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, call, &world);
    const struct rma_atomic_args args = {.op = s->op == SHMEM_SIGNAL_ADD ? RMA_ADD : RMA_SET,
                                         .size = sizeof *s->sig_addr,
                                         .operand = s->value,
                                         .type = TYPES_UINT64,
                                         .signals = true,
                                         .blocks = true};
    const struct rma_target t = signal_at(self, s->sig_addr, world, call);
    rma_count(self->rank);
    rma_atomic_post(c, t, &args, call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_signal(self, ctx, s, pe);
    shmem_leave_ctx(self, ctx, call);
}

/* Each fetch takes time, so that a loop of them lets others proceed. */
uint64_t shmem_core_signal_fetch(const char *call, const uint64_t *sig_addr)
{
    struct shmem_pe *self = shmem_enter_issue(call);
    signal_at(self, sig_addr, self->me, call);
    rma_poll(self->rank);
    uint64_t value;
    memcpy(&value, sig_addr, sizeof value); /* aligned or not */
    shmem_checked_saw(self, sig_addr, sizeof value, 0, call);
    struct shmem_causes *causes = shmem_causes_begin();
    if (BASE_UNLIKELY(causes != NULL)) {
        shmem_causes_see(causes, self, (uintptr_t)sig_addr, sizeof value);
        shmem_record_seen(self, causes, sig_addr, sizeof value, -2);
    }
    shmem_leave(self, call);
    return value;
}
