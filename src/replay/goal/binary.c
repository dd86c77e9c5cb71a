/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * binary: GOAL in the form that LogGOPSim's txt2bin writes and LogGOPSim maps into its memory. Numbers have the lowest
 * byte first; nothing is aligned.
 *
 *   u64 4223 (2342: its operations were used up by LogGOPSim --save-mem)
 *   u32 ranks, u8 highest CPU, u8 highest NIC
 *   of each rank: u64 begin, u64 end                             of its schedule, counted from behind the first 8 bytes
 *   a schedule: u32 operations, u32 roots, u32 root ...
 *       of each operation: u32 waits, u8 kind, u32 peer, u64 size, u32 tag, u8 CPU, u8 NIC,
 *                          u32 ends, u32 first end, u32 starts, u32 first start
 *       u32 operation ...                                        that wait for the end or the start of another one
 *
 * It is read forwards, so schedules must stand in the order of ranks, as txt2bin writes them.
 */
#include "replay/goal/goal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 4223, USED_UP = 2342, HEADER = 8 + 4 + 2, EXTENT = 16, OPERATION = 39, MOST_RANKS = 1 << 22 };

struct extent {
    uint64_t begin, end;
};

/* Where an operation's lists are among the words behind the operations. */
struct lists {
    uint32_t ends, first_end, starts, first_start;
};

struct reader {
    struct replay_input *in;
    struct base_status *st;
    uint32_t ranks, rank;
    uint64_t at; /* bytes taken behind the first 8 */
    struct replay_goal *goal;
    BASE_ARRAY(struct extent) extents;
    struct replay_goal_draft draft;
    BASE_ARRAY(struct lists) lists;
    uint64_t listed; /* words in the lists of operations so far */
    bool in_order;   /* their lists lie one behind the other, as ours do */
    BASE_ARRAY(uint32_t) waits, words;
};

static uint64_t number(const unsigned char *p, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned k = bytes; k-- > 0;)
        value = value << 8 | p[k];
    return value;
}

static uint32_t number4(const unsigned char *p)
{
    return (uint32_t)number(p, 4);
}

static int wrong(struct reader *x, const char *what)
{
    return base_fail(x->st, "%s: rank %" PRIu32 ": %s", replay_input_path(x->in), x->rank, what);
}

/* The next n bytes, at most 64 KiB; NULL: there are fewer, or they cannot be read. */
static const unsigned char *take(struct reader *x, size_t n)
{
    const unsigned char *p = replay_input_bytes(x->in, n, x->st);
    x->at += p ? n : 0;
    return p;
}

/* --- one schedule --------------------------------------------------------------------------------- */

static int read_operation(struct reader *x, const unsigned char *p)
{
    const struct lists l = {number4(p + 23), number4(p + 27), number4(p + 31), number4(p + 35)};
    const struct replay_goal_op op = {.waits = number4(p),
                                      .first = l.first_end,
                                      .ends = l.ends,
                                      .kind = p[4],
                                      .peer = number4(p + 5),
                                      .size = number(p + 9, 8),
                                      .tag = number4(p + 17),
                                      .cpu = p[21],
                                      .nic = p[22]};
    bool receives = op.kind == REPLAY_GOAL_RECEIVE;
    if (op.kind < REPLAY_GOAL_SEND || op.kind > REPLAY_GOAL_CALCULATION)
        return wrong(x, "an operation's kind: expected 1, 2 or 3");
    if (op.kind != REPLAY_GOAL_CALCULATION && op.peer >= x->ranks &&
        !(receives && op.peer == REPLAY_GOAL_ANY))
        return wrong(x, "an operation's peer: expected a rank that exists");
    if (op.size > UINT64_C(1) << 53)
        return wrong(x, "an operation's size: expected at most 2^53");
    if (op.kind == REPLAY_GOAL_SEND && op.tag == REPLAY_GOAL_ANY)
        return wrong(x, "a send's tag: expected less than 2^32 - 1");
    if (!replay_goal_tag_is_free(op.tag))
        return wrong(x, "an operation's tag: expected another one than 2^31");
    x->in_order &= l.first_end == x->listed && l.first_start == x->listed + l.ends;
    x->listed += (uint64_t)l.ends + l.starts;
    BASE_ARRAY_PUSH(&x->draft.ops, op);
    BASE_ARRAY_PUSH(&x->waits, op.waits);
    BASE_ARRAY_PUSH(&x->lists, l);
    return 0;
}

static int add_edges(struct reader *x, uint32_t before, uint32_t first, uint32_t n, bool start)
{
    if (n && (first > x->words.n || n > x->words.n - first))
        return wrong(x, "an operation's list: expected one within the schedule");
    for (uint32_t k = 0; k < n; k++) {
        uint32_t after = x->words.at[first + k];
        if (after >= x->draft.ops.n)
            return wrong(x, "an operation that waits: expected one that exists");
        BASE_ARRAY_PUSH(&x->draft.edges, ((struct replay_goal_edge){before, after, start}));
        x->waits.at[after]--;
    }
    return 0;
}

static int make_edges(struct reader *x)
{
    for (uint32_t k = 0; k < x->lists.n; k++) {
        const struct lists *l = &x->lists.at[k];
        if (add_edges(x, k, l->first_end, l->ends, false) || add_edges(x, k, l->first_start, l->starts, true))
            return -1;
    }
    return 0;
}

static int count_words(struct reader *x)
{
    for (size_t k = 0; k < x->words.n; k++) {
        if (x->words.at[k] >= x->draft.ops.n)
            return wrong(x, "an operation that waits: expected one that exists");
        x->waits.at[x->words.at[k]]--;
    }
    return 0;
}

/* Lists do not overlap, so that there are no more dependencies than words in the file. */
static int add_schedule(struct reader *x)
{
    x->in_order &= x->listed == x->words.n;
    if (x->listed > x->words.n)
        return wrong(x, "lists of operations that wait: expected no more than the schedule holds");
    if (x->in_order ? count_words(x) : make_edges(x))
        return -1;
    for (size_t k = 0; k < x->waits.n; k++)
        if (x->waits.at[k])
            return wrong(x,
                         "an operation waits for another number of operations than have it in their lists");
    if (x->in_order)
        replay_goal_add_listed(x->goal, x->rank, &x->draft, x->words.at, x->words.n);
    else
        replay_goal_add(x->goal, x->rank, &x->draft);
    return 0;
}

static int read_operations(struct reader *x, uint64_t n)
{
    enum { PIECE = 1024 };
    while (n) {
        size_t operations = n < PIECE ? (size_t)n : PIECE;
        const unsigned char *p = take(x, OPERATION * operations);
        if (!p)
            return -1;
        for (size_t k = 0; k < operations; k++)
            if (read_operation(x, p + OPERATION * k))
                return -1;
        n -= operations;
    }
    return 0;
}

static int skip(struct reader *x, uint64_t n)
{
    enum { PIECE = 4096 };
    for (; n; n -= n < PIECE ? n : PIECE)
        if (!take(x, n < PIECE ? (size_t)n : PIECE))
            return -1;
    return 0;
}

static int read_words(struct reader *x, uint64_t n)
{
    enum { PIECE = 1024 };
    while (n) {
        size_t words = n < PIECE ? (size_t)n : PIECE;
        const unsigned char *p = take(x, 4 * words);
        if (!p)
            return -1;
        for (size_t k = 0; k < words; k++)
            BASE_ARRAY_PUSH(&x->words, number4(p + 4 * k));
        n -= words;
    }
    return 0;
}

static int read_schedule(struct reader *x)
{
    const struct extent e = x->extents.at[x->rank];
    if (e.begin < x->at || e.end < e.begin || e.end - e.begin < 8)
        return wrong(x, "where its schedule lies: expected it behind that of the rank before");
    if (skip(x, e.begin - x->at))
        return -1;
    const unsigned char *p = take(x, 8);
    if (!p)
        return -1;
    uint64_t operations = number4(p), roots = number4(p + 4), left = e.end - x->at;
    if (OPERATION * operations + 4 * roots > left)
        return wrong(x, "its number of operations: expected no more than its schedule has room for");
    replay_goal_draft_clear(&x->draft);
    x->lists.n = x->waits.n = x->words.n = x->listed = 0;
    x->in_order = true;
    if (skip(x, 4 * roots)) /* these are the operations that wait for nothing */
        return -1;
    if (read_operations(x, operations))
        return -1;
    return read_words(x, (e.end - x->at) / 4) ? -1 : add_schedule(x);
}

/* --- a file --------------------------------------------------------------------------------------- */

static int read_header(struct reader *x)
{
    const char *path = replay_input_path(x->in);
    const unsigned char *p = take(x, HEADER);
    if (!p)
        return -1;
    if (number(p, 8) == USED_UP)
        return base_fail(
            x->st, "%s: LogGOPSim --save-mem has used up this schedule; make it again with txt2bin", path);
    uint32_t ranks = number4(p + 8);
    if (!ranks || ranks > MOST_RANKS)
        return base_fail(x->st, "%s: %" PRIu32 " ranks: expected 1 to %d", path, ranks, MOST_RANKS);
    if (x->ranks && ranks != x->ranks)
        return base_fail(x->st, "%s: %" PRIu32 " ranks; expected %" PRIu32, path, ranks, x->ranks);
    x->ranks = ranks;
    x->at -= 8;
    for (uint32_t k = 0; k < ranks; k++) {
        if (!(p = take(x, EXTENT)))
            return -1;
        BASE_ARRAY_PUSH(&x->extents, ((struct extent){number(p, 8), number(p + 8, 8)}));
    }
    return 0;
}

static int read_all(struct reader *x)
{
    if (read_header(x))
        return -1;
    x->goal = replay_goal_create(x->ranks);
    for (x->rank = 0; x->rank < x->ranks; x->rank++)
        if (read_schedule(x))
            return -1;
    return 0;
}

struct replay_goal *replay_goal_binary_read(struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    struct reader x = {.in = in, .st = st, .ranks = ranks};
    if (read_all(&x)) {
        replay_goal_destroy(x.goal);
        x.goal = NULL;
    }
    replay_goal_draft_release(&x.draft);
    free(x.extents.at);
    free(x.lists.at);
    free(x.waits.at);
    free(x.words.at);
    return x.goal;
}

bool replay_goal_binary_is(const char *head, size_t n)
{
    uint64_t magic = n < 8 ? 0 : number((const unsigned char *)head, 8);
    return magic == MAGIC || magic == USED_UP;
}
