/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce: an operator between packed elements and those that lie along a layout. Long runs are computed where
 * they lie; short ones are gathered, computed and put back, a block at a time.
 */
#include "types/internal.h"

#include <string.h>

enum { BLOCK = 1024, LONG_RUN = 128 };

struct reduction {
    types_combine_fn combine;
    uint32_t size; /* of an element */
    bool packed_first;
};

static void combine(const struct reduction *r, void *here, const void *packed, size_t n)
{
    r->combine(here, r->packed_first ? packed : here, r->packed_first ? here : packed, n);
}

static void reduce_runs(const struct reduction *r, char *here, const struct types_strip *s,
                        const char *packed)
{
    for (uint64_t k = 0; k < s->n; k++, here += s->stride, packed += s->bytes)
        combine(r, here, packed, s->bytes / r->size);
}

static void reduce_gathered(const struct reduction *r, char *here, const struct types_strip *s,
                            const char *packed)
{
    _Alignas(16) char block[BLOCK];
    int64_t bytes = (int64_t)s->bytes;
    for (uint64_t k = 0, n; k < s->n; k += n, here += (int64_t)n * s->stride, packed += n * s->bytes) {
        n = BLOCK / s->bytes < s->n - k ? BLOCK / s->bytes : s->n - k;
        types_copy_runs(block, bytes, here, s->stride, s->bytes, n);
        combine(r, block, packed, n * s->bytes / r->size);
        types_copy_runs(here, s->stride, block, bytes, s->bytes, n);
    }
}

/* Elements with room between or behind their parts: packed bytes are no array of them. */
static void reduce_padded(const struct reduction *r, enum types_element e, const struct types_view *v,
                          char *data, uint64_t to, const char *packed)
{
    enum { AT_ONCE = 16 };
    const struct types_layout *one = types_layout_of(e);
    _Alignas(16) char here[AT_ONCE * 32], there[AT_ONCE * 32], bytes[AT_ONCE * 32];
    for (uint64_t at = v->at, n; at < to; at += n * r->size, packed += n * r->size) {
        n = (to - at) / r->size < AT_ONCE ? (to - at) / r->size : AT_ONCE;
        types_pack(v->layout, v->count, data, at, at + n * r->size, bytes);
        types_unpack(one, n, here, 0, n * r->size, bytes);
        types_unpack(one, n, there, 0, n * r->size, packed);
        combine(r, here, there, n);
        types_pack(one, n, here, 0, n * r->size, bytes);
        types_unpack(v->layout, v->count, data, at, at + n * r->size, bytes);
    }
}

void types_reduce(enum types_op op, const struct types_layout *l, uint64_t count, void *data, uint64_t from,
                  uint64_t to, const void *packed, bool packed_first)
{
    if (from == to)
        return;
    BASE_ASSERT("T1", l->element != TYPES_ELEMENTS);
    const struct types_element_info *e = types_element_info(l->element);
    const struct reduction r = {types_operator(op, l->element), e->size, packed_first};
    const char *in = packed;
    char *memory = data;
    BASE_ASSERT("T1", r.combine && from % e->size == 0 && to % e->size == 0);
    if (e->size != e->extent) {
        reduce_padded(&r, l->element, &(struct types_view){l, count, from}, memory, to, in);
        return;
    }
    if (BASE_LIKELY(l->dense)) {
        combine(&r, memory + l->data.offset + (int64_t)from, in, (to - from) / e->size);
        return;
    }
    struct types_cursor c;
    struct types_strip s;
    types_cursor_init(&c, l, count, from, to);
    for (; types_cursor_next(&c, &s); in += s.bytes * s.n) {
        if (s.n == 1 || s.bytes >= LONG_RUN)
            reduce_runs(&r, memory + s.offset, &s, in);
        else
            reduce_gathered(&r, memory + s.offset, &s, in);
    }
    types_cursor_release(&c);
}
