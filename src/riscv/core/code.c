/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code: the blocks of a text, found by address. Decoding is decode.c's.
 *
 * Invariants
 *  R1  `cores` counts the creator and each core that uses the code; code is never changed for one core while
 *      another uses it.
 */
#include "riscv/core/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "riscv/core/decode.h"

enum { FIRST_SIZE = 256 };

struct riscv_code *riscv_code_create(void)
{
    struct riscv_code *code = base_zalloc(sizeof *code, "decoded instructions");
    code->cores = 1;
    return code;
}

static void forget(struct riscv_code *code)
{
    for (uint32_t i = 0; i < code->size; i++)
        for (struct riscv_block *b = code->table[i], *next; b; b = next) {
            next = b->chain;
            if (code->profile)
                riscv_block_take(code->profile, b);
            free(b->left);
            free(b);
        }
    free(code->table);
    code->table = NULL;
    code->size = code->blocks = 0;
    memset(code->recent, 0, sizeof code->recent);
}

void riscv_code_drop(struct riscv_code *code)
{
    if (!code)
        return;
    BASE_ASSERT("R1", code->cores > 0);
    if (--code->cores > 0)
        return;
    forget(code);
    free(code);
}

void riscv_code_renew(struct riscv_core *c)
{
    if (c->code->cores == 1) {
        forget(c->code);
        return;
    }
    struct riscv_options options = c->code->options;
    struct riscv_profile *profile = c->code->profile;
    riscv_code_drop(c->code);
    c->code = riscv_code_create();
    c->code->options = options;
    c->code->profile = profile;
}

void riscv_code_adapt(struct riscv_core *c)
{
    const struct riscv_options *now = &c->options, *then = &c->code->options;
    if (now->xbgas_2020 == then->xbgas_2020 && now->cas_symmetric == then->cas_symmetric &&
        now->low_extended == then->low_extended)
        return;
    if (c->code->blocks > 0)
        riscv_code_renew(c);
    c->code->options = c->options;
}

static uint32_t slot(uint64_t pc, uint32_t size)
{
    return (uint32_t)((pc >> 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (size - 1);
}

static void grow(struct riscv_code *code)
{
    uint32_t size = code->size ? code->size * 2 : FIRST_SIZE;
    struct riscv_block **table = base_zalloc(size * sizeof(struct riscv_block *), "decoded instructions");
    for (uint32_t i = 0; i < code->size; i++)
        for (struct riscv_block *b = code->table[i], *next; b; b = next) {
            next = b->chain;
            struct riscv_block **at = &table[slot(b->pc, size)];
            b->chain = *at;
            *at = b;
        }
    free(code->table);
    code->table = table;
    code->size = size;
}

struct riscv_block *riscv_code_find(struct riscv_core *c, uint64_t pc, uint64_t *fault)
{
    struct riscv_code *code = c->code;
    struct riscv_block **recent = &code->recent[(pc >> 1) % RISCV_RECENT];
    struct riscv_block *b = *recent;
    if (b && b->pc == pc)
        return b;
    if (code->blocks >= code->size)
        grow(code);
    struct riscv_block **at = &code->table[slot(pc, code->size)];
    for (b = *at; b && b->pc != pc;)
        b = b->chain;
    if (!b) {
        b = riscv_decode(c, pc, fault);
        if (!b)
            return NULL;
        b->chain = *at;
        *at = b;
        code->blocks++;
    }
    *recent = b;
    return b;
}
