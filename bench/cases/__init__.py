# SPDX-License-Identifier: BSD-3-Clause
"""The cases of bench/run by theme, in the order of the tables."""
from cases import algorithms, checks, collectives, example, files, flows, growth, kernels, layouts, messages, mpi, replays, riscv, schedules, sdsm, starts


def themes(commands):
    """(title, cases) of each table."""
    return [("start and end", starts.cases(commands)),
            ("messages", messages.cases(commands)),
            ("one-sided operations", messages.one_sided(commands)),
            ("MPI programs", mpi.cases(commands)),
            ("files and processes of MPI", files.cases(commands)),
            ("replays of traces", replays.cases(commands)),
            ("schedules in the LogGP model", schedules.cases(commands)),
            ("collectives, against SMPI", collectives.compared(commands)),
            ("collectives, algorithm by algorithm", algorithms.compared(commands)),
            ("collectives of many ranks, by algorithm", algorithms.many(commands)),
            ("collectives of many PEs", collectives.many(commands)),
            ("concurrent flows", flows.cases(commands)),
            ("kernel: a second of CPU makes", kernels.compared(commands)),
            ("pgasim alone: a second of CPU makes", kernels.alone(commands)),
            ("layouts and operators, against loops by hand: MB in a second of CPU", layouts.cases(commands)),
            ("annotations: the ep example", example.cases(commands)),
            ("races: programs that communicate", checks.communication(commands)),
            ("races: instrumented loops", checks.loops(commands)),
            ("races: the same loops by other checkers", checks.others(commands)),
            ("races: memory", checks.memory(commands)),
            ("races: barriers", checks.barriers(commands)),
            ("software distributed shared memory", sdsm.cases(commands)),
            ("RISC-V cores, against qemu", riscv.cases(commands)),
            ("growth with ranks, built-in cluster", growth.cases(commands))]
