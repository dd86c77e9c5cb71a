/* SPDX-License-Identifier: BSD-3-Clause */
/* types: what a process, a client and a server keep. */
#ifndef SAT_TYPES_H
#define SAT_TYPES_H

#include <mpi.h>
#include <stdbool.h>

#define SAT_NO_SHORT_NAMES
#include "sat.h"
#include "sdsm/record.h"

/* --- times and options ----------------------------------------------------------------------------- */

/* Classes of a process's time (Figure 15b). */
enum sat_class { SAT_USER, SAT_SDSM, SAT_SYNC, SAT_SLEEP, SAT_CLASSES };

/* options.c has the list, with defaults and help. */
struct sat_options {
    const char *topology, *stats, *summary;
    unsigned long servers, chunk_size;
    unsigned long jia_memory, jia_prefetch; /* MiB; pages */
    int debug;                              /* 1: events; 2: and the records of messages */
    bool check, edge, in_calls, coalesce, sleep;
    double poll, sleep_min, sleep_max, sleep_growth;
    double timeout;
    double client_overhead, server_overhead;
    double power[SAT_CLASSES];
    const char *protocol; /* "NAME" or "OLD=NEW,..." */
};

/* --- processes ------------------------------------------------------------------------------------- */

/* What the topology says of a process. */
struct sat_process {
    int role;
    int server;        /* a client's; -1 */
    uint64_t capacity; /* chunks whose data it may have; 0: no limit */
    uint64_t capacity_bytes;
    bool named; /* while the topology is read */
};

/* Who takes part in something, and where the call is that says so. */
struct sat_member {
    int client, server;
    uint8_t mode;
    char place[SAT_PLACE];
};

/* --- chunks of clients ---------------------------------------------------------------------------- */

/* States of a client's copy, by the numbers of the paper's logs. */
enum sat_state { SAT_MODIFIED, SAT_EXCLUSIVE, SAT_IS_SHARED, SAT_INVALID };

struct sat_protocol;
struct Consistency_t {
    const struct sat_protocol *protocol;
    enum sat_home home;
    unsigned long argument;
};

/* A chunk as this client knows it; all its instances have the same data. */
struct sat_entry {
    uint64_t id, size; /* size 0: not known */
    uint64_t version;  /* of the data, if there are any */
    uint64_t seen;     /* hash of the data when a reading scope was opened */
    const Consistency_t *consistency;
    const struct sat_protocol *protocol;
    Chunk_t *instances;
    int home;
    uint8_t state;
    uint8_t mode;                 /* of the open scope */
    uint8_t waits;                /* mode that is asked for */
    uint8_t ended;                /* mode of the scope that is being closed */
    uint8_t flags;                /* enum sat_flag of the last grant */
    bool has_data;                /* instances with memory have the bytes of `version` */
    bool hit;                     /* the open scope moved no data */
    bool hashed;                  /* `seen` is of the data */
    uint64_t kept;                /* version that the home has had */
    Chunk_t *asker;               /* the instance whose scope is open or asked for */
    struct sat_record *postponed; /* an invalidation that waits for the end of the scope */
    char *twin;               /* what the data were when the scope was opened; but see sat_entry_published */
    const char *made, *place; /* calls: that named it, that opened the scope */
    uint64_t lock;            /* entry consistency: 1 + the lock it is bound to */
    struct sat_subscription *subscription;
};

/* Memory of contiguous data. */
struct sat_chain {
    Chunk_t *head;
    size_t n;
    uint64_t bytes;
    char *memory;
    bool mapped;                     /* the user's memory */
    Chunk_t **order;                 /* in which scopes are opened */
    unsigned open;                   /* scopes of its chunks */
    struct sat_chain *older, *newer; /* by last use, of chains with memory of ours */
    struct sat_chain *next;          /* of all */
};

struct sat_subscription {
    uint64_t id;
    Chunk_t *chunk; /* NULL: a signal's */
    sat_handler_fn handler;
    sat_signal_fn signal;
    void *params;
};

/* --- data and directory of servers ---------------------------------------------------------------- */

/* Data that a server has: of chunks it is the home of, or which passed through it. */
struct sat_store {
    uint64_t id, version, size;
    char *data;
};

struct sat_pending {
    struct sat_pending *next;
    struct sat_record record;
};

/* A chunk at its home. */
struct sat_dir {
    uint64_t id, size, version;
    const struct sat_protocol *protocol;
    int declared_by; /* the client that was the first to say size and protocol */
    char declared_at[SAT_PLACE];
    int owner;                /* server that has the data of `version` */
    struct sat_member writer; /* client -1: none */
    struct sat_member *readers, *holders, *subscribers;
    size_t n_readers, n_holders, n_subscribers;
    bool fetching;
    int asked; /* 1 + the holder that has been asked to tell of its scopes, and has not answered; 0: none */
    struct sat_pending *pending, **last;
};

/* --- protocols ------------------------------------------------------------------------------------ */

/* A protocol is a const table in a file of protocol/. All slots are filled; common.c has ordinary ones. */
struct sat_protocol {
    const char *title; /* in logs: "Home-Based MESI" */
    const char *name;  /* in options: "home-mesi" */

    /* The client's side. */
    /* May a scope be opened without asking? */
    bool (*hit)(const struct sat_entry *e, enum sat_mode mode);
    /* The mode to ask the home for. */
    enum sat_mode (*asks)(enum sat_mode mode);
    /* The home has opened the scope; data, if any, are in place. */
    void (*granted)(struct sat_entry *e, const struct sat_record *r);
    /* The scope ends: changes the state, sends what is to be sent. */
    void (*release)(struct sat_entry *e);
    /* An invalidation has come while no scope is open. */
    void (*invalidate)(struct sat_entry *e, const struct sat_record *r);
    /* The local data are about to be dropped, or the client ends. */
    void (*evict)(struct sat_entry *e);

    /* The home's side. */
    /* Is everything done that has to come before the request is granted? If not, it is called again after the
     * next message about the chunk. */
    bool (*prepare)(struct sat_dir *d, const struct sat_record *r);
    void (*admit)(struct sat_dir *d, const struct sat_record *r); /* it is granted now */
    /* A scope has ended. */
    void (*ended)(struct sat_dir *d, const struct sat_record *r, const char *data);
    /* A copy was given back; data: where new data came with it. */
    void (*answered)(struct sat_dir *d, const struct sat_record *r, const char *data);

    bool data_to_home; /* servers send released data on to the home */
    bool reads_wait;   /* for a first version */
    bool twins;        /* a writing scope begins with a copy of the data */
    bool restores;     /* and a reading one, because the only data may be here */
    bool quiet;        /* the home hears of releases only if the chunk has subscribers */
    bool bound;        /* chunks are bound to locks */
    bool pinned;       /* the only data are here: never evicted */
};

/* In the order of their numbers in records. */
extern const struct sat_protocol *const sat_protocols[];
enum {
#define SAT_PROTOCOL(constructor, table) SAT_NUMBER_##constructor,
#include "sdsm/protocols.def"
#undef SAT_PROTOCOL
    SAT_PROTOCOLS
};
#define SAT_PROTOCOL(constructor, table) extern const struct sat_protocol table;
#include "sdsm/protocols.def"
#undef SAT_PROTOCOL
uint8_t sat_protocol_number(const struct sat_protocol *p);

/* --- the process ---------------------------------------------------------------------------------- */

struct Sdsm_t {
    MPI_Comm comm;
    int id, np, role, server; /* server: this client's; of a server: itself */
    struct sat_process self;
    int *servers; /* ranks, ascending */
    int n_servers, n_clients;
    int *roles; /* number of processes per role */
    int n_roles;
    int *clients;            /* of this server */
    struct sat_process *all; /* the seed's, until all have been told */
    int told;
    int n_my_clients;
    struct sat_options options;
    _SAT_Bootstrap_t bootstrap;
    char **words; /* arguments that are left to the program */
    void **texts; /* options.c: what the options' texts point to */
    char *given_words;
    size_t n_texts;
    bool given[32];
    double started;
    double time[SAT_CLASSES];
    bool simulated;
    double timed_out; /* seconds; 0: not */
    bool explained;
    bool timed; /* classes are told apart outside of waits, too */
    enum sat_class class;
    double class_since;

    void *entries, *stores, *dirs, *homes, *objects; /* table.c */
    struct sat_chain *chains, *newest, *oldest;
    uint64_t known, footprint, footprint_bytes;
    struct sat_waiter *waiters; /* of calls that wait for an answer, the innermost first */
    struct sat_notice *notices, **last_notice;
    size_t subscriptions;
    void *signals; /* subscriptions by id */
    void *locks;
    bool ending, in_handler, in_symbols;
    unsigned open_scopes;
    unsigned calls, calls_between; /* scopes opened without a message, since the last look at what has come */
    void *consistencies;
    int done_clients, done_servers, byes;
    void *ended;                             /* clients of this server that have ended */
    void *groups;                            /* home.c */
    struct sat_pending *ready, **last_ready; /* requests to be queued now */
    struct sat_transport *transport;
    struct sat_stats *stats;
    UnsignedLongList_t **lists;
    size_t n_lists;
};

/* A call that waits: for an answer about `id`, or for the scopes of chunks from `id` on. */
struct sat_waiter {
    struct sat_waiter *outer;
    const char *what, *place; /* for reports */
    uint64_t id;
    uint16_t request; /* of the answer */
    bool woken;
    struct sat_record answer;
};

#endif
