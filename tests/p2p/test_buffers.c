/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What lies in buffers: messages that are longer than their receives, and layouts at both ends.
 */
#include "pair.h"

/* --- truncation ---------------------------------------------------------------------------------- */

static const uint64_t sent_bytes[] = {1, 64, 65, 900, 5000, 50000};
static void sends_much(struct rank *r)
{
    for (size_t k = 0; k < BASE_LENGTH(sent_bytes); k++)
        for (int late = 0; late < 2; late++) {
            fill(r, 0, sent_bytes[k], k);
            sleep_until(r, 1000 * (2 * (double)k + late) + 500);
            send_to(r, 1, 1, 0, sent_bytes[k], P2P_STANDARD);
        }
}
static void has_little_room(struct rank *r)
{
    for (size_t k = 0; k < BASE_LENGTH(sent_bytes); k++)
        for (int late = 0; late < 2; late++) {
            uint64_t room = sent_bytes[k] / 2;
            unsigned char *p = ranks_bytes(r, ranks_heap_at(1, 0), sent_bytes[k] + 1);
            memset(p, 0, sent_bytes[k] + 1);
            sleep_until(r, 1000 * (2 * (double)k + late) + (late ? 900 : 0));
            struct p2p_status st = receive_from(r, 0, 1, 0, room);
            assert_int_equal(st.outcome, P2P_TRUNCATED);
            assert_int_equal(st.bytes, sent_bytes[k]);
            has(r, 0, room, k);
            assert_int_equal(p[room], 0);
        }
}
static void truncation(void **state)
{
    (void)state;
    play(sends_much, has_little_room);
}

/* --- layouts ------------------------------------------------------------------------------------- */

/* Columns of a matrix of 64 x 64 doubles become rows, and the other way round; in every mode. */
enum { SIDE = 64 };
static const struct types_layout *column(int64_t rows)
{
    struct base_status st;
    struct types_layout *l = types_layout_vector(rows, 1, SIDE, types_layout_of(TYPES_DOUBLE), &st), *one;
    assert_non_null(l);
    one = types_layout_resized(l, 0, sizeof(double), &st);
    types_layout_release(l);
    assert_non_null(one);
    return one;
}
static double *matrix(struct rank *r)
{
    return (double *)(void *)ranks_bytes(r, ranks_heap_at(r->id, 0), SIDE * SIDE * sizeof(double));
}
static void sends_columns(struct rank *r)
{
    const struct types_layout *l = column(SIDE);
    struct p2p_status st;
    for (int k = 0; k < SIDE * SIDE; k++)
        matrix(r)[k] = k;
    for (uint64_t n = 1; n <= SIDE; n = n < 3 ? n + 1 : 4 * n) { /* 512 bytes to 32 KiB */
        struct p2p_buffer b = {ranks_heap_at(0, 0), n, l};
        sleep_until(r, 1000 * (double)n);
        p2p_send(r, 1, 0, (int32_t)n, &b, P2P_STANDARD, "send", &st);
    }
    types_layout_release(l);
}
static void gets_rows(struct rank *r)
{
    for (uint64_t n = 1; n <= SIDE; n = n < 3 ? n + 1 : 4 * n) {
        struct p2p_buffer b = {ranks_heap_at(1, 0), n * SIDE, types_layout_of(TYPES_DOUBLE)};
        struct p2p_status st;
        sleep_until(r, 1000 * (double)n + (n % 2 ? 0 : 500));
        p2p_receive(r, &anything, &b, "receive", &st);
        assert_int_equal(st.bytes, n * SIDE * sizeof(double));
        for (int k = 0; k < (int)n * SIDE; k++) {
            int row = k / SIDE;
            assert_true(matrix(r)[k] == k % SIDE * SIDE + row);
        }
    }
    const struct types_layout *l = column(SIDE); /* and transposed by both ends: as it was */
    for (int later = 0; later < 2; later++) {
        struct p2p_buffer b = {ranks_heap_at(1, 0), SIDE, l};
        struct p2p_request *out = p2p_send_create(
            r, 1, 1, 1, &(struct p2p_buffer){ranks_heap_at(1, 100000), SIDE, l}, P2P_STANDARD, "send");
        struct p2p_request *in = p2p_receive_create(r, &(struct p2p_envelope){1, 1, 1}, &b, "receive");
        memcpy((char *)matrix(r) + 100000, matrix(r), SIDE * SIDE * sizeof(double));
        memset(matrix(r), 0, SIDE * SIDE * sizeof(double));
        p2p_issue(later ? out : in);
        p2p_issue(later ? in : out);
        wait_for(r, in);
        wait_for(r, out);
        assert_memory_equal(matrix(r), (char *)matrix(r) + 100000, SIDE * SIDE * sizeof(double));
    }
    types_layout_release(l);
}
static void layouts(void **state)
{
    (void)state;
    play(sends_columns, gets_rows);
    world_end();
    world_prepare(2); /* and run by run, where nothing lies in one piece */
    world.exchanged = true;
    world_begin();
    play(sends_columns, gets_rows);
}

/* --- layouts whose bytes lie before and after their addresses ------------------------------------------- */

enum { ODD_ITEMS = 5, ODD_BYTES = 12 };
/* Item k of n: 8 bytes from 64 k + 40 on and 4 bytes from 64 k - 40 on, in this order. */
static struct types_layout *around(void)
{
    struct base_status st;
    struct types_layout *l =
        types_layout_hindexed(2, (int64_t[]){8, 4}, (int64_t[]){40, -40}, types_layout_of(TYPES_BYTE), &st);
    assert_non_null(l);
    struct types_layout *wide = types_layout_resized(l, 0, 64, &st);
    types_layout_release(l);
    assert_non_null(wide);
    return wide;
}
static unsigned char *odd_byte(struct rank *r, size_t item, size_t k)
{
    return ranks_bytes(r, ranks_heap_at(r->id, 1000), 1) + 64 * (int64_t)item +
           (k < 8 ? 40 + (int64_t)k : -48 + (int64_t)k);
}
static void sends_around(struct rank *r)
{
    struct types_layout *l = around();
    struct p2p_buffer b = {ranks_heap_at(0, 1000), ODD_ITEMS, l};
    struct p2p_status st;
    for (size_t i = 0; i < ODD_ITEMS; i++)
        for (size_t k = 0; k < ODD_BYTES; k++)
            *odd_byte(r, i, k) = byte_of(i, k);
    for (int n = 0; n < 3; n++) {
        sleep_until(r, 1000 * n + 500);
        p2p_send(r, 1, 0, n, &b, P2P_STANDARD, "send", &st);
    }
    types_layout_release(l);
}
static void gets_around(struct rank *r)
{
    struct types_layout *l = around();
    for (int n = 0; n < 3; n++) { /* into such a layout, into bytes that wait, into bytes that come late */
        bool odd = n == 0;
        struct p2p_buffer b = heap_bytes(r, 1000, ODD_ITEMS * ODD_BYTES);
        struct p2p_status st;
        unsigned char *all = ranks_bytes(r, ranks_heap_at(1, 0), 2000);
        memset(all, 0, 2000);
        if (odd)
            b = (struct p2p_buffer){ranks_heap_at(1, 1000), ODD_ITEMS, l};
        sleep_until(r, 1000 * n + (n == 2 ? 900 : 0));
        p2p_receive(r, &anything, &b, "receive", &st);
        assert_int_equal(st.bytes, ODD_ITEMS * ODD_BYTES);
        size_t set = 0;
        for (size_t k = 0; k < 2000; k++)
            set += all[k] != 0;
        assert_int_equal(set, ODD_ITEMS * ODD_BYTES);
        for (size_t i = 0; i < ODD_ITEMS; i++)
            for (size_t k = 0; k < ODD_BYTES; k++)
                assert_int_equal(odd ? *odd_byte(r, i, k) : all[1000 + i * ODD_BYTES + k], byte_of(i, k));
    }
    types_layout_release(l);
}
static void layouts_around_an_address(void **state)
{
    (void)state;
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        world_end();
        world_prepare(2);
        world.exchanged = exchanged;
        world.strict = !exchanged; /* nothing outside of the rank's areas is asked for */
        world_begin();
        play(sends_around, gets_around);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIR(truncation),
        PAIR(layouts),
        PAIR(layouts_around_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
