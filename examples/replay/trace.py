#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""trace.py [SIDE [STEPS]] > FILE: the time-independent trace of a solver on SIDE x SIDE ranks (16, 10 steps), as
`smpirun -trace-ti` would write it. In a step each rank computes, exchanges the border of its tile with four
neighbours, and all add up residuals; every fifth step the solver transposes its grid, an all-to-all."""
import sys

FLOPS, BORDER, RESIDUALS, PART, BYTE, DOUBLE = 10_000_000, 65536, 32768, 8192, 6, 0


def step(rank, side, number):
    """The actions of a rank in one step."""
    row, column = divmod(rank, side)
    around = [row * side + (column - 1) % side, row * side + (column + 1) % side,
              (row - 1) % side * side + column, (row + 1) % side * side + column]
    yield "compute %d" % FLOPS
    for tag, peer in enumerate(around):
        yield "irecv %d %d %d %d" % (peer, tag ^ 1, BORDER, BYTE)
    for tag, peer in enumerate(around):
        yield "isend %d %d %d %d" % (peer, tag, BORDER, BYTE)
    yield "waitall"
    yield "allreduce %d 0 %d" % (RESIDUALS, DOUBLE)
    if number % 5 == 4:
        yield "alltoall %d %d %d %d" % (PART, PART, BYTE, BYTE)


def main():
    side, steps = (int(a) for a in (sys.argv[1:] + ["16", "10"][len(sys.argv) - 1:]))
    for rank in range(side * side):
        print(rank, "init")
        for number in range(steps):
            for action in step(rank, side, number):
                print(rank, action)
        print(rank, "finalize")


if __name__ == "__main__":
    main()
