# SPDX-License-Identifier: BSD-3-Clause
"""What a rank waits for, in detail: members of a collective that are missing, a variable and its value, how many
operations. Which of these it is follows from the function that would describe it in a deadlock report. For other
waits there are no details here. """
import struct

FORMS = {1: "b", 2: "h", 4: "i", 8: "q"}


def detail(rank, actor, name_of):
    """For an actor that waits; `name_of` gives words for an address. "": there is no more to say."""
    if actor is None or actor.state != "BLOCKED" or not actor.reason:
        return ""
    function, facts = actor.reason_word("engine_reason.describe"), rank.job.memory.facts
    for kind, tell in TELL.items():
        if function and facts.get("reason." + kind) == function:
            return tell(rank, actor.reason_word("engine_reason.arg"), name_of)
    return ""


def _collective(rank, member, _name_of):
    memory = rank.job.memory
    instance = memory.pointer(member, "coll_member.instance")
    size = memory.u32(memory.pointer(instance, "coll_instance.group") + memory.fact("coll_group.size"))
    entered = memory.u32(instance + memory.fact("coll_instance.entered"))
    return f"{entered} of {size} members have come" if entered < size else ""


def _operations(rank, waiter, _name_of):
    memory = rank.job.memory
    left = memory.u32(waiter + memory.fact("rma_waiter.left"))
    return f"{left} operation{'' if left == 1 else 's'} under way"


def _operation(rank, op, name_of):
    memory = rank.job.memory
    return (f"{memory.pointer(op, 'rma_op.bytes')} bytes at {name_of(memory.pointer(op, 'rma_op.remote'))} "
            f"of rank {memory.u32(op + memory.fact('rma_op.to'))}")


def _number(data, sign):
    form = FORMS.get(len(data))
    return struct.unpack("<" + (form if sign else form.upper()), data)[0] if form else 0


def _of_rank(rank, at, size):
    """Bytes of its memory, which may be a global that is kept aside."""
    for base, data in rank.job.globals_of(rank):
        if base <= at and at + size <= base + len(data):
            return data[at - base:at - base + size]
    return bytes(rank.job.memory.read(at, size))


def _variable(rank, wait, name_of):
    memory = rank.job.memory
    at, n = memory.pointer(wait, "shmem_wait.ivars"), memory.pointer(wait, "shmem_wait.n")
    if n != 1 or memory.pointer(wait, "shmem_wait.values"):
        return f"{n} variables from {name_of(at)}"
    size = memory.u32(wait + memory.fact("shmem_wait.size"))
    sign = memory.u8(wait + memory.fact("shmem_wait.sign"))
    cmp = memory.u32(wait + memory.fact("shmem_wait.cmp"))
    symbols = {v: k[len("shmem_cmp."):] for k, v in memory.facts.items() if k.startswith("shmem_cmp.")}
    wanted = _number(bytes(memory.read(wait + memory.fact("shmem_wait.value"), 8)), sign)
    return f"{name_of(at)} is {_number(_of_rank(rank, at, size), sign)}, waits for {symbols.get(cmp, '?')} {wanted}"


TELL = {"collective": _collective, "operations": _operations, "operation": _operation, "variable": _variable}
