/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal: fast conversion of decimal numbers, for inputs such as a list of a million transfers. Gives the
 * same digits as strtod and printf("%.15g"), using integers where these are exact. All other numbers are left
 * to the C library.
 *
 * Invariants
 *  B9  A mantissa of 53 bits times 5^19 has fewer than 128 bits, so the exact number is rounded.
 */
#include "base/base.h"

#include <string.h>

enum { DIGITS = 15, HALF_DIGITS = 8 };

/* --- reading ------------------------------------------------------------------------------------ */

static const double ten_to[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};

/* Digits with a point among them are an integer over a power of ten: where both are exact as doubles, one
 * division rounds once, as strtod does (W. D. Clinger, How to read floating point numbers accurately, PLDI
 * 1990). */
bool base_decimal_read(const char *text, double *out, const char **rest)
{
    const char *p = text, *point = NULL;
    uint64_t whole = 0;
    for (;; p++) {
        unsigned digit = (unsigned char)*p - (unsigned)'0';
        if (digit < 10)
            whole = 10 * whole + digit;
        else if (*p == '.' && !point)
            point = p;
        else
            break;
    }
    size_t length = (size_t)(p - text) - (point != NULL), fraction = point ? (size_t)(p - point) - 1 : 0;
    bool goes_on = *p == 'e' || *p == 'E' || *p == 'x' || *p == 'X';
    if (length == 0 || length >= BASE_LENGTH(ten_to) || whole > UINT64_C(1) << 53 || goes_on)
        return false;
    *out = (double)whole / ten_to[fraction];
    *rest = p;
    return true;
}

/* --- printing ----------------------------------------------------------------------------------- */

static uint64_t five_to(unsigned n)
{
    uint64_t power = 1;
    for (uint64_t square = 5; n; n >>= 1, square *= square)
        if (n & 1)
            power *= square;
    return power;
}

/* mantissa * 2^exponent * 10^scale, rounded as printf does: to nearest, ties to even. */
static uint64_t scaled(uint64_t mantissa, int exponent, int scale)
{
    const unsigned __int128 exact = (unsigned __int128)mantissa * five_to((unsigned)scale);
    const int shift = -exponent - scale;
    BASE_ASSERT("B9", shift > 0 && shift < 64);
    const uint64_t half = UINT64_C(1) << (shift - 1), below = (uint64_t)exact & (2 * half - 1);
    const uint64_t whole = (uint64_t)(exact >> shift);
    return whole + (below > half || (below == half && whole & 1));
}

static void digits_write(char *to, uint32_t x, unsigned n)
{
    for (; n; x /= 10)
        to[--n] = (char)('0' + x % 10);
}

/* The digits of x, without trailing zeros, and its power of ten; 10^-4 <= x < 10^15 - 1. */
static unsigned digits_of(double x, char digit[DIGITS], int *power)
{
    const uint64_t one = UINT64_C(1) << 52;
    uint64_t bits, all;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52) - 1075;
    *power = (exponent + 52) * 1233 >> 12; /* times log10(2): exact, or one too small */
    while ((all = scaled((bits & (one - 1)) | one, exponent, DIGITS - 1 - *power)) >=
           UINT64_C(1000000000000000))
        ++*power;
    digits_write(digit, (uint32_t)(all / 100000000), DIGITS - HALF_DIGITS);
    digits_write(digit + DIGITS - HALF_DIGITS, (uint32_t)(all % 100000000), HALF_DIGITS);
    unsigned n = DIGITS;
    while (digit[n - 1] == '0')
        n--;
    return n;
}

char *base_decimal_write(char *buf, double x)
{
    char digit[DIGITS];
    int power;
    if (!(x >= 1e-4 && x < 999999999999999)) /* larger ones may round to 1e+15 */
        return buf + snprintf(buf, BASE_DECIMAL, "%.15g", x);
    const unsigned n = digits_of(x, digit, &power), whole = power < 0 ? 0 : (unsigned)power + 1;
    if (!whole) {
        memcpy(buf, "0.000", 5);
        memcpy(buf + 1 - power, digit, n);
        buf += 1 - power + (int)n;
    } else if (n <= whole) {
        memset(buf, '0', whole);
        memcpy(buf, digit, n);
        buf += whole;
    } else {
        memcpy(buf, digit, whole);
        buf[whole] = '.';
        memcpy(buf + whole + 1, digit + whole, n - whole);
        buf += n + 1;
    }
    *buf = 0;
    return buf;
}
