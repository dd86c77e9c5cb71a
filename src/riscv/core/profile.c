/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile: how often each instruction was executed. A block counts how often it was entered, and, where a
 * trap or the end of a budget cut it short, at which instruction. So an instruction of it was executed as
 * often as the block was entered, less how often it was left before.
 */
#include <stdlib.h>

#include "base/table.h"
#include "riscv/core/code.h"

struct riscv_profile {
    struct base_table times; /* uint64_t, by address */
};

struct riscv_profile *riscv_profile_create(void)
{
    struct riscv_profile *p = base_zalloc(sizeof *p, "profile");
    base_table_init(&p->times, BASE_NUMBERS, sizeof(uint64_t), "profile");
    return p;
}

void riscv_profile_destroy(struct riscv_profile *p)
{
    if (!p)
        return;
    base_table_release(&p->times);
    free(p);
}

void riscv_code_profile(struct riscv_code *code, struct riscv_profile *p)
{
    code->profile = p;
}

void riscv_profile_add(struct riscv_profile *p, uint64_t pc, uint64_t times)
{
    if (times)
        *(uint64_t *)base_table_add(&p->times, pc, NULL) += times;
}

void riscv_block_left(struct riscv_block *b, uint32_t n)
{
    if (!b->left)
        b->left = base_zalloc((b->n + 1) * sizeof *b->left, "profile");
    b->left[n]++;
}

void riscv_block_take(struct riscv_profile *p, struct riscv_block *b)
{
    uint64_t times = b->entered;
    for (uint32_t k = 0; k < b->n; k++) {
        if (b->left) {
            times -= b->left[k];
            b->left[k] = 0;
        }
        riscv_profile_add(p, b->pc + 2 * (uint64_t)b->op[k].at, times);
    }
    b->entered = 0;
}

void riscv_core_profile_take(const struct riscv_core *c)
{
    const struct riscv_code *code = c->code;
    for (uint32_t i = 0; code->profile && i < code->size; i++)
        for (struct riscv_block *b = code->table[i]; b; b = b->chain)
            riscv_block_take(code->profile, b);
}

struct line {
    uint64_t pc, times;
};

static int by_address(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

void riscv_profile_visit(const struct riscv_profile *p, void (*fn)(void *arg, uint64_t pc, uint64_t times),
                         void *arg)
{
    struct line *line = base_alloc((p->times.live + 1) * sizeof *line, "profile");
    uint32_t at = 0, n = 0;
    for (const uint64_t *times; (times = base_table_next(&p->times, &at));)
        line[n++] = (struct line){base_table_key(times), *times};
    qsort(line, n, sizeof *line, by_address);
    for (uint32_t k = 0; k < n; k++)
        fn(arg, line[k].pc, line[k].times);
    free(line);
}
