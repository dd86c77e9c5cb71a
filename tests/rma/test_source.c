/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A nonblocking put's source that is changed before the put is complete is warned of, whatever the size and
 * wherever the source lies; one that is left alone, or that a blocking call has given back, is not.
 */
#include "rma/stage.h"

enum { SIGNAL = 64, DATA = 16384, LARGE = 120000 };

/* --- what was said ------------------------------------------------------------------------------ */

static uint64_t warnings;
static char first[2000];
static void count(void *arg, const char *key, const char *text, uint64_t n)
{
    (void)arg;
    if (strcmp(key, "misuse/source-changed") == 0) {
        warnings = n;
        snprintf(first, sizeof first, "%s", text);
    }
}
static uint64_t warned(void)
{
    uint64_t before = warnings;
    base_warnings_each(count, NULL);
    return warnings - before;
}

static void expect(uint64_t n, size_t bytes, const char *what)
{
    uint64_t got = warned();
    if (got != n)
        fail_msg("%zu bytes, %s: %" PRIu64 " warnings, expected %" PRIu64, bytes, what, got, n);
}

/* --- each size ---------------------------------------------------------------------------------- */

static const size_t sizes[] = {1, 8, 9, 32, 33, 1000, 1001, 1024, 1025, 5000, 65536, 65537, LARGE};
static unsigned char private[LARGE];
static bool in_span; /* the source lies in static data, which is exchanged */

static void put(struct rma_ctx *c, uintptr_t source, size_t bytes, bool signal, enum rma_mode mode)
{
    struct rma_signal s = {ranks_heap_at(1, SIGNAL), 1, 0, RMA_SIGNAL_ADD};
    if (signal)
        rma_put_signal(c, stage_to(1, ranks_heap_at(1, DATA)), (void *)source, bytes, &s, mode,
                       "put_signal_nbi");
    else
        rma_put(c, stage_to(1, ranks_heap_at(1, DATA)), (void *)source, bytes, mode, "put_nbi");
}

static void each_size(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    unsigned char *bytes_at = in_span ? stage.statics[0] + 8192 : private;
    uintptr_t source = in_span ? ranks_statics_at(0, 8192) : (uintptr_t) private;
    for (size_t k = 0; k < 2 * BASE_LENGTH(sizes); k++) {
        size_t n = sizes[k / 2];
        bool signal = k % 2;
        put(c, source, n, signal, RMA_NONBLOCKING);
        rma_quiet(c, "quiet");
        expect(0, n, "left alone");
        bytes_at[0]++;
        put(c, source, n, signal, RMA_NONBLOCKING);
        bytes_at[n - 1]++;
        rma_quiet(c, "quiet");
        expect(1, n, "the last byte changed");
        put(c, source, n, signal, RMA_NONBLOCKING);
        bytes_at[0]++;
        rma_quiet(c, "quiet");
        expect(1, n, "the first byte changed");
        put(c, source, n, signal, RMA_BLOCKING);
        bytes_at[0]++;
        rma_quiet(c, "quiet");
        expect(0, n, "of a blocking call");
    }
}

static void changed_sources_are_found(void **state)
{
    (void)state;
    in_span = false;
    stage_run_rank0(each_size);
}
/* In the exchanged way the stage has no direct way to it, and the program no pointer: only dlopen's way. */
static void in_static_data_too(void **state)
{
    (void)state;
    in_span = true;
    stage_run_rank0(each_size);
}

/* A buffer that is filled anew is found wherever the looked-at lines lie. */
static void filled(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    for (size_t n = 1025; n < LARGE; n = n * 5 / 3) {
        put(c, (uintptr_t) private, n, false, RMA_NONBLOCKING);
        memset(private, (int)n | 1, n);
        rma_quiet(c, "quiet");
        expect(1, n, "filled anew");
    }
}
static void a_buffer_filled_anew_is_found(void **state)
{
    (void)state;
    stage_run_rank0(filled);
}

/* The first warning of the process says it all: this test comes first. */
static void names(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t local = 1;
    rma_put(c, stage_to(1, ranks_statics_at(1, 256 + 8)), &local, sizeof local, RMA_NONBLOCKING,
            "shmem_put64_nbi");
    local = 2;
    rma_quiet(c, "quiet");
    expect(1, 8, "changed");
    assert_int_equal(*(uint64_t *)(void *)(stage.statics[1] + 256 + 8), 1); /* the old value was sent */
}
static void says_who_what_and_where(void **state)
{
    (void)state;
    const char *words[] = {"rank 0", "shmem_put64_nbi", "8 bytes",     "statics+264",
                           "rank 1", "other memory",    "before quiet"};
    stage_run_rank0(names);
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        if (!strstr(first, words[k]))
            fail_msg("'%s' is missing in: %s", words[k], first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(says_who_what_and_where),
        STAGE_TEST(changed_sources_are_found),
        STAGE_TEST_EXCHANGED(changed_sources_are_found),
        STAGE_TEST(in_static_data_too),
        STAGE_TEST(a_buffer_filled_anew_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
