/* SPDX-License-Identifier: BSD-3-Clause */
/* internal: what the files of sweep/ share. */
#ifndef PGASIM_SWEEP_INTERNAL_H
#define PGASIM_SWEEP_INTERNAL_H

#include <sys/types.h>

#include "base/children.h"
#include "base/table.h"
#include "sweep/store/store.h"
#include "sweep/study/study.h"
#include "sweep/sweep.h"

enum sweep_state {
    SWEEP_DONE,    /* it has a row */
    SWEEP_PENDING, /* it is to be run */
    SWEEP_LEFT,    /* it has none, and was not asked for */
};
/* A point, and what is known of it. */
struct sweep_task {
    const struct study_point *point;
    uint64_t key;
    enum sweep_state state;
    double ranks;         /* at least 1 */
    double memory;        /* bytes that its run needs, if the study says so; 0: it does not */
    struct store_row row; /* if it is done, or has failed before */
    bool earlier;         /* it is of another version, and only shown (earlier.c) */
};

/* A run under way. */
struct sweep_process {
    pid_t pid; /* 0: none */
    struct sweep_task *task;
    double began, memory; /* what it is expected to need */
    char *folder;
};

struct sweep {
    const struct sweep_request *q;
    uint32_t jobs;     /* runs at a time */
    uint64_t memory;   /* for all of them; 0: what is free */
    bool retry_failed; /* failed points are to be run again; each once */
    struct study *study;
    char *folder;                  /* the study's, without links */
    char *database, *work, *files; /* paths; work: of runs under way; files: that are kept */
    struct store *store;
    struct sweep_task *task; /* one for each point of the study */
    uint32_t pending, failed, ran;
    struct base_table rows; /* key to struct store_row, before the points are known */
    /* content.c */
    BASE_ARRAY(struct sweep_content {
        char *path;
        uint64_t hash;
    })
    content;
    /* processes */
    int lock;                      /* of the work folder */
    struct sweep_process *process; /* jobs of them */
    uint32_t running;
    struct base_signals signals;
    int interrupt; /* the signal that ends us; 0: none */
    double began;  /* host seconds */
    bool on_terminal;
};

double sweep_clock(void); /* seconds of this machine */

/* --- sweep.c --- */
enum sweep_database { SWEEP_DATABASE_MADE, SWEEP_DATABASE_NEEDED, SWEEP_DATABASE_IF_THERE };
/* Reads the study and what the database holds. -1 with st; sweep_close must follow in any case. */
int sweep_open(struct sweep *x, const struct sweep_request *q, enum sweep_database how,
               struct base_status *st);
void sweep_close(struct sweep *x);
/* What is done and what is to be run, from the rows in the database. */
int sweep_look(struct sweep *x, struct base_status *st);
int sweep_number_points(struct sweep *x,
                        struct base_status *st); /* rows get the numbers that their points have now */
int sweep_conclude(const struct sweep *x);       /* the last words, and the exit status */
/* Where the database is: as the request says, as the file says, or named after it. The caller frees it. */
char *sweep_database_path(const struct sweep *x, const char *said, const char *file, struct base_status *st);
void sweep_show_command(const struct sweep *x, const struct sweep_task *t, FILE *out);

/* --- command.c --- */
/* The words of a point's command, NULL-ended, for a run whose files are in `folder`; NULL for the words as they count
 * for the key. NULL with st. The caller frees it. */
char **sweep_words(const struct sweep *x, const struct study_point *p, const char *folder,
                   struct base_status *st);
void sweep_words_free(char **words);
/* The words of `platform generate`; NULL with st, or with st->text empty if the study generates none. */
char **sweep_generate_words(const struct sweep *x, const struct study_point *p, struct base_status *st);
char *sweep_platform_path(const struct sweep *x, char *const *words); /* where such a platform is kept */
/* Key, ranks and memory of a task. */
int sweep_task_of(struct sweep *x, const struct study_point *p, struct sweep_task *out,
                  struct base_status *st);

/* --- earlier.c --- */
/* Points without a row get the newest one of an earlier version, and it is said how many. */
uint32_t sweep_earlier_take(struct sweep *x);

/* --- content.c --- */
/* A number for what a file holds, read once. -1 with st. */
int sweep_content(struct sweep *x, const char *path, uint64_t *out, struct base_status *st);
/* The file of a program as a shell finds it from the study's folder; NULL: there is none. The caller frees it. */
char *sweep_find_program(const struct sweep *x, const char *name);
char *sweep_path(const struct sweep *x, const char *name); /* of a file, as seen from the study's folder */

/* --- keep.c --- */
/* Values of what the study keeps, as JSON; NULL with st: one is not there. `folder`: files of the run. */
char *sweep_keep(const struct sweep *x, const struct sweep_task *t, const char *folder,
                 struct base_status *st);
char *sweep_read_file(const char *path, size_t *size); /* NUL-terminated; NULL: it cannot be read */

/* --- folder.c --- */
int sweep_work_open(struct sweep *x, struct base_status *st); /* empty, and ours alone */
void sweep_work_close(struct sweep *x);

/* --- process.c --- */
void sweep_process_start(struct sweep *x, struct sweep_process *p, struct sweep_task *t);
/* Whether it has ended; then *row says how. */
bool sweep_process_ended(struct sweep *x, struct sweep_process *p, struct store_row *row);
void sweep_process_kill(struct sweep_process *p);

/* --- schedule.c --- */
/* Runs what is pending. -1 with st: a row could not be written. An interrupt ends it early. */
int sweep_schedule(struct sweep *x, struct base_status *st);

/* --- memory.c --- */
double sweep_memory_free(void); /* bytes of this machine, or of the group of processes that we are in */
/* What a task's run is expected to need; 0: nothing is known yet. */
double sweep_memory_of(const struct sweep *x, const struct sweep_task *t);

/* --- progress.c --- */
void sweep_progress(struct sweep *x, uint32_t done, uint32_t all);
void sweep_progress_end(struct sweep *x);

/* --- share.c: a task of a job array --- */
/* What is to be run is in a file of the array's folder, a line for each point: its number and key. */
int sweep_share_write(const struct sweep *x, const char *folder, struct base_status *st);
int sweep_share_open(struct sweep *x, struct base_status *st); /* the task's own database */
int sweep_share_take(struct sweep *x, struct base_status *st); /* its share of the points */

/* --- values.c --- */
/* A row's value of a parameter, of what is kept, or of what is always there; the text NULL: there is none. */
struct sweep_results {
    const struct sweep *sweep;
    struct study_value *value; /* points x columns */
    const char *
        *name; /* parameters, what is kept, status, reason, exit_status, host_seconds, peak_bytes, current */
    uint32_t columns;
};
void sweep_results_read(const struct sweep *x, struct sweep_results *out);
void sweep_results_release(struct sweep_results *r);
const struct study_value *sweep_result(const struct sweep_results *r, uint32_t point, const char *name);

#endif
