/* SPDX-License-Identifier: BSD-3-Clause */
/* disassemble: instructions as text, in the words of GNU objdump; targets of jumps as plain addresses. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "riscv/core/table.h"

enum { ANY = -1000000, SAME };

struct alias {
    int which, rd, rs1, rs2, immediate;
    const char *name, *operands;
};

static const struct alias aliases[] = {
#define ALIAS(id, rd, rs1, rs2, immediate, name, operands) {RV_##id, rd, rs1, rs2, immediate, name, operands},
#include "riscv/core/aliases.def"
#undef ALIAS
};

/* An instruction's fields, and the text that is written. */
struct line {
    uint32_t word;
    uint64_t pc;
    bool compressed;
    enum riscv_which which;
    unsigned rd, rs1, rs2, rs3, rm;
    int64_t immediate;
    char *text;
    size_t size, used;
};

static void put(struct line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(l->text + l->used, l->size - l->used, format, args);
    va_end(args);
    if (n > 0)
        l->used = l->used + (size_t)n < l->size ? l->used + (size_t)n : l->size - 1;
}

static void put_csr(struct line *l)
{
    switch (l->immediate) {
#define CSR(number, id, name)                                                                                \
    case number:                                                                                             \
        put(l, "%s", name);                                                                                  \
        return;
#include "riscv/core/csrs.def"
#undef CSR
    default:
        break;
    }
    unsigned n = (unsigned)l->immediate;
    if (n >= 0x3a0 && n < 0x3b0)
        put(l, "pmpcfg%u", n - 0x3a0);
    else if (n >= 0x3b0 && n < 0x3f0)
        put(l, "pmpaddr%u", n - 0x3b0);
    else
        put(l, "0x%x", n);
}

/* The sets of a fence: input, output, reads, writes. */
static void put_fence(struct line *l)
{
    for (int low = 24; low >= 20; low -= 4) {
        unsigned set = l->word >> low & 15;
        for (unsigned i = 0; i < 4; i++)
            if (set & 8u >> i)
                put(l, "%c", "iorw"[i]);
        put(l, "%s%s", set ? "" : "unknown", low == 24 ? "," : "");
    }
}

/* Nothing for the dynamic mode, nor for conversions that are always exact. */
static bool rounding_is_shown(const struct line *l)
{
    bool exact = l->which == RV_fcvt_d_w || l->which == RV_fcvt_d_wu || l->which == RV_fcvt_d_s;
    return l->rm != (exact ? 0 : 7);
}

static void put_rounding(struct line *l)
{
    static const char *const modes[] = {"rne", "rtz", "rdn", "rup", "rmm", "unknown", "unknown", "dyn"};
    put(l, "%s", modes[l->rm]);
}

static void put_operand(struct line *l, char letter)
{
    const unsigned at[] = {l->rd, l->rs1, l->rs2, l->rs3};
    static const char integer[] = "dstr", floats[] = "DSTR", extended[] = "xyz";
    const char *found;
    if ((found = strchr(integer, letter)))
        put(l, "%s", riscv_register_name(at[found - integer]));
    else if ((found = strchr(floats, letter)))
        put(l, "%s", riscv_float_name(at[found - floats]));
    else if ((found = strchr(extended, letter)))
        put(l, "e%u", at[found - extended]);
    else if (letter == 'j')
        put(l, "%" PRId64, l->immediate);
    else if (letter == 'o')
        put(l, "%" PRId64 "(%s)", l->immediate, riscv_register_name(l->rs1));
    else if (letter == '>')
        put(l, "0x%x", (unsigned)l->immediate);
    else if (letter == 'p')
        put(l, "0x%" PRIx64, l->pc + (uint64_t)l->immediate);
    else if (letter == 'u')
        put(l, "0x%x", l->word >> 12);
    else if (letter == 'E')
        put_csr(l);
    else if (letter == 'Z')
        put(l, "%u", l->rs1);
    else if (letter == 'f')
        put_fence(l);
    else if (letter == 'm')
        put_rounding(l);
    else
        put(l, "%c", letter);
}

/* "d,s,m": a rounding mode that is not shown takes its comma with it. */
static void put_operands(struct line *l, const char *operands)
{
    if (*operands)
        put(l, "\t");
    for (const char *p = operands; *p; p++) {
        if (p[0] == ',' && p[1] == 'm' && !rounding_is_shown(l))
            return;
        put_operand(l, *p);
    }
}

static bool fits(int wanted, int64_t is)
{
    return wanted == ANY || wanted == is;
}

static const struct alias *alias_of(const struct line *l)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const struct alias *a = &aliases[i];
        if (a->which == (int)l->which && fits(a->rd, l->rd) && fits(a->rs1, l->rs1) &&
            (a->rs2 == SAME ? l->rs2 == l->rs1 : fits(a->rs2, l->rs2)) && fits(a->immediate, l->immediate))
            return a->which == RV_add && !l->compressed ? NULL : a; /* c.mv alone is "mv" */
    }
    return NULL;
}

static void put_instruction(struct line *l)
{
    static const char *const order[] = {"", ".rl", ".aq", ".aqrl"};
    const struct riscv_instruction *t = &riscv_instructions[l->which];
    const struct alias *a = alias_of(l);
    bool ordered = t->set == RISCV_SET_A || t->set == RISCV_SET_ZACAS;
    if (l->word == 0x8330000f)
        put(l, "fence.tso");
    else if (l->word == 0x0ff0000f)
        put(l, "fence");
    else if (l->word == 0x0100000f)
        put(l, "pause");
    else if (a) {
        put(l, "%s", a->name);
        put_operands(l, a->operands);
    } else {
        put(l, "%s%s", t->name, ordered ? order[l->word >> 25 & 3] : "");
        put_operands(l, riscv_formats[t->format].operands);
    }
}

unsigned riscv_disassemble(uint32_t word, uint64_t pc, const struct riscv_options *o, char *text, size_t size)
{
    unsigned bytes = (word & 3) == 3 ? 4 : 2;
    uint32_t w = bytes == 4 ? word : riscv_expand((uint16_t)word);
    struct line l = {.word = w,
                     .compressed = bytes == 2,
                     .pc = pc,
                     .which = riscv_find(w, o),
                     .rd = w >> 7 & 31,
                     .rs1 = w >> 15 & 31,
                     .rs2 = w >> 20 & 31,
                     .rs3 = w >> 27,
                     .rm = w >> 12 & 7,
                     .text = text,
                     .size = size};
    if (size == 0)
        return bytes;
    if (bytes == 2 && (word & 0xffff) == 0) {
        put(&l, "unimp");
    } else if (l.which == RISCV_INSTRUCTIONS) {
        if (bytes == 4)
            put(&l, ".4byte\t0x%x", word);
        else
            put(&l, ".2byte\t0x%x", word & 0xffff);
    } else {
        enum riscv_immediate how = riscv_formats[riscv_instructions[l.which].format].immediate;
        l.immediate = riscv_immediate(w, how);
        put_instruction(&l);
    }
    return bytes;
}
