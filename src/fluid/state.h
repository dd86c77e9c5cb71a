/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fluid module's records: resources, paths with their links, flows.
 *
 *   flow --.                     .-- link --> state
 *   flow ----> path (variable) -<--- link --> state      a resource's list: the links' nodes
 *   flow --'        |            '-- link --> state
 *                  end ----> event                          an end's list: the paths with a flow ending then
 *
 * All flows of a path progress at the path's rate, so only the path has a rate and an end: the end of the
 * flow that ends first. `progress` is the work that a flow would have done if it had been there since the
 * path was last empty; a flow ends when progress reaches its `end`. A change of the rate moves one end,
 * however many flows there are; paths that end together, such as those of ranks in lockstep, share one event.
 *
 * Invariants
 *  P1  A path is in its resources' lists exactly when count > 0.
 *  P2  A resource's demand is the sum over its paths of count * link.demand: what they would take if only
 *      their own caps limited them, in units of capacity / FLUID_FULL. These are integers, so that
 *      subtraction is exact. For a FATPIPE resource it counts the flows that could fill it.
 *  P3  A resource whose demand is at most FLUID_CROWDED couples no flows: whatever the rates, it has room.
 *      Above that, it is crowded. A FATPIPE one is crowded if a flow could fill it and its flows would then
 *      have different levels. Each link in its list is marked crowded, and each path counts its crowded
 *      links.
 *  P4  `limited` of a resource lists the paths whose limit it is. Each of these has the highest level there,
 *      and the resource is full; a FATPIPE one is filled by one of them alone.
 *  P5  A path with flows that is not in the set has an end: the time at which its first flow will be done.
 *  P6  An end has paths, and its event is pending unless it is running.
 *  P7  A crowded SHARED resource's load is the sum of its links' loads. A watched link's load is what its
 *      path took when it was last given a rate; for a path outside the set, that is what it takes now. Loads
 *      are integers, in units of capacity / FLUID_WHOLE; that is coarser than for demands, since old and new
 *      rates add up while a solution is applied.
 *  P8  A crowded resource and all its links are either watched or slack. A slack one has several paths,
 *      limits none of them, and has room for all at their ceilings (room.c): its links' loads are what they
 *      take there, and add up to less than FLUID_ROOMY. So it can be ignored while paths stay below their
 *      ceilings.
 *  P9  In link[], a path's watched links come first, by rising number.
 */
#ifndef PGASIM_FLUID_STATE_H
#define PGASIM_FLUID_STATE_H

#include "fluid/fluid.h"
#include "fluid/solver.h"

#include <math.h>

#define FLUID_FULL  ((int64_t)1 << 62)
#define FLUID_WHOLE ((int64_t)1 << 60)
/* A resource with less load than this that limits no path will hardly be full after the next solution. */
#define FLUID_ROOMY (FLUID_WHOLE - (FLUID_WHOLE >> 3))
/* A ceiling is this factor above what a path takes; it is set
 * again when that falls below FLUID_CEILING_LOW of it (P8). */
#define FLUID_CEILING     1.03125
#define FLUID_CEILING_LOW 0.9375
/* Not in the problem, but checked after that is solved. */
#define FLUID_LATER   (UINT32_MAX - 2)
#define FLUID_CROWDED ((unsigned __int128)FLUID_FULL + (FLUID_FULL >> 40))

/* Relative to a flow's amount: work left below this counts as none. */
#define FLUID_NOTHING 1e-12
/* Rates closer than this (relatively) are the same rate (F2). */
#define FLUID_SAME_RATE 1e-13
/* Levels closer than this are equal when a solution is verified. */
#define FLUID_SAME_LEVEL 1e-12

/* A path's crossing of one resource: what the solver needs of it. */
struct fluid_link {
    double usage;
    int64_t load;         /* (P7) */
    uint32_t state;       /* place of its resource's state in fluid.states */
    uint32_t number : 31; /* in the path, in the order in which its uses were given */
    uint32_t crowded : 1; /* (P3) */
};

/* The rest of a link, by number: its place in the path's link[] and in the resource's list. */
struct fluid_node {
    struct fluid_node *prev, *next;
    struct fluid_path *path;
    int64_t demand; /* of one flow at its cap (P2); on a FATPIPE resource, whether that fills it */
    uint32_t place; /* in path->link */
};

/* A resource. Most of a large platform's links are never crossed: this is all they have. */
struct fluid_known {
    double capacity;
    uint32_t state; /* its place in fluid.states, or FLUID_NONE before a path crosses it */
    bool fatpipe;
};

/* A resource that paths cross: what the solver needs of it, in one cache line. */
struct fluid_state {
    double capacity, inverse; /* inverse: 1 / capacity */
    int64_t load;             /* (P7) */
    double others;            /* watched: no path here has a higher level and another limit */
    uint32_t limited;         /* number of the first of them (P4), or FLUID_NONE */
    uint32_t paths;           /* in the list */
    uint32_t local;           /* its number in the problem being settled, FLUID_LATER or FLUID_NONE */
    uint32_t visits;          /* problems that left it out since room was last looked for */
    bool fatpipe;
    bool slack;   /* (P8) */
    bool suspect; /* may be full after the next solution, whatever its load */
    bool dirty;   /* in fluid.dirty */
};

/* The rest of it. */
struct fluid_users {
    unsigned __int128 demand; /* (P2) */
    struct fluid_node *first;
    double part; /* FATPIPE: usage / weight of all its paths, unless they are mixed */
    bool mixed;  /* its paths' usage / weight has differed since it was last idle */
};

/* Work done by a flow, in units: the sum of two doubles, so that
 * a small flow loses no digits on a path that has carried much. */
struct fluid_progress {
    double hi, lo;
};

struct fluid_flow {
    struct fluid_progress end;
    uint64_t seq; /* flows that end together are called in order of their start */
    double amount;
    struct fluid_path *path;
    struct fluid_flow *child, *sibling, *prev; /* see order.h */
    fluid_done_fn done;
    void *arg;
    uint32_t solved; /* path->solved at the start */
    bool over;
};

/* An instant at which flows of several paths end. */
struct fluid_end {
    struct engine_event event;
    struct fluid *fluid;
    double time;
    struct fluid_path *first, *last;
};

/* What is seldom used comes first. Three cache lines follow: the end; what a new rate changes; and what the
 * solver needs, with the first two watched links, which are most often all of them. */
struct fluid_path {
    struct fluid_end *end; /* if other paths end at the same time; otherwise NULL */
    struct fluid_path *end_prev, *end_next;
    struct fluid_flow *first; /* the flow that ends first; see order.h */
    struct fluid_flow *last;  /* the newest of those that came in order, or NULL */
    struct fluid *fluid;
    double weight, bound;
    double nothing;   /* work left of the first flow that counts as none, units */
    uint32_t version; /* version of the capacities from which cap and demands were computed */
    uint32_t links;   /* numbers 0..shared-1 are SHARED, the rest, up to links, FATPIPE */
    uint32_t shared;
    uint32_t crowded;    /* number of crowded links */
    uint32_t slack;      /* number of slack links */
    uint32_t room;       /* number of links there is memory for, and as many nodes behind them */
    uint32_t limit_prev; /* id of the previous path in the list of `limit`, or FLUID_NONE */
    uint32_t id;         /* place in fluid.places */
    bool kept;           /* made by fluid_path_create */
    bool plain;          /* the links are the caller's list: no resource appears twice */

    _Alignas(16) struct engine_alarm alarm; /* `at`: when `first` ends; pending if no other path ends then */
    struct fluid_progress progress;
    struct fluid_progress due; /* the progress at which `first` ends */

    double rate, level; /* of each flow; level = weight * rate */
    double taken;       /* rate * count when it was last given a rate (P7) */
    double updated;     /* when progress held, seconds */
    double cap_level;   /* level at the cap */
    double ceiling;     /* up to this, a rise of rate * count need not be told to slack resources (P8);
                         * INFINITY without any */
    uint32_t count;
    uint32_t limit;  /* limiting state, FLUID_OWN, or FLUID_NONE before its first rate */
    uint32_t solved; /* how often it was given to the solver */
    uint32_t watched : 31;
    uint32_t ending : 1; /* its flows are being ended */

    double inverse_weight;
    double cap; /* min(bound, capacity / usage of each resource) */
    struct fluid_link link[];
};
_Static_assert(offsetof(struct fluid_path, alarm.event.seq) == 128 &&
                   offsetof(struct fluid_path, rate) == 192 &&
                   offsetof(struct fluid_path, inverse_weight) == 256,
               "lines of the cache");

/* A path's places in long lists, apart from the path so that these can be walked within the cache. */
struct fluid_place {
    struct fluid_path *path;
    uint32_t number; /* place in fluid.set, or FLUID_NONE */
    uint32_t
        limit_next; /* next path in the list of `limit`, or FLUID_NONE; for a free place, the next free one */
};

/* A path has room for one of these numbers of links; beyond the largest, exactly for those it has. */
enum { FLUID_PATH_ROOMS = 7 };
extern const uint32_t fluid_room[FLUID_PATH_ROOMS];

/* What ends at the last time with this hash: one path alone, several, or (by now) none. */
struct fluid_recent {
    double time;
    struct fluid_path *path;
    struct fluid_end *end;
};
enum { FLUID_RECENT = 64 };

/* A variable of the problem being settled, and what bounds it besides shared resources: a crowded resource
 * that only it uses, or FLUID_OWN. */
struct fluid_member {
    struct fluid_path *path;
    uint32_t limit;
    uint32_t later; /* watched resources that it uses and that are not in the problem */
    uint32_t count; /* the path's, as is the ceiling */
    double ceiling;
};

/* A resource of the problem, and the `load` on it of paths outside the set. */
struct fluid_touched {
    uint32_t state;
    int64_t outside;
};

struct fluid {
    struct fluid_public public;
    struct engine *engine;
    BASE_ARRAY(struct fluid_known) resources;
    BASE_ARRAY(struct fluid_state) states; /* for resources that were ever crossed */
    BASE_ARRAY(struct fluid_users) users;  /* the same */
    struct base_pool flows, ends;
    struct base_pool paths[FLUID_PATH_ROOMS]; /* with room for fluid_room[i] links */
    BASE_ARRAY(struct fluid_place) places;    /* by the paths' ids */
    uint32_t free_place;
    struct engine_settle settle;
    struct fluid_recent recent[FLUID_RECENT];
    BASE_ARRAY(uint32_t) dirty; /* states that changed in this instant */
    BASE_ARRAY(uint32_t)
    set;                                      /* ids of changed paths, and of those whose
                                               * rates depend on them */
    BASE_ARRAY(struct fluid_member) members;  /* variables of the problem, by number */
    BASE_ARRAY(struct fluid_touched) touched; /* resources of the problem, by number */
    BASE_ARRAY(uint32_t)
    later; /* crowded resources that the set uses, left out of the problem because they have enough room */
    struct fluid_solver solver;
    struct fluid_counts counts;
    uint32_t version;
    void (*ending)(void *ctx, fluid_done_fn done, void *arg); /* NULL: nobody asks */
    void *ending_ctx;
};

static inline struct fluid_state *fluid_state_of(const struct fluid *f, uint32_t state)
{
    return &f->states.at[state];
}

static inline struct fluid_users *fluid_users_of(const struct fluid *f, uint32_t state)
{
    return &f->users.at[state];
}

static inline struct fluid_node *fluid_node_of(const struct fluid_path *p, uint32_t number)
{
    return (struct fluid_node *)(void *)(p->link + p->room) + number;
}

static inline struct fluid_link *fluid_link_of(const struct fluid_node *node)
{
    return &node->path->link[node->place];
}

/* The link with this number. */
static inline struct fluid_link *fluid_link_at(const struct fluid_path *p, uint32_t number)
{
    return (struct fluid_link *)&p->link[fluid_node_of(p, number)->place];
}

static inline bool fluid_watches(const struct fluid_path *p, const struct fluid_link *l)
{
    return l < p->link + p->watched;
}

static inline struct fluid_place *fluid_place_of(const struct fluid *f, const struct fluid_path *p)
{
    return &f->places.at[p->id];
}

/* Whether slack resources, if there are any, need not be told what the path takes now. */
static inline bool fluid_ceiling_fits(const struct fluid_path *p, double taken)
{
    return taken <= p->ceiling && (taken >= p->ceiling * FLUID_CEILING_LOW || p->ceiling == INFINITY);
}

static inline bool fluid_crowded(const struct fluid_state *r, const struct fluid_users *users)
{
    return r->fatpipe ? users->mixed && users->demand : users->demand > FLUID_CROWDED;
}

/* progress + units, exact except for the last of 106 bits (Knuth's two-sum). */
static inline struct fluid_progress fluid_progress_plus(struct fluid_progress p, double units)
{
    double s = p.hi + units, b = s - p.hi;
    double lo = p.lo + ((p.hi - (s - b)) + (units - b));
    double hi = s + lo;
    return (struct fluid_progress){hi, lo - (hi - s)};
}

static inline double fluid_progress_to(struct fluid_progress from, struct fluid_progress to)
{
    return (to.hi - from.hi) + (to.lo - from.lo);
}

static inline bool fluid_has_end(const struct fluid_path *p)
{
    return engine_event_pending(&p->alarm.event) || p->end;
}

/* Fetches the two lines with what the solver needs. */
static inline void fluid_path_fetch(const struct fluid_path *p)
{
    __builtin_prefetch(&p->rate);
    __builtin_prefetch(&p->inverse_weight);
}

static inline void fluid_set_take(struct fluid *f, uint32_t id)
{
    struct fluid_place *place = &f->places.at[id];
    if (place->number != FLUID_NONE)
        return;
    place->number = (uint32_t)f->set.n;
    fluid_path_fetch(place->path);
    BASE_ARRAY_PUSH(&f->set, id);
}

/* Whether the path's first flow has nothing left but rounding at time `now`. */
static inline bool fluid_path_due(const struct fluid_path *p, double now)
{
    return fluid_has_end(p) && (p->alarm.at - now) * p->rate <= p->nothing;
}

/* --- fluid.c */
uint32_t fluid_state_make(struct fluid *f, fluid_resource id); /* it has none yet */

/* --- path.c */
/* An odd number of cache lines, so that the hot lines of all paths spread over all sets of the caches. */
static inline size_t fluid_path_bytes(uint32_t room)
{
    size_t bytes = sizeof(struct fluid_path) + room * (sizeof(struct fluid_link) + sizeof(struct fluid_node));
    return (bytes + 63) / 128 * 128 + 64;
}
void fluid_path_mix(
    struct fluid_path *p); /* its weight is new to its FATPIPE resources; demand is added later */
void fluid_path_link(struct fluid_path *p);   /* at its first flow */
void fluid_path_unlink(struct fluid_path *p); /* after its last */
struct fluid_path *fluid_path_make(struct fluid *f, const struct fluid_use *uses, uint32_t n, double weight,
                                   double bound);
/* A path with the same uses and another weight and bound: an existing one with flows, or a new one. */
struct fluid_path *fluid_path_like(const struct fluid_path *p, double weight, double bound);
void fluid_path_free(struct fluid_path *p);
void fluid_path_measure(struct fluid_path *p); /* cap and demands from the current capacities */
void fluid_path_demand_add(struct fluid_path *p, uint32_t flows);  /* marks new crowded resources dirty */
void fluid_path_demand_drop(struct fluid_path *p, uint32_t flows); /* crowded resources are marked dirty */

/* --- find.c: a path with flows that is not kept by a caller, or NULL */
struct fluid_path *fluid_path_find(const struct fluid *f, const struct fluid_use *uses, uint32_t n,
                                   double weight, double bound);
struct fluid_path *fluid_path_find_like(const struct fluid_path *p, double weight, double bound);

/* --- end.c */
void fluid_end_init(struct fluid_path *p);
void fluid_end_set(struct fluid *f, struct fluid_path *p, double at); /* sets or moves the path's end */
void fluid_end_clear(struct fluid_path *p);                           /* no effect without one */

/* --- room.c: which crowded resources are slack (P8) */
void fluid_watch_link(struct fluid_path *p, uint32_t number);   /* not watched before; moves links (P9) */
void fluid_unwatch_link(struct fluid_path *p, uint32_t number); /* watched before; moves links (P9) */
void fluid_slack_drop(struct fluid_path *p);                    /* one of its links is no longer slack */
void fluid_watch(struct fluid *f, uint32_t state);              /* slack before */
void fluid_room_look(struct fluid *f, uint32_t state);          /* not in a problem: slack if it may be */
void fluid_ceiling_move(struct fluid *f, struct fluid_path *p, double taken); /* fits rate * count = taken */

/* --- flow.c */
void fluid_path_limit(struct fluid *f, struct fluid_path *p, uint32_t limit);
/* Sets rate, level and limit; moves the end if the rate changed or there is no end (F2). */
void fluid_path_rate(struct fluid *f, struct fluid_path *p, double rate, double level, uint32_t limit);
void fluid_path_ended(struct fluid_path *p); /* its end has come */

/* --- problem.c */
void fluid_problem_solve(struct fluid *f); /* gives the set its rates */

/* --- settle.c */
void fluid_set_take_limited(struct fluid *f, uint32_t state);
void fluid_dirty_path(struct fluid_path *p);
void fluid_dirty_forget(struct fluid_path *p);
void fluid_dirty_resource(struct fluid *f, uint32_t state);
void fluid_settle(void *fluid);         /* the engine's settle hook */
void fluid_settle_now(struct fluid *f); /* in the middle of an instant, when rates are asked for */

#endif
