/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coverage: the callbacks of clang's -fsanitize-coverage=trace-loads,trace-stores. clang's ThreadSanitizer
 * overlooks elements of arrays and structs on the stack whose address is given away (google/sanitizers 1181), so
 * these are used for addresses on the stack, and no others.
 *
 * The callback precedes each load and store, atomic ones as well. Those must not count as plain, and have a callback
 * of their own (site.c).
 */
#include "check/watch/watch.h"

#if !BASE_TSAN

enum { STACK = 64 << 20 }; /* bytes above the frame of a callback that can be its thread's stack */

static inline bool is_wanted(const void *address, size_t bytes, bool stores, const void *pc)
{
    return (uintptr_t)address - (uintptr_t)__builtin_frame_address(0) < STACK &&
           !watch_site_atomic(pc, bytes, stores);
}

#define CALLBACKS(bytes)                                                                                     \
    WATCH_PUBLIC void __sanitizer_cov_load##bytes(void *address);                                            \
    void __sanitizer_cov_load##bytes(void *address)                                                          \
    {                                                                                                        \
        if (BASE_UNLIKELY(check_watching) && is_wanted(address, bytes, false, WATCH_PC))                     \
            check_load((uintptr_t)address, bytes, WATCH_PC);                                                 \
    }                                                                                                        \
    WATCH_PUBLIC void __sanitizer_cov_store##bytes(void *address);                                           \
    void __sanitizer_cov_store##bytes(void *address)                                                         \
    {                                                                                                        \
        if (BASE_UNLIKELY(check_watching) && is_wanted(address, bytes, true, WATCH_PC))                      \
            check_store((uintptr_t)address, bytes, WATCH_PC);                                                \
    }
CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)

/* What the compiler demands beside them. */
WATCH_PUBLIC void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    (void)guard;
}
WATCH_PUBLIC void __sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *behind);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *behind)
{
    (void)first, (void)behind;
}

#endif
