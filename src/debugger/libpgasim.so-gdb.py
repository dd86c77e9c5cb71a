# SPDX-License-Identifier: BSD-3-Clause
"""gdb loads this file by itself when it loads libpgasim.so, if the folder is in `auto-load safe-path`."""
import os
import sys

import gdb


def _folder():
    """Where the extension is: beside the library, and beside this file in the source tree."""
    objfile = gdb.current_objfile()
    beside = os.path.dirname(os.path.realpath(objfile.filename)) if objfile else ""
    for folder in (os.path.join(beside, "pgasim", "debugger"), beside):
        if os.path.isdir(os.path.join(folder, "pgasim_debugger")):
            return folder
    return None


if _folder() and _folder() not in sys.path:
    sys.path.insert(0, _folder())
try:
    import pgasim_debugger.in_gdb
    pgasim_debugger.in_gdb.begin()
except ImportError as error:
    gdb.write(f"pgasim: its commands for gdb are missing: {error}\n", gdb.STDERR)
