/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trap: exceptions, interrupts, and the instructions that change the mode of a core or end its run. There are
 * two modes, M (3) and U (0); all traps go to M.
 */
#include "riscv/core/state.h"

/* Enters the trap handler. */
static void enter(struct riscv_core *c, uint64_t cause, uint64_t value)
{
    uint64_t s = c->csr.mstatus;
    s &= ~(RISCV_MPIE | RISCV_MPP);
    s |= (s & RISCV_MIE ? RISCV_MPIE : 0) | (uint64_t)c->mode << 11;
    c->csr.mstatus = s & ~RISCV_MIE;
    c->csr.mcause = cause;
    c->csr.mepc = c->pc;
    c->csr.mtval = value;
    c->mode = 3;
    uint64_t vectored = c->csr.mtvec & 1 && cause >> 63 ? 4 * (cause & 63) : 0;
    c->pc = (c->csr.mtvec & ~UINT64_C(3)) + vectored;
}

/* An exception at the handler's first instruction would come again and again, and no budget would end it. */
static bool is_endless(const struct riscv_core *c)
{
    return c->mode == 3 && c->pc == (c->csr.mtvec & ~UINT64_C(3));
}

bool riscv_trap(struct riscv_core *c)
{
    if (c->port && c->port->trap && !c->port->trap(c, c->cause, c->value))
        return false;
    if (c->ended)
        return true;
    if (is_endless(c))
        return false;
    enter(c, c->cause, c->value);
    return true;
}

void riscv_interrupt(struct riscv_core *c)
{
    static const unsigned order[] = {11, 3, 7}; /* external, software, timer */
    uint64_t pending = c->csr.mip & c->csr.mie;
    if (!pending || (c->mode == 3 && !(c->csr.mstatus & RISCV_MIE)))
        return;
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++)
        if (pending >> order[i] & 1) {
            enter(c, UINT64_C(1) << 63 | order[i], 0);
            return;
        }
}

/* ebreak between the two shifts that mark a call of the host (semihosting specification for RISC-V). */
static bool is_semihosting(struct riscv_core *c)
{
    uint32_t before, after;
    unsigned bytes;
    uint64_t fault;
    return riscv_code_fetch(c, c->pc - 4, &before, &bytes, &fault) && before == 0x01f01013 &&
           riscv_code_fetch(c, c->pc + 4, &after, &bytes, &fault) && after == 0x40705013;
}

static bool ebreak(struct riscv_core *c)
{
    if (!c->port || !c->port->semihost || !is_semihosting(c) || !c->port->semihost(c))
        return riscv_fails(c, RISCV_BREAKPOINT, c->pc);
    c->pc += 4;
    return true;
}

static bool ecall(struct riscv_core *c)
{
    if (!c->port || !c->port->ecall || !c->port->ecall(c))
        return riscv_fails(c, c->mode == 3 ? RISCV_ECALL_M : RISCV_ECALL_U, 0);
    c->pc += 4;
    return true;
}

static bool mret(struct riscv_core *c, uint32_t word)
{
    uint64_t s = c->csr.mstatus;
    if (c->mode != 3)
        return riscv_fails(c, RISCV_ILLEGAL, word);
    c->mode = (uint8_t)(s >> 11 & 3);
    s = (s & ~(RISCV_MIE | RISCV_MPP)) | (s & RISCV_MPIE ? RISCV_MIE : 0) | RISCV_MPIE;
    if (c->mode != 3)
        s &= ~RISCV_MPRV;
    c->csr.mstatus = s;
    c->pc = c->csr.mepc;
    return true;
}

bool riscv_system(struct riscv_core *c, const struct riscv_op *op, bool *waits)
{
    switch (op->which) {
    case RV_ecall:
        return ecall(c);
    case RV_ebreak:
        return ebreak(c);
    case RV_mret:
        return mret(c, (uint32_t)op->imm);
    case RV_wfi:
        if (c->mode != 3 && c->csr.mstatus & RISCV_TW)
            return riscv_fails(c, RISCV_ILLEGAL, (uint32_t)op->imm);
        c->pc += 4;
        *waits = !(c->csr.mip & c->csr.mie);
        return true;
    case RV_fence_i:
        c->pc += 4;
        riscv_code_renew(c);
        return true;
    default:
        return riscv_csr(c, op);
    }
}
