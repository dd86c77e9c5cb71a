/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: what happened in a run, from its trace alone.
 *
 *   facts           the contents of a trace, counted and summed
 *   struct report   a trace file that was read into facts
 *   profile, diff   facts as text and as JSON; two runs side by side
 *   page            a run as one page for a browser
 *
 * Events are added to facts in order (report_facts_add); then report_facts_finish computes what needs all of
 * them: shares, utilization, the critical path, what would speed the run up. Readers must not change facts.
 * Units are seconds and bytes unless stated otherwise. Memory: at most about 40 bytes per event; matrices and
 * timelines have a fixed size.
 */
#ifndef PGASIM_REPORT_H
#define PGASIM_REPORT_H

#include "trace/trace.h"

struct report_files;
struct report_sdsm;
struct report_stats;

/* --- names ------------------------------------------------------------------------------------------- */

/* The number of a text in the trace: a call, the reason for a wait, a collective, an algorithm. 0: none. */
typedef uint16_t report_name;

struct report_facts;
const char *report_name_text(const struct report_facts *f, report_name name); /* "" for 0 */

/* --- kinds of operations, counts, distributions ------------------------------------------------------- */

enum report_kind {
    REPORT_PUT,
    REPORT_GET,
    REPORT_ATOMIC,
    REPORT_MESSAGE, /* of a collective */
    REPORT_SEND,    /* a two-sided message */
    REPORT_NOTICE,  /* of a window's synchronization */
    REPORT_KINDS
};
const char *
report_kind_text(enum report_kind kind); /* "puts", "gets", "atomics", "collective messages", ... */

/* A histogram of values >= 0 by powers of two, each in 32 parts: percentiles to 3%, extremes and mean
 * exact. */
enum { REPORT_POWERS = 105, REPORT_PARTS_OF_POWER = 32 };
struct report_distribution {
    uint64_t n;
    double sum, least, most;
    uint64_t *part; /* of REPORT_POWERS * REPORT_PARTS_OF_POWER; NULL while n is 0 */
};
/* The number of values in [*low, *high), 0 <= power < REPORT_POWERS. Power 0 holds values below 2^-40; each
 * higher one covers a factor of 2. */
uint64_t report_distribution_power(const struct report_distribution *d, unsigned power, double *low,
                                   double *high);
double report_distribution_mean(const struct report_distribution *d);
double report_distribution_at(const struct report_distribution *d, double part); /* 0.5: the median */

struct report_operations {
    uint64_t count, bytes;               /* issued */
    uint64_t unfinished;                 /* of these, without an end in the trace */
    struct report_distribution size;     /* of the issued ones */
    struct report_distribution duration; /* issued to the last instant, of the finished ones */
};

/* All calls of one function, by all ranks. */
struct report_call {
    report_name name;
    uint64_t count;
    double own, waiting; /* seconds within, added over ranks */
    double longest;      /* one call */
    uint32_t longest_rank;
    double longest_at;          /* its begin */
    uint64_t operations, bytes; /* issued by it, one-sided */
};

/* --- ranks ------------------------------------------------------------------------------------------- */

/* A part of a rank's time. */
struct report_share {
    report_name name;
    uint64_t count;
    double seconds;
};
struct report_shares {
    struct report_share *at; /* largest first, once finished */
    size_t n, cap;
};
/* A rank's time is that of its first thread: computing + calling + waiting + other + after = the run's. Its
 * further threads count for the calls and the path, not here. */
struct report_rank {
    uint32_t host;
    bool seen; /* the trace has events of this rank; else all its time is `after` */
    bool began, ended;
    uint32_t world;    /* place in `worlds` */
    double begin, end; /* of its life */
    double computing;  /* the application's own code */
    double calling;    /* within calls, not waiting */
    double waiting;
    double other;                /* outside calls and known computation; 0 if the trace has every call */
    double after;                /* before its begin and after its end */
    struct report_shares calls;  /* `calling` by call */
    struct report_shares waits;  /* `waiting` by what for */
    uint64_t sent, sent_bytes;   /* operations and messages it issued */
    uint64_t taken, taken_bytes; /* issued to this rank */
};

/* Quantities by pair of ranks or, with many ranks, by pair of groups of `group` successive ranks. */
struct report_matrix {
    uint32_t group, n; /* n x n cells: cell[row * n + column] */
    double *cell;
};
struct report_pair {
    uint32_t row, column; /* groups: ranks [row * group, ...) */
    double value;
};
/* The largest cells above 0, largest first (ties: by row, then column); returns how many. */
size_t report_matrix_top(const struct report_matrix *m, struct report_pair *out, size_t most);

/* What ranks waited for at messages and collectives. */
enum report_late {
    REPORT_LATE_SENDER,   /* a receiver, until the message that it got was sent */
    REPORT_LATE_RECEIVER, /* a sender, until the message was received: rendezvous, synchronous modes */
    REPORT_UNDER_WAY,     /* either, from then on */
    REPORT_LATE_MEMBER,   /* a member of a collective, until the last one had come */
    REPORT_MEETING,       /* members, from then on */
    REPORT_LATE_HOLDER,   /* at a lock, until its holder released it */
    REPORT_LATE_EPOCH,    /* at a window, until the other rank called MPI_Win_post or MPI_Win_complete */
    REPORT_LATES
};
const char *report_late_text(enum report_late late);

/* --- platform ---------------------------------------------------------------------------------------- */

/* The run divided into equal bins, for everything drawn over time. */
struct report_bins {
    uint32_t n;   /* 0 when nothing took time; 256 to 512 else (fewer on platforms with thousands of links) */
    double width; /* the last one may reach beyond the run's end */
};
struct report_link {
    uint64_t operations;
    double bytes;
    double mean, peak; /* utilization: of its bandwidth; peak: of one bin */
    double
        transfer; /* seconds of operations that it was the narrowest place for, explained by its bandwidth */
    double contention;  /* ... and the rest: contention */
    const float *usage; /* utilization by bin; NULL when nothing crossed it */
};
struct report_host {
    uint32_t ranks;
    double computing;   /* core seconds */
    double mean, peak;  /* of all its cores */
    const float *usage; /* by bin; NULL: never computed */
};

/* --- collectives ------------------------------------------------------------------------------------- */

struct report_collective {
    report_name name, algorithm;
    uint64_t bytes; /* of one member's contribution */
    bool rounded;   /* too many sizes: `bytes` stands for all up to the next power of two */
    uint32_t members_least, members_most;
    uint64_t count;                       /* meetings */
    uint64_t unfinished;                  /* of these: not all members ended within the trace */
    uint64_t parts;                       /* members' parts that ended */
    double sum, least, most;              /* time of one member's part */
    double imbalance_sum, imbalance_most; /* last entered - first entered, per meeting */
    double after_sum, after_most;         /* last left - last entered, per meeting */
    double longest_at;                    /* first entered of the meeting that took longest */
    /* Why that algorithm, and seconds below which none can be, as the run said for the largest group; then the
     * quickest of all algorithms, and what it would have saved in each of these meetings. why 0: the run said
     * nothing; better 0: it was not asked for, or none is better. */
    report_name why, better;
    double bound, saves;
    uint32_t bound_members;
};

/* --- races ------------------------------------------------------------------------------------------- */

/* One of the two accesses. Texts are the trace's. */
struct report_access {
    uint32_t rank, thread;
    double time;       /* the rank's own; of an access that stands for several: of the first */
    const char *does;  /* "read", "written", "read atomically", "updated atomically" */
    const char *call;  /* "MPI_Put", "a load" */
    const char *place; /* "main, order.c:18"; "" */
};
/* Two accesses to the same bytes that nothing orders (pgasim run --check=races). */
struct report_race {
    uint64_t number, bytes;
    const char *object, *missing;   /* "window+0x0"; a sentence */
    uint32_t owner;                 /* the rank whose memory that is; UINT32_MAX: it is a file's */
    struct report_access access[2]; /* the earlier one first */
};

/* --- jobs side by side ---------------------------------------------------------------------------------- */

struct report_job {
    const char *name;
    uint64_t ranks;
    double submitted, begin, end; /* seconds */
    double alone;                 /* its duration without the others; 0: not known */
};
double report_job_slowdown(const struct report_job *job); /* 0: not known */

/* --- energy --------------------------------------------------------------------------------------------- */

/* What one host, link or phase has taken. */
struct report_joules {
    const char *name; /* "": outside of phases */
    uint32_t id;      /* host or link */
    double joules;
    double more; /* host: what it took above Idle; phase: seconds of all its ranks */
};
const char *report_phase_text(const struct report_joules *phase); /* also for "" */
struct report_energy_rank {
    double joules;
    double cores; /* core-seconds that it has computed */
};
struct report_energy {
    double hosts, links;             /* joules of those listed */
    struct report_energy_rank *rank; /* about->ranks */
    BASE_ARRAY(struct report_joules) host;
    BASE_ARRAY(struct report_joules) link;
    BASE_ARRAY(struct report_joules) phase; /* each most first, once finished */
    float
        *power; /* watts of the listed hosts by bin, as known where the trace told it; NULL: no time passed */
};

/* --- disks ---------------------------------------------------------------------------------------------- */

/* The user's events "disk NAME" by which a run tells at its end what its disks did. */
#define REPORT_DISK_FIELDS "host reads read_bytes writes written_bytes busy_ns access_ns"
enum { REPORT_DISK_VALUES = 7 };
struct report_disk {
    const char *name;
    uint32_t host;
    double reads, read_bytes, writes, written_bytes;
    double busy, waited; /* seconds with an access; of all accesses together */
};

/* --- worlds --------------------------------------------------------------------------------------------- */

/* Ranks that were started together: the run's first ones, or those of one call of the program's. */
struct report_world {
    uint32_t first, ranks;
    double begin, end; /* of the first rank that began, and the last one that ended */
    double computing, waiting;
};

/* --- operations kept back ------------------------------------------------------------------------------ */

/* The adversary has kept it back (pgasim run --check=nasty). */
struct report_kept {
    double seconds, since; /* in all; the last time */
    uint32_t op;           /* in facts' work */
    bool now;              /* at the end of the trace, too */
};

/* --- network cards and cores -------------------------------------------------------------------------- */

/* What a card with a core (profile rae) was doing; what comes first prevails. */
enum report_card_state {
    REPORT_CARD_IDLE,
    REPORT_CARD_EXECUTES, /* its core works */
    REPORT_CARD_FILLS,    /* it waits for lines of the host's memory */
    REPORT_CARD_BUSY,     /* it has requests: unpacks them, looks lines up, waits for a place or for DMA */
    REPORT_CARD_STATES
};
const char *report_card_state_text(enum report_card_state state);
/* A change; holds until the next one's time. */
struct report_card_change {
    double time;
    uint32_t requests; /* in the card */
    uint16_t mshrs;    /* in use */
    uint8_t state;     /* enum report_card_state */
};
struct report_card {
    uint64_t requests, atomics; /* atomics: of these; of operations that the trace has */
    uint64_t hits, merges, misses, streams, conflicts, stalls;
    uint64_t executed, fills, writes, drained; /* fills, writes: lines from and to the host's memory */
    uint64_t lost;                             /* lines that caches of cores lost */
    double seconds[REPORT_CARD_STATES];
    double filling;            /* seconds of all fills, added */
    double in_card;            /* seconds of all requests, added */
    double mshrs;              /* seconds of all MSHRs, added */
    uint32_t most, most_mshrs; /* requests, MSHRs at once */
    struct report_card_change *at;
    size_t n, cap;
    const double *written; /* when lines were written back */
    size_t writes_known;
    struct report_card_work *work;
};

/* What a RISC-V core counted. */
struct report_counted {
    uint32_t rank;
    uint32_t what; /* enum trace_counted */
    report_name name;
    uint64_t count;
};

/* --- the critical path ------------------------------------------------------------------------------- */

/* What a piece of the path was. */
enum report_part {
    REPORT_COMPUTING,
    REPORT_CALLING,    /* a call's own time */
    REPORT_TIMED,      /* a wait that time ended: a sleep, work of the CPU */
    REPORT_OTHER,      /* outside calls */
    REPORT_LATENCY,    /* an operation's flight: the part without bytes and contention */
    REPORT_TRANSFER,   /* its bytes over the narrowest link of its way */
    REPORT_CONTENTION, /* the rest of the flight */
    REPORT_UNKNOWN,    /* before the trace begins, or after the last rank's end */
    REPORT_PARTS
};
const char *report_part_text(enum report_part part);
enum { REPORT_NO_LINK = UINT32_MAX };

/* A piece of the path, [begin, end); the pieces join end to begin from 0 to the run's end. A flight goes from
 * rank `peer`, where the operation was issued (for gets and atomics: the rank itself, via `target`), to
 * `rank`. */
struct report_piece {
    double begin, end;
    uint32_t rank, thread;
    uint32_t peer, target;
    uint64_t op; /* a flight's operation; 0: the rank's own time */
    uint64_t bytes;
    uint32_t link;              /* the narrowest of its way; REPORT_NO_LINK */
    report_name name;           /* the call, or what the wait was for */
    uint8_t part;               /* enum report_part of own time; flights: REPORT_LATENCY */
    uint8_t kind;               /* enum report_kind of a flight */
    float transfer, contention; /* of a flight; the rest is latency */
};
struct report_path {
    struct report_piece *at; /* in order of time */
    size_t n, cap;
    double length; /* the run's simulated seconds */
    double part[REPORT_PARTS];
    uint64_t hops; /* flights from one rank to another */
};

/* What would speed the run up. `gain` is an upper bound for the present path; `foreseen` also considers what
 * else the ranks waited for. */
enum report_lever {
    REPORT_LEVER_LINK,        /* id: link; twice the bandwidth */
    REPORT_LEVER_RANK,        /* id: rank; its computation twice as fast */
    REPORT_LEVER_CALL,        /* id: report_name; the call's own time halved */
    REPORT_LEVER_KIND,        /* id: report_kind; flights of these operations twice as fast */
    REPORT_LEVER_LATENCY,     /* all latencies halved */
    REPORT_LEVER_COMPUTATION, /* of all ranks, twice as fast */
};
struct report_suggestion {
    enum report_lever lever;
    uint32_t id;
    double part;     /* seconds of the path */
    double gain;     /* at most, seconds: half of the part, plus a link's whole contention */
    double foreseen; /* <= gain: from replaying the recorded waits */
};

/* --- everything -------------------------------------------------------------------------------------- */

struct report_work;
struct report_facts {
    const struct trace_about *about;
    bool truncated; /* the trace ends before the run did */
    double end;     /* simulated seconds of the run, or of what there is of it */
    uint64_t events, of_type[TRACE_TYPES];
    struct report_operations kind[REPORT_KINDS];
    uint64_t collective_calls; /* of members */
    uint64_t marks;
    uint32_t unknown_names;   /* names of calls and waits without a kind in the trace */
    struct report_call *call; /* most time first */
    size_t calls;
    struct report_rank *rank; /* about->ranks */
    /* Origin by target. One-sided operations and two-sided messages, then messages of collectives. */
    struct report_matrix operations[2], bytes[2];
    struct report_matrix waits; /* who waited for whom: seconds */
    struct {
        uint64_t count; /* waits that had such a part */
        double seconds;
    } late[REPORT_LATES];
    struct report_bins bins;
    struct report_link *link;             /* about->links */
    struct report_host *host;             /* about->hosts */
    struct report_collective *collective; /* most time first */
    size_t collectives;
    const struct report_race *race; /* as they were found */
    size_t races;
    struct report_kept *kept; /* longest first */
    size_t kept_back;
    double kept_seconds;
    struct report_sdsm *sdsm; /* the S-DSM (report/sdsm/); NULL: the trace has no such events */
    struct report_user {      /* events of types that the program has made */
        const char *name;
        uint64_t count;
    } * user; /* most first */
    size_t users;
    struct report_energy *energy;           /* NULL: the trace has no joules */
    BASE_ARRAY(struct report_disk) disks;   /* that were used, the busiest first */
    struct report_files *files;             /* (report/file.h) NULL: the trace has no such events */
    BASE_ARRAY(struct report_world) worlds; /* in order; one only if the program started no others */
    BASE_ARRAY(struct report_job) jobs;     /* that were played side by side, in the order of their list */
    struct report_card *card;               /* by host; NULL: the trace has no such events */
    const struct report_counted *counted;   /* in order of rank */
    size_t counts;
    const struct report_counted *counted_all; /* the same added over ranks, by what, then most first */
    size_t counts_all;
    uint64_t traps;
    struct report_path path;
    struct report_suggestion *suggestion; /* largest foreseen gain first */
    size_t suggestions;
    struct report_work *work; /* internal state */
};

/* `about` must outlive the facts. */
struct report_facts *report_facts_create(const struct trace_about *about);
void report_facts_destroy(struct report_facts *f);
void report_facts_add(struct report_facts *f, const struct trace_event *ev);
/* `end`: simulated seconds of the run, < 0 if unknown. Call once, after the last event. */
void report_facts_finish(struct report_facts *f, double end);

/* --- reading ----------------------------------------------------------------------------------------- */

/* A trace that has been read. Texts of `facts` are valid until it is closed. */
struct report {
    struct trace_file *file;    /* NULL: it was read from files of the S-DSM */
    struct report_stats *stats; /* those */
    struct report_facts *facts;
    const char *path;   /* as given */
    const char *damage; /* what could not be read, or NULL */
};
/* Reads the whole trace once; or, if `path` is a folder, the files that the S-DSM's library wrote there on a real MPI
 * (sat --sat-stats FOLDER): then there are no other events. `also` (may be NULL) gets every event right after the facts, so that data for
 * drawings is gathered in the same pass. 0, or -1 with st (no such file, not a trace). Damage after the head
 * is no failure: `damage` describes it, and the facts cover what could be read. */
int report_open(struct report *r, const char *path, const struct trace_sink *also, struct base_status *st);
void report_close(struct report *r);

/* --- text and JSON ----------------------------------------------------------------------------------- */

/* The facts as tables for people, each with at most `top` lines (0: all). */
void report_profile_print(const struct report *r, FILE *out, size_t top);
/* One JSON object, with at most `top` items a list (0: all); keys and units are those of
 * pgasim-profile(1). */
void report_profile_json(const struct report *r, FILE *out, size_t top);

/* What got slower from `a` to `b`, on the critical path and over all ranks. The path's differences add up to
 * that of the runs. Lists are sorted by size of difference, with at most `top` items (0: all). */
void report_diff_print(const struct report *a, const struct report *b, FILE *out, size_t top);
void report_diff_json(const struct report *a, const struct report *b, FILE *out, size_t top);

/* The S-DSM's figures as tables and pictures in a folder (report_sdsm of the facts is not NULL). -1 with st. */
int report_sdsm_files(const struct report *r, const char *folder, struct base_status *st);

/* --- the page ---------------------------------------------------------------------------------------- */

/* The page is self-contained: a template (page/, made when pgasim is built) with its data inserted as JSON.
 * page/README.md describes the data. */

/* False when pgasim was built without the page (PGASIM_REPORT=OFF). */
bool report_page_available(void);

/* Data that the facts don't keep: marks, and when gets and atomics took effect. Create it before the trace is
 * read, and pass its sink to report_open as `also`. */
struct report_page;
struct report_page_options {
    double from, to; /* seconds: the part shown in full detail. to <= from: none */
};
struct report_page *report_page_create(const struct report_page_options *options);
void report_page_destroy(struct report_page *p);
struct trace_sink report_page_sink(struct report_page *p);

/* Writes the page of a trace that has been read. Check `out` for errors. */
void report_page_write(struct report_page *p, const struct report *r, FILE *out);

#endif
