/* SPDX-License-Identifier: BSD-3-Clause */
/* Folded lines: unrolled they are the lines that were added, for random programs of nested loops and any window; and a
 * regular program's do not grow with its iterations. What is computed between them takes means, and stays as much. */
#include "replay/write/write.h"

#include "seed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_LINES = 200000 };

struct text {
    BASE_ARRAY(char) at;
};
struct lines {
    BASE_ARRAY(char *) at;
};

static void put(void *ctx, const char *text, size_t n)
{
    struct text *t = ctx;
    for (size_t k = 0; k < n; k++)
        BASE_ARRAY_PUSH(&t->at, text[k]);
}

static void add(struct lines *l, const char *line)
{
    BASE_ARRAY_PUSH(&l->at, base_strdup(line));
}

static void release(struct lines *l)
{
    for (size_t k = 0; k < l->at.n; k++)
        free(l->at.at[k]);
    free(l->at.at);
}

/* Appends what is from *at on, to an "end" or the end of the text, unrolled. */
static void unroll(char **at, struct lines *out, unsigned depth)
{
    assert_true(depth <= 8);
    while (**at) {
        char *line = *at, *end = strchr(line, '\n');
        unsigned times;
        *end = '\0';
        *at = end + 1;
        if (!strcmp(line, "7 end")) {
            assert_true(depth > 0);
            return;
        }
        if (sscanf(line, "7 repeat %u", &times) != 1) {
            add(out, line);
            continue;
        }
        struct lines body = {0};
        unroll(at, &body, depth + 1);
        assert_true(body.at.n > 0);
        assert_true(times > 1);
        for (unsigned k = 0; k < times; k++)
            for (size_t i = 0; i < body.at.n; i++)
                add(out, body.at.at[i]);
        release(&body);
    }
    assert_int_equal(depth, 0);
}

static void write_program(struct lines *out, struct base_random *random, int depth)
{
    uint64_t items = 1 + base_random_below(random, 6);
    char line[32];
    for (uint64_t k = 0; k < items; k++) {
        if (depth < 4 && !base_random_below(random, 3)) {
            size_t begin = out->at.n;
            write_program(out, random, depth + 1);
            size_t end = out->at.n;
            for (uint64_t times = base_random_below(random, 6); times; times--)
                for (size_t i = begin; i < end && out->at.n < MOST_LINES; i++)
                    add(out, out->at.at[i]);
            continue;
        }
        snprintf(line, sizeof line, "7 sleep %d", (int)base_random_below(random, depth ? 3 : 30));
        add(out, line);
    }
}

/* How many lines they are put out as. */
static size_t check(const struct lines *lines, size_t window)
{
    struct text text = {0};
    struct lines unrolled = {0};
    size_t n = 0;
    struct replay_fold *f = replay_fold_create("7", window, put, &text);
    for (size_t k = 0; k < lines->at.n; k++) {
        char line[64];
        int length = snprintf(line, sizeof line, "%s\n", lines->at.at[k]);
        replay_fold_line(f, line, (size_t)length);
    }
    replay_fold_close(f);
    BASE_ARRAY_PUSH(&text.at, '\0');
    for (const char *p = text.at.at; (p = strchr(p, '\n')); p++)
        n++;
    char *at = text.at.at;
    unroll(&at, &unrolled, 0);
    assert_int_equal(unrolled.at.n, lines->at.n);
    for (size_t k = 0; k < lines->at.n; k++)
        assert_string_equal(unrolled.at.at[k], lines->at.at[k]);
    assert_true(n <= lines->at.n);
    release(&unrolled);
    free(text.at.at);
    return n;
}

static void test_random(void **state)
{
    (void)state;
    struct base_random random;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct lines lines = {0};
        base_random_seed(&random, seed, 0);
        write_program(&lines, &random, 0);
        for (size_t window = 8; window <= 512; window *= 8)
            check(&lines, window);
        release(&lines);
    }
}

/* The same for any number of iterations. */
static void test_regular(void **state)
{
    (void)state;
    size_t folded[2];
    for (unsigned k = 0; k < 2; k++) {
        struct lines lines = {0};
        add(&lines, "7 init");
        for (unsigned step = 0; step < (k ? 1000U : 100U); step++) {
            for (unsigned i = 0; i < 40; i++) {
                add(&lines, i % 2 ? "7 sleep 1" : "7 sleep 2");
                add(&lines, "7 barrier");
            }
            for (unsigned i = 0; i < 30; i++)
                add(&lines, i % 7 ? "7 compute 1" : "7 compute 2");
            add(&lines, "7 waitall");
        }
        add(&lines, "7 finalize");
        folded[k] = check(&lines, 512);
        release(&lines);
    }
    assert_int_equal(folded[0], folded[1]);
    assert_in_range(folded[0], 10, 35);
}

/* Whether it is a computation; else a line. */
static bool computes(const char *line, double *flops, double *seconds, double *counted)
{
    double amount, count = 0;
    if (sscanf(line, "7 compute %lf", &amount) == 1)
        *flops += amount;
    else if (sscanf(line, "7 seconds %lf %lf", &amount, &count) >= 1)
        *seconds += amount;
    else
        return false;
    *counted += count;
    return true;
}

/* Computations before random lines: all together as much as was added, the lines are the same as without. */
static void check_blocks(const struct lines *lines, struct base_random *random, size_t window)
{
    struct text text = {0};
    struct lines unrolled = {0};
    double flops = 0, seconds = 0, counted = 0, flops_out = 0, seconds_out = 0, counted_out = 0;
    struct replay_fold *f = replay_fold_create("7", window, put, &text);
    for (size_t k = 0; k <= lines->at.n; k++) {
        double amount = 1 + (double)base_random_below(random, 1000);
        if (base_random_below(random, 4)) {
            replay_fold_compute(f, REPLAY_COMPUTES_FLOPS, amount, 0);
            flops += amount;
        }
        for (uint64_t n = base_random_below(random, 3); n; n--) {
            replay_fold_compute(f, REPLAY_COMPUTES_SECONDS, amount / 1e6, 1000);
            seconds += amount / 1e6;
            counted += 1000;
        }
        if (k == lines->at.n)
            break;
        char line[64];
        replay_fold_line(f, line, (size_t)snprintf(line, sizeof line, "%s\n", lines->at.at[k]));
    }
    replay_fold_close(f);
    BASE_ARRAY_PUSH(&text.at, '\0');
    char *at = text.at.at;
    unroll(&at, &unrolled, 0);
    size_t n = 0;
    for (size_t k = 0; k < unrolled.at.n; k++) {
        if (computes(unrolled.at.at[k], &flops_out, &seconds_out, &counted_out))
            continue;
        const char *line = n < lines->at.n ? lines->at.at[n] : "";
        assert_string_equal(unrolled.at.at[k], line);
        n++;
    }
    assert_int_equal(n, lines->at.n);
    assert_true(fabs(flops - flops_out) <= 1e-8 * flops);
    assert_true(fabs(seconds - seconds_out) <= 1e-8 * seconds);
    assert_true(counted_out <= counted && counted - counted_out <= (double)unrolled.at.n);
    release(&unrolled);
    free(text.at.at);
}

static void test_blocks(void **state)
{
    (void)state;
    struct base_random random;
    base_random_seed(&random, seed_of_test(1), 0);
    for (unsigned k = 0; k < 40; k++) {
        struct lines lines = {0};
        write_program(&lines, &random, 1);
        for (size_t window = 8; window <= 512; window *= 8)
            check_blocks(&lines, &random, window);
        release(&lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_regular),
                                       cmocka_unit_test(test_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
