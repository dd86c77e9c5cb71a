/* SPDX-License-Identifier: BSD-3-Clause */
/* The pairing heap of a path's flows; see order.h. */
#include "fluid/order.h"

static bool before(const struct fluid_flow *a, const struct fluid_flow *b)
{
    if (a->end.hi != b->end.hi)
        return a->end.hi < b->end.hi;
    if (a->end.lo != b->end.lo)
        return a->end.lo < b->end.lo;
    return a->seq < b->seq;
}

/* Merges two roots into one. */
static struct fluid_flow *meld(struct fluid_flow *a, struct fluid_flow *b)
{
    if (before(b, a)) {
        struct fluid_flow *t = a;
        a = b;
        b = t;
    }
    b->prev = a;
    b->sibling = a->child;
    if (a->child)
        a->child->prev = b;
    a->child = b;
    return a;
}

/* Makes a list of siblings one heap: pairs from the left, then all from the right. */
static struct fluid_flow *combine(struct fluid_flow *list)
{
    struct fluid_flow *pairs = NULL, *root = NULL;
    while (list) {
        struct fluid_flow *a = list, *b = a->sibling;
        list = b ? b->sibling : NULL;
        if (b)
            a = meld(a, b);
        a->sibling = pairs;
        pairs = a;
    }
    while (pairs) {
        struct fluid_flow *next = pairs->sibling;
        root = root ? meld(root, pairs) : pairs;
        pairs = next;
    }
    if (root)
        root->prev = root->sibling = NULL;
    return root;
}

struct fluid_flow *fluid_order_insert(struct fluid_path *p, struct fluid_flow *flow)
{
    flow->child = flow->sibling = flow->prev = NULL;
    if (p->last && !before(flow, p->last)) {
        meld(p->last, flow);
        p->last = flow;
        return p->first;
    }
    if (!p->last)
        p->last = flow;
    return p->first ? meld(p->first, flow) : flow;
}

/* What is below a flow takes its place: all of it ends after the flow's parent. */
struct fluid_flow *fluid_order_remove(struct fluid_path *p, struct fluid_flow *flow)
{
    struct fluid_flow *below = combine(flow->child), *next = flow->sibling;
    if (p->last == flow)
        p->last = NULL;
    if (flow == p->first)
        return below;
    if (below) {
        below->prev = flow->prev;
        below->sibling = next;
        next = below;
    }
    if (flow->prev->child == flow)
        flow->prev->child = next;
    else
        flow->prev->sibling = next;
    if (flow->sibling)
        flow->sibling->prev = below ? below : flow->prev;
    return p->first;
}
