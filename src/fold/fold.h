/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fold: the provider of ranks that are native programs, many of them in one process. Loads the program, gives
 * each rank a private image of its writable data and libc state of its own, and translates (rank, address).
 *
 * Two ways of private globals (docs/private-globals.md):
 *   dlopen  one loaded object per rank: every rank's globals have their own addresses;
 *   swap    one object: all ranks' globals have the same addresses, and the bytes of a rank that is not
 * loaded lie in its saved copy. Callers need not know which: they use rank_direct, rank_read and rank_write.
 *
 * Invariants
 *  D1  What belongs to the process is exchanged at switches between ranks, and only there (job.c).
 *  D2  In swap mode exactly one rank is loaded; its bytes are live, all others' are in their saved copies.
 *  D3  Ranks of one job have the same spans in the same order with the same sizes.
 */
#ifndef PGASIM_FOLD_H
#define PGASIM_FOLD_H

#include "rank/rank.h"

struct fold_job;

enum fold_privatize { FOLD_AUTO, FOLD_DLOPEN, FOLD_SWAP, FOLD_NONE };

/* How a range of ranks is started. */
struct fold_config {
    const char *program; /* path */
    char **argv;         /* argv[0] is the program as the user named it */
    char **envp;
    const char *folder; /* absolute; its ranks begin there. NULL: where the process is */
    enum fold_privatize privatize;
    uint32_t ranks; /* how many, behind those of the ranges before */
};

extern const struct base_setting fold_settings[];
extern const size_t fold_settings_count;

extern const struct trace_call fold_calls[]; /* the meaning of the names that fold gives to a trace */
extern const size_t fold_calls_count;

/* Call at start-up. */
void fold_register(void);
/* Likewise where ranks will be native programs, before the other modules register: no other ranks' records have
 * room for what fold keeps of a rank. */
void fold_ranks_register(void);
/* Loads the programs of `n` ranges, together all ranks of the job, and makes the ranks run them. -1 with st:
 * no such file, not built with `pgasim cc`, ... */
int fold_attach(struct rank_job *ranks, const struct fold_config *config, size_t n, struct base_status *st);
/* The libraries that have to be in the process before any other because the program is built with a
 * sanitizer, as LD_PRELOAD names them; the caller frees them. NULL: none is missing. -1 with st: a sanitizer
 * that is not supported. */
int fold_preload(const char *program, const char *library_path, char **out, struct base_status *st);
/* What the job's programs will want of the engine: memory mappings besides stacks, so that the caller knows
 * whether guard pages fit, and the bytes of a guard that no frame of its code steps over. */
struct fold_wants {
    uint64_t mappings, guard;
    bool starts; /* some of it refers to MPI_Comm_spawn, so that ranks may be started later */
};
struct fold_wants fold_wants(const struct fold_config *config, size_t n);
enum fold_privatize fold_privatize_of(const struct rank_job *job); /* the way in use: never AUTO */

/* The place of an instruction in any rank's copy. Slow: for profiles. */
struct rank_code fold_code_of_any(const struct rank_job *ranks, const void *address);
/* The functions of a shared object's file (where/names.c). NULL: no such file, or not a shared object. */
struct fold_names;
struct fold_names *fold_names_open(const char *path);
const char *fold_names_at(const struct fold_names *n, uint64_t offset); /* NULL: not known */
void fold_names_close(struct fold_names *n);

/* Heaps of ranks (heap/). */
struct heap_counts {
    uint64_t heaps;       /* made */
    uint64_t bytes, most; /* bytes of addresses: of all heaps, each at its peak; of the largest */
    uint32_t rank;        /* whose that is */
    bool shared;          /* it is one for all ranks */
};

/* Figures for the summary. */
struct fold_counts {
    uint64_t swaps;                        /* rank images exchanged */
    uint64_t image_bytes;                  /* writable static data of one rank, the most */
    uint64_t kernels_run, kernels_skipped; /* sampled kernels: executions */
    /* folded memory, bytes: requested by the ranks, and most held at one time */
    uint64_t folded_asked, folded_peak;
    struct heap_counts heap;
};
struct fold_counts fold_counts(const struct rank_job *ranks);

/* Whether a library, by its name without "lib" and ending, is one that programs for pgasim must not be linked
 * with, because libpgasim takes its place: of another OpenSHMEM, or of an MPI and what lies below it.
 * PERHAPS: a name that others' libraries have, too. */
enum fold_replaced { FOLD_NOT_REPLACED, FOLD_PERHAPS_REPLACED, FOLD_REPLACED };
enum fold_replaced fold_library_replaced(const char *stem, size_t n);

/* Whether a shared library, or one that it needs, was linked with libmpi_abi.so.1, of MPI's standard ABI. */
bool fold_library_needs_abi(const char *path);

/* --- survey: what is known of a program before it runs ------------------------------------------ */

/*
 * Found from its files alone: whether it can be loaded, and which of the functions that it refers to are
 * supported, behave differently in a rank, or are not modelled. For `pgasim info PROGRAM`; none of the
 * program is executed.
 */

/* A function that the program, or a library of its own, refers to and does not define. Names and notes are
 * valid as long as the survey. */
struct fold_survey_item {
    const char *name;
    const char *object; /* path of the first object that refers to it */
    const char *note;   /* NULL in lists that need none */
};

struct fold_survey_object {
    const char *path;
    uint64_t globals, thread_local_bytes; /* of one rank */
    bool static_tls;                      /* initial-exec */
    uint32_t instrumented;                /* functions that tell `pgasim check` of their loads and stores */
    uint32_t functions;                   /* 0: not known */
};

struct fold_survey_items {
    struct fold_survey_item *at;
    size_t n, cap;
};

struct fold_survey {
    bool built_for_us; /* linked by `pgasim cc` */
    struct objects *files;
    BASE_ARRAY(struct fold_survey_object) objects; /* the program first */
    BASE_ARRAY(const char *) system;               /* other libraries, by the names used */
    BASE_ARRAY(char *) obstacles;                  /* why it cannot run as it is; sentences */
    struct fold_survey_items supported;            /* the API that libpgasim exports */
    struct fold_survey_items replaced;             /* libc functions replaced by one with state per rank */
    struct fold_survey_items differs;              /* work, but not as in a separate process */
    struct fold_survey_items missing;              /* API functions that are missing or not modelled */
    struct fold_survey_items threads;              /* `name`: the runtime */
};

/* -1 with st: no such file, not a dynamically linked program for this machine, damaged. */
int fold_survey_read(struct fold_survey *s, const char *program, const char *library_path,
                     struct base_status *st);
void fold_survey_release(struct fold_survey *s);
static inline bool fold_survey_runs(const struct fold_survey *s)
{
    return s->obstacles.n == 0 && s->missing.n == 0;
}

/* What debuggers read (facts.c). */
extern const struct base_fact fold_facts[];

#endif
