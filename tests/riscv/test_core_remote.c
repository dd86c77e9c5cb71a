/* SPDX-License-Identifier: BSD-3-Clause */
/* xBGAS, the remote atomic extension, Zacas and local atomics: words, operands, results, against a sequential
 * model that is written out here. */
#include "core_machine.h"

#include <stdlib.h>

/* A port whose objects 1 and 2 are pages; it keeps the last access. */
struct objects {
    struct machine m;
    unsigned char page[2][256];
    struct riscv_remote last;
    unsigned calls;
};

static bool objects_remote(struct riscv_core *c, struct riscv_remote *a)
{
    struct objects *o = (struct objects *)c->owner;
    o->calls++;
    o->last = *a;
    if (a->object < 1 || a->object > 2 || a->address + a->bytes > sizeof o->page[0])
        return false;
    a->result = riscv_amo(a->kind, a->bytes, o->page[a->object - 1] + a->address, a->operand, a->expected);
    return true;
}

static struct objects *objects_create(void)
{
    struct objects *o = calloc(1, sizeof *o);
    machine_init(&o->m, NULL, 0);
    o->m.port.remote = objects_remote;
    return o;
}

static void objects_destroy(struct objects *o)
{
    riscv_core_close(&o->m.core);
    free(o);
}

static int64_t extend(uint64_t x, unsigned bytes)
{
    return bytes == 4 ? (int32_t)x : (int64_t)x;
}

/* What an atomic leaves in memory: written once more, by name. */
static uint64_t model(const char *name, unsigned bytes, uint64_t old, uint64_t b, uint64_t expected)
{
    if (!strcmp(name, "add"))
        return old + b;
    if (!strcmp(name, "xor"))
        return old ^ b;
    if (!strcmp(name, "and"))
        return old & b;
    if (!strcmp(name, "or"))
        return old | b;
    if (!strcmp(name, "min"))
        return extend(old, bytes) < extend(b, bytes) ? old : b;
    if (!strcmp(name, "max"))
        return extend(old, bytes) > extend(b, bytes) ? old : b;
    return extend(old, bytes) == extend(expected, bytes) ? b : old; /* cas */
}

static const struct {
    const char *name;
    uint32_t eamo, amo; /* .w; .d is 0x1000 more */
} atomics[] = {
    {"xor", 0x0200606b, 0x2000202f}, {"and", 0x0400606b, 0x6000202f}, {"or", 0x0600606b, 0x4000202f},
    {"min", 0x0800606b, 0x8000202f}, {"max", 0x0a00606b, 0xa000202f}, {"cas", 0x0c00606b, 0x2800202f},
    {"add", 0x0e00606b, 0x0000202f},
};

/* One atomic at a word that holds `old`, either local (object 0, or by amo) or remote: the same effect. */
static void one_atomic(struct objects *o, unsigned i, unsigned bytes, unsigned way, uint64_t old, uint64_t b,
                       uint64_t expected)
{
    struct riscv_core *c = &o->m.core;
    uint32_t base = (way == 0 ? atomics[i].amo : atomics[i].eamo) + (bytes == 8 ? 0x1000 : 0);
    uint64_t address = way == 2 ? 0x40 : DATA;
    unsigned char *word = way == 2 ? o->page[1] + 0x40 : o->m.memory + (DATA - TEXT);
    uint64_t guard = UINT64_C(0xa5a5a5a5a5a5a5a5), now = 0, want, mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
    memcpy(word, &guard, 8);
    memcpy(word, &old, bytes);
    c->x[A0] = expected;
    c->x[A1] = address;
    c->x[A2] = b;
    c->e[A1] = way == 2 ? 2 : 0;
    machine_do(&o->m, r_word(base, A0, A1, A2));
    memcpy(&now, word, 8);
    want = model(atomics[i].name, bytes, old, b, expected);
    want = (want & mask) | (guard & ~mask);
    if (now != want || (int64_t)c->x[A0] != extend(old, bytes))
        fail_msg("%s, %u bytes, way %u, old %#lx, operand %#lx: memory %#lx, expected %#lx; rd %#lx",
                 atomics[i].name, bytes, way, old, b, now, want, c->x[A0]);
}

static void all_atomics(void **state)
{
    (void)state;
    struct objects *o = objects_create();
    uint64_t seed = 7;
    for (unsigned i = 0; i < sizeof atomics / sizeof *atomics; i++)
        for (unsigned k = 0; k < 300; k++) {
            uint64_t old = machine_random(&seed), b = machine_random(&seed), other = machine_random(&seed);
            for (unsigned way = 0; way < 3; way++)
                one_atomic(o, i, k % 2 ? 8 : 4, way, old, b, k % 3 ? old : other);
        }
    assert_int_equal(o->calls, 7 * 300);
    objects_destroy(o);
}

/* amocas.q: pairs of registers; x0 as a pair is 0; odd registers are reserved. */
static void compare_and_swap_of_16_bytes(void **state)
{
    (void)state;
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    for (unsigned differs = 0; differs < 3; differs++) {
        machine_put(&o->m, DATA, 8, 11);
        machine_put(&o->m, DATA + 8, 8, 22);
        c->x[A0] = 11 + (differs == 1);
        c->x[A1] = 22 + (differs == 2);
        c->x[A2] = 33;
        c->x[A3] = 44;
        c->x[A4] = DATA;
        machine_do(&o->m, r_word(0x2800402f, A0, A4, A2));
        assert_int_equal(c->x[A0], 11);
        assert_int_equal(c->x[A1], 22);
        assert_int_equal(machine_word(&o->m, DATA, 8), differs ? 11 : 33);
        assert_int_equal(machine_word(&o->m, DATA + 8, 8), differs ? 22 : 44);
    }
    machine_put(&o->m, DATA, 8, 0);
    machine_put(&o->m, DATA + 8, 8, 0);
    c->x[RA] = 5; /* x0 as a pair does not use x1 */
    machine_do(&o->m, r_word(0x2800402f, ZERO, A4, A2));
    assert_int_equal(machine_word(&o->m, DATA + 8, 8), 44);
    assert_int_equal(c->x[RA], 5);
    machine_traps(&o->m, r_word(0x2800402f, A1, A4, A2), RISCV_ILLEGAL, r_word(0x2800402f, A1, A4, A2));
    machine_traps(&o->m, r_word(0x2800402f, A0, A4, A3), RISCV_ILLEGAL, r_word(0x2800402f, A0, A4, A3));
    c->x[A4] = DATA + 8;
    machine_traps(&o->m, r_word(0x2800402f, A0, A4, A2), RISCV_STORE_MISALIGNED, DATA + 8);
    objects_destroy(o);
}

/* An amocas with random operands, and what there is before or after it. */
struct swap {
    unsigned which; /* .w, .d, .q */
    unsigned rd, rs1, rs2;
    uint64_t x[32], memory[2];
};
static const uint32_t swaps[] = {0x2800202f, 0x2800302f, 0x2800402f};

/* x0 and equal registers are among them, and equal values more often than not. Pairs begin at even numbers. */
static struct swap swap_draw(uint64_t *seed, unsigned which)
{
    uint64_t r = machine_random(seed), mask = which == 2 ? 30 : 31;
    struct swap s = {.which = which};
    s.rd = (unsigned)(r >> 8 & mask);
    s.rs2 = (unsigned)(r >> 16 & mask);
    s.rs1 = (unsigned)(1 + (r >> 24) % 31);
    for (unsigned i = 1; i < 32; i++)
        s.x[i] = machine_random(seed);
    s.x[s.rs1] = DATA;
    s.memory[0] = machine_random(seed) % 4 ? s.x[s.rd] : machine_random(seed);
    s.memory[1] = machine_random(seed) % 4 ? s.rd ? s.x[s.rd | 1] : 0 : machine_random(seed);
    return s;
}

/* The model: one step of the sequence. */
static struct swap swap_done(const struct swap *s)
{
    struct swap after = *s;
    uint64_t mask = s->which == 0 ? UINT32_MAX : UINT64_MAX;
    bool equal = ((s->memory[0] ^ s->x[s->rd]) & mask) == 0;
    if (s->which == 2)
        equal = equal && s->memory[1] == (s->rd ? s->x[s->rd | 1] : 0);
    if (equal)
        after.memory[0] = (s->memory[0] & ~mask) | (s->x[s->rs2] & mask);
    if (equal && s->which == 2)
        after.memory[1] = s->rs2 ? s->x[s->rs2 | 1] : 0;
    if (s->rd == 0)
        return after;
    after.x[s->rd] = (uint64_t)extend(s->memory[0], s->which == 0 ? 4 : 8);
    if (s->which == 2)
        after.x[s->rd | 1] = s->memory[1];
    return after;
}

static void random_compare_and_swap(void **state)
{
    (void)state;
    const uint64_t first_seed = 20260002;
    uint64_t seed = first_seed, now[2];
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    for (unsigned k = 0; k < 6000; k++) {
        struct swap s = swap_draw(&seed, k % 3), want = swap_done(&s);
        memcpy(o->m.memory + (DATA - TEXT), s.memory, 16);
        memcpy(c->x, s.x, sizeof c->x);
        machine_do(&o->m, r_word(swaps[s.which], s.rd, s.rs1, s.rs2) | (k & 12) << 23); /* aq, rl */
        memcpy(now, o->m.memory + (DATA - TEXT), 16);
        for (unsigned i = 0; i < 32; i++)
            if (c->x[i] != want.x[i] || memcmp(now, want.memory, 16) != 0)
                fail_msg("seed %lu, number %u: amocas of %u bytes, rd x%u, rs1 x%u, rs2 x%u, old %#lx %#lx: "
                         "memory %#lx %#lx, expected %#lx %#lx; x%u %#lx, expected %#lx",
                         first_seed, k, 4u << s.which, s.rd, s.rs1, s.rs2, s.memory[0], s.memory[1], now[0],
                         now[1], want.memory[0], want.memory[1], i, c->x[i], want.x[i]);
    }
    objects_destroy(o);
}

/* Figure 5 of paper 002: eamoadd.d x31, x21, x20 adds 1 to A of another PE; x31 receives 0. */
static void figure_5(void **state)
{
    (void)state;
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    c->x[21] = 8;
    c->e[21] = 1;
    c->x[20] = 1;
    c->x[31] = 99;
    machine_do(&o->m, 0x0f4affeb);
    assert_int_equal(c->x[31], 0);
    assert_int_equal(o->page[0][8], 1);
    assert_int_equal(o->last.kind, RISCV_ADD);
    assert_int_equal(c->count[RISCV_REMOTE_AMO], 1);
    objects_destroy(o);
}

/* The authors' compare-and-swap: expected in rs2, the new value in the local word at the same address. */
static void symmetric(void **state)
{
    (void)state;
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    struct riscv_span low = {0, sizeof o->page[0], o->page[0], RISCV_READ | RISCV_WRITE};
    assert_true(riscv_core_span(c, low)); /* the core's own memory at the object's addresses */
    c->options.cas_symmetric = true;
    o->page[0][16] = 77;
    o->page[1][16] = 5;
    c->x[A0] = 1;
    c->x[A1] = 16;
    c->e[A1] = 2;
    c->x[A2] = 5;
    machine_do(&o->m, r_word(0x0c00706b, A0, A1, A2));
    assert_int_equal(c->x[A0], 5);
    assert_int_equal(o->page[1][16], 77);
    objects_destroy(o);
}

static void loads_and_stores(void **state)
{
    (void)state;
    static const struct {
        uint32_t load, raw;
        unsigned bytes;
        uint64_t want;
    } loads[] = {
        {0x0077, 0xaa000033, 1, UINT64_C(0xfffffffffffffff8)},
        {0x1077, 0xaa001033, 2, UINT64_C(0xfffffffffffff7f8)},
        {0x2077, 0xaa002033, 4, UINT64_C(0xfffffffff5f6f7f8)},
        {0x3077, 0xaa003033, 8, UINT64_C(0xf1f2f3f4f5f6f7f8)},
        {0x4077, 0xaa004033, 1, 0xf8},
        {0x5077, 0xaa005033, 2, 0xf7f8},
    };
    static const uint32_t stores[] = {0x007b, 0x107b, 0x207b, 0x307b},
                          raw[] = {0x44000033, 0x44001033, 0x44002033, 0x44003033};
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    uint64_t value = UINT64_C(0xf1f2f3f4f5f6f7f8), got;
    memcpy(o->page[0] + 24, &value, 8);
    for (unsigned i = 0; i < 6; i++) {
        c->x[A1] = 20;
        c->e[A1] = 1;
        machine_do(&o->m, i_word(loads[i].load, A0, A1, 4));
        assert_int_equal(c->x[A0], loads[i].want);
        assert_int_equal(o->last.bytes, loads[i].bytes);
        c->x[A1] = 24;
        c->e[A1] = 0;
        c->e[12] = 1;
        machine_do(&o->m, r_word(loads[i].raw, A0, A1, 12));
        assert_int_equal(c->x[A0], loads[i].want);
    }
    for (unsigned i = 0; i < 4; i++) {
        uint64_t mask = UINT64_MAX >> (64 - (8u << i));
        memset(o->page[1], 0, sizeof o->page[1]);
        c->x[A1] = 40;
        c->e[A1] = 2;
        c->x[A2] = value;
        machine_do(&o->m, s_word(stores[i], A2, A1, -8));
        memcpy(&got, o->page[1] + 32, 8);
        assert_int_equal(got, value & mask);
        c->e[13] = 2;
        machine_do(&o->m, r_word(raw[i], 13, A2, A1)); /* value, base */
        memcpy(&got, o->page[1] + 40, 8);
        assert_int_equal(got, value & mask);
    }
    c->e[A1] = 3;
    c->x[A1] = 40;
    machine_traps(&o->m, i_word(0x3077, A0, A1, 0), RISCV_LOAD_FAULT, 40);
    assert_int_equal(c->object, 3);
    machine_traps(&o->m, s_word(0x307b, A0, A1, 0), RISCV_STORE_FAULT, 40);
    for (unsigned i = 0; i < sizeof atomics / sizeof *atomics; i++)
        for (unsigned bytes = 4; bytes <= 8; bytes += 4)
            for (uint64_t off = 0; off < 8; off++) {
                c->e[A1] = off % 2 ? 2 : 3;
                c->x[A1] = 40 + off;
                c->x[A0] = 99;
                machine_traps(&o->m, r_word(atomics[i].eamo + (bytes == 8 ? 0x1000 : 0), A0, A1, A2),
                              off % bytes ? RISCV_STORE_MISALIGNED : RISCV_STORE_FAULT, 40 + off);
                assert_int_equal(c->object, c->e[A1]);
                assert_int_equal(c->x[A0], 99);
            }
    c->x[A1] = DATA + 4; /* a local one */
    c->e[A1] = 0;
    machine_traps(&o->m, r_word(0x0e00706b, A0, A1, A2), RISCV_STORE_MISALIGNED, DATA + 4);
    assert_int_equal(c->object, 0);
    objects_destroy(o);
}

/* The two maps have the same instructions at other words. */
/* eag: the next load or store is of a block. */
static void blocks(void **state)
{
    (void)state;
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    const uint32_t eag = r_word(0x1000106b, T0, A2, A3), elh = i_word(0x1077, T1, A0, 16),
                   esh = s_word(0x107b, T1, A0, 16);
    for (unsigned i = 0; i < 64; i++)
        o->page[1][i] = (unsigned char)(i + 130);
    c->x[A0] = 0, c->e[A0] = 2, c->x[A2] = 5, c->x[A3] = DATA + 3, c->x[T0] = 9;
    machine_do(&o->m, eag);
    assert_int_equal(c->x[T0], 0);
    machine_do(&o->m, elh);
    assert_int_equal(o->calls, 5);
    assert_int_equal(c->x[T1], (int16_t)0x9392);
    for (unsigned i = 0; i < 12; i++) /* and not a byte more */
        assert_int_equal(machine_word(&o->m, DATA + 2 + i, 1), i < 1 || i > 10 ? 0 : 16 + i - 1 + 130);
    machine_do(&o->m, elh); /* one element again */
    assert_int_equal(o->calls, 6);
    c->e[A0] = 1;
    machine_do(&o->m, eag);
    c->x[T1] = 0;
    machine_do(&o->m, esh);
    assert_int_equal(o->calls, 11);
    for (unsigned i = 0; i < 14; i++)
        assert_int_equal(o->page[0][14 + i], i < 2 || i > 11 ? 0 : 16 + i - 2 + 130);
    c->e[A0] = 0, c->x[A0] = DATA + 100; /* an object of its own */
    machine_do(&o->m, eag);
    machine_do(&o->m, esh);
    assert_int_equal(o->calls, 11);
    assert_memory_equal(o->m.memory + (DATA - TEXT) + 116, o->page[0] + 16, 10);
    c->e[A0] = 7;
    machine_do(&o->m, eag);
    machine_traps(&o->m, esh, RISCV_STORE_FAULT, DATA + 116);
    assert_int_equal(c->aggregate.count, 0);
    objects_destroy(o);
}

static void maps(void **state)
{
    (void)state;
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    c->x[A1] = DATA;
    machine_do(&o->m, i_word(0x507b, 10, A1, 3)); /* eaddie e10,a1,3 */
    assert_int_equal(c->e[10], DATA + 3);
    machine_do(&o->m, s_word(0x707b, 10, A1, 8)); /* ese e10,8(a1) */
    assert_int_equal(machine_word(&o->m, DATA + 8, 8), DATA + 3);
    machine_traps(&o->m, r_word(0x42004033, A0, A1, A2), RISCV_ILLEGAL, r_word(0x42004033, A0, A1, A2));
    c->options.xbgas_2020 = true;
    machine_do(&o->m, i_word(0x707b, 11, A1, 5)); /* the words have changed places */
    assert_int_equal(c->e[11], DATA + 5);
    machine_do(&o->m, s_word(0x507b, 11, A1, 16));
    assert_int_equal(machine_word(&o->m, DATA + 16, 8), DATA + 5);
    c->e[12] = 0;
    machine_do(&o->m, r_word(0x42004033, 20, A1, 12)); /* erle e20,a1,e12 */
    assert_int_equal(c->e[20], machine_word(&o->m, DATA, 8));
    machine_do(&o->m, i_word(0x607b, A0, 11, -5)); /* eaddi a0,e11,-5 */
    assert_int_equal(c->x[A0], DATA);
    machine_do(&o->m, i_word(0x7003, 3, 11, 1)); /* eaddix e3,e11,1 */
    assert_int_equal(c->e[3], DATA + 6);
    c->options.low_extended = true;
    machine_traps(&o->m, i_word(0x7003, 3, 11, 1), RISCV_ILLEGAL, i_word(0x7003, 3, 11, 1));
    machine_do(&o->m, i_word(0x7003, 13, 11, 1));
    objects_destroy(o);
}

static void reservations(void **state)
{
    (void)state;
    struct objects *o = objects_create();
    struct riscv_core *c = &o->m.core;
    const uint32_t lr = r_word(0x1000302f, A0, A1, 0), sc = r_word(0x1800302f, A3, A1, A2);
    c->x[A1] = DATA;
    c->x[A2] = 9;
    machine_do(&o->m, lr);
    machine_do(&o->m, sc);
    assert_int_equal(c->x[A3], 0);
    assert_int_equal(machine_word(&o->m, DATA, 8), 9);
    machine_do(&o->m, sc); /* a second one fails */
    assert_int_equal(c->x[A3], 1);
    machine_do(&o->m, lr);
    riscv_core_changed(c, DATA + 4, 4);
    machine_do(&o->m, sc);
    assert_int_equal(c->x[A3], 1);
    machine_do(&o->m, lr);
    riscv_core_changed(c, DATA + 8, 4);
    machine_do(&o->m, sc);
    assert_int_equal(c->x[A3], 0);
    c->x[A1] = DATA + 4;
    machine_traps(&o->m, lr, RISCV_LOAD_MISALIGNED, DATA + 4);
    machine_traps(&o->m, sc, RISCV_STORE_MISALIGNED, DATA + 4);
    objects_destroy(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_atomics),
        cmocka_unit_test(compare_and_swap_of_16_bytes),
        cmocka_unit_test(random_compare_and_swap),
        cmocka_unit_test(figure_5),
        cmocka_unit_test(symmetric),
        cmocka_unit_test(loads_and_stores),
        cmocka_unit_test(maps),
        cmocka_unit_test(blocks),
        cmocka_unit_test(reservations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
