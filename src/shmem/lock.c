/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock: distributed locks (OpenSHMEM 1.6 section 9.13) as a queue in the manner of Mellor-Crummey and Scott
 * ("Algorithms for scalable synchronization on shared-memory multiprocessors", ACM TOCS 9(1), 1991): each
 * waiter waits for its own word and is woken by the one before it, first come, first served.
 *
 * The lock's long has two halves at every PE.
 *   tail   at PE 0 only: who came last, as PE + 1; 0: the lock is free
 *   mine   this PE's place in the queue: WAITING until the one before it lets go, HELD while it has the lock,
 *          and in the other bits who comes next, as PE + 1 (0: none yet). All bits are 0 at rest.
 * Others reach `mine` with atomics only: the next waiter enters itself by OR, the one before clears WAITING by
 * AND. The PE's own loads and stores are as atomic, since nothing else runs between them.
 *
 *  L1  `mine` is other than 0 only from the call that queues the PE until its shmem_clear_lock ends.
 */
#include "shmem/inside.h"

#include <string.h>

#define WAITING UINT32_C(0x80000000)
#define HELD    UINT32_C(0x40000000)
#define NEXT    (~(WAITING | HELD))

struct lock {
    struct shmem_pe *self;
    const char *call;
    uint32_t *tail, *mine; /* this PE's own addresses */
    uint32_t before;       /* who is before this PE in the queue, as PE + 1; 0: nobody */
};

static struct lock lock_at(struct shmem_pe *self, long *lock, const char *call)
{
    uint32_t *half = (uint32_t *)(void *)lock;
    shmem_check_symmetric(self, lock, sizeof *lock, call);
    if ((uintptr_t)lock % sizeof *lock)
        fold_program_error(self->rank, call, "lock %p is not aligned to its %zu bytes", (void *)lock,
                           sizeof *lock);
    return (struct lock){self, call, half, half + 1, 0};
}

static uint32_t atomic(const struct lock *l, const uint32_t *half, uint32_t pe, enum rma_atomic op,
                       uint32_t operand, uint32_t compare)
{
    const struct rma_atomic_args args = {op, sizeof *half, operand, compare};
    uintptr_t remote = rma_symmetric(l->self->rank, half, sizeof *half, pe, l->call);
    return (uint32_t)rma_atomic_fetch(l->self->ctx, pe, remote, &args, l->call);
}

/* Without waiting for the result. */
static void atomic_post(const struct lock *l, const uint32_t *half, uint32_t pe, enum rma_atomic op,
                        uint32_t operand)
{
    const struct rma_atomic_args args = {op, sizeof *half, operand, 0};
    uintptr_t remote = rma_symmetric(l->self->rank, half, sizeof *half, pe, l->call);
    rma_atomic_post(l->self->ctx, pe, remote, &args, l->call);
}

/* --- waiting ------------------------------------------------------------------------------------ */

static uint32_t read_mine(const struct lock *l)
{
    uint32_t v;
    fold_read(l->self->rank, (uintptr_t)l->mine, &v, sizeof v);
    return v;
}

static bool granted(struct fold_rank *r, void *arg)
{
    (void)r;
    return !(read_mine(arg) & WAITING);
}

static bool succeeded(struct fold_rank *r, void *arg)
{
    (void)r;
    return (read_mine(arg) & NEXT) != 0;
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct lock *l = arg;
    char name[SHMEM_NAME_SIZE];
    shmem_object_name(l->self, (uintptr_t)l->tail, name, sizeof name);
    if (l->before)
        snprintf(buf, size, "lock %s, next after PE %u", name, l->before - 1);
    else
        snprintf(buf, size, "lock %s, for the next PE to enter itself", name);
}

static void wait_for(struct lock *l, bool (*ready)(struct fold_rank *, void *))
{
    const uintptr_t low = (uintptr_t)l->mine;
    const struct rma_condition condition = {ready, l, low, low + sizeof *l->mine};
    const struct engine_reason why = {l->call, describe, l};
    rma_wait(l->self->rank, &condition, &why);
}

/* --- the functions ------------------------------------------------------------------------------ */

BASE_PUBLIC void shmem_set_lock(long *lock)
{
    static const char call[] = "shmem_set_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct lock l = lock_at(self, lock, call);
    if (*l.mine & HELD)
        fold_program_error(self->rank, call, "PE %u holds the lock already", self->me);
    if (*l.mine)
        fold_program_error(self->rank, call, "the lock was not 0 before its first use");
    *l.mine = WAITING;
    l.before = atomic(&l, l.tail, 0, RMA_SWAP, self->me + 1, 0);
    if (l.before > self->job->n)
        fold_program_error(self->rank, call, "the lock was not 0 at PE 0 before its first use");
    if (l.before) {
        atomic_post(&l, l.mine, l.before - 1, RMA_OR, self->me + 1);
        wait_for(&l, granted);
    }
    *l.mine = (*l.mine & NEXT) | HELD;
    shmem_leave(self, call);
}

BASE_PUBLIC int shmem_test_lock(long *lock)
{
    static const char call[] = "shmem_test_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct lock l = lock_at(self, lock, call);
    uint32_t before = atomic(&l, l.tail, 0, RMA_COMPARE_SWAP, self->me + 1, 0);
    if (!before)
        *l.mine |= HELD;
    shmem_leave(self, call);
    return before != 0;
}

BASE_PUBLIC void shmem_clear_lock(long *lock)
{
    static const char call[] = "shmem_clear_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct lock l = lock_at(self, lock, call);
    if (!(*l.mine & HELD))
        fold_program_error(self->rank, call, "PE %u does not hold the lock", self->me);
    rma_quiet(self->ctx, call);
    bool alone =
        !(*l.mine & NEXT) && atomic(&l, l.tail, 0, RMA_COMPARE_SWAP, 0, self->me + 1) == self->me + 1;
    if (!alone) {
        wait_for(&l, succeeded);
        uint32_t next = (*l.mine & NEXT) - 1;
        atomic_post(&l, l.mine, next, RMA_AND, ~WAITING);
    }
    *l.mine = 0;
    shmem_leave(self, call);
}
