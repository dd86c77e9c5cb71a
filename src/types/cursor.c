/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor: goes through the data of items, strip by strip. Each frame is a loop or a list that is under way,
 * and `i` its next repetition or piece; the items are the outermost loop. What a cursor begins in the middle
 * of is its `first` run.
 */
#include "types/internal.h"

#include <stdlib.h>

static void push(struct types_cursor *c, const struct types_node *node, int64_t base)
{
    c->frame[c->depth++] =
        (struct types_cursor_frame){node->pieces, node->child, base, node->stride, 0, node->n};
}

static void set_first(struct types_cursor *c, int64_t offset, uint64_t bytes)
{
    c->first_offset = offset;
    c->first = bytes;
}

/* The last piece that begins at `position` or before it. */
static uint64_t find_piece(const struct types_piece *pieces, uint64_t n, uint64_t position)
{
    uint64_t low = 0;
    while (n > 1) {
        uint64_t half = n / 2;
        low += pieces[low + half].before <= position ? half : 0;
        n -= half;
    }
    return low;
}

/* From the beginning of the topmost frame `skip` bytes on. */
static void skip_ahead(struct types_cursor *c, uint64_t skip)
{
    while (skip) {
        struct types_cursor_frame *f = &c->frame[c->depth - 1];
        const struct types_node *child = f->child;
        int64_t offset;
        uint64_t run;
        if (f->pieces) {
            f->i = find_piece(f->pieces, f->n, skip);
            const struct types_piece *p = &f->pieces[f->i];
            skip -= p->before;
            child = p->child;
            offset = f->base + p->offset;
            run = p[1].before - p->before;
        } else {
            f->i = skip / child->size;
            skip %= child->size;
            offset = f->base + (int64_t)f->i * f->stride;
            run = child->size;
        }
        if (!skip)
            return;
        f->i++;
        if (!child || types_node_is_run(child)) {
            set_first(c, offset + (int64_t)skip, run - skip);
            return;
        }
        push(c, child, offset);
    }
}

/* The items as a loop, which may continue the layout's own. */
static void push_items(struct types_cursor *c, const struct types_layout *l, uint64_t count)
{
    const struct types_node *node = l->data.node;
    struct types_cursor_frame f = {NULL, node, l->data.offset, l->extent, 0, count};
    if (node->child && (uint64_t)node->stride * node->n == (uint64_t)l->extent) {
        f.child = node->child;
        f.stride = node->stride;
        f.n = count * node->n;
    }
    c->frame[c->depth++] = f;
}

void types_cursor_init(struct types_cursor *c, const struct types_layout *l, uint64_t count, uint64_t from,
                       uint64_t to)
{
    const struct types_node *node = l->data.node;
    c->left = to - from;
    c->first = 0;
    c->depth = 0;
    c->frame = c->own;
    if (!c->left)
        return;
    if (BASE_LIKELY(l->dense)) {
        set_first(c, l->data.offset + (int64_t)from, c->left);
        return;
    }
    if (BASE_UNLIKELY(node->depth >= TYPES_CURSOR_FRAMES))
        c->frame = base_alloc((node->depth + 1) * sizeof *c->frame, "walking a layout");
    if (count > 1)
        push_items(c, l, count);
    else if (types_node_is_run(node))
        set_first(c, l->data.offset + (int64_t)from, c->left);
    else
        push(c, node, l->data.offset);
    if (c->depth)
        skip_ahead(c, from);
}

void types_cursor_release(struct types_cursor *c)
{
    if (c->frame != c->own)
        free(c->frame);
}

/* --- batches -------------------------------------------------------------------------------------- */

/* How many of the list's next pieces are runs that are wholly wanted. */
static uint64_t whole_runs(const struct types_cursor_frame *f, uint64_t left)
{
    const struct types_piece *first = &f->pieces[f->i], *p = first, *end = &f->pieces[f->n];
    while (p < end && !p->child && p[1].before - first->before <= left)
        p++;
    return (uint64_t)(p - first);
}

bool types_cursor_batch(struct types_cursor *c, struct types_batch *out)
{
    if (c->first || !c->left)
        return false;
    struct types_cursor_frame *f = &c->frame[c->depth - 1];
    while (f->i == f->n) {
        c->depth--;
        f--;
    }
    if (f->pieces) {
        const struct types_piece *p = &f->pieces[f->i];
        uint64_t n = whole_runs(f, c->left);
        *out = (struct types_batch){p, n, 1, f->base, 0};
        f->i += n;
        c->left -= p[n].before - p->before;
        return n;
    }
    const struct types_node *child = f->child;
    uint64_t times = f->n - f->i;
    if (!child->plain || child->size > c->left)
        return false;
    if (child->size * times > c->left)
        times = c->left / child->size;
    *out =
        (struct types_batch){child->pieces, child->n, times, f->base + (int64_t)f->i * f->stride, f->stride};
    f->i += times;
    c->left -= times * child->size;
    return true;
}

/* --- strips --------------------------------------------------------------------------------------- */

/* As much of n runs as is left; how many runs are that. */
static uint64_t take(struct types_cursor *c, struct types_strip *out, int64_t offset, int64_t stride,
                     uint64_t bytes, uint64_t n)
{
    if (BASE_UNLIKELY(bytes * n > c->left)) {
        n = c->left / bytes;
        if (!n) {
            bytes = c->left;
            n = 1;
        }
    }
    c->left -= bytes * n;
    *out = (struct types_strip){offset, stride, bytes, n};
    return n;
}

bool types_cursor_next(struct types_cursor *c, struct types_strip *out)
{
    if (!c->left)
        return false;
    if (c->first) {
        uint64_t bytes = c->first;
        c->first = 0;
        take(c, out, c->first_offset, (int64_t)bytes, bytes, 1);
        return true;
    }
    for (;;) {
        struct types_cursor_frame *f = &c->frame[c->depth - 1];
        if (f->i == f->n) {
            c->depth--;
            continue;
        }
        if (f->pieces) {
            const struct types_piece *p = &f->pieces[f->i++];
            if (!p->child) {
                uint64_t bytes = p[1].before - p->before;
                take(c, out, f->base + p->offset, (int64_t)bytes, bytes, 1);
                return true;
            }
            push(c, p->child, f->base + p->offset);
        } else if (types_node_is_run(f->child)) {
            f->i += take(c, out, f->base + (int64_t)f->i * f->stride, f->stride, f->child->size, f->n - f->i);
            return true;
        } else {
            int64_t offset = f->base + (int64_t)f->i++ * f->stride;
            push(c, f->child, offset);
        }
    }
}
