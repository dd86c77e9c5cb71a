/* SPDX-License-Identifier: BSD-3-Clause */
/* table: the list of instructions as an array, and the search in it. */
#ifndef PGASIM_RISCV_CORE_TABLE_H
#define PGASIM_RISCV_CORE_TABLE_H

#include "riscv/core/core.h"

enum riscv_format {
#define FORMAT(name, operands, immediate) RISCV_FORMAT_##name,
#include "riscv/core/formats.def"
#undef FORMAT
};

enum riscv_immediate {
    RISCV_IMM_NO,
    RISCV_IMM_I,
    RISCV_IMM_S,
    RISCV_IMM_B,
    RISCV_IMM_U,
    RISCV_IMM_J,
    RISCV_IMM_SHIFT,
    RISCV_IMM_CSR,
};

/* Extensions, and the two maps of xBGAS. */
enum riscv_set {
    RISCV_SET_I,
    RISCV_SET_ZIFENCEI,
    RISCV_SET_ZICSR,
    RISCV_SET_PRIVILEGED,
    RISCV_SET_M,
    RISCV_SET_A,
    RISCV_SET_ZACAS,
    RISCV_SET_F,
    RISCV_SET_D,
    RISCV_SET_ZBA,
    RISCV_SET_ZBB,
    RISCV_SET_ZBS,
    RISCV_SET_XBGAS,
    RISCV_SET_XBGAS_2,
    RISCV_SET_XBGAS_2020,
    RISCV_SET_RAE,
};

/* What an operation of the interpreter may be: an instruction, or one of its own (steps.def). */
enum riscv_which {
#define INSTRUCTION(id, text, mask, match, format, class, cycles, set) RV_##id,
#include "riscv/core/instructions.def"
#undef INSTRUCTION
    RISCV_INSTRUCTIONS,
    RISCV_BEFORE_STEPS = RISCV_INSTRUCTIONS - 1,
#define STEP(id) RV_##id,
#include "riscv/core/steps.def"
#undef STEP
    RISCV_PAIRS, /* two instructions as one operation (pairs.def) */
    RISCV_BEFORE_PAIRS = RISCV_PAIRS - 1,
#define PAIR(first, second)  RV_##first##_then_##second,
#define CHAIN(first, second) RV_##first##_chain_##second,
#include "riscv/core/pairs.def"
#undef PAIR
#undef CHAIN
    RISCV_OPERATIONS
};

struct riscv_instruction {
    const char *name;
    uint32_t mask, match;
    uint8_t format;      /* enum riscv_format */
    uint8_t counted;     /* enum riscv_class */
    uint8_t cycles, set; /* enum riscv_set */
};
extern const struct riscv_instruction riscv_instructions[RISCV_INSTRUCTIONS];

struct riscv_pair {
    uint16_t first, second; /* instructions */
    bool chain;             /* rs1 of the second is rd of the first */
};
extern const struct riscv_pair riscv_pairs[RISCV_OPERATIONS - RISCV_PAIRS];

/* An operation, or the first of the two that it consists of. */
static inline unsigned riscv_first_of(unsigned which)
{
    return which < RISCV_PAIRS ? which : riscv_pairs[which - RISCV_PAIRS].first;
}

struct riscv_format_row {
    const char *operands;
    uint8_t immediate; /* enum riscv_immediate */
};
extern const struct riscv_format_row riscv_formats[];

/* The instruction of a 32-bit word by the map of the options; RISCV_INSTRUCTIONS: there is none. */
enum riscv_which riscv_find(uint32_t word, const struct riscv_options *o);
/* The 32-bit word that does the same as a compressed one; 0: there is none. */
uint32_t riscv_expand(uint16_t half);
/* The immediate of a word, sign-extended. */
int64_t riscv_immediate(uint32_t word, enum riscv_immediate how);

#endif
