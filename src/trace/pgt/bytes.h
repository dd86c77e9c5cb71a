/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes: numbers as a trace's file holds them (private to trace/). Fixed ones are little-endian. Others take
 * as many bytes as they need: n - 1 zero bits and a one, lowest first, say that there are n, up to 8, of
 * seven bits each; a first byte of 0 says that eight whole ones follow. So a number is written and read
 * without a loop. Signed ones are folded first (0, -1, 1, -2, ...).
 */
#ifndef PGASIM_TRACE_BYTES_H
#define PGASIM_TRACE_BYTES_H

#include "base/base.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory is as the file is");

enum { TRACE_VARINT_MOST = 9 };

static inline uint64_t trace_double_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static inline double trace_bits_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static inline uint64_t trace_fold_sign(int64_t v)
{
    return v < 0 ? ~((uint64_t)v << 1) : (uint64_t)v << 1;
}
static inline int64_t trace_unfold_sign(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* Each returns the position after the number. Up to eight bytes may be written, however few it needs. */
static inline unsigned char *trace_put_varint(unsigned char *p, uint64_t v)
{
    if (v < 128) {
        *p = (unsigned char)(v << 1 | 1);
        return p + 1;
    }
    unsigned n = (70 - (unsigned)__builtin_clzll(v)) / 7;
    if (BASE_UNLIKELY(n > 8)) {
        *p = 0;
        memcpy(p + 1, &v, 8);
        return p + 9;
    }
    v = v << n | UINT64_C(1) << (n - 1);
    memcpy(p, &v, 8);
    return p + n;
}
static inline unsigned char *trace_put_fixed(unsigned char *p, uint64_t v, int bytes)
{
    for (int k = 0; k < bytes; k++, v >>= 8)
        *p++ = (unsigned char)v;
    return p;
}

/* The bytes still to read. `bad`: they ended too early or held an invalid value; later reads return 0. */
struct trace_bytes {
    const unsigned char *at, *end;
    bool bad;
};
static inline size_t trace_bytes_left(const struct trace_bytes *b)
{
    return (size_t)(b->end - b->at);
}
static inline uint64_t trace_bytes_fail(struct trace_bytes *b)
{
    b->bad = true;
    b->at = b->end;
    return 0;
}
static inline uint64_t trace_get_varint(struct trace_bytes *b)
{
    uint64_t v = 0;
    size_t left = trace_bytes_left(b);
    unsigned n = left ? (unsigned)__builtin_ctz(*b->at | 256u) + 1 : 9;
    if (BASE_UNLIKELY(n > left))
        return trace_bytes_fail(b);
    if (BASE_UNLIKELY(n == 9))
        memcpy(&v, b->at + 1, 8);
    else if (BASE_LIKELY(left >= 8))
        memcpy(&v, b->at, 8);
    else
        memcpy(&v, b->at, n);
    b->at += n;
    return n == 9 ? v : v << (64 - 8 * n) >> (64 - 7 * n);
}
static inline uint64_t trace_get_fixed(struct trace_bytes *b, int bytes)
{
    uint64_t v = 0;
    if (trace_bytes_left(b) < (size_t)bytes)
        return trace_bytes_fail(b);
    for (int k = 0; k < bytes; k++)
        v |= (uint64_t)*b->at++ << 8 * k;
    return v;
}
static inline double trace_get_double(struct trace_bytes *b)
{
    return trace_bits_double(trace_get_fixed(b, 8));
}
/* A varint that is at most `most`. */
static inline uint64_t trace_get_within(struct trace_bytes *b, uint64_t most)
{
    uint64_t v = trace_get_varint(b);
    return v <= most ? v : trace_bytes_fail(b);
}

/* Bytes that grow. */
struct trace_buffer {
    unsigned char *at;
    size_t n, cap;
};
/* Makes room for more bytes; the caller adds what it used to n. */
static inline unsigned char *trace_buffer_room(struct trace_buffer *b, size_t more)
{
    if (b->n + more > b->cap)
        b->at = base_array_grow(b->at, &b->cap, b->n + more, 1, "trace");
    return b->at + b->n;
}
static inline void trace_buffer_varint(struct trace_buffer *b, uint64_t v)
{
    unsigned char *p = trace_buffer_room(b, TRACE_VARINT_MOST);
    b->n += (size_t)(trace_put_varint(p, v) - p);
}
static inline void trace_buffer_fixed(struct trace_buffer *b, uint64_t v, int bytes)
{
    trace_put_fixed(trace_buffer_room(b, 8), v, bytes);
    b->n += (size_t)bytes;
}
static inline void trace_buffer_double(struct trace_buffer *b, double v)
{
    trace_buffer_fixed(b, trace_double_bits(v), 8);
}
static inline void trace_buffer_bytes(struct trace_buffer *b, const void *data, size_t size)
{
    if (size)
        memcpy(trace_buffer_room(b, size), data, size);
    b->n += size;
}

#endif
