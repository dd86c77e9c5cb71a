# SPDX-License-Identifier: BSD-3-Clause
"""Values that registers and memory begin with: many that are special, some that are close to each other, the
rest random."""
import struct

INTEGERS = [0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
            1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 64) - 2, (1 << 64) - (1 << 31),
            0xffffffff7fffffff, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x0102030405060708]
DOUBLES = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, float("inf"), float("-inf"), 5e-324, -5e-324,
           2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, -1.7976931348623157e308,
           2.0**31, 2.0**31 - 0.5, 2.0**32, -2.0**31, -2.0**31 - 1, 2.0**63, -2.0**63, 2.0**64, 2.0**53,
           2.0**53 - 1, 1 + 2.0**-52, 1 - 2.0**-53, 2.0**-126, 2.0**-149, 2.0**-150, 3.4028234663852886e38,
           3.4028235677973366e38, 0.1, 1e300, 1e-300]
SINGLES = [0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40200000, 0x7f800000, 0xff800000,
           0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0x4effffff,
           0x4f800000, 0xcf000000, 0x5f000000, 0xdf000000, 0x5f800000, 0x3f800001, 0x3f7fffff, 0x34000000,
           0x7fc00000, 0xffc00000, 0x7f800001, 0xff801234, 0x7fffffff, 0x4b000001, 0x4b800000]
NANS = [0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0xfff4000000000000, 0x7fffffffffffffff]
BOX = 0xffffffff << 32


def integer(rng):
    way = rng.randrange(8)
    if way < 3:
        return rng.choice(INTEGERS)
    if way == 3:
        return 1 << rng.randrange(64)
    if way == 4:
        return rng.randrange(-64, 64) & (1 << 64) - 1
    if way == 5:
        return rng.randrange(-1 << 31, 1 << 31) & (1 << 64) - 1
    return rng.getrandbits(64)


def double(rng):
    way = rng.randrange(8)
    if way < 2:
        return struct.unpack("<Q", struct.pack("<d", rng.choice(DOUBLES)))[0]
    if way == 2:
        return rng.choice(NANS)
    if way == 3:
        return rng.getrandbits(64)
    if way == 4:  # near the ends of the exponents
        return rng.getrandbits(1) << 63 | rng.choice((0, 1, 2, 52, 53, 2044, 2045,
                                                      2046)) << 52 | rng.getrandbits(52)
    if way == 5:  # few bits, so that results are exact or ties
        return rng.getrandbits(1) << 63 | rng.randrange(1019, 1030) << 52 | rng.getrandbits(4) << 48
    return rng.getrandbits(1) << 63 | rng.randrange(950, 1100) << 52 | rng.getrandbits(52)


def single(rng):
    way = rng.randrange(8)
    if way < 2:
        word = rng.choice(SINGLES)
    elif way == 2:
        word = rng.getrandbits(32)
    elif way == 3:
        word = (rng.getrandbits(1) << 31 | rng.choice((0, 1, 2, 23, 24, 252, 253, 254)) << 23 |
                rng.getrandbits(23))
    elif way == 4:
        word = rng.getrandbits(1) << 31 | rng.randrange(124, 132) << 23 | rng.getrandbits(3) << 20
    else:
        word = rng.getrandbits(1) << 31 | rng.randrange(90, 165) << 23 | rng.getrandbits(23)
    if rng.randrange(16) == 0:  # not boxed: counts as a quiet NaN
        return rng.getrandbits(32) << 32 | word
    return BOX | word


def floating(rng):
    return double(rng) if rng.getrandbits(1) else single(rng)
