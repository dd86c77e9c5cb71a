/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * archive: actions and calls as events of an OTF2 archive. A call is a region, in which its messages, requests and collectives
 * are events; an action of a trace without calls is one, too. With times of the recorded run they are at these, else calls have
 * no length, and computation is the time between them.
 *
 * Invariants
 *  A1  A rank's time never goes back.
 */
#include "coll/coll.h"
#include "replay/convert/own.h"
#include "replay/otf2/otf2.h"

#include <math.h>
#include <stdlib.h>

static const double SECOND = 1e12, LONGEST = 1e6; /* ps; seconds of one computation */
#define LATEST (UINT64_C(1) << 62)

/* A request that is open: what it is of, for its end. */
struct pending {
    struct replay_action action;
    uint64_t sent, received;
    bool left_out;
};

struct archive {
    struct replay_sink sink; /* first */
    struct replay_otf2_writer *to;
    struct replay_tape *tape;
    const char *(*name)(enum replay_kind kind, uint32_t number);
    double zero; /* of the tape's times, seconds; infinite: it has none */
    /* Of the rank. */
    uint32_t rank;
    uint64_t now;
    double rest, compute;   /* of a ps; seconds since its last call */
    double begin, duration; /* of the next call, if `timed` */
    uint64_t end;           /* of the region that is open */
    bool timed, inside, begun;
    struct replay_started_list open; /* `op`: number of its request */
    BASE_ARRAY(struct pending) requests;
};

static void put(struct archive *x, const struct replay_otf2_event *e)
{
    struct replay_otf2_event at = *e;
    at.time = x->now;
    replay_otf2_writer_put(x->to, &at);
}

static void put_kind(struct archive *x, enum replay_otf2_kind kind, const char *name)
{
    put(x, &(struct replay_otf2_event){.kind = kind, .name = name});
}

/* --- time ------------------------------------------------------------------------------------------------- */

static uint64_t later(uint64_t now, double ps)
{
    return ps < (double)(LATEST - now) ? now + (uint64_t)ps : LATEST;
}

static uint64_t moment(const struct archive *x, double seconds)
{
    double ps = round((seconds - x->zero) * SECOND);
    uint64_t at = ps > 0 ? later(0, ps) : 0;
    return at > x->now ? at : x->now;
}

/* What the rank has computed ends when its next call begins, or as long after its last one as it says. */
static void put_computation(struct archive *x)
{
    uint64_t until;
    double ps = fmin(x->compute, LONGEST) * SECOND + x->rest;
    if (x->compute > LONGEST)
        replay_unsay(x->sink.out, "computation of more than 1e6 s", "as 1e6 s");
    if (x->timed) {
        until = moment(x, x->begin);
        if (ps < (double)(until - x->now))
            x->now = until - (uint64_t)ps;
    } else {
        x->rest = ps - round(ps);
        until = later(x->now, round(ps));
    }
    x->compute = 0;
    if (until == x->now)
        return;
    put_kind(x, REPLAY_OTF2_ENTER_CODE, "computation");
    x->now = until;
    put_kind(x, REPLAY_OTF2_LEAVE, NULL);
}

/* --- regions ----------------------------------------------------------------------------------------------- */

static void open_rank(struct archive *x, uint32_t rank)
{
    x->rank = rank;
    x->now = 0;
    x->rest = x->compute = 0;
    x->timed = x->inside = false;
    x->begun = true;
    x->open.n = x->requests.n = 0;
    replay_otf2_writer_rank(x->to, rank);
}

static void enter(struct archive *x, const char *name)
{
    if (x->compute > 0 || x->timed)
        put_computation(x);
    if (x->timed)
        x->now = moment(x, x->begin);
    x->end = x->timed ? moment(x, x->begin + x->duration) : x->now;
    x->timed = false;
    put_kind(x, REPLAY_OTF2_ENTER_CALL, name);
    x->inside = true;
}

static void leave(struct archive *x)
{
    x->now = x->end;
    put_kind(x, REPLAY_OTF2_LEAVE, NULL);
    x->inside = false;
}

/* --- requests ---------------------------------------------------------------------------------------------- */

static uint64_t request_of(uint32_t number)
{
    return number + UINT64_C(1);
}

static struct pending *start(struct archive *x, const struct replay_action *a)
{
    const struct pending p = {.action = *a};
    replay_started_add(&x->open, a, x->rank, (uint32_t)x->requests.n);
    BASE_ARRAY_PUSH(&x->requests, p);
    return &x->requests.at[x->requests.n - 1];
}

static uint64_t last_request(const struct archive *x)
{
    return request_of((uint32_t)x->requests.n - 1);
}

static void complete(struct archive *x, size_t k)
{
    uint32_t number = x->open.at[k].op;
    const struct pending *p = &x->requests.at[number];
    struct replay_otf2_event e = {.kind = REPLAY_OTF2_COLLECTIVE,
                                  .request = request_of(number),
                                  .action = &p->action,
                                  .sent = p->sent,
                                  .received = p->received};
    if (p->action.kind == REPLAY_ISEND)
        e.kind = REPLAY_OTF2_SENT;
    if (p->action.kind == REPLAY_IRECV)
        e.kind = REPLAY_OTF2_RECEIVE;
    x->now = x->end;
    if (!p->left_out)
        put(x, &e);
    replay_started_take(&x->open, k);
}

static void complete_all(struct archive *x)
{
    while (x->open.n)
        complete(x, 0);
    x->requests.n = 0;
}

/* As players have it: what a test asks for stays open, as the last one. */
static void request(struct archive *x, const struct replay_action *a)
{
    size_t k = a->kind == REPLAY_WAIT_LAST ? x->open.n - 1 : replay_started_find(&x->open, a);
    if (k >= x->open.n)
        return;
    if (a->kind != REPLAY_TEST) {
        complete(x, k);
        return;
    }
    struct replay_started s = x->open.at[k];
    replay_started_take(&x->open, k);
    BASE_ARRAY_PUSH(&x->open, s);
    if (!x->requests.at[s.op].left_out)
        put(x, &(struct replay_otf2_event){.kind = REPLAY_OTF2_TEST, .request = request_of(s.op)});
}

static void wait_any(struct archive *x, const struct replay_action *a)
{
    if (x->open.n)
        complete(x, 0);
    replay_unsay(x->sink.out, replay_name_of(a), "as a wait for the oldest");
}

/* --- messages ---------------------------------------------------------------------------------------------- */

static void send(struct archive *x, const struct replay_action *a)
{
    struct replay_otf2_event e = {.kind = REPLAY_OTF2_SEND, .action = a};
    if (a->kind == REPLAY_ISEND) {
        start(x, a);
        e.request = last_request(x);
    }
    put(x, &e);
}

/* An archive has each message with its sender. */
static bool is_known(const struct archive *x, const struct replay_action *a)
{
    bool known = a->peer != REPLAY_ANY && a->tag != REPLAY_ANY_TAG, sized = a->bytes != REPLAY_UNKNOWN_SIZE;
    if (!known)
        replay_unsay(x->sink.out, replay_name_of(a),
                     "left out, as the trace does not say whose message it got");
    else if (!sized)
        replay_unsay(x->sink.out, replay_name_of(a),
                     "left out, as the trace does not say how many bytes it got");
    return known && sized;
}

static void receive(struct archive *x, const struct replay_action *a)
{
    bool known = is_known(x, a);
    struct replay_otf2_event e = {.kind = REPLAY_OTF2_RECEIVE, .action = a};
    if (a->kind == REPLAY_IRECV) {
        start(x, a)->left_out = !known;
        e.kind = REPLAY_OTF2_START;
        e.request = last_request(x);
    }
    if (a->kind == REPLAY_RECV)
        x->now = x->end;
    if (known)
        put(x, &e);
}

static void exchange(struct archive *x, const struct replay_action *a)
{
    struct replay_action s = *a, r = *a;
    s.tag = r.tag = 0;
    r.peer = a->peer2;
    r.bytes = a->bytes2;
    if (a->peer == x->rank && a->peer2 == x->rank)
        return;
    put(x, &(struct replay_otf2_event){.kind = REPLAY_OTF2_SEND, .action = &s});
    x->now = x->end;
    put(x, &(struct replay_otf2_event){.kind = REPLAY_OTF2_RECEIVE, .action = &r});
}

/* --- collectives -------------------------------------------------------------------------------------------- */

static uint64_t sum(const int64_t *counts, uint32_t n)
{
    uint64_t all = 0;
    for (uint32_t k = 0; k < n; k++)
        all += (uint64_t)counts[k];
    return all;
}

/* What a member gives and gets. An exchange has parts of different sizes for each other one, of which sums are left. */
static void measure(const struct archive *x, const struct replay_action *a, uint64_t *sent,
                    uint64_t *received)
{
    uint32_t place = replay_place(x->tape, a->group, x->rank);
    bool root = place == a->peer;
    *sent = *received = a->bytes;
    switch (a->number) {
    case COLL_BARRIER:
        *sent = *received = 0;
        return;
    case COLL_SCATTERV:
    case COLL_GATHERV:
        *(a->number == COLL_GATHERV ? received : sent) = root ? sum(a->counts, a->n) : 0;
        return;
    case COLL_ALLGATHERV:
        *received = sum(a->counts, a->n);
        return;
    case COLL_REDUCE_SCATTER:
        *sent = sum(a->counts, a->n);
        *received = place < a->n ? (uint64_t)a->counts[place] : 0;
        return;
    case COLL_ALLTOALLV:
        *sent = sum(a->counts, a->n);
        *received = a->n2 ? sum(a->counts2, a->n2) : *sent;
        replay_unsay(x->sink.out, replay_name_of(a), "with sums of the parts' sizes");
        return;
    default:
        return;
    }
}

static void collective(struct archive *x, const struct replay_action *a)
{
    struct replay_otf2_event e = {.kind = REPLAY_OTF2_MEET, .action = a};
    uint64_t sent, received;
    measure(x, a, &sent, &received);
    if (a->kind == REPLAY_ICOLLECTIVE) {
        struct pending *p = start(x, a);
        p->sent = sent;
        p->received = received;
        e.kind = REPLAY_OTF2_START;
        e.request = last_request(x);
        put(x, &e);
        return;
    }
    put(x, &e);
    x->now = x->end;
    e = (struct replay_otf2_event){
        .kind = REPLAY_OTF2_COLLECTIVE, .action = a, .sent = sent, .received = received};
    put(x, &e);
    if (a->amount > 0 && x->sink.out->speed > 0)
        x->compute += a->amount / x->sink.out->speed;
}

/* --- the sink ---------------------------------------------------------------------------------------------- */

static void say(struct archive *x, const struct replay_action *a)
{
    switch (a->kind) {
    case REPLAY_SEND:
    case REPLAY_ISEND:
        send(x, a);
        return;
    case REPLAY_RECV:
    case REPLAY_IRECV:
        receive(x, a);
        return;
    case REPLAY_SENDRECV:
        exchange(x, a);
        return;
    case REPLAY_WAIT:
    case REPLAY_TEST:
    case REPLAY_WAIT_LAST:
        request(x, a);
        return;
    case REPLAY_WAITALL:
        complete_all(x);
        return;
    case REPLAY_WAITANY:
        wait_any(x, a);
        return;
    case REPLAY_COLLECTIVE:
    case REPLAY_ICOLLECTIVE:
        collective(x, a);
        return;
    case REPLAY_TESTALL:
    case REPLAY_TESTANY:
        replay_unsay(x->sink.out, replay_name_of(a), "as a region alone");
        return;
    default:
        return;
    }
}

static void note_times(struct archive *x, const struct replay_action *a)
{
    x->begin = a->amount * 1e-9;
    x->duration = (double)a->bytes * 1e-9;
    x->timed = true;
}

/* An action that is no part of a call is a region of its own. */
static void say_alone(struct archive *x, const struct replay_action *a)
{
    bool alone = !x->inside;
    if (alone)
        enter(x, x->name(a->kind, a->number));
    say(x, a);
    if (alone)
        leave(x);
}

static void take(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct archive *x = (struct archive *)(void *)s;
    double seconds = replay_seconds_of(a, s->out->speed);
    if (!x->begun)
        open_rank(x, rank);
    if (seconds >= 0)
        x->compute += seconds;
    else if (a->kind == REPLAY_TIMES)
        note_times(x, a);
    else if (a->kind >= REPLAY_INIT && a->kind <= REPLAY_ICOLLECTIVE)
        say_alone(x, a);
    else if ((a->kind == REPLAY_SKIP && a->number) || a->kind == REPLAY_MOVES || a->kind == REPLAY_PSTATE)
        replay_unsay(s->out, replay_name_of(a), "left out");
}

static void call(struct replay_sink *s, uint32_t rank, const char *name)
{
    struct archive *x = (struct archive *)(void *)s;
    if (!x->begun)
        open_rank(x, rank);
    if (name)
        enter(x, name);
    else
        leave(x);
}

static void end(struct replay_sink *s, uint32_t rank)
{
    struct archive *x = (struct archive *)(void *)s;
    if (!x->begun)
        open_rank(x, rank);
    if (x->open.n) {
        enter(x, "MPI_Waitall");
        complete_all(x);
        leave(x);
    }
    x->timed = false;
    if (x->compute > 0)
        put_computation(x);
    x->begun = false;
}

int replay_convert_otf2(struct replay_tape *t, const char *path,
                        const char *(*name)(enum replay_kind kind, uint32_t number),
                        struct replay_conversion *out, struct base_status *st)
{
    struct archive x = {.sink = {.put = take, .end = end, .call = call, .out = out},
                        .tape = t,
                        .name = name,
                        .zero = INFINITY};
    for (uint32_t rank = 0; replay_tape_keeps_times(t) && rank < replay_tape_ranks(t); rank++)
        x.zero = fmin(x.zero, replay_first_end(t, rank));
    if (replay_needs_speed(t, out->speed))
        return base_fail(
            st, "archives of OTF2 have times, and this trace has flops: --speed says how fast cores are");
    x.to = replay_otf2_writer_create(path, t, st);
    if (!x.to)
        return -1;
    replay_feed(t, &x.sink, false);
    free(x.open.at);
    free(x.requests.at);
    return replay_otf2_writer_close(x.to, st);
}
