/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins that a table holds what a naive list of pairs holds, in the order of insertion, over random additions
 * and removals; that keys with equal hashes stay apart; that growing, compacting and clearing lose nothing;
 * and that running out of memory is reported. Prints its seed; PGASIM_TEST_SEED=n runs another one.
 */
#include "base/table.h"
#include "seed.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { STEPS = 60000, KEYS_MOST = 700, TEXT = 40 };

static struct base_random rng;

/* --- the naive one -------------------------------------------------------------------------------------- */

struct pair {
    uint64_t key, value;
};
struct list {
    struct pair at[KEYS_MOST];
    uint32_t n;
};

static struct pair *list_find(struct list *l, uint64_t key)
{
    for (uint32_t k = 0; k < l->n; k++)
        if (l->at[k].key == key)
            return &l->at[k];
    return NULL;
}

static void list_remove(struct list *l, struct pair *p)
{
    memmove(p, p + 1, (size_t)(&l->at[--l->n] - p) * sizeof *p);
}

/* --- keys: a number, or a text of it of some length ------------------------------------------------------
 * */

static char texts[KEYS_MOST][TEXT];
static size_t length_of(uint64_t key)
{
    return key % (TEXT - 8) + 4;
}

/* Lengths from 4 to 35 bytes; some share all but their last bytes. */
static void make_texts(void)
{
    for (uint32_t k = 0; k < KEYS_MOST; k++) {
        memset(texts[k], 'a', TEXT);
        memcpy(texts[k] + length_of(k) - 4, &k, 4);
    }
}

static void *find(const struct base_table *t, uint64_t key)
{
    char copy[TEXT]; /* an equal key is another's address */
    if (t->keys == BASE_NUMBERS)
        return base_table_find(t, key << 32);
    memcpy(copy, texts[key], TEXT);
    return base_table_find_bytes(t, copy, length_of(key));
}

static uint64_t *add(struct base_table *t, uint64_t key, bool *fresh)
{
    return t->keys == BASE_NUMBERS ? base_table_add(t, key << 32, fresh)
                                   : base_table_add_bytes(t, texts[key], length_of(key), fresh);
}

static bool drop(struct base_table *t, uint64_t key)
{
    return t->keys == BASE_NUMBERS ? base_table_remove(t, key << 32)
                                   : base_table_remove_bytes(t, texts[key], length_of(key));
}

static bool has_key(const struct base_table *t, const void *value, uint64_t key)
{
    if (t->keys == BASE_NUMBERS)
        return base_table_key(value) == key << 32;
    const struct base_table_bytes *b = base_table_bytes(value);
    return b->at == texts[key] && b->length == length_of(key);
}

/* --- random operations -----------------------------------------------------------------------------------
 * */

static void compare(const struct base_table *t, const struct list *l)
{
    uint32_t at = 0, n = 0;
    for (const uint64_t *value; (value = base_table_next(t, &at)); n++) {
        if (n == l->n)
            fail_msg("more than %u entries", l->n);
        if (!has_key(t, value, l->at[n].key) || *value != l->at[n].value)
            fail_msg("entry %u is not key %llu with value %llu", n, (unsigned long long)l->at[n].key,
                     (unsigned long long)l->at[n].value);
    }
    assert_int_equal(n, l->n);
    assert_int_equal(t->live, l->n);
    base_table_check(t);
}

static void step(struct base_table *t, struct list *l, uint64_t keys, unsigned removals)
{
    uint64_t key = base_random_below(&rng, keys), what = base_random_below(&rng, 100);
    struct pair *known = list_find(l, key);
    if (what < removals) {
        assert_int_equal(drop(t, key), known != NULL);
        if (known)
            list_remove(l, known);
    } else if (what < 80) {
        bool fresh;
        uint64_t *value = add(t, key, &fresh);
        assert_int_equal(fresh, !known);
        assert_true(*value == (known ? known->value : 0));
        if (!known)
            l->at[l->n++] = (struct pair){key, *value = base_random_u64(&rng)};
    } else {
        uint64_t *value = find(t, key);
        assert_int_equal(value != NULL, known != NULL);
        assert_true(!value || *value == known->value);
    }
}

static void random_operations(enum base_keys keys)
{
    static struct list l;
    struct base_table t;
    base_table_init(&t, keys, sizeof(uint64_t), "test table");
    l.n = 0;
    for (uint32_t k = 0; k < STEPS; k++) {
        uint32_t phase = k / 5000; /* grows, shrinks, stays small, ... */
        step(&t, &l, phase % 3 == 2 ? 12 : KEYS_MOST, phase % 3 == 1 ? 60 : 30);
        if (k % 97 == 0)
            compare(&t, &l);
        if (k % 20011 == 20010) {
            base_table_clear(&t);
            l.n = 0;
        }
    }
    compare(&t, &l);
    base_table_release(&t);
    assert_null(find(&t, 1));
}

static void test_numbers(void **state)
{
    (void)state;
    random_operations(BASE_NUMBERS);
}

static void test_bytes(void **state)
{
    (void)state;
    random_operations(BASE_BYTES);
}

/* First in, first out: entries are added and removed for ever, and need no more room. */
static void test_queue(void **state)
{
    (void)state;
    struct base_table t;
    base_table_init(&t, BASE_NUMBERS, sizeof(uint32_t), "test table");
    for (uint64_t k = 0; k < 100000; k++) {
        *(uint32_t *)base_table_add(&t, k, NULL) = (uint32_t)k;
        if (k >= 50)
            assert_true(base_table_remove(&t, k - 50));
    }
    assert_int_equal(t.live, 50);
    if (t.cap > 150)
        fail_msg("50 entries have room for %u", t.cap);
    uint32_t at = 0;
    for (uint32_t k = 0; k < 50; k++)
        assert_int_equal(*(uint32_t *)base_table_next(&t, &at), 99950 + k);
    base_table_check(&t);
    base_table_release(&t);
}

/* The newest entry's place is free at once: a stack needs only as much room as it has entries. */
static void test_stack(void **state)
{
    (void)state;
    struct base_table t;
    base_table_init(&t, BASE_NUMBERS, 0, "test table");
    for (uint64_t k = 0; k < 1000; k++) {
        base_table_add(&t, 2 * k, NULL);
        base_table_add(&t, 2 * k + 1, NULL);
        assert_true(base_table_remove(&t, 2 * k + 1));
        assert_int_equal(t.n, k + 1);
    }
    base_table_release(&t);
}

/* --- the index -------------------------------------------------------------------------------------------
 * */

/* Items that share a few hashes, including those at the ends of the range. */
static void test_equal_hashes(void **state)
{
    (void)state;
    enum { ITEMS = 300, HASHES = 7 };
    static const uint32_t hash[HASHES] = {0, 1, 2, UINT32_MAX, UINT32_MAX - 1, 0x80000000u, 64};
    bool in[ITEMS] = {false};
    struct base_index x;
    base_index_init(&x, "test index");
    for (uint32_t round = 0; round < 5000; round++) {
        uint32_t item = (uint32_t)base_random_below(&rng, ITEMS), h = hash[item % HASHES], seen = 0;
        for (uint32_t at = h, k; (k = base_index_next(&x, h, &at)) != BASE_NONE;) {
            assert_true(k < ITEMS && in[k] && hash[k % HASHES] == h);
            seen++;
        }
        for (uint32_t k = item % HASHES; k < ITEMS; k += HASHES)
            seen -= in[k];
        assert_int_equal(seen, 0);
        if (in[item])
            assert_true(base_index_remove(&x, h, item));
        else
            base_index_add(&x, h, item);
        in[item] = !in[item];
        assert_int_equal(base_index_remove(&x, h, ITEMS), false);
    }
    base_index_release(&x);
}

/* Hash bits are evenly set for numbers that differ only in high
 * bits or only in low bits, and for texts of equal letters. */
static void test_hashes_spread(void **state)
{
    (void)state;
    enum { N = 1 << 12 };
    static const struct {
        const char *what;
        uint64_t times, plus;
    } sets[] = {{"numbers", 1, 0},
                {"addresses", 4096, UINT64_C(0x7f0000000000)},
                {"high bits", UINT64_C(1) << 52, 0},
                {"pairs", (UINT64_C(1) << 32) + 1, 0},
                {"targets", UINT64_C(1) << 32, 5},
                {"lines", 64, 0}};
    for (size_t s = 0; s < BASE_LENGTH(sets); s++)
        for (int bytes = 0; bytes < 2; bytes++) {
            uint32_t slot[N] = {0}, most = 0;
            for (uint64_t k = 0; k < N; k++) {
                uint64_t key = sets[s].plus + k * sets[s].times;
                uint32_t *n = &slot[(bytes ? base_hash_bytes(&key, sizeof key) : base_hash(key)) % N];
                most = ++*n > most ? *n : most;
            }
            if (most > 16) /* at random: 7 or so */
                fail_msg("%u %s begin at one slot of %u", most, sets[s].what, N);
        }
}

/* Reserved room is there, and adding to it allocates nothing. */
static void test_reserve(void **state)
{
    (void)state;
    struct base_table t;
    base_table_init_for(&t, BASE_NUMBERS, 16, "test table", NULL); /* mapped */
    base_table_reserve(&t, 1000);
    const void *entry = t.entry, *slot = t.index.slot;
    for (uint64_t k = 0; k < 1000; k++)
        base_table_add(&t, k * k, NULL);
    assert_ptr_equal(t.entry, entry);
    assert_ptr_equal(t.index.slot, slot);
    for (uint64_t k = 1000; k < 5000; k++)
        *(uint64_t *)base_table_add(&t, k * k, NULL) = k;
    for (uint64_t k = 0; k < 5000; k++) {
        const uint64_t *value = base_table_find(&t, k * k);
        assert_true(value && *value == (k < 1000 ? 0 : k));
        assert_ptr_equal(base_table_at(&t, (uint32_t)k), value);
        assert_int_equal(base_table_number(&t, value), k);
    }
    base_table_release(&t);
}

/* When the n-th allocation fails, the process names its purpose, and ends. */
static int add_many_with_failure(uint64_t fail_at)
{
    pid_t child = fork();
    if (!child) {
        struct base_table t;
        base_report_to(fopen("/dev/null", "w"));
        base_table_init(&t, BASE_NUMBERS, 8, "test table");
        base_alloc_fail_at(fail_at);
        for (uint64_t k = 0; k < 100; k++)
            base_table_add(&t, k, NULL);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 6; n++)
        assert_int_equal(add_many_with_failure(n), BASE_EXIT_HOST);
    assert_int_equal(add_many_with_failure(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_queue),        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_equal_hashes), cmocka_unit_test(test_hashes_spread),
        cmocka_unit_test(test_reserve),      cmocka_unit_test(test_out_of_memory),
    };
    base_random_seed(&rng, seed_of_test(8), 0);
    make_texts();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
