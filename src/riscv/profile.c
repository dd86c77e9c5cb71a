/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile: the instructions that all cores of a program executed, by function, and as a file in callgrind's
 * format (which kcachegrind and callgrind_annotate read; Valgrind's manual, "Callgrind Format
 * Specification"). All counts are exact. Loops that only waited count as if they had been executed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/source.h"
#include "base/text.h"
#include "riscv/internal.h"

/* The counts of a program's instructions, in order of address. */
struct counts {
    uint64_t *pc, *times;
    size_t n, cap, cap_times;
};

static void take_one(void *arg, uint64_t pc, uint64_t times)
{
    struct counts *c = arg;
    if (c->n == c->cap) {
        c->pc = base_array_grow(c->pc, &c->cap, c->n + 1, sizeof *c->pc, "profile");
        c->times = base_array_grow(c->times, &c->cap_times, c->cap, sizeof *c->times, "profile");
    }
    c->pc[c->n] = pc;
    c->times[c->n++] = times;
}

static struct counts counts_of(const struct riscv_start *s)
{
    struct counts c = {0};
    riscv_profile_visit(s->profile, take_one, &c);
    return c;
}

static void release(struct counts *c)
{
    free(c->pc);
    free(c->times);
}

/* What blocks have counted so far. */
static void bring_up_to_date(const struct rank_job *ranks)
{
    for (uint32_t k = 0; k < rank_count(ranks); k++)
        if (riscv_rank_of(rank_at(ranks, k)))
            riscv_core_profile_take(&riscv_rank_of(rank_at(ranks, k))->process.core);
}

/* --- by function -------------------------------------------------------------------------------------- */

static int most_first(const void *a, const void *b)
{
    const struct riscv_function *s = a, *t = b;
    if (s->instructions != t->instructions)
        return s->instructions > t->instructions ? -1 : 1;
    int order = strcmp(s->program, t->program);
    return order ? order : s->address < t->address ? -1 : s->address > t->address;
}

/* Instructions in order of address: those of one function follow each other. */
static struct riscv_function *add_functions(struct riscv_function *list, size_t *n, size_t *cap,
                                            const struct riscv_start *s, const struct counts *c)
{
    uint32_t last = 0;
    for (size_t k = 0; k < c->n; k++) {
        uint32_t number = riscv_program_function(s->program, c->pc[k]);
        if (!k || number != last) {
            if (*n == *cap)
                list = base_array_grow(list, cap, *n + 1, sizeof *list, "profile");
            list[(*n)++] =
                (struct riscv_function){.name = riscv_program_function_name(s->program, number),
                                        .program = riscv_program_path(s->program),
                                        .address = riscv_program_function_begin(s->program, number)};
        }
        last = number;
        struct riscv_function *f = &list[*n - 1];
        f->instructions += c->times[k];
        f->entered += c->pc[k] == f->address ? c->times[k] : 0;
    }
    return list;
}

void riscv_functions_each(const struct rank_job *ranks, void (*fn)(void *arg, const struct riscv_function *f),
                          void *arg)
{
    const struct riscv_job *job = riscv_job_of(ranks);
    struct riscv_function *list = NULL;
    size_t n = 0, cap = 0;
    bring_up_to_date(ranks);
    for (size_t k = 0; k < job->starts; k++) {
        struct counts c = counts_of(&job->start[k]);
        list = add_functions(list, &n, &cap, &job->start[k], &c);
        release(&c);
    }
    if (n)
        qsort(list, n, sizeof *list, most_first);
    for (size_t k = 0; k < n; k++)
        fn(arg, &list[k]);
    free(list);
}

/* --- callgrind ---------------------------------------------------------------------------------------- */

/* A name on a line of its own. */
static void put_name(FILE *out, const char *key, const char *name)
{
    char shown[512];
    fprintf(out, "%s=%s\n", key, *name ? base_text_show(shown, sizeof shown, name) : "???");
}

static void put_instructions(FILE *out, const struct riscv_start *s, const struct counts *c,
                             const struct source_query *at)
{
    uint32_t last = 0;
    const char *file = "";
    put_name(out, "ob", riscv_program_path(s->program));
    for (size_t k = 0; k < c->n; k++) {
        uint32_t number = riscv_program_function(s->program, c->pc[k]);
        const char *here = at[k].found ? at[k].file : "";
        if (!k || number != last) {
            put_name(out, "fl", here);
            put_name(out, "fn", riscv_program_function_name(s->program, number));
        } else if (strcmp(here, file) != 0) {
            put_name(out, "fi", here);
        }
        file = here;
        last = number;
        fprintf(out, "0x%lx %u %lu\n", c->pc[k], at[k].found ? at[k].line : 0, c->times[k]);
    }
}

static void put_program(FILE *out, const struct riscv_start *s, const struct counts *c)
{
    enum { PATH = 256 };
    struct source_query *at = base_zalloc((c->n + 1) * sizeof *at, "profile");
    char *files = base_zalloc((c->n + 1) * PATH, "profile");
    for (size_t k = 0; k < c->n; k++) {
        at[k].file = &files[k * PATH];
        at[k].file_size = PATH;
    }
    riscv_program_lines(s->program, c->pc, c->n, at);
    put_instructions(out, s, c, at);
    free(at);
    free(files);
}

void riscv_callgrind_write(const struct rank_job *ranks, FILE *out)
{
    const struct riscv_job *job = riscv_job_of(ranks);
    uint64_t all = 0;
    char shown[512];
    bring_up_to_date(ranks);
    fprintf(out, "# callgrind format\nversion: 1\ncreator: pgasim %s\n", pgasim_version);
    fprintf(out, "cmd: %s\n", base_text_show(shown, sizeof shown, riscv_program_path(job->start[0].program)));
    fputs("positions: instr line\nevents: Ir\n\n", out);
    for (size_t k = 0; k < job->starts; k++) {
        struct counts c = counts_of(&job->start[k]);
        put_program(out, &job->start[k], &c);
        for (size_t n = 0; n < c.n; n++)
            all += c.times[n];
        release(&c);
    }
    fprintf(out, "\ntotals: %lu\n", all);
}
