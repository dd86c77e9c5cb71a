# SPDX-License-Identifier: BSD-3-Clause
"""Moving data along layouts, and operators, compared with hand-written code: memcpy, and loops at -O3."""
from case import Case

# Runs with gaps are compared with one memcpy of as many bytes, vectors of numbers with a loop for that
# stride.
RUNS = ("pack dense", "pack runs of 256", "pack runs of 1024", "unpack runs of 256",
        "regular beside a loop of copies")
NUMBERS = ("pack doubles, stride 2", "pack doubles, stride 4", "pack doubles, stride 16",
           "unpack doubles, stride 2", "unpack doubles, stride 4", "unpack doubles, stride 16",
           "copy doubles, stride 4 to 2")
OTHERS = ("pack runs of 256, irregular", "pack runs of 1024, irregular", "pack ints, stride 2", "sum double",
          "max int", "prod double complex", "minloc double, int")


def cases(_):
    def case(name, **aims):
        return Case(name, ["./layouts", "ours", name], ["./layouts", "plain", name], reports=True, aims=aims)
    return [case(name, ratio=0.9) for name in RUNS] + [case(name, ratio=0.8) for name in NUMBERS] + \
           [case(name) for name in OTHERS]
