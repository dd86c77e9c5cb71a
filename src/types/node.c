/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node: builds the nodes of layouts, and normalizes them as it goes: runs that adjoin become one, loops whose
 * repetitions continue each other become one, equal pieces at equal distances become a loop, short lists
 * dissolve in the list around them. So TN1 to TN4 hold by construction.
 */
#include "types/internal.h"

#include <stdlib.h>

enum { SHORT_LIST = 8 };

int64_t types_plus(int64_t a, int64_t b, bool *overflow)
{
    int64_t sum;
    *overflow |= __builtin_add_overflow(a, b, &sum);
    return sum;
}

int64_t types_minus(int64_t a, int64_t b, bool *overflow)
{
    int64_t difference;
    *overflow |= __builtin_sub_overflow(a, b, &difference);
    return difference;
}

int64_t types_times(int64_t a, int64_t b, bool *overflow)
{
    int64_t product;
    *overflow |= __builtin_mul_overflow(a, b, &product);
    return product;
}

static const struct types_node *own(struct types_maker *m, const struct types_node *like)
{
    struct types_node *node = base_alloc(sizeof *node, "a layout");
    *node = *like;
    node->next = m->layout->nodes;
    m->layout->nodes = node;
    return node;
}

static const struct types_node *run(struct types_maker *m, uint64_t bytes)
{
    return own(m, &(struct types_node){.size = bytes, .n = 1});
}

struct types_placed types_node_repeat(struct types_maker *m, struct types_placed of, uint64_t n,
                                      int64_t stride)
{
    const struct types_node *node = of.node;
    if (!node || n == 0)
        return (struct types_placed){NULL, 0};
    if (n == 1)
        return of;
    uint64_t size = (uint64_t)types_times((int64_t)node->size, (int64_t)n, &m->overflow);
    if (m->overflow)
        return (struct types_placed){NULL, 0};
    if (types_node_is_run(node) && stride == (int64_t)node->size)
        return (struct types_placed){run(m, size), of.offset};
    struct types_node loop = {
        .size = size, .n = n, .stride = stride, .child = node, .depth = node->depth + 1};
    bool far = false;
    if (node->child && types_times(node->stride, (int64_t)node->n, &far) == stride && !far) {
        loop.n = n * node->n;
        loop.stride = node->stride;
        loop.child = node->child;
        loop.depth = node->depth;
    }
    return (struct types_placed){own(m, &loop), of.offset};
}

/* --- lists ---------------------------------------------------------------------------------------- */

static void append(struct types_list *list, int64_t offset, const struct types_node *child, uint64_t bytes)
{
    if (list->n + 1 >= list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->pieces = base_realloc(list->pieces, list->room * sizeof *list->pieces, "a layout");
    }
    list->pieces[list->n++] = (struct types_piece){offset, list->size, child};
    list->size = (uint64_t)types_plus((int64_t)list->size, (int64_t)bytes, &list->maker->overflow);
}

/* Whether a run at `offset` begins where the last piece of the list, a run as well, ends. */
static bool adjoins(const struct types_list *list, int64_t offset)
{
    const struct types_piece *last = &list->pieces[list->n - 1];
    bool far = false;
    return !last->child && types_plus(last->offset, (int64_t)(list->size - last->before), &far) == offset &&
           !far;
}

void types_list_add_run(struct types_list *list, int64_t offset, uint64_t bytes)
{
    if (list->n && adjoins(list, offset))
        list->size = (uint64_t)types_plus((int64_t)list->size, (int64_t)bytes, &list->maker->overflow);
    else
        append(list, offset, NULL, bytes);
}

void types_list_add(struct types_list *list, struct types_placed piece, int64_t offset)
{
    const struct types_node *node = piece.node;
    if (!node)
        return;
    bool *overflow = &list->maker->overflow;
    offset = types_plus(offset, piece.offset, overflow);
    if (types_node_is_run(node)) {
        types_list_add_run(list, offset, node->size);
        return;
    }
    if (!node->pieces || node->n > SHORT_LIST) {
        append(list, offset, node, node->size);
        return;
    }
    for (const struct types_piece *p = node->pieces; p < node->pieces + node->n; p++) {
        int64_t at = types_plus(offset, p->offset, overflow);
        if (p->child)
            append(list, at, p->child, p->child->size);
        else
            types_list_add_run(list, at, p[1].before - p->before);
    }
}

/* Whether all pieces are equal and at equal distances. */
static bool is_regular(const struct types_list *list)
{
    const struct types_piece *p = list->pieces;
    uint64_t bytes = p[1].before;
    bool far = false;
    int64_t stride = types_minus(p[1].offset, p[0].offset, &far);
    for (uint64_t k = 1; k < list->n && !far; k++) {
        if (p[k].child != p->child || p[k + 1].before - p[k].before != bytes ||
            types_minus(p[k].offset, p[k - 1].offset, &far) != stride)
            return false;
    }
    return !far;
}

static struct types_placed list_node(struct types_list *list)
{
    struct types_node node = {.size = list->size, .n = list->n, .plain = true};
    int64_t first = list->pieces[0].offset;
    struct types_piece *pieces = list->pieces;
    for (uint64_t k = 0; k < list->n; k++) {
        pieces[k].offset = types_minus(pieces[k].offset, first, &list->maker->overflow);
        if (!pieces[k].child)
            continue;
        node.plain = false;
        if (pieces[k].child->depth > node.depth)
            node.depth = pieces[k].child->depth;
    }
    node.depth++;
    node.pieces = base_realloc(pieces, (list->n + 1) * sizeof *pieces, "a layout");
    return (struct types_placed){own(list->maker, &node), first};
}

struct types_placed types_list_end(struct types_list *list)
{
    struct types_maker *m = list->maker;
    struct types_placed made = {NULL, 0};
    if (list->n && !m->overflow) {
        struct types_piece *p = list->pieces;
        p[list->n] = (struct types_piece){0, list->size, NULL};
        if (list->n > 1 && !is_regular(list))
            return list_node(list);
        struct types_placed one = {p->child ? p->child : run(m, p[1].before), p->offset};
        made = types_node_repeat(m, one, list->n, list->n > 1 ? p[1].offset - p[0].offset : 0);
    }
    free(list->pieces);
    return made;
}
