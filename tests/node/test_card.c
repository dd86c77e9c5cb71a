/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The card by hand: stage by stage, merging, what becomes of a drained line, back-pressure, places that
 * lines compete for. Cycles of 0.5 ns: packetizer, map and look-up 1.5 ns; directory 1 ns; a line from a
 * closed row 51.652 ns, from an open one 37.492 ns; an atomic in the card's core 1.5 ns, a load or store 1
 * ns; the reply 0.5 ns.
 */
#include "stage.h"

static const double before = 1.5, directory = 1, closed = 51.652, opened = 37.492, amo = 1.5, plain = 1,
                    reply = 0.5;

static void one_atomic(void **state)
{
    (void)state;
    begin(NULL, 0);
    const struct shot *s = shoot(100, NODE_ADD, 0, 8);
    run();
    close_to(s->executed, 100 + before + directory + closed + amo, "executed");
    close_to(s->done, 100 + before + directory + closed + amo + reply, "replied");
    struct node_card_counts c = node_card_counts(node);
    assert_int_equal(c.requests, 1);
    assert_int_equal(c.atomics, 1);
    assert_int_equal(c.misses, 1);
    assert_int_equal(c.host_reads, 1);
    assert_int_equal(c.host_writes, 1);
    assert_int_equal(c.invalidations, 1);
    assert_int_equal(node_directory_counts(node).entries, 0); /* freed with the line */
    assert_int_equal(node_directory_counts(node).most_entries, 1);
    end();
}

static void loads_do_not_write(void **state)
{
    (void)state;
    begin(NULL, 0);
    const struct shot *s = shoot(0, NODE_LOAD, 64, 8);
    shoot(0, NODE_FETCH, 72, 8);
    run();
    close_to(s->executed, before + directory + closed + plain, "a load");
    assert_int_equal(node_card_counts(node).host_reads, 1);
    assert_int_equal(node_card_counts(node).host_writes, 0);
    assert_int_equal(node_card_counts(node).invalidations, 0);
    end();
}

/* One load and one store of the line for all, one invalidation; the core takes 1.5 ns for each. */
static void merging(void **state)
{
    enum { N = 64 };
    (void)state;
    begin(NULL, 0);
    for (int k = 0; k < N; k++)
        shoot(0, NODE_ADD, (uint64_t)(k % 8) * 8, 8);
    run();
    for (uint32_t k = 0; k < N; k++) {
        assert_int_equal(shots[k].order, k + 1);
        close_to(shots[k].executed, before + directory + closed + amo * (k + 1), "in turn");
    }
    struct node_card_counts c = node_card_counts(node);
    assert_int_equal(c.misses, 1);
    assert_int_equal(c.merges, N - 1);
    assert_int_equal(c.host_reads, 1);
    assert_int_equal(c.host_writes, 1);
    assert_int_equal(c.invalidations, 1);
    assert_int_equal(c.most_subentries, N);
    assert_int_equal(c.stalls, 0);
    end();
}

/* A second request after the line has drained: it is fetched again, or still there. */
static void policies(void **state)
{
    static const char *const retain[][2] = {{"card/policy", "retain"}};
    (void)state;
    for (int retained = 0; retained < 2; retained++) {
        begin(retain, (size_t)retained);
        shoot(0, NODE_ADD, 0, 8);
        const struct shot *s = shoot(1000, NODE_ADD, 8, 8);
        run();
        close_to(s->executed, 1000 + before + (retained ? 0 : directory + opened) + amo, "the second one");
        struct node_card_counts c = node_card_counts(node);
        assert_int_equal(c.hits, retained);
        assert_int_equal(c.misses, 2 - retained);
        assert_int_equal(c.host_reads, 2 - retained);
        assert_int_equal(c.host_writes, 2); /* memory is never behind a line without requests */
        assert_int_equal(node_directory_counts(node).entries, retained);
        end();
    }
}

/* A core reads a line, the card changes it twice in one go: the core loses it once, and fetches it again. A
 * line that the core has changed comes from its caches. */
static void coherence(void **state)
{
    (void)state;
    begin(NULL, 0);
    struct node_core *c = node_core_add(node);
    node_core_access(c, 0, 0, 8, false);
    shoot(1000, NODE_ADD, 0, 8);
    shoot(1000, NODE_ADD, 0, 8);
    run();
    assert_int_equal(node_core_counts(c).lost, 1);
    assert_int_equal(node_directory_counts(node).signals, 1);
    assert_int_equal(node_directory_counts(node).dropped, 1);
    close_to(node_core_access(c, 2e-6, 0, 8, true) * 1e9, 1 + 10 + directory + opened,
             "fetched again, and changed");
    const struct shot *s = shoot(3000, NODE_ADD, 0, 8);
    run();
    close_to(s->executed, 3000 + before + directory + 10 + amo, "from the core's L2");
    assert_int_equal(node_core_counts(c).lost, 2);
    end();
}

/* A retained line is gone when a core changes it. */
static void retained_lines_are_given_up(void **state)
{
    static const char *const retain[][2] = {{"card/policy", "retain"}};
    (void)state;
    begin(retain, 1);
    struct node_core *c = node_core_add(node);
    shoot(0, NODE_ADD, 0, 8);
    run();
    close_to(node_core_access(c, 1e-6, 0, 8, false) * 1e9, 1 + 10 + directory + 1, "from the card's cache");
    close_to(node_core_access(c, 2e-6, 0, 8, true) * 1e9, 1 + directory, "claimed");
    assert_int_equal(node_directory_counts(node).entries, 0);
    shoot(3000, NODE_ADD, 0, 8);
    run();
    assert_int_equal(node_card_counts(node).misses, 2);
    end();
}

/* One MSHR: requests to other lines wait, in order, and none is lost. */
static void one_mshr(void **state)
{
    static const char *const few[][2] = {{"card/mshrs", "1"}};
    enum { N = 20 };
    (void)state;
    begin(few, 1);
    for (uint64_t k = 0; k < N; k++)
        shoot(0, NODE_ADD, k * 64, 8);
    run();
    for (uint32_t k = 0; k < N; k++)
        assert_int_equal(shots[k].order, k + 1);
    struct node_card_counts c = node_card_counts(node);
    assert_int_equal(c.misses, N);
    assert_int_equal(c.stalls, N - 1);
    assert_int_equal(c.most_stalled, N - 1);
    assert_int_equal(c.most_mshrs, 1);
    double first = before + directory + closed + amo; /* the second looked its line up at 2 ns */
    close_to(shots[0].executed, first, "the first");
    assert_true(c.stalled * 1e9 > first - 2);
    end();
}

/* Two subentries: the third request to the line waits until the first is executed, and merges then. */
static void two_subentries(void **state)
{
    static const char *const few[][2] = {{"card/subentries", "2"}};
    (void)state;
    begin(few, 1);
    for (int k = 0; k < 4; k++)
        shoot(0, NODE_ADD, 0, 8);
    run();
    struct node_card_counts c = node_card_counts(node);
    assert_int_equal(c.stalls, 2);
    assert_int_equal(c.most_subentries, 2);
    assert_int_equal(c.misses, 1);
    assert_int_equal(c.merges, 3);
    for (uint32_t k = 0; k < 4; k++)
        close_to(shots[k].executed, before + directory + closed + amo * (k + 1), "without a pause");
    double first = before + directory + closed + amo; /* the others looked the line up at 2.5 and 3 ns */
    close_to(c.stalled * 1e9, (first - 2.5) + (first + amo - 3), "stalled");
    end();
}

/* Two lines of one place of a cache of one line: they alternate, however many requests the first one gets. */
static void one_place(void **state)
{
    static const char *const small[][2] = {{"card/cache-size", "64"}};
    (void)state;
    begin(small, 1);
    shoot(0, NODE_ADD, 0, 8);
    shoot(10, NODE_ADD, 64, 8);
    const struct shot *late = shoot(20, NODE_ADD, 0, 8);
    const struct shot *merged = shoot(30, NODE_ADD, 64, 8);
    run();
    struct node_card_counts c = node_card_counts(node);
    assert_int_equal(c.conflicts, 2); /* the second line; and the first again, which may not overtake it */
    assert_int_equal(c.misses, 3);
    assert_int_equal(c.merges, 1);
    assert_int_equal(late->order, 4);
    assert_int_equal(merged->order, 3);
    assert_int_equal(c.stalls, 0);
    end();
}

/* What crosses a line goes by DMA. */
static void streams(void **state)
{
    (void)state;
    begin(NULL, 0);
    struct node_core *core = node_core_add(node);
    node_core_access(core, 0, 128, 8, false);
    const struct shot *s = shoot(1000, NODE_STORE, 0, 1024);
    run();
    close_to(s->executed, 1000 + before + directory + opened + 15 * 3.332, "16 lines of a row");
    assert_int_equal(node_card_counts(node).streams, 1);
    assert_int_equal(node_card_counts(node).host_writes, 0);
    assert_int_equal(node_core_counts(core).lost, 1);
    end();
}

/* Figure 4(c), and the words of the A extension and Zacas with a0, a2, (a1). */
static void words(void **state)
{
    (void)state;
    assert_int_equal(node_map(NODE_ADD, 8), 0x00c5b52f);          /* amoadd.d a0,a2,(a1) */
    assert_int_equal(node_map(NODE_ADD, 4), 0x00c5a52f);          /* amoadd.w */
    assert_int_equal(node_map(NODE_CAS, 8), 0x28c5b52f);          /* amocas.d */
    assert_int_equal(node_map(NODE_SWAP, 8), 0x08c5b52f);         /* amoswap.d */
    assert_int_equal(node_map(NODE_XOR, 8), 0x20c5b52f);          /* amoxor.d */
    assert_int_equal(node_map(NODE_OR, 8), 0x40c5b52f);           /* amoor.d */
    assert_int_equal(node_map(NODE_AND, 8), 0x60c5b52f);          /* amoand.d */
    assert_int_equal(node_map(NODE_MIN, 8), 0x80c5b52f);          /* amomin.d */
    assert_int_equal(node_map(NODE_MAX, 8), 0xa0c5b52f);          /* amomax.d */
    assert_int_equal(node_map(NODE_MIN_UNSIGNED, 8), 0xc0c5b52f); /* amominu.d */
    assert_int_equal(node_map(NODE_MAX_UNSIGNED, 8), 0xe0c5b52f); /* amomaxu.d */
    assert_int_equal(node_map(NODE_LOAD, 8), 0x0005b503);         /* ld a0,0(a1) */
    assert_int_equal(node_map(NODE_SET, 4), 0x00c5a023);          /* sw a2,0(a1) */
    assert_int_equal(node_map(NODE_OTHER, 8), 0);
    assert_int_equal(node_map(NODE_ADD, 2), 0);
    assert_int_equal(node_map(NODE_STORE, 24), 0);
}

/* The second page of a block is in a row of another bank, whatever follows the first one in memory. */
static uint64_t second_page(const struct node_request *r, uint64_t offset)
{
    assert_int_equal(offset, 4096 - r->address % 4096);
    return 5 * 8192;
}

static void pages(void **state)
{
    static const struct node_handler handler = {.execute = executed, .done = replied, .page = second_page};
    (void)state;
    begin(NULL, 0);
    struct node_core *c = node_core_add(node);
    node_core_access(c, 0, 4096, 8, false); /* what follows in memory */
    node_core_access(c, 0, 5 * 8192, 8, false);
    struct shot *s = shoot(1000, NODE_STORE, 4096 - 128, 256);
    s->request.handler = &handler;
    run();
    assert_true(node_core_holds(c, 4096));
    assert_false(node_core_holds(c, 5 * 8192));
    assert_int_equal(node_dram_counts(node_dram(node)).writes, 4);
    assert_int_equal(node_dram_counts(node_dram(node)).row_hits, 2); /* both rows were opened by the core */
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_atomic), cmocka_unit_test(loads_do_not_write),
        cmocka_unit_test(merging),    cmocka_unit_test(policies),
        cmocka_unit_test(coherence),  cmocka_unit_test(retained_lines_are_given_up),
        cmocka_unit_test(one_mshr),   cmocka_unit_test(two_subentries),
        cmocka_unit_test(one_place),  cmocka_unit_test(streams),
        cmocka_unit_test(pages),      cmocka_unit_test(words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
