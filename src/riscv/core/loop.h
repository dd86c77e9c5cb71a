/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop: the parts of the interpreter's loop as macros, for run.c, which compiles the loop twice: with and
 * without timing.
 *
 * `done` is what instret will be at the end of the current block, `limit` what it is at the end of the
 * budget. The counters are brought up to date (SETTLE) before anything outside of the loop may look at them.
 */
#ifndef PGASIM_RISCV_CORE_LOOP_H
#define PGASIM_RISCV_CORE_LOOP_H

#include <math.h>
#include <string.h>

#include "riscv/core/float.h"
#include "riscv/core/state.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* The span that is read and written without a search: [base, base + room) holds the addresses of 8 bytes. */
struct riscv_window {
    uint64_t base, room;
    unsigned char *host;
};

/* How many exponents of results, from that of twice the least normal number on, show that no flag can be new
 * (float.inc): all of them while the core is calm, none otherwise. */
struct riscv_calm {
    uint64_t doubles;
    uint32_t singles;
};

enum {
#define INSTRUCTION(id, text, mask, match, format, class, cycles, set) RISCV_CYCLES_##id = (cycles),
#include "riscv/core/instructions.def"
#undef INSTRUCTION
};

/* Operands of the current operation. */
#define RD       (c->x[op->rd])
#define RS1      (c->x[op->rs1])
#define RS2      (c->x[op->rs2])
#define IMM      ((uint64_t)op->imm)
#define W(value) ((uint64_t)(int64_t)(int32_t)(value))

/* The pc of the current operation. */
#define PC (block->pc + 2 * (uint64_t)op->at)

/* Where the loop has an instruction: at a label of its own, or at one for all of its format. */
#define GO_OWN(id)          &&do_##id
#define GO_ATOMIC(id)       &&do_atomic
#define GO_EAMO(id)         &&do_eamo
#define GO_SYSTEM(id)       &&do_system
#define GO_NONE(id)         GO_SYSTEM(id)
#define GO_CSR(id)          GO_SYSTEM(id)
#define GO_CSRI(id)         GO_SYSTEM(id)
#define GO_R(id)            GO_OWN(id)
#define GO_R2(id)           GO_OWN(id)
#define GO_I(id)            GO_OWN(id)
#define GO_SHIFT(id)        GO_OWN(id)
#define GO_LOAD(id)         GO_OWN(id)
#define GO_STORE(id)        GO_OWN(id)
#define GO_B(id)            GO_OWN(id)
#define GO_U(id)            GO_OWN(id)
#define GO_AUIPC(id)        GO_OWN(id)
#define GO_J(id)            GO_OWN(id)
#define GO_JALR(id)         GO_OWN(id)
#define GO_FENCE(id)        GO_OWN(id)
#define GO_LR(id)           GO_OWN(id)
#define GO_SC(id)           GO_OWN(id)
#define GO_AMO(id)          GO_ATOMIC(id)
#define GO_FLOAD(id)        GO_OWN(id)
#define GO_FSTORE(id)       GO_OWN(id)
#define GO_FR(id)           GO_OWN(id)
#define GO_FR4(id)          GO_OWN(id)
#define GO_FR_PLAIN(id)     GO_OWN(id)
#define GO_FS(id)           GO_OWN(id)
#define GO_FCOMPARE(id)     GO_OWN(id)
#define GO_F_TO_X(id)       GO_OWN(id)
#define GO_F_TO_X_PLAIN(id) GO_OWN(id)
#define GO_X_TO_F(id)       GO_OWN(id)
#define GO_X_TO_F_PLAIN(id) GO_OWN(id)
#define GO_ELE(id)          GO_OWN(id)
#define GO_ESE(id)          GO_OWN(id)
#define GO_EADDIE(id)       GO_OWN(id)
#define GO_EADDI(id)        GO_OWN(id)
#define GO_EADDIX(id)       GO_OWN(id)
#define GO_ERLOAD(id)       GO_OWN(id)
#define GO_ERLE(id)         GO_OWN(id)
#define GO_ERSTORE(id)      GO_OWN(id)
#define GO_ERSE(id)         GO_OWN(id)

#endif
