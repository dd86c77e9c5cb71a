/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what diffs hold (diff.c): exactly the bytes that differ, compared with a loop over all bytes on random
 * copies; that diffs of several writers merge; the bytes of small ones; and that damaged ones are refused
 * without a byte stored outside.
 */
#include "sdsm/alone.h"

enum { LARGEST = 1500, ROUNDS = 3000 };

/* --- random copies -------------------------------------------------------------------------------- */

/* What a test works on; `guarded` has bytes before and behind it that must stay as they are. */
struct copies {
    uint64_t seed;
    size_t size;
    char old[LARGEST], new[LARGEST];
    char room[LARGEST + 32];
};

static char *guarded(struct copies *c, const char *content)
{
    memset(c->room, 0x5a, sizeof c->room);
    return memcpy(c->room + 16, content, c->size);
}

static bool is_guarded(const struct copies *c)
{
    for (size_t k = 0; k < 16; k++)
        if (c->room[k] != 0x5a || c->room[16 + c->size + k] != 0x5a)
            return false;
    return true;
}

/* Runs of equal and of different bytes, often of two values only: then some bytes of a run are equal by
 * chance. */
static void make_copies(struct copies *c, uint64_t seed)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1, values = draw(&state, 4) ? 256 : 2;
    uint64_t longest = 1 + draw(&state, draw(&state, 2) ? 300 : 12);
    c->seed = seed;
    c->size = draw(&state, LARGEST + 1);
    for (size_t k = 0; k < c->size; k++)
        c->old[k] = (char)draw(&state, values);
    memcpy(c->new, c->old, c->size);
    if (draw(&state, 3) == 0) { /* numbers: some bytes of each word */
        for (size_t k = 0; k < c->size; k++)
            if (draw(&state, 3))
                c->new[k] = (char)draw(&state, values);
        return;
    }
    bool differs = draw(&state, 2);
    for (size_t k = 0; k < c->size; differs = !differs)
        for (uint64_t run = 1 + draw(&state, longest); run && k < c->size; run--, k++)
            if (differs)
                c->new[k] = (char)draw(&state, values);
}

/* --- making and applying -------------------------------------------------------------------------- */

/* Writes down which bytes the diff stores: 1 where it does. */
static void stored_by(const struct copies *c, const char *diff, uint64_t bytes, char *stored)
{
    char low[LARGEST], high[LARGEST];
    memset(low, 0, c->size);
    memset(high, 1, c->size);
    if (!sat_diff_apply(low, c->size, diff, bytes) || !sat_diff_apply(high, c->size, diff, bytes))
        fail_msg("seed %llu: the diff is refused", (unsigned long long)c->seed);
    for (size_t k = 0; k < c->size; k++)
        stored[k] = low[k] == high[k];
}

static void holds_what_differs(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct copies c;
        char stored[LARGEST];
        uint64_t bytes;
        make_copies(&c, seed);
        char *diff = sat_diff_make(c.old, c.new, c.size, &bytes), *to = guarded(&c, c.old);
        if (!sat_diff_apply(to, c.size, diff, bytes) || memcmp(to, c.new, c.size) || !is_guarded(&c))
            fail_msg("seed %llu: applied to the old copy, the diff does not give the new one",
                     (unsigned long long)seed);
        stored_by(&c, diff, bytes, stored);
        size_t differ = 0;
        for (size_t k = 0; k < c.size; k++) {
            differ += c.old[k] != c.new[k];
            if (stored[k] != (c.old[k] != c.new[k]))
                fail_msg("seed %llu: byte %zu %s, and the diff %s it", (unsigned long long)seed, k,
                         stored[k] ? "is the same" : "differs", stored[k] ? "holds" : "lacks");
        }
        if (!differ && (diff || bytes))
            fail_msg("seed %llu: equal copies give a diff of %llu bytes", (unsigned long long)seed,
                     (unsigned long long)bytes);
        sat_diff_free(diff);
    }
}

/* Writers of different bytes begin with one copy. Nobody's bytes are lost, in whatever order their diffs
 * come. */
static void merges_writers(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= ROUNDS / 4; seed++) {
        enum { WRITERS = 3 };
        struct copies c;
        char copy[WRITERS][LARGEST], all[LARGEST];
        uint64_t state = seed * 77 + 1, turn = draw(&state, WRITERS);
        make_copies(&c, seed);
        memcpy(all, c.old, c.size);
        for (int w = 0; w < WRITERS; w++)
            memcpy(copy[w], c.old, c.size);
        for (size_t k = 0; k < c.size; k++)
            if (draw(&state, 3))
                copy[draw(&state, WRITERS)][k] = all[k] = (char)draw(&state, 256);
        char *to = guarded(&c, c.old);
        for (uint64_t n = 0; n < WRITERS; n++) {
            uint64_t bytes;
            char *diff = sat_diff_make(c.old, copy[(turn + n) % WRITERS], c.size, &bytes);
            assert_true(sat_diff_apply(to, c.size, diff, bytes));
            sat_diff_free(diff);
        }
        if (memcmp(to, all, c.size) || !is_guarded(&c))
            fail_msg("seed %llu: a writer's bytes are lost", (unsigned long long)seed);
    }
}

static void compares_naively(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct copies c;
        size_t first, end, n, naive = 0, low = 0, high = 0;
        make_copies(&c, seed);
        for (size_t k = 0; k < c.size; k++)
            if (c.old[k] != c.new[k]) {
                low = naive++ ? low : k;
                high = k + 1;
            }
        sat_diff_range(c.old, c.new, c.size, &first, &end, &n);
        if (first != low || end != high || n != naive)
            fail_msg("seed %llu: %zu to %zu, %zu bytes; expected %zu to %zu, %zu", (unsigned long long)seed,
                     first, end, n, low, high, naive);
    }
}

/* --- the format ----------------------------------------------------------------------------------- */

static void makes_these(const char *old, const char *new, size_t size, const char *expected, size_t length)
{
    uint64_t bytes;
    char *diff = sat_diff_make(old, new, size, &bytes);
    assert_int_equal(bytes, length);
    assert_memory_equal(diff, expected, length);
    sat_diff_free(diff);
}

static void has_this_format(void **unused)
{
    (void)unused;
    static char zeros[1000], one[1000], many[1000];
    makes_these("abcdefgh", "abXdefgh", 8, "\x02\x01X", 3);
    makes_these("abcdefgh", "XbcdefYZ", 8, "\0\1X\5\2YZ",
                7);                                       /* the second gap counts from the first run's end */
    makes_these("abcdefgh", "XaYdefgh", 8, "\0\3XaY", 5); /* neighbours are one run */
    makes_these("abcdefghijkl", "ABCDEFGHIJKl", 12,
                "\0\xb"
                "ABCDEFGHIJK",
                13);
    one[300] = 7;
    makes_these(zeros, one, 1000, "\xac\x02\x01\x07", 4);
    memset(many, 1, 1000);
    uint64_t bytes;
    char *diff = sat_diff_make(zeros, many, 1000, &bytes);
    assert_int_equal(bytes, 3 + 1000);
    assert_memory_equal(diff, "\0\xe8\x07\1\1", 5);
    sat_diff_free(diff);
}

/* 66 words of which each differs in two bytes, and three bytes more: a mask for each word, the words, the others' bytes
 * 0. */
static void has_words(void **unused)
{
    (void)unused;
    enum { WORDS = 66, SIZE = WORDS * 8 + 3 };
    static char old[SIZE], new[SIZE], to[SIZE];
    uint64_t bytes;
    memset(old, 9, SIZE);
    memset(new, 9, SIZE);
    for (size_t k = 0; k < WORDS; k++)
        new[8 * k] = new[8 * k + 7] = 5;
    new[SIZE - 1] = 4;
    char *diff = sat_diff_make(old, new, SIZE, &bytes);
    assert_int_equal(bytes, 2 + (WORDS + 1) + 8 * (WORDS + 1));
    assert_memory_equal(diff, "\0\0\x81\x81", 4);
    assert_memory_equal(diff + 2 + WORDS, "\x4\5\0\0\0\0\0\0\5\5", 10);
    assert_memory_equal(diff + bytes - 8, "\0\0\4\0\0\0\0\0", 8);
    memset(to, 1, SIZE);
    assert_true(sat_diff_apply(to, SIZE, diff, bytes));
    for (size_t k = 0; k < SIZE; k++)
        assert_int_equal(to[k], new[k] == 9 ? 1 : new[k]);
    assert_false(
        sat_diff_apply(to, SIZE, diff, bytes - 1)); /* cut: in the last word, between words, in the masks */
    assert_false(sat_diff_apply(to, SIZE, diff, bytes - 8));
    assert_false(sat_diff_apply(to, SIZE, diff, WORDS));
    assert_false(sat_diff_apply(to, SIZE - 1, diff, bytes)); /* the last mask is of a byte behind the end */
    assert_false(sat_diff_apply(to, SIZE - 8, diff, bytes)); /* bytes that no mask asks for */
    diff[2] = 0;
    assert_false(sat_diff_apply(to, SIZE, diff, bytes));
    sat_diff_free(diff);
}

static bool takes(size_t size, const char *diff, size_t bytes)
{
    struct copies c = {.size = size};
    char *to = guarded(&c, c.old), *copy = malloc(bytes + 1); /* so that sanitizers see what is read */
    assert_non_null(copy);
    memcpy(copy, diff, bytes);
    copy = realloc(copy, bytes ? bytes : 1);
    bool good = sat_diff_apply(to, size, copy, bytes);
    assert_true(is_guarded(&c));
    free(copy);
    return good;
}

static void refuses_damage(void **unused)
{
    (void)unused;
    assert_true(takes(8, "", 0));
    assert_true(takes(8, "\7\1X", 3));
    assert_true(takes(8,
                      "\0\x8"
                      "12345678",
                      10));
    assert_false(takes(8, "\x8\1X", 3)); /* behind the end */
    assert_false(takes(8,
                       "\0\x9"
                       "123456789",
                       11));
    assert_false(takes(8, "\7\2XY", 4));
    assert_false(takes(8, "\2", 1)); /* cut: no length, too few bytes, half a number */
    assert_false(takes(8, "\2\3XY", 4));
    assert_false(takes(8, "\x82", 1));
    assert_false(takes(8, "\2\x81", 2));
    assert_false(takes(8, "\2\0\1\1X", 5));  /* a run of no bytes */
    assert_false(takes(8, "\4\1X\4\1Y", 6)); /* the second run is behind the end */
    assert_false(takes(8, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\1X", 12)); /* a gap of 2^64 - 1 */
    assert_false(
        takes(8, "\4\1X\xfc\xff\xff\xff\xff\xff\xff\xff\xff\x01\1X", 15)); /* ... that would lead back */
    assert_false(takes(8, "\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01X", 12));
    assert_false(takes(8, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02\1X", 12)); /* more than 64 bits */
    assert_false(takes(8, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00\1X", 13));
    assert_true(takes(8, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00\1X", 12)); /* a long 0 */
}

/* Random damage: a diff that is taken stores inside, one that is refused is left where it was found wrong. */
static void survives_damage(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct copies c;
        uint64_t bytes, state = seed * 99 + 5;
        make_copies(&c, seed);
        char *diff = sat_diff_make(c.old, c.new, c.size, &bytes);
        if (diff) {
            uint64_t cut = draw(&state, bytes);
            takes(c.size, diff, cut);
            takes(draw(&state, c.size + 1), diff, bytes);
            diff[draw(&state, bytes)] ^= (char)(1 + draw(&state, 255));
            takes(c.size, diff, bytes);
        }
        sat_diff_free(diff);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_what_differs), cmocka_unit_test(merges_writers),
        cmocka_unit_test(compares_naively),   cmocka_unit_test(has_this_format),
        cmocka_unit_test(has_words),          cmocka_unit_test(refuses_damage),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
