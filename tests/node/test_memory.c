/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DRAM and the caches in front of it, by hand. DDR4-2400: controller 10 + 10 ns, tCL = tRCD = tRP = 14.16
 * ns, data 3.332 ns: an open row 37.492 ns, a closed one 51.652 ns, another one open 65.812 ns. A cycle is
 * 0.5 ns: L1 1 ns, L2 10 ns more, directory 1 ns.
 */
#include "stage.h"

enum { BANKS = 32, ROW = 8192 };
static const uint64_t next_row = (uint64_t)BANKS * ROW;

static double access_ns(double now, uint64_t address, bool write)
{
    return node_dram_access(node_dram(node), now * 1e-9, address, write) * 1e9 - now;
}

static void rows(void **state)
{
    (void)state;
    begin(NULL, 0);
    close_to(access_ns(0, 0, false), 51.652, "a closed row: 10 + 14.16 + 14.16 + 3.332 + 10");
    close_to(access_ns(1000, 64, false), 37.492, "an open row: 10 + 14.16 + 3.332 + 10");
    close_to(access_ns(2000, next_row, false), 65.812,
             "another row of the bank: 14.16 more than a closed one");
    close_to(access_ns(3000, ROW, false), 51.652, "the next 8 KiB are in another bank");
    struct node_dram_counts c = node_dram_counts(node_dram(node));
    assert_int_equal(c.reads, 4);
    assert_int_equal(c.row_hits, 1);
    assert_int_equal(c.row_opened, 2);
    assert_int_equal(c.row_conflicts, 1);
    end();
}

static void queues(void **state)
{
    (void)state;
    begin(NULL, 0);
    access_ns(0, 0, false);
    close_to(access_ns(1000, 0, false), 37.492, "the first of two at once");
    close_to(access_ns(1000, 64, false), 37.492 + 3.332, "the second's data follow the first's");
    close_to(access_ns(2000, ROW, false), 51.652, "opens a row");
    /* Opened at 2010: may be closed at 2042, which is 22 ns after the next one's command could be given. */
    close_to(access_ns(2010, ROW + next_row, false), 65.812 + 22, "a row stays open for tRAS");
    close_to(access_ns(3000, 0, true), 37.492, "a write");
    /* Its data end at 3027.492; closing waits 15 ns more, until 3042.492: 29.492 ns after 3013. */
    close_to(access_ns(3003, next_row, false), 65.812 + 29.492, "a precharge waits for tWR");
    end();
}

static void streams(void **state)
{
    (void)state;
    begin(NULL, 0);
    double at = node_dram_stream(node_dram(node), 0, 0, 4096, false) * 1e9;
    close_to(at, 51.652 + 63 * 3.332, "64 lines of a row");
    assert_int_equal(node_dram_counts(node_dram(node)).reads, 64);
    at = node_dram_stream(node_dram(node), 1e-6, ROW - 64, 128, false) * 1e9;
    /* Both banks start at 1010; the second one opens its row, and its data come 14.16 ns later than the
     * first's. */
    close_to(at - 1000, 51.652, "two lines of two banks: that of the closed row is later");
    end();
}

static double core_ns(struct node_core *c, double now, uint64_t address, bool write)
{
    return node_core_access(c, now * 1e-9, address, 8, write) * 1e9;
}

static void one_core(void **state)
{
    (void)state;
    begin(NULL, 0);
    struct node_core *c = node_core_add(node);
    close_to(core_ns(c, 0, 0, false), 1 + 10 + 1 + 51.652, "L1, L2, directory, a closed row");
    close_to(core_ns(c, 1000, 8, true), 1, "the same line");
    close_to(core_ns(c, 2000, 60, false), 1 + 1 + 10 + 1 + 37.492,
             "a word in two lines, of which L1 has one");
    for (uint64_t k = 1; k <= 8; k++) /* the L1 has 32 sets: 8 more lines of the first line's set */
        core_ns(c, 3000 + 100 * (double)k, k * 32 * 64, false);
    close_to(core_ns(c, 9000, 0, false), 1 + 10, "L1 has lost it, L2 has it");
    struct node_core_counts n = node_core_counts(c);
    assert_int_equal(n.accesses, 13);
    assert_int_equal(n.l1_hits, 2);
    assert_int_equal(n.l2_hits, 1);
    assert_int_equal(n.memory, 10);
    assert_int_equal(node_dram_counts(node_dram(node)).writes, 0);
    end();
}

/* Two cores write one line in turn: each time the directory takes it from the other one. */
static void two_cores(void **state)
{
    (void)state;
    begin(NULL, 0);
    struct node_core *a = node_core_add(node), *b = node_core_add(node);
    close_to(core_ns(a, 0, 0, true), 63.652, "from memory");
    close_to(core_ns(b, 1000, 0, true), 1 + 10 + 1 + 10, "from the other core's L2");
    close_to(core_ns(a, 2000, 0, false), 22, "and back");
    close_to(core_ns(b, 3000, 0, false), 1, "reading leaves the other's copy");
    close_to(core_ns(a, 4000, 0, true), 1 + 1, "a copy that both have is claimed from the directory");
    assert_int_equal(node_core_counts(a).lost, 1);
    assert_int_equal(node_core_counts(b).lost, 1);
    assert_int_equal(node_core_counts(a).from_others, 1);
    end();
}

/* An L2 of one line of each set: what leaves it leaves the L1, and goes to memory if it was changed. */
static void inclusion(void **state)
{
    static const char *const small[][2] = {
        {"cache/l1-size", "512"}, {"cache/l2-size", "512"}, {"cache/l2-ways", "1"}};
    (void)state;
    begin(small, BASE_LENGTH(small));
    struct node_core *c = node_core_add(node);
    core_ns(c, 0, 0, true);
    core_ns(c, 1000, 512, false); /* L1 would have room for both, L2 has not */
    assert_int_equal(node_dram_counts(node_dram(node)).writes, 1);
    core_ns(c, 2000, 0, false);
    assert_int_equal(node_core_counts(c).memory, 3);
    end();
}

static uint64_t told[8];
static uint32_t tellings;
static void lost(void *ctx, uint64_t line)
{
    assert_ptr_equal(ctx, told);
    told[tellings++ % BASE_LENGTH(told)] = line;
}

/* Where an access found its line, and what a core is told of those that others take. */
static void sources(void **state)
{
    (void)state;
    begin(NULL, 0);
    struct node_core *a = node_core_add(node), *b = node_core_add(node);
    node_core_tell(a, lost, told);
    tellings = 0;
    assert_false(node_core_holds(a, 0));
    core_ns(a, 0, 0, false);
    assert_int_equal(node_core_source(a), NODE_DRAM_CLOSED);
    core_ns(a, 1000, 64, false);
    assert_int_equal(node_core_source(a), NODE_DRAM_OPEN);
    core_ns(a, 2000, next_row, false);
    assert_int_equal(node_core_source(a), NODE_DRAM_CONFLICT);
    core_ns(a, 3000, 8, true);
    assert_int_equal(node_core_source(a), NODE_L1);
    assert_true(node_core_holds(a, 8));
    for (uint64_t k = 2; k <= 9; k++) /* line 0 leaves the L1, but nobody took it */
        core_ns(a, 3000 + 100 * (double)k, k * 32 * 64, false);
    core_ns(a, 5000, 0, false);
    assert_int_equal(node_core_source(a), NODE_L2);
    assert_int_equal(tellings, 0);
    core_ns(b, 6000, 0, false); /* is clean now */
    assert_int_equal(node_core_source(b), NODE_ELSEWHERE);
    assert_int_equal(tellings, 1);
    core_ns(b, 7000, 0, true); /* is gone */
    assert_int_equal(tellings, 2);
    assert_int_equal(told[1], 0);
    assert_false(node_core_holds(a, 0));
    node_changed(node, 64, 65); /* lines 1 and 2, of which it has one */
    assert_int_equal(tellings, 3);
    assert_int_equal(told[2], 1);
    assert_int_equal(node_core_counts(a).lost, 2);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows),      cmocka_unit_test(queues),
                                       cmocka_unit_test(streams),   cmocka_unit_test(one_core),
                                       cmocka_unit_test(two_cores), cmocka_unit_test(inclusion),
                                       cmocka_unit_test(sources)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
