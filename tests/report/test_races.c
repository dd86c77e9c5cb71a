/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what becomes of the events of races: facts, their text and their JSON. */
#include "report/page_internal.h"
#include "report/stage.h"
#include "report/written.h"

/* Rank 1 put into its own memory what rank 0's load raced with. */
static void tell_race(struct stage *s, double when, uint64_t number)
{
    TELL(s, when, RACE, 0, .op = number, .peer = 1, .bytes = 24, .detail = "win\"dow+0x8", .context = 1,
         .call = "nothing \x1b orders them");
    TELL(s, when, RACE_ACCESS, 1, .op = number, .peer = 0, .thread = 2, .least = when - 1, .call = "put",
         .detail = "main, a.c:5", .tag = TRACE_ACCESS_WRITES);
    TELL(s, when, RACE_ACCESS, 0, .op = number, .peer = 1, .least = when, .call = "a load",
         .tag = TRACE_ACCESS_READS);
}

static void is_access(const struct report_access *a, uint32_t rank, uint32_t thread, double time,
                      const char *does, const char *call, const char *place)
{
    if (a->rank != rank || a->thread != thread || a->time != time)
        fail_msg("rank %u, thread %u, at %g; expected %u, %u, %g", a->rank, a->thread, a->time, rank, thread,
                 time);
    assert_string_equal(a->does, does);
    assert_string_equal(a->call, call);
    assert_string_equal(a->place, place);
}

static void a_race_has_two_accesses(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    tell_race(&s, 2, 1);
    tell_race(&s, 4, 2);
    struct report_facts *f = stage_facts(&s, -1);
    assert_int_equal(f->races, 2);
    const struct report_race *r = &f->race[1];
    assert_true(r->number == 2 && r->bytes == 24 && r->owner == 1);
    assert_string_equal(r->object, "win\"dow+0x8");
    is_access(&r->access[0], 1, 2, 3, "written", "put", "main, a.c:5");
    is_access(&r->access[1], 0, 0, 4, "read", "a load", "");
    assert_true(f->unknown_names == 0);
    report_facts_destroy(f);
    stage_release(&s);
}

/* A trace may be cut off after any event, or hold events that make no sense. */
static void parts_of_races_are_left_out(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    TELL(&s, 1, RACE_ACCESS, 0, .op = 1, .call = "put", .least = 1);
    TELL(&s, 1, RACE, 0, .op = 1);
    TELL(&s, 1, RACE_ACCESS, 0, .op = 1, .call = "put", .least = 1);
    tell_race(&s, 2, 2);
    TELL(&s, 2, RACE_ACCESS, 0, .op = 2, .call = "a third", .least = 1);
    TELL(&s, 3, RACE, 0, .op = 3);
    TELL(&s, 3, RACE_ACCESS, 0, .op = 4, .call = "of another", .least = 1);
    TELL(&s, 3, RACE_ACCESS, 0, .op = 3, .call = "at no time", .least = (double)INFINITY);
    TELL(&s, 3, RACE_ACCESS, 0, .op = 3, .tag = 77, .least = 1);
    TELL(&s, 3, RACE_ACCESS, 1, .op = 3, .tag = INT32_MIN, .least = 2);
    TELL(&s, 4, RACE, 0, .op = 5);
    TELL(&s, 4, RACE_ACCESS, 0, .op = 5, .least = 1);
    struct report_facts *f = stage_facts(&s, -1);
    assert_int_equal(f->races, 2);
    assert_int_equal(f->race[0].number, 2);
    is_access(&f->race[0].access[1], 0, 0, 2, "read", "a load", "");
    is_access(&f->race[1].access[0], 0, 0, 1, "accessed", "a call", "");
    is_access(&f->race[1].access[1], 1, 0, 2, "accessed", "a call", "");
    report_facts_destroy(f);
    stage_release(&s);
}

static void races_as_text(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    struct report_facts *f = stage_facts(&s, -1);
    char *text = written_text(report_races_print, f, 0);
    assert_string_equal(text, "");
    free(text);
    report_facts_destroy(f);
    for (unsigned k = 1; k <= 3; k++)
        tell_race(&s, 2 * k, k);
    f = stage_facts(&s, -1);
    text = written_text(report_races_print, f, 1);
    assert_string_equal(text, "\nRaces (--check=races): accesses that nothing orders\n"
                              "  win\"dow+0x8 of rank 1\n"
                              "       1.000 s  rank 1, thread 3: written by put in main, a.c:5\n"
                              "       2.000 s  rank 0: read by a load\n"
                              "                nothing ? orders them\n"
                              "  and 2 more\n");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

static void races_as_json(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    tell_race(&s, 2, 1);
    tell_race(&s, 4, 2);
    struct report_facts *f = stage_facts(&s, -1);
    char *text = written_json(report_races_json, f, 1);
    assert_string_equal(text, "{\"race_count\":2,\"races\":[{\"object\":\"win\\\"dow+0x8\",\"owner_rank\":1,"
                              "\"bytes\":24,\"missing\":\"nothing \\u001b orders them\",\"accesses\":["
                              "{\"rank\":1,\"thread\":2,\"time\":1,\"access\":\"written\",\"by\":\"put\","
                              "\"place\":\"main, a.c:5\"},{\"rank\":0,\"thread\":0,\"time\":2,"
                              "\"access\":\"read\",\"by\":\"a load\",\"place\":\"\"}]}]}");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

/* The page has the first ones, and the number of all. */
static void races_of_the_page(void **state)
{
    (void)state;
    struct stage s;
    struct page_json j;
    char *text;
    size_t size, shown = 0;
    stage_init(&s, 2, 2);
    for (unsigned k = 1; k <= PAGE_RACES_MOST + 1; k++)
        tell_race(&s, 2 * k, k);
    struct report_facts *f = stage_facts(&s, -1);
    FILE *out = open_memstream(&text, &size);
    page_json_begin(&j, out);
    page_json_open(&j, NULL, '{');
    page_write_races(&(struct page){.f = f, .j = &j});
    page_json_close(&j, '}');
    page_json_end(&j);
    fclose(out);
    for (const char *at = text; (at = strstr(at, "\"owner\":1")); at++)
        shown++;
    assert_int_equal(shown, PAGE_RACES_MOST);
    assert_non_null(strstr(text, "\"racesFound\":1001"));
    assert_non_null(strstr(text, "\"accesses\":[{\"rank\":1,\"thread\":2,\"time\":1,\"does\":\"written\","
                                 "\"call\":\"put\",\"place\":\"main, a.c:5\"},{\"rank\":0,"));
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_race_has_two_accesses), cmocka_unit_test(parts_of_races_are_left_out),
        cmocka_unit_test(races_as_text),           cmocka_unit_test(races_as_json),
        cmocka_unit_test(races_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
