/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock: distributed locks (OpenSHMEM 1.6 section 9.13) as a queue in the manner of Mellor-Crummey and Scott
 * ("Algorithms for scalable synchronization on shared-memory multiprocessors", ACM TOCS 9(1), 1991): each
 * waiter waits on its own word and is woken by its predecessor, first come, first served.
 *
 * The lock's long has two halves at every PE.
 *   tail   at PE 0 only: the last in the queue, as PE + 1; 0: the lock is free
 *   mine   this PE's place in the queue: WAITING until the one before it lets go, HELD while it has the lock,
 *          and in the other bits who comes next, as PE + 1 (0: none yet). All bits are 0 at rest.
 * Others reach `mine` with atomics only: the next waiter enters itself by OR, the one before clears WAITING
 * by AND. The PE's own loads and stores are atomic too, since nothing else runs between them.
 *
 *  L1  `mine` is other than 0 only from the call that queues the PE until its shmem_clear_lock ends.
 *
 * The locks a PE holds are also recorded separately (lock_held.c) and compared with the words: if something
 * else wrote to a word, the next call finds it. A lock's word need not be aligned; all accesses to its halves
 * allow for that.
 */
#include "shmem/lock.h"
#include "shmem/recorded.h"

#include <string.h>

#define WAITING         UINT32_C(0x80000000)
#define HELD            UINT32_C(0x40000000)
#define NEXT            (~(WAITING | HELD))
#define TAKEN_BY_NOBODY UINT32_MAX /* no queue's tail */

_Static_assert(sizeof(struct shmem_lock) <= SHMEM_APART, "there is room for it");

#define HERE __builtin_return_address(0) /* where the application called the function that uses this */

static struct shmem_lock lock_at(struct shmem_pe *self, long *lock, const char *call)
{
    uint32_t *half = (uint32_t *)(void *)lock;
    shmem_check_symmetric(self, lock, sizeof *lock, call);
    if ((uintptr_t)lock % sizeof *lock)
        shmem_misaligned(self, lock, sizeof *lock, call);
    return (struct shmem_lock){self, call, half, half + 1, 0};
}

/* --- words -------------------------------------------------------------------------------------- */

/* This PE's own half, while it runs. */
static uint32_t mine_now(const struct shmem_lock *l)
{
    uint32_t v;
    memcpy(&v, l->mine, sizeof v);
    return v;
}

static void set_mine(const struct shmem_lock *l, uint32_t v)
{
    memcpy(l->mine, &v, sizeof v);
}

static const char not_zero[] = "was not 0 before its first use";
static const char overwritten[] = "was written by something else while the lock was in use";

/* Before the PE queues, L1. What is there otherwise was not initialized, and real libraries overwrite it;
 * unless another thread of this PE is in the queue. */
static void clear_mine(const struct shmem_lock *l)
{
    char name[SHMEM_NAME_SIZE];
    if (BASE_LIKELY(!mine_now(l)))
        return;
    if (l->self->rank->threads > 1)
        shmem_lock_report_word(l, l->self->me, not_zero);
    set_mine(l, 0);
    if (base_warn_again("misuse/lock-word"))
        return;
    shmem_lock_name(l, name, sizeof name);
    base_warn("misuse/lock-word", "%s: the word of lock %s at PE %u %s", l->call, name, l->self->me,
              not_zero);
}

static uint32_t atomic(const struct shmem_lock *l, const uint32_t *half, uint32_t pe, enum rma_atomic op,
                       uint32_t operand, uint32_t compare)
{
    const struct rma_atomic_args args = {
        .op = op, .size = sizeof *half, .operand = operand, .compare = compare, .inner = true};
    struct rma_target t = shmem_symmetric(l->self, half, sizeof *half, pe, l->call);
    return (uint32_t)rma_atomic_fetch(shmem_default(l->self), t, &args, l->call);
}

/* Without waiting for the result. */
static void atomic_post(const struct shmem_lock *l, const uint32_t *half, uint32_t pe, enum rma_atomic op,
                        uint32_t operand)
{
    const struct rma_atomic_args args = {.op = op, .size = sizeof *half, .operand = operand, .inner = true};
    struct rma_target t = shmem_symmetric(l->self, half, sizeof *half, pe, l->call);
    rma_atomic_post(shmem_default(l->self), t, &args, l->call);
}

/* --- waiting ------------------------------------------------------------------------------------ */

static uint32_t read_mine(const struct shmem_lock *l)
{
    uint32_t v;
    rank_read(l->self->rank, (uintptr_t)l->mine, &v, sizeof v);
    return v;
}

static bool granted(struct rank *r, void *arg)
{
    (void)r;
    return !(read_mine(arg) & WAITING);
}

static bool succeeded(struct rank *r, void *arg)
{
    (void)r;
    return (read_mine(arg) & NEXT) != 0;
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct shmem_lock *l = arg;
    char name[SHMEM_NAME_SIZE];
    shmem_object_name(l->self, (uintptr_t)l->tail, name, sizeof name);
    if (l->before)
        snprintf(buf, size, "lock %s, next after PE %u", name, l->before - 1);
    else
        snprintf(buf, size, "lock %s, for the next PE to enter itself", name);
}

static void wait_for(struct shmem_lock *l, bool (*ready)(struct rank *, void *))
{
    struct base_pool *pool = &l->self->job->apart;
    struct shmem_lock *apart = base_pool_get(pool);
    const uintptr_t low = (uintptr_t)l->mine;
    const struct rma_condition condition = {ready, apart, low, low + sizeof *l->mine};
    const struct engine_reason why = {l->call, describe, apart};
    *apart = *l;
    rma_wait_untold(l->self->rank, &condition, &why);
    base_pool_put(pool, apart);
}

/* --- the functions ------------------------------------------------------------------------------ */

static void set(struct shmem_lock *l, const void *from)
{
    const struct shmem_pe *self = l->self;
    clear_mine(l);
    set_mine(l, WAITING);
    l->before = atomic(l, l->tail, 0, RMA_SWAP, self->me + 1, 0);
    if (l->before > self->job->n)
        shmem_lock_report_word(l, 0, not_zero);
    if (l->before) {
        atomic_post(l, l->mine, l->before - 1, RMA_OR, self->me + 1);
        wait_for(l, granted);
    }
    set_mine(l, (mine_now(l) & NEXT) | HELD);
    shmem_checked_lock(self, l->tail);
    shmem_lock_note(l, from);
}

BASE_PUBLIC void shmem_set_lock(long *lock)
{
    static const char call[] = "shmem_set_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_lock l = lock_at(self, lock, call);
    const struct shmem_held *already = shmem_lock_held(self, (uintptr_t)lock);
    if (already)
        shmem_lock_warn_again(&l, already);
    else
        set(&l, HERE);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_place(self, RECORD_SHMEM_SET_LOCK, lock);
    shmem_leave(self, call);
}

int shmem_lock_test(long *lock, bool may_take, const void *from)
{
    static const char call[] = "shmem_test_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_lock l = lock_at(self, lock, call);
    const struct shmem_held *already = shmem_lock_held(self, (uintptr_t)lock);
    if (already)
        shmem_lock_warn_again(&l, already);
    else
        clear_mine(&l);
    uint32_t before = atomic(&l, l.tail, 0, RMA_COMPARE_SWAP, self->me + 1, may_take ? 0 : TAKEN_BY_NOBODY);
    if (before > self->job->n)
        shmem_lock_report_word(&l, 0, not_zero);
    if (!before && may_take) {
        set_mine(&l, mine_now(&l) | HELD);
        shmem_checked_lock(self, lock);
        shmem_lock_note(&l, from);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(self, RECORD_SHMEM_TEST_LOCK,
                          (const struct record_value[]){{.p = lock}, {.i = before != 0}});
    shmem_leave(self, call);
    return before != 0;
}

BASE_PUBLIC int shmem_test_lock(long *lock)
{
    return shmem_lock_test(lock, true, HERE);
}

/* Takes the PE from the end of the queue: true when nobody is behind it. */
static bool leave_queue(const struct shmem_lock *l)
{
    if (mine_now(l) & NEXT)
        return false;
    uint32_t me = l->self->me + 1, last = atomic(l, l->tail, 0, RMA_COMPARE_SWAP, 0, me);
    if (last == 0 || last > l->self->job->n)
        shmem_lock_report_word(l, 0, overwritten);
    return last == me;
}

static void release(struct shmem_lock *l)
{
    struct shmem_pe *self = l->self;
    if (!(mine_now(l) & HELD) || (mine_now(l) & NEXT) > self->job->n)
        shmem_lock_report_word(l, self->me, overwritten);
    shmem_default_quiet(self, l->call);
    shmem_checked_unlock(self, l->tail);
    if (!leave_queue(l)) {
        wait_for(l, succeeded);
        uint32_t next = (mine_now(l) & NEXT) - 1;
        atomic_post(l, l->mine, next, RMA_AND, ~WAITING);
    }
    set_mine(l, 0);
    shmem_lock_forget(l, shmem_lock_held(self, (uintptr_t)l->tail));
}

BASE_PUBLIC void shmem_clear_lock(long *lock)
{
    static const char call[] = "shmem_clear_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_lock l = lock_at(self, lock, call);
    if (shmem_lock_held(self, (uintptr_t)lock))
        release(&l);
    else
        shmem_lock_warn_not_held(&l);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_place(self, RECORD_SHMEM_CLEAR_LOCK, lock);
    shmem_leave(self, call);
}
