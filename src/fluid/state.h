/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fluid module's records: resources, paths with their links, flows.
 *
 *   flow --.                     .-- link --> state
 *   flow ----> path (variable) -<--- link --> state      a resource's list: the links' nodes
 *   flow --'        |            '-- link --> state
 *                  end ----> event                          an end's list: the paths with a flow ending then
 *
 * A path's flows all progress at the path's rate, so only the path has a rate and an end: that of the flow that
 * ends first. `progress` is what a flow has done that has been there since the path's count was 0; a flow ends when
 * progress reaches its `end`. A change of the rate moves one end, however many flows there are; paths that end
 * together, as those of ranks in step do, share one event.
 *
 * Invariants
 *  P1  A path is in its resources' lists exactly when count > 0.
 *  P2  A resource's demand is the sum over its paths of count * link.demand: what they would take if nothing
 *      but themselves limited them, in units of capacity / FLUID_FULL. Integers: what is added is taken off
 *      again.
 *      On a FATPIPE resource it counts those flows that could fill it.
 *  P3  A resource whose demand is at most FLUID_CROWDED couples nobody: whatever the rates, it has room. One
 *      above is called crowded. So is a FATPIPE one that somebody could fill, if its flows would then have different
 *      levels. In its list, each link says so, and each path counts its crowded links.
 *  P4  `limited` of a resource lists the paths whose limit it is; each of these has the highest level there,
 *      and the resource is full; a FATPIPE one by one of them.
 *  P5  A path with flows that is not in the set has an end, which is when its first flow will have progressed to its own.
 *  P6  An end has paths, and its event is pending, unless it is being run.
 *  P7  A crowded SHARED resource's load is the sum of its links'. Of a watched link it is what its path took when it was
 *      last given a rate: of a path that is not in the set, what it takes now. In units of capacity / FLUID_WHOLE, integers
 *      again; less than demands, since old and new rates meet while a solution is applied.
 *  P8  A crowded resource is watched or slack, and so are all its links. A slack one has several paths, limits none, and has
 *      room for all of them at their ceilings (room.c): its links' loads are what that takes, and add up to less than
 *      FLUID_ROOMY. So nobody looks at it while rates stay below their paths' ceilings.
 */
#ifndef PGASIM_FLUID_STATE_H
#define PGASIM_FLUID_STATE_H

#include "fluid/fluid.h"
#include "fluid/solver.h"

#define FLUID_FULL  ((int64_t)1 << 62)
#define FLUID_WHOLE ((int64_t)1 << 60)
/* A resource that carries less, and limits nobody, will hardly be full after the next solution. */
#define FLUID_ROOMY (FLUID_WHOLE / 8 * 7)
/* A ceiling is set so far above what a path takes now, and again when that falls below such a part of it (P8). */
#define FLUID_CEILING     1.03125
#define FLUID_CEILING_LOW 0.9375
/* Not in the problem, but looked at when that is solved. */
#define FLUID_LATER   (UINT32_MAX - 2)
#define FLUID_CROWDED ((unsigned __int128)FLUID_FULL + (FLUID_FULL >> 40))

/* Relative to a flow's amount: what is left below this is nothing. */
#define FLUID_NOTHING 1e-12
/* Rates closer than this are the same rate (F2). */
#define FLUID_SAME_RATE 1e-13
/* Levels closer than this are equal when a solution is verified. */
#define FLUID_SAME_LEVEL 1e-12

/* A path's crossing of one resource: what the solver needs of it. */
struct fluid_link {
    double usage;
    int64_t load;   /* (P7) */
    uint32_t state; /* the resource's, its place in fluid.states */
    bool crowded;   /* (P3) */
    bool watched;   /* (P8) */
};

/* The rest of it: its place in the resource's list. */
struct fluid_node {
    struct fluid_node *prev, *next;
    struct fluid_path *path;
    int64_t demand; /* of one flow at its cap (P2); on a FATPIPE resource, whether that fills it */
    uint32_t link;  /* number in the path */
};

/* A resource. Most of a large platform's links are never crossed: they have no more than this. */
struct fluid_known {
    double capacity;
    uint32_t state; /* its place in fluid.states, or FLUID_NONE before a path crosses it */
    bool fatpipe;
};

/* A resource that paths cross: what the solver needs of it, one line of the cache. */
struct fluid_state {
    double capacity, inverse; /* inverse: 1 / capacity */
    int64_t load;             /* (P7) */
    double
        others; /* of a watched one: no path has a higher level here that another resource or itself limits */
    uint32_t limited; /* number of the first of them (P4), or FLUID_NONE */
    uint32_t paths;   /* in the list */
    uint32_t local;   /* its number in the problem being settled, FLUID_LATER or FLUID_NONE */
    uint32_t visits;  /* problems that it was left out of since room was last looked for */
    bool fatpipe;
    bool slack;   /* (P8) */
    bool suspect; /* may be full after the next solution, whatever its load says */
    bool dirty;   /* in fluid.dirty */
};

/* The rest of it. */
struct fluid_users {
    unsigned __int128 demand; /* (P2) */
    struct fluid_node *first;
    double part; /* of a FATPIPE resource: usage / weight of all its paths, unless they are mixed */
    bool mixed;  /* its paths' usage / weight was not the same since it was idle */
};

/* Work done by a flow, in units: the sum of two doubles, so that a small flow loses no digits on a path that
 * has carried much. */
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

/* Three lines of the cache: what the solver needs; what a new rate changes; the end. Then what is seldom wanted. */
struct fluid_path {
    uint64_t watched; /* the links that are, by number; bit FLUID_MASKED: perhaps some from there on */
    double cap;       /* min(bound, capacity / usage of each resource) */
    double cap_level; /* of that rate */
    double inverse_weight;
    double ceiling;   /* rate * count may rise to this before slack resources are looked at (P8) */
    uint32_t slack;   /* how many of its links are */
    uint32_t crowded; /* how many of its links are */
    uint32_t links;   /* link[0..shared) are SHARED, up to links FATPIPE */
    uint32_t count;
    uint32_t id; /* place in fluid.places */
    bool kept;   /* made by fluid_path_create */
    bool plain;  /* link[] is the caller's list: no resource was named twice */
    bool ending; /* its flows are being ended */

    double rate, level; /* of each flow; level = weight * rate */
    double taken;       /* rate * count when it was last given a rate (P7) */
    double updated;     /* when progress held, seconds */
    struct fluid_progress progress;
    struct fluid_progress due; /* the progress at which `first` ends */

    double nothing;            /* what of the first flow counts as nothing, units */
    uint32_t limit;            /* state that limits the rate, FLUID_OWN, or FLUID_NONE before the first */
    uint32_t solved;           /* times it was given to the solver */
    struct engine_alarm alarm; /* `at`: when `first` ends; pending if no other path ends then */

    struct fluid_end *end; /* the same, if others do; else NULL */
    struct fluid_path *end_prev, *end_next;
    struct fluid_flow *first; /* that ends first; see order.h */
    struct fluid *fluid;
    double weight, bound;
    uint32_t version; /* of the capacities that cap and demands were computed from */
    uint32_t shared;
    uint32_t limit_prev; /* id of the one before in the list of `limit`, or FLUID_NONE */
    uint32_t room;       /* links there is memory for, and as many nodes behind them */
    struct fluid_link link[];
};
_Static_assert(offsetof(struct fluid_path, rate) == 64 && offsetof(struct fluid_path, nothing) == 128 &&
                   offsetof(struct fluid_path, end) == 192,
               "lines of the cache");
enum { FLUID_MASKED = 63 };

/* Where a path is in lists of many, apart from the path so that these can be walked within the cache. */
struct fluid_place {
    uint32_t number; /* place in fluid.set, or FLUID_NONE */
    uint32_t
        limit_next; /* the next path in the list of `limit`, or FLUID_NONE; of a free place, the next free one */
};

/* Paths have room for one of these numbers of links, or for as many as they have if those are more. */
enum { FLUID_PATH_ROOMS = 7 };
extern const uint32_t fluid_room[FLUID_PATH_ROOMS];

/* Who ends at the last time given that has this hash: a path alone, several, or nobody (any more). */
struct fluid_recent {
    double time;
    struct fluid_path *path;
    struct fluid_end *end;
};
enum { FLUID_RECENT = 64 };

/* A variable of the problem being settled, and what bounds it besides the resources that it shares: a resource
 * that it has for itself, or FLUID_OWN. */
struct fluid_member {
    struct fluid_path *path;
    uint32_t limit;
    uint32_t later; /* watched resources that it uses and that are not in the problem */
    uint32_t count; /* the path's */
    double ceiling; /* the path's, or INFINITY if it has no slack resource */
};

/* A resource of the problem, and what those take of it who are not in the set, as `load`. */
struct fluid_touched {
    uint32_t state;
    int64_t outside;
};

struct fluid {
    struct fluid_public public;
    struct engine *engine;
    BASE_ARRAY(struct fluid_known) resources;
    BASE_ARRAY(struct fluid_state) states; /* of those that were ever crossed */
    BASE_ARRAY(struct fluid_users) users;  /* the same */
    struct base_pool flows, ends;
    struct base_pool paths[FLUID_PATH_ROOMS]; /* with room for fluid_room[i] links */
    BASE_ARRAY(struct fluid_place) places;    /* by the paths' ids */
    BASE_ARRAY(struct fluid_path *) path_of;  /* the same */
    uint32_t free_place;
    struct engine_settle settle;
    struct fluid_recent recent[FLUID_RECENT];
    BASE_ARRAY(uint32_t) dirty;               /* states that changed in this instant */
    BASE_ARRAY(uint32_t) set;                 /* ids of paths that did, and whose rates move with theirs */
    BASE_ARRAY(struct fluid_member) members;  /* variables of the problem, by number */
    BASE_ARRAY(struct fluid_touched) touched; /* resources of the problem, by number */
    BASE_ARRAY(uint32_t)
    later; /* crowded resources that the set uses, with room enough to be left out of the problem */
    struct fluid_solver solver;
    struct fluid_counts counts;
    uint32_t version;
};

static inline struct fluid_state *fluid_state_of(const struct fluid *f, uint32_t state)
{
    return &f->states.at[state];
}

static inline struct fluid_users *fluid_users_of(const struct fluid *f, uint32_t state)
{
    return &f->users.at[state];
}

static inline struct fluid_node *fluid_node_of(const struct fluid_path *p, uint32_t link)
{
    return (struct fluid_node *)(void *)(p->link + p->room) + link;
}

static inline struct fluid_link *fluid_link_of(const struct fluid_node *node)
{
    return &node->path->link[node->link];
}

static inline struct fluid_place *fluid_place_of(const struct fluid *f, const struct fluid_path *p)
{
    return &f->places.at[p->id];
}

/* The first watched link from k on; p->links: none. */
static inline uint32_t fluid_watched_from(const struct fluid_path *p, uint32_t k)
{
    if (BASE_LIKELY(k < FLUID_MASKED)) {
        uint64_t from = p->watched >> k;
        if (!from)
            return p->links;
        k += (uint32_t)__builtin_ctzll(from);
        if (BASE_LIKELY(k < FLUID_MASKED))
            return k;
    }
    while (k < p->links && !p->link[k].watched)
        k++;
    return k;
}

static inline void fluid_watch_link(struct fluid_path *p, uint32_t k)
{
    p->link[k].watched = true;
    p->watched |= UINT64_C(1) << (k < FLUID_MASKED ? k : FLUID_MASKED);
}

static inline void fluid_unwatch_link(struct fluid_path *p, uint32_t k)
{
    p->link[k].watched = false;
    if (k < FLUID_MASKED)
        p->watched &= ~(UINT64_C(1) << k);
}

/* Whether slack resources need to be told anew what a path takes. */
static inline bool fluid_ceiling_fits(const struct fluid_path *p, double taken)
{
    return taken <= p->ceiling && taken >= p->ceiling * FLUID_CEILING_LOW;
}

static inline bool fluid_crowded(const struct fluid_state *r, const struct fluid_users *users)
{
    return r->fatpipe ? users->mixed && users->demand : users->demand > FLUID_CROWDED;
}

/* progress + units, exact but for the last of 106 bits (Knuth's two-sum). */
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

static inline void fluid_set_take(struct fluid *f, uint32_t id)
{
    struct fluid_place *place = &f->places.at[id];
    if (place->number != FLUID_NONE)
        return;
    place->number = (uint32_t)f->set.n;
    BASE_ARRAY_PUSH(&f->set, id);
}

/* The path's first flow has nothing left but rounding at time `now`. */
static inline bool fluid_path_due(const struct fluid_path *p, double now)
{
    return fluid_has_end(p) && (p->alarm.at - now) * p->rate <= p->nothing;
}

/* --- fluid.c */
uint32_t fluid_state_make(struct fluid *f, fluid_resource id); /* it has none yet */

/* --- path.c */
/* An odd number of cache lines: the lines that are wanted of each path are spread over all sets of the caches. */
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
/* A path that uses the same, with another weight and bound: one with flows, or a new one. */
struct fluid_path *fluid_path_like(const struct fluid_path *p, double weight, double bound);
void fluid_path_free(struct fluid_path *p);
void fluid_path_measure(struct fluid_path *p); /* cap and demands from the capacities of now */
void fluid_path_demand_add(struct fluid_path *p, uint32_t flows); /* who becomes crowded by it is dirty now */
void fluid_path_demand_drop(struct fluid_path *p, uint32_t flows); /* crowded resources are dirty now */

/* --- find.c: one with flows that is not somebody's own, or NULL */
struct fluid_path *fluid_path_find(const struct fluid *f, const struct fluid_use *uses, uint32_t n,
                                   double weight, double bound);
struct fluid_path *fluid_path_find_like(const struct fluid_path *p, double weight, double bound);

/* --- end.c */
void fluid_end_init(struct fluid_path *p);
void fluid_end_set(struct fluid *f, struct fluid_path *p,
                   double at);              /* gives the path its end, or another one */
void fluid_end_clear(struct fluid_path *p); /* no effect without one */

/* --- room.c: which crowded resources are slack (P8) */
void fluid_watch(struct fluid *f, uint32_t state);     /* slack before */
void fluid_room_look(struct fluid *f, uint32_t state); /* not in a problem: slack if it may be */
void fluid_ceiling_move(struct fluid *f, struct fluid_path *p, double taken); /* fits rate * count = taken */

/* --- flow.c */
void fluid_path_advance(struct fluid_path *p, double now); /* progress to now, seconds */
void fluid_path_limit(struct fluid *f, struct fluid_path *p, uint32_t limit);
/* Sets rate, level and limit; moves the end if the rate moved or there is none (F2). */
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
void fluid_settle_now(struct fluid *f); /* in the middle of an instant, for who asks for rates */

#endif
