/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heaps by themselves. Random operations are compared with a naive model: every block has its own bytes, which
 * nobody changes, lies in its heap and nowhere else, and the heap's invariants hold after every few steps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"
#include "fold/heap/heap.h"

enum { BLOCKS = 700, STEPS = 60000, PAGE = 4096 };

static uint64_t seed(void)
{
    const char *given = getenv("SEED");
    uint64_t s = given ? strtoull(given, NULL, 10) : 1;
    print_message("SEED=%lu\n", s);
    return s;
}

static struct heap *make(uint32_t owner, size_t idle_most)
{
    assert_true(heap_range_open());
    struct heap *h = heap_create(owner, 1234567 + owner, idle_most);
    assert_non_null(h);
    return h;
}

/* --- a naive model -------------------------------------------------------------------------------- */

struct block {
    unsigned char *at;
    size_t bytes;
    unsigned char first; /* byte k is first + k, in every 97th place and the last */
};

static unsigned char wanted(const struct block *b, size_t k)
{
    return (unsigned char)(b->first + k);
}

static void fill(struct block *b, size_t from)
{
    for (size_t k = from; k<b->bytes; k += b->bytes> PAGE ? 97 : 1)
        b->at[k] = wanted(b, k);
    if (b->bytes)
        b->at[b->bytes - 1] = wanted(b, b->bytes - 1);
}

static void check(const struct block *b, size_t bytes)
{
    for (size_t k = 0; k<bytes; k += b->bytes> PAGE ? 97 : 1)
        if (b->at[k] != wanted(b, k))
            fail_msg("byte %zu of a block of %zu bytes is %d, expected %d", k, b->bytes, b->at[k],
                     wanted(b, k));
}

static size_t random_size(struct base_random *r)
{
    static const size_t most[] = {40, 200, 1100, 5000, 70000, 400000, 3000000};
    uint64_t kind = base_random_below(r, 100);
    size_t k = kind < 40   ? 0
               : kind < 65 ? 1
               : kind < 82 ? 2
               : kind < 92 ? 3
               : kind < 97 ? 4
               : kind < 99 ? 5
                           : 6;
    return base_random_below(r, most[k]);
}

static void no_overlap(const struct block *all, const struct block *b)
{
    for (const struct block *o = all; o < all + BLOCKS; o++)
        if (o != b && o->at && b->at < o->at + o->bytes && o->at < b->at + b->bytes)
            fail_msg("two blocks overlap");
}

static void allocate(struct heap *h, struct base_random *r, struct block *b, const struct block *all)
{
    b->bytes = random_size(r);
    b->first = (unsigned char)base_random_u64(r);
    uint64_t how = base_random_below(r, 10);
    size_t alignment = (size_t)16 << base_random_below(r, 9);
    b->at = how == 0   ? heap_block_aligned(h, alignment, b->bytes)
            : how <= 2 ? heap_block_zeroed(h, b->bytes)
                       : heap_block_alloc(h, b->bytes);
    assert_non_null(b->at);
    assert_int_equal((uintptr_t)b->at % (how == 0 ? alignment : 16), 0);
    assert_true(heap_holds(b->at) && heap_of(b->at) == h && heap_block_is(h, b->at));
    assert_true(heap_block_size(b->at) >= b->bytes);
    for (size_t k = 0; (how == 1 || how == 2) && k < b->bytes; k++)
        if (b->at[k])
            fail_msg("byte %zu of a zeroed block of %zu bytes is %d", k, b->bytes, b->at[k]);
    no_overlap(all, b);
    fill(b, 0);
}

static void resize(struct heap *h, struct base_random *r, struct block *b, const struct block *all)
{
    size_t bytes = random_size(r) + 1, same = b->bytes < bytes ? b->bytes : bytes;
    struct block old = *b;
    check(b, b->bytes);
    b->at = heap_block_resize(h, b->at, bytes);
    assert_non_null(b->at);
    b->bytes = bytes;
    no_overlap(all, b);
    old.at = b->at;
    check(&old, same);
    fill(b, 0);
}

static void drop(struct heap *h, struct block *b)
{
    check(b, b->bytes);
    assert_true(heap_block_free(h, b->at));
    assert_false(heap_block_free(h, b->at)); /* it is in no use any more */
    b->at = NULL;
}

static void step(struct heap *h, struct base_random *r, struct block *all)
{
    struct block *b = &all[base_random_below(r, BLOCKS)];
    if (!b->at)
        allocate(h, r, b, all);
    else if (b->bytes && base_random_below(r, 5) == 0)
        resize(h, r, b, all);
    else
        drop(h, b);
}

static void against_model(size_t idle_most)
{
    struct base_random r;
    struct block *all = calloc(BLOCKS, sizeof *all);
    struct heap *h = make(3, idle_most);
    base_random_seed(&r, seed(), idle_most);
    for (int k = 0; k < STEPS; k++) {
        if (k % 9000 == 8999) /* nearly all at once, so that areas become free */
            for (int n = 0; n < BLOCKS; n++)
                if (all[n].at && n % 50)
                    drop(h, &all[n]);
        step(h, &r, all);
        if (k % 4001 == 0)
            heap_flush(h);
        if (k % 500 == 0)
            assert_string_equal(heap_check(h), "");
    }
    for (int n = 0; n < BLOCKS; n++)
        if (all[n].at)
            drop(h, &all[n]);
    heap_flush(h);
    assert_string_equal(heap_check(h), "");
    heap_destroy(h);
    free(all);
}

static void random_operations(void **state)
{
    (void)state;
    against_model(32 << 10);
    against_model(128 << 10);
    against_model(64 << 20);
}

/* --- single properties ------------------------------------------------------------------------------ */

/* What a heap was given back can be had again: a heap does not grow when the same is done again and again. */
static void does_not_grow(void **state)
{
    (void)state;
    struct heap *h = make(1, 1 << 20);
    size_t after_first = 0;
    static void *p[3000];
    for (int turn = 0; turn < 50; turn++) {
        for (int k = 0; k < 3000; k++)
            p[k] = heap_block_alloc(h, (size_t)(k * 37 % 900 + turn % 3 * 16));
        for (int k = 0; k < 3000; k++)
            assert_true(heap_block_free(h, p[k * 7 % 3000]));
        if (turn == 3)
            after_first = heap_peak(h);
    }
    assert_true(heap_peak(h) <= after_first + after_first / 4);
    heap_destroy(h);
}

static size_t resident(void)
{
    size_t pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "re");
    assert_int_equal(fscanf(f, "%zu %zu", &all, &pages), 2);
    fclose(f);
    return pages * base_page_size();
}

/* A large block that was freed is no longer in memory, and what comes from there by calloc is zero. */
static void gives_back(void **state)
{
    (void)state;
    struct heap *h = make(1, 128 << 10);
    size_t bytes = 200 << 20, before = resident();
    for (int turn = 0; turn < 3; turn++) {
        char *p = heap_block_alloc(h, bytes), *behind = heap_block_alloc(h, 100);
        memset(p, 1, bytes);
        assert_true(resident() > before + bytes / 2);
        assert_true(heap_block_free(h, p));
        assert_true(resident() < before + bytes / 10);
        p = heap_block_zeroed(h, bytes / 2);
        for (size_t k = 0; k < bytes / 2; k += 1009)
            assert_int_equal(p[k], 0);
        assert_true(heap_block_free(h, p));
        assert_true(heap_block_free(h, behind));
        assert_string_equal(heap_check(h), "");
    }
    heap_destroy(h);
    assert_true(resident() < before + bytes / 10);
}

/* A heap with a few small blocks takes a page. */
static void small_heaps_are_small(void **state)
{
    enum { HEAPS = 1000 };
    struct heap *h[HEAPS];
    (void)state;
    size_t before = resident();
    for (uint32_t k = 0; k < HEAPS; k++) {
        h[k] = make(k, 128 << 10);
        for (int n = 0; n < 10; n++)
            memset(heap_block_alloc(h[k], 100), 1, 100);
    }
    size_t each = (resident() - before) / HEAPS;
    if (each > PAGE + PAGE / 2)
        fail_msg("a heap with 1000 bytes in blocks takes %zu bytes of memory", each);
    for (uint32_t k = 0; k < HEAPS; k++) {
        assert_int_equal(heap_owner(heap_of(h[k])), k);
        heap_destroy(h[k]);
    }
}

/* Pointers that are no blocks in use are known as such. */
static void not_blocks(void **state)
{
    (void)state;
    struct heap *h = make(1, 1 << 20), *other = make(2, 1 << 20);
    char *a = heap_block_alloc(h, 100), *b = heap_block_alloc(h, 3000), *c = heap_block_alloc(h, 100);
    memset(a, 'a', 100);
    assert_false(heap_block_free(h, a + 16));
    assert_false(heap_block_free(h, a + 8));
    assert_false(heap_block_free(other, a));
    assert_true(heap_block_free(h, b));
    assert_false(heap_block_free(h, b));
    assert_true(heap_block_free(h, a));
    heap_flush(h);
    assert_false(heap_block_free(h, a));
    assert_false(heap_block_free(h, b)); /* merged with what lies before it */
    assert_int_equal(heap_what(h, c + 8).what, HEAP_USED);
    assert_ptr_equal(heap_what(h, c + 8).block, c);
    assert_int_equal(heap_what(h, a).what, HEAP_FREED);
    assert_int_equal(heap_what(h, c + PAGE).what, HEAP_UNUSED);
    assert_null(heap_of(&state));
    heap_destroy(other);
    heap_destroy(h);
    assert_null(heap_of(a));
}

/* A block that another thread gives back is free when the heap next needs one of its owner's chunks. */
static void returned(void **state)
{
    (void)state;
    struct heap *h = make(1, 1 << 20);
    void *p[100];
    for (int k = 0; k < 100; k++)
        p[k] = heap_block_alloc(h, 2000);
    size_t peak = heap_peak(h);
    for (int k = 0; k < 100; k++)
        heap_block_return(h, p[k]);
    for (int k = 0; k < 100; k++)
        assert_non_null(heap_block_alloc(h, 2000));
    assert_true(heap_peak(h) <= peak + 16);
    assert_string_equal(heap_check(h), "");
    heap_destroy(h);
}

/* --- damage ----------------------------------------------------------------------------------------- */

static jmp_buf out;
static const void *damaged;
static size_t damaged_bytes;

static void on_damage(struct heap *h, const void *block, size_t bytes, const char *how)
{
    (void)h;
    assert_true(*how);
    damaged = block;
    damaged_bytes = bytes;
    longjmp(out, 1);
}

/* Frees p, which must be found to be damaged. */
static void expect_damage(struct heap *h, void *p, const void *block)
{
    heap_on_damage(on_damage);
    if (!setjmp(out)) {
        (void)heap_block_free(h, p);
        heap_flush(h);
        (void)heap_block_alloc(h, 40);
        (void)heap_block_alloc(h, 40);
        fail_msg("the damage was not found");
    }
    heap_on_damage(NULL);
    assert_ptr_equal(damaged, block);
}

/* The byte behind a block: what strcpy writes into a block that is one too small. */
static void overrun(void **state)
{
    (void)state;
    for (size_t bytes = 24; bytes < 3000; bytes += 16) {
        struct heap *h = make(1, 1 << 20);
        char *p = heap_block_alloc(h, bytes);
        (void)heap_block_alloc(h, 10);
        p[bytes] ^= 0x10;
        expect_damage(h, p, p);
        assert_int_equal(damaged_bytes, bytes);
        heap_destroy(h);
    }
}

static void written_after_free(void **state)
{
    (void)state;
    struct heap *h = make(1, 1 << 20);
    char *p = heap_block_alloc(h, 40), *q = heap_block_alloc(h, 40);
    (void)heap_block_alloc(h, 40);
    assert_true(heap_block_free(h, p));
    memset(p - 8, 7, 48);
    expect_damage(h, q, NULL);
    heap_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations), cmocka_unit_test(does_not_grow),
        cmocka_unit_test(gives_back),        cmocka_unit_test(small_heaps_are_small),
        cmocka_unit_test(not_blocks),        cmocka_unit_test(returned),
        cmocka_unit_test(overrun),           cmocka_unit_test(written_after_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
