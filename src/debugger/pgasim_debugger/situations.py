# SPDX-License-Identifier: BSD-3-Clause
"""What each rank does, for the list of ranks in gdb: equal ones are grouped."""
import gdb

from . import frames, text, waits


def show(line):
    gdb.write(line + "\n")


class Situation:
    """What a rank, or one of its threads, does: for the list of ranks."""

    def __init__(self, rank, actor, stacks):
        self.rank, self.actor = rank, actor
        self.runs = actor is not None and stacks.is_on_thread(actor)
        self.what = actor.waits_for() if actor else ""
        self.place = stacks.program_place(actor) if actor else ""

    @property
    def state(self):
        if self.actor is None:
            return "ended"
        if self.what:
            return f"waits: {self.what}"
        if self.runs:
            return "runs"
        return "is ready" if self.actor.context else self.actor.no_frames

    def key(self):
        return self.state, self.place

    @property
    def since(self):
        return self.actor.since if self.actor and self.actor.state == "BLOCKED" else None


FEW = 8  # lines of what a group's ranks wait for


def between(values, show_one):
    low, high = min(values), max(values)
    return show_one(low) if low == high else f"{show_one(low)} to {show_one(high)}"


def show_group(group):
    numbers = [s.rank.number for s in group]
    hosts = list(dict.fromkeys(s.rank.host for s in group))
    show(f"  {text.of_ranks(numbers)}: {group[0].state}")
    details = [f"on {hosts[0]}" + (f" and {len(hosts) - 1} more" if len(hosts) > 1 else "")]
    details.append("at " + between([s.rank.now for s in group], text.show_time))
    since = [s.since for s in group if s.since is not None]
    if since:
        details.append("since " + between(since, text.show_time))
    if group[0].place:
        details.append("in " + group[0].place)
    show("    " + ", ".join(details))
    show_waits(group)


def show_waits(group):
    """What the ranks of a group wait for; of many different things, the first few."""
    alike = text.grouped(group, lambda s: waits.detail(s.rank, s.actor, frames.name_of))
    for what, some in alike[:FEW]:
        if what:
            who = text.of_ranks([s.rank.number for s in some]) + ": " if len(alike) > 1 else ""
            show(f"    {who}{what}")
    if len(alike) > FEW:
        show(f"    and {len(alike) - FEW} others")
