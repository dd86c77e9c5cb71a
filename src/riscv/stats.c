/* SPDX-License-Identifier: BSD-3-Clause */
/* stats: what cores have executed, by class of instructions and by function. */
#include <stdlib.h>

#include "riscv/internal.h"

const char *riscv_class_name(enum riscv_class c)
{
    static const char *const names[RISCV_CLASSES] = {[RISCV_ALU] = "integer",
                                                     [RISCV_JUMP] = "jumps and branches",
                                                     [RISCV_MEMORY] = "memory",
                                                     [RISCV_MUL] = "multiply",
                                                     [RISCV_DIV] = "divide",
                                                     [RISCV_FLOAT] = "floating point",
                                                     [RISCV_FDIV] = "floating divide",
                                                     [RISCV_AMO] = "local atomics",
                                                     [RISCV_SYSTEM] = "system",
                                                     [RISCV_REMOTE_MEMORY] = "remote memory",
                                                     [RISCV_REMOTE_AMO] = "remote atomics"};
    return names[c];
}

const char *riscv_stall_name(enum riscv_stall s)
{
    static const char *const names[RISCV_STALLS] = {[RISCV_STALL_FETCH] = "fetch",
                                                    [RISCV_STALL_L1] = "L1",
                                                    [RISCV_STALL_L2] = "L2",
                                                    [RISCV_STALL_OPEN] = "DRAM, row open",
                                                    [RISCV_STALL_CLOSED] = "DRAM, row closed",
                                                    [RISCV_STALL_CONFLICT] = "DRAM, row conflict",
                                                    [RISCV_STALL_DIRECTORY] = "directory",
                                                    [RISCV_STALL_REMOTE] = "remote",
                                                    [RISCV_STALL_BARRIER] = "barrier",
                                                    [RISCV_STALL_FENCE] = "fence",
                                                    [RISCV_STALL_TRAP] = "trap",
                                                    [RISCV_STALL_WFI] = "wfi"};
    return names[s];
}

static void add(struct riscv_counts *to, const struct riscv_rank *k)
{
    const struct riscv_core *c = &k->process.core;
    const struct riscv_counts *own = &k->counts;
    to->instructions += c->instret + c->elsewhere;
    to->library += c->elsewhere;
    to->cycles += c->cycle;
    for (int n = 0; n < RISCV_CLASSES; n++)
        to->by_class[n] += c->count[n];
    to->counted += own->counted + (k->counting_from ? c->instret + c->elsewhere + 1 - k->counting_from : 0);
    to->loads += own->loads;
    to->stores += own->stores;
    to->atomics += own->atomics;
    to->barriers += own->barriers;
    to->waited += own->waited;
    for (int n = 0; n < RISCV_STALLS; n++)
        to->stalled[n] += own->stalled[n];
    to->skipped += own->skipped;
    riscv_cache_add(to, k);
}

void riscv_counts_take(struct riscv_rank *k)
{
    add(&k->job->counts, k);
}

struct riscv_counts riscv_counts(const struct rank_job *ranks)
{
    const struct riscv_job *job = riscv_job_of(ranks);
    struct riscv_counts sum = job->counts;
    for (uint32_t k = 0; k < rank_count(ranks); k++)
        if (riscv_rank_of(rank_at(ranks, k)))
            add(&sum, riscv_rank_of(rank_at(ranks, k)));
    return sum;
}

/* --- profile -------------------------------------------------------------------------------------------- */

/* All instructions since the last sample count for the function that the core is in now. */
void riscv_sample(struct riscv_rank *k)
{
    const struct riscv_core *c = &k->process.core;
    k->start->profile[riscv_program_function(k->start->program, c->pc)] += c->instret - k->sampled;
    k->sampled = c->instret;
}

struct line {
    const struct riscv_start *start;
    uint32_t function;
    uint64_t instructions;
};

static int most_first(const void *a, const void *b)
{
    const struct line *s = a, *t = b;
    if (s->instructions != t->instructions)
        return s->instructions > t->instructions ? -1 : 1;
    if (s->start != t->start)
        return s->start < t->start ? -1 : 1;
    return s->function < t->function ? -1 : s->function > t->function;
}

void riscv_profile_each(const struct rank_job *ranks,
                        void (*fn)(void *arg, const char *function, const char *program,
                                   uint64_t instructions),
                        void *arg)
{
    const struct riscv_job *job = riscv_job_of(ranks);
    BASE_ARRAY(struct line) lines = {0};
    for (size_t k = 0; k < job->starts; k++)
        for (uint32_t n = 0; job->start[k].profile && n < riscv_program_functions(job->start[k].program); n++)
            if (job->start[k].profile[n])
                BASE_ARRAY_PUSH(&lines, ((struct line){&job->start[k], n, job->start[k].profile[n]}));
    if (lines.n)
        qsort(lines.at, lines.n, sizeof *lines.at, most_first);
    for (size_t k = 0; k < lines.n; k++)
        fn(arg, riscv_program_function_name(lines.at[k].start->program, lines.at[k].function),
           riscv_program_path(lines.at[k].start->program), lines.at[k].instructions);
    free(lines.at);
}
