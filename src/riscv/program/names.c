/* SPDX-License-Identifier: BSD-3-Clause */
/* names: functions, lines and objects of a program, for reports and profiles. */
#include <stdio.h>
#include <string.h>

#include <elf.h>

#include "base/source.h"
#include "riscv/program/internal.h"

static const struct riscv_symbol *function_at(const struct riscv_program *p, uint64_t pc)
{
    const struct riscv_symbol *s = riscv_elf_near(&p->elf, pc - p->bias);
    return s && s->type != STT_OBJECT ? s : NULL;
}

uint32_t riscv_program_source(const struct riscv_program *p, uint64_t pc, char *function,
                              size_t function_size, char *file, size_t file_size)
{
    const struct riscv_symbol *s = function_at(p, pc);
    snprintf(function, function_size, "%s", s ? s->name : "");
    *file = 0;
    return source_file_find(p->path, pc - p->bias, file, file_size);
}

void riscv_program_lines(const struct riscv_program *p, const uint64_t *pc, size_t n,
                         struct source_query *out)
{
    for (size_t k = 0; k < n; k++) {
        out[k].object = p->path;
        out[k].address = pc[k] - p->bias;
    }
    source_queries_answer(out, n);
}

char *riscv_program_place(const struct riscv_program *p, uint64_t pc, char *buf, size_t size)
{
    const struct riscv_symbol *s = function_at(p, pc);
    struct source_query q = {.object = p->path, .address = pc - p->bias};
    source_queries_answer(&q, 1);
    const char *name = q.found && *q.at[0].function ? q.at[0].function : s ? s->name : NULL;
    if (q.found)
        snprintf(buf, size, "%s%s%s", name ? name : "", name ? ", " : "", q.at[0].line);
    else if (s)
        snprintf(buf, size, "%s+%#lx", s->name, pc - p->bias - s->address);
    else
        snprintf(buf, size, "%#lx", pc);
    return buf;
}

bool riscv_program_data_name(const struct riscv_program *p, uint64_t address, char *buf, size_t size)
{
    const struct riscv_symbol *s = riscv_elf_near(&p->elf, address - p->bias);
    uint64_t offset = s ? address - p->bias - s->address : 0;
    if (!s || s->type != STT_OBJECT)
        return false;
    if (offset)
        snprintf(buf, size, "%s+%lu", s->name, offset);
    else
        snprintf(buf, size, "%s", s->name);
    return true;
}

bool riscv_program_symbol(const struct riscv_program *p, const char *name, uint64_t *address)
{
    if (!riscv_elf_symbol(&p->elf, name, address))
        return false;
    *address += p->bias;
    return true;
}

uint32_t riscv_program_function(const struct riscv_program *p, uint64_t pc)
{
    const struct riscv_symbol *s = function_at(p, pc);
    return s ? (uint32_t)(s - p->elf.symbol) + 1 : 0;
}

uint32_t riscv_program_functions(const struct riscv_program *p)
{
    return (uint32_t)p->elf.symbols + 1;
}

uint64_t riscv_program_function_begin(const struct riscv_program *p, uint32_t number)
{
    return number ? p->elf.symbol[number - 1].address + p->bias : 0;
}

const char *riscv_program_function_name(const struct riscv_program *p, uint32_t number)
{
    return number ? p->elf.symbol[number - 1].name : "(not in a function)";
}
