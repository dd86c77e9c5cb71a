/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree: prefix reductions up and down a binary tree in segments (Sanders, Speck, Traeff, "Two-tree algorithms for
 * full bandwidth broadcast, reduction and scan", Parallel Computing 35(12), 2009, section 5). Places of a subtree
 * lie together, with its root in the middle: the left child's are lower, the right child's higher. For each
 * segment a member receives the left child's sum L, then the right one's R, and sends L x R up, where x is its
 * own; it receives the sum P of all that is below its subtree, sends P to the left and P L x to the right. While
 * one segment comes down, the next ones go up. Sums that nobody needs are not sent: to the right of the tree none
 * go up, to the left none come down.
 */
#include "coll/scan/exclusive.h"
#include "coll/scan/scan.h"
#include "coll/scan/segments.h"

enum { UP, DOWN, ALIGN = 64, NONE = UINT32_MAX };

/* A member's place in the tree, of the places [low, high), and where it keeps things. */
struct node {
    uint32_t low, high, parent, left, right; /* NONE: there is none */
    bool rises, falls;                       /* sends a sum up; gets one from above */
    coll_place sum, from_left, from_right, from_above;
    bool keeps_left; /* exscan: L becomes the result, P L */
};

static uint32_t middle(uint32_t low, uint32_t high)
{
    return low < high ? low + (high - low) / 2 : NONE;
}

static struct node find(const struct coll_schedule *s)
{
    struct node t = {.low = 0, .high = s->size, .parent = NONE};
    uint32_t at = middle(0, s->size);
    while (at != s->me) {
        t.parent = at;
        if (s->me < at)
            t.high = at;
        else
            t.low = at + 1;
        at = middle(t.low, t.high);
    }
    t.left = middle(t.low, s->me);
    t.right = middle(s->me + 1, t.high);
    t.rises = t.parent != NONE && t.high < s->size;
    t.falls = t.parent != NONE && t.low > 0;
    return t;
}

/* --- a segment's steps ---------------------------------------------------------------------------- */

/* The k-th segment of a round. What it receives; NONE: nothing. */
struct segment {
    uint64_t at, bytes;
    uint32_t k, up, down; /* tags */
    uint32_t left, right, above;
};

static struct segment segment_of(const struct scan_segments *w, uint64_t k)
{
    return (struct segment){.at = scan_at(w, k),
                            .bytes = scan_bytes(w, k),
                            .k = (uint32_t)(k - w->from),
                            .up = scan_tag(k, UP),
                            .down = scan_tag(k, DOWN)};
}

static bool gets_right(const struct coll_schedule *s, const struct node *t)
{
    return t->right != NONE && t->high < s->size;
}

static void order(struct coll_schedule *s, uint32_t before, uint32_t after)
{
    if (before != NONE)
        coll_order(s, before, after);
}

/* L into the sum, whose copy, with R, goes up. Returns the last step that uses the sum as it is then, or NONE. */
static uint32_t add_rise(struct coll_schedule *s, const struct node *t, const struct segment *x)
{
    uint32_t last = NONE;
    if (x->left != NONE) {
        last = coll_add_combine(s, t->from_left + x->at, t->sum + x->at, x->bytes);
        coll_order(s, x->left, last);
    }
    if (!t->falls && t->right != NONE) {
        uint32_t out = coll_add_send(s, t->right, x->down, t->sum + x->at, x->bytes);
        order(s, last, out);
    }
    if (!t->rises)
        return last;
    coll_place from = t->sum + x->at, into = t->from_right + x->at;
    uint32_t both =
        x->right != NONE ? coll_add_combine(s, from, into, x->bytes) : coll_add_copy(s, from, into, x->bytes);
    order(s, x->right, both);
    order(s, last, both);
    coll_order(s, both, coll_add_send(s, t->parent, x->up, into, x->bytes));
    return both;
}

/* P into the sum, and to the children. */
static void add_fall(struct coll_schedule *s, const struct node *t, const struct segment *x, uint32_t after)
{
    coll_place above = t->from_above + x->at, sum = t->sum + x->at;
    if (!t->falls)
        return;
    uint32_t whole = coll_add_combine(s, above, sum, x->bytes);
    coll_order(s, x->above, whole);
    order(s, after, whole);
    if (t->left != NONE)
        coll_order(s, x->above, coll_add_send(s, t->left, x->down, above, x->bytes));
    if (t->right != NONE)
        coll_order(s, whole, coll_add_send(s, t->right, x->down, sum, x->bytes));
    if (t->keeps_left && t->left != NONE)
        coll_order(s, whole, coll_add_combine(s, above, t->from_left + x->at, x->bytes));
}

/* From a peer all segments, in ascending order; returns the first step, or NONE. */
static uint32_t add_receives(struct coll_schedule *s, const struct scan_segments *w, uint32_t peer,
                             uint32_t way, coll_place into)
{
    uint32_t first = s->n;
    for (uint64_t k = w->from; k < w->end; k++)
        coll_add_receive(s, peer, scan_tag(k, way), into + scan_at(w, k), scan_bytes(w, k));
    return first;
}

static bool add_segments(struct coll_schedule *s, const struct node *t, const struct scan_segments *w)
{
    uint32_t left = NONE, right = NONE, above = NONE;
    if (w->from == w->end)
        return false;
    if (t->falls && t->parent < s->me && (t->left == NONE || t->parent < t->left))
        above = add_receives(s, w, t->parent, DOWN, t->from_above);
    if (t->left != NONE)
        left = add_receives(s, w, t->left, UP, t->from_left);
    if (gets_right(s, t))
        right = add_receives(s, w, t->right, UP, t->from_right);
    if (t->falls && above == NONE)
        above = add_receives(s, w, t->parent, DOWN, t->from_above);
    for (uint64_t k = w->from; k < w->end; k++) {
        struct segment x = segment_of(w, k);
        x.left = left == NONE ? NONE : left + x.k;
        x.right = right == NONE ? NONE : right + x.k;
        x.above = above == NONE ? NONE : above + x.k;
        add_fall(s, t, &x, add_rise(s, t, &x));
    }
    return true;
}

/* --- the operations ------------------------------------------------------------------------------- */

/* All segments in one round, so that none waits for another: at most MOST of them. */
static struct scan_segments all_segments(const struct coll_schedule *s)
{
    enum { MOST = 1024 };
    struct scan_segments w = {.size = scan_segment(s), .all = s->bytes};
    uint64_t item = coll_item(s), least = s->bytes / MOST + 1;
    if (w.size < least)
        w.size = (least + item - 1) / item * item;
    w.end = w.all ? (w.all - 1) / w.size + 1 : 0;
    return w;
}

static uint64_t room(const struct coll_schedule *s)
{
    return (s->bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* 2 log2 n (a + m/(S B) + g m/S), and 3 (m/B + g m), in own segments of 32 KiB; S for each edge of the tree up, but
 * for those to its right, and down, but for those to its left. */
bool coll_inscan_tree(struct coll_schedule *s, uint32_t round)
{
    struct node t = find(s);
    struct scan_segments w = all_segments(s);
    coll_temp(s, 3 * room(s) + 1);
    t.sum = coll_at(COLL_DEST, 0);
    t.from_left = coll_at(COLL_TEMP, 0);
    t.from_right = coll_at(COLL_TEMP, room(s));
    t.from_above = coll_at(COLL_TEMP, 2 * room(s));
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    return round == 0 || (round == 1 && add_segments(s, &t, &w));
}

/* The same. L, or P where there is no left child, is received into dest, and P combined with L there. */
bool coll_exscan_tree(struct coll_schedule *s, uint32_t round)
{
    enum { FIRST = 2 };
    if (coll_exscan_start(s, round))
        return true;
    struct node t = find(s);
    struct scan_segments w = all_segments(s);
    coll_temp(s, 4 * room(s) + 1);
    t.sum = coll_exscan_partial();
    t.from_left = coll_at(COLL_DEST, 0);
    t.from_right = coll_at(COLL_TEMP, 2 * room(s));
    t.from_above = t.left == NONE ? coll_at(COLL_DEST, 0) : coll_at(COLL_TEMP, 3 * room(s));
    t.keeps_left = true;
    return round == FIRST && add_segments(s, &t, &w);
}
