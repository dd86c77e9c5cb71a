/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decode: makes a block out of the bytes at an address. What is known of an instruction beforehand is
 * computed here: immediates, targets, results that go to x0, whether it is one at all.
 */
#include "riscv/core/decode.h"

#include <string.h>

#include "base/base.h"

bool riscv_code_fetch(const struct riscv_core *c, uint64_t pc, uint32_t *word, unsigned *bytes,
                      uint64_t *fault)
{
    const void *low = riscv_core_bytes(c, pc, 2, RISCV_EXECUTE);
    uint16_t half[2];
    *fault = pc;
    if (!low)
        return false;
    memcpy(&half[0], low, 2);
    if ((half[0] & 3) != 3) {
        *bytes = 2;
        *word = riscv_expand(half[0]);
        if (*word == 0)
            *word = half[0]; /* what an illegal instruction shows */
        return true;
    }
    const void *high = riscv_core_bytes(c, pc + 2, 2, RISCV_EXECUTE);
    *fault = pc + 2;
    if (!high)
        return false;
    memcpy(&half[1], high, 2);
    *bytes = 4;
    *word = half[0] | (uint32_t)half[1] << 16;
    return true;
}

uint32_t riscv_code_word(const struct riscv_core *c, uint64_t pc)
{
    uint16_t half[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        const void *at = riscv_core_bytes(c, pc + 2 * i, 2, RISCV_EXECUTE);
        if (at && (i == 0 || (half[0] & 3) == 3))
            memcpy(&half[i], at, 2);
    }
    return half[0] | (uint32_t)half[1] << 16;
}

/* The class of each operation; of a pair, that of its first. Steps count as RISCV_ALU, which is counted by what
 * is left. */
enum {
#define INSTRUCTION(id, text, mask, match, format, class, cycles, set) CLASS_OF_##id = RISCV_##class,
#include "riscv/core/instructions.def"
#undef INSTRUCTION
};
static const uint8_t class_of[RISCV_OPERATIONS] = {
#define INSTRUCTION(id, text, mask, match, format, class, cycles, set) [RV_##id] = RISCV_##class,
#include "riscv/core/instructions.def"
#undef INSTRUCTION
    [RV_jump] = RISCV_JUMP,
#define PAIR(first, second)  [RV_##first##_then_##second] = CLASS_OF_##first,
#define CHAIN(first, second) [RV_##first##_chain_##second] = CLASS_OF_##first,
#include "riscv/core/pairs.def"
#undef PAIR
#undef CHAIN
};

/* Where the frequent classes are counted in a block's `counts`. */
static const uint64_t counts_of[RISCV_CLASSES] = {[RISCV_JUMP] = 1,
                                                  [RISCV_MEMORY] = UINT64_C(1) << 16,
                                                  [RISCV_MUL] = UINT64_C(1) << 32,
                                                  [RISCV_FLOAT] = UINT64_C(1) << 48};

uint64_t riscv_code_counts(const struct riscv_op *op, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += counts_of[class_of[op[i].which]];
    return sum;
}

/* What must not follow in the same block: control goes elsewhere, or the core's state changes behind the
 * scenes. */
static bool last_of_block(unsigned which)
{
    if (which == RV_illegal || which == RV_jump)
        return true;
    if (which >= RISCV_INSTRUCTIONS)
        return false;
    uint8_t counted = riscv_instructions[which].counted;
    return counted == RISCV_JUMP || (counted == RISCV_SYSTEM && which != RV_fence);
}

/* Whether it writes an integer register, and does nothing else. */
static bool only_result(const struct riscv_instruction *t)
{
    switch (t->format) {
    case RISCV_FORMAT_R:
    case RISCV_FORMAT_R2:
    case RISCV_FORMAT_I:
    case RISCV_FORMAT_SHIFT:
    case RISCV_FORMAT_U:
    case RISCV_FORMAT_AUIPC:
        return true;
    default:
        return false;
    }
}

/* Words of the other xBGAS map do the same as those of the first. */
static unsigned same_as(unsigned which)
{
    switch (which) {
    case RV_eaddie_2020:
        return RV_eaddie;
    case RV_ese_2020:
        return RV_ese;
    case RV_erle_2020:
        return RV_erle;
    case RV_erse_2020:
        return RV_erse;
    default:
        return which;
    }
}

/* Whether the instruction uses one of e0 to e9. */
static bool uses_low_extended(unsigned which, const struct riscv_op *op)
{
    const struct riscv_instruction *t = &riscv_instructions[which];
    if (t->set < RISCV_SET_XBGAS)
        return false;
    switch (t->format) {
    case RISCV_FORMAT_LOAD:
    case RISCV_FORMAT_STORE:
    case RISCV_FORMAT_EAMO:
    case RISCV_FORMAT_EADDI:
        return op->rs1 < 10;
    case RISCV_FORMAT_ELE:
    case RISCV_FORMAT_EADDIE:
        return op->rd < 10;
    case RISCV_FORMAT_ESE:
    case RISCV_FORMAT_ERLOAD:
        return op->rs2 < 10;
    case RISCV_FORMAT_EADDIX:
    case RISCV_FORMAT_ERSE:
        return op->rd < 10 || op->rs1 < 10;
    case RISCV_FORMAT_ERLE:
        return op->rd < 10 || op->rs2 < 10;
    case RISCV_FORMAT_ERSTORE:
        return op->rd < 10;
    default:
        return false;
    }
}

/* Whether the instruction's funct3 is a rounding mode. */
static bool rounds(unsigned which)
{
    return strchr(riscv_formats[riscv_instructions[which].format].operands, 'm') != NULL;
}

/* Encodings that an instruction's mask lets pass, but that are reserved. */
static bool reserved(unsigned which, const struct riscv_op *op)
{
    if (which == RV_amocas_q)
        return (op->rd | op->rs2) & 1;
    return rounds(which) && (op->rm == 5 || op->rm == 6);
}

static void decode_one(const struct riscv_options *o, uint64_t pc, uint32_t word, struct riscv_op *op)
{
    unsigned which = riscv_find(word, o);
    op->rd = word >> 7 & 31;
    op->rs1 = word >> 15 & 31;
    op->rs2 = word >> 20 & 31;
    op->rs3 = word >> 27;
    op->rm = word >> 12 & 7;
    op->imm = word;
    op->which = RV_illegal;
    if (which == RISCV_INSTRUCTIONS || reserved(which, op) ||
        (o->low_extended && uses_low_extended(which, op)))
        return;
    const struct riscv_instruction *t = &riscv_instructions[which];
    enum riscv_immediate how = riscv_formats[t->format].immediate;
    op->which = (uint16_t)same_as(which);
    if (how != RISCV_IMM_NO)
        op->imm = riscv_immediate(word, how);
    if (how == RISCV_IMM_B || how == RISCV_IMM_J || which == RV_auipc)
        op->imm = (int64_t)(pc + (uint64_t)op->imm);
    if (rounds(which) && op->rm == 7) /* dynamic: to nearest, as long as the core is calm (float.inc) */
        op->rm = 0;
    if (op->rd == 0 && only_result(t))
        op->which = RV_nothing;
    if (op->rd == 0 && which == RV_jal)
        op->which = RV_jump;
}

/* Makes operations of two instructions each. The second stays what it is: an operation that does only the
 * first finds it there. */
static void join(struct riscv_op *op, uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        for (unsigned k = RISCV_PAIRS; k < RISCV_OPERATIONS; k++) {
            const struct riscv_pair *p = &riscv_pairs[k - RISCV_PAIRS];
            if (p->first == op[i].which && p->second == op[i + 1].which &&
                (!p->chain || (op[i].rd != 0 && op[i].rd == op[i + 1].rs1))) {
                op[i++].which = (uint16_t)k;
                break;
            }
        }
}

struct riscv_block *riscv_decode(const struct riscv_core *c, uint64_t pc, uint64_t *fault)
{
    struct riscv_op op[RISCV_BLOCK + 1];
    uint64_t at = pc;
    uint32_t n = 0, word;
    unsigned bytes;
    bool last = false;
    while (n < RISCV_BLOCK && !last && riscv_code_fetch(c, at, &word, &bytes, fault)) {
        decode_one(&c->options, at, word, &op[n]);
        op[n].at = (uint8_t)((at - pc) / 2);
        last = last_of_block(op[n].which);
        at += bytes;
        n++;
    }
    if (n == 0)
        return NULL;
    op[n] = (struct riscv_op){.which = RV_next, .at = (uint8_t)((at - pc) / 2)};
    struct riscv_block *b = base_zalloc(sizeof *b + (n + 1) * sizeof *op, "decoded instructions");
    *b = (struct riscv_block){.pc = pc, .end = at, .n = n, .counts = riscv_code_counts(op, n)};
    join(op, n);
    memcpy(b->op, op, (n + 1) * sizeof *op);
    return b;
}
