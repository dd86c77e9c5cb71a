/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding: what a checker has found, as data: from it are made the report for people, a line of JSON that
 * another process reads back, and SARIF for other tools. A room of check/ that sees base/ only: it knows
 * neither who finds something nor how.
 *
 * Invariants
 *  F1  Texts are never NULL; "" is not known. They belong to their finding.
 *  F2  What is written as a line of JSON and read back is the same finding.
 */
#ifndef PGASIM_CHECK_FINDING_H
#define PGASIM_CHECK_FINDING_H

#include "base/json.h"

/* --- kinds ---------------------------------------------------------------------------------------------- */

enum finding_level { FINDING_ERROR, FINDING_WARNING, FINDING_HINT };
struct finding_rule {
    const char *word; /* in suppressions, and as SARIF's rule */
    const char *head; /* of reports: "race" */
    enum finding_level level;
    const char *help; /* a sentence */
};
enum finding_kind {
    FINDING_RACE,
    FINDING_MIXED_ATOMICS,
    FINDING_POLLING,
    FINDING_SAME_VALUE,
    FINDING_UNINITIALISED,
    FINDING_REDUNDANT, /* has one access: the call */
    FINDING_FILE,      /* of a file's bytes */
    FINDING_FILE_SYNC,
    FINDING_FAILURE, /* of a run under the adversary; has no accesses */
    FINDING_KINDS
};
extern const struct finding_rule finding_rules[FINDING_KINDS];
bool finding_kind_find(const char *word, enum finding_kind *out);

/* --- findings ------------------------------------------------------------------------------------------- */

struct finding_place {
    char *function;
    char *file; /* with its folders */
    uint32_t line;
    char *object; /* the program or library, if file and line are not known */
    uint32_t offset;
};
/* "main, a.c:16"; "main, a.out+0x11d9"; "". Returns buf. */
enum { FINDING_NAME = 1024 };
char *finding_place_name(const struct finding_place *p, char *buf, size_t size);
/* "a.c:16"; "" */
char *finding_place_line(const struct finding_place *p, char *buf, size_t size);

struct finding_access {
    char *verb; /* "written" */
    char *what; /* "MPI_Put", "a load" */
    uint32_t rank, thread;
    bool threaded; /* the rank has several, so its number is said */
    double at;     /* simulated seconds; < 0: not known */
    struct finding_place place;
    BASE_ARRAY(struct finding_place) stack; /* the calls that led there, innermost first */
};

enum { FINDING_NOBODY = UINT32_MAX };
struct finding {
    enum finding_kind kind;
    char *object;   /* "window+0x10" */
    uint32_t owner; /* the rank whose memory it is; FINDING_NOBODY: it is a file */
    uint64_t bytes; /* of it, that both touch; 0: not known */
    uint32_t accesses;
    struct finding_access access[2]; /* the earlier one first */
    char *missing;                   /* what order is missing; several lines */
    char *fix;                       /* the smallest repair that is known to be right */
    uint64_t count;                  /* how often */
};
/* One without texts. */
void finding_init(struct finding *f, enum finding_kind kind);
void finding_release(struct finding *f);
void finding_access_copy(struct finding *f, const struct finding_access *a); /* one more; without its stack */
void finding_set(char **text, const char *to);                     /* a copy, instead of what is there */
struct finding_place *finding_frame_add(struct finding_access *a); /* one more call, the next outer one */

/* "window+0x10 of rank 1", "file a.dat+0x10"; "". */
void finding_object_text(const struct finding *f, struct base_text *t);
/* "written by MPI_Put of rank 1, thread 2 in main, a.c:16" */
void finding_access_text(const struct finding_access *a, struct base_text *t);
/* The report: lines that begin with "pgasim: " and the rule's head. */
void finding_text(const struct finding *f, struct base_text *t);
/* The same number for the same pair of lines, in any order, on any machine. */
uint64_t finding_fingerprint(const struct finding *f);

/* --- suppressions (suppress.c, match.c) ----------------------------------------------------------------- */

enum finding_frame { FINDING_FUNCTION, FINDING_SOURCE, FINDING_FRAMES /* any number */ };
struct finding_frame_pattern {
    enum finding_frame kind;
    char *pattern;
};
struct finding_access_pattern {
    char *call;
    BASE_ARRAY(struct finding_frame_pattern) frames;
};
struct finding_suppression {
    char *name, *place; /* "file:line" */
    bool any;           /* of any kind */
    enum finding_kind kind;
    char *object; /* NULL: any */
    uint32_t accesses;
    struct finding_access_pattern access[2]; /* in any order */
    uint64_t findings;                       /* that it has suppressed */
};
struct finding_suppressions {
    BASE_ARRAY(struct finding_suppression) at;
};
/* More rules, from a file. -1 with st, which names file and line. */
int finding_suppressions_read(struct finding_suppressions *s, FILE *in, const char *name,
                              struct base_status *st);
void finding_suppressions_release(struct finding_suppressions *s);
/* The first rule that is about the finding; NULL: none is. */
struct finding_suppression *finding_suppressed_by(const struct finding_suppressions *s,
                                                  const struct finding *f);
/* A rule for the finding, as lines of a report. */
void finding_suppression_text(const struct finding *f, struct base_text *t);

/* --- all findings of a run ------------------------------------------------------------------------------ */

struct finding_texts {
    BASE_ARRAY(char *) text;
};
/* A rule, and how many findings it has suppressed. */
struct finding_suppressed {
    char *name, *place;
    uint64_t findings;
};
/* What was looked at, and what was not. */
struct finding_summary {
    bool ended;     /* false: the run did not come to its end, and the rest is not known */
    uint64_t found; /* pairs of accesses, with those of each finding after its first */
    uint64_t operations, actions, files, loads, stores;
    struct finding_texts unseen, allowed; /* `allowed`: found, and not reported */
    BASE_ARRAY(struct finding_suppressed) suppressed;
};

/* Lines: the rules that have suppressed something, and how much; `unused`: all rules. */
void finding_suppressed_text(const struct finding_summary *s, bool unused, const char *before,
                             struct base_text *t);

struct finding_list {
    BASE_ARRAY(struct finding) at;
    struct finding_summary summary;
};
void finding_list_release(struct finding_list *l);
size_t finding_list_errors(const struct finding_list *l); /* those that are errors */
/* "1 found among 2 one-sided operations, ..." */
void finding_summary_text(const struct finding_list *l, struct base_text *t);

/* Lines of JSON: a head, then each finding when it is found, so that a crash loses none, then the counts and the
 * summary. */
void finding_write_head(FILE *out);
void finding_write(FILE *out, const struct finding *f);
void finding_write_end(FILE *out, const struct finding_list *l);
/* Reads them back. A last line that is not whole is left out. -1 with st: it is something else. */
int finding_list_read(struct finding_list *l, FILE *in, const char *name, struct base_status *st);
void finding_json_texts(struct base_json *j, const char *key, const struct finding_texts *t);
void finding_json(struct base_json *j, const struct finding *f);         /* one object; */
void finding_json_members(struct base_json *j, const struct finding *f); /* what stands between its braces */
/* The member "suppressed": rules, and how many findings each has suppressed. */
void finding_json_suppressed(struct base_json *j, const struct finding_summary *s);

/* What a run has found so far. */
struct finding_log {
    struct finding_list list;
    FILE *lines; /* NULL: none */
    struct finding_suppressions suppressions;
    bool generates;    /* rules for what it finds */
    bool tells_unused; /* rules that suppressed nothing are named, too */
};
/* Rules of a file. -1 with st. */
int finding_log_suppress(struct finding_log *g, const char *path, struct base_status *st);
/* Lines of JSON go to this file from now on. -1 with st. */
int finding_log_open(struct finding_log *g, const char *path, struct base_status *st);
/* Takes the finding; returns its number. */
size_t finding_log_add(struct finding_log *g, const struct finding *f);
/* The run is over, and g->list.summary is filled in. */
void finding_log_end(struct finding_log *g);
void finding_log_release(struct finding_log *g);

/* --- SARIF 2.1.0 ---------------------------------------------------------------------------------------- */

/* One file: begin, results, end. */
void finding_sarif_begin(struct base_json *j);
/* `more`: said of it besides; NULL: nothing. */
void finding_sarif_add(struct base_json *j, const struct finding *f, const char *more);
/* The command that made it, for a shell, and its exit status. */
void finding_sarif_end(struct base_json *j, const char *command, int status);

#endif
