/* SPDX-License-Identifier: BSD-3-Clause */
/* steps: collectives as the messages of their schedules, for formats that have no such collectives. */
#include "replay/convert/steps.h"

#include "replay/collective/collective.h"

#include <stdlib.h>

/* Tags of collectives lie above those that programs usually have: one bit, 6 bits of the collective, 24 of the message. */
enum { COLLECTIVE = 1 << 30, TAG_BITS = 24, NUMBERS = 32, SPREAD = 11 };

int replay_steps_init(struct replay_steps *x, const struct replay_tape *t, struct replay_conversion *out,
                      struct base_status *st)
{
    *x = (struct replay_steps){.unroller = coll_unroller_create(out->settings, st), .tape = t, .out = out};
    base_table_init(&x->counts, BASE_NUMBERS, sizeof(uint64_t), "collectives of a trace");
    return x->unroller ? 0 : -1;
}

void replay_steps_next_rank(struct replay_steps *x)
{
    base_table_clear(&x->counts);
}

void replay_steps_release(struct replay_steps *x)
{
    coll_unroller_destroy(x->unroller);
    base_table_release(&x->counts);
}

struct telling {
    const struct coll_group *group;
    const struct replay_steps_sink *to;
    uint32_t tag;
};

static void step(void *arg, const struct coll_unrolled *s)
{
    const struct telling *t = arg;
    bool local = s->kind == COLL_UNROLLED_LOCAL;
    t->to->step(t->to->arg, &(struct replay_step){s->kind, local ? 0 : coll_group_rank(t->group, s->peer),
                                                  t->tag | s->tag, s->bytes});
}

static void order(void *arg, uint32_t before, uint32_t after)
{
    const struct telling *t = arg;
    t->to->order(t->to->arg, before, after);
}

static void round_over(void *arg)
{
    const struct telling *t = arg;
    t->to->round(t->to->arg);
}

static struct coll_group group_of(const struct replay_tape *t, const struct replay_action *a)
{
    if (!a->group)
        return (struct coll_group){.stride = 1, .size = replay_tape_ranks(t)};
    const struct replay_group *g = replay_tape_group_at(t, a->group);
    return coll_group_of(a->group, g->rank, g->n);
}

bool replay_steps_tell(struct replay_steps *x, uint32_t rank, const struct replay_action *a,
                       const struct replay_steps_sink *to)
{
    static char nowhere[1];
    struct coll_group g = group_of(x->tape, a);
    struct replay_sides *sides;
    const char *instead = NULL;
    uint64_t bytes, which = (uint64_t)(uint32_t)a->tag << 32 | a->group;
    uint64_t count = (*(uint64_t *)base_table_add(&x->counts, which, NULL))++;
    struct coll_call call = replay_collective_call(a, &g, coll_group_place(&g, rank), &sides, &bytes);
    uint32_t number = (uint32_t)(count % NUMBERS);
    if (which)
        number = NUMBERS + (uint32_t)((a->group + (uint64_t)(uint32_t)a->tag * SPREAD + count) % NUMBERS);
    struct telling t = {&g, to, COLLECTIVE | number << TAG_BITS};
    call.source = call.dest = nowhere;
    bool can =
        bytes <= COLL_UNROLLED_MOST &&
        coll_unroll(x->unroller, &call, &(struct coll_unroll_sink){step, order, round_over, &t}, &instead);
    if (instead && can)
        replay_unsay(x->out, replay_name_of(a), "by an algorithm whose members learn no sizes on the way");
    free(sides);
    coll_group_release(&g);
    return can;
}
