/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code: decoded instructions, in blocks that are entered at their first and left at their last instruction. A
 * block is decoded when a core first comes to its address, from that core's memory, and is then used by all
 * cores of the text. One thread at a time may run cores that share code.
 */
#ifndef PGASIM_RISCV_CORE_CODE_H
#define PGASIM_RISCV_CORE_CODE_H

#include "riscv/core/table.h"

/* A decoded instruction. `imm`: its immediate, or where a branch or jump goes, or else its word. */
struct riscv_op {
    uint16_t which; /* enum riscv_which */
    uint8_t rd, rs1, rs2, rs3;
    uint8_t rm; /* funct3; of a dynamic rounding mode 0 */
    uint8_t at; /* distance from the block's beginning, in halfwords */
    int64_t imm;
};

enum { RISCV_BLOCK = 48 }; /* instructions in a block, at most */

/*
 * `counts` has 16 bits for each of the classes that are frequent (struct riscv_core's count): jumps, memory,
 * mul, float. What is left of the instructions is RISCV_ALU; rarer classes are counted one by one.
 */
struct riscv_block {
    uint64_t pc, end; /* of its first byte, behind its last */
    uint64_t counts;
    uint32_t n;                       /* instructions, without a last step `next` */
    struct riscv_block *taken, *fall; /* what follows, once it is known */
    /* With a profile: how often it was entered, and how often it was left before each of its instructions;
     * NULL: never. */
    uint64_t entered, *left;
    struct riscv_block *chain; /* of the hash table */
    struct riscv_op op[];      /* n, or n + 1 */
};

enum { RISCV_RECENT = 512 };

struct riscv_code {
    uint32_t cores; /* that use it, and its creator */
    struct riscv_options options;
    struct riscv_profile *profile; /* NULL: none */
    struct riscv_block **table;    /* by address; a power of two of entries */
    uint32_t size, blocks;
    struct riscv_block *recent[RISCV_RECENT]; /* targets of indirect jumps */
};

/* The block that begins at this address of the core's code; NULL: its first instruction cannot be fetched,
 * and *fault is the address of the halfword that cannot. */
struct riscv_block *riscv_code_find(struct riscv_core *c, uint64_t pc, uint64_t *fault);
/* Fence.i: a core that shares its code gets its own, and one that has its own decodes again. */
void riscv_code_renew(struct riscv_core *c);
/* Makes sure that the core's code is decoded by its own options. */
void riscv_code_adapt(struct riscv_core *c);
/* profile.c: the block was left before its instruction n. */
void riscv_block_left(struct riscv_block *b, uint32_t n);
void riscv_block_take(struct riscv_profile *p, struct riscv_block *b); /* its counts, which begin anew */

/* The sum of `counts` of some operations. */
uint64_t riscv_code_counts(const struct riscv_op *op, uint32_t n);
/* The word at an address, expanded if it is compressed (then *bytes is 2). false: *fault cannot be
 * fetched. */
bool riscv_code_fetch(const struct riscv_core *c, uint64_t pc, uint32_t *word, unsigned *bytes,
                      uint64_t *fault);
/* The word at an address as it is in memory; 0 if it cannot be fetched. */
uint32_t riscv_code_word(const struct riscv_core *c, uint64_t pc);

#endif
