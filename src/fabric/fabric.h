/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric: how long things take to cross the platform. Profile `rdma`: the origin's CPU pays an issue
 * overhead, its NIC accepts one message per gap, the payload is a fluid flow over the route after the route's
 * latency, the target's NIC serves gets and atomics without the target's CPU. Messages between ranks of one
 * host take the host-local path (own latency and bandwidth, no NIC). Moves no bytes: the owner's callbacks
 * do. In profile `software`, arrivals are served by the target's CPU instead, that of a rank or of a progress
 * thread (fabric_server_add).
 *
 * Instants of an operation (the OpenSHMEM paper's Figure 2)
 *   put     issue -> at_target (bytes visible there)                      ack is a time, not an event
 *           ... and with a signal -> fabric_update -> updated (the word's turn in the atomic unit)
 *   get     issue -> at_target (bytes read there) -> fabric_reply -> at_origin
 *   atomic  issue -> at_target (executed there)   -> fabric_reply -> at_origin
 * An atomic whose result is not wanted ends at at_target: its owner does not call fabric_reply.
 *
 * Operations between one pair of hosts may overtake each other (a short put does not wait for a long one);
 * atomics on one word do not. Every parameter is a setting `rdma/...`, `local/...` or `network/...` (see
 * fabric_settings and docs/fabric.md); those of `rdma/`, `local/` and `software/` may be given for single
 * hosts as <prop> in the platform file, which overrides the setting.
 */
#ifndef PGASIM_FABRIC_H
#define PGASIM_FABRIC_H

#include "energy/energy.h"
#include "node/node.h"
#include "noise/noise.h"
#include "platform/platform.h"

struct fabric;
enum fabric_kind { FABRIC_PUT, FABRIC_GET, FABRIC_ATOMIC };
/* Who serves arrivals at a host: its network card, each rank during its calls, a thread of the host, or a
 * network card with a cache and a core, that of `node/` (profile rae). */
enum fabric_progress { FABRIC_BY_CARD, FABRIC_BY_CALLS, FABRIC_BY_THREAD, FABRIC_BY_RAE };
/* What a communication library is called for (library.c). */
enum fabric_work {
    FABRIC_WORK_PUT,
    FABRIC_WORK_GET,
    FABRIC_WORK_ADD,
    FABRIC_WORK_CAS,
    FABRIC_WORK_AND,
    FABRIC_WORK_OR,
    FABRIC_WORK_XOR,
    FABRIC_WORK_MIN_MAX,
    FABRIC_WORK_OTHER, /* any other update, and atomic reads */
    FABRIC_WORKS
};

/* What made an operation fail. */
enum fabric_failing { FABRIC_LINK, FABRIC_HOST };
struct fabric_failure {
    enum fabric_failing of;
    uint32_t id;
};
enum { FABRIC_FAILURE_TEXT = 160 };

struct fabric_op;
struct fabric_handler {
    struct fabric *fabric; /* of all operations with this handler */
    /* The operation takes effect at the target, in an event. A put is then over for the fabric; for a get or
     * an atomic the owner calls fabric_reply, now or (fence) later. */
    void (*at_target)(struct fabric *f, struct fabric_op *op);
    /* The reply has arrived at the origin, in an event; the operation is over for the fabric. */
    void (*at_origin)(struct fabric *f, struct fabric_op *op);
    /* The target's atomic unit has updated the word, in an
     * event. NULL for an owner that never calls fabric_update. */
    void (*updated)(struct fabric *f, struct fabric_op *op);
    /* A link or host that it needs is off; called in an event or within fabric_reply. No other callback
     * follows. The record must stay for as long as the fabric. May be NULL. */
    void (*failed)(struct fabric *f, struct fabric_op *op, const struct fabric_failure *why);
    /* Its next step comes soon: may prefetch what that will touch. Changes nothing. May be NULL. */
    void (*soon)(const struct fabric_op *op, bool at_origin);
    /* Profile rae: what the operation asks of the target's memory: the request's address, bytes and op.
     * `updates`: it is the update that follows a put's delivery. false: nothing, it passes through the card.
     * NULL: none of them asks anything. */
    bool (*describe)(const struct fabric_op *op, bool updates, struct node_request *r);
    /* Where the byte at this offset, in a further page, is. NULL: pages follow each other. */
    uint64_t (*page)(const struct fabric_op *op, bool updates, uint64_t offset);
};
/* Embedded first in the owner's operation record, which begins a cache line. Public fields are set before
 * fabric_issue. */
struct fabric_op {
    struct engine_event event; /* the fabric's, but for its `owners`: see fabric_op_server */
    const struct fabric_handler *handler;
    uint64_t bytes;  /* payload: of the put, of the get's reply, 8 for an atomic */
    uint32_t origin; /* host ids */
    uint32_t target;
    uint32_t word;       /* atomics, signals: the word's number at the target host, for exclusion */
    uint8_t kind;        /* enum fabric_kind */
    uint8_t stage;       /* the fabric's: where the operation is (enum in parts.h) */
    uint8_t owner_state; /* two fields for the owner, which fill a gap */
    uint8_t owner_flags;
    double ack; /* the fabric's: seconds from delivery until the origin knows; begins a line */
};
/* The number of the target's server (fabric_server_add), or 0 for the network card. */
static inline uint32_t fabric_op_server(const struct fabric_op *op)
{
    return op->event.owners;
}

extern const struct base_setting fabric_settings[];
extern const size_t fabric_settings_count;

struct fabric *fabric_create(struct engine *e, struct fluid *fl, struct platform *p,
                             const struct base_settings *settings);
void fabric_destroy(struct fabric *f);
struct engine *fabric_engine(const struct fabric *f);
struct platform *fabric_platform(const struct fabric *f);
fluid_resource fabric_cpu(const struct fabric *f, uint32_t host); /* the host's CPU as a fluid resource */
struct fluid *fabric_fluid(const struct fabric *f);
struct energy *fabric_energy(const struct fabric *f);     /* NULL: joules are not counted */
const struct noise *fabric_noise(const struct fabric *f); /* NULL: there is none */

/* Seconds of the origin's CPU from the call until the NIC has the operation (charged by the caller:
 * engine_sleep), including the copy of a buffered payload (bytes <= the limit). */
double fabric_host_issue_cost(const struct fabric *f, enum fabric_kind kind, uint64_t bytes, uint32_t origin,
                              uint32_t target);
/* Seconds of the host's CPU to pack or unpack this many bytes. */
double fabric_host_copy_cost(const struct fabric *f, uint32_t host, uint64_t bytes);
/* A put of at most this many bytes is locally complete when issued; a longer one when fully delivered. */
uint64_t fabric_host_buffered_limit(const struct fabric *f, uint32_t host);
/* Seconds for a call that finds its condition true at once: test, poll, a time function. */
double fabric_host_poll_cost(const struct fabric *f, uint32_t host);
/* The same four from the settings alone, for choices that must be the same on all hosts. */
double fabric_issue_cost(const struct fabric *f, enum fabric_kind kind, uint64_t bytes, bool local);
double fabric_copy_cost(const struct fabric *f, uint64_t bytes);
uint64_t fabric_buffered_limit(const struct fabric *f);
double fabric_poll_cost(const struct fabric *f);
/* Posts an event of an origin that is ahead of the clock. Costs little if `when` is as far ahead of now as
 * for other events before it: origins that do the same are as far ahead at the same steps. */
void fabric_lead_post(struct fabric *f, struct engine_event *ev, double when);
/* Hands the operation to the origin's NIC now, or at `when` >= now. Ends the process (BASE_EXIT_INPUT) if the
 * platform has no route between the two hosts. */
void fabric_issue(struct fabric *f, struct fabric_op *op);
void fabric_issue_at(struct fabric *f, struct fabric_op *op, double when);
void fabric_reply(struct fabric *f, struct fabric_op *op);
/* After a put's at_target: its signal, the word `op->word`, enters the target's atomic unit now. */
void fabric_update(struct fabric *f, struct fabric_op *op);
/* Seconds from the operation's issue to its last instant if its bytes took no time and there were no
 * contention. `replies`: something comes back to the origin; `updates`: it is a put with a signal. */
double fabric_least(struct fabric *f, const struct fabric_op *op, bool replies, bool updates);
/* Seconds from a put's delivery until the origin knows of it (the acknowledgement). Known from at_target on,
 * for as long as the record lives. */
double fabric_ack_delay(const struct fabric *f, const struct fabric_op *op);

/* --- profile software -------------------------------------------------------------------------------- */

enum fabric_progress fabric_host_progress(const struct fabric *f, uint32_t host);
/* Returns the number of a server for a rank of the host: its own (BY_CALLS),
 * the host's thread (BY_THREAD), the host's card
 * (BY_RAE), or 0 (BY_CARD). CPUs serve arrivals one after the other; each takes software/service and the copy
 * of its bytes. */
uint32_t fabric_server_add(struct fabric *f, uint32_t host);
/* The server's rank computes from now on: arrivals are held until fabric_server_back, which returns the time
 * at which the CPU will have served all that has arrived. */
void fabric_server_away(struct fabric *f, uint32_t server);
double fabric_server_back(struct fabric *f, uint32_t server);
double fabric_server_free(const struct fabric *f, uint32_t server); /* the same time, without coming back */

/* --- a communication library's instructions (library.c) -----------------------------------------------

 * With `software/library` or a count of its own, each operation takes so many instructions of the origin's
 * CPU, whoever serves it, and in profile `software` so many of the target's. */

/* Counts one call of the library at the host. Returns its instructions; 0: there is no library. */
uint64_t fabric_library_call(struct fabric *f, uint32_t host, enum fabric_work work);
uint64_t fabric_library_instructions(const struct fabric *f, uint32_t host,
                                     enum fabric_work work); /* without counting */
/* Seconds of the host's CPU. */
double fabric_library_cost(const struct fabric *f, uint32_t host, uint64_t instructions);
struct fabric_library_counts {
    bool on; /* of any host */
    uint64_t calls[FABRIC_WORKS];
    uint64_t at_origins, at_targets; /* instructions */
};
struct fabric_library_counts fabric_library_counts(const struct fabric *f);
/* What the settings say, without the properties of hosts. */
struct fabric_library_facts {
    const char *name;                    /* of the library */
    uint32_t each[FABRIC_WORKS], target; /* instructions */
    double cycles, frequency;            /* of an instruction; in a second */
};
struct fabric_library_facts fabric_library_facts(const struct fabric *f);
const char *fabric_work_name(enum fabric_work work);

/* --- profile rae (card.c) ----------------------------------------------------------------------------- */

/* The host's caches, directory, DRAM and card, made when they are first asked for. NULL: the settings do not
 * know their parameters. */
struct node *fabric_host_node(struct fabric *f, uint32_t host);
/* Calls `fn` for each node that there is, in order of hosts. */
void fabric_nodes_each(const struct fabric *f, void (*fn)(void *ctx, uint32_t host, struct node *n),
                       void *ctx);
/* All nodes, also those still to come, are watched (node_watch). */
void fabric_nodes_watch(struct fabric *f,
                        void (*fn)(void *ctx, struct node *n, const struct node_happening *h), void *ctx);
uint32_t fabric_node_host(const struct fabric *f, const struct node *n);
/* The operation that a card of profile rae works on. */
const struct fabric_op *fabric_request_op(const struct node_request *r);

/* --- transfers and computations, as in SimGrid (docs/network-models.md) ------------------------------- */

/* The SimGrid network model that `network/model` names. */
enum fabric_network_model {
    FABRIC_RAW, /* every factor 1, no weights, no bounds */
    FABRIC_CM02,
    FABRIC_LV08,
    FABRIC_SMPI,
    FABRIC_IB,
    FABRIC_CONSTANT,
};
enum fabric_network_model fabric_network_model(const struct fabric *f);
/* Seconds of the model's latency from one host to another for a message of this size, without the time for
 * its bytes. Ends the process (BASE_EXIT_INPUT) if there is no route. */
double fabric_latency(struct fabric *f, uint32_t from, uint32_t to, double bytes);

enum fabric_outcome {
    FABRIC_DONE,
    FABRIC_FAILED, /* a link or host that it uses is off, or was turned off */
};
/* Called once, in an event; the record is already freed. */
typedef void (*fabric_outcome_fn)(struct fabric *f, void *arg, enum fabric_outcome how);

/* Bytes from one host to another. Starts now, according to the network model: the route's latency with the
 * model's factor for this size, then a flow with the model's bandwidth factor, weight and bound. bytes >= 0;
 * `rate`: upper limit in bytes/s, or INFINITY. Returns NULL with st if there is no route. */
struct fabric_transfer;
struct fabric_transfer *fabric_transfer_start(struct fabric *f, uint32_t from, uint32_t to, double bytes,
                                              double rate, fabric_outcome_fn done, void *arg,
                                              struct base_status *st);
/* The same for a message, or for what is left of it.
 * `connection`: its flow waits for those of the same connection before it: any number that the caller gives to two
 *     hosts, or FABRIC_NO_CONNECTION.
 * `rest`: `ahead` bytes of it have arrived as a transfer of their own. The others go, in what is left of the time that
 *     all of it takes alone.
 * `asks`: its sender asks the receiver before it sends, or the receiver asks for the rest: by words that wait at links
 *     (network/frame). */
#define FABRIC_NO_CONNECTION UINT64_MAX
struct fabric_part {
    uint64_t connection;
    double ahead;
    bool rest, asks;
};
struct fabric_transfer *fabric_transfer_part(struct fabric *f, const struct fabric_part *part, uint32_t from,
                                             uint32_t to, double bytes, double rate, fabric_outcome_fn done,
                                             void *arg, struct base_status *st);
void fabric_transfer_cancel(struct fabric *f, struct fabric_transfer *t); /* `done` is not called */
/* Seconds that a transfer would take if its bytes took no time: its latency. */
double fabric_transfer_least(struct fabric *f, uint32_t from, uint32_t to, double bytes);
/* Seconds per byte of a long transfer that has its route to itself; 0: nothing limits it. */
double fabric_transfer_byte(struct fabric *f, uint32_t from, uint32_t to);
/* What is off, during a call of `done` with FABRIC_FAILED. */
const struct fabric_failure *fabric_failing(const struct fabric *f);
/* Flops >= 0 on one core of a host; computations share the cores if they outnumber them (SimGrid's Cas01). */
struct fabric_exec;
struct fabric_exec *fabric_exec_start(struct fabric *f, uint32_t host, double flops, fabric_outcome_fn done,
                                      void *arg);
void fabric_exec_cancel(struct fabric *f, struct fabric_exec *x);

/* Bytes between a core and the memory of its host, and bytes that are copied there besides. */
struct fabric_traffic {
    double moved, copied;
};
/* A core's work. If the host's memory has a bandwidth (local/memory-bandwidth), `bytes` of it are moved meanwhile,
 * and it takes `least` seconds at least; elsewhere both are 0. */
struct fabric_computation {
    double flops, bytes, least;
};
bool fabric_host_has_memory(const struct fabric *f, uint32_t host); /* with a bandwidth */
/* Without traffic, flops move as much as local/memory-intensity says. */
struct fabric_computation fabric_computation_of(const struct fabric *f, uint32_t host, double flops,
                                                struct fabric_traffic t);
struct fabric_exec *fabric_exec_start_with(struct fabric *f, uint32_t host,
                                           const struct fabric_computation *c, fabric_outcome_fn done,
                                           void *arg);
/* A copy of so many bytes from one rank to another of the host shares its memory. It is no load of a core's: `rate` is what
 * one of them copies alone, in bytes/s. */
bool fabric_copy_shares(const struct fabric *f, uint32_t host, uint64_t bytes);
struct fabric_exec *fabric_copy_start(struct fabric *f, uint32_t host, double bytes, double rate,
                                      fabric_outcome_fn done, void *arg);
double fabric_copy_rate(const struct fabric *f, uint32_t host); /* between its ranks */

bool fabric_is_steady(const struct fabric *f); /* its platform has no profiles: nothing changes by itself */
/* Changes during the simulation. A new latency holds for transfers that start from now on; for those under
 * way it changes only weight and bound. Speeds are a factor >= 0 on the host's own; at 0 its computations
 * stand still. A failure ends, with FABRIC_FAILED, everything that uses the link or host now; what starts
 * while it is off fails at once. */
void fabric_link_bandwidth_set(struct fabric *f, uint32_t link, double bytes_per_second); /* > 0 */
void fabric_link_latency_set(struct fabric *f, uint32_t link, double seconds);            /* >= 0 */
void fabric_link_fails(struct fabric *f, uint32_t link);
void fabric_link_returns(struct fabric *f, uint32_t link);
bool fabric_link_on(const struct fabric *f, uint32_t link);
void fabric_host_speed_set(struct fabric *f, uint32_t host, double factor);
double fabric_host_speed(const struct fabric *f, uint32_t host);     /* flop/s of one core, now */
double fabric_host_peak(const struct fabric *f, uint32_t host);      /* the same, whatever its factor */
double fabric_host_available(const struct fabric *f, uint32_t host); /* that factor */
/* The host goes on in another of its pstates; its computations, too. */
void fabric_host_pstate_set(struct fabric *f, uint32_t host, uint32_t pstate);
uint32_t fabric_host_pstate(const struct fabric *f, uint32_t host);
bool fabric_host_varies(const struct fabric *f, uint32_t host); /* its speed has changed or may change */
void fabric_host_fails(struct fabric *f, uint32_t host);        /* ends all that uses the host */
void fabric_host_returns(struct fabric *f, uint32_t host);
/* When a host fails, `fn` is called before anything else. */
void fabric_on_host_failure(struct fabric *f, void (*fn)(void *ctx, uint32_t host), void *ctx);
/* Writes "link l failed", for example; returns buf. */
char *fabric_failure_text(const struct fabric *f, const struct fabric_failure *why, char *buf, size_t size);
bool fabric_host_on(const struct fabric *f, uint32_t host);

/* --- two-sided messages: the hybrid model of the SMPI paper (section 3.2, Figure 4)
 * ------------------------ */

/* How a message crosses, depending on its size. Matching is the owner's business. */
enum fabric_mode {
    FABRIC_ASYNCHRONOUS, /* sets out when sent, and waits at the receiver's host */
    FABRIC_DETACHED,     /* its sender goes on, but it sets out only when it is also received */
    FABRIC_SYNCHRONOUS,  /* rendezvous: like detached, but its sender waits until it has arrived */
};
/* How it is sent: a set of these; 0 is MPI_Send. */
enum fabric_sending {
    FABRIC_NONBLOCKING = 1,  /* MPI_Isend: o_is instead of o_s */
    FABRIC_SYNCHRONIZES = 2, /* MPI_Ssend: never asynchronous or detached */
    FABRIC_BUFFERS = 4,      /* MPI_Bsend: at least detached */
};
/* The model's parameters (settings smpi/..., and properties smpi/os, smpi/ois, smpi/or of hosts). */
struct fabric_messages;
struct fabric_message;
struct fabric_transfer;
struct fabric_message_handler {
    /* An asynchronous message has reached its receiver's
     * host before its receive, in an event. May be NULL. */
    void (*arrived)(struct fabric_messages *ms, struct fabric_message *m);
    /* A synchronous message has left the sender's buffer, and a blocking send returns: in an event, just
     * before `received`. In the other modes the bytes are copied, and the buffer is free when
     * fabric_message_send returns. */
    void (*sent)(struct fabric_messages *ms, struct fabric_message *m);
    /* The message has arrived where its receiver waits for it, in an event; it is over for the fabric. */
    void (*received)(struct fabric_messages *ms, struct fabric_message *m);
    /* A link or a host on its way failed, in an event; neither `sent` nor `received` will follow. */
    void (*failed)(struct fabric_messages *ms, struct fabric_message *m, const struct fabric_failure *why);
    /* The number of the connection that it takes, the same for all messages from one sender to one receiver.
     * Asked for with network/in-order. */
    uint64_t (*connection)(const struct fabric_message *m);
};
/* Embedded in the owner's record, which lives until `received` or `failed`, or until fabric_message_receive
 * returns true. The first seven fields are set before fabric_message_send. Events caused by the message have
 * its number as their cause (engine_cause_set). */
struct fabric_message {
    const struct fabric_message_handler *handler;
    uint64_t bytes;
    uint64_t number;                  /* for traces: links its instants; 0: none */
    uint32_t from, to;                /* host ids; if equal: the platform's route of the host to itself */
    uint8_t mode;                     /* enum fabric_mode */
    uint8_t owner_state, owner_flags; /* for the owner, filling a gap */
    uint8_t stage;                    /* the fabric's */
    struct fabric_messages *of;       /* the fabric's */
    struct fabric_transfer *transfer; /* the fabric's */
};

extern const struct base_setting fabric_message_settings[];
extern const size_t fabric_message_settings_count;
/* Returns -1 with st naming the setting that does not parse, or the property's file, line and host. */
int fabric_messages_create(struct fabric_messages **out, struct fabric *f,
                           const struct base_settings *settings, struct base_status *st);
void fabric_messages_destroy(struct fabric_messages *ms);
struct fabric *fabric_messages_fabric(const struct fabric_messages *ms);

/* The mode for a message of this size; `how`: set of enum fabric_sending. */
enum fabric_mode fabric_message_mode(const struct fabric_messages *ms, uint64_t bytes, unsigned how);
/* A message sent without any of enum fabric_sending is synchronous from this many bytes on. */
uint64_t fabric_synchronous_from(const struct fabric_messages *ms);
uint64_t fabric_asynchronous_below(const struct fabric_messages *ms);
/* Seconds of the sender's CPU, charged by the caller (engine_sleep):
 * before fabric_message_send, or after it if fabric_send_overlaps. */
double fabric_send_cost(const struct fabric_messages *ms, uint32_t host, uint64_t bytes, unsigned how);
bool fabric_send_overlaps(const struct fabric_messages *ms);
/* Seconds of the receiver's CPU to complete the receive once the message is there; charged by whoever waits.
 * 0 for a synchronous message, whose bytes go straight to their destination. */
double fabric_receive_cost(const struct fabric_messages *ms, const struct fabric_message *m);
/* The message exists from now on, and may be received, now or later; an asynchronous one sets out. Ends the process
 * (BASE_EXIT_INPUT) if the platform has no route between the two hosts. The owner of a message whose sender is ahead
 * of the clock calls this in an event of its own (fabric_lead_post). */
void fabric_message_send(struct fabric_messages *ms, struct fabric_message *m);
/* The message's receive is posted. Returns true if the message is already there: it is then over for the
 * fabric, and no callback follows. */
bool fabric_message_receive(struct fabric_messages *ms, struct fabric_message *m);
/* An asynchronous message of which nothing is kept: its owner knows its receive. `done` is called at its
 * arrival, or at its failure. `connection`: as a handler gives it. */
void fabric_message_send_alone(const struct fabric_messages *ms, uint32_t from, uint32_t to, uint64_t bytes,
                               uint64_t connection, fabric_outcome_fn done, void *arg);
double fabric_alone_cost(const struct fabric_messages *ms, uint32_t to,
                         uint64_t bytes); /* as fabric_receive_cost */
/* Takes the message back wherever it is; no callback follows. */
void fabric_message_cancel(struct fabric_messages *ms, struct fabric_message *m);
/* Seconds from setting out to arrival if its bytes took no time. */
double fabric_message_least(const struct fabric_messages *ms, const struct fabric_message *m);
/* Seconds taken by calls that send nothing. If `grow`, the n-th failed test or iprobe in a row takes n times
 * as long. */
struct fabric_call_costs {
    double init, wtime, test, iprobe;
    bool grow;
};
struct fabric_call_costs fabric_call_costs(const struct fabric_messages *ms);

struct fabric_counts {
    uint64_t network, local; /* operations by way */
    uint64_t transfers;      /* started */
    uint64_t paths;          /* routes known now */
    uint64_t routed;         /* number of routes asked of the platform so far */
    uint64_t messages, hops,
        flits; /* to and from cards of profile rae; links crossed, but fatpipes; flits sent */
};
struct fabric_counts fabric_counts(const struct fabric *f);
/* Links that carried messages of one packet, but fatpipes: how many, and how long they kept the link busy. */
void fabric_links_each(const struct fabric *f,
                       void (*fn)(void *ctx, uint32_t link, uint64_t packets, double seconds), void *ctx);

/* What debuggers read (facts.c). */
extern const struct base_fact fabric_facts[];

#endif
