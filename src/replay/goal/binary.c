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

#include "record/record.h"

enum { MAGIC = 4223, USED_UP = 2342, HEADER = 8 + 4 + 2, EXTENT = 16, OPERATION = 39, CPU = 21 };
enum { MOST_OPERATIONS = 1 << 30 };

struct extent {
    uint64_t begin, end;
};

struct reader {
    struct replay_input *in;
    struct base_status *st;
    uint32_t ranks, rank;
    uint64_t at; /* bytes taken behind the first 8 */
    struct replay_goal *goal;
    BASE_ARRAY(struct extent) extents;
    BASE_ARRAY(unsigned char) bytes; /* of a schedule that is too long to be taken at once */
    /* Of the schedule that is read: */
    const unsigned char *operation;
    uint32_t n;                  /* operations */
    bool several;                /* CPUs */
    BASE_ARRAY(uint32_t) word;   /* the lists of operations */
    BASE_ARRAY(uint32_t) listed; /* how often each operation is in them */
    uint64_t lists;              /* words in lists so far */
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

static int count_list(struct reader *x, uint32_t first, uint32_t n)
{
    if (!n)
        return 0;
    if (first > x->word.n || n > x->word.n - first)
        return wrong(x, "an operation's list: expected one within the schedule");
    for (const uint32_t *word = &x->word.at[first], *end = word + n; word < end; word++) {
        if (*word >= x->n)
            return wrong(x, "an operation that waits: expected one that exists");
        x->listed.at[*word]++;
    }
    return 0;
}

static bool crosses(const struct reader *x, unsigned cpu, const struct replay_goal_waiting *w)
{
    for (uint32_t k = 0; k < w->ends; k++)
        if (x->operation[(size_t)w->end[k] * OPERATION + CPU] != cpu)
            return true;
    return false;
}

/* Operations of several CPUs. */
static bool has_several(const struct reader *x)
{
    for (uint32_t k = 1; k < x->n; k++)
        if (x->operation[(size_t)k * OPERATION + CPU] != x->operation[CPU])
            return true;
    return false;
}

static int read_operation(struct reader *x, uint32_t k)
{
    const unsigned char *p = x->operation + (size_t)k * OPERATION;
    struct replay_goal_op op = {.waits = number4(p),
                                .kind = p[4],
                                .peer = number4(p + 5),
                                .size = number8(p + 9),
                                .tag = number4(p + 17),
                                .cpu = p[21],
                                .nic = p[22]};
    struct replay_goal_waiting w = {.ends = number4(p + 23), .starts = number4(p + 31)};
    uint32_t end = number4(p + 27), start = number4(p + 35);
    if (BASE_UNLIKELY(!is_plain(x, &op)) && wrong_operation(x, &op))
        return -1;
    if (count_list(x, end, w.ends) || count_list(x, start, w.starts))
        return -1;
    w.end = w.ends ? &x->word.at[end] : NULL;
    w.start = w.starts ? &x->word.at[start] : NULL;
    x->lists += (uint64_t)w.ends + w.starts;
    op.crosses = x->several && crosses(x, op.cpu, &w);
    replay_goal_put(x->goal, k, &op, &w);
    return 0;
}

/* Lists do not overlap, so that there are no more dependencies than words in the file. */
static int check_lists(struct reader *x)
{
    if (x->lists > x->word.n)
        return wrong(x, "lists of operations that wait: expected no more than the schedule holds");
    for (uint32_t k = 0; k < x->n; k++)
        if (x->listed.at[k] != number4(x->operation + (size_t)k * OPERATION))
            return wrong(x,
                         "an operation waits for another number of operations than have it in their lists");
    return 0;
}

static int read_operations(struct reader *x)
{
    replay_goal_begin(x->goal, x->n);
    for (uint32_t k = 0; k < x->n; k++)
        if (read_operation(x, k))
            return -1;
    if (check_lists(x))
        return -1;
    replay_goal_end(x->goal, x->rank);
    return 0;
}

/* The lists behind the operations, as numbers. */
static void take_words(struct reader *x, const unsigned char *p, size_t n)
{
    if (n > x->word.cap)
        x->word.at = base_array_grow(x->word.at, &x->word.cap, n, sizeof *x->word.at, "lists of schedules");
    if (x->n > x->listed.cap)
        x->listed.at =
            base_array_grow(x->listed.at, &x->listed.cap, x->n, sizeof *x->listed.at, "lists of schedules");
    for (size_t k = 0; k < n; k++)
        x->word.at[k] = number4(p + 4 * k);
    if (x->n)
        memset(x->listed.at, 0, x->n * sizeof *x->listed.at);
    x->word.n = n;
    x->lists = 0;
}

enum { PIECE = 64 << 10 };

static int skip(struct reader *x, uint64_t n)
{
    for (; n; n -= n < PIECE ? n : PIECE)
        if (!take(x, n < PIECE ? (size_t)n : PIECE))
            return -1;
    return 0;
}

/* All bytes of a schedule behind its first 8, side by side. */
static const unsigned char *take_all(struct reader *x, uint64_t n)
{
    if (n <= PIECE)
        return take(x, n);
    x->bytes.n = 0;
    while (x->bytes.n < n) {
        size_t piece = n - x->bytes.n < PIECE ? (size_t)(n - x->bytes.n) : PIECE;
        const unsigned char *p = take(x, piece);
        if (!p)
            return NULL;
        if (x->bytes.n + piece > x->bytes.cap)
            x->bytes.at = base_array_grow(x->bytes.at, &x->bytes.cap, x->bytes.n + piece, 1, "a schedule");
        memcpy(x->bytes.at + x->bytes.n, p, piece);
        x->bytes.n += piece;
    }
    return x->bytes.at;
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
    if (operations > MOST_OPERATIONS)
        return wrong(x, "its number of operations: expected less than 2^30");
    if (skip(x, 4 * roots)) /* these are the operations that wait for nothing */
        return -1;
    uint64_t bytes = e.end - x->at, words = (bytes - OPERATION * operations) / 4;
    if (!(x->operation = take_all(x, OPERATION * operations + 4 * words)))
        return -1;
    x->n = (uint32_t)operations;
    x->several = has_several(x);
    take_words(x, x->operation + OPERATION * operations, words);
    return read_operations(x);
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
    if (!ranks || ranks > RECORD_RANKS_MOST)
        return base_fail(x->st, "%s: %" PRIu32 " ranks: expected 1 to %d", path, ranks, RECORD_RANKS_MOST);
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
    free(x.extents.at);
    free(x.bytes.at);
    free(x.word.at);
    free(x.listed.at);
    return x.goal;
}

bool replay_goal_binary_is(const char *head, size_t n)
{
    uint64_t magic = n < 8 ? 0 : number8((const unsigned char *)head);
    return magic == MAGIC || magic == USED_UP;
}
