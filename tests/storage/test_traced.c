/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what traces are told of files: requests, parts, answers, operations on names, and accesses of front ends, each with
 * its time and numbers.
 */
#include "stage.h"

enum { MB = 1000000, MOST = 64 };

struct seen {
    struct trace_event ev;
    char call[40], detail[40];
};
static struct seen seen[MOST];
static int n_seen;

static void keep(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (trace_types[ev->type].category != TRACE_CATEGORY_IO)
        return;
    assert_true(n_seen < MOST);
    struct seen *s = &seen[n_seen++];
    *s = (struct seen){.ev = *ev};
    snprintf(s->call, sizeof s->call, "%s", ev->call ? ev->call : "");
    snprintf(s->detail, sizeof s->detail, "%s", ev->detail ? ev->detail : "");
}

static int close_nothing(void *ctx)
{
    (void)ctx;
    return 0;
}

static void trace_with(uint32_t wanted)
{
    stage.trace.wanted = wanted;
    n_seen = 0;
    trace_attach(&stage.trace, &(struct trace_sink){.event = keep, .close = close_nothing});
}

/* What each type has of it is compared: the number, counted from the first event's; `from`: where, of an access or request;
 * the host, of a disk; the span, of an access. `least`: of a part. */
struct expected {
    double time;
    enum trace_type type;
    uint32_t op, rank;
    const char *call, *detail;
    uint64_t bytes, from, context;
    int32_t tag;
    enum trace_kind kind;
    double least;
};

static void is(int k, const struct expected *x)
{
    const struct trace_event *ev = &seen[k].ev;
    uint32_t fields = trace_types[x->type].fields;
    if (fabs(ev->time - x->time) > 1e-9 || ev->type != x->type || ev->rank != x->rank ||
        ev->op - seen[0].ev.op != x->op)
        fail_msg("event %d: %s, number %lu of rank %u at %.9f s; expected %s, %u of %u at %.9f s", k,
                 trace_types[ev->type].text, ev->op - seen[0].ev.op, ev->rank, ev->time,
                 trace_types[x->type].text, x->op, x->rank, x->time);
    if (fields & TRACE_HAS_CALL &&
        (strcmp(seen[k].call, x->call) != 0 || strcmp(seen[k].detail, x->detail) != 0))
        fail_msg("event %d: '%s' of '%s', expected '%s' of '%s'", k, seen[k].call, seen[k].detail, x->call,
                 x->detail);
    if ((fields & TRACE_HAS_BYTES && ev->bytes != x->bytes) ||
        (fields & TRACE_HAS_ADDRESS && ev->address != x->from) ||
        (fields & TRACE_HAS_CONTEXT && ev->context != x->context))
        fail_msg("event %d: %lu bytes at %lu, context %lu; expected %lu at %lu, %lu", k, ev->bytes,
                 ev->address, (uint64_t)ev->context, x->bytes, x->from, x->context);
    if ((fields & TRACE_HAS_TAG && ev->tag != x->tag) || (fields & TRACE_HAS_KIND && ev->kind != x->kind))
        fail_msg("event %d: tag %d, kind %d; expected %d, %d", k, ev->tag, (int)ev->kind, x->tag,
                 (int)x->kind);
    if (fields & TRACE_HAS_LEAST && fabs(ev->least - x->least) > 1e-9)
        fail_msg("event %d: %.9f s since it began, expected %.9f s", k, ev->least, x->least);
}

static void all_are(const struct expected *x, int n)
{
    for (int k = 0; k < n && k < n_seen; k++)
        is(k, &x[k]);
    assert_int_equal(n_seen, n);
}
#define ALL_ARE(...)                                                                                         \
    all_are((const struct expected[]){__VA_ARGS__}, BASE_LENGTH(((const struct expected[]){__VA_ARGS__})))
#define ASKED(at, op, call, path, bytes, from, out, kind)                                                    \
    {                                                                                                        \
        at, TRACE_IO_ASKED, op, 1, call, path, bytes, from, 0, out, TRACE_KIND_##kind, 0                     \
    }
#define SERVED(at, op, disk, path, bytes, host, kind, least)                                                 \
    {                                                                                                        \
        at, TRACE_IO_SERVED, op, 1, disk, path, bytes, 0, host, 0, TRACE_KIND_##kind, least                  \
    }
#define ANSWERED(at, op)                                                                                     \
    {                                                                                                        \
        at, TRACE_IO_ANSWERED, op, 1, "", "", 0, 0, 0, 0, TRACE_KIND_FILE, 0                                 \
    }

/* --- requests -------------------------------------------------------------------------------------------------- */

/* Rank 1, on c1: names, a write through the cache, a sync, a read that the cache has a part of. */
static void asks(struct rank *r)
{
    if (r->id == 0)
        return;
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_metadata(r, "/pfs/x", STORAGE_CHANGE), 0);
    assert_int_equal(storage_metadata(r, "/pfs/x", STORAGE_LOOKUP), 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 500000, MB), 0);
    assert_int_equal(storage_sync(f), 0);
    sleep_until(r, 2);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, MB), 0);
    storage_file_close(f);
}

static void requests(void **state)
{
    (void)state;
    begin(2, HEAD SYSTEM PROP("cache", "10MB") PROP("cache_bw", "100MBps") HOSTS("") TAIL, "");
    trace_with(1u << TRACE_CATEGORY_IO);
    play(asks);
    ALL_ARE(ASKED(0, 0, "change a name", "/pfs/x", 0, 0, 0, FILE),
            SERVED(0.022, 0, "names of pfs", "/pfs/x", 0, S0, FILE, 0.022), ANSWERED(0.022, 0),
            ASKED(0.022, 1, "look up", "/pfs/x", 0, 0, 0, FILE),
            SERVED(0.034, 1, "names of pfs", "/pfs/x", 0, S0, FILE, 0.012), ANSWERED(0.034, 1),
            ASKED(0.034, 2, "write", "/pfs/x", MB, 500000, 0, WRITE),
            ASKED(0.034, 3, "write out", "/pfs/x", MB, 500000, 1, WRITE), ANSWERED(0.044, 2),
            ASKED(0.044, 4, "sync", "/pfs/x", 0, 0, 0, FILE),
            SERVED(0.536, 3, "pfs", "/pfs/x", 500000, S0, WRITE, 0.502),
            SERVED(0.536, 3, "pfs", "/pfs/x", 500000, S1, WRITE, 0.502), ANSWERED(0.536, 3),
            ANSWERED(0.536, 4), ASKED(2, 5, "read", "/pfs/x", MB, 0, 0, READ),
            SERVED(2.502, 5, "pfs", "/pfs/x", 500000, S0, READ, 0.502), ANSWERED(2.502, 5));
}

static void asks_its_disk(struct rank *r)
{
    if (r->id == 0)
        return;
    struct storage_file *f = storage_file_open(r, "/x", 0);
    assert_int_equal(storage_metadata(r, "/x", STORAGE_CHANGE), 0);
    assert_int_equal(storage_metadata(r, "/x", STORAGE_LOOKUP), 0); /* takes no time, so nobody is told */
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 50 * MB), 0);
    storage_file_close(f);
}

static void on_a_disk(void **state)
{
    static const uint32_t hosts[] = {C1, C0};
    static const char platform[] = HEAD HOSTS(
        "<disk id='d' read_bw='100MBps' write_bw='50MBps'><prop id='change_time' value='7ms'/></disk>") TAIL;
    (void)state;
    begin_at(2, hosts, platform, "");
    trace_with(1u << TRACE_CATEGORY_IO);
    play(asks_its_disk);
    ALL_ARE(ASKED(0, 0, "change a name", "/x", 0, 0, 0, FILE),
            SERVED(0.007, 0, "d", "/x", 0, C0, FILE, 0.007), ANSWERED(0.007, 0),
            ASKED(0.007, 1, "write", "/x", 50 * MB, 0, 0, WRITE),
            SERVED(1.007, 1, "d", "/x", 50 * MB, C0, WRITE, 1), ANSWERED(1.007, 1));
    begin_at(2, hosts, platform, "");
    trace_with(0); /* of other events alone */
    play(asks_its_disk);
    assert_int_equal(n_seen, 0);
}

/* --- accesses ---------------------------------------------------------------------------------------------------- */

static void tells(struct rank *r)
{
    if (r->id == 0)
        return;
    char path[] = "/x"; /* gone before the events are read */
    struct storage_told t = {.call = "a_call",
                             .path = path,
                             .offset = 5,
                             .bytes = 10,
                             .span = 30,
                             .kind = TRACE_KIND_WRITE,
                             .tag = TRACE_IO_ALL};
    sleep_until(r, 1);
    storage_tell_begin(r, &t);
    assert_int_equal(t.number != 0, stage.trace.wanted != 0);
    path[1] = 'y';
    sleep_until(r, 2);
    storage_tell_end(r, &t);
    t.kind = TRACE_KIND_READ;
    t.tag = TRACE_IO_STARTED;
    storage_tell_begin(r, &t);
    storage_tell_end(r, &t);
}

static void accesses(void **state)
{
    (void)state;
    begin(2, HEAD HOSTS(DISK) TAIL, "");
    trace_with(1u << TRACE_CATEGORY_IO);
    play(tells);
    ALL_ARE({1, TRACE_IO_BEGIN, 0, 1, "a_call", "/x", 10, 5, 30, TRACE_IO_ALL, TRACE_KIND_WRITE, 0},
            {2, TRACE_IO_END, 0, 1, "a_call", "/x", 10, 5, 30, TRACE_IO_ALL, TRACE_KIND_WRITE, 0},
            {2, TRACE_IO_BEGIN, 1, 1, "a_call", "/x", 10, 5, 30, TRACE_IO_STARTED, TRACE_KIND_READ, 0},
            {2, TRACE_IO_END, 1, 1, "a_call", "/x", 10, 5, 30, TRACE_IO_STARTED, TRACE_KIND_READ, 0});
    begin(2, HEAD HOSTS(DISK) TAIL, "");
    trace_with(0);
    play(tells);
    assert_int_equal(n_seen, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests),
        cmocka_unit_test(on_a_disk),
        cmocka_unit_test(accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
