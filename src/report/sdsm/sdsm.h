/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sdsm: what happened in a software distributed shared memory (src/sdsm/), from the events that its library
 * puts into traces ("sat.acquire", ...; docs/sdsm-figures.md), or from the files that it writes on a real
 * MPI.
 *
 *   scope        an access: from its call (begin) to its grant, and on to its release (end)
 *   chunk        what all processes did with one
 *   process      what one did: scopes, allocation, time, what it sent
 *
 * Times are seconds. Memory: 48 bytes a scope, 32 bytes an event of allocation.
 *
 * Invariants
 *  Q1  Chunks have numbers from 0, in the order in which they are met; everything else names them by these.
 *  Q2  A process has at most one open scope of a chunk: `open` leads to it.
 *  Q3  Times of a process never go back.
 */
#ifndef PGASIM_REPORT_SDSM_H
#define PGASIM_REPORT_SDSM_H

#include "base/table.h"

enum sdsm_mode { SDSM_READ, SDSM_WRITE, SDSM_READWRITE, SDSM_MODES };
enum sdsm_alloc { SDSM_MALLOC, SDSM_LOOKUP, SDSM_FREE, SDSM_EVICT, SDSM_FILLED, SDSM_ALLOCS };
enum sdsm_wait { SDSM_RENDEZVOUS, SDSM_BARRIER, SDSM_LOCK, SDSM_WAITS };
/* What a process's time goes into. */
enum sdsm_class { SDSM_USER, SDSM_OWN, SDSM_SYNC, SDSM_SLEEP, SDSM_CLASSES };
enum { SDSM_TYPES = 16, SDSM_WRITERS = 8, SDSM_NOBODY = -1 };

const char *sdsm_mode_text(enum sdsm_mode mode);    /* "read", "write", "readwrite" */
const char *sdsm_alloc_text(enum sdsm_alloc alloc); /* "malloc", ... */
const char *sdsm_wait_text(enum sdsm_wait wait);
const char *sdsm_class_text(enum sdsm_class class); /* "user code", ... */
const char *sdsm_type_text(unsigned type);          /* of a message; "type 12" is "other" */

struct sdsm_scope {
    double begin, end; /* the call; the release, or the end of the run */
    uint64_t bytes;    /* moved for it */
    float wait;        /* from the call to the grant, or to the end */
    uint32_t chunk;
    uint8_t mode;
    bool granted, hit, ended;
};

struct sdsm_allocation {
    double time;
    uint32_t chunk, chunks, footprint;
    uint8_t kind; /* enum sdsm_alloc */
};

struct sdsm_sent {
    uint32_t peer, type;
    uint64_t messages, bytes;
};

/* Since `since` it waits, if that is not negative. */
struct sdsm_waits {
    uint64_t count;
    double seconds, longest, since;
};

struct sdsm_process {
    bool seen;
    int64_t role, server; /* role 0: a server; its own server's rank, or SDSM_NOBODY */
    bool told;            /* role and server are known */
    double now;
    BASE_ARRAY(struct sdsm_scope) scopes;
    BASE_ARRAY(struct sdsm_allocation) allocations;
    BASE_ARRAY(struct sdsm_sent) sent;
    struct base_table open; /* uint32_t: the scope, by chunk */
    double time[SDSM_CLASSES];
    double joules;
    bool timed, metered; /* `time` and `joules` are known */
    struct sdsm_waits wait[SDSM_WAITS];
    uint64_t notices; /* handlers called */
};

/* A process that changed a chunk. */
struct sdsm_writer {
    uint32_t rank;
    uint64_t scopes, changed; /* bytes */
    uint64_t first, end;      /* all of them lie in [first, end); end 0: not known */
};

struct sdsm_chunk {
    uint64_t id, size; /* 0: not known */
    uint64_t scopes[SDSM_MODES];
    uint64_t hits, moved; /* bytes moved for scopes */
    uint64_t written,
        changed;         /* bytes: sizes of the chunk, and of what differed, at the ends of writing scopes */
    double held, waited; /* seconds */
    double longest, longest_at; /* wait for a grant, when it began, and who */
    uint32_t longest_rank;
    uint32_t processes; /* that had scopes (known at the end) */
    struct sdsm_writer writer[SDSM_WRITERS];
    uint32_t writers;   /* SDSM_WRITERS + 1: more than `writer` has room for */
    uint64_t handovers; /* writing scopes by another process than the one before */
    bool apart; /* two or more writers, and no byte between the changes of any two (known at the end) */
    uint32_t last_writer;
};

struct report_sdsm {
    struct sdsm_process *process;
    uint32_t processes;
    uint64_t events, ignored; /* ignored: of an unknown name, with too few values, or out of place */
    struct base_table chunks; /* struct sdsm_chunk, by id */
    /* Known at the end. */
    double end;
    uint32_t seen, servers; /* processes that had events; of these, servers */
    uint64_t scopes[SDSM_MODES], hits, moved, written, changed;
    double waited;
};

struct report_sdsm *sdsm_create(uint32_t processes);
void sdsm_destroy(struct report_sdsm *s);
bool sdsm_is_event(const char *name);          /* "sat.acquire"; NULL is none */
const char *sdsm_event_name(const char *text); /* the same text, for good; NULL: there is no such event */
/* An event by its name and values. */
void sdsm_add(struct report_sdsm *s, double time, uint32_t rank, const char *name, const int64_t *values,
              uint32_t n);
void sdsm_finish(struct report_sdsm *s, double end); /* of the run */

static inline const struct sdsm_chunk *sdsm_chunk_at(const struct report_sdsm *s, uint32_t number)
{
    return base_table_at(&s->chunks, number);
}
static inline uint64_t sdsm_chunk_scopes(const struct sdsm_chunk *c)
{
    return c->scopes[SDSM_READ] + c->scopes[SDSM_WRITE] + c->scopes[SDSM_READWRITE];
}

/* Numbers of the chunks with the greatest keys above 0, at most `most` (0: all): greatest first, then by id.
 * Returns how many. The caller frees `*out`. */
typedef double (*sdsm_key_fn)(const struct sdsm_chunk *c);
size_t sdsm_order(const struct report_sdsm *s, sdsm_key_fn key, size_t most, uint32_t **out);
double sdsm_key_hot(const struct sdsm_chunk *c);       /* scopes */
double sdsm_key_contended(const struct sdsm_chunk *c); /* seconds waited */
double sdsm_key_apart(const struct sdsm_chunk *c);     /* false sharing: handovers, at least 1 */
/* Numbers of all chunks in order of their ids. The caller frees it. */
uint32_t *sdsm_by_id(const struct report_sdsm *s);
/* Ranks of the processes that had events, servers first. `*n`: how many. The caller frees it. */
uint32_t *sdsm_in_order(const struct report_sdsm *s, uint32_t *n);

/* At most so many of a process's scopes for a figure, in order: if there are more, half of those are the
 * longest, which held others up, and the rest are every n-th of the others. The caller frees the list. */
const struct sdsm_scope **sdsm_choose(const struct sdsm_process *p, size_t most, size_t *n);

/* --- files ---------------------------------------------------------------------------------------- */

/* The four figures of the paper as tables and as pictures, in a folder, which is made if it is not there:
 * volume.csv, time.csv, allocation.csv, accesses.csv, volume.svg, time.svg; allocation-N.svg and
 * accesses-N.svg of each process N that had scopes, of at most SDSM_DRAWN_MOST. -1 with st. */
enum { SDSM_DRAWN_MOST = 64 };
int sdsm_write_files(const struct report_sdsm *s, const char *folder, struct base_status *st);

/* The files that the library writes on a real MPI (--sat-stats FOLDER): each has the events of one
 * process. A line is a time in seconds, a name, values: # sat-stats 1 rank 3 of 16 0.000125 sat.acquire
 * 1000 1 0 / */
struct sdsm_event {
    double time;
    uint32_t rank, n;
    const char *name;
    int64_t value[8];
};
struct sdsm_stats {
    uint32_t processes;
    BASE_ARRAY(struct sdsm_event) events; /* in order of time */
    char *damage;                         /* what could not be read, or NULL */
};
/* -1 with st: no file of the folder begins as these do, or they are of different runs, or two of one
 * process. */
int sdsm_stats_read(struct sdsm_stats *s, const char *folder, struct base_status *st);
void sdsm_stats_release(struct sdsm_stats *s);
/* The text of one file. false: its first line is another one. Events up to the first bad line are added;
 * st tells of that as "LINE: what is wrong", and is empty if all is well. */
bool sdsm_stats_parse(struct sdsm_stats *s, const char *text, uint32_t *rank, struct base_status *st);

#endif
