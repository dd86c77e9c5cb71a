# SPDX-License-Identifier: BSD-3-Clause
"""What all inputs need, made once with the command itself: programs, a trace, the list of settings."""
import os
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
PGASIM = P = GOOD = SO = ""  # paths: the command, the program, a good trace, a platform as code
SETTINGS = {}  # their ranges by key
SANITIZED = False  # the build has sanitizers


def prepare(build, folder):
    global PGASIM, P, GOOD, SO
    PGASIM = os.path.join(os.path.realpath(build), "bin", "pgasim")
    P, GOOD, SO = (os.path.join(folder, name) for name in ("program", "good.pgt", "x.so"))
    subprocess.run([PGASIM, "cc", "-w", "-O1", "-g", "-o", P, os.path.join(HERE, "program.c")], check=True)
    subprocess.run([os.environ.get("CC", "cc"), "-w", "-fPIC", "-shared", "-I", os.path.join(HERE, "..", "..", "include"),
                    "-o", SO, os.path.join(HERE, "library.c")], check=True)
    subprocess.run([PGASIM, "run", "-q", "--compute=off", "-np", "3", "--trace", GOOD, P], check=True,
                   stdout=subprocess.DEVNULL)
    listed = subprocess.run([PGASIM, "info", "settings"], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        if line.startswith("  ") and line[2] != " ":
            SETTINGS[key := line.split()[0]] = ""
        elif line.startswith("      range: "):
            SETTINGS[key] = line.removeprefix("      range: ")
