/* SPDX-License-Identifier: BSD-3-Clause */
/* read: what the reader of the compact format keeps (private to trace/). */
#ifndef PGASIM_TRACE_PGT_READ_H
#define PGASIM_TRACE_PGT_READ_H

#include "trace/pgt/pgt.h"

/* Where a block is, and how many strings there are up to it. */
struct pgt_place {
    uint64_t at;
    struct pgt_block block;
    uint32_t strings;
};

/* pending.c: events that have been read but not yet returned. */
struct pgt_turn {
    double time;
    uint32_t event; /* in `events` */
};
struct pgt_pending {
    BASE_ARRAY(struct trace_event) events;
    struct pgt_turn *turns,
        *spare;               /* of events[0..n), in order of time, and of coming where times are equal */
    size_t at, ready, n, cap; /* taken; may be taken; all */
    int64_t *values, *kept;   /* user's values of the last block's events, and of those before */
};
/* Returns room for `events` more events. */
struct trace_event *pgt_pending_room(struct pgt_pending *p, uint32_t events);
/* Adds the events just filled in; all up to `floor` may then be taken. Takes over their values. */
void pgt_pending_add(struct pgt_pending *p, uint32_t events, double floor, int64_t *values);
bool pgt_pending_all(struct pgt_pending *p); /* all may be taken; false: there are none */
bool pgt_pending_peek(const struct pgt_pending *p, struct trace_event *ev);
bool pgt_pending_take(struct pgt_pending *p, struct trace_event *ev);
void pgt_pending_clear(struct pgt_pending *p);
void pgt_pending_release(struct pgt_pending *p);

struct ZSTD_DCtx_s;
struct trace_file {
    int fd;
    uint32_t version;
    uint64_t size, blocks_at;
    struct pgt_about *about;
    struct pgt_routes *routes;
    BASE_ARRAY(const char *) strings;            /* by number; number 0 is NULL */
    BASE_ARRAY(struct trace_call) calls;         /* those strings that stand for something, sorted */
    BASE_ARRAY(struct pgt_place) blocks, pieces; /* of events; of the recording */
    size_t next_block, next_piece;
    bool stopped; /* at a block that can't be read */
    struct pgt_pending pending;
    struct trace_buffer packed, raw, index;
    struct ZSTD_DCtx_s *zstd;
    struct trace_totals totals;
    char damage[160];
};

#endif
