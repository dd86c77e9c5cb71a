# SPDX-License-Identifier: BSD-3-Clause
"""Messages whose wording has changed since the reference of `compare`: the old words and the new ones. And cases
whose outcome has changed.

Only words differ: numbers, names and places are kept, and so they are still compared. No pattern matches the
new words, so a build equals itself.
"""
import re

REWORDED = [(re.compile(pattern), instead) for pattern, instead in (
    # Bad input.
    (r"(\d+ bytes) of addresses for (.*); the process may have",
     r"cannot reserve \1 of address space for \2; the process is limited to"),
    (r"(unknown option --no-such-option); the nearest known one is \S+", r"\1"),
    (r"(unknown command 'nosuchcommand'); the nearest known one is \S+", r"\1"),
    (r"' is not a whole number >= 0", "' is not a number; expected a whole number, 0 or more"),
    (r"(\d+ of \d+ hosts) have more ranks than cores, which share the cores",
     r"on \1, the ranks outnumber the cores and share them"),
    (r"(program \S+): it is a directory", r"\1 is a directory"),
    (r"<actor>s for (\d+) ranks; expected one a rank at least",
     r"<actor>s for \1 ranks; expected at least one per rank"),
    (r"> may not stand in <", "> is not allowed in <"),
    # Threads and annotations.
    (r"as many threads are alive as stacks were reserved for; raise --set thread/most",
     "all stacks reserved for threads are in use; raise thread/most (--set)"),
    (r"(of a block of \d+ bytes): ranges lie in the block and ascend",
     r"\1: expected ranges within the block, in ascending order"),
    # OpenSHMEM: PEs, their memory and locks.
    (r"rank (-?\d+) does not exist: there are \d+, from 0 to ", r"PE \1 does not exist: PEs are 0 to "),
    (r"(\d+ bytes of) rank (\d+)(?=: not a symmetric address| run )", r"\1 PE \2"),
    (r"in another rank's symmetric heap", "in another PE's symmetric heap"),
    (r"bytes behind the end of the nearest", "bytes past the end of the nearest"),
    (r"(the local buffer is at .*): memory of another host", r"\1, in the memory of another host"),
    (r"the signal lies in the data that is put", "the signal lies within the data that is put"),
    (r"exceed the address space: each has", "exceed the address space: each gets"),
    (r"with this heap, (\d+) is the most", r"with this heap, at most \1 is possible"),
    (r"lock (\S+ .*) is this PE's already: ", r"this PE already holds lock \1: "),
    (r"(the PE still holds lock \S+ \(.*?\)), by ", r"\1, set by "),
    # OpenSHMEM: handles and arguments.
    (r" is no (comparison|signal operator|power of two|thread level|team:)", r" is not a \1"),
    (r" is no handle of a context", " is not the handle of a context"),
    (r"are no active set of", "do not form an active set of"),
    (r"(options \w+) have unknown bits", r"\1 contain unknown bits"),
    (r"(configuration mask \w+) has unknown bits", r"\1 contains unknown bits"),
    (r"the configuration is NULL, and its mask (\w+) is not 0",
     r"the configuration is NULL, but its mask is \1, not 0"),
    (r"num_contexts is (-?\d+) of PE (\d+), and (-?\d+) of PE ",
     r"num_contexts is \1 at PE \2, and \3 at PE "),
    (r"was called by (\d+ of its \d+ members) only: ", r"was called by only \1: "),
    # Numbers of ranks.
    (r"number of ranks: (\S+) is not between 1 and (\d+)", r"-np \1: expected a number of ranks from 1 to \2"),
    (r"number of ranks: '(\S+)' is not a number; expected a whole number, 0 or more",
     r"-np \1: expected a number of ranks from 1 to 4294967295"),
    # OpenSHMEM: contexts, sessions and threads.
    (r"is used by another thread than the one that made it",
     "is used by a thread other than the one that created it"),
    (r"called by another thread than the main one", "called by a thread other than the main one"),
    (r"called by another thread than the one that initialized",
     "called by a thread other than the one that initialized OpenSHMEM"),
    (r"SHMEM_CTX_PRIVATE was not destroyed before(?! this)",
     "SHMEM_CTX_PRIVATE was not destroyed before this call"),
    (r"a session of the context was not stopped(?! before)",
     "a session of the context was not stopped before this call"),
)]


def reword(text):
    """A text of the reference in today's words."""
    for pattern, instead in REWORDED:
        text = pattern.sub(instead, text)
    return text


# What real libraries let pass no longer ends the job (docs/misuse.md): (spec, pattern of the command).
CHANGED = [(spec, re.compile(pattern)) for spec, pattern in (
    ("misuse_rows_heap", ""),
    ("misuse_rows_transfer", ""),
    ("misuse_rows_collective", ""),
    ("misuse_rows_team", ""),
    ("misuse_rows_lock", ""),
    ("misuse_rows_life", ""),
    ("bad_calls", " (freed|free_inside|free_twice)$"),
    # Sets of as many PEs as the case names, with other numbers of PEs.
    ("bad_calls", "-np [^4].* collective_"),
    ("deadlocks", "-np [^4].* (reduce|f?collect|broadcast|alltoall|active_set)$"),
    ("shmem_misuse_collective", "-np [^4].* psync"),
    # Who is told what, and control characters.
    ("fork_calls", ""),
    # Descriptors of a rank's own, calls that wait, local buffers that are checked: the reference has none.
    ("files_calls", ""),
    ("files_closing", ""),
    ("files_limit", ""),
    ("files_numbers", ""),
    ("local_buffers", ""),
    ("waits_outside", ""),
    ("waits_ranks", ""),
    ("waits_threads", ""),
    # Which of the loop's lines is seen.
    ("stall", " alone$"),
    ("bad_options", r"-np (\"\"|2 \$'no|2 --set \$')"),
    ("annotate_memory", " free$"),
    ("misuse_buffers", " (misaligned|free_static)$"),
    ("misuse_origin", " (freed|freed_atomic|freed_get|moved|behind|twice|inside)$"),
    ("shmem_heap_differs", " alignment$"),
    ("shmem_lock", " (twice|not_mine)$"),
    ("misuse_lock", " (again|other|nobody)$"),
    ("misuse_end", " twice$"),
    ("shmem_ctx_misuse", " (options|destroyed|default|twice)$"),
    ("shmem_misuse_collective", " (mask|split_config)$"),
    ("shmem_session", " options$"),
    ("shmem_signal", " (operator|misaligned)$"),
)]


def changed(spec, command):
    """Whether a case's outcome was changed on purpose, so that the reference's says nothing."""
    return any(spec == name and pattern.search(command) for name, pattern in CHANGED)
