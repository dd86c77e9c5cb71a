/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns: events to columns and back. A column holds one field, of those events where it differs from the
 * expected value. So most events take only a tag and a time, and zstd packs these well.
 */
#include "trace/pgt/pgt.h"

#include <math.h>
#include <stdlib.h>

/* Bytes of a column's item, at most, and room for what writing one touches. */
static const uint8_t widest[PGT_COLUMNS] = {1, 9, 5, 5, 5, 9, 9, 9, 8,
                                            5, 5, 1, 2, 9, 5, 9, 1, 9 * TRACE_VALUES};
enum { SLACK = 8 };

void pgt_columns_init(struct pgt_columns *c, struct pgt_strings *strings)
{
    size_t total = 0;
    for (int k = 0; k < PGT_COLUMNS; k++)
        total += (size_t)widest[k] * PGT_EVENTS + SLACK;
    unsigned char *at = c->memory = base_alloc(total, "a trace's block");
    for (int k = 0; k < PGT_COLUMNS; k++) {
        c->start[k] = at;
        at += (size_t)widest[k] * PGT_EVENTS + SLACK;
    }
    c->strings = strings;
    pgt_columns_clear(c);
}

void pgt_columns_release(struct pgt_columns *c)
{
    free(c->memory);
}

void pgt_columns_clear(struct pgt_columns *c)
{
    memset(c->of, 0, sizeof c->of);
    memset(c->value, 0, sizeof c->value);
    memcpy(c->at, c->start, sizeof c->at);
    c->time = c->rank = c->events = 0;
    c->first = INFINITY;
    c->last = -INFINITY;
}

static inline uint64_t next_op(uint64_t op)
{
    return op + (op != 0);
}

static inline unsigned put_text(struct pgt_columns *c, enum pgt_column column, const char *text,
                                const char **last, uint32_t *number)
{
    uint32_t is = pgt_string_number(c->strings, text);
    *last = text;
    if (is == *number)
        return 0;
    return pgt_put(c, column, *number = is);
}

unsigned pgt_columns_fields(struct pgt_columns *c, struct pgt_last *e, const struct trace_event *ev)
{
    uint64_t least = trace_double_bits(ev->least), op = next_op(e->op);
    unsigned tag = 0;
    if (ev->op != op)
        tag |= pgt_put_signed(c, PGT_OP, ev->op - op);
    if (ev->peer != e->peer)
        tag |= pgt_put(c, PGT_PEER, e->peer = ev->peer);
    if (ev->thread != e->thread)
        tag |= pgt_put(c, PGT_THREAD, e->thread = ev->thread);
    e->op = ev->op; /* here: beside the next one the compiler would load both at once, which waits for their
                       stores */
    if (ev->cause != e->cause) {
        tag |= pgt_put_signed(c, PGT_CAUSE, ev->cause - e->cause);
        e->cause = ev->cause;
    }
    if (ev->bytes != e->bytes)
        tag |= pgt_put(c, PGT_BYTES, e->bytes = ev->bytes);
    if (least != e->least) {
        c->at[PGT_LEAST] = trace_put_fixed(c->at[PGT_LEAST], e->least = least, 8);
        tag |= PGT_DIFFERS(PGT_LEAST);
    }
    if (ev->call != e->call)
        tag |= put_text(c, PGT_CALL, ev->call, &e->call, &e->call_number);
    if (ev->detail != e->detail)
        tag |= put_text(c, PGT_DETAIL, ev->detail, &e->detail, &e->detail_number);
    return tag;
}

static void put_values(struct pgt_columns *c, const struct trace_event *ev)
{
    BASE_ASSERT("G3", ev->peer <= TRACE_VALUES);
    for (uint32_t k = 0; k < ev->peer; k++) {
        uint64_t v = (uint64_t)ev->values[k];
        pgt_put_signed(c, PGT_VALUES, v - c->value[k]);
        c->value[k] = v;
    }
}

unsigned pgt_columns_rare(struct pgt_columns *c, struct pgt_last *e, const struct trace_event *ev)
{
    unsigned differ = 0;
    if (ev->context != e->context) {
        pgt_put(c, PGT_CONTEXT, e->context = ev->context);
        differ |= PGT_RARE_DIFFERS(PGT_CONTEXT);
    }
    if (ev->tag != e->tag) {
        pgt_put_signed(c, PGT_MESSAGE_TAG, (uint64_t)(int64_t)(e->tag = ev->tag));
        differ |= PGT_RARE_DIFFERS(PGT_MESSAGE_TAG);
    }
    if (ev->address != e->address) {
        pgt_put_signed(c, PGT_ADDRESS, ev->address - e->address);
        e->address = ev->address;
        differ |= PGT_RARE_DIFFERS(PGT_ADDRESS);
    }
    if (ev->kind != e->kind) {
        pgt_put(c, PGT_KIND, e->kind = ev->kind);
        differ |= PGT_RARE_DIFFERS(PGT_KIND);
    }
    if (ev->type == TRACE_USER)
        put_values(c, ev);
    pgt_put(c, PGT_RARE, differ | (unsigned)ev->type << PGT_RARE_BITS);
    return PGT_TYPE_RARE;
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
    struct trace_bytes column[PGT_COLUMNS]; /* empty if the file's version does not have it */
    struct pgt_expected expected;
    const struct pgt_limits *limits;
    int64_t *values; /* those of the next user's event; as many may follow as the column has bytes */
};

static bool split(struct reading *r, struct trace_bytes *b)
{
    uint64_t size[PGT_COLUMNS];
    int columns = r->limits->version < 2   ? PGT_COLUMNS_1
                  : r->limits->version < 5 ? PGT_COLUMNS_4
                                           : PGT_COLUMNS;
    for (int k = 0; k < columns; k++)
        size[k] = trace_get_varint(b);
    for (int k = 0; k < columns; k++) {
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
        e->peer = get_within(r, PGT_PEER,
                             trace_types[type].fields & TRACE_HAS_PEER ? r->limits->ranks - 1 : UINT32_MAX);
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

static void get_rare(struct reading *r, unsigned differ, enum trace_type type)
{
    __typeof__(&r->expected.of[0]) e = &r->expected.of[type];
    if (differ & PGT_RARE_DIFFERS(PGT_CONTEXT))
        e->context = get(r, PGT_CONTEXT);
    if (differ & PGT_RARE_DIFFERS(PGT_MESSAGE_TAG))
        e->tag = (int32_t)trace_unfold_sign(get_within(r, PGT_MESSAGE_TAG, UINT32_MAX));
    if (differ & PGT_RARE_DIFFERS(PGT_ADDRESS))
        e->address += (uint64_t)trace_unfold_sign(get(r, PGT_ADDRESS));
    if (differ & PGT_RARE_DIFFERS(PGT_KIND))
        e->kind = get_within(r, PGT_KIND, TRACE_KINDS - 1);
}

static unsigned get_tag(struct reading *r)
{
    unsigned tag = (unsigned)trace_get_fixed(&r->column[PGT_TAG], 1);
    if (tag & PGT_TAG_MORE)
        tag ^= PGT_TAG_MORE ^ (unsigned)trace_get_fixed(&r->column[PGT_MORE], 1) << PGT_TAG_BITS;
    return tag;
}

/* The type that a tag stands for, and which rare fields differ; TRACE_TYPES or more: there is none such. */
static unsigned get_type(struct reading *r, unsigned tag, unsigned *rare)
{
    unsigned type = tag & ((1u << PGT_TYPE_BITS) - 1);
    *rare = 0;
    if (r->limits->version < 2)
        return type < PGT_TYPES_1 ? type : TRACE_TYPES;
    if (type != PGT_TYPE_RARE)
        return type;
    uint64_t item = get(r, PGT_RARE), types = r->limits->version < 3    ? PGT_TYPES_2
                                              : r->limits->version < 4  ? PGT_TYPES_3
                                              : r->limits->version < 5  ? PGT_TYPES_4
                                              : r->limits->version < 6  ? PGT_TYPES_5
                                              : r->limits->version < 7  ? PGT_TYPES_6
                                              : r->limits->version < 10 ? PGT_TYPES_9
                                                                        : TRACE_TYPES;
    *rare = (unsigned)(item & ((1u << PGT_RARE_BITS) - 1));
    return item >> PGT_RARE_BITS < types ? (unsigned)(item >> PGT_RARE_BITS) : TRACE_TYPES;
}

/* false: too many, or the column ends before. */
static bool get_values(struct reading *r, struct trace_event *ev)
{
    if (ev->peer > TRACE_VALUES)
        return false;
    ev->values = ev->peer ? r->values : NULL;
    for (uint32_t k = 0; k < ev->peer; k++) {
        uint64_t step = (uint64_t)trace_unfold_sign(get(r, PGT_VALUES));
        if (r->column[PGT_VALUES].bad)
            return false;
        *r->values++ = (int64_t)(r->expected.value[k] += step);
    }
    return true;
}

/* false: no such type, an invalid time or duration, or values that are not there. */
static bool get_event(struct reading *r, struct trace_event *out)
{
    unsigned rare, tag = get_tag(r), type = get_type(r, tag, &rare);
    if (type >= TRACE_TYPES)
        return false;
    __typeof__(&r->expected.of[0]) e = &r->expected.of[type];
    if (tag & PGT_DIFFERS(PGT_TIME)) {
        uint64_t step = (uint64_t)trace_unfold_sign(get(r, PGT_TIME));
        if (!(tag & PGT_DIFFERS(PGT_RANK)))
            step = e->step += step;
        r->expected.time += step;
    }
    if (tag & PGT_DIFFERS(PGT_RANK))
        r->expected.rank = get_within(r, PGT_RANK, r->limits->ranks - 1);
    get_fields(r, tag, type);
    get_rare(r, rare, type);
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
                                .detail = r->limits->string[e->detail],
                                .context = e->context,
                                .address = e->address,
                                .tag = e->tag,
                                .kind = e->kind};
    return out->time >= 0 && isfinite(out->time) && out->least >= 0 && isfinite(out->least) &&
           (type != TRACE_USER || get_values(r, out));
}

static bool get_events(struct reading *r, uint32_t events, struct trace_event *out)
{
    for (uint32_t k = 0; k < events; k++)
        if (!get_event(r, &out[k]))
            return false;
    for (int k = 0; k < PGT_COLUMNS; k++)
        if (r->column[k].bad || r->column[k].at != r->column[k].end)
            return false;
    return true;
}

bool pgt_columns_get(struct trace_bytes *b, uint32_t events, const struct pgt_limits *limits,
                     struct trace_event *out, int64_t **values)
{
    struct reading r = {.limits = limits};
    *values = NULL;
    if (!split(&r, b))
        return false;
    size_t most = trace_bytes_left(&r.column[PGT_VALUES]); /* each takes a byte or more */
    if (most)
        *values = r.values = base_alloc(most * sizeof *r.values, "events of a trace");
    bool sound = get_events(&r, events, out);
    if (!sound) {
        free(*values);
        *values = NULL;
    }
    return sound;
}
