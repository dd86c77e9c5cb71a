#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""files.py BUILD SOURCE: tests --trace as users see it: the message at the end, the file of a run that is
killed, bad paths and lists, a full disk, and options that choose events."""
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

build, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
wrong = []


def expect(what, good):
    if not good:
        wrong.append(what)


def pgasim(*words, **more):
    return subprocess.run([str(build / "bin/pgasim"), "run", "-np", "4", "--compute=off", *map(str, words)],
                          capture_output=True, text=True, timeout=100, check=False, **more)


def walk(trace):
    return subprocess.run([str(build / "bin/trace_walk"), str(trace)], capture_output=True, text=True,
                          timeout=100,
                          check=False)


def says(what, done, status, pattern):
    expect(f"{what}: status {done.returncode}, {done.stderr!r}, expected {status} and {pattern}",
           done.returncode == status and re.search(pattern, done.stderr, re.MULTILINE))


def usual(program, folder):
    trace = folder / "usual.pgt"
    says("the end", pgasim("--trace", trace, program), 0,
         rf"trace: {trace} \([0-9.]+ KiB, [0-9]+ events\); look at it with: pgasim report {trace}$")
    says("two files", pgasim("--trace", folder / "a.pgt", "--trace", folder / "b.pgt", program), 0,
         r"a\.pgt(.|\n)*b\.pgt")
    expect("both are the same", (folder / "a.pgt").read_bytes() == (folder / "b.pgt").read_bytes())
    says("another folder", pgasim("--trace", "rel.pgt", "--wdir", "/", program, cwd=folder), 0,
         r"trace: rel\.pgt \(")
    expect("it is where the command was called", (folder / "rel.pgt").read_bytes() == trace.read_bytes())


def chosen(program, folder):
    counts = {}
    for name, options in {"all": [], "ranks": ["--trace-ranks", "1-2"],
                          "kinds": ["--trace-kinds", "calls,waits"],
                          "early": ["--trace-to", "1us"], "late": ["--trace-from", "1us"]}.items():
        done = pgasim("--trace", folder / "chosen.pgt", *options, program)
        counts[name] = int(re.search(r"([0-9]+) events", done.stderr).group(1))
    expect(f"counts {counts}", counts["early"] + counts["late"] == counts["all"])
    expect(f"counts {counts}", 0 < counts["ranks"] < counts["all"] and 0 < counts["kinds"] < counts["all"])


def refused(program, folder):
    says("no folder", pgasim("--trace", folder / "no/such.pgt", program), 2,
         r"^pgasim: error: .*no/such\.pgt: No such file")
    says("no form", pgasim("--trace", folder / "x.xml", program), 2,
         r"^pgasim: error: .*x\.xml: expected .*\.pgt")
    says("no rank", pgasim("--trace", folder / "x.pgt", "--trace-ranks", "4", program), 2,
         r"^pgasim: error: .*no rank 4")
    says("no kind", pgasim("--trace", folder / "x.pgt", "--trace-kinds", "call", program), 2,
         r"^pgasim: error: .*'call' is not a kind")
    says("no time", pgasim("--trace", folder / "x.pgt", "--trace-from", "soon", program), 2,
         r"^pgasim: error: .*soon")
    says("no program", pgasim("--trace", folder / "x.pgt", folder / "none"), 2, r"^pgasim: error: .*none")
    expect("a run that does not start leaves nothing", not (folder / "x.pgt").exists())
    says("a full disk", pgasim("--trace", "/dev/full", program), 2, r"/dev/full: expected")
    (folder / "full.pgt").symlink_to("/dev/full")
    says("a full disk", pgasim("--trace", folder / "full.pgt", program), 4,
         r"full\.pgt|/dev/full: No space left on device")


def stopped(program, trace, seconds, number, **more):
    """Runs an endless program until `seconds` after its trace has events, however long its start takes."""
    with subprocess.Popen([str(build / "bin/pgasim"), "run", "-q", "-np", "4", "--trace", str(trace),
                           str(program)], **more) as run:
        last = time.monotonic() + 100
        while not trace.exists() or not trace.stat().st_size:
            if run.poll() is not None or time.monotonic() > last:
                break
            time.sleep(0.01)
        time.sleep(seconds)
        run.send_signal(number)
        run.wait()
    return walk(trace)


def killed(folder):
    program, text = folder / "endless", folder / "endless.c"
    text.write_text("#include <shmem.h>\nint main(void) { shmem_init(); for (;;) shmem_barrier_all(); }\n",
                    encoding="utf-8")
    subprocess.run([str(build / "bin/wrappers/oshcc"), "-o", str(program), str(text)], check=True)
    # Long enough for an incomplete block. Death may come in the middle of a write, which then ends early.
    done = stopped(program, folder / "killed.pgt", 1.5, signal.SIGKILL)
    expect(f"a killed run: {done.stderr!r}",
           re.fullmatch("(the trace has no end: its run was killed or is still going on"
                        "|the file ends within (the head of )?block [0-9]+)\n"
                        "no rank came to its end\n", done.stderr))
    done = stopped(program, folder / "interrupted.pgt", 0, signal.SIGTERM, stderr=subprocess.DEVNULL)
    expect(f"an interrupted run: {done.stderr!r}", done.stderr == "no rank came to its end\n")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "program"
        programs = source / "tests/run/programs"
        subprocess.run([str(build / "bin/wrappers/oshcc"), "-w", f"-I{programs}", "-o", str(program),
                        str(programs / "shmem_atomic.c")], check=True)
        usual(program, folder)
        chosen(program, folder)
        refused(program, folder)
        killed(folder)
    for line in wrong:
        print(line, file=sys.stderr)
    return len(wrong) != 0


sys.exit(main())
