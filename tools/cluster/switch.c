/* SPDX-License-Identifier: BSD-3-Clause */
/* switch: the loop between TAP devices and the wire. */
#include "switch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "frame.h"

/* CARD, CARDS: frames that may wait at the first link of a node that has one, or several. */
enum { EVENTS = 64, BURST = 16, ASK_EVERY = 100000000, CARD = 2, CARDS = 64 };

struct port {
    int fd;
    bool watched;
    wire_time resume; /* when it is read again, if not watched */
    uint64_t backlog; /* bytes at a first link from which on it is not read */
};

struct switch_ {
    const struct topology *topology;
    struct wire *wire;
    struct port *ports;
    uint32_t n, waiting; /* ports that are not watched */
    int epoll;
    struct wire_options options;
    struct switch_figures figures;
};

static wire_time now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (wire_time)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int watch(struct switch_ *s, int op, int fd, uint32_t events, uint32_t number, struct base_status *st)
{
    struct epoll_event e = {.events = events, .data.u32 = number};
    return epoll_ctl(s->epoll, op, fd, &e) ? base_fail(st, "epoll_ctl: %s", strerror(errno)) : 0;
}

/* A node with several links of its own (a torus) has a card for each: frames for a busy one must not hold up those
 * for the others, as they would in the node's one device. */
static uint64_t backlog_of(const struct topology *t, uint32_t node, uint32_t frame_most)
{
    uint32_t n, first = UINT32_MAX;
    for (uint32_t to = 0; to < t->n_nodes; to++) {
        const uint32_t *route = topology_route(t, node, to, &n);
        if (to == node || !n)
            continue;
        if (first != UINT32_MAX && first != route[0])
            return CARDS * (uint64_t)frame_most;
        first = route[0];
    }
    return CARD * (uint64_t)frame_most;
}

struct switch_ *switch_create(const struct topology *t, const struct wire_options *o, const int *tap,
                              struct base_status *st)
{
    struct switch_ *s = base_zalloc(sizeof *s, "switch");
    s->topology = t;
    s->options = *o;
    s->n = t->n_nodes;
    s->wire = wire_create(t, o);
    s->ports = base_zalloc(s->n * sizeof *s->ports, "ports");
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (uint32_t k = 0; k < s->n; k++)
        s->ports[k] =
            (struct port){.fd = tap[k], .watched = true, .backlog = backlog_of(t, k, o->frame_most)};
    for (uint32_t k = 0; k < s->n; k++)
        if (watch(s, EPOLL_CTL_ADD, tap[k], EPOLLIN, k, st)) {
            switch_destroy(s);
            return NULL;
        }
    return s;
}

void switch_destroy(struct switch_ *s)
{
    for (uint32_t k = 0; k < s->n; k++)
        close(s->ports[k].fd);
    close(s->epoll);
    wire_destroy(s->wire);
    free(s->ports);
    free(s);
}

/* Stops or resumes watching a port. */
static int port_watch(struct switch_ *s, uint32_t k, bool on, struct base_status *st)
{
    struct port *p = &s->ports[k];
    if (p->watched == on)
        return 0;
    p->watched = on;
    s->waiting += on ? -1U : 1U;
    return watch(s, EPOLL_CTL_MOD, p->fd, on ? EPOLLIN : 0, k, st);
}

/* Reads frames of a node until there are none, or its first link has enough to do. */
static int port_read(struct switch_ *s, uint32_t k, struct base_status *st)
{
    for (int i = 0; i < BURST; i++) {
        struct wire_frame *f = wire_frame_get(s->wire);
        ssize_t got = read(s->ports[k].fd, f->bytes, s->options.frame_most);
        if (got <= 0) {
            wire_frame_put(s->wire, f);
            if (got < 0 && errno != EAGAIN && errno != EINTR)
                return base_fail(st, "node %s: reading frames: %s", s->topology->nodes[k].name,
                                 strerror(errno));
            return 0;
        }
        s->figures.received++;
        f->size = (uint32_t)got;
        f->from = k;
        switch (frame_read(f->bytes, f->size, s->n, k, &f->to)) {
        case FRAME_UNICAST:
        case FRAME_ARP: /* to the node itself: a route without links */
            break;
        case FRAME_OTHER:
            s->figures.ignored++;
            wire_frame_put(s->wire, f);
            continue;
        }
        wire_time now = now_ns();
        uint32_t to = f->to;
        wire_send(s->wire, f, now);
        wire_time ready = wire_ready_at(s->wire, k, to, s->ports[k].backlog);
        if (ready > now) {
            s->ports[k].resume = ready;
            return port_watch(s, k, false, st);
        }
    }
    return 0;
}

static void late_count(struct switch_figures *f, wire_time late)
{
    int step = 0;
    while (step + 1 < SWITCH_LATE_STEPS && late >> step)
        step++;
    f->late[step]++;
    if (late > f->latest)
        f->latest = late;
}

static void deliver(struct switch_ *s)
{
    struct wire_frame *f;
    while ((f = wire_arrived(s->wire, now_ns()))) {
        ssize_t put = write(s->ports[f->to].fd, f->bytes, f->size);
        if (put == (ssize_t)f->size) {
            s->figures.delivered++;
            late_count(&s->figures, now_ns() - f->due);
        } else {
            s->figures.refused++;
        }
        wire_frame_put(s->wire, f);
    }
}

/* Watches the ports again whose first link has little left. Returns when the next one will; INT64_MAX: none. */
static int ports_resume(struct switch_ *s, wire_time *next, struct base_status *st)
{
    *next = INT64_MAX;
    if (!s->waiting)
        return 0;
    wire_time now = now_ns();
    for (uint32_t k = 0; k < s->n; k++) {
        struct port *p = &s->ports[k];
        if (p->watched)
            continue;
        if (p->resume <= now) {
            if (port_watch(s, k, true, st))
                return -1;
        } else if (p->resume < *next) {
            *next = p->resume;
        }
    }
    return 0;
}

static struct timespec until(wire_time a, wire_time b)
{
    wire_time wait = (a < b ? a : b) - now_ns();
    if (wait < 0)
        wait = 0;
    if (wait > ASK_EVERY)
        wait = ASK_EVERY;
    return (struct timespec){.tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000};
}

int switch_run(struct switch_ *s, int alive_fd, bool (*alive)(void *arg), void *arg, struct base_status *st)
{
    struct epoll_event events[EVENTS];
    wire_time asked = now_ns(), resume;
    if (watch(s, EPOLL_CTL_ADD, alive_fd, EPOLLIN, UINT32_MAX, st))
        return -1;
    while (true) {
        deliver(s);
        if (ports_resume(s, &resume, st))
            return -1;
        struct timespec wait = until(wire_next(s->wire), resume);
        int n = epoll_pwait2(s->epoll, events, EVENTS, &wait, NULL);
        if (n < 0 && errno != EINTR)
            return base_fail(st, "epoll_pwait2: %s", strerror(errno));
        bool ask = now_ns() - asked > ASK_EVERY;
        for (int k = 0; k < n; k++) {
            if (events[k].data.u32 == UINT32_MAX)
                ask = true;
            else if (port_read(s, events[k].data.u32, st))
                return -1;
        }
        if (ask) {
            asked = now_ns();
            if (!alive(arg))
                return 0;
        }
    }
}

struct switch_figures switch_figures(const struct switch_ *s)
{
    struct switch_figures f = s->figures;
    for (uint32_t k = 0; k < s->topology->n_links; k++)
        f.dropped += wire_link(s->wire, k)->dropped;
    return f;
}

const struct wire *switch_wire(const struct switch_ *s)
{
    return s->wire;
}

wire_time switch_late(const struct switch_figures *f, double share)
{
    uint64_t all = 0, some = 0;
    for (int k = 0; k < SWITCH_LATE_STEPS; k++)
        all += f->late[k];
    for (int k = 0; k < SWITCH_LATE_STEPS; k++) {
        some += f->late[k];
        if (all && (double)some >= share * (double)all) {
            wire_time most = (wire_time)1 << k;
            return most < f->latest ? most : f->latest;
        }
    }
    return 0;
}
