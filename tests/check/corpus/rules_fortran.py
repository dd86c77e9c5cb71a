# SPDX-License-Identifier: BSD-3-Clause
"""MPI from Fortran: conflicts written with mpi_f08 and with the module mpi.

Here the body of a rule is Fortran, the object is the array `cells` (`buffer` if it is local), and accesses are
assignments, whole array sections among them.
"""
import re

from table import Rule, right, wrong

ALL = {"open": "call MPI_Win_lock_all(0, win{e})", "end": "call MPI_Win_unlock_all(win{e})"}
FENCED = {"open": "call MPI_Win_fence(0, win{e})", "end": "call MPI_Win_fence(0, win{e})"}
FENCE, BARRIER = "call MPI_Win_fence(0, win{e})", "call MPI_Barrier(MPI_COMM_WORLD{e})"
FLUSH, SYNC, WAIT = "call MPI_Win_flush(1, win{e})", "call MPI_Win_sync(win{e})", "call MPI_Wait(request, MPI_STATUS_IGNORE{e})"

TWO = """
<open>
if (me == 0) then
  @A {first}
  <a_close>
end if
<mid>
if (me == {other}) then
  <b_open>
  @B {second}
  <check>
end if
<other>
<end>
"""
ONE = """
<open>
if (me == 0) then
  @A {first}
  <mid>
  @B {second}
  <a_close>
end if
<other>
<end>
"""
OWNER = [
    right("fence", "the fence completes the put at both ends", "12.5.1", **FENCED, mid=FENCE),
    right("flush_barrier", "complete at the flush, then a barrier and a sync", "12.5.4", **ALL, a_close=FLUSH,
          mid=BARRIER, b_open=SYNC),
    wrong("same_epoch", "no fence in between", "12.5.1", **FENCED),
    wrong("barrier", "a barrier completes nothing", "12.5", **ALL, mid=BARRIER, b_open=SYNC),
    wrong("flush", "complete, but the owner does not know when", "12.5.4", **ALL, a_close=FLUSH),
    wrong("flush_local", "complete at the origin only", "12.5.4", **ALL,
          a_close="call MPI_Win_flush_local(1, win{e})", mid=BARRIER, b_open=SYNC),
]
ORIGIN = [
    right("fence", "the fence completes the put", "12.5.1", **FENCED, mid=FENCE),
    right("flush_barrier", "complete at the flush, then a barrier", "12.5.4", **ALL, a_close=FLUSH, mid=BARRIER),
    wrong("same_epoch", "no fence in between", "12.5.1", **FENCED),
    wrong("barrier", "a barrier completes nothing", "12.5", **ALL, mid=BARRIER),
]
LOCAL = [
    right("flush_local", "complete at the origin", "12.5.4", **ALL, mid="call MPI_Win_flush_local(1, win{e})"),
    right("flush", "complete", "12.5.4", **ALL, mid=FLUSH),
    wrong("nothing", "in use until the operation is complete at the origin", "12.3", **ALL),
    wrong("flush_other_rank", "a flush of another target", "12.5.4", **ALL, mid="call MPI_Win_flush(0, win{e})"),
]
PUT = "call MPI_Put(source, 4, MPI_INTEGER, 1, at, 4, MPI_INTEGER, win{e})"
PEER_SENDS = "if (me == 1) call MPI_Send(source, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD{e})"
PEER_RECEIVES = "if (me == 1) call MPI_Recv(source, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE{e})"


def pending(peer):
    """Variants for a request."""
    return [right("wait", "the request is complete", "3.7.3", mid=WAIT, other=peer),
            wrong("wait_late", "the request is not complete yet", "3.7.3", a_close=WAIT, other=peer)]


CONFLICTS = [
    ("put_load", "target", "a put and a load at its target", "12.7", TWO, PUT, "got = cells(1)", OWNER, 1, 41),
    ("put_section", "target", "a put and an assignment to an array section at its target", "12.7", TWO, PUT,
     "cells(1:4:2) = 7", OWNER, 1, 0),
    ("put_sum", "target", "a put and the sum of the array at its target", "12.7", TWO, PUT, "got = sum(cells(1:4))",
     OWNER, 1, 41 + 42 + 43 + 44),
    ("put_put", "origins", "puts of two ranks", "12.7", TWO, PUT, PUT, ORIGIN, 2, 0),
    ("acc_load", "atomic", "an accumulate and a load at its target", "12.7.1", TWO,
     "call MPI_Accumulate(source, 4, MPI_INTEGER, 1, at, 4, MPI_INTEGER, MPI_SUM, win{e})", "got = cells(1)", OWNER, 1, 41),
    ("origin_store", "local", "the origin buffer of a put, assigned to", "12.3", ONE,
     "call MPI_Put(buffer, 4, MPI_INTEGER, 1, at, 4, MPI_INTEGER, win{e})", "buffer(2) = 7", LOCAL, 0, 0),
    ("get_origin_load", "local", "the origin buffer of a get, read", "12.3", ONE,
     "call MPI_Get(buffer, 4, MPI_INTEGER, 1, at, 4, MPI_INTEGER, win{e})", "got = buffer(1)", LOCAL, 0, 0),
    ("isend_store", "message", "the buffer of a nonblocking send, assigned to", "3.7.2", ONE,
     "call MPI_Isend(buffer, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request{e})", "buffer(1:4) = 7",
     pending(PEER_RECEIVES), 0, 0),
    ("irecv_load", "message", "the buffer of a nonblocking receive, read", "3.7.2", ONE,
     "call MPI_Irecv(buffer, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request{e})", "got = maxval(buffer)",
     pending(PEER_SENDS), 0, 0),
]
RULES = []
for title, kind, what, cite, shape, first, second, variants, other, value in CONFLICTS:
    for language in ("f08", "f90"):
        RULES.append(Rule(title, "mpi", kind, what, cite, shape.format(first=first, second=second, other=other),
                          variants, "window", ranks=max(other, 1) + 1, roles=(0, other, 1), language=language,
                          check=("got", value, 0) if value else (), shapes=False))

HEAD = {"f08": """program main
  use mpi_f08
  implicit none
  type(MPI_Win) :: win
""", "f90": """program main
  use mpi
  implicit none
  integer :: win, ierror
"""}
MIDDLE = """  integer(MPI_ADDRESS_KIND) :: bytes = 32
  integer, asynchronous, save :: cells(8) = 0
  integer :: me, got = 0
"""
OPTIONAL = {
    "buffer": "  integer, asynchronous, save :: buffer(4) = [1, 2, 3, 4]\n",
    "source": "  integer, asynchronous, save :: source(4) = [41, 42, 43, 44]\n",
    "at": "  integer(MPI_ADDRESS_KIND) :: at = 0\n",
    "request": "  {request} :: request\n",
}
START = """  call MPI_Init({e})
  call MPI_Comm_rank(MPI_COMM_WORLD, me{e})
  call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win{e})
"""


def compose(rule, variant, fill_holes):
    """The text of a Fortran program, with markers in front of its accesses."""
    check = ""
    if rule.check and variant.verdict == "right":
        check = f"if (got /= {rule.check[1]}) error stop 1"
    fill = {hole: text.replace("; ", "\n") for hole, text in variant.fill.items()}
    text = fill_holes(rule.body, {**fill, "check": check})
    text = re.sub(r"\nif [^\n]*then\nend if(?=\n|$)", "", "\n" + text)[1:]
    text = re.sub(r"^( *)@([AB]) (.*)$", lambda m: f"\x01{m.group(2)}  {m.group(1)}{m.group(3)}", text, flags=re.MULTILINE)
    text = "".join((line if line.startswith("\x01") else "  " + line) + "\n" for line in text.split("\n"))
    end = "  print *, me, got\n  call MPI_Win_free(win{e})\n  call MPI_Finalize({e})\nend program\n"
    request = "type(MPI_Request)" if rule.language == "f08" else "integer"
    used = "".join(line for name, line in OPTIONAL.items() if re.search(rf"\b{name}\b", text))
    whole = HEAD[rule.language] + MIDDLE + used.replace("{request}", request) + START + text + end
    if rule.language == "f08":
        return whole.replace("{e}", "")
    return re.sub(r"\(\{e\}\)", "(ierror)", whole).replace("{e}", ", ierror")
