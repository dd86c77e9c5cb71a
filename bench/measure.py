# SPDX-License-Identifier: BSD-3-Clause
"""Runs the cases: ours and theirs in turn, so that load on the machine affects both."""
import os
import subprocess
import sys
import tempfile

from case import SIDES, Sample


def explain(status, text):
    last = text.strip().splitlines()[-1:] or [""]
    return "status %d %s" % (status, last[0][:200])


def run_to_its_end(command, **how):
    """subprocess.run kills when it is interrupted; meter has to end its command first."""
    with subprocess.Popen(command, **how) as process:
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            raise
    if status:
        raise subprocess.CalledProcessError(status, command)


def meter(command, work, limit):
    """CPU seconds and peak memory in KiB of a command and its children, its status, whether it had to
    be killed, and its output."""
    report = os.path.join(work, "meter.report")
    with tempfile.TemporaryFile() as out:
        run_to_its_end(["./meter", str(limit), report, *command], cwd=work, stdout=out, stderr=subprocess.STDOUT,
                       stdin=subprocess.DEVNULL)
        out.seek(0)
        text = out.read().decode(errors="replace")
    with open(report) as numbers:
        cpu, memory, status, late = numbers.read().split()
    return float(cpu), int(memory), int(status), late == "1", text


def with_fewer(command, most):
    """The command with at most this many ranks."""
    if "-np" not in command:
        return command
    at = command.index("-np") + 1
    return [*command[:at], str(min(int(command[at]), most)), *command[at + 1:]]


def run_once(case, who, work):
    cpu, memory, status, case.late[who], text = meter(case.commands[who], work, case.limit)
    count = case.work[who]
    if case.late[who]:
        return
    if status:
        case.failure[who] = explain(status, text)
        print("bench/run: %s: %s: %s" % (case.name, " ".join(case.commands[who]), case.failure[who]),
              file=sys.stderr)
        return
    if case.reports:
        _, count, cpu = text.split()[-3:]
    case.samples[who].append(Sample(float(cpu), memory, float(count)))


class Measurer:
    """Repeats each side up to `repeats` times, but not once it has taken `patience` CPU seconds."""

    def __init__(self, builder, work, repeats, patience, large):
        self.builder, self.work, self.large = builder, work, large
        self.repeats, self.patience = repeats, patience

    def wants(self, case, who):
        return (case.runs(who, self.large) and not case.failure[who] and not case.late[who]
                and len(case.samples[who]) < self.repeats and
                case.spent(who) < self.patience)

    def prepare(self, case):
        if case.prepare:
            case.prepare()
        for who in SIDES:
            if case.runs(who, self.large):
                self.builder.build_for(case.commands[who])

    def run(self, case):
        self.prepare(case)
        for n in range(self.repeats):
            for who in SIDES if n % 2 else reversed(SIDES):
                if self.wants(case, who):
                    run_once(case, who, self.work)


class Smoke(Measurer):
    """Runs everything once, with at most 64 ranks, to see that it works. A run that takes more than 10 s
    counts as working."""

    def __init__(self, builder, work):
        super().__init__(builder, work, 1, 0, True)

    def run(self, case):
        self.prepare(case)
        for who in SIDES:
            if case.runs(who, True):
                command = with_fewer(case.commands[who], 64)
                _, _, status, late, text = meter(command, self.work, 10)
                if status and not late:
                    case.failure[who] = explain(status, text)
                    print("%s: %s: %s" % (case.name, " ".join(command), case.failure[who]))
