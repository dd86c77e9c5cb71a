# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the kernels on simulated cores. A run that was done is not done again."""
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field

import build

FREQUENCY = 2.0  # GHz, of the cores


@dataclass(frozen=True)
class Run:
    """One run. `settings` are pairs of a key and a value."""
    program: str
    backend: str
    args: tuple
    pes: int = 6
    settings: tuple = ()
    platform: str = ""  # another one than the runner's


@dataclass
class Result:
    """The words of the program's line, all that it printed, and pgasim's summary."""
    line: dict
    output: str
    summary: dict = field(repr=False)

    def latency(self):
        """Nanoseconds of a remote atomic."""
        return self.line["cycles"] / self.line["remote"] / FREQUENCY

    def instructions(self):
        """Of a remote atomic."""
        return self.line["instructions"] / self.line["remote"]


def line_read(output):
    """{"name": ..., "pes": 6, "atomics": ...} of the last line."""
    words = output.strip().splitlines()[-1].split()
    start = words.index("pes")
    line = {key: int(value, 16 if key == "checksum" else 10)
            for key, value in zip(words[start::2], words[start + 1::2])}
    line["name"] = " ".join(words[:start])
    return line


class Runner:
    """Has a folder for the programs. With `unmeasured`, programs do not measure single atomics."""

    def __init__(self, pgasim, platform, folder, unmeasured=False):
        self.pgasim, self.platform, self.folder = pgasim, platform, folder
        self.definitions = ("REMOTE_UNMEASURED",) if unmeasured else ()
        self.programs, self.done = {}, {}

    def program_of(self, program, backend):
        if (program, backend) not in self.programs:
            self.programs.update(build.build_for_cores(self.pgasim, self.folder, (program,), (backend,),
                                                       self.definitions))
        return self.programs[program, backend]

    def command_of(self, run, summary):
        settings = [word for key, value in run.settings for word in ("--set", f"{key}={value}")]
        return [self.pgasim, "riscv", "-np", str(run.pes), "--cache", "--platform",
                run.platform or self.platform, "--json", summary, *settings,
                self.program_of(run.program, run.backend), *map(str, run.args)]

    def __call__(self, run):
        if run not in self.done:
            summary = os.path.join(self.folder, "summary.json")
            command = self.command_of(run, summary)
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"figures: {' '.join(command)}: status {done.returncode}\n{done.stderr}")
            with open(summary, encoding="utf-8") as file:
                self.done[run] = Result(line_read(done.stdout), done.stdout, json.load(file))
        return self.done[run]
