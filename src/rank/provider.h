/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * provider: the tables of functions by which a provider gives ranks their memory and their code. Providers
 * are native programs (fold/) and plain C functions (tests). Part of rank.h.
 */
#ifndef PGASIM_RANK_PROVIDER_H
#define PGASIM_RANK_PROVIDER_H

#include "engine/engine.h"

struct rank;
struct rank_job;
struct rank_start;
struct fabric_traffic;

/* A rank's memory, by the addresses that the rank itself uses. rank.h says what each function does. */
struct rank_memory {
    void *(*direct)(struct rank *r, uintptr_t address, size_t size);
    void (*read)(struct rank *r, uintptr_t address, void *out, size_t size);
    void (*write)(struct rank *r, uintptr_t address, const void *in, size_t size);
    void *(*share)(struct rank *r, uintptr_t address, size_t size);
    bool nowhere; /* no data lies there, so copies may be left out */
};
/* Every byte lies in this process where its address says. */
extern const struct rank_memory rank_memory_plain;
/* The same with two exceptions: the frames of waiting ranks that share a stack, and ranks that run ahead,
 * which must stop first. A provider of native memory asks for the right table when the job begins
 * (rank_memory_choose). */
extern const struct rank_memory rank_memory_native;
const struct rank_memory *rank_memory_choose(const struct rank_job *job);

/* A rank's private static data, in pieces that are the same for all ranks of the provider. */
struct rank_span {
    uintptr_t base;
    size_t size;
};
/* A named object in a span. */
struct rank_object {
    const char *name;
    uint32_t span;
    size_t offset, size; /* within the span */
};
/* A place in a program's code, the same at all ranks. */
struct rank_code {
    uint32_t object; /* 0: not in the program or its own libraries */
    uint32_t offset;
};

/* Where that place is in the source, as far as it is known. */
struct rank_source {
    char function[128]; /* "": not known */
    char file[512];     /* with its folders; "": not known */
    uint32_t line;      /* 0: not known */
    const char *object; /* the path of the program or library; NULL: it is not the program's code */
    uint32_t offset;    /* the place in it */
};

/* The program or a library of its own, for a checker. */
struct rank_module {
    const char *path;
    uint32_t instrumented; /* functions that tell of their loads and stores */
    uint32_t functions;    /* all of them; 0: not known */
    char unseen[160];      /* "a.c, b.c and 3 more": sources that are not instrumented, as far as known */
};

/* How reports name a rank's data and code. All may be slow. A provider without a program has NULL for the
 * table. */
struct rank_names {
    uint32_t (*span_count)(const struct rank *r);
    struct rank_span (*span_of)(const struct rank *r, uint32_t k);
    bool (*object_find)(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out);
    /* "grid+16 (800 bytes, mesh.c:12)": the static object at an address, or false. */
    bool (*static_name)(const struct rank *r, uintptr_t address, char *buf, size_t size);
    struct rank_code (*code_of)(const struct rank *r, const void *address);  /* a return address */
    struct rank_code (*code_of_low)(const struct rank *r, uint32_t address); /* its low 32 bits */
    /* where the program called, of the rank that runs */
    struct rank_code (*code_caller)(const struct rank *r);
    void (*code_source)(const struct rank *r, struct rank_code c, struct rank_source *out); /* set to {0} */
    /* The k-th of the program's objects, itself first; false: there is none. */
    bool (*module_of)(const struct rank *r, uint32_t k, struct rank_module *out);
};

/* A rank's life, in the order in which it happens. NULL for what a provider does not need; `run` is
 * required. */
struct rank_life {
    void (*job_begin)(struct rank_job *job); /* before the fronts */
    /* On the rank's actor. When it returns, rank_exit(0) follows, or, after rank_rest, another call of it. */
    void (*run)(struct rank *r);
    /* rank_exit calls the next four. Never returns when another thread of the rank already ends it */
    void (*claim_end)(struct rank *r);
    int (*leave)(struct rank *r, int code); /* its own exit handlers; returns its status */
    void (*close)(struct rank *r);          /* after the fronts' part: destructors */
    void (*release)(struct rank *r);        /* none of its code runs any more */
    void (*drop)(struct rank *r);           /* in an event: it ends at once, with all its actors */
    void (*job_end)(struct rank_job *job);  /* no rank runs any more; reports follow */
    void (*job_destroy)(struct rank_job *job);
    bool (*makes_threads)(const struct rank_job *job); /* if so, each rank needs a stack of its own */
    uint32_t (*thread)(const void *local); /* thread number by an actor's local word; 0: the first */
    /* While r->charged. `owed` returns the flops that it owes since its last call, to be charged now, and adds
     * what they move in memory; `charged` is told what was charged. */
    double (*owed)(struct rank *r, struct fabric_traffic *traffic);
    void (*charged)(struct rank *r, double flops, const struct fabric_traffic *traffic);
    /* What its program says in a deadlock report, on one of the rank's own actors; may be several lines. Whether
     * it would. */
    void (*says)(struct rank *r, char *text, size_t size);
    bool (*speaks)(const struct rank *r);
    /* Supplies the ranks from `first` on, which are started by rank `by` (rank_start_others). NULL: its ranks start no
     * others. -1 with st: it cannot, and nothing has changed. */
    int (*start)(struct rank *by, const struct rank_start *start, size_t n, uint32_t first,
                 struct base_status *st);
};

/* Running ahead on several threads (ahead.c): whether ranks can, and what a thread exchanges besides
 * errno. */
struct rank_ahead_hooks {
    const char *(*refusal)(const struct rank_job *job); /* why its ranks cannot, or NULL */
    bool (*begin)(struct rank_job *job); /* false: not possible after all; the reason was reported */
    void (*thread_begin)(void);
    void (*change)(struct rank *from, struct rank *to); /* either may be NULL */
};

struct rank_provider {
    const char *name;
    const struct rank_memory *memory;
    const struct rank_life *life;
    const struct rank_names *names;       /* NULL: nothing has a name */
    const struct rank_ahead_hooks *ahead; /* NULL: its ranks do not run ahead */
};
/* Makes ranks [first, first + n) the provider's. Call before rank_job_run. */
void rank_job_supply(struct rank_job *job, const struct rank_provider *provider, uint32_t first, uint32_t n);
void rank_use_memory(struct rank *r, const struct rank_memory *memory);

#endif
