/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * context: leaving one stack for another (private to engine/). The switch is Boost.Context's fcontext, whose
 * two functions have C linkage but no C header: it saves the callee-saved registers and no signal mask.
 * AddressSanitizer is told of each switch if its run time is in the process, be it the program's or that of
 * our own build. ThreadSanitizer is told in builds with it.
 */
#ifndef PGASIM_ENGINE_CONTEXT_H
#define PGASIM_ENGINE_CONTEXT_H

#include <stddef.h>

#include "base/base.h"
#include "base/sanitizer.h"

/* What arrives on the stack that is switched to: the context left behind and the word passed. */
struct engine_transfer {
    void *left;
    void *data;
};
/* `top` is the high end; fn must not return. */
void *make_fcontext(void *top, size_t size, void (*fn)(struct engine_transfer t));
struct engine_transfer jump_fcontext(void *to, void *data);

/* First in the function with which a stack begins: whoever unwinds the stack, such as a debugger, ends there
 * instead of guessing what lies above. */
__attribute__((always_inline)) static inline void engine_stack_begins(void)
{
#if defined(__GCC_HAVE_DWARF2_CFI_ASM) && defined(__x86_64__)
    __asm__ volatile(".cfi_undefined rip");
#elif defined(__GCC_HAVE_DWARF2_CFI_ASM) && defined(__aarch64__)
    __asm__ volatile(".cfi_undefined x30");
#endif
}

/* `fake` keeps the fake frames of the stack that is left; NULL if it will never be resumed. */
static inline void engine_leaving(void **fake, const void *low, size_t size)
{
    if (BASE_UNLIKELY(base_sanitizer.start_switch != NULL))
        base_sanitizer.start_switch(fake, low, size);
}
static inline void engine_arrived(void *fake, const void **left_low, size_t *left_size)
{
    if (BASE_UNLIKELY(base_sanitizer.finish_switch != NULL))
        base_sanitizer.finish_switch(fake, left_low, left_size);
}
static inline void engine_stack_clean(void *low, size_t size)
{
    if (BASE_UNLIKELY(base_sanitizer.unpoison != NULL))
        base_sanitizer.unpoison(low, size);
}

/* ThreadSanitizer calls a stack a fiber. It is kept in AddressSanitizer's field: a build has only one of
 * them. */
#if BASE_TSAN
#include <sanitizer/tsan_interface.h>
/* `own`: the fiber of the stack that is left, filled in if NULL. `to`: the fiber of the other stack,
 * likewise. */
static inline void engine_fiber_switch(void **own, void **to)
{
    if (own && !*own)
        *own = __tsan_get_current_fiber();
    if (!*to)
        *to = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(*to, 0);
}
#else
static inline void engine_fiber_switch(void **own, void **to)
{
    (void)own, (void)to;
}
#endif

#endif
