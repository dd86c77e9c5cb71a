/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a program: the decoder, the disassembler and the interpreter. First byte: options. How a run
 * is sliced must not change what it does. A program can read its cycles, so a run with timing only has to
 * end.
 */
#include "riscv/core/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT = 0x10000, SPACE = 8192, INSTRUCTIONS = 3000 };

static bool remote(struct riscv_core *c, struct riscv_remote *a)
{
    a->result = c->instret * 3 + a->address;
    return a->object < 1000;
}

static bool load(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value)
{
    *value = address * bytes + c->instret;
    return address < 0x1000;
}

static bool store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value)
{
    c->ended = (value & 255) == 77;
    return address + bytes < 0x1000;
}

static bool semihost(struct riscv_core *c)
{
    c->x[10] = c->instret;
    return true;
}

static uint32_t fetch(struct riscv_core *c, uint64_t address)
{
    return (uint32_t)(c->pc == address);
}

static uint32_t access_time(struct riscv_core *c, uint64_t address, unsigned bytes, enum riscv_use use)
{
    (void)c;
    return (uint32_t)(address & 3) + bytes + use;
}

static void run(struct riscv_core *c, unsigned char *memory, const uint8_t *data, size_t size, uint64_t slice,
                bool timed)
{
    static const struct riscv_port port = {
        .remote = remote, .load = load, .store = store, .semihost = semihost};
    static const struct riscv_timing timing = {fetch, access_time};
    size_t n = size - 1 < SPACE ? size - 1 : SPACE;
    memset(memory, 0, SPACE);
    memcpy(memory, data + 1, n);
    *c = (struct riscv_core){.port = &port, .timing = timed ? &timing : NULL};
    c->options = (struct riscv_options){data[0] & 1, data[0] & 2, data[0] & 4};
    struct riscv_code *code = riscv_code_create();
    riscv_core_init(c, code, TEXT);
    riscv_code_drop(code);
    c->csr.mstatus = data[0] & 8 ? 1 << 13 : 0;
    c->csr.mtvec = TEXT + (data[0] & 0xf0);
    for (unsigned i = 1; i < 32; i++) {
        c->x[i] = TEXT + SPACE / 2 + 128 * i;
        c->e[i] = i % 3;
    }
    BASE_ASSERT("R1", riscv_core_span(c, (struct riscv_span){TEXT, SPACE / 2, memory, 5}));
    BASE_ASSERT("R1",
                riscv_core_span(c, (struct riscv_span){TEXT + SPACE / 2, SPACE / 2, memory + SPACE / 2, 3}));
    uint64_t left = INSTRUCTIONS;
    enum riscv_end end = RISCV_BUDGET;
    while (left > 0 && end == RISCV_BUDGET) {
        end = riscv_core_run(c, left < slice ? left : slice);
        left -= left < slice ? left : slice;
    }
    riscv_core_close(c);
}

/* The text cannot be written: what a core executes that changes its text depends on when it was decoded. */
static void compare(const struct riscv_core *a, const struct riscv_core *b)
{
    BASE_ASSERT("R1", memcmp(a->x, b->x, sizeof a->x) == 0);
    BASE_ASSERT("R1", memcmp(a->f, b->f, sizeof a->f) == 0);
    BASE_ASSERT("R1", memcmp(a->e, b->e, sizeof a->e) == 0);
    BASE_ASSERT("R1", memcmp(a->count, b->count, sizeof a->count) == 0);
    BASE_ASSERT("R1", a->pc == b->pc && a->instret == b->instret && a->fflags == b->fflags);
    BASE_ASSERT("R1", a->x[0] == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[64];
    if (size < 3)
        return 0;
    const struct riscv_options o = {.xbgas_2020 = data[0] & 1};
    for (size_t i = 1; i + 4 <= size; i += 2) {
        uint32_t word;
        memcpy(&word, data + i, 4);
        unsigned bytes = riscv_disassemble(word, i, &o, text, sizeof text);
        BASE_ASSERT("R1", (bytes == 2 || bytes == 4) && strlen(text) > 2);
    }
    struct riscv_core *c = malloc(3 * sizeof *c);
    unsigned char *memory = malloc(3 * SPACE);
    run(&c[0], memory, data, size, INSTRUCTIONS, false);
    run(&c[1], memory + SPACE, data, size, 1 + data[0] % 50, false);
    compare(&c[0], &c[1]);
    BASE_ASSERT("R1", memcmp(memory, memory + SPACE, SPACE) == 0);
    run(&c[2], memory + 2 * SPACE, data, size, 700, true);
    BASE_ASSERT("R1", c[2].x[0] == 0);
    free(memory);
    free(c);
    return 0;
}
