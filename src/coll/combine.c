/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine: what a reduction computes on packed operands, with an operator of types/ or a user's function. A
 * user's function is given the operands unpacked, as its layout says.
 */
#include "coll/exec.h"

#include <string.h>

/* Unpacks operands into new memory. *low: the offset of its first byte from the first item's address. */
static char *lay_out(struct coll_exec *x, const struct coll_user *u, const void *packed, uint64_t items,
                     size_t bytes, int64_t *low, size_t *room)
{
    int64_t high;
    types_layout_span(u->layout, items, low, &high);
    *room = (size_t)(high - *low);
    char *laid = base_buffers_get(&x->buffers, *room);
    memset(laid, 0, *room); /* gaps between the data are the same in every run */
    types_unpack(u->layout, items, laid - *low, 0, bytes, packed);
    return laid;
}

static void combine_laid(struct coll_exec *x, const struct coll_user *u, void *out, const void *left,
                         const void *right, uint64_t items, size_t bytes)
{
    int64_t low;
    size_t room;
    char *a = lay_out(x, u, left, items, bytes, &low, &room);
    char *b = lay_out(x, u, right, items, bytes, &low, &room);
    u->combine(u->arg, a - low, b - low, items);
    types_pack(u->layout, items, b - low, 0, bytes, out);
    base_buffers_put(&x->buffers, a, room);
    base_buffers_put(&x->buffers, b, room);
}

static void combine_packed(struct coll_exec *x, const struct coll_user *u, void *out, const void *left,
                           const void *right, uint64_t items, size_t bytes)
{
    if (out == right) {
        u->combine(u->arg, left, out, items);
        return;
    }
    void *result = base_buffers_get(&x->buffers, bytes);
    memcpy(result, right, bytes);
    u->combine(u->arg, left, result, items);
    memcpy(out, result, bytes);
    base_buffers_put(&x->buffers, result, bytes);
}

static void combine_by_user(const struct coll_member *m, void *out, const void *left, const void *right,
                            size_t bytes)
{
    const struct coll_user *u = m->schedule.local->user;
    uint64_t items = bytes / m->schedule.call->element;
    int64_t offset;
    bool packed = !u->layout || (types_layout_is_dense(u->layout, &offset) && !offset);
    (packed ? combine_packed : combine_laid)(coll_member_exec(m), u, out, left, right, items, bytes);
}

void coll_combine(const struct coll_member *m, void *out, const void *left, const void *right, size_t bytes)
{
    const struct coll_call *c = m->schedule.call;
    if (BASE_UNLIKELY(coll_operator_is_user(c->operator)))
        combine_by_user(m, out, left, right, bytes);
    else
        types_operator(c->operator.op, c->operator.element)(out, left, right, bytes / c->element);
}
