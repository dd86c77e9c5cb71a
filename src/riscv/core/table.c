/* SPDX-License-Identifier: BSD-3-Clause */
/* table: the list of instructions as an array, the search in it, immediates. */
#include "riscv/core/table.h"

#include <pthread.h>

const struct riscv_instruction riscv_instructions[RISCV_INSTRUCTIONS] = {
#define INSTRUCTION(id, text, mask, match, format, class, cycles, set)                                       \
    [RV_##id] = {text, mask, match, RISCV_FORMAT_##format, RISCV_##class, cycles, RISCV_SET_##set},
#include "riscv/core/instructions.def"
#undef INSTRUCTION
};

const struct riscv_pair riscv_pairs[RISCV_OPERATIONS - RISCV_PAIRS] = {
#define PAIR(first, second)  {RV_##first, RV_##second, false},
#define CHAIN(first, second) {RV_##first, RV_##second, true},
#include "riscv/core/pairs.def"
#undef PAIR
#undef CHAIN
};

const struct riscv_format_row riscv_formats[] = {
#define FORMAT(name, operands, immediate) [RISCV_FORMAT_##name] = {operands, RISCV_IMM_##immediate},
#include "riscv/core/formats.def"
#undef FORMAT
};

/* --- the search ------------------------------------------------------------------------------------- */

/* Instructions by opcode and funct3, in the order of the list; one without funct3 is among those of each. An
 * opcode has its lowest two bits set. */
enum { KEYS = 1 << 8, ENTRIES = RISCV_INSTRUCTIONS * 8 };
static uint16_t begin[KEYS + 1], found[ENTRIES];

static unsigned key_of(uint32_t word)
{
    return (word >> 2 & 31) << 3 | (word >> 12 & 7);
}

static void index_instructions(void)
{
    uint16_t n = 0;
    for (unsigned key = 0; key < KEYS; key++) {
        uint32_t word = 3 | (key >> 3) << 2 | (key & 7) << 12;
        begin[key] = n;
        for (unsigned i = 0; i < RISCV_INSTRUCTIONS; i++) {
            const struct riscv_instruction *t = &riscv_instructions[i];
            if (((word ^ t->match) & t->mask & 0x707f) == 0)
                found[n++] = (uint16_t)i;
        }
    }
    begin[KEYS] = n;
}

enum riscv_which riscv_find(uint32_t word, const struct riscv_options *o)
{
    static pthread_once_t indexed = PTHREAD_ONCE_INIT;
    uint8_t other = o->xbgas_2020 ? RISCV_SET_XBGAS_2 : RISCV_SET_XBGAS_2020;
    pthread_once(&indexed, index_instructions);
    for (unsigned k = begin[key_of(word)]; k < begin[key_of(word) + 1]; k++) {
        const struct riscv_instruction *t = &riscv_instructions[found[k]];
        if ((word & t->mask) == t->match && t->set != other)
            return found[k];
    }
    return RISCV_INSTRUCTIONS;
}

/* Bits [low, low + n) of a word, at bit `to`. */
static uint32_t bits(uint32_t word, unsigned low, unsigned n, unsigned to)
{
    return (word >> low & ((1u << n) - 1)) << to;
}

int64_t riscv_immediate(uint32_t w, enum riscv_immediate how)
{
    int64_t sign = w >> 31 ? -1 : 0;
    switch (how) {
    case RISCV_IMM_I:
        return (int32_t)w >> 20;
    case RISCV_IMM_S:
        return sign * 0x800 + bits(w, 25, 6, 5) + bits(w, 7, 5, 0);
    case RISCV_IMM_B:
        return sign * 0x1000 + bits(w, 7, 1, 11) + bits(w, 25, 6, 5) + bits(w, 8, 4, 1);
    case RISCV_IMM_U:
        return (int32_t)(w & 0xfffff000);
    case RISCV_IMM_J:
        return sign * 0x100000 + bits(w, 12, 8, 12) + bits(w, 20, 1, 11) + bits(w, 21, 10, 1);
    case RISCV_IMM_SHIFT:
        return bits(w, 20, 6, 0);
    case RISCV_IMM_CSR:
        return w >> 20;
    case RISCV_IMM_NO:
        break;
    }
    return 0;
}
