/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules of GOAL: what text and binary become, what is said of wrong ones, graphs in memory and in a file. */
#include "replay/goal_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct replay_goal *read_text(const char *text)
{
    struct base_status st = {""};
    struct replay_goal *g = goal_read(text, strlen(text), &st);
    if (!g)
        fail_msg("%s", st.text);
    return g;
}

/* The message, without the name of the file. */
static void refuses_bytes(const void *bytes, size_t n, const char *why)
{
    struct base_status st = {""};
    struct replay_goal *g = goal_read(bytes, n, &st);
    assert_null(g);
    const char *text = strchr(st.text, ':');
    assert_non_null(text);
    assert_string_equal(text, why);
}

static void refuses(const char *text, const char *why)
{
    refuses_bytes(text, strlen(text), why);
}

/* The operations of a rank, until the next call. */
static const struct replay_goal_op *ops_of(const struct replay_goal *g, uint32_t rank, uint32_t *n)
{
    static struct replay_goal_op op[2000];
    const struct replay_goal_record *record = replay_goal_records(g, rank, n);
    if (*n > BASE_LENGTH(op))
        fail_msg("rank %u has %u operations", rank, *n);
    for (uint32_t k = 0; k < *n; k++) {
        op[k] = replay_goal_op(g, rank, k);
        assert_int_equal(op[k].kind, replay_goal_kind(&record[k]));
    }
    return record ? op : NULL;
}

static void text_is_read(void **state)
{
    uint32_t n;
    (void)state;
    struct replay_goal *g = read_text("\n// a comment\n/* another\n one */ num_ranks 3\r\n"
                                      "rank 2 {\n}\n"
                                      "rank 0 { /* here, too */\n"
                                      "l1: send 10b to 1 tag 7 cpu 2 nic 1\n"
                                      "calc 5\n"
                                      "x_1 : recv 4 b from -1 nic 3 tag -1 // any\n"
                                      "x_1 requires l1\n"
                                      "l90: calc 18446744 cpu 1 }\n"
                                      "rank 1 {\n"
                                      "l1: recv 10b from 0 tag 7\n"
                                      "a: calc 1\nb: calc 2\nc: calc 3\n"
                                      "a irequires l1\nb requires l1\nc requires l1\nc irequires a\n}\n");
    assert_int_equal(replay_goal_ranks(g), 3);
    assert_int_equal(replay_goal_operations(g), 8);
    assert_int_equal(replay_goal_dependencies(g), 5);
    assert_int_equal(replay_goal_cpus(g), 3);
    assert_int_equal(replay_goal_nics(g), 4);
    const struct replay_goal_op *op = ops_of(g, 0, &n);
    assert_int_equal(n, 4);
    assert_int_equal(op[0].kind, REPLAY_GOAL_SEND);
    assert_int_equal(op[0].size, 10);
    assert_int_equal(op[0].peer, 1);
    assert_int_equal(op[0].tag, 7);
    assert_int_equal(op[0].cpu, 2);
    assert_int_equal(op[0].nic, 1);
    assert_true(op[0].crosses);
    assert_int_equal(op[2].peer, REPLAY_GOAL_ANY);
    assert_int_equal(op[2].tag, REPLAY_GOAL_ANY);
    assert_int_equal(op[2].waits, 1);
    assert_int_equal(op[3].size, 18446744);
    op = ops_of(g, 1, &n);
    assert_int_equal(op[3].waits, 2);
    assert_false(op[0].crosses);
    const struct replay_goal_waiting w = replay_goal_waiting(g, 1, 0); /* distances from it */
    assert_int_equal(w.ends, 2);
    assert_int_equal(w.end[0], 2);
    assert_int_equal(w.end[1], 3);
    assert_int_equal(w.starts, 1);
    assert_int_equal(w.start[0], 1);
    assert_null(ops_of(g, 2, &n));
    assert_int_equal(n, 0);
    replay_goal_destroy(g);
}

static void wrong_text_is_refused(void **state)
{
    (void)state;
    refuses("rank 0 {\n}\n", ": it is no GOAL");
    refuses("num_ranks 0\n", ":1: 0: expected at least one rank");
    refuses("num_ranks 99999999\n", ":1: 99999999: expected a number from 0 to 4194304");
    refuses("num_ranks 2\nnum_ranks 2\n", ":2: num_ranks: expected num_ranks once");
    refuses("num_ranks 2\nrank 2 {\n}\n", ":2: 2: expected a number from 0 to 1");
    refuses("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}\n", ":4: 1: expected each rank once");
    refuses("num_ranks 2\nrank 1\n{\n}\n", ":2: end of the line: expected '{'");
    refuses("num_ranks 2\nrank 1 {\nsend 1 to 0\n}\n", ":3: to: expected b, the unit of sizes");
    refuses("num_ranks 2\nrank 1 {\nsend 1b from 0\n}\n", ":3: from: expected to");
    refuses("num_ranks 2\nrank 1 {\nsend 1b to -1\n}\n", ":3: -: expected a number");
    refuses("num_ranks 2\nrank 1 {\nrecv 1b from 2\n}\n", ":3: rank 2: expected a rank below 2");
    refuses("num_ranks 2\nrank 1 {\ncalc 1 tag 1\n}\n", ":3: tag: expected cpu, nic or the end of the line");
    refuses("num_ranks 2\nrank 1 {\ncalc 1 cpu 256\n}\n", ":3: 256: expected a number from 0 to 255");
    refuses("num_ranks 2\nrank 1 {\nl1: clac 1\n}\n", ":3: clac: expected send, recv or calc");
    refuses("num_ranks 2\nrank 1 {\nl1: calc 1\nl1 requires l2\n}\n",
            ":4: l2: no such label in rank 1 so far");
    refuses("num_ranks 2\nrank 1 {\nx: calc 1\nx requires y\n}\n", ":4: y: no such label in rank 1 so far");
    refuses("num_ranks 2\nrank 1 {\nl1: calc 1\nl1 requires l1 l1\n}\n",
            ":4: l1: expected the end of the line");
    refuses("num_ranks 2\nrank 1 {\nsend 1b to 0 tag 2147483648\n}\n",
            ":3: tag 2147483648: expected another one, as this one stands for any inside pgasim");
    refuses("num_ranks 2\nrank 1 {\nl1: calc 1\n", ":3: the file ends within rank 1: expected '}'");
}

/* Labels of one rank are not those of the next one; the first of two equal ones counts. */
static void labels_are_a_ranks(void **state)
{
    (void)state;
    uint32_t n;
    refuses("num_ranks 2\nrank 0 {\nx: calc 1\n}\nrank 1 {\nl1: calc 1\nl1 requires x\n}\n",
            ":7: x: no such label in rank 1 so far");
    struct replay_goal *g = read_text("num_ranks 1\nrank 0 {\nl5: calc 1\nl5: calc 2\nl100000: calc 3\n"
                                      "l100000 requires l5\n}\n");
    const struct replay_goal_op *op = ops_of(g, 0, &n);
    assert_int_equal(replay_goal_waiting(g, 0, 0).ends, 1);
    assert_int_equal(replay_goal_waiting(g, 0, 1).ends, 0);
    assert_int_equal(op[2].waits, 1);
    replay_goal_destroy(g);
}

/* --- binary ----------------------------------------------------------------------------------------- */

struct bytes {
    unsigned char at[4096];
    size_t n;
};

static void put(struct bytes *b, uint64_t value, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++, value >>= 8)
        b->at[b->n++] = (unsigned char)value;
}

static void put_operation(struct bytes *b, uint32_t waits, unsigned kind, uint32_t peer, uint64_t size,
                          uint32_t ends, uint32_t first_end, uint32_t starts, uint32_t first_start)
{
    put(b, waits, 4);
    put(b, kind, 1);
    put(b, peer, 4);
    put(b, size, 8);
    put(b, 9, 4); /* tag */
    put(b, 0, 1);
    put(b, 0, 1);
    put(b, ends, 4);
    put(b, first_end, 4);
    put(b, starts, 4);
    put(b, first_start, 4);
}

enum { HEADER = 8 + 4 + 2 + 2 * 16, FIRST = HEADER + 12, WORDS = FIRST + 3 * 39, SECOND = WORDS + 12 };

/* Rank 0: a send, a calculation that waits for its end, and one that waits for its start and the first one's end. Rank
 * 1 has nothing. */
static struct bytes example(void)
{
    struct bytes b = {.n = 0};
    put(&b, 4223, 8);
    put(&b, 2, 4);
    put(&b, 0, 2);
    put(&b, HEADER - 8, 8);
    put(&b, SECOND - 8, 8);
    put(&b, SECOND - 8, 8);
    put(&b, SECOND, 8);
    put(&b, 3, 4);
    put(&b, 1, 4);
    put(&b, 0, 4);
    put_operation(&b, 0, 1, 1, 100, 1, 0, 1, 1);
    put_operation(&b, 1, 3, 0, 5, 1, 2, 0, 3);
    put_operation(&b, 2, 3, 0, 6, 0, 3, 0, 3);
    put(&b, 1, 4);
    put(&b, 2, 4);
    put(&b, 2, 4);
    put(&b, 0, 4);
    put(&b, 0, 4);
    return b;
}

static void binary_is_read(void **state)
{
    struct base_status st = {""};
    uint32_t n;
    (void)state;
    const struct bytes b = example();
    struct replay_goal *g = goal_read(b.at, b.n, &st);
    if (!g)
        fail_msg("%s", st.text);
    assert_int_equal(replay_goal_ranks(g), 2);
    const struct replay_goal_op *op = ops_of(g, 0, &n);
    assert_int_equal(n, 3);
    assert_int_equal(op[0].size, 100);
    assert_int_equal(op[0].tag, 9);
    assert_int_equal(op[2].waits, 2);
    const struct replay_goal_waiting w = replay_goal_waiting(g, 0, 0);
    assert_int_equal(w.ends, 1);
    assert_int_equal(w.starts, 1);
    assert_int_equal(w.end[0], 1);
    assert_int_equal(w.start[0], 2);
    replay_goal_destroy(g);
}

/* One byte is changed. */
static void refuses_changed(size_t at, unsigned char value, const char *why)
{
    struct bytes b = example();
    b.at[at] = value;
    refuses_bytes(b.at, b.n, why);
}

static void wrong_binary_is_refused(void **state)
{
    (void)state;
    refuses_changed(0, 0x26, ": it is no GOAL"); /* 4134 */
    refuses_changed(8, 0, ": 0 ranks: expected 1 to 4194304");
    refuses_changed(14, 4, ": rank 0: where its schedule lies: expected it behind that of the rank before");
    refuses_changed(HEADER, 4,
                    ": rank 0: its number of operations: expected no more than its schedule has room for");
    refuses_changed(FIRST + 4, 4, ": rank 0: an operation's kind: expected 1, 2 or 3");
    refuses_changed(FIRST + 5, 2, ": rank 0: an operation's peer: expected a rank that exists");
    refuses_changed(FIRST + 16, 1, ": rank 0: an operation's size: expected at most 2^53");
    refuses_changed(FIRST + 27, 3, ": rank 0: an operation's list: expected one within the schedule");
    refuses_changed(FIRST + 23, 3,
                    ": rank 0: lists of operations that wait: expected no more than the schedule holds");
    refuses_changed(WORDS, 3, ": rank 0: an operation that waits: expected one that exists");
    refuses_changed(
        FIRST, 1,
        ": rank 0: an operation waits for another number of operations than have it in their lists");
    struct bytes used = example();
    used.at[0] = 0x26;
    used.at[1] = 0x09; /* 2342 */
    struct base_status st = {""};
    assert_null(goal_read(used.at, used.n, &st));
    assert_non_null(strstr(st.text, "has used up this schedule"));
    assert_null(goal_read(example().at, example().n - 1, &st));
    assert_non_null(strstr(st.text, "it ends after"));
}

/* --- shapes ------------------------------------------------------------------------------------------ */

/* What is alike but for size, peer and tag is one shape; equal ones of other ranks and rounds, too. */
static void shapes_are_shared(void **state)
{
    (void)state;
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text, "num_ranks 4\n");
    for (unsigned rank = 0; rank < 4; rank++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "rank %u {\n", rank);
        for (unsigned k = 0; k < 5; k++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "c%u: calc %u\ns%u: send %ub to %u tag %u\ns%u requires c%u\n", k, rank + k,
                                  k, k, (rank + k) % 4, k, k, k);
        n += (size_t)snprintf(text + n, sizeof text - n, "}\n");
    }
    struct replay_goal *g = read_text(text);
    assert_int_equal(replay_goal_shapes(g), 2);
    assert_int_equal(ops_of(g, 3, &(uint32_t){0})[7].peer, 2);
    assert_int_equal(ops_of(g, 3, &(uint32_t){0})[6].size, 6);
    replay_goal_destroy(g);
    /* each of these differs from the first in one thing */
    g = read_text("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1 cpu 1\nc: calc 1 nic 1\nd: calc 4294967296\n"
                  "e: recv 1b from 0\nf: send 1b to 0\ng: calc 1\nh: calc 1\ng irequires h\n}\n");
    assert_int_equal(replay_goal_shapes(g), 8);
    replay_goal_destroy(g);
}

/* Sizes that need more than 32 bits are kept, and so are those just below. */
static void sizes_are_kept(void **state)
{
    (void)state;
    uint32_t n;
    struct replay_goal *g = read_text("num_ranks 1\nrank 0 {\ncalc 4294967295\ncalc 4294967296\n"
                                      "send 9007199254740992b to 0\ncalc 0\n}\n");
    const struct replay_goal_op *op = ops_of(g, 0, &n);
    assert_int_equal(op[0].size, UINT32_MAX);
    assert_int_equal(op[1].size, UINT64_C(1) << 32);
    assert_int_equal(op[2].size, UINT64_C(1) << 53);
    assert_int_equal(op[3].size, 0);
    replay_goal_destroy(g);
}

/* How often a count must go down until its operation is ready. */
static void counts_are_waits(void **state)
{
    enum { MOST = 1300 };
    (void)state;
    for (uint32_t waits = 1; waits <= MOST; waits += waits < 600 ? 1 : 97) {
        struct replay_goal *g = replay_goal_create(1);
        struct replay_goal_draft d = {0};
        struct base_table more;
        uint32_t times = 0;
        for (uint32_t k = 0; k <= waits; k++)
            BASE_ARRAY_PUSH(&d.ops, ((struct replay_goal_op){.kind = REPLAY_GOAL_CALCULATION}));
        for (uint32_t k = 0; k < waits; k++)
            BASE_ARRAY_PUSH(&d.edges, ((struct replay_goal_edge){k, waits, false}));
        replay_goal_add(g, 0, &d);
        base_table_init(&more, BASE_NUMBERS, sizeof(uint32_t), "a test");
        uint8_t *count = &replay_goal_left_waits(g, 0)[waits];
        assert_int_equal(replay_goal_left_waits(g, 0)[0], 0);
        do {
            times++;
            --*count;
        } while (*count ||
                 (waits > REPLAY_GOAL_COUNTED && replay_goal_goes_on(&more, 0, waits, waits, count)));
        assert_int_equal(times, waits);
        base_table_release(&more);
        replay_goal_draft_release(&d);
        replay_goal_destroy(g);
    }
}

/* --- graphs ------------------------------------------------------------------------------------------ */

/* A chain of n calculations for each rank; the graph lies in memory up to `limit` bytes. */
static void chains(size_t limit)
{
    enum { RANKS = 50, LONGEST = 2000 };
    struct replay_goal_draft d = {0};
    struct replay_goal *g = replay_goal_create(RANKS);
    replay_goal_limit(g, limit);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        replay_goal_draft_clear(&d);
        for (uint32_t k = 0; k < rank * LONGEST / RANKS; k++) {
            BASE_ARRAY_PUSH(&d.ops, ((struct replay_goal_op){.size = rank * LONGEST + k,
                                                             .kind = REPLAY_GOAL_CALCULATION}));
            if (k)
                BASE_ARRAY_PUSH(&d.edges, ((struct replay_goal_edge){k - 1, k, k % 3 == 0}));
        }
        replay_goal_add(g, rank, &d);
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint32_t n;
        const struct replay_goal_op *op = ops_of(g, rank, &n);
        assert_int_equal(n, rank * LONGEST / RANKS);
        for (uint32_t k = 0; k < n; k++) {
            const struct replay_goal_waiting w = replay_goal_waiting(g, rank, k);
            bool last = k + 1 == n, start = (k + 1) % 3 == 0;
            assert_int_equal(op[k].size, rank * LONGEST + k);
            assert_int_equal(op[k].waits, k != 0);
            assert_int_equal(w.ends, !last && !start);
            assert_int_equal(w.starts, !last && start);
            assert_int_equal(last ? 1 : start ? *w.start : *w.end, 1);
        }
    }
    replay_goal_draft_release(&d);
    replay_goal_destroy(g);
}

static void graphs_lie_in_memory(void **state)
{
    (void)state;
    chains(256 << 20);
}

static void graphs_lie_in_a_file(void **state)
{
    (void)state;
    chains(1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read),
        cmocka_unit_test(wrong_text_is_refused),
        cmocka_unit_test(labels_are_a_ranks),
        cmocka_unit_test(binary_is_read),
        cmocka_unit_test(wrong_binary_is_refused),
        cmocka_unit_test(shapes_are_shared),
        cmocka_unit_test(sizes_are_kept),
        cmocka_unit_test(counts_are_waits),
        cmocka_unit_test(graphs_lie_in_memory),
        cmocka_unit_test(graphs_lie_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
