/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the critical path and its parts on runs small enough to be worked out by hand. */
#include "report/stage.h"

/* Compares a piece with "begin end rank part", or "begin end rank<-peer latency transfer contention". */
static void is_own(const struct report_facts *f, size_t k, double begin, double end, uint32_t rank,
                   enum report_part part)
{
    const struct report_piece *p = &f->path.at[k];
    print_message("piece %zu: %g to %g, rank %u, op %lu, %s\n", k, p->begin, p->end, p->rank,
                  (unsigned long)p->op, report_part_text(p->part));
    assert_true(k < f->path.n && !p->op);
    assert_true(p->begin == begin && p->end == end);
    assert_int_equal(p->rank, rank);
    assert_int_equal(p->part, part);
}

static void is_flight(const struct report_facts *f, size_t k, double begin, double end, uint32_t from,
                      uint32_t to, double transfer, double contention)
{
    const struct report_piece *p = &f->path.at[k];
    print_message("piece %zu: %g to %g, %u to %u, transfer %g, contention %g\n", k, p->begin, p->end, p->peer,
                  p->rank, (double)p->transfer, (double)p->contention);
    assert_true(k < f->path.n && p->op);
    assert_true(p->begin == begin && p->end == end);
    assert_int_equal(p->peer, from);
    assert_int_equal(p->rank, to);
    assert_true((double)p->transfer == transfer && (double)p->contention == contention);
}

/* Rank 0 computes and puts 512 bytes; rank 1 waits for them, then computes: the whole run is one path. */
static void tell_handover(struct stage *s)
{
    TELL(s, 0, RANK_BEGIN, 0);
    TELL(s, 0, RANK_BEGIN, 1);
    TELL(s, 0, CALL_ENTER, 1, .call = "shmem_wait_until");
    TELL(s, 0, WAIT_BEGIN, 1, .call = "memory");
    TELL(s, 0, COMPUTE_BEGIN, 0);
    TELL(s, 2, COMPUTE_END, 0);
    TELL(s, 2, CALL_ENTER, 0, .call = "shmem_putmem");
    TELL(s, 2.5, PUT_ISSUED, 0, .peer = 1, .op = 1, .bytes = 512, .least = 0.5, .call = "shmem_putmem");
    TELL(s, 2.5, CALL_LEAVE, 0, .call = "shmem_putmem");
    TELL(s, 2.5, RANK_END, 0);
    TELL(s, 4.25, PUT_DELIVERED, 0, .peer = 1, .op = 1, .bytes = 512, .call = "shmem_putmem");
    TELL(s, 4.25, WAIT_END, 1, .call = "memory", .cause = 1);
    TELL(s, 4.25, CALL_LEAVE, 1, .call = "shmem_wait_until");
    TELL(s, 4.25, COMPUTE_BEGIN, 1);
    TELL(s, 8.25, COMPUTE_END, 1);
    TELL(s, 8.25, RANK_END, 1);
}

static void handover(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    tell_handover(&s);
    struct report_facts *f = stage_facts(&s, 8.25);
    assert_int_equal(f->path.n, 4);
    is_own(f, 0, 0, 2, 0, REPORT_COMPUTING);
    is_own(f, 1, 2, 2.5, 0, REPORT_CALLING);
    /* 1.75 s: 0.5 at the least, 512 bytes over 512 bytes/s, 0.25 more. */
    is_flight(f, 2, 2.5, 4.25, 0, 1, 1, 0.25);
    is_own(f, 3, 4.25, 8.25, 1, REPORT_COMPUTING);
    assert_true(f->path.at[2].link == 2);
    assert_true(f->path.hops == 1 && f->path.length == 8.25);
    assert_true(f->rank[1].waiting == 4.25 && f->rank[1].computing == 4 && f->rank[0].after == 5.75);
    assert_true(f->waits.cell[1 * 2 + 0] == 4.25);
    /* Half of rank 1's 4 s is the most that anything brings, but for all computations. */
    assert_int_equal(f->suggestion[0].lever, REPORT_LEVER_COMPUTATION);
    assert_true(f->suggestion[0].gain == 3 && f->suggestion[0].foreseen == 3);
    assert_true(f->suggestion[1].lever == REPORT_LEVER_RANK && f->suggestion[1].id == 1);
    assert_true(f->suggestion[1].foreseen == 2);
    report_facts_destroy(f);
    stage_release(&s);
}

/* The link as a lever is worth half of the flight beyond its latency, but no more than the next link lets it.
 * */
static void the_link_helps(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    tell_handover(&s);
    s.link[0].bandwidth = 640; /* 512 bytes take 0.8 s there */
    struct report_facts *f = stage_facts(&s, 8.25);
    size_t at = 0;
    while (at < f->suggestions && f->suggestion[at].lever != REPORT_LEVER_LINK)
        at++;
    assert_true(at < f->suggestions);
    const struct report_suggestion *link = &f->suggestion[at];
    print_message("link %u: part %g gain %g foreseen %g\n", link->id, link->part, link->gain, link->foreseen);
    assert_true(link->id == 2 && link->part == 1.25 && link->gain == 0.75);
    assert_true(fabs(link->foreseen - 0.45) < 1e-6);
    report_facts_destroy(f);
    stage_release(&s);
}

/* A message that the arrival of another let go, while its rank waits in the collective: the path goes through
 * it. */
static void chains(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 3, 3);
    for (uint32_t k = 0; k < 3; k++) {
        TELL(&s, 0, RANK_BEGIN, k);
        TELL(&s, 0, CALL_ENTER, k, .call = "broadcast");
        TELL(&s, 0, WAIT_BEGIN, k, .call = "the collective");
    }
    TELL(&s, 1, MESSAGE_ISSUED, 0, .peer = 1, .op = 7, .bytes = 0, .least = 2, .call = "broadcast");
    TELL(&s, 3, MESSAGE_ARRIVED, 0, .peer = 1, .op = 7);
    TELL(&s, 3.5, MESSAGE_ISSUED, 1, .peer = 2, .op = 8, .cause = 7, .least = 2, .call = "broadcast");
    TELL(&s, 5.5, MESSAGE_ARRIVED, 1, .peer = 2, .op = 8);
    TELL(&s, 5.5, WAIT_END, 2, .cause = 8);
    for (uint32_t k = 0; k < 3; k++)
        TELL(&s, 5.5, RANK_END, k);
    TELL(&s, 6, RANK_END, 2);
    struct report_facts *f = stage_facts(&s, 6);
    assert_int_equal(f->path.n, 5);
    is_own(f, 0, 0, 1, 0, REPORT_CALLING);
    is_flight(f, 1, 1, 3, 0, 1, 0, 0);
    is_own(f, 2, 3, 3.5, 1, REPORT_CALLING);
    is_flight(f, 3, 3.5, 5.5, 1, 2, 0, 0);
    is_own(f, 4, 5.5, 6, 2, REPORT_CALLING);
    assert_true(f->path.hops == 2 && f->path.part[REPORT_LATENCY] == 4);
    report_facts_destroy(f);
    stage_release(&s);
}

/* A message that waited for the news that the one before it had arrived leads on to that one. */
static void news(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    TELL(&s, 0, RANK_BEGIN, 0);
    TELL(&s, 0, RANK_BEGIN, 1);
    TELL(&s, 0, WAIT_BEGIN, 0, .call = "gather");
    TELL(&s, 0, WAIT_BEGIN, 1, .call = "gather");
    TELL(&s, 1, MESSAGE_ISSUED, 0, .peer = 1, .op = 1, .least = 2, .call = "gather");
    TELL(&s, 3, MESSAGE_ARRIVED, 0, .peer = 1, .op = 1);
    TELL(&s, 4, MESSAGE_ISSUED, 0, .peer = 1, .op = 2, .cause = 1, .least = 2, .call = "gather");
    TELL(&s, 6, MESSAGE_ARRIVED, 0, .peer = 1, .op = 2);
    TELL(&s, 6, WAIT_END, 1, .cause = 2);
    TELL(&s, 6, RANK_END, 1);
    struct report_facts *f = stage_facts(&s, 6);
    assert_int_equal(f->path.n, 3);
    is_own(f, 0, 0, 1, 0, REPORT_CALLING);
    is_flight(f, 1, 1, 4, 0, 0, 0, 0);
    is_flight(f, 2, 4, 6, 0, 1, 0, 0);
    report_facts_destroy(f);
    stage_release(&s);
}

/* Two puts side by side: making one faster does not help the quiet that waits for both. */
static void second_path(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 3, 3);
    s.link[3].bandwidth = 4096;
    TELL(&s, 0, RANK_BEGIN, 0);
    TELL(&s, 0, PUT_ISSUED, 0, .peer = 1, .op = 1, .bytes = 2048, .call = "put");
    TELL(&s, 0, GET_ISSUED, 0, .peer = 2, .op = 2, .bytes = 2048, .call = "get");
    TELL(&s, 0, CALL_ENTER, 0, .call = "quiet");
    TELL(&s, 0, WAIT_BEGIN, 0, .call = "completion");
    TELL(&s, 3.75, GET_ARRIVED, 0, .peer = 2, .op = 2, .bytes = 2048);
    TELL(&s, 4, PUT_DELIVERED, 0, .peer = 1, .op = 1, .bytes = 2048);
    TELL(&s, 4, WAIT_END, 0, .cause = 1);
    TELL(&s, 4, RANK_END, 0);
    struct report_facts *f = stage_facts(&s, 4);
    for (size_t k = 0; k < f->suggestions; k++) {
        const struct report_suggestion *g = &f->suggestion[k];
        print_message("lever %d of %u: gain %g, foreseen %g\n", (int)g->lever, g->id, g->gain, g->foreseen);
        if (g->lever == REPORT_LEVER_KIND)
            assert_true(g->id == REPORT_PUT && g->gain == 2 && g->foreseen == 0.25);
    }
    report_facts_destroy(f);
    stage_release(&s);
}

/* A sleep, the time before the first event and after the last rank's end are on the path, too. */
static void time_alone(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 1, 1);
    TELL(&s, 1, RANK_BEGIN, 0);
    TELL(&s, 2, WAIT_BEGIN, 0, .call = "sleep");
    TELL(&s, 5, WAIT_END, 0);
    TELL(&s, 6, RANK_END, 0);
    struct report_facts *f = stage_facts(&s, 7);
    assert_int_equal(f->path.n, 5);
    is_own(f, 0, 0, 1, 0, REPORT_UNKNOWN);
    is_own(f, 1, 1, 2, 0, REPORT_OTHER);
    is_own(f, 2, 2, 5, 0, REPORT_TIMED);
    is_own(f, 3, 5, 6, 0, REPORT_OTHER);
    is_own(f, 4, 6, 7, 0, REPORT_UNKNOWN);
    assert_string_equal(report_name_text(f, f->path.at[2].name), "sleep");
    report_facts_destroy(f);
    stage_release(&s);
}

/* A rank that another one's code lets go on: the path goes over to that one, without a flight. */
static void by_a_rank(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 1);
    TELL(&s, 0, RANK_BEGIN, 0);
    TELL(&s, 0, RANK_BEGIN, 1);
    TELL(&s, 0, COMPUTE_BEGIN, 1);
    TELL(&s, 1, WAIT_BEGIN, 0, .call = "meeting");
    TELL(&s, 4, COMPUTE_END, 1);
    TELL(&s, 4, WAIT_END, 0, .cause = TRACE_BY_RANK + 1);
    TELL(&s, 6, WAIT_BEGIN, 0, .call = "lock");
    TELL(&s, 6, COMPUTE_BEGIN, 0, .thread = 3);
    TELL(&s, 7, COMPUTE_END, 0, .thread = 3);
    TELL(&s, 7, WAIT_END, 0, .cause = TRACE_BY_RANK + 0);
    TELL(&s, 7, RANK_END, 1);
    TELL(&s, 8, RANK_END, 0);
    struct report_facts *f = stage_facts(&s, 8);
    assert_int_equal(f->path.n, 4);
    is_own(f, 0, 0, 4, 1, REPORT_COMPUTING);
    is_own(f, 1, 4, 6, 0, REPORT_OTHER);
    is_own(f, 2, 6, 7, 0, REPORT_COMPUTING); /* of its other thread */
    is_own(f, 3, 7, 8, 0, REPORT_OTHER);
    assert_true(f->path.hops == 0 && f->waits.cell[1] == 3 && f->waits.cell[0] == 1);
    for (size_t k = 0; k < f->suggestions; k++)
        if (f->suggestion[k].lever == REPORT_LEVER_RANK && f->suggestion[k].id == 1)
            assert_true(f->suggestion[k].gain == 2 && f->suggestion[k].foreseen == 2);
    report_facts_destroy(f);
    stage_release(&s);
}

static void nothing(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 1);
    struct report_facts *f = stage_facts(&s, -1);
    assert_true(f->path.n == 0 && f->path.length == 0 && f->suggestions == 0 && f->bins.n == 0);
    report_facts_destroy(f);
    stage_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handover),  cmocka_unit_test(the_link_helps), cmocka_unit_test(chains),
        cmocka_unit_test(news),      cmocka_unit_test(second_path),    cmocka_unit_test(time_alone),
        cmocka_unit_test(by_a_rank), cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
