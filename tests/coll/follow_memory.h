/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow_memory: members whose memory holds no data: each byte is a cell that says whose operands it has.
 *
 * Each round is searched for two steps that use the same memory, one of them writing, in an order that nothing
 * determines (C5): what one order gives then holds for all of them.
 */
#ifndef PGASIM_TESTS_COLL_FOLLOW_MEMORY_H
#define PGASIM_TESTS_COLL_FOLLOW_MEMORY_H

#include "coll/algorithms.h"
#include "coll/schedule/buffer.h"
#include "coll/select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A byte: the one at `offset` of the sources of members low to high - 1, combined. `sum` adds a random number
 * of each member, so that no operand is missing or there twice where the order is free. low == high: nothing. */
struct follow_cell {
    uint32_t low, high;
    uint64_t offset, sum;
};

enum { FOLLOW_SOURCE, FOLLOW_DEST, FOLLOW_TEMP, FOLLOW_AREAS };
#define FOLLOW_BASE UINT64_C(0x100000000) /* addresses of area k begin at 1 + k times this */

struct follow_member {
    struct coll_schedule schedule;
    struct coll_call call;
    struct coll_local local;
    struct follow_cell *cell[FOLLOW_AREAS];
    uint64_t room[FOLLOW_AREAS];
    struct follow_cell **early; /* of a round's receives: what has come before they may begin */
    bool *lost;                 /* of a round's steps: another one may overwrite what it wrote */
    uint64_t *met, **told;      /* a barrier: who is known to have come; what each send of the round knew */
    uint32_t round, remaining;
    bool over;
};

struct follow {
    struct follow_member *member;
    uint32_t n;
    coll_build_fn build;
    bool ordered;   /* the operands' order matters */
    uint32_t words; /* a barrier's: of `met`; else 0 */
    bool learns;    /* rounds depend on received sizes: what is in temporary memory is moved, too */
    uint64_t messages;
    struct base_buffers buffers;
    const char *what; /* for messages */
};

static inline uint64_t follow_key(uint32_t member)
{
    return base_hash(member + UINT64_C(0x5bd1e995));
}
static inline void *follow_address(int area, uint64_t offset)
{
    return (void *)(uintptr_t)((1 + (uint64_t)area) * FOLLOW_BASE + offset);
}

/* --- memory --------------------------------------------------------------------------------------- */

struct follow_range {
    int area;
    uint64_t from, end;
};

static inline void follow_widen_temp(struct follow_member *m)
{
    uint64_t bytes = m->schedule.temp_bytes;
    if (bytes <= m->room[FOLLOW_TEMP])
        return;
    struct follow_cell *wide = base_zalloc(bytes * sizeof *wide, "test");
    if (m->room[FOLLOW_TEMP])
        memcpy(wide, m->cell[FOLLOW_TEMP], m->room[FOLLOW_TEMP] * sizeof *wide);
    free(m->cell[FOLLOW_TEMP]);
    m->cell[FOLLOW_TEMP] = wide;
    m->room[FOLLOW_TEMP] = bytes;
}

static inline struct follow_range follow_range(const struct follow *f, const struct follow_member *m,
                                               coll_place at, uint64_t bytes)
{
    struct follow_range r = {FOLLOW_TEMP, coll_place_offset(at), 0};
    if (coll_place_base(at) != COLL_TEMP) {
        struct coll_spot spot = coll_spot_of(&m->schedule, at, bytes);
        r.area = (int)(spot.address / FOLLOW_BASE) - 1;
        r.from = spot.address % FOLLOW_BASE;
    }
    r.end = r.from + bytes;
    if (bytes && (r.area < 0 || r.area >= FOLLOW_AREAS || r.end > m->room[r.area]))
        fail_msg("%s: member %u, round %u: %llu bytes at %#llx of area %d are outside its memory", f->what,
                 m->call.me, m->round - 1, (unsigned long long)bytes, (unsigned long long)r.from, r.area);
    return r;
}

static inline struct follow_cell *follow_cells(const struct follow *f, const struct follow_member *m,
                                               coll_place at, uint64_t bytes)
{
    struct follow_range r = follow_range(f, m, at, bytes);
    return bytes ? m->cell[r.area] + r.from : NULL;
}

static inline void follow_move(struct follow_cell *to, const struct follow_cell *from, uint64_t bytes)
{
    if (bytes)
        memmove(to, from, bytes * sizeof *to);
}

/* into = left op right; one of them may be `into`. What must not be combined gives nothing: algorithms may do
 * that to parts that nobody reads any more. */
static inline void follow_combine(const struct follow *f, const struct follow_member *m,
                                  struct follow_cell *into, const struct follow_cell *left,
                                  const struct follow_cell *right, uint64_t bytes)
{
    uint64_t item = m->call.element;
    if (bytes && (bytes % item || (left->low < left->high && left->offset % item)))
        fail_msg("%s: member %u, round %u: an item is split", f->what, m->call.me, m->round - 1);
    for (uint64_t k = 0; k < bytes; k++) {
        struct follow_cell a = left[k], b = right[k];
        bool fits = a.low < a.high && b.low < b.high && a.offset == b.offset;
        if (!fits || (f->ordered && a.high != b.low))
            into[k] = (struct follow_cell){0, 0, 0, 0};
        else
            into[k] = (struct follow_cell){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
                                           a.offset, a.sum + b.sum};
    }
}

/* --- what a round may not do ---------------------------------------------------------------------- */

struct follow_use {
    struct follow_range read, written;
};

static inline struct follow_use follow_use(const struct follow *f, const struct follow_member *m,
                                           const struct coll_step *step)
{
    struct follow_use u = {{FOLLOW_AREAS, 0, 0}, {FOLLOW_AREAS, 0, 0}};
    bool local = step->kind == COLL_STEP_COPY || step->kind == COLL_STEP_COMBINE;
    if (!step->bytes || step->kind == COLL_STEP_RECEIVE_PLACED || step->kind == COLL_STEP_JOIN)
        return u;
    if (step->kind == COLL_STEP_SEND || local)
        u.read = follow_range(f, m, step->at, step->bytes);
    if (step->kind != COLL_STEP_SEND)
        u.written = follow_range(f, m, local ? step->to : step->at, step->bytes);
    return u;
}

static inline bool follow_overlap(const struct follow_range *a, const struct follow_range *b)
{
    return a->area == b->area && a->from < b->end && b->from < a->end;
}

static inline bool follow_leads(const struct coll_schedule *s, uint32_t from, uint32_t to, bool *seen)
{
    const struct coll_step *step = &s->steps[from];
    if (seen[from])
        return false;
    seen[from] = true;
    for (uint32_t k = 0; k < step->releases; k++)
        if (step->then + k == to || follow_leads(s, step->then + k, to, seen))
            return true;
    return false;
}

/* Copies that wait for nothing are made in their order, before anything that is added to the round later. */
static inline bool follow_in_order(const struct follow *f, const struct coll_schedule *s, uint32_t a,
                                   uint32_t b)
{
    const struct coll_step *x = &s->steps[a], *y = &s->steps[b];
    if (x->kind == COLL_STEP_COPY && !x->needs)
        return true;
    if (x->kind == COLL_STEP_REDUCE && y->kind == COLL_STEP_REDUCE && !f->ordered && x->at == y->at)
        return true;
    bool *seen = base_zalloc(2 * s->n * sizeof *seen, "test");
    bool any = follow_leads(s, a, b, seen) || follow_leads(s, b, a, seen + s->n);
    free(seen);
    return any;
}

/* Temporary memory may be where what nobody reads goes. */
static inline void follow_check_round(const struct follow *f, struct follow_member *m)
{
    const struct coll_schedule *s = &m->schedule;
    struct follow_use *use = base_alloc((s->n + 1) * sizeof *use, "test");
    for (uint32_t k = 0; k < s->n; k++)
        use[k] = follow_use(f, m, &s->steps[k]);
    for (uint32_t a = 0; a < s->n; a++)
        for (uint32_t b = a + 1; b < s->n; b++) {
            bool both = follow_overlap(&use[a].written, &use[b].written);
            bool one = follow_overlap(&use[a].written, &use[b].read) ||
                       follow_overlap(&use[a].read, &use[b].written);
            if ((!both && !one) || follow_in_order(f, s, a, b))
                continue;
            if (one || use[a].written.area != FOLLOW_TEMP)
                fail_msg("%s: member %u, round %u: steps %u and %u use the same memory in any order", f->what,
                         m->call.me, m->round - 1, a, b);
            m->lost[a] = m->lost[b] = true;
        }
    free(use);
}

#endif
