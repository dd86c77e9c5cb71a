/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout: packs and unpacks a member's data that do not lie in one run. Addresses are translated by the
 * owning rank's memory functions: once, if all of the data's memory is in one piece, else for each run.
 */
#include "coll/exec.h"

/* The first item's address in the memory of the items that hold the data, which reach from *low to *high
 * relative to it. NULL: that memory is not in one piece. */
static char *whole(const struct coll_member *m, const struct coll_spot *at, size_t bytes, int64_t *low,
                   int64_t *high)
{
    const struct coll_exec *x = coll_member_exec(m);
    types_layout_span(at->layout, coll_spot_items(at, bytes), low, high);
    return x->runtime->direct(x->ctx, m->rank, at->address + (uintptr_t)*low, (size_t)(*high - *low));
}

struct walk {
    const struct coll_member *m;
    uintptr_t address;
    char *packed;
};

static void read_runs(void *arg, const struct types_move *run)
{
    const struct walk *w = arg;
    const struct coll_exec *x = coll_member_exec(w->m);
    for (int64_t k = 0; k < (int64_t)run->n; k++)
        x->runtime->read(x->ctx, w->m->rank, w->address + (uintptr_t)(run->to + k * run->to_stride),
                         w->packed + run->from + k * run->from_stride, run->bytes);
}

static void write_runs(void *arg, const struct types_move *run)
{
    const struct walk *w = arg;
    const struct coll_transport *t = coll_member_transport(w->m);
    for (int64_t k = 0; k < (int64_t)run->n; k++)
        t->ops->write(t->ctx, w->m->rank, w->address + (uintptr_t)(run->to + k * run->to_stride),
                      w->packed + run->from + k * run->from_stride, run->bytes);
}

/* Copies run by run between the rank's data and packed bytes. */
static void walk(const struct coll_member *m, const struct coll_spot *at, void *packed, size_t bytes,
                 types_move_fn fn)
{
    struct walk w = {m, at->address, packed};
    const struct types_view laid = {at->layout, coll_spot_items(at, bytes), at->from};
    const struct types_view flat = {types_layout_of(TYPES_BYTE), bytes, 0};
    types_each_move(&laid, &flat, bytes, fn, &w);
}

void coll_layout_read(const struct coll_member *m, const struct coll_spot *at, void *out, size_t bytes)
{
    int64_t low, high;
    const char *direct = whole(m, at, bytes, &low, &high);
    if (direct)
        types_pack(at->layout, coll_spot_items(at, bytes), direct - low, at->from, at->from + bytes, out);
    else
        walk(m, at, out, bytes, read_runs);
}

void coll_layout_write(const struct coll_member *m, const struct coll_spot *at, const void *in, size_t bytes)
{
    const struct coll_transport *t = coll_member_transport(m);
    int64_t low, high;
    char *direct = whole(m, at, bytes, &low, &high);
    if (!direct) {
        walk(m, at, (void *)(uintptr_t)in, bytes, write_runs);
        return;
    }
    types_unpack(at->layout, coll_spot_items(at, bytes), direct - low, at->from, at->from + bytes, in);
    t->ops->touched(t->ctx, m->rank, at->address + (uintptr_t)low, (size_t)(high - low));
}
