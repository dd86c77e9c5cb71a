/* SPDX-License-Identifier: BSD-3-Clause */
/* Tapes: random actions of random ranks are read back as they were written, from memory and from a file. */
#include "replay/tape/tape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 7, ACTIONS = 20000, MOST_COUNTS = 40 };

/* What rank r's k-th action is, from a stream of its own, so that it need not be kept. */
struct source {
    struct base_random random;
    uint32_t line;
    int64_t counts[2 * MOST_COUNTS];
};

static void source_begin(struct source *s, uint64_t seed, uint32_t rank)
{
    base_random_seed(&s->random, seed, rank);
    s->line = 0;
}

static uint64_t some(struct source *s)
{
    unsigned bits = (unsigned)base_random_below(&s->random, 63) + 1;
    return base_random_below(&s->random, UINT64_C(1) << bits);
}

static void source_next(struct source *s, struct replay_action *a)
{
    static const char *const texts[] = {"main.c", "a b", "", "solver.f90"};
    uint32_t n = (uint32_t)base_random_below(&s->random, MOST_COUNTS);
    s->line += (uint32_t)base_random_below(&s->random, 100);
    *a = (struct replay_action){
        .kind = (enum replay_kind)base_random_below(
            &s->random, REPLAY_SOURCE), /* it and those behind it are not actions */
        .line = s->line,
        .peer = base_random_below(&s->random, 4) ? (uint32_t)some(s) : (uint32_t)REPLAY_ANY,
        .peer2 = (uint32_t)some(s),
        .tag = base_random_below(&s->random, 4) ? (int32_t)some(s) : REPLAY_ANY_TAG,
        .number = (uint32_t)some(s),
        .group = (uint32_t)some(s),
        .bytes = base_random_below(&s->random, 4) ? some(s) : REPLAY_UNKNOWN_SIZE,
        .bytes2 = some(s),
        .amount = base_random_below(&s->random, 2) ? (double)some(s) : 1e9 * base_random_unit(&s->random),
        .text = texts[base_random_below(&s->random, BASE_LENGTH(texts))],
        .counts = s->counts,
        .counts2 = s->counts + n,
        .n = n,
        .n2 = base_random_below(&s->random, 2) ? n : 0,
    };
    for (uint32_t k = 0; k < 2 * n; k++)
        s->counts[k] = (int64_t)some(s) * (base_random_below(&s->random, 2) ? 1 : -1);
}

static void assert_same(const struct replay_action *a, const struct replay_action *b)
{
    unsigned has = replay_kind_fields(a->kind);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->line, b->line);
    assert_true(!(has & REPLAY_PEER) || a->peer == b->peer);
    assert_true(!(has & REPLAY_PEER2) || a->peer2 == b->peer2);
    assert_true(!(has & REPLAY_TAG) || a->tag == b->tag);
    assert_true(!(has & REPLAY_NUMBER) || a->number == b->number);
    assert_true(!(has & REPLAY_GROUP) || a->group == b->group);
    assert_true(!(has & REPLAY_BYTES) || a->bytes == b->bytes);
    assert_true(!(has & REPLAY_BYTES2) || a->bytes2 == b->bytes2);
    assert_true(!(has & REPLAY_AMOUNT) || a->amount == b->amount);
    assert_true(!(has & REPLAY_TEXT) || !strcmp(a->text, b->text));
    if (!(has & REPLAY_COUNTS))
        return;
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n2, b->n2);
    assert_true(!a->n || !memcmp(a->counts, b->counts, a->n * sizeof *a->counts));
    assert_true(!a->n2 || !memcmp(a->counts2, b->counts2, a->n2 * sizeof *a->counts2));
}

static void write_all(struct replay_tape *t, uint64_t seed)
{
    struct source source[RANKS];
    struct replay_action a;
    struct base_random order;
    base_random_seed(&order, seed, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        source_begin(&source[r], seed, r);
    for (uint32_t r = 0; r + 1 < RANKS; r++) /* the last rank does nothing */
        for (int k = 0; k < 3; k++) {
            source_next(&source[r], &a);
            replay_tape_write(t, r, &a);
        }
    for (int k = 0; k < ACTIONS; k++) {
        uint32_t r = (uint32_t)base_random_below(&order, RANKS - 1);
        source_next(&source[r], &a);
        replay_tape_write(t, r, &a);
    }
    replay_tape_ranks_least(t, RANKS);
    replay_tape_seal(t);
}

/* All ranks at once, in another order. */
static void read_all(struct replay_tape *t, uint64_t seed)
{
    struct source source[RANKS];
    struct replay_cursor cursor[RANKS];
    struct replay_action a = {0}, b;
    uint64_t n = 0;
    bool ended[RANKS] = {false};
    for (uint32_t r = 0; r < RANKS; r++) {
        source_begin(&source[r], seed, r);
        replay_cursor_begin(t, r, &cursor[r]);
    }
    for (uint32_t left = RANKS, r = 0; left; r = (r + 1) % RANKS) {
        if (ended[r])
            continue;
        if (!replay_cursor_next(t, &cursor[r], &a)) {
            ended[r] = true;
            left--;
            continue;
        }
        source_next(&source[r], &b);
        assert_same(&a, &b);
        n++;
    }
    assert_int_equal(n, ACTIONS + 3 * (RANKS - 1));
    assert_int_equal(replay_tape_actions(t), n);
    for (uint32_t r = 0; r < RANKS; r++)
        replay_cursor_end(&cursor[r]);
}

static void test_with_limit(size_t limit)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct replay_tape *t = replay_tape_create();
        replay_tape_limit(t, limit);
        write_all(t, seed);
        read_all(t, seed);
        replay_tape_destroy(t);
    }
}

static void test_memory(void **state)
{
    (void)state;
    test_with_limit((size_t)64 << 20);
}

/* It moves there in the middle. */
static void test_file(void **state)
{
    (void)state;
    test_with_limit(100 << 10);
    test_with_limit(1);
}

static void test_empty(void **state)
{
    (void)state;
    struct replay_tape *t = replay_tape_create();
    struct replay_cursor c;
    struct replay_action a;
    replay_tape_ranks_least(t, 2);
    replay_tape_seal(t);
    replay_cursor_begin(t, 1, &c);
    assert_false(replay_cursor_next(t, &c, &a));
    assert_int_equal(replay_tape_ranks(t), 2);
    replay_tape_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory), cmocka_unit_test(test_file),
                                       cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
