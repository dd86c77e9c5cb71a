/* SPDX-License-Identifier: BSD-3-Clause */
/* internal: what the files of fold/ share about a running job (private to fold/). */
#ifndef PGASIM_FOLD_INTERNAL_H
#define PGASIM_FOLD_INTERNAL_H

#include "fold/fold.h"
#include "fold/image/image.h"

struct fold_image;     /* a rank's private globals */
struct fold_libc;      /* a rank's private libc state */
struct fold_crew;      /* a rank's threads; NULL while it needs no record of them */
struct files_table;    /* its open files; NULL: only the standard streams */
struct poll_waiter;    /* one that polls memory without a call (poll/) */
struct fold_annotated; /* records of its annotations; NULL: it has none */
struct heap;           /* where its blocks of malloc are (heap/) */
struct heap_traced;    /* what is known of them; NULL: nothing */
struct view;           /* memory at the same address at all ranks (view/); NULL: it has none */

/* What fold keeps in a rank's record. */
struct fold_part {
    const struct fold_start *start;
    struct fold_image *image;
    struct fold_libc *libc;
    struct files_table *files;
    struct fold_crew *crew;
    struct fold_annotated *annotated;
    struct poll_waiter *polls; /* its actors that are put aside while they poll memory */
    struct heap *heap;         /* its own, to be used without further questions; NULL: ask heap/ */
    struct heap *heap_of_rank; /* its own; NULL: it has none, or none yet */
    struct heap_traced *traced;
    struct view *view;
};
extern struct rank_slot fold_slot;
static inline struct fold_part *fold_part(const struct rank *r)
{
    return rank_slot(r, &fold_slot);
}

/* A program of the job. Its ranks, in their order, have the images 0, 1, ... */
struct fold_program {
    const char *path;
    struct images images;
    uint32_t ranks;
    uint32_t objects_before; /* of other programs: struct rank_code counts the objects of all */
};

/* What a range of ranks begins with. */
struct fold_start {
    struct fold_config config;
    struct fold_program *program;
    uint32_t argc;
    size_t argv_bytes; /* of all arguments' characters */
    bool later;        /* started while the job ran: the texts are ours */
};

struct fold_known {
    struct rank_code code; /* object 0: none */
    struct rank_source source;
};
enum { FOLD_KNOWN = 64 };
struct fold_job {
    struct rank_job *job;
    struct engine *engine; /* copied from the job, as are the next three */
    struct fabric *fabric;
    struct trace *trace;
    const struct base_settings *settings;
    uint32_t ranks; /* so far */
    /* Each differs from the others in its file or in how it is loaded. Both arrays have room for `most` and never move. */
    struct fold_program *program;
    size_t programs;
    struct fold_start *start;
    size_t starts, most;
    bool threaded;                       /* a thread was made */
    struct annotated_job *annotated;     /* annotate.h */
    struct views *views;                 /* view/; NULL: no rank has one */
    uint64_t (*exceptions)[2];           /* C++'s, of each rank while ranks run ahead; NULL: they do not */
    struct fold_known known[FOLD_KNOWN]; /* places asked for lately: to find one takes milliseconds */
};
static inline struct fold_job *fold_of_job(const struct rank_job *job)
{
    return rank_part(job, &fold_slot);
}
static inline struct fold_job *fold_of(const struct rank *r)
{
    return fold_of_job(r->job);
}
/* The programs that a job begins with are loaded in one way. */
static inline enum fold_privatize fold_way(const struct fold_job *job)
{
    return job->program[0].images.way;
}
static inline struct images *fold_images(const struct rank *r)
{
    return &fold_part(r)->start->program->images;
}
static inline struct rank *fold_rank_at(const struct fold_job *job, uint32_t id)
{
    return rank_at(job->job, id);
}

/* image/memory.c */
extern const struct rank_memory fold_memory_swapped;
uint32_t fold_span_count(const struct rank *r);
struct rank_span fold_span_of(const struct rank *r, uint32_t k);
bool fold_object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out);
/* program.c */
int programs_open(struct fold_job *job, const struct fold_config *config, size_t n, struct base_status *st);
void programs_close(struct fold_job *job);
void programs_count_arguments(struct fold_start *s);
/* later.c: rank_life's `start` */
int programs_start(struct rank *by, const struct rank_start *what, size_t n, uint32_t first, struct base_status *st);
/* job.c: makes the ranks ours */
void fold_supply(struct fold_job *job, const struct fold_start *s, uint32_t first);
/* where/code.c */
extern const struct rank_names fold_names_table;
struct rank_code fold_code_of(const struct rank *r, const void *address);
/* ahead.c */
extern const struct rank_ahead_hooks fold_ahead_hooks;
/* interposers.c: the first fold_interposer_system are for system libraries, too. */
extern const struct fold_interposer fold_interposers[];
/* For programs that are checked (rank/order.h): come before those. */
extern const struct fold_interposer fold_checking_interposers[];
extern const size_t fold_checking_interposer_count;
extern const size_t fold_interposer_count, fold_interposer_system;
/* crash.c */
void fold_crash_handlers_install(void);
void fold_crash_handlers_remove(void);
/* annotate/records.c, sample.c */
void annotated_begin(struct fold_job *job);
void annotated_end(struct fold_job *job);
void annotated_release(struct rank *r);      /* the rank has ended */
bool annotated_speaks(const struct rank *r); /* says.c: in deadlock reports */
void annotated_says(struct rank *r, char *text, size_t size);
/* Flops of skipped kernels, with what they move in memory; the caller charges them. */
double annotated_owed(struct rank *r, struct fabric_traffic *traffic);

#endif
