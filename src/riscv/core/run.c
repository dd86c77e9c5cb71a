/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: the interpreter. A block is entered as a whole: its instructions are counted, and the budget is
 * compared, once. A trap, or a budget that ends within a block, takes back what was not executed.
 *
 * The loop (loop.inc) is compiled four times. Without timing, operations jump from one to the next; with
 * timing, each first tells the time. With a profile, blocks count.
 */
#include "riscv/core/loop.h"

#include "base/base.h"
#include "riscv/core/float_host.h"

/* So many instructions cannot overflow the 16-bit counters of struct riscv_block. */
enum { CHUNK = 32768 };

/* Adds what a run of the loop has counted. */
static void add_counts(struct riscv_core *c, uint64_t packed)
{
    c->count[RISCV_JUMP] += packed & 0xffff;
    c->count[RISCV_MEMORY] += packed >> 16 & 0xffff;
    c->count[RISCV_MUL] += packed >> 32 & 0xffff;
    c->count[RISCV_FLOAT] += packed >> 48;
}

static uint64_t counted(const struct riscv_core *c)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < RISCV_CLASSES; i++)
        sum += i == RISCV_ALU ? 0 : c->count[i];
    return sum;
}

/* A block of the first n operations of another, for a budget that ends there. */
union cut_block {
    struct riscv_block block;
    char room[sizeof(struct riscv_block) + (RISCV_BLOCK + 1) * sizeof(struct riscv_op)];
};

static struct riscv_block *cut(union cut_block *to, const struct riscv_block *from, uint32_t n)
{
    to->block = *from;
    to->block.n = n;
    to->block.counts = riscv_code_counts(from->op, n);
    memcpy(to->block.op, from->op, (n + 1) * sizeof *from->op);
    if (n > 0)
        to->block.op[n - 1].which = (uint16_t)riscv_first_of(from->op[n - 1].which);
    to->block.op[n].which = RV_cut; /* its `at` is that of the instruction that is next */
    return &to->block;
}

/* The span that an access lies in, if it may be used so. */
static const struct riscv_span *span_of(const struct riscv_core *c, uint64_t address, unsigned bytes,
                                        uint8_t may)
{
    for (uint32_t i = 0; i < c->spans; i++) {
        const struct riscv_span *s = &c->span[i];
        uint64_t at = address - s->base;
        if (at < s->size)
            return bytes <= s->size - at && s->may & may ? s : NULL;
    }
    return NULL;
}

/* The near span is the one that was last found by a search and may be read and written. */
static struct riscv_window window(const struct riscv_span *s)
{
    return (struct riscv_window){.base = s->base, .room = s->size >= 8 ? s->size - 7 : 0, .host = s->host};
}

static struct riscv_window first_window(const struct riscv_core *c)
{
    for (uint32_t i = 0; i < c->spans; i++)
        if (c->span[i].may & RISCV_READ && c->span[i].may & RISCV_WRITE)
            return window(&c->span[i]);
    return (struct riscv_window){0};
}

/* A core is calm once a result was not exact, which sets NX for as long as the program leaves it, if it
 * rounds to nearest, and the host does, too. Further results that are not exact change nothing then. */
static struct riscv_calm calm_of(const struct riscv_core *c)
{
    bool calm = (c->csr.mstatus & RISCV_FS) == RISCV_FS && c->frm == FLOAT_RNE && c->fflags & FLOAT_NX &&
                float_host_is_plain();
    return calm ? (struct riscv_calm){.doubles = 0x7ff - 2, .singles = 0xff - 2} : (struct riscv_calm){0};
}

#define PROFILED 0
#define TIMED    0
#define LOOP     run_plain
#include "riscv/core/loop.inc"
#undef TIMED
#undef LOOP
#define TIMED 1
#define LOOP  run_timed
#include "riscv/core/loop.inc"
#undef TIMED
#undef LOOP
#undef PROFILED
#define PROFILED 1
#define TIMED    0
#define LOOP     run_profiled
#include "riscv/core/loop.inc"
#undef TIMED
#undef LOOP
#define TIMED 1
#define LOOP  run_timed_profiled
#include "riscv/core/loop.inc"
#undef TIMED
#undef LOOP
#undef PROFILED

enum riscv_end riscv_core_run(struct riscv_core *c, uint64_t instructions)
{
    static enum riscv_end (*const loops[2][2])(struct riscv_core * c, uint64_t budget, uint64_t * ran) = {
        {run_plain, run_timed}, {run_profiled, run_timed_profiled}};
    enum riscv_end end = RISCV_BUDGET;
    riscv_code_adapt(c);
    while (instructions > 0 && end == RISCV_BUDGET) {
        uint64_t chunk = instructions < CHUNK ? instructions : CHUNK, others = counted(c), ran = 0;
        end = loops[c->code->profile != NULL][c->timing != NULL](c, chunk, &ran);
        c->count[RISCV_ALU] += ran - (counted(c) - others);
        instructions -= ran;
    }
    return end;
}
