/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the conversions of 16-bit floats, both kinds: all of their values, and random floats between them. */
#include "types/half.h"

#include "types/naive.h"
#include "types/small_floats.h"

static void test_halves(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("halves"), 8);
    for (uint32_t x = 0; x <= UINT16_MAX; x++) {
        float a = types_from_half((uint16_t)x), b = types_from_bfloat((uint16_t)x);
        double c = small_value(&half, (uint16_t)x), d = small_value(&bfloat, (uint16_t)x);
        if ((a != c && !(isnan(a) && isnan(c))) || (b != d && !(isnan(b) && isnan(d))))
            fail_msg("%#x is %g as a half, expected %g; %g as a bfloat, expected %g", x, a, c, b, d);
        assert_int_equal(signbit(a) != 0, x >> 15);
        assert_true(small_same(&half, types_to_half(a), (uint16_t)x));
        assert_true(small_same(&bfloat, types_to_bfloat(b), (uint16_t)x));
    }
    for (int k = 0; k < 2000000; k++) {
        /* Any bits, and halves with a little more or less than half a place. */
        uint32_t bits = (uint32_t)base_random_u64(&r);
        if (k % 2)
            bits = types_float_to_bits(types_from_half((uint16_t)bits)) + (bits >> 16 & 0x3fff) - 0x2000;
        if (k % 8 == 3)
            bits = (bits & ~UINT32_C(0x1fff)) | 0x1000;
        float x = types_bits_to_float(bits);
        if (!small_same(&half, types_to_half(x), small_of(&half, x)) ||
            !small_same(&bfloat, types_to_bfloat(x), small_of(&bfloat, x)))
            fail_msg("%a becomes %#x, expected %#x; as a bfloat %#x, expected %#x", x, types_to_half(x),
                     small_of(&half, x), types_to_bfloat(x), small_of(&bfloat, x));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
