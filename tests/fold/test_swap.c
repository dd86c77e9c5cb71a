/* SPDX-License-Identifier: BSD-3-Clause */
/* swap: random reads, writes and exchanges against full copies of every version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fold/image/swap.h"

#define VERSIONS 7
#define PAGES    40
#define ARENA    (8192 + PAGES * 4096)

/* Live memory with three ranges in it, and what each version should hold of the whole arena. */
struct world {
    char *arena;
    char outside[256]; /* bytes that belong to no range */
    char want[VERSIONS][ARENA];
    char *shared[VERSIONS]; /* where the byte of the arena at `shared_at` was given away, for good */
    size_t shared_at[VERSIONS];
    struct swap_version version[VERSIONS];
    struct swap_range range[3];
    struct swap *swap;
    struct base_random random;
};

static size_t pick_place(struct world *w, size_t *size)
{
    const struct swap_range *r = &w->range[base_random_below(&w->random, 3)];
    size_t at = base_random_below(&w->random, r->size);
    *size = 1 + base_random_below(&w->random, r->size - at < 600 ? r->size - at : 600);
    return r->base - (uintptr_t)w->arena + at;
}

/* The third range: some KiB; some pages that are moved; or such, of which most are zero. */
enum kind { COPIED, MOVED, MOVED_ZERO };

static void make_arena(struct world *w, enum kind kind)
{
    char *p = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    w->arena = p;
    for (size_t i = 0; i < ARENA; i++)
        w->arena[i] = (char)base_random_u64(&w->random);
    w->range[2] = (struct swap_range){(uintptr_t)p + 5000, 1 + base_random_below(&w->random, 3000), false};
    if (kind == COPIED)
        return;
    size_t odd = base_random_below(&w->random, 4096);
    w->range[2] = (struct swap_range){(uintptr_t)p + 8192 + odd, ARENA - 8192 - odd - 100, true};
    if (kind == MOVED_ZERO)
        memset(p + 8192 + 5 * 4096 + 77, 0, ARENA - 8192 - 5 * 4096 - 77);
}

static void start(struct world *w, uint64_t seed, enum kind kind)
{
    memset(w->version, 0, sizeof w->version);
    memset(w->shared, 0, sizeof w->shared);
    base_random_seed(&w->random, seed, 0);
    make_arena(w, kind);
    size_t cut = 1 + base_random_below(&w->random, 4000);
    w->range[0] = (struct swap_range){(uintptr_t)w->arena + 3, cut, true}; /* too small, and shares pages */
    w->range[1] =
        (struct swap_range){(uintptr_t)w->arena + 4100, 1 + base_random_below(&w->random, 300), true};
    w->swap = swap_create(w->range, 3, &w->version[0], 16384);
    assert_int_equal(swap_moved_bytes(w->swap) > 0, kind != COPIED);
    for (int v = 0; v < VERSIONS; v++)
        memcpy(w->want[v], w->arena, ARENA);
}

static void end(struct world *w)
{
    for (int v = 0; v < VERSIONS; v++)
        swap_release(w->swap, &w->version[v]);
    swap_destroy(w->swap);
    munmap(w->arena, ARENA);
}

static void check_version(struct world *w, int v, uint64_t seed, int step)
{
    static char got[ARENA];
    for (int i = 0; i < 3; i++) {
        size_t at = w->range[i].base - (uintptr_t)w->arena;
        swap_read(w->swap, &w->version[v], w->range[i].base, got + at, w->range[i].size);
        if (memcmp(got + at, w->want[v] + at, w->range[i].size) != 0)
            fail_msg("seed %lu step %d: version %d differs in range %d", (unsigned long)seed, step, v, i);
    }
    swap_check(w->swap, &w->version[v]);
}

static int live_number(const struct world *w)
{
    return (int)(swap_live(w->swap) - w->version);
}

/* Some other version's code asks for a pointer, or stores through the one that it has. */
static void use_pointer(struct world *w, int v, size_t at, const char *bytes)
{
    if (v == live_number(w))
        return;
    if (!w->shared[v]) {
        w->shared[v] = swap_share(w->swap, &w->version[v], (uintptr_t)w->arena + at, 1);
        w->shared_at[v] = at;
        assert_ptr_equal(swap_share(w->swap, &w->version[v], (uintptr_t)w->arena + at, 1), w->shared[v]);
    }
    *w->shared[v] = bytes[0];
    w->want[v][w->shared_at[v]] = bytes[0];
}

static void random_step(struct world *w)
{
    char bytes[600] = {0};
    size_t size, at = pick_place(w, &size);
    int v = (int)base_random_below(&w->random, VERSIONS);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)base_random_u64(&w->random);
    switch (base_random_below(&w->random, 5)) {
    case 0: /* the application stores */
        memcpy(w->arena + at, bytes, size);
        memcpy(w->want[live_number(w)] + at, bytes, size);
        break;
    case 1: /* a put arrives at any version */
        swap_write(w->swap, &w->version[v], (uintptr_t)w->arena + at, bytes, size);
        memcpy(w->want[v] + at, bytes, size);
        break;
    case 2:
        swap_to(w->swap, &w->version[v]);
        break;
    case 3:
        if (v % 2) /* the others are never shared */
            use_pointer(w, v, at, bytes);
        break;
    default: {
        char *p = swap_direct(w->swap, &w->version[v], (uintptr_t)w->arena + at, size);
        if (p)
            assert_memory_equal(p, w->want[v] + at, size);
    }
    }
}

static void random_history(uint64_t seed, enum kind kind)
{
    static struct world w;
    start(&w, seed, kind);
    for (int step = 0; step < 400; step++) {
        random_step(&w);
        check_version(&w, (int)base_random_below(&w.random, VERSIONS), seed, step);
    }
    for (int v = 0; v < VERSIONS; v++) {
        swap_to(w.swap, &w.version[v]);
        check_version(&w, v, seed, -1);
        assert_int_equal(w.version[v].n, 0);
    }
    end(&w);
}

static void random_histories_match_full_copies(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        random_history(seed, COPIED);
    for (uint64_t seed = 1; seed <= 20; seed++)
        random_history(seed, seed % 2 ? MOVED : MOVED_ZERO);
}

static void use_pointers(enum kind kind)
{
    static struct world w;
    char page[1];
    start(&w, 11, kind);
    uintptr_t at = w.range[2].base + 100;
    swap_write(w.swap, &w.version[1], at, "before", 6);
    char *p = swap_share(w.swap, &w.version[1], at, 6);
    assert_memory_equal(p, "before", 6);
    assert_int_equal((uintptr_t)p % base_page_size(), at % base_page_size());
    assert_ptr_equal(swap_direct(w.swap, &w.version[1], at, 6), p);
    assert_null(swap_live_place(w.swap, (uintptr_t)p));
    memcpy(p, "stored", sizeof "stored" - 1);
    swap_to(w.swap, &w.version[1]);
    assert_memory_equal((void *)at, "stored", 6);
    assert_ptr_equal(swap_live_place(w.swap, (uintptr_t)p), at);
    assert_null(swap_live_place(w.swap, (uintptr_t)page));
    memcpy((void *)at, "itself", 6);
    swap_to(w.swap, &w.version[2]);
    assert_memory_equal(p, "itself", 6);
    assert_memory_equal((void *)at, w.want[2] + (at - (uintptr_t)w.arena), 6);
    assert_null(
        swap_share(w.swap, &w.version[1], w.range[1].base, w.range[1].size + 1)); /* out of its range */
    swap_to(w.swap, &w.version[1]);
    memcpy((void *)at, "ending", 6);
    swap_release(w.swap, &w.version[1]);
    assert_memory_equal(p, "ending", 6);
    end(&w);
}

static void pointers_into_a_version_see_and_change_it(void **state)
{
    (void)state;
    use_pointers(COPIED);
    use_pointers(MOVED);
    use_pointers(MOVED_ZERO);
}

static void a_version_that_changed_nothing_costs_nothing(void **state)
{
    static struct world w;
    (void)state;
    start(&w, 99, COPIED);
    for (int v = 0; v < VERSIONS; v++)
        swap_to(w.swap, &w.version[v]);
    for (int v = 0; v < VERSIONS; v++) {
        assert_null(w.version[v].saved);
        assert_int_equal(w.version[v].n, 0);
    }
    assert_int_equal(swap_count(w.swap), VERSIONS - 1);
    swap_destroy(w.swap);
}

static void end_the_live_one(enum kind kind)
{
    static struct world w;
    start(&w, 5, kind);
    memset((void *)w.range[2].base, 7, w.range[2].size);
    swap_release(w.swap, &w.version[0]); /* live, ended, its bytes are no one's */
    swap_to(w.swap, &w.version[1]);
    check_version(&w, 1, 5, 0);
    assert_memory_equal((void *)w.range[2].base, w.want[1] + (w.range[2].base - (uintptr_t)w.arena),
                        w.range[2].size);
    end(&w);
}

static void after_the_live_one_ended_the_next_is_right(void **state)
{
    (void)state;
    end_the_live_one(COPIED);
    end_the_live_one(MOVED);
    end_the_live_one(MOVED_ZERO);
}

static void bytes_outside_the_ranges_are_taken_as_they_are(void **state)
{
    static struct world w;
    char in[64], out[64];
    (void)state;
    start(&w, 6, COPIED);
    memset(in, 42, sizeof in);
    assert_false(swap_touches(w.swap, (uintptr_t)w.outside, sizeof w.outside));
    swap_write(w.swap, &w.version[3], (uintptr_t)w.outside, in, sizeof in);
    swap_read(w.swap, &w.version[2], (uintptr_t)w.outside, out, sizeof out);
    assert_memory_equal(in, out, sizeof in);
    assert_ptr_equal(swap_direct(w.swap, &w.version[3], (uintptr_t)w.outside, 8), w.outside);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories_match_full_copies),
        cmocka_unit_test(pointers_into_a_version_see_and_change_it),
        cmocka_unit_test(a_version_that_changed_nothing_costs_nothing),
        cmocka_unit_test(after_the_live_one_ended_the_next_is_right),
        cmocka_unit_test(bytes_outside_the_ranges_are_taken_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
