/* SPDX-License-Identifier: BSD-3-Clause */
/* file: facts of files (private to report/): what there is to show, and what their gatherers share. */
#ifndef PGASIM_REPORT_FILE_H
#define PGASIM_REPORT_FILE_H

#include "report/internal.h"

/* --- what there is to show ------------------------------------------------------------------------------ */

enum report_way { REPORT_READS, REPORT_WRITES, REPORT_WAYS };
/* What is remarkable of a file's accesses, and what could be done. */
enum report_remark {
    REPORT_UNREMARKABLE,
    REPORT_STRIDED, /* small requests, each further on than where the one before ended */
    REPORT_SMALL,   /* small requests one after the other */
    REPORT_SIEVED,  /* disks move much more than the program asked for */
    REPORT_ROUNDS,  /* two phases in many rounds of little */
    REPORT_REMARKS
};
enum {
    REPORT_SMALL_BYTES = 64 << 10,
    REPORT_SMALL_LEAST = 16 /* so many requests before they are remarkable */
};
const char *report_remark_text(enum report_remark remark); /* what it is; "" for none */
/* What could be done; `all`: the accesses are collective. */
const char *report_remark_hint(enum report_remark remark, enum report_way way, bool all);
struct report_file {
    const char *path;
    struct report_file_way {
        uint64_t accesses, bytes; /* of the program */
        uint64_t together;        /* of these accesses: collective ones */
        uint64_t gaps;            /* with gaps */
        uint64_t rounds;          /* in which an aggregator did this */
        uint64_t requests, asked; /* to disks and file systems, and their bytes */
        uint64_t further;         /* that began behind the end of the same rank's before */
        enum report_remark remark;
    } way[REPORT_WAYS];
    uint64_t others; /* other operations: opening, syncing, ... */
    double seconds;  /* of all ranks, within accesses */
    double longest;  /* one access, its rank */
    uint32_t longest_rank;
};
/* A disk, or a server of names, as requests have met it. */
struct report_server {
    const char *name;
    uint32_t host, place; /* place: the order in which they came */
    uint64_t parts, bytes[REPORT_WAYS];
    double seconds; /* of all parts together */
    double waited;  /* by ranks for requests whose last part it did */
};
struct report_server_wait {
    uint32_t rank, server; /* place in `server` */
    double seconds;
};
/* A rank that read or wrote for others. */
struct report_aggregator {
    uint32_t rank;
    uint64_t rounds, bytes[REPORT_WAYS];
    double seconds[REPORT_WAYS]; /* reading and writing */
    double exchanging;
};
/* Steps of two phases, of all members together. */
struct report_step {
    const char *name;
    uint64_t count, bytes;
    double seconds, longest;
};
struct report_files {
    BASE_ARRAY(struct report_file) file;             /* most bytes first */
    BASE_ARRAY(struct report_server) server;         /* waited for the longest first */
    BASE_ARRAY(struct report_server_wait) wait;      /* longest first */
    BASE_ARRAY(struct report_aggregator) aggregator; /* most bytes first */
    BASE_ARRAY(struct report_step) step;             /* in the order in which they came */
    struct report_files_work *work;                  /* until they are finished */
};

/* --- while they are gathered (file.c, file_step.c, file_finish.c) --------------------------------------- */

enum { REPORT_NO_SERVER = UINT32_MAX };

/* One that has not ended. */
struct report_access_now {
    uint32_t file;
    enum report_way way; /* REPORT_WAYS: neither */
    double begin, step_begin;
};
struct report_request_now {
    uint32_t rank, server;
    double asked;
};
struct report_files_work {
    struct base_table files;       /* uint32_t, their place, by path */
    struct base_table servers;     /* the same by name and host */
    struct base_table aggregators; /* the same by rank */
    struct base_table waits;       /* the same by rank << 32 | server */
    struct base_table ends; /* uint64_t: where the rank's last request of the file ended, by both and way */
    struct base_table accesses; /* struct report_access_now, by number */
    struct base_table requests; /* struct report_request_now, by number */
    struct report_rank_of_files {
        double known;    /* until then, its waits belong to servers already */
        uint32_t server; /* that did something for it last */
    } * rank;
};

/* What an event's kind says; REPORT_WAYS: it neither reads nor writes. */
static inline enum report_way report_way_of(const struct trace_event *ev)
{
    return ev->kind == TRACE_KIND_READ    ? REPORT_READS
           : ev->kind == TRACE_KIND_WRITE ? REPORT_WRITES
                                          : REPORT_WAYS;
}

/* file_step.c */
void report_step_begins(struct report_files *x, const struct trace_event *ev);
void report_step_ends(struct report_files *x, const struct trace_event *ev);
/* file_finish.c */
void report_files_sort(struct report_files *x);

#endif
