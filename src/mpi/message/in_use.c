/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_use: with mpi/check-buffers, the buffers of requests that are not complete (MPI-5.0 section 3.7.2): none
 * may overlap another one unless both are sent, and what is sent may not change.
 */
#include "mpi/message/parts.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Of the program's, in the calls of its rank: its memory is in place. */
struct mpi_use {
    struct mpi_use *next;
    const struct mpi_request *request;
    struct p2p_buffer buffer;
    bool sends;
    uint32_t hash; /* of what is sent */
    int32_t call;  /* rank_call_of */
    struct rank_code from;
};

enum { LONGEST = 64 << 20 }; /* bytes that two buffers have in common to be compared in full */
static const char key[] = "misuse/buffer-in-use";

/* --- bytes ---------------------------------------------------------------------------------------------- */

struct range {
    uintptr_t low, high;
};

static struct range span_of(const struct p2p_buffer *b)
{
    int64_t low, high;
    types_layout_span(b->layout, b->count, &low, &high);
    return (struct range){b->address + (uintptr_t)low, b->address + (uintptr_t)high};
}

/* Calls fn for each run of the buffer's bytes until it returns true; returns that. */
static bool each_run(const struct p2p_buffer *b, bool (*fn)(void *arg, uintptr_t at, uint64_t bytes),
                     void *arg)
{
    struct types_cursor c;
    struct types_strip s;
    bool found = false;
    types_cursor_init(&c, b->layout, b->count, 0, b->count * types_layout_size(b->layout));
    while (!found && types_cursor_next(&c, &s))
        for (uint64_t k = 0; k < s.n && !found; k++)
            found = fn(arg, b->address + (uintptr_t)(s.offset + (int64_t)k * s.stride), s.bytes);
    types_cursor_release(&c);
    return found;
}

static bool hash_run(void *arg, uintptr_t at, uint64_t bytes)
{
    uint32_t *hash = arg;
    *hash = base_hash((uint64_t)*hash << 32 | base_hash_bytes((const void *)at, bytes));
    return false;
}

static uint32_t hash_of(const struct p2p_buffer *b)
{
    uint32_t hash = 0;
    each_run(b, hash_run, &hash);
    return hash;
}

/* What cannot be read is found in the call, even if the message is read later. */
static bool touch_run(void *arg, uintptr_t at, uint64_t bytes)
{
    const volatile char *byte = (const volatile char *)at; // NOLINT(performance-no-int-to-ptr)
    (void)arg;
    (void)byte[0];
    (void)byte[bytes - 1];
    return false;
}

/* Bytes that both spans have: which of them the first buffer has. */
struct common {
    struct range range;
    unsigned char *has;
    uintptr_t found;
};

static struct range cut(const struct common *c, uintptr_t at, uint64_t bytes)
{
    uintptr_t high = at + bytes;
    return (struct range){at > c->range.low ? at : c->range.low, high < c->range.high ? high : c->range.high};
}

static bool mark_run(void *arg, uintptr_t at, uint64_t bytes)
{
    struct common *c = arg;
    struct range r = cut(c, at, bytes);
    if (r.low < r.high)
        memset(c->has + (r.low - c->range.low), 1, r.high - r.low);
    return false;
}

static bool find_run(void *arg, uintptr_t at, uint64_t bytes)
{
    struct common *c = arg;
    struct range r = cut(c, at, bytes);
    if (r.low >= r.high)
        return false;
    const unsigned char *from = c->has + (r.low - c->range.low), *has = memchr(from, 1, r.high - r.low);
    if (has)
        c->found = r.low + (uintptr_t)(has - from);
    return has != NULL;
}

/* The first byte of b that a has, too; 0: none. */
static uintptr_t overlap(const struct p2p_buffer *a, const struct p2p_buffer *b)
{
    struct range one = span_of(a), other = span_of(b);
    struct common c = {
        .range = {one.low > other.low ? one.low : other.low, one.high < other.high ? one.high : other.high}};
    if (c.range.low >= c.range.high || c.range.high - c.range.low > LONGEST)
        return 0;
    c.has = base_zalloc(c.range.high - c.range.low, "buffers in use");
    each_run(a, mark_run, &c);
    each_run(b, find_run, &c);
    free(c.has);
    return c.found;
}

/* --- reports -------------------------------------------------------------------------------------------- */

/* "MPI_Isend in exchange, stencil.c:40" */
static char *name(const struct rank *r, const struct mpi_use *u, char *buf, size_t size)
{
    char place[200];
    rank_code_name(r, u->from, place, sizeof place);
    snprintf(buf, size, "%s%s%s", rank_call_of(u->call), *place ? " in " : "", place);
    return buf;
}

void mpi_use_check_now(const struct mpi_rank *self, const struct p2p_buffer *b, bool sends)
{
    const struct rank *r = self->rank;
    char other[256];
    if (sends)
        each_run(b, touch_run, NULL);
    if (rank_checker) /* which is told of all buffers, and finds races */
        return;
    const struct mpi_use *told = NULL; /* a loop's requests are of one place */
    for (const struct mpi_use *u = self->uses; u; u = u->next) {
        bool again = told && told->call == u->call && told->from.object == u->from.object &&
                     told->from.offset == u->from.offset;
        uintptr_t at = again || (sends && u->sends) ? 0 : overlap(&u->buffer, b);
        if (at) {
            told = u;
            base_warn(key, "%s: its buffer has bytes, from %p on, of the buffer of %s, which is not complete",
                      rank_call_of(r->call), (void *)at, name(r, u, other, sizeof other));
        }
    }
}

/* --- a request's ---------------------------------------------------------------------------------------- */

static void begin(const struct mpi_request *q, const struct p2p_buffer *b, bool sends)
{
    struct mpi_rank *self = q->owner;
    mpi_use_check_now(self, b, sends);
    struct mpi_use *u = base_zalloc(sizeof *u, "buffers in use");
    *u = (struct mpi_use){.next = self->uses,
                          .request = q,
                          .buffer = *b,
                          .sends = sends,
                          .hash = sends ? hash_of(b) : 0,
                          .call = self->rank->call,
                          .from = rank_code_of_call(self->rank)};
    types_layout_retain(b->layout);
    self->uses = u;
}

/* A collective's buffers are checked against earlier ones, and then against each other by its own rules. */
void mpi_use_begin_now(const struct mpi_request *q)
{
    struct p2p_buffer buffer[2];
    unsigned used = 0;
    if (q->kind == MPI_REQUEST_SEND || q->kind == MPI_REQUEST_RECEIVE)
        begin(q, p2p_request_buffer(q->p2p), q->kind == MPI_REQUEST_SEND);
    else if (q->kind == MPI_REQUEST_OTHER && q->other->buffers)
        used = q->other->buffers(q->arg, buffer);
    for (unsigned k = 0; k < 2; k++)
        if (used & 1U << k)
            begin(q, &buffer[k], k == 0);
}

void mpi_use_end_now(const struct mpi_request *q, bool complete)
{
    const struct rank *r = q->owner->rank;
    char other[256];
    for (struct mpi_use **at = &q->owner->uses, *u; (u = *at);) {
        if (u->request != q) {
            at = &u->next;
            continue;
        }
        if (complete && u->sends && hash_of(&u->buffer) != u->hash)
            base_warn(key, "%s: the buffer of %s was changed before that was complete", rank_call_of(r->call),
                      name(r, u, other, sizeof other));
        *at = u->next;
        types_layout_release(u->buffer.layout);
        free(u);
    }
}

void mpi_uses_release(struct mpi_rank *self)
{
    while (self->uses)
        mpi_use_end_now(self->uses->request, false);
}
