# SPDX-License-Identifier: BSD-3-Clause
"""Numbers, units and words, right and wrong ones; bytes that are changed. All from the given random stream, whose
member `spoilt` says how many values are wrong."""

NUMBERS = ["0", "1", "-1", "1e308", "1e-308", "1e-300", "1e309", "-0", "nan", "inf", "0x10", "1e12", "1e13", "1e21",
           "1e22", "1e-3", "1e-4", "1e30", "1e31", "4294967295", "4294967296", "2147483648", "9223372036854775807",
           "18446744073709551615", "18446744073709551616", "1e", ".", "", " ", "1.5", "7", "64", "1000", "3.14", "١"]
UNITS = ["", "", "", "s", "us", "ns", "w", "Bps", "GBps", "Gbps", "YBps", "f", "Gf", "Yf", "B", "KiB", "TiB", "EiB",
         "x", "%"]
WORDS = ["model", "auto", "raw", "LV08", "SMPI", "IB", "Constant", "CM02", "yes", "no", "rdma", "software", "calls",
         "thread", "own", "shared", "abort", "kill-rank", "binomial", "ring", "0:0:0", "0:1us:1ns;10:1:1", "5:1;6:2",
         "1;1;1", ":", ";", "a" * 5000, "\x1b[31m", "\xff", "%s%n", "../../etc"]


def number(rng):
    if rng.random() < 0.4:
        return f"{rng.choice([rng.random(), 10 ** rng.uniform(-20, 20), rng.randrange(1 << 34)])}"
    return rng.choice(NUMBERS)


def quantity(rng):
    return number(rng) + rng.choice(UNITS)


def value(rng):
    return quantity(rng) if rng.random() < 0.7 else rng.choice(WORDS)


def plausible(rng, unit, low=-6, high=9):
    """A number that is right more often than not."""
    if rng.random() < rng.spoilt:
        return value(rng)
    return f"{rng.choice([1, 2.5, 10 ** rng.uniform(low, high)]):g}{unit}"


def mutate(rng, data):
    """Bytes changed, cut out, doubled or moved."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8, 40])):
        if not data:
            break
        at, n = rng.randrange(len(data)), rng.choice([1, 1, 2, 4, 8, 30])
        how = rng.randrange(8)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 2:
            del data[at:at + n]
        elif how == 3:
            data[at:at] = data[at:at + n]
        elif how == 4:
            data[at:at + n] = bytes(rng.choice([0, 255, rng.randrange(256)]) for _ in range(len(data[at:at + n])))
        elif how == 5:
            data[at:at + 8] = rng.choice([b"\xff" * 8, b"\0" * 8, b"\xff" * 7 + b"\x7f", rng.randbytes(8)])
        elif how == 6 and rng.random() < 0.3:
            del data[at:]
        else:
            data[at:at] = rng.choice([b"-", b"1e308", b"<", b">", b"\"", b"&", b"\0", b"\n", b" ", b"0"])
    return bytes(data)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
