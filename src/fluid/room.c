/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the crowded resources that have room in any case and can be ignored (P8). In a fat tree with
 * crosstraffic a path crosses a dozen crowded resources, of which one or two are nearly full. A path has a
 * ceiling, somewhat above what it takes now; a resource that would carry less than FLUID_ROOMY if all its
 * paths took as much as their ceilings is slack. Only when a path leaves the range of its ceiling are its
 * slack resources told; they become watched if they would carry more.
 *
 * No rate depends on this: a watched resource that carries less than FLUID_ROOMY and limits no path is left
 * out of the problem (problem.c), and a watched resource's load is exact.
 */
#include "fluid/state.h"

/* --- a path's links ---------------------------------------------------------------------------------- */

/* Puts a link at this place of the path's links. */
static void link_place(struct fluid_path *p, uint32_t at, struct fluid_link l)
{
    p->link[at] = l;
    fluid_node_of(p, l.number)->place = at;
}

void fluid_watch_link(struct fluid_path *p, uint32_t number)
{
    uint32_t hole = fluid_node_of(p, number)->place, at = p->watched++;
    struct fluid_link l = p->link[hole];
    if (hole != at)
        link_place(p, hole, p->link[at]);
    for (; at > 0 && p->link[at - 1].number > number; at--)
        link_place(p, at, p->link[at - 1]);
    link_place(p, at, l);
}

void fluid_unwatch_link(struct fluid_path *p, uint32_t number)
{
    uint32_t at = fluid_node_of(p, number)->place, last = --p->watched;
    struct fluid_link l = p->link[at];
    for (; at < last; at++)
        link_place(p, at, p->link[at + 1]);
    link_place(p, last, l);
}

void fluid_slack_drop(struct fluid_path *p)
{
    if (--p->slack == 0)
        p->ceiling = INFINITY;
}

/* --- resources --------------------------------------------------------------------------------------- */

static double link_load(const struct fluid_link *l, const struct fluid_state *r, double taken)
{
    return l->usage * (taken * (double)FLUID_WHOLE) * r->inverse;
}

/* From now on the loads of its links are exact. */
void fluid_watch(struct fluid *f, uint32_t state)
{
    struct fluid_state *r = fluid_state_of(f, state);
    BASE_ASSERT("P8", r->slack && !r->fatpipe);
    r->slack = false;
    r->visits = 0;
    r->load = 0;
    r->others = 0;
    for (struct fluid_node *n = fluid_users_of(f, state)->first; n; n = n->next) {
        fluid_watch_link(n->path, fluid_link_of(n)->number);
        fluid_slack_drop(n->path);
        struct fluid_link *l = fluid_link_of(n);
        l->load = (int64_t)link_load(l, r, n->path->taken);
        r->load += l->load;
        r->others = fmax(r->others, n->path->level);
    }
}

/* A path with slack resources has told them its ceiling; for others any will do. */
static double ceiling_of(const struct fluid_path *p)
{
    return p->slack ? p->ceiling : p->taken * FLUID_CEILING;
}

static bool has_room(const struct fluid *f, uint32_t state)
{
    const struct fluid_state *r = fluid_state_of(f, state);
    double load = 0;
    for (const struct fluid_node *n = fluid_users_of(f, state)->first; n; n = n->next)
        load += link_load(fluid_link_of(n), r, ceiling_of(n->path));
    return load < (double)FLUID_ROOMY * (1 - FLUID_SAME_LEVEL);
}

static void become_slack(struct fluid *f, uint32_t state)
{
    struct fluid_state *r = fluid_state_of(f, state);
    r->slack = true;
    r->load = 0;
    for (struct fluid_node *n = fluid_users_of(f, state)->first; n; n = n->next) {
        struct fluid_link *l = fluid_link_of(n);
        n->path->ceiling = ceiling_of(n->path);
        n->path->slack++;
        l->load = (int64_t)link_load(l, r, n->path->ceiling);
        r->load += l->load;
        fluid_unwatch_link(n->path, l->number);
    }
}

/* Summing costs as much as there are paths, so it is done once in that many problems. */
void fluid_room_look(struct fluid *f, uint32_t state)
{
    struct fluid_state *r = fluid_state_of(f, state);
    if (r->slack || ++r->visits < r->paths)
        return;
    r->visits = 0;
    if (r->paths > 1 && r->load < FLUID_ROOMY && !r->suspect && r->limited == FLUID_NONE &&
        has_room(f, state))
        become_slack(f, state);
}

void fluid_ceiling_move(struct fluid *f, struct fluid_path *p, double taken)
{
    if (p->slack)
        p->ceiling = taken * FLUID_CEILING;
    /* A link that is watched from now on changes places with one that was looked at. */
    for (uint32_t k = p->watched; k < p->links && p->slack; k++) {
        struct fluid_link *l = &p->link[k];
        struct fluid_state *r = fluid_state_of(f, l->state);
        if (!l->crowded)
            continue;
        double load = link_load(l, r, p->ceiling);
        if (load + (double)(r->load - l->load) >= (double)FLUID_ROOMY * (1 - FLUID_SAME_LEVEL)) {
            fluid_watch(f, l->state);
            continue;
        }
        r->load += (int64_t)load - l->load;
        l->load = (int64_t)load;
    }
}
