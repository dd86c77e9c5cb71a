/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups: time-independent traces do not say on which communicator a collective is: all are written as if they were
 * of the world. Where ranks call different ones, the world's are taken to be the longest sequence that is common to
 * all ranks. What is left between two of these is taken to be of the ranks that call the same there:
 *
 *   rank 0   barrier  allreduce               bcast        world: barrier, bcast
 *   rank 1   barrier  allreduce  allgatherv   bcast        ranks 0 and 1: allreduce
 *   rank 2   barrier             allgatherv   bcast        ranks 1 and 2: allgatherv
 *
 * A collective with counts must be of as many ranks. What is then nobody else's stays the world's, and is reported
 * when it is played.
 */
#include "replay/ti/groups.h"

#include "base/table.h"
#include "coll/coll.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- a common subsequence ----------------------------------------------------------------------------- */

/* The furthest place of `a` on the diagonal k of -d ... d, after d numbers were left out, or NOWHERE; for each d, one
 * array after the other. */
enum { NOWHERE = INT32_MIN / 2 };
static int32_t *furthest(int32_t *v, uint32_t d, int32_t k)
{
    return v + (size_t)d * d + (size_t)((int64_t)k + d);
}

static bool comes_down(int32_t *v, uint32_t d, int32_t k)
{
    return k == -(int32_t)d || (k != (int32_t)d && *furthest(v, d - 1, k - 1) < *furthest(v, d - 1, k + 1));
}

static uint32_t trace_back(int32_t *v, uint32_t d, int32_t x, int32_t k, uint32_t *out)
{
    uint32_t n = 0;
    for (; d; d--) {
        bool down = comes_down(v, d, k);
        int32_t from = down ? k + 1 : k - 1, begin = *furthest(v, d - 1, from) + !down;
        while (x > begin)
            out[n++] = (uint32_t)--x;
        x = *furthest(v, d - 1, from);
        k = from;
    }
    while (x > 0)
        out[n++] = (uint32_t)--x;
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t other = out[i];
        out[i] = out[n - 1 - i];
        out[n - 1 - i] = other;
    }
    return n;
}

uint32_t replay_common(const uint64_t *a, uint32_t n, const uint64_t *b, uint32_t m, uint32_t most,
                       uint32_t *out)
{
    int32_t *v = NULL;
    size_t cap = 0;
    uint32_t found = UINT32_MAX;
    for (uint32_t d = 0; d <= most && d <= n + m && found == UINT32_MAX; d++) {
        v = base_array_grow(v, &cap, (size_t)(d + 1) * (d + 1), sizeof *v, "differences of traces");
        for (int32_t k = -(int32_t)d; k <= (int32_t)d && found == UINT32_MAX; k += 2) {
            bool down = d && comes_down(v, d, k);
            int32_t x = !d ? 0 : down ? *furthest(v, d - 1, k + 1) : *furthest(v, d - 1, k - 1) + 1;
            bool inside = x >= 0 && x <= (int32_t)n && x - k >= 0 && x - k <= (int32_t)m;
            while (inside && x < (int32_t)n && x - k < (int32_t)m && a[x] == b[x - k])
                x++;
            *furthest(v, d, k) = inside ? x : NOWHERE;
            if (inside && x == (int32_t)n && x - k == (int32_t)m)
                found = trace_back(v, d, x, k, out);
        }
    }
    free(v);
    return found;
}

/* --- the collectives of each rank --------------------------------------------------------------------- */

/* A rank's collectives: what each is, as a number, and whose. */
struct calls {
    uint64_t *what;
    uint32_t *group; /* 0: the world's */
    uint32_t n;
};

/* Those that call the same between two collectives of the world, as often before. */
struct meeting {
    uint64_t key[3]; /* how many of the world's were before; what; how often in that gap before */
    uint32_t *rank;
    size_t n, cap;
    uint32_t group;
};

struct search {
    struct replay_tape *tape, *out;
    uint32_t ranks;
    uint64_t named; /* calls that are not the world's */
    struct calls *calls;
    uint64_t *world; /* the common sequence */
    uint32_t n;
    struct base_table meetings; /* key -> struct meeting * */
    struct base_pool pool;
};

static bool is_collective(const struct replay_action *a)
{
    return a->kind == REPLAY_COLLECTIVE || a->kind == REPLAY_ICOLLECTIVE;
}

/* A number of what all members say alike. */
static uint64_t what_of(const struct replay_action *a)
{
    enum coll_op op = (enum coll_op)a->number;
    uint64_t fields[] = {(uint64_t)a->kind << 32 | a->number, a->peer, a->n, a->n ? 0 : a->bytes};
    uint64_t h = base_fnv(BASE_FNV, fields, sizeof fields);
    return op == COLL_ALLTOALLV || op == COLL_GATHERV || op == COLL_SCATTERV
               ? h
               : base_fnv(h, a->counts, a->n * sizeof *a->counts);
}

static bool next_collective(struct search *s, struct replay_cursor *at, struct replay_action *a)
{
    while (replay_cursor_next(s->tape, at, a))
        if (is_collective(a))
            return true;
    replay_cursor_end(at);
    return false;
}

/* Whether all ranks call the same; counts them. */
static bool all_alike(struct search *s)
{
    uint64_t first = 0;
    bool alike = true;
    for (uint32_t r = 0; r < s->ranks; r++) {
        struct replay_action a = {0};
        struct replay_cursor at;
        uint64_t all = BASE_FNV, what;
        replay_cursor_begin(s->tape, r, &at);
        for (; next_collective(s, &at, &a); s->calls[r].n++) {
            what = what_of(&a);
            all = base_fnv(all, &what, sizeof what);
            alike &= !a.n || a.n == s->ranks;
        }
        first = r ? first : all;
        alike &= all == first;
    }
    return alike;
}

static void keep_calls(struct search *s)
{
    for (uint32_t r = 0; r < s->ranks; r++) {
        struct calls *c = &s->calls[r];
        struct replay_action a = {0};
        struct replay_cursor at;
        c->what = base_alloc((c->n + 1) * sizeof *c->what, "collectives of a trace");
        c->group = base_zalloc((c->n + 1) * sizeof *c->group, "collectives of a trace");
        replay_cursor_begin(s->tape, r, &at);
        for (uint32_t k = 0; next_collective(s, &at, &a); k++)
            c->what[k] = what_of(&a);
    }
}

/* false: the ranks have too little in common to tell. */
static bool find_world(struct search *s)
{
    enum { MOST = 4000 };
    uint32_t *common = base_alloc((s->calls[0].n + 1) * sizeof *common, "collectives of a trace"), found = 0;
    s->n = s->calls[0].n;
    s->world = base_alloc((s->n + 1) * sizeof *s->world, "collectives of a trace");
    memcpy(s->world, s->calls[0].what, s->n * sizeof *s->world);
    for (uint32_t r = 1; r < s->ranks && found != UINT32_MAX; r++) {
        found = replay_common(s->world, s->n, s->calls[r].what, s->calls[r].n, MOST, common);
        for (uint32_t k = 0; found != UINT32_MAX && k < found; k++)
            s->world[k] = s->world[common[k]];
        s->n = found;
    }
    free(common);
    return found != UINT32_MAX;
}

/* --- the groups ----------------------------------------------------------------------------------------- */

static struct meeting *meet(struct search *s, const uint64_t key[3])
{
    bool fresh;
    struct meeting **m = base_table_find_bytes(&s->meetings, key, 3 * sizeof *key);
    if (m)
        return *m;
    struct meeting *new = base_pool_get(&s->pool);
    *new = (struct meeting){.key = {key[0], key[1], key[2]}};
    m = base_table_add_bytes(&s->meetings, new->key, sizeof new->key, &fresh);
    return *m = new;
}

/* Calls `fn` for each collective of rank r that is not the world's. Of several that may be, the first one is. */
static void each_other(struct search *s, uint32_t r,
                       void (*fn)(struct search *s, uint32_t r, uint32_t k, struct meeting *m))
{
    const struct calls *c = &s->calls[r];
    struct base_table seen;
    base_table_init(&seen, BASE_NUMBERS, sizeof(uint32_t), "collectives of a trace");
    for (uint32_t k = 0, gap = 0; k < c->n; k++) {
        if (gap < s->n && c->what[k] == s->world[gap]) {
            gap++;
            base_table_clear(&seen);
            continue;
        }
        uint32_t *before = base_table_add(&seen, c->what[k], NULL);
        const uint64_t key[3] = {gap, c->what[k], (*before)++};
        fn(s, r, k, meet(s, key));
    }
    base_table_release(&seen);
}

static void join(struct search *s, uint32_t r, uint32_t k, struct meeting *m)
{
    (void)s, (void)k;
    if (m->n == m->cap)
        m->rank = base_array_grow(m->rank, &m->cap, m->n + 1, sizeof *m->rank, "members of a collective");
    m->rank[m->n++] = r;
}

static void assign(struct search *s, uint32_t r, uint32_t k, struct meeting *m)
{
    if (m->n >= 2 && !m->group)
        m->group = replay_tape_group(s->out, m->rank, (uint32_t)m->n);
    s->calls[r].group[k] = m->group;
}

static void find_groups(struct search *s)
{
    struct meeting **m;
    base_table_init(&s->meetings, BASE_BYTES, sizeof(struct meeting *), "collectives of a trace");
    base_pool_init(&s->pool, sizeof(struct meeting), "collectives of a trace");
    for (uint32_t r = 0; r < s->ranks; r++)
        each_other(s, r, join);
    for (uint32_t r = 0; r < s->ranks; r++)
        each_other(s, r, assign);
    for (uint32_t at = 0; (m = base_table_next(&s->meetings, &at));)
        free((*m)->rank);
    base_table_release(&s->meetings);
    base_pool_release(&s->pool);
}

/* --- writing ---------------------------------------------------------------------------------------------- */

/* With as many counts as the group has members, or it cannot be played. */
static void name_group(struct search *s, struct replay_action *a, uint32_t group)
{
    uint32_t size = group ? replay_tape_group_at(s->out, group)->n : s->ranks;
    a->group = group;
    s->named += group != 0;
    if ((!a->n || a->n == size) && a->peer < size)
        return;
    a->kind = REPLAY_SKIP;
    a->text = coll_op_name((enum coll_op)a->number);
    a->number = 1;
}

static void write_all(struct search *s)
{
    replay_tape_ranks_least(s->out, s->ranks);
    for (uint32_t r = 0; r < s->ranks; r++) {
        struct replay_action a = {0};
        struct replay_cursor at;
        replay_cursor_begin(s->tape, r, &at);
        for (uint32_t k = 0; replay_cursor_next(s->tape, &at, &a);) {
            if (is_collective(&a))
                name_group(s, &a, s->calls[r].group ? s->calls[r].group[k++] : 0);
            replay_tape_write(s->out, r, &a);
        }
        replay_cursor_end(&at);
    }
    replay_tape_seal(s->out);
}

static void search_release(struct search *s)
{
    for (uint32_t r = 0; r < s->ranks; r++) {
        free(s->calls[r].what);
        free(s->calls[r].group);
    }
    free(s->calls);
    free(s->world);
}

struct replay_tape *replay_ti_name_groups(struct replay_tape *t)
{
    struct search s = {.tape = t, .ranks = replay_tape_ranks(t)};
    if (replay_tape_threads(t)) /* a trace of calls, which says it */
        return t;
    s.calls = base_zalloc(s.ranks * sizeof *s.calls, "collectives of a trace");
    if (!all_alike(&s)) {
        s.out = replay_tape_create();
        replay_tape_set_guessed(s.out);
        replay_tape_set_initial(s.out, replay_tape_initial(t));
        keep_calls(&s);
        if (find_world(&s))
            find_groups(&s);
        write_all(&s);
        if (s.named)
            base_warn("replay/groups",
                      "%" PRIu64
                      " calls of collectives are not made by all ranks: taken to be of those that make the "
                      "same call between the same collectives of all",
                      s.named);
    }
    search_release(&s);
    if (!s.out)
        return t;
    replay_tape_destroy(t);
    return s.out;
}
