/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune: finds the best algorithms of collectives for a platform. A *trial* simulates one collective of ranks
 * without programs. A *search* decides which trials are worth their time, has them carried out by workers,
 * which are processes, and keeps what they found in a journal. Its *table* has the best choice for each point
 * (operation, ranks, size), and is written in the forms that libraries read.
 *
 * Invariants
 *  TU1 A trial depends on its arguments, the platform and the settings alone.
 *  TU2 What a search asks for next depends on the results of the wave before, never on the order in which
 *      workers finished: the table is the same for any number of workers.
 *  TU3 Of a point whose trials are complete, the choice in the table is not slower than the default one.
 */
#ifndef PGASIM_TUNE_H
#define PGASIM_TUNE_H

#include "tune/graph.h"
#include "tune/operation.h"

void tune_register(void); /* at start-up, before any job */

/* --- trials (trial.c) ----------------------------------------------------------------------------- */

enum { TUNE_DEFAULT = -1 }; /* what the settings choose */

/* An algorithm and its parameters. 0: the parameter is as in the settings. */
struct tune_choice {
    int32_t algorithm; /* place in tune_algorithms, or TUNE_DEFAULT */
    uint32_t radix, window;
    uint64_t segment;
};
bool tune_choices_equal(const struct tune_choice *a, const struct tune_choice *b);
/* "k-nomial radix=8", or "default". Returns buf. */
char *tune_choice_text(const struct tune_choice *c, char *buf, size_t size);

/* Where trials are carried out. The settings are changed by every trial, and have all tables that jobs
 * need. */
struct tune_stage {
    struct platform *platform;
    struct base_settings *settings;
    bool one_sided; /* messages are puts, as OpenSHMEM's; else as MPI's */
    uint32_t times; /* so many collectives in a row; 0: one */
    double skew;    /* ranks begin at random times up to this, in seconds */
    uint64_t seed;  /* of those */
};
/* Who carries out collectives between groups in trials; NULL: nobody. */
void tune_on_between(coll_inter_trial_fn *fn);

struct tune_trial {
    enum coll_op op;
    uint32_t ranks;
    const uint32_t *host;           /* of each rank */
    const struct tune_graph *graph; /* of operations on neighbours */
    uint32_t first;                 /* of operations between two groups: ranks of the first one */
    uint64_t bytes;                 /* as coll_call's */
    struct tune_choice choice;
    double bound;    /* give up when the clock passes this; INFINITY: never */
    uint64_t events; /* give up after about so many events; 0: never */
};
enum tune_end {
    TUNE_DONE,
    TUNE_OVER_BOUND,
    TUNE_OVER_EVENTS,
    TUNE_LACKS, /* the call has not what the algorithm requires: another one ran instead */
};
struct tune_time {
    enum tune_end end;
    double last, mean; /* seconds from the start until the last member is done; the members' average */
    uint64_t events;
};
/* -1 with st: the settings or the trial are not usable. */
int tune_try(const struct tune_stage *g, const struct tune_trial *t, struct tune_time *out,
             struct base_status *st);

/* --- the space (space.c) -------------------------------------------------------------------------- */

/* Ranks and where they are. */
struct tune_place {
    uint32_t ranks, per_host; /* per_host: the most on one host */
    uint32_t *host;           /* of each rank */
    struct tune_graph *graph; /* for operations on neighbours alone; NULL: for all others */
    uint32_t first;           /* for operations between two groups alone: ranks of the first one; else 0 */
};

/* What is to be tuned: every combination of operation, place and size; or, of a program, `only` those that it
 * uses. A barrier has one size, 0. */
struct tune_point {
    enum coll_op op;
    uint32_t place; /* number in the space */
    uint64_t bytes;
};
struct tune_space {
    struct tune_stage stage;
    BASE_ARRAY(enum coll_op) op;
    BASE_ARRAY(struct tune_place) place;
    BASE_ARRAY(uint64_t) size; /* ascending */
    BASE_ARRAY(struct tune_point) only;
    /* Whether an algorithm may be chosen with these parameters; NULL: all may. */
    bool (*allows)(void *arg, const struct coll_algorithm_info *a, const struct tune_choice *c);
    void *arg;
    uint64_t events;      /* of a trial at most; 0: no limit */
    double budget;        /* seconds of this machine; INFINITY: no limit */
    uint32_t workers;     /* processes; 0: one for each core */
    const char *journal;  /* a file; NULL: none */
    uint64_t fingerprint; /* of everything else that times depend on: the platform and the settings */
    bool whole;           /* tries everything everywhere, as tests do */
    void (*progress)(void *arg, uint64_t trials, uint64_t asked); /* NULL: nobody asks */
};
void tune_space_init(struct tune_space *s);
void tune_space_release(struct tune_space *s); /* not the stage's parts */
/* Adds ranks at these places of the stage's platform. -1 with st. */
int tune_space_place(struct tune_space *s, uint32_t ranks, const struct platform_where *where,
                     struct base_status *st);
/* Adds ranks on these hosts, which are copied; returns the place's number. */
uint32_t tune_space_hosts(struct tune_space *s, uint32_t ranks, const uint32_t *host);
/* The same with a graph, which the space takes over; NULL: with none. */
uint32_t tune_space_graph(struct tune_space *s, uint32_t ranks, const uint32_t *host,
                          struct tune_graph *graph);
/* The hosts of a group's members, by place; the caller frees them. */
uint32_t *tune_hosts_of(const struct rank_job *job, const struct coll_group *g);
/* "allreduce,bcast" by MPI's names, OpenSHMEM's or those of the settings; "all". -1 with st. */
int tune_space_ops(struct tune_space *s, const char *words, struct base_status *st);
/* "8:1MiB", the powers of two between; "100,2000". -1 with st. */
int tune_space_sizes(struct tune_space *s, const char *words, struct base_status *st);
/* Adds the last place again for each shape, "grid-2d,random-16". -1 with st. */
int tune_space_shapes(struct tune_space *s, const char *words, struct base_status *st);
int tune_shapes_check(const char *words, struct base_status *st); /* -1 with st: not such words */
/* Adds the last place again, its ranks as two groups of which the first one may have one rank more. */
void tune_space_halves(struct tune_space *s);
/* Adds ranks on these hosts, of which the first `first` are a group, and the others one. */
uint32_t tune_space_between(struct tune_space *s, uint32_t ranks, const uint32_t *host, uint32_t first);
/* Whether a point of this operation may be at this place. */
bool tune_space_fits(const struct tune_space *s, enum coll_op op, uint32_t place);

/* --- the table (table.c) -------------------------------------------------------------------------- */

enum tune_state {
    TUNE_OPEN, /* the budget was used up */
    TUNE_SEARCHED,
    TUNE_BETWEEN, /* as at both neighbouring sizes, and compared with what is best at other sizes */
};
struct tune_cell {
    struct tune_point point;
    enum tune_state state;
    struct tune_choice best;
    double time, by_default; /* seconds of the best and of what the settings choose */
};
struct tune_table {
    struct tune_cell *at; /* in order of operation, place, size */
    size_t n;
    uint64_t trials, known; /* simulated; found in the journal */
    uint64_t events;        /* of those that were simulated: their cost */
};
/* Searches. -1 with st; a table whose budget was used up is no failure. */
int tune_search(const struct tune_space *s, struct tune_table *out, struct base_status *st);
void tune_table_release(struct tune_table *t);
char *tune_size_text(char *buf, uint64_t bytes); /* "4 KiB", "100 B"; 32 bytes; returns buf */
/* "allreduce", "neighbor_alltoall moore-2d". Returns buf. */
enum { TUNE_NAME = 64 };
char *tune_cell_name(char *buf, const struct tune_space *s, const struct tune_cell *c);
const char *tune_state_name(enum tune_state state);
/* How many times as fast as the default; 1 where one of them is not known. */
double tune_gain(const struct tune_cell *c);
void tune_write_csv(const struct tune_space *s, const struct tune_table *t, FILE *out);
/* Files that libraries read (form.c): ours, for --set coll/selector=FILE; Open MPI's rules, as numbers or
 * JSON; MPICH's JSON. */
enum tune_form { TUNE_RULES, TUNE_OMPI, TUNE_OMPI_JSON, TUNE_MPICH };
int tune_form_find(const char *name, enum tune_form *out, struct base_status *st);
/* Whether the library has such an algorithm, and the form such parameters: for a space's `allows`. */
/* Whether the form has rules for the operation at all. */
bool tune_form_holds(enum tune_form form, enum coll_op op);
bool tune_form_allows(enum tune_form form, const struct coll_algorithm_info *a, const struct tune_choice *c);
void tune_write_form(enum tune_form form, const struct tune_space *s, const struct tune_table *t,
                     const char *title, FILE *out);
/* A page for the browser: for each operation and number of ranks a host, maps of size and ranks with the best
 * algorithm and the gain. `title` is text from outside. */
void tune_write_page(const struct tune_space *s, const struct tune_table *t, const char *title, FILE *out);

#endif
