/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan: what an operation has in store, drawn at its issue. Operations of one call site have a temper: a loop
 * that polls with a get that is always kept back never ends, one of whose gets some arrive does.
 */
#include "check/nasty/parts.h"

#include <math.h>

/* Of a rank's call site, which is numbered by its first use. */
static enum nasty_temper temper_of(struct nasty *n, const struct nasty_op *op)
{
    static const struct {
        enum nasty_temper temper;
        unsigned share;
    } shares[] = {{NASTY_ALL_PLAIN, 12},
                  {NASTY_ALL_KEPT, 33},
                  {NASTY_ALL_EARLY, 8},
                  {NASTY_ALL_SLOW, 12},
                  {NASTY_ALL_MIXED, 35}};
    struct nasty_rank *k = &n->rank[op->origin->id];
    bool fresh;
    enum nasty_temper *t = base_table_add(&n->sites, (uint64_t)op->origin->id << 32 | op->caller, &fresh);
    if (!fresh)
        return *t;
    struct base_random r = nasty_random(n, (struct nasty_key){NASTY_TEMPER, op->origin->id, k->sites++});
    unsigned at = (unsigned)base_random_below(&r, 100), s = 0;
    while (at >= shares[s].share)
        at -= shares[s++].share;
    return *t = shares[s].temper;
}

static struct nasty_about about(const struct nasty_op *op)
{
    return (struct nasty_about){op->origin, op->call, op->caller};
}

/* 0: at once; INFINITY: when it is needed. */
static double draw_delay(const struct nasty *n, enum nasty_temper t, bool likely, struct base_random *r)
{
    unsigned what = (unsigned)base_random_below(r, 8);
    bool keeps = t == NASTY_ALL_KEPT ? likely || what < 2 : t == NASTY_ALL_MIXED && what < (likely ? 3 : 1),
         waits = t == NASTY_ALL_SLOW ? likely : t == NASTY_ALL_MIXED && what < 5;
    double delay = nasty_delay(r, 13);
    if (keeps && n->options.keep)
        return INFINITY;
    return keeps || waits ? delay : 0;
}

/* `likely`: what happens at this step is what others see of the operation. */
static void plan_step(struct nasty *n, struct nasty_op *op, int part, bool likely)
{
    struct nasty_plan *p = &op->plan[part];
    struct nasty_key hold = {(enum nasty_kind)(NASTY_HOLD + part), op->origin->id, op->seq},
                     cut = {(enum nasty_kind)(NASTY_CUT + part), op->origin->id, op->seq};
    struct base_random r = nasty_random(n, hold);
    struct nasty_about a = about(op);
    double delay = draw_delay(n, op->temper, likely, &r);
    if (delay > 0 &&
        nasty_may(n, hold, &a, isinf(delay) ? "kept back until it is needed" : "%.9f s late", delay))
        p->delay = delay;
    r = nasty_random(n, cut);
    if (n->options.cut && op->bytes[part] > (op->element && part < 2 ? op->element : 1) &&
        nasty_chance(&r, 1, 3)) {
        unsigned pieces = 2 + (unsigned)base_random_below(&r, 6);
        if (nasty_may(n, cut, &a, "in up to %u pieces", pieces))
            p->pieces = (uint8_t)pieces;
    }
}

static bool plan_flag(struct nasty *n, const struct nasty_op *op, enum nasty_kind kind, unsigned of,
                      unsigned in, const char *what)
{
    struct nasty_key k = {kind, op->origin->id, op->seq};
    struct base_random r = nasty_random(n, k);
    struct nasty_about a = about(op);
    return nasty_chance(&r, of, in) && nasty_may(n, k, &a, "%s", what);
}

void nasty_plan_make(struct nasty *n, struct nasty_op *op)
{
    if (n->points) {
        nasty_script_plan(n, op);
        return;
    }
    op->temper = n->rank[op->origin->id].poll.released ? NASTY_ALL_PLAIN : temper_of(n, op);
    if (op->bytes[0] && (op->temper == NASTY_ALL_EARLY || op->temper == NASTY_ALL_MIXED))
        op->early = plan_flag(n, op, NASTY_EARLY, 1, op->temper == NASTY_ALL_EARLY ? 1 : 6, "acts at once");
    for (int part = 0; op->temper != NASTY_ALL_PLAIN && part < NASTY_PARTS; part++)
        if (op->bytes[part])
            plan_step(n, op, part, part == 0);
    if (op->temper == NASTY_ALL_PLAIN)
        return;
    if (op->bytes[2])
        op->reply = plan_flag(n, op, NASTY_REPLY, 1, 6, "results are there early");
    if (op->sourced && !op->element)
        op->late = plan_flag(n, op, NASTY_SOURCE, 1, 2, "its source is read as late as possible");
}
