/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_held: which locks a PE holds, since when, and by which call of the program; and what a program is told
 * that misuses one. */
#include "shmem/lock.h"

#include <stdlib.h>

/* The locks that a PE holds. */
struct shmem_locks {
    BASE_ARRAY(struct shmem_held) held;
};

struct shmem_held *shmem_lock_held(const struct shmem_pe *pe, uintptr_t lock)
{
    for (size_t i = 0; pe->locks && i < pe->locks->held.n; i++)
        if ((uintptr_t)pe->locks->held.at[i].lock == lock)
            return &pe->locks->held.at[i];
    return NULL;
}

void shmem_lock_note(const struct shmem_lock *l, const void *from)
{
    struct shmem_pe *self = l->self;
    const struct shmem_held h = {l->tail, {l->call, rank_code_of(self->rank, from), rank_now(self->rank)}};
    if (!self->locks) {
        self->locks = base_zalloc(sizeof *self->locks, "locks");
        self->job->with_locks++;
    }
    BASE_ARRAY_PUSH(&self->locks->held, h);
}

void shmem_lock_forget(const struct shmem_lock *l, struct shmem_held *h)
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

static void show_holder(const struct shmem_pe *holder, const struct shmem_held *h, char *buf, size_t size)
{
    char when[32], origin[SHMEM_PLACE_SIZE];
    snprintf(buf, size, "PE %u holds it since %s (%s)", holder->me, base_show_time(when, h->since.at),
             shmem_origin_name(holder->job, &h->since, origin, sizeof origin));
}

void shmem_lock_name(const struct shmem_lock *l, char *buf, size_t size)
{
    shmem_object_name(l->self, (uintptr_t)l->tail, buf, size);
}

/* Undefined (section 9.13), but the expected result of a test is clear; and a PE that sets a lock again still
 * holds it, once, in Open MPI. */
void shmem_lock_warn_again(const struct shmem_lock *l, const struct shmem_held *h)
{
    char name[SHMEM_NAME_SIZE], holder[SHMEM_PLACE_SIZE];
    if (base_warn_again("misuse/lock-again"))
        return;
    shmem_lock_name(l, name, sizeof name);
    show_holder(l->self, h, holder, sizeof holder);
    base_warn("misuse/lock-again", "%s: this PE already holds lock %s: %s", l->call, name, holder);
}

/* Has no effect, as in Open MPI. */
void shmem_lock_warn_not_held(const struct shmem_lock *l)
{
    const struct shmem_job *job = l->self->job;
    char name[SHMEM_NAME_SIZE], holder[SHMEM_PLACE_SIZE] = "nobody does";
    if (base_warn_again("misuse/lock-clear"))
        return;
    for (uint32_t pe = 0; pe < job->n; pe++) {
        uintptr_t there = shmem_symmetric_try(l->self, l->tail, sizeof(long), pe);
        const struct shmem_held *h = there ? shmem_lock_held(&job->pes[pe], there) : NULL;
        if (h)
            show_holder(&job->pes[pe], h, holder, sizeof holder);
    }
    shmem_lock_name(l, name, sizeof name);
    base_warn("misuse/lock-clear", "%s: PE %u does not hold lock %s: %s", l->call, l->self->me, name, holder);
}

/* Not 0 before its first use, or written by something else than these functions. */
_Noreturn void shmem_lock_report_word(const struct shmem_lock *l, uint32_t pe, const char *when)
{
    char name[SHMEM_NAME_SIZE];
    shmem_lock_name(l, name, sizeof name);
    rank_program_error(l->self->rank, l->call, "the word of lock %s at PE %u %s", name, pe, when);
}

void shmem_locks_check(const struct shmem_pe *self, const char *call)
{
    char name[SHMEM_NAME_SIZE], origin[SHMEM_PLACE_SIZE];
    for (size_t i = 0; self->locks && i < self->locks->held.n; i++) {
        const struct shmem_held *h = &self->locks->held.at[i];
        if (base_warn_again("misuse/lock-held"))
            continue;
        shmem_object_name(self, (uintptr_t)h->lock, name, sizeof name);
        base_warn("misuse/lock-held", "%s: the PE still holds lock %s, set by %s", call, name,
                  shmem_origin_name(self->job, &h->since, origin, sizeof origin));
    }
}
