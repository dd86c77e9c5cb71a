/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states: lanes with their states, and loads. States that do not nest (a wait that outlives its call, a
 * filtered stream) are made to nest: when one ends, the states above it are popped and pushed again.
 */
#include "trace/foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

/* Names of other kinds are texts of the user or the program. */
static bool stands_for_something(enum trace_name_kind kind)
{
    return kind == TRACE_NAME_CALL || kind == TRACE_NAME_COLLECTIVE || kind == TRACE_NAME_WAIT ||
           kind == TRACE_NAME_OPERATION;
}

uint32_t trace_foreign_name(struct trace_foreign *f, enum trace_name_kind kind, const char *text,
                            const char *detail)
{
    uint32_t number = trace_names_number(&f->names, kind, text, detail);
    while (BASE_UNLIKELY(f->named < f->names.name.n)) {
        struct trace_name *name = &f->names.name.at[f->named];
        if (stands_for_something(name->kind))
            name->stands_for = (enum trace_kind)trace_about_call(f->about, name->text).kind;
        f->form->named(f, f->named++);
    }
    return number;
}

/* --- loads ------------------------------------------------------------------------------------------ */

void trace_foreign_tell_loads(struct trace_foreign *f)
{
    struct trace_loads *l = &f->loads;
    for (size_t k = 0; k < l->changed.n; k++) {
        uint32_t which = l->changed.at[k];
        struct trace_load *load = &l->at[which];
        load->changed = false;
        if (load->now == load->told)
            continue;
        load->told = load->now;
        if (which < f->about->links)
            f->form->link(f, which, load->now);
        else
            f->form->host(f, which - f->about->links, load->now);
    }
    l->changed.n = 0;
}

void trace_foreign_load_route(struct trace_foreign *f, uint32_t from, uint32_t to, uint64_t more)
{
    const struct trace_about *a = f->about;
    const uint32_t *links;
    double latency;
    if (!a->route || !more)
        return;
    uint32_t n = a->route(a->ctx, a->rank_host[from], a->rank_host[to], &links, &latency);
    for (uint32_t k = 0; k < n; k++)
        trace_loads_add(&f->loads, links[k], more);
}

/* A thread runs while it is in a call or computes, and does not wait. */
static void load_host(struct trace_foreign *f, struct trace_lane *l)
{
    bool busy = l->works && !l->waits;
    if (busy == l->busy)
        return;
    l->busy = busy;
    trace_loads_add(&f->loads, f->about->links + f->about->rank_host[l->rank], busy ? 1 : UINT64_MAX);
}

/* --- states ----------------------------------------------------------------------------------------- */

static void push(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame, bool again)
{
    BASE_ARRAY_PUSH(&l->stack, *frame);
    l->works += frame->kind == TRACE_NAME_CALL || frame->kind == TRACE_NAME_COLLECTIVE ||
                frame->kind == TRACE_NAME_COMPUTE;
    l->waits += frame->kind == TRACE_NAME_WAIT;
    f->form->push(f, l, frame, again);
    load_host(f, l);
}

static struct trace_frame pop(struct trace_foreign *f, struct trace_lane *l, bool again)
{
    BASE_ASSERT("F2", l->stack.n);
    struct trace_frame frame = l->stack.at[--l->stack.n];
    l->works -= frame.kind == TRACE_NAME_CALL || frame.kind == TRACE_NAME_COLLECTIVE ||
                frame.kind == TRACE_NAME_COMPUTE;
    l->waits -= frame.kind == TRACE_NAME_WAIT;
    f->form->pop(f, l, &frame, again);
    load_host(f, l);
    return frame;
}

static void pop_all(struct trace_foreign *f, struct trace_lane *l)
{
    while (l->stack.n)
        pop(f, l, false);
}

static bool has_number(enum trace_name_kind kind)
{
    return kind == TRACE_NAME_COLLECTIVE || kind == TRACE_NAME_FILE || kind == TRACE_NAME_STEP;
}

/* The place + 1 of the state that ends: the last of its kind, or of its number if it has one. */
static size_t find_frame(const struct trace_lane *l, enum trace_name_kind kind, uint64_t number)
{
    for (size_t k = l->stack.n; k; k--)
        if (l->stack.at[k - 1].kind == kind && (!has_number(kind) || l->stack.at[k - 1].number == number))
            return k;
    return 0;
}

void trace_foreign_end_state(struct trace_foreign *f, struct trace_lane *l, enum trace_name_kind kind,
                             const struct trace_event *ev)
{
    BASE_ARRAY(struct trace_frame) above = {0};
    size_t place = find_frame(l, kind, ev->op);
    if (!place)
        return;
    while (l->stack.n > place) {
        struct trace_frame frame = pop(f, l, true);
        BASE_ARRAY_PUSH(&above, frame);
    }
    l->stack.at[place - 1].cause = ev->cause;
    pop(f, l, false);
    while (above.n)
        push(f, l, &above.at[--above.n], true);
    free(above.at);
}

void trace_foreign_begin_state(struct trace_foreign *f, struct trace_lane *l, enum trace_name_kind kind,
                               const struct trace_event *ev)
{
    struct trace_frame frame = {.kind = kind, .name = trace_foreign_name(f, kind, ev->call, ev->detail)};
    if (has_number(kind)) {
        frame.number = ev->op;
        frame.bytes = ev->bytes;
        frame.peers = ev->peer;
        frame.offset = kind == TRACE_NAME_FILE ? ev->address : ev->context;
    }
    push(f, l, &frame, false);
}

struct trace_lane *trace_foreign_lane(struct trace_foreign *f, uint32_t rank, uint32_t thread)
{
    struct trace_lane *l = trace_lanes_find(&f->lanes, rank, thread);
    if (BASE_LIKELY(l != NULL))
        return l;
    l = trace_lanes_add(&f->lanes, rank, thread);
    f->form->lane(f, l);
    if (!thread) {
        struct trace_frame life = {.kind = TRACE_NAME_LIFE};
        life.name = trace_foreign_name(f, TRACE_NAME_LIFE, f->about->program, NULL);
        push(f, l, &life, false);
    }
    return l;
}

void trace_foreign_end_rank(struct trace_foreign *f, uint32_t rank)
{
    for (size_t t = f->lanes.rank[rank].thread.n; t; t--)
        if (f->lanes.rank[rank].thread.at[t - 1])
            pop_all(f, f->lanes.rank[rank].thread.at[t - 1]);
}
