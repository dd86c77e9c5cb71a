# SPDX-License-Identifier: BSD-3-Clause
"""Lets gdb tell the copies of a program apart that are loaded for the ranks.

All copies are listed under the program's file. For a global variable gdb then takes the address in the copy
that it met first: it looks for the symbol's name in all files, in case the variable was moved from a library
into the program (a copy relocation). Symbols that are local to their file are not looked for in this way. So
gdb is given another view of the file, in which all data symbols are local and the file prefers its own
definitions: a temporary file on the debugger's side, removed when gdb ends.

When gdb starts the program, the library tells the names before gdb reads them (pgasim_debugger_loaded). A
process that was attached to, and a core file, are given the view by `set sysroot`. """
import atexit
import os
import re
import shutil
import struct
import subprocess
import tempfile

import gdb

from .frames import WORD
from .job import listed
from .memory import Unknown

_views = {}   # by path of the original: path of its view
_folder = None


def _view_folder():
    global _folder
    if _folder is None:
        _folder = tempfile.mkdtemp(prefix="pgasim-gdb-")
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    return _folder


# --- the view of a file --------------------------------------------------------------------------

SHT_SYMTAB, SHT_DYNAMIC, SHT_DYNSYM = 2, 6, 11
DT_NULL, DT_SYMBOLIC = 0, 16
STB_LOCAL, STB_GLOBAL, STB_WEAK = 0, 1, 2
STT_NOTYPE, STT_OBJECT, STT_TLS = 0, 1, 6


def _localize(data, at, size):
    for symbol in range(at, at + size, 24):
        binding, kind = data[symbol + 4] >> 4, data[symbol + 4] & 15
        if binding in (STB_GLOBAL, STB_WEAK) and kind in (STT_OBJECT, STT_TLS):
            data[symbol + 4] = STB_LOCAL << 4 | kind


def _prefer_own(data, at, size):
    """Linkers leave empty entries at the end."""
    for entry in range(at, at + size - 16, 16):
        if struct.unpack_from("<q", data, entry)[0] == DT_NULL:
            struct.pack_into("<qQ", data, entry, DT_SYMBOLIC, 0)
            return


def view_of(path):
    """The bytes of an ELF file in which data symbols are local; None: it is not such a file."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if data[:6] != b"\x7fELF\x02\x01":
        return None
    sections, = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for k in range(count):
        kind, = struct.unpack_from("<I", data, sections + k * size + 4)
        at, length = struct.unpack_from("<QQ", data, sections + k * size + 24)
        if kind in (SHT_SYMTAB, SHT_DYNSYM):
            _localize(data, at, length)
        elif kind == SHT_DYNAMIC:
            _prefer_own(data, at, length)
    return data


def view_path(path):
    """The path of the file's view, made if need be; the file's own if there is none."""
    if path not in _views:
        try:
            data = view_of(path)
        except (OSError, struct.error, IndexError):
            data = None
        _views[path] = path
        if data is not None:
            folder = os.path.join(_view_folder(), str(len(_views)))
            os.mkdir(folder)
            _views[path] = os.path.join(folder, os.path.basename(path))
            with open(_views[path], "wb") as file:
                file.write(data)
    return _views[path]


# --- a program that gdb starts -------------------------------------------------------------------


class Loaded(gdb.Breakpoint):
    """In pgasim_debugger_loaded(names, n): copies were loaded, and gdb does not know of them yet. Each name
    is {path, the buffer with the name in the dynamic linker's list, its size, an address}."""

    def __init__(self):
        super().__init__("pgasim_debugger_loaded", internal=True)
        self.silent = True

    def stop(self):
        inferior, frame = gdb.selected_inferior(), gdb.newest_frame()
        x86 = frame.architecture().name().startswith("i386")
        names, n = (int(frame.read_register(r)) & WORD for r in (("rdi", "rsi") if x86 else ("x0", "x1")))
        for k in range(n):
            path, buffer, room, _ = struct.unpack("<4Q", inferior.read_memory(names + 32 * k, 32))
            original = gdb.Value(path).cast(gdb.lookup_type("char").pointer()).string()
            shown = view_path(original).encode() + b"\0"
            if len(shown) <= room:
                inferior.write_memory(buffer, shown)
        return False


# --- a process that was attached to, a core file -------------------------------------------------


def _without_view(memory):
    """{name in the dynamic linker's list: original} of the files whose symbols gdb has from elsewhere."""
    own = os.path.join(_view_folder(), "")
    return {shown: path for path, shown in listed(memory) if not shown.startswith(own)}


def _mirror(root, files):
    """A tree of links that leads to every file, but to the views of these: {name: original}."""

    def fill(folder, at, below):
        os.makedirs(folder, exist_ok=True)
        names = {p[len(at):].strip("/").split("/")[0] for p in below}
        for name in names:
            here, there = os.path.join(folder, name), os.path.join(at, name)
            if there in below:
                os.symlink(view_path(below[there]), here)
            else:
                fill(here, there, {p: o for p, o in below.items() if p.startswith(os.path.join(there, ""))})
        for name in os.listdir(at) if os.path.isdir(at) else ():
            if name not in names:
                os.symlink(os.path.join(at, name), os.path.join(folder, name))

    fill(root, "/", files)


_known = {}  # by root of a tree of ours: the names that it leads to views


def tell_apart_if_idle(memory):
    """Gives gdb the views, unless the user has a sysroot."""
    files = _without_view(memory)
    present = gdb.parameter("sysroot")
    if not files or (present not in ("", "/", "target:") and present not in _known) or \
            set(files) <= _known.get(present, set()):
        return
    root = os.path.join(_view_folder(), f"root{len(_known)}")
    try:
        _mirror(root, files)
    except OSError as error:
        gdb.write(f"pgasim: globals that are not static may be another rank's: {error}\n", gdb.STDERR)
        return
    _known[root] = set(files)
    gdb.execute(f"set sysroot {root}", to_string=True)


# --- core files -----------------------------------------------------------------------------------


def reopen_core():
    """What ranks have aside is put in place by writing. If a core file is open, opens a copy of it that may
    be written, once; True: another file is open now."""
    target = gdb.execute("info target", to_string=True)
    core = re.search(r"Local core dump file:\s*`(.*)', file type", target)
    if not core or core.group(1).startswith(os.path.join(_view_folder(), "")):
        return False
    copy = os.path.join(_view_folder(), "core")
    try:
        subprocess.run(["cp", "--sparse=always", core.group(1), copy], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unknown(f"cannot copy the core file: {error}") from error
    gdb.execute("set write on")
    gdb.execute(f"core-file {copy}", to_string=True)
    gdb.execute("set write off")
    return True


def begin():
    Loaded()
