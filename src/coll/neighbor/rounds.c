/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds: what a member does on a route (route.h). A round for each phase: it packs what it sends, unless that
 * lies in one run anyway, and receives; and a last round that copies what came to where it belongs. A message
 * of one item that is for the member is received there at once.
 *
 * Where sizes differ, only an item's two ends know its size. Then the sizes, words of 8 bytes, go the same way
 * first, in as many rounds and messages. Without counts a member knows two sizes, of what it sends and of what it
 * receives; sizes go first where it passes on what may have another one (`blind`).
 *
 * A member's temporary memory: the sizes of its slots (if they go ahead), the items that it got, and room for
 * what it packs in a phase.
 */
#include "coll/neighbor/route.h"

#include <string.h>

enum { WORD = 8 };

/* What one round works with. */
struct walk {
    struct coll_schedule *s;
    const struct coll_neighbors *l;
    const struct coll_route *r;
    uint32_t own, slots;
    bool sized;      /* sizes go ahead */
    uint64_t *bytes; /* of each slot */
    coll_place *at;
    uint64_t end; /* of the items in temporary memory */
};

static bool sizes_go_ahead(const struct coll_schedule *s, const struct coll_route *r)
{
    return r->blind || s->local->dest.counts || s->local->source.counts;
}

static _Noreturn void refuse(const struct coll_schedule *s, uint64_t has, uint64_t comes)
{
    base_fatal(
        BASE_EXIT_PROGRAM,
        "%s: member %u has a part of %llu bytes where %llu bytes come: an edge's two ends must have one size",
        s->call->name, s->place, (unsigned long long)has, (unsigned long long)comes);
}

/* What a member knows of sizes where there are no counts. */
struct two_sizes {
    uint64_t sent, received;
};
static struct two_sizes two_sizes(const struct walk *w)
{
    struct two_sizes size = {0, 0};
    if (w->l->n_out)
        coll_neighbor_sends(w->s, &w->l->out[0], &size.sent);
    if (w->l->n_in)
        size.received = coll_part_bytes(w->s, COLL_DEST, w->l->in[0].part);
    return size;
}

static void find_own(struct walk *w)
{
    for (uint32_t k = 0; k < w->own; k++)
        if (w->r->each)
            w->at[k] = coll_neighbor_sends(w->s, &w->l->out[k], &w->bytes[k]);
        else {
            w->at[k] = coll_at(COLL_SOURCE, 0);
            w->bytes[k] = w->s->bytes;
        }
}

/* The size of what was received into a slot. */
static uint64_t size_of(const struct walk *w, struct two_sizes known, uint32_t slot)
{
    uint64_t word;
    if (!w->sized)
        return w->r->as_sent[w->r->first_in[w->s->place] + slot - w->own] ? known.sent : known.received;
    memcpy(&word, w->s->temp + WORD * (uint64_t)slot, WORD);
    return word;
}

/* Sizes and places of the data of all slots. */
static void find_data(struct walk *w)
{
    struct two_sizes known = two_sizes(w);
    const struct coll_route_message *in = &w->r->in[w->r->in_first[w->s->place]];
    find_own(w);
    w->end = w->sized ? WORD * (uint64_t)w->slots : 0;
    for (uint32_t k = w->own; k < w->slots; k++) {
        uint64_t size = size_of(w, known, k);
        if (k == in->first + in->count)
            in++;
        bool direct = in->edge != COLL_NO_EDGE;
        w->bytes[k] = size;
        w->at[k] =
            direct ? coll_part_at(w->s, COLL_DEST, w->l->in[in->edge].part) : coll_at(COLL_TEMP, w->end);
        w->end += direct ? 0 : size;
    }
}

/* The same for their sizes; those of its own items are written at once. */
static void find_words(struct walk *w, uint32_t round)
{
    w->end = WORD * (uint64_t)w->slots;
    unsigned char *temp = round ? w->s->temp : coll_learned(w->s, w->end);
    BASE_ASSERT("C6", temp || !w->slots);
    find_own(w);
    for (uint32_t k = 0; k < w->slots; k++) {
        if (!round && k < w->own)
            memcpy(temp + WORD * (uint64_t)k, &w->bytes[k], WORD);
        w->bytes[k] = WORD;
        w->at[k] = coll_at(COLL_TEMP, WORD * (uint64_t)k);
    }
}

/* --- a phase --------------------------------------------------------------------------------------- */

static uint64_t bytes_of(const struct walk *w, const uint32_t *slot, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += w->bytes[slot[k]];
    return sum;
}

/* Whether the slots' data, one after the other, lie in one run. */
static bool is_run(const struct walk *w, const uint32_t *slot, uint32_t n)
{
    for (uint32_t k = 1; k < n; k++)
        if (w->at[slot[k]] != w->at[slot[k - 1]] + w->bytes[slot[k - 1]])
            return false;
    return true;
}

/* Copies that continue each other are one. */
static void pack(struct coll_program *p, const struct walk *w, const uint32_t *slot, uint32_t n, uint64_t to)
{
    for (uint32_t k = 0, next; k < n; k = next) {
        for (next = k + 1; next < n && is_run(w, slot + k, next - k + 1);)
            next++;
        uint64_t bytes = bytes_of(w, slot + k, next - k);
        if (bytes)
            coll_program_copy(p, w->at[slot[k]], coll_at(COLL_TEMP, to), bytes);
        to += bytes;
    }
}

static void add_sends(struct coll_program *p, struct walk *w, uint32_t phase, uint32_t tag)
{
    const struct coll_route *r = w->r;
    uint64_t to = w->end;
    for (uint32_t k = r->out_first[w->s->place]; k < r->out_first[w->s->place + 1]; k++) {
        const struct coll_route_message *m = &r->out[k];
        const uint32_t *slot = &r->sent[m->first];
        if (m->phase != phase)
            continue;
        uint64_t bytes = bytes_of(w, slot, m->count);
        coll_place from = w->at[slot[0]];
        if (!is_run(w, slot, m->count)) {
            from = coll_at(COLL_TEMP, to);
            pack(p, w, slot, m->count, to);
            to += bytes;
        }
        coll_program_send(p, m->peer, tag, from, bytes);
    }
    w->end = to;
}

static void add_phase(struct walk *w, uint32_t phase, uint32_t tag)
{
    struct coll_program p;
    const struct coll_route *r = w->r;
    coll_program_begin(&p, w->s);
    for (uint32_t k = r->in_first[w->s->place]; k < r->in_first[w->s->place + 1]; k++) {
        const struct coll_route_message *m = &r->in[k];
        uint64_t bytes = 0;
        for (uint32_t j = 0; j < m->count; j++)
            bytes += w->bytes[m->first + j];
        if (m->phase == phase)
            coll_program_receive(&p, m->peer, tag, w->at[m->first], bytes);
    }
    add_sends(&p, w, phase, tag);
    coll_temp(w->s, w->end);
    coll_program_end(&p);
}

/* --- the end --------------------------------------------------------------------------------------- */

static void deliver(const struct walk *w)
{
    const uint32_t *last = &w->r->last[w->l->whole->first_in[w->s->place]];
    for (uint32_t k = 0; k < w->l->n_in; k++) {
        uint32_t slot = last[k], part = w->l->in[k].part;
        uint64_t bytes = coll_part_bytes(w->s, COLL_DEST, part);
        coll_place to = coll_part_at(w->s, COLL_DEST, part);
        if (bytes != w->bytes[slot])
            refuse(w->s, bytes, w->bytes[slot]);
        if (slot < w->own)
            coll_add_own(w->s, coll_place_offset(w->at[slot]), coll_place_offset(to), bytes);
        else if (bytes && w->at[slot] != to)
            coll_add_copy(w->s, w->at[slot], to, bytes);
    }
}

bool coll_route_round(struct coll_schedule *s, uint32_t round, const struct coll_router *by)
{
    const struct coll_neighbors *l = s->local->neighbors;
    const struct coll_route *r = l->whole && coll_whole_graph_read(l->whole) ? coll_route_of(s, by) : NULL;
    if (!r || !r->exists)
        return coll_neighbor_linear(s, round);
    struct walk w = {
        .s = s, .l = l, .r = r, .own = coll_route_own(l->whole, r, s->place), .sized = sizes_go_ahead(s, r)};
    uint32_t ahead = w.sized ? r->phases : 0;
    if (round > ahead + r->phases)
        return false;
    w.slots = w.own + coll_route_received(r, s->place);
    size_t room = (w.slots + 1) * (sizeof *w.bytes + sizeof *w.at);
    w.bytes = base_buffers_get(s->buffers, room);
    w.at = w.bytes + w.slots + 1;
    if (round < ahead)
        find_words(&w, round);
    else
        find_data(&w);
    if (round < ahead + r->phases)
        add_phase(&w, round < ahead ? round : round - ahead, round);
    else
        deliver(&w);
    base_buffers_put(s->buffers, w.bytes, room);
    return true;
}
