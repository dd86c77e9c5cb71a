/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf: a program file for RV64 that is loaded as it is: its segments and its symbols (private to program/).
 * Knows no memory of cores. Every offset of the file is checked before it is followed.
 */
#ifndef PGASIM_RISCV_PROGRAM_ELF_H
#define PGASIM_RISCV_PROGRAM_ELF_H

#include "base/base.h"

struct riscv_segment {
    uint64_t address, load; /* where it runs; where a machine without an operating system loads it */
    uint64_t offset, bytes; /* in the file */
    uint64_t size;          /* in memory: at least `bytes`; the rest is zero */
    uint8_t may;            /* set of enum riscv_access */
};

struct riscv_symbol {
    uint64_t address, size;
    const char *name; /* in the file */
    uint8_t type;     /* STT_... */
};

enum { RISCV_SEGMENTS = 16 };
struct riscv_elf {
    const char *path; /* the caller's */
    const unsigned char *bytes;
    size_t size;
    uint64_t entry;
    uint64_t headers; /* where its program headers are in memory; 0: in no segment */
    uint16_t header_count;
    bool moves;   /* position-independent: may be loaded anywhere */
    bool of_libc; /* it says that it is for Linux */
    uint32_t segments;
    struct riscv_segment segment[RISCV_SEGMENTS];
    size_t symbols; /* of code and data, in order of address */
    struct riscv_symbol *symbol;
};

/* `bytes` stay the caller's for as long as the record lives. -1 with st: it is not such a program. */
int riscv_elf_read(struct riscv_elf *f, const char *path, const void *bytes, size_t size,
                   struct base_status *st);
void riscv_elf_release(struct riscv_elf *f);
/* The symbol that an address is in, or the last one of code before it; NULL: none. */
const struct riscv_symbol *riscv_elf_near(const struct riscv_elf *f, uint64_t address);
bool riscv_elf_symbol(const struct riscv_elf *f, const char *name, uint64_t *address);

#endif
