/* SPDX-License-Identifier: BSD-3-Clause */
/* split: broadcasts of which each half goes down its own half of a tree. */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/tree.h"

#define KIB(n) ((uint64_t)(n) << 10)

enum { LEFT, RIGHT, TAGS = 2048, SWAP = TAGS, ITEM = 4 };

/* One half of the data: where it begins, its bytes. */
struct half {
    uint64_t low, bytes;
};

static struct half half_of(const struct coll_schedule *s, int side)
{
    uint64_t left = ((s->bytes + 1) / 2 + ITEM - 1) / ITEM * ITEM;
    left = left < s->bytes ? left : s->bytes;
    return side == LEFT ? (struct half){0, left} : (struct half){left, s->bytes - left};
}

static uint64_t segments_of(struct half h, uint64_t width)
{
    return (h.bytes + width - 1) / width;
}

/* Segment k of a half. */
static struct half segment_of(struct half h, uint64_t k, uint64_t width)
{
    uint64_t left = h.bytes - k * width;
    return (struct half){h.low + k * width, left < width ? left : width};
}

static void root_sends(struct coll_program *p, const struct broadcast_tree *t, uint64_t k, uint64_t width)
{
    uint32_t child;
    for (uint32_t side = LEFT; side <= RIGHT && (child = broadcast_child(t, side)) != COLL_NOBODY; side++) {
        struct half h = half_of(p->s, (int)side), x = segment_of(h, k, width);
        if (k < segments_of(h, width))
            coll_program_send_wait(p, child, (uint32_t)(k % TAGS), coll_at(COLL_SOURCE, x.low), x.bytes);
    }
}

static uint32_t receive(struct coll_program *p, const struct broadcast_tree *t, struct half x, uint64_t k)
{
    return coll_program_receive(p, broadcast_parent(t), (uint32_t)(k % TAGS), coll_at(COLL_DEST, x.low),
                                x.bytes);
}

/* The receive of the next segment is posted before the wait for this one; a leaf posts one at a time. */
static void member_relays(struct coll_program *p, const struct broadcast_tree *t, struct half h,
                          uint64_t from, uint64_t end, uint64_t width)
{
    uint32_t child, next = receive(p, t, segment_of(h, from, width), from);
    bool leaf = broadcast_child(t, 0) == COLL_NOBODY;
    for (uint64_t k = from; k < end; k++) {
        uint32_t this = next;
        struct half x = segment_of(h, k, width);
        if (k + 1 < end && !leaf)
            next = receive(p, t, segment_of(h, k + 1, width), k + 1);
        coll_program_wait(p, this);
        if (k + 1 < end && leaf)
            next = receive(p, t, segment_of(h, k + 1, width), k + 1);
        for (uint32_t c = 0; (child = broadcast_child(t, c)) != COLL_NOBODY; c++)
            coll_program_send_wait(p, child, (uint32_t)(k % TAGS), coll_at(COLL_DEST, x.low), x.bytes);
    }
}

/* Neighbours hold different halves. */
static void swap(struct coll_schedule *s, const struct broadcast_tree *t)
{
    bool odd = t->me % 2, last = t->n % 2 == 0 && t->me == t->n - 1;
    uint32_t peer = last ? s->root : broadcast_place(t, odd ? t->me + 1 : t->me - 1);
    struct half mine = half_of(s, odd ? LEFT : RIGHT), other = half_of(s, odd ? RIGHT : LEFT);
    if (t->me == 0) {
        if (t->n % 2 == 0)
            coll_add_send(s, broadcast_place(t, t->n - 1), SWAP, coll_at(COLL_SOURCE, mine.low), mine.bytes);
        return;
    }
    coll_add_receive(s, peer, SWAP, coll_at(COLL_DEST, other.low), other.bytes);
    if (!last)
        coll_add_send(s, peer, SWAP, coll_at(COLL_DEST, mine.low), mine.bytes);
}

/* Binary tree, numbered level by level so that the left half has the odd numbers; the root sends each half
 * of the data down its own half of the tree in segments, then numbers 2 k - 1 and 2 k exchange halves, and
 * if n is even the root sends the last member its second half (Pjesivac-Grbovic et al., "Performance
 * analysis of MPI collective operations", Cluster Computing 10(2), 2007). About (log2 n + S/2 - 1)(a + 2
 * m/(S B)) + a + m/(2 B). Own segments: 1 KiB, from 362 KiB on 8. Where a half is shorter than a segment,
 * smp-chain runs, as in SMPI. */
bool coll_broadcast_split_binary(struct coll_schedule *s, uint32_t round)
{
    enum { BATCH = 1024, LONG = 370728 };
    uint64_t width = coll_segment(s, s->bytes < LONG ? KIB(1) : KIB(8)), from = (uint64_t)round * BATCH;
    struct half mine, right = half_of(s, RIGHT);
    if (s->size == 1 || !right.bytes || right.bytes < width)
        return coll_broadcast_smp_chain(s, round);
    struct broadcast_tree t = broadcast_tree(s, &broadcast_dealt_tree, 2, s->root);
    struct coll_program p;
    mine = half_of(s, t.me % 2 || t.me == 0 ? LEFT : RIGHT);
    uint64_t segments = segments_of(mine, width), rounds = (segments + BATCH - 1) / BATCH;
    uint64_t end = from + BATCH < segments ? from + BATCH : segments;
    if (round == rounds)
        swap(s, &t);
    if (round == rounds + 1)
        broadcast_root_copy(s);
    if (round >= rounds)
        return round < rounds + 2;
    coll_program_begin(&p, s);
    for (uint64_t k = from; t.me == 0 && k < end; k++)
        root_sends(&p, &t, k, width);
    if (t.me > 0)
        member_relays(&p, &t, mine, from, end, width);
    coll_program_end(&p);
    return true;
}
