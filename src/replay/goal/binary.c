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

#include <endian.h>
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
    uint32_t cpus, nics;
    BASE_ARRAY(uint32_t) waits;
};

static uint32_t number4(const unsigned char *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return le32toh(value);
}

static uint64_t number8(const unsigned char *p)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return le64toh(value);
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

static int wrong_operation(struct reader *x, const struct replay_goal_op *op)
{
    bool receives = op->kind == REPLAY_GOAL_RECEIVE;
    if (op->kind < REPLAY_GOAL_SEND || op->kind > REPLAY_GOAL_CALCULATION)
        return wrong(x, "an operation's kind: expected 1, 2 or 3");
    if (op->kind != REPLAY_GOAL_CALCULATION && op->peer >= x->ranks &&
        !(receives && op->peer == REPLAY_GOAL_ANY))
        return wrong(x, "an operation's peer: expected a rank that exists");
    if (op->size > UINT64_C(1) << 53)
        return wrong(x, "an operation's size: expected at most 2^53");
    if (op->kind == REPLAY_GOAL_SEND && op->tag == REPLAY_GOAL_ANY)
        return wrong(x, "a send's tag: expected less than 2^32 - 1");
    if (!replay_goal_tag_is_free(op->tag))
        return wrong(x, "an operation's tag: expected another one than 2^31");
    return 0;
}

/* Most operations are right, which is soon seen. */
static bool is_plain(const struct reader *x, const struct replay_goal_op *op)
{
    static const uint32_t free_tags = UINT32_C(1) << 31;
    return (op->kind == REPLAY_GOAL_CALCULATION ||
            (op->peer < x->ranks && (op->kind == REPLAY_GOAL_SEND || op->kind == REPLAY_GOAL_RECEIVE))) &&
           op->size <= UINT64_C(1) << 53 && op->tag < free_tags;
}

static int read_operation(struct reader *x, const unsigned char *p, struct replay_goal_op *op,
                          struct lists *l, uint32_t *waits)
{
    *l = (struct lists){number4(p + 23), number4(p + 27), number4(p + 31), number4(p + 35)};
    *waits = number4(p);
    *op = (struct replay_goal_op){.waits = *waits,
                                  .first = l->first_end,
                                  .ends = l->ends,
                                  .kind = p[4],
                                  .peer = number4(p + 5),
                                  .size = number8(p + 9),
                                  .tag = number4(p + 17),
                                  .cpu = p[21],
                                  .nic = p[22]};
    x->in_order &= l->first_end == x->listed && l->first_start == x->listed + l->ends;
    x->listed += (uint64_t)l->ends + l->starts;
    x->cpus = op->cpu >= x->cpus ? op->cpu + 1U : x->cpus;
    x->nics = op->nic >= x->nics ? op->nic + 1U : x->nics;
    return BASE_LIKELY(is_plain(x, op)) ? 0 : wrong_operation(x, op);
}

static int count_words(struct reader *x, const uint32_t *words, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (words[k] >= x->lists.n)
            return wrong(x, "an operation that waits: expected one that exists");
        x->waits.at[words[k]]--;
    }
    return 0;
}

static int add_edges(struct reader *x, uint32_t before, const uint32_t *waiting, uint32_t n, bool start)
{
    for (uint32_t k = 0; k < n; k++)
        BASE_ARRAY_PUSH(&x->draft.edges, ((struct replay_goal_edge){before, waiting[k], start}));
    return count_words(x, waiting, n);
}

static bool lies_within(uint32_t first, uint32_t n, size_t words)
{
    return !n || (first <= words && n <= words - first);
}

static int make_draft(struct reader *x, const struct replay_goal_op *op, const uint32_t *words, size_t n)
{
    replay_goal_draft_clear(&x->draft);
    for (uint32_t k = 0; k < x->lists.n; k++) {
        const struct lists *l = &x->lists.at[k];
        if (!lies_within(l->first_end, l->ends, n) || !lies_within(l->first_start, l->starts, n))
            return wrong(x, "an operation's list: expected one within the schedule");
        BASE_ARRAY_PUSH(&x->draft.ops, op[k]);
        if ((l->ends && add_edges(x, k, words + l->first_end, l->ends, false)) ||
            (l->starts && add_edges(x, k, words + l->first_start, l->starts, true)))
            return -1;
    }
    return 0;
}

/* Which operations those of other CPUs wait for. */
static void mark_crossing(struct replay_goal_op *op, size_t n, const uint32_t *words)
{
    for (size_t k = 0; k < n; k++)
        for (uint32_t e = 0; e < op[k].ends; e++)
            op[k].crosses |= op[k].cpu != op[words[op[k].first + e]].cpu;
}

/* Lists do not overlap, so that there are no more dependencies than words in the file. */
static int add_schedule(struct reader *x, struct replay_goal_op *op, size_t words)
{
    size_t n = x->lists.n;
    uint32_t *word = (uint32_t *)(void *)(op + n);
    x->in_order &= x->listed == words;
    if (x->listed > words)
        return wrong(x, "lists of operations that wait: expected no more than the schedule holds");
    if (x->in_order ? count_words(x, word, words) : make_draft(x, op, word, words))
        return -1;
    for (size_t k = 0; k < n; k++)
        if (x->waits.at[k])
            return wrong(x,
                         "an operation waits for another number of operations than have it in their lists");
    if (!x->in_order) {
        replay_goal_add(x->goal, x->rank, &x->draft);
        return 0;
    }
    if (x->cpus > 1)
        mark_crossing(op, n, word);
    replay_goal_widen(x->goal, x->cpus, x->nics);
    replay_goal_written(x->goal, x->rank, n, words);
    return 0;
}

/* They go where they stay. */
static int read_operations(struct reader *x, uint64_t n)
{
    enum { PIECE = 1024 };
    for (size_t done = 0; done < n;) {
        size_t operations = n - done < PIECE ? (size_t)(n - done) : PIECE, end = done + operations;
        const unsigned char *p = take(x, OPERATION * operations);
        if (!p)
            return -1;
        struct replay_goal_op *op = replay_goal_write(x->goal, end, 0);
        if (end > x->lists.cap)
            x->lists.at =
                base_array_grow(x->lists.at, &x->lists.cap, end, sizeof *x->lists.at, "lists of schedules");
        if (end > x->waits.cap)
            x->waits.at =
                base_array_grow(x->waits.at, &x->waits.cap, end, sizeof *x->waits.at, "lists of schedules");
        x->lists.n = x->waits.n = end;
        for (; done < end; done++, p += OPERATION)
            if (read_operation(x, p, &op[done], &x->lists.at[done], &x->waits.at[done]))
                return -1;
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

/* Behind the operations. */
static int read_words(struct reader *x, uint64_t n)
{
    enum { PIECE = 8192 };
    for (size_t done = 0; done < n;) {
        size_t words = n - done < PIECE ? (size_t)(n - done) : PIECE;
        const unsigned char *p = take(x, 4 * words);
        if (!p)
            return -1;
        uint32_t *word =
            (uint32_t *)(void *)(replay_goal_write(x->goal, x->lists.n, done + words) + x->lists.n);
        for (size_t k = 0; k < words; k++)
            word[done + k] = number4(p + 4 * k);
        done += words;
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
    x->lists.n = x->waits.n = x->listed = 0;
    x->in_order = true;
    x->cpus = x->nics = 1;
    if (skip(x, 4 * roots)) /* these are the operations that wait for nothing */
        return -1;
    if (read_operations(x, operations))
        return -1;
    uint64_t words = (e.end - x->at) / 4;
    if (read_words(x, words))
        return -1;
    return add_schedule(x, replay_goal_write(x->goal, operations, words), words);
}

/* --- a file --------------------------------------------------------------------------------------- */

static int read_header(struct reader *x)
{
    const char *path = replay_input_path(x->in);
    const unsigned char *p = take(x, HEADER);
    if (!p)
        return -1;
    if (number8(p) == USED_UP)
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
        BASE_ARRAY_PUSH(&x->extents, ((struct extent){number8(p), number8(p + 8)}));
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
    return x.goal;
}

bool replay_goal_binary_is(const char *head, size_t n)
{
    uint64_t magic = n < 8 ? 0 : number8((const unsigned char *)head);
    return magic == MAGIC || magic == USED_UP;
}
