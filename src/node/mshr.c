/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mshr: the card's miss status holding registers, extended as in paper 002, section III-D: an operation of
 * 4 bits in each subentry, so that atomics wait and merge as loads and stores do, and a W bit. A line is
 * loaded once and stored once for all requests that come while any is pending.
 *
 * Life of an MSHR
 *   state     what holds                                        left by
 *   free      in the list of free ones                          node_mshr_add: waiting, or owner
 *   waiting   another line has its place in the cache           that line drains: owner
 *   filling   owner; the line is on its way from host memory    the event `fill`: ready
 *   ready     owner; the line is there; the core takes turns    its last request is executed: free
 *
 * A line that others wait to replace takes no further requests: they get another MSHR behind those that
 * wait. So no stream of requests to one line can keep out another one for ever.
 */
#include "node/parts.h"

static struct node_place *place_of(const struct node *n, uint64_t line)
{
    return &n->card.places[line % n->card.lines];
}

static void fill_event(struct engine *e, struct engine_event *ev);

void node_card_begin(struct node *n)
{
    struct node_card *c = &n->card;
    if (c->places)
        return;
    c->lines = (uint32_t)(n->config.card_bytes / NODE_LINE);
    c->places = base_zalloc(c->lines * sizeof *c->places, "cards' caches");
    c->mshrs = base_zalloc(n->config.mshrs * sizeof *c->mshrs, "MSHRs");
    for (uint32_t k = n->config.mshrs; k-- > 0;) {
        struct node_mshr *m = &c->mshrs[k];
        m->node = n;
        engine_event_init(&m->fill, fill_event);
        m->next = c->free;
        c->free = m;
    }
}

bool node_place_holds(const struct node *n, uint64_t line)
{
    return n->card.places && place_of(n, line)->held == line + 1;
}

void node_place_drop(struct node *n, uint64_t line)
{
    if (!node_place_holds(n, line) || place_of(n, line)->owner)
        return;
    place_of(n, line)->held = 0;
    node_directory_leave(n);
}

/* --- the beginning ------------------------------------------------------------------------------------ */

static void fill_event(struct engine *e, struct engine_event *ev)
{
    struct node_mshr *m = BASE_CONTAINER(ev, struct node_mshr, fill);
    (void)e;
    place_of(m->node, m->line)->held = m->line + 1;
    node_tell(m->node, NODE_FILLS, NULL, m->line, m->asked, 0);
    node_card_ready(m);
}

/* The place is its own: asks for the line, unless a retained one is still there (C4: what it replaces is
 * clean). */
static void own(struct node_mshr *m)
{
    struct node *n = m->node;
    struct node_place *p = place_of(n, m->line);
    p->owner = m;
    if (p->waiting)
        m->open = false;
    if (p->held == m->line + 1) {
        n->card.counts.hits++;
        node_tell(n, NODE_HITS, m->first, m->line, 0, 0);
        node_card_ready(m);
        return;
    }
    n->card.counts.misses++;
    n->card.counts.host_reads++;
    node_tell(n, NODE_MISSES, m->first, m->line, 0, 0);
    if (p->held)
        node_directory_leave(n);
    p->held = 0;
    node_directory_enter(n);
    m->asked = engine_now(n->engine);
    engine_event_post(n->engine, &m->fill, node_directory_fetch(n, m->asked, m->line));
}

static struct node_mshr *find_open(struct node_card *c, uint64_t line, uint32_t mshrs)
{
    for (uint32_t k = 0; c->used && k < mshrs; k++)
        if (c->mshrs[k].line == line && c->mshrs[k].open)
            return &c->mshrs[k];
    return NULL;
}

static void attach(struct node_mshr *m, struct node_request *r)
{
    struct node_card_counts *counts = &m->node->card.counts;
    r->next = NULL;
    *(m->first ? &m->last->next : &m->first) = r;
    m->last = r;
    m->writes |= r->op != NODE_LOAD && r->op != NODE_FETCH;
    if (++m->pending > counts->most_subentries)
        counts->most_subentries = m->pending;
}

static void wait_for_place(struct node_place *p, struct node_mshr *m, const struct node_request *r)
{
    struct node *n = m->node;
    p->owner->open = false;
    m->next = NULL;
    *(p->waiting ? &p->last->next : &p->waiting) = m;
    p->last = m;
    n->card.counts.conflicts++;
    node_tell(n, NODE_CONFLICTS, r, m->line, 0, 0);
}

bool node_mshr_add(struct node *n, struct node_request *r)
{
    struct node_card *c = &n->card;
    uint64_t line = r->address / NODE_LINE;
    struct node_mshr *m = find_open(c, line, n->config.mshrs);
    if (m) {
        if (m->pending == n->config.subentries)
            return false;
        attach(m, r);
        c->counts.merges++;
        node_tell(n, NODE_MERGES, r, line, 0, m->pending);
        return true;
    }
    m = c->free;
    if (!m)
        return false;
    c->free = m->next;
    if (++c->used > c->counts.most_mshrs)
        c->counts.most_mshrs = c->used;
    m->line = line;
    m->open = true;
    m->writes = false;
    attach(m, r);
    struct node_place *p = place_of(n, line);
    if (p->owner)
        wait_for_place(p, m, r);
    else
        own(m);
    return true;
}

/* --- the end ------------------------------------------------------------------------------------------ */

struct node_request *node_mshr_take(struct node_mshr *m)
{
    struct node_request *r = m->first;
    BASE_ASSERT("C1", r && m->pending);
    m->first = r->next;
    m->pending--;
    return r;
}

/* The line goes to host memory, and the directory tells the cores, once for all requests that changed it. */
static void write_back(struct node *n, uint64_t line)
{
    double now = engine_now(n->engine);
    n->card.counts.host_writes++;
    n->card.counts.invalidations++;
    node_dram_access(n->dram, now + n->config.directory, line * NODE_LINE, true);
    n->directory.lookups++;
    node_tell(n, NODE_WRITES_BACK, NULL, line, 0, 0);
    node_tell(n, NODE_INVALIDATES, NULL, line, 0, node_directory_signal(n, line));
}

void node_mshr_drain(struct node_mshr *m)
{
    struct node *n = m->node;
    struct node_card *c = &n->card;
    struct node_place *p = place_of(n, m->line);
    BASE_ASSERT("C2", p->owner == m && !m->pending);
    m->open = false;
    if (m->writes)
        write_back(n, m->line);
    if (n->config.policy == NODE_DRAIN_INVALIDATE) {
        p->held = 0;
        node_directory_leave(n);
    }
    node_tell(n, NODE_DRAINS, NULL, m->line, 0, 0);
    p->owner = NULL;
    m->next = c->free;
    c->free = m;
    c->used--;
    struct node_mshr *next = p->waiting;
    if (!next)
        return;
    p->waiting = next->next;
    own(next);
}
