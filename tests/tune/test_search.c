/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search: near the best of the whole grid, with fewer trials; the same for any number of workers; goes on
 * from its journal; journals that are not its own, or damaged, are refused.
 */
#include "rank/ranks.h"
#include "tune/store.h"

#include <math.h>
#include <unistd.h>

static struct ranks stage;
static struct tune_space space;

static void begin(const char *ops, const char *sizes)
{
    static const uint32_t places[][2] = {{6, 2}, {48, 3}};
    struct base_status st;
    ranks_prepare(&stage, 1, 1);
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, fabric_message_settings, fabric_message_settings_count);
    tune_space_init(&space);
    space.stage = (struct tune_stage){.platform = platform_default(64), .settings = stage.settings};
    space.workers = 2;
    space.fingerprint = 0x1234;
    for (size_t k = 0; k < BASE_LENGTH(places); k++)
        assert_int_equal(
            tune_space_place(&space, places[k][0], &(struct platform_where){.per_host = places[k][1]}, &st),
            0);
    assert_int_equal(tune_space_ops(&space, ops, &st), 0);
    assert_int_equal(tune_space_sizes(&space, sizes, &st), 0);
}

static void end(void)
{
    platform_destroy(space.stage.platform);
    tune_space_release(&space);
    base_settings_destroy(stage.settings);
    free(stage.body);
}

static struct tune_table search(void)
{
    struct tune_table t;
    struct base_status st;
    if (tune_search(&space, &t, &st))
        fail_msg("%s", st.text);
    return t;
}

static void expect_same(const struct tune_table *a, const struct tune_table *b, const char *what)
{
    assert_int_equal(a->n, b->n);
    for (size_t k = 0; k < a->n; k++)
        if (!tune_choices_equal(&a->at[k].best, &b->at[k].best) || a->at[k].time != b->at[k].time)
            fail_msg("%s: cell %zu differs: %.17g and %.17g s", what, k, a->at[k].time, b->at[k].time);
}

static void test_near_the_best(void **state)
{
    (void)state;
    begin("bcast,alltoall,barrier", "64,1KiB,8KiB,32KiB,64KiB,128KiB,256KiB");
    struct tune_table found = search();
    space.whole = true;
    struct tune_table best = search();
    assert_int_equal(found.n, best.n);
    for (size_t k = 0; k < found.n; k++) {
        const struct tune_cell *f = &found.at[k], *b = &best.at[k];
        char one[80], other[80];
        if (f->state == TUNE_OPEN || !(f->time <= 1.02 * b->time) || f->by_default < f->time * (1 - 1e-6))
            fail_msg("%s, %u ranks, %llu bytes: %s takes %.9g us; the best, %s, %.9g us; default %.9g us",
                     tune_op_name(f->point.op), space.place.at[f->point.place].ranks,
                     (unsigned long long)f->point.bytes, tune_choice_text(&f->best, one, sizeof one),
                     1e6 * f->time, tune_choice_text(&b->best, other, sizeof other), 1e6 * b->time,
                     1e6 * f->by_default);
    }
    if (found.events * 10 > best.events * 6)
        fail_msg("%llu events of trials, the whole grid has %llu", (unsigned long long)found.events,
                 (unsigned long long)best.events);
    tune_table_release(&found);
    tune_table_release(&best);
    end();
}

static void test_workers_and_journal(void **state)
{
    char path[] = "/tmp/pgasim-tune-test-XXXXXX";
    struct base_status st;
    (void)state;
    int fd = mkstemp(path);
    close(fd);
    unlink(path);
    begin("allgather", "8:4KiB");
    struct tune_table two = search();
    space.workers = 1;
    space.journal = path;
    struct tune_table one = search();
    expect_same(&one, &two, "workers");
    struct tune_table again = search();
    expect_same(&one, &again, "journal");
    assert_int_equal(one.known, 0);
    assert_int_equal(again.known, one.trials);
    assert_int_equal(again.trials, 0);
    space.budget = 0;
    space.journal = NULL;
    struct tune_table none = search();
    assert_int_equal(none.trials, 0);
    assert_int_equal(none.at[0].state, TUNE_OPEN);
    space.journal = path;
    space.fingerprint++;
    assert_int_equal(tune_search(&space, &none, &st), -1);
    assert_non_null(strstr(st.text, "of another platform"));
    unlink(path);
    tune_table_release(&none);
    tune_table_release(&one);
    tune_table_release(&two);
    tune_table_release(&again);
    end();
}

/* --- files for libraries ---------------------------------------------------------------------------- */

static int32_t named(enum coll_op of, const char *name)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    for (size_t k = 0; k < n; k++)
        if (a[k].op == of && !strcmp(a[k].name, name))
            return (int32_t)k;
    fail_msg("no algorithm %s", name);
    return -1;
}

static struct tune_cell cell_of(uint32_t place, uint64_t bytes, const char *name, uint32_t radix,
                                uint64_t segment, enum tune_state state)
{
    return (struct tune_cell){
        .point = {COLL_BROADCAST, place, bytes},
        .state = state,
        .best = {.algorithm = named(COLL_BROADCAST, name), .radix = radix, .segment = segment},
        .time = state == TUNE_OPEN ? INFINITY : 1e-6,
        .by_default = 2e-6};
}

static void expect_form(enum tune_form form, const struct tune_table *t, const char *expected)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    tune_write_form(form, &space, t, "a \"test\"", out);
    fclose(out);
    if (strcmp(text, expected) != 0)
        fail_msg("form %d: %s\nexpected: %s", (int)form, text, expected);
    free(text);
}

/* Equal neighbours are one rule; what is open is left to the library. */
static void test_forms(void **state)
{
    (void)state;
    begin("bcast", "8");
    struct tune_cell cells[] = {
        cell_of(0, 8, "linear", 0, 0, TUNE_SEARCHED), cell_of(0, 64, "linear", 0, 0, TUNE_BETWEEN),
        cell_of(0, 1024, "chains", 3, 32768, TUNE_SEARCHED), cell_of(0, 65536, "linear", 0, 0, TUNE_OPEN),
        cell_of(1, 8, "pipeline", 0, 8192, TUNE_SEARCHED)};
    const struct tune_table t = {.at = cells, .n = BASE_LENGTH(cells)};
    expect_form(TUNE_OMPI, &t,
                "1 # operations; each line of a size: from so many bytes on, algorithm, fan-out, segment\n"
                "7 # bcast\n3 # numbers of ranks\n0 # ranks\n1 # sizes\n0 0 0 0 # as without rules\n"
                "6 # ranks\n3 # sizes\n0 1 0 0 # basic_linear\n1024 2 3 32768 # chain\n"
                "65536 0 0 0 # as without rules\n48 # ranks\n1 # sizes\n0 3 0 8192 # pipeline\n");
    expect_form(TUNE_RULES, &t,
                "selector tuned\nsource \"pgasim tune, a ?test?\"\nlibrary coll\nbase auto\n\n"
                "on bcast {\n  ranks>=6 ranks<48 {\n    part<1024 -> linear\n"
                "    part<65536 -> chains k=3 segment=32768\n    -> pass\n  }\n"
                "  ranks>=48 {\n    -> pipeline segment=8192\n  }\n}\n");
    end();
}

/* --- words and lines -------------------------------------------------------------------------------- */

static void refuses_line(const char *line, const char *expected)
{
    struct base_status st;
    struct tune_store *x = tune_store_create(&space);
    char *text = base_strfmt("pgasim-tune 1 0000000000001234\n%s\n", line);
    assert_int_equal(tune_journal_parse(x, text, "j", &st), -1);
    if (strncmp(st.text, "j:2: ", 5) != 0 || !strstr(st.text, expected))
        fail_msg("\"%s\": %s; expected: %s", line, st.text, expected);
    free(text);
    tune_store_destroy(x);
}

static void test_bad_lines(void **state)
{
    struct base_status st;
    (void)state;
    begin("bcast", "8");
    refuses_line("broadcast", "twelve words");
    refuses_line("broadcst 0123456789abcdef 6 8 linear 0 0 0 done 1 1 5", "an operation");
    refuses_line("broadcast 0123456789abcde 6 8 linear 0 0 0 done 1 1 5", "16 hexadecimal digits");
    refuses_line("broadcast 0123456789abcdef 6 -8 linear 0 0 0 done 1 1 5", "whole numbers");
    refuses_line("broadcast 0123456789abcdef 6 8 bruck 0 0 0 done 1 1 5", "an algorithm");
    refuses_line("broadcast 0123456789abcdef 6 8 linear 0 0 0 over 1 1 5", "done, bound, events or lacks");
    refuses_line("broadcast 0123456789abcdef 6 8 linear 0 0 0 done inf 1 5", "two times");
    refuses_line("broadcast 0123456789abcdef 6 8 linear 0 0 0 done 1 1 5 ", "twelve words");
    assert_int_equal(tune_space_sizes(&space, "8:4", &st), -1);
    assert_string_equal(st.text, "\"8:4\": the second size is less than the first");
    assert_int_equal(tune_space_sizes(&space, "8,,9", &st), -1);
    assert_string_equal(st.text, "\"\": expected a size from 1 B to 1 TiB, such as 64KiB");
    assert_int_equal(tune_space_ops(&space, "bcast,sum", &st), -1);
    assert_non_null(strstr(st.text, "no operation \"sum\": expected all, barrier, bcast"));
    end();
}

int main(void)
{
    tune_register();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_near_the_best),
                                       cmocka_unit_test(test_workers_and_journal),
                                       cmocka_unit_test(test_forms), cmocka_unit_test(test_bad_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
