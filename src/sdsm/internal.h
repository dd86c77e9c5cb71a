/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the files of sdsm/ share. A process is a client or a server.
 *
 *   every process  send.c, transport.c, wait.c   messages; time
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

#include <stdarg.h>
#include <stdio.h>

#include "sdsm/types.h"

enum { SAT_STATUS_WRONG = 5, SAT_STATUS_INPUT = 2 };

/* --- table.c: things by number, in ascending order ------------------------------------------------ */

void *sat_table_find(void *const *table, uint64_t id);
/* `thing` begins with its id. */
void sat_table_add(void **table, void *thing);
void sat_table_remove(void **table, uint64_t id);
void sat_table_each(void *table, void (*visit)(void *thing, void *ctx), void *ctx);
void sat_table_clear(void **table, void (*release)(void *thing));

/* --- memory and reports: report.c ----------------------------------------------------------------- */

void *sat_alloc(size_t bytes); /* zeros */
void *sat_alloc_array(size_t n, size_t each);
void *sat_grow(void *p, size_t bytes);
/* The run ends with a message and a status. */
void sat_fail(int status, const char *place, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
/* Something that the user should know. */
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
void sat_host_pass_on(void);

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
/* Gives the chain memory if it has none; other chains may lose theirs. The sizes of all its chunks are
 * known. */
void sat_chain_need_memory(struct sat_chain *c);
void sat_chain_map(struct sat_chain *c, void *data);        /* its memory is the program's */
void sat_chain_used(struct sat_chain *c);                   /* just now */
void sat_chunk_show(Chunk_t *c);                            /* sets what the program sees as its data */
void sat_entry_fill(struct sat_entry *e, const char *data); /* into all instances; NULL: zeros */
void sat_entry_spread(struct sat_entry *e,
                      const Chunk_t *from);          /* the data of one instance into the others */
char *sat_entry_data(const struct sat_entry *e);     /* of an instance that has memory; NULL: none has */
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

/* twin.c: when a scope is opened; data from the home under the user's own; before the next scope; at the
 * end. */
bool sat_twin_is_kept(const struct sat_entry *e);
void sat_twin_keep(struct sat_entry *e);
void sat_twin_from_home(struct sat_entry *e, const char *data);
void sat_twin_check(struct sat_entry *e, const char *place);
void sat_twin_compare(struct sat_entry *e);
void sat_twin_tell(const struct sat_entry *e);

/* diff.c. Made with malloc; NULL and 0 bytes if the copies are equal. */
char *sat_diff_make(const char *old, const char *new, size_t size, uint64_t *bytes);
void sat_diff_free(char *diff);
/* False, after part of it, if it is no diff of `size` bytes. */
bool sat_diff_apply(char *to, size_t size, const char *diff, size_t bytes);
/* The range and the number of the bytes that differ. */
void sat_diff_range(const char *old, const char *new, size_t size, size_t *first, size_t *end, size_t *n);

/* scope.c */
void sat_scope_open(Chunk_t *chunk, enum sat_mode mode, const char *place);
void sat_scope_close(Chunk_t *chunk, const char *place);
/* A reading scope, as soon as there is a version newer than `version`. */
void sat_scope_open_newer(Chunk_t *chunk, uint64_t version, const char *place);
/* The home has opened a scope that was asked for. */
void sat_scope_granted(struct sat_entry *e, const struct sat_record *r, const char *data);

/* publish.c */
void sat_notice_add(const struct sat_record *r);
bool sat_notices_deliver(void); /* one; false: there is none */
void sat_publish_release(void);

/* synchronize.c. Is the lock (1 + its id) held by this client? */
bool sat_lock_held(uint64_t lock, bool for_writing);
/* Or asked for? The data that are here of its chunks, or that come, are not evicted. */
bool sat_lock_needs_data(uint64_t lock);
/* The data of bound chunks that come with a lock. */
void sat_lock_data(const struct sat_record *r, const char *data);
void sat_locks_check(void); /* none is held */
void sat_locks_release(void);

/* bound.c. The list with one chunk more; its bytes. */
char *sat_bound_add(char *list, uint64_t *bytes, const struct sat_bound *b, const char *data);
/* The chunk at `at`, which moves on to the next one; its data. NULL: that was the end. */
const struct sat_bound *sat_bound_next(const char **at, const char *end, const char **data);

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
void sat_servers_release(void);
/* A message to a client, through its server. */
void sat_to_client(int client, int server, const struct sat_record *r, const void *data);

/* store.c: the data that a server has of a chunk; NULL: none. */
struct sat_store *sat_store_find(uint64_t id);
/* They are of this version now; data NULL: the bytes stay as they are, at first zeros. */
struct sat_store *sat_store_put(uint64_t id, uint64_t version, uint64_t size, const char *data);
void sat_stores_release(void);

/* group.c */
void sat_pending_append(struct sat_pending ***last, struct sat_pending *p);
struct sat_pending *sat_pending_new(const struct sat_record *r);
/* A request that others follow is queued. One that follows is kept until the one before it is granted. */
void sat_group_lead(const struct sat_record *r);
void sat_group_follow(const struct sat_record *r);
/* A request that others follow was granted. */
void sat_group_next(const struct sat_record *r);
struct sat_pending *sat_group_ready(void); /* one that is to be queued now; NULL: none is */
void sat_groups_release(void);

/* home.c */
void sat_home_handle(const struct sat_record *r, const char *data);
void sat_home_serve(struct sat_dir *d); /* grants what can be granted now */
struct sat_dir *sat_dir_of(const struct sat_record *r);
void sat_home_notify(struct sat_dir *d); /* its subscribers */
static inline bool sat_home_has_writer(const struct sat_dir *d)
{
    return d->writer.client >= 0;
}
void sat_homes_release(void);
/* A holder is asked for its copy, once (protocol/common.c). */
void sat_home_recall(struct sat_dir *d, struct sat_member *holder);

/* manager.c */
void sat_manager_handle(const struct sat_record *r, const char *data);
void sat_manager_release(void);
/* Objects of all kinds in one space of numbers. */
uint64_t sat_object_id(int request, uint64_t id);

/* member.c: who takes part in something; each at most once. */
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
enum { SAT_VALUES = 8 }; /* at most, of an event */
extern bool sat_stats_on;
void sat_stats_write(enum sat_event event, const long long *values);
#define SAT_EVENT(event, ...)                                                                                \
    do {                                                                                                     \
        if (__builtin_expect(sat_stats_on, 0))                                                               \
            sat_stats_write(event, (const long long[SAT_VALUES]){__VA_ARGS__});                              \
    } while (0)

#endif
