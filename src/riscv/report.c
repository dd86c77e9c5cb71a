/* SPDX-License-Identifier: BSD-3-Clause */
/* report: how reports name a program's code and data, and the report of a trap that nobody handles. */
#include <string.h>

#include "riscv/internal.h"

/* --- names ---------------------------------------------------------------------------------------------- */

/* Code has addresses below 4 GiB, or all of it lies in one such stretch (position-independent programs). */
static uint64_t address_of(const struct rank *r, uint32_t low)
{
    uint64_t entry = riscv_program_entry(riscv_job_of(r->job)->start[rank_part_of(r)].program);
    return (entry & ~(uint64_t)UINT32_MAX) | low;
}

static struct rank_code code_of_low(const struct rank *r, uint32_t low)
{
    return low ? (struct rank_code){rank_part_of(r) + 1, low} : (struct rank_code){0, 0};
}

static struct rank_code code_of(const struct rank *r, const void *address)
{
    return code_of_low(r, (uint32_t)(uintptr_t)address);
}

static struct rank_code code_caller(const struct rank *r)
{
    const struct riscv_rank *k = riscv_rank_of(r);
    return k ? code_of_low(r, (uint32_t)k->process.core.pc) : (struct rank_code){0, 0};
}

static void code_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    const struct riscv_program *p = riscv_job_of(r->job)->start[c.object - 1].program;
    out->object = riscv_program_path(p);
    out->offset = c.offset;
    out->line = riscv_program_source(p, address_of(r, c.offset), out->function, sizeof out->function,
                                     out->file, sizeof out->file);
}

static uint32_t span_count(const struct rank *r)
{
    const struct riscv_rank *k = riscv_rank_of(r);
    return k ? k->process.core.spans : 0;
}

static struct rank_span span_of(const struct rank *r, uint32_t n)
{
    const struct riscv_span *s = &riscv_rank_of(r)->process.core.span[n];
    return (struct rank_span){s->base, s->size};
}

static bool object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out)
{
    (void)r, (void)span, (void)offset, (void)out;
    return false;
}

static bool static_name(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    const struct riscv_rank *k = riscv_rank_of(r);
    return k && riscv_program_data_name(k->start->program, address, buf, size);
}

static bool module_of(const struct rank *r, uint32_t k, struct rank_module *out)
{
    if (k)
        return false;
    *out = (struct rank_module){.path =
                                    riscv_program_path(riscv_job_of(r->job)->start[rank_part_of(r)].program)};
    return true;
}

const struct rank_names riscv_names = {span_count,  span_of,     object_find, static_name, code_of,
                                       code_of_low, code_caller, code_source, module_of};

/* --- errors --------------------------------------------------------------------------------------------- */

static void more(const char *line)
{
    base_error_more("%s", line);
}

_Noreturn void riscv_report_trap(struct riscv_rank *k)
{
    const struct riscv_core *c = &k->process.core;
    char where[RANK_WHERE_SIZE], cause[600], place[400];
    base_error("%s was ended by a trap: %s, in %s, pc %#lx", rank_where(where, k->rank),
               riscv_fault_text(&k->process, cause, sizeof cause),
               riscv_program_place(k->start->program, c->pc, place, sizeof place), c->pc);
    riscv_fault_lines(&k->process, more);
    rank_output_end_line(k->rank);
    rank_job_exit(k->job->job, 128 + riscv_fault_signal(c->cause));
}

_Noreturn void riscv_report_signal(struct riscv_rank *k)
{
    char where[RANK_WHERE_SIZE], place[400];
    int sig = k->process.signal;
    base_error("%s was ended by signal %d (%s), in %s", rank_where(where, k->rank), sig, strsignal(sig),
               riscv_program_place(k->start->program, k->process.core.pc, place, sizeof place));
    rank_output_end_line(k->rank);
    rank_job_exit(k->job->job, 128 + sig);
}
