/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * float_host: the host's FPU for one operation whose flags matter (private to core/). Between begin and end
 * nothing else may compute with floating-point numbers, and the compiler must not move the operation out of
 * there: its operands and its result are volatile.
 *
 * Nobody in the simulator reads the host's flags, and each stack has its own (engine/context.h): they are
 * left clear, so that mostly neither function has to write the control register, which is slow.
 */
#ifndef PGASIM_RISCV_CORE_FLOAT_HOST_H
#define PGASIM_RISCV_CORE_FLOAT_HOST_H

#include "riscv/core/float.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

enum { FLOAT_HOST_PLAIN = 0x1f80, FLOAT_HOST_FLAGS = 0x3f }; /* to nearest, no traps, subnormal numbers */

/* Whether the host computes as RISC-V does by default. */
static inline bool float_host_is_plain(void)
{
    return (_mm_getcsr() & ~(unsigned)FLOAT_HOST_FLAGS) == FLOAT_HOST_PLAIN;
}

/* To nearest, no flags. Returns the host's state. */
static inline uint32_t float_host_begin(void)
{
    uint32_t state = _mm_getcsr();
    if (state != FLOAT_HOST_PLAIN)
        _mm_setcsr(FLOAT_HOST_PLAIN);
    return state & ~(unsigned)FLOAT_HOST_FLAGS;
}

/* Gives it back; returns the flags (fflags) that have gathered. */
static inline uint32_t float_host_end(uint32_t state)
{
    uint32_t now = _mm_getcsr();
    if (now != state)
        _mm_setcsr(state);
    return (now & 32 ? FLOAT_NX : 0) | (now & 16 ? FLOAT_UF : 0) | (now & 8 ? FLOAT_OF : 0) |
           (now & 4 ? FLOAT_DZ : 0) | (now & 1 ? FLOAT_NV : 0);
}
#else
#include <fenv.h>

static inline bool float_host_is_plain(void)
{
    return fegetround() == FE_TONEAREST;
}

static inline uint32_t float_host_begin(void)
{
    uint32_t state = (uint32_t)fegetround();
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    return state;
}

static inline uint32_t float_host_end(uint32_t state)
{
    int now = fetestexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    fesetround((int)state);
    return (now & FE_INEXACT ? FLOAT_NX : 0) | (now & FE_UNDERFLOW ? FLOAT_UF : 0) |
           (now & FE_OVERFLOW ? FLOAT_OF : 0) | (now & FE_DIVBYZERO ? FLOAT_DZ : 0) |
           (now & FE_INVALID ? FLOAT_NV : 0);
}
#endif

#endif
