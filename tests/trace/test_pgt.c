/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compact format: what is written is read again, in order of time; a file that is cut anywhere gives the
 * events up to its last whole block; a byte that is flipped anywhere is noticed, and no event is changed by
 * it; other versions and other files are refused. Filters and the order of events that are ahead of the
 * clock.
 */
#include "trace/pgt/pgt.h"
#include "trace/stage.h"
#include "trace/writers.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

static char path[] = "/tmp/pgasim-test-XXXXXX", other[sizeof path + 8];
static struct trace_about about;
static double now;

static int setup(void **state)
{
    (void)state;
    about = stage_about();
    about.clock = &now;
    now = 0;
    return 0;
}

static struct trace_sink open_writer(void)
{
    struct trace_sink s;
    struct base_status st;
    if (trace_pgt_open(&s, path, &about, &st))
        fail_msg("%s", st.text);
    return s;
}

static struct trace_file *open_reader(const char *at)
{
    struct trace_file *f = NULL;
    struct base_status st;
    if (trace_file_open(&f, at, &st))
        fail_msg("%s", st.text);
    return f;
}

static void refused(const char *at, const char *why)
{
    struct trace_file *f = NULL;
    struct base_status st = {""};
    assert_int_equal(trace_file_open(&f, at, &st), -1);
    assert_null(f);
    if (!strstr(st.text, why))
        fail_msg("'%s' is not in '%s'", why, st.text);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same(const struct trace_event *a, const struct trace_event *b)
{
    return a->time == b->time && a->type == b->type && a->rank == b->rank && a->peer == b->peer &&
           a->thread == b->thread && a->op == b->op && a->cause == b->cause && a->bytes == b->bytes &&
           a->least == b->least && a->context == b->context && a->address == b->address && a->tag == b->tag &&
           a->kind == b->kind && same_text(a->call, b->call) && same_text(a->detail, b->detail);
}

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
    const char *given = getenv("PGASIM_TEST_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    print_message("seed %" PRIu64 "\n", seed);
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

/* --- damage ------------------------------------------------------------------------------------------- */

static unsigned char *whole;
static size_t whole_size, n_whole;

static void load(void)
{
    FILE *in = fopen(path, "rb");
    whole = realloc(whole, 1 << 20);
    whole_size = fread(whole, 1, 1 << 20, in);
    fclose(in);
}

static void store(const unsigned char *p, size_t n)
{
    FILE *out = fopen(other, "wb");
    assert_int_equal(fwrite(p, 1, n, out), n);
    fclose(out);
}

/* Events of the damaged file, which are those of the whole one up to somewhere. */
static size_t count_prefix(bool *noticed)
{
    struct trace_file *f = NULL;
    struct base_status st = {""};
    struct trace_event ev;
    size_t k = 0;
    *noticed = true;
    if (trace_file_open(&f, other, &st)) {
        assert_string_not_equal(st.text, "");
        return 0;
    }
    for (; trace_file_next(f, &ev); k++)
        if (k >= n_whole || !same(&ev, &made[k]))
            fail_msg("event %zu is another", k);
    *noticed = trace_file_damage(f) != NULL;
    trace_file_close(f);
    return k;
}

/* A few blocks of a few events: the clock of the host ends none. */
static void make_small(void)
{
    struct trace_sink s = open_writer();
    n_whole = 2 * PGT_EVENTS + 10;
    for (size_t k = 0; k < n_whole; k++) {
        size_t step = k / 16;
        now = (double)step;
        made[k] = (struct trace_event){.time = now, .type = TRACE_CALL_ENTER, .call = calls[k / PGT_EVENTS]};
        s.event(s.ctx, &made[k]);
    }
    assert_int_equal(s.close(s.ctx), 0);
    load();
}

static void a_cut_file_is_read_up_to_its_last_block(void **state)
{
    (void)state;
    size_t last = 0;
    make_small();
    print_message("%zu bytes\n", whole_size);
    for (size_t n = 0; n < whole_size; n++) {
        bool noticed;
        store(whole, n);
        size_t k = count_prefix(&noticed);
        assert_true(noticed);
        if (k < last || (k != n_whole && k % PGT_EVENTS != 0))
            fail_msg("%zu of %zu bytes: %zu events, after %zu", n, whole_size, k, last);
        last = k;
    }
    assert_int_equal(last, n_whole);
}

static void a_flipped_bit_is_noticed(void **state)
{
    (void)state;
    make_small();
    for (size_t n = 0; n < whole_size; n++) {
        bool noticed;
        whole[n] ^= (unsigned char)(1u << n % 8);
        store(whole, whole_size);
        size_t k = count_prefix(&noticed);
        if (!noticed && k != n_whole)
            fail_msg("byte %zu: %zu of %zu events, and nothing is said", n, k, n_whole);
        whole[n] ^= (unsigned char)(1u << n % 8);
    }
}

static void others_are_refused(void **state)
{
    (void)state;
    make_small();
    refused("/nonexistent/trace.pgt", "No such file");
    store(whole, 0);
    refused(other, "not a pgasim trace");
    store((const unsigned char *)"#EventDef, and much more of it", 30);
    refused(other, "not a pgasim trace");
    whole[8]++;
    store(whole, whole_size);
    refused(other, "version 3; this pgasim reads versions 1 to 2");
    whole[8] = 0;
    store(whole, whole_size);
    refused(other, "version 0; this pgasim reads versions 1 to 2");
    refused("/", "not a pgasim trace");
}

static void a_path_that_cannot_be_written(void **state)
{
    (void)state;
    struct trace_sink s;
    struct base_status st;
    assert_int_equal(trace_pgt_open(&s, "/nonexistent/trace.pgt", &about, &st), -1);
    assert_non_null(strstr(st.text, "/nonexistent/trace.pgt: No such file"));
    assert_int_equal(trace_writer_open(&s, "trace.xyz", &about, NULL, &st), -1);
    assert_non_null(strstr(st.text, ".pgt"));
}

static void a_full_disk_is_told_once(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    struct trace_sink s;
    struct base_status st;
    assert_int_equal(trace_pgt_open(&s, "/dev/full", &about, &st), 0);
    FILE *out = open_memstream(&text, &size);
    base_report_to(out);
    for (int k = 0; k < 3 * PGT_EVENTS; k++)
        AT(&s, k, CALL_ENTER, 0, .call = "put");
    assert_int_equal(s.close(s.ctx), -1);
    base_report_to(NULL);
    fclose(out);
    assert_string_equal(
        text, "pgasim: error: trace /dev/full: No space left on device: events from now on are lost\n");
    free(text);
}

static void a_run_without_events_leaves_nothing(void **state)
{
    (void)state;
    char fresh[sizeof path + 8];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    struct trace_sink s;
    struct base_status st;
    assert_int_equal(trace_pgt_open(&s, fresh, &about, &st), 0);
    assert_int_equal(s.close(s.ctx), 0);
    assert_int_equal(access(fresh, F_OK), -1);
}

/* --- filters and order -------------------------------------------------------------------------------- */

static size_t played(const struct trace_filter *filter)
{
    struct trace_sink s;
    struct base_status st;
    snprintf(other, sizeof other, "%s.pgt", path);
    if (trace_writer_open(&s, other, &about, filter, &st))
        fail_msg("%s", st.text);
    stage_play(&s);
    assert_int_equal(s.close(s.ctx), 0);
    struct trace_file *f = open_reader(other);
    size_t n = trace_file_totals(f).events;
    trace_file_close(f);
    return n;
}

static void filters(void **state)
{
    (void)state;
    uint64_t passed = 0;
    struct trace_filter all = {.to = INFINITY}, f = {.to = INFINITY, .passed = &passed};
    size_t whole_n = played(&all);
    assert_int_equal(whole_n, played(NULL));
    assert_true(trace_filter_is_open(&all));
    f.wanted = UINT32_C(1) << TRACE_CATEGORY_CALLS;
    assert_int_equal(played(&f), 4 + 6); /* and the ranks' lives */
    assert_int_equal(passed, 10);
    assert_int_equal(trace_categories_parse("operations,waits", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), 13 + 2 + 6);
    assert_int_equal(trace_categories_parse("messages", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), 5 + 6);
    assert_int_equal(trace_categories_parse("default,sync,memory,replay", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), whole_n);
    assert_int_equal(trace_categories_parse("all", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), whole_n);
    assert_int_equal(trace_categories_parse("default", &f.wanted, NULL), 0);
    assert_true(trace_filter_is_open(&f));
    f.from = 1e-12; /* no longer open: what is not there unasked is left out, and the ranks' beginnings */
    assert_int_equal(played(&f), whole_n - 4 - 2 - 1 - 3);
    f.from = 0;
    f.wanted = UINT32_C(1) << TRACE_CATEGORIES | trace_categories_unasked();
    f.ranks = "1-2";
    assert_int_equal(played(&f), whole_n - 11 - 7);
    f.ranks = NULL;
    f.from = 3e-9;
    f.to = 5e-9;
    assert_int_equal(played(&f), 3);
}

static void bad_filters(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "x", "1-", "2-1", "0,,1", "3", "0-3", "-1", "1 2"};
    struct trace_sink s;
    struct base_status st;
    uint32_t wanted;
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++) {
        struct trace_filter f = {.to = INFINITY, .ranks = wrong[k]};
        if (trace_writer_open(&s, other, &about, &f, &st) != -1)
            fail_msg("'%s' was taken", wrong[k]);
        assert_non_null(strstr(st.text, "ranks to trace"));
    }
    assert_int_equal(trace_categories_parse("calls,operation", &wanted, &st), -1);
    assert_non_null(strstr(st.text, "'operation' is not a kind of event"));
}

static struct trace_event seen[MANY];
static size_t n_seen;

static void see(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    seen[n_seen++] = *ev;
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
    struct trace_sink s = trace_ordered(&(struct trace_sink){see, see_close, NULL, NULL}, &about);
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
        cmocka_unit_test_setup(the_run_is_told, setup),
        cmocka_unit_test_setup(a_cut_file_is_read_up_to_its_last_block, setup),
        cmocka_unit_test_setup(a_flipped_bit_is_noticed, setup),
        cmocka_unit_test_setup(others_are_refused, setup),
        cmocka_unit_test_setup(a_path_that_cannot_be_written, setup),
        cmocka_unit_test_setup(a_full_disk_is_told_once, setup),
        cmocka_unit_test_setup(a_run_without_events_leaves_nothing, setup),
        cmocka_unit_test_setup(filters, setup),
        cmocka_unit_test_setup(bad_filters, setup),
        cmocka_unit_test_setup(events_ahead_are_put_in_order, setup),
        cmocka_unit_test_setup(numbers_come_back, setup),
    };
    int fd = mkstemp(path);
    close(fd);
    snprintf(other, sizeof other, "%s.pgt", path);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    unlink(other);
    free(whole);
    return failed;
}
