/* SPDX-License-Identifier: BSD-3-Clause */
/* order: the moments of the program's objects, and the functions that end or begin an object's life. These are
 * replaced only if there is a checker (order.def). */
#include "fold/thread/thread.h"

#include "base/table.h"

#include <dlfcn.h>

struct moments {
    rank_moment released, read; /* `read`: by readers */
};
static struct base_table objects; /* struct moments, by place */

void thread_order_add(struct rank *r, const volatile void *object, bool reading)
{
    if (!objects.stride)
        base_table_init(&objects, BASE_NUMBERS, sizeof(struct moments), "order of threads");
    struct moments *m = base_table_add(&objects, thread_place(r, object), NULL);
    thread_moment_add(r, reading ? &m->read : &m->released);
}

static struct moments *find(const struct rank *r, const volatile void *object)
{
    return objects.live ? base_table_find(&objects, thread_place(r, object)) : NULL;
}

void thread_order_take(struct rank *r, const volatile void *object, bool reading)
{
    const struct moments *m = find(r, object);
    if (!m)
        return;
    rank_order_acquire(r, m->released);
    if (!reading)
        rank_order_acquire(r, m->read);
}

void thread_order_drop(const struct rank *r, const volatile void *object)
{
    struct moments *m = rank_checker ? find(r, object) : NULL;
    if (!m)
        return;
    thread_moment_forget(&m->released);
    thread_moment_forget(&m->read);
    base_table_remove(&objects, thread_place(r, object));
}

void thread_order_end_all(void)
{
    if (!objects.stride)
        return;
    uint32_t at = 0;
    for (struct moments *m; (m = base_table_next(&objects, &at));) {
        thread_moment_forget(&m->released);
        thread_moment_forget(&m->read);
    }
    base_table_release(&objects);
    objects = (struct base_table){0};
}

/* --- an object begins or ends ----------------------------------------------------------------------- */

static int again(const volatile void *object, int result)
{
    if (rank_current)
        thread_order_drop(rank_current, object);
    return result;
}

int in_rank_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    return again(m, pthread_mutex_init(m, attr));
}

int in_rank_pthread_mutex_destroy(pthread_mutex_t *m)
{
    return again(m, pthread_mutex_destroy(m));
}

int in_rank_mtx_init(mtx_t *m, int type)
{
    return again(m, mtx_init(m, type));
}

void in_rank_mtx_destroy(mtx_t *m)
{
    mtx_destroy(m);
    (void)again(m, 0);
}

int in_rank_pthread_spin_destroy(pthread_spinlock_t *s)
{
    return again(s, pthread_spin_destroy(s));
}

int in_rank_pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
    return again(l, pthread_rwlock_init(l, attr));
}

int in_rank_pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    return again(l, pthread_rwlock_destroy(l));
}

int in_rank_sem_init(sem_t *s, int shared, unsigned value)
{
    return again(s, sem_init(s, shared, value));
}

int in_rank_sem_destroy(sem_t *s)
{
    return again(s, sem_destroy(s));
}

/* --- function-local statics of C++ ------------------------------------------------------------------ */

/* The Itanium C++ ABI, 3.3.3. Compiled code looks at the guard's first byte itself, by an atomic load, and calls
 * only if it is 0. */
static struct {
    int (*acquire)(uint64_t *guard);
    void (*release)(uint64_t *guard);
    void (*abort)(uint64_t *guard);
} guards;

static bool guards_find(void)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    void *library = NULL;
    for (size_t k = 0; k < BASE_LENGTH(libraries) && !guards.acquire; k++) {
        if (!(library = dlopen(libraries[k], RTLD_LAZY | RTLD_NOLOAD)))
            continue;
        *(void **)(void *)&guards.release = dlsym(library, "__cxa_guard_release");
        *(void **)(void *)&guards.abort = dlsym(library, "__cxa_guard_abort");
        *(void **)(void *)&guards.acquire = dlsym(library, "__cxa_guard_acquire");
    }
    return guards.acquire != NULL;
}

int in_rank___cxa_guard_acquire(uint64_t *guard)
{
    int mine = guards.acquire || guards_find() ? guards.acquire(guard) : !*(char *)guard;
    if (!mine && rank_current)
        thread_order_acquire(rank_current, guard);
    return mine;
}

void in_rank___cxa_guard_release(uint64_t *guard)
{
    struct rank *r = rank_current;
    if (r)
        thread_order_release(r, guard);
    if (guards.release)
        guards.release(guard);
    else
        *(char *)guard = 1;
    if (r)
        rank_atomic(guard, 1, false, true, __ATOMIC_RELEASE, __builtin_return_address(0));
}

void in_rank___cxa_guard_abort(uint64_t *guard)
{
    if (rank_current)
        thread_order_release(rank_current, guard);
    if (guards.abort)
        guards.abort(guard);
}
