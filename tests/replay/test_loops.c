/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops on tapes: random nested ones of several ranks are read as their actions one after the other, from memory and from a
 * file, and what is no loop is refused. */
#include "replay/tape/tape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANKS = 3, DEPTH = 4, LONG = 30000 };

/* What a rank does, unrolled: the number and the line of each action. */
struct unrolled {
    BASE_ARRAY(uint32_t) at;
};
struct writer {
    struct replay_tape *tape;
    struct base_random random;
    uint32_t rank, number;
    struct unrolled all;
};

static void write_action(struct writer *w)
{
    const struct replay_action a = {.kind = REPLAY_SEND,
                                    .line = 7 * w->number + 1,
                                    .peer = 1,
                                    .tag = (int32_t)w->number,
                                    .bytes = w->number};
    replay_tape_write(w->tape, w->rank, &a);
    BASE_ARRAY_PUSH(&w->all.at, w->number);
    w->number++;
}

static void write_body(struct writer *w, int depth, uint32_t items);

static void write_loop(struct writer *w, int depth, uint32_t items)
{
    struct base_status st;
    uint32_t times = 1 + (uint32_t)base_random_below(&w->random, 4);
    size_t begin = w->all.at.n;
    assert_int_equal(replay_tape_loop(w->tape, w->rank, 1, times, &st), 0);
    write_body(w, depth, items);
    assert_int_equal(replay_tape_loop_end(w->tape, w->rank, 2, &st), 0);
    for (size_t end = w->all.at.n, k = 1; k < times; k++)
        for (size_t i = begin; i < end; i++) {
            uint32_t number = w->all.at.at[i];
            BASE_ARRAY_PUSH(&w->all.at, number);
        }
}

static void write_body(struct writer *w, int depth, uint32_t items)
{
    write_action(w);
    for (uint32_t k = 0; k < items; k++)
        if (depth < DEPTH && !base_random_below(&w->random, 4))
            write_loop(w, depth + 1, (uint32_t)base_random_below(&w->random, 6));
        else
            write_action(w);
}

static void check_rank(struct replay_tape *t, uint32_t rank, const struct unrolled *all)
{
    struct replay_cursor c;
    struct replay_action a = {0};
    replay_cursor_begin(t, rank, &c);
    for (size_t k = 0; k < all->at.n; k++) {
        assert_true(replay_cursor_next(t, &c, &a));
        assert_int_equal(a.tag, all->at.at[k]);
        assert_int_equal(a.line, 7 * all->at.at[k] + 1);
    }
    assert_false(replay_cursor_next(t, &c, &a));
    replay_cursor_end(&c);
}

static void test_with_limit(size_t limit, uint64_t seed)
{
    struct writer w[RANKS];
    struct base_status st;
    uint64_t actions = 0;
    struct replay_tape *t = replay_tape_create();
    replay_tape_limit(t, limit);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        w[rank] = (struct writer){.tape = t, .rank = rank};
        base_random_seed(&w[rank].random, seed, rank);
    }
    for (int k = 0; k < 40; k++)
        write_loop(&w[k % RANKS], 0, 8);
    write_loop(&w[1], 0, LONG); /* longer than a chunk */
    for (int k = 0; k < 40; k++)
        write_body(&w[k % RANKS], 0, 8);
    assert_int_equal(replay_tape_loops_closed(t, &st), 0);
    replay_tape_seal(t);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        check_rank(t, rank, &w[rank].all);
        actions += w[rank].all.at.n;
        free(w[rank].all.at.at);
    }
    assert_int_equal(replay_tape_actions(t), actions);
    replay_tape_destroy(t);
}

static void test_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        test_with_limit((size_t)64 << 20, seed);
}

static void test_file(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        test_with_limit(1, seed);
        test_with_limit(100 << 10, seed);
    }
}

/* Readers of two ranks in the same tape of a file, in turns. */
static void test_turns(void **state)
{
    (void)state;
    struct base_status st;
    struct replay_cursor c[2];
    struct replay_action a = {.kind = REPLAY_SLEEP};
    struct replay_tape *t = replay_tape_create();
    replay_tape_limit(t, 1);
    for (uint32_t rank = 0; rank < 2; rank++) {
        assert_int_equal(replay_tape_loop(t, rank, 1, 5, &st), 0);
        for (int k = 0; k < 20000; k++) {
            a.amount = 0.5 + k + 100000 * rank;
            replay_tape_write(t, rank, &a);
        }
        assert_int_equal(replay_tape_loop_end(t, rank, 2, &st), 0);
    }
    replay_tape_seal(t);
    for (uint32_t rank = 0; rank < 2; rank++)
        replay_cursor_begin(t, rank, &c[rank]);
    for (int k = 0; k < 200000; k++) {
        assert_true(replay_cursor_next(t, &c[k % 2], &a));
        assert_true(a.amount == 0.5 + k / 2 % 20000 + 100000 * (k % 2));
    }
    for (uint32_t rank = 0; rank < 2; rank++) {
        assert_false(replay_cursor_next(t, &c[rank], &a));
        replay_cursor_end(&c[rank]);
    }
    replay_tape_destroy(t);
}

static void test_wrong(void **state)
{
    (void)state;
    struct base_status st;
    const struct replay_action a = {.kind = REPLAY_SLEEP, .amount = 1};
    struct replay_tape *t = replay_tape_create();
    assert_int_equal(replay_tape_loop_end(t, 0, 1, &st), -1);
    assert_int_equal(replay_tape_loop(t, 0, 1, 0, &st), -1);
    assert_int_equal(replay_tape_loop(t, 0, 1, UINT32_MAX, &st), 0);
    assert_int_equal(replay_tape_loop_end(t, 0, 1, &st), -1);         /* nothing is in it */
    assert_int_equal(replay_tape_loop(t, 0, 1, UINT32_MAX, &st), -1); /* too many times in all */
    assert_int_equal(replay_tape_loop_end(t, 1, 1, &st), -1);         /* of another rank */
    assert_int_equal(replay_tape_loops_closed(t, &st), -1);
    for (int k = 1; k < 8; k++)
        assert_int_equal(replay_tape_loop(t, 0, 1, 1, &st), 0);
    assert_int_equal(replay_tape_loop(t, 0, 1, 1, &st), -1); /* too deep */
    replay_tape_write(t, 0, &a);
    assert_int_equal(replay_tape_actions(t), UINT32_MAX);
    for (int k = 0; k < 8; k++)
        assert_int_equal(replay_tape_loop_end(t, 0, 1, &st), 0);
    assert_int_equal(replay_tape_loops_closed(t, &st), 0);
    replay_tape_seal(t);
    replay_tape_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory), cmocka_unit_test(test_file),
                                       cmocka_unit_test(test_turns), cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
