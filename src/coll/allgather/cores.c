/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores: STAR-MPI's allgathers for hosts with equally many members next to each other, each with one kind
 * of message within the host and another between hosts. Where hosts are not like that, every member counts
 * as a host of its own, as in SMPI. a is the time of one small message between hosts, b within one, B the
 * bandwidth, m the bytes of a part; n members on H hosts of P each.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

struct cores {
    uint32_t width, host, hosts, index,
        first; /* members of a host; mine: its number, my number and its first place */
};

static uint32_t width_of(const struct coll_schedule *s)
{
    const struct coll_hosts *l = s->part ? NULL : s->hosts;
    if (!l || !l->in_order)
        return 1;
    for (uint32_t h = 1; h < l->count; h++)
        if (l->first[h + 1] - l->first[h] != l->first[1])
            return 1;
    return l->first[1];
}

static struct cores cores_of(const struct coll_schedule *s)
{
    uint32_t width = width_of(s), host = s->me / width;
    return (struct cores){width, host, s->size / width, s->me - host * width, host * width};
}

static void receive_block(struct coll_program *p, const struct cores *c, uint32_t peer, uint32_t tag,
                          uint32_t block)
{
    const struct coll_schedule *s = p->s;
    coll_program_receive_wait(p, peer, tag, coll_run_at(s, block * c->width), c->width * s->bytes);
}

static void send_block(struct coll_program *p, const struct cores *c, uint32_t peer, uint32_t tag,
                       uint32_t block)
{
    const struct coll_schedule *s = p->s;
    coll_program_send_wait(p, peer, tag, coll_run_at(s, block * c->width), c->width * s->bytes);
}

/* The host whose parts arrive k-th by a ring. */
static uint32_t ring_block(const struct cores *c, uint32_t k)
{
    return (c->host + c->hosts - 1 - k) % c->hosts;
}

/* Rounds 0 to P - 2: each gets the parts of its host's other members, pairwise. */
static bool within(struct coll_schedule *s, const struct cores *c, uint32_t round)
{
    if (round == 0)
        coll_add_run_begin(s);
    if (round == 0 || round >= c->width)
        return round == 0;
    uint32_t from = c->first + (c->index + c->width - round) % c->width;
    uint32_t to = c->first + (c->index + round) % c->width;
    coll_add_run_receive(s, from, round, from, from + 1);
    coll_add_run_send(s, to, round, s->me, s->me + 1);
    return true;
}

/* --- leaders' ring and a chain in the host ------------------------------------------------------ */

/* Each host's first member: a ring with all receives posted; what arrives goes on at once, in the ring,
 * then to the next member of the host. */
static void lead(struct coll_program *p, const struct cores *c, uint32_t tag)
{
    const struct coll_schedule *s = p->s;
    uint32_t left = (c->first + s->size - c->width) % s->size, right = (c->first + c->width) % s->size;
    for (uint32_t k = 0; k + 1 < c->hosts; k++)
        coll_program_receive(p, left, tag + k, coll_run_at(s, ring_block(c, k) * c->width),
                             c->width * s->bytes);
    if (c->hosts > 1)
        coll_program_send(p, right, tag, coll_run_at(s, c->first), c->width * s->bytes);
    for (uint32_t k = 0; k + 1 < c->hosts; k++) {
        uint32_t block = ring_block(c, k);
        coll_program_wait(p, k);
        if (k + 2 < c->hosts)
            coll_program_send(p, right, tag + k + 1, coll_run_at(s, block * c->width), c->width * s->bytes);
        if (c->width > 1)
            send_block(p, c, s->me + 1, tag + k, block);
    }
}

static void follow(struct coll_program *p, const struct cores *c, uint32_t tag)
{
    uint32_t me = p->s->me;
    for (uint32_t k = 0; k + 1 < c->hosts; k++) {
        receive_block(p, c, me - 1, tag + k, ring_block(c, k));
        if (c->index + 1 < c->width)
            send_block(p, c, me + 1, tag + k, ring_block(c, k));
    }
}

/* Pairwise within the host; then each host's first member passes on whole hosts' parts in a ring, and down a
 * chain of its host's members. With a single host, the algorithm that sends in order of place, as SMPI does.
 * (P - 1)(b + m/B) + (H - 1)(a + P m/B) + (P - 1)(b + P m/B); n (P - 1) + H (H - 1) P messages. */
bool coll_fcollect_leader_ring_chain(struct coll_schedule *s, uint32_t round)
{
    struct cores c = cores_of(s);
    struct coll_program p;
    if (c.hosts == 1 && s->size > 1)
        return coll_allgather_in_order(s, round);
    if (within(s, &c, round))
        return true;
    if (round > c.width)
        return false;
    coll_program_begin(&p, s);
    if (c.index == 0)
        lead(&p, &c, c.width);
    else
        follow(&p, &c, c.width);
    coll_program_end(&p);
    return true;
}

/* --- leaders all to all ------------------------------------------------------------------------- */

static void leaders_spread(struct coll_schedule *s, const struct cores *c, uint32_t tag)
{
    struct coll_program p;
    coll_program_begin(&p, s);
    for (uint32_t k = 1; k < c->hosts; k++) {
        uint32_t from = (c->host + c->hosts - k) % c->hosts * c->width;
        coll_program_receive(&p, from, tag, coll_run_at(s, from), c->width * s->bytes);
    }
    for (uint32_t k = 1; k < c->hosts; k++)
        coll_program_send(&p, (c->host + k) % c->hosts * c->width, tag, coll_run_at(s, c->first),
                          c->width * s->bytes);
    coll_program_end(&p);
}

static void all_to_host(struct coll_schedule *s, const struct cores *c, uint32_t tag)
{
    struct coll_program p;
    uint64_t all = s->size * s->bytes;
    coll_program_begin(&p, s);
    if (c->index)
        coll_program_receive(&p, c->first, tag, coll_run_at(s, 0), all);
    for (uint32_t k = 1; c->index == 0 && k < c->width; k++)
        coll_program_send_wait(&p, c->first + k, tag, coll_run_at(s, 0), all);
    coll_program_end(&p);
}

/* Pairwise within the host; then each host's first member sends the host's parts to all other first members
 * at once, and at last the whole result to its host's members, one after the other. (P - 1)(b + m/B) + a +
 * (n - P) m/B + (P - 1)(b + n m/B); n (P - 1) + H (H - 1) + n - H messages. */
bool coll_fcollect_leader_spread(struct coll_schedule *s, uint32_t round)
{
    struct cores c = cores_of(s);
    if (within(s, &c, round))
        return true;
    if (round == c.width && c.index == 0)
        leaders_spread(s, &c, round);
    if (round == c.width + 1)
        all_to_host(s, &c, round);
    return round <= c.width + 1;
}

/* --- rings of equal numbers --------------------------------------------------------------------- */

/* In turn k a member has the part of the member of its number k hosts before: it passes it on around the
 * hosts, and exchanges it with its host's other members for theirs. */
static void turn(struct coll_program *p, const struct cores *c, uint32_t k)
{
    const struct coll_schedule *s = p->s;
    uint32_t far = (c->host + c->hosts - k) % c->hosts * c->width, n = s->size, arrives = UINT32_MAX;
    uint32_t next = (c->host + c->hosts - 1 - k) % c->hosts * c->width;
    for (uint32_t j = 0; j < c->width; j++) {
        if (j == c->index && k + 1 < c->hosts) {
            arrives =
                coll_program_receive(p, (s->me + n - c->width) % n, k, coll_run_at(s, next + j), s->bytes);
            coll_program_send(p, (s->me + c->width) % n, k, coll_run_at(s, far + j), s->bytes);
        }
        if (j != c->index) {
            coll_program_receive(p, c->first + j, k, coll_run_at(s, far + j), s->bytes);
            coll_program_send(p, c->first + j, k, coll_run_at(s, far + c->index), s->bytes);
        }
    }
    if (arrives != UINT32_MAX)
        coll_program_wait(p, arrives);
}

/* Rings around the hosts, one for each number of a member in its host; what arrives there is sent to the
 * host's other members while the ring goes on ("loosely" synchronized). (H - 1)(a + m/B) + (P - 1)(o +
 * m/B); n (n - 1) messages. */
bool coll_fcollect_loose_ring(struct coll_schedule *s, uint32_t round)
{
    struct cores c = cores_of(s);
    struct coll_program p;
    if (round == 0)
        coll_add_run_begin(s);
    if (round != 1)
        return round == 0;
    coll_program_begin(&p, s);
    for (uint32_t k = 0; k < c.hosts; k++)
        turn(&p, &c, k);
    coll_program_end(&p);
    return true;
}
