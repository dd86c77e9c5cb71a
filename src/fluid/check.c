/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fluid_check: walks everything that is reachable from the resources and asserts the invariants of fluid.h
 * and state.h. The proof of F1 is by limits: every path is at its cap, or has the highest level on a full
 * resource that it names; no resource is overfull.
 */
#include "fluid/state.h"

/* Relative; allows for some thousand roundings. */
#define CLOSE 1e-9

static void check_flows(const struct fluid_path *p)
{
    uint32_t n = 0;
    for (const struct fluid_flow *flow = p->first; flow;) {
        BASE_ASSERT("P1", flow->path == p && !flow->over);
        BASE_ASSERT("P5", fluid_progress_to(p->first->end, flow->end) >= 0);
        n++;
        if (flow->child) {
            flow = flow->child;
            continue;
        }
        while (flow && !flow->sibling) { /* go up to the parent, leftwards through the siblings */
            while (flow->prev && flow->prev->child != flow)
                flow = flow->prev;
            flow = flow->prev;
        }
        flow = flow ? flow->sibling : NULL;
    }
    BASE_ASSERT("P1", n == p->count && n > 0);
}

static void check_path(const struct fluid_path *p)
{
    check_flows(p);
    BASE_ASSERT("P5", p->ending || fluid_has_end(p));
    BASE_ASSERT("P6", !p->end || (p->end->first && p->end->time == p->alarm.at &&
                                  !engine_event_pending(&p->alarm.event)));
    BASE_ASSERT("F1", p->rate > 0 && p->rate <= p->cap * (1 + CLOSE));
    BASE_ASSERT("F1", fabs(p->level - p->rate * p->weight) <= CLOSE * p->level);
    BASE_ASSERT("F1", p->limit != FLUID_NONE);
    if (p->limit == FLUID_OWN)
        BASE_ASSERT("F1", p->rate >= p->cap * (1 - CLOSE));
}

/* `load` is the sum of all loads, or for FATPIPE the largest. */
static void check_limits(const struct fluid_state *r, double load, double top, double held)
{
    BASE_ASSERT("F1", load <= r->capacity * (1 + CLOSE));
    if (r->limited != FLUID_NONE) {
        BASE_ASSERT("P4", load >= r->capacity * (1 - CLOSE));
        BASE_ASSERT("P4", held >= top * (1 - CLOSE));
    }
}

/* Checks that the path's summary of its links agrees with its link to this resource. */
static void check_watched(const struct fluid_state *r, const struct fluid_path *p, const struct fluid_link *l)
{
    bool watched = fluid_watches(p, l);
    BASE_ASSERT("P9", fluid_link_at(p, l->number) == l);
    BASE_ASSERT("P9", !watched || l == p->link || l[-1].number < l->number);
    BASE_ASSERT("P8", watched == (l->crowded && !r->slack));
    BASE_ASSERT("P8", !l->crowded || watched || p->taken <= p->ceiling);
    BASE_ASSERT("P8", p->slack || p->ceiling == INFINITY);
}

static void check_slack(const struct fluid_state *r, double load)
{
    if (!r->slack)
        return;
    BASE_ASSERT("P8", r->limited == FLUID_NONE && r->paths > 1 && !r->fatpipe);
    BASE_ASSERT("P8",
                r->load < FLUID_ROOMY && load / r->capacity <= (double)r->load / (double)FLUID_WHOLE + CLOSE);
}

static void check_resource(const struct fluid *f, uint32_t id)
{
    const struct fluid_state *r = fluid_state_of(f, id);
    const struct fluid_users *users = fluid_users_of(f, id);
    unsigned __int128 demand = 0;
    uint32_t paths = 0, limited = 0;
    int64_t taken = 0;
    double load = 0, top = 0, held = INFINITY;
    for (const struct fluid_node *n = users->first, *prev = NULL; n; prev = n, n = n->next) {
        const struct fluid_path *p = n->path;
        const struct fluid_link *l = fluid_link_of(n);
        BASE_ASSERT("P3", l->crowded == fluid_crowded(r, users));
        BASE_ASSERT("P1", n->prev == prev && l->state == id && l->number < p->links);
        check_path(p);
        paths++;
        demand += (unsigned __int128)n->demand * p->count;
        load = r->fatpipe ? fmax(load, l->usage * p->rate) : load + l->usage * p->count * p->rate;
        top = fmax(top, p->level);
        taken += l->load;
        check_watched(r, p, l);
        if (fluid_watches(p, l) && !r->fatpipe)
            BASE_ASSERT("P7", fabs((double)l->load / (double)FLUID_WHOLE -
                                   l->usage * p->count * p->rate / r->capacity) < CLOSE);
        if (p->limit != id && fluid_watches(p, l))
            BASE_ASSERT("P7", p->level <= r->others);
        if (p->limit == id) {
            limited++;
            held = fmin(held, p->level);
        }
    }
    BASE_ASSERT("P1", paths == r->paths);
    BASE_ASSERT("P2", demand == users->demand);
    for (uint32_t at = r->limited, prev = FLUID_NONE; at != FLUID_NONE; limited--) {
        BASE_ASSERT("P4", f->places.at[at].path->limit == id && f->places.at[at].path->limit_prev == prev);
        prev = at;
        at = f->places.at[at].limit_next;
    }
    BASE_ASSERT("P4", limited == 0 && r->local == FLUID_NONE && !r->dirty);
    BASE_ASSERT("P7", taken == r->load || r->fatpipe || !fluid_crowded(r, users));
    check_limits(r, load, top, held);
    check_slack(r, load);
}

void fluid_check(struct fluid *f)
{
    fluid_settle_now(f);
    BASE_ASSERT("P4", f->set.n == 0 && f->touched.n == 0);
    for (size_t i = 0; i < f->states.n; i++)
        check_resource(f, (uint32_t)i);
}
