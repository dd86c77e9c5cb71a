/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins distributions, matrices, names, collectives and accounts of calls, and the effect of events that make
 * no sense. */
#include "report/stage.h"

/* Percentiles of a sorted list are within a 32nd of the true ones; counts by power are exact. */
static void distributions(void **state)
{
    (void)state;
    struct report_distribution d = {0};
    enum { N = 1000 };
    double sum = 0, low, high;
    for (unsigned k = 1; k <= N; k++) {
        report_distribution_add(&d, k * 1e-6);
        sum += k * 1e-6;
    }
    assert_true(d.n == N && d.least == 1e-6 && d.most == N * 1e-6 && d.sum == sum);
    for (unsigned percent = 1; percent <= 100; percent++) {
        double got = report_distribution_at(&d, percent / 100.0), wanted = percent * 1e-5;
        if (fabs(got - wanted) > wanted / 32)
            fail_msg("%u%%: %g, expected %g", percent, got, wanted);
    }
    uint64_t n = 0;
    for (unsigned k = 0; k < REPORT_POWERS; k++) {
        uint64_t here = report_distribution_power(&d, k, &low, &high);
        unsigned expected = 0;
        for (unsigned v = 1; v <= N; v++)
            expected += v * 1e-6 >= low && v * 1e-6 < high;
        assert_int_equal(here, expected);
        n += here;
    }
    assert_int_equal(n, N);
    report_distribution_release(&d);
}

static void extremes(void **state)
{
    (void)state;
    struct report_distribution d = {0};
    double low, high;
    assert_true(report_distribution_mean(&d) == 0 && report_distribution_at(&d, 0.5) == 0);
    report_distribution_add(&d, 0);
    report_distribution_add(&d, 1e-15);
    report_distribution_add(&d, 0x1p64);
    assert_int_equal(report_distribution_power(&d, 0, &low, &high), 2);
    assert_true(low == 0 && high == 0x1p-40);
    assert_int_equal(report_distribution_power(&d, REPORT_POWERS - 1, &low, &high), 1);
    assert_true(report_distribution_at(&d, 1) == 0x1p64);
    report_distribution_release(&d);
}

static void matrices(void **state)
{
    (void)state;
    struct report_matrix m;
    report_matrix_init(&m, 1000, 512);
    assert_true(m.group == 2 && m.n == 500);
    report_matrix_add(&m, 999, 0, 3);
    report_matrix_add(&m, 998, 1, 4);
    report_matrix_add(&m, 0, 2, 7);
    report_matrix_add(&m, 4, 4, 9);
    struct report_pair top[2];
    assert_int_equal(report_matrix_top(&m, top, 2), 2);
    assert_true(top[0].row == 2 && top[0].column == 2 && top[0].value == 9);
    assert_true(top[1].row == 0 && top[1].column == 1 && top[1].value == 7); /* the first of two sevens */
    assert_int_equal(report_matrix_top(&m, top, 0), 0);
    free(m.cell);
    report_matrix_init(&m, 512, 512);
    assert_true(m.group == 1 && m.n == 512);
    free(m.cell);
}

/* Equal texts at different addresses are one name; there are never too many. */
static void names(void **state)
{
    (void)state;
    const struct trace_about about = {.ranks = 1};
    struct report_names *n = report_names_create(&about);
    char a[] = "same", b[] = "same", text[16];
    assert_int_equal(report_names_find(n, NULL), 0);
    assert_int_equal(report_names_find(n, a), report_names_find(n, b));
    static char many[70000][8];
    for (unsigned k = 0; k < 70000; k++) {
        snprintf(many[k], sizeof many[k], "%u", k);
        report_names_find(n, many[k]);
    }
    snprintf(text, sizeof text, "%s", report_names_text(n, report_names_find(n, many[69999])));
    assert_string_equal(text, "(others)");
    assert_string_equal(report_names_text(n, report_names_find(n, many[60000])), "60000");
    report_names_destroy(n);
}

/* Three members come at 1, 2 and 4 and leave at 5, 5 and 6. */
static void collectives(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 3, 1);
    for (uint32_t k = 0; k < 3; k++)
        TELL(&s, k == 2 ? 4 : 1 + k, COLLECTIVE_BEGIN, k, .op = 9, .peer = 3, .bytes = 64,
             .call = "broadcast", .detail = "tree");
    TELL(&s, 4, COLLECTIVE_CHOSEN, 0, .op = 9, .peer = 3, .bytes = 64, .call = "broadcast",
         .detail = "a rule", .least = 1.5);
    for (uint32_t k = 0; k < 3; k++)
        TELL(&s, k == 2 ? 6 : 5, COLLECTIVE_END, k, .op = 9, .call = "broadcast");
    TELL(&s, 7, COLLECTIVE_CHOSEN, 0, .op = 9, .peer = 3, .detail = "too late");
    TELL(&s, 7, COLLECTIVE_BEGIN, 0, .op = 10, .peer = 3, .bytes = 64, .call = "broadcast", .detail = "tree");
    TELL(&s, 7, COLLECTIVE_BEGIN, 1, .op = 11, .peer = 1, .bytes = 64, .call = "broadcast", .detail = "flat");
    TELL(&s, 7, COLLECTIVE_CHOSEN, 0, .op = 10, .peer = 2, .detail = "of a smaller group", .least = 9);
    TELL(&s, 8, COLLECTIVE_END, 1, .op = 11, .call = "broadcast");
    TELL(&s, 8, COLLECTIVE_BETTER, 0, .op = 9, .peer = 3, .detail = "ring", .least = 0.25);
    TELL(&s, 8, COLLECTIVE_BETTER, 0, .op = 11, .peer = 3, .detail = "nothing is known of that choice");
    struct report_facts *f = stage_facts(&s, 9);
    assert_int_equal(f->collectives, 2);
    const struct report_collective *c = &f->collective[0];
    assert_string_equal(report_name_text(f, c->algorithm), "tree");
    assert_true(c->count == 2 && c->unfinished == 1 && c->parts == 3 && c->members_most == 3);
    assert_true(c->sum == 4 + 3 + 2 && c->least == 2 && c->most == 4 && c->longest_at == 1);
    assert_true(c->imbalance_sum == 3 && c->imbalance_most == 3 && c->after_sum == 2 && c->after_most == 2);
    assert_string_equal(report_name_text(f, c->why), "a rule");
    assert_string_equal(report_name_text(f, c->better), "ring");
    assert_true(c->bound == 1.5 && c->bound_members == 3 && c->saves == 0.25);
    assert_true(!f->collective[1].why && !f->collective[1].better);
    assert_true(f->collective[1].count == 1 && f->collective[1].unfinished == 0 && f->collective_calls == 5);
    report_facts_destroy(f);
    stage_release(&s);
}

/* Nonblocking parts of two meetings overlap, on one lane, with each other and with a blocking one. */
static void started_collectives(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 1);
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 1, COLLECTIVE_BEGIN, k, .op = 5, .peer = 2, .bytes = 8, .call = "i", .detail = "x",
             .tag = 1);
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 2, COLLECTIVE_BEGIN, k, .op = 6, .peer = 2, .bytes = 9, .call = "i", .detail = "x",
             .tag = 2);
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 3, COLLECTIVE_BEGIN, k, .op = 7, .peer = 2, .bytes = 7, .call = "b", .detail = "x");
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 4, COLLECTIVE_END, k, .op = 6, .call = "i", .tag = 2);
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 5 + k, COLLECTIVE_END, k, .op = 7, .call = "b");
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 8 + k, COLLECTIVE_END, k, .op = 5, .call = "i", .tag = 1);
    TELL(&s, 9, COLLECTIVE_END, 1, .op = 5, .call = "i", .tag = 1); /* once more: left out */
    struct report_facts *f = stage_facts(&s, 10);
    assert_int_equal(f->collectives, 3);
    for (size_t k = 0; k < 3; k++) {
        const struct report_collective *c = &f->collective[k];
        double sum = c->bytes == 8 ? 7 + 8 : c->bytes == 9 ? 2 + 2 : 2 + 3;
        assert_true(c->count == 1 && c->unfinished == 0 && c->parts == 2 && c->sum == sum);
    }
    report_facts_destroy(f);
    stage_release(&s);
}

/* After a thousand different sizes, sizes are rounded down to powers of two. */
static void many_sizes(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 1, 1);
    for (uint64_t k = 1; k <= 3000; k++) {
        TELL(&s, (double)k, COLLECTIVE_BEGIN, 0, .op = k, .peer = 1, .bytes = k, .call = "sum");
        TELL(&s, (double)k, COLLECTIVE_END, 0, .op = k);
    }
    struct report_facts *f = stage_facts(&s, -1);
    uint64_t count = 0;
    assert_int_equal(f->collectives, 1000 + 3); /* 512, 1024, 2048 and up */
    for (size_t k = 0; k < f->collectives; k++) {
        count += f->collective[k].count;
        assert_true(!f->collective[k].rounded ||
                    (f->collective[k].bytes & (f->collective[k].bytes - 1)) == 0);
    }
    assert_int_equal(count, 3000);
    report_facts_destroy(f);
    stage_release(&s);
}

/* The inner call's time is the outer one's; further threads count for calls and hosts, not for the rank's
 * time. */
static void calls(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 1, 1);
    TELL(&s, 0, RANK_BEGIN, 0);
    TELL(&s, 0, CALL_ENTER, 0, .call = "outer");
    TELL(&s, 1, CALL_ENTER, 0, .call = "inner");
    TELL(&s, 2, CALL_LEAVE, 0, .call = "inner");
    TELL(&s, 3, CALL_LEAVE, 0, .call = "outer");
    TELL(&s, 3, COMPUTE_BEGIN, 0, .thread = 5);
    TELL(&s, 3, COMPUTE_BEGIN, 0);
    TELL(&s, 5, COMPUTE_END, 0, .thread = 5);
    TELL(&s, 5, CALL_ENTER, 0, .call = "outer", .thread = 5);
    TELL(&s, 6, CALL_LEAVE, 0, .call = "outer", .thread = 5);
    TELL(&s, 7, COMPUTE_END, 0);
    TELL(&s, 8, RANK_END, 0);
    struct report_facts *f = stage_facts(&s, 10);
    assert_int_equal(f->calls, 1);
    assert_true(f->call[0].count == 2 && f->call[0].own == 4 && f->call[0].longest == 3);
    assert_true(f->rank[0].calling == 3 && f->rank[0].computing == 4 && f->rank[0].other == 1 &&
                f->rank[0].after == 2);
    assert_true(f->host[0].computing == 6);
    assert_true(fabs(f->host[0].peak - 1) < 1e-6); /* two of two cores */
    report_facts_destroy(f);
    stage_release(&s);
}

/* Ranks that the head does not know, times that are none, ends without begins: left out, and the rest stays
 * right. */
static void nonsense(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 1);
    TELL(&s, 1, CALL_LEAVE, 0, .call = "put");
    TELL(&s, 1, WAIT_END, 0, .cause = 77);
    TELL(&s, 1, COMPUTE_END, 0);
    TELL(&s, 1, PUT_ISSUED, 7, .peer = 0, .op = 1);
    TELL(&s, 1, PUT_ISSUED, 0, .peer = 7, .op = 1);
    TELL(&s, 1, PUT_DELIVERED, 0, .peer = 1, .op = 1);
    TELL(&s, (double)NAN, RANK_END, 0);
    TELL(&s, (double)INFINITY, RANK_END, 0);
    TELL(&s, 5, COMPUTE_BEGIN, 0);
    TELL(&s, 2, COMPUTE_BEGIN, 1); /* at 5 */
    TELL(&s, 6, RANK_END, 0);
    TELL(&s, 6, RANK_END, 1);
    struct report_facts *f = stage_facts(&s, -1);
    assert_true(f->end == 6 && f->rank[0].computing == 1 && f->rank[1].computing == 1);
    assert_true(f->kind[REPORT_PUT].count == 0 && f->path.length == 6);
    report_facts_destroy(f);
    stage_release(&s);
}

/* Of a rank that the trace leaves out nothing is said but what others tell. */
static void left_out(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    TELL(&s, 0, RANK_BEGIN, 1);
    TELL(&s, 1, WAIT_BEGIN, 1, .call = "memory");
    TELL(&s, 2, PUT_ISSUED, 0, .peer = 1, .op = 1, .call = "put");
    TELL(&s, 3, PUT_DELIVERED, 0, .peer = 1, .op = 1);
    TELL(&s, 3, WAIT_END, 1, .cause = 1);
    TELL(&s, 4, RANK_END, 1);
    struct report_facts *f = stage_facts(&s, 4);
    assert_true(!f->rank[0].seen && f->rank[0].after == 4 && f->rank[0].other == 0);
    assert_true(f->rank[1].seen && f->rank[1].waiting == 2 && f->rank[1].other == 2);
    assert_int_equal(f->path.n, 3);
    assert_true(f->path.at[0].part == REPORT_UNKNOWN && f->path.at[0].end == 2 && f->path.at[0].rank == 0);
    assert_true(f->path.at[1].op == 1 && f->path.at[2].part == REPORT_OTHER);
    report_facts_destroy(f);
    stage_release(&s);
}

/* Rank 1 waits in a receive for a message of rank 0: the path leads there. Receives, and what checkers and
 * replays want, are no operations. */
static void sends(void **state)
{
    (void)state;
    static const struct trace_call known[] = {{"receive", TRACE_KIND_RECEIVE, 0},
                                              {"send", TRACE_KIND_SEND, 0}};
    trace_calls_register(known, BASE_LENGTH(known));
    struct stage s;
    stage_init(&s, 2, 2);
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 0, RANK_BEGIN, k);
    TELL(&s, 1, CALL_ENTER, 1, .call = "receive");
    TELL(&s, 1, RECEIVE_POSTED, 1, .op = 5, .peer = TRACE_ANY, .bytes = 64, .call = "receive");
    TELL(&s, 1, WAIT_BEGIN, 1, .call = "receive");
    TELL(&s, 2, SEND_ISSUED, 0, .op = 6, .peer = 1, .bytes = 32, .call = "send", .least = 0.5);
    TELL(&s, 2, BUFFER, 0, .op = 6, .bytes = 4, .detail = "double", .call = "send");
    TELL(&s, 2, COMPLETED, 0, .peer = TRACE_ANY, .call = "no name that counts");
    TELL(&s, 3, SEND_ARRIVED, 0, .op = 6, .peer = 1, .bytes = 32);
    TELL(&s, 3, SEND_MATCHED, 0, .op = 6, .peer = 1, .bytes = 32, .cause = 5);
    TELL(&s, 4, SEND_RECEIVED, 0, .op = 6, .peer = 1, .bytes = 32);
    TELL(&s, 4, WAIT_END, 1, .cause = 6, .call = "receive");
    TELL(&s, 5, CALL_LEAVE, 1, .call = "receive");
    for (uint32_t k = 0; k < 2; k++)
        TELL(&s, 5, RANK_END, k);
    struct report_facts *f = stage_facts(&s, -1);
    const struct report_operations *o = &f->kind[REPORT_SEND];
    assert_true(o->count == 1 && o->bytes == 32 && o->unfinished == 0 && o->duration.most == 2);
    assert_true(f->operations[0].cell[1] == 1 && f->bytes[0].cell[1] == 32);
    assert_true(f->waits.cell[2] == 3); /* rank 1 for rank 0 */
    assert_true(f->late[REPORT_LATE_SENDER].seconds == 1 && f->late[REPORT_UNDER_WAY].seconds == 2);
    assert_int_equal(f->path.n, 3);
    assert_true(f->path.at[0].rank == 0 && f->path.at[1].op == 6 && f->path.at[1].kind == REPORT_SEND);
    assert_int_equal(report_names_awaited(f->work->names, report_names_find(f->work->names, "receive")),
                     TRACE_AWAITS_MESSAGE);
    assert_int_equal(f->unknown_names, 0);
    report_facts_destroy(f);
    stage_release(&s);
}

/* A sender waits from 1 to 5 for a receive that comes at 3; then ranks 0 and 1 wait, from 6 and 7, in a
 * collective whose last member comes at 9, until 10. */
static void late(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 3, 3);
    for (uint32_t k = 0; k < 3; k++)
        TELL(&s, 0, RANK_BEGIN, k);
    TELL(&s, 1, SEND_ISSUED, 0, .op = 6, .peer = 1, .bytes = 32, .call = "send");
    TELL(&s, 1, WAIT_BEGIN, 0, .call = "send");
    TELL(&s, 3, SEND_MATCHED, 0, .op = 6, .peer = 1, .bytes = 32, .cause = 5);
    TELL(&s, 5, SEND_RECEIVED, 0, .op = 6, .peer = 1, .bytes = 32);
    TELL(&s, 5, WAIT_END, 0, .cause = 6, .call = "send");
    static const double enters[] = {6, 7, 9};
    for (uint32_t k = 0; k < 3; k++) {
        TELL(&s, enters[k], COLLECTIVE_BEGIN, k, .op = 9, .peer = 3, .bytes = 8, .call = "broadcast");
        TELL(&s, enters[k], WAIT_BEGIN, k, .call = "broadcast");
    }
    for (uint32_t k = 0; k < 3; k++) {
        TELL(&s, 10, WAIT_END, k, .call = "broadcast");
        TELL(&s, 10, COLLECTIVE_END, k, .op = 9, .call = "broadcast");
    }
    struct report_facts *f = stage_facts(&s, -1);
    static const double seconds[REPORT_LATES] = {0, 2, 2, 5, 3};
    static const uint64_t counts[REPORT_LATES] = {0, 1, 1, 2, 3};
    for (unsigned k = 0; k < REPORT_LATES; k++)
        assert_true(f->late[k].seconds == seconds[k] && f->late[k].count == counts[k]);
    report_facts_destroy(f);
    stage_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributions), cmocka_unit_test(extremes),    cmocka_unit_test(matrices),
        cmocka_unit_test(names),         cmocka_unit_test(collectives), cmocka_unit_test(started_collectives),
        cmocka_unit_test(many_sizes),    cmocka_unit_test(calls),       cmocka_unit_test(nonsense),
        cmocka_unit_test(left_out),      cmocka_unit_test(sends),       cmocka_unit_test(late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
