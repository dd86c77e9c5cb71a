# SPDX-License-Identifier: BSD-3-Clause
"""Stacks of ranks that do not run, unwound by gdb.

A rank that waits is not a thread for gdb. Its registers are on its stack, where the library switched away
from it. An unwinder gives them to gdb as those of the caller of frame 0, so frame 1 is the innermost one of
that rank. If its frames are kept aside, or its globals are exchanged, the bytes are put in place meanwhile
and taken back at the end. """
import contextlib
import os
import re

import gdb
from gdb.unwinder import Unwinder, register_unwinder

from .memory import Unknown

WORD = 0xFFFFFFFFFFFFFFFF


def address_of(symbol):
    """Of a global symbol, without debug information as well; 0: there is none."""
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}")) & WORD
    except gdb.error:
        return 0


def name_of(address):
    """"inbox+8" for an address in static data, or the address."""
    found = gdb.execute(f"info symbol {address:#x}", to_string=True)
    if found.startswith("No symbol"):
        return f"{address:#x}"
    return found.split(" in section")[0].replace(" + ", "+")


class Id:
    """What names a frame for gdb."""

    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class WaitingUnwinder(Unwinder):
    """While `registers` is set, the caller of frame 0 is the rank that has these registers."""

    def __init__(self):
        super().__init__("pgasim ranks")
        self.registers = None
        self.newest = None  # (sp, pc) of frame 0

    def __call__(self, pending):
        if self.registers is None:
            return None
        here = tuple(int(pending.read_register(r)) & WORD for r in ("sp", "pc"))
        if here != self.newest:
            return None
        # gdb takes frames for corrupt that lie below their callees: this one is said to lie just below.
        sp = self.registers.get("sp", self.registers.get("rsp"))
        below = gdb.Value(sp - 16).cast(pending.read_register("sp").type)
        info = pending.create_unwind_info(Id(below, pending.read_register("pc")))
        for name, value in self.registers.items():
            kind = pending.read_register(name).type
            info.add_saved_register(name, gdb.Value(value).cast(kind))
        return info

    def give(self, registers):
        self.registers = None
        gdb.invalidate_cached_frames()
        if registers:
            frame = gdb.newest_frame()
            self.newest = tuple(int(frame.read_register(r)) & WORD for r in ("sp", "pc"))
            self.registers = registers
            gdb.invalidate_cached_frames()


_unwinder = WaitingUnwinder()


def begin():
    register_unwinder(None, _unwinder, replace=True)


# --- what a frame is ------------------------------------------------------------------------------

# copies.py makes such roots
SYSTEM = re.compile(r"^(.*/pgasim-gdb-[^/]*/root[0-9]+)?/(usr/)?lib(32|64|x32)?/")


class Frames:
    """Names of frames, remembered by program counter: thousands of ranks are in the same few places."""

    def __init__(self):
        self.kinds, self.lines = {}, {}

    def kind(self, pc):
        """"pgasim", "program" or "system"."""
        page = pc >> 12
        if page not in self.kinds:
            library = gdb.current_progspace().solib_name(pc) or ""
            name = os.path.basename(library)
            self.kinds[page] = "pgasim" if name.startswith("libpgasim.so") or not library else \
                "system" if SYSTEM.match(library) else "program"
        return self.kinds[page]

    def place(self, frame):
        """"exchange, heat.c:41"."""
        pc = frame.pc()
        name = frame.name() or f"{pc:#x}"
        key = pc, name
        if key not in self.lines:
            sal = frame.find_sal()
            where = f", {os.path.basename(sal.symtab.filename)}:{sal.line}" if sal.symtab and sal.line else ""
            self.lines[key] = name + where
        return self.lines[key]


def backtrace(first):
    """gdb's own, from frame number `first` on."""
    lines = gdb.execute("backtrace", to_string=True).rstrip().split("\n")
    for k, line in enumerate(lines):
        if line.startswith("#") and int(line[1:].split(None, 1)[0]) >= first:
            return "\n".join(lines[k:])
    return "no frames"


@contextlib.contextmanager
def in_place(pieces):
    """Writes [(address, bytes)] into the process, and takes it back at the end."""
    inferior = gdb.selected_inferior()
    before = []
    try:
        for at, data in pieces:
            old = bytes(inferior.read_memory(at, len(data)))
            inferior.write_memory(at, data)
            before.append((at, old))
        gdb.invalidate_cached_frames()
        yield
    except gdb.MemoryError as error:
        raise Unknown(f"what the rank has aside cannot be put in place: {error}") from error
    finally:
        for at, old in reversed(before):
            inferior.write_memory(at, old)
        gdb.invalidate_cached_frames()


class Stacks:
    """The stacks of a job's actors, one after the other. Call done() at the end."""

    def __init__(self, job):
        self.job, self.frames = job, Frames()
        self.selected = gdb.selected_thread()
        try:
            self.frame = gdb.selected_frame()
            self.level = self.frame.level()
        except gdb.error:
            self.level = 0
        self.threads = self._threads()

    def _threads(self):
        """Which actor is on which of gdb's threads."""
        found, threads = {}, gdb.selected_inferior().threads()
        for thread in threads:
            if thread.is_running():
                raise Unknown("the program runs: interrupt it first")
            thread.switch()
            actor = self.job.actor_at(int(gdb.newest_frame().read_register("sp")) & WORD, len(threads))
            if actor:
                found[actor] = thread
        if self.selected:
            self.selected.switch()
        return found

    def done(self):
        """Selects what was selected before."""
        if self.selected and self.selected.is_valid():
            self.selected.switch()
            with contextlib.suppress(gdb.error):
                gdb.execute(f"frame {self.level}", to_string=True)

    def is_on_thread(self, actor):
        return actor.address in self.threads

    @contextlib.contextmanager
    def at(self, actor, rank=None):
        """Lets gdb unwind the stack of the actor; the value is the level of its innermost frame, or None.
        With a rank, its globals are in place as well, and the innermost frame of its program is selected."""
        registers = None if self.is_on_thread(actor) else actor.registers()
        if self.is_on_thread(actor):
            self.threads[actor.address].switch()
            if rank:
                self._select(0)
            yield 0
        elif not registers:
            yield None
        else:
            placed = [actor.frames()] if actor.aside else []
            placed += self.job.globals_of(rank) if rank else []
            with in_place(placed):
                _unwinder.give(self._named(registers))
                try:
                    if rank:
                        self._select(1)
                    yield 1
                finally:
                    _unwinder.give(None)

    @staticmethod
    def _named(registers):
        names = dict(registers)
        if "rbp" in names:
            names["rip"], names["rsp"] = names.pop("pc"), names.pop("sp")
        return names

    @staticmethod
    def _walk(first):
        frame = gdb.newest_frame()
        while frame is not None and frame.level() < first:
            frame = frame.older()
        while frame is not None and frame.is_valid():
            yield frame
            try:
                frame = frame.older()
            except gdb.error:
                return

    def _select(self, first):
        for frame in self._walk(first):
            if self.frames.kind(frame.pc()) == "program":
                frame.select()
                return

    def program_place(self, actor):
        """Where the actor's program is: its innermost frame that is no library's; "" if that is unknown."""
        with self.at(actor) as first:
            for frame in self._walk(first) if first is not None else ():
                if self.frames.kind(frame.pc()) == "program":
                    return self.frames.place(frame)
        return ""

    def places(self, actor, every):
        """The frames of the actor as texts, outermost first. Unless `every`: from the program's first to the
        call of the library in which it is."""
        with self.at(actor) as first:
            found = [(self.frames.kind(f.pc()), self.frames.place(f), f.name())
                     for f in self._walk(first)] if first is not None else []
        found.reverse()
        if every:
            return [place for _, place, _ in found]
        programs = [k for k, (kind, _, _) in enumerate(found) if kind == "program"]
        if not programs:
            return [place for _, place, _ in found]
        below = found[programs[-1] + 1:programs[-1] + 2]
        inner = [name or "?" for kind, _, name in below if kind == "pgasim"]
        return [place for _, place, _ in found[programs[0]:programs[-1] + 1]] + inner
