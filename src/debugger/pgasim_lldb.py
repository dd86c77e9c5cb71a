# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of pgasim in lldb: `pgasim ranks`, `pgasim rank N`, `pgasim messages`.

The dynamic linker loads the program where debuggers do not look (src/fold/elf/unseen.c); lldb is told of it
when the library calls pgasim_debugger_loaded. lldb has no unwinders of its own making: to show the stack of a
rank that waits, the thread's registers are set to that rank's, and set back. Frames and globals that are kept
aside stay aside. """
import os
import re
import shlex
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from pgasim_debugger import text  # noqa: E402
from pgasim_debugger.job import Job, first_copies  # noqa: E402
from pgasim_debugger.memory import Memory, Unknown  # noqa: E402

X86 = ("rip", "rsp", "rbp", "rbx", "r12", "r13", "r14", "r15")


def memory_of(process):
    target = process.GetTarget()
    found = target.FindSymbols("pgasim_debugger")
    roots = [found[k].GetSymbol().GetStartAddress().GetLoadAddress(target) for k in range(found.GetSize())]
    roots = [r for r in roots if r != lldb.LLDB_INVALID_ADDRESS]
    if not roots:
        raise Unknown("libpgasim.so is not loaded yet")

    def read(at, size):
        error = lldb.SBError()
        data = process.ReadMemory(at, size, error)
        if error.Fail():
            raise Unknown(f"memory at {at:#x}: {error.GetCString()}")
        return data

    return Memory(read, roots[0])


def loaded(frame, _location, _internal):
    """In pgasim_debugger_loaded: gives lldb the program's files,
    each where its first copy is. False: goes on."""
    process = frame.GetThread().GetProcess()
    target = process.GetTarget()
    for path, base in first_copies(memory_of(process)):
        module = target.AddModule(path, None, None)
        if module and module.IsValid():
            target.SetModuleLoadAddress(module, base)
    return False


def job(debugger):
    process = debugger.GetSelectedTarget().GetProcess()
    if not process or not process.IsValid() or process.GetState() != lldb.eStateStopped:
        raise Unknown("there is no process that has stopped")
    return Job(memory_of(process))


def set_registers(debugger, values):
    """By the command, which has the frames of the thread read again."""
    for name, value in values.items():
        said = lldb.SBCommandReturnObject()
        debugger.GetCommandInterpreter().HandleCommand(f"register write {name} {value:#x}", said)
        if not said.Succeeded():
            raise Unknown(f"register {name} cannot be set: {said.GetError()}")


def ranks(debugger, _words, result):
    now = job(debugger)
    every = [(r, a) for r in now.ranks() for a in (r.actors or [None])]
    result.AppendMessage(f"{now.size} ranks, at {text.show_time(now.now)} of simulated time")

    def state(item):
        actor = item[1]
        if actor is None:
            return "ended"
        waits = actor.waits_for()
        return f"waits: {waits}" if waits else "runs" if actor.address == now.current else "is ready"

    for what, group in text.grouped(every, state):
        result.AppendMessage(f"  {text.of_ranks([r.number for r, _ in group])}: {what}")
        since = [a.since for _, a in group if a is not None and a.state == "BLOCKED"]
        hosts = sorted({r.host for r, _ in group})
        more = f", since {text.show_time(min(since))}" if since else ""
        others = f" and {len(hosts) - 1} more" if len(hosts) > 1 else ""
        result.AppendMessage(f"    on {hosts[0]}{others}{more}")


def rank(debugger, words, result):
    process = debugger.GetSelectedTarget().GetProcess()
    now = job(debugger)
    if not words or not re.fullmatch("[0-9]+", words[0]):
        raise Unknown("which rank? pgasim rank N")
    one = now.rank(int(words[0]))
    if one.ended:
        raise Unknown(f"rank {one.number} has ended")
    actor, thread = one.actors[0], process.GetSelectedThread()
    result.AppendMessage(f"rank {one.number} (host {one.host}) at {text.show_time(one.now)}"
                         + (f", waits: {actor.waits_for()}" if actor.waits_for() else ""))
    if actor.address == now.current:
        show_frames(thread, result)
        return
    if actor.aside:
        raise Unknown("its frames are kept aside: run it with --set fold/stacks=own")
    registers = actor.registers()
    if not registers:
        raise Unknown(f"it {actor.no_frames}")
    wanted = {n: registers.get(n, registers.get({"rip": "pc", "rsp": "sp"}.get(n))) for n in X86} \
        if "rbp" in registers else registers
    before = {n: thread.GetFrameAtIndex(0).FindRegister(n).GetValueAsUnsigned() for n in wanted}
    try:
        set_registers(debugger, wanted)
        show_frames(process.GetSelectedThread(), result)
    finally:
        set_registers(debugger, before)


def show_frames(thread, result):
    for frame in thread.frames:
        result.AppendMessage("  " + str(frame).rstrip())


def messages(debugger, _words, result):
    operations = job(debugger).operations()
    if not operations:
        result.AppendMessage("no one-sided operation is under way")
    for (call, size, state), group in text.grouped(operations, lambda o: (o.call, o.bytes, o.state.lower())):
        result.AppendMessage(f"  {call} of {size} bytes, {text.of_ranks([o.origin for o in group])} -> "
                             f"{text.of_ranks([o.target for o in group])}: {state}")


COMMANDS = {"ranks": ranks, "rank": rank, "messages": messages}


def pgasim(debugger, command, result, _internal):
    """Jobs of pgasim: pgasim ranks, pgasim rank N, pgasim messages"""
    words = shlex.split(command)
    run = COMMANDS.get(words[0]) if words else None
    if not run:
        result.SetError("pgasim ranks, pgasim rank N, or pgasim messages")
        return
    try:
        run(debugger, words[1:], result)
    except Unknown as why:
        result.SetError(str(why))


def __lldb_init_module(debugger, _internal):
    debugger.HandleCommand(f"command script add -f {__name__}.pgasim pgasim")
    target = debugger.GetSelectedTarget()
    if target and target.IsValid():
        there = target.BreakpointCreateByName("pgasim_debugger_loaded")
        there.SetScriptCallbackFunction(__name__ + ".loaded")
