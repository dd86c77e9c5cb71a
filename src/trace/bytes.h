/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes: numbers as a trace's file holds them (private to trace/). Fixed ones are little-endian; others are varints,
 * seven bits a byte, lowest first; signed ones are folded first (0, -1, 1, -2, ...).
 */
#ifndef PGASIM_TRACE_BYTES_H
#define PGASIM_TRACE_BYTES_H

#include "base/base.h"

#include <string.h>

enum { TRACE_VARINT_MOST = 10 };

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
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}
static inline int64_t trace_unfold_sign(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* Each returns where the next goes. */
static inline unsigned char *trace_put_varint(unsigned char *p, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        *p++ = (unsigned char)(v | 128);
    *p++ = (unsigned char)v;
    return p;
}
static inline unsigned char *trace_put_fixed(unsigned char *p, uint64_t v, int bytes)
{
    for (int k = 0; k < bytes; k++, v >>= 8)
        *p++ = (unsigned char)v;
    return p;
}

/* What is left to read. `bad`: it ended too early, or held what cannot be; what is read then is 0. */
struct trace_bytes {
    const unsigned char *at, *end;
    bool bad;
};
static inline size_t trace_bytes_left(const struct trace_bytes *b)
{
    return (size_t)(b->end - b->at);
}
static inline uint64_t trace_get_varint(struct trace_bytes *b)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 70 && b->at < b->end; shift += 7) {
        unsigned char byte = *b->at++;
        if (shift == 63 && byte > 1)
            break;
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return v;
    }
    b->bad = true;
    b->at = b->end;
    return 0;
}
static inline uint64_t trace_get_fixed(struct trace_bytes *b, int bytes)
{
    uint64_t v = 0;
    if (trace_bytes_left(b) < (size_t)bytes) {
        b->bad = true;
        b->at = b->end;
        return 0;
    }
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
    if (v > most) {
        b->bad = true;
        b->at = b->end;
        return 0;
    }
    return v;
}

/* Bytes that grow. */
struct trace_buffer {
    unsigned char *at;
    size_t n, cap;
};
/* Room for so many more; the caller adds to n what it used. */
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
