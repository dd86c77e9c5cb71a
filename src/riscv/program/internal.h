/* SPDX-License-Identifier: BSD-3-Clause */
/* internal: what the files of program/ share. */
#ifndef PGASIM_RISCV_PROGRAM_INTERNAL_H
#define PGASIM_RISCV_PROGRAM_INTERNAL_H

#include "riscv/program/elf.h"
#include "riscv/program/program.h"

enum { RISCV_PAGE = 4096, RISCV_BLOCKS = 6 };

/* Bytes that are the same for all cores. */
struct riscv_shared {
    uint64_t base, size;
    const unsigned char *host;
    uint8_t may;
    bool owned; /* host is from malloc */
};
/* Bytes that each core has for itself, at an offset of its memory. */
struct riscv_block {
    uint64_t base, size, offset;
    uint8_t may;
};
/* What they begin with. */
struct riscv_initial {
    uint64_t address, bytes, offset; /* offset in the file */
};

struct riscv_program {
    char *path;
    struct riscv_elf elf;
    void *map;
    size_t map_size;
    enum riscv_system system;
    uint64_t bias, entry;
    struct riscv_code *code;
    uint32_t shared_count, block_count, initial_count;
    struct riscv_shared shared[RISCV_SEGMENTS];
    struct riscv_block block[RISCV_BLOCKS]; /* the program's own first; Linux: stack and mapped follow */
    struct riscv_initial initial[RISCV_SEGMENTS];
    uint64_t memory_size;         /* of all blocks */
    uint64_t heap, heap_limit;    /* Linux: where brk begins, and how far it goes */
    uint64_t stack, stack_size;   /* Linux: lowest address */
    uint64_t mapped, mapped_size; /* Linux: for mmap */
    uint64_t tohost, fromhost;    /* 0: none */
    bool names_itself; /* picolibc's start-up code, which puts a name before the words of the command line */
    uint64_t trap;     /* picolibc's handler, which only prints numbers; 0: none */
};

/* layout.c: where everything lies; fills in all but path, elf, map, code. -1 with st. */
int riscv_layout(struct riscv_program *p, const struct riscv_program_config *config, struct base_status *st);

/* memory.c: gives the core its spans. */
int riscv_memory_make(struct riscv_process *x, struct base_status *st);
void riscv_memory_release(struct riscv_process *x);
/* Where bytes of the process's memory are, for reading or writing by the host; NULL: not all of them are
 * its. */
void *riscv_memory_at(const struct riscv_process *x, uint64_t address, uint64_t size, uint8_t may);
/* A string of at most `most` bytes with its end; NULL: it is not all there. */
const char *riscv_memory_text(const struct riscv_process *x, uint64_t address, size_t most);
/* Linux's calls of memory: the address, or -errno. */
int64_t riscv_brk(struct riscv_process *x, uint64_t end);
int64_t riscv_mmap(struct riscv_process *x, uint64_t address, uint64_t size, uint64_t flags, int host,
                   uint64_t offset);
int64_t riscv_munmap(struct riscv_process *x, uint64_t address, uint64_t size);
int64_t riscv_mremap(struct riscv_process *x, const uint64_t *a);

/* stack.c: arguments, environment and auxiliary vector of a Linux program. */
int riscv_stack_make(struct riscv_process *x, char *const *envp, struct base_status *st);

/* files.c: descriptors. -1: no such one. */
void riscv_files_begin(struct riscv_process *x);
void riscv_files_end(struct riscv_process *x);
int riscv_file_host(const struct riscv_process *x, uint64_t fd);
int64_t riscv_file_add(struct riscv_process *x, int host, uint64_t least, bool close_on_exec);
int64_t riscv_file_add_pipe(struct riscv_process *x, int host, bool close_on_exec); /* an end of its own one */
int64_t riscv_file_close(struct riscv_process *x, uint64_t fd);
int64_t riscv_file_dup(struct riscv_process *x, uint64_t from, uint64_t to, bool close_on_exec);
int riscv_file_flags(uint64_t given); /* the host's for open's */
uint64_t riscv_file_flags_of(int host);
/* Whether the descriptor is the rank's standard output or error: 1 or 2; 0: neither. */
int riscv_file_output(const struct riscv_process *x, uint64_t fd);
int64_t riscv_file_write(struct riscv_process *x, uint64_t fd, uint64_t address, uint64_t size);
int64_t riscv_file_read(struct riscv_process *x, uint64_t fd, uint64_t address, uint64_t size);
/* The same to memory of the host. */
int64_t riscv_file_take(struct riscv_process *x, uint64_t fd, void *to, uint64_t size);

/* A call of Linux: arguments in, result or -errno out. */
typedef int64_t (*riscv_call_fn)(struct riscv_process *x, const uint64_t *a);
#define CALL(number, name) int64_t riscv_call_##name(struct riscv_process *x, const uint64_t *a);
#include "riscv/program/calls.def"
#undef CALL

uint64_t riscv_random(struct riscv_process *x);
/* The process is over. */
void riscv_process_end(struct riscv_process *x, int status);

#endif
