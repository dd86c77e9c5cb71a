/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows: linear exchanges, which send every part straight to its receiver and differ in how many messages
 * are under way at a time, in which order they set out, and what they wait for.
 *
 * a is the time of one small message, B the bandwidth, M the bytes of a member's parts, n members. All send
 * n (n - 1) messages, those that skip empty parts fewer.
 */
#include "coll/alltoall/alltoall.h"
#include "coll/alltoall/direct.h"

/* The k-th of the members at these distances after me, in ascending order of place. */
static uint32_t window_after(const struct coll_schedule *s, const struct coll_window *w, uint32_t k)
{
    const struct coll_window before = {s->size - w->end + 1, s->size - w->from + 1};
    return coll_window_before(s, &before, k);
}

/* --- one window after the other ------------------------------------------------------------------- */

static bool is_sent(const struct coll_schedule *s, enum coll_base base, uint32_t part, bool skip)
{
    return !skip || coll_part_bytes(s, base, part);
}

/* Window k has the distances from k * width on, the first of them my own part: receives from the members
 * after me, sends to those before. */
static bool windows(struct coll_schedule *s, uint32_t round, uint32_t width, bool skip)
{
    uint64_t from = (uint64_t)round * width, end = from + width < s->size ? from + width : s->size;
    struct coll_window w = {(uint32_t)(from ? from : 1), (uint32_t)end};
    if (from >= s->size)
        return false;
    for (uint32_t k = 0; k < w.end - w.from; k++) {
        uint32_t peer = window_after(s, &w, k);
        if (is_sent(s, COLL_DEST, peer, skip))
            coll_direct_receive(s, peer, 0);
    }
    for (uint32_t d = w.from; d < w.end; d++)
        if (is_sent(s, COLL_SOURCE, coll_before(s, d), skip))
            coll_direct_send(s, coll_before(s, d), 0);
    if (!from)
        coll_direct_own(s);
    return true;
}

/* As MPICH: windows of 32 (coll/window); empty parts are not sent. n/32 a + M/B. */
bool coll_alltoall_scattered(struct coll_schedule *s, uint32_t round)
{
    return windows(s, round, coll_outstanding(s, 32), s->call->op != COLL_ALLTOALL);
}

/* As MVAPICH2: windows of 4 (coll/window). n/4 a + M/B. */
bool coll_alltoall_scatter_dest(struct coll_schedule *s, uint32_t round)
{
    return windows(s, round, coll_outstanding(s, 4), false);
}

/* --- everything at once ---------------------------------------------------------------------------- */

static void receive_all(struct coll_schedule *s)
{
    for (uint32_t p = 0; p < s->size; p++)
        if (p != s->me)
            coll_direct_receive(s, p, 0);
}

static void post_all(struct coll_schedule *s)
{
    receive_all(s);
    for (uint32_t d = 1; d < s->size; d++)
        coll_direct_send(s, coll_before(s, d), 0);
    coll_direct_own(s);
}

/* Everything is posted at once, the sends in descending order from my place on, so that members begin with
 * different ones. a + M/B; holds 2 (n - 1) steps at each member. */
bool coll_alltoall_spread_out(struct coll_schedule *s, uint32_t round)
{
    if (round)
        return false;
    post_all(s);
    return true;
}

/* For two members: one exchange. a + m/B; 2 messages. */
bool coll_alltoall_two(struct coll_schedule *s, uint32_t round)
{
    return coll_alltoall_spread_out(s, round);
}

/* Everything at once in order of place: all members begin with place 0. */
bool coll_alltoall_in_turn(struct coll_schedule *s, uint32_t round)
{
    if (round)
        return false;
    receive_all(s);
    for (uint32_t p = 0; p < s->size; p++)
        if (p != s->me)
            coll_direct_send(s, p, 0);
    coll_direct_own(s);
    return true;
}

/* --- windows that slide ---------------------------------------------------------------------------- */

/* The step that receives from the member at this distance after me: receives are in order of place. */
static uint32_t receive_step(const struct coll_schedule *s, uint32_t distance)
{
    uint32_t from = coll_after(s, distance);
    return from < s->me ? from : from - 1;
}

/* As Open MPI's linear_sync: at most 16 receives and as many sends are outstanding (coll/window; Open MPI's
 * own value is all, which is linear); when one is done, the one 16 further is posted. Open MPI posts the next
 * one in order instead, whichever is done. a + M/B and what windows cost; holds 2 (n - 1) steps. */
bool coll_alltoall_linear_sync(struct coll_schedule *s, uint32_t round)
{
    uint32_t width = coll_outstanding(s, 16), first = s->size - 1;
    if (round)
        return false;
    post_all(s);
    for (uint64_t d = 1; d + width < s->size; d++) {
        uint32_t next = receive_step(s, (uint32_t)d + width);
        coll_order(s, receive_step(s, (uint32_t)d), next);
        s->steps[next].state = COLL_HELD;
        coll_order(s, first + (uint32_t)d - 1, first + (uint32_t)d - 1 + width);
    }
    return true;
}

enum { BATCH = 4 };

/* The number of the program's call that receives from the member `d` after me; the next one sends to the one
 * `d` before. From `width` on, waits for both calls of each member of a batch come before each batch. */
static uint32_t call_number(uint32_t d, uint32_t width, uint32_t batch)
{
    uint32_t waits = d > width ? (d - 1 - width) / batch + 1 : 0;
    return 2 * (d - 1) + 2 * batch * waits;
}

static void wait_for_batch(struct coll_program *p, uint32_t first, uint32_t width, uint32_t batch)
{
    for (uint32_t d = first; d < first + batch; d++) {
        coll_program_wait(p, call_number(d, width, batch));
        coll_program_wait(p, call_number(d, width, batch) + 1);
    }
}

/* As MPICH's tsp_scattered: 64 partners at first (coll/window), and whenever the oldest 4 are done the next
 * 4. a + M/B and what windows cost; holds 2 (n - 1) steps. */
bool coll_alltoall_batches(struct coll_schedule *s, uint32_t round)
{
    struct coll_program p;
    uint32_t width = coll_outstanding(s, 64), batch = width < BATCH ? width : BATCH;
    if (round)
        return false;
    coll_program_begin(&p, s);
    for (uint32_t d = 1; d < s->size; d++) {
        uint32_t from = coll_after(s, d), to = coll_before(s, d);
        if (d > width && (d - 1 - width) % batch == 0)
            wait_for_batch(&p, d - width, width, batch);
        coll_program_receive(&p, from, 0, coll_part_at(s, COLL_DEST, from),
                             coll_part_bytes(s, COLL_DEST, from));
        coll_program_send(&p, to, 0, coll_part_at(s, COLL_SOURCE, to), coll_part_bytes(s, COLL_SOURCE, to));
    }
    coll_program_end(&p);
    coll_direct_own(s);
    return true;
}
