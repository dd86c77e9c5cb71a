/* SPDX-License-Identifier: BSD-3-Clause */
/* down: broadcasts in segments down a tree. The ways are explained in down.h. */
#include "coll/broadcast/down.h"

enum { TAGS = 2 * BROADCAST_BATCH, REST = TAGS, HANDED = TAGS + 1, REST_HANDED = TAGS + 2 };

struct flow {
    struct coll_schedule *s;
    struct coll_program p;
    struct broadcast_tree tree;
    const struct broadcast_way *way;
};

/* The data from `low` on, to be received from my parent. */
struct piece {
    uint64_t low, bytes;
    uint32_t tag;
};

static struct piece piece_of(const struct flow *f, uint64_t segment)
{
    uint64_t low = segment * f->way->segment, left = f->s->bytes - low;
    return (struct piece){low, left < f->way->segment ? left : f->way->segment, (uint32_t)(segment % TAGS)};
}

static uint32_t receive(struct flow *f, struct piece x)
{
    return coll_program_receive(&f->p, broadcast_parent(&f->tree), x.tag, broadcast_into(f->s, x.low),
                                x.bytes);
}

static void send_on(struct flow *f, struct piece x, enum broadcast_sends sends)
{
    uint32_t child, first = f->p.n;
    for (uint32_t k = 0; (child = broadcast_child(&f->tree, k)) != COLL_NOBODY; k++) {
        uint32_t call = coll_program_send(&f->p, child, x.tag, broadcast_data(f->s, x.low), x.bytes);
        if (sends == BROADCAST_EACH)
            coll_program_wait(&f->p, call);
    }
    for (uint32_t call = first, end = f->p.n; sends == BROADCAST_SEGMENT && call < end; call++)
        coll_program_wait(&f->p, call);
}

/* Segments [from, end). */
static void add_segments(struct flow *f, uint64_t from, uint64_t end)
{
    bool receives = f->tree.me > 0;
    uint32_t next = f->p.n;
    for (uint64_t k = from; receives && k < (f->way->posted ? end : from + 1); k++)
        receive(f, piece_of(f, k));
    for (uint64_t k = from; k < end; k++) {
        uint32_t this = next;
        if (f->way->posted)
            next++;
        else if (receives && k + 1 < end)
            next = receive(f, piece_of(f, k + 1));
        if (receives)
            coll_program_wait(&f->p, this);
        send_on(f, piece_of(f, k), f->way->sends);
    }
}

static void hand_over(struct flow *f, uint32_t tag, uint64_t low, uint64_t bytes)
{
    struct coll_schedule *s = f->s;
    if (!f->way->handed || f->way->given || s->root == 0)
        return;
    if (s->me == s->root)
        coll_program_send_wait(&f->p, 0, tag, coll_at(COLL_SOURCE, low), bytes);
    if (s->me == 0)
        coll_program_receive_wait(&f->p, s->root, tag, coll_at(COLL_DEST, low), bytes);
}

static void add_rest(struct flow *f, uint64_t low)
{
    struct piece x = {low, f->s->bytes - low, REST};
    coll_program_wait_all(&f->p);
    hand_over(f, low ? REST_HANDED : HANDED, x.low, x.bytes);
    if (f->tree.me > 0)
        coll_program_wait(&f->p, receive(f, x));
    send_on(f, x, BROADCAST_EACH);
}

/* How many segments go through the pipeline. */
static uint64_t segments_of(const struct broadcast_way *way, uint64_t bytes)
{
    if (way->rest)
        return bytes > way->segment ? bytes / way->segment : 0;
    return bytes ? (bytes - 1) / way->segment + 1 : 1;
}

bool broadcast_hand_over(struct coll_schedule *s, uint32_t round)
{
    static const struct broadcast_way way = {.handed = true};
    struct flow f = {.s = s, .way = &way};
    if (round)
        return false;
    coll_program_begin(&f.p, s);
    hand_over(&f, HANDED, 0, s->bytes);
    coll_program_end(&f.p);
    return true;
}

bool broadcast_down(struct coll_schedule *s, uint32_t round, const struct broadcast_way *way)
{
    uint64_t segments = segments_of(way, s->bytes),
             rounds = (segments + BROADCAST_BATCH - 1) / BROADCAST_BATCH;
    uint64_t from = (uint64_t)round * BROADCAST_BATCH, end = from + BROADCAST_BATCH;
    struct flow f = {.s = s, .way = way};
    rounds += !rounds;
    if (round == rounds)
        broadcast_root_copy(s);
    if (round >= rounds)
        return round == rounds;
    f.tree = broadcast_tree(s, way->shape, way->fan, way->handed ? 0 : s->root);
    broadcast_room(s, s->bytes < way->segment ? s->bytes : way->segment);
    coll_program_begin(&f.p, s);
    if (round == 0 && segments)
        hand_over(&f, HANDED, 0, s->bytes);
    add_segments(&f, from, end < segments ? end : segments);
    if (way->rest && round + 1 == rounds && (!segments || s->bytes % way->segment))
        add_rest(&f, segments * way->segment);
    coll_program_end(&f.p);
    return true;
}
