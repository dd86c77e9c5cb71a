/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the facts of random runs with a naive analysis, which answers each question by looking at all
 * events again. The seed is printed; PGASIM_TEST_SEED=N chooses it.
 */
#include "report/random_run.h"
#include "seed.h"

/* --- the dumb analysis ------------------------------------------------------------------------------- */

struct state {
    bool computes, waits;
    const char *call, *reason;
    double wait_since;
};

/* What a rank does after the first n events. */
static struct state state_after(const struct stage *s, uint32_t rank, size_t n)
{
    struct state now = {0};
    for (size_t k = 0; k < n; k++) {
        const struct trace_event *ev = &s->event.at[k];
        if (ev->rank != rank)
            continue;
        if (ev->type == TRACE_COMPUTE_BEGIN || ev->type == TRACE_COMPUTE_END)
            now.computes = ev->type == TRACE_COMPUTE_BEGIN;
        if (ev->type == TRACE_WAIT_BEGIN)
            now.waits = true, now.reason = ev->call, now.wait_since = ev->time;
        if (ev->type == TRACE_WAIT_END)
            now.waits = false;
        if (ev->type == TRACE_CALL_ENTER)
            now.call = ev->call;
        if (ev->type == TRACE_CALL_LEAVE)
            now.call = NULL;
    }
    return now;
}

/* Seconds of a rank's time in [from, to) by report_part (no flights: waits are TIMED). */
static void naive_parts(const struct stage *s, uint32_t rank, double from, double to, double *part)
{
    double at = from;
    for (size_t k = 0; k <= s->event.n && at < to; k++) {
        double until = k < s->event.n ? fmin(s->event.at[k].time, to) : to;
        if (!(until > at))
            continue;
        struct state now = state_after(s, rank, k);
        enum report_part p = now.computes ? REPORT_COMPUTING
                             : now.waits  ? REPORT_TIMED
                             : now.call   ? REPORT_CALLING
                                          : REPORT_OTHER;
        part[p] += until - at;
        at = until;
    }
}

static size_t find_issue(const struct stage *s, uint64_t op)
{
    for (size_t k = 0; k < s->event.n; k++) {
        enum trace_type t = s->event.at[k].type;
        if (s->event.at[k].op == op && (t == TRACE_PUT_ISSUED || t == TRACE_GET_ISSUED ||
                                        t == TRACE_ATOMIC_ISSUED || t == TRACE_MESSAGE_ISSUED))
            return k;
    }
    return SIZE_MAX;
}

static double arrival(const struct stage *s, uint64_t op)
{
    double end = -1;
    for (size_t k = 0; k < s->event.n; k++) {
        enum trace_type t = s->event.at[k].type;
        if (s->event.at[k].op == op && (t == TRACE_PUT_DELIVERED || t == TRACE_GET_ARRIVED ||
                                        t == TRACE_ATOMIC_EXECUTED || t == TRACE_MESSAGE_ARRIVED))
            end = s->event.at[k].time;
    }
    return end;
}

/* The last wait of the rank before event n that took time and that an operation ended. */
static size_t last_caused(const struct stage *s, uint32_t rank, size_t n)
{
    while (n--) {
        const struct trace_event *ev = &s->event.at[n];
        if (ev->rank == rank && ev->type == TRACE_WAIT_END && ev->cause &&
            state_after(s, rank, n).wait_since < ev->time)
            return n;
    }
    return SIZE_MAX;
}

/* A rank's own time from `from` to event n at `to`; the wait that it is in by then, if any, is the call's
 * time. */
static void naive_own(const struct stage *s, uint32_t rank, size_t n, double from, double to, double *part)
{
    struct state now = state_after(s, rank, n);
    double middle = now.waits && n < s->event.n ? fmax(now.wait_since, from) : to;
    naive_parts(s, rank, from, middle, part);
    part[REPORT_CALLING] += to - middle;
}

static uint64_t naive_path(const struct stage *s, uint32_t rank, double end, double *part, double *flights)
{
    size_t n = s->event.n;
    uint64_t hops = 0;
    double to = end;
    for (;;) {
        size_t k = last_caused(s, rank, n);
        naive_own(s, rank, n, k == SIZE_MAX ? 0 : s->event.at[k].time, to, part);
        if (k == SIZE_MAX)
            return hops;
        to = s->event.at[k].time;
        uint64_t op = s->event.at[k].cause;
        for (uint32_t receiver = rank;;) {
            n = find_issue(s, op);
            *flights += to - s->event.at[n].time;
            to = s->event.at[n].time;
            rank = s->event.at[n].rank;
            hops += rank != receiver;
            op = s->event.at[n].cause;
            if (!op || s->event.at[find_issue(s, op)].peer != rank)
                break;
            part[REPORT_CALLING] += to - arrival(s, op);
            to = arrival(s, op);
            receiver = rank;
        }
    }
}

/* --- comparisons ------------------------------------------------------------------------------------- */

static void close_to(const char *what, double got, double expected)
{
    if (fabs(got - expected) > 1e-6 * (1 + fabs(expected)))
        fail_msg("%s: %.9g, by the dumb analysis %.9g", what, got, expected);
}

static void compare_ranks(const struct stage *s, const struct report_facts *f)
{
    for (uint32_t k = 0; k < s->about.ranks; k++) {
        const struct report_rank *r = &f->rank[k];
        double part[REPORT_PARTS] = {0};
        naive_parts(s, k, r->begin, r->end, part);
        close_to("computing", r->computing, part[REPORT_COMPUTING]);
        close_to("calling", r->calling, part[REPORT_CALLING]);
        close_to("waiting", r->waiting, part[REPORT_TIMED]);
        close_to("other", r->other, part[REPORT_OTHER]);
        close_to("all", r->computing + r->calling + r->waiting + r->other + r->after, f->end);
    }
}

static void compare_waits(const struct stage *s, const struct report_facts *f)
{
    double cell[STAGE_RANKS][STAGE_RANKS] = {{0}};
    for (size_t k = 0; k < s->event.n; k++) {
        const struct trace_event *ev = &s->event.at[k];
        if (ev->type != TRACE_WAIT_END || !ev->cause)
            continue;
        const struct trace_event *op = &s->event.at[find_issue(s, ev->cause)];
        cell[ev->rank][op->rank == ev->rank ? op->peer : op->rank] +=
            ev->time - state_after(s, ev->rank, k).wait_since;
    }
    for (uint32_t a = 0; a < s->about.ranks; a++)
        for (uint32_t b = 0; b < s->about.ranks; b++)
            close_to("waited", f->waits.cell[a * f->waits.n + b], cell[a][b]);
}

static double last_change(const struct report_facts *f, uint32_t rank)
{
    const struct report_lane *l = &f->work->lane[rank];
    return l->at[l->n - 1].time;
}

static void compare_path(const struct stage *s, const struct report_facts *f)
{
    double part[REPORT_PARTS] = {0}, flights = 0;
    uint32_t last = 0;
    for (uint32_t k = 1; k < s->about.ranks; k++)
        if (f->rank[k].end > f->rank[last].end ||
            (f->rank[k].end == f->rank[last].end && last_change(f, k) > last_change(f, last)))
            last = k;
    uint64_t hops = naive_path(s, last, f->rank[last].end, part, &flights);
    assert_int_equal(f->path.hops, hops);
    for (enum report_part p = REPORT_COMPUTING; p <= REPORT_OTHER; p++)
        close_to(report_part_text(p), f->path.part[p], part[p]);
    close_to("flights",
             f->path.part[REPORT_LATENCY] + f->path.part[REPORT_TRANSFER] + f->path.part[REPORT_CONTENTION],
             flights);
    double sum = 0;
    for (size_t k = 0; k < f->path.n; k++)
        sum += f->path.at[k].end - f->path.at[k].begin;
    assert_true(sum == f->end); /* eighths: exactly */
    for (size_t k = 0; k < f->suggestions; k++)
        assert_true(f->suggestion[k].foreseen >= 0 && f->suggestion[k].foreseen <= f->suggestion[k].gain);
}

/* Every bin by every operation. */
static void compare_links(const struct stage *s, const struct report_facts *f)
{
    for (uint32_t l = 0; l < s->about.links; l++) {
        double bytes = 0;
        for (uint32_t b = 0; b < f->bins.n && f->link[l].usage; b++) {
            double in = 0, from = b * f->bins.width, to = from + f->bins.width;
            for (uint32_t k = 0; k < f->work->ops; k++) {
                const struct report_op *op = report_op_at(f->work, k);
                const uint32_t *way;
                bool crosses = false;
                uint32_t n = report_op_route(f, op, &way);
                for (uint32_t w = 0; w < n; w++)
                    crosses |= way[w] == l;
                if (!crosses || !op->ended)
                    continue;
                double begin =
                    op->issued + fmin(op->least > 0 ? (double)op->least : 0.375, op->end - op->issued);
                double overlap = fmin(op->end, to) - fmax(begin, from);
                if (overlap > 0 && op->end > begin)
                    in += (double)op->bytes * overlap / (op->end - begin);
                else if (op->end <= begin && op->end >= from && (op->end < to || b + 1 == f->bins.n))
                    in += (double)op->bytes;
            }
            bytes += in;
            close_to("bin", (double)f->link[l].usage[b], in / (s->link[l].bandwidth * f->bins.width));
        }
        close_to("bytes", f->link[l].bytes, bytes);
    }
}

static void compare_counts(const struct stage *s, const struct report_facts *f)
{
    uint64_t count[REPORT_KINDS] = {0}, bytes[REPORT_KINDS] = {0}, calls = 0, entered = 0, met = 0,
             meetings = 0;
    double traffic = 0;
    for (size_t k = 0; k < s->event.n; k++) {
        const struct trace_event *ev = &s->event.at[k];
        int kind = ev->type == TRACE_PUT_ISSUED       ? REPORT_PUT
                   : ev->type == TRACE_GET_ISSUED     ? REPORT_GET
                   : ev->type == TRACE_ATOMIC_ISSUED  ? REPORT_ATOMIC
                   : ev->type == TRACE_MESSAGE_ISSUED ? REPORT_MESSAGE
                                                      : -1;
        entered += ev->type == TRACE_CALL_LEAVE;
        met += ev->type == TRACE_COLLECTIVE_END;
        meetings = ev->type == TRACE_COLLECTIVE_BEGIN && ev->op > meetings ? ev->op : meetings;
        if (kind >= 0)
            count[kind]++, bytes[kind] += ev->bytes;
    }
    for (unsigned k = 0; k < REPORT_KINDS; k++) {
        assert_int_equal(f->kind[k].count, count[k]);
        assert_int_equal(f->kind[k].bytes, bytes[k]);
        assert_int_equal(f->kind[k].duration.n + f->kind[k].unfinished, count[k]);
    }
    for (size_t k = 0; k < f->calls; k++)
        calls += f->call[k].count;
    assert_int_equal(calls, entered);
    assert_true(f->collectives == (meetings > 0) && (!meetings || f->collective[0].count == meetings));
    assert_true(!meetings || f->collective[0].parts == met);
    for (size_t k = 0; k < (size_t)f->bytes[0].n * f->bytes[0].n; k++)
        traffic += f->bytes[0].cell[k];
    assert_true(traffic == (double)(bytes[REPORT_PUT] + bytes[REPORT_GET] + bytes[REPORT_ATOMIC]));
}

static void random_runs(void **state)
{
    (void)state;
    uint64_t first = seed_of_test(1);
    for (uint64_t seed = first; seed < first + (seed_is_given() ? 1 : 40); seed++) {
        struct stage s;
        stage_init(&s, 1 + (uint32_t)(seed % 6), 1 + (uint32_t)(seed % 4));
        double end = random_run_tell(&s, seed, 12 + (uint32_t)(seed % 20));
        print_message("seed %lu: %u ranks, %zu events, %g s\n", (unsigned long)seed, s.about.ranks, s.event.n,
                      end);
        struct report_facts *f = stage_facts(&s, end);
        assert_true(f->end == end && f->events == s.event.n);
        compare_counts(&s, f);
        compare_ranks(&s, f);
        compare_waits(&s, f);
        compare_links(&s, f);
        compare_path(&s, f);
        report_facts_destroy(f);
        stage_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
