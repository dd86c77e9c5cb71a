# SPDX-License-Identifier: BSD-3-Clause
"""OpenSHMEM 1.6: memory that ends while an operation may still use it, and teams that do. The end of memory is the
second access: a return, free, shmem_free, shmem_realloc."""
from rules_shmem import RULES
from table import Rule, right, wrong

END = (0, 0, 1)
# Before the end of a local buffer.
COMPLETED = [
    right("quiet", "quiet completes the operation", "9.12.2", mid="shmem_quiet();"),
    right("pe_quiet", "pe_quiet completes operations to the named PE", "9.12.3", mid="shmem_pe_quiet(&peer, 1);"),
    wrong("nothing", "the buffer is in use until quiet", "9.6.2", late="shmem_quiet();"),
    wrong("fence", "a fence completes nothing", "9.12.1", mid="shmem_fence();", late="shmem_quiet();"),
    wrong("other_ctx", "quiet of another context", "9.12.2", mid="shmem_ctx_quiet(ctx);", late="shmem_quiet();"),
]
RETURNED = [right("nothing", "the buffer may be used again when the call returns", "9.6.1", late="shmem_quiet();")]


def frame(name, what, cite, operation, variants, final=()):
    """An operation on a local variable of a function that returns. The function is called from far down the stack,
    so that nothing else comes to lie where the variable was."""
    top = f"""static long __attribute__((noinline)) leave(long value)
{{
    long box[4] = {{value, value, value, value}};
    @A {operation}
    <mid>
    @B return value;
}}

static long __attribute__((noinline)) descend(long value)
{{
    volatile char room[1 << 15];
    room[me] = 0;
    return leave(value) + room[me];
}}
"""
    body = "if (me == 0) {\n    got = descend(41);\n    <late>\n}"
    RULES.append(Rule(name, "shmem", "life", what + ", and the return of its function", cite, body, variants,
                      "symmetric", roles=END, final=final, top=top, shapes=False))


frame("frame_put_nbi", "the source of a nonblocking put", "9.6.2.1", "shmem_long_put_nbi($X, box, 4, 1);", COMPLETED,
      (41, 41))
frame("frame_get_nbi", "the destination of a nonblocking get", "9.6.2.2", "shmem_long_get_nbi(box, $X, 4, 1);",
      COMPLETED)
frame("frame_fetch_nbi", "the fetched value of a nonblocking AMO", "9.7.2.5",
      "shmem_long_atomic_fetch_add_nbi(box, $X, 1, 1);", COMPLETED)
frame("frame_signal_nbi", "the source of a nonblocking put-with-signal", "9.8.4",
      "shmem_long_put_signal_nbi($X, box, 4, &sig, 1, SHMEM_SIGNAL_SET, 1);", COMPLETED, (41, 41))
frame("frame_put", "the source of a blocking put", "9.6.1.1", "shmem_long_put($X, box, 4, 1);", RETURNED, (41, 41))
frame("frame_get", "the destination of a blocking get", "9.6.1.5", "shmem_long_get(box, $X, 4, 1);", RETURNED)

RULES.append(Rule("freed_source", "shmem", "life", "the source of a nonblocking put, freed", "9.6.2.1",
                  "if (me == 0) {\n    long *block = (long *)calloc(4, sizeof *block);\n    block[0] = 41;\n"
                  "    @A shmem_long_put_nbi($X, block, 4, 1);\n    <mid>\n    @B free(block);\n    <late>\n}",
                  COMPLETED, "symmetric", roles=END, final=(41, 41), shapes=False))

# Before the end of symmetric memory: the operation is on a context.
GIVEN_UP = [
    right("ctx_quiet", "quiet of the right context", "9.12.2", a_close="shmem_ctx_quiet(ctx);"),
    wrong("nothing", "shmem_free completes the default context only", "9.3"),
    wrong("ctx_fence", "a fence completes nothing", "9.12.1", a_close="shmem_ctx_fence(ctx);"),
    wrong("quiet", "quiet of the default context", "9.12.2", a_close="shmem_quiet();"),
    wrong("barrier", "the barrier completes the default context only", "9.10.1", mid="shmem_barrier_all();"),
    wrong("late", "quiet after the end", "9.3", late="shmem_ctx_quiet(ctx);"),
]
DEFAULT = [right("nothing", "there is a barrier at entry", "9.3")]
FREE, RESIZE = "shmem_free(block);", "block = (long *)shmem_realloc(block, 4096);"


def given_up(name, what, operation, end, variants, owner=1):
    """An operation of PE 0 on a block of symmetric memory, and the end of the block."""
    body = (f"long *block = (long *)shmem_calloc(4, sizeof *block);\nif (me == 0) {{\n    @A {operation}\n    <a_close>\n}}\n"
            f"<mid>\n@B {end}\n<late>" + ("" if end == FREE else "\nshmem_free(block);"))
    RULES.append(Rule(name, "shmem", "life", what, "9.3", body, variants, "symmetric", roles=(0, owner, owner),
                      shapes=False))


given_up("free_put", "a put to a block that is freed", "shmem_ctx_long_put(ctx, block, $X, 4, 1);", FREE, GIVEN_UP)
given_up("free_source", "a nonblocking put from a block that is freed",
         "shmem_ctx_long_put_nbi(ctx, $X, block, 4, 1);", FREE, GIVEN_UP, 0)
given_up("free_get_nbi", "a nonblocking get from a block that is freed",
         "shmem_ctx_long_get_nbi(ctx, $X, block, 4, 1);", FREE, GIVEN_UP)
given_up("free_amo", "an AMO on a block that is freed", "shmem_ctx_long_atomic_add(ctx, block, $X[0], 1);", FREE, GIVEN_UP)
given_up("realloc_put", "a put to a block that is resized", "shmem_ctx_long_put(ctx, block, $X, 4, 1);", RESIZE,
         GIVEN_UP)
given_up("free_put_default", "a put on the default context to a block that is freed",
         "shmem_long_put(block, $X, 4, 1);", FREE, DEFAULT)
given_up("realloc_get_default", "a get on the default context from a block that is resized",
         "shmem_long_get_nbi($X, block, 4, 1);", RESIZE, DEFAULT)

RULES.append(Rule("team_source_store", "shmem", "life", "the source of a put on a team's context, stored to",
                  "9.4.8, 9.6.2.1", "shmem_team_sync(everybody);\nif (me == 0) {\n    @A shmem_ctx_long_put_nbi(team_ctx, there, $X, 4, 1);\n}\n<mid>\n"
                  "if (me == 0) {\n    @B $X[0] = 7;\n}", [
                      right("destroy", "shmem_team_destroy destroys the contexts, which does a quiet", "9.5.3",
                            mid="shmem_team_destroy(everybody); everybody = SHMEM_TEAM_INVALID;"),
                      wrong("sync", "a sync completes nothing", "9.10.3", mid="shmem_team_sync(everybody);"),
                      wrong("barrier", "the barrier completes the default context only", "9.10.1",
                            mid="shmem_barrier_all();")], "symmetric", roles=(0, 0, 0), shapes=False))
