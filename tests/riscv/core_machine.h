/* SPDX-License-Identifier: BSD-3-Clause */
/* core_machine: a core with a page or so of memory, for tests that write their instructions as words. */
#ifndef PGASIM_TESTS_RISCV_CORE_MACHINE_H
#define PGASIM_TESTS_RISCV_CORE_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "riscv/core/core.h"

#define TEXT UINT64_C(0x80000000)
#define DATA UINT64_C(0x80008000)

struct machine {
    struct riscv_core core;
    struct riscv_port port;
    unsigned char memory[0x10000]; /* from TEXT on; all may be done there */
};

enum { ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5 };

static inline uint32_t r_word(uint32_t base, unsigned rd, unsigned rs1, unsigned rs2)
{
    return base | rd << 7 | rs1 << 15 | rs2 << 20;
}
static inline uint32_t i_word(uint32_t base, unsigned rd, unsigned rs1, int imm)
{
    return base | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}
static inline uint32_t s_word(uint32_t base, unsigned rs2, unsigned rs1, int imm)
{
    return base | ((uint32_t)imm & 31) << 7 | rs1 << 15 | rs2 << 20 | (uint32_t)imm >> 5 << 25;
}

#define ADDI(rd, rs1, imm) i_word(0x13, rd, rs1, imm)
#define EBREAK             0x00100073u

static inline bool machine_refuse(struct riscv_core *c, enum riscv_cause cause, uint64_t value)
{
    (void)c;
    (void)cause;
    (void)value;
    return false;
}

/* Starts at TEXT with these words; traps end the run. */
static inline void machine_init(struct machine *m, const uint32_t *words, unsigned n)
{
    memset(m, 0, sizeof *m);
    m->port.trap = machine_refuse;
    m->core.port = &m->port;
    struct riscv_code *code = riscv_code_create();
    riscv_core_init(&m->core, code, TEXT);
    riscv_code_drop(code);
    assert_true(riscv_core_span(&m->core, (struct riscv_span){TEXT, sizeof m->memory, m->memory, 7}));
    for (unsigned i = 0; i < n; i++)
        memcpy(m->memory + 4 * i, &words[i], 4);
    m->core.owner = m;
}

/* Executes one instruction, which must not trap. */
static inline void machine_do(struct machine *m, uint32_t word)
{
    struct riscv_core *c = &m->core;
    struct riscv_code *code = riscv_code_create(); /* what was decoded there is another word */
    riscv_code_drop(c->code);
    c->code = code;
    c->pc = TEXT;
    memcpy(m->memory, &word, 4);
    assert_int_equal(riscv_core_run(c, 1), RISCV_BUDGET);
}

/* Executes one instruction, which must trap with this cause. */
static inline void machine_traps(struct machine *m, uint32_t word, enum riscv_cause cause, uint64_t value)
{
    struct riscv_core *c = &m->core;
    uint64_t before = c->instret;
    struct riscv_code *code = riscv_code_create();
    riscv_code_drop(c->code);
    c->code = code;
    c->pc = TEXT;
    memcpy(m->memory, &word, 4);
    assert_int_equal(riscv_core_run(c, 1), RISCV_TRAPPED);
    assert_int_equal(c->cause, cause);
    assert_int_equal(c->value, value);
    assert_int_equal(c->pc, TEXT);
    assert_int_equal(c->instret, before);
}

static inline uint64_t machine_word(const struct machine *m, uint64_t address, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, m->memory + (address - TEXT), bytes);
    return value;
}

static inline void machine_put(struct machine *m, uint64_t address, unsigned bytes, uint64_t value)
{
    memcpy(m->memory + (address - TEXT), &value, bytes);
}

/* Random numbers with many small ones, extremes and equal halves among them. */
static inline uint64_t machine_random(uint64_t *state)
{
    static const uint64_t special[] = {0,         1,          UINT64_MAX, UINT64_C(1) << 63,
                                       INT64_MAX, UINT32_MAX, 0x80000000, 2};
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ *state >> 29;
    switch (x >> 60) {
    case 0:
    case 1:
        return special[x & 7];
    case 2:
        return x & 63;
    case 3:
        return (uint64_t)(int64_t)(int32_t)x;
    default:
        return x;
    }
}

#endif
