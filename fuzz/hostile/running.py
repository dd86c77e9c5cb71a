# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command on an input, within limits."""
import os
import resource
import signal
import subprocess
import time

from hostile import prepared

HANG = 60  # seconds
ADDRESSES = 96 << 30  # bytes: stacks and heaps are reserved, not used
FILE_SIZE = 64 << 20


def limit(wanted, closed):
    def apply():
        os.setsid()
        for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # a job in the background ignores some
            signal.signal(which, signal.SIG_DFL)
        limits = {"AS": ADDRESSES, "FSIZE": FILE_SIZE, "CORE": 0, "CPU": HANG}
        limits.update(wanted)
        if prepared.SANITIZED:  # it reserves terabytes
            del limits["AS"]
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (most, most))
        for fd in closed:
            os.close(fd)
    return apply


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(one):
    env = {} if one.bare else {k: v for k, v in os.environ.items() if not k.startswith(("PGASIM_", "SHMEM_", "SMA_"))}
    env.update({k: v for k, v in one.env.items()})
    env.setdefault("TMPDIR", os.getcwd())
    if prepared.SANITIZED:
        env["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0"
    with open("/dev/full", "wb") as full: # pipes, because limits on the size of files are for those of the command
        process = subprocess.Popen([prepared.PGASIM] + one.args, stdin=subprocess.PIPE, stdout=full if one.full else subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=env, preexec_fn=limit(one.limits, one.closed))
    if one.signal:
        time.sleep(one.signal[1])
        process.send_signal(one.signal[0])
    try:
        out, err = process.communicate(one.stdin, timeout=HANG)
        status = process.returncode
    except subprocess.TimeoutExpired:
        end_group(process)
        out, err = process.communicate()
        status = "hang"
    end_group(process)  # what it has left
    return status, out or b"", err.decode("utf-8", "replace")
