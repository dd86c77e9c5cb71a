/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of fabric/ share. model.c reads the parameters, host.c those of single hosts; cost.c
 * computes CPU times, memory.c says what moves how much memory, path.c finds the way between two hosts.
 * nic.c is a host's network card, wire.c carries payloads, packet.c models links for short messages,
 * server.c models the CPU time of serving arrivals in software, library.c has the instructions of
 * communication libraries, op.c moves an operation through its stages. network.c reads the network model,
 * both.c has what both directions share; train.c has messages in frames; transfer.c, exec.c and ib.c model transfers and computations as
 * SimGrid does, vary.c changes links and hosts under them.
 *
 * Stages of an operation
 *   stage       what holds                                   left by
 *   OWNER       the owner's; no event, no flow               fabric_issue, fabric_issue_at
 *   TO_CARD     its origin has not reached the issue yet     the time of the issue
 *   TO_TARGET   on its way: a packet, or latency and flow    arrival: at_target; IN_UNIT (atomics); IN_SERVER
 *   IN_SERVER   the target's software has it, or rae's card  it is served: at_target
 *   IN_UNIT     an atomic in the target's atomic unit        the unit is done: at_target
 *   AT_TARGET   took effect; the owner's again               fabric_reply (not of a put), fabric_update
 *   IN_UPDATE   a put's signal in the target's atomic unit   the unit is done: AT_TARGET, updated
 *   TO_ORIGIN   the reply is on its way                      arrival: at_origin
 *   LOST        a link or host that it needs is off: failed  nobody
 *
 * Invariants
 *  N1  fabric_reply is for an operation in stage AT_TARGET that is not a put; fabric_update is for a put
 *      there.
 *  N2  A path has as many users as operations that may still start a flow on it or have one there; a path
 *      with users is not forgotten.
 *  N3  There is at most one path record per pair of hosts.
 *  N4  A transfer is on a ring exactly while it is not over, and a user of its path.
 *  N5  A computation is on its host's ring exactly while it is not over.
 *  N6  An operation's handler is of its fabric.
 *  N7  A host of profile rae has parameters of a node; an update is described by its owner.
 */
#ifndef PGASIM_FABRIC_PARTS_H
#define PGASIM_FABRIC_PARTS_H

#include "base/table.h"
#include "fabric/activities.h"

#include <math.h>

enum fabric_stage {
    FABRIC_OWNER,
    FABRIC_TO_CARD,
    FABRIC_TO_TARGET,
    FABRIC_IN_SERVER,
    FABRIC_IN_UNIT,
    FABRIC_AT_TARGET,
    FABRIC_IN_UPDATE,
    FABRIC_TO_ORIGIN,
    FABRIC_LOST,
};

/* library.c: what operations cost in instructions. */
struct fabric_library {
    uint32_t each[FABRIC_WORKS], target; /* instructions of the origin and of the target */
    double cycles, frequency;            /* of an instruction; in a second */
    uint8_t name;                        /* in library.c's table */
    bool on;
};
int fabric_library_read(struct fabric_library *l, const struct base_settings *s, struct base_status *st);
static inline double fabric_library_time(const struct fabric_library *l, uint64_t instructions)
{
    return (double)instructions * l->cycles / l->frequency;
}

/* memory.c: the memory of a host; bytes/s, and bytes of memory for each byte or flop. */
struct fabric_memory {
    double bandwidth; /* of all cores together; 0: it has no limit */
    double core;      /* of one core; 0: as much as all */
    double copy, message, intensity;
};
int fabric_memory_read(struct fabric_memory *m, const struct base_settings *s, struct base_status *st);
void fabric_memories_begin(struct fabric *f);
void fabric_memories_release(struct fabric *f);
/* Bytes of memory for each byte of a message from one host to another; 0: it shares none. */
double fabric_message_traffic(const struct fabric *f, uint32_t from, uint32_t to);

/* The parameters as numbers: seconds, bytes, bytes/s. Each is the setting of the same name. */
struct fabric_model {
    double put_overhead, get_overhead, atomic_overhead, ack_overhead;
    double copy_per_byte, fetch_latency, gap, read_service, atomic_service, atomic_gap, poll_cost;
    double local_latency, local_per_byte, local_overhead, local_atomic_service;
    uint64_t buffered_limit, inline_limit, header_bytes, packet_limit;
    double software_service; /* of the target's CPU: by the library's instructions, if there is one */
    struct fabric_library library;
    struct fabric_memory memory;
    enum fabric_progress progress;
    struct node_config node;
    bool has_node; /* the settings know its parameters */
};
int fabric_model_read(struct fabric_model *m, const struct base_settings *settings, struct base_status *st);

/* A factor that depends on the message's size: `first` up to the first bound (or everywhere without bounds),
 * then that of the last bound below the size. */
struct fabric_factor_piece {
    double above, factor;
};
struct fabric_factor {
    double first;
    uint32_t pieces;
    struct fabric_factor_piece *piece; /* in order of bounds */
};
double fabric_factor_find(const struct fabric_factor *x, double bytes);
static inline double fabric_factor_at(const struct fabric_factor *x, double bytes)
{
    return BASE_LIKELY(!x->pieces) ? x->first : fabric_factor_find(x, bytes);
}
/* The network model: settings `network/...` and `smpi/...` as numbers (network.c). */
struct fabric_network {
    enum fabric_network_model model;
    struct fabric_factor latency, bandwidth;
    double weight_s;                             /* bytes */
    double gamma;                                /* bytes; 0: latency sets no bound */
    double host_latency;                         /* seconds, of each route between two hosts */
    uint64_t frame, window;                      /* bytes; 0: messages flow; no limit (train.c) */
    bool slow_start;                             /* the window grows */
    double constant;                             /* seconds that every transfer takes in the Constant model */
    double be, bs, ys;                           /* penalties of the IB model */
    double loopback_latency, loopback_bandwidth; /* of each host's link to itself */
    struct fabric_factor back; /* of a flow's rate, on the way back */
    struct fabric_factor both; /* what both directions carry together, in bandwidths of one; 2: each its own */
    bool crosstraffic, bidirectional; /* these are not 0; are below 2 */
    bool weight_narrowest;            /* only the narrowest link adds to a route's weight, not each */
    bool shares;  /* flows have weights and bounds (all models but raw) */
    bool narrows; /* the bandwidth factor is not 1 for all sizes */
};
/* A transfer's bound, from its links (or the caller's rate) and its latency: TCP's window, once per round
 * trip. As in SimGrid, a window of 0 means no bound at all, unless the route has no latency. */
static inline double fabric_bound(const struct fabric_network *n, double top, double latency)
{
    if (!(latency > 0))
        return top;
    return n->gamma > 0 ? fmin(top, n->gamma / (2 * latency)) : INFINITY;
}
int fabric_network_read(struct fabric_network *n, const struct base_settings *settings,
                        struct base_status *st);
void fabric_network_release(struct fabric_network *n);

/* The way from one host to another, as packets take it. */
struct fabric_way {
    double latency;      /* seconds, with the first factor */
    double back_latency; /* of the opposite direction; NAN: not looked up yet */
    const uint32_t *link;
    uint32_t links;
};
/* A way that is kept, because finding it costs more than a message or because flows use it. */
enum { FABRIC_NEAR_LINKS = 4 };
/* What a flow takes of its rate besides its way, which depends on its size. */
struct fabric_parts {
    double back, both; /* on each link of the way back; of what both directions share */
    double memory;     /* of the host, within one */
};
struct fabric_path {
    uint64_t key; /* source host << 32 | target host */
    struct fabric_way way;
    uint32_t users;
    uint32_t version; /* of the links when the following was computed */
    uint32_t near[FABRIC_NEAR_LINKS];
    double latency;       /* seconds, without a factor */
    double weight, bound; /* for flows from now on, as the model has them; a weight of 0 stands for 1 */
    double narrowest;     /* bytes/s: the least of its links; INFINITY: none counts */
    uint32_t *back;       /* links of the way back, on which flows use a part */
    uint32_t backs;
    bool back_known;
    fluid_resource both;      /* that of the two hosts (both.c), or FABRIC_NOT_BOTH */
    struct fluid_path *flows; /* of kept_weight, kept_bound and kept_parts, or NULL */
    double kept_weight, kept_bound;
    struct fabric_parts kept_parts;
    struct fabric_pair *pair; /* ib.c's */
};

/* The known paths. Up to a limit their number grows with the
 * pairs in use; beyond it a new path replaces one without users. */
struct fabric_paths {
    struct base_table known; /* struct fabric_path *, by key */
    uint64_t routed;
    struct base_pool pool;
    struct base_buffers lists;         /* of links */
    struct fabric_way quick;           /* the last one that is not kept */
    BASE_ARRAY(struct fluid_use) uses; /* scratch */
};
void fabric_paths_init(struct fabric *f);
void fabric_paths_release(struct fabric *f);
struct fabric_path *fabric_path_lookup(struct fabric *f, uint64_t key);
/* The way from one host to another, valid until another one is asked for. */
const struct fabric_way *fabric_way_find(struct fabric *f, uint32_t from, uint32_t to);
double fabric_way_ask_back(struct fabric *f, const struct fabric_way *w);
static inline double fabric_way_back(struct fabric *f, const struct fabric_way *w)
{
    return BASE_UNLIKELY(isnan(w->back_latency)) ? fabric_way_ask_back(f, w) : w->back_latency;
}
void fabric_leasts_release(struct fabric *f); /* least.c */
/* Seconds, without a factor; keeps no path. */
double fabric_route_latency(struct fabric *f, uint32_t from, uint32_t to);
/* NULL with st if there is no route. */
struct fabric_path *fabric_path_look(struct fabric *f, uint64_t key, struct base_status *st);
/* Brings weight, bound and the way back up to date. */
void fabric_path_renew(struct fabric *f, struct fabric_path *p);
/* A flow of that weight and bound over the path, for a message of so many bytes; NULL if the path has no link. */
struct fluid_flow *fabric_path_start(struct fabric *f, struct fabric_path *p, double weight, double bound,
                                     double bytes, double amount, fluid_done_fn done, void *arg);
bool fabric_path_crosses(const struct fabric_path *p, uint32_t link); /* there or back */
/* both.c: the resource that both directions between two hosts share, of the links' present bandwidths. `key` as of a
 * path. FABRIC_NOT_BOTH: they share none. */
enum { FABRIC_NOT_BOTH = UINT32_MAX };
void fabric_both_init(struct fabric *f);
void fabric_both_release(struct fabric *f);
uint32_t fabric_both_find(struct fabric *f, uint64_t key);
/* A link's latency changed: updates all known paths. */
void fabric_paths_relate(struct fabric *f);

/* A host's network card. The atomic unit starts one operation per atomic gap; an operation keeps its word
 * (strictly, all words with the same remainder) busy for the service time. */
enum { FABRIC_WORDS = 128 };
struct fabric_nic {
    struct engine_series entering;    /* packets waiting for their first link */
    double free;                      /* when it can send the next message */
    double unit_free;                 /* when the atomic unit can start the next operation */
    double *word_free;                /* FABRIC_WORDS times; NULL before the first atomic */
    struct fabric_path *last;         /* the path from here that was used last, or NULL */
    const struct fabric_model *model; /* its host's parameters */
} __attribute__((aligned(64)));
double fabric_nic_send(struct fabric_nic *nic, double now, double gap);
double fabric_nic_atomic(struct fabric_nic *nic, uint32_t word, double now, double gap, double service);
static inline void fabric_nic_soon(const struct fabric_nic *nic, uint32_t word)
{
    __builtin_prefetch(nic, 1);
    if (nic->word_free)
        __builtin_prefetch(&nic->word_free[word % FABRIC_WORDS], 1);
}

/* A link as packets see it. */
struct fabric_link {
    double busy;     /* until when it is busy; a fatpipe never is */
    double per_byte; /* seconds */
    double latency;
    double carried;  /* seconds of all packets; a fatpipe has none */
    uint32_t packets;
    bool known; /* packet.c has filled it in */
    bool fatpipe;
    bool off;
    struct engine_series arriving; /* packets that last waited for this link, until their arrival */
};
enum { FABRIC_NO_LINK = UINT32_MAX, FABRIC_TRAVEL_BITS = 6, FABRIC_TRAVELS = 1 << FABRIC_TRAVEL_BITS };
enum { FABRIC_LEADS = 1024 };
void fabric_leads_release(struct fabric *f);
void fabric_links_init(struct fabric *f);
void fabric_links_release(struct fabric *f);
/* Returns when a packet that the card sends at `at` enters its first link, and reserves the link. */
double fabric_packet_enter(struct fabric *f, const struct fabric_way *w, double at, double bytes);
/* The packet enters its first link now. Returns when its last byte leaves the last link, not counting
 * latencies. `behind`: the link that it waited for last, or FABRIC_NO_LINK. */
double fabric_packet_pass(struct fabric *f, const struct fabric_way *w, double bytes, uint32_t *behind);
/* The head of a frame is in front of link *at of a way now; its end comes at *tail (0: it is whole). It goes on until
 * it has to wait, for others or for a link's latency times `stretch`; *at and *tail follow it. Returns when its head
 * is in front of *at, or when its end has left the last link. */
double fabric_packet_cross(struct fabric *f, const struct fabric_way *w, double bytes, double stretch,
                           uint32_t *at, double *tail);
/* Seconds a byte on the fatpipes of a way, on which packets of one sender do not wait for those of others. */
double fabric_packet_pace(struct fabric *f, const struct fabric_way *w);
/* The series in which it waits for its arrival. Packets that waited for one
 * link mostly arrive in the order in which they left it; packets that waited
 * for none, and take equally long, arrive in the order in which they set out. */
struct engine_series *fabric_packet_series(struct fabric *f, const struct fabric_way *w, uint64_t bytes,
                                           uint32_t behind);
/* The series for events that are due this many seconds after the event that scheduled them. */
struct engine_series *fabric_delay_series(struct fabric *f, double seconds);

/* energy.c: what the fabric tells energy/, if joules are counted. */
void fabric_energy_begin(struct fabric *f, const struct base_settings *settings);
/* A transfer over the path (NULL: none) starts, or ends without a flow. */
void fabric_energy_moment(struct fabric *f, const struct fabric_path *p);
/* A flow for a message of so many bytes is about to begin; ends before its end. */
void fabric_energy_flow(struct fabric *f, const struct fabric_path *p, double bytes, double amount);
void fabric_energy_cut(struct fabric *f, const struct fabric_path *p, double bytes, double left);
/* The path of a flow with these two: that of a transfer, of a one-sided operation; NULL: of neither. */
typedef const struct fabric_path *(*fabric_path_of_fn)(fluid_done_fn done, const void *arg);

/* noise.c */
void fabric_noise_begin(struct fabric *f, const struct base_settings *settings);
void fabric_noise_release(struct fabric *f);
double fabric_noise_bandwidth(const struct fabric *f, uint32_t link); /* its factor in this run */
/* The latency of a message from one host to another, if there is noise; each call is another message. */
double fabric_noise_late(struct fabric *f, uint32_t from, uint32_t to, double latency);
/* When a short message is there that would be there at `at`: those of a pair of hosts do not overtake each other. */
double fabric_noise_in_order(struct fabric *f, uint32_t from, uint32_t to, double at);

/* host.c: the models of hosts with properties of their own. */
void fabric_hosts_read(struct fabric *f, const struct base_settings *settings);
void fabric_hosts_release(struct fabric *f);

/* The CPU time of one rank, or of one host's progress thread, which serves arrivals one after the other.
 * While its rank computes, arrivals wait in a list. */
struct fabric_server {
    double free;                      /* when it will be done with what it has accepted */
    struct engine_event *held, *last; /* of the operations */
    uint32_t host;
    bool away;
    bool card; /* it is the host's card, profile rae: the fields before `host` are not used */
};
void fabric_server_take(struct fabric *f, struct fabric_op *op);

/* card.c: profile rae. */
struct fabric_cards {
    struct node **nodes; /* by host; NULL: none yet */
    struct base_pool pool;
    struct fabric_ring serving; /* operations that are in a card now */
    uint64_t messages, hops, flits;
    void (*watch)(void *ctx, struct node *n, const struct node_happening *h);
    void *watch_ctx;
};
void fabric_cards_init(struct fabric *f);
void fabric_cards_release(struct fabric *f);
void fabric_card_take(struct fabric *f, struct fabric_op *op); /* it has arrived */
/* The operation takes effect: what it changes without a card of the model leaves the caches of cores. */
void fabric_pass_caches(struct fabric *f, const struct fabric_op *op);
void fabric_card_update(struct fabric *f, struct fabric_op *op); /* its signal enters the card, too */
/* Bytes of the message that the operation sends in its stage. */
double fabric_card_bytes(const struct fabric *f, const struct fabric_op *op);
void fabric_card_issue(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at);
void fabric_card_reply(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at);

/* wire.c: the card sends the payload over the way at `at`. */
void fabric_wires_init(struct fabric *f);
void fabric_wire_send(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at);
/* A message of no payload: one packet. Profile rae only; those of others take latency and no bandwidth. */
void fabric_wire_short(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at);

/* op.c: the operation has reached the end of its stage, and takes effect now. */
void fabric_arrived(struct fabric_op *op);
void fabric_reach_target(struct fabric_op *op);
void fabric_updated(struct fabric_op *op); /* its signal is written */

struct fabric {
    struct engine *engine;
    struct fluid *fluid;
    struct energy *energy;        /* NULL: joules are not counted */
    struct fabric_noise *noise;   /* NULL: there is none */
    fabric_path_of_fn path_of[2]; /* transfers, one-sided operations */
    struct fabric_model model;
    struct fabric_network network;
    struct fabric_nic *nics; /* one a host */
    struct fabric_link *links;
    struct engine_series travels[FABRIC_TRAVELS];
    struct engine_series latencies[FABRIC_TRAVELS]; /* of transfers */
    struct fabric_paths paths;
    struct base_table both; /* fluid_resource, by pair of hosts */
    BASE_ARRAY(struct fabric_model *) models; /* of hosts with parameters of their own */
    BASE_ARRAY(struct fabric_server) servers; /* number 0 is none */
    uint32_t *thread_of; /* number of a host's progress thread or card; NULL: none has one yet */
    struct fabric_cards cards;
    struct fabric_library_counts library;
    struct platform *platform;
    fluid_resource first_link, first_cpu;
    fluid_resource *memory; /* by host, of those that have one; NULL: none has */
    uint32_t hosts;
    uint64_t on_network, local, started;
    struct engine_series leads[FABRIC_LEADS]; /* of origins ahead of the clock (lead.c) */
    struct base_pool transfer_pool, exec_pool, train_pool, frame_pool;
    struct fabric_ring transfers;  /* current ones, in order of their starts */
    struct base_table connections; /* struct fabric_transfer *: the first in line, by connection */
    struct fabric_cpu *cpus;       /* NULL: none used yet */
    struct fabric_ib *ib;          /* NULL: not needed yet */
    double *latency_change;        /* by link, relative to the platform's; NULL: none */
    uint32_t version;              /* of the links' latencies and bandwidths */
    struct fabric_least *leasts;   /* NULL: never asked for */
    uint32_t links_off, hosts_off;
    struct fabric_changes *changes; /* NULL: the platform has no profile */
    struct base_pool flight_pool;
    struct fabric_ring flights;
    struct fabric_failure failing; /* the reason for the failure being reported */
    void (*on_host_failure)(void *ctx, uint32_t host);
    void *on_host_failure_ctx;
};

/* A card of profile rae serves it. */
static inline bool fabric_at_rae(const struct fabric *f, const struct fabric_op *op)
{
    uint32_t server = fabric_op_server(op);
    return BASE_UNLIKELY(server) && f->servers.at[server].card && op->origin != op->target;
}

static inline struct fabric_path *fabric_path_find(struct fabric *f, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    struct fabric_path *p = f->nics[from].last;
    if (BASE_LIKELY(p && p->key == key))
        return p;
    return fabric_path_lookup(f, key);
}

/* What a flow for a message of this size takes of its rate on each link of the way back. */
static inline double fabric_path_back(const struct fabric *f, const struct fabric_path *p, double bytes)
{
    return p->backs ? fabric_factor_at(&f->network.back, bytes) : 0;
}

/* Seconds of latency for a message of this size. */
static inline double fabric_way_latency(const struct fabric *f, const struct fabric_way *w, double bytes)
{
    const struct fabric_factor *x = &f->network.latency;
    return BASE_LIKELY(!x->pieces) ? w->latency : w->latency * fabric_factor_find(x, bytes);
}

/* A latency as this message has it. */
static inline double fabric_noisy(struct fabric *f, uint32_t from, uint32_t to, double latency)
{
    return BASE_LIKELY(!f->noise) ? latency : fabric_noise_late(f, from, to, latency);
}

static inline const struct fabric_model *fabric_model_at(const struct fabric *f, uint32_t host)
{
    return f->nics[host].model;
}

/* NULL: the host's memory has no limit. */
static inline const struct fabric_memory *fabric_memory_at(const struct fabric *f, uint32_t host)
{
    if (BASE_LIKELY(!f->memory))
        return NULL;
    const struct fabric_memory *m = &fabric_model_at(f, host)->memory;
    return m->bandwidth > 0 ? m : NULL;
}

#endif
