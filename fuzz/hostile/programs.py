# SPDX-License-Identifier: BSD-3-Clause
"""Programs that misbehave, outputs that cannot be written, signals from outside."""
import os
import shutil
import signal

from hostile import prepared
from hostile.inputs import RUN, TWO, Input, write


def of_program(rng):
    return Input(RUN + ["-np", rng.choice(["1", "2", "3", "8"]), "--json", "x.json"] +
                 rng.choice([[], [], ["--strict"], ["--privatize=swap"], ["--jobs", "2"], ["--trace", "x.pgt"],
                             ["--stack-size", "64KiB"], ["--set", "fold/stacks=shared"]]) +
                 ["./p", str(rng.randrange(1 << 30)), rng.choice(["1", "2", "6"])], program=True, hostile=True,
                 outputs=[("x.json", "json")])


def of_output(rng):
    os.mkdir("folder")
    os.mkdir("closed", 0o500)
    write("there", b"precious")
    os.symlink("there", "link")
    os.symlink("nowhere", "dangling")
    os.link("there", "hard")
    os.symlink("loop", "loop")
    write("two.xml", TWO)
    shutil.copy(prepared.GOOD, "good.pgt")
    def name(form):
        return rng.choice(["x." + form] * 6 + ["/dev/full", "/dev/null", "folder", "folder/x." + form, "closed/x." + form, "there",
                                               "link", "dangling", "hard", "loop", "none/x." + form, "", "-", "x" * 300, "./p", "two.xml",
                                               "good.pgt", "folder/", "/dev/stdout", "/proc/self/fd/1"])
    limits = rng.choice([{}, {}, {"FSIZE": 0}, {"FSIZE": 1 << 12}, {"FSIZE": 1 << 20}, {"NOFILE": rng.randint(3, 16)},
                         {"AS": rng.choice([1 << 26, 1 << 28, 1 << 30, 1 << 32])}, {"STACK": 1 << 17}])
    more = {"limits": limits, "full": rng.random() < 0.1, "closed": rng.choice([[], [], [], [0], [1], [2], [0, 1, 2]])}
    a, b = name("json"), name("pgt")
    svg = name("svg")
    whole = [(f, form) for f, form in ((a, "json"), (b, "pgt")) if f.startswith(("x.", "folder/x."))]
    return rng.choice([
        lambda: Input(RUN + ["-np", "2", "--json", a, "./p"], program=True, outputs=whole[:1] if whole and whole[0][0] == a else [], **more),
        lambda: Input(RUN + ["-np", "2", "--json", a, "--trace", b, "./p"], program=True, outputs=whole, **more),
        lambda: Input(RUN + ["-np", "2", "--trace", name("json"), "--trace", name("paje"), "./p"], program=True, **more),
        lambda: Input(["platform", "draw", "-o", svg, "two.xml"],
                      outputs=[(svg, "svg")] if svg.startswith(("x.", "folder/x.")) else [], **more),
        lambda: Input(["report", "-o", name("html"), "good.pgt"], **more),
        lambda: Input(rng.choice([["info"], ["platform", "show"], ["profile", "good.pgt"], ["--help"], ["run", "--help"]]), **more),
    ])()


def of_signal(rng):
    which = rng.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    return Input(RUN + ["-np", "3", "--json", "x.json", "--trace", rng.choice(["x.pgt", "x.json.json", "x.paje"]), "./p", "spin"],
                 program=True, signal=(which, rng.uniform(0.02, 0.6)))
