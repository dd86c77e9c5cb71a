/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host: the words `tohost` and `fromhost` by which riscv-tests and their benchmarks reach a host: 1 ends the
 * program well, other odd numbers n end it with status n / 2 (the test that failed), and an even number is
 * the address of four words of a system call.
 */
#include <errno.h>
#include <string.h>

#include "riscv/program/internal.h"

static void proxied_call(struct riscv_process *x, uint64_t address)
{
    enum { WRITE = 64, EXIT = 93 };
    uint64_t word[4], one = 1;
    void *block = riscv_memory_at(x, address, sizeof word, RISCV_READ | RISCV_WRITE);
    if (!block)
        return;
    memcpy(word, block, sizeof word);
    if (word[0] == EXIT)
        riscv_process_end(x, (int)word[1]);
    else
        word[0] =
            word[0] == WRITE ? (uint64_t)riscv_file_write(x, word[1], word[2], word[3]) : (uint64_t)-ENOSYS;
    memcpy(block, word, sizeof word);
    void *back = x->program->fromhost ? riscv_memory_at(x, x->program->fromhost, 8, RISCV_WRITE) : NULL;
    if (back)
        memcpy(back, &one, sizeof one);
}

bool riscv_process_load(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value)
{
    const struct riscv_process *x = riscv_process_of(c);
    uint64_t at = x->program->tohost;
    if (!at || address - at >= 8 || address - at + bytes > 8)
        return false;
    memcpy(value, (const unsigned char *)&x->tohost + (address - at), bytes);
    return true;
}

/* A 64-bit word may be written in two halves, the lower one first. */
bool riscv_process_store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value)
{
    struct riscv_process *x = riscv_process_of(c);
    uint64_t at = x->program->tohost;
    if (!at || address - at >= 8 || address - at + bytes > 8)
        return false;
    memcpy((unsigned char *)&x->tohost + (address - at), &value, bytes);
    uint64_t said = x->tohost;
    if (said & 1) {
        riscv_process_end(x, (int)(said >> 1 & 0xff));
        if (said >> 1 && !x->status)
            x->status = 1; /* the number's low byte is 0 */
    } else if (said && bytes == 8) {
        x->tohost = 0;
        proxied_call(x, said);
    }
    return true;
}
