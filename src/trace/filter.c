/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter: which events reach a file: a window of time, some ranks, some kinds. An operation or message passes
 * when either of its two ranks is chosen. The beginnings and ends of ranks always pass the filter by kind.
 */
#include "trace/writers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    bool unasked;
} categories[TRACE_CATEGORIES] = {
#define TRACE_CATEGORY(name, text, unasked) [TRACE_CATEGORY_##name] = {text, unasked},
#include "trace/events.def"
};

struct trace_chosen {
    uint64_t *passed;
    double from, to;
    uint32_t wanted;
    uint8_t *ranks; /* a bit each; NULL: all */
    uint32_t n;     /* of them; those that are started later are not chosen */
    struct trace_sink sink;
};

uint32_t trace_categories_unasked(void)
{
    uint32_t set = 0;
    for (unsigned k = 0; k < TRACE_CATEGORIES; k++)
        set |= (uint32_t)categories[k].unasked << k;
    return set;
}

static bool is_word(const char *word, const char *at, size_t n)
{
    return strlen(word) == n && !strncmp(at, word, n);
}

/* Returns 0 if the text names no category. */
static uint32_t named(const char *at, size_t n)
{
    if (is_word("default", at, n))
        return trace_categories_unasked();
    if (is_word("all", at, n))
        return (UINT32_C(1) << TRACE_CATEGORIES) - 1;
    for (unsigned k = 0; k < TRACE_CATEGORIES; k++)
        if (is_word(categories[k].word, at, n))
            return UINT32_C(1) << k;
    return 0;
}

static int refuse(const char *at, size_t n, struct base_status *st)
{
    char words[200] = "";
    size_t used = 0;
    for (unsigned k = 0; k < TRACE_CATEGORIES; k++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s, ", categories[k].word);
    return base_fail(st, "'%.*s' is not a kind of event; expected %sdefault or all", (int)(n < 40 ? n : 40),
                     at, words);
}

int trace_categories_parse(const char *text, uint32_t *wanted, struct base_status *st)
{
    uint32_t set = 0;
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ",");
        uint32_t more = named(at, n);
        if (!more)
            return refuse(at, n, st);
        set |= more;
        at += n;
        if (!*at)
            break;
    }
    *wanted = set;
    return 0;
}

/* --- ranks ------------------------------------------------------------------------------------------ */

/* Reads "17" or "0-3" at `*at` and advances it. */
static bool read_range(const char **at, uint64_t *first, uint64_t *last)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *first = *last = strtoull(*at, &end, 10);
    if (*end == '-') {
        if (end[1] < '0' || end[1] > '9')
            return false;
        *last = strtoull(end + 1, &end, 10);
    }
    *at = end;
    return *first <= *last;
}

static int read_ranks(struct trace_chosen *c, const char *text, uint32_t ranks, struct base_status *st)
{
    uint64_t first, last;
    c->ranks = base_zalloc(ranks / 8 + 1, "ranks to trace");
    c->n = ranks;
    for (const char *at = text;; at++) {
        if (!read_range(&at, &first, &last) || (*at && *at != ','))
            return base_fail(st, "ranks to trace: %s: expected numbers and ranges as in 0-3,17", text);
        if (last >= ranks)
            return base_fail(st, "ranks to trace: %s: there is no rank %" PRIu64 ", only 0 to %" PRIu32, text,
                             last, ranks - 1);
        for (uint64_t k = first; k <= last; k++)
            c->ranks[k / 8] |= (uint8_t)(1u << k % 8);
        if (!*at)
            return 0;
    }
}

bool trace_filter_is_open(const struct trace_filter *f)
{
    return f->from <= 0 && isinf(f->to) && !f->ranks &&
           (!f->wanted || f->wanted == trace_categories_unasked());
}

int trace_chosen_create(struct trace_chosen **out, const struct trace_filter *filter, uint32_t ranks,
                        struct base_status *st)
{
    struct trace_chosen *c = base_zalloc(sizeof *c, "filter of a trace");
    c->passed = filter->passed;
    c->from = filter->from;
    c->to = filter->to;
    c->wanted = filter->wanted ? filter->wanted : trace_categories_unasked();
    c->wanted |= UINT32_C(1) << TRACE_CATEGORY_LIFE;
    if (filter->ranks && read_ranks(c, filter->ranks, ranks, st)) {
        trace_chosen_destroy(c);
        return -1;
    }
    *out = c;
    return 0;
}

void trace_chosen_destroy(struct trace_chosen *c)
{
    if (!c)
        return;
    free(c->ranks);
    free(c);
}

/* --- the sink --------------------------------------------------------------------------------------- */

static bool has_rank(const struct trace_chosen *c, uint32_t rank)
{
    return rank < c->n && (c->ranks[rank / 8] >> rank % 8 & 1);
}

static bool is_chosen(const struct trace_chosen *c, const struct trace_event *ev)
{
    const struct trace_type_info *type = &trace_types[ev->type];
    if (ev->time < c->from || ev->time >= c->to || !(c->wanted >> type->category & 1))
        return false;
    return !c->ranks || has_rank(c, ev->rank) || ((type->fields & TRACE_HAS_PEER) && has_rank(c, ev->peer));
}

static void filtered_event(void *ctx, const struct trace_event *ev)
{
    const struct trace_chosen *c = ctx;
    if (!is_chosen(c, ev))
        return;
    if (c->passed)
        ++*c->passed;
    c->sink.event(c->sink.ctx, ev);
}

static void filtered_record(void *ctx, const void *text, size_t bytes)
{
    const struct trace_chosen *c = ctx;
    c->sink.record(c->sink.ctx, text, bytes);
}

static int filtered_close(void *ctx)
{
    struct trace_chosen *c = ctx;
    int status = c->sink.close(c->sink.ctx);
    trace_chosen_destroy(c);
    return status;
}

struct trace_sink trace_filtered(const struct trace_sink *to, struct trace_chosen *c)
{
    c->sink = *to;
    return (struct trace_sink){filtered_event, filtered_close, c, NULL, to->record ? filtered_record : NULL};
}
