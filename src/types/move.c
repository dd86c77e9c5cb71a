/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move: copies data between memory that is laid out and packed bytes, and from one layout to another. Runs of
 * a few bytes at equal distances are most of what is not dense, so there is a loop for each usual length.
 * Compiled for speed (CMakeLists.txt).
 */
#include "types/internal.h"

#include <string.h>

/* --- runs at equal distances ---------------------------------------------------------------------- */

/* A loop for runs of one length; four at a time, for their addresses do not depend on each other. */
#define RUNS_OF(length)                                                                                      \
    static void runs_of_##length(char *to, int64_t ts, const char *from, int64_t fs, uint64_t n)             \
    {                                                                                                        \
        for (; n >= 4; n -= 4, to += 4 * ts, from += 4 * fs) {                                               \
            memcpy(to, from, length);                                                                        \
            memcpy(to + ts, from + fs, length);                                                              \
            memcpy(to + 2 * ts, from + 2 * fs, length);                                                      \
            memcpy(to + 3 * ts, from + 3 * fs, length);                                                      \
        }                                                                                                    \
        for (; n; n--, to += ts, from += fs)                                                                 \
            memcpy(to, from, length);                                                                        \
    }
#define LENGTHS(X) X(1) X(2) X(4) X(8) X(12) X(16) X(24) X(32) X(48) X(64)
LENGTHS(RUNS_OF)

/* Vectors of every other number, which is a shuffle: the real parts of complex numbers. */
static void every_other_4(char *to, const char *from, uint64_t n)
{
    typedef uint32_t anywhere TYPES_ANYWHERE;
    anywhere *out = (anywhere *)to;
    const anywhere *in = (const anywhere *)from;
    TYPES_INDEPENDENT
    for (uint64_t k = 0; k < n; k++)
        out[k] = in[2 * k];
}

void types_copy_runs(void *to, int64_t to_stride, const void *from, int64_t from_stride, uint64_t bytes,
                     uint64_t n)
{
    char *out = to;
    const char *in = from;
    if (n == 1) {
        memcpy(out, in, bytes);
        return;
    }
    if (bytes == 4 && to_stride == 4 && from_stride == 8) {
        every_other_4(out, in, n);
        return;
    }
    switch (bytes) {
#define CHOOSE(length)                                                                                       \
    case length:                                                                                             \
        runs_of_##length(out, to_stride, in, from_stride, n);                                                \
        return;
        LENGTHS(CHOOSE)
    }
    for (uint64_t k = 0; k < n; k++, out += to_stride, in += from_stride)
        memcpy(out, in, bytes);
}

/* --- packed bytes --------------------------------------------------------------------------------- */

/* The processor predicts runs at equal distances, but not those of a list, whose lines are prefetched. */
enum { AHEAD = 4, LINE = 64, MANY_LINES = 32 };

static inline void ask_for(const struct types_piece *p, const struct types_piece *end, const char *memory)
{
    if (end - p <= AHEAD)
        return;
    p += AHEAD;
    uint64_t bytes = p[1].before - p->before;
    for (uint64_t k = 0; k < bytes && k < MANY_LINES * LINE; k += LINE)
        __builtin_prefetch(memory + p->offset + k);
}

/* One run of a list: often as long as a number. */
static inline void copy_piece(char *to, const char *from, uint64_t bytes)
{
    if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, bytes);
}

static char *pack_batch(const struct types_batch *b, const char *memory, char *out)
{
    const struct types_piece *end = b->piece + b->pieces;
    uint64_t first = b->piece->before, bytes = end->before - first;
    memory += b->base;
    for (uint64_t k = 0; k < b->times; k++, memory += b->stride, out += bytes)
        for (const struct types_piece *p = b->piece; p < end; p++) {
            ask_for(p, end, memory);
            copy_piece(out + (p->before - first), memory + p->offset, p[1].before - p->before);
        }
    return out;
}

static const char *unpack_batch(const struct types_batch *b, char *memory, const char *in)
{
    const struct types_piece *end = b->piece + b->pieces;
    uint64_t first = b->piece->before, bytes = end->before - first;
    memory += b->base;
    for (uint64_t k = 0; k < b->times; k++, memory += b->stride, in += bytes)
        for (const struct types_piece *p = b->piece; p < end; p++)
            copy_piece(memory + p->offset, in + (p->before - first), p[1].before - p->before);
    return in;
}

void types_pack(const struct types_layout *l, uint64_t count, const void *data, uint64_t from, uint64_t to,
                void *packed)
{
    const char *memory = data;
    char *out = packed;
    if (BASE_LIKELY(l->dense)) {
        if (to > from)
            memcpy(out, memory + l->data.offset + (int64_t)from, to - from);
        return;
    }
    struct types_cursor c;
    struct types_strip s;
    struct types_batch b;
    types_cursor_init(&c, l, count, from, to);
    for (;;) {
        if (types_cursor_batch(&c, &b)) {
            out = pack_batch(&b, memory, out);
        } else if (types_cursor_next(&c, &s)) {
            types_copy_runs(out, (int64_t)s.bytes, memory + s.offset, s.stride, s.bytes, s.n);
            out += s.bytes * s.n;
        } else {
            break;
        }
    }
    types_cursor_release(&c);
}

void types_unpack(const struct types_layout *l, uint64_t count, void *data, uint64_t from, uint64_t to,
                  const void *packed)
{
    char *memory = data;
    const char *in = packed;
    if (BASE_LIKELY(l->dense)) {
        if (to > from)
            memcpy(memory + l->data.offset + (int64_t)from, in, to - from);
        return;
    }
    struct types_cursor c;
    struct types_strip s;
    struct types_batch b;
    types_cursor_init(&c, l, count, from, to);
    for (;;) {
        if (types_cursor_batch(&c, &b)) {
            in = unpack_batch(&b, memory, in);
        } else if (types_cursor_next(&c, &s)) {
            types_copy_runs(memory + s.offset, s.stride, in, (int64_t)s.bytes, s.bytes, s.n);
            in += s.bytes * s.n;
        } else {
            break;
        }
    }
    types_cursor_release(&c);
}

/* --- layout to layout ----------------------------------------------------------------------------- */

struct ends {
    char *to;
    const char *from;
};

static void move(void *arg, const struct types_move *m)
{
    const struct ends *e = arg;
    types_copy_runs(e->to + m->to, m->to_stride, e->from + m->from, m->from_stride, m->bytes, m->n);
}

void types_copy(const struct types_view *to, void *to_data, const struct types_view *from,
                const void *from_data, uint64_t bytes)
{
    struct ends e = {to_data, from_data};
    types_each_move(to, from, bytes, move, &e);
}
