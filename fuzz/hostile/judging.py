# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with how a run ended; fuzz/campaign has the list."""
import hashlib
import json
import os
import re
import signal


def read(name):
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError:
        return b""


def is_whole(name, form):
    data = read(name)
    if form == "json":
        try:
            return "ended" in json.loads(data)
        except ValueError:
            return False
    ends = {"svg": b"</svg>\n", "html": b"</html>\n"}
    return data.endswith(ends[form]) if form in ends else data.startswith(b"\x89PGT") or len(data) > 100


SANITIZERS = re.compile(r"(Address|Thread|UndefinedBehavior)Sanitizer|runtime error: ")


def judge(one, status, out, said, before):
    if status == "hang":
        return "hangs"
    if SANITIZERS.search(said) and not one.hostile:
        return "a sanitizer finds something"
    signalled = "ended by signal" in said or "outside all ranks" in said or "while the process was ended" in said or "ended by SIG" in said or "overflow" in said
    if status < 0 and not (one.signal and -status == one.signal[0]):
        own = one.program and (-status in (signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE) or signalled)
        if not own and not (one.limits.get("AS") or one.limits.get("STACK")):
            return f"dies of signal {-status}"
    own = one.program and ("ended with exit status 70" in said or "shmem_global_exit(70)" in said)
    if (status == 70 and not own) or "please report" in said.lower() or "invariant" in said:
        return "a broken invariant"
    if status > 0 and not said.strip() and not out and not one.full and 2 not in one.closed and not (one.program and one.args[-1] != "./bad"):
        return f"status {status} without a word"
    if 128 < status < 160 and not signalled and not one.signal and 2 not in one.closed and not one.program:
        return f"status {status}, and no word of a signal"
    if status == 0:
        for name, form in one.outputs:
            if not is_whole(name, form):
                return f"status 0, and {name} is not whole"
        if one.full and one.args[0] in ("info", "--help", "profile") and not one.closed:
            return "status 0, and standard output was lost"
    if one.signal and status in (-one.signal[0], 128 + one.signal[0]) and status > 0 and not is_whole("x.json", "json"):
        return "ended by a signal without its JSON"
    left = [n for n in os.listdir(".") if n.startswith(".") and not one.program]
    if left:
        return f"leaves {left}"
    if not one.program and any(digest(n) != d for n, d in before.items() if n not in one.args[1:] or n.endswith((".xml", ".pgt"))):
        changed = [n for n, d in before.items() if digest(n) != d]
        if any(n in ("two.xml", "good.pgt", "p", "there") and not writes_there(one, n) for n in changed):
            return f"changes {changed}"
    return None


def writes_there(one, name):
    """An existing file that is named as an output, by one of its names, is replaced."""
    return name in one.args or f"./{name}" in one.args or (name == "there" and {"link", "hard"} & set(one.args))


def digest(name):
    return hashlib.sha1(read(name)).hexdigest()
