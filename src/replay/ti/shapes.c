/* SPDX-License-Identifier: BSD-3-Clause */
/* shapes: the arguments of an action, by their shape (numbers.c reads one after the other). */
#include "replay/ti/line.h"

#include "coll/coll.h"
#include "p2p/p2p.h"

#include <inttypes.h>
#include <string.h>

static int read_location(struct replay_ti_reader *x, struct base_status *st)
{
    int64_t line;
    if (!(x->action.text = replay_ti_word(x, 2)))
        return base_fail(st, "location: the file is missing");
    if (replay_ti_whole(x, 3, "a line", 0, INT32_MAX, &line, st))
        return -1;
    x->action.number = (uint32_t)line;
    return 0;
}

static int read_repeat(struct replay_ti_reader *x, struct base_status *st)
{
    int64_t times;
    if (replay_ti_whole(x, 2, "a number of times", 1, UINT32_MAX, &times, st))
        return -1;
    x->action.number = (uint32_t)times;
    return 0;
}

static int read_message(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    bool receive = a->kind == REPLAY_RECV || a->kind == REPLAY_IRECV;
    bool started = !receive && a->number == REPLAY_TI_STARTED;
    size_t k = 3;
    int64_t count;
    uint64_t size;
    a->tag = 0;
    if (replay_ti_rank(x, 2, receive ? "a source" : "a destination", receive, &a->peer, st) ||
        (!x->old && replay_ti_tag(x, k++, &a->tag, st)))
        return -1;
    if (!receive && a->tag == REPLAY_ANY_TAG)
        return base_fail(st, "%s %s: expected a tag of 0 or more", x->words.at[1], x->words.at[3]);
    if (x->old && receive && k >= x->words.n) { /* the oldest traces leave it out */
        a->bytes = REPLAY_UNKNOWN_SIZE;
        return 0;
    }
    if (replay_ti_whole(x, k, "a count", receive ? -0x1p53 : 0, 0x1p53, &count, st) ||
        replay_ti_type(x, k + 1, &size, st))
        return -1;
    a->bytes = count < 0 ? REPLAY_UNKNOWN_SIZE : (uint64_t)count * size;
    if (started)
        a->number = P2P_STANDARD;
    if (started && a->peer == x->rank) {
        a->kind = REPLAY_IRECV;
        a->peer = REPLAY_ANY;
    }
    return 0;
}

static int read_exchange(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    return replay_ti_data(x, 2, 6, &a->bytes, st) ||
                   replay_ti_rank(x, 3, "a destination", false, &a->peer, st) ||
                   replay_ti_data(x, 4, 7, &a->bytes2, st) ||
                   replay_ti_rank(x, 5, "a source", true, &a->peer2, st)
               ? -1
               : 0;
}

static int read_request(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    if (x->old && x->words.n == 2 && a->kind == REPLAY_WAIT) {
        a->kind = REPLAY_WAIT_LAST;
        return 0;
    }
    if (x->old && x->words.n == 2) {
        a->kind = REPLAY_TESTANY;
        return 0;
    }
    return replay_ti_rank(x, 2, "a sender", true, &a->peer, st) ||
                   replay_ti_rank(x, 3, "a receiver", true, &a->peer2, st) || replay_ti_tag(x, 4, &a->tag, st)
               ? -1
               : 0;
}

/* One part of what a collective moves: the larger of what the line says is sent and received. Where the data is in
 * place, one of them is 0. */
static int read_parts(struct replay_ti_reader *x, size_t types, struct base_status *st)
{
    uint64_t sent, received;
    struct replay_action *a = &x->action;
    if (replay_ti_data(x, 2, types, &sent, st) || replay_ti_data(x, 3, types + 1, &received, st) ||
        replay_ti_type(x, types, &a->bytes2, st))
        return -1;
    a->bytes = a->number == COLL_SCATTER ? received : sent;
    if (!a->bytes)
        a->bytes = a->number == COLL_SCATTER ? sent : received;
    return 0;
}

static int read_reduction(struct replay_ti_reader *x, size_t type, struct base_status *st)
{
    struct replay_action *a = &x->action;
    return replay_ti_data(x, 2, type, &a->bytes, st) || replay_ti_amount(x, 3, "an amount of flops", st) ||
                   replay_ti_type(x, type, &a->bytes2, st)
               ? -1
               : 0;
}

/* Types stand directly behind the counts, or not at all if displacements do. */
static size_t types_of_allgatherv(const struct replay_ti_reader *x, uint32_t members)
{
    size_t behind = 3 + (size_t)members, n = x->words.n;
    return n > behind + 2 && n <= behind + members ? n : behind;
}

/* Of how many ranks a line has counts: of all, if what may be left out behind them is there or is not, or if there are
 * displacements; else of as many as there are words for, beside what may be left out, which SMPI's tracer writes. */
static uint32_t members_of(const struct replay_ti_reader *x, enum replay_ti_shape shape)
{
    static const struct {
        unsigned char needed, optional; /* words beside the counts */
    } others[] = {[REPLAY_TI_GATHERV] = {3, 3},
                  [REPLAY_TI_ALLGATHERV] = {3, 2},
                  [REPLAY_TI_SCATTERV] = {3, 3},
                  [REPLAY_TI_ALLTOALLV] = {4, 2},
                  [REPLAY_TI_SCATTERED] = {3, 1}};
    size_t lists = shape == REPLAY_TI_ALLTOALLV ? 2 : 1, words = x->words.n,
           least = lists * x->ranks + others[shape].needed;
    size_t beside = (size_t)others[shape].needed + others[shape].optional;
    if (words == least || words >= least + others[shape].optional || words < beside + lists)
        return x->ranks;
    return (uint32_t)((words - beside) / lists);
}

static int read_v(struct replay_ti_reader *x, enum replay_ti_shape shape, struct base_status *st)
{
    struct replay_action *a = &x->action;
    uint32_t n = members_of(x, shape);
    size_t first = shape == REPLAY_TI_SCATTERV || shape == REPLAY_TI_SCATTERED ? 2 : 3, own = 0,
           types = first + n;
    bool receives = shape == REPLAY_TI_GATHERV || shape == REPLAY_TI_ALLGATHERV;
    a->bytes = 0;
    switch (shape) {
    case REPLAY_TI_GATHERV:
        own = 2;
        types++;
        break;
    case REPLAY_TI_ALLGATHERV:
        own = 2;
        types = types_of_allgatherv(x, n);
        break;
    case REPLAY_TI_SCATTERV:
        own = n + 2;
        types += 2;
        break;
    case REPLAY_TI_SCATTERED:
        types++;
        break;
    default:
        types += n + 1;
        break;
    }
    if (replay_ti_counts(x, first, n, types + receives, st) ||
        (shape == REPLAY_TI_ALLTOALLV && replay_ti_counts(x, n + 4, n, types + 1, st)) ||
        (own && replay_ti_data(x, own, types + (shape == REPLAY_TI_SCATTERV), &a->bytes, st)) ||
        replay_ti_type(x, types, &a->bytes2, st))
        return -1;
    replay_ti_use_counts(x, n);
    if (shape == REPLAY_TI_GATHERV || shape == REPLAY_TI_SCATTERV)
        return replay_ti_root(x, n + 3, &a->peer, st);
    return shape == REPLAY_TI_SCATTERED ? replay_ti_amount(x, n + 2, "an amount of flops", st) : 0;
}

static int read_amount(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    int64_t counted = 0;
    if (replay_ti_choose(x, 2, st) || replay_ti_choose(x, 3, st))
        return -1;
    if (a->kind == REPLAY_SECONDS && x->words.n > 3 &&
        replay_ti_whole(x, 3, "a count of instructions", 0, 0x1p53, &counted, st))
        return -1;
    a->bytes = (uint64_t)counted;
    return replay_ti_amount(x, 2, a->kind == REPLAY_COMPUTE ? "an amount of flops" : "a number of seconds",
                            st);
}

static int read_moves(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    int64_t moved, copied = 0;
    if (replay_ti_whole(x, 2, "a number of bytes", 0, 0x1p53, &moved, st) ||
        (x->words.n > 3 && replay_ti_whole(x, 3, "a number of bytes", 0, 0x1p53, &copied, st)))
        return -1;
    a->bytes = (uint64_t)moved;
    a->bytes2 = (uint64_t)copied;
    return 0;
}

static int read_pstate(struct replay_ti_reader *x, struct base_status *st)
{
    int64_t pstate;
    x->action.peer = REPLAY_ANY;
    if (replay_ti_whole(x, 2, "a pstate", 0, INT32_MAX, &pstate, st))
        return -1;
    x->action.number = (uint32_t)pstate;
    return x->words.n > 3 ? replay_ti_rank(x, 3, "a rank", false, &x->action.peer, st) : 0;
}

/* Of traces of calls: a rank of a communicator, which has no more than there are; nobody; or it is not known. */
static int read_source(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    bool known = x->words.n != 3 || strcmp(x->words.at[2], "any") != 0;
    int64_t tag;
    a->peer = REPLAY_ANY;
    a->tag = known ? 0 : REPLAY_ANY_TAG;
    if (x->words.n == 2 || !known)
        return 0;
    if (replay_ti_rank(x, 2, "a rank", false, &a->peer, st) ||
        replay_ti_whole(x, 3, "a tag", 0, INT32_MAX, &tag, st))
        return -1;
    a->tag = (int32_t)tag;
    return 0;
}

int replay_ti_arguments(struct replay_ti_reader *x, enum replay_ti_shape shape, struct base_status *st)
{
    struct replay_action *a = &x->action;
    switch (shape) {
    case REPLAY_TI_NOTHING:
    case REPLAY_TI_BARRIER:
        return 0;
    case REPLAY_TI_INIT:
        x->doubles[x->rank] = x->words.n > 2;
        return 0;
    case REPLAY_TI_AMOUNT:
        return read_amount(x, st);
    case REPLAY_TI_LOCATION:
        return read_location(x, st);
    case REPLAY_TI_REPEAT:
        return read_repeat(x, st);
    case REPLAY_TI_END:
        return 0;
    case REPLAY_TI_MOVES:
        return read_moves(x, st);
    case REPLAY_TI_PSTATE:
        return read_pstate(x, st);
    case REPLAY_TI_SOURCE:
        return read_source(x, st);
    case REPLAY_TI_THREAD:
        return replay_ti_thread(x, st);
    case REPLAY_TI_MESSAGE:
        return read_message(x, st);
    case REPLAY_TI_EXCHANGE:
        return read_exchange(x, st);
    case REPLAY_TI_REQUEST:
        return read_request(x, st);
    case REPLAY_TI_BROADCAST:
        return replay_ti_data(x, 2, 4, &a->bytes, st) || replay_ti_root(x, 3, &a->peer, st) ||
               replay_ti_type(x, 4, &a->bytes2, st);
    case REPLAY_TI_REDUCE:
        return read_reduction(x, 5, st) || replay_ti_root(x, 4, &a->peer, st) ? -1 : 0;
    case REPLAY_TI_ALLREDUCE:
        return read_reduction(x, 4, st);
    case REPLAY_TI_ROOTED:
        return replay_ti_root(x, 4, &a->peer, st) || read_parts(x, 5, st) ? -1 : 0;
    case REPLAY_TI_UNROOTED:
        return read_parts(x, 4, st);
    default:
        return read_v(x, shape, st);
    }
}
