# SPDX-License-Identifier: BSD-3-Clause
"""For sat_time.c: what matters of a file of --sat-summary."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    summary = json.load(f)
processes = summary["processes"]
total = sum(p["energy"] for p in processes)
assert abs(total - summary["energy"]) < 1e-6, (total, summary["energy"])
for p in processes:
    classes = p["user"] + p["sdsm"] + p["sync"] + p["sleep"]
    assert abs(classes - summary["time"]) < 0.01, (p, summary["time"])
print("energy %.1f J; user %s; sleep %s" % (total, " ".join("%.2f" % p["user"] for p in processes),
                                            " ".join("%.2f" % p["sleep"] for p in processes)))
