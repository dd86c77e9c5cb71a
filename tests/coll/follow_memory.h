/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow_memory: members whose memory holds no data, but whose operands each byte has (follow_area.h).
 *
 * Each round is searched for two steps that use the same memory, one of them writing, in an order that nothing
 * determines (C5): what one order gives then holds for all of them.
 */
#ifndef PGASIM_TESTS_COLL_FOLLOW_MEMORY_H
#define PGASIM_TESTS_COLL_FOLLOW_MEMORY_H

#include "coll/algorithms.h"
#include "coll/follow_area.h"
#include "coll/schedule/buffer.h"
#include "coll/select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { FOLLOW_SOURCE, FOLLOW_DEST, FOLLOW_TEMP, FOLLOW_AREAS };
#define FOLLOW_BASE UINT64_C(0x100000000) /* addresses of area k begin at 1 + k times this */

struct follow_member {
    struct coll_schedule schedule;
    struct coll_call call;
    struct coll_local local;
    struct follow_area area[FOLLOW_AREAS];
    struct follow_area **early; /* of a round's receives: what has come before they may begin */
    bool *lost;                 /* of a round's steps: another one may overwrite what it wrote */
    uint64_t *met, **told;      /* a barrier: who is known to have come; what each send of the round knew */
    uint32_t *sends;            /* of a round: those that have started and are not done */
    uint32_t sending, round, remaining;
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
    struct follow_area *left, *right, *result; /* of the step that is carried out */
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
    if (bytes && (r.area < 0 || r.area >= FOLLOW_AREAS || r.end > m->area[r.area].room))
        fail_msg("%s: member %u, round %u: %llu bytes at %#llx of area %d are outside its memory", f->what,
                 m->call.me, m->round - 1, (unsigned long long)bytes, (unsigned long long)r.from, r.area);
    return r;
}

/* What is there, as an area of its own. */
static inline void follow_read(const struct follow *f, const struct follow_member *m, coll_place at,
                               uint64_t bytes, struct follow_area *out)
{
    struct follow_range r = follow_range(f, m, at, bytes);
    follow_area_clear(out);
    if (bytes)
        follow_area_read(&m->area[r.area], r.from, bytes, out);
}

static inline void follow_write(const struct follow *f, struct follow_member *m, coll_place at,
                                const struct follow_area *in)
{
    struct follow_range r = follow_range(f, m, at, in->room);
    if (in->room)
        follow_area_write(&m->area[r.area], r.from, in);
}

static inline struct follow_cell follow_combined(const struct follow *f, struct follow_cell a,
                                                 struct follow_cell b)
{
    bool fits = a.low < a.high && b.low < b.high && a.offset == b.offset;
    if (!fits || (f->ordered && a.high != b.low))
        return (struct follow_cell){0, 0, 0, 0};
    return (struct follow_cell){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.offset,
                                a.sum + b.sum};
}

/* f->result = left op right. What must not be combined gives nothing: algorithms may do that to parts that
 * nobody reads any more. */
static inline void follow_combine(const struct follow *f, const struct follow_member *m,
                                  const struct follow_area *left, const struct follow_area *right)
{
    uint64_t item = m->call.element, bytes = left->room;
    const struct follow_cell *head = bytes ? &left->run[0].cell : NULL;
    if (bytes && (bytes % item || (head->low < head->high && head->offset % item)))
        fail_msg("%s: member %u, round %u: an item is split", f->what, m->call.me, m->round - 1);
    follow_area_clear(f->result);
    for (uint64_t at = 0, a = 0, b = 0, end; at < bytes; at = end) {
        uint64_t a_end = follow_run_end(left, a), b_end = follow_run_end(right, b);
        end = a_end < b_end ? a_end : b_end;
        struct follow_cell one = follow_cell_after(left->run[a].cell, at - left->run[a].from);
        struct follow_cell other = follow_cell_after(right->run[b].cell, at - right->run[b].from);
        one = follow_combined(f, one, other);
        follow_area_add(f->result, &one, end - at);
        a += a_end == end;
        b += b_end == end;
    }
}

/* --- what a round may not do ---------------------------------------------------------------------- */

/* One step's use of memory. */
struct follow_use {
    struct follow_range range;
    uint32_t step;
    bool writes;
};

static inline uint32_t follow_uses_of(const struct follow *f, const struct follow_member *m, uint32_t index,
                                      struct follow_use *use)
{
    const struct coll_step *step = &m->schedule.steps[index];
    bool local = step->kind == COLL_STEP_COPY || step->kind == COLL_STEP_COMBINE;
    uint32_t n = 0;
    if (!step->bytes || step->kind == COLL_STEP_RECEIVE_PLACED || step->kind == COLL_STEP_JOIN)
        return 0;
    if (step->kind == COLL_STEP_SEND || local)
        use[n++] = (struct follow_use){follow_range(f, m, step->at, step->bytes), index, false};
    if (step->kind != COLL_STEP_SEND)
        use[n++] =
            (struct follow_use){follow_range(f, m, local ? step->to : step->at, step->bytes), index, true};
    return n;
}

static inline int follow_compare_uses(const void *left, const void *right)
{
    const struct follow_use *a = left, *b = right;
    if (a->range.area != b->range.area)
        return a->range.area < b->range.area ? -1 : 1;
    return (a->range.from > b->range.from) - (a->range.from < b->range.from);
}

/* Which steps of a round come after which, as far as the algorithm has ordered them: for each step that was
 * asked for, a bit for each later one. */
struct follow_order {
    const struct coll_schedule *schedule;
    uint64_t words, **later;
};

static inline const uint64_t *follow_later(struct follow_order *o, uint32_t from)
{
    const struct coll_step *step = &o->schedule->steps[from];
    uint64_t *bits = o->later[from];
    if (bits)
        return bits;
    bits = o->later[from] = base_zalloc(o->words * sizeof *bits, "test");
    for (uint32_t k = step->then, end = k + step->releases; k < end; k++) {
        const uint64_t *more = follow_later(o, k);
        bits[k / 64] |= UINT64_C(1) << k % 64;
        for (uint64_t w = 0; w < o->words; w++)
            bits[w] |= more[w];
    }
    return bits;
}

static inline bool follow_leads(struct follow_order *o, uint32_t from, uint32_t to)
{
    return o->schedule->steps[from].releases && follow_later(o, from)[to / 64] >> to % 64 & 1;
}

/* Copies that wait for nothing are made in their order, before anything that is added to the round later. */
static inline bool follow_in_order(const struct follow *f, struct follow_order *o, uint32_t a, uint32_t b)
{
    const struct coll_step *x = &o->schedule->steps[a < b ? a : b], *y = &o->schedule->steps[a < b ? b : a];
    if (x->kind == COLL_STEP_COPY && !x->needs)
        return true;
    if (x->kind == COLL_STEP_REDUCE && y->kind == COLL_STEP_REDUCE && !f->ordered && x->at == y->at)
        return true;
    return follow_leads(o, a, b) || follow_leads(o, b, a);
}

/* Two steps that use the same memory. Temporary memory may be where what nobody reads goes. */
static inline void follow_check_pair(const struct follow *f, struct follow_member *m, struct follow_order *o,
                                     const struct follow_use *x, const struct follow_use *y)
{
    if (x->step == y->step || (!x->writes && !y->writes) || follow_in_order(f, o, x->step, y->step))
        return;
    if (!x->writes || !y->writes || x->range.area != FOLLOW_TEMP)
        fail_msg("%s: member %u, round %u: steps %u and %u use the same memory in any order", f->what,
                 m->call.me, m->round - 1, x->step, y->step);
    m->lost[x->step] = m->lost[y->step] = true;
}

static inline void follow_check_round(const struct follow *f, struct follow_member *m)
{
    const struct coll_schedule *s = &m->schedule;
    struct follow_order order = {s, s->n / 64 + 1, base_zalloc((s->n + 1) * sizeof *order.later, "test")};
    struct follow_use *use = base_alloc((2 * s->n + 1) * sizeof *use, "test");
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->n; k++)
        n += follow_uses_of(f, m, k, use + n);
    qsort(use, n, sizeof *use, follow_compare_uses);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n && use[b].range.area == use[a].range.area; b++) {
            if (use[b].range.from >= use[a].range.end)
                break;
            follow_check_pair(f, m, &order, &use[a], &use[b]);
        }
    for (uint32_t k = 0; k < s->n; k++)
        free(order.later[k]);
    free(order.later);
    free(use);
}

#endif
