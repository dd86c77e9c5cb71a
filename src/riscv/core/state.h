/* SPDX-License-Identifier: BSD-3-Clause */
/* state: what the interpreter needs of a core's memory, control registers and traps. */
#ifndef PGASIM_RISCV_CORE_STATE_H
#define PGASIM_RISCV_CORE_STATE_H

#include "riscv/core/code.h"

/* Fields of mstatus. */
#define RISCV_MIE  (UINT64_C(1) << 3)
#define RISCV_MPIE (UINT64_C(1) << 7)
#define RISCV_MPP  (UINT64_C(3) << 11)
#define RISCV_FS   (UINT64_C(3) << 13)
#define RISCV_MPRV (UINT64_C(1) << 17)
#define RISCV_TW   (UINT64_C(1) << 21)
#define RISCV_UXL  (UINT64_C(2) << 32) /* 64 bits, always */
#define RISCV_SD   (UINT64_C(1) << 63)

/* Loads and stores wherever the bytes are: in a span, at the port, or across a border. false: an access
 * fault, which is in the core's cause and value. A load's value is not extended. */
bool riscv_load(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value);
bool riscv_store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value);
/* A local atomic of 4 or 8 bytes. `which` is an instruction's id, `value` its operand; *old is not
 * extended. false: a trap. */
bool riscv_atomic(struct riscv_core *c, unsigned which, uint64_t address, uint64_t value, uint64_t expected,
                  uint64_t *old);
/* amocas.q. false: a trap. */
bool riscv_atomic_quad(struct riscv_core *c, const struct riscv_op *op);

/* A remote access for an instruction: object, address and kind; *value is the operand, then the result, not
 * extended. false: a trap. */
bool riscv_remote_access(struct riscv_core *c, uint64_t object, uint64_t address, unsigned kind,
                         unsigned bytes, uint64_t *value, uint64_t expected);
/* A remote atomic (eamo*). false: a trap. */
bool riscv_remote_atomic(struct riscv_core *c, const struct riscv_op *op);

/* A floating-point instruction other than a load or store. false: a trap. */
bool riscv_float(struct riscv_core *c, const struct riscv_op *op);
static inline uint64_t riscv_orc_b(uint64_t x)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t set = (((x & low) + low) | x) & ~low; /* bit 7 of each byte that is not 0 */
    return (set >> 7) * 255;
}

/* Sets cause and value, for `return riscv_fails(...)`. */
static inline bool riscv_fails(struct riscv_core *c, enum riscv_cause cause, uint64_t value)
{
    c->cause = cause;
    c->value = value;
    c->object = 0;
    return false;
}

/* The same, for an access to an object. */
static inline bool riscv_fails_there(struct riscv_core *c, enum riscv_cause cause, uint64_t address,
                                     uint64_t object)
{
    riscv_fails(c, cause, address);
    c->object = object;
    return false;
}

/* Takes the exception that is in cause and value, at pc; false: the port refused it. */
bool riscv_trap(struct riscv_core *c);
/* Takes an interrupt if there is one. */
void riscv_interrupt(struct riscv_core *c);

/* A CSR instruction, without the change of pc. false: it is illegal. */
bool riscv_csr(struct riscv_core *c, const struct riscv_op *op);
/* ecall, ebreak, mret, wfi, fence.i with pc at the instruction; afterwards it is where execution goes on.
 * false: a trap. *waits: wfi with nothing pending. */
bool riscv_system(struct riscv_core *c, const struct riscv_op *op, bool *waits);

#endif
