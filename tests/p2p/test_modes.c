/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends and receives in every mode, cell by cell of SMPI's cost table (tests/fabric/test_message.c has the
 * same for the fabric alone): what both calls cost whoever comes first, that the bytes arrive, and how often
 * they are copied.
 */
#include "world.h"

/* Who calls first, what both calls cost in us, and how often the payload is copied. */
static struct cell {
    const char *name;
    uint64_t bytes;
    double send_at, receive_at;
    double send_cost, receive_cost;
    unsigned copies;
} cell;
static enum p2p_sending how;
static bool nonblocking;
static double send_took, receive_took;

static void sender(struct rank *r)
{
    fill(r, 0, cell.bytes, 5);
    sleep_until(r, cell.send_at);
    if (nonblocking)
        wait_for(r, isend_to(r, 1, 7, 0, cell.bytes, how));
    else
        send_to(r, 1, 7, 0, cell.bytes, how);
    send_took = rank_now(r) / US - cell.send_at;
    memset(ranks_bytes(r, ranks_heap_at(0, 0), cell.bytes), 0,
           cell.bytes); /* the send is complete: nobody cares */
}

static void receiver(struct rank *r)
{
    sleep_until(r, cell.receive_at);
    struct p2p_status st = receive_from(r, 0, 7, 64, cell.bytes);
    receive_took = rank_now(r) / US - cell.receive_at;
    assert_int_equal(st.source, 0);
    assert_int_equal(st.tag, 7);
    assert_int_equal(st.bytes, cell.bytes);
    assert_int_equal(st.outcome, P2P_OK);
    has(r, 64, cell.bytes, 5);
}

static void cells_are(const struct cell *cells, size_t n, bool issuing)
{
    for (size_t k = 0; k < n; k++) {
        cell = cells[k];
        world_prepare(2);
        world_begin();
        for (uint32_t i = 0; i < 2; i++)
            rank_at(world.job, i)->issuing = issuing;
        world.body[0] = sender;
        world.body[1] = receiver;
        if (ranks_run(&world) != ENGINE_ALL_DONE)
            fail_msg("%s: %s", cell.name, world.report);
        if (fabs(send_took - cell.send_cost) > 1e-6 || fabs(receive_took - cell.receive_cost) > 1e-6)
            fail_msg("%s: the send costs %.9g us, the receive %.9g us; expected %.9g and %.9g", cell.name,
                     send_took, receive_took, cell.send_cost, cell.receive_cost);
        if (!issuing && world_counts.copies != cell.copies)
            fail_msg("%s: %u copies, expected %u", cell.name, (unsigned)world_counts.copies, cell.copies);
        none_left();
        world_end();
    }
}
/* Times are the same whether ranks run ahead of the clock or not. */
static void both_ways(const struct cell *cells, size_t n, enum p2p_sending sending, bool is_nonblocking)
{
    how = sending;
    nonblocking = is_nonblocking;
    cells_are(cells, n, false);
    cells_are(cells, n, true);
}

static void standard(void **state)
{
    static const struct cell cells[] = {
        {"asynchronous, send first, message there before the receive", 800, 0, 100, 2.4, 3.8, 2},
        {"asynchronous, send first, receive while it is on its way", 800, 10, 13, 2.4, 1.2 + 3.8, 2},
        {"asynchronous, both at once", 800, 10, 10, 2.4, 2.4 + 1.8 + 3.8, 1},
        {"asynchronous, receive first", 800, 100, 0, 2.4, 100 + 2.4 + 1.8 + 3.8, 1},
        {"detached, send first", 8000, 0, 100, 6, 9 + 11, 2},
        {"detached, receive first", 8000, 100, 0, 6, 100 + 6 + 9 + 11, 1},
        {"synchronous, send first", 80000, 0, 100, 100 + 81, 81, 1},
        {"synchronous, both at once", 80000, 10, 10, 81, 81, 1},
        {"synchronous, receive first", 80000, 100, 0, 81, 100 + 81, 1},
        {"no bytes, send first", 0, 0, 100, 2, 3, 2},
        {"no bytes, receive first", 0, 100, 0, 2, 100 + 2 + 1 + 3, 1},
    };
    (void)state;
    both_ways(cells, BASE_LENGTH(cells), P2P_STANDARD, false);
}

static void standard_nonblocking(void **state)
{
    static const struct cell cells[] = {
        {"asynchronous Isend, send first", 800, 0, 100, 1.2, 3.8, 2},
        {"asynchronous Isend, receive first", 800, 100, 0, 1.2, 100 + 1.2 + 1.8 + 3.8, 1},
        {"detached Isend, send first", 8000, 0, 100, 3, 9 + 11, 2},
        {"detached Isend, receive first", 8000, 100, 0, 3, 100 + 3 + 9 + 11, 1},
        {"synchronous Isend, send first", 80000, 0, 100, 100 + 81, 81, 1},
        {"synchronous Isend, receive first", 80000, 100, 0, 21 + 81, 100 + 21 + 81, 1},
    };
    (void)state;
    both_ways(cells, BASE_LENGTH(cells), P2P_STANDARD, true);
}

static void synchronous(void **state)
{
    static const struct cell cells[] = {
        {"Ssend of 800 bytes, send first", 800, 0, 100, 100 + 1.8, 1.8, 1},
        {"Ssend of 800 bytes, receive first", 800, 100, 0, 2.4 + 1.8, 100 + 2.4 + 1.8, 1},
        {"Ssend of 8000 bytes, receive first", 8000, 100, 0, 6 + 9, 100 + 6 + 9, 1},
        {"Ssend of nothing", 0, 0, 100, 100 + 1, 1, 1},
    };
    (void)state;
    both_ways(cells, BASE_LENGTH(cells), P2P_SYNCHRONOUS, false);
}

static void buffered(void **state)
{
    static const struct cell cells[] = {
        {"Bsend of 800 bytes, send first", 800, 0, 100, 2.4, 3.8, 2},
        {"Bsend of 80000 bytes, send first", 80000, 0, 100, 42, 81 + 83, 2},
        {"Bsend of 80000 bytes, receive first", 80000, 100, 0, 42, 100 + 42 + 81 + 83, 1},
    };
    (void)state;
    both_ways(cells, BASE_LENGTH(cells), P2P_BUFFERED, false);
}

static void ready(void **state)
{
    static const struct cell cells[] = {
        {"Rsend of 800 bytes", 800, 100, 0, 2.4, 100 + 2.4 + 1.8 + 3.8, 1},
        {"Rsend of 8000 bytes", 8000, 100, 0, 6, 100 + 6 + 9 + 11, 1},
        {"Rsend of 80000 bytes", 80000, 100, 0, 81, 100 + 81, 1},
    };
    (void)state;
    both_ways(cells, BASE_LENGTH(cells), P2P_READY, false);
    both_ways(cells, 1, P2P_READY, false);
}

/* --- ready sends that are too early -------------------------------------------------------------- */

static uint64_t early_bytes;
static void early_sender(struct rank *r)
{
    r->issuing = true;
    struct p2p_status st = send_to(r, 1, 1, 0, early_bytes, P2P_READY);
    assert_int_equal(st.outcome, P2P_NOT_POSTED);
    send_to(r, 1, 1, 0, 3, P2P_STANDARD);
}
static void late_receiver(struct rank *r)
{
    sleep_until(r, 500);
    struct p2p_status st = receive_from(r, 0, 1, 0, AREA);
    assert_int_equal(st.bytes, 3); /* the other one is gone */
    assert_false(p2p_find(r, &(struct p2p_envelope){0, P2P_ANY_SOURCE, P2P_ANY_TAG}, &st));
}
static void ready_without_a_receive_is_an_error(void **state)
{
    static const uint64_t bytes[] = {0, 800, 8000, 80000};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(bytes); k++) {
        early_bytes = bytes[k];
        two(early_sender, late_receiver);
        none_left();
        world_end();
    }
}

/* --- when bytes come ----------------------------------------------------------------------------- */

/* Those of a synchronous message when it arrives, at 81 us; until then they are the sender's alone. */
static void looks_across(struct rank *r)
{
    struct rank *other = rank_at(r->job, 1);
    fill(r, 0, 80000, 9);
    struct p2p_request *q = isend_to(r, 1, 7, 0, 80000, P2P_SYNCHRONOUS);
    sleep_until(r, 60);
    assert_int_equal(*ranks_bytes(other, ranks_heap_at(1, 0), 1), 0);
    wait_for(r, q);
    has(other, 0, 80000, 9);
}
static void waits_for_it(struct rank *r)
{
    receive_from(r, 0, 7, 0, 80000);
}
/* A long message is not sent ahead of the clock, though its overhead is short: it is copied once. */
static void sends_long(struct rank *r)
{
    r->issuing = true;
    fill(r, 0, 20000, 2);
    sleep_until(r, 10);
    send_to(r, 1, 7, 0, 20000, P2P_BUFFERED);
    NOW_IS(r, 11);
    memset(ranks_bytes(r, ranks_heap_at(0, 0), 20000), 0, 20000);
}
static void receives_long(struct rank *r)
{
    receive_from(r, 0, 7, 0, 20000);
    has(r, 0, 20000, 2);
}
static void long_messages_are_copied_once(void **state)
{
    (void)state;
    world_prepare(2);
    ranks_setting(&world, "smpi/os", "0:1us:0");
    world_begin();
    world.body[0] = sends_long;
    world.body[1] = receives_long;
    assert_int_equal(ranks_run(&world), ENGINE_ALL_DONE);
    assert_int_equal(world_counts.copies, 1);
    world_end();
}

static void synchronous_bytes_come_at_the_end(void **state)
{
    (void)state;
    two(looks_across, waits_for_it);
    none_left();
    world_end();
}

/* --- a rank and itself --------------------------------------------------------------------------- */

static void alone(struct rank *r)
{
    static const uint64_t sizes[] = {0, 1, 800, 8000, 80000};
    for (size_t k = 0; k < BASE_LENGTH(sizes); k++) {
        uint64_t n = sizes[k];
        fill(r, 0, n, k);
        /* the receive first, then the send first */
        struct p2p_request *in = ireceive_from(r, r->id, 1, 100000, n),
                           *out = isend_to(r, r->id, 1, 0, n, P2P_STANDARD);
        assert_int_equal(wait_for(r, in).bytes, n);
        wait_for(r, out);
        has(r, 100000, n, k);
        out = isend_to(r, r->id, 2, 0, n, P2P_STANDARD);
        assert_int_equal(receive_from(r, r->id, 2, 300000, n).bytes, n);
        wait_for(r, out);
        has(r, 300000, n, k);
        /* both ends of a synchronous one are complete in one event */
        struct p2p_request *q[2] = {ireceive_from(r, r->id, 3, 100000, n),
                                    isend_to(r, r->id, 3, 0, n, P2P_SYNCHRONOUS)};
        assert_int_equal(p2p_wait_any(r, q, 2, "waitany"), 0);
        assert_int_equal(p2p_wait_any(r, q, 2, "waitany"), 1);
        assert_int_equal(p2p_wait_any(r, q, 2, "waitany"), 2);
        p2p_request_destroy(q[0]);
        p2p_request_destroy(q[1]);
    }
}
static void to_oneself(void **state)
{
    (void)state;
    two(alone, NULL);
    none_left();
    world_end();
}

/* --- memory that lies nowhere in one piece ------------------------------------------------------- */

static void exchanged(void **state)
{
    static const struct cell cells[] = {{"asynchronous", 800, 0, 100, 2.4, 3.8, 2},
                                        {"detached", 8000, 100, 0, 6, 100 + 6 + 9 + 11, 1},
                                        {"synchronous", 80000, 10, 10, 81, 81, 1}};
    (void)state;
    how = P2P_STANDARD;
    nonblocking = false;
    for (size_t k = 0; k < BASE_LENGTH(cells); k++) {
        cell = cells[k];
        world_prepare(2);
        world.exchanged = true;
        world_begin();
        world.body[0] = sender;
        world.body[1] = receiver;
        if (ranks_run(&world) != ENGINE_ALL_DONE)
            fail_msg("%s", world.report);
        none_left();
        world_end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard),
        cmocka_unit_test(standard_nonblocking),
        cmocka_unit_test(synchronous),
        cmocka_unit_test(buffered),
        cmocka_unit_test(ready),
        cmocka_unit_test(ready_without_a_receive_is_an_error),
        cmocka_unit_test(long_messages_are_copied_once),
        cmocka_unit_test(synchronous_bytes_come_at_the_end),
        cmocka_unit_test(to_oneself),
        cmocka_unit_test(exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
