/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * annotations: what programs tell ThreadSanitizer themselves (compiler-rt: sanitizer/tsan_interface.h, and
 * the older dynamic annotations): order that instrumentation cannot see. Fibers are stacks of one thread, so they
 * have the thread's order.
 */
#include "check/watch/watch.h"

#if !BASE_TSAN

static inline void acquire(const volatile void *object)
{
    if (BASE_UNLIKELY(check_watching))
        check_acquire((const void *)object);
}
static inline void release(const volatile void *object)
{
    if (BASE_UNLIKELY(check_watching))
        check_release((const void *)object);
}

#define TOLD(name, params, ...)                                                                              \
    WATCH_PUBLIC void name params;                                                                           \
    void name params                                                                                         \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
    }

TOLD(__tsan_acquire, (void *object), acquire(object))
TOLD(__tsan_release, (void *object), release(object))
TOLD(AnnotateHappensBefore, (const char *file, int line, const volatile void *object), (void)file, (void)line;
     release(object))
TOLD(AnnotateHappensAfter, (const char *file, int line, const volatile void *object), (void)file, (void)line;
     acquire(object))

/* Locks of the program's own making. */
TOLD(__tsan_mutex_create, (void *lock, unsigned flags), (void)lock, (void)flags)
TOLD(__tsan_mutex_destroy, (void *lock, unsigned flags), (void)lock, (void)flags)
TOLD(__tsan_mutex_pre_lock, (void *lock, unsigned flags), (void)lock, (void)flags)
TOLD(__tsan_mutex_post_lock, (void *lock, unsigned flags, int depth), (void)flags, (void)depth; acquire(lock))
TOLD(__tsan_mutex_post_unlock, (void *lock, unsigned flags), (void)lock, (void)flags)
TOLD(__tsan_mutex_pre_signal, (void *lock, unsigned flags), (void)lock, (void)flags)
TOLD(__tsan_mutex_post_signal, (void *lock, unsigned flags), (void)lock, (void)flags)
TOLD(__tsan_mutex_pre_divert, (void *lock, unsigned flags), (void)lock, (void)flags)
TOLD(__tsan_mutex_post_divert, (void *lock, unsigned flags), (void)lock, (void)flags)

WATCH_PUBLIC int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags)
{
    (void)flags;
    release(lock);
    return 1;
}

/* --- fibers ----------------------------------------------------------------------------------------- */

static char fiber;

WATCH_PUBLIC void *__tsan_get_current_fiber(void);
void *__tsan_get_current_fiber(void)
{
    return &fiber;
}
WATCH_PUBLIC void *__tsan_create_fiber(unsigned flags);
void *__tsan_create_fiber(unsigned flags)
{
    (void)flags;
    return &fiber;
}
TOLD(__tsan_destroy_fiber, (void *of), (void)of)
TOLD(__tsan_switch_to_fiber, (void *to, unsigned flags), (void)to, (void)flags)
TOLD(__tsan_set_fiber_name, (void *of, const char *name), (void)of, (void)name)

#endif
