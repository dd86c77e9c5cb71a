/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that pools and buffers hand out distinct, reusable memory, and that a reserved region is lazy. */
#include "base/base.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

static void test_pool_distinct(void **state)
{
    (void)state;
    enum { N = 5000, SIZE = 40 };
    struct base_pool p;
    base_pool_init(&p, SIZE, "test objects");
    unsigned char **o = base_alloc(N * sizeof *o, "test");
    for (int k = 0; k < N; k++) {
        o[k] = base_pool_get(&p);
        assert_int_equal((uintptr_t)o[k] % 16, 0);
        memset(o[k], k, SIZE);
    }
    assert_int_equal(p.live, N);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < SIZE; i++)
            if (o[k][i] != (unsigned char)k)
                fail_msg("object %d byte %d is %u: objects overlap", k, i, o[k][i]);
    for (int k = 0; k < N; k++)
        base_pool_put(&p, o[k]);
    assert_int_equal(p.live, 0);
    assert_ptr_equal(base_pool_get(&p), o[N - 1]); /* the last one given back is warm */
    base_pool_release(&p);
    free(o);
}

/* Objects left in pools of operations are noted at their
 * release, with layer and name; nothing else is noted. */
static void test_remainder(void **state)
{
    (void)state;
    struct base_pool calls, more, others, plain;
    struct base_buffers texts;
    base_pool_init_for(&calls, 40, "calls", "layer-a");
    base_pool_init_for(&more, 80, "calls", "layer-a");
    base_pool_init_for(&others, 40, "others", "layer-a");
    base_pool_init_for(&plain, 40, "plain ones", "layer-a");
    base_buffers_init_for(&texts, "texts", "layer-b");
    base_pool_of_operations(&calls);
    base_pool_of_operations(&more);
    base_pool_of_operations(&others);
    base_buffers_of_operations(&texts);
    base_pool_get(&calls);
    base_pool_put(&calls, base_pool_get(&calls));
    base_pool_get(&more);
    base_pool_get(&more);
    base_pool_put(&others, base_pool_get(&others));
    base_pool_get(&plain);
    base_buffers_get(&texts, 1000);
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    base_report_to(to);
    assert_int_equal(base_remainder_report(), 0); /* only a release tells */
    base_pool_release(&calls);
    base_pool_release(&more);
    base_pool_release(&others);
    base_pool_release(&plain);
    base_buffers_release(&texts);
    assert_int_equal(base_remainder_report(), 4);
    base_remainder_clear();
    assert_int_equal(base_remainder_report(), 0);
    base_report_to(NULL);
    fclose(to);
    assert_string_equal(text, "pgasim: error: not released at the end of the run: 3 of layer-a's calls\n"
                              "pgasim: error: not released at the end of the run: 1 of layer-b's texts\n");
    free(text);
}

static void test_buffers(void **state)
{
    (void)state;
    struct base_buffers b;
    base_buffers_init(&b, "test buffers");
    static const size_t sizes[] = {0, 1, 31, 32, 33, 64, 65, 4095, 4096, 4097, 65535, 65536, 65537, 1 << 20};
    void *p[BASE_LENGTH(sizes)];
    for (int round = 0; round < 3; round++) {
        for (size_t k = 0; k < BASE_LENGTH(sizes); k++) {
            p[k] = base_buffers_get(&b, sizes[k]);
            memset(p[k], (int)k + 1, sizes[k]);
        }
        for (size_t k = 0; k < BASE_LENGTH(sizes); k++) {
            const unsigned char *byte = p[k];
            if (sizes[k] && (byte[0] != k + 1 || byte[sizes[k] - 1] != k + 1))
                fail_msg("buffer of %zu bytes was overwritten", sizes[k]);
            base_buffers_put(&b, p[k], sizes[k]);
        }
    }
    size_t live = 0;
    for (size_t k = 0; k < BASE_LENGTH(b.class); k++)
        live += b.class[k].live;
    assert_int_equal(live, 0);
    base_buffers_release(&b);
}

static size_t resident(const void *p, size_t bytes)
{
    size_t page = base_page_size(), n = bytes / page, in = 0;
    unsigned char *map = base_alloc(n, "test");
    assert_int_equal(mincore((void *)(uintptr_t)p, bytes, map), 0);
    for (size_t k = 0; k < n; k++)
        in += map[k] & 1;
    free(map);
    return in;
}

static void test_reserve_is_lazy(void **state)
{
    (void)state;
    size_t page = base_page_size(), bytes = 1024 * page;
    char *p = base_reserve(bytes, "test region");
    p[500 * page] = 1;
    assert_int_equal(p[0], 0);
    assert_in_range(resident(p, bytes), 1, 2);
    base_unreserve(p, bytes);
    assert_ptr_not_equal(base_reserve((size_t)1 << 35, "32 GiB"), NULL);
    base_unreserve(NULL, 1);
}

static void test_array(void **state)
{
    (void)state;
    BASE_ARRAY(int) a = {0};
    for (int k = 0; k < 1000; k++)
        BASE_ARRAY_PUSH(&a, k);
    assert_int_equal(a.n, 1000);
    for (int k = 0; k < 1000; k++)
        assert_int_equal(a.at[k], k);
    free(a.at);
    char *text = base_strfmt("%s-%d", "x", 5);
    assert_string_equal(text, "x-5");
    free(text);
}

static void test_peak(void **state)
{
    (void)state;
    uint64_t before = base_peak_rss();
    size_t bytes = 64 << 20;
    char *p = base_reserve(bytes, "test");
    memset(p, 1, bytes);
    uint64_t after = base_peak_rss();
    base_unreserve(p, bytes);
    if (after < before + bytes / 2)
        fail_msg("peak %llu before and %llu after touching %zu bytes", (unsigned long long)before,
                 (unsigned long long)after, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_distinct), cmocka_unit_test(test_remainder),
        cmocka_unit_test(test_buffers),       cmocka_unit_test(test_reserve_is_lazy),
        cmocka_unit_test(test_array),         cmocka_unit_test(test_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
