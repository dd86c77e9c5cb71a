/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: a member's places (source, dest, temporary memory) as packed bytes, through the owning rank's
 * translation of addresses. Where they lie is left to buffer.c, and data that are not one run to layout.c.
 * Moves nothing if the schedule is unmoved, except what members learn (coll_moves).
 */
#include "coll/exec.h"

#include <string.h>

/* The place is in the member's record, in a buffer or in temporary memory. */
static bool is_ours(const struct coll_member *m, coll_place at)
{
    return coll_place_base(at) == COLL_TEMP || (m->staged && coll_place_base(at) == m->staged_base);
}

static unsigned char *ours(const struct coll_member *m, coll_place at, size_t bytes)
{
    bool temp = coll_place_base(at) == COLL_TEMP;
    BASE_ASSERT("C6", coll_place_offset(at) + bytes <= (temp ? m->schedule.temp_bytes : m->schedule.bytes));
    return (temp ? m->schedule.temp : m->staged) + coll_place_offset(at);
}

void coll_memory_read(const struct coll_member *m, coll_place at, void *out, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    if (!bytes || !coll_moves(&m->schedule, at, bytes))
        return;
    if (is_ours(m, at)) {
        memcpy(out, ours(m, at, bytes), bytes);
        return;
    }
    struct coll_spot spot = coll_spot_of(&m->schedule, at, bytes);
    if (BASE_LIKELY(!spot.layout))
        x->runtime->read(x->ctx, m->rank, spot.address, out, bytes);
    else
        coll_layout_read(m, &spot, out, bytes);
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
    if (!bytes || !coll_moves(&m->schedule, at, bytes))
        return;
    if (is_ours(m, at)) {
        memcpy(ours(m, at, bytes), in, bytes);
        return;
    }
    check_room(m, at, bytes);
    struct coll_spot spot = coll_spot_of(&m->schedule, at, bytes);
    if (BASE_LIKELY(!spot.layout))
        t->ops->write(t->ctx, m->rank, spot.address, in, bytes);
    else
        coll_layout_write(m, &spot, in, bytes);
}

const void *coll_memory_look(const struct coll_member *m, coll_place at, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    if (is_ours(m, at))
        return ours(m, at, bytes);
    struct coll_spot spot = coll_spot_of(&m->schedule, at, bytes);
    return spot.layout || !bytes ? NULL : x->runtime->direct(x->ctx, m->rank, spot.address, bytes);
}

/* A rank's bytes that are not at their own address may move when other bytes of that rank are written. */
static bool stays(const struct coll_member *m, coll_place at, const void *there, size_t bytes)
{
    return is_ours(m, at) || (uintptr_t)there == coll_spot_of(&m->schedule, at, bytes).address;
}

void coll_memory_copy(const struct coll_member *m, coll_place from, coll_place to, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    if (!coll_moves(&m->schedule, from, bytes) || !coll_moves(&m->schedule, to, bytes))
        return;
    const void *there = coll_memory_look(m, from, bytes);
    if (there && stays(m, from, there, bytes)) {
        coll_memory_write(m, to, there, bytes);
        return;
    }
    void *scratch = base_buffers_get(&x->buffers, bytes);
    coll_memory_read(m, from, scratch, bytes);
    coll_memory_write(m, to, scratch, bytes);
    base_buffers_put(&x->buffers, scratch, bytes);
}

/* --- staging ------------------------------------------------------------------------------------ */

static const coll_place source = 0, dest = (uint64_t)COLL_DEST << 62;

static bool has_plain_dest(const struct coll_schedule *s)
{
    enum coll_op op = s->call->op;
    return op == COLL_BROADCAST || op == COLL_REDUCE || op == COLL_INSCAN ||
           (op == COLL_EXSCAN && !s->call->keep_first);
}

static bool is_apart(const struct coll_schedule *s, coll_place at)
{
    return s->local && coll_spot_of(s, at, s->bytes).layout;
}

static void keep(struct coll_member *m, enum coll_base base)
{
    struct coll_schedule *s = &m->schedule;
    m->staged_base = (uint8_t)base;
    m->staged = base_buffers_get(s->buffers, s->bytes);
}

static void keep_dest(struct coll_member *m)
{
    const struct coll_schedule *s = &m->schedule;
    keep(m, COLL_DEST);
    if (coll_places_equal(s, source, dest, s->bytes))
        coll_memory_read(m, source, m->staged, s->bytes);
}

/* The read must not find the place staged. */
static void keep_source(struct coll_member *m)
{
    unsigned char *there;
    keep(m, COLL_SOURCE);
    there = m->staged;
    m->staged = NULL;
    coll_memory_read(m, source, there, m->schedule.bytes);
    m->staged = there;
}

/* Algorithms write dest before they read it, except for an operand there. */
void coll_memory_stage(struct coll_member *m)
{
    const struct coll_schedule *s = &m->schedule;
    if (s->unmoved || !has_plain_dest(s))
        return;
    if (s->has_dest && (s->bytes <= COLL_STAGED || is_apart(s, dest)))
        keep_dest(m);
    else if (s->call->op == COLL_BROADCAST && s->me == s->root && is_apart(s, source))
        keep_source(m);
}

void coll_memory_drop(struct coll_member *m)
{
    if (m->staged)
        base_buffers_put(m->schedule.buffers, m->staged, m->schedule.bytes);
    m->staged = NULL;
}

void coll_memory_unstage(struct coll_member *m)
{
    unsigned char *there = m->staged;
    m->staged = NULL;
    if (m->staged_base == COLL_DEST)
        coll_memory_write(m, dest, there, m->schedule.bytes);
    m->staged = there;
    coll_memory_drop(m);
}

/* --- reductions --------------------------------------------------------------------------------- */

/* Not in one piece: through a copy. */
static void reduce_apart(const struct coll_member *m, coll_place at, const void *in, size_t bytes,
                         bool in_first)
{
    struct coll_exec *x = coll_member_exec(m);
    void *here = base_buffers_get(&x->buffers, bytes);
    coll_memory_read(m, at, here, bytes);
    coll_combine(m, here, in_first ? in : here, in_first ? here : in, bytes);
    coll_memory_write(m, at, here, bytes);
    base_buffers_put(&x->buffers, here, bytes);
}

void coll_memory_reduce(const struct coll_member *m, coll_place at, const void *in, size_t bytes,
                        bool in_first)
{
    const struct coll_transport *t = coll_member_transport(m);
    if (!bytes || !coll_moves(&m->schedule, at, bytes))
        return;
    BASE_ASSERT("C6", coll_place_base(at) != COLL_SOURCE);
    void *here = (void *)(uintptr_t)coll_memory_look(m, at, bytes);
    if (!here) {
        reduce_apart(m, at, in, bytes, in_first);
        return;
    }
    coll_combine(m, here, in_first ? in : here, in_first ? here : in, bytes);
    if (BASE_UNLIKELY(!is_ours(m, at)))
        t->ops->touched(t->ctx, m->rank, coll_spot_of(&m->schedule, at, bytes).address, bytes);
}

void coll_memory_combine(const struct coll_member *m, coll_place from, coll_place to, size_t bytes)
{
    struct coll_exec *x = coll_member_exec(m);
    if (m->schedule.unmoved)
        return;
    void *in = base_buffers_get(&x->buffers, bytes);
    coll_memory_read(m, from, in, bytes);
    coll_memory_reduce(m, to, in, bytes, true);
    base_buffers_put(&x->buffers, in, bytes);
}
