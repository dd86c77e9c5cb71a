/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule: appending steps to a round, and finding the receive that a message belongs to. Starts nothing.
 * The invariants are in steps.h.
 */
#include "coll/schedule/buffer.h"
#include "coll/schedule/part.h"

#include <string.h>

enum { TAG_MASK = (1 << COLL_TAG_BITS) - 1, PLACE_MASK = (1 << COLL_PLACE_BITS) - 1 };

void coll_schedule_init(struct coll_schedule *s, const struct coll_call *call, const struct coll_call *shared,
                        struct base_buffers *buffers, const struct coll_hosts *hosts,
                        const struct coll_tuning *tuning)
{
    s->call = shared;
    s->me = s->place = call->me;
    s->bytes = call->bytes;
    s->dest = call->dest;
    s->source = call->source;
    s->local = call->local;
    s->size = call->group.size;
    BASE_ASSERT("C10", s->size && s->size - 1 <= PLACE_MASK);
    s->steps = s->first;
    s->cap = COLL_FIRST_STEPS;
    s->n = s->receives = 0;
    s->last_at = 0;
    s->last_bytes = s->placed_bytes = 0;
    s->temp = NULL;
    s->temp_bytes = s->learned = 0;
    s->buffers = buffers;
    s->plan = NULL;
    s->hosts = hosts;
    s->islands = NULL;
    s->network = NULL;
    s->tuning = tuning;
    s->root = coll_op_is_rooted(call->op) ? call->root : 0;
    s->depth = 0;
    s->bounds = NULL;
    s->part = NULL;
    s->regular = s->unsorted = false;
    s->unmoved = call->folded && tuning->leave_folded;
    s->apart = false;
    s->in_place = call->in_place;
    s->has_dest = call->dest || call->zero_dest;
}

void coll_schedule_nowhere(struct coll_schedule *s)
{
    enum coll_op op = s->call->op;
    if (op != COLL_COLLECT && op != COLL_GATHERV && op != COLL_SCATTERV && op != COLL_NEIGHBOR_ALLTOALL &&
        op != COLL_NEIGHBOR_ALLGATHER) {
        s->apart = !s->unmoved;
        s->unmoved = true;
    }
}

void coll_schedule_release(struct coll_schedule *s)
{
    if (s->plan)
        return;
    if (s->steps != s->first)
        base_buffers_put(s->buffers, s->steps, s->cap * sizeof *s->steps);
    if (s->temp)
        base_buffers_put(s->buffers, s->temp, s->temp_bytes);
}

static void grow(struct coll_schedule *s)
{
    uint32_t cap = s->cap * 2;
    struct coll_step *steps = base_buffers_get(s->buffers, cap * sizeof *steps);
    memcpy(steps, s->steps, s->n * sizeof *steps);
    if (s->steps != s->first)
        base_buffers_put(s->buffers, s->steps, s->cap * sizeof *steps);
    s->steps = steps;
    s->cap = cap;
}

static __attribute__((noinline)) _Noreturn void refuse(const struct coll_schedule *s, uint64_t bytes)
{
    base_fatal(BASE_EXIT_PROGRAM, "%s: a message of %llu bytes: at most %llu fit", s->call->name,
               (unsigned long long)bytes, (unsigned long long)COLL_MOST_BYTES);
}

static inline uint32_t add(struct coll_schedule *s, enum coll_step_kind kind, uint32_t peer, uint32_t tag,
                           coll_place at, uint64_t bytes)
{
    if (BASE_UNLIKELY(s->n == s->cap))
        grow(s);
    if (BASE_UNLIKELY(bytes > COLL_MOST_BYTES))
        refuse(s, bytes);
    if (BASE_UNLIKELY(s->part != NULL)) {
        peer = coll_part_place(s, peer);
        tag += coll_part_tag(s);
        at = coll_whole_place(s, at);
    }
    struct coll_step *step = &s->steps[s->n];
    *step = (struct coll_step){
        .at = at, .bytes = bytes, .tag = tag & TAG_MASK, .kind = kind, .peer = peer & PLACE_MASK};
    return s->n++;
}

static uint64_t key_of(const struct coll_step *step)
{
    return (uint64_t)step->peer << COLL_TAG_BITS | step->tag;
}

static uint32_t add_receive(struct coll_schedule *s, enum coll_step_kind kind, uint32_t peer, uint32_t tag,
                            coll_place into, uint64_t bytes)
{
    BASE_ASSERT("C4", s->receives == s->n);
    uint32_t k = add(s, kind, peer, tag, into, bytes);
    s->unsorted |= s->part && k && key_of(&s->steps[k - 1]) >= key_of(&s->steps[k]);
    s->receives++;
    return k;
}

uint32_t coll_add_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, coll_place from, uint64_t bytes)
{
    return add(s, COLL_STEP_SEND, peer, tag, from, bytes);
}

uint32_t coll_add_receive(struct coll_schedule *s, uint32_t peer, uint32_t tag, coll_place into,
                          uint64_t bytes)
{
    return add_receive(s, COLL_STEP_RECEIVE, peer, tag, into, bytes);
}

uint32_t coll_add_receive_placed(struct coll_schedule *s, uint32_t peer, uint32_t tag)
{
    return add_receive(s, COLL_STEP_RECEIVE_PLACED, peer, tag, 0, 0);
}

uint32_t coll_add_reduce(struct coll_schedule *s, uint32_t peer, uint32_t tag, coll_place into,
                         uint64_t bytes)
{
    return add_receive(s, COLL_STEP_REDUCE, peer, tag, into, bytes);
}

static inline uint32_t add_local(struct coll_schedule *s, enum coll_step_kind kind, coll_place from,
                                 coll_place to, uint64_t bytes)
{
    uint32_t k = add(s, kind, s->me, 0, from, bytes);
    s->steps[k].to = coll_whole_place(s, to);
    return k;
}

uint32_t coll_add_copy(struct coll_schedule *s, coll_place from, coll_place to, uint64_t bytes)
{
    return add_local(s, COLL_STEP_COPY, from, to, bytes);
}

uint32_t coll_add_combine(struct coll_schedule *s, coll_place from, coll_place into, uint64_t bytes)
{
    return add_local(s, COLL_STEP_COMBINE, from, into, bytes);
}

uint32_t coll_add_join(struct coll_schedule *s)
{
    uint32_t k = add(s, COLL_STEP_JOIN, s->me, 0, 0, 0);
    s->steps[k].peer = 0;
    return k;
}

void coll_order(struct coll_schedule *s, uint32_t before, uint32_t after)
{
    struct coll_step *b = &s->steps[before];
    if (!b->releases)
        b->then = after & 0xffffff;
    BASE_ASSERT("C1", before < s->n && after < s->n && before != after);
    BASE_ASSERT("C1",
                (uint32_t)(b->then + b->releases) == after && b->releases < 255 && s->steps[after].needs < 7);
    b->releases++;
    if (s->steps[after].kind == COLL_STEP_JOIN) {
        s->steps[after].peer++;
        s->steps[after].needs = 1;
    } else {
        s->steps[after].needs++;
    }
}

void coll_add_own(struct coll_schedule *s, uint64_t source_offset, uint64_t dest_offset, uint64_t bytes)
{
    coll_place from = coll_at(COLL_SOURCE, source_offset), to = coll_at(COLL_DEST, dest_offset);
    if (!bytes || !s->has_dest)
        return;
    coll_place a = coll_whole_place(s, from), b = coll_whole_place(s, to);
    bool temporary = coll_place_base(a) == COLL_TEMP || coll_place_base(b) == COLL_TEMP;
    if (temporary ? a != b : !coll_places_equal(s, a, b, bytes))
        coll_add_copy(s, from, to, bytes);
}

void *coll_temp(struct coll_schedule *s, size_t bytes)
{
    return s->unmoved ? NULL : coll_state(s, bytes);
}

void *coll_state(struct coll_schedule *s, size_t bytes)
{
    uint64_t from = coll_part_temp(s);
    if (BASE_UNLIKELY(from + bytes > s->temp_bytes)) {
        unsigned char *wide = base_buffers_get(s->buffers, from + bytes);
        if (s->temp) {
            memcpy(wide, s->temp, s->temp_bytes);
            base_buffers_put(s->buffers, s->temp, s->temp_bytes);
        }
        s->temp = wide;
        s->temp_bytes = from + bytes;
    }
    return s->temp + from;
}

void *coll_learned(struct coll_schedule *s, size_t bytes)
{
    void *at = coll_state(s, bytes);
    uint64_t end = coll_part_temp(s) + bytes;
    s->learned = end > s->learned ? end : s->learned;
    return at;
}

void coll_add_reduce_from_all(struct coll_schedule *s, coll_place at, uint64_t bytes)
{
    for (uint32_t p = 0; p < s->size; p++)
        if (p != s->me)
            coll_add_reduce(s, p, 1, at, bytes);
    for (uint32_t p = s->me; p > 1; p--)
        coll_order(s, p - 1, p - 2);
    for (uint32_t k = s->me; k + 1 < s->size; k++)
        if (k > s->me)
            coll_order(s, k - 1, k);
        else if (s->me)
            coll_order(s, 0, k);
}

/* --- a round ------------------------------------------------------------------------------------ */

bool coll_schedule_ascends(const struct coll_schedule *s)
{
    for (uint32_t k = 1; k < s->receives; k++)
        if (key_of(&s->steps[k - 1]) >= key_of(&s->steps[k]))
            return false;
    return true;
}

uint32_t coll_schedule_receiver(const struct coll_schedule *s, uint32_t peer, uint32_t tag)
{
    uint64_t key = (uint64_t)peer << COLL_TAG_BITS | (tag & TAG_MASK);
    uint32_t low = 0, high = s->receives;
    uint32_t guess = high ? peer - s->steps[0].peer : 0; /* many receives are mostly from neighbours */
    if (BASE_UNLIKELY(s->unsorted)) {
        while (low < high && key_of(&s->steps[low]) != key)
            low++;
        return low < high ? low : UINT32_MAX;
    }
    if (BASE_LIKELY(guess < high && key_of(&s->steps[guess]) == key))
        return guess;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        uint64_t here = key_of(&s->steps[mid]);
        if (here == key)
            return mid;
        if (here < key)
            low = mid + 1;
        else
            high = mid;
    }
    return UINT32_MAX;
}

/* --- windows ------------------------------------------------------------------------------------ */

bool coll_window_of(const struct coll_schedule *s, uint32_t round, struct coll_window *w)
{
    uint64_t from = 1 + (uint64_t)round * COLL_WINDOW, end = from + COLL_WINDOW;
    if (from >= (uint64_t)s->size + COLL_WINDOW)
        return false;
    w->end = (uint32_t)(end < s->size ? end : s->size);
    w->from = (uint32_t)(from < w->end ? from : w->end);
    return true;
}
