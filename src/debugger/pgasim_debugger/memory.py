# SPDX-License-Identifier: BSD-3-Clause
"""A process's memory as a debugger sees it, and the facts by which structures of pgasim are read from it.

The library exports the symbol pgasim_debugger: {u32 version, u32 n, n pointers to tables}. A table is an
array of {name, u64 value} that ends with a null name. docs/debugging.md lists the facts. """
import struct

VERSION = 1


class Unknown(Exception):
    """What was asked for is not there: no job, no such rank, a version that this extension does not know."""


class Memory:
    """Reads numbers and texts. `read(address, size)` gives bytes, or fails; `root` is the table's address."""

    def __init__(self, read, root):
        self.read = read
        version, count = struct.unpack("<II", read(root, 8))
        if version != VERSION:
            raise Unknown(f"this pgasim describes itself in version {version}; version {VERSION} is expected")
        self.facts = {}
        for table in struct.unpack(f"<{count}Q", read(root + 8, 8 * count)):
            self._add(table)

    def _add(self, table):
        while True:
            name, value = struct.unpack("<QQ", self.read(table, 16))
            if not name:
                return
            self.facts[self.text(name)] = value
            table += 16

    def fact(self, name):
        return self.facts[name]

    def u8(self, at):
        return self.read(at, 1)[0]

    def u32(self, at):
        return struct.unpack("<I", self.read(at, 4))[0]

    def u64(self, at):
        return struct.unpack("<Q", self.read(at, 8))[0]

    def f64(self, at):
        return struct.unpack("<d", self.read(at, 8))[0]

    def pointer(self, at, field):
        """The word in a field of the structure at this address."""
        return self.u64(at + self.facts[field])

    def text(self, at):
        """The string at this address."""
        found = b""
        while at and len(found) < 4096:
            piece = self.read(at, 64 - at % 64)  # does not reach into another page
            end = piece.find(b"\0")
            if end >= 0:
                return (found + piece[:end]).decode("utf-8", "replace")
            found += piece
            at += len(piece)
        return found.decode("utf-8", "replace")


class Record:
    """The bytes of one structure, read at once."""

    def __init__(self, memory, data, offset=0):
        self.facts, self.data, self.offset = memory.facts, data, offset

    def u8(self, field):
        return self.data[self.offset + self.facts[field]]

    def u32(self, field):
        return struct.unpack_from("<I", self.data, self.offset + self.facts[field])[0]

    def i32(self, field):
        return struct.unpack_from("<i", self.data, self.offset + self.facts[field])[0]

    def u64(self, field):
        return struct.unpack_from("<Q", self.data, self.offset + self.facts[field])[0]

    def f64(self, field):
        return struct.unpack_from("<d", self.data, self.offset + self.facts[field])[0]
