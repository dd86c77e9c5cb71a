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
 * The locks a PE holds are also recorded separately and compared with the words: if something else wrote to a
 * word, the next call finds it.
 */
#include "shmem/internal.h"

#include <stdlib.h>
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
_Static_assert(sizeof(struct lock) <= SHMEM_APART, "there is room for it");

static struct lock lock_at(struct shmem_pe *self, long *lock, const char *call)
{
    uint32_t *half = (uint32_t *)(void *)lock;
    shmem_check_symmetric(self, lock, sizeof *lock, call);
    if ((uintptr_t)lock % sizeof *lock)
        shmem_misaligned(self, lock, sizeof *lock, call);
    return (struct lock){self, call, half, half + 1, 0};
}

/* --- who holds what ------------------------------------------------------------------------------ */

#define HERE __builtin_return_address(0) /* where the application called the function that uses this */

/* The locks that a PE holds. */
struct held {
    const uint32_t *lock; /* its own address */
    struct shmem_heap_origin since;
};
struct shmem_locks {
    BASE_ARRAY(struct held) held;
};

static struct held *held_at(const struct shmem_pe *pe, uintptr_t lock)
{
    for (size_t i = 0; pe->locks && i < pe->locks->held.n; i++)
        if ((uintptr_t)pe->locks->held.at[i].lock == lock)
            return &pe->locks->held.at[i];
    return NULL;
}

static void note_held(const struct lock *l, const void *from)
{
    struct shmem_pe *self = l->self;
    const struct held h = {l->tail, {l->call, rank_code_of(self->rank, from), rank_now(self->rank)}};
    if (!self->locks) {
        self->locks = base_zalloc(sizeof *self->locks, "locks");
        self->job->with_locks++;
    }
    BASE_ARRAY_PUSH(&self->locks->held, h);
}

static void note_cleared(const struct lock *l, struct held *h)
{
    struct shmem_locks *all = l->self->locks;
    *h = all->held.at[--all->held.n];
}

void shmem_locks_drop(struct shmem_pe *self)
{
    if (!self->locks)
        return;
    free(self->locks->held.at);
    free(self->locks);
    self->locks = NULL;
    self->job->with_locks--;
}

static void show_holder(const struct shmem_pe *holder, const struct held *h, char *buf, size_t size)
{
    char when[32], origin[SHMEM_PLACE_SIZE];
    snprintf(buf, size, "PE %u holds it since %s (%s)", holder->me, base_show_time(when, h->since.at),
             shmem_origin_name(holder->job, &h->since, origin, sizeof origin));
}

static void name_lock(const struct lock *l, char *buf, size_t size)
{
    shmem_object_name(l->self, (uintptr_t)l->tail, buf, size);
}

static _Noreturn void report_set_again(const struct lock *l, const struct held *h)
{
    char name[SHMEM_NAME_SIZE], holder[SHMEM_PLACE_SIZE];
    name_lock(l, name, sizeof name);
    show_holder(l->self, h, holder, sizeof holder);
    rank_program_error(l->self->rank, l->call, "this PE already holds lock %s: %s", name, holder);
}

/* Undefined (section 9.13), but the expected result of a test is clear. */
static void warn_tested_again(const struct lock *l, const struct held *h)
{
    char name[SHMEM_NAME_SIZE], holder[SHMEM_PLACE_SIZE];
    if (base_warn_again("misuse/lock-again"))
        return;
    name_lock(l, name, sizeof name);
    show_holder(l->self, h, holder, sizeof holder);
    base_warn("misuse/lock-again", "%s: this PE already holds lock %s: %s", l->call, name, holder);
}

static _Noreturn void report_not_held(const struct lock *l)
{
    const struct shmem_job *job = l->self->job;
    char name[SHMEM_NAME_SIZE], holder[SHMEM_PLACE_SIZE] = "nobody does";
    for (uint32_t pe = 0; pe < job->n; pe++) {
        uintptr_t there = shmem_symmetric_try(l->self, l->tail, sizeof(long), pe);
        const struct held *h = there ? held_at(&job->pes[pe], there) : NULL;
        if (h)
            show_holder(&job->pes[pe], h, holder, sizeof holder);
    }
    name_lock(l, name, sizeof name);
    rank_program_error(l->self->rank, l->call, "PE %u does not hold lock %s: %s", l->self->me, name, holder);
}

/* Not 0 before its first use, or written by something else than these functions. */
static _Noreturn void report_word(const struct lock *l, uint32_t pe, const char *when)
{
    char name[SHMEM_NAME_SIZE];
    name_lock(l, name, sizeof name);
    rank_program_error(l->self->rank, l->call, "the word of lock %s at PE %u %s", name, pe, when);
}

void shmem_locks_check(const struct shmem_pe *self, const char *call)
{
    char name[SHMEM_NAME_SIZE], origin[SHMEM_PLACE_SIZE];
    for (size_t i = 0; self->locks && i < self->locks->held.n; i++) {
        const struct held *h = &self->locks->held.at[i];
        if (base_warn_again("misuse/lock-held"))
            continue;
        shmem_object_name(self, (uintptr_t)h->lock, name, sizeof name);
        base_warn("misuse/lock-held", "%s: the PE still holds lock %s, set by %s", call, name,
                  shmem_origin_name(self->job, &h->since, origin, sizeof origin));
    }
}

/* --- words -------------------------------------------------------------------------------------- */

static uint32_t atomic(const struct lock *l, const uint32_t *half, uint32_t pe, enum rma_atomic op,
                       uint32_t operand, uint32_t compare)
{
    const struct rma_atomic_args args = {op, sizeof *half, operand, compare};
    struct rma_target t = shmem_symmetric(l->self, half, sizeof *half, pe, l->call);
    return (uint32_t)rma_atomic_fetch(shmem_default(l->self), t, &args, l->call);
}

/* Without waiting for the result. */
static void atomic_post(const struct lock *l, const uint32_t *half, uint32_t pe, enum rma_atomic op,
                        uint32_t operand)
{
    const struct rma_atomic_args args = {op, sizeof *half, operand, 0};
    struct rma_target t = shmem_symmetric(l->self, half, sizeof *half, pe, l->call);
    rma_atomic_post(shmem_default(l->self), t, &args, l->call);
}

/* --- waiting ------------------------------------------------------------------------------------ */

static uint32_t read_mine(const struct lock *l)
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
    const struct lock *l = arg;
    char name[SHMEM_NAME_SIZE];
    shmem_object_name(l->self, (uintptr_t)l->tail, name, sizeof name);
    if (l->before)
        snprintf(buf, size, "lock %s, next after PE %u", name, l->before - 1);
    else
        snprintf(buf, size, "lock %s, for the next PE to enter itself", name);
}

static void wait_for(struct lock *l, bool (*ready)(struct rank *, void *))
{
    struct base_pool *pool = &l->self->job->apart;
    struct lock *apart = base_pool_get(pool);
    const uintptr_t low = (uintptr_t)l->mine;
    const struct rma_condition condition = {ready, apart, low, low + sizeof *l->mine};
    const struct engine_reason why = {l->call, describe, apart};
    *apart = *l;
    rma_wait(l->self->rank, &condition, &why);
    base_pool_put(pool, apart);
}

/* --- the functions ------------------------------------------------------------------------------ */

static const char not_zero[] = "was not 0 before its first use";
static const char overwritten[] = "was written by something else while the lock was in use";

BASE_PUBLIC void shmem_set_lock(long *lock)
{
    static const char call[] = "shmem_set_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct lock l = lock_at(self, lock, call);
    const struct held *already = held_at(self, (uintptr_t)lock);
    if (already)
        report_set_again(&l, already);
    if (*l.mine)
        report_word(&l, self->me, not_zero);
    *l.mine = WAITING;
    l.before = atomic(&l, l.tail, 0, RMA_SWAP, self->me + 1, 0);
    if (l.before > self->job->n)
        report_word(&l, 0, not_zero);
    if (l.before) {
        atomic_post(&l, l.mine, l.before - 1, RMA_OR, self->me + 1);
        wait_for(&l, granted);
    }
    *l.mine = (*l.mine & NEXT) | HELD;
    note_held(&l, HERE);
    shmem_leave(self, call);
}

BASE_PUBLIC int shmem_test_lock(long *lock)
{
    static const char call[] = "shmem_test_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct lock l = lock_at(self, lock, call);
    const struct held *already = held_at(self, (uintptr_t)lock);
    if (already)
        warn_tested_again(&l, already);
    uint32_t before = atomic(&l, l.tail, 0, RMA_COMPARE_SWAP, self->me + 1, 0);
    if (before > self->job->n)
        report_word(&l, 0, not_zero);
    if (!before) {
        *l.mine |= HELD;
        note_held(&l, HERE);
    }
    shmem_leave(self, call);
    return before != 0;
}

/* Takes the PE from the end of the queue: true when nobody is behind it. */
static bool leave_queue(const struct lock *l)
{
    if (*l->mine & NEXT)
        return false;
    uint32_t me = l->self->me + 1, last = atomic(l, l->tail, 0, RMA_COMPARE_SWAP, 0, me);
    if (last == 0 || last > l->self->job->n)
        report_word(l, 0, overwritten);
    return last == me;
}

BASE_PUBLIC void shmem_clear_lock(long *lock)
{
    static const char call[] = "shmem_clear_lock";
    struct shmem_pe *self = shmem_enter(call);
    struct lock l = lock_at(self, lock, call);
    struct held *h = held_at(self, (uintptr_t)lock);
    if (!h)
        report_not_held(&l);
    if (!(*l.mine & HELD) || (*l.mine & NEXT) > self->job->n)
        report_word(&l, self->me, overwritten);
    shmem_default_quiet(self, call);
    if (!leave_queue(&l)) {
        wait_for(&l, succeeded);
        uint32_t next = (*l.mine & NEXT) - 1;
        atomic_post(&l, l.mine, next, RMA_AND, ~WAITING);
    }
    *l.mine = 0;
    note_cleared(&l, held_at(self, (uintptr_t)lock));
    shmem_leave(self, call);
}
