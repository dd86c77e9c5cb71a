/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * float: arithmetic of F and D on the contents of f registers (private to core/), with exact flags. Rounding
 * to nearest is the host's FPU's (float_host.h); the other modes, and what the host does differently, are
 * done here with integers and quadruple precision. The interpreter has quicker ways for what raises no new
 * flags (float.inc).
 */
#ifndef PGASIM_RISCV_CORE_FLOAT_H
#define PGASIM_RISCV_CORE_FLOAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FLOAT_NX = 1, FLOAT_UF = 2, FLOAT_OF = 4, FLOAT_DZ = 8, FLOAT_NV = 16 }; /* fflags */
enum float_round { FLOAT_RNE, FLOAT_RTZ, FLOAT_RDN, FLOAT_RUP, FLOAT_RMM };     /* frm */
enum float_op { FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV, FLOAT_SQRT, FLOAT_FMA };
enum float_integer { FLOAT_W, FLOAT_WU, FLOAT_L, FLOAT_LU }; /* as the rs2 field of fcvt */

/* Single numbers are NaN-boxed in the registers: what is not boxed is read as the canonical NaN. */
#define FLOAT_BOX   UINT64_C(0xffffffff00000000)
#define FLOAT_NAN_S (FLOAT_BOX | 0x7fc00000)
#define FLOAT_NAN_D UINT64_C(0x7ff8000000000000)
static inline uint32_t float_unbox(uint64_t a)
{
    return (a & FLOAT_BOX) == FLOAT_BOX ? (uint32_t)a : (uint32_t)FLOAT_NAN_S;
}

/* Bits as the host's numbers, and back. */
static inline float float_single_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline double float_double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint32_t float_bits_of_single(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline uint64_t float_bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* SQRT: of a. FMA: a * b + c; fmsub and the like negate operands (float_negate_*). Flags are or-ed into
 * *flags. */
uint64_t float_arith_s(enum float_op op, enum float_round round, uint64_t a, uint64_t b, uint64_t c,
                       uint32_t *flags);
uint64_t float_arith_d(enum float_op op, enum float_round round, uint64_t a, uint64_t b, uint64_t c,
                       uint32_t *flags);

uint64_t float_negate_s(uint64_t a);
static inline uint64_t float_negate_d(uint64_t a)
{
    return a ^ UINT64_C(1) << 63;
}

/* fsgnj, fsgnjn, fsgnjx: which = 0, 1, 2. */
uint64_t float_sign_s(unsigned which, uint64_t a, uint64_t b);
uint64_t float_sign_d(unsigned which, uint64_t a, uint64_t b);
/* fmin, fmax of version 2.2 (2019): a NaN gives the other operand, -0 < +0. */
uint64_t float_least_s(bool max, uint64_t a, uint64_t b, uint32_t *flags);
uint64_t float_least_d(bool max, uint64_t a, uint64_t b, uint32_t *flags);
/* fle, flt, feq: which = 0, 1, 2, as in funct3. */
uint64_t float_compare_s(unsigned which, uint64_t a, uint64_t b, uint32_t *flags);
uint64_t float_compare_d(unsigned which, uint64_t a, uint64_t b, uint32_t *flags);
uint64_t float_class_s(uint64_t a);
uint64_t float_class_d(uint64_t a);

/* Conversions. Integers are contents of x registers, saturated, W and WU sign-extended. */
uint64_t float_to_integer_s(enum float_integer to, enum float_round round, uint64_t a, uint32_t *flags);
uint64_t float_to_integer_d(enum float_integer to, enum float_round round, uint64_t a, uint32_t *flags);
uint64_t float_from_integer_s(enum float_integer from, enum float_round round, uint64_t x, uint32_t *flags);
uint64_t float_from_integer_d(enum float_integer from, enum float_round round, uint64_t x, uint32_t *flags);
uint64_t float_d_to_s(enum float_round round, uint64_t a, uint32_t *flags);
uint64_t float_s_to_d(uint64_t a, uint32_t *flags);

#endif
