/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what becomes of operations that were kept back: how long each was, and the profile's text and JSON. */
#include "report/internal.h"
#include "report/stage.h"
#include "report/written.h"

/* Operation 1 is kept back at its target from 2 to 5, 2 at its target from 3 to 4 and on its way back from 5 to 7, 3 to
 * the end, 4 never. */
static void play(struct stage *s)
{
    for (unsigned op = 1; op <= 4; op++)
        TELL(s, 1, GET_ISSUED, 0, .op = op, .peer = 1, .call = "get", .bytes = 8);
    TELL(s, 2, KEPT_BACK, 0, .op = 1, .peer = 1, .call = "get");
    TELL(s, 2, GET_READ, 0, .op = 4, .peer = 1, .call = "get", .bytes = 8);
    TELL(s, 3, KEPT_BACK, 0, .op = 2, .peer = 1, .call = "get");
    TELL(s, 4, KEPT_BACK, 0, .op = 77, .peer = 1, .call = "issued before the trace");
    TELL(s, 4, GET_READ, 0, .op = 2, .peer = 1, .call = "get", .bytes = 8);
    TELL(s, 5, GET_READ, 0, .op = 1, .peer = 1, .call = "get", .bytes = 8);
    TELL(s, 5, KEPT_BACK, 0, .op = 2, .peer = 1, .call = "get", .tag = TRACE_KEPT_AT_ORIGIN);
    TELL(s, 6, KEPT_BACK, 0, .op = 3, .peer = 1, .call = "get", .tag = 77);
    TELL(s, 7, GET_ARRIVED, 0, .op = 1, .peer = 1, .call = "get", .bytes = 8);
    TELL(s, 7, GET_ARRIVED, 0, .op = 2, .peer = 1, .call = "get", .bytes = 8);
    TELL(s, 7, GET_ARRIVED, 0, .op = 4, .peer = 1, .call = "get", .bytes = 8);
}

static void is_kept(const struct report_facts *f, size_t k, uint64_t number, double seconds)
{
    const struct report_op *op = report_op_at(f->work, f->kept[k].op);
    if (op->number != number || f->kept[k].seconds != seconds)
        fail_msg("%zu: operation %u for %g s, expected %u for %g", k, (unsigned)op->number,
                 f->kept[k].seconds, (unsigned)number, seconds);
}

static void how_long(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    play(&s);
    struct report_facts *f = stage_facts(&s, 11);
    assert_int_equal(f->kept_back, 3);
    is_kept(f, 0, 3, 5);
    is_kept(f, 1, 1, 3);
    is_kept(f, 2, 2, 3);
    assert_true(f->kept[0].now && !f->kept[1].now && f->kept_seconds == 11);
    assert_true(report_kept_seconds(f->work, 2) == 3 && report_kept_seconds(f->work, 4) == 0);
    report_facts_destroy(f);
    stage_release(&s);
}

static void as_text(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    play(&s);
    struct report_facts *f = stage_facts(&s, 11);
    char *text = written_text(report_kept_print, f, 2);
    assert_string_equal(text, "\nKept back (--check=nasty): operations that the adversary made late\n"
                              "  3 operations, 11.00 s in all\n"
                              "       5.000 s  get by rank 0 to rank 1, issued at 1.000 s, to the end\n"
                              "       3.000 s  get by rank 0 to rank 1, issued at 1.000 s\n"
                              "  and 1 more\n");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

static void as_json(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    play(&s);
    struct report_facts *f = stage_facts(&s, 11);
    char *text = written_json(report_kept_json, f, 1);
    assert_string_equal(text,
                        "{\"kept_back\":{\"operations\":3,\"seconds\":11,\"longest\":[{\"call\":\"get\","
                        "\"rank\":0,\"target\":1,\"issued\":1,\"seconds\":5,\"to_the_end\":true}]}}");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

static void none(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    struct report_facts *f = stage_facts(&s, -1);
    char *text = written_text(report_kept_print, f, 0);
    assert_string_equal(text, "");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(how_long), cmocka_unit_test(as_text),
                                       cmocka_unit_test(as_json), cmocka_unit_test(none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
