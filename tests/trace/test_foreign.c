/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins the steps that foreign.c makes of events, with a form that writes them down: states nest, flights have
 * both ends, loads change once an instant, and filtered streams are tolerated.
 */
#include "trace/foreign/foreign.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "trace/stage.h"

/* --- a form that writes the steps down -------------------------------------------------------------- */

struct log {
    char text[8192];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void note(struct trace_foreign *f, const char *fmt, ...)
{
    struct log *log = f->ctx;
    va_list args;
    va_start(args, fmt);
    log->n += (size_t)vsnprintf(log->text + log->n, sizeof log->text - log->n, fmt, args);
    va_end(args);
    assert_true(log->n < sizeof log->text);
}

static void on_begin(struct trace_foreign *f)
{
    note(f, "begin ");
}

static void on_named(struct trace_foreign *f, uint32_t name)
{
    assert_int_equal(name, f->named - 1);
}

static void on_lane(struct trace_foreign *f, struct trace_lane *l)
{
    note(f, "lane%u.%u ", l->rank, l->thread);
}

static const char *text_of(const struct trace_foreign *f, uint32_t name)
{
    return f->names.name.at[name].kind == TRACE_NAME_LIFE ? "life" : f->names.name.at[name].text;
}

static void on_push(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame,
                    bool again)
{
    note(f, "%u%s%s ", l->rank, again ? "((" : "(", text_of(f, frame->name));
}

static void on_pop(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame, bool again)
{
    note(f, "%u%s%s ", l->rank, again ? "))" : ")", text_of(f, frame->name));
}

static void on_step(struct trace_foreign *f, enum trace_step step, const struct trace_flight *flight,
                    struct trace_lane *at, struct trace_lane *other)
{
    static const char *const steps[] = {"issued", "reached", "ended", "kept", "signaled", "cut"};
    note(f, "%s%u@%u.%u<%u ", steps[step], (unsigned)flight->op, at->rank, at->thread, other->rank);
}

static void on_mark(struct trace_foreign *f, struct trace_lane *l, uint32_t name,
                    const struct trace_event *user)
{
    note(f, "%u!%s ", l->rank, text_of(f, name));
    for (uint32_t k = 0; user && k < user->peer; k++)
        note(f, "%+d ", (int)user->values[k]);
}

static void on_race(struct trace_foreign *f, const struct trace_race *race)
{
    note(f, "race%u,%s@%u,%u:", (unsigned)race->number, race->missing, race->owner, (unsigned)race->bytes);
    for (unsigned k = 0; k < 2; k++)
        note(f, "[%u.%u@%u %s]", race->end[k].lane->rank, race->end[k].lane->thread,
             (unsigned)race->end[k].time, text_of(f, race->end[k].name));
    note(f, " ");
}

static void on_card(struct trace_foreign *f, const struct trace_event *ev)
{
    note(f, "card%u@%u:%s ", (unsigned)ev->op, ev->rank, trace_types[ev->type].text);
}

static void on_link(struct trace_foreign *f, uint32_t link, uint64_t bytes)
{
    note(f, "L%u=%u ", link, (unsigned)bytes);
}

static void on_host(struct trace_foreign *f, uint32_t host, uint64_t threads)
{
    note(f, "H%u=%u ", host, (unsigned)threads);
}

static void on_energy(struct trace_foreign *f, uint32_t host, uint64_t nanojoules)
{
    note(f, "J%u=%u ", host, (unsigned)nanojoules);
}

static void on_file(struct trace_foreign *f, struct trace_lane *l, const struct trace_event *ev,
                    uint32_t path)
{
    note(f, "%u:%s:%s%+d,%u ", l->rank, trace_types[ev->type].text, text_of(f, path), (int)ev->address,
         (unsigned)ev->bytes);
}

static void on_served(struct trace_foreign *f, const struct trace_event *ev, uint64_t bytes)
{
    note(f, "D%u=%u(%s) ", (unsigned)ev->context, (unsigned)bytes, ev->call);
}

static int on_close(struct trace_foreign *f, bool empty)
{
    note(f, empty ? "empty" : "close");
    return 0;
}

static const struct trace_form form = {on_begin, on_named,  on_lane, on_push,   on_pop,
                                       on_step,  on_mark,   on_race, on_card,   on_link,
                                       on_host,  on_energy, on_file, on_served, on_close};

static struct trace_sink open_log(struct log *log)
{
    static struct trace_about about;
    about = stage_about();
    log->n = 0;
    log->text[0] = 0;
    return trace_foreign_sink(&form, &about, log);
}

/* --- steps ------------------------------------------------------------------------------------------- */

static void test_states(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, CALL_ENTER, 0, .call = "call");
    AT(&s, 2, WAIT_BEGIN, 0, .call = "wait");
    AT(&s, 3, WAIT_END, 0, .call = "wait");
    AT(&s, 4, CALL_LEAVE, 0, .call = "call");
    AT(&s, 5, RANK_END, 0, .op = 0);
    s.close(s.ctx);
    assert_string_equal(log.text, "begin lane0.0 0(life 0(call H0=1 0(wait H0=0 0)wait H0=1 0)call H0=0 "
                                  "0)life close");
}

static void test_user(void **state)
{
    static const int64_t values[] = {7, -1};
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, USER, 0, .call = "held", .detail = "lock owner", .peer = 2, .values = values);
    AT(&s, 2, USER, 0, .call = "tick", .detail = "");
    AT(&s, 2, MARK, 0, .call = "held");
    s.close(s.ctx);
    assert_string_equal(log.text, "begin lane0.0 0(life 0!held +7 -1 0!tick 0!held 0)life close");
}

/* A host's joules are a counter; at the end they are an event with values, too. Events of these names with other
 * fields are the program's own. */
static void test_energy(void **state)
{
    static const int64_t so_far[] = {5}, end[] = {0, 9, 4}, nowhere[] = {1 << 20, 9, 4};
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, USER, 0, .call = "energy", .detail = TRACE_ENERGY_FIELDS, .peer = 1, .values = so_far);
    AT(&s, 2, USER, 0, .call = "energy", .detail = "mine", .peer = 1, .values = so_far);
    AT(&s, 3, USER, 0, .call = "energy-host", .detail = TRACE_ENERGY_HOST_FIELDS, .peer = 3, .values = end);
    AT(&s, 3, USER, 0, .call = "energy-host", .detail = TRACE_ENERGY_HOST_FIELDS, .peer = 3,
       .values = nowhere);
    s.close(s.ctx);
    assert_string_equal(log.text, "begin J0=5 lane0.0 0(life 0!energy +5 J0=9 0!energy-host +0 +9 +4 "
                                  "0!energy-host +1048576 +9 +4 0)life close");
}

/* What ends before what lies above it. */
static void test_overlap(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, MARK_BEGIN, 0, .call = "a");
    AT(&s, 1, CALL_ENTER, 0, .call = "call");
    AT(&s, 1, MARK_BEGIN, 0, .call = "b");
    AT(&s, 1, CALL_LEAVE, 0, .call = "call");
    AT(&s, 1, MARK_END, 0, .op = 0);
    AT(&s, 1, MARK_END, 0, .op = 0);
    s.close(s.ctx);
    assert_string_equal(log.text,
                        "begin lane0.0 0(life 0(a 0(call 0(b 0))b 0)call 0((b 0)b 0)a 0)life close");
}

/* Of two collectives the one whose number it is. */
static void test_meetings(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, COLLECTIVE_BEGIN, 0, .call = "a", .op = 1);
    AT(&s, 1, COLLECTIVE_BEGIN, 0, .call = "b", .op = 2);
    AT(&s, 1, COLLECTIVE_END, 0, .call = "a", .op = 1);
    AT(&s, 1, COLLECTIVE_END, 0, .call = "b", .op = 2);
    s.close(s.ctx);
    assert_string_equal(log.text, "begin lane0.0 0(life 0(a 0(b 0))b 0)a 0((b 0)b 0)life close");
}

/* Nonblocking ones overlap with each other and with calls, so they are marks, not states. */
static void test_started(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, COLLECTIVE_BEGIN, 0, .call = "a", .op = 1, .tag = 1);
    AT(&s, 1, COLLECTIVE_BEGIN, 0, .call = "b", .op = 2, .tag = 2);
    AT(&s, 1, CALL_ENTER, 0, .call = "call");
    AT(&s, 1, COLLECTIVE_END, 0, .call = "a", .op = 1, .tag = 1);
    AT(&s, 1, CALL_LEAVE, 0, .call = "call");
    AT(&s, 1, COLLECTIVE_END, 0, .call = "b", .op = 2, .tag = 2);
    s.close(s.ctx);
    assert_string_equal(log.text, "begin lane0.0 0(life 0!a 0!b 0(call 0!a 0)call 0!b 0)life close");
}

/* An access is a state, with its steps within; a nonblocking one is two marks. Disks' bytes add up by host. */
static void test_files(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, IO_BEGIN, 0, .call = "all", .op = 1, .bytes = 8, .detail = "file", .address = 16);
    AT(&s, 1, PHASE_BEGIN, 0, .call = "step", .op = 1);
    AT(&s, 1, IO_BEGIN, 0, .call = "later", .op = 2, .bytes = 4, .detail = "file", .tag = TRACE_IO_STARTED);
    AT(&s, 1, IO_ASKED, 0, .call = "write", .op = 3, .bytes = 8, .detail = "file");
    AT(&s, 2, PHASE_END, 0, .call = "step", .op = 1);
    AT(&s, 2, PHASE_BEGIN, 0, .call = "hidden", .op = 2, .tag = TRACE_IO_STARTED);
    AT(&s, 3, IO_SERVED, 0, .call = "disk", .op = 3, .bytes = 8, .detail = "file", .context = 1);
    AT(&s, 3, IO_ANSWERED, 0, .op = 3);
    AT(&s, 3, IO_SERVED, 0, .call = "other", .op = 4, .bytes = 2, .detail = "file", .context = 1);
    AT(&s, 3, IO_SERVED, 0, .call = "nowhere", .op = 4, .bytes = 2, .detail = "file", .context = 2);
    AT(&s, 4, IO_END, 0, .call = "all", .op = 1, .bytes = 8, .detail = "file", .address = 16);
    AT(&s, 5, IO_END, 0, .call = "later", .op = 2, .bytes = 4, .detail = "file", .tag = TRACE_IO_STARTED);
    s.close(s.ctx);
    assert_string_equal(log.text, "begin lane0.0 0(life 0(all 0:io-begin:file+16,8 0(step 0!later "
                                  "0:io-begin:file+0,4 0)step D1=8(disk) D1=10(other) "
                                  "0:io-end:file+16,8 0)all 0:io-end:file+0,4 0!later 0)life close");
}

static void test_filtered(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    AT(&s, 1, CALL_LEAVE, 0, .call = "call");
    AT(&s, 1, MARK_END, 0, .op = 0);
    AT(&s, 1, WAIT_END, 0, .call = "wait");
    AT(&s, 1, PUT_DELIVERED, 0, .op = 1, .peer = 0);
    AT(&s, 1, GET_READ, 0, .op = 2, .peer = 0);
    AT(&s, 1, GET_ARRIVED, 0, .op = 2, .peer = 0);
    AT(&s, 1, ATOMIC_ARRIVED, 0, .op = 3, .peer = 0);
    AT(&s, 1, CALL_ENTER, 0, .call = "open");
    s.close(s.ctx);
    assert_string_equal(log.text, "begin lane0.0 0(life 0(open 0)open 0)life close");
    s = open_log(&log);
    s.close(s.ctx);
    assert_string_equal(log.text, "empty");
}

static void test_flights(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    stage_play(&s);
    s.close(s.ctx);
    static const char *const wanted[] = {
        "issued1@0.0<1 ",   "kept1@1.0<0 ",    "ended1@1.0<0 ", /* put, kept back at its target */
        "signaled1@1.0<0 ",                                     /* its signal */
        "issued2@2.1<0 ",   "reached2@0.0<2 ", "kept2@2.0<0 ",
        "ended2@2.1<0 ", /* get, from a thread, kept back on its way back */
        "issued3@1.0<0 ",   "reached3@0.0<1 ", "ended3@1.0<0 ", /* atomic that fetches */
        "issued4@1.0<0 ",   "reached4@0.0<1 ",                  /* atomic that does not */
        "issued5@1.0<0 ",   "ended5@0.0<1 ",                    /* message */
        "issued7@0.0<1 ",   "ended7@1.0<0 ",                    /* two-sided message */
    };
    for (size_t k = 0; k < BASE_LENGTH(wanted); k++)
        if (!strstr(log.text, wanted[k]))
            fail_msg("%s is missing in: %s", wanted[k], log.text);
    assert_null(strstr(log.text, " cut"));
    assert_non_null(strstr(log.text, "card1@1:card-arrived card1@1:card-stalled "));
    assert_non_null(strstr(log.text, "2!illegal ")); /* a trap is a mark */
    assert_null(strstr(log.text, "integer"));        /* counts are left out */
}

/* A message may have the number of an operation. What has not come to its end is cut, in order. */
static void test_cut(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    for (uint32_t r = 0; r < 2; r++)
        AT(&s, 1, RANK_BEGIN, r, .op = 0);
    AT(&s, 1, GET_ISSUED, 0, .op = 9, .peer = 1);
    AT(&s, 1, MESSAGE_ISSUED, 0, .op = 7, .peer = 1);
    AT(&s, 1, PUT_ISSUED, 0, .op = 7, .peer = 1);
    AT(&s, 1, PUT_ISSUED, 0, .op = 3, .peer = 1);
    AT(&s, 1, GET_READ, 0, .op = 9, .peer = 1);
    s.close(s.ctx);
    const char *from = strstr(log.text, "reached9");
    assert_non_null(from);
    assert_string_equal(from,
                        "reached9@1.0<0 cut3@1.0<0 cut7@1.0<0 cut9@0.0<1 cut7@1.0<0 0)life 1)life close");
}

/* From rank 0 to 1 is link 0, back is link 1. */
static void test_loads(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    for (uint32_t r = 0; r < 3; r++)
        AT(&s, 0, RANK_BEGIN, r, .op = 0);
    size_t start = log.n;
    AT(&s, 1, PUT_ISSUED, 0, .op = 1, .peer = 1, .bytes = 100);
    AT(&s, 1, PUT_ISSUED, 0, .op = 2, .peer = 2, .bytes = 10);
    AT(&s, 2, PUT_DELIVERED, 0, .op = 1, .peer = 1, .bytes = 100);
    AT(&s, 2, PUT_ISSUED, 0, .op = 3, .peer = 1, .bytes = 100);
    AT(&s, 3, GET_ISSUED, 0, .op = 4, .peer = 1, .bytes = 5);
    AT(&s, 4, GET_READ, 0, .op = 4, .peer = 1, .bytes = 5);
    AT(&s, 5, GET_ARRIVED, 0, .op = 4, .peer = 1, .bytes = 5);
    AT(&s, 6, PUT_ISSUED, 1, .op = 5, .peer = 2, .bytes = 7);
    s.close(s.ctx);
    assert_string_equal(log.text + start,
                        "issued1@0.0<1 issued2@0.0<2 L0=110 ended1@1.0<0 issued3@0.0<1 issued4@0.0<1 "
                        "reached4@1.0<0 L1=5 ended4@0.0<1 L1=0 issued5@1.0<2 cut2@2.0<0 cut3@1.0<0 "
                        "cut5@2.0<1 0)life 1)life 2)life close");
}

/* A two-sided message is on the links until it has landed, wherever its receive is, and under way until it is
 * received; of one whose arrival a filter took away, until then. */
static void test_sends(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    for (uint32_t r = 0; r < 3; r++)
        AT(&s, 0, RANK_BEGIN, r, .op = 0);
    size_t start = log.n;
    AT(&s, 1, RECEIVE_POSTED, 1, .op = 9, .peer = TRACE_ANY, .bytes = 100);
    AT(&s, 1, SEND_ISSUED, 0, .op = 1, .peer = 1, .bytes = 100, .call = "send");
    AT(&s, 1, SEND_ISSUED, 0, .op = 2, .peer = 1, .bytes = 10, .call = "send");
    AT(&s, 1, SEND_ISSUED, 0, .op = 3, .peer = 2, .bytes = 1, .call = "send");
    AT(&s, 2, SEND_MATCHED, 0, .op = 1, .peer = 1, .bytes = 100, .cause = 9);
    AT(&s, 2, SEND_ARRIVED, 0, .op = 1, .peer = 1, .bytes = 100);
    AT(&s, 3, SEND_RECEIVED, 0, .op = 1, .peer = 1, .bytes = 100);
    AT(&s, 4, SEND_RECEIVED, 0, .op = 2, .peer = 1, .bytes = 10);
    AT(&s, 4, SEND_RECEIVED, 0, .op = 2, .peer = 1, .bytes = 10);
    s.close(s.ctx);
    assert_string_equal(log.text + start,
                        "issued1@0.0<1 issued2@0.0<1 issued3@0.0<2 L0=111 L0=11 ended1@1.0<0 ended2@1.0<0 "
                        "cut3@2.0<0 0)life 1)life 2)life L0=1 close");
}

/* What an operation is says the emitter, or else its call's kind. */
static void test_kinds(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    for (uint32_t r = 0; r < 2; r++)
        AT(&s, 0, RANK_BEGIN, r, .op = 0);
    size_t start = log.n;
    AT(&s, 1, ATOMIC_ISSUED, 0, .op = 1, .peer = 1, .call = "no such name that fetches");
    AT(&s, 1, ATOMIC_ISSUED, 0, .op = 2, .peer = 1, .call = "inc", .kind = TRACE_KIND_ATOMIC_SWAP);
    AT(&s, 1, ATOMIC_ISSUED, 0, .op = 3, .peer = 1, .call = "fetch_inc", .kind = TRACE_KIND_ATOMIC_UPDATE);
    for (uint64_t op = 1; op <= 3; op++)
        AT(&s, 2, ATOMIC_EXECUTED, 0, .op = op, .peer = 1);
    for (uint64_t op = 1; op <= 3; op++)
        AT(&s, 3, ATOMIC_ARRIVED, 0, .op = op, .peer = 1);
    s.close(s.ctx);
    assert_string_equal(log.text + start,
                        "issued1@0.0<1 issued2@0.0<1 issued3@0.0<1 reached1@1.0<0 reached2@1.0<0 "
                        "reached3@1.0<0 ended2@0.0<1 0)life 1)life close");
}

/* A race is one step, with both ends and their own times; accesses of another number are left out, as are those
 * without a race. */
static void test_race(void **state)
{
    (void)state;
    struct log log;
    struct trace_sink s = open_log(&log);
    for (uint32_t r = 0; r < 2; r++)
        AT(&s, 5, RANK_BEGIN, r, .op = 0);
    size_t start = log.n;
    AT(&s, 6, RACE_ACCESS, 0, .op = 2, .peer = 1, .call = "put");
    AT(&s, 6, RACE, 1, .op = 2, .peer = 0, .call = "order", .detail = "heap", .bytes = 8, .context = 1);
    AT(&s, 6, RACE_ACCESS, 0, .op = 2, .peer = 1, .call = "put", .least = 3e-9, .detail = "main, a.c:5",
       .tag = TRACE_ACCESS_WRITES);
    AT(&s, 6, RACE_ACCESS, 0, .op = 3, .peer = 1, .call = "other");
    AT(&s, 6, RACE_ACCESS, 1, .thread = 1, .op = 2, .peer = 0, .call = "a load", .least = 6e-9);
    AT(&s, 6, RACE_ACCESS, 1, .op = 2, .peer = 0, .call = "third");
    AT(&s, 7, RACE, 1, .op = 4, .peer = 0);
    s.close(s.ctx);
    assert_string_equal(log.text + start,
                        "lane1.1 race2,order@1,8:[0.0@3000 race 2 on heap of rank 1: written by put in main, "
                        "a.c:5, at 3.000 ns][1.1@6000 race 2 on heap of rank 1: read by a load, at 6.000 ns] "
                        "0)life 1)life close");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),  cmocka_unit_test(test_user),     cmocka_unit_test(test_energy),
        cmocka_unit_test(test_overlap), cmocka_unit_test(test_meetings), cmocka_unit_test(test_started),
        cmocka_unit_test(test_files),   cmocka_unit_test(test_filtered), cmocka_unit_test(test_flights),
        cmocka_unit_test(test_cut),     cmocka_unit_test(test_loads),    cmocka_unit_test(test_sends),
        cmocka_unit_test(test_kinds),   cmocka_unit_test(test_race),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
