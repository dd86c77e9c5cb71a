/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective: collectives of players. No data moves, but in gathers and scatters of parts of
 * different sizes, whose algorithms learn sizes from what they receive: in memory that all ranks share.
 */
#include "replay/player.h"

#include <stdlib.h>
#include <string.h>

/* The lists of a member, until its collective is done. */
struct sides {
    struct coll_local local;
    int64_t lists[]; /* counts, places; twice for exchanges */
};

/* One that goes on beside its rank. */
struct later {
    struct p2p_request *request;
    struct sides *sides;
};

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

/* --- lists of counts -------------------------------------------------------------------------------- */

/* Counts and the places that follow from them; returns the end. */
static int64_t fill(int64_t *list, const int64_t *counts, uint32_t n)
{
    int64_t at = 0;
    memcpy(list, counts, n * sizeof *counts);
    for (uint32_t k = 0; k < n; k++) {
        list[n + k] = at;
        at += counts[k];
    }
    return at;
}

/* *bytes: the largest buffer. */
static struct sides *make_sides(const struct replay_action *a, int64_t *bytes)
{
    uint32_t n = a->n;
    struct sides *s = base_zalloc(sizeof *s + 4 * (size_t)n * sizeof *s->lists, "counts of members");
    *bytes = fill(s->lists, a->counts, n);
    const struct coll_side first = {.counts = s->lists, .at = s->lists + n, .wide = true};
    const struct coll_side second = {.counts = s->lists + 2 * n, .at = s->lists + 3 * n, .wide = true};
    if (a->n2) {
        int64_t received = fill(s->lists + 2 * n, a->counts2, n);
        *bytes = received > *bytes ? received : *bytes;
        s->local.source = first;
        s->local.dest = second;
    } else if (a->number == COLL_SCATTERV || a->number == COLL_REDUCE_SCATTER) {
        s->local.source = first;
    } else {
        s->local.dest = first;
    }
    return s;
}

/* Equal parts of a reduce-scatter need no lists. */
static bool all_equal(const struct replay_action *a)
{
    for (uint32_t k = 1; k < a->n; k++)
        if (a->counts[k] != a->counts[0])
            return false;
    return true;
}

/* --- the call --------------------------------------------------------------------------------------- */

/* Two buffers of at least `bytes`, where all ranks find them. */
static void use_memory(struct replay_job *j, const char *path, struct coll_call *c, uint64_t bytes)
{
    if (2 * bytes > j->memory_bytes)
        base_fatal(BASE_EXIT_INPUT, "%s: %s of %llu bytes: expected %zu at most", path, c->name,
                   (unsigned long long)bytes, j->memory_bytes / 2);
    c->source = j->memory;
    c->dest = j->memory + j->memory_bytes / 2;
}

/* What is never split has a type of that size, whichever: nothing is computed. */
static void set_operator(struct coll_call *c, uint64_t size)
{
    static const struct {
        uint64_t size;
        enum types_element element;
    } known[] = {{2, TYPES_SHORT},
                 {4, TYPES_FLOAT},
                 {8, TYPES_DOUBLE},
                 {16, TYPES_LONGDOUBLE},
                 {32, TYPES_COMPLEX_LONGDOUBLE}};
    c->element = 1;
    c->operator=(struct coll_operator){TYPES_SUM, TYPES_CHAR, false};
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (known[k].size == size) {
            c->element = size;
            c->operator.element = known[k].element;
        }
}

static struct coll_call make_call(struct replay_job *j, const struct rank *r, bool later,
                                  struct sides **sides)
{
    const struct replay_action *a = &j->action;
    const struct coll_group *g = &replay_world_of(j, r)->group[a->group];
    enum coll_op op = (enum coll_op)a->number;
    int64_t bytes = 0;
    struct coll_call c = {.name = replay_call_name(a->kind, a->number),
                          .op = op,
                          .me = coll_group_place(g, r->id),
                          .bytes = a->bytes,
                          .element = 1,
                          .group = *g,
                          .transport = j->transport,
                          .root = a->peer,
                          .private_dest = true,
                          .nonblocking = later};
    *sides = NULL;
    if (reduces(op))
        set_operator(&c, a->bytes2);
    if (a->n && op == COLL_REDUCE_SCATTER && all_equal(a)) {
        c.bytes = (size_t)a->counts[0];
        bytes = a->counts[0] * a->n;
    } else if (a->n) {
        *sides = make_sides(a, &bytes);
        c.local = &(*sides)->local;
        if (op == COLL_REDUCE_SCATTER)
            c.bytes = (size_t)bytes;
    } else {
        bytes = (int64_t)a->bytes;
    }
    if (op == COLL_GATHER || op == COLL_SCATTER || op == COLL_FCOLLECT || op == COLL_ALLTOALL)
        bytes *= g->size;
    use_memory(j, replay_world_of(j, r)->path, &c, (uint64_t)bytes);
    return c;
}

/* The call, on the heap, and the clock's time: to get there the rank may wait, in which time others play their own actions.
 * In a function of its own, so that no call is on the frames with which the rank waits. */
static __attribute__((noinline)) struct coll_call *prepare(struct replay_job *j, struct rank *r, bool later,
                                                           struct sides **sides)
{
    struct coll_call *c = base_alloc(sizeof *c, "a collective of a trace");
    *c = make_call(j, r, later, sides);
    return c;
}

static void catch_up(struct rank *r)
{
    r->issuing = false;
    rank_catch_up(r);
}

void replay_collective(struct replay_job *j, struct rank *r)
{
    const char *name = replay_call_name(j->action.kind, j->action.number);
    double flops = j->action.amount;
    struct sides *sides;
    rank_enter_issue(name);
    j->counts.collectives++;
    struct coll_call *call = prepare(j, r, false, &sides);
    catch_up(r);
    struct coll_member *m = coll_enter(r, call);
    free(call);
    coll_await(m);
    free(sides);
    replay_flops(j, r, flops);
    rank_leave(r, name);
}

/* --- beside the rank -------------------------------------------------------------------------------- */

static void done(void *arg)
{
    struct later *l = arg;
    struct p2p_request *q = l->request;
    free(l->sides);
    free(l);
    p2p_other_complete(q);
}

void replay_icollective(struct replay_job *j, struct rank *r)
{
    const char *name = replay_call_name(j->action.kind, j->action.number);
    struct later *l = base_alloc(sizeof *l, "a collective beside its rank");
    rank_enter_issue(name);
    j->counts.collectives++;
    struct coll_call *call = prepare(j, r, true, &l->sides);
    catch_up(r);
    l->request = p2p_other_create(r, name, NULL, NULL);
    replay_keep_open(replay_player_of(j, r), l->request, REPLAY_ANY, r->id, REPLAY_ANY_TAG);
    p2p_other_start(l->request);
    coll_start(r, call, done, l);
    free(call);
    rank_leave(r, name);
}
