/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that sinks see every event in order, that nothing is called without a sink, and the text sink's
 * columns. */
#include "trace/trace.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct seen {
    char text[256];
    int closed;
};

static void see(void *ctx, const struct trace_event *ev)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);
    snprintf(s->text + n, sizeof s->text - n, "%g:%s ", ev->time, trace_types[ev->type].text);
}

static int see_close(void *ctx)
{
    return ((struct seen *)ctx)->closed++ ? -1 : 0;
}

static void test_sinks(void **state)
{
    (void)state;
    struct trace t;
    struct seen a = {"", 0}, b = {"", 0};
    trace_init(&t);
    assert_false(t.on);
    trace_emit(&t, &(struct trace_event){.time = 1, .type = TRACE_RANK_BEGIN});
    trace_attach(&t, &(struct trace_sink){see, see_close, &a, NULL, NULL});
    trace_emit(&t, &(struct trace_event){.time = 2, .type = TRACE_PUT_ISSUED});
    trace_attach(&t, &(struct trace_sink){see, see_close, &b, NULL, NULL});
    trace_emit(&t, &(struct trace_event){.time = 3, .type = TRACE_PUT_DELIVERED});
    trace_close(&t);
    trace_emit(&t, &(struct trace_event){.time = 4, .type = TRACE_RANK_END});
    trace_close(&t);
    assert_string_equal(a.text, "2:put-issued 3:put-delivered ");
    assert_string_equal(b.text, "3:put-delivered ");
    assert_int_equal(a.closed, 1);
    assert_int_equal(b.closed, 1);
}

static void test_text(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct trace t;
    struct trace_sink sink = trace_text_sink(out);
    trace_init(&t);
    trace_attach(&t, &sink);
    trace_emit(&t, &(struct trace_event){.time = 1.5e-6,
                                         .type = TRACE_GET_READ,
                                         .rank = 3,
                                         .peer = 4095,
                                         .op = 17,
                                         .bytes = 1024,
                                         .call = "shmem_getmem"});
    trace_emit(&t, &(struct trace_event){.time = 2, .type = TRACE_RANK_END});
    trace_close(&t);
    assert_string_equal(
        text, "  0.000001500000       3 get-read            4095        17       1024 shmem_getmem\n"
              "  2.000000000000       0 rank-end               0         0          0 -\n");
    fclose(out);
    free(text);
}

/* Every type has a text, and no two the same. */
static void test_names(void **state)
{
    (void)state;
    for (int a = 0; a < TRACE_TYPES; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(trace_types[a].text, trace_types[b].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sinks),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
