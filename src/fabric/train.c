/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * train: messages in frames instead of flows (network/frame, docs/decisions/0053-frames.md). Each link carries frames
 * one after the other, in the order in which they get there (packet.c). A sender gives all frames of a message to its
 * first link at once, or as many as its window has (network/window); each that arrives lets another one go, or two
 * (network/slow-start), when word of it is back. So messages that set out together follow each other on the first
 * link, and wait in front of a later one while the sender's next ones pass.
 *
 *   ask --words, there and back in turn--> fabric_transfer_wait     (a message whose receiver is asked)
 *   start --frames--> the last one has arrived: fabric_transfer_over
 *
 * A frame's event: it enters its first link; it has arrived; word of it enters the way back; word of it is back.
 *
 * Invariants
 *  F1  A train lives until its transfer is over, or its words are through, and it has no event.
 *  F2  A train sends no frame that it is not allowed yet.
 */
#include "fabric/parts.h"

/* Bytes of a frame of Ethernet with TCP's header and options, and hardly anything in it. */
enum { WORD = 66 };

struct fabric_train {
    struct fabric_transfer *of; /* NULL: it is over */
    struct fabric *fabric;
    double bytes, rest; /* of each frame on the links; seconds of latency after the words */
    double pace, last;  /* seconds between two frames on fatpipes; when the last one arrives */
    uint32_t words, frames, sent, arrived, allowed, events;
};
struct fabric_frame {
    struct engine_event event;
    struct fabric_train *train;
};

/* --- life ------------------------------------------------------------------------------------------- */

void fabric_trains_init(struct fabric *f)
{
    base_pool_init(&f->train_pool, sizeof(struct fabric_train), "transfers in frames");
    base_pool_init(&f->frame_pool, sizeof(struct fabric_frame), "frames");
}

void fabric_trains_release(struct fabric *f)
{
    base_pool_release(&f->frame_pool);
    base_pool_release(&f->train_pool);
}

static struct fabric_train *train_new(struct fabric_transfer *t)
{
    struct fabric_train *train = base_pool_get(&t->fabric->train_pool);
    *train = (struct fabric_train){.of = t, .fabric = t->fabric};
    t->train = train;
    t->framed = true;
    return train;
}

void fabric_train_leave(struct fabric_transfer *t)
{
    struct fabric_train *train = t->train;
    t->framed = false;
    t->train = NULL;
    train->of = NULL;
    if (!train->events)
        base_pool_put(&train->fabric->train_pool, train);
}

static void frame_end(struct fabric_frame *frame)
{
    struct fabric_train *train = frame->train;
    struct fabric *f = train->fabric;
    base_pool_put(&f->frame_pool, frame);
    BASE_ASSERT("F1", train->events);
    if (!--train->events && !train->of)
        base_pool_put(&f->train_pool, train);
}

/* --- on the links ----------------------------------------------------------------------------------- */

static const struct fabric_way *way(const struct fabric_train *train, bool back)
{
    uint64_t key = train->of->path->key;
    return back ? &fabric_path_find(train->fabric, (uint32_t)key, (uint32_t)(key >> 32))->way
                : &train->of->path->way;
}

static void frame_post(struct fabric_frame *frame, double at, engine_event_fn through)
{
    engine_event_init(&frame->event, through);
    engine_event_post(frame->train->fabric->engine, &frame->event, at);
}

/* It goes to its first link; `entered` is called in its turn. */
static void frame_queue(struct fabric_frame *frame, bool back, double bytes, engine_event_fn entered)
{
    struct fabric *f = frame->train->fabric;
    frame_post(frame, fabric_packet_enter(f, way(frame->train, back), engine_now(f->engine), bytes), entered);
}

static void frame_send(struct fabric_train *train, bool back, double bytes, engine_event_fn entered)
{
    struct fabric_frame *frame = base_pool_get(&train->fabric->frame_pool);
    frame->train = train;
    train->events++;
    frame_queue(frame, back, bytes, entered);
}

/* It enters its first link now. Returns when it leaves the last one. */
static double frame_pass(struct fabric_frame *frame, bool back, double bytes)
{
    struct fabric *f = frame->train->fabric;
    const struct fabric_way *w = way(frame->train, back);
    uint32_t behind;
    if (BASE_UNLIKELY(f->energy != NULL))
        energy_links_carry(f->energy, w->link, w->links, bytes);
    return fabric_packet_pass(f, w, bytes, &behind);
}

static struct fabric_frame *frame_of(struct engine_event *ev)
{
    return BASE_CONTAINER(ev, struct fabric_frame, event);
}

/* --- words: the last one goes back ------------------------------------------------------------------ */

static void word_through(struct engine *e, struct engine_event *ev);

static double one_way(const struct fabric_train *train, bool back)
{
    const struct fabric_way *w = &train->of->path->way;
    return back ? fabric_way_back(train->fabric, w) : w->latency;
}

static void word_entered(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    bool back = frame->train->words % 2;
    (void)e;
    if (frame->train->of)
        frame_post(frame, frame_pass(frame, back, WORD) + one_way(frame->train, back), word_through);
    else
        frame_end(frame);
}

static void word_through(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    struct fabric_train *train = frame->train;
    struct fabric_transfer *t = train->of;
    (void)e;
    if (t && --train->words) {
        frame_queue(frame, train->words % 2, WORD, word_entered);
        return;
    }
    if (t) {
        fabric_transfer_wait(t, train->rest);
        fabric_train_leave(t);
    }
    frame_end(frame);
}

bool fabric_train_ask(struct fabric_transfer *t, double latency)
{
    if (!t->asks || !fabric_train_carries(t))
        return false;
    double there = t->path->way.latency, back = fabric_way_back(t->fabric, &t->path->way);
    if (!(there > 0) || latency < there + back)
        return false;
    struct fabric_train *train = train_new(t);
    train->words = latency < 2 * there + back ? 1 : 2;
    train->rest = latency - back - (train->words == 2 ? there : 0);
    frame_send(train, train->words % 2, WORD, word_entered);
    return true;
}

/* --- frames ----------------------------------------------------------------------------------------- */

static void send(struct fabric_train *train);

static void word_is_back(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    (void)e;
    if (frame->train->of) {
        frame->train->allowed += frame->train->fabric->network.slow_start ? 2 : 1;
        send(frame->train);
    }
    frame_end(frame);
}

/* The frame's latency has not passed yet: that of the first one passed before it was sent. */
static void word_goes_back(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    (void)e;
    if (frame->train->of)
        frame_post(frame,
                   frame_pass(frame, true, WORD) + one_way(frame->train, false) + one_way(frame->train, true),
                   word_is_back);
    else
        frame_end(frame);
}

static void arrived(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    struct fabric_train *train = frame->train;
    (void)e;
    train->arrived++;
    if (train->of && train->sent < train->frames) {
        frame_queue(frame, true, WORD, word_goes_back);
        return;
    }
    if (train->of && train->arrived == train->frames)
        fabric_transfer_over(train->of);
    frame_end(frame);
}

static void entered(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    struct fabric_train *train = frame->train;
    (void)e;
    if (!train->of) {
        frame_end(frame);
        return;
    }
    train->last = fmax(train->last + train->pace, frame_pass(frame, false, train->bytes));
    frame_post(frame, train->last, arrived);
}

static void send(struct fabric_train *train)
{
    for (; train->sent < train->frames && train->sent < train->allowed; train->sent++)
        frame_send(train, false, train->bytes, entered);
    if (train->sent == train->frames)
        fabric_transfer_next(train->of);
}

/* Messages within a host, and those with a rate of their own, flow. */
bool fabric_train_carries(const struct fabric_transfer *t)
{
    const struct fabric_path *p = t->path;
    return p && p->way.links && t->bytes > 0 && !t->limited && p->key >> 32 != (uint32_t)p->key;
}

void fabric_train_start(struct fabric_transfer *t)
{
    const struct fabric_network *n = &t->fabric->network;
    struct fabric_train *train = train_new(t);
    double frames = fmin(ceil(t->bytes / (double)n->frame), UINT32_MAX);
    double allowed = n->window ? floor((double)n->window * frames / t->bytes) : frames;
    train->frames = (uint32_t)frames;
    train->allowed = (uint32_t)fmax(1, fmin(allowed, frames));
    train->bytes = t->amount / frames;
    train->pace = fabric_packet_pace(t->fabric, &t->path->way, train->bytes);
    send(train);
}
