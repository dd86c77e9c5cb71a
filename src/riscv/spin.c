/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spin: loops that only wait. When a core's registers are the same after some instructions at the same place,
 * and none of these stores, or reads a counter, then it does the same until another core changes its memory.
 * So it waits for that, without being executed, and its counters are then put forward by whole turns of the
 * loop: as if it had run. It goes on at the turn after the change, as it would have.
 */
#include <math.h>
#include <string.h>

#include "riscv/internal.h"

enum { LONGEST = 64, SELDOM = 4096 };

/* Whether an instruction changes nothing but registers x and f, and depends on nothing but these and
 * memory. */
static bool is_calm(uint32_t word)
{
    uint32_t quadrant = word & 3, f3 = word >> 13 & 7, opcode = word & 0x7f;
    if (quadrant == 0)
        return f3 < 5; /* not c.fsd, c.sw, c.sd; nor what is reserved */
    if (quadrant == 1)
        return true;
    if (quadrant == 2)
        return f3 < 5 && (word & 0xffff) != 0x9002; /* not c.fsdsp, c.swsp, c.sdsp, c.ebreak */
    switch (opcode) {
    case 0x03: /* loads; but not eaddix, which is among them */
        return (word >> 12 & 7) != 7;
    case 0x07: /* flw, fld */
    case 0x13: /* arithmetic */
    case 0x17: /* auipc */
    case 0x1b:
    case 0x37: /* lui */
    case 0x3b:
    case 0x63: /* branches */
    case 0x67: /* jalr */
    case 0x6f: /* jal */
        return true;
    case 0x33: /* arithmetic; raw accesses of xBGAS are among what lies above */
        return word >> 25 <= 0x20;
    case 0x0f: /* fence, pause: nothing is outstanding in a loop that has stored nothing */
        return (word >> 12 & 7) == 0;
    default:
        return false;
    }
}

struct place {
    uint64_t x[32], f[32], pc;
};

static void take(const struct riscv_core *c, struct place *p)
{
    memcpy(p->x, c->x, sizeof p->x);
    memcpy(p->f, c->f, sizeof p->f);
    p->pc = c->pc;
}

static bool is_there(const struct riscv_core *c, const struct place *p)
{
    return c->pc == p->pc && !memcmp(p->x, c->x, sizeof p->x) && !memcmp(p->f, c->f, sizeof p->f);
}

static bool next_is_calm(const struct riscv_core *c)
{
    uint32_t word = 0;
    const void *at = riscv_core_bytes(c, c->pc, 2, RISCV_EXECUTE);
    if (at)
        memcpy(&word, at, 2);
    if (!at || (word & 3) != 3)
        return at && is_calm(word);
    at = riscv_core_bytes(c, c->pc, 4, RISCV_EXECUTE);
    if (at)
        memcpy(&word, at, 4);
    return at && is_calm(word);
}

/* Runs on until the core is where it was. Returns the instructions, which are at pc[0], ...; 0: it does not
 * come back soon, or does something. */
static int goes_round(struct riscv_core *c, uint64_t pc[LONGEST])
{
    struct place begin;
    take(c, &begin);
    for (int n = 0; n < LONGEST; n++) {
        pc[n] = c->pc;
        if (!next_is_calm(c) || riscv_core_run(c, 1) != RISCV_BUDGET)
            return 0;
        if (is_there(c, &begin))
            return n + 1;
    }
    return 0;
}

/* --- waiting -------------------------------------------------------------------------------------------- */

static bool changed(struct rank *r, void *arg)
{
    struct riscv_rank *k = arg;
    bool is = k->reached != k->seen;
    (void)r;
    if (BASE_UNLIKELY(riscv_recording) && is)
        riscv_record_asked(k);
    return is;
}

double riscv_begin_wait(struct riscv_rank *k, const char *what)
{
    double from = riscv_leave(k);
    rank_enter(what)->caller = (uint32_t)k->process.core.pc;
    return from;
}

void riscv_end_wait(struct riscv_rank *k, const char *what, double from)
{
    rank_leave(k->rank, what);
    riscv_back(k, from, RISCV_STALL_WFI);
    k->calm = 0;
}

void riscv_wait_for_change(struct riscv_rank *k, const char *what, uint64_t turn)
{
    /* The core has looked at its memory as it is now. Others may reach it while the clock catches up with the
     * core. */
    k->seen = k->reached;
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_wait(k, turn);
    const struct rma_condition condition = {.ready = changed, .arg = k, .low = 0, .high = UINTPTR_MAX};
    const struct engine_reason why = {what, NULL, NULL};
    double from = riscv_begin_wait(k, what);
    rma_wait_untold(k->rank, &condition, &why);
    riscv_end_wait(k, what, from);
}

uint64_t riscv_end_turn(struct riscv_rank *k, uint64_t begin, uint64_t turn)
{
    struct riscv_core *c = &k->process.core;
    uint64_t waited = c->cycle - begin, turns = turn ? (waited + turn - 1) / turn : 0;
    k->counts.waited -= waited;
    k->counts.stalled[RISCV_STALL_WFI] -= waited;
    c->cycle = begin + turns * turn;
    k->charged = begin + waited;
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_back(k);
    return turns;
}

void riscv_spin(struct riscv_rank *k)
{
    struct riscv_core *c = &k->process.core;
    uint64_t instret = c->instret, cycle = c->cycle, count[RISCV_CLASSES], pc[LONGEST];
    memcpy(count, c->count, sizeof count);
    uint64_t reached = k->reached;
    int round = goes_round(c, pc);
    if (!round || reached != k->reached) {
        k->look_at = k->look_at < SELDOM ? 2 * k->look_at : SELDOM;
        k->calm = 0;
        return;
    }
    uint64_t each = c->instret - instret, begin = c->cycle;
    riscv_wait_for_change(k, "local loop", begin - cycle);
    uint64_t turns = riscv_end_turn(k, begin, begin - cycle);
    c->instret += turns * each;
    for (int n = 0; n < RISCV_CLASSES; n++)
        c->count[n] += turns * (c->count[n] - count[n]);
    for (int n = 0; k->start->profile && n < round; n++)
        riscv_profile_add(k->start->profile, pc[n], turns);
    k->counts.skipped += turns * each;
    k->look_at = RISCV_FIRST_LOOK;
}
