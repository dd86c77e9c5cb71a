/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload: bytes between ranks' memory, along layouts. Memory that is contiguous in this process is accessed
 * in place; other memory run by run, through rank_read and rank_write.
 */
#include "p2p/internal.h"

#include <string.h>

/* Where item 0 of the buffer would lie in this process; NULL: its bytes do not lie in one piece. */
static char *place_of(struct p2p_rank *k, const struct p2p_buffer *b)
{
    int64_t low, high;
    types_layout_span(b->layout, b->count, &low, &high);
    char *first = rank_direct(k->rank, b->address + (uintptr_t)low, (size_t)(high - low));
    return first ? first - low : NULL;
}

/* The buffer is one run of memory, from *at on. */
static bool is_run(const struct p2p_buffer *b, uintptr_t *at)
{
    int64_t offset;
    bool run = types_layout_is_run(b->layout, b->count, &offset);
    *at = b->address + (uintptr_t)offset;
    return run;
}

/* Run by run through memory that is not in one piece. */
static void each_run(struct p2p_rank *k, const struct p2p_buffer *b, uint64_t bytes, char *packed,
                     void (*move)(struct rank *r, uintptr_t address, char *packed, size_t size))
{
    struct types_cursor c;
    struct types_strip s;
    types_cursor_init(&c, b->layout, b->count, 0, bytes);
    while (types_cursor_next(&c, &s))
        for (uint64_t i = 0; i < s.n; i++, packed += s.bytes)
            move(k->rank, b->address + (uintptr_t)(s.offset + (int64_t)i * s.stride), packed, s.bytes);
    types_cursor_release(&c);
}

static void read_run(struct rank *r, uintptr_t address, char *packed, size_t size)
{
    rank_read(r, address, packed, size);
}

static void write_run(struct rank *r, uintptr_t address, char *packed, size_t size)
{
    rank_write(r, address, packed, size);
}

void p2p_pack(struct p2p_rank *from, const struct p2p_buffer *b, uint64_t bytes, void *packed)
{
    uintptr_t at;
    const char *data;
    if (!bytes)
        return;
    if (BASE_LIKELY(is_run(b, &at)))
        rank_read(from->rank, at, packed, bytes);
    else if (BASE_LIKELY((data = place_of(from, b)) != NULL))
        types_pack(b->layout, b->count, data, 0, bytes, packed);
    else
        each_run(from, b, bytes, packed, read_run);
}

void p2p_unpack(struct p2p_rank *to, const struct p2p_buffer *b, uint64_t bytes, const void *packed)
{
    uintptr_t at;
    char *data;
    if (!bytes)
        return;
    if (BASE_LIKELY(is_run(b, &at)))
        rank_write(to->rank, at, packed, bytes);
    else if (BASE_LIKELY((data = place_of(to, b)) != NULL))
        types_unpack(b->layout, b->count, data, 0, bytes, packed);
    else
        each_run(to, b, bytes, (char *)(uintptr_t)packed, write_run);
}

/* Between two runs. */
static void copy_run(struct p2p_rank *to, uintptr_t in, struct p2p_rank *from, uintptr_t out, uint64_t bytes)
{
    const void *source = rank_direct(from->rank, out, bytes);
    void *dest = rank_direct(to->rank, in, bytes);
    if (source && dest)
        memmove(dest, source, bytes); /* a rank may send to itself */
    else if (source)
        rank_write(to->rank, in, source, bytes);
    else if (dest)
        rank_read(from->rank, out, dest, bytes);
    else {
        void *between = base_buffers_get(&to->job->buffers, bytes);
        rank_read(from->rank, out, between, bytes);
        rank_write(to->rank, in, between, bytes);
        base_buffers_put(&to->job->buffers, between, bytes);
    }
}

static void copy_layouts(struct p2p_rank *to, const struct p2p_buffer *in, struct p2p_rank *from,
                         const struct p2p_buffer *out, uint64_t bytes)
{
    const char *source = place_of(from, out);
    char *dest = place_of(to, in);
    if (source && dest) {
        types_copy(&(struct types_view){in->layout, in->count, 0}, dest,
                   &(struct types_view){out->layout, out->count, 0}, source, bytes);
        return;
    }
    void *between = base_buffers_get(&to->job->buffers, bytes);
    p2p_pack(from, out, bytes, between);
    p2p_unpack(to, in, bytes, between);
    base_buffers_put(&to->job->buffers, between, bytes);
}

void p2p_copy(struct p2p_rank *to, const struct p2p_buffer *in, struct p2p_rank *from,
              const struct p2p_buffer *out, uint64_t bytes)
{
    uintptr_t target, source;
    if (!bytes)
        return;
    if (BASE_LIKELY(is_run(in, &target) && is_run(out, &source)))
        copy_run(to, target, from, source, bytes);
    else
        copy_layouts(to, in, from, out, bytes);
}
