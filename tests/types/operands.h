/* SPDX-License-Identifier: BSD-3-Clause */
/* operands: random elements of any type, with what is special in floats, and comparing two elements. */
#ifndef TESTS_TYPES_OPERANDS_H
#define TESTS_TYPES_OPERANDS_H

#include "types/internal.h"

#include "types/naive.h"
#include "types/small_floats.h"

/* --- comparing ------------------------------------------------------------------------------------ */

/* Equal bits, or neither is a number. */
static bool same_part(enum types_element e, const unsigned char *x, const unsigned char *y)
{
    const struct types_element_info *info = types_element_info(e);
    if (memcmp(x, y, info->size) == 0)
        return true;
    if (info->class != TYPES_CLASS_FLOATING)
        return false;
    if (info->size == 2) {
        uint16_t a, b;
        memcpy(&a, x, 2);
        memcpy(&b, y, 2);
        return small_same(e == TYPES_BFLOAT16 ? &bfloat : &half, a, b);
    }
#define SAME(T)                                                                                              \
    {                                                                                                        \
        T a, b;                                                                                              \
        memcpy(&a, x, sizeof a);                                                                             \
        memcpy(&b, y, sizeof b);                                                                             \
        return (a != a && b != b) ||                                                                         \
               (sizeof a == sizeof(long double) && a == b && (a != 0 || 1 / a == 1 / b));                    \
    }
    if (info->size == 4)
        SAME(float)
    if (info->size == 8)
        SAME(double)
    if (e == TYPES_LONGDOUBLE) /* has bytes that belong to no number */
        SAME(long double)
    SAME(types_f128)
}

static inline bool same(enum types_element e, const unsigned char *x, const unsigned char *y)
{
    const struct types_element_info *info = types_element_info(e);
    if (info->class == TYPES_CLASS_PAIR) {
        size_t align = types_element_info(info->second)->align;
        size_t place = (types_element_info(info->first)->size + align - 1) / align * align;
        return same_part(info->first, x, y) && same_part(info->second, x + place, y + place);
    }
    if (info->class != TYPES_CLASS_COMPLEX)
        return same_part(e, x, y);
    enum types_element part = e == TYPES_COMPLEX_LONGDOUBLE ? TYPES_LONGDOUBLE
                              : info->size == 4             ? TYPES_FLOAT16
                              : info->size == 8             ? TYPES_FLOAT
                              : info->size == 16            ? TYPES_DOUBLE
                                                            : TYPES_REAL16;
    return same_part(part, x, y) && same_part(part, x + info->size / 2, y + info->size / 2);
}

/* --- random operands ------------------------------------------------------------------------------ */

static void put_part(struct base_random *r, enum types_element e, unsigned char *out)
{
    const struct types_element_info *info = types_element_info(e);
    static const double special[] = {0,   -0.0,    1,        -1,    INFINITY, -INFINITY,
                                     NAN, 0x1p-24, 0x1p-140, 65504, 3.4e38};
    double value = special[base_random_below(r, BASE_LENGTH(special))];
    for (uint32_t k = 0; k < info->size; k++)
        out[k] = (unsigned char)base_random_u64(r);
    uint64_t how = base_random_below(r, 4);
    if (info->class != TYPES_CLASS_FLOATING) {
        if (how == 0) /* zeros, and equal values */
            memset(out, (int)base_random_below(r, 3) - 1, info->size);
        return;
    }
    if (how > 1)
        value = (double)naive_between(r, -100, 100) / 8;
    if (info->size == 2 && how) {
        uint16_t x = small_of(e == TYPES_BFLOAT16 ? &bfloat : &half, value);
        memcpy(out, &x, sizeof x);
    } else if (info->size == 4 && how) {
        float x = (float)value;
        memcpy(out, &x, sizeof x);
    } else if (info->size == 8 && how) {
        memcpy(out, &value, sizeof value);
    } else if (e == TYPES_LONGDOUBLE) { /* not any bits are a number */
        long double x = (long double)value * (how ? 1 : (long double)base_random_unit(r));
        memcpy(out, &x, sizeof x);
    } else if (info->size == 16 && how) {
        types_f128 x = (types_f128)value / 3;
        memcpy(out, &x, sizeof x);
    }
}

static inline void put_random(struct base_random *r, enum types_element e, unsigned char *out)
{
    const struct types_element_info *info = types_element_info(e);
    uint32_t half_size = info->size / 2;
    if (info->class == TYPES_CLASS_PAIR) {
        size_t align = types_element_info(info->second)->align;
        put_part(r, info->first, out);
        put_part(r, info->second, out + (types_element_info(info->first)->size + align - 1) / align * align);
    } else if (info->class == TYPES_CLASS_COMPLEX) {
        enum types_element part = e == TYPES_COMPLEX_LONGDOUBLE ? TYPES_LONGDOUBLE
                                  : half_size == 2              ? TYPES_FLOAT16
                                  : half_size == 4              ? TYPES_FLOAT
                                  : half_size == 8              ? TYPES_DOUBLE
                                                                : TYPES_REAL16;
        put_part(r, part, out);
        put_part(r, part, out + half_size);
    } else {
        put_part(r, e, out);
    }
}

#endif
