/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tsan: the callbacks of -fsanitize=thread for loads, stores and calls, as gcc and clang emit them
 * (gcc/sanitizer.def; llvm/lib/Transforms/Instrumentation/ThreadSanitizer.cpp). Those for memory come before the
 * access. A build of pgasim with ThreadSanitizer has the compiler's own run time.
 */
#include "check/watch/watch.h"

#include <string.h>

#if !BASE_TSAN

#define CALLBACK(name, tell, bytes)                                                                          \
    WATCH_PUBLIC void __tsan_##name(void *address);                                                          \
    void __tsan_##name(void *address)                                                                        \
    {                                                                                                        \
        if (BASE_UNLIKELY(check_watching))                                                                   \
            tell((uintptr_t)address, bytes, WATCH_PC);                                                       \
    }
/* A load and a store of the same place, in this order. */
#define CALLBACK_BOTH(name, bytes)                                                                           \
    WATCH_PUBLIC void __tsan_##name(void *address);                                                          \
    void __tsan_##name(void *address)                                                                        \
    {                                                                                                        \
        if (BASE_UNLIKELY(check_watching)) {                                                                 \
            check_load((uintptr_t)address, bytes, WATCH_PC);                                                 \
            check_store((uintptr_t)address, bytes, WATCH_PC);                                                \
        }                                                                                                    \
    }
#define CALLBACKS(bytes)                                                                                     \
    CALLBACK(read##bytes, check_load, bytes)                                                                 \
    CALLBACK(write##bytes, check_store, bytes)                                                               \
    CALLBACK_BOTH(read_write##bytes, bytes)                                                                  \
    CALLBACK(volatile_read##bytes, check_volatile_load, bytes)                                               \
    CALLBACK(volatile_write##bytes, check_volatile_store, bytes)
#define CALLBACKS_UNALIGNED(bytes)                                                                           \
    CALLBACK(unaligned_read##bytes, check_load, bytes)                                                       \
    CALLBACK(unaligned_write##bytes, check_store, bytes)                                                     \
    CALLBACK_BOTH(unaligned_read_write##bytes, bytes)                                                        \
    CALLBACK(unaligned_volatile_read##bytes, check_volatile_load, bytes)                                     \
    CALLBACK(unaligned_volatile_write##bytes, check_volatile_store, bytes)

CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)
CALLBACKS_UNALIGNED(2)
CALLBACKS_UNALIGNED(4)
CALLBACKS_UNALIGNED(8)
CALLBACKS_UNALIGNED(16)

/* An object's pointer to its virtual functions. While it is constructed and destructed, it is written with the
 * value that it has: no store. */
CALLBACK(vptr_read, check_load, sizeof(void *))

WATCH_PUBLIC void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    if (BASE_UNLIKELY(check_watching) && *address != value)
        check_store((uintptr_t)address, sizeof *address, WATCH_PC);
}

WATCH_PUBLIC void __tsan_read_range(void *address, unsigned long bytes);
void __tsan_read_range(void *address, unsigned long bytes)
{
    if (BASE_UNLIKELY(check_watching) && bytes)
        check_load((uintptr_t)address, bytes, WATCH_PC);
}

WATCH_PUBLIC void __tsan_write_range(void *address, unsigned long bytes);
void __tsan_write_range(void *address, unsigned long bytes)
{
    if (BASE_UNLIKELY(check_watching) && bytes)
        check_store((uintptr_t)address, bytes, WATCH_PC);
}

/* --- intrinsics of newer clang -------------------------------------------------------------------------- */

static void tell_copy(const void *to, const void *from, size_t bytes, const void *pc)
{
    if (BASE_UNLIKELY(check_watching) && bytes) {
        check_load((uintptr_t)from, bytes, pc);
        check_store((uintptr_t)to, bytes, pc);
    }
}

WATCH_PUBLIC void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    tell_copy(to, from, bytes, WATCH_PC);
    return memmove(to, from, bytes);
}

WATCH_PUBLIC void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    tell_copy(to, from, bytes, WATCH_PC);
    return memmove(to, from, bytes);
}

WATCH_PUBLIC void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes)
{
    if (BASE_UNLIKELY(check_watching) && bytes)
        check_store((uintptr_t)to, bytes, WATCH_PC);
    return memset(to, value, bytes);
}

/* --- calls -------------------------------------------------------------------------------------------- */

/* From a constructor of each instrumented object. */
WATCH_PUBLIC void __tsan_init(void);
void __tsan_init(void)
{
}

WATCH_PUBLIC void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
    if (BASE_UNLIKELY(check_watching))
        check_enter(pc, __builtin_frame_address(0));
}

WATCH_PUBLIC void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
    if (BASE_UNLIKELY(check_watching))
        check_leave(WATCH_PC, __builtin_frame_address(0));
}

#endif
