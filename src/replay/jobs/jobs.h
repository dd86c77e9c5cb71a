/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jobs: lists of jobs that share a platform, as their files say: JSON (list.c), or the Standard Workload Format
 * (swf.c); and where their ranks are (place.c). What jobs do is not read here: a trace is a path.
 */
#ifndef PGASIM_REPLAY_JOBS_H
#define PGASIM_REPLAY_JOBS_H

#include "platform/platform.h"

/* Where a job's ranks are. The last three take cores that no job before it in the list has, as long as there are
 * enough. */
enum replay_placement {
    REPLAY_ON_HOSTS,    /* rank k on the k-th of a list of hosts, which starts again at its end */
    REPLAY_BY_HOSTFILE, /* as pgasim run -hostfile has it */
    REPLAY_PACKED,      /* all cores of a host before the next host */
    REPLAY_ROUND_ROBIN, /* one rank for each host in turn */
    REPLAY_RANDOM,      /* on any cores */
    REPLAY_PLACEMENTS
};

/* Whom the ranks of background traffic send to. */
enum replay_pattern {
    REPLAY_UNIFORM,     /* to any other rank */
    REPLAY_PERMUTATION, /* always to the same one, from which nobody else gets anything */
    REPLAY_ALL_TO_ALL,  /* to all others in turn */
    REPLAY_INCAST,      /* to the first rank */
    REPLAY_PING_PONG,   /* two by two, to and fro */
    REPLAY_PATTERNS
};
struct replay_traffic {
    enum replay_pattern pattern;
    uint64_t bytes;  /* of a message; 0: the job is no traffic */
    double interval; /* seconds from the start of a rank's message to that of its next one, at least */
    uint64_t seed;
};

struct replay_entry {
    char *name, *trace; /* trace NULL: background traffic, or a job that only takes its processors and time */
    uint32_t line;      /* of its file */
    double start;       /* seconds: of a queued job, when it is submitted */
    uint32_t ranks;     /* 0: as many as its trace has */
    double seconds;     /* a job without a trace: how long it takes */
    double expected;    /* queued: how long its user said that it takes */
    struct replay_traffic traffic;
    enum replay_placement placement;
    BASE_ARRAY(char *) hosts;
    char *hostfile;
    uint64_t seed;
    double compute_scale;
};
struct replay_list {
    const char *path;
    BASE_ARRAY(struct replay_entry) at; /* in the order of the file; queued: of their starts */
    bool queued;                        /* they start in this order, as soon as enough cores are free (SWF) */
    uint64_t left_out;                  /* lines of jobs that never had processors */
};

/* Traces of a workload's jobs: "[NUMBER=]PATH", for those of that executable, or for all; %n in the path is the job's
 * number of processors. */
struct replay_job_traces {
    const char *const *at;
    size_t n;
};
/* Reads a list, which is JSON if it begins with a bracket. -1 with st: "path:line: what is wrong". */
int replay_list_read(struct replay_list *l, const char *path, const struct replay_job_traces *traces,
                     struct base_status *st);
/* The same for a text; `l->path` names it, and where its files are. */
int replay_list_parse(struct replay_list *l, const char *text, size_t bytes, struct base_status *st);
int replay_swf_parse(struct replay_list *l, const char *text, size_t bytes,
                     const struct replay_job_traces *traces, struct base_status *st);
void replay_list_release(struct replay_list *l);

/* Writes the hosts of all entries' ranks, one entry after the other; each entry knows how many it has. `crowded`: the
 * first entry that found too few cores left, or l->at.n. -1 with st. */
int replay_list_place(const struct replay_list *l, const struct platform *p, uint32_t *rank_host,
                      size_t *crowded, struct base_status *st);

/* The hosts that an entry names, which the caller frees; NULL with st: the platform has not all of them. */
uint32_t *replay_entry_hosts(const struct replay_list *l, const struct replay_entry *e,
                             const struct platform *p, struct base_status *st);

/* The slots of the hosts that an entry names, for ranks that are started later; n 0: it names none. The caller frees the
 * hosts. -1 with st. */
struct rank_slots;
int replay_entry_slots(const struct replay_list *l, const struct replay_entry *e, const struct platform *p,
                       struct rank_slots *out, struct base_status *st);

/* EASY backfilling (backfill.c): sets `begins` of those of the waiting jobs that begin at `now`. Running jobs, in any
 * order, are expected to end at `end`; behind them is room for all that wait. */
struct replay_running {
    double end; /* seconds, not before `now` */
    uint32_t cores;
};
struct replay_waiting {
    double seconds; /* it is expected to take */
    uint32_t cores;
    bool begins;
};
void replay_backfill(struct replay_running *running, size_t n, uint32_t free, double now,
                     struct replay_waiting *waiting, size_t m);

/* The path of a file that a list names: from its own folder, unless it is absolute. The caller frees it. */
char *replay_list_file(const struct replay_list *l, const char *name);
extern const char *const replay_pattern_names[REPLAY_PATTERNS];

#endif
