/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular: finds the grid that a trace shows. Each way to write the number of ranks as a product is tried, fewer
 * dimensions and more even sizes first, against all pairs of ranks that exchange messages; the first whose ranks of each
 * class also do the same, one action after the other, is the grid. Sizes and computations may differ.
 */
#include "replay/extrapolate/extrapolate.h"

#include "base/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    uint32_t from, to;
};
struct search {
    struct replay_tape *tape;
    const char *path;
    uint32_t ranks;
    BASE_ARRAY(struct pair) pairs;
    BASE_ARRAY(struct replay_grid) grids;
    BASE_ARRAY(int64_t) words; /* of a call, as the next cursor's are where it was read */
    struct base_status *st;
};

static bool names_rank(const struct replay_action *a, unsigned field)
{
    unsigned has = replay_kind_fields(a->kind);
    return (has & field) && !(has & REPLAY_GROUP) &&
           (field == REPLAY_PEER ? a->peer : a->peer2) != REPLAY_ANY;
}

/* --- who has messages with whom ------------------------------------------------------------------------- */

/* Who has them, while a rank is looked at. */
struct finding {
    struct search *s;
    struct base_table known;
    uint32_t rank;
};

static void add_pair(void *arg, uint32_t to)
{
    struct finding *f = arg;
    bool fresh;
    const struct pair p = {f->rank, to};
    base_table_add(&f->known, (uint64_t)f->rank << 32 | to, &fresh);
    if (fresh)
        BASE_ARRAY_PUSH(&f->s->pairs, p);
}

static void add_pairs(struct finding *f, const struct replay_action *a)
{
    if (a->kind == REPLAY_CALL)
        replay_call_peers(a, add_pair, f);
    if (names_rank(a, REPLAY_PEER))
        add_pair(f, a->peer);
    if (names_rank(a, REPLAY_PEER2))
        add_pair(f, a->peer2);
}

static int check_action(const struct search *s, uint32_t rank, const struct replay_action *a)
{
    struct base_status why;
    if (a->kind == REPLAY_CALL && replay_call_check(a, s->ranks, &why))
        return base_fail(s->st, "%s: rank %" PRIu32 ", line %" PRIu32 ": %s", s->path, rank, a->line,
                         why.text);
    if (a->kind > REPLAY_ICOLLECTIVE && a->kind != REPLAY_CALL && a->kind != REPLAY_SECONDS &&
        a->kind != REPLAY_MOVES)
        return base_fail(s->st, "%s: rank %" PRIu32 ", line %" PRIu32 ": %s cannot be extrapolated", s->path,
                         rank, a->line, replay_kind_name(a->kind));
    if ((replay_kind_fields(a->kind) & REPLAY_GROUP) && a->group)
        return base_fail(s->st,
                         "%s: rank %" PRIu32 ", line %" PRIu32
                         ": a collective of some of the ranks: expected collectives of all, to extrapolate",
                         s->path, rank, a->line);
    return 0;
}

static int collect_pairs(struct search *s)
{
    struct finding f = {.s = s};
    int rc = 0;
    base_table_init(&f.known, BASE_NUMBERS, 0, "pairs of ranks");
    for (uint32_t rank = 0; rank < s->ranks && !rc; rank++) {
        struct replay_cursor c;
        f.rank = rank;
        struct replay_action a = {0};
        replay_cursor_begin(s->tape, rank, &c);
        while (!rc && replay_cursor_next(s->tape, &c, &a)) {
            rc = check_action(s, rank, &a);
            if (!rc)
                add_pairs(&f, &a);
        }
        replay_cursor_end(&c);
    }
    base_table_release(&f.known);
    return rc;
}

/* --- grids that might be --------------------------------------------------------------------------------- */

static uint32_t dimensions(const struct replay_grid *g)
{
    return (g->size[0] > 1) + (g->size[1] > 1) + (g->size[2] > 1);
}

static uint32_t largest(const struct replay_grid *g)
{
    uint32_t most = g->size[0] > g->size[1] ? g->size[0] : g->size[1];
    return most > g->size[2] ? most : g->size[2];
}

static int in_order(const void *a, const void *b)
{
    const struct replay_grid *x = a, *y = b;
    if (dimensions(x) != dimensions(y))
        return dimensions(x) < dimensions(y) ? -1 : 1;
    if (largest(x) != largest(y))
        return largest(x) < largest(y) ? -1 : 1;
    if (x->size[0] != y->size[0])
        return x->size[0] < y->size[0] ? -1 : 1;
    return x->size[1] < y->size[1] ? -1 : x->size[1] > y->size[1];
}

static void list_grids(struct search *s)
{
    uint32_t n = s->ranks;
    struct replay_grid g = {.size = {n, 1, 1}};
    BASE_ARRAY_PUSH(&s->grids, g);
    for (uint32_t a = 2; a <= n / 2; a++)
        for (uint32_t b = 2; n % a == 0 && b <= n / a; b++)
            if (n / a % b == 0) {
                g = (struct replay_grid){.size = {a, b, n / a / b}};
                BASE_ARRAY_PUSH(&s->grids, g);
            }
    qsort(s->grids.at, s->grids.n, sizeof *s->grids.at, in_order);
}

/* The first pair that are no neighbours, or s->pairs.n. */
static size_t first_far(const struct search *s, struct replay_grid *g)
{
    size_t k = 0;
    int offset[REPLAY_DIMENSIONS];
    while (k < s->pairs.n && replay_grid_offset(g, s->pairs.at[k].from, s->pairs.at[k].to, true, offset))
        k++;
    return k;
}

/* --- ranks that do the same ------------------------------------------------------------------------------ */

static bool same_peer(struct replay_grid *g, uint32_t a, uint32_t peer_a, uint32_t b, uint32_t peer_b)
{
    int x[REPLAY_DIMENSIONS], y[REPLAY_DIMENSIONS];
    if (peer_a == REPLAY_ANY || peer_b == REPLAY_ANY)
        return peer_a == peer_b;
    return replay_grid_offset(g, a, peer_a, false, x) && replay_grid_offset(g, b, peer_b, false, y) &&
           !memcmp(x, y, sizeof x);
}

static bool same_action(struct replay_grid *g, uint32_t rank, const struct replay_action *a, uint32_t other,
                        const struct replay_action *b)
{
    unsigned has = replay_kind_fields(a->kind);
    if (a->kind != b->kind || ((has & REPLAY_TAG) && a->tag != b->tag))
        return false;
    if (a->kind == REPLAY_LOCATION)
        return true;
    if (a->kind == REPLAY_CALL)
        return replay_call_same(g, rank, a, other, b);
    if ((has & REPLAY_NUMBER) && a->number != b->number)
        return false;
    if (has & REPLAY_GROUP)
        return a->peer == b->peer && a->n == b->n;
    return (!(has & REPLAY_PEER) || same_peer(g, rank, a->peer, other, b->peer)) &&
           (!(has & REPLAY_PEER2) || same_peer(g, rank, a->peer2, other, b->peer2));
}

static void keep_words(struct search *s, struct replay_action *a)
{
    s->words.n = 0;
    for (uint32_t k = 0; k < a->n; k++)
        BASE_ARRAY_PUSH(&s->words, a->counts[k]);
    if (a->n)
        a->counts = s->words.at;
}

/* Both are at the same boundaries. */
static bool same_rank(struct search *s, struct replay_grid *g, uint32_t rank, uint32_t other,
                      struct base_status *st)
{
    struct replay_cursor x, y;
    struct replay_action a = {0}, b = {0};
    bool more_a, more_b, same;
    replay_cursor_begin(s->tape, rank, &x);
    replay_cursor_begin(s->tape, other, &y);
    do {
        more_a = replay_cursor_next(s->tape, &x, &a);
        if (more_a && a.kind == REPLAY_CALL)
            keep_words(s, &a);
        more_b = replay_cursor_next(s->tape, &y, &b);
        same = more_a == more_b && (!more_a || same_action(g, rank, &a, other, &b));
    } while (same && more_a);
    if (!same) {
        char grid[64];
        replay_grid_text(g, grid, sizeof grid);
        base_fail(st,
                  "%s: not regular: ranks %" PRIu32 " and %" PRIu32
                  " are at the same boundaries of a grid of %s, and do not do the same: line %" PRIu32
                  " (%s) and line %" PRIu32 " (%s)",
                  s->path, rank, other, grid, more_a ? a.line : 0,
                  more_a ? replay_kind_name(a.kind) : "the end", more_b ? b.line : 0,
                  more_b ? replay_kind_name(b.kind) : "the end");
    }
    replay_cursor_end(&x);
    replay_cursor_end(&y);
    return same;
}

static bool is_regular(struct search *s, struct replay_grid *g, struct base_status *st)
{
    uint32_t first[REPLAY_CLASSES];
    for (size_t k = 0; k < BASE_LENGTH(first); k++)
        first[k] = REPLAY_ANY;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        uint32_t *of = &first[replay_grid_class(g, rank)];
        if (*of == REPLAY_ANY)
            *of = rank;
        else if (!same_rank(s, g, *of, rank, st))
            return false;
    }
    return true;
}

/* The first grid that fits; else the first reason why one with neighbours only does not, or that there is none. */
static int choose(struct search *s, struct replay_grid *out)
{
    struct base_status first, other;
    bool near = false;
    struct pair far = {0};
    for (size_t k = 0; k < s->grids.n; k++) {
        struct replay_grid g = s->grids.at[k];
        size_t pair = first_far(s, &g);
        if (pair < s->pairs.n) {
            far = s->pairs.at[pair];
            continue;
        }
        g.known = s->pairs.n > 0;
        if (is_regular(s, &g, near ? &other : &first)) {
            *out = g;
            return 0;
        }
        near = true;
    }
    if (near)
        return base_fail(s->st, "%s", first.text);
    return base_fail(
        s->st,
        "%s: not regular: there is no grid in which all messages and operations are between neighbours, such "
        "as that between ranks %" PRIu32 " and %" PRIu32,
        s->path, far.from, far.to);
}

int replay_grid_find(struct replay_tape *t, const char *path, struct replay_grid *out, struct base_status *st)
{
    struct search s = {.tape = t, .path = path, .ranks = replay_tape_ranks(t), .st = st};
    int rc = collect_pairs(&s);
    if (!rc) {
        list_grids(&s);
        rc = choose(&s, out);
    }
    free(s.pairs.at);
    free(s.grids.at);
    free(s.words.at);
    return rc;
}
