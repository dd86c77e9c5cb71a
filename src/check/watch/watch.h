/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch: loads, stores, atomics and calls of instrumented code. A program that was compiled with
 * -fsanitize=thread and linked without the compiler's run time calls the functions of this room, which
 * libpgasim exports: tsan.c (loads, stores, calls), atomics.c, annotations.c (what programs say themselves) and
 * coverage.c (what clang's ThreadSanitizer overlooks). They do what the program asks for, and tell it to the
 * functions below while check_watching is set.
 *
 * They come from any code of the program: in ranks, in constructors before there is a rank, on any stack.
 * `pc` is where the callback returns to: pc - 1 lies in the line of the access. Functions below must keep errno,
 * must not call what is interposed, and do not switch to another actor.
 */
#ifndef PGASIM_CHECK_WATCH_H
#define PGASIM_CHECK_WATCH_H

#include "base/base.h"

extern bool check_watching; /* false: callbacks return at once */

void check_load(uintptr_t address, size_t bytes, const void *pc);
void check_store(uintptr_t address, size_t bytes, const void *pc);
/* The same for volatile objects. */
void check_volatile_load(uintptr_t address, size_t bytes, const void *pc);
void check_volatile_store(uintptr_t address, size_t bytes, const void *pc);

/* An atomic operation that has just been made; a compare-and-exchange that failed only reads. `order`: as
 * __ATOMIC_RELAXED and the like. bytes 0: a fence of that order. */
void check_atomic(uintptr_t address, size_t bytes, bool reads, bool writes, int order, const void *pc);

/* A function begins; it will return to `pc`. `frame`: an address right below what it has on its stack. Calls that
 * are left by longjmp or an exception may end without check_leave: those whose frames are not above a new call's
 * have ended. */
void check_enter(const void *pc, const void *frame);
/* It returns; `pc` is in its code. `frame`: as above, or any other if it has moved its stack. */
void check_leave(const void *pc, const void *frame);

/* What the program says itself: what came before a release of the object comes before what follows an
 * acquisition. */
void check_acquire(const void *object);
void check_release(const void *object);

/* With a sanitizer of our own, gcc knows some of the callbacks, by types that fit all of their kind. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

/* --- private to the room ---------------------------------------------------------------------------- */

/* site.c: whether what follows the callback that returns to pc is an atomic load, or store. */
bool watch_site_atomic(const void *pc, size_t bytes, bool stores);
/* atomics.c: whether the address is that of the callback for such an operation. */
bool watch_is_atomic(uintptr_t function, size_t bytes, bool stores);

#define WATCH_PUBLIC __attribute__((visibility("default")))
#define WATCH_PC     __builtin_return_address(0)

#endif
