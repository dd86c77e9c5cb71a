# SPDX-License-Identifier: BSD-3-Clause
"""For mpi_file_phases.c: mpi_file_phases.py PROFILE.json WINDOW compares the steps of two phases with docs/mpi-io.md."""
import json
import sys

MEMBERS, FILE, HEADER = 2, 200000, 16
LATENCY, NETWORK, DISK, READ, WRITE = 1e-3, 100e6, 2e-3, 80e6, 50e6


def message(n):
    return LATENCY + (n + HEADER) / NETWORK


def main(argv):
    with open(argv[1], encoding="utf-8") as f:
        profile = json.load(f)
    domain = FILE // MEMBERS
    window = min(domain, int(argv[2]))
    rounds = domain // window
    # Half of a window is the aggregator's own; the other half comes in one message, while it sends as much.
    exchange = rounds * message(window / 2)
    expected = {"telling where": 2 * message(16), "exchange": 2 * exchange, "agreeing": message(8),
                "aggregator writes": rounds * (DISK + window / WRITE),
                "aggregator reads": rounds * (DISK + window / READ)}
    steps = {s["name"]: s for s in profile["two_phase_steps"]}
    assert set(steps) == set(expected), sorted(steps)
    for name, seconds in expected.items():
        got = steps[name]["seconds"] / MEMBERS
        assert abs(got - seconds) < 2e-6 * seconds, f"{name}: {got:.9f} s of a member, expected {seconds:.9f}"
    for name in ("aggregator reads", "aggregator writes"):
        assert steps[name]["bytes"] == FILE and steps[name]["count"] == MEMBERS * rounds, steps[name]
    whole, of_steps = profile["files"][0]["access_seconds"], sum(s["seconds"] for s in steps.values())
    assert abs(whole - of_steps) < 1e-9 * whole, f"accesses take {whole:.12f} s, their steps {of_steps:.12f}"
    waited = {w["rank"]: w["seconds"] for w in profile["disk_waits"]}
    disks = expected["aggregator reads"] + expected["aggregator writes"]
    assert sorted(waited) == [0, 1] and all(abs(w - disks) < 2e-6 * disks for w in waited.values()), waited
    print(f"{rounds} rounds: as the formula says")


main(sys.argv)
