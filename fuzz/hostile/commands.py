# SPDX-License-Identifier: BSD-3-Clause
"""Inputs that the user writes: platforms, settings, environment, options, hostfiles, lists of activities. Each
function makes files in the current folder and returns an Input."""
import shutil

from hostile import prepared
from hostile.inputs import RUN, TWO, Input, write
from hostile.platforms import platform
from hostile.values import mutate, number, plausible, value


def of_platform(rng):
    write("x.xml", platform(rng))
    n = str(rng.choice([1, 2, 3, 7]))
    return rng.choice([
        lambda: Input(["platform", "check", "x.xml"]),
        lambda: Input(["platform", "show", "--all", "x.xml"]),
        lambda: Input(["platform", "show", "--json", "x.xml"]),
        lambda: Input(["platform", "draw", "-o", "x.svg", "x.xml"], outputs=[("x.svg", "svg")]),
        lambda: Input(RUN + ["-np", n, "--map-by", "host", "--platform", "x.xml", "--trace", "x.pgt", "--json", "x.json",
                             "./p"], outputs=[("x.pgt", "pgt"), ("x.json", "json")], program=True),
        lambda: Input(RUN + ["-np", n, "--map-by", "host", "--platform", "x.xml", "./p"], program=True),
        lambda: Input(["flows", "--platform", "x.xml", write("list", activities(rng, ["n0-0", "n0-0", "n1-0"]))]),
    ])()


def of_settings(rng):
    sets = []
    for _ in range(rng.choice([1, 1, 2, 4])):
        key, range_ = rng.choice(list(prepared.SETTINGS.items()))
        ends = range_.removeprefix("0 or ").split(" to ")
        given = rng.choice(ends) if len(ends) == 2 and rng.random() < 0.6 else value(rng)
        sets += ["--set", f"{key}{rng.choice('===:')}{given}"]
    if rng.random() < 0.3:
        write("two.xml", TWO)
        return Input(["flows", "--platform", "two.xml"] + sets + [write("list", activities(rng))])
    return Input(RUN + ["-np", rng.choice(["2", "3"])] + sets + ["./p"], program=True)


def of_environment(rng):
    env = {}
    for _ in range(rng.choice([1, 2, 3])):
        key = rng.choice(list(prepared.SETTINGS))
        name = rng.choice(["PGASIM_" + key.upper().replace("/", "_").replace("-", "_"), "SHMEM_SYMMETRIC_SIZE",
                           "SMA_SYMMETRIC_SIZE", "SHMEM_DEBUG", "PGASIM_" + key, "PGASIM_", "PATH", "HOME", "TMPDIR",
                           "LD_LIBRARY_PATH", "LC_ALL", "TERM", "COLUMNS", "PGASIM_ALONE", "PGASIM_CC"])
        env[name] = value(rng).replace("\0", "")
    command = rng.choice([RUN + ["-np", "2", "./p"], ["info", "settings"], ["info", "./p"], RUN + ["-np", "2", "p"],
                          ["platform", "show"]])
    return Input(command, env=env, bare=rng.random() < 0.3, program=command[0] == "run")


OPTIONS = {
    "run": ["-np", "-n", "--platform", "--hostfile", "--machinefile", "--map-by", "--set", "--cfg", "--compute",
            "--privatize", "--stack-size", "--jobs", "-j", "-x", "--wdir", "--tag-output", "--quiet", "--strict", "--json",
            "--trace", "--trace-ranks", "--trace-from", "--trace-to", "--trace-kinds", "--self-profile",
            "--oversubscribe", "--bind-to", "--help", "--nonsense", "-", "--", "--np"],
    "platform": ["default", "check", "show", "draw", "generate", "-np", "--all", "--json", "--output", "-o", "torus",
                 "fat-tree", "dragonfly", "--hosts", "--dims", "--bw", "--lat", "--speed", "--cores", "two.xml",
                 "--oversubscription", "--down", "--levels", "--help"],
    "profile": ["good.pgt", "--json", "--help", "--ranks", "--top", "--from", "--to", "--nonsense"],
    "diff": ["good.pgt", "good.pgt", "--json", "--help"],
    "report": ["good.pgt", "-o", "--output", "--focus", "--help"],
    "flows": ["--platform", "two.xml", "--model", "--cfg", "--set", "list", "-", "--help"],
    "info": ["settings", "collectives", "places", "--json", "./p", "--help", "nothing"],
    "help": ["run", "flows", "nonsense", ""],
    "version": ["", "x"],
    "env": ["--help", "true", "false", "--nonsense", "/nonexistent"],
}


def of_options(rng):
    write("two.xml", TWO)
    write("list", activities(rng))
    shutil.copy(prepared.GOOD, "good.pgt")
    name = rng.choice(list(OPTIONS) + ["run"] * 4)
    args = [name] + (["-np", rng.choice(["1", "2", "3"])] if name == "run" and rng.random() < 0.7 else [])
    for _ in range(rng.randint(0, 4)):
        option = rng.choice(OPTIONS[name])
        if rng.random() < 0.2:
            option += "=" + value(rng)
        args.append(option)
        if rng.random() < 0.5:
            args.append(rng.choice([value(rng), "2", "two.xml", "x.pgt", "x.json", "host", "off", "swap", "0-1", "1us"]))
    if name == "run" and rng.random() < 0.8:
        args.append("./p")
    return Input([a.replace("\0", "") for a in args], program=name in ("run", "env"), stdin=b"a send n0 n1 1 0\n")


def of_hostfile(rng):
    lines = []
    for _ in range(rng.randint(0, 5)):
        host = rng.choice(["n0", "n1", "n2", "localhost", "", "node-0", "#", "n0:2"] if rng.spoilt else ["n0", "n1", "# x"])
        lines.append(host + rng.choice(["", ":" + number(rng), " slots=" + number(rng), " max_slots=1", " x", "\t", "\r"]
                                       if rng.spoilt else ["", ":3", " slots=2", " slots=1073741824", "\t", "\r"]))
    data = "\n".join(lines).encode("utf-8", "surrogateescape")
    write("hosts", mutate(rng, data) if rng.random() < 0.3 else data)
    write("two.xml", TWO)
    return Input(RUN + ["-np", rng.choice(["1", "2", "5"]), "--platform", "two.xml", "--hostfile", "hosts", "--map-by",
                        rng.choice(["host", "core"]), "./p"], program=True)


def activities(rng, hosts=("n0", "n1")):
    lines = []
    for k in range(rng.choice([0, 1, 3, 20])):
        host = [rng.choice(hosts if rng.random() > rng.spoilt else ["x", ""]) for _ in range(2)]
        if rng.random() < 0.6:
            lines.append(f"{k} send {host[0]} {host[1]} {plausible(rng, '', 0, 9)} {plausible(rng, '', -6, 3)}")
        else:
            lines.append(f"{k} exec {host[0]} {plausible(rng, '', 0, 12)} {plausible(rng, '', -6, 3)}")
    data = "\n".join(lines).encode("utf-8", "surrogateescape")
    return mutate(rng, data) if rng.random() < rng.spoilt * 3 else data


def of_list(rng):
    write("two.xml", TWO)
    write("list", activities(rng))
    model = rng.choice(["LV08", "CM02", "SMPI", "IB", "Constant", "raw"])
    return Input(["flows", "--model", model, "--platform", "two.xml", "list"])
