/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shape: finds the shape of an operation, or makes it. Mostly it is the one that followed the shape of the operation
 * before, the last time. If not, a hash finds it.
 */
#include "replay/goal/shape.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SHAPES = UINT32_MAX >> 2 };

void goal_shapes_init(struct goal_shapes *s)
{
    *s = (struct goal_shapes){.last = 0};
    base_index_init(&s->index, "shapes of operations");
    BASE_ARRAY_PUSH(&s->shape, (struct replay_goal_shape){.waits = 0});
}

void goal_shapes_release(struct goal_shapes *s)
{
    free(s->shape.at);
    free(s->list.at);
    free(s->large.at);
    base_index_release(&s->index);
}

static bool is_large(const struct replay_goal_op *op)
{
    return op->size > UINT32_MAX;
}

/* --- comparing ---------------------------------------------------------------------------------------- */

static bool lists_as(const uint32_t *list, uint32_t k, const uint32_t *waiting, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] != waiting[i] - k)
            return false;
    return true;
}

static bool is_shape(const struct goal_shapes *s, uint32_t shape, uint32_t k, const struct replay_goal_op *op,
                     const struct replay_goal_waiting *w)
{
    const struct replay_goal_shape *a = &s->shape.at[shape];
    if (a->kind != op->kind || a->waits != op->waits || a->ends != w->ends || a->starts != w->starts ||
        a->cpu != op->cpu || a->nic != op->nic || a->large != is_large(op) || a->crosses != op->crosses)
        return false;
    if (!a->ends && !a->starts)
        return true;
    const uint32_t *list = s->list.at + a->list;
    return lists_as(list, k, w->end, w->ends) && lists_as(list + w->ends, k, w->start, w->starts);
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return base_hash_fold(hash ^ word);
}

static uint32_t hash_of(uint32_t k, const struct replay_goal_op *op, const struct replay_goal_waiting *w)
{
    uint64_t hash = mix(op->waits, (uint64_t)op->kind | (uint64_t)op->cpu << 8 | (uint64_t)op->nic << 16 |
                                       (uint64_t)op->crosses << 24 | (uint64_t)is_large(op) << 25);
    hash = mix(hash + 1, (uint64_t)w->ends << 32 | w->starts);
    for (uint32_t i = 0; i < w->ends; i++)
        hash = mix(hash + 1, w->end[i] - k);
    for (uint32_t i = 0; i < w->starts; i++)
        hash = mix(hash + 1, w->start[i] - k);
    return (uint32_t)hash;
}

/* --- finding ------------------------------------------------------------------------------------------ */

static void append(struct goal_shapes *s, uint32_t k, const uint32_t *waiting, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        BASE_ARRAY_PUSH(&s->list, waiting[i] - k);
}

static uint32_t make(struct goal_shapes *s, uint32_t k, const struct replay_goal_op *op,
                     const struct replay_goal_waiting *w)
{
    uint32_t shape = (uint32_t)s->shape.n;
    if (shape >= MOST_SHAPES || s->list.n + w->ends + w->starts > UINT32_MAX)
        base_fatal(BASE_EXIT_HOST, "schedules have more than 2^30 different operations, or 2^32 different "
                                   "dependencies, which is too many");
    BASE_ARRAY_PUSH(&s->shape, ((struct replay_goal_shape){.waits = op->waits,
                                                           .list = (uint32_t)s->list.n,
                                                           .ends = w->ends,
                                                           .starts = w->starts,
                                                           .kind = op->kind,
                                                           .cpu = op->cpu,
                                                           .nic = op->nic,
                                                           .large = is_large(op),
                                                           .crosses = op->crosses}));
    append(s, k, w->end, w->ends);
    append(s, k, w->start, w->starts);
    return shape;
}

static uint32_t find(struct goal_shapes *s, uint32_t k, const struct replay_goal_op *op,
                     const struct replay_goal_waiting *w)
{
    uint32_t hash = hash_of(k, op, w);
    for (uint32_t at = hash, shape; (shape = base_index_next(&s->index, hash, &at)) != BASE_NONE;)
        if (is_shape(s, shape, k, op, w))
            return shape;
    uint32_t shape = make(s, k, op, w);
    base_index_add(&s->index, hash, shape);
    return shape;
}

static uint32_t size_in(struct goal_shapes *s, const struct replay_goal_op *op)
{
    if (BASE_LIKELY(!is_large(op)))
        return (uint32_t)op->size;
    if (s->large.n == UINT32_MAX)
        base_fatal(BASE_EXIT_HOST, "schedules have more than 2^32 sizes above 2^32, which is too many");
    BASE_ARRAY_PUSH(&s->large, op->size);
    return (uint32_t)(s->large.n - 1);
}

struct replay_goal_record goal_shapes_record(struct goal_shapes *s, uint32_t k,
                                             const struct replay_goal_op *op,
                                             const struct replay_goal_waiting *waiting)
{
    uint32_t shape = s->shape.at[s->last].next;
    if (!is_shape(s, shape, k, op, waiting)) {
        shape = find(s, k, op, waiting);
        s->shape.at[s->last].next = shape;
    }
    s->last = shape;
    return (struct replay_goal_record){shape << 2 | op->kind, size_in(s, op), op->peer, op->tag};
}
