# SPDX-License-Identifier: BSD-3-Clause
"""What is under way between ranks, as records of the simulator have it."""


class CollectiveMessage:
    """A message of a collective that has not been taken yet."""

    def __init__(self, job, record):
        memory = job.memory
        instance = record.u64("coll_message.instance")
        group = memory.pointer(instance, "coll_instance.group")
        self.call = memory.text(memory.pointer(instance, "coll_instance.name"))
        self.number = memory.pointer(instance, "coll_instance.number")
        self.bytes = record.u64("coll_message.bytes") & memory.fact("coll_message.bytes_mask")
        self.origin = self.rank_at(memory, group, record.u32("coll_message.from"))
        self.target = self.rank_at(memory, group, record.u32("coll_message.to"))

    @staticmethod
    def rank_at(memory, group, place):
        """The rank at a place of a group."""
        members = memory.pointer(group, "coll_group.list")
        if members:
            return memory.u32(members + memory.fact("coll_list.rank") + 4 * place)
        first, stride = (memory.u32(group + memory.fact("coll_group." + name)) for name in ("first", "stride"))
        return (first + place * stride) & 0xFFFFFFFF


class Operation:
    """A one-sided operation under way."""

    def __init__(self, job, record):
        memory = job.memory
        ctx = record.u64("rma_op.ctx")
        self.origin = memory.u32(memory.pointer(ctx, "rma_ctx.rank") + memory.fact("rank.id"))
        self.target = record.u32("rma_op.to")
        self.number = record.u64("rma_op.number")
        self.remote = record.u64("rma_op.remote")
        self.bytes = record.u64("fabric_op.bytes")
        self.call = memory.text(memory.fact("rank_call_anchor") + record.i32("rma_op.call"))
        self.state = job.operation_states.get(record.u8("fabric_op.owner_state"), "?")
