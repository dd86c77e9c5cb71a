/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page's data: JSON that may hold any bytes and cannot end its HTML element; short states that are merged
 * without losing any state's time; levels of detail within their budgets; classes of waits. Random tests
 * print their seed.
 */
#include "report/page_internal.h"
#include "report/stage.h"

#include "fold/fold.h"
#include "shmem/shmem_front.h"
#include "seed.h"

#include <time.h>

enum { ROUNDS = 300 };

static char *text_of(const char *value)
{
    char *out;
    size_t size;
    struct page_json j;
    page_json_begin(&j, open_memstream(&out, &size));
    page_json_text(&j, NULL, value);
    FILE *stream = j.json.out;
    page_json_end(&j);
    fclose(stream);
    return out;
}

static void json_is(const char *value, const char *expected)
{
    char *got = text_of(value);
    if (strcmp(got, expected) != 0)
        fail_msg("got %s, expected %s", got, expected);
    free(got);
}

static void texts_are_safe(void **state)
{
    (void)state;
    json_is("plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
            "\"plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    json_is("</script>", "\"\\u003c/script\\u003e\"");
    json_is("<!--&'", "\"\\u003c!--\\u0026\\u0027\"");
    json_is("\"\\\n\x1b\x7f", "\"\\\"\\\\\\u000a\\u001b\\u007f\"");
    json_is("a\xff\xc3(\xc0\xaf\xed\xa0\x80z", "\"a\\ufffd\\ufffd(\\ufffd\\ufffd\\ufffd\\ufffd\\ufffdz\"");
    json_is("\xf4\x90\x80\x80\xe2\x82", "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\"");
    json_is(NULL, "null");
    for (unsigned c = 1; c < 256; c++) {
        char *got = text_of((const char[]){(char)c, 0});
        for (const char *at = got; *at; at++)
            if ((unsigned char)*at < ' ' || (unsigned char)*at > '~' || strchr("<>&", *at))
                fail_msg("byte %u is written as %s", c, got);
        free(got);
    }
}

static void numbers_are_letters(void **state)
{
    char *out;
    size_t size;
    struct page_json j;
    (void)state;
    page_json_begin(&j, open_memstream(&out, &size));
    page_codes_begin(&j, NULL);
    for (size_t k = 0; k < 6; k++)
        page_codes_add(&j, (const uint64_t[]){0, 31, 32, 1024, 33, UINT64_MAX}[k]);
    page_codes_letter(&j, 62);
    page_codes_end(&j);
    FILE *stream = j.json.out;
    page_json_end(&j);
    fclose(stream);
    assert_string_equal(out, "\"AfgBggBhB////////////P+\"");
    free(out);
}

static void waits_have_classes(void **state)
{
    static const struct {
        const char *what;
        enum page_class class;
    } cases[] = {
        {"shmem_quiet", PAGE_PUT},
        {"shmem_ctx_quiet", PAGE_PUT},
        {"shmem_long_get", PAGE_GET},
        {"shmem_int_g", PAGE_GET},
        {"shmem_barrier_all", PAGE_COLLECTIVE},
        {"shmem_long_wait_until", PAGE_SIGNAL},
        {"shmem_signal_wait_until", PAGE_SIGNAL},
        {"shmem_long_atomic_fetch_add", PAGE_ATOMIC},
        {"shmem_long_swap", PAGE_ATOMIC},
        {"shmem_set_lock", PAGE_LOCK},
        {"shmem_double_sum_to_all", PAGE_COLLECTIVE},
        {"shmem_calloc", PAGE_COLLECTIVE},
        {"sleep", PAGE_CPU},
        {"a look at the clock", PAGE_CPU},
        {"pthread_barrier_wait", PAGE_WAIT},
        {"pthread_mutex_lock", PAGE_LOCK},
        {"something else", PAGE_WAIT},
    };
    (void)state;
    struct stage s;
    trace_calls_register(fold_calls, fold_calls_count);
    trace_calls_register(shmem_calls, shmem_calls_count);
    stage_init(&s, 1, 1);
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        TELL(&s, (double)k, WAIT_BEGIN, 0, .call = cases[k].what);
        TELL(&s, (double)k + 0.5, WAIT_END, 0, .call = cases[k].what);
    }
    struct report_facts *f = stage_facts(&s, -1);
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        enum page_class class = page_class_of_wait(f, report_names_find(f->work->names, cases[k].what));
        if (class != cases[k].class)
            fail_msg("%s: class %d, expected %d", cases[k].what, class, cases[k].class);
    }
    assert_int_equal(f->unknown_names, 1);
    report_facts_destroy(f);
    stage_release(&s);
}

/* --- runs --------------------------------------------------------------------------------------------- */

static struct base_random dice(unsigned stream)
{
    uint64_t seed = seed_of_test(1);
    struct base_random r;
    base_random_seed(&r, seed, stream);
    return r;
}

/* Some calls of rank 0, each with or without a wait, between computations. Times are whole. */
static double random_life(struct stage *s, struct base_random *r)
{
    static const char *const calls[] = {"shmem_quiet", "shmem_long_get", "shmem_barrier_all"};
    double now = (double)base_random_below(r, 3);
    TELL(s, now, RANK_BEGIN, 0);
    for (uint64_t n = base_random_below(r, 40); n-- > 0;) {
        const char *call = calls[base_random_below(r, 3)];
        bool waits = base_random_below(r, 2);
        TELL(s, now, COMPUTE_BEGIN, 0);
        TELL(s, now += (double)base_random_below(r, 50), COMPUTE_END, 0);
        TELL(s, now, CALL_ENTER, 0, .call = call);
        now += (double)base_random_below(r, 4);
        if (waits)
            TELL(s, now, WAIT_BEGIN, 0, .call = call);
        now += (double)base_random_below(r, 30);
        if (waits)
            TELL(s, now, WAIT_END, 0);
        TELL(s, now, CALL_LEAVE, 0, .call = call);
    }
    TELL(s, now, RANK_END, 0);
    return now + (double)base_random_below(r, 5);
}

struct taken {
    const struct page_states *states;
    double begin, shortest, of[PAGE_CLASSES];
    uint32_t last, n;
};

static void take_run(void *ctx, uint32_t state, double end)
{
    struct taken *t = ctx;
    assert_true(end > t->begin);
    assert_true(!t->n || state != t->last); /* R1 */
    t->of[t->states->at[state].class] += end - t->begin;
    t->begin = end;
    t->last = state;
    t->n++;
}

/* Exact runs add up to the facts' accounts; coarse ones cover the same time with fewer runs. */
static void check_runs(const struct report_facts *f)
{
    struct page_states states;
    const struct report_rank *r = &f->rank[0];
    page_states_init(&states, f);
    struct taken exact = {.states = &states}, coarse = {.states = &states},
                 part = {.states = &states, .begin = f->end / 3};
    page_runs_each(&states, 0, 0, f->end, 0, take_run, &exact);
    page_runs_each(&states, 0, 0, f->end, f->end / 20, take_run, &coarse);
    page_runs_each(&states, 0, f->end / 3, f->end / 2, 0, take_run, &part);
    double waits = exact.of[PAGE_PUT] + exact.of[PAGE_GET] + exact.of[PAGE_COLLECTIVE];
    if (exact.begin != f->end || coarse.begin != f->end || part.begin != f->end / 2)
        fail_msg("runs end at %g, %g and %g, the run at %g", exact.begin, coarse.begin, part.begin, f->end);
    if (exact.of[PAGE_COMPUTE] != r->computing || exact.of[PAGE_ISSUE] != r->calling || waits != r->waiting)
        fail_msg("computing %g of %g, calling %g of %g, waiting %g of %g", exact.of[PAGE_COMPUTE],
                 r->computing, exact.of[PAGE_ISSUE], r->calling, waits, r->waiting);
    if (coarse.n > exact.n || coarse.n > 41)
        fail_msg("%u coarse runs of %u exact ones", coarse.n, exact.n);
    page_states_release(&states);
}

static void runs_keep_time(void **state)
{
    struct base_random r = dice(1);
    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        struct stage s;
        stage_init(&s, 1, 1);
        double end = random_life(&s, &r);
        struct report_facts *f = stage_facts(&s, end + 1);
        check_runs(f);
        report_facts_destroy(f);
        stage_release(&s);
    }
}

/* --- the page ----------------------------------------------------------------------------------------- */

static char *page_of(const struct stage *s, struct report_facts *f, struct report_page_options options)
{
    static char *out; /* gcc takes what stands on the stack for what is returned */
    static size_t size;
    FILE *to = open_memstream(&out, &size);
    struct report r = {.facts = f, .path = "paper.pgt"};
    struct report_page *p = report_page_create(&options);
    struct trace_sink sink = report_page_sink(p);
    for (size_t k = 0; k < s->event.n; k++)
        sink.event(sink.ctx, &s->event.at[k]);
    report_page_write(p, &r, to);
    report_page_destroy(p);
    fclose(to);
    return out;
}

static const char *without_number(const char *page)
{
    static const char *const none[] = {":nan", ":-nan", ":inf", "[nan", ",nan", ",-nan", ",inf"};
    for (size_t k = 0; k < BASE_LENGTH(none); k++)
        if (strstr(page, none[k]))
            return none[k];
    return NULL;
}

static void pages_are_whole(void **state)
{
    struct base_random r = dice(2);
    (void)state;
    if (!report_page_available())
        skip();
    for (int k = 0; k < 10; k++) {
        struct stage s;
        stage_init(&s, 1 + (uint32_t)k, 1 + (uint32_t)k / 4);
        double end = k ? random_life(&s, &r) : 0;
        TELL(&s, end, MARK, 0, .call = "</script>");
        TELL(&s, end, MARK_BEGIN, 0, .call = "phase");
        struct report_facts *f = stage_facts(&s, end);
        char *page = page_of(&s, f, (struct report_page_options){k % 2 ? end / 4 : 0, k % 2 ? end / 2 : 0});
        const char *data = strstr(page, "id=\"data\">");
        assert_non_null(data);
        const char *over = strstr(data, "</script>");
        assert_non_null(over);
        assert_true(over[-1] == '}');
        page[over - page] = '\0';
        if (strstr(page, "@DATA@") || without_number(data))
            fail_msg("%d ranks: the page has %s", k + 1,
                     without_number(data) ? without_number(data) : "@DATA@");
        free(page);
        report_facts_destroy(f);
        stage_release(&s);
    }
}

/* More effects than are kept: a sample, the same again, found by number. */
static void effects_are_a_sample(void **state)
{
    struct report_page *p = report_page_create(&(struct report_page_options){0});
    struct trace_sink sink = report_page_sink(p);
    unsigned found = 0;
    (void)state;
    for (uint64_t k = 1; k <= 3 * (uint64_t)PAGE_EFFECTS_MOST; k++)
        sink.event(sink.ctx, &(struct trace_event){.type = TRACE_GET_READ, .op = k, .time = (double)k});
    page_gather_finish(p);
    assert_in_range(p->effects.n, PAGE_EFFECTS_MOST / 4, PAGE_EFFECTS_MOST);
    for (uint64_t k = 1; k <= 3 * (uint64_t)PAGE_EFFECTS_MOST; k++) {
        double time = page_effect_of(p, k, -1);
        if (time != -1 && time != (double)k)
            fail_msg("operation %llu took effect at %g", (unsigned long long)k, time);
        found += time != -1;
    }
    assert_int_equal(found, p->effects.n);
    report_page_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_safe),     cmocka_unit_test(numbers_are_letters),
        cmocka_unit_test(waits_have_classes), cmocka_unit_test(runs_keep_time),
        cmocka_unit_test(pages_are_whole),    cmocka_unit_test(effects_are_a_sample),
    };
    return cmocka_run_group_tests_name("report page", tests, NULL, NULL);
}
