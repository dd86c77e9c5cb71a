/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipelined: gathers and scatters along trees in segments. A member passes on what it has of its run while
 * the rest is still on its way, so that a deep tree costs latency, but not the time of its data again.
 * Segments are cut from the beginning of each edge's run, whatever the runs below it. Parts are of one size.
 *
 * a is the time of one small message, B the bandwidth, m the bytes of a part, n members, L those of a
 * segment.
 */
#include "coll/rooted/rooted.h"
#include "coll/rooted/runs.h"

enum { MOST_SEGMENTS = 60000 }; /* tags are their numbers */

/* What a member passes on: calls of a program that fill its run from the beginning. */
struct pipe {
    struct coll_program program;
    struct coll_schedule *s;
    const struct coll_span *t;
    uint64_t segment, have; /* bytes of the run that are here */
    struct {
        uint32_t call;
        uint64_t bytes;
    } * coming;
    uint32_t came, comes;
    size_t room; /* of `coming` */
};

static uint32_t segments(const struct pipe *q, uint64_t bytes)
{
    return bytes ? (uint32_t)((bytes - 1) / q->segment + 1) : 1;
}

static uint64_t segment_bytes(const struct pipe *q, uint64_t bytes, uint32_t k)
{
    uint64_t rest = bytes - k * q->segment;
    return rest < q->segment ? rest : q->segment;
}

static void begin(struct pipe *q, struct coll_schedule *s, const struct coll_span *t, uint64_t segment)
{
    uint64_t all = s->size * s->bytes, least = all / MOST_SEGMENTS + 1;
    *q = (struct pipe){.s = s, .t = t, .segment = segment > least ? segment : least};
    q->room = (segments(q, all) + (size_t)s->size) * sizeof *q->coming;
    q->coming = base_buffers_get(s->buffers, q->room);
    coll_program_begin(&q->program, s);
}

static void end(struct pipe *q)
{
    coll_program_end(&q->program);
    base_buffers_put(q->s->buffers, q->coming, q->room);
}

static void receive(struct pipe *q, uint32_t number, uint32_t first, uint32_t end)
{
    uint64_t bytes = coll_runs_bytes(q->s, q->t, first, end);
    coll_place at = coll_runs_at(q->s, q->t, first);
    for (uint32_t k = 0; k < segments(q, bytes); k++) {
        uint64_t part = segment_bytes(q, bytes, k);
        q->coming[q->comes].bytes = part;
        q->coming[q->comes++].call = coll_program_receive(&q->program, coll_span_place(q->t, q->s, number), k,
                                                          at + k * q->segment, part);
    }
}

static void wait_for(struct pipe *q, uint64_t bytes)
{
    for (; q->have < bytes; q->came++) {
        coll_program_wait(&q->program, q->coming[q->came].call);
        q->have += q->coming[q->came].bytes;
    }
}

static void send(struct pipe *q, uint32_t number, uint32_t first, uint32_t end)
{
    uint64_t bytes = coll_runs_bytes(q->s, q->t, first, end), before;
    coll_place at = coll_runs_at(q->s, q->t, first);
    before = at - coll_runs_at(q->s, q->t, q->t->me);
    for (uint32_t k = 0; k < segments(q, bytes); k++) {
        uint64_t part = segment_bytes(q, bytes, k);
        wait_for(q, before + k * q->segment + part);
        coll_program_send(&q->program, coll_span_place(q->t, q->s, number), k, at + k * q->segment, part);
    }
}

/* --- gather --------------------------------------------------------------------------------------- */

static bool gather(struct coll_schedule *s, uint32_t round, enum coll_span_shape shape, uint64_t segment)
{
    struct coll_span t;
    struct pipe q;
    coll_span_find(&t, s, shape, 2);
    if (round == 0) {
        begin(&q, s, &t, segment);
        for (uint32_t k = 0; k < t.children; k++)
            receive(&q, t.child[k], t.child[k], t.child[k + 1]);
        if (s->bytes)
            coll_program_copy(&q.program, coll_at(COLL_SOURCE, 0), coll_runs_at(s, &t, t.me), s->bytes);
        q.have = s->bytes;
        if (t.me)
            send(&q, t.parent, t.me, t.end);
        end(&q);
    }
    if (round == 1 && !t.me)
        coll_runs_deliver(s, &t);
    return round < 2;
}

/* Each member sends its part to the one before it, and then passes on what comes from the one behind, part by
 * part or in segments of coll/segment. (n - 1) (a + m/B); n (n - 1)/2 messages of a part. */
bool coll_gather_chain(struct coll_schedule *s, uint32_t round)
{
    return gather(s, round, COLL_SPAN_CHAIN, coll_segment(s, s->bytes ? s->bytes : 1));
}

/* A binomial tree in segments of 32 KiB (what Intel calls binomial with segmentation). (a + L/B) log2 n + n
 * m/B. */
bool coll_gather_binomial_segmented(struct coll_schedule *s, uint32_t round)
{
    return gather(s, round, COLL_SPAN_KNOMIAL, coll_segment(s, 32768));
}

/* --- scatter -------------------------------------------------------------------------------------- */

static bool scatter(struct coll_schedule *s, uint32_t round, enum coll_span_shape shape, uint64_t segment)
{
    struct coll_span t;
    struct pipe q;
    coll_span_find(&t, s, shape, 2);
    if (round == 0 && !t.me)
        coll_runs_collect(s, &t);
    if (round == 1) {
        begin(&q, s, &t, segment);
        if (t.me)
            receive(&q, t.parent, t.me, t.end);
        else
            q.have = coll_runs_bytes(s, &t, 0, t.end);
        for (uint32_t k = 0; k < t.children; k++)
            send(&q, t.child[k], t.child[k], t.child[k + 1]);
        end(&q);
    }
    if (round == 2 && s->bytes && s->has_dest)
        coll_add_copy(s, coll_runs_at(s, &t, t.me), coll_at(COLL_DEST, 0), s->bytes);
    return round < 3;
}

/* The root sends all other parts to the next member, which keeps its own and passes on the others as they
 * come, part by part or in segments of coll/segment. (n - 1) (a + m/B); n (n - 1)/2 messages of a part. */
bool coll_scatter_chain(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, COLL_SPAN_CHAIN, coll_segment(s, s->bytes ? s->bytes : 1));
}

/* A binomial tree in segments of 32 KiB. (a + L/B) log2 n + n m/B. */
bool coll_scatter_binomial_segmented(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, COLL_SPAN_KNOMIAL, coll_segment(s, 32768));
}
