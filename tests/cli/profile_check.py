#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks profiles for profile.sh; prints what is wrong and exits with 1.

    profile_check.py run RUN.json PROFILE       counts and time are the run's; the path joins, and is as long
    profile_check.py link BEFORE AFTER LINK T   twice LINK's bandwidth gained what BEFORE foresaw, within T
    profile_check.py diff A B DIFF              differences of the path add up to that of the runs
"""
import json
import math
import sys

wrong = []


def near(what, got, wanted, tolerance):
    """Relative to `wanted`; both are printed when they differ."""
    if abs(got - wanted) > tolerance * abs(wanted) + 1e-15:
        wrong.append(f"{what}: {got!r}, expected {wanted!r}")


def check_run(run, profile):
    if profile["simulated_seconds"] != run["simulated_seconds"]:
        wrong.append(f"simulated: {profile['simulated_seconds']!r}, of the run {run['simulated_seconds']!r}")
    for key, count in run["operations"].items():
        if profile["operations"].get(key, count) != count:
            wrong.append(f"{key}: {profile['operations'][key]}, of the run {count}")
    path, at = profile["critical_path"], 0
    for piece in path["pieces"]:
        if piece["begin"] != at:
            wrong.append(f"the path breaks off at {at!r}: {piece}")
            break
        at = piece["end"]
    if at != run["simulated_seconds"] or path["seconds"] != at:
        wrong.append(f"the path ends at {at!r}, the run at {run['simulated_seconds']!r}")
    near("pieces", math.fsum(p["end"] - p["begin"] for p in path["pieces"]), at, 1e-12)
    near("parts", math.fsum(path["parts"].values()), at, 1e-9)
    for rank in profile["by_rank"]:
        parts = ("computing", "calling", "waiting", "other", "after")
        near(f"rank {rank['rank']}", math.fsum(rank[p] for p in parts), at, 1e-9)
    for s in profile["suggestions"]:
        if not 0 <= s["foreseen"] <= s["at_most"] <= at:
            wrong.append(f"suggestion: {s}")


def check_link(before, after, link, tolerance):
    first = next((s for s in before["suggestions"] if s["lever"] == "link"), None)
    if not first or first["link"] != link:
        wrong.append(f"not {link}, but {first} is the first link")
        return
    gained = before["simulated_seconds"] - after["simulated_seconds"]
    print(f"{link}: foreseen {first['foreseen']}, at most {first['at_most']}, gained {gained}"
          f" of {before['simulated_seconds']}")
    near("foreseen", first["foreseen"], gained, float(tolerance))
    if gained > first["at_most"] * 1.001:
        wrong.append(f"gained {gained!r}, though at most {first['at_most']!r}")


def check_diff(a, b, diff):
    wanted = b["simulated_seconds"] - a["simulated_seconds"]
    near("difference", diff["difference_seconds"], wanted, 0)
    scale = max(a["simulated_seconds"], b["simulated_seconds"])
    for key in ("path_parts", "path_calls", "path_ranks"):
        got = math.fsum(item["difference"] for item in diff[key])
        if abs(got - wanted) > 1e-9 * scale:
            wrong.append(f"{key}: {got!r} in all, expected {wanted!r}")
    for key, items in diff.items():
        if isinstance(items, list):
            sizes = [abs(item["difference"]) for item in items]
            if sizes != sorted(sizes, reverse=True):
                wrong.append(f"{key}: not in order")


def main():
    what, files = sys.argv[1], []
    for path in sys.argv[2:]:
        if what == "link" and len(files) >= 2:
            files.append(path)
            continue
        with open(path, encoding="utf-8") as file:
            files.append(json.load(file))
    {"run": check_run, "link": check_link, "diff": check_diff}[what](*files)
    for text in wrong:
        print("WRONG:", " ".join(sys.argv[1:]) + ":", text)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
