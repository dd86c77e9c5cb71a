/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins which ends of runs are of one kind, how they are named, how outputs are compared, and the rows of a table. */
#include "check/explore_lines.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct explore_outcome outcome(int status, const char *out, const char *err,
                                      struct explore_plain *plain)
{
    struct explore_result r = {.out = lines(out), .err = lines(err), .status = status, .ended = true};
    struct explore_outcome o = explore_outcome_of(&r, plain);
    explore_result_release(&r);
    return o;
}

struct row {
    int status;
    const char *err, *text, *key;
    enum explore_end end;
};

static const struct row rows[] = {
    {0, "pgasim: warning: x", "as in the plain run", "as in the plain run", EXPLORE_PASSED},
    {134,
     "a: a.c:20: main: Assertion `got == 7' failed.\n"
     "pgasim: error: rank 0 (host node-0) at 917.9 ns was ended by signal 6 (Aborted), in main, a.c:20",
     "status 134: a: a.c:20: main: Assertion `got == 7' failed.",
     "status 134: a: a.c:20: main: Assertion `got == N' failed.", EXPLORE_FAILED},
    {134, "pgasim: error: rank 12 (host node-3) at 1 s was ended by signal 6 (Aborted), in f, a.c:20",
     "status 134: was ended by signal 6 (Aborted), in f, a.c:20",
     "status 134: was ended by signal 6 (Aborted), in f, a.c:20", EXPLORE_FAILED},
    {139,
     "hello\npgasim: error: rank 1 (host node-0) at 1.802 us was ended by signal 11 (Segmentation fault) at "
     "address "
     "0x7f10 (near NULL), in main, dl.c:3",
     "status 139: was ended by signal 11 (Segmentation fault) at address 0x7f10 (near NULL), in main, dl.c:3",
     "status 139: was ended by signal 11 (Segmentation fault) at address N (near NULL), in main, dl.c:3",
     EXPLORE_FAILED},
    {3,
     "pgasim: error: deadlock at 7.711 us of simulated time: 2 of 2 ranks wait\n"
     "  MPI_Recv: 2 ranks: 0-1\n    rank 0 since 7.711 us: a message\n      called in main, dl.c:3\n",
     "status 3: deadlock: MPI_Recv in main, dl.c:3", "status 3: deadlock: MPI_Recv in main, dl.c:3",
     EXPLORE_FAILED},
    {7,
     "pgasim: error: rank 3 (host node-2) at 3.830 ms: never completes: MPI_Get by rank 3 (main, t.c:45) "
     "repeats "
     "the same in vain, here 38214 times\npgasim:   it waits for MPI_Get by rank 3",
     "status 7: never completes: MPI_Get by rank 3 (main, t.c:45) repeats the same in vain, here 38214 times",
     "status 7: never completes: MPI_Get by rank N (main, t.c:45) repeats the same in vain, here N times",
     EXPLORE_FAILED},
    {1, "wrong: 5\npgasim: error: rank 1 (host node-0) at 2.674 us ended with exit status 1",
     "status 1: wrong: 5", "status 1: wrong: N", EXPLORE_FAILED},
    {2, "pgasim: error: rank 1 (host node-0) at 2.674 us ended with exit status 2",
     "status 2: ended with exit status 2", "status 2: ended with exit status 2", EXPLORE_FAILED},
    {2, "pgasim: error: program x: No such file or directory",
     "status 2: program x: No such file or directory", "status 2: program x: No such file or directory",
     EXPLORE_UNTRIED},
    {9, "", "status 9", "status 9", EXPLORE_FAILED},
};

static void test_names(void **state)
{
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(rows); k++) {
        struct explore_outcome o = outcome(rows[k].status, "", rows[k].err, NULL);
        assert_string_equal(o.text, rows[k].text);
        assert_string_equal(o.key, rows[k].key);
        assert_int_equal(o.end, rows[k].end);
        explore_outcome_release(&o);
    }
}

static void test_outputs(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        enum explore_compare how;
    } pairs[] = {{"a\nb", "b\na", EXPLORE_WHOLE},   {"", "", EXPLORE_WHOLE},
                 {"t 1.5", "t 20", EXPLORE_MASKED}, {"a\na", "a", EXPLORE_NOT},
                 {"a", "b", EXPLORE_NOT},           {"node-1", "node-22", EXPLORE_MASKED}};
    for (size_t k = 0; k < BASE_LENGTH(pairs); k++) {
        struct explore_lines a = lines(pairs[k].a), b = lines(pairs[k].b);
        assert_int_equal(explore_compare_of(&a, &b), pairs[k].how);
        explore_lines_release(&a);
        explore_lines_release(&b);
    }
    struct explore_plain plain = {.out = lines("got 7\ndone"), .compare = EXPLORE_WHOLE};
    struct explore_outcome o = outcome(0, "done\ngot 0", "", &plain);
    assert_int_equal(o.end, EXPLORE_OTHER);
    assert_string_equal(o.sample, "it writes \"got 0\"");
    explore_outcome_release(&o);
    o = outcome(0, "done", "", &plain);
    assert_string_equal(o.sample, "without \"got 7\"");
    explore_outcome_release(&o);
    plain.compare = EXPLORE_MASKED;
    o = outcome(0, "done\ngot 0", "", &plain);
    assert_int_equal(o.end, EXPLORE_PASSED);
    explore_outcome_release(&o);
    explore_lines_release(&plain.out);
}

static void test_table(void **state)
{
    (void)state;
    struct explore_findings f = {.stopped = false};
    static const int statuses[] = {0, 1, 0, 9, 1, 1};
    for (size_t k = 0; k < BASE_LENGTH(statuses); k++)
        explore_findings_add(&f, 10 + k, outcome(statuses[k], "", "", NULL), (struct explore_lines){{0}});
    static const uint64_t runs[] = {2, 3, 1}, first[] = {0, 1, 3};
    assert_int_equal(f.rows.n, 3);
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(f.rows.at[k].runs, runs[k]);
        assert_int_equal(f.rows.at[k].first, first[k]);
    }
    explore_findings_release(&f);
}

static void add_race(struct finding_list *l, const char *object, const char *file)
{
    struct finding f;
    finding_init(&f, FINDING_RACE);
    finding_set(&f.object, object);
    finding_set(&f.access[0].place.file, file);
    finding_set(&f.access[1].place.file, "/home/me/b.c");
    f.access[0].place.line = *file ? 16 : 0;
    f.access[1].place.line = 1;
    f.accesses = 2;
    BASE_ARRAY_PUSH(&l->at, f);
}

static void test_races(void **state)
{
    (void)state;
    struct explore_findings f = {.stopped = false};
    struct finding_list found = {.summary = {.ended = true}};
    add_race(&found, "window+0x0", "/home/me/a.c");
    add_race(&found, "0x7f12", "");
    explore_races_take(&f, found);
    assert_int_equal(f.races.n, 2);
    assert_int_equal(explore_errors(&f), 2);
    assert_string_equal(f.races.at[0].line[0], "a.c:16");
    assert_string_equal(f.races.at[0].line[1], "b.c:1");
    assert_string_equal(f.found.at.at[1].object, "memory");
    assert_string_equal(f.races.at[1].line[0], "");
    assert_true(explore_race_has(&f.races.at[0], "hold@0#0 MPI_Put by rank 0 (main, a.c:16): kept back"));
    assert_false(explore_race_has(&f.races.at[0], "hold@0#0 MPI_Put by rank 0 (main, a.c:160): kept back"));
    assert_false(explore_race_has(&f.races.at[0], "hold@0#0 MPI_Put by rank 0 (main, aa.c:16): kept back"));
    assert_false(explore_race_has(&f.races.at[1], "place@0#0 ranks on 2 hosts"));
    explore_findings_release(&f);
}

static struct explore_result taken(int status, const char *err)
{
    struct explore_result r = {.err = lines(err), .status = status, .ended = true};
    explore_mistakes_take(&r);
    return r;
}

/* Mistakes are no end of a run: without another error it has ended well. Of one kind, each counts once. */
static void test_mistakes(void **state)
{
    static const char one[] =
        "pgasim: error: rank 1 (host node-0) at 24.35 us: MPI_Recv: 4 bytes (misuse/types)\n"
        "pgasim:   called in main, a.c:18\n",
                      lost[] = "pgasim: error: at 1.010 us: rank 1 has never received it (misuse/leftover)\n",
                      hang[] = "pgasim: error: rank 3 (host node-2) at 3.8 ms: never completes: MPI_Get\n";
    struct explore_findings f = {.stopped = false};
    struct explore_result r = taken(7, one);
    (void)state;
    assert_int_equal(r.status, 0);
    assert_int_equal(r.err.line.n, 0);
    explore_mistakes_add(&f, &r.mistakes, NULL);
    explore_result_release(&r);
    char *all = base_strfmt("%shello\n%s%s%s", one, one, lost, hang);
    r = taken(7, all);
    assert_int_equal(r.status, 7);
    assert_int_equal(r.err.line.n, 2);
    explore_mistakes_add(&f, &r.mistakes, &(struct explore_seed){.seed = 5});
    explore_result_release(&r);
    assert_int_equal(f.mistakes.n, 2);
    assert_string_equal(f.mistakes.at[0].text, "MPI_Recv: 4 bytes (misuse/types), called in main, a.c:18");
    assert_int_equal(f.mistakes.at[0].runs, 3);
    assert_false(f.mistakes.at[0].drawn);
    assert_string_equal(f.mistakes.at[1].text, "rank 1 has never received it (misuse/leftover)");
    assert_true(f.mistakes.at[1].drawn);
    assert_int_equal(f.mistakes.at[1].seed, 5);
    explore_findings_release(&f);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_outputs),  cmocka_unit_test(test_table),
        cmocka_unit_test(test_races), cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
