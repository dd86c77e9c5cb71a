/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter: which events reach a file: a window of time, some ranks, some kinds. An operation or message passes when
 * either of its two ranks is chosen. The beginnings and ends of ranks are of no kind: they pass whatever kinds are asked for.
 */
#include "trace/writers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t kind;
} kinds_named[] = {
    {"calls", TRACE_KIND_CALLS},     {"operations", TRACE_KIND_OPERATIONS},
    {"waits", TRACE_KIND_WAITS},     {"collectives", TRACE_KIND_COLLECTIVES},
    {"compute", TRACE_KIND_COMPUTE}, {"marks", TRACE_KIND_MARKS},
};

struct trace_chosen {
    uint64_t *passed;
    double from, to;
    uint32_t kinds;
    uint8_t *ranks; /* a bit each; NULL: all */
    struct trace_sink sink;
};

int trace_kinds_parse(const char *text, uint32_t *kinds, struct base_status *st)
{
    uint32_t all = 0;
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ","), k = 0;
        while (k < BASE_LENGTH(kinds_named) &&
               (strlen(kinds_named[k].name) != n || strncmp(at, kinds_named[k].name, n) != 0))
            k++;
        if (k == BASE_LENGTH(kinds_named))
            return base_fail(
                st,
                "%.*s is no kind of event: expected calls, operations, waits, collectives, compute, marks",
                (int)(n < 40 ? n : 40), at);
        all |= kinds_named[k].kind;
        at += n;
        if (!*at)
            break;
    }
    *kinds = all;
    return 0;
}

/* 0: of no kind. */
static uint32_t kind_of(enum trace_type type)
{
    if (type <= TRACE_CALL_LEAVE)
        return TRACE_KIND_CALLS;
    if (type <= TRACE_MESSAGE_ARRIVED)
        return TRACE_KIND_OPERATIONS;
    if (type <= TRACE_WAIT_END)
        return TRACE_KIND_WAITS;
    if (type <= TRACE_COMPUTE_END)
        return TRACE_KIND_COMPUTE;
    if (type <= TRACE_COLLECTIVE_END)
        return TRACE_KIND_COLLECTIVES;
    return type <= TRACE_MARK_END ? TRACE_KIND_MARKS : 0;
}

/* --- ranks ------------------------------------------------------------------------------------------ */

/* "17" or "0-3" at `*at`, which is left behind it. */
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
    return f->from <= 0 && isinf(f->to) && !f->ranks && !f->kinds;
}

int trace_chosen_create(struct trace_chosen **out, const struct trace_filter *filter, uint32_t ranks,
                        struct base_status *st)
{
    struct trace_chosen *c = base_zalloc(sizeof *c, "filter of a trace");
    c->passed = filter->passed;
    c->from = filter->from;
    c->to = filter->to;
    c->kinds = filter->kinds ? filter->kinds : UINT32_MAX;
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
    return c->ranks[rank / 8] >> rank % 8 & 1;
}

static bool is_chosen(const struct trace_chosen *c, const struct trace_event *ev)
{
    uint32_t kind = kind_of(ev->type);
    if (ev->time < c->from || ev->time >= c->to || (kind && !(kind & c->kinds)))
        return false;
    return !c->ranks || has_rank(c, ev->rank) || (kind == TRACE_KIND_OPERATIONS && has_rank(c, ev->peer));
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
    return (struct trace_sink){filtered_event, filtered_close, c};
}
