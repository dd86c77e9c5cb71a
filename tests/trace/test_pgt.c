/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compact format. Reading gives the events that were written, in order of time, from any time on, and the
 * description of the run. Events emitted ahead of the clock are put in order.
 */
#include "trace/pgt_files.h"
#include "seed.h"

#include <inttypes.h>

/* --- random events, against a sort -------------------------------------------------------------------- */

enum { MANY = 100000 };
static struct trace_event made[MANY];

/* Stable: by time, and in the order of coming where times are equal. */
static void sort_made(size_t n)
{
    struct trace_event *copy = malloc(n * sizeof *copy);
    size_t *order = malloc(n * sizeof *order);
    for (size_t k = 0; k < n; k++)
        order[k] = k;
    for (size_t width = 1; width < n; width *= 2) { /* merges */
        size_t *to = malloc(n * sizeof *to);
        for (size_t a = 0; a < n; a += 2 * width) {
            size_t m = a + width < n ? a + width : n, e = a + 2 * width < n ? a + 2 * width : n;
            for (size_t i = a, j = m, k = a; k < e; k++)
                to[k] =
                    j == e || (i < m && made[order[i]].time <= made[order[j]].time) ? order[i++] : order[j++];
        }
        free(order);
        order = to;
    }
    for (size_t k = 0; k < n; k++)
        copy[k] = made[order[k]];
    memcpy(made, copy, n * sizeof *copy);
    free(order);
    free(copy);
}

static const struct trace_call *nobody_knows(void *ctx, const char *name)
{
    (void)ctx, (void)name;
    return NULL;
}

static const char *const calls[] = {"put", "get", "barrier", NULL, HOSTILE};

/* Any values, but often those that came before: they take up to 9 bytes each. */
static void random_values(struct base_random *r, struct trace_event *ev)
{
    static int64_t pool[MANY]; /* room for those of all: one event in 40 has 4, on average */
    static size_t n;
    ev->peer = (uint32_t)base_random_below(r, TRACE_VALUES + 1);
    if (n + ev->peer > BASE_LENGTH(pool))
        n = 0;
    ev->values = ev->peer ? &pool[n] : NULL;
    for (uint32_t k = 0; k < ev->peer; k++)
        pool[n++] = base_random_below(r, 2) ? (int64_t)(base_random_u64(r) >> base_random_below(r, 64))
                                            : INT64_MIN + (int64_t)base_random_below(r, 2);
}

static struct trace_event random_event(struct base_random *r)
{
    struct trace_event ev = {.type = (enum trace_type)base_random_below(r, TRACE_TYPES)};
    bool ahead = base_random_below(r, 2);
    if (!base_random_below(r, 3))
        now += 1e-7 * base_random_unit(r);
    ev.time = now + (ahead ? 5e-6 * base_random_unit(r) : 0);
    ev.rank = (uint32_t)base_random_below(r, 3);
    ev.call = calls[base_random_below(r, 5)];
    if (ev.type <= TRACE_CALL_LEAVE)
        return ev;
    ev.peer = (uint32_t)base_random_below(r, 3);
    ev.thread = (uint32_t)base_random_below(r, 4);
    ev.op = base_random_u64(r) >> base_random_below(r, 64);
    ev.cause = base_random_below(r, 2) ? base_random_u64(r) >> base_random_below(r, 64) : 0;
    ev.bytes = base_random_u64(r) >> base_random_below(r, 64);
    ev.least = base_random_below(r, 2) ? base_random_unit(r) : 0;
    ev.detail = calls[base_random_below(r, 5)];
    if (ev.type == TRACE_USER)
        random_values(r, &ev);
    if (base_random_below(r, 2))
        return ev;
    ev.context = base_random_u64(r) >> base_random_below(r, 64);
    ev.address = base_random_u64(r) >> base_random_below(r, 64);
    ev.tag = (int32_t)(uint32_t)base_random_u64(r) >> base_random_below(r, 32);
    ev.kind = (uint32_t)base_random_below(r, TRACE_KINDS);
    return ev;
}

static void make_random(size_t n, uint64_t seed)
{
    struct base_random random;
    struct trace_sink s = open_writer();
    base_random_seed(&random, seed, 0);
    for (size_t k = 0; k < n; k++) {
        made[k] = random_event(&random);
        s.event(s.ctx, &made[k]);
    }
    assert_int_equal(s.close(s.ctx), 0);
    sort_made(n);
}

/* What names stand for goes with the file, and is what was known where it was written. */
static void check_kinds(const struct trace_file *f)
{
    const struct trace_about unknown = {.call = nobody_knows}, *read = trace_file_about(f);
    assert_non_null(read->call);
    for (size_t k = 0; k < BASE_LENGTH(calls); k++) {
        struct trace_call is = trace_about_call(read, calls[k]), was = trace_about_call(&about, calls[k]);
        if (is.kind != was.kind || is.awaited != was.awaited)
            fail_msg("%s: kind %d, awaits %d; expected %d, %d", calls[k], is.kind, is.awaited, was.kind,
                     was.awaited);
    }
    assert_int_equal(trace_about_call(read, "barrier").kind, TRACE_KIND_BARRIER);
    assert_int_equal(trace_about_call(read, "not in it").kind, TRACE_KIND_OTHER);
    assert_int_equal(trace_about_call(&unknown, "barrier").kind, TRACE_KIND_OTHER);
}

static void check_from(struct trace_file *f, size_t k, size_t n)
{
    struct trace_event ev;
    for (; trace_file_next(f, &ev); k++) {
        assert_true(k < n);
        if (!same(&ev, &made[k]))
            fail_msg("event %zu: %s at %.17g, expected %s at %.17g", k, trace_types[ev.type].text, ev.time,
                     trace_types[made[k].type].text, made[k].time);
    }
    assert_null(trace_file_damage(f));
    assert_int_equal(k, n);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    uint64_t seed = seed_of_test(1);
    make_random(MANY, seed);
    struct trace_file *f = open_reader(path);
    struct trace_totals t = trace_file_totals(f);
    assert_true(t.known);
    assert_int_equal(t.events, MANY);
    check_from(f, 0, MANY);
    check_kinds(f);
    for (int k = 0; k < 50; k++) { /* and again, from anywhere */
        size_t at = (size_t)k * 2000;
        while (at && made[at - 1].time >= made[at].time)
            at--;
        trace_file_seek(f, made[at].time);
        struct trace_event ev;
        assert_true(trace_file_next(f, &ev));
        if (!same(&ev, &made[at]))
            fail_msg("after a search for %.17g: %.17g", made[at].time, ev.time);
    }
    trace_file_seek(f, 1e9);
    check_from(f, MANY, MANY);
    trace_file_seek(f, 0);
    check_from(f, 0, MANY);
    trace_file_close(f);
}

static struct trace_event seen[MANY];
static int64_t seen_values[MANY][TRACE_VALUES];
static size_t n_seen;

/* Texts of all lengths between events; each is a part of one long text, by which it is known again. */
static void the_recording_stands_beside_events(void **state)
{
    (void)state;
    enum { BYTES = 3 << 20, LONGEST = 1 << 17 };
    struct base_random random;
    char *text = malloc(BYTES);
    size_t written = 0, read = 0, events = 0, n;
    base_random_seed(&random, 5, 0);
    for (size_t k = 0; k < BYTES; k++)
        text[k] = (char)('a' + base_random_below(&random, 26));
    struct trace_sink s = open_writer();
    while (written < BYTES) {
        n = base_random_below(&random, 2) ? base_random_below(&random, LONGEST)
                                          : base_random_below(&random, 40);
        n = n < BYTES - written ? n : BYTES - written;
        s.record(s.ctx, text + written, n);
        written += n;
        for (size_t more = base_random_below(&random, 400); more && events < MANY; more--) {
            made[events] = random_event(&random);
            s.event(s.ctx, &made[events++]);
        }
    }
    assert_int_equal(s.close(s.ctx), 0);
    sort_made(events);
    struct trace_file *f = open_reader(path);
    const unsigned char *piece;
    bool wrong;
    for (; (piece = trace_file_recording(f, &n, &wrong, NULL)); read += n) {
        assert_true(n <= BYTES - read);
        assert_memory_equal(piece, text + read, n);
    }
    assert_false(wrong);
    assert_int_equal(read, BYTES);
    check_from(f, 0, events);
    trace_file_close(f);
    free(text);
}

static void see(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    seen[n_seen] = *ev;
    if (ev->values)
        seen[n_seen].values =
            memcpy(seen_values[n_seen], ev->values, ev->peer * sizeof *ev->values); /* theirs are gone then */
    n_seen++;
}
static int see_close(void *ctx)
{
    (void)ctx;
    return 0;
}

static void events_ahead_are_put_in_order(void **state)
{
    (void)state;
    struct base_random random;
    struct trace_sink s = trace_ordered(&(struct trace_sink){.event = see, .close = see_close}, &about);
    base_random_seed(&random, 1, 0);
    n_seen = 0;
    for (size_t k = 0; k < MANY; k++) {
        made[k] = random_event(&random);
        s.event(s.ctx, &made[k]);
    }
    assert_int_equal(s.close(s.ctx), 0);
    assert_int_equal(n_seen, MANY);
    sort_made(MANY);
    for (size_t k = 0; k < MANY; k++)
        if (!same(&seen[k], &made[k]))
            fail_msg("event %zu: at %.17g, expected %.17g", k, seen[k].time, made[k].time);
}

/* --- what the run was --------------------------------------------------------------------------------- */

static void the_run_is_told(void **state)
{
    (void)state;
    struct trace_sink s = open_writer();
    const uint32_t *links;
    double latency;
    about.drawing = "<svg/>";
    stage_play(&s);
    assert_int_equal(s.close(s.ctx), 0);
    struct trace_file *f = open_reader(path);
    const struct trace_about *a = trace_file_about(f);
    assert_string_equal(a->program, about.program);
    assert_string_equal(a->arguments, HOSTILE);
    assert_string_equal(a->drawing, "<svg/>");
    assert_int_equal(a->ranks, 3);
    assert_int_equal(a->rank_host[2], 1);
    assert_string_equal(a->host[0].name, HOSTILE);
    assert_true(a->host[0].speed == 1e9 && a->host[0].cores == 4);
    assert_string_equal(a->link[1].name, "down");
    assert_true(a->link[0].latency == 1e-6 && !a->link[0].fatpipe);
    assert_int_equal(a->route(a->ctx, 0, 1, &links, &latency), 1);
    assert_int_equal(links[0], 0);
    assert_int_equal(a->route(a->ctx, 1, 0, &links, &latency), 1);
    assert_int_equal(links[0], 1);
    assert_int_equal(a->route(a->ctx, 1, 1, &links, &latency), 0);
    trace_file_close(f);
}

/* --- numbers ------------------------------------------------------------------------------------------ */

static void numbers_come_back(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 64; bits++)
        for (int less = 0; less < 2; less++) {
            uint64_t v = (bits < 64 ? UINT64_C(1) << bits : 0) - (uint64_t)less;
            unsigned char room[16];
            unsigned char *end = trace_put_varint(room, v);
            struct trace_bytes b = {room, end, false};
            uint64_t got = trace_get_varint(&b);
            if (got != v || b.bad || b.at != end)
                fail_msg("%" PRIx64 " came back as %" PRIx64, v, got);
            b = (struct trace_bytes){room, end - 1, false};
            trace_get_varint(&b);
            assert_true(b.bad);
            assert_true(trace_unfold_sign(trace_fold_sign((int64_t)v)) == (int64_t)v);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_written_is_read, setup),
        cmocka_unit_test_setup(the_recording_stands_beside_events, setup),
        cmocka_unit_test_setup(events_ahead_are_put_in_order, setup),
        cmocka_unit_test_setup(the_run_is_told, setup),
        cmocka_unit_test_setup(numbers_come_back, setup),
    };
    pgt_begin();
    return pgt_end(cmocka_run_group_tests(tests, NULL, NULL));
}
