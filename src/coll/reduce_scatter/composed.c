/* SPDX-License-Identifier: BSD-3-Clause */
/* composed: a reduce-scatter made of other operations. */
#include "coll/reduce_scatter/operand.h"
#include "coll/reduce_scatter/reduce_scatter.h"

/* Temporary memory: the operand, then the sums, at place 0. */
static uint64_t room(struct coll_schedule *s)
{
    uint64_t all = coll_operand_at(s, s->size);
    coll_temp(s, 2 * all + 1);
    return all;
}

static bool load(struct coll_schedule *s, uint32_t round)
{
    if (round >= coll_operand_rounds(s))
        return false;
    room(s);
    coll_operand_load(s, round);
    return true;
}

static coll_build_fn reduce(struct coll_schedule *s, struct coll_part *p)
{
    uint64_t all = room(s);
    p->root = 0;
    p->source = coll_at(COLL_TEMP, 0);
    p->dest = coll_at(COLL_TEMP, all);
    p->bytes = all;
    p->temp = 2 * all + 1;
    p->irregular = p->in_place = false;
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_REDUCE_ROOT, all, s->size);
}

/* Place 0 sends everyone's part. */
static bool scatter(struct coll_schedule *s, uint32_t round)
{
    uint64_t all = room(s), at = all;
    if (round == 0 && s->me)
        coll_add_receive(s, 0, 0, coll_at(COLL_DEST, 0), coll_part_bytes(s, COLL_SOURCE, s->me));
    for (uint32_t p = 0; round == 0 && !s->me && p < s->size; p++) {
        uint64_t bytes = coll_part_bytes(s, COLL_SOURCE, p);
        if (p)
            coll_add_send(s, p, 0, coll_at(COLL_TEMP, at), bytes);
        at += bytes;
    }
    if (round == 1 && !s->me)
        coll_operand_keep(s, all);
    return round < 2;
}

/* A reduction of everything to place 0, as the selector chooses, which then sends everyone's part. The
 * reduction's time, a + (n - 1) m/B for parts of m bytes; its messages and n - 1. */
bool coll_reduce_scatter_reduce_scatter(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.all = load}, {.part = reduce}, {.all = scatter}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
