/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the output of facts: names that could control a terminal or break JSON, and two runs side by side. */
#include "report/diff.h"
#include "report/stage.h"

static void names_for_terminals(void **state)
{
    (void)state;
    char buf[REPORT_TEXT], longer[200];
    assert_string_equal(report_show_name(buf, "plain"), "plain");
    assert_string_equal(report_show_name(buf, "a\x1b[31m\nb\x7f"), "a?[31m?b?");
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    report_show_name(buf, longer);
    assert_int_equal(strlen(buf), REPORT_TEXT - 1);
    assert_string_equal(buf + REPORT_TEXT - 4, "...");
    longer[REPORT_TEXT - 1] = 0;
    assert_string_equal(report_show_name(buf, longer), longer);
}

/* A rank computes for so long, calls f and, if asked, g. */
static struct report_facts *run(struct stage *s, double computes, double in_f, bool calls_g)
{
    stage_init(s, 1, 1);
    TELL(s, 0, RANK_BEGIN, 0);
    TELL(s, 0, COMPUTE_BEGIN, 0);
    TELL(s, computes, COMPUTE_END, 0);
    TELL(s, computes, CALL_ENTER, 0, .call = "f");
    TELL(s, computes + in_f, CALL_LEAVE, 0, .call = "f");
    if (calls_g) {
        TELL(s, computes + in_f, CALL_ENTER, 0, .call = "g");
        TELL(s, computes + in_f + 1, CALL_LEAVE, 0, .call = "g");
    }
    TELL(s, computes + in_f + (calls_g ? 1 : 0), RANK_END, 0);
    return stage_facts(s, -1);
}

/* What the differences' JSON makes of a trace's path, without the quotes. */
static char *as_json(char *buf, size_t size, struct report_facts *facts, const char *path)
{
    const struct report r = {.path = path, .facts = facts};
    FILE *out = fmemopen(buf, size, "w");
    report_diff_json(&r, &r, out, 1);
    fclose(out);
    char *text = strstr(buf, "\"trace\": \"");
    assert_non_null(text);
    text += strlen("\"trace\": \"");
    *strstr(text, "\",\n") = 0;
    return text;
}

static void names_for_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"plain", "plain"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\"\\\x01", "a\\\"\\\\\\u0001"},
        {"\xff", "\xef\xbf\xbd"},
        {"\xc3", "\xef\xbf\xbd"},                                   /* breaks off */
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                   /* too long a form */
        {"\xed\xa0\x80z", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz"}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    struct stage s;
    struct report_facts *facts = run(&s, 1, 1, false);
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        char buf[4096] = "";
        assert_string_equal(as_json(buf, sizeof buf, facts, cases[k].text), cases[k].wanted);
    }
    report_facts_destroy(facts);
    stage_release(&s);
}

static void is_item(const struct diff_list *l, size_t k, const char *name, double a, double b)
{
    assert_true(k < l->item.n);
    print_message("%s %zu: %s %g %g\n", l->key, k, l->item.at[k].name, l->item.at[k].amount[0],
                  l->item.at[k].amount[1]);
    assert_string_equal(l->item.at[k].name, name);
    assert_true(l->item.at[k].amount[0] == a && l->item.at[k].amount[1] == b);
}

static void differences(void **state)
{
    (void)state;
    struct stage s[2];
    struct report a = {.path = "a", .facts = run(&s[0], 2, 1, false)};
    struct report b = {.path = "b", .facts = run(&s[1], 2, 4, true)};
    struct diff d;
    diff_make(&d, &a, &b);
    assert_true(d.same_ranks);
    is_item(&d.list[DIFF_CALLS], 0, "f", 1, 4);
    is_item(&d.list[DIFF_CALLS], 1, "g", 0, 1);
    is_item(&d.list[DIFF_PATH_PARTS], 0, "calls' own time", 1, 5);
    is_item(&d.list[DIFF_PATH_CALLS], 0, "f", 1, 4);
    is_item(&d.list[DIFF_PATH_CALLS], 1, "g", 0, 1);
    is_item(&d.list[DIFF_PATH_CALLS], 2, "computation", 2, 2);
    is_item(&d.list[DIFF_RANKS], 0, "rank 0", 3, 7);
    diff_release(&d);
    for (unsigned k = 0; k < 2; k++) {
        report_facts_destroy(k ? b.facts : a.facts);
        stage_release(&s[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_for_terminals),
        cmocka_unit_test(names_for_json),
        cmocka_unit_test(differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
