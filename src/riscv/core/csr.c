/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csr: control and status registers. A number that is not listed here is illegal, as is a write to a read-
 * only one or an access from U mode to M mode's. Fields that a core does not have read as zero.
 */
#include "riscv/core/state.h"

enum {
#define CSR(number, name, text) CSR_##name = number,
#include "riscv/core/csrs.def"
#undef CSR
    /* Families of which all are zero. */
    CSR_MHPMEVENT3 = 0x323,
    CSR_MHPMEVENT31 = 0x33f,
    CSR_PMPCFG0 = 0x3a0,
    CSR_PMPADDR0 = 0x3b0,
    CSR_PMPADDR63 = 0x3ef,
    CSR_MHPMCOUNTER3 = 0xb03,
    CSR_MHPMCOUNTER31 = 0xb1f,
    CSR_HPMCOUNTER31 = 0xc1f,
};

/* 64 bits; A, C, D, F, I, M, U, X. */
#define MISA (UINT64_C(2) << 62 | 1u | 1u << 2 | 1u << 3 | 1u << 5 | 1u << 8 | 1u << 12 | 1u << 20 | 1u << 23)
/* Interrupts of M mode: software, timer, external. */
#define INTERRUPTS UINT64_C(0x888)

static bool float_is_on(const struct riscv_core *c)
{
    return (c->csr.mstatus & RISCV_FS) != 0;
}

static uint64_t mstatus(const struct riscv_core *c)
{
    uint64_t s = c->csr.mstatus | RISCV_UXL;
    return (s & RISCV_FS) == RISCV_FS ? s | RISCV_SD : s;
}

/* Whether U mode may read this counter. */
static bool counter_is_open(const struct riscv_core *c, unsigned number)
{
    return c->mode == 3 || c->csr.mcounteren >> (number - CSR_CYCLE) & 1;
}

static bool read_counter(struct riscv_core *c, unsigned number, uint64_t *value)
{
    if (!counter_is_open(c, number))
        return false;
    *value = 0;
    if (number == CSR_CYCLE)
        *value = c->cycle;
    else if (number == CSR_INSTRET)
        *value = c->instret + c->elsewhere;
    else if (number == CSR_TIME)
        *value = c->port && c->port->time ? c->port->time(c) : c->cycle;
    return true;
}

/* Registers of which there are many, all zero: protection of memory, counters of other events. With 64 bits,
 * of the 16 pmpcfg there are the even ones. */
static bool is_zero(unsigned number)
{
    return (number >= CSR_PMPCFG0 && number <= CSR_PMPADDR63 && (number >= CSR_PMPADDR0 || !(number & 1))) ||
           (number >= CSR_MHPMCOUNTER3 && number <= CSR_MHPMCOUNTER31) ||
           (number >= CSR_MHPMEVENT3 && number <= CSR_MHPMEVENT31);
}

static bool read(struct riscv_core *c, unsigned number, uint64_t *value)
{
    *value = 0;
    if (number >= CSR_CYCLE && number <= CSR_HPMCOUNTER31)
        return read_counter(c, number, value);
    switch (number) {
    case CSR_FFLAGS:
        *value = c->fflags;
        return float_is_on(c);
    case CSR_FRM:
        *value = c->frm;
        return float_is_on(c);
    case CSR_FCSR:
        *value = c->fflags | c->frm << 5;
        return float_is_on(c);
    case CSR_MSTATUS:
        *value = mstatus(c);
        return true;
    case CSR_MISA:
        *value = MISA;
        return true;
    case CSR_MIE:
        *value = c->csr.mie;
        return true;
    case CSR_MTVEC:
        *value = c->csr.mtvec;
        return true;
    case CSR_MCOUNTEREN:
        *value = c->csr.mcounteren;
        return true;
    case CSR_MSCRATCH:
        *value = c->csr.mscratch;
        return true;
    case CSR_MEPC:
        *value = c->csr.mepc;
        return true;
    case CSR_MCAUSE:
        *value = c->csr.mcause;
        return true;
    case CSR_MTVAL:
        *value = c->csr.mtval;
        return true;
    case CSR_MIP:
        *value = c->csr.mip;
        return true;
    case CSR_MCYCLE:
        *value = c->cycle;
        return true;
    case CSR_MINSTRET:
        *value = c->instret + c->elsewhere;
        return true;
    case CSR_MHARTID:
        *value = c->hart;
        return true;
    case CSR_MEDELEG: /* there is no mode to delegate to */
    case CSR_MIDELEG:
    case CSR_MENVCFG:
    case CSR_MCOUNTINHIBIT:
    case CSR_TSELECT: /* there are no triggers */
    case CSR_TDATA1:
    case CSR_TDATA2:
    case CSR_TDATA3:
    case CSR_MVENDORID:
    case CSR_MARCHID:
    case CSR_MIMPID:
    case CSR_MCONFIGPTR:
        return true;
    default:
        return is_zero(number);
    }
}

/* MPP holds one of the two modes; another value leaves it as it is. */
static void write_mstatus(struct riscv_core *c, uint64_t value)
{
    uint64_t may = RISCV_MIE | RISCV_MPIE | RISCV_FS | RISCV_MPRV | RISCV_TW;
    uint64_t mpp = value & RISCV_MPP;
    if (mpp == 0 || mpp == RISCV_MPP)
        may |= RISCV_MPP;
    c->csr.mstatus = (c->csr.mstatus & ~may) | (value & may);
}

static void write_float(struct riscv_core *c, unsigned number, uint64_t value)
{
    if (number != CSR_FRM)
        c->fflags = value & 31;
    if (number != CSR_FFLAGS)
        c->frm = (number == CSR_FRM ? value : value >> 5) & 7;
    c->csr.mstatus |= RISCV_FS;
}

/* A counter that is written holds the value at the next instruction: this one does not count. */
static void write(struct riscv_core *c, unsigned number, uint64_t value)
{
    switch (number) {
    case CSR_FFLAGS:
    case CSR_FRM:
    case CSR_FCSR:
        write_float(c, number, value);
        break;
    case CSR_MSTATUS:
        write_mstatus(c, value);
        break;
    case CSR_MIE:
        c->csr.mie = value & INTERRUPTS;
        break;
    case CSR_MTVEC:
        c->csr.mtvec = value & ~UINT64_C(2);
        break;
    case CSR_MCOUNTEREN:
        c->csr.mcounteren = value & 0xffffffff;
        break;
    case CSR_MSCRATCH:
        c->csr.mscratch = value;
        break;
    case CSR_MEPC:
        c->csr.mepc = value & ~UINT64_C(1);
        break;
    case CSR_MCAUSE:
        c->csr.mcause = value;
        break;
    case CSR_MTVAL:
        c->csr.mtval = value;
        break;
    case CSR_MCYCLE:
        c->cycle = value - 1;
        break;
    case CSR_MINSTRET:
        c->instret = value - 1 - c->elsewhere;
        break;
    default:
        break;
    }
}

bool riscv_csr(struct riscv_core *c, const struct riscv_op *op)
{
    unsigned number = (unsigned)op->imm & 0xfff;
    bool immediate = op->rm & 4, writes = (op->rm & 3) == 1 || op->rs1 != 0;
    uint64_t operand = immediate ? op->rs1 : c->x[op->rs1], old;
    uint32_t word = (uint32_t)(op->imm << 20) | (uint32_t)op->rs1 << 15 | (uint32_t)op->rm << 12 |
                    (uint32_t)op->rd << 7 | 0x73;
    bool read_only = number >> 10 == 3;
    if ((number >> 8 & 3) > c->mode || (writes && read_only) || !read(c, number, &old))
        return riscv_fails(c, RISCV_ILLEGAL, word);
    uint64_t now = (op->rm & 3) == 1 ? operand : (op->rm & 3) == 2 ? old | operand : old & ~operand;
    if (writes)
        write(c, number, now);
    if (op->rd)
        c->x[op->rd] = old;
    c->pc += 4;
    return true;
}
