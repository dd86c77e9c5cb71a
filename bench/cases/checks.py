# SPDX-License-Identifier: BSD-3-Clause
"""What --check=races costs: the same commands with and without it; other checkers of loads and stores beside."""
from case import Slowdown, grouped

RANKS = 1, 16, 64, 256, 1024, 4096
KINDS = {"private": "x[i] += 1, private", "shared": "x[i] += 1, symmetric", "stencil": "stencil",
         "matrix": "matrix multiplication", "random": "random pairs (EP)"}
ROUNDS = {"private": 16384, "shared": 16384, "stencil": 8192, "matrix": 2048, "random": 16384}


def of(ranks):
    """16 ranks"""
    return "1 rank" if ranks == 1 else "%s ranks" % grouped(ranks)


def communication(c):
    """Programs that are not instrumented and do little but communicate."""
    def case(what, ranks, command, arguments, **more):
        return Slowdown("%s, %s" % (what, of(ranks)), command("--check=races", arguments),
                        command("--", arguments), aims={"most": 1.5}, **more)

    def mpi(what, ranks, program, *arguments):
        def command(option, arguments):
            options = ["--privatize=none"] + ([option] if option != "--" else [])
            return c.ours_mpi(ranks, None, program, *options, arguments=arguments)
        return case(what, ranks, command, arguments)

    def example(what, ranks, program, *arguments):
        def command(option, arguments):
            return c.ours(ranks, None, program, *([option] if option != "--" else []), arguments=arguments)
        return case(what, ranks, command, arguments)
    many = [n for n in RANKS if n > 1]
    return [*(mpi("window: puts of 8 B, flushed by 100", n, "onesided", "puts", max(100, 300000 // n)) for n in RANKS),
            *(mpi("ring of 1 KiB", n, "ring", max(10, 100000 // n)) for n in many),
            *(mpi("allreduces of 8 B", n, "collective", "allreduce", max(5, 40000 // n), 8) for n in many),
            *(mpi("barriers", n, "collective", "barrier", max(10, 200000 // n)) for n in many),
            *(example("integer sort", n, "isort") for n in (16, 64, 256)),
            *(example("heat", n, "heat") for n in (16, 64, 256))]


def loops(c):
    """Instrumented programs that only compute; the work of all ranks together is the same."""
    def case(kind, ranks):
        arguments = [kind, ROUNDS[kind] // ranks]
        return Slowdown("%s, %s" % (KINDS[kind], of(ranks)),
                        c.run(ranks, None, "loops_checked", "--compute=off", "--check=races", arguments=arguments),
                        c.run(ranks, None, "loops_shmem", "--compute=off", arguments=arguments), aims={"most": 10})
    return [case(kind, ranks) for kind in KINDS for ranks in RANKS]


def others(_):
    """The same loops by a thread, under other checkers; "none" checks nothing."""
    def case(tool, kind, *command):
        return Slowdown("%s: %s" % (tool, KINDS[kind]), [*command, kind, str(ROUNDS[kind])],
                        ["./loops_threads", kind, str(ROUNDS[kind])])
    tools = ("none", "drd", "helgrind")
    return [line for kind in KINDS for line in
            (case("ThreadSanitizer", kind, "./loops_tsan"),
             *(case("valgrind --tool=" + tool, kind, "valgrind", "-q", "--tool=" + tool, "./loops_threads")
               for tool in tools))]


def memory(c):
    """64 MiB of memory that others reach, all of it used. In the last line each 8 bytes have an operation of
    their own."""
    def case(what, ranks, kind, mib):
        def command(program, *options):
            return c.run(ranks, None, program, "--compute=off", *options, arguments=[kind, mib])
        return Slowdown(what, command("memory_shmem_checked", "--check=races"), command("memory_shmem"),
                        aims={"memory most": 3})
    return [case("64 MiB, loads and stores", 1, "local", 64), case("2 x 32 MiB, puts and gets of 4 KiB", 2, "remote", 32),
            case("2 x 8 MiB, puts and gets of 8 B", 2, "words", 8)]


def barriers(c):
    """A barrier costs each rank the same, however many there are."""
    def case(ranks):
        rounds = 409600 // ranks
        return Slowdown("barriers, %s" % of(ranks),
                        c.ours_mpi(ranks, None, "collective", "--privatize=none", "--check=races",
                                   arguments=["barrier", rounds]),
                        c.ours_mpi(ranks, None, "collective", "--privatize=none", arguments=["barrier", rounds]),
                        work=ranks * rounds, unit="barriers of a rank")
    return [case(ranks) for ranks in (64, 256, 1024, 4096)]
