/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of the exploration share.
 *
 * Invariants
 *  E1  What is reported depends on the runs' outcomes alone, never on which process ended first.
 *  E2  No child and no temporary file outlives the exploration.
 */
#ifndef PGASIM_CHECK_EXPLORE_PARTS_H
#define PGASIM_CHECK_EXPLORE_PARTS_H

#include <sys/types.h>

#include "base/children.h"
#include "base/json.h"
#include "base/output.h"
#include "base/table.h"
#include "check/explore/explore.h"
#include "check/finding/finding.h"

/* --- texts (text.c) --------------------------------------------------------------------------------- */

struct explore_lines {
    BASE_ARRAY(char *) line;
};
/* The lines of a file, without their ends; none if it cannot be read. */
struct explore_lines explore_lines_read(const char *path);
void explore_lines_release(struct explore_lines *l);
/* A copy with each number that stands alone as N: times, ranks and counts differ where the kind of an outcome
 * is the same. What belongs to a name, a line of code, a signal or a status stays. */
char *explore_mask(const char *text);
/* The same for all digits. */
char *explore_mask_digits(const char *text);

/* --- outcomes (outcome.c) --------------------------------------------------------------------------- */

enum explore_end {
    EXPLORE_PASSED,
    EXPLORE_OTHER,   /* status 0, but it wrote something else than the plain run */
    EXPLORE_MEMORY,  /* the same output, but its memory held something else */
    EXPLORE_FAILED,  /* another status, or a signal */
    EXPLORE_ENDLESS, /* did not end within the limit */
    EXPLORE_UNTRIED, /* pgasim could not run it */
};

/* How outputs are compared, as sets of lines: ranks may legally write in any order. */
enum explore_compare { EXPLORE_WHOLE, EXPLORE_MASKED, EXPLORE_NOT };

struct explore_outcome {
    enum explore_end end;
    int status;   /* as a shell has it */
    char *text;   /* for people; one line */
    char *key;    /* equal if and only if the kind is the same */
    char *sample; /* OTHER: a line that the plain run has not written; MEMORY: where */
};

/* What a run has left behind, read once: its output, and what it has reported. */
struct explore_result {
    struct explore_lines out, err, memory;
    struct explore_lines mistakes; /* taken out of err; if nothing else was found, the status is 0 */
    int status;
    bool ended;
};
/* "rank 3 (host node-0) at 12.5 us: what" -> "what" */
const char *explore_without_rank(const char *text);
/* memory.c: what the plain run's memory held, and where it differs legally. */
struct explore_memory {
    bool compared;
    struct explore_lines plain;
    struct base_table varying; /* blocks */
};
struct explore_plain {
    struct explore_lines out;
    enum explore_compare compare;
    struct explore_memory memory;
};
void explore_memory_init(struct explore_memory *m);
void explore_memory_release(struct explore_memory *m);
void explore_memory_plain(struct explore_memory *m, struct explore_lines *lines); /* takes them */
/* Of a plain run on another platform. */
void explore_memory_vary(struct explore_memory *m, const struct explore_lines *lines);
/* The first difference, for people; NULL: none. The caller frees it. */
char *explore_memory_unlike(const struct explore_memory *m, const struct explore_lines *lines);
/* By comparing two plain runs: what of the output may be compared. */
enum explore_compare explore_compare_of(const struct explore_lines *a, const struct explore_lines *b);
/* `plain` NULL: the output is not looked at. */
struct explore_outcome explore_outcome_of(const struct explore_result *t, const struct explore_plain *plain);
void explore_outcome_release(struct explore_outcome *o);

/* --- child processes (folder.c, child.c, batch.c) --------------------------------------------------------------- */

enum explore_way {
    EXPLORE_RACES, /* the race detector */
    EXPLORE_PLAIN, /* no check */
    EXPLORE_NASTY, /* the adversary */
};

/* One run: what is asked for, and its end. */
struct explore_run {
    enum explore_way way;
    uint64_t seed;
    const char *allow; /* a file with the only decisions; NULL: all */
    const char *trace; /* a file to be made; NULL: none */
    bool scripted;     /* the adversary draws nothing: `allow` has its choices */
    bool shown;        /* its output goes to ours as it comes */
    double limit;      /* seconds; 0: none */
    uint32_t number;   /* of its files */
    pid_t pid;         /* 0: not running */
    bool done, ended;  /* `ended` by itself */
    int status;
    double began, seconds;
};

/* The state of an exploration. */
struct explore {
    const struct explore_request *request;
    char *folder;
    uint32_t runs, lists;   /* made so far, which numbers their files */
    double began, deadline; /* INFINITY: none */
    struct base_signals signals;
    int interrupt; /* the signal that asked us to end, or 0 */
    struct explore_plain plain;
    double limit;  /* of each run */
    bool paired;   /* the two traces are there */
    bool compares; /* --replay: there is a plain run to compare with */
};

int explore_open(struct explore *x, const struct explore_request *q, struct base_status *st);
/* Removes everything. Ends the process, if it was interrupted. */
void explore_close(struct explore *x);
double explore_seconds(void);
bool explore_over(const struct explore *x); /* interrupted, or out of time */
/* A name in the folder; the caller frees it. `what`: "out", "err", "decisions", "allow" */
char *explore_path(const struct explore *x, uint32_t number, const char *what);
void explore_run_forget(struct explore *x, const struct explore_run *r); /* its files */

void explore_start(struct explore *x, struct explore_run *r);
/* Whether it has ended, by itself or because its limit is over. */
bool explore_finished(struct explore *x, struct explore_run *r);
void explore_kill(struct explore_run *r);
/* Copies to our own streams what a run that is `shown` has written since. */
struct explore_tail {
    off_t out, err;
};
void explore_show(const struct explore *x, const struct explore_run *r, struct explore_tail *t);

/* Starts runs in order, as many at a time as there are processes, and hands each over when it and all before it
 * have ended. false from `take`: no others are wanted, and those under way are ended. Returns how many were
 * handed over. */
typedef bool (*explore_take_fn)(void *arg, struct explore_run *r);
size_t explore_batch(struct explore *x, struct explore_run *run, size_t n, explore_take_fn take, void *arg);
/* A run alone. false: interrupted. */
bool explore_one(struct explore *x, struct explore_run *r);
struct explore_result explore_read(const struct explore *x, const struct explore_run *r);
void explore_result_release(struct explore_result *t);

/* Runs the program plainly and on other platforms; sets what of its output may be compared, and x->limit. */
struct explore_findings;
void explore_run_plain(struct explore *x, struct explore_findings *f);

/* --- what is found (findings.c, races.c) ------------------------------------------------------------- */

/* What is known of a finding of the race detector's besides. */
struct explore_race {
    char line[2][FINDING_NAME]; /* of its accesses, "a.c:16"; "": not known */
    /* Whether it was seen to bite. MAY: decisions about these lines were among those of a run that failed. */
    enum { EXPLORE_UNSEEN, EXPLORE_MAY, EXPLORE_CONFIRMED } bite;
    size_t seed; /* which of the seeds */
};

/* What a run has reported as a mistake of the program. */
struct explore_mistake {
    char *text, *kind;
    bool drawn;    /* it was seen first in an adversarial run: */
    uint64_t seed; /* of this seed */
    uint64_t runs;
};

/* One adversarial run. */
struct explore_seed {
    uint64_t seed;
    struct explore_outcome outcome;
    struct explore_lines decisions; /* unless it passed */
};

/* Runs of one kind of outcome. */
struct explore_row {
    size_t first; /* of the seeds */
    uint64_t runs;
    char *file;                 /* the replay file of the first one; NULL: none */
    struct explore_lines least; /* its decisions that matter, if it was shrunk */
    bool shrunk, anyway;        /* `anyway`: it happens without decisions, too */
};

struct explore_findings {
    struct explore_outcome plain;          /* of the plain run */
    struct explore_outcome detector;       /* of the race detector's run; races are no failure */
    struct finding_list found;             /* by the race detector; */
    BASE_ARRAY(struct explore_race) races; /* one for each of them */
    BASE_ARRAY(struct explore_mistake) mistakes;
    struct explore_lines leaks; /* objects that were not freed, in the detector's run */
    BASE_ARRAY(struct explore_seed) seeds;
    BASE_ARRAY(struct explore_row) rows; /* by first seed */
    bool stopped, late;                  /* at a failure; by the time */
    bool partial;                        /* systematic: there are executions that were not run */
};

bool explore_is_failure(const struct explore_request *q, const struct explore_outcome *o);
void explore_findings_add(struct explore_findings *f, uint64_t seed, struct explore_outcome outcome,
                          struct explore_lines decisions);
void explore_findings_release(struct explore_findings *f);
/* What the detector's run has left behind. */
void explore_races_read(const struct explore *x, struct explore_findings *f, const struct explore_run *r);
void explore_races_take(struct explore_findings *f, struct finding_list found);
size_t explore_errors(const struct explore_findings *f); /* of the race detector, without its hints */
/* How a race was seen to bite, for people; the caller frees it. */
char *explore_bite_text(const struct explore *x, const struct explore_findings *f, size_t race);
/* mistakes.c: takes the lines of mistakes out of a result's err; adds those of a run (`s` NULL: the
 * detector's). */
void explore_mistakes_take(struct explore_result *t);
void explore_mistakes_add(struct explore_findings *f, const struct explore_lines *l,
                          const struct explore_seed *s);
void explore_leaks_read(struct explore_findings *f, const struct explore_lines *err);
void explore_mistakes_release(struct explore_findings *f);
/* Whether a decision is about a line, "a.c:16"; about one of the race's lines. */
bool explore_line_in(const char *line, const char *decision);
bool explore_race_has(const struct explore_race *r, const char *decision);
/* Looks for runs in which the races bite: those that fail with decisions about their lines alone. */
void explore_races_confirm(struct explore *x, struct explore_findings *f);

/* systematic.c: the runs of all choices; in findings their numbers are the seeds */
void explore_systematic(struct explore *x, struct explore_findings *f);

/* --- fewer decisions (ddmin.c, shrink.c) --------------------------------------------------------------- */

/* Which of the candidates, sets of `n` flags each, still fails, as its number; `count` if none does. The first
 * one counts, whichever is tried first. */
typedef size_t (*explore_fails_fn)(void *arg, const bool *candidates, size_t n, size_t count);
/* Delta debugging (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002: ddmin). `kept` is
 * a set that fails and becomes one of which no element can be left out. */
void explore_ddmin(bool *kept, size_t n, explore_fails_fn fails, void *arg);

/* Runs the seed with sets of the decisions; the number of the first one with that kind of outcome. */
struct explore_trial {
    struct explore *x;
    uint64_t seed;
    const char *key;
    const struct explore_lines *decisions;
};
char *explore_allow(struct explore *x, const struct explore_lines *decisions, const bool *set); /* the file */
size_t explore_try(void *arg, const bool *candidates, size_t n, size_t count);
void explore_shrink(struct explore *x, struct explore_findings *f);

/* --- replay files (replay.c) ------------------------------------------------------------------------------ */

struct explore_replay {
    struct explore_lines options, program; /* words */
    struct explore_lines decisions;        /* that are allowed */
    char *outcome, *key;
    bool scripted; /* they are choices */
    uint64_t seed;
};
void explore_replay_write(const struct explore_replay *r, FILE *out);
int explore_replay_read(struct explore_replay *r, FILE *in, const char *name, struct base_status *st);
void explore_replay_release(struct explore_replay *r);

/* --- reports (report.c, json.c) -------------------------------------------------------------------------- */

/* `pgasim run` with the words of the user, quoted for a shell. The caller frees it. */
char *explore_command_text(const struct explore_command *c, const char *before);
void explore_report(const struct explore *x, const struct explore_findings *f);
void explore_report_nothing(const struct explore *x,
                            const struct explore_findings *f); /* it ends too early */
/* The command that repeats it; NULL: the race detector's run. The caller frees it. */
char *explore_repeat_text(const struct explore *x, const struct explore_seed *s,
                          const struct explore_row *row);
int explore_json(const struct explore *x, const struct explore_findings *f, struct base_status *st);
int explore_sarif(const struct explore *x, const struct explore_findings *f,
                  struct base_status *st); /* sarif.c */
int explore_status(const struct explore *x, const struct explore_findings *f);

#endif
