# SPDX-License-Identifier: BSD-3-Clause
"""A job as it is in memory now: its ranks and their actors, what they wait for, and the operations under way.

Knows no debugger: it reads through memory.Memory, so it serves gdb and lldb, running processes and core
files. """
import bisect
import struct

from .memory import Record, Unknown
from .traffic import CollectiveMessage, Operation


class Actor:
    """What runs a rank's code, or one of its threads: state, stack, what it waits for."""

    def __init__(self, job, address, record):
        self.job, self.address = job, address
        self.context = record.u64("engine_actor.context")
        self.owner = record.u64("engine_actor.owner")
        self.reason = record.u64("engine_actor.reason")
        self.since = record.f64("engine_actor.since")
        self.stack = record.u32("engine_actor.stack")
        self.state = job.states.get(record.u8("engine_actor.state"), "?")
        self.lodges = record.u8("engine_actor.lodges") != 0
        self.rests = record.u8("engine_actor.rests") != 0
        self.kept = record.u64("engine_actor.kept")

    @property
    def no_frames(self):
        """Why it has none, of an actor without a context."""
        return "needs no frames while it waits" if self.rests else "has not begun"

    @property
    def aside(self):
        """Its frames are kept elsewhere: it shares its stack, and another one is on it."""
        return self.lodges and self.context != 0 and self.address != self.job.lodger_in

    def frames(self):
        """(address on the stack, bytes) of the frames that are kept aside."""
        size = self.job.lodge_top - self.context
        return self.context, self.job.memory.read(self.kept, size)

    def read(self, at, size):
        """Bytes at an address that may be in its frames."""
        if self.aside and self.context <= at < self.job.lodge_top:
            at += self.kept - self.context
        return self.job.memory.read(at, size)

    def waits_for(self):
        """What it waits for, in a word or two; "" if it does not wait."""
        if self.state == "SLEEPING":
            return "time to pass"
        if self.state != "BLOCKED":
            return ""
        if not self.reason:
            return "something"
        at = self.reason + self.job.memory.fact("engine_reason.what")
        return self.job.memory.text(struct.unpack("<Q", self.read(at, 8))[0])

    def reason_word(self, field):
        at = self.reason + self.job.memory.fact(field)
        return struct.unpack("<Q", self.read(at, 8))[0]

    def registers(self):
        """Its registers where it waits, by name; the stack pointer is "sp", the program counter "pc". None:
        it has none (`no_frames`), or runs."""
        if not self.context:
            return None
        facts = self.job.memory.facts
        saved = self.read(self.context, facts["context"])
        found = {"sp": self.context + facts["context"]}
        for name, at in facts.items():
            if name.startswith("context."):
                found[name[8:]] = struct.unpack_from("<Q", saved, at)[0]
        if "rip" in found:
            found["pc"] = found.pop("rip")
        return found


class Rank:
    def __init__(self, job, number, address, record):
        self.job, self.number, self.address = job, number, address
        self.host_number = record.u32("rank.host")
        self.ahead_until = record.f64("rank.ahead_until")
        first = record.u64("rank.actor")
        self.actors = sorted(job.actors_of.get(address, []), key=lambda a: (a.address != first, a.address))

    @property
    def ended(self):
        return not self.actors

    @property
    def now(self):
        """Its own time, which may be ahead of the clock."""
        return max(self.ahead_until, self.job.now)

    @property
    def host(self):
        return self.job.host_name(self.host_number)


def listed(memory):
    """[(path, shown)]: the files of which copies were loaded, and their names in the linker's list."""
    listing = memory.fact("sparse_listing")
    at = memory.pointer(listing, "sparse_listing.at")
    size, n = memory.fact("sparse_listed"), memory.pointer(listing, "sparse_listing.n")
    return [(memory.text(memory.pointer(at + k * size, "sparse_listed.path")),
             memory.text(memory.pointer(at + k * size, "sparse_listed.shown"))) for k in range(n)]


def first_copies(memory):
    """[(path, address)]: the same files, and where the copy that was loaded first lies."""
    at = memory.pointer(memory.fact("sparse_listing"), "sparse_listing.at")
    return [(path, memory.pointer(at + k * memory.fact("sparse_listed"), "sparse_listed.base"))
            for k, (path, _) in enumerate(listed(memory))]


class Job:
    """Everything is read when it is asked for first; make a new one when the process has run."""

    def __init__(self, memory):
        self.memory = memory
        self.address = memory.u64(memory.fact("rank_running_job"))
        if not self.address:
            raise Unknown("no job runs: the ranks have not begun, or all have ended")
        self.engine = memory.pointer(self.address, "rank_job.engine")
        self.now = memory.f64(self.engine + memory.fact("engine.now"))
        self.current = memory.pointer(self.engine, "engine.current")
        self.lodger_in = memory.pointer(self.engine, "engine.lodger_in")
        self.lodge_top = memory.pointer(self.engine, "engine.lodge_top")
        self.size = memory.u32(self.address + memory.fact("rank_job.ranks"))
        self.states = self._names("engine_state.")
        self.operation_states = self._names("rma_state.")
        self._hosts, self._actors, self._ranks = {}, None, {}

    def _names(self, prefix):
        return {v: n[len(prefix):] for n, v in self.memory.facts.items() if n.startswith(prefix)}

    # --- actors and ranks

    @property
    def actors(self):
        if self._actors is None:
            memory = self.memory
            size = memory.fact("engine_actor")
            n = memory.u32(self.engine + memory.fact("engine.fresh_actor"))
            at = memory.pointer(self.engine, "engine.actors")
            data = bytes(memory.read(at, n * size))
            self._actors = [Actor(self, at + k * size, Record(memory, data, k * size)) for k in range(n)]
            self._actors = [a for a in self._actors if a.state not in ("FREE", "DROPPED")]
            self.actors_of = {}
            for a in self._actors:
                self.actors_of.setdefault(a.owner, []).append(a)
        return self._actors

    def rank(self, number):
        if not 0 <= number < self.size:
            raise Unknown(f"there is no rank {number}: the job has {self.size}")
        if number not in self._ranks:
            memory = self.memory
            _ = self.actors
            first = memory.pointer(self.address, "rank_job.records")
            at = first + number * memory.pointer(self.address, "rank_job.stride")
            record = Record(memory, bytes(memory.read(at, memory.fact("rank"))))
            self._ranks[number] = Rank(self, number, at, record)
        return self._ranks[number]

    def ranks(self):
        return [self.rank(k) for k in range(self.size)]

    def rank_of_owner(self, owner):
        """The number of the rank whose record is at this address."""
        return self.memory.u32(owner + self.memory.fact("rank.id"))

    def host_name(self, number):
        if number not in self._hosts:
            memory = self.memory
            platform = memory.pointer(memory.pointer(self.address, "rank_job.fabric"), "fabric.platform")
            at = memory.pointer(platform, "platform.hosts") + number * memory.fact("platform_host")
            self._hosts[number] = memory.text(memory.pointer(at, "platform_host.name"))
        return self._hosts[number]

    # --- whose stack?

    def owner_of_stack(self, sp):
        """The address of the actor on whose stack this address is, or None."""
        memory = self.memory
        stacks = Record(memory, bytes(memory.read(self.engine + memory.fact("engine.stacks"), 256)))
        at = sp - stacks.u64("engine_stacks.region")
        if not 0 <= at < stacks.u64("engine_stacks.bytes"):
            return None
        group, within = divmod(at, stacks.u64("engine_stacks.group_bytes"))
        within -= stacks.u64("engine_stacks.guard")
        number = group * stacks.u32("engine_stacks.per_guard") + within // stacks.u64("engine_stacks.size")
        if within < 0 or number >= stacks.u32("engine_stacks.fresh"):
            return None
        if number == memory.u32(self.engine + memory.fact("engine.lodge_stack")) and self.lodger_in:
            return self.lodger_in
        owner = memory.u32(stacks.u64("engine_stacks.owner") + 4 * number)
        actors = memory.pointer(self.engine, "engine.actors")
        return None if owner == 0xFFFFFFFF else actors + owner * memory.fact("engine_actor")

    def actor_at(self, sp, threads):
        """The address of the actor that runs on a thread with this stack pointer, or None. A signal's handler
        has a stack of its own: if there is one thread, the engine says who it is."""
        return self.owner_of_stack(sp) or (self.current if threads == 1 else 0) or None

    def rank_at(self, sp, threads):
        """The number of the rank that runs on a thread with this stack pointer; -1: none."""
        actor = self.actor_at(sp, threads)
        owner = self.memory.pointer(actor, "engine_actor.owner") if actor else 0
        return self.rank_of_owner(owner) if owner else -1

    def needs_room(self):
        """Some ranks' frames or globals must be put in place before a debugger can show them."""
        fold = self._part("fold_slot")
        return any(a.aside for a in self.actors) or bool(fold and self._swap_of(self.memory.pointer(fold, "fold_job.program")))

    # --- operations

    def _part(self, slot):
        memory = self.memory
        number = memory.u32(memory.fact(slot) + memory.fact("rank_slot.part"))
        return memory.u64(self.address + memory.fact("rank_job.part") + 8 * number)

    def operations(self):
        """The one-sided operations under way, in the order of their issue."""
        rma = self._part("rma_slot")
        if not rma:
            return []
        found = [Operation(self, r) for r in self._pool(rma + self.memory.fact("rma_job.ops"))]
        return sorted((o for o in found if o.state != "OVER"), key=lambda o: o.number)

    def collective_messages(self):
        """The messages of collectives that are on their way, or have come early."""
        coll = self._part("coll_slot")
        if not coll:
            return []
        found = [CollectiveMessage(self, r) for r in self._pool(coll + self.memory.fact("coll_job.messages"))]
        return sorted(found, key=lambda m: (m.number, m.call, m.origin, m.target))

    def _pool(self, pool):
        """Records of the objects in use."""
        memory = self.memory
        size = memory.pointer(pool, "base_pool.size")
        fresh = memory.pointer(pool, "base_pool.fresh")
        fresh_from = memory.pointer(pool, "base_pool.fresh_from")
        first = memory.fact("base_slab.first")
        slabs, at = {}, memory.pointer(pool, "base_pool.slabs")
        newest = at
        while at:
            slabs[at] = bytes(memory.read(at, memory.pointer(at, "base_slab.bytes")))
            at = memory.pointer(at, "base_slab.next")
        free = self._free(memory.pointer(pool, "base_pool.free"), slabs)
        found = []
        for base, data in slabs.items():
            for k in range((len(data) - first) // size):
                unused = base == newest and fresh_from <= k < fresh_from + fresh
                if base + first + k * size not in free and not unused:
                    found.append(Record(memory, data, first + k * size))
        return found

    @staticmethod
    def _free(at, slabs):
        free, starts = set(), sorted(slabs)
        while at and at not in free:
            free.add(at)
            base = starts[bisect.bisect_right(starts, at) - 1]
            at = struct.unpack_from("<Q", slabs[base], at - base)[0]
        return free

    # --- globals that are exchanged

    def _swap_of(self, program):
        return self.memory.pointer(program, "fold_program.swap")

    def globals_of(self, rank):
        """[(address, bytes)]: a rank's globals, where they would be if it were live; [] if they are there."""
        memory, fold = self.memory, self._part("fold_slot")
        if not fold:
            return []
        part = rank.address + memory.u32(memory.fact("fold_slot") + memory.fact("rank_slot.offset"))
        start = memory.pointer(part, "fold_part.start")
        swap = self._swap_of(memory.pointer(start, "fold_start.program")) if start else 0
        if not swap:
            return []
        version = memory.pointer(part, "fold_part.image") + memory.fact("fold_image.version")
        if memory.pointer(swap, "swap.live") == version:
            return []
        copy = memory.pointer(version, "swap_version.copy")
        bits = memory.pointer(version, "swap_version.bits")
        saved = memory.pointer(version, "swap_version.saved")
        words = memory.u32(swap + memory.fact("swap.words"))
        mask = int.from_bytes(memory.read(bits, 8 * words), "little") if bits else 0
        found, chunk = [], memory.fact("swap.chunk")
        for k in range(memory.pointer(swap, "swap.ranges")):
            at = memory.pointer(swap, "swap.range") + k * memory.fact("swap_range")
            size = memory.pointer(at, "swap_range.size")
            source = copy + memory.pointer(at, "swap_range.copy_at") if copy else \
                memory.pointer(at, "swap_range.pristine")
            data = bytearray(memory.read(source, size))
            first = memory.u32(at + memory.fact("swap_range.first_chunk"))
            for c in range(memory.u32(at + memory.fact("swap_range.chunks"))):
                if mask >> (first + c) & 1:
                    piece = memory.read(saved, min(chunk, size - c * chunk))
                    data[c * chunk:c * chunk + len(piece)] = bytes(piece)
                    saved += chunk
            found.append((memory.pointer(at, "swap_range.base"), bytes(data)))
        return found + self._moved(swap, version)

    def _moved(self, swap, version):
        """The same for pages that are moved, not copied."""
        memory, span = self.memory, self.memory.fact("swap.table_span")
        home, found = memory.pointer(version, "swap_version.home"), []
        for k in range(memory.pointer(swap, "swap.runs")):
            at = memory.pointer(swap, "swap.run") + k * memory.fact("swap_run")
            source = -(-home // span) * span + memory.pointer(at, "swap_run.home_at") if home else \
                memory.pointer(at, "swap_run.pristine")
            data = bytes(memory.read(source, memory.pointer(at, "swap_run.size")))
            found.append((memory.pointer(at, "swap_run.base"), data))
        return found
