/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node: what is inside a host whose network card executes atomics (paper 002, section III): caches of its
 * cores, a directory, DRAM, and the card. They say when something is done, and move no bytes: the owner of
 * a request does, when the card tells it to.
 *
 * Two kinds of time meet here. Cores may be ahead of the engine's clock: caches and DRAM take the time of
 * an access as an argument, and reserve what it needs. The card works in events of the engine.
 */
#ifndef PGASIM_NODE_H
#define PGASIM_NODE_H

#include "engine/engine.h"

enum {
    NODE_LINE = 64,   /* bytes: Table I, 64 KiB in 1 Ki entries */
    NODE_PAGE = 4096, /* bytes that lie together in memory */
};

/* --- parameters (config.c) ---------------------------------------------------------------------------- */

enum node_policy {
    NODE_DRAIN_INVALIDATE, /* a line leaves the card's cache with its last pending request */
    NODE_RETAIN,           /* it stays, clean, until another line needs its place */
};
struct node_cache_config {
    uint64_t bytes;
    uint32_t ways;
};
struct node_dram_config { /* seconds, bytes */
    double front, back, cas, activate, precharge, active, burst, recovery;
    uint64_t row;
    uint32_t banks; /* of all ranks */
};
struct node_config {
    struct node_cache_config l1, l2;
    struct node_dram_config dram;
    double cycle;                                                /* seconds: of cores and card */
    double l1_hit, l2_hit, directory;                            /* seconds */
    double packetizer, map, lookup, cache, alu, other, response; /* seconds: the card's stages */
    uint64_t flit;                                               /* bytes of a flit, for counters */
    uint64_t card_bytes;                                         /* of its cache */
    uint32_t mshrs, subentries;
    enum node_policy policy;
};
extern const struct base_setting node_settings[];
extern const size_t node_settings_count;
/* -1 with st: an unknown policy. */
int node_config_read(struct node_config *c, const struct base_settings *settings, struct base_status *st);
/* -1 with st: sizes that do not fit each other. To be asked before a node is made. */
int node_config_check(const struct node_config *c, struct base_status *st);

/* --- tags of a cache (tags.c) ------------------------------------------------------------------------- */

/* Which lines a set-associative cache holds; the least recently used one of a set is replaced. A line is
 * its address divided by NODE_LINE. Memory is taken at the first access. */
struct node_tags {
    uint64_t *at; /* of each set its lines, the last used one first: (line + 1) << 1 | dirty; 0: none */
    uint32_t sets, ways;
    uint32_t held; /* lines */
};
struct node_victim {
    uint64_t line;
    bool held, dirty; /* held: there was one */
};
void node_tags_init(struct node_tags *t, const struct node_cache_config *config);
void node_tags_release(struct node_tags *t);
/* Uses the line, for which a place is made if it is not there. Returns whether it was; `was_dirty` of a
 * hit; `victim` of a miss. */
bool node_tags_use(struct node_tags *t, uint64_t line, bool write, bool *was_dirty,
                   struct node_victim *victim);
bool node_tags_hold(const struct node_tags *t, uint64_t line, bool *dirty);
bool node_tags_drop(struct node_tags *t, uint64_t line, bool *dirty); /* false: it was not there */
void node_tags_clean(struct node_tags *t, uint64_t line);

/* --- DRAM (dram.c) ------------------------------------------------------------------------------------ */

struct node_dram;
struct node_dram *node_dram_create(const struct node_dram_config *config);
void node_dram_destroy(struct node_dram *d);
/* One line, asked for at `now`: when its last byte is there. Rows stay open. */
double node_dram_access(struct node_dram *d, double now, uint64_t address, bool write);
/* So many bytes one after the other, row by row. */
double node_dram_stream(struct node_dram *d, double now, uint64_t address, uint64_t bytes, bool write);
struct node_dram_counts {
    uint64_t reads, writes; /* lines */
    uint64_t row_hits, row_opened, row_conflicts;
};
struct node_dram_counts node_dram_counts(const struct node_dram *d);

/* --- a node and its cores (node.c, directory.c) ------------------------------------------------------- */

struct node;
struct node_core;
struct node *node_create(struct engine *e, const struct node_config *config);
void node_destroy(struct node *n);
const struct node_config *node_config(const struct node *n);
/* A number by which its owner knows it; 0 before it is set. */
void node_set_number(struct node *n, uint32_t number);
uint32_t node_number(const struct node *n);
/* A core with caches of its own, as numbers 0, 1, ... of the node. */
struct node_core *node_core_add(struct node *n);
/* Where an access found its line. */
enum node_source {
    NODE_L1,
    NODE_L2,
    NODE_DRAM, /* and what the bank's row was: */
    NODE_DRAM_OPEN = NODE_DRAM,
    NODE_DRAM_CLOSED,
    NODE_DRAM_CONFLICT,
    NODE_ELSEWHERE, /* in another core's cache or the card's, or they had to give it up */
};
uint32_t node_cores(const struct node *n);
/* Seconds from `now` until the core has the bytes. Those that cross a line take two accesses. */
double node_core_access(struct node_core *c, double now, uint64_t address, unsigned bytes, bool write);
/* Of its last access of a line. */
enum node_source node_core_source(const struct node_core *c);
/* Whether an access to the line would stay within the core's caches: then it reserves nothing. */
bool node_core_holds(const struct node_core *c, uint64_t address);
/* `fn` is told of each line that others take from the core, or make clean. */
void node_core_tell(struct node_core *c, void (*fn)(void *ctx, uint64_t line), void *ctx);
/* The bytes were changed past the caches, by a network card without one: cores lose their lines. */
void node_changed(struct node *n, uint64_t address, uint64_t bytes);

struct node_core_counts {
    uint64_t accesses, l1_hits, l2_hits, memory; /* accesses of lines, by where they were found */
    uint64_t from_others;                        /* of `memory`: another core or the card had the line */
    uint64_t lost;                               /* lines that the directory took away */
};
struct node_core_counts node_core_counts(const struct node_core *c);
struct node_directory_counts {
    uint64_t lookups;
    uint64_t signals; /* the card changed memory: sent once for each line that drains with its W bit set */
    uint64_t dropped; /* lines that caches of cores lost by them */
    uint32_t entries, most_entries; /* lines that the card holds or works on, now and at most */
};
struct node_directory_counts node_directory_counts(const struct node *n);
struct node_dram *node_dram(struct node *n);

/* --- the card (card.c, mshr.c, map.c) ----------------------------------------------------------------- */

/* What a request asks for. The first nine are the paper's, the 4-bit OP together with the width. The others
 * are OpenSHMEM's and MPI's: the card's core executes them, too, by the instruction that RISC-V has for
 * them, or by a few (NODE_OTHER). */
enum node_op {
    NODE_LOAD,
    NODE_STORE,
    NODE_ADD,
    NODE_XOR,
    NODE_OR,
    NODE_AND,
    NODE_MIN, /* signed */
    NODE_MAX,
    NODE_CAS,
    NODE_SWAP,
    NODE_MIN_UNSIGNED,
    NODE_MAX_UNSIGNED,
    NODE_FETCH,
    NODE_SET,
    NODE_OTHER,
    NODE_OPS
};
struct node_request;
struct node_handler {
    /* Its turn has come, in an event: bytes are read and changed now. */
    void (*execute)(struct node *n, struct node_request *r);
    /* Its reply may leave, in a later event. NULL: the record is the owner's again at `execute`. */
    void (*done)(struct node *n, struct node_request *r);
    /* Where the byte at this offset of a request, the first of a further page, is. NULL: pages follow each
     * other. */
    uint64_t (*page)(const struct node_request *r, uint64_t offset);
};
/* Embedded in the owner's record. The first four fields are set before node_card_accept. */
struct node_request {
    const struct node_handler *handler;
    uint64_t address;          /* physical, at this node */
    uint64_t bytes;            /* any; of an atomic usually a word's */
    uint8_t op;                /* enum node_op */
    bool stalled;              /* the card's */
    struct node *node;         /* the card's, as what follows */
    struct node_request *next; /* in its queue */
    double since;              /* when it arrived, then when it began to stall */
    struct engine_event event;
};
/* A request arrives, in an event. Requests to one line are executed in the order of their arrival.
 * What crosses a line goes by DMA, past the card's cache. */
void node_card_accept(struct node *n, struct node_request *r);

struct node_card_counts {
    uint64_t requests, loads, stores, atomics;
    uint64_t hits;    /* the card's cache had the line, and nothing was pending for it */
    uint64_t merges;  /* attached to an MSHR */
    uint64_t misses;  /* began a fill of its line */
    uint64_t streams; /* by DMA; requests = hits + merges + misses + streams when all is done */
    uint64_t executed;
    uint64_t host_reads, host_writes; /* lines from and to host memory, without DMA's */
    uint64_t invalidations;           /* lines that drained with their W bit set */
    uint64_t conflicts;               /* lines that waited for their place in the card's cache */
    uint64_t stalls;                  /* requests that waited for an MSHR or a subentry */
    double stalled;                   /* seconds, in all */
    uint32_t most_mshrs, most_subentries, most_stalled; /* at once */
};
struct node_card_counts node_card_counts(const struct node *n);

/* What a watcher is told of. `request` is NULL for what concerns a line. */
enum node_step {
    NODE_ARRIVES,
    NODE_STALLS,
    NODE_HITS,
    NODE_MERGES,
    NODE_MISSES,
    NODE_STREAMS,
    NODE_CONFLICTS,
    NODE_FILLS,    /* the line is in the card's cache; `since`: when it was asked for */
    NODE_BEGINS,   /* the card's core, with this request */
    NODE_EXECUTES, /* `since`: when the core, or DMA, began */
    NODE_WRITES_BACK,
    NODE_INVALIDATES, /* `count`: lines of cores */
    NODE_DRAINS,
};
struct node_happening {
    enum node_step step;
    const struct node_request *request;
    uint64_t line;
    double now, since;
    uint32_t count;
};
void node_watch(struct node *n, void (*fn)(void *ctx, struct node *n, const struct node_happening *h),
                void *ctx);

/* The remote operation map: the word of the instruction that the card's core executes, on a word of 4 or 8
 * bytes, with its address in a1, its operand in a2 and the old value to a0. 0: it takes more than one. */
uint32_t node_map(enum node_op op, uint64_t bytes);
const char *node_op_name(enum node_op op); /* "add", ... */

#endif
