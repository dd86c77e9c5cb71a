/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather: linear gathers, in which each member sends its part to the root: of one size or of sizes that only
 * the root and each sender know. a is the time of one small message, o the overhead to issue one, B the
 * bandwidth, m the bytes of a part, n members.
 */
#include "coll/rooted/rooted.h"

enum { DATA, INVITATION, REST }; /* tags */

static void send_part(struct coll_schedule *s)
{
    coll_add_send(s, s->root, DATA, coll_at(COLL_SOURCE, 0), s->bytes);
}

static void add_own(struct coll_schedule *s)
{
    coll_add_own(s, 0, coll_place_offset(coll_part_at(s, COLL_DEST, s->me)),
                 coll_part_bytes(s, COLL_DEST, s->me));
}

/* The place of the k-th of the others. */
static uint32_t other(const struct coll_schedule *s, uint32_t k)
{
    return k < s->me ? k : k + 1;
}

/* The root receives each part at its final place. a + (n - 1) m/B, and n - 1 receives one after the other; n
 * - 1 messages. */
bool coll_gather_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    if (round)
        return false;
    for (uint32_t k = 0; root && k + 1 < s->size; k++)
        coll_add_receive_part(s, other(s, k), DATA, other(s, k));
    if (root)
        add_own(s);
    else
        send_part(s);
    return true;
}

/* The root receives the parts in order of place, each after the one before: long ones do not compete. (n - 1)
 * (a + m/B) at most; n - 1 messages. */
bool coll_gather_ordered(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    uint32_t rounds = root && s->size > 1 ? s->size - 1 : 1;
    if (round >= rounds)
        return false;
    if (root && s->size > 1)
        coll_add_receive_part(s, other(s, round), DATA, other(s, round));
    if (root && !round)
        add_own(s);
    if (!root)
        send_part(s);
    return true;
}

/* The root invites w = coll/window (8) members at a time, so that no more than w messages come to it at once
 * (flow control, as in libraries' credit schemes). 2 a ceil((n - 1)/w) + (n - 1) m/B; 2 (n - 1) messages,
 * half of them empty. */
bool coll_gather_window(struct coll_schedule *s, uint32_t round)
{
    uint32_t others = s->size - 1, w = coll_outstanding(s, 8);
    if (s->me != s->root) {
        if (round == 0)
            coll_add_receive(s, s->root, INVITATION, coll_at(COLL_TEMP, 0), 0);
        else if (round == 1)
            send_part(s);
        return round < 2;
    }
    if (round)
        return false;
    struct coll_program p;
    coll_program_begin(&p, s);
    uint32_t *call = base_buffers_get(s->buffers, (others + 1) * sizeof *call);
    for (uint32_t k = 0; k < others; k++) {
        uint32_t from = other(s, k);
        if (k >= w)
            coll_program_wait(&p, call[k - w]);
        call[k] = coll_program_receive(&p, from, DATA, coll_part_at(s, COLL_DEST, from),
                                       coll_part_bytes(s, COLL_DEST, from));
        coll_program_send(&p, from, INVITATION, coll_at(COLL_SOURCE, 0), 0);
    }
    base_buffers_put(s->buffers, call, (others + 1) * sizeof *call);
    coll_program_end(&p);
    add_own(s);
    return true;
}

/* --- linear with synchronization ------------------------------------------------------------------ */

/* What a member sends first, as Open MPI's fixed rules say: a little of a short part, more of a long one. */
static uint64_t head_of(const struct coll_schedule *s, uint64_t part)
{
    uint64_t head = coll_segment(s, part > 92160 ? 32768 : 1024);
    return head < part ? head : part;
}

static bool answer(struct coll_schedule *s, uint32_t round)
{
    uint64_t head = head_of(s, s->bytes);
    if (round == 0)
        coll_add_receive(s, s->root, INVITATION, coll_at(COLL_TEMP, 0), 0);
    else if (round == 1)
        coll_add_send(s, s->root, DATA, coll_at(COLL_SOURCE, 0), head);
    else if (round == 2)
        coll_add_send(s, s->root, REST, coll_at(COLL_SOURCE, head), s->bytes - head);
    return round < 3;
}

/* The root invites one member after the other. An invited member sends a first piece, whose end is awaited
 * before the next one is invited, and then the rest, which overlaps with what follows (Open MPI's
 * linear_sync; Pjesivac-Grbovic et al. 2007). (n - 1) 2 a + (n - 1) m/B at most; 3 (n - 1) messages, n - 1
 * of them empty. */
bool coll_gather_sync(struct coll_schedule *s, uint32_t round)
{
    if (s->me != s->root)
        return answer(s, round);
    if (round)
        return false;
    struct coll_program p;
    coll_program_begin(&p, s);
    for (uint32_t k = 0; k + 1 < s->size; k++) {
        uint32_t from = other(s, k);
        coll_place part = coll_part_at(s, COLL_DEST, from);
        uint64_t bytes = coll_part_bytes(s, COLL_DEST, from), head = head_of(s, bytes);
        uint32_t first = coll_program_receive(&p, from, DATA, part, head);
        coll_program_wait(&p, coll_program_send(&p, from, INVITATION, coll_at(COLL_SOURCE, 0), 0));
        coll_program_receive(&p, from, REST, part + head, bytes - head);
        coll_program_wait(&p, first);
    }
    coll_program_end(&p);
    add_own(s);
    return true;
}
