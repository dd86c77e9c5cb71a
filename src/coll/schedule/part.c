/* SPDX-License-Identifier: BSD-3-Clause */
/* part: algorithms made of others. What parts are is in part.h. */
#include "coll/schedule/part.h"

enum { ALIGN = 64 };

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* --- translation -------------------------------------------------------------------------------- */

uint32_t coll_part_place(const struct coll_schedule *s, uint32_t number)
{
    for (const struct coll_part *p = s->part; p; p = p->around)
        number = p->member ? p->member(s, p, number) : number;
    return number;
}

uint32_t coll_part_tag(const struct coll_schedule *s)
{
    uint32_t tag = 0;
    for (const struct coll_part *p = s->part; p; p = p->around)
        tag += p->tag;
    return tag;
}

uint64_t coll_part_temp(const struct coll_schedule *s)
{
    uint64_t bytes = 0;
    for (const struct coll_part *p = s->part; p; p = p->around)
        bytes += aligned(p->temp);
    return bytes;
}

coll_place coll_part_translate(const struct coll_schedule *s, coll_place at)
{
    for (const struct coll_part *p = s->part; p; p = p->around) {
        coll_place from[] = {[COLL_SOURCE] = p->source,
                             [COLL_DEST] = p->dest,
                             [COLL_TEMP] = coll_at(COLL_TEMP, aligned(p->temp))};
        at = from[coll_place_base(at)] + coll_place_offset(at);
    }
    return at;
}

uint32_t coll_part_strided(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    uint32_t n = p->around ? p->around->size : s->call->group.size;
    return (uint32_t)((p->first + (uint64_t)k * p->stride) % n);
}

/* --- rounds ------------------------------------------------------------------------------------- */

bool coll_part_round(struct coll_schedule *s, const struct coll_part *p, coll_build_fn build, uint32_t round)
{
    struct coll_part inner = *p;
    struct coll_schedule kept;
    kept.me = s->me, kept.size = s->size, kept.root = s->root, kept.bytes = s->bytes;
    kept.part = s->part, kept.bounds = s->bounds, kept.tuning = s->tuning;
    kept.regular = s->regular, kept.in_place = s->in_place, kept.has_dest = s->has_dest;
    inner.around = s->part;
    s->part = &inner;
    s->me = p->me, s->size = p->size, s->root = p->root, s->bytes = p->bytes;
    s->bounds = p->bounds;
    s->tuning = p->tuning ? p->tuning : s->tuning;
    s->regular = !p->irregular, s->in_place = p->in_place, s->has_dest = !p->no_dest;
    bool any = build(s, round);
    s->me = kept.me, s->size = kept.size, s->root = kept.root, s->bytes = kept.bytes;
    s->part = kept.part, s->bounds = kept.bounds, s->tuning = kept.tuning;
    s->regular = kept.regular, s->in_place = kept.in_place, s->has_dest = kept.has_dest;
    return any;
}

/* The whole of what surrounds the stage, on its memory. */
static struct coll_part whole(const struct coll_schedule *s, uint32_t stage)
{
    return (struct coll_part){.me = s->me,
                              .size = s->size,
                              .root = s->root,
                              .stride = 1,
                              .source = coll_at(COLL_SOURCE, 0),
                              .dest = coll_at(COLL_DEST, 0),
                              .bytes = s->bytes,
                              .tag = coll_stage_tag(s, stage),
                              .irregular = !s->regular,
                              .no_dest = !s->has_dest,
                              .in_place = s->in_place,
                              .bounds = s->bounds};
}

bool coll_stages_round(struct coll_schedule *s, uint32_t round, const struct coll_stage_def *stages,
                       uint32_t n)
{
    bool any = false;
    struct coll_stage *at = coll_stage_open(s, round);
    while (!any && at->number < n) {
        struct coll_part p = whole(s, at->number);
        const struct coll_stage_def *def = &stages[at->number];
        coll_build_fn build = def->part ? def->part(s, &p) : def->all;
        any = build && coll_part_round(s, &p, build, round - at->from);
        if (!any)
            *at = (struct coll_stage){at->number + 1, round};
    }
    coll_stage_close(s);
    return any;
}
