/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as the text of a program. A core executes it in one piece, in pieces of 1, 2, 3, ... instructions, and with
 * timing: registers, counters and memory are the same, no instruction too many is executed, and nothing outside of the
 * core's memory is touched. Each word is disassembled as well.
 *
 * The first byte says how the core is set up (enum how), eight more seed its registers.
 */
#include "riscv/core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum how { HANDLED = 1, USER = 2, OLD_XBGAS = 4, SYMMETRIC = 8, LOW = 16, SELF_WRITTEN = 32, FLOATS = 64 };
enum { TEXT = 0x1000, DATA = 0x8000, BYTES = 512, BUDGET = 2000 };

struct world {
    struct riscv_core core;
    unsigned char *text, *data, remote[64];
    size_t size;
    enum riscv_end end;
};

static bool local_load(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value)
{
    (void)c;
    *value = address * bytes;
    return address >> 60 == 5;
}

static bool local_store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value)
{
    (void)c;
    return address >> 60 == 5 && bytes <= 8 && value != 1;
}

static bool remote(struct riscv_core *c, struct riscv_remote *a)
{
    struct world *w = c->owner;
    unsigned char *at = w->remote + a->address % (sizeof w->remote - 7) / 8 * 8;
    if (a->object == 0 || a->object > 3 || (a->bytes != 1 && a->bytes != 2 && a->bytes != 4 && a->bytes != 8))
        return false;
    if (a->kind == RISCV_LOAD)
        memcpy(&a->result, at, a->bytes);
    else if (a->kind == RISCV_STORE)
        memcpy(at, &a->operand, a->bytes);
    else
        a->result = riscv_amo(a->kind, a->bytes, at, a->operand, a->expected);
    return true;
}

static bool refuse(struct riscv_core *c, enum riscv_cause cause, uint64_t value)
{
    (void)c;
    return value == 0 && cause == RISCV_ECALL_M;
}

static uint64_t now(struct riscv_core *c)
{
    return c->instret / 16;
}

static uint32_t some_cycles(struct riscv_core *c, uint64_t address)
{
    (void)c;
    return address & 3;
}

static uint32_t more_cycles(struct riscv_core *c, uint64_t address, unsigned bytes, enum riscv_use use)
{
    (void)c;
    return (uint32_t)(address & 1) + bytes + use;
}

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t r = *seed >> 17;
    switch (r & 3) {
    case 0:
        return DATA + r / 4 % BYTES;
    case 1:
        return r >> 2 & 7;
    case 2:
        return TEXT + (r >> 2 & 0x1fe);
    default:
        return *seed;
    }
}

static const struct riscv_port trapping = {
    .load = local_load, .store = local_store, .remote = remote, .time = now};
static const struct riscv_port refusing = {
    .load = local_load, .store = local_store, .remote = remote, .trap = refuse, .time = now};
static const struct riscv_timing timing = {some_cycles, more_cycles};

static void begin(struct world *w, const uint8_t *head, const uint8_t *text, size_t size, bool timed)
{
    memset(w, 0, sizeof *w);
    uint64_t seed;
    memcpy(&seed, head + 1, sizeof seed);
    struct riscv_code *code = riscv_code_create();
    w->text = malloc(size); /* exactly as long as the span, for AddressSanitizer */
    w->data = malloc(BYTES);
    if (!code || !w->text || !w->data)
        abort();
    w->size = size;
    memcpy(w->text, text, size);
    for (size_t i = 0; i < BYTES; i++)
        w->data[i] = (unsigned char)(i * 37 + seed);
    struct riscv_core *c = &w->core;
    riscv_core_init(c, code, TEXT);
    riscv_code_drop(code);
    c->port = head[0] & HANDLED ? &trapping : &refusing;
    c->timing = timed ? &timing : NULL;
    c->owner = w;
    c->options = (struct riscv_options){head[0] & OLD_XBGAS, head[0] & SYMMETRIC, head[0] & LOW};
    c->mode = head[0] & USER ? 0 : 3;
    c->csr.mtvec = TEXT + 4;
    c->csr.mstatus = head[0] & FLOATS ? 3 << 13 : 0;
    for (int i = 1; i < 32; i++)
        c->x[i] = draw(&seed), c->f[i] = draw(&seed), c->e[i] = draw(&seed) & 3;
    uint8_t may = RISCV_READ | RISCV_EXECUTE | (head[0] & SELF_WRITTEN ? RISCV_WRITE : 0);
    if (!riscv_core_span(c, (struct riscv_span){TEXT, size, w->text, may}) ||
        !riscv_core_span(c, (struct riscv_span){DATA, BYTES, w->data, RISCV_READ | RISCV_WRITE}))
        abort();
}

static void finish(struct world *w)
{
    riscv_core_close(&w->core);
    free(w->text);
    free(w->data);
}

static void require(bool holds, const char *what, const struct world *a, const struct world *b)
{
    if (holds)
        return;
    fprintf(stderr, "%s: pc 0x%llx and 0x%llx, instret %llu and %llu, ends %d and %d\n", what,
            (unsigned long long)a->core.pc, (unsigned long long)b->core.pc,
            (unsigned long long)a->core.instret, (unsigned long long)b->core.instret, (int)a->end,
            (int)b->end);
    abort();
}

static void check_counts(const struct world *w)
{
    uint64_t sum = 0;
    for (int i = 0; i < RISCV_CLASSES; i++)
        sum += w->core.count[i];
    require(sum == w->core.instret, "the classes' sum is not instret", w, w);
    require(w->core.x[0] == 0, "x0 was written", w, w);
}

static void agree(const struct world *a, const struct world *b)
{
    const struct riscv_core *c = &a->core, *d = &b->core;
    require(a->end == b->end && c->pc == d->pc && c->instret == d->instret, "another end", a, b);
    require(memcmp(c->x, d->x, sizeof c->x) == 0, "other integers", a, b);
    require(memcmp(c->f, d->f, sizeof c->f) == 0 && c->fflags == d->fflags && c->frm == d->frm,
            "other floats", a, b);
    require(memcmp(c->e, d->e, sizeof c->e) == 0, "other extended registers", a, b);
    require(memcmp(&c->csr, &d->csr, sizeof c->csr) == 0 && c->mode == d->mode, "another state", a, b);
    require(memcmp(c->count, d->count, sizeof c->count) == 0, "other counters", a, b);
    require(memcmp(a->data, b->data, BYTES) == 0, "other data", a, b);
    require(memcmp(a->remote, b->remote, sizeof a->remote) == 0, "other remote data", a, b);
}

/* Runs BUDGET instructions, in pieces that are longer and longer, or in one. */
static void run(struct world *w, uint64_t piece)
{
    struct riscv_core *c = &w->core;
    uint64_t left = BUDGET;
    w->end = RISCV_BUDGET;
    for (uint64_t n = piece; left > 0 && w->end == RISCV_BUDGET; n++) {
        uint64_t before = c->instret, most = n < left ? n : left;
        w->end = riscv_core_run(c, most);
        require(c->instret - before <= most, "more instructions than allowed", w, w);
        left -= most;
    }
    check_counts(w);
}

static void disassemble(const uint8_t *text, size_t size)
{
    char line[64];
    for (size_t at = 0; at + 4 <= size; at += 2) {
        uint32_t word;
        memcpy(&word, text + at, sizeof word);
        struct riscv_options o = {.xbgas_2020 = at & 2};
        unsigned bytes = riscv_disassemble(word, TEXT + at, &o, line, sizeof line);
        if (bytes != ((word & 3) == 3 ? 4u : 2u) || !*line || strlen(line) >= sizeof line)
            abort();
        riscv_disassemble(word, TEXT + at, &o, line, 3);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 9, MOST = 0x2000 };
    if (size < HEAD + 4 || size > HEAD + MOST)
        return 0;
    const uint8_t *text = data + HEAD;
    size -= HEAD;
    disassemble(text, size);
    static struct world whole, pieces, timed;
    begin(&whole, data, text, size, false);
    begin(&pieces, data, text, size, false);
    begin(&timed, data, text, size, true);
    run(&whole, BUDGET);
    run(&pieces, 1);
    run(&timed, 7);
    /* What is changed in the text is seen after fence.i, or earlier, and mcycle depends on the timing. */
    if (!(data[0] & SELF_WRITTEN))
        agree(&whole, &pieces);
    finish(&whole);
    finish(&pieces);
    finish(&timed);
    return 0;
}
