/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: a member's places (source, dest, temporary memory) as bytes, through the owning rank's translation
 * of addresses. Applies the strides of alltoalls: a place's packed offset is turned into the element it
 * stands for. Moves nothing if the schedule is unmoved.
 */
#include "coll/exec.h"

#include <string.h>

/* Where a place's packed bytes lie in the rank: element k at address + k stride. */
struct view {
    uintptr_t address; /* of offset 0 */
    uint64_t offset;
    size_t element, stride; /* stride 0: packed */
};

static struct view view_of(const struct coll_member *m, coll_place at)
{
    const struct coll_schedule *s = &m->schedule;
    bool dest = coll_place_base(at) == COLL_DEST;
    return (struct view){(uintptr_t)(dest ? s->dest : s->source), coll_place_offset(at), s->call->element,
                         dest ? s->call->dest_stride : s->call->source_stride};
}

/* The place is in the member's record or temporary memory. */
static bool is_ours(const struct coll_member *m, coll_place at)
{
    return coll_place_base(at) == COLL_TEMP || (m->staged && coll_place_base(at) == COLL_DEST);
}

static unsigned char *ours(const struct coll_member *m, coll_place at, size_t bytes)
{
    bool temp = coll_place_base(at) == COLL_TEMP;
    BASE_ASSERT("C6", coll_place_offset(at) + bytes <= (temp ? m->schedule.temp_bytes : COLL_STAGED));
    return (unsigned char *)(temp ? m->schedule.temp : m->stage) + coll_place_offset(at);
}

/* The address of the element that holds the packed offset v.offset + done. */
static uintptr_t strided(const struct view *v, size_t bytes, size_t done)
{
    BASE_ASSERT("C6", v->offset % v->element == 0 && bytes % v->element == 0);
    return v->address + (v->offset + done) / v->element * v->stride;
}

void coll_memory_read(const struct coll_member *m, coll_place at, void *out, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    if (!bytes || m->schedule.unmoved)
        return;
    if (is_ours(m, at)) {
        memcpy(out, ours(m, at, bytes), bytes);
        return;
    }
    struct view v = view_of(m, at);
    if (!v.stride) {
        x->runtime->read(x->ctx, m->rank, v.address + v.offset, out, bytes);
        return;
    }
    for (size_t done = 0; done < bytes; done += v.element)
        x->runtime->read(x->ctx, m->rank, strided(&v, bytes, done), (char *)out + done, v.element);
}

/* A collect's result may be longer than its caller could check. */
static void check_room(const struct coll_member *m, coll_place at, size_t bytes)
{
    const struct coll_transport *t = coll_member_transport(m);
    const struct coll_call *c = m->schedule.call;
    if (c->op == COLL_COLLECT && !c->private_dest)
        t->ops->check(t->ctx, m->rank, (uintptr_t)m->schedule.dest, coll_place_offset(at) + bytes, c->name);
}

void coll_memory_write(const struct coll_member *m, coll_place at, const void *in, size_t bytes)
{
    const struct coll_transport *t = coll_member_transport(m);
    if (!bytes || m->schedule.unmoved)
        return;
    if (is_ours(m, at)) {
        memcpy(ours(m, at, bytes), in, bytes);
        return;
    }
    check_room(m, at, bytes);
    struct view v = view_of(m, at);
    if (!v.stride) {
        t->ops->write(t->ctx, m->rank, v.address + v.offset, in, bytes);
        return;
    }
    for (size_t done = 0; done < bytes; done += v.element)
        t->ops->write(t->ctx, m->rank, strided(&v, bytes, done), (const char *)in + done, v.element);
}

const void *coll_memory_look(const struct coll_member *m, coll_place at, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    if (is_ours(m, at))
        return ours(m, at, bytes);
    struct view v = view_of(m, at);
    return v.stride || !bytes ? NULL : x->runtime->direct(x->ctx, m->rank, v.address + v.offset, bytes);
}

/* A rank's bytes that are not at their own address may move when other bytes of that rank are written. */
static bool stays(const struct coll_member *m, coll_place at, const void *there)
{
    return is_ours(m, at) || (uintptr_t)there == view_of(m, at).address + coll_place_offset(at);
}

void coll_memory_copy(const struct coll_member *m, coll_place from, coll_place to, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    if (m->schedule.unmoved)
        return;
    const void *there = coll_memory_look(m, from, bytes);
    if (there && stays(m, from, there)) {
        coll_memory_write(m, to, there, bytes);
        return;
    }
    void *scratch = base_buffers_get(&x->buffers, bytes);
    coll_memory_read(m, from, scratch, bytes);
    coll_memory_write(m, to, scratch, bytes);
    base_buffers_put(&x->buffers, scratch, bytes);
}

/* --- short results ------------------------------------------------------------------------------ */

static bool has_plain_dest(const struct coll_call *c)
{
    return c->op == COLL_BROADCAST || c->op == COLL_REDUCE || c->op == COLL_INSCAN ||
           (c->op == COLL_EXSCAN && !c->keep_first);
}

/* Algorithms write dest before they read it, except for an operand there. */
void coll_memory_stage(struct coll_member *m)
{
    const struct coll_schedule *s = &m->schedule;
    m->staged = false;
    if (s->unmoved || !has_plain_dest(s->call) || !s->dest || !s->bytes || s->bytes > COLL_STAGED)
        return;
    if (s->dest == s->source)
        coll_memory_read(m, coll_at(COLL_SOURCE, 0), m->stage, s->bytes);
    m->staged = true;
}

void coll_memory_unstage(struct coll_member *m)
{
    m->staged = false;
    coll_memory_write(m, coll_at(COLL_DEST, 0), m->stage, m->schedule.bytes);
}

/* --- reductions --------------------------------------------------------------------------------- */

static size_t elements(const struct coll_member *m, size_t bytes)
{
    return bytes / m->schedule.call->element;
}

/* The left operand is `in`, which must not change, so the result is computed in a copy of it. */
static void reduce_behind(const struct coll_member *m, coll_place at, const void *in, const void *here,
                          size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    void *result = base_buffers_get(&x->buffers, bytes);
    memcpy(result, in, bytes);
    m->schedule.call->reduce(result, here, elements(m, bytes));
    coll_memory_write(m, at, result, bytes);
    base_buffers_put(&x->buffers, result, bytes);
}

/* Not in one piece: through a copy. */
static void reduce_apart(const struct coll_member *m, coll_place at, const void *in, size_t bytes,
                         bool in_first)
{
    struct coll_exec *x = coll_member_exec(m);
    void *here = base_buffers_get(&x->buffers, bytes);
    coll_memory_read(m, at, here, bytes);
    if (in_first) {
        reduce_behind(m, at, in, here, bytes);
    } else {
        m->schedule.call->reduce(here, in, elements(m, bytes));
        coll_memory_write(m, at, here, bytes);
    }
    base_buffers_put(&x->buffers, here, bytes);
}

static void touched(const struct coll_member *m, uintptr_t address, size_t bytes)
{
    const struct coll_transport *t = coll_member_transport(m);
    t->ops->touched(t->ctx, m->rank, address, bytes);
}

void coll_memory_reduce(const struct coll_member *m, coll_place at, const void *in, size_t bytes,
                        bool in_first)
{
    struct coll_exec *x = coll_member_exec(m);
    uintptr_t address = (uintptr_t)m->schedule.dest + coll_place_offset(at);
    if (!bytes)
        return;
    BASE_ASSERT("C6", coll_place_base(at) != COLL_SOURCE && !m->schedule.call->dest_stride);
    void *here = is_ours(m, at) ? ours(m, at, bytes) : x->runtime->direct(x->ctx, m->rank, address, bytes);
    if (!here) {
        reduce_apart(m, at, in, bytes, in_first);
    } else if (in_first) {
        reduce_behind(m, at, in, here, bytes);
    } else {
        m->schedule.call->reduce(here, in, elements(m, bytes));
        if (!is_ours(m, at))
            touched(m, address, bytes);
    }
}

void coll_memory_combine(const struct coll_member *m, coll_place from, coll_place to, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    void *in = base_buffers_get(&x->buffers, bytes);
    coll_memory_read(m, from, in, bytes);
    coll_memory_reduce(m, to, in, bytes, true);
    base_buffers_put(&x->buffers, in, bytes);
}
