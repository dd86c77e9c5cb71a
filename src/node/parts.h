/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of node/ share. node.c makes a node and its cores, directory.c knows who holds a
 * line, card.c moves requests through the card, mshr.c keeps its MSHRs and the places of its cache.
 *
 * Invariants
 *  C1  An MSHR in use has at least one pending request, but at the end of its last one.
 *  C2  Of the MSHRs of one place of the card's cache, one owns the place; the others wait in order.
 *  C3  At most one MSHR of a line is open to further requests, and it is the last one.
 *  C4  Lines in the card's cache are clean if no MSHR owns their place.
 *  C5  What L1 holds, L2 holds.
 *  C6  node.holders counts, for all lines of one place, the cores' L2s that hold them.
 */
#ifndef PGASIM_NODE_PARTS_H
#define PGASIM_NODE_PARTS_H

#include "node/node.h"

/* A miss status holding register. */
struct node_mshr {
    uint64_t line;
    struct node_request *first, *last; /* its subentries */
    struct node_mshr *next;            /* of the free, of the ready, of those that wait for one place */
    struct node *node;
    struct engine_event fill;
    double asked;     /* when the fill began */
    uint32_t pending; /* subentries */
    bool open;        /* takes further requests */
    bool writes;      /* W */
};
/* A place of the direct-mapped cache. */
struct node_place {
    uint64_t held; /* line + 1; 0: none */
    struct node_mshr *owner, *waiting, *last;
};

struct node_card {
    struct node_place *places; /* NULL before the first request */
    struct node_mshr *mshrs;
    uint32_t lines, used; /* used: MSHRs in use */
    struct node_mshr *free;
    struct node_mshr *ready, *last_ready; /* their lines are there */
    struct node_mshr *running;            /* the core works on its first request */
    struct node_request *stalled, *last_stalled;
    uint32_t stalls; /* in that queue */
    double packetizer_free, began;
    struct engine_event core;
    struct node_card_counts counts;
};

struct node_core {
    struct node *node;
    struct node_tags l1, l2;
    struct node_core_counts counts;
    enum node_source source; /* of its last access */
    void (*lost)(void *ctx, uint64_t line);
    void *lost_ctx;
};

struct node {
    struct engine *engine;
    uint32_t number; /* the owner's */
    struct node_config config;
    struct node_dram *dram;
    BASE_ARRAY(struct node_core *) cores;
    uint32_t *holders; /* NODE_PLACES, by node_holders; NULL: there are no cores */
    struct node_directory_counts directory;
    struct node_card card;
    void (*watch)(void *ctx, struct node *n, const struct node_happening *h);
    void *watch_ctx;
};

/* A look-up goes to the tags of all cores only if one may hold the line: nodes have many cores. */
enum { NODE_PLACES = 1 << 16 };
static inline uint32_t *node_holders(const struct node *n, uint64_t line)
{
    return &n->holders[line % NODE_PLACES];
}

/* directory.c */
/* The card wants the line at `now`: when it is there. */
double node_directory_fetch(struct node *n, double now, uint64_t line);
/* The card has changed the line: cores lose their copies. Returns how many they were. */
uint32_t node_directory_signal(struct node *n, uint64_t line);
void node_directory_enter(struct node *n); /* a line of the card's */
void node_directory_leave(struct node *n);
/* A core misses the line, or is about to change a line that others may hold: where it is. Others lose it if
 * the core writes. */
enum node_found { NODE_IN_MEMORY, NODE_AT_CORE, NODE_AT_CARD };
enum node_found node_directory_ask(struct node *n, const struct node_core *who, uint64_t line, bool write);
bool node_core_drop(struct node_core *c, uint64_t line, bool *dirty);
static inline void node_core_lost(const struct node_core *c, uint64_t line)
{
    if (c->lost)
        c->lost(c->lost_ctx, line);
}

/* mshr.c */
void node_card_begin(struct node *n); /* makes places and MSHRs, if there are none yet */
/* Adds the request as a subentry. false: no MSHR, or no subentry is free. */
bool node_mshr_add(struct node *n, struct node_request *r);
struct node_request *node_mshr_take(struct node_mshr *m); /* its first request, executed */
/* Its last request is executed: frees it. */
void node_mshr_drain(struct node_mshr *m);
void node_place_drop(struct node *n, uint64_t line); /* if a retained line is there */
/* Whether the card's cache has the line. */
bool node_place_holds(const struct node *n, uint64_t line);

/* card.c: the line of the MSHR is there. */
void node_card_ready(struct node_mshr *m);

static inline void node_tell(struct node *n, enum node_step step, const struct node_request *r, uint64_t line,
                             double since, uint32_t count)
{
    if (BASE_LIKELY(!n->watch))
        return;
    n->watch(n->watch_ctx, n, &(struct node_happening){step, r, line, engine_now(n->engine), since, count});
}

#endif
