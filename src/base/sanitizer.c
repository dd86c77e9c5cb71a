/* SPDX-License-Identifier: BSD-3-Clause */
/* sanitizer: finds the run time of a sanitizer, and Valgrind; what they do is up to others. */
#include "base/sanitizer.h"

#include <dlfcn.h>

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND   0
#define VALGRIND_COUNT_ERRORS 0
#define VALGRIND_DISABLE_ERROR_REPORTING
#define VALGRIND_ENABLE_ERROR_REPORTING
#endif

struct base_sanitizer base_sanitizer;

/* Before the program is loaded: what is found belongs to this process, not to a copy of the program. */
static __attribute__((constructor(101))) void find(void)
{
    struct base_sanitizer *s = &base_sanitizer;
    s->start_switch =
        (void (*)(void **, const void *, size_t))dlsym(RTLD_DEFAULT, "__sanitizer_start_switch_fiber");
    s->finish_switch =
        (void (*)(void *, const void **, size_t *))dlsym(RTLD_DEFAULT, "__sanitizer_finish_switch_fiber");
    s->unpoison =
        (void (*)(const volatile void *, size_t))dlsym(RTLD_DEFAULT, "__asan_unpoison_memory_region");
    s->address = dlsym(RTLD_DEFAULT, "__asan_init") != NULL;
    s->leak = dlsym(RTLD_DEFAULT, "__lsan_do_recoverable_leak_check") != NULL;
    if (!s->address || !s->start_switch || !s->finish_switch || !s->unpoison)
        s->start_switch = NULL, s->finish_switch = NULL, s->unpoison = NULL;
    s->program = (s->address || s->leak) && BASE_ASAN + BASE_TSAN == 0;
    if (s->program && s->address) {
        s->first_poisoned = (void *(*)(void *, size_t))dlsym(RTLD_DEFAULT, "__asan_region_is_poisoned");
        s->report = (void (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, int, size_t, uint32_t))dlsym(
            RTLD_DEFAULT, "__asan_report_error");
        if (!s->report)
            s->first_poisoned = NULL;
    }
    if (s->program && s->leak)
        s->ignore = (void (*)(void *))dlsym(RTLD_DEFAULT, "__lsan_ignore_object");
    s->valgrind = RUNNING_ON_VALGRIND != 0;
}

__attribute__((noinline)) void base_sanitizer_check(const void *at, size_t size, bool written)
{
    uintptr_t bad = (uintptr_t)base_sanitizer.first_poisoned((void *)(uintptr_t)at, size);
    if (bad)
        base_sanitizer.report((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0),
                              (uintptr_t)&bad, (uintptr_t)at, written, size, 0);
}

unsigned base_valgrind_errors(void)
{
    return VALGRIND_COUNT_ERRORS;
}

void base_valgrind_report(bool on)
{
    if (on) {
        VALGRIND_ENABLE_ERROR_REPORTING;
    } else {
        VALGRIND_DISABLE_ERROR_REPORTING;
    }
}
