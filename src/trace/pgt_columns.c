/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgt_columns: events to columns and back. A column holds one field of those events in which it differs from what is
 * expected, so that most events are a tag and a time; zstd does the rest.
 */
#include "trace/pgt.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of a column's item, at most. */
static const uint8_t widest[PGT_COLUMNS] = {2, 10, 5, 5, 5, 10, 10, 10, 8, 5, 5};

void pgt_columns_init(struct pgt_columns *c)
{
    size_t total = 0;
    for (int k = 0; k < PGT_COLUMNS; k++)
        total += widest[k];
    unsigned char *at = c->memory = base_alloc(total * PGT_EVENTS, "a trace's block");
    for (int k = 0; k < PGT_COLUMNS; k++) {
        c->start[k] = at;
        at += (size_t)widest[k] * PGT_EVENTS;
    }
    pgt_columns_clear(c);
}

void pgt_columns_release(struct pgt_columns *c)
{
    free(c->memory);
}

void pgt_columns_clear(struct pgt_columns *c)
{
    memset(&c->expected, 0, sizeof c->expected);
    memcpy(c->at, c->start, sizeof c->at);
    c->events = 0;
    c->first = INFINITY;
    c->last = -INFINITY;
}

static inline uint64_t next_op(uint64_t op)
{
    return op + (op != 0);
}

static inline void put(struct pgt_columns *c, enum pgt_column column, uint64_t v)
{
    c->at[column] = trace_put_varint(c->at[column], v);
}

#define EXPECT(column, field, value)                                                                         \
    if (e->field != (value)) {                                                                               \
        e->field = (value);                                                                                  \
        tag |= PGT_DIFFERS(column);                                                                          \
        put(c, column, value);                                                                               \
    }

void pgt_columns_add(struct pgt_columns *c, const struct trace_event *ev, uint32_t call, uint32_t detail)
{
    uint64_t time = trace_double_bits(ev->time), least = trace_double_bits(ev->least);
    unsigned tag = ev->type;
    c->first = ev->time < c->first ? ev->time : c->first;
    c->last = ev->time > c->last ? ev->time : c->last;
    if (time != c->expected.time) {
        tag |= PGT_DIFFERS(PGT_TIME);
        put(c, PGT_TIME, trace_fold_sign((int64_t)(time - c->expected.time)));
        c->expected.time = time;
    }
    if (ev->rank != c->expected.rank) {
        tag |= PGT_DIFFERS(PGT_RANK);
        put(c, PGT_RANK, c->expected.rank = ev->rank);
    }
    __typeof__(&c->expected.of[0]) e = &c->expected.of[ev->type];
    e->op = next_op(e->op);
    if (ev->op != e->op) {
        tag |= PGT_DIFFERS(PGT_OP);
        put(c, PGT_OP, trace_fold_sign((int64_t)(ev->op - e->op)));
        e->op = ev->op;
    }
    EXPECT(PGT_PEER, peer, ev->peer)
    EXPECT(PGT_THREAD, thread, ev->thread)
    if (ev->cause != e->cause) {
        tag |= PGT_DIFFERS(PGT_CAUSE);
        put(c, PGT_CAUSE, trace_fold_sign((int64_t)(ev->cause - e->cause)));
        e->cause = ev->cause;
    }
    EXPECT(PGT_BYTES, bytes, ev->bytes)
    if (least != e->least) {
        tag |= PGT_DIFFERS(PGT_LEAST);
        c->at[PGT_LEAST] = trace_put_fixed(c->at[PGT_LEAST], e->least = least, 8);
    }
    EXPECT(PGT_CALL, call, call)
    EXPECT(PGT_DETAIL, detail, detail)
    c->at[PGT_TAG] = trace_put_fixed(c->at[PGT_TAG], tag, 2);
    c->events++;
}

void pgt_columns_put(const struct pgt_columns *c, struct trace_buffer *b)
{
    for (int k = 0; k < PGT_COLUMNS; k++)
        trace_buffer_varint(b, (uint64_t)(c->at[k] - c->start[k]));
    for (int k = 0; k < PGT_COLUMNS; k++)
        trace_buffer_bytes(b, c->start[k], (size_t)(c->at[k] - c->start[k]));
}

/* --- back ------------------------------------------------------------------------------------------- */

struct reading {
    struct trace_bytes column[PGT_COLUMNS];
    struct pgt_expected expected;
    const struct pgt_limits *limits;
};

static bool split(struct reading *r, struct trace_bytes *b)
{
    uint64_t size[PGT_COLUMNS];
    for (int k = 0; k < PGT_COLUMNS; k++)
        size[k] = trace_get_varint(b);
    for (int k = 0; k < PGT_COLUMNS; k++) {
        if (size[k] > trace_bytes_left(b))
            return false;
        r->column[k] = (struct trace_bytes){b->at, b->at + size[k], false};
        b->at += size[k];
    }
    return !b->bad && b->at == b->end;
}

static inline uint64_t get(struct reading *r, enum pgt_column column)
{
    return trace_get_varint(&r->column[column]);
}

static inline uint32_t get_within(struct reading *r, enum pgt_column column, uint64_t most)
{
    return (uint32_t)trace_get_within(&r->column[column], most);
}

static void get_fields(struct reading *r, unsigned tag, enum trace_type type)
{
    __typeof__(&r->expected.of[0]) e = &r->expected.of[type];
    e->op = next_op(e->op);
    if (tag & PGT_DIFFERS(PGT_OP))
        e->op += (uint64_t)trace_unfold_sign(get(r, PGT_OP));
    if (tag & PGT_DIFFERS(PGT_PEER))
        e->peer = get_within(r, PGT_PEER, type < TRACE_WAIT_BEGIN ? r->limits->ranks - 1 : UINT32_MAX);
    if (tag & PGT_DIFFERS(PGT_THREAD))
        e->thread = get_within(r, PGT_THREAD, UINT32_MAX);
    if (tag & PGT_DIFFERS(PGT_CAUSE))
        e->cause += (uint64_t)trace_unfold_sign(get(r, PGT_CAUSE));
    if (tag & PGT_DIFFERS(PGT_BYTES))
        e->bytes = get(r, PGT_BYTES);
    if (tag & PGT_DIFFERS(PGT_LEAST))
        e->least = trace_get_fixed(&r->column[PGT_LEAST], 8);
    if (tag & PGT_DIFFERS(PGT_CALL))
        e->call = get_within(r, PGT_CALL, r->limits->strings - 1);
    if (tag & PGT_DIFFERS(PGT_DETAIL))
        e->detail = get_within(r, PGT_DETAIL, r->limits->strings - 1);
}

/* false: no such type, or a time or duration that is none. */
static bool get_event(struct reading *r, struct trace_event *out)
{
    unsigned tag = (unsigned)trace_get_fixed(&r->column[PGT_TAG], 2);
    unsigned type = tag & ((1u << PGT_TYPE_BITS) - 1);
    if (type >= TRACE_TYPES)
        return false;
    if (tag & PGT_DIFFERS(PGT_TIME))
        r->expected.time += (uint64_t)trace_unfold_sign(get(r, PGT_TIME));
    if (tag & PGT_DIFFERS(PGT_RANK))
        r->expected.rank = get_within(r, PGT_RANK, r->limits->ranks - 1);
    get_fields(r, tag, type);
    __typeof__(&r->expected.of[0]) e = &r->expected.of[type];
    *out = (struct trace_event){.time = trace_bits_double(r->expected.time),
                                .type = type,
                                .rank = r->expected.rank,
                                .peer = e->peer,
                                .thread = e->thread,
                                .op = e->op,
                                .cause = e->cause,
                                .bytes = e->bytes,
                                .least = trace_bits_double(e->least),
                                .call = r->limits->string[e->call],
                                .detail = r->limits->string[e->detail]};
    return out->time >= 0 && isfinite(out->time) && out->least >= 0 && isfinite(out->least);
}

bool pgt_columns_get(struct trace_bytes *b, uint32_t events, const struct pgt_limits *limits,
                     struct trace_event *out)
{
    struct reading r = {.limits = limits};
    if (!split(&r, b))
        return false;
    for (uint32_t k = 0; k < events; k++)
        if (!get_event(&r, &out[k]))
            return false;
    for (int k = 0; k < PGT_COLUMNS; k++)
        if (r.column[k].bad || r.column[k].at != r.column[k].end)
            return false;
    return true;
}
