# SPDX-License-Identifier: BSD-3-Clause
"""MPI 4.1, chapter 14: bytes of files (14.6.1), by one handle and by several, and the buffers of accesses (14.4)."""
from table import Rule, between, right, same_rank, wrong

BARRIER, SYNC, SYNC_OWN = "MPI_Barrier(MPI_COMM_WORLD);", "MPI_File_sync(fh);", "MPI_File_sync(own_fh);"
SEND = "if (me == $A) MPI_Send(NULL, 0, MPI_INT, $B, 0, MPI_COMM_WORLD);"
RECV = "if (me == $B) MPI_Recv(NULL, 0, MPI_INT, $A, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
NAME = '__FILE__ ".dat"'
OPEN = f"MPI_File_open(MPI_COMM_WORLD, {NAME}, MPI_MODE_RDWR, MPI_INFO_NULL, &fh);"
OPEN_OWN = f"MPI_File_open(MPI_COMM_SELF, {NAME}, MPI_MODE_RDWR, MPI_INFO_NULL, &own_fh);"
CLOSE, CLOSE_OWN = "MPI_File_close(&fh);", "MPI_File_close(&own_fh);"
ATOMIC, PLAIN = "MPI_File_set_atomicity(fh, 1);", "MPI_File_set_atomicity(fh, 0);"
WAIT = "MPI_Wait(&request, MPI_STATUS_IGNORE);"
RULES = []


def access(call, buf, handle="fh", extra=", MPI_STATUS_IGNORE"):
    """An access to the first element of the file."""
    return f"MPI_File_{call}_at({handle}, 0, {buf}, 1, MPI_LONG{extra});"


WRITE, READ = access("write", "src"), access("read", "$X")

# By handles of one collective open: cases 1 and 2.
SHARED = [
    right("sync_barrier_sync", "both sequences are bracketed by syncs, and one precedes the other", "14.6.10",
          mid=f"{SYNC} {BARRIER} {SYNC}"),
    right("sync_message_sync", "a message orders the sequences", "14.6.10", mid=f"{SYNC} {SEND} {RECV} {SYNC}"),
    right("sync_barrier_twice", "more than is needed", "14.6.10", mid=f"{SYNC} {BARRIER} {SYNC} {BARRIER} {SYNC}"),
    right("close_open", "closing and opening a file synchronize it", "14.6.1", mid=f"{CLOSE} {OPEN}"),
    right("close_barrier_open", "closing and opening a file synchronize it", "14.6.1", mid=f"{CLOSE} {BARRIER} {OPEN}"),
    right("atomic_barrier", "sequentially consistent, and a barrier orders the accesses", "14.6.10", open=ATOMIC,
          mid=BARRIER),
    right("atomic_message", "sequentially consistent, and a message orders the accesses", "14.6.10", open=ATOMIC,
          mid=f"{SEND} {RECV}"),
    right("atomic", "sequentially consistent in some order", "14.6.1", either=True, open=ATOMIC),
    wrong("nothing", "nothing orders the accesses", "14.6.1"),
    wrong("barrier", "a barrier synchronizes no file", "14.6.10", mid=BARRIER),
    wrong("message", "a message synchronizes no file", "14.6.10", mid=f"{SEND} {RECV}"),
    wrong("sync", "a sync need not wait for other processes", "14.6.10", mid=SYNC),
    wrong("sync_sync", "nothing orders the syncs of two processes", "14.6.10", mid=f"{SYNC} {SYNC}"),
    wrong("sync_barrier", "the second process does not sync after the barrier", "14.6.10", mid=f"{SYNC} {BARRIER}"),
    wrong("barrier_sync", "the first process does not sync before the barrier", "14.6.10", mid=f"{BARRIER} {SYNC}"),
    wrong("other_file", "another file is synchronized", "14.6.1",
          mid="MPI_File_sync(other_fh); MPI_Barrier(MPI_COMM_WORLD); MPI_File_sync(other_fh);"),
    wrong("atomic_no_more", "atomic mode was switched off again", "14.6.2", open=f"{ATOMIC} {PLAIN}", mid=BARRIER),
]

# By handles of two collective opens: case 3.
APART = [
    right("sync_barrier_sync", "each handle is synchronized", "14.6.1", mid=f"{SYNC} {BARRIER} {SYNC_OWN}"),
    right("close_open", "closing and opening a file synchronize it", "14.6.1",
          mid=f"{CLOSE_OWN} {SYNC} {BARRIER} {OPEN_OWN}"),
    wrong("nothing", "nothing orders the accesses", "14.6.1"),
    wrong("barrier", "a barrier synchronizes no file", "14.6.1", mid=BARRIER),
    wrong("first_only", "the second handle is not synchronized", "14.6.1", mid=f"{SYNC} {BARRIER} {SYNC}"),
    wrong("second_only", "the first handle is not synchronized", "14.6.1", mid=f"{SYNC_OWN} {BARRIER} {SYNC_OWN}"),
    wrong("atomic", "atomic mode is about the handles of one collective open", "14.6.2",
          open=f"{ATOMIC} MPI_File_set_atomicity(own_fh, 1);", mid=BARRIER),
]


def conflict(name, what, first, second, variants, check=(), **more):
    """A conflict of two ranks on the first bytes of a file."""
    RULES.append(Rule(name, "mpi", "file", what, "14.6.1", between(first, second), variants, "private", check=check,
                      **more))


conflict("file_write_read", "bytes of a file, written and read", WRITE, READ, SHARED, check=("$X[0]", 41, 0))
conflict("file_read_write", "bytes of a file, read and written", READ, WRITE, SHARED)
conflict("file_write_write", "bytes of a file, written twice", WRITE, access("write", "$X"), SHARED)
conflict("file_two_opens_write_read", "bytes of a file, written and read by handles of two opens", WRITE,
         access("read", "$X", "own_fh"), APART, check=("$X[0]", 41, 0))
conflict("file_two_opens_read_write", "bytes of a file, read and written by handles of two opens", READ,
         access("write", "src", "own_fh"), APART)
conflict("file_read_read", "bytes of a file, read twice", READ, access("read", "into"),
         [right("nothing", "both only read", "14.6.1"), right("barrier", "both only read", "14.6.1", mid=BARRIER)])
conflict("file_beside", "bytes of a file beside each other", WRITE, READ.replace("(fh, 0,", "(fh, 8,"),
         [right("nothing", "the accesses do not overlap", "14.6.1")])

# Nonblocking accesses: they end when the request is complete.
IWRITE, IREAD = access("iwrite", "src", extra=", &request"), access("iread", "$X", extra=", &request")
PENDING = [
    right("wait", "the request is complete", "14.6.1", mid=WAIT),
    right("test", "the request is complete", "14.6.1",
          mid="while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);"),
    right("atomic", "sequentially consistent in some order", "14.6.1", open=ATOMIC, a_close=WAIT, either=True),
    wrong("wait_late", "the request is not complete yet", "14.6.1", a_close=WAIT),
]
BUFFER = [v for v in PENDING if v.name != "atomic"]


def alone(name, what, first, second, variants, cite="14.6.1", check=()):
    """A conflict of one rank."""
    RULES.append(Rule(name, "mpi", "file", what, cite, same_rank(first, second), variants, "private", roles=(0, 0, 0),
                      check=check))


alone("file_iwrite_read", "bytes of a file, written by a nonblocking call and read", IWRITE, READ, PENDING)
alone("file_iread_write", "bytes of a file, read by a nonblocking call and written", IREAD, WRITE, PENDING)
alone("file_iwrite_buffer", "the buffer of a nonblocking write to a file, stored to",
      access("iwrite", "$X", extra=", &request"), "$X[0] = 7;", BUFFER, "14.4.2")
alone("file_iread_buffer", "the buffer of a nonblocking read of a file, loaded from", IREAD, "got = $X[0];", BUFFER,
      "14.4.2")
