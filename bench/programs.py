# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the programs of the chosen cases, in a separate folder."""
import os
import subprocess

from commands import HERE

SOURCES = os.path.join(HERE, "programs")
ROOT = os.path.dirname(HERE)
MODULES = "p2p", "rank", "types", "fabric", "platform", "fluid", "engine", "trace", "base"


class BuildError(Exception):
    pass


def call(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise BuildError("%s\n%s" % (" ".join(command), done.stdout))


def source(name):
    return os.path.join(SOURCES, name)


class Builder:
    """Programs by their names in `work`: X_shmem and X_mpi from both sides' compilers, X_mpi_ours by our mpicc, the
    rest below."""

    def __init__(self, build, work):
        self.folder, self.work = build, work
        self.oshcc = os.path.join(build, "bin", "wrappers", "oshcc")
        self.mpicc = os.path.join(build, "bin", "wrappers", "mpicc")

    def ep(self, out):
        defines = ["-DANNOTATED"] if out.endswith("annotated") else []
        call(self.oshcc, "-O2", *defines, "-o", out, ROOT + "/examples/ep/ep.c", "-lm")

    def named(self, name):
        """The source of an OpenSHMEM program: one of ours, or an example."""
        example = os.path.join(ROOT, "examples", name.removesuffix("_shmem"), name.removesuffix("_shmem") + ".c")
        return source(name + ".c") if os.path.exists(source(name + ".c")) else example

    def loops(self, out):
        """As an OpenSHMEM program, plain or instrumented; as one of threads, plain or for ThreadSanitizer."""
        threads = ["-DTHREADS", "-pthread"]
        how = {"loops_shmem": [self.oshcc], "loops_checked": [self.oshcc, "--check"],
               "loops_threads": ["cc", *threads], "loops_tsan": ["cc", "-fsanitize=thread", *threads]}
        call(*how[os.path.basename(out)], "-g", "-O2", "-o", out, source("loops.c"), "-lm")

    def on_modules(self, out):
        level = "-O3" if out.endswith("layouts") else "-O2" # the hand-written loops at their best
        call("cc", "-std=gnu17", level, "-D_GNU_SOURCE", "-I", ROOT + "/src", "-I", ROOT + "/include", "-o",
             out,
             source(os.path.basename(out) + ".c"), *("%s/libm_%s.a" % (self.folder, m) for m in MODULES),
             "-lboost_context", "-lexpat", "-lm", "-ldl")

    def on_simgrid(self, out):
        call("c++", "-std=c++17", "-O2", "-o", out, source(os.path.basename(out) + "_simgrid.cpp"),
             "-lsimgrid")

    def build(self, name):
        out = os.path.join(self.work, name)
        if os.path.exists(out):
            return
        if name.startswith("loops"):
            self.loops(out)
        elif name.startswith("sdsm"):
            call(self.mpicc, "-O2", "-o", out, source("sdsm.c"), "-lsat")
        elif name.endswith("_checked"):
            call(self.oshcc, "--check", "-g", "-O2", "-o", out, self.named(name[:-len("_checked")]), "-lm")
        elif name.endswith("_shmem"):
            call(self.oshcc, "-O2", "-o", out, self.named(name), "-lm")
        elif name.endswith("_mpi_ours"):
            call(self.mpicc, "-O2", "-o", out, source(name[:-len("_ours")] + ".c"))
        elif name.endswith("_mpi"):
            call("smpicc", "-O2", "-o", out, source(name + ".c"))
        elif name.startswith("ep"):
            self.ep(out)
        elif name in ("flows", "kernel"):
            self.on_simgrid(out)
        elif name in ("meter", "pwrites"):
            call("cc", "-O2", "-o", out, source(name + ".c"))
        else:
            self.on_modules(out)

    def build_for(self, command):
        for word in command:
            if word.startswith("./"):
                self.build(word[2:])
