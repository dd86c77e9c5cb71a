/* SPDX-License-Identifier: BSD-3-Clause */
/* float_parts: formats of floating-point numbers, and rounding (private to float*.c). */
#ifndef PGASIM_RISCV_CORE_FLOAT_PARTS_H
#define PGASIM_RISCV_CORE_FLOAT_PARTS_H

#include "riscv/core/float.h"

__extension__ typedef unsigned __int128 float_bits;
#if defined(__x86_64__)
__extension__ typedef __float128 float_quad;
#else
typedef long double float_quad; /* binary128 on aarch64 and riscv64 */
#endif
_Static_assert(sizeof(float_quad) == 16, "quadruple precision");

struct float_format {
    unsigned precision; /* bits, with the leading one */
    int least, most;    /* exponents of normal numbers */
};
extern const struct float_format float_single, float_double;

/* (-1)^negative * m * 2^exponent in the format; m may have any number of bits. If the lowest bits of m stand
 * for more than m holds, m is odd. */
uint64_t float_round_to(const struct float_format *f, enum float_round round, bool negative, float_bits m,
                        int exponent, uint32_t *flags);

static inline bool float_is_nan_s(uint32_t a)
{
    return (a & 0x7fffffff) > 0x7f800000;
}
static inline bool float_is_nan_d(uint64_t a)
{
    return (a & (UINT64_MAX >> 1)) > UINT64_C(0x7ff0000000000000);
}
static inline bool float_signals_s(uint32_t a)
{
    return float_is_nan_s(a) && !(a & 0x00400000);
}
static inline bool float_signals_d(uint64_t a)
{
    return float_is_nan_d(a) && !(a & UINT64_C(0x0008000000000000));
}

/* |a| = m * 2^exponent, exactly. a is finite. */
void float_split_d(uint64_t a, uint64_t *m, int *exponent);

#endif
