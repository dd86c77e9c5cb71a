/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring: allgathers in which each member talks to its two neighbours only, beside the plain ring. a is the
 * time of one small message, B the bandwidth, m the bytes of a part, M of all, n members.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

/* The ring with all receives posted at the start: who sends a long part never waits for its receiver to get
 * to it. (n - 1) (a + m/B); n (n - 1) messages. */
bool coll_allgather_ring_posted(struct coll_schedule *s, uint32_t round)
{
    uint32_t left = coll_before(s, 1), right = coll_after(s, 1), n = s->size;
    struct coll_program p;
    if (round == 1)
        coll_add_single_own(s);
    if (round)
        return round == 1;
    coll_program_begin(&p, s);
    for (uint32_t k = 1; k < n; k++) {
        uint32_t part = coll_before(s, k);
        coll_program_receive(&p, left, k, coll_run_final(s, part), coll_run_part(s, part));
    }
    for (uint32_t k = 1; k < n; k++) {
        uint32_t part = coll_before(s, k - 1);
        uint32_t sent = coll_program_send(&p, right, k, coll_single_from(s, part), coll_run_part(s, part));
        coll_program_wait(&p, k - 1);
        coll_program_wait(&p, sent);
    }
    coll_program_end(&p);
    return true;
}

/* Both ways at once: half of the parts arrive from each neighbour. ceil((n - 1)/2) (a + m/B) with links
 * that carry both; n (n - 1) messages. */
bool coll_allgather_ring_both_ways(struct coll_schedule *s, uint32_t round)
{
    uint32_t n = s->size, rightward = n / 2, leftward = (n - 1) / 2;
    struct coll_program p;
    if (round == rightward)
        coll_add_single_own(s);
    if (round >= rightward)
        return round == rightward;
    uint32_t from_left = coll_before(s, round + 1), from_right = coll_after(s, round + 1);
    uint32_t to_right = coll_before(s, round), to_left = coll_after(s, round);
    coll_program_begin(&p, s);
    coll_program_receive(&p, coll_before(s, 1), round, coll_run_final(s, from_left),
                         coll_run_part(s, from_left));
    if (round < leftward)
        coll_program_receive(&p, coll_after(s, 1), round, coll_run_final(s, from_right),
                             coll_run_part(s, from_right));
    coll_program_send(&p, coll_after(s, 1), round, coll_single_from(s, to_right), coll_run_part(s, to_right));
    if (round < leftward)
        coll_program_send(&p, coll_before(s, 1), round, coll_single_from(s, to_left),
                          coll_run_part(s, to_left));
    coll_program_end(&p);
    return true;
}

/* --- in pieces ---------------------------------------------------------------------------------- */

/* Where a member is in the sequence of parts that it sends, or receives: it has done `parts` of them, and
 * `done` bytes of the next one. */
struct progress {
    uint64_t done;
    uint32_t parts;
};
/* Temporary memory. */
struct pieces {
    uint64_t bytes; /* of a piece, at most */
    struct progress sent, received;
};

/* All parts but the shortest are split, into pieces as long as it; pieces of less than 256 KiB do not pay. */
static uint64_t piece_bytes(const struct coll_schedule *s)
{
    uint64_t least = coll_run_part(s, 0);
    for (uint32_t k = 1; k < s->size; k++) {
        uint64_t bytes = coll_run_part(s, k);
        least = bytes < least ? bytes : least;
    }
    return coll_segment(s, least < 256 * 1024 ? 256 * 1024 : least);
}

/* The next piece of parts `first`, first - 1, ... around the group; may have no bytes. */
static uint64_t next(const struct coll_schedule *s, struct progress *p, uint64_t most, uint32_t first,
                     uint32_t *part, uint64_t *at)
{
    *part = (uint32_t)((first + (uint64_t)s->size - p->parts) % s->size);
    *at = p->done;
    uint64_t left = coll_run_part(s, *part) - p->done, bytes = left < most ? left : most;
    p->done += bytes;
    if (bytes == left)
        *p = (struct progress){0, p->parts + 1};
    return bytes;
}

static void advance(struct coll_schedule *s, struct pieces *p, uint32_t round)
{
    uint32_t n = s->size, part;
    uint64_t at, bytes;
    if (p->received.parts + 1 < n) {
        bytes = next(s, &p->received, p->bytes, coll_before(s, 1), &part, &at);
        if (bytes)
            coll_add_receive(s, coll_before(s, 1), round, coll_run_final(s, part) + at, bytes);
    }
    if (p->sent.parts + 1 < n) {
        bytes = next(s, &p->sent, p->bytes, s->me, &part, &at);
        if (bytes)
            coll_add_send(s, coll_after(s, 1), round, coll_single_from(s, part) + at, bytes);
    }
}

/* MPICH's ring for parts of different sizes: longer parts go in pieces (coll/segment), so that a long one
 * does not keep the whole ring waiting. A piece without bytes is no message. */
bool coll_allgather_ring_pieces(struct coll_schedule *s, uint32_t round)
{
    struct pieces *p = coll_state(s, sizeof *p);
    if (round == 0)
        *p = (struct pieces){.bytes = piece_bytes(s)};
    bool over = p->sent.parts + 1 >= s->size && p->received.parts + 1 >= s->size;
    if (over && p->bytes) {
        coll_add_single_own(s);
        p->bytes = 0;
        return true;
    }
    if (over)
        return false;
    advance(s, p, round);
    return true;
}

/* The ring with parts of one size in segments of coll/segment (64 KiB), each a round. ((n - 1) m/seg) (a +
 * seg/B); n (n - 1) ceil(m/seg) messages. */
bool coll_allgather_ring_segmented(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes, segment = coll_segment(s, 64 * 1024), pieces = m ? (m - 1) / segment + 1 : 1;
    uint64_t k = round / pieces, at = round % pieces * segment, bytes = m - at < segment ? m - at : segment;
    if (k + 1 == s->size && at == 0)
        coll_add_single_own(s);
    if (k + 1 >= s->size)
        return k + 1 == s->size && at == 0;
    uint32_t part = coll_before(s, (uint32_t)k);
    coll_add_receive(s, coll_before(s, 1), round, coll_run_final(s, coll_before(s, (uint32_t)k + 1)) + at,
                     bytes);
    coll_add_send(s, coll_after(s, 1), round, coll_single_from(s, part) + at, bytes);
    return true;
}
