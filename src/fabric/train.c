/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * train: messages in frames instead of flows (network/frame, docs/decisions/0053-frames.md, 0054). Each link carries
 * frames one after the other, in the order in which their heads get there (packet.c), and latencies pass on the links. A
 * sender gives all frames of a message to its first link at once, or as many as its window has (network/window); each that
 * arrives lets another one go, or two (network/slow-start), when word of it is back. So messages that set out together
 * follow each other on the first link, and wait in front of a later one while the sender's next ones pass.
 *
 *   ask --words, there and back in turn--> fabric_transfer_wait     (a message whose receiver is asked)
 *   start --frames--> the last one has arrived: fabric_transfer_over
 *
 * A frame's event: its head is in front of its next link; it has arrived. The same of a word.
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
    double bytes, least; /* of a frame on the links, of the last one */
    double rest;         /* seconds of latency after the words */
    double pace, last;   /* seconds a byte on fatpipes; when the last frame arrives */
    uint32_t words, frames, sent, arrived, allowed, events;
};
struct fabric_frame {
    struct engine_event event;
    struct fabric_train *train;
    engine_event_fn over; /* at its end */
    double bytes, tail;   /* tail: when its end is at the next link */
    uint32_t link;        /* the next one */
    bool back;
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

static struct fabric_frame *frame_of(struct engine_event *ev)
{
    return BASE_CONTAINER(ev, struct fabric_frame, event);
}

static void arrived(struct engine *e, struct engine_event *ev);
static void frame_at_link(struct engine *e, struct engine_event *ev);

static void frame_go(struct fabric_frame *frame)
{
    struct fabric_train *train = frame->train;
    struct fabric *f = train->fabric;
    const struct fabric_way *w = way(train, frame->back);
    bool word = frame->over != arrived;
    double factor = word || train->of->spread ? f->network.latency.first : 0;
    double at = fabric_packet_cross(f, w, frame->bytes, factor, &frame->link, &frame->tail);
    if (frame->link < w->links) {
        frame_post(frame, at, frame_at_link);
        return;
    }
    if (BASE_UNLIKELY(f->energy != NULL))
        energy_links_carry(f->energy, w->link, w->links, frame->bytes);
    if (word)
        at += factor * f->network.host_latency;
    else
        at = train->last = fmax(train->last + train->pace * frame->bytes, at);
    frame_post(frame, at, frame->over);
}

static void frame_at_link(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    (void)e;
    if (frame->train->of)
        frame_go(frame);
    else
        frame_end(frame);
}

/* It sets out for its first link. */
static void frame_start(struct fabric_frame *frame, bool back, double bytes, engine_event_fn over)
{
    frame->back = back;
    frame->bytes = bytes;
    frame->over = over;
    frame->link = 0;
    frame->tail = 0;
    frame_go(frame);
}

static struct fabric_frame *frame_new(struct fabric_train *train)
{
    struct fabric_frame *frame = base_pool_get(&train->fabric->frame_pool);
    frame->train = train;
    train->events++;
    return frame;
}

/* --- words: the last one goes back ------------------------------------------------------------------ */

static void word_through(struct engine *e, struct engine_event *ev);

static void word_start(struct fabric_frame *frame)
{
    frame_start(frame, frame->train->words % 2, WORD, word_through);
}

static void word_through(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    struct fabric_train *train = frame->train;
    struct fabric_transfer *t = train->of;
    (void)e;
    if (t && --train->words) {
        word_start(frame);
        return;
    }
    if (t) {
        fabric_transfer_wait(t, train->rest);
        fabric_train_leave(t);
    }
    frame_end(frame);
}

/* The part of the latency that passes on the links, and not in hosts. */
static double on_links(const struct fabric_transfer *t)
{
    const struct fabric_network *n = &t->fabric->network;
    return t->path->way.latency - n->host_latency * n->latency.first;
}

void fabric_train_wait(struct fabric_transfer *t, bool answer, double latency)
{
    uint32_t words = 0;
    if (fabric_train_carries(t)) {
        double there = t->path->way.latency, back = fabric_way_back(t->fabric, &t->path->way);
        if (t->asks && there > 0 && latency >= back + (answer ? 0 : there))
            words = answer || latency < 2 * there + back ? 1 : 2;
        latency -= words == 0 ? 0 : words == 1 ? back : there + back;
        t->spread = latency >= on_links(t);
        latency -= t->spread ? on_links(t) : 0;
    }
    if (!words) {
        fabric_transfer_wait(t, latency);
        return;
    }
    struct fabric_train *train = train_new(t);
    train->words = words;
    train->rest = latency;
    word_start(frame_new(train));
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

static void arrived(struct engine *e, struct engine_event *ev)
{
    struct fabric_frame *frame = frame_of(ev);
    struct fabric_train *train = frame->train;
    (void)e;
    train->arrived++;
    if (train->of && train->sent < train->frames) {
        frame_start(frame, true, WORD, word_is_back);
        return;
    }
    if (train->of && train->arrived == train->frames)
        fabric_transfer_over(train->of);
    frame_end(frame);
}

static void send(struct fabric_train *train)
{
    for (; train->sent < train->frames && train->sent < train->allowed; train->sent++)
        frame_start(frame_new(train), false, train->sent + 1 < train->frames ? train->bytes : train->least,
                    arrived);
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
    double each = fmin((double)n->frame, t->bytes), frames = fmin(ceil(t->bytes / each), UINT32_MAX);
    double allowed = n->window ? floor((double)n->window / each) : frames;
    train->frames = (uint32_t)frames;
    train->allowed = (uint32_t)fmax(1, fmin(allowed, frames));
    train->bytes = t->amount * (each / t->bytes);
    train->least = t->amount - train->bytes * (frames - 1);
    train->pace = fabric_packet_pace(t->fabric, &t->path->way);
    send(train);
}
