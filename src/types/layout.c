/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout: the life of layouts, and what can be asked of them.
 */
#include "types/internal.h"

#include <stdlib.h>

/* --- references ----------------------------------------------------------------------------------- */

/* Static ones are const, and never written to: their count is 0. */
static struct types_layout *counted(const struct types_layout *l)
{
    return l && l->references ? (struct types_layout *)(uintptr_t)l : NULL;
}

struct types_layout *types_layout_retain(const struct types_layout *l)
{
    struct types_layout *mine = counted(l);
    if (mine)
        mine->references++;
    return (struct types_layout *)(uintptr_t)l;
}

static void drop(const struct types_layout *l, struct types_layout **unused)
{
    struct types_layout *mine = counted(l);
    if (mine && --mine->references == 0) {
        mine->next = *unused;
        *unused = mine;
    }
}

static void destroy(struct types_layout *l)
{
    for (struct types_node *node = l->nodes, *next; node; node = next) {
        next = node->next;
        free((void *)(uintptr_t)node->pieces);
        free(node);
    }
    free(l->own_parts);
    free(l->held);
    free(l);
}

/* Not recursive: chains of layouts may be long, and stacks are short. */
void types_layout_release(const struct types_layout *l)
{
    struct types_layout *unused = NULL;
    drop(l, &unused);
    while (unused) {
        struct types_layout *x = unused;
        unused = x->next;
        for (uint64_t k = 0; k < x->n_held; k++)
            drop(x->held[k], &unused);
        destroy(x);
    }
}

/* --- questions ------------------------------------------------------------------------------------ */

uint64_t types_layout_size(const struct types_layout *l)
{
    return l->size;
}

struct types_bounds types_layout_bounds(const struct types_layout *l)
{
    const struct types_edges *e = &l->edges;
    return (struct types_bounds){e->lower, l->extent, e->true_lower, e->true_upper - e->true_lower};
}

uint32_t types_layout_align(const struct types_layout *l)
{
    return l->align;
}

enum types_element types_layout_element(const struct types_layout *l)
{
    return l->element;
}

unsigned types_layout_depth(const struct types_layout *l)
{
    return l->data.node ? l->data.node->depth : 0;
}

bool types_layout_is_dense(const struct types_layout *l, int64_t *offset)
{
    *offset = l->data.offset;
    return l->dense;
}

bool types_layout_is_run(const struct types_layout *l, uint64_t count, int64_t *offset)
{
    *offset = l->data.offset;
    return l->dense || !l->size || count == 0 || (count == 1 && types_node_is_run(l->data.node));
}

bool types_layout_fits(const struct types_layout *l, uint64_t count)
{
    bool overflow = count > INT64_MAX;
    types_times((int64_t)l->size, (int64_t)count, &overflow);
    if (count > 1 && !overflow) {
        int64_t last = types_times((int64_t)count - 1, l->extent, &overflow);
        types_plus(l->edges.true_lower, last, &overflow);
        types_plus(l->edges.true_upper, last, &overflow);
    }
    return !overflow;
}

void types_layout_span(const struct types_layout *l, uint64_t count, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    if (!count || !l->size)
        return;
    int64_t last = (int64_t)(count - 1) * l->extent;
    *low = l->edges.true_lower + (last < 0 ? last : 0);
    *high = l->edges.true_upper + (last > 0 ? last : 0);
}
