/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what becomes of the events of network cards and cores: states over time, sums, the profile's JSON;
 * and that incomplete traces of cards are put up with. */
#include "report/internal.h"
#include "report/stage.h"
#include "report/written.h"

/* Two atomics of rank 1 to the card of rank 0's host. They arrive at 2, and are looked up at 3: the first
 * misses, and the second merges. The line is there at 6, each is executed in 1 s, and at 8 the line is
 * written back. */
static void play(struct stage *s)
{
    for (unsigned op = 1; op <= 2; op++)
        TELL(s, 1, ATOMIC_ISSUED, 1, .op = op, .peer = 0, .call = "atomic", .bytes = 8);
    for (unsigned op = 1; op <= 2; op++)
        TELL(s, 2, CARD_ARRIVED, 0, .op = op, .peer = 1, .bytes = 8, .detail = "add", .address = 64);
    TELL(s, 3, CARD_MISSED, 0, .op = 1, .peer = 1, .address = 64);
    TELL(s, 3, CARD_MERGED, 0, .op = 2, .peer = 1, .tag = 2, .address = 64);
    TELL(s, 6, CARD_FILLED, 0, .least = 3, .address = 64);
    for (unsigned op = 1; op <= 2; op++) {
        TELL(s, 5 + op, CARD_BEGINS, 0, .op = op, .peer = 1, .detail = "add", .address = 64);
        TELL(s, 6 + op, CARD_EXECUTED, 0, .op = op, .peer = 1, .detail = "add", .address = 64);
    }
    TELL(s, 8, CARD_WROTE_BACK, 0, .address = 64);
    TELL(s, 8, CARD_INVALIDATED, 0, .tag = 1, .address = 64);
    TELL(s, 8, CARD_DRAINED, 0, .address = 64);
    TELL(s, 9, CORE_TRAPPED, 1, .detail = "illegal instruction", .address = 4);
    for (unsigned rank = 0; rank < 2; rank++) {
        TELL(s, 9, CORE_COUNTED, rank, .tag = TRACE_COUNTED_CYCLES, .detail = "cycles", .bytes = 100);
        TELL(s, 9, CORE_COUNTED, rank, .tag = TRACE_COUNTED_CLASS, .detail = "jumps", .bytes = 10);
        TELL(s, 9, CORE_COUNTED, rank, .tag = TRACE_COUNTED_CLASS, .detail = "integer", .bytes = 40);
        TELL(s, 9, CORE_COUNTED, rank, .tag = TRACE_COUNTED_STALL, .detail = "fences", .bytes = 50 * rank);
    }
}

static void is(const char *what, double got, double expected)
{
    if (got != expected)
        fail_msg("%s: %g, expected %g", what, got, expected);
}

static void sums(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    play(&s);
    struct report_facts *f = stage_facts(&s, 10);
    const struct report_card *c = &f->card[0];
    is("requests", (double)c->requests, 2);
    is("atomics", (double)c->atomics, 2);
    is("merges", (double)c->merges, 1);
    is("misses", (double)c->misses, 1);
    is("executed", (double)c->executed, 2);
    is("lines read", (double)c->fills, 1);
    is("lines written", (double)c->writes, 1);
    is("lines lost", (double)c->lost, 1);
    is("idle", c->seconds[REPORT_CARD_IDLE], 2 + 2);
    is("moves requests", c->seconds[REPORT_CARD_BUSY], 1);
    is("waits for memory", c->seconds[REPORT_CARD_FILLS], 3);
    is("executes", c->seconds[REPORT_CARD_EXECUTES], 2);
    is("requests in the card", c->in_card, 5 + 6);
    is("MSHRs in use", c->mshrs, 5);
    is("fills", c->filling, 3);
    is("most requests", c->most, 2);
    is("most MSHRs", c->most_mshrs, 1);
    is("the other host's card", (double)f->card[1].requests, 0);
    is("traps", (double)f->traps, 1);
    is("sums of cores", (double)f->counts_all, 4);
    is("integer", (double)f->counted_all[0].count, 80);
    report_facts_destroy(f);
    stage_release(&s);
}

static void as_json(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    play(&s);
    struct report_facts *f = stage_facts(&s, 10);
    char *text = written_json(report_cards_json, f, 0);
    assert_string_equal(
        text,
        "{\"cards\":[{\"host\":\"a\",\"requests\":2,\"atomics\":2,\"hits\":0,\"merges\":1,\"misses\":1,"
        "\"streams\":0,\"conflicts\":0,\"stalls\":0,\"executed\":2,\"lines_read\":1,\"lines_written\":1,"
        "\"lines_lost\":1,\"executing\":2,\"waiting_for_memory\":3,\"fill_seconds\":3,"
        "\"request_seconds\":11,\"mshr_seconds\":5,\"most_requests\":2,\"most_mshrs\":1}],\"traps\":1,"
        "\"cores\":[{\"rank\":0,\"instructions\":50,\"cycles\":100,\"classes\":{\"integer\":40,\"jumps\":10},"
        "\"stalled_cycles\":{\"fences\":0}},{\"rank\":1,\"instructions\":50,\"cycles\":100,"
        "\"classes\":{\"integer\":40,\"jumps\":10},\"stalled_cycles\":{\"fences\":50}}]}");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

static void as_text(void **state)
{
    static const char *const wanted[] = {
        "\n  a  ",
        " 1.00 ",
        "accesses of host memory: 1.000 for each of 2 atomics",
        "80   80.0%  instructions: integer\n",
        "50   25.0%  cycles: fences\n",
        "1 traps taken\n",
        "\n       1             50            100    2.00    50.0%  fences\n"};
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    play(&s);
    struct report_facts *f = stage_facts(&s, 10);
    char *text = written_text(report_cards_print, f, 0);
    for (size_t k = 0; k < BASE_LENGTH(wanted); k++)
        if (!strstr(text, wanted[k]))
            fail_msg("'%s' is missing in: %s", wanted[k], text);
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

/* A line that waits for its place has one MSHR from then on, not another one when it gets it. A request
 * that is streamed does not end what the core does. */
static void places(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    TELL(&s, 1, CARD_ARRIVED, 0, .op = 1, .peer = 1);
    TELL(&s, 1, CARD_ARRIVED, 0, .op = 2, .peer = 1);
    TELL(&s, 1, CARD_MISSED, 0, .op = 1, .peer = 1, .address = 0);
    TELL(&s, 2, CARD_CONFLICT, 0, .op = 2, .peer = 1, .address = 65536);
    TELL(&s, 3, CARD_FILLED, 0, .least = 2, .address = 0);
    TELL(&s, 3, CARD_BEGINS, 0, .op = 1, .peer = 1);
    TELL(&s, 4, CARD_EXECUTED, 0, .op = 99, .peer = 1);
    TELL(&s, 5, CARD_EXECUTED, 0, .op = 1, .peer = 1);
    TELL(&s, 5, CARD_DRAINED, 0, .address = 0);
    TELL(&s, 5, CARD_MISSED, 0, .op = 2, .peer = 1, .address = 65536);
    TELL(&s, 7, CARD_DRAINED, 0, .address = 65536);
    TELL(&s, 7, CARD_DRAINED, 0, .address = 65536); /* that of a line that the trace does not have */
    struct report_facts *f = stage_facts(&s, 8);
    is("MSHRs", f->card[0].mshrs, (7 - 1) + (5 - 2));
    is("most MSHRs", f->card[0].most_mshrs, 2);
    is("executes", f->card[0].seconds[REPORT_CARD_EXECUTES], 2);
    report_facts_destroy(f);
    stage_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(as_json),
        cmocka_unit_test(as_text),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
