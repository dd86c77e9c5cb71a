# SPDX-License-Identifier: BSD-3-Clause
"""pgasim riscv figures: runs the kernels and draws the paper's figures.

    pgasim riscv figures [--out DIR] [--only N[,N...]] [--platform P] [--quick]

Writes DIR/riscv-figures.md, DIR/images/riscv-figure-N.svg and DIR/riscv-figures.json.
"""
import argparse
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import instructions  # noqa: E402
import latency  # noqa: E402
import page  # noqa: E402
import requests  # noqa: E402
from runs import Runner  # noqa: E402
from workloads import FULL, QUICK  # noqa: E402

NUMBERS = (1, 2, 3, 7, 8, 9, 10)


def numbers(text):
    found = [int(word) if word.isdigit() else -1 for word in text.split(",")]
    if not found or not set(found) <= set(NUMBERS):
        raise argparse.ArgumentTypeError(f"{text}: expected figures out of {', '.join(map(str, NUMBERS))}")
    return found


def options(args):
    parser = argparse.ArgumentParser(prog="pgasim riscv figures", description="Runs the kernels of remote "
                                     "atomics and draws the figures of the paper on them.")
    parser.add_argument("--out", default="riscv-figures", help="folder for the page and its pictures")
    parser.add_argument("--only", type=numbers, default=list(NUMBERS), help="figures, such as 2,10")
    parser.add_argument("--platform", default="rae-table1",
                        help="of the runs with 6 cores, with cards of profile rae (default: rae-table1)")
    parser.add_argument("--quick", action="store_true", help="small runs, to see that all works")
    parser.add_argument("--pgasim", default="pgasim", help=argparse.SUPPRESS)
    return parser.parse_args(args)


def say(log, text):
    log.append(text)
    print(text, file=sys.stderr, flush=True)


def draw(chosen, sizes, folder):
    """The figures, and what the calibration has said."""
    measured, unmeasured = os.path.join(folder, "measured"), os.path.join(folder, "unmeasured")
    os.mkdir(measured)
    os.mkdir(unmeasured)
    runner, log = Runner(chosen.pgasim, chosen.platform, measured), []
    plain = Runner(chosen.pgasim, chosen.platform, unmeasured, unmeasured=True)
    makers = {1: lambda: instructions.figure_1(runner, plain, sizes),
              2: lambda: requests.figure_2(runner, sizes),
              3: lambda: instructions.figure_3(runner),
              7: lambda: latency.figure_7(runner, sizes, lambda text: say(log, text)),
              8: lambda: instructions.figure_8(runner, sizes),
              9: lambda: requests.figure_9(runner, sizes),
              10: lambda: requests.figure_10(runner, sizes)}
    figures = []
    for number in sorted(set(chosen.only)):
        figures.append(makers[number]())
        print(f"Figure {number}: {figures[-1].verdict}. {figures[-1].ours}", file=sys.stderr, flush=True)
    return figures, log


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(args):
    chosen = options(args)
    sizes = QUICK if chosen.quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        figures, log = draw(chosen, sizes, folder)
    images = os.path.join(chosen.out, "images")
    os.makedirs(images, exist_ok=True)
    for figure in figures:
        for name, svg in figure.pictures.items():
            write(os.path.join(images, f"riscv-{name}.svg"), svg)
    head = {"command": "pgasim riscv figures" + (" --quick" if chosen.quick else ""),
            "platform": os.path.basename(chosen.platform), "scale": sizes.scale,
            "kib": sizes.words * 8 // 1024, "iterations": sizes.iterations}
    write(os.path.join(chosen.out, "riscv-figures.md"), page.page(figures, log, head, "images"))
    kept = {f.number: {"title": f.title, "published": f.published, "ours": f.ours, "verdict": f.verdict,
                       "tables": f.tables} for f in figures}
    write(os.path.join(chosen.out, "riscv-figures.json"), json.dumps(kept, indent=1) + "\n")
    print(os.path.join(chosen.out, "riscv-figures.md"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
