# SPDX-License-Identifier: BSD-3-Clause
"""MPI 4.1, chapter 12: window memory, by operations of one or two origins and by its owner's loads and stores.

Right programs are right in both memory models: an owner that has stored synchronizes its window before others get,
and an owner that loads synchronizes it after others have put (12.4, 12.7).
"""
from table import Rule, between, gray, right, same_rank, wrong

ALL = {"open": "MPI_Win_lock_all(0, win);", "end": "MPI_Win_unlock_all(win);"}
FENCED = {"open": "MPI_Win_fence(0, win);", "end": "MPI_Win_fence(0, win);"}
BARRIER, FENCE, FLUSH = "MPI_Barrier(MPI_COMM_WORLD);", "MPI_Win_fence(0, win);", "MPI_Win_flush($T, win);"
SYNC = "MPI_Win_sync(win);"
SEND = "MPI_Send(NULL, 0, MPI_INT, $B, 0, MPI_COMM_WORLD);"
RECV = "MPI_Recv(NULL, 0, MPI_INT, $A, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
UNLOCK = "MPI_Win_unlock($T, win);"


def lock(how="EXCLUSIVE"):
    """Locks the object's rank."""
    return f"MPI_Win_lock(MPI_LOCK_{how}, $T, 0, win);"


LOCKED = {"a_open": lock(), "a_close": UNLOCK}

# An operation of the first rank, then the owner's load or store.
THEN_OWNER = [
    right("fence", "the fence completes the operation at both ends", "12.5.1", **FENCED, mid=FENCE),
    right("fence_assert", "the same with assertions that hold", "12.5.5", open="MPI_Win_fence(MPI_MODE_NOPRECEDE, win);",
          mid="MPI_Win_fence(MPI_MODE_NOSUCCEED, win);"),
    right("pscw", "complete at the target when MPI_Win_wait returns", "12.5.2", a_open="MPI_Win_start(to_t, 0, win);",
          a_close="MPI_Win_complete(win);", b_open="MPI_Win_post(to_a, 0, win); MPI_Win_wait(win);"),
    right("pscw_test", "complete at the target when MPI_Win_test succeeds", "12.5.2",
          a_open="MPI_Win_start(to_t, 0, win);", a_close="MPI_Win_complete(win);",
          b_open="MPI_Win_post(to_a, 0, win); while (!done) MPI_Win_test(win, &done);"),
    right("lock_barrier", "complete at unlock, then a barrier, then a lock of the own window", "12.5.3", **LOCKED,
          mid=BARRIER, b_open=lock(), b_close=UNLOCK),
    right("shared_barrier", "the same with shared locks", "12.5.3", a_open=lock("SHARED"), a_close=UNLOCK,
          mid=BARRIER, b_open=lock("SHARED"), b_close=UNLOCK),
    right("exclusive", "exclusive locks order the accesses", "12.5.3", either=True, **LOCKED, b_open=lock(),
          b_close=UNLOCK),
    right("flush", "complete at the flush, then a barrier and a sync", "12.5.4", **ALL, a_close=FLUSH, mid=BARRIER,
          b_open=SYNC),
    right("flush_all", "complete at the flush, then a barrier and a sync", "12.5.4", **ALL,
          a_close="MPI_Win_flush_all(win);", mid=BARRIER, b_open=SYNC),
    right("flush_send", "complete at the flush, then a message and a sync", "12.5.4", **ALL, a_close=FLUSH + " " + SEND,
          b_open=RECV + " " + SYNC),
    right("unlock_all", "complete at unlock_all", "12.5.3", open=ALL["open"], mid=ALL["end"] + " " + BARRIER + " " +
          ALL["open"], end=ALL["end"]),
    wrong("same_epoch", "no fence in between", "12.5.1", **FENCED),
    wrong("other_fence", "the fence is another window's", "12.5.1", **FENCED, mid="MPI_Win_fence(0, win2);"),
    wrong("pscw_exposed", "the window is still exposed", "12.5.2", a_open="MPI_Win_start(to_t, 0, win);",
          a_close="MPI_Win_complete(win);", b_open="MPI_Win_post(to_a, 0, win);", b_close="MPI_Win_wait(win);"),
    wrong("no_barrier", "complete, but the owner does not know when", "12.5.3", a_open=lock("SHARED"), a_close=UNLOCK),
    wrong("shared", "shared locks order nothing", "12.5.3", a_open=lock("SHARED"), a_close=UNLOCK,
          b_open=lock("SHARED"), b_close=UNLOCK),
    wrong("one_locks", "the owner takes no lock", "12.5.3", **LOCKED),
    wrong("barrier_only", "a barrier completes nothing", "12.5", **ALL, mid=BARRIER, b_open=SYNC),
    wrong("send_only", "a message completes nothing", "12.5", **ALL, a_close=SEND, b_open=RECV + " " + SYNC),
    wrong("flush_only", "complete, but the owner does not know when", "12.5.4", **ALL, a_close=FLUSH),
    wrong("flush_local", "complete at the origin only", "12.5.4", **ALL, a_close="MPI_Win_flush_local($T, win);",
          mid=BARRIER, b_open=SYNC),
    wrong("flush_local_all", "complete at the origin only", "12.5.4", **ALL, a_close="MPI_Win_flush_local_all(win);",
          mid=BARRIER, b_open=SYNC),
    wrong("flush_late", "the flush comes after the barrier", "12.5.4", **ALL, mid=BARRIER, a_late=FLUSH, b_open=SYNC),
    wrong("flush_other_rank", "a flush of another target", "12.5.4", **ALL, a_close="MPI_Win_flush($A, win);",
          mid=BARRIER, b_open=SYNC),
    wrong("flush_other_window", "a flush of another window", "12.5.4", open=ALL["open"] + " MPI_Win_lock_all(0, win2);",
          a_close="MPI_Win_flush($T, win2);", mid=BARRIER, b_open=SYNC,
          end=ALL["end"] + " MPI_Win_unlock_all(win2);"),
    wrong("send_first", "the message is sent before the operation", "12.5.4", **ALL, a_open=SEND, a_close=FLUSH,
          b_open=RECV + " " + SYNC),
    wrong("bcast_reverse", "a broadcast does not order others before its root", "6.4", **ALL, a_close=FLUSH,
          mid="MPI_Bcast(&number, 1, MPI_LONG, $B, MPI_COMM_WORLD);", b_open=SYNC),
    wrong("ibarrier_early", "the rank enters the barrier before its operation", "6.12", **ALL,
          a_open="MPI_Ibarrier(MPI_COMM_WORLD, &entered);", a_close=FLUSH + " MPI_Wait(&entered, MPI_STATUS_IGNORE);",
          b_open="MPI_Ibarrier(MPI_COMM_WORLD, &entered); MPI_Wait(&entered, MPI_STATUS_IGNORE); " + SYNC),
    gray("no_sync", "whether the unified model needs MPI_Win_sync after a barrier", "12.7", **ALL, a_close=FLUSH,
         mid=BARRIER),
]
# An operation, then another rank's.
THEN_ORIGIN = [
    right("fence", "the fence completes the first", "12.5.1", **FENCED, mid=FENCE),
    right("exclusive", "exclusive locks order the two", "12.5.3", either=True, **LOCKED, b_open=lock(),
          b_close=UNLOCK),
    right("exclusive_shared", "an exclusive and a shared lock order the two", "12.5.3", either=True, **LOCKED,
          b_open=lock("SHARED"), b_close=UNLOCK),
    right("flush_barrier", "complete at the flush, then a barrier", "12.5.4", **ALL, a_close=FLUSH, mid=BARRIER),
    right("flush_send", "complete at the flush, then a message", "12.5.4", **ALL, a_close=FLUSH + " " + SEND,
          b_open=RECV),
    right("pscw", "two exposures, one after the other", "12.5.2", a_open="MPI_Win_start(to_t, 0, win);",
          a_close="MPI_Win_complete(win);", t_mid="MPI_Win_post(to_a, 0, win); MPI_Win_wait(win); "
          "MPI_Win_post(to_b, 0, win); MPI_Win_wait(win);", b_open="MPI_Win_start(to_t, 0, win);",
          b_close="MPI_Win_complete(win);"),
    wrong("same_epoch", "no fence in between", "12.5.1", **FENCED),
    wrong("shared", "shared locks order nothing", "12.5.3", a_open=lock("SHARED"), a_close=UNLOCK,
          b_open=lock("SHARED"), b_close=UNLOCK),
    wrong("lock_all", "lock_all is shared", "12.5.3", **ALL, a_close=FLUSH),
    wrong("barrier", "a barrier completes nothing", "12.5", **ALL, mid=BARRIER),
    wrong("flush_local", "complete at the origin only", "12.5.4", **ALL, a_close="MPI_Win_flush_local($T, win);",
          mid=BARRIER),
    wrong("flush_late", "the flush comes after the barrier", "12.5.4", **ALL, mid=BARRIER, a_late=FLUSH),
    wrong("flush_other_rank", "a flush of another target", "12.5.4", **ALL, a_close="MPI_Win_flush($B, win);",
          mid=BARRIER),
    wrong("pscw_one", "both in one exposure", "12.5.2", a_open="MPI_Win_start(to_t, 0, win);",
          a_close="MPI_Win_complete(win);", t_mid="MPI_Win_post(to_ab, 0, win); MPI_Win_wait(win);",
          b_open="MPI_Win_start(to_t, 0, win);", b_close="MPI_Win_complete(win);"),
]
# The owner's load or store, then an operation.
AFTER_OWNER = [
    right("fence", "the fence makes the store visible", "12.5.1", **FENCED, mid=FENCE),
    right("pscw", "the window is exposed after the store", "12.5.2", a_close="MPI_Win_post(to_b, 0, win);",
          a_late="MPI_Win_wait(win);", b_open="MPI_Win_start(to_t, 0, win);", b_close="MPI_Win_complete(win);"),
    right("lock_barrier", "stored under a lock, then a barrier", "12.5.3", **LOCKED, mid=BARRIER,
          b_open=lock("SHARED"), b_close=UNLOCK),
    right("exclusive", "exclusive locks order the accesses", "12.5.3", either=True, **LOCKED, b_open=lock(),
          b_close=UNLOCK),
    right("sync_barrier", "a sync and a barrier", "12.5.4", **ALL, a_close=SYNC, mid=BARRIER),
    right("sync_send", "a sync and a message", "12.5.4", **ALL, a_close=SYNC + " " + SEND, b_open=RECV),
    wrong("same_epoch", "no fence in between", "12.5.1", **FENCED),
    wrong("pscw_exposed", "the window is exposed before the access", "12.5.2", a_open="MPI_Win_post(to_b, 0, win);",
          a_close="MPI_Win_wait(win);", b_open="MPI_Win_start(to_t, 0, win);", b_close="MPI_Win_complete(win);"),
    wrong("no_barrier", "nothing orders the ranks", "12.5.3", b_open=lock("SHARED"), b_close=UNLOCK),
    wrong("barrier_early", "the barrier comes before the access", "12.5.3", open=BARRIER,
          b_open=lock("SHARED"), b_close=UNLOCK),
    wrong("shared", "shared locks order nothing", "12.5.3", a_open=lock("SHARED"), a_close=UNLOCK,
          b_open=lock("SHARED"), b_close=UNLOCK),
    wrong("lock_all", "lock_all is shared", "12.5.3", **ALL, a_close=SYNC),
    wrong("send_first", "the message is sent before the access", "12.5.4", **ALL, a_open=SEND, a_close=SYNC,
          b_open=RECV),
]
# Two operations of one origin.
AGAIN = [
    right("flush", "complete at the flush", "12.5.4", **ALL, mid=FLUSH),
    right("flush_all", "complete at the flush", "12.5.4", **ALL, mid="MPI_Win_flush_all(win);"),
    right("relock", "complete at unlock", "12.5.3", a_open=lock(), mid=UNLOCK + " " + lock(), a_close=UNLOCK),
    right("fence", "complete at the fence", "12.5.1", **FENCED, all=FENCE),
    wrong("nothing", "operations of one epoch are not ordered", "12.7", **ALL),
    wrong("one_lock", "operations of one epoch are not ordered", "12.7", a_open=lock(), a_close=UNLOCK),
    wrong("flush_local", "complete at the origin only", "12.5.4", **ALL, mid="MPI_Win_flush_local($T, win);"),
    wrong("flush_local_all", "complete at the origin only", "12.5.4", **ALL, mid="MPI_Win_flush_local_all(win);"),
    wrong("barrier", "a barrier completes nothing", "12.5", **ALL, all=BARRIER),
    wrong("flush_other_rank", "a flush of another target", "12.5.4", **ALL, mid="MPI_Win_flush($A, win);"),
    wrong("same_epoch", "operations of one epoch are not ordered", "12.5.1", **FENCED),
    wrong("pscw", "operations of one epoch are not ordered", "12.5.2", a_open="MPI_Win_start(to_t, 0, win);",
          a_close="MPI_Win_complete(win);", other="if (me == 1) { MPI_Win_post(to_a, 0, win); MPI_Win_wait(win); }"),
    wrong("sync", "MPI_Win_sync completes nothing", "12.5.4", **ALL, mid=SYNC),
]
RULES = []


def op(name, buffer="src", count=1, extra=""):
    """A put or get of longs at the object's rank."""
    return f"MPI_{name}({buffer}, {count}, MPI_LONG, $T, $D, {count}, MPI_LONG, win{extra});"


def acc(buffer="src", how="SUM", kind="LONG"):
    """An accumulate of one element."""
    return f"MPI_Accumulate({buffer}, 1, MPI_{kind}, $T, $D, 1, MPI_{kind}, MPI_{how}, win);"


def fetch(buffer="src", result="into", how="SUM"):
    """A fetch-and-op."""
    return f"MPI_Fetch_and_op({buffer}, {result}, MPI_LONG, $T, $D, MPI_{how}, win);"


def add(name, kind, what, cite, first, second, variants, roles=(0, 1, 1), place="window", **more):
    """One rule."""
    body = same_rank(first, second) if roles[0] == roles[1] else between(first, second)
    RULES.append(Rule(name, "mpi", kind, what, cite, body, variants, place, ranks=max(roles) + 1, roles=roles, **more))


def only(variants, *names):
    """Some of a group's variants."""
    return [variant for variant in variants if variant.name in names]


GOT, INTO = ("got", 41, 0), ("into[0]", 41, 0)
