# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of pgasim in gdb: commands `pgasim ...`, functions $rank() and $now().

frames.py lets gdb unwind the stack of a rank that does not run; copies.py tells gdb's copies of a program
apart. """
import gdb

from . import copies, frames, text, waits
from .job import Job
from .memory import Memory, Unknown
from .situations import Situation, show, show_group

_memory = None  # of the present process or core file


def forget(_event=None):
    """The process has gone, or another one has come: addresses may be others."""
    global _memory
    _memory = None


def memory():
    """Of the present process or core file. Raises Unknown."""
    global _memory
    if _memory is None:
        root = frames.address_of("pgasim_debugger")
        if not root:
            raise Unknown("there is no pgasim here: no process, or it has not loaded libpgasim.so yet")
        _memory = Memory(lambda at, size: bytes(gdb.selected_inferior().read_memory(at, size)), root)
    return _memory


def job():
    """The job as it is now. Raises Unknown."""
    return Job(memory())


def tell_apart(_event=None):
    """Before the user is asked for a command: a process may have been attached to, or a core file opened."""
    try:
        if gdb.selected_inferior().pid or gdb.selected_inferior().threads():
            copies.tell_apart_if_idle(memory())
    except (Unknown, gdb.error):
        pass


def rank_here(now):
    """The number of the rank on whose stack the selected frame is, or -1."""
    sp = int(gdb.selected_frame().read_register("sp")) & frames.WORD
    return now.rank_at(sp, len(gdb.selected_inferior().threads()))


class RankFunction(gdb.Function):
    """$rank(): the number of the rank whose code runs; -1: none's."""

    def __init__(self):
        super().__init__("rank")

    def invoke(self):
        try:
            return rank_here(job())
        except (Unknown, gdb.error):
            return -1


class NowFunction(gdb.Function):
    """$now(): simulated seconds, of the rank whose code runs."""

    def __init__(self):
        super().__init__("now")

    def invoke(self):
        try:
            now = job()
            rank = rank_here(now)
            return now.rank(rank).now if rank >= 0 else now.now
        except (Unknown, gdb.error):
            return 0.0


class Command(gdb.Command):
    """Reports what is missing in one line; a job is there when `run` is called."""

    def __init__(self, name, kind=gdb.COMMAND_STATUS, prefix=False):
        super().__init__(name, kind, gdb.COMPLETE_NONE, prefix)

    def invoke(self, argument, from_tty):
        tell_apart()
        try:
            now = job()
            if now.needs_room() and copies.reopen_core():
                now = job()
            self.run(now, argument.strip())
        except Unknown as why:
            raise gdb.GdbError(str(why)) from why


class Pgasim(gdb.Command):
    """Jobs of pgasim: their ranks, stacks and messages.

pgasim ranks           the ranks: host, time, what each waits for and since when, source line
pgasim rank N          the stack of rank N, whether it runs or not
pgasim rank N COMMAND  any command of gdb, in the innermost frame of rank N's program
pgasim bt              the stacks of all ranks, merged into a tree
pgasim messages        the one-sided operations and messages of collectives under way
pgasim back TIME       runs the program again, to this simulated time

In conditions, $rank() is the rank whose code runs and $now() its simulated time in seconds."""

    def __init__(self):
        super().__init__("pgasim", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        gdb.execute("help pgasim")


def number_of(words, now):
    try:
        return now.rank(int(words, 0))
    except ValueError as error:
        raise Unknown(f"'{words}' is not the number of a rank") from error


class Ranks(Command):
    """Lists the ranks of the job: host, simulated time, what each waits for and since when, source line.
Equal ones are grouped."""

    def run(self, now, _argument):
        stacks = frames.Stacks(now)
        every = [Situation(r, a, stacks) for r in now.ranks() for a in (r.actors or [None])]
        stacks.done()
        show(f"{now.size} ranks, at {text.show_time(now.now)} of simulated time")
        for _, group in text.grouped(every, Situation.key):
            show_group(group)


class OneRank(Command):
    """Shows the stack of a rank: pgasim rank N [COMMAND]
With COMMAND, runs that command of gdb in the innermost frame of the rank's program: info locals, print x, up
2. The frames and globals of a rank that does not run are put in place while the command runs."""

    def run(self, now, argument):
        words = argument.split(None, 1)
        if not words:
            raise Unknown("which rank? pgasim rank N [COMMAND]")
        rank = number_of(words[0], now)
        if rank.ended:
            raise Unknown(f"rank {rank.number} has ended")
        stacks = frames.Stacks(now)
        for k, actor in enumerate(rank.actors):
            what = actor.waits_for()
            if len(rank.actors) > 1 or len(words) < 2:
                show(f"rank {rank.number} (host {rank.host}) at {text.show_time(rank.now)}"
                     + (f", thread {k + 1}" if k else "") + (f", waits: {what}" if what else ""))
                more = waits.detail(rank, actor, frames.name_of)
                if more:
                    show("  " + more)
            with stacks.at(actor, rank) as there:
                if there is None:
                    show(actor.no_frames)
                elif len(words) > 1:
                    gdb.execute(words[1])
                else:
                    show(frames.backtrace(there))
            if len(words) > 1:
                break
        stacks.done()


class Tree(Command):
    """Merges the stacks of all ranks into a tree: pgasim bt [all]
Shown are the program's functions and the call of the library in which each rank is; with `all`, every
frame."""

    def run(self, now, argument):
        stacks = frames.Stacks(now)
        found = []
        for rank in now.ranks():
            if rank.ended:
                found.append((rank.number, ["has ended"]))
            for actor in rank.actors:
                found.append((rank.number, stacks.places(actor, argument == "all") or [actor.no_frames]))
        stacks.done()
        for line in text.tree(found):
            show(line)


class Messages(Command):
    """Lists what is under way: messages of collectives that have not been taken yet, and one-sided operations
in the order of their issue. Equal ones are grouped."""

    def run(self, now, _argument):
        self.collectives(now)
        operations = now.operations()
        if not operations:
            show("no one-sided operation is under way")
        few = len(operations) < 50
        for _, group in text.grouped(operations, lambda o: (o.call, o.bytes, o.state, few and o.target)):
            first = group[0]
            state = {"RETURNING": "took effect, its reply is on the way", "HELD": "waits for earlier ones",
                     "FLYING": "on its way"}.get(first.state, first.state.lower())
            show(f"  {first.call} of {first.bytes} bytes, {text.of_ranks([o.origin for o in group])} -> "
                 f"{text.of_ranks([o.target for o in group])}: {state}"
                 + (f", {len(group)} operations" if len(group) > 1 else "")
                 + (f", at {frames.name_of(first.remote)}" if len(group) == 1 else ""))


    @staticmethod
    def collectives(now):
        messages = now.collective_messages()
        few = len(messages) < 50
        for _, group in text.grouped(messages, lambda m: (m.call, m.number, m.bytes, few and m.target)):
            first = group[0]
            show(f"  {first.call}, a message of {first.bytes} bytes, {text.of_ranks([m.origin for m in group])} -> "
                 f"{text.of_ranks([m.target for m in group])}"
                 + (f", {len(group)} messages" if len(group) > 1 else ""))


class Back(gdb.Command):
    """Goes to a simulated time, back or forth, by running the program again: pgasim back TIME
TIME is as in --stop-at: 12.5us. Breakpoints are ignored on the way. Runs repeat exactly with
--compute=off."""

    def __init__(self):
        super().__init__("pgasim back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if not argument.strip():
            raise gdb.GdbError("to which simulated time? pgasim back 12.5us")
        enabled = [b for b in gdb.breakpoints() if b.enabled]
        confirm = gdb.parameter("confirm")
        for b in enabled:
            b.enabled = False
        gdb.execute("set confirm off")
        gdb.execute("set environment PGASIM_STOP_AT " + argument.strip())
        try:
            gdb.execute("run")
        finally:
            gdb.execute("unset environment PGASIM_STOP_AT")
            gdb.execute(f"set confirm {'on' if confirm else 'off'}")
            for b in enabled:
                if b.is_valid():
                    b.enabled = True


def begin():
    """Called whenever gdb loads the library's symbols."""
    forget()
    if getattr(begin, "done", False):
        return
    begin.done = True
    for signal in range(58, 62):  # timers of ours, SIGRTMAX - 6 to SIGRTMAX - 3
        gdb.execute(f"handle SIG{signal} nostop noprint pass", to_string=True)
    RankFunction()
    NowFunction()
    Pgasim()
    Ranks("pgasim ranks")
    OneRank("pgasim rank", gdb.COMMAND_STACK)
    Tree("pgasim bt", gdb.COMMAND_STACK)
    Messages("pgasim messages")
    Back()
    frames.begin()
    copies.begin()
    gdb.events.before_prompt.connect(tell_apart)
    gdb.events.exited.connect(forget)
    gdb.events.clear_objfiles.connect(forget)
