/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows: calls on windows of MPI as one-sided operations. Epochs are what they do on the wire: a fence waits for the answers
 * and is a barrier then; posts and completions are empty messages; a lock is a question to the target, which nobody else delays.
 */
#include "p2p/p2p.h"
#include "replay/convert/plain.h"

#include "coll/coll.h"

#include <mpi.h>

enum { TOKEN = 1 << 28, POST = TOKEN, COMPLETE = TOKEN + 1, OWN_NUMBERS = 1 << 27 };

static struct replay_window *window_of(struct replay_plain *x, const struct replay_words *w)
{
    return base_table_find(&x->windows, (uint64_t)replay_words_number(w, "win"));
}

static uint64_t stream_of(const struct replay_words *w)
{
    return (uint64_t)replay_words_number(w, "win");
}

static void settle(struct replay_plain *x, const struct replay_words *w, uint32_t target)
{
    x->sink->remote->settle(x->sink, x->rank, stream_of(w), target);
}

static void barrier(struct replay_plain *x, uint32_t group)
{
    struct replay_action a = {.kind = REPLAY_COLLECTIVE, .number = COLL_BARRIER, .group = group};
    replay_plain_put(x, &a);
}

/* Of a call with a rank: its rank in the world; REPLAY_ANY: there is none. */
static uint32_t target_of(const struct replay_plain *x, const struct replay_window *win,
                          const struct replay_words *w)
{
    int64_t rank = replay_words_number(w, replay_words_part(w, "target_rank") ? "target_rank" : "rank");
    return rank < 0 || rank >= replay_members(x->tape, win->group)
               ? REPLAY_ANY
               : replay_member(x->tape, win->group, (uint32_t)rank);
}

static void move(struct replay_plain *x, struct replay_remote o)
{
    if (o.target == REPLAY_ANY || o.target == x->rank) /* its own memory takes no messages */
        return;
    x->sink->remote->move(x->sink, x->rank, &o);
}

/* No rank waits for one of these by its number. */
static uint32_t own_number(struct replay_plain *x)
{
    return OWN_NUMBERS + x->moves++ % OWN_NUMBERS;
}

static uint64_t bytes_of(const struct replay_plain *x, const struct replay_words *w, const char *count,
                         const char *type)
{
    enum { MOST = 1 << 30 };
    int64_t n = replay_words_part(w, count) ? replay_words_number(w, count) : 1;
    uint64_t size = replay_size_of(&x->sizes, replay_words_number(w, type));
    return n <= 0 ? 0 : (uint64_t)(n < MOST ? n : MOST) * size;
}

static void access(struct replay_plain *x, const struct replay_window *win, const struct replay_words *w)
{
    bool whole = replay_words_part(w, "origin_count") != NULL;
    const char *count = whole ? "origin_count" : "", *type = whole ? "origin_datatype" : "datatype";
    struct replay_remote o = {
        .target = target_of(x, win, w), .number = x->operations, .stream = stream_of(w)};
    uint64_t bytes = bytes_of(x, w, count, type);
    switch (w->function) {
    case RECORD_MPI_GET:
    case RECORD_MPI_RGET:
        o.back = bytes;
        break;
    case RECORD_MPI_GET_ACCUMULATE:
    case RECORD_MPI_RGET_ACCUMULATE:
        o.there = bytes;
        o.back = bytes_of(x, w, "result_count", "result_datatype");
        break;
    case RECORD_MPI_FETCH_AND_OP:
        o.there = o.back = bytes;
        break;
    case RECORD_MPI_COMPARE_AND_SWAP:
        o.there = 2 * bytes;
        o.back = bytes;
        break;
    default:
        o.there = bytes;
    }
    if (replay_words_part(w, "request")) {
        replay_request_make(x, w, &(struct replay_request){.n = 0});
        replay_unsay(x->sink->out, w->f->name, "waited for where the window's others are");
    }
    move(x, o);
}

/* --- epochs --------------------------------------------------------------------------------------------------- */

static void send_tokens(struct replay_plain *x, uint32_t group, int32_t tag)
{
    for (uint32_t k = 0; k < replay_members(x->tape, group); k++) {
        struct replay_action a = {.kind = REPLAY_ISEND,
                                  .peer = replay_member(x->tape, group, k),
                                  .tag = tag,
                                  .number = P2P_STANDARD};
        replay_plain_put(x, &a);
    }
}

static void receive_tokens(struct replay_plain *x, uint32_t group, int32_t tag)
{
    for (uint32_t k = 0; k < replay_members(x->tape, group); k++) {
        struct replay_action a = {.kind = REPLAY_RECV, .peer = replay_member(x->tape, group, k), .tag = tag};
        replay_plain_put(x, &a);
    }
}

static void lock(struct replay_plain *x, const struct replay_window *win, const struct replay_words *w)
{
    replay_unsay(x->sink->out, w->f->name,
                 "as a question to the target, without waiting for others that hold it");
    move(x, (struct replay_remote){.target = target_of(x, win, w),
                                   .number = own_number(x),
                                   .stream = stream_of(w),
                                   .answered = true});
}

static void complete(struct replay_plain *x, struct replay_window *win, const struct replay_words *w)
{
    settle(x, w, REPLAY_ANY);
    send_tokens(x, win->started, COMPLETE);
    win->started = REPLAY_EMPTY_GROUP;
}

static void end_exposure(struct replay_plain *x, struct replay_window *win)
{
    receive_tokens(x, win->posted, COMPLETE);
    win->posted = REPLAY_EMPTY_GROUP;
}

/* --- calls ------------------------------------------------------------------------------------------------------- */

static void make(struct replay_plain *x, const struct replay_words *w)
{
    const struct record_part *made = replay_words_part(w, "win");
    const struct replay_known *on = replay_plain_comm(x, replay_words_number(w, "comm"));
    replay_plain_left_out(x, w);
    if (made->at[0] < RECORD_MADE)
        return;
    struct replay_window *win = base_table_add(&x->windows, (uint64_t)made->at[0], NULL);
    *win =
        (struct replay_window){on ? on->comm.group : REPLAY_NO_GROUP, REPLAY_EMPTY_GROUP, REPLAY_EMPTY_GROUP};
}

void replay_window_epoch(struct replay_plain *x, const struct replay_words *w, uint32_t group)
{
    struct replay_window *win = window_of(x, w);
    bool posts = w->function == RECORD_MPI_WIN_POST;
    if (!x->sink->remote || !win || win->group == REPLAY_NO_GROUP || group == REPLAY_NO_GROUP) {
        replay_plain_left_out(x, w);
        return;
    }
    *(posts ? &win->posted : &win->started) = group;
    if (posts)
        send_tokens(x, group, POST);
    else
        receive_tokens(x, group, POST);
}

static void on_window(struct replay_plain *x, struct replay_window *win, const struct replay_words *w)
{
    switch (w->function) {
    case RECORD_MPI_WIN_FENCE:
    case RECORD_MPI_WIN_FREE:
        settle(x, w, REPLAY_ANY);
        barrier(x, win->group);
        return;
    case RECORD_MPI_WIN_LOCK:
        lock(x, win, w);
        return;
    case RECORD_MPI_WIN_UNLOCK:
    case RECORD_MPI_WIN_FLUSH:
        settle(x, w, target_of(x, win, w));
        return;
    case RECORD_MPI_WIN_UNLOCK_ALL:
    case RECORD_MPI_WIN_FLUSH_ALL:
        settle(x, w, REPLAY_ANY);
        return;
    case RECORD_MPI_WIN_COMPLETE:
        complete(x, win, w);
        return;
    case RECORD_MPI_WIN_TEST:
        if (replay_words_number(w, "flag"))
            end_exposure(x, win);
        return;
    case RECORD_MPI_WIN_WAIT:
        end_exposure(x, win);
        return;
    default:
        if (replay_words_part(w, "target_rank"))
            access(x, win, w);
    }
}

bool replay_window_call(struct replay_plain *x, const struct replay_words *w)
{
    const struct record_part *p = replay_words_part(w, "win");
    if (!x->sink->remote || !p)
        return false;
    struct replay_window *win = window_of(x, w);
    if (replay_words_part(w, "target_rank") && replay_words_number(w, "target_rank") != MPI_PROC_NULL)
        x->operations++; /* what a rank saw of it is known by its number */
    if (p->param->way == RECORD_OUT)
        make(x, w);
    else if (!win || win->group == REPLAY_NO_GROUP)
        return false;
    else
        on_window(x, win, w);
    return true;
}
