/* SPDX-License-Identifier: BSD-3-Clause */
/* tree: immutable trees of counts that share their subtrees (K1 of clock.h). */
#include "check/clock/tree.h"

#include <stdlib.h>
#include <string.h>

enum { FAN = 16, LEAF = offsetof(struct clock_node, count) + FAN * sizeof(uint32_t) };

struct clock_nodes *clock_nodes_create(void)
{
    struct clock_nodes *k = base_zalloc(sizeof *k, "clocks");
    base_pool_init(&k->leaves, LEAF, "clocks");
    base_pool_init(&k->inner, sizeof(struct clock_node), "clocks");
    return k;
}

void clock_nodes_destroy(struct clock_nodes *k)
{
    base_pool_release(&k->leaves);
    base_pool_release(&k->inner);
    free(k);
}

size_t clock_nodes_live(const struct clock_nodes *k)
{
    return k->leaves.live + k->inner.live;
}

static struct clock_node *make(struct clock_nodes *k, uint32_t height)
{
    struct clock_node *n = base_pool_get(height ? &k->inner : &k->leaves);
    memset(n, 0, height ? sizeof *n : LEAF);
    n->refs = 1;
    n->height = height;
    return n;
}

void clock_tree_drop(struct clock_nodes *k, struct clock_node *n)
{
    if (!n || --n->refs)
        return;
    for (unsigned i = 0; n->height && i < FAN; i++)
        clock_tree_drop(k, n->child[i]);
    base_pool_put(n->height ? &k->inner : &k->leaves, n);
}

/* The same node, or a copy if others refer to it. Takes over the reference. */
static struct clock_node *own(struct clock_nodes *k, struct clock_node *n)
{
    if (n->refs == 1)
        return n;
    struct clock_node *copy = make(k, n->height);
    memcpy(copy->count, n->count, n->height ? sizeof n->child : sizeof n->count);
    for (unsigned i = 0; n->height && i < FAN; i++)
        clock_tree_hold(copy->child[i]);
    n->refs--;
    return copy;
}

/* At least as high. */
static struct clock_node *lift(struct clock_nodes *k, struct clock_node *n, uint32_t height)
{
    while (n->height < height) {
        struct clock_node *above = make(k, n->height + 1);
        above->child[0] = n;
        n = above;
    }
    return n;
}

static struct clock_node *set(struct clock_nodes *k, struct clock_node *n, uint32_t height, uint32_t id,
                              uint32_t count)
{
    n = n ? own(k, n) : make(k, height);
    if (height) {
        struct clock_node **child = &n->child[id >> (4 * height) & (FAN - 1)];
        *child = set(k, *child, height - 1, id, count);
    } else {
        n->count[id & (FAN - 1)] = count;
    }
    return n;
}

struct clock_node *clock_tree_set(struct clock_nodes *k, struct clock_node *n, uint32_t id, uint32_t count)
{
    uint32_t height = 0;
    while (id >> (4 * height + 4))
        height++;
    if (n)
        n = lift(k, n, height);
    return set(k, n, n && n->height > height ? n->height : height, id, count);
}

static struct clock_node *join(struct clock_nodes *k, struct clock_node *n, struct clock_node *with);

static struct clock_node *join_leaves(struct clock_nodes *k, struct clock_node *n, struct clock_node *with)
{
    uint32_t most[FAN], more = 0, less = 0;
    for (unsigned i = 0; i < FAN; i++) {
        most[i] = n->count[i] > with->count[i] ? n->count[i] : with->count[i];
        more |= most[i] ^ n->count[i];
        less |= most[i] ^ with->count[i];
    }
    if (!more)
        return n;
    if (!less) {
        clock_tree_drop(k, n);
        return clock_tree_hold(with);
    }
    n = own(k, n);
    memcpy(n->count, most, sizeof most);
    return n;
}

static struct clock_node *join_children(struct clock_nodes *k, struct clock_node *n, struct clock_node *with)
{
    bool equal = true;
    for (unsigned i = 0; i < FAN; i++) {
        struct clock_node *was = n->child[i], *now;
        if (was != with->child[i] && n->refs == 1) {
            n->child[i] = join(k, was, with->child[i]);
        } else if (was != with->child[i]) {
            now = join(k, clock_tree_hold(was), with->child[i]);
            if (now != was)
                n = own(k, n);
            clock_tree_drop(k, n->child[i]);
            n->child[i] = now;
        }
        equal = equal && n->child[i] == with->child[i];
    }
    if (!equal || n == with)
        return n;
    clock_tree_drop(k, n);
    return clock_tree_hold(with);
}

/* Of the same height; takes over the reference to n. Returns one of the two where it can, so that later joins
 * find them shared. */
static struct clock_node *join(struct clock_nodes *k, struct clock_node *n, struct clock_node *with)
{
    if (n == with || !with)
        return n;
    if (!n)
        return clock_tree_hold(with);
    return n->height ? join_children(k, n, with) : join_leaves(k, n, with);
}

struct clock_node *clock_tree_join(struct clock_nodes *k, struct clock_node *n, struct clock_node *with)
{
    if (!n || !with || n->height == with->height)
        return join(k, n, with);
    if (n->height < with->height) /* never lower than both */
        return clock_tree_join(k, lift(k, n, with->height), with);
    struct clock_node *lifted = lift(k, clock_tree_hold(with), n->height);
    n = join(k, n, lifted);
    clock_tree_drop(k, lifted);
    return n;
}
