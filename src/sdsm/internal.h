/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the files of sdsm/ share. A process is a client or a server.
 *
 *   every process  transport.c, wait.c   messages; time
 *                  options.c, topology.c, topology_xml.c, bootstrap.c, host.c
 *                  log.c, stats.c, explain.c
 *   clients        chunk.c, chain.c      entries, instances, chains, eviction
 *                  scope.c               opening and closing scopes
 *                  client.c              messages that arrive; the loop
 *                  synchronize.c, publish.c, symbol.c
 *   servers        server.c              forwarding between clients and homes; the data that servers have
 *                  home.c                the directory: who may open which scope
 *                  manager.c             rendezvous, barriers, locks
 *   protocol/      a table for each protocol
 *   jia/           JIAJIA's interface: shared memory behind plain pointers
 */
#ifndef SAT_INTERNAL_H
#define SAT_INTERNAL_H

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#define SAT_NO_SHORT_NAMES
#include "sat.h"
#include "sdsm/record.h"

enum { SAT_STATUS_WRONG = 5, SAT_STATUS_INPUT = 2 };

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
    uint32_t lock;            /* entry consistency: 1 + the lock it is bound to */
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
    char **words;               /* arguments that are left to the program */
    void **texts;               /* options.c: what the options' texts point to */
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

/* --- table.c: things by number, in ascending order ------------------------------------------------ */

void *sat_table_find(void *const *table, uint64_t id);
/* `thing` begins with its id. */
void sat_table_add(void **table, void *thing);
void sat_table_remove(void **table, uint64_t id);
void sat_table_each(void *table, void (*visit)(void *thing, void *ctx), void *ctx);
void sat_table_clear(void **table, void (*release)(void *thing));

/* --- memory and reports: report.c ----------------------------------------------------------------- */

void *sat_alloc(size_t bytes); /* zeros */
void *sat_grow(void *p, size_t bytes);
/* The run ends with a message and a status. */
void sat_fail(int status, const char *place, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
/* Something that the user should know; counted by the seed at the end. */
void sat_warn(const char *place, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *sat_short_place(const char *place);
const char *sat_mode_name(int mode);

/* --- log.c: the debug stream ---------------------------------------------------------------------- */

void sat_log_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define SAT_LOG(...)                                                                                         \
    do {                                                                                                     \
        if (__builtin_expect(sdsm->options.debug, 0))                                                        \
            sat_log_print(__VA_ARGS__);                                                                      \
    } while (0)
const char *sat_type_name(int type);
const char *sat_request_name(int request);
const char *sat_state_name(int state);
void sat_log_record(const char *what, int peer, const struct sat_record *r, const char *data);

/* --- transport.c ---------------------------------------------------------------------------------- */

void sat_transport_open(void);
void sat_transport_close(void);
/* Appends a record to what is to be sent; `data` (r->bytes of them) are copied. To this process: it is
 * handled after the present message. */
void sat_send(int to, const struct sat_record *r, const void *data);
enum sat_type sat_type_of(const struct sat_record *r);
void sat_flush(void);
/* Handles one message; waits for it if `block`. False: there is none. */
bool sat_receive(bool block);

void sat_transport_tell(void); /* how many messages it was, as events */

/* --- wait.c --------------------------------------------------------------------------------------- */

void sat_time_start(void);
void sat_sleep_exactly(void);
/* The process is in another class from now on; the one before. Does nothing unless times are asked for. */
enum sat_class sat_enter(enum sat_class class);
/* Receives one message into `buffer`, with micro-sleeps; its status. */
void sat_wait_message(void *buffer, int size, MPI_Status *status);
void sat_wait_timed_out(void);

/* --- host.c: where the program runs --------------------------------------------------------------- */

bool sat_host_simulated(void);
const char *sat_host_property(const char *key);
void sat_host_charge(double seconds);
int sat_host_event_type(const char *name, const char *fields);
bool sat_host_event_wanted(void);
void sat_host_event(int type, const long long *values);
void sat_host_on_deadlock(void (*describe)(char *text, size_t size));

/* --- options.c, topology.c, topology_xml.c -------------------------------------------------------- */

/* Takes the S-DSM's options out of the arguments. */
void sat_options_read(int argc, char **argv);
/* Where the seed has read options that others have not. */
void sat_options_apply(const char *words);
const char *sat_options_words(void); /* those of this process, for sat_options_apply */
/* The seed reads the topology and tells the other processes, which ask for it. */
void sat_topology_learn(void);
void sat_topology_handle(int from, const struct sat_record *r, const char *data);
void sat_topology_release(void);
/* All processes of a file; ends the run if it is wrong. */
void sat_topology_read_file(const char *path, struct sat_process *all, int np);

/* --- clients -------------------------------------------------------------------------------------- */

enum sat_alloc { SAT_ALLOC_MALLOC, SAT_ALLOC_LOOKUP, SAT_ALLOC_FREE, SAT_ALLOC_EVICT, SAT_ALLOC_FILLED };
#define SAT_RESERVED (UINT64_MAX - ((uint64_t)1 << 62)) /* ids of symbols and their data */

/* What a call's argument stands for: the default if NULL, and --sat-protocol. */
const Consistency_t *sat_consistency_used(Consistency_t *given, const char *place);
void sat_consistency_release(void);
struct sat_entry *sat_entry_find(uint64_t id);
int sat_home_of(const Consistency_t *c, uint64_t id);
void sat_chain_need_memory(struct sat_chain *c);
void sat_chain_map(struct sat_chain *c, void *data);
void sat_chunk_show(Chunk_t *c);
void sat_chain_used(struct sat_chain *c);
void sat_entry_fill(struct sat_entry *e, const char *data); /* into all instances; NULL: zeros */
void sat_entry_spread(struct sat_entry *e, const Chunk_t *from);
char *sat_entry_data(const struct sat_entry *e);
bool sat_entry_is_mapped(const struct sat_entry *e); /* the program may store outside of scopes */
/* What the last scope has left, where the only data are here: without the program's later stores in mapped
 * memory. */
const char *sat_entry_published(const struct sat_entry *e);
void sat_chunks_release(void);

/* A record about the entry, with its size, protocol, home and place filled in. */
struct sat_record sat_about(const struct sat_entry *e, enum sat_request request, const char *place);
/* To this client's server. */
void sat_to_server(const struct sat_record *r, const void *data);
void sat_client_handle(const struct sat_record *r, const char *data);
/* Until an answer `request` about `id` has come; the answer. */
struct sat_record sat_await(enum sat_request request, uint64_t id, const char *what, const char *place);
void sat_wake(const struct sat_record *answer);
enum { SAT_CALLS_BETWEEN = 64, SAT_CALLS_MOST = 4096 };
void sat_poll(void); /* handles what has come */
void sat_client_loop(void);
/* Nothing is left here that others may ask for. */
void sat_client_end(void);
uint64_t sat_hash(const char *data, size_t n);

/* diff.c. Made with malloc; NULL and 0 bytes if the copies are equal. */
char *sat_diff_make(const char *old, const char *new, size_t size, uint64_t *bytes);
void sat_diff_free(char *diff);
/* False, after part of it, if it is no diff of `size` bytes. */
bool sat_diff_apply(char *to, size_t size, const char *diff, size_t bytes);
/* The range and the number of the bytes that differ. */
void sat_diff_range(const char *old, const char *new, size_t size, size_t *first, size_t *end, size_t *n);

void sat_scope_open(Chunk_t *chunk, enum sat_mode mode, const char *place);
void sat_scope_close(Chunk_t *chunk, const char *place);
/* The least version that a reading scope of the chunk will have. */
/* Objects of all kinds in one space of numbers. */
uint64_t sat_object_id(int request, uint64_t id);
void sat_scope_granted(struct sat_entry *e, const struct sat_record *r, const char *data);
void sat_scope_open_newer(Chunk_t *chunk, uint64_t version, const char *place);

void sat_notice_add(const struct sat_record *r);
bool sat_notices_deliver(void); /* one; false: there is none */
void sat_publish_release(void);

/* Entry consistency, lock.c: is the lock (1 + its id) held by this client? */
bool sat_lock_held(uint32_t lock, bool for_writing);
/* The data of bound chunks that come with a lock. */
void sat_lock_data(const struct sat_record *r, const char *data);
void sat_locks_check(void); /* none is held */
void sat_locks_release(void);

/* --- bootstrap.c: also for programs with a `main` of another kind (jia/) --- */

void sat_start(void *user, int argc, char **argv);
void sat_end(void);

/* An interface over the same processes and records, whose part is linked only if it is used: jia/. Set before
 * sat_start. */
struct sat_text;
struct sat_extension {
    void (*handle)(int from, const struct sat_record *r,
                   const char *data); /* SAT_JIA_PAGE and those behind it */
    void (*tell)(struct sat_text *t); /* who waits for what */
};
extern const struct sat_extension *sat_extension;

/* --- servers -------------------------------------------------------------------------------------- */

void sat_server_loop(void);
void sat_server_handle(int from, const struct sat_record *r, const char *data);
struct sat_store *sat_store_find(uint64_t id);
struct sat_store *sat_store_put(uint64_t id, uint64_t version, uint64_t size, const char *data);
void sat_home_handle(const struct sat_record *r, const char *data);
void sat_home_serve(struct sat_dir *d);
struct sat_dir *sat_dir_of(const struct sat_record *r);
void sat_home_notify(struct sat_dir *d);
void sat_manager_handle(const struct sat_record *r, const char *data);
void sat_servers_release(void);
void sat_homes_release(void);
void sat_manager_release(void);
/* A holder is asked for its copy, once. */
void sat_home_recall(struct sat_dir *d, struct sat_member *holder);
/* A message to a client, through its server. */
void sat_to_client(int client, int server, const struct sat_record *r, const void *data);

void sat_member_set(struct sat_member *m, const struct sat_record *r);
void sat_member_add(struct sat_member **list, size_t *n, const struct sat_record *r);
bool sat_member_remove(struct sat_member *list, size_t *n, int client);
bool sat_member_has(const struct sat_member *list, size_t n, int client);

/* --- explain.c, stats.c --------------------------------------------------------------------------- */

/* A text that is cut at its room's end. */
struct sat_text {
    char *at;
    size_t n, size;
};
void sat_text_add(struct sat_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sat_manager_tell(struct sat_text *t);
void sat_explain_start(void);
void sat_explain_stop(void);
void sat_explain(char *text, size_t size);
void sat_explain_print(void);

void sat_stats_start(void);
void sat_stats_end(void);
enum sat_event {
    SAT_EV_PROCESS,
    SAT_EV_ALLOC,
    SAT_EV_ACQUIRE,
    SAT_EV_GRANTED,
    SAT_EV_RELEASE,
    SAT_EV_SENT,
    SAT_EV_TIME,
    SAT_EV_ENERGY,
    SAT_EV_WAIT,
    SAT_EV_WOKEN,
    SAT_EV_NOTIFY,
    SAT_EVENTS
};
extern bool sat_stats_on;
void sat_stats_write(enum sat_event event, const long long *values);
#define SAT_EVENT(event, ...)                                                                                \
    do {                                                                                                     \
        if (__builtin_expect(sat_stats_on, 0))                                                               \
            sat_stats_write(event, (const long long[]){__VA_ARGS__});                                        \
    } while (0)

#endif
