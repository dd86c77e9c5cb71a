/* SPDX-License-Identifier: BSD-3-Clause */
/* float_round: formats, and rounding by hand. */
#include "riscv/core/float_parts.h"

const struct float_format float_single = {24, -126, 127};
const struct float_format float_double = {53, -1022, 1023};

static int bits_of(float_bits m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return high ? 128 - __builtin_clzll(high) : m ? 64 - __builtin_clzll((uint64_t)m) : 0;
}

/* m without its lowest `shift` bits, rounded; *exact: they were 0. */
static float_bits shifted(float_bits m, int shift, enum float_round round, bool negative, bool *exact)
{
    if (shift <= 0) {
        *exact = true;
        return m << -shift;
    }
    if (shift > 120) { /* far below: not 0, but less than a half */
        m = m ? 1 : 0;
        shift = 3;
    }
    float_bits kept = m >> shift, rest = m & (((float_bits)1 << shift) - 1),
               half = (float_bits)1 << (shift - 1);
    *exact = rest == 0;
    bool up = false;
    switch (round) {
    case FLOAT_RNE:
        up = rest > half || (rest == half && (kept & 1));
        break;
    case FLOAT_RTZ:
        break;
    case FLOAT_RDN:
        up = rest && negative;
        break;
    case FLOAT_RUP:
        up = rest && !negative;
        break;
    case FLOAT_RMM:
        up = rest >= half;
        break;
    }
    return kept + up;
}

static uint64_t too_large(const struct float_format *f, enum float_round round, bool negative,
                          uint32_t *flags)
{
    uint64_t infinity = (uint64_t)(2 * f->most + 1) << (f->precision - 1);
    bool stays = round == FLOAT_RTZ || (round == FLOAT_RDN && !negative) || (round == FLOAT_RUP && negative);
    *flags |= FLOAT_OF | FLOAT_NX;
    return stays ? infinity - 1 : infinity;
}

uint64_t float_round_to(const struct float_format *f, enum float_round round, bool negative, float_bits m,
                        int exponent, uint32_t *flags)
{
    int precision = (int)f->precision, bits = bits_of(m);
    uint64_t sign = (uint64_t)negative << (f == &float_single ? 31 : 63), number;
    if (!m)
        return sign;
    int top = exponent + bits - 1; /* of the leading bit */
    int below = top < f->least ? f->least - top : 0;
    bool exact, exact_wide;
    float_bits kept = shifted(m, bits - precision + below, round, negative, &exact);
    if (below) { /* tiny if it is so when rounded as if exponents had no end */
        float_bits wide = shifted(m, bits - precision, round, negative, &exact_wide);
        bool tiny = below > 1 || wide >> precision == 0;
        number = (uint64_t)kept;
        *flags |= tiny && !exact ? FLOAT_UF : 0;
    } else {
        top += (int)(kept >> precision);
        if (top > f->most)
            return sign | too_large(f, round, negative, flags);
        if (kept >> precision)
            kept >>= 1;
        number = ((uint64_t)(top + f->most) << (precision - 1)) +
                 (uint64_t)(kept - ((float_bits)1 << (precision - 1)));
    }
    *flags |= exact ? 0 : FLOAT_NX;
    return sign | number;
}

void float_split_d(uint64_t a, uint64_t *m, int *exponent)
{
    int field = (int)(a >> 52 & 0x7ff);
    *m = (a & (UINT64_MAX >> 12)) | (uint64_t)(field != 0) << 52;
    *exponent = (field ? field : 1) - 1075;
}
