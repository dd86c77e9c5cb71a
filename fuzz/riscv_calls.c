/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any system calls of a Linux program and any semihosting calls of a bare one, with any arguments: results,
 * never an access outside of the process's memory. Each call takes 26 bytes: which, and the six arguments in
 * 4 bytes each with a byte that says what they stand for. Calls that change files are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "riscv/program/program.h"

#include "../tests/riscv/small_elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t clock_of_test;

static void world_write(void *ctx, int fd, const char *text, size_t size)
{
    uint64_t sum = 0;
    (void)ctx, (void)fd;
    for (size_t k = 0; k < size; k++)
        sum += (unsigned char)text[k];
    __asm__ volatile("" : : "r"(sum)); /* each byte was read */
}

static void world_nothing(void *ctx)
{
    (void)ctx;
}

static uint64_t world_now(void *ctx)
{
    (void)ctx;
    return clock_of_test += 1000;
}

static void world_sleep(void *ctx, uint64_t nanoseconds)
{
    (void)ctx;
    clock_of_test += nanoseconds;
}

static void world_sleep_until(void *ctx, uint64_t now)
{
    (void)ctx;
    if (now > clock_of_test)
        clock_of_test = now;
}

static void world_stuck(void *ctx, const char *what)
{
    (void)ctx, (void)what;
}

/* Rank 1: its standard input is empty. */
static const struct riscv_world world = {.write = world_write,
                                         .prompt = world_nothing,
                                         .now = world_now,
                                         .used = world_now,
                                         .sleep = world_sleep,
                                         .sleep_until = world_sleep_until,
                                         .yield = world_nothing,
                                         .stuck = world_stuck,
                                         .rank = 1,
                                         .ranks = 2};

/* A small number, an address in the data, in the stack, in the room for mmap, or any. */
static uint64_t argument(const struct riscv_process *x, uint8_t kind, uint32_t value)
{
    switch (kind % 6) {
    case 0:
        return value % 16;
    case 1:
        return x->core.span[1].base + value % SMALL_ROOM;
    case 2:
        return x->core.x[2] + value % 4096 - 2048;
    case 3:
        return x->core.span[x->core.spans - 1].base + (uint64_t)value % 65536 * 4096;
    case 4:
        return (uint64_t)(int32_t)value;
    default:
        return value;
    }
}

static bool changes_files(uint64_t call)
{
    static const uint64_t calls[] = {34, 35, 46, 49, 56, 68};
    for (size_t k = 0; k < BASE_LENGTH(calls); k++)
        if (calls[k] == call)
            return true;
    return false;
}

static void call(struct riscv_process *x, const uint8_t *p)
{

    uint64_t number = p[0] + 256u * (p[1] % 2);
    for (int k = 0; k < 6; k++) {
        uint32_t value;
        memcpy(&value, p + 2 + 4 * k, 4);
        x->core.x[10 + k] = argument(x, (uint8_t)(p[1] >> k), value);
    }
    x->core.x[17] = number;
    if (!changes_files(number))
        riscv_process_ecall(&x->core);
    x->core.x[10] = number % 64;
    uint64_t which = x->core.x[10]; /* not: open, temporary name, remove, rename */
    if (which != 1 && which != 0x0d && which != 0x0e && which != 0x0f && which != 0x12)
        riscv_process_semihost(&x->core);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { CALL = 26 };
    static char name[] = "program", *argv[] = {name, NULL};
    static struct riscv_program *p;
    struct riscv_process x;
    struct base_status st;
    if (!p) {
        struct small_elf e = small_elf(0x10000);
        char *path = small_elf_write(&e, sizeof e);
        const struct riscv_program_config config = {.path = path, .memory = 1 << 20, .stack = 1 << 18};
        if (!path || riscv_program_open(&p, &config, &st))
            abort();
        unlink(path);
        free(path);
        base_report_to(fopen("/dev/null", "we"));
    }
    if (riscv_process_start(&x, p, &world, &x, argv, NULL, &st))
        abort();
    for (size_t at = 0; at + CALL <= size; at += CALL)
        call(&x, data + at);
    riscv_process_release(&x);
    return 0;
}
