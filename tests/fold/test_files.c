/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's table of open files against a plain array: the lowest free number, closing, streams, pipes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fold/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NUMBERS = 300, STEPS = 20000 };

static int lowest(const int *model, int from, int limit)
{
    while (from < limit && model[from] >= 0)
        from++;
    return from < limit ? from : -1;
}

static struct files_entry fresh(void)
{
    struct files_entry e = {.kind = FILES_OWN,
                            .descriptor = files_reach(open("/dev/null", O_RDONLY | O_CLOEXEC))};
    files_examine(&e, FILES_OTHER);
    return e;
}

static void random_sequence(void **state)
{
    static char owners[NUMBERS]; /* addresses that stand for streams */
    struct base_random random;
    static const uint64_t seed = 20261122;
    int model[NUMBERS + 1], opened = 0;
    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    base_random_seed(&random, seed, 0);
    struct files_table *t = files_create();
    t->limit.rlim_cur = NUMBERS;
    for (int k = 0; k <= NUMBERS; k++)
        model[k] = k < 3 ? k : -1;
    for (int step = 0; step < STEPS; step++) {
        int number = (int)base_random_below(&random, NUMBERS);
        unsigned what = (unsigned)base_random_below(&random, 8);
        assert_int_equal(files_find(t, number) != NULL, model[number] >= 0);
        if (what < 4) {
            int from = what ? 0 : number, expected = lowest(model, from, NUMBERS);
            assert_int_equal(files_next_free(t, from), expected);
            if (expected < 0)
                continue;
            struct files_entry e = fresh();
            assert_true(e.descriptor >= 0);
            files_put(t, expected, e);
            model[expected] = e.descriptor;
            opened++;
        } else if (model[number] >= 3 && what == 4 && !files_find(t, number)->stream) {
            files_attach(t, number, &owners[number], true);
            assert_int_equal(files_of_stream(&owners[number]), number);
        } else if (model[number] >= 0) {
            bool own = files_find(t, number)->kind == FILES_OWN, kept = files_find(t, number)->stream != NULL;
            assert_int_equal(files_close(t, number), 0);
            assert_int_equal(files_of_stream(&owners[number]), -1);
            if (own)
                assert_int_equal(fcntl(model[number], F_GETFD) >= 0, kept);
            if (kept)
                close(model[number]);
            model[number] = -1;
        }
        int highest = NUMBERS - 1;
        while (highest >= 0 && model[highest] < 0)
            highest--;
        assert_int_equal(files_highest(t), highest);
    }
    assert_true(opened > 100);
    for (int k = 3; k < NUMBERS; k++)
        if (model[k] >= 0 && files_find(t, k)->stream)
            files_detach(t, k);
    files_destroy(t);
    for (int k = 3; k < NUMBERS; k++)
        if (model[k] >= 3)
            assert_int_equal(fcntl(model[k], F_GETFD), -1);
}

static void standard_streams(void **state)
{
    (void)state;
    for (int number = 0; number < 3; number++)
        assert_int_equal(files_find(NULL, number)->kind, FILES_IN + number);
    errno = 0;
    assert_null(files_find(NULL, 3));
    assert_int_equal(errno, EBADF);
    assert_int_equal(files_highest(NULL), 2);
}

static void ends_of_pipes(void **state)
{
    int two[2];
    struct files_table *a = files_create(), *b = files_create();
    (void)state;
    assert_int_equal(pipe2(two, O_CLOEXEC), 0);
    struct files_entry in = {.kind = FILES_OWN, .descriptor = files_reach(two[0])};
    struct files_entry out = {.kind = FILES_OWN, .descriptor = files_reach(two[1])}, copy;
    files_examine(&in, FILES_PIPE);
    files_examine(&out, FILES_PIPE);
    assert_true(in.place == out.place && in.place);
    files_put(a, 3, in);
    assert_false(files_held(in.place));
    files_put(a, 4, out);
    copy = out;
    copy.descriptor = files_duplicate(out.descriptor);
    files_put(b, 7, copy);
    files_close(a, 4);
    assert_true(files_held(in.place));
    files_destroy(b);
    assert_false(files_held(in.place));
    files_destroy(a);
}

static void out_of_reach(void **state)
{
    struct rlimit now;
    (void)state;
    int high = files_reach(open("/dev/null", O_RDONLY));
    getrlimit(RLIMIT_NOFILE, &now);
    assert_int_equal(now.rlim_cur, now.rlim_max);
    assert_true(high >= 8192 || (rlim_t)high >= now.rlim_cur / 4);
    assert_true(fcntl(high, F_GETFD) & FD_CLOEXEC);
    close(high);
    errno = EBADF;
    assert_int_equal(files_reach(-1), -1);
    assert_int_equal(errno, EBADF);
}

static int begin(void **state)
{
    (void)state;
    files_begin();
    return 0;
}

static int end(void **state)
{
    (void)state;
    struct rlimit before = files_limit(), now;
    files_end();
    getrlimit(RLIMIT_NOFILE, &now);
    return now.rlim_cur != before.rlim_cur;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequence),
        cmocka_unit_test(standard_streams),
        cmocka_unit_test(ends_of_pipes),
        cmocka_unit_test(out_of_reach),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
