/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * composed: reductions to all made of other operations. a is the time of one small message, B the bandwidth,
 * g the time to reduce a byte, m the bytes, n members.
 */
#include "coll/reduce/reduce.h"

/* --- to one member, then to all ----------------------------------------------------------------- */

/* Member 0 gets all operands at once. */
static bool to_first(struct coll_schedule *s, uint32_t round)
{
    if (round == 0 && s->me == 0)
        coll_add_own(s, 0, 0, s->bytes);
    if (round == 1 && s->me == 0)
        coll_add_reduce_from_all(s, coll_at(COLL_DEST, 0), s->bytes);
    if (round == 1 && s->me)
        coll_add_send(s, 0, 1, coll_at(COLL_SOURCE, 0), s->bytes);
    return round < 2;
}

static bool from_first(struct coll_schedule *s, uint32_t round)
{
    return coll_blocking_down(s, round, 0, (struct coll_run){0, s->bytes});
}

/* SMPI's default: all send to place 0, which sends the result down a binomial tree, to one member at a time.
 * a + (n - 1) (m/B + g m), then (a + m/B) ceil(log2 n); 2 (n - 1) messages. */
bool coll_reduce_linear_binomial(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.all = to_first}, {.all = from_first}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

static coll_build_fn chosen_to_first(struct coll_schedule *s, struct coll_part *p)
{
    p->root = 0;
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_REDUCE_ROOT, s->bytes, s->size);
}

static coll_build_fn chosen_to_all(struct coll_schedule *s, struct coll_part *p)
{
    p->root = 0;
    p->source = coll_at(COLL_DEST, 0);
    p->no_dest = s->me == 0;
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_BROADCAST, s->bytes, s->size);
}

/* A reduction to place 0, then a broadcast, each as the selector chooses (Open MPI's nonoverlapping, MPICH's
 * naive). */
bool coll_reduce_reduce_broadcast(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = chosen_to_first}, {.part = chosen_to_all}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* --- an allgather of the operands ---------------------------------------------------------------- */

static coll_build_fn gather_operands(struct coll_schedule *s, struct coll_part *p)
{
    coll_temp(s, s->size * s->bytes + 1);
    p->dest = coll_at(COLL_TEMP, 0);
    p->temp = s->size * s->bytes + 1;
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_FCOLLECT, s->bytes, s->size);
}

/* From right to left, so that the operand from the left is always the left one. */
static bool combine_operands(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    uint32_t last = UINT32_MAX;
    if (round == 0 && m)
        coll_add_copy(s, coll_at(COLL_TEMP, (s->size - 1) * m), coll_at(COLL_DEST, 0), m);
    for (uint32_t p = s->size - 1; round == 1 && m && p-- > 0;) {
        uint32_t k = coll_add_combine(s, coll_at(COLL_TEMP, p * m), coll_at(COLL_DEST, 0), m);
        if (last != UINT32_MAX)
            coll_order(s, last, k);
        last = k;
    }
    return round < 2;
}

/* Everyone gets all operands and reduces them in order of place, all in the same way (Open MPI's
 * allgather_reduce). The allgather's time, of n m bytes, and (n - 1) g m; its messages. */
bool coll_reduce_allgather_reduce(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = gather_operands}, {.all = combine_operands}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* --- a ring for what n divides -------------------------------------------------------------------- */

static uint64_t divided(const struct coll_schedule *s)
{
    uint64_t item = coll_item(s);
    return s->bytes / item / s->size * s->size * item;
}

static coll_build_fn ring(struct coll_schedule *s, struct coll_part *p)
{
    p->bytes = divided(s);
    return p->bytes ? coll_reduce_ring : NULL;
}

static coll_build_fn rest(const struct coll_schedule *s, struct coll_part *p, coll_build_fn build)
{
    uint64_t done = divided(s);
    p->bytes = s->bytes - done;
    p->source += done;
    p->dest += done;
    return p->bytes || !done ? build : NULL;
}

/* A selector that chose the ring chooses for the rest, too. */
static bool is_chosen(const struct coll_schedule *s)
{
    return s->tuning->leaf && divided(s);
}

static coll_build_fn rest_to_first(struct coll_schedule *s, struct coll_part *p)
{
    coll_build_fn build = rest(s, p, to_first);
    if (!build || !is_chosen(s))
        return build;
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_REDUCE, p->bytes, s->size);
}

static coll_build_fn rest_to_all(struct coll_schedule *s, struct coll_part *p)
{
    return is_chosen(s) ? NULL : rest(s, p, from_first);
}

/* The ring for as many items as n divides; fewer than n that are left as linear-binomial does (Patarasuk and
 * Yuan, JPDC 69(2), 2009, as in SMPI), or as the selector chooses that chose the ring
 * (a reduce and a broadcast if that is all). 2 (n - 1) (a + m/(n
 * B)) + (n - 1)/n g m, and the rest's; 2 n (n - 1) messages, and 2 (n - 1). */
bool coll_reduce_ring_and_rest(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = ring}, {.part = rest_to_first}, {.part = rest_to_all}};
    if (s->tuning->leaf && !divided(s))
        return coll_reduce_reduce_broadcast(s, round);
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
