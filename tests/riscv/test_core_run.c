/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs: budgets end at the instruction, traps are precise, counters are exact by any slicing, timing is told
 * of every access, cores of one text do not see each other's changes. */
#include "core_machine.h"

#include <stdlib.h>

#include "riscv/core/table.h"

#define BNE(rs1, rs2, back) (0x1063u | (rs1) << 15 | (rs2) << 20 | branch_bits(back))
#define LD(rd, rs1, imm)    i_word(0x3003, rd, rs1, imm)
#define SD(rs2, rs1, imm)   s_word(0x3023, rs2, rs1, imm)
#define MUL(rd, rs1, rs2)   r_word(0x02000033, rd, rs1, rs2)
#define CSRR(rd, csr)       i_word(0x2073, rd, 0, csr)
#define CSRW(csr, rs1)      i_word(0x1073, 0, rs1, csr)
#define MRET                0x30200073u
#define ECALL               0x00000073u

static uint32_t branch_bits(int back)
{
    uint32_t b = (uint32_t)back;
    return (b >> 11 & 1) << 7 | (b >> 1 & 15) << 8 | (b >> 5 & 63) << 25 | (b >> 12 & 1) << 31;
}

static struct machine *create(const uint32_t *words, unsigned n)
{
    struct machine *m = malloc(sizeof *m);
    machine_init(m, words, n);
    return m;
}

static void destroy(struct machine *m)
{
    riscv_core_close(&m->core);
    free(m);
}

static uint64_t profiled[32]; /* by word of the text */

static void note_profile(void *arg, uint64_t pc, uint64_t times)
{
    (void)arg;
    profiled[(pc - TEXT) / 4] = times;
}

static void read_profile(const struct machine *m, const struct riscv_profile *p)
{
    memset(profiled, 0, sizeof profiled);
    riscv_core_profile_take(&m->core);
    riscv_profile_visit(p, note_profile, NULL);
}

/* A loop of 6 instructions, 10 times, then ebreak. */
static struct machine *looping(void)
{
    const uint32_t words[] = {ADDI(A0, ZERO, 10), ADDI(A1, SP, 0),    SD(A0, A1, 0),
                              LD(A2, A1, 0),      MUL(A3, A2, A0),    ADDI(A4, A4, 1),
                              ADDI(A0, A0, -1),   BNE(A0, ZERO, -20), EBREAK};
    struct machine *m = create(words, 9);
    m->core.x[SP] = DATA;
    return m;
}

static void budgets(void **state)
{
    (void)state;
    for (unsigned slice = 1; slice < 20; slice++) {
        struct machine *m = looping();
        struct riscv_core *c = &m->core;
        enum riscv_end end;
        uint64_t before;
        do {
            before = c->instret;
            end = riscv_core_run(c, slice);
            if (end == RISCV_BUDGET)
                assert_int_equal(c->instret, before + slice);
        } while (end == RISCV_BUDGET);
        assert_int_equal(end, RISCV_TRAPPED);
        assert_int_equal(c->cause, RISCV_BREAKPOINT);
        assert_int_equal(c->pc, TEXT + 32);
        assert_int_equal(c->instret, 62);
        assert_int_equal(c->cycle, 62);
        assert_int_equal(c->x[A4], 10);
        assert_int_equal(c->count[RISCV_ALU], 22);
        assert_int_equal(c->count[RISCV_MEMORY], 20);
        assert_int_equal(c->count[RISCV_MUL], 10);
        assert_int_equal(c->count[RISCV_JUMP], 10);
        assert_int_equal(c->count[RISCV_SYSTEM], 0);
        destroy(m);
    }
}

/* The word of an instruction with random registers and immediate. */
static uint32_t any_word(unsigned which, uint64_t *seed)
{
    const struct riscv_instruction *t = &riscv_instructions[which];
    uint32_t word = (uint32_t)(machine_random(seed) ^ machine_random(seed) << 7);
    return (word & ~t->mask) | t->match;
}

/* Each pair that is one operation of the interpreter does what the two do one by one, registers that are the
 * same, traps and all. */
static void pairs(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned k = 0; k < 60 * (RISCV_OPERATIONS - RISCV_PAIRS); k++) {
        const struct riscv_pair *p = &riscv_pairs[k % (RISCV_OPERATIONS - RISCV_PAIRS)];
        uint32_t words[] = {any_word(p->first, &seed), any_word(p->second, &seed)};
        if (p->chain || k % 3 == 0) /* rs1 of the second is rd of the first */
            words[1] = (words[1] & ~(31u << 15)) | (words[0] >> 7 & 31) << 15;
        struct machine *one = create(words, 2), *two = create(words, 2);
        for (unsigned r = 1; r < 32; r++)
            one->core.x[r] = two->core.x[r] = k % 5 ? DATA + 16 * r : machine_random(&seed);
        enum riscv_end whole = riscv_core_run(&one->core, 2), parts = riscv_core_run(&two->core, 1);
        if (parts == RISCV_BUDGET)
            parts = riscv_core_run(&two->core, 1);
        bool same = whole == parts && one->core.pc == two->core.pc &&
                    one->core.instret == two->core.instret && one->core.cycle == two->core.cycle &&
                    one->core.value == two->core.value &&
                    !memcmp(one->core.x, two->core.x, sizeof one->core.x) &&
                    !memcmp(one->core.count, two->core.count, sizeof one->core.count) &&
                    !memcmp(one->memory, two->memory, sizeof one->memory);
        if (!same)
            fail_msg("%s, %s (%08x %08x): not what the two do one by one", riscv_instructions[p->first].name,
                     riscv_instructions[p->second].name, words[0], words[1]);
        destroy(one);
        destroy(two);
    }
}

/* However a run is cut into budgets, each instruction counts as often as it was executed; the one that traps
 * was not. */
static void profile(void **state)
{
    static const uint64_t expected[9] = {1, 1, 10, 10, 10, 10, 10, 10, 0};
    (void)state;
    for (unsigned slice = 1; slice < 70; slice++) {
        struct machine *m = looping();
        struct riscv_profile *p = riscv_profile_create();
        riscv_code_profile(m->core.code, p);
        while (riscv_core_run(&m->core, slice) == RISCV_BUDGET)
            read_profile(m, p); /* counts are taken once, whenever */
        read_profile(m, p);
        for (unsigned k = 0; k < 9; k++)
            if (profiled[k] != expected[k])
                fail_msg("budgets of %u: instruction %u %u times, expected %u", slice, k,
                         (unsigned)profiled[k], (unsigned)expected[k]);
        destroy(m);
        riscv_profile_destroy(p);
    }
}

/* Three rounds that end with a store to no memory in the middle of a block; text that is decoded anew keeps
 * what was counted. */
static void profile_of_traps(void **state)
{
    const uint32_t words[] = {ADDI(A0, A0, 1), SD(A0, A1, 0), ADDI(A2, A2, 1), 0x0000100fu /* fence.i */,
                              EBREAK};
    (void)state;
    struct machine *m = create(words, 5);
    struct riscv_profile *p = riscv_profile_create();
    riscv_code_profile(m->core.code, p);
    for (unsigned round = 0; round < 4; round++) {
        m->core.pc = TEXT;
        m->core.x[A1] = round < 3 ? 16 : DATA;
        assert_int_equal(riscv_core_run(&m->core, 100), RISCV_TRAPPED);
    }
    read_profile(m, p);
    const uint64_t expected[] = {4, 1, 1, 1, 0};
    for (unsigned k = 0; k < 5; k++)
        assert_int_equal(profiled[k], expected[k]);
    assert_int_equal(m->core.instret, 7);
    destroy(m);
    riscv_profile_destroy(p);
}

/* A trap within a block: what is behind it is not counted, what is before it is done. */
static void trap_in_block(void **state)
{
    (void)state;
    const uint32_t words[] = {ADDI(A0, ZERO, 1), LD(A1, A2, 0), ADDI(A0, A0, 1), MUL(A3, A0, A0), EBREAK};
    struct machine *m = create(words, 5);
    struct riscv_core *c = &m->core;
    c->x[A2] = 0x1000;
    assert_int_equal(riscv_core_run(c, 100), RISCV_TRAPPED);
    assert_int_equal(c->cause, RISCV_LOAD_FAULT);
    assert_int_equal(c->value, 0x1000);
    assert_int_equal(c->pc, TEXT + 4);
    assert_int_equal(c->instret, 1);
    assert_int_equal(c->count[RISCV_ALU], 1);
    assert_int_equal(c->count[RISCV_MEMORY], 0);
    assert_int_equal(c->x[A0], 1);
    c->x[A2] = DATA; /* it can go on */
    assert_int_equal(riscv_core_run(c, 100), RISCV_TRAPPED);
    assert_int_equal(c->cause, RISCV_BREAKPOINT);
    assert_int_equal(c->instret, 4);
    destroy(m);
}

/* An exception goes to mtvec and back; ecall from U mode has another cause than from M mode. */
static void handler(void **state)
{
    (void)state;
    const uint32_t words[] = {
        CSRW(0x305, A0), CSRW(0x341, A1), MRET,          /* to U mode at +12 */
        ECALL,           EBREAK,          ADDI(0, 0, 0), /* the handler is at +24 */
        CSRR(A2, 0x342), CSRR(A3, 0x341), CSRR(A4, 0xb02),
        EBREAK,
    };
    struct machine *m = create(words, 10);
    struct riscv_core *c = &m->core;
    m->port.trap = NULL;
    c->x[A0] = TEXT + 24;
    c->x[A1] = TEXT + 12;
    assert_int_equal(riscv_core_run(c, 6), RISCV_BUDGET);
    assert_int_equal(c->x[A2], RISCV_ECALL_U);
    assert_int_equal(c->x[A3], TEXT + 12);
    assert_int_equal(c->x[A4], 5); /* csrw, csrw, mret, csrr, csrr: the ecall is not executed */
    assert_int_equal(c->mode, 3);
    assert_int_equal(c->csr.mstatus >> 11 & 3, 0);
    destroy(m);
}

/* A handler that traps at its first instruction does not run for ever. */
static void endless(void **state)
{
    (void)state;
    const uint32_t words[] = {ADDI(A0, ZERO, 1), 0};
    struct machine *m = create(words, 2);
    m->port.trap = NULL;
    m->core.csr.mtvec = TEXT + 4;
    assert_int_equal(riscv_core_run(&m->core, 100), RISCV_TRAPPED);
    assert_int_equal(m->core.cause, RISCV_ILLEGAL);
    assert_int_equal(m->core.pc, TEXT + 4);
    destroy(m);
}

static void counters_written(void **state)
{
    (void)state;
    const uint32_t words[] = {CSRW(0xb02, A0), CSRR(A1, 0xb02), CSRR(A2, 0xc02), ADDI(0, 0, 0), EBREAK};
    struct machine *m = create(words, 5);
    struct riscv_core *c = &m->core;
    c->x[A0] = UINT64_MAX;
    assert_int_equal(riscv_core_run(c, 4), RISCV_BUDGET);
    assert_int_equal(c->pc, TEXT + 16); /* the budget is not what is in the counter */
    assert_int_equal(c->x[A1], UINT64_MAX);
    assert_int_equal(c->x[A2], 0);
    destroy(m);
}

static void illegal(void **state)
{
    (void)state;
    static const uint32_t words[] = {0,
                                     0xffffffff,
                                     0x0000007f,
                                     0x00000057,
                                     0x7a55a073 /* csrs 0x7a5 */,
                                     0xc0001073 /* csrw to a read-only one */,
                                     0x02b55553 /* rm 5 */};
    struct machine *m = create(NULL, 0);
    m->core.csr.mstatus = 1 << 13;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        machine_traps(m, words[i], RISCV_ILLEGAL, words[i]);
    m->core.csr.mstatus = 0; /* floating point is off */
    machine_traps(m, 0x02b57553, RISCV_ILLEGAL, 0x02b57553);
    machine_traps(m, 0x00053507, RISCV_ILLEGAL, 0x00053507);
    m->core.csr.mstatus = 1 << 13;
    machine_do(m, 0x02b57553);
    assert_int_equal(m->core.csr.mstatus >> 13 & 3, 3);
    destroy(m);
}

/* Spans beside each other, a load across their border, memory that may not be written, and the port's. */
static unsigned stores;
static bool device_load(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value)
{
    *value = address + bytes + 1000 * (c->pc - TEXT);
    return address < 0x100;
}
static bool device_store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value)
{
    stores++;
    c->ended = true;
    return address == 8 && bytes == 4 && value == 0xfffffffe;
}

static void memory(void **state)
{
    (void)state;
    unsigned char other[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const uint32_t words[] = {ADDI(A0, ZERO, -2), LD(A1, ZERO, 32), s_word(0x2023, A0, ZERO, 8),
                              ADDI(A0, ZERO, 1)};
    struct machine *m = create(words, 4);
    struct riscv_core *c = &m->core;
    m->port.load = device_load;
    m->port.store = device_store;
    assert_false(riscv_core_span(c, (struct riscv_span){TEXT - 4, 8, other, 7}));
    assert_true(
        riscv_core_span(c, (struct riscv_span){TEXT + sizeof m->memory, sizeof other, other, RISCV_READ}));
    assert_int_equal(riscv_core_run(c, 100), RISCV_ENDED); /* at the device's store, which counts */
    assert_int_equal(c->instret, 3);
    assert_int_equal(c->pc, TEXT + 12);
    assert_int_equal(c->x[A1], 40 + 4000);
    assert_int_equal(stores, 1);
    assert_int_equal(c->count[RISCV_MEMORY], 2);
    assert_int_equal(c->count[RISCV_ALU], 1);
    c->ended = false;
    c->x[A1] = TEXT + sizeof m->memory - 4;
    machine_do(m, LD(A2, A1, 0));
    assert_int_equal(c->x[A2], UINT64_C(0x0403020100000000));
    machine_traps(m, SD(A2, A1, 0), RISCV_STORE_FAULT, c->x[A1]);
    machine_traps(m, SD(A2, A1, 8), RISCV_STORE_FAULT, c->x[A1] + 8);
    machine_traps(m, LD(A2, A1, 0x7f0), RISCV_LOAD_FAULT, c->x[A1] + 0x7f0);
    c->x[A1] = DATA + 3; /* misaligned */
    c->x[A2] = 0x1122334455667788;
    machine_do(m, SD(A2, A1, 0));
    machine_do(m, LD(A3, A1, 0));
    assert_int_equal(c->x[A3], c->x[A2]);
    destroy(m);
}

/* Two cores share a text; one changes it. */
static void own_code(void **state)
{
    (void)state;
    const uint32_t words[] = {ADDI(A0, ZERO, 1), 0x0000100f /* fence.i */, ADDI(A0, A0, 2), EBREAK};
    struct machine *a = create(words, 4), *b = create(words, 4);
    riscv_code_drop(b->core.code);
    uint64_t span = b->core.spans;
    riscv_core_init(&b->core, a->core.code, TEXT);
    assert_int_equal(span, 1);
    riscv_core_span(&b->core, (struct riscv_span){TEXT, sizeof b->memory, b->memory, 7});
    assert_int_equal(riscv_core_run(&a->core, 100), RISCV_TRAPPED);
    assert_int_equal(a->core.x[A0], 3);
    a->core.pc = TEXT;
    uint32_t changed = ADDI(A0, A0, 7);
    memcpy(a->memory + 8, &changed, 4);
    assert_int_equal(riscv_core_run(&a->core, 100), RISCV_TRAPPED);
    assert_int_equal(a->core.x[A0], 8);
    assert_int_equal(riscv_core_run(&b->core, 1), RISCV_BUDGET);
    b->core.pc = TEXT + 8;
    assert_int_equal(riscv_core_run(&b->core, 1), RISCV_BUDGET);
    assert_int_equal(b->core.x[A0], 3);
    destroy(a);
    destroy(b);
}

/* The marked ebreak calls the host; another one traps. */
static bool semihost(struct riscv_core *c)
{
    assert_int_equal(c->instret, 1);
    c->x[A0] = 42;
    return true;
}

static void semihosting(void **state)
{
    (void)state;
    const uint32_t words[] = {0x01f01013, EBREAK, 0x40705013, EBREAK};
    struct machine *m = create(words, 4);
    m->port.semihost = semihost;
    assert_int_equal(riscv_core_run(&m->core, 100), RISCV_TRAPPED);
    assert_int_equal(m->core.x[A0], 42);
    assert_int_equal(m->core.pc, TEXT + 12);
    assert_int_equal(m->core.instret, 3);
    destroy(m);
}

static void waiting(void **state)
{
    (void)state;
    const uint32_t words[] = {0x10500073, ADDI(A0, A0, 1), EBREAK};
    struct machine *m = create(words, 3);
    struct riscv_core *c = &m->core;
    assert_int_equal(riscv_core_run(c, 100), RISCV_WAITS);
    assert_int_equal(c->pc, TEXT + 4);
    c->csr.mie = c->csr.mip = 0x80; /* a timer interrupt; only MIE lets it in */
    c->csr.mtvec = TEXT + 8;
    assert_int_equal(riscv_core_run(c, 1), RISCV_BUDGET);
    assert_int_equal(c->x[A0], 1);
    c->pc = TEXT + 4;
    c->csr.mstatus = 8;
    assert_int_equal(riscv_core_run(c, 100), RISCV_TRAPPED);
    assert_int_equal(c->csr.mcause, UINT64_C(1) << 63 | 7);
    assert_int_equal(c->csr.mepc, TEXT + 4);
    assert_int_equal(c->x[A0], 1);
    destroy(m);
}

/* Timing: each access once, with the state before it; stalls are cycles, and the class has its own. */
static unsigned told, fetches;
static uint32_t tell_data(struct riscv_core *c, uint64_t address, unsigned bytes, enum riscv_use use)
{
    assert_int_equal(address, DATA);
    assert_int_equal(bytes, 8);
    assert_int_equal(use, told % 2 ? RISCV_USE_LOAD : RISCV_USE_STORE);
    assert_int_equal(c->pc, TEXT + 48 + (told % 2) * 4);
    assert_int_equal(c->instret, 2 + told / 2 * 6 + told % 2);
    told++;
    return 5;
}
static uint32_t tell_fetch(struct riscv_core *c, uint64_t address)
{
    assert_int_equal(address, c->pc);
    fetches++;
    return 0;
}

static void timing(void **state)
{
    (void)state;
    const struct riscv_timing t = {tell_fetch, tell_data};
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = looping();
        enum riscv_end end = RISCV_BUDGET;
        memmove(m->memory + 40, m->memory, 64); /* the loop lies in two lines of text */
        m->core.pc = TEXT + 40;
        m->core.timing = &t;
        told = fetches = 0;
        while (end == RISCV_BUDGET)
            end = riscv_core_run(&m->core, i ? 3 : 1000);
        assert_int_equal(m->core.instret, 62);
        assert_int_equal(told, 20);
        assert_int_equal(m->core.count[RISCV_MUL], 10);
        cycles[i] = m->core.cycle;
        assert_int_equal(fetches, 20);
        destroy(m);
    }
    assert_int_equal(cycles[0], 62 + 20 * 5 + 10 * 2); /* a multiplication has 3 cycles */
    assert_int_equal(cycles[1], cycles[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profile),          cmocka_unit_test(profile_of_traps),
        cmocka_unit_test(budgets),          cmocka_unit_test(pairs),
        cmocka_unit_test(trap_in_block),    cmocka_unit_test(handler),
        cmocka_unit_test(counters_written), cmocka_unit_test(illegal),
        cmocka_unit_test(memory),           cmocka_unit_test(own_code),
        cmocka_unit_test(semihosting),      cmocka_unit_test(waiting),
        cmocka_unit_test(timing),           cmocka_unit_test(endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
