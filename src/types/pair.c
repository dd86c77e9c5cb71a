/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair: walks two layouts at once, in moves as long as both allow: equal runs on both sides go together,
 * short runs fill or drain a long one, and else one piece of a run at a time.
 */
#include "types/internal.h"

struct side {
    struct types_cursor cursor;
    struct types_strip strip; /* n 0: the next is to be fetched */
    uint64_t done;            /* bytes of the strip's first run */
};

static void begin(struct side *s, const struct types_view *v, uint64_t bytes)
{
    types_cursor_init(&s->cursor, v->layout, v->count, v->at, v->at + bytes);
    s->strip.n = 0;
    s->done = 0;
}

static bool fetch(struct side *s)
{
    return s->strip.n || types_cursor_next(&s->cursor, &s->strip);
}

/* n whole runs have gone. */
static void advance_runs(struct side *s, uint64_t n)
{
    s->strip.n -= n;
    s->strip.offset += (int64_t)n * s->strip.stride;
}

/* `bytes` of the first run have gone. */
static void advance_bytes(struct side *s, uint64_t bytes)
{
    s->done += bytes;
    if (s->done == s->strip.bytes) {
        s->done = 0;
        advance_runs(s, 1);
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The next move; whole runs of `few` beside a part of a run of `many`, or of both. */
static void step(struct side *a, struct side *b, struct types_move *m)
{
    uint64_t left_a = a->strip.bytes - a->done, left_b = b->strip.bytes - b->done;
    m->to = a->strip.offset + (int64_t)a->done;
    m->from = b->strip.offset + (int64_t)b->done;
    m->to_stride = a->strip.stride;
    m->from_stride = b->strip.stride;
    if (!a->done && !b->done && left_a == left_b) {
        m->bytes = left_a;
        m->n = least(a->strip.n, b->strip.n);
        advance_runs(a, m->n);
        advance_runs(b, m->n);
    } else if (!a->done && left_a <= left_b) {
        m->bytes = left_a;
        m->n = least(a->strip.n, left_b / left_a);
        m->from_stride = (int64_t)left_a;
        advance_runs(a, m->n);
        advance_bytes(b, m->n * left_a);
    } else if (!b->done && left_b <= left_a) {
        m->bytes = left_b;
        m->n = least(b->strip.n, left_a / left_b);
        m->to_stride = (int64_t)left_b;
        advance_runs(b, m->n);
        advance_bytes(a, m->n * left_b);
    } else {
        m->bytes = least(left_a, left_b);
        m->n = 1;
        advance_bytes(a, m->bytes);
        advance_bytes(b, m->bytes);
    }
}

void types_each_move(const struct types_view *to, const struct types_view *from, uint64_t bytes,
                     types_move_fn fn, void *arg)
{
    const struct types_layout *a = to->layout, *b = from->layout;
    if (BASE_LIKELY(a->dense && b->dense)) {
        struct types_move m = {a->data.offset + (int64_t)to->at,
                               b->data.offset + (int64_t)from->at,
                               (int64_t)bytes,
                               (int64_t)bytes,
                               bytes,
                               1};
        if (bytes)
            fn(arg, &m);
        return;
    }
    struct side sides[2];
    begin(&sides[0], to, bytes);
    begin(&sides[1], from, bytes);
    while (fetch(&sides[0]) && fetch(&sides[1])) {
        struct types_move m;
        step(&sides[0], &sides[1], &m);
        fn(arg, &m);
    }
    types_cursor_release(&sides[0].cursor);
    types_cursor_release(&sides[1].cursor);
}
