/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * annotate: what a rank and a job keep for the program's annotations: sampled kernels (sample.c) and folded
 * memory (folded.c). A rank without annotations has no record.
 *
 * Invariants
 *  N1  `owed` is 0 unless measured_from is >= 0: then the rank's next call charges it (rank_compute_stop).
 *  N2  A folded block's holders are the ranks that have it in `held`, each once. A block without holders does
 *      not exist.
 */
#ifndef PGASIM_FOLD_ANNOTATE_H
#define PGASIM_FOLD_ANNOTATE_H

#include "base/table.h"
#include "fold/internal.h"

/* Samples of a kernel's cost in flops: mean and sum of squared differences from it (Welford). */
struct sample {
    uint64_t n; /* executions */
    double mean, squares;
    struct fabric_traffic traffic; /* mean */
};

/* A sampled kernel: a place in the source, the same at all ranks. */
struct sample_site {
    char *file, *tag;
    int line;
    uint32_t number;
    struct sample all; /* of all ranks */
};

/* A kernel under execution. */
struct sample_open {
    struct sample_open *next; /* the one around it */
    struct sample_site *site;
    const struct engine_actor *actor;
    double flops; /* so far */
    struct fabric_traffic traffic;
    bool global;
};

struct folded_block; /* folded.c */
struct folded_family;
struct folded_held {
    struct folded_block *block;
    void *at;
};

/* A rank's part. */
struct fold_annotated {
    double owed;          /* flops of skipped kernels, not yet charged */
    struct fabric_traffic owed_traffic;
    struct sample *local; /* by the site's number */
    uint32_t n_local;
    struct sample_open *open;            /* innermost first */
    BASE_ARRAY(struct folded_held) held; /* folded blocks that it has not freed */
};
struct fold_annotated *annotated_of(struct rank *r); /* made when it has none */

/* Opens a call of pgasim.h. It counts as the application's own code: arrivals are not served here. */
static inline struct rank *annotated_enter(const char *call)
{
    struct rank *r = rank_enter_plain(call);
    r->issuing = false;
    rank_catch_up(r);
    return r;
}

/* The rank's next call of any kind charges it (N1). Only for a rank with one thread: otherwise another thread
 * might be charged. */
static inline void annotated_owe(struct rank *r, double flops, struct fabric_traffic traffic)
{
    struct fold_annotated *a = fold_part(r)->annotated;
    a->owed += flops;
    a->owed_traffic.moved += traffic.moved;
    a->owed_traffic.copied += traffic.copied;
    if (r->measured_from < 0)
        r->measured_from = 0;
}

/* power.c, for simgrid.c */
struct rank *power_enter(const char *call); /* a call that looks at hosts; NULL: this is no rank */
int power_pstate_set(struct rank *r, const char *call, uint32_t host,
                     unsigned long pstate); /* -1 after a warning */
double power_joules(const struct rank *r, uint32_t host);
double power_watts(const struct rank *r, uint32_t host);

/* sample.c */
struct sample_sites {
    BASE_ARRAY(struct sample_site *) site; /* by number */
    struct base_index index;               /* of them, by file, line and tag */
    struct sample_site *last;
    uint64_t run, skipped; /* executions of kernels */
    struct base_pool open;
};
/* The current actor computes this much. */
void sample_charge(struct rank *r, double flops, const struct fabric_traffic *traffic);
void sample_abandon(struct rank *r); /* all kernels that the rank has open */
void sample_sites_init(struct sample_sites *s);
void sample_sites_release(struct sample_sites *s);

/* folded.c: a place in the program. */
struct folded_place {
    uint32_t object, offset;
};
/* Pairs of offsets, [from, to), ascending. */
struct folded_ranges {
    const size_t *at;
    size_t n; /* pairs */
};
void folded_init(struct annotated_job *a);
void folded_release(struct annotated_job *a);
/* A block whose bytes all ranks share; NULL: no memory. */
void *folded_get(struct rank *r, struct folded_place from, size_t bytes);
/* A block of which they share those ranges, rounded inwards to whole pages. */
void *folded_get_partial(struct rank *r, struct folded_place from, size_t bytes, struct folded_ranges f);
/* false: p is not a folded block of the rank. */
bool folded_put(struct rank *r, const void *p);
void folded_clear(struct rank *r, const void *p);        /* makes it all zero again, for all ranks */
size_t folded_size(const struct rank *r, const void *p); /* 0: p is not a folded block of the rank */
bool folded_holds(const struct rank *r, const void *p);  /* p lies in a block whose bytes all ranks share */
void folded_drop_all(struct rank *r);

/* memory.c: for callers in the program; libc's memory when no rank is current. */
void *folded_malloc(size_t bytes, const void *caller);
void *folded_malloc_partial(const char *call, size_t bytes, struct folded_ranges f, const void *caller);

/* memory.c: for any of malloc's relatives; libc's or the heap's block if it is not folded. */
void *folded_or_own(size_t bytes, const void *caller);
void *folded_or_aligned(const char *call, size_t alignment, size_t bytes, const void *caller);
void folded_or_own_free(void *p, const char *call, const void *caller);

extern size_t folded_from; /* the threshold of the job that runs; SIZE_MAX: none */

/* Quick check: a folded block starts at a page, as few other blocks do. */
static inline bool folded_may_be(const struct rank *r, const void *p)
{
    return BASE_UNLIKELY(((uintptr_t)p & 4095) == 0 && p && r && fold_part(r)->annotated &&
                         fold_part(r)->annotated->held.n);
}

/* The job's part. */
struct annotated_job {
    struct sample_sites samples;
    struct base_table folded; /* folded.c */
    struct base_table events; /* events.c: types, by the kept text of their names */
    struct base_table says;   /* says.c: functions, by rank */
    size_t threshold;         /* libc blocks of at least this size are folded; SIZE_MAX: none */
    size_t window;            /* most memory that one block occupies */
    uint64_t mappings, mappings_most;
    uint64_t folded_peak, folded_now, asked; /* bytes */
};

void events_init(struct annotated_job *a);
void events_release(struct annotated_job *a);

#define FOLD_LIBC(type, name, params)            type in_rank_##name params;
#define FOLD_LIBC_AS(symbol, type, name, params) type in_rank_##name params;
#include "fold/annotate/annotate.def"
#undef FOLD_LIBC
#undef FOLD_LIBC_AS

#endif
