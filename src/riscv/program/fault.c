/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fault: what is said about a trap that ends a program: its cause in words, what the address belongs to, the
 * calls that led there as far as frame pointers or the return address tell, registers, and the instructions
 * around.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "riscv/program/internal.h"

enum { NEAR_STACK = 1 << 20, LINE = 400 };

int riscv_fault_signal(enum riscv_cause cause)
{
    switch (cause) {
    case RISCV_ILLEGAL:
        return SIGILL;
    case RISCV_BREAKPOINT:
        return SIGTRAP;
    case RISCV_FETCH_MISALIGNED:
    case RISCV_LOAD_MISALIGNED:
    case RISCV_STORE_MISALIGNED:
        return SIGBUS;
    default:
        return SIGSEGV;
    }
}

static const struct riscv_span *span_at(const struct riscv_core *c, uint64_t address)
{
    for (uint32_t k = 0; k < c->spans; k++)
        if (address - c->span[k].base < c->span[k].size)
            return &c->span[k];
    return NULL;
}

static bool is_access(enum riscv_cause cause)
{
    return cause == RISCV_LOAD_FAULT || cause == RISCV_STORE_FAULT || cause == RISCV_LOAD_MISALIGNED ||
           cause == RISCV_STORE_MISALIGNED || cause == RISCV_FETCH_FAULT;
}

/* The stack pointer has left the memory that may be written, and the access is near it. */
static bool stack_ran_out(const struct riscv_core *c)
{
    uint64_t sp = c->x[2], distance = c->value > sp ? c->value - sp : sp - c->value;
    const struct riscv_span *s = span_at(c, sp);
    return is_access(c->cause) && distance < NEAR_STACK && (!s || !(s->may & RISCV_WRITE));
}

static void describe_address(const struct riscv_process *x, char *buf, size_t size)
{
    const struct riscv_core *c = &x->core;
    const struct riscv_span *s = span_at(c, c->value);
    char name[LINE / 2];
    if (stack_ran_out(c))
        snprintf(buf, size,
                 s ? "the stack has run into the program's text: sp is %#lx"
                   : "the stack has run out of its memory: sp is %#lx",
                 c->x[2]);
    else if (c->value < RISCV_PAGE)
        snprintf(buf, size, "near NULL");
    else if (riscv_program_data_name(x->program, c->value, name, sizeof name))
        snprintf(buf, size, "in %s", name);
    else if (s && !(s->may & RISCV_WRITE))
        snprintf(buf, size, "in the program's text and constants, which may not be written");
    else
        snprintf(buf, size, s ? "in its memory" : "no memory is there");
}

/* Of an access to another core, whose program and memory may be others than this one's. */
static void describe_object(const struct riscv_process *x, char *buf, size_t size)
{
    const struct riscv_core *c = &x->core;
    uint32_t ranks = x->world->ranks;
    if (c->object > ranks && ranks == 1)
        snprintf(buf, size, "unknown: the only one is object 1, core 0");
    else if (c->object > ranks)
        snprintf(buf, size, "unknown: object k is core k - 1, and k goes from 1 to %u", ranks);
    else if (c->cause == RISCV_STORE_MISALIGNED)
        snprintf(buf, size, "core %lu; an atomic's address is a multiple of its size", c->object - 1);
    else
        snprintf(buf, size, "core %lu has no memory there that may be %s", c->object - 1,
                 c->cause == RISCV_LOAD_FAULT ? "read" : "written");
}

char *riscv_fault_text(const struct riscv_process *x, char *buf, size_t size)
{
    const struct riscv_core *c = &x->core;
    char what[LINE];
    if (is_access(c->cause) && c->object) {
        describe_object(x, what, sizeof what);
        snprintf(buf, size, "%s at %#lx of object %lu (%s)", riscv_cause_text(c->cause), c->value, c->object,
                 what);
    } else if (is_access(c->cause)) {
        describe_address(x, what, sizeof what);
        snprintf(buf, size, "%s at %#lx (%s)", riscv_cause_text(c->cause), c->value, what);
    } else if (c->cause == RISCV_ILLEGAL && c->value) {
        snprintf(buf, size, "%s %#lx", riscv_cause_text(c->cause), c->value);
    } else {
        snprintf(buf, size, "%s", riscv_cause_text(c->cause));
    }
    return buf;
}

/* --- the lines below ------------------------------------------------------------------------------------ */

static bool read_word(const struct riscv_process *x, uint64_t address, uint64_t *out)
{
    const void *at = riscv_memory_at(x, address, 8, RISCV_READ);
    if (at)
        memcpy(out, at, sizeof *out);
    return at != NULL;
}

static bool is_code(const struct riscv_process *x, uint64_t pc)
{
    const struct riscv_span *s = span_at(&x->core, pc);
    return s && s->may & RISCV_EXECUTE && riscv_program_function(x->program, pc);
}

static void line_of_call(const struct riscv_process *x, uint64_t back, void (*fn)(const char *line))
{
    char place[LINE / 2], line[LINE];
    snprintf(line, sizeof line, "called in %s",
             riscv_program_place(x->program, back - 2, place, sizeof place));
    fn(line);
}

/* With frame pointers (-fno-omit-frame-pointer) all callers; without, the return address in ra, unless it is
 * in the function itself, which then has called others. */
static void backtrace_lines(const struct riscv_process *x, void (*fn)(const char *line))
{
    enum { MOST = 20 };
    const struct riscv_core *c = &x->core;
    uint64_t frame = c->x[8], back = c->x[1];
    if (is_code(x, back) &&
        riscv_program_function(x->program, back - 2) != riscv_program_function(x->program, c->pc))
        line_of_call(x, back, fn);
    else
        back = 0;
    for (int k = 0; k < MOST && frame > c->x[2] && frame % 8 == 0; k++) {
        uint64_t next, return_to;
        if (!read_word(x, frame - 8, &return_to) || !read_word(x, frame - 16, &next) ||
            !is_code(x, return_to))
            return;
        if (return_to != back)
            line_of_call(x, return_to, fn);
        if (next <= frame)
            return;
        frame = next;
    }
}

static void register_lines(const struct riscv_core *c, void (*fn)(const char *line))
{
    char line[LINE];
    for (unsigned k = 0; k < 32; k += 4) {
        int n = 0;
        for (unsigned i = k; i < k + 4; i++)
            n += snprintf(line + n, sizeof line - (size_t)n, "%s%-4s %016lx", i > k ? "  " : "",
                          riscv_register_name(i), c->x[i]);
        fn(line);
    }
}

/* Instructions have 2 or 4 bytes, so they are read from the function's start, or from pc. */
static void instruction_lines(const struct riscv_process *x, void (*fn)(const char *line))
{
    enum { BEFORE = 24, AFTER = 16, FROM_START = 4096 };
    const struct riscv_core *c = &x->core;
    const struct riscv_symbol *s = riscv_elf_near(&x->program->elf, c->pc - x->program->bias);
    uint64_t at = s ? s->address + x->program->bias : c->pc;
    if (c->pc - at > FROM_START)
        at = c->pc;
    while (at <= c->pc + AFTER) {
        char text[128], line[LINE];
        uint32_t word = 0;
        const void *bytes = riscv_memory_at(x, at, 4, RISCV_READ);
        if (!bytes && !(bytes = riscv_memory_at(x, at, 2, RISCV_READ)))
            return;
        memcpy(&word, bytes, riscv_memory_at(x, at, 4, RISCV_READ) ? 4 : 2);
        unsigned size = riscv_disassemble(word, at, &c->options, text, sizeof text);
        if (at + BEFORE >= c->pc) {
            char *tab = strchr(text, '\t');
            if (tab)
                *tab = ' ';
            snprintf(line, sizeof line, "%s %lx: %s", at == c->pc ? "=>" : "  ", at, text);
            fn(line);
        }
        at += size;
    }
}

void riscv_fault_lines(const struct riscv_process *x, void (*fn)(const char *line))
{
    backtrace_lines(x, fn);
    instruction_lines(x, fn);
    register_lines(&x->core, fn);
}
