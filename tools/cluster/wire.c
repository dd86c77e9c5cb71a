/* SPDX-License-Identifier: BSD-3-Clause */
/* wire: links as queues with a bandwidth and a latency, and the heap of what happens on them. */
#include "wire.h"

#include <stdlib.h>

struct event {
    wire_time at;
    uint64_t sequence;
    struct wire_frame *frame;
};

struct wire {
    const struct topology *topology;
    struct wire_options options;
    struct wire_link_state *links;
    struct event *heap; /* the first is the next */
    size_t n, cap;
    uint64_t sequence, delivered;
    struct wire_frame *unused;
};

struct wire *wire_create(const struct topology *t, const struct wire_options *o)
{
    struct wire *w = base_zalloc(sizeof *w, "wire");
    w->topology = t;
    w->options = *o;
    w->links = base_zalloc((t->n_links + 1) * sizeof *w->links, "links");
    for (uint32_t k = 0; k < t->n_links; k++) {
        const struct topology_link *l = &t->links[k];
        w->links[k] = (struct wire_link_state){.ns_per_byte = 1e9 / l->bandwidth,
                                               .latency = (wire_time)(l->latency * 1e9 + 0.5),
                                               .queue = l->queue ? l->queue : o->queue,
                                               .shared = l->shared};
    }
    return w;
}

void wire_destroy(struct wire *w)
{
    for (size_t k = 0; k < w->n; k++)
        wire_frame_put(w, w->heap[k].frame);
    while (w->unused) {
        struct wire_frame *f = w->unused;
        w->unused = f->next;
        free(f->bytes);
        free(f);
    }
    free(w->heap);
    free(w->links);
    free(w);
}

struct wire_frame *wire_frame_get(struct wire *w)
{
    struct wire_frame *f = w->unused;
    if (f) {
        w->unused = f->next;
        return f;
    }
    f = base_zalloc(sizeof *f, "frame");
    f->bytes = base_alloc(w->options.frame_most, "frame");
    return f;
}

void wire_frame_put(struct wire *w, struct wire_frame *f)
{
    f->next = w->unused;
    w->unused = f;
}

static bool before(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->sequence < b->sequence);
}

static void event_add(struct wire *w, wire_time at, struct wire_frame *f)
{
    struct event e = {at, w->sequence++, f};
    if (w->n == w->cap)
        w->heap = base_array_grow(w->heap, &w->cap, w->n + 1, sizeof *w->heap, "frames on their way");
    size_t k = w->n++;
    for (; k && before(&e, &w->heap[(k - 1) / 2]); k = (k - 1) / 2)
        w->heap[k] = w->heap[(k - 1) / 2];
    w->heap[k] = e;
}

static struct event event_take(struct wire *w)
{
    struct event first = w->heap[0], last = w->heap[--w->n];
    size_t k = 0, child;
    while ((child = 2 * k + 1) < w->n) {
        if (child + 1 < w->n && before(&w->heap[child + 1], &w->heap[child]))
            child++;
        if (!before(&w->heap[child], &last))
            break;
        w->heap[k] = w->heap[child];
        k = child;
    }
    w->heap[k] = last;
    return first;
}

static wire_time sending(const struct wire_link_state *l, uint64_t bytes)
{
    return (wire_time)((double)bytes * l->ns_per_byte + 0.5);
}

/* When the frame, whose head is at its next link at `head`, may start there; behind the last link: its end. */
static wire_time start_at(const struct wire *w, const struct wire_frame *f, wire_time head)
{
    uint32_t n;
    const uint32_t *route = topology_route(w->topology, f->from, f->to, &n);
    if (f->hop == n || w->options.store_and_forward)
        return f->tail;
    wire_time fed = f->tail - sending(&w->links[route[f->hop]], f->size);
    return fed > head ? fed : head;
}

void wire_send(struct wire *w, struct wire_frame *f, wire_time now)
{
    f->hop = 0;
    f->tail = now;
    event_add(w, now, f);
}

/* The frame enters a link at `at`. Returns false if the queue has no room for it. */
static bool link_enter(struct wire *w, struct wire_link_state *l, struct wire_frame *f, wire_time at)
{
    wire_time start = at, took = sending(l, f->size);
    if (l->shared && l->free_at > at) {
        uint64_t waiting = (uint64_t)((double)(l->free_at - at) / l->ns_per_byte);
        if (waiting + f->size > l->queue) {
            l->dropped++;
            return false;
        }
        if (waiting + f->size > l->most_queued)
            l->most_queued = waiting + f->size;
        start = l->free_at;
    }
    if (l->shared)
        l->free_at = start + took;
    l->frames++;
    l->bytes += f->size;
    f->tail = start + took + l->latency;
    f->hop++;
    event_add(w, start_at(w, f, start + l->latency), f);
    return true;
}

struct wire_frame *wire_arrived(struct wire *w, wire_time now)
{
    while (w->n && w->heap[0].at <= now) {
        struct event e = event_take(w);
        struct wire_frame *f = e.frame;
        uint32_t n;
        const uint32_t *route = topology_route(w->topology, f->from, f->to, &n);
        if (f->hop == n) {
            f->due = e.at;
            w->delivered++;
            return f;
        }
        if (!link_enter(w, &w->links[route[f->hop]], f, e.at))
            wire_frame_put(w, f);
    }
    return NULL;
}

wire_time wire_next(const struct wire *w)
{
    return w->n ? w->heap[0].at : INT64_MAX;
}

wire_time wire_ready_at(const struct wire *w, uint32_t from, uint32_t to, uint64_t bytes)
{
    uint32_t n;
    const uint32_t *route = topology_route(w->topology, from, to, &n);
    if (!n || !w->links[route[0]].shared)
        return 0;
    return w->links[route[0]].free_at - sending(&w->links[route[0]], bytes);
}

const struct wire_link_state *wire_link(const struct wire *w, uint32_t id)
{
    return &w->links[id];
}

uint64_t wire_delivered(const struct wire *w)
{
    return w->delivered;
}
