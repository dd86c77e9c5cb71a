/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a program for RISC-V: an error, or segments and symbols that lie within the file. */
#include <stdlib.h>
#include <string.h>

#include "riscv/program/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t walk(const struct riscv_elf *f)
{
    uint64_t sum = f->entry + f->headers, address = 0;
    for (uint32_t k = 0; k < f->segments; k++) {
        const struct riscv_segment *s = &f->segment[k];
        if (s->bytes > s->size || (k && s->address < s[-1].address + s[-1].size))
            abort();
        for (uint64_t i = 0; i < s->bytes; i++)
            sum += f->bytes[s->offset + i];
    }
    for (size_t k = 0; k < f->symbols; k++) {
        sum += strlen(f->symbol[k].name);
        if (k && f->symbol[k].address < f->symbol[k - 1].address)
            abort();
        const struct riscv_symbol *s = riscv_elf_near(f, f->symbol[k].address);
        if (s && s->address > f->symbol[k].address)
            abort();
    }
    return sum + riscv_elf_symbol(f, "tohost", &address) + address;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct riscv_elf f;
    struct base_status st;
    void *copy = malloc(size ? size : 1); /* exactly as long as it says */
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    if (riscv_elf_read(&f, "input", copy, size, &st) == 0)
        __asm__ volatile("" : : "r"(walk(&f))); /* the walk must not be optimized away */
    riscv_elf_release(&f);
    free(copy);
    return 0;
}
