/* SPDX-License-Identifier: BSD-3-Clause */
/* clock: the clocks; tree.c has the trees. */
#include "check/clock/tree.h"

uint32_t clock_tree_get(const struct clock_node *base, uint32_t id)
{
    const struct clock_node *n = base;
    if (!n || id >> (4 * n->height + 4))
        return 0;
    while (n->height) {
        n = n->child[id >> (4 * n->height) & 15];
        if (!n)
            return 0;
    }
    return n->count[id & 15];
}

/* The differences move into the base. */
static void settle(struct clock_nodes *k, struct clock *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        c->base = clock_tree_set(k, c->base, c->differs[i].id, c->differs[i].count);
    c->n = 0;
}

bool clock_raise(struct clock_nodes *k, struct clock *c, uint32_t id, uint32_t count)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->differs[i].id == id) {
            if (c->differs[i].count >= count)
                return false;
            c->differs[i].count = count;
            return true;
        }
    if (clock_tree_get(c->base, id) >= count)
        return false;
    if (c->n == CLOCK_DIFFERENCES)
        settle(k, c);
    c->differs[c->n++] = (struct clock_entry){id, count};
    return true;
}

static bool has_seen(const struct clock_seen *seen, const struct clock_node *base)
{
    for (uint32_t i = 0; seen && base && i < BASE_LENGTH(seen->base); i++)
        if (seen->base[i] == base)
            return true;
    return false;
}

void clock_seen_add(struct clock_nodes *k, struct clock_seen *seen, const struct clock *c)
{
    struct clock_node **at = &seen->base[seen->next++ % BASE_LENGTH(seen->base)];
    clock_tree_drop(k, *at);
    *at = clock_tree_hold(c->base);
}

void clock_join(struct clock_nodes *k, struct clock *c, const struct clock *with, struct clock_seen *seen)
{
    if (with->base && with->base != c->base && !has_seen(seen, with->base)) {
        settle(k, c);
        c->base = clock_tree_join(k, c->base, with->base);
        if (seen)
            clock_seen_add(k, seen, with);
    }
    for (uint32_t i = 0; i < with->n; i++)
        clock_raise(k, c, with->differs[i].id, with->differs[i].count);
}

void clock_copy(struct clock *out, const struct clock *c)
{
    *out = *c;
    clock_tree_hold(out->base);
}

void clock_share(struct clock_nodes *k, struct clock *out, struct clock *c)
{
    if (c->n > CLOCK_DIFFERENCES / 2)
        settle(k, c);
    clock_copy(out, c);
}

void clock_clear(struct clock_nodes *k, struct clock *c)
{
    clock_tree_drop(k, c->base);
    *c = (struct clock){0};
}

void clock_seen_clear(struct clock_nodes *k, struct clock_seen *seen)
{
    for (uint32_t i = 0; i < BASE_LENGTH(seen->base); i++)
        clock_tree_drop(k, seen->base[i]);
    *seen = (struct clock_seen){0};
}
