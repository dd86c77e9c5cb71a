# SPDX-License-Identifier: BSD-3-Clause
"""What an input is: the arguments of one run of the command, and what is around it."""

RUN = ["run", "--compute=off"]
TWO = b"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/></platform>
"""


class Input:
    def __init__(self, args, **more):
        self.args = args                              # of pgasim
        self.outputs = more.get("outputs", [])        # (name, form): there and whole if the status is 0
        self.env = more.get("env", {})
        self.bare = more.get("bare", False)           # no other environment
        self.limits = more.get("limits", {})
        self.stdin = more.get("stdin", b"")
        self.full = more.get("full", False)           # standard output cannot be written
        self.signal = more.get("signal")              # (number, seconds)
        self.program = more.get("program", False)     # the program may end as it likes, if that is reported
        self.hostile = more.get("hostile", False)     # the program itself may do anything
        self.closed = more.get("closed", [])          # standard descriptors


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name
