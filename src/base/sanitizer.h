/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitizer: what checks the memory of this process besides us: the run time of AddressSanitizer or
 * LeakSanitizer, which a program brings with it (or a build of our own), or Valgrind. It is looked for when
 * the process starts. Functions that are not there are NULL, and a test for that is all that they cost then.
 */
#ifndef PGASIM_BASE_SANITIZER_H
#define PGASIM_BASE_SANITIZER_H

#include "base/base.h"

struct base_sanitizer {
    /* Stacks: `fake` keeps the frames that the run time holds elsewhere; NULL: the stack is not resumed. */
    void (*start_switch)(void **fake, const void *low, size_t size);
    void (*finish_switch)(void *fake, const void **left_low, size_t *left_size);
    void (*unpoison)(const volatile void *at, size_t size);
    void *(*first_poisoned)(void *at, size_t size); /* the first byte that may not be touched, or NULL */
    void (*ignore)(void *block); /* a block of ours: never lost, and what it points to is not, either */
    void (*report)(uintptr_t pc, uintptr_t frame, uintptr_t stack, uintptr_t at, int written, size_t size,
                   uint32_t unused);
    bool address;  /* AddressSanitizer's run time is there */
    bool leak;     /* LeakSanitizer's is, alone or as a part of it */
    bool program;  /* for the program: this build of pgasim has no sanitizer of its own */
    bool valgrind; /* the process runs on Valgrind's processor */
};
extern struct base_sanitizer base_sanitizer;

/* Whether memory of the program is checked while it runs. */
static inline bool base_checked(void)
{
    return base_sanitizer.program || base_sanitizer.valgrind;
}

/* In the call of a program that hands us memory: reports bytes that may not be touched, as if the program had
 * touched them here. */
void base_sanitizer_check(const void *at, size_t size, bool written);
static inline void base_memory_given(const void *at, size_t size, bool written)
{
    if (BASE_UNLIKELY(base_sanitizer.first_poisoned != NULL))
        base_sanitizer_check(at, size, written);
}

/* Valgrind's count of errors so far. */
unsigned base_valgrind_errors(void);
/* What it finds from here until `on` again is not reported: our own reading of bytes that were never set. */
void base_valgrind_report(bool on);

#endif
