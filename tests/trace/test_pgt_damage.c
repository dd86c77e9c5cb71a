/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Damaged files. A file that is cut off anywhere gives the events up to its last whole block. A flipped bit
 * is noticed wherever it is, and never changes an event. Other versions and other files are refused. A failed
 * write is reported.
 */
#include "trace/pgt_files.h"

enum { N_MADE = 2 * PGT_EVENTS + 10 };
static struct trace_event made[N_MADE];
static unsigned char whole[1 << 20];
static size_t whole_size;

static void load(void)
{
    FILE *in = fopen(path, "rb");
    whole_size = fread(whole, 1, sizeof whole, in);
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
        if (k >= N_MADE || !same(&ev, &made[k]))
            fail_msg("event %zu is another", k);
    *noticed = trace_file_damage(f) != NULL;
    trace_file_close(f);
    return k;
}

/* A few blocks of a few events: the clock of the host ends none. */
static void make_small(void)
{
    static const char *const calls[] = {"put", "get", "barrier"};
    struct trace_sink s = open_writer();
    for (size_t k = 0; k < N_MADE; k++) {
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
        if (k < last || (k != N_MADE && k % PGT_EVENTS != 0))
            fail_msg("%zu of %zu bytes: %zu events, after %zu", n, whole_size, k, last);
        last = k;
    }
    assert_int_equal(last, N_MADE);
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
        if (!noticed && k != N_MADE)
            fail_msg("byte %zu: %zu of %d events, and nothing is said", n, k, (int)N_MADE);
        whole[n] ^= (unsigned char)(1u << n % 8);
    }
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
    refused(other, "version 11; this pgasim reads versions 1 to 10");
    whole[8] = 0;
    store(whole, whole_size);
    refused(other, "version 0; this pgasim reads versions 1 to 10");
    refused("/", "not a pgasim trace");
}

/* Columns as version 4 has them: without those of values. */
static void cut_values(struct trace_buffer *b)
{
    struct trace_bytes at = {b->at, b->at + b->n, false};
    for (int k = 0; k < PGT_COLUMNS_4; k++)
        trace_get_varint(&at);
    size_t from = (size_t)(at.at - b->at);
    assert_true(trace_get_varint(&at) == 0 && !at.bad);
    memmove(b->at + from, at.at, trace_bytes_left(&at));
    b->n -= (size_t)(at.at - (b->at + from));
}

/* A file has no event of a type that came after the version which it says it is of. */
static void type_came_with(enum trace_type type, uint32_t first)
{
    static const char *const strings[] = {NULL, "put"};
    struct pgt_strings *numbers = pgt_strings_create(&about);
    struct pgt_columns c;
    struct trace_event ev[2] = {{.type = TRACE_BUFFER, .call = "put", .op = 1},
                                {.type = type, .call = "put"}};
    pgt_columns_init(&c, numbers);
    for (size_t k = 0; k < BASE_LENGTH(ev); k++)
        pgt_columns_add(&c, &ev[k]);
    for (uint32_t version = PGT_VERSION; version >= 2; version--) {
        struct trace_buffer b = {NULL, 0, 0};
        int64_t *values;
        pgt_columns_put(&c, &b);
        if (version < 5)
            cut_values(&b);
        struct trace_bytes at = {b.at, b.at + b.n, false};
        const struct pgt_limits limits = {version, 3, BASE_LENGTH(strings), strings};
        bool any = pgt_columns_get(&at, BASE_LENGTH(ev), &limits, ev, &values);
        if (any != (version >= first) || values)
            fail_msg("%s, version %u: %s", trace_types[type].text, version, any ? "an event" : "no event");
        free(b.at);
    }
    pgt_columns_release(&c);
    pgt_strings_destroy(numbers);
}

/* A user's event has no more values than there may be, and all that it says it has. */
static void values_that_are_not_there_are_damage(void **state)
{
    static const int64_t given[TRACE_VALUES] = {1, -2, INT64_MAX, INT64_MIN, 0, 5, 6, 7};
    struct pgt_columns c;
    struct trace_buffer b = {NULL, 0, 0};
    (void)state;
    pgt_columns_init(&c, NULL);
    pgt_columns_add(&c, &(struct trace_event){.type = TRACE_USER, .peer = TRACE_VALUES, .values = given});
    pgt_columns_put(&c, &b);
    for (size_t less = 0, n = b.n; less < 3;
         less++) { /* the last column has those of the event, and is the last */
        int64_t *values;
        struct trace_event ev;
        unsigned char *copy = memcpy(malloc(n), b.at, n);
        struct trace_bytes at = {copy, copy + n, false};
        const char *const string = NULL;
        const struct pgt_limits limits = {PGT_VERSION, 3, 1, &string};
        for (int k = 0; k < PGT_COLUMNS - 1; k++)
            trace_get_varint(&at);
        size_t of_size = (size_t)(at.at - copy);
        copy[of_size] = (unsigned char)(copy[of_size] - 2 * less); /* a small number is written doubled */
        at = (struct trace_bytes){copy, copy + n - less, false};
        bool any = pgt_columns_get(&at, 1, &limits, &ev, &values);
        assert_int_equal(any, less == 0);
        if (any)
            assert_memory_equal(ev.values, given, sizeof given);
        else
            assert_null(values);
        free(values);
        free(copy);
    }
    free(b.at);
    pgt_columns_release(&c);
}

static void a_type_of_a_later_version_is_damage(void **state)
{
    (void)state;
    type_came_with(TRACE_RACE, 3);
    type_came_with(TRACE_KEPT_BACK, 4);
    type_came_with(TRACE_USER, 5);
    type_came_with(TRACE_CARD_ARRIVED, 6);
    type_came_with(TRACE_CORE_TRAPPED, 6);
    type_came_with(TRACE_COLLECTIVE_CHOSEN, 7);
    type_came_with(TRACE_COLLECTIVE_BETTER, 7);
}

/* --- writing that fails ------------------------------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_cut_file_is_read_up_to_its_last_block, setup),
        cmocka_unit_test_setup(a_flipped_bit_is_noticed, setup),
        cmocka_unit_test_setup(others_are_refused, setup),
        cmocka_unit_test_setup(a_type_of_a_later_version_is_damage, setup),
        cmocka_unit_test_setup(values_that_are_not_there_are_damage, setup),
        cmocka_unit_test_setup(a_path_that_cannot_be_written, setup),
        cmocka_unit_test_setup(a_full_disk_is_told_once, setup),
        cmocka_unit_test_setup(a_run_without_events_leaves_nothing, setup),
    };
    pgt_begin();
    return pgt_end(cmocka_run_group_tests(tests, NULL, NULL));
}
