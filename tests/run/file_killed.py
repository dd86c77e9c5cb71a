#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills runs of file_killed.c at random moments (SIGKILL), and looks at what they leave.

  file_killed.py BUILD [--kills N]

docs/mpi-io.md says what may be there: what was synced; of later writes, for each byte, either what was there before or
what was written; nothing else is touched, and there is no other file.
"""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS, BLOCK, BLOCKS, REGIONS = 4, 512, 4, 8  # as in file_killed.c
REGION = 2 * BLOCK * BLOCKS * RANKS
WAYS = "collective", "independent", "atomic", "preallocate"
BEFORE = 0xEE


def seed():
    """As tests/seed.h has it."""
    given = os.environ.get("PGASIM_TEST_SEED") or "1"
    chosen = random.SystemRandom().randrange(1 << 62) if given == "random" else int(given, 0)
    print("PGASIM_TEST_SEED=%d" % chosen)
    return chosen


def written(way, turn, at):
    """What a byte of a block may be when only round `turn` has written it: a byte of any of the writers."""
    if turn < 0:
        return None
    writers = range(RANKS if way == "atomic" else 1)
    return {1 + (turn * 31 + rank * 7 + at) % 199 for rank in writers}


def allowed(way, last, at, fresh):
    """What a byte of a block may be when round `last` was synced: two later ones may be under way."""
    region = at // REGION
    synced = last - (last - region) % REGIONS  # the last one that wrote there; negative: none
    values = written(way, synced, at) or {fresh}
    for turn in last + 1, last + 2:
        if turn % REGIONS == region:
            values = values | written(way, turn, at)
    return values


def wrong_bytes(way, last, data, size):
    """The bytes that may not be what they are."""
    for at, byte in enumerate(data):
        fresh = BEFORE if at < size else 0
        blank = at // BLOCK % 2  # the block behind each is nobody's
        if byte not in ({fresh} if blank else allowed(way, last, at, fresh)):
            yield "byte %d (%s) is %d" % (at, "nobody's" if blank else "of a block", byte)


def whole_blocks(way, last, data):
    """In atomic mode a block that is not being written is of one rank."""
    for block in range(0, len(data) - BLOCK + 1, 2 * BLOCK):
        turn = last - (last - block // REGION) % REGIONS
        if way != "atomic" or turn < 0 or block // REGION in ((last + 1) % REGIONS, (last + 2) % REGIONS):
            continue
        if not any(data[block:block + BLOCK] == bytes(1 + (turn * 31 + rank * 7 + at) % 199
                                                     for at in range(block, block + BLOCK)) for rank in range(RANKS)):
            yield "the block at %d is of several ranks" % block


def kill(command, folder, way, size, wait):
    """Starts a run, kills it after `wait` seconds of writing; returns the last round that was synced, and what is wrong."""
    path, progress, left = folder + "/file", folder + "/progress", folder + "/tmp"
    os.makedirs(left)
    with open(path, "wb") as file:
        file.write(bytes([BEFORE]) * size)
    settings = {key: value for key, value in os.environ.items() if not key.startswith("PGASIM_")}
    with subprocess.Popen([*command, way, path, progress], env=dict(settings, TMPDIR=left), stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as child:
        deadline = time.monotonic() + 60
        while not os.path.exists(progress) and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(wait)
        child.kill()
        text = child.stderr.read().decode(errors="replace")
    if child.returncode != -9:
        return -1, ["status %d instead of being killed: %s" % (child.returncode, text)]
    with open(progress, "rb") as file:
        told = file.read()
    last = struct.unpack("i", told)[0] if told else -1
    with open(path, "rb") as file:
        data = file.read()
    wrong = [*wrong_bytes(way, last, data, size), *whole_blocks(way, last, data)]
    if len(data) > max(size, REGIONS * REGION):
        wrong.append("the file has %d bytes" % len(data))
    rest = sorted(set(os.listdir(folder)) - {"file", "progress", "tmp"}) + os.listdir(left)
    return last, wrong + ["left behind: " + name for name in rest]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--kills", type=int, default=8)
    args = options.parse_args()
    build, draw, failed, rounds = os.path.abspath(args.build), random.Random(seed()), 0, []
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/program"
        subprocess.run([build + "/bin/wrappers/mpicc", "-O1", "-o", program, HERE + "/file_killed.c"], check=True)
        for number in range(args.kills):
            way, wait, size = WAYS[number % len(WAYS)], draw.uniform(0, 0.2), draw.choice([0, 30000, REGIONS * REGION])
            options = draw.choice([[], ["--map-by", "host"], ["--privatize=swap"]])
            command = [build + "/bin/pgasim", "run", "--quiet", "--compute=off", "-np", str(RANKS), *options, program]
            os.makedirs("%s/%d" % (folder, number))
            last, wrong = kill(command, "%s/%d" % (folder, number), way, size, wait)
            rounds.append(last)
            if wrong:
                failed += 1
                print("FAIL %s, killed after %.3f s and %d rounds: %d faults, such as: %s" % (
                    way, wait, last + 1, len(wrong), "; ".join(wrong[:4])))
    print("%d kills after 0 to %d rounds: %d failed" % (args.kills, max(rounds) + 1, failed))
    return 1 if failed or max(rounds) < 1 else 0


if __name__ == "__main__":
    sys.exit(main())
