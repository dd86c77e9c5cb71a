/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program: what a core runs. A program is a file, loaded once for all cores that run it: its text and
 * constants are the same bytes for all of them. A process is one core with its own data, files and folder.
 * Knows no engine: what a process needs of its surroundings is its world.
 *
 * Bare programs run in M mode in memory around their segments. Their text may not be written. RAM ends at the
 * symbol __stack, where picolibc's linker script puts the top of the stack, if there is one. They reach the
 * host by semihosting, by `tohost` (riscv-tests), or by ecall as Linux programs do.
 * Linux programs are static executables in U mode: calls.c.
 */
#ifndef PGASIM_RISCV_PROGRAM_H
#define PGASIM_RISCV_PROGRAM_H

#include "base/base.h"
#include "riscv/core/core.h"

struct riscv_program;

enum riscv_system { RISCV_SYSTEM_AUTO, RISCV_SYSTEM_BARE, RISCV_SYSTEM_LINUX };
struct riscv_program_config {
    const char *path;
    enum riscv_system system; /* AUTO: by the file */
    uint64_t memory; /* bytes: RAM of bare programs without __stack; Linux: heap, and again for mmap */
    uint64_t stack;  /* bytes, of Linux programs */
};
/* -1 with st: the file cannot be read, or is no such program. */
int riscv_program_open(struct riscv_program **out, const struct riscv_program_config *config,
                       struct base_status *st);
void riscv_program_close(struct riscv_program *p);
/* Counts how often each instruction is executed, by all its processes. Before the first one starts. */
void riscv_program_profile(struct riscv_program *p, struct riscv_profile *profile);
/* An address's file, with its folders, and line (0: not known), of many addresses: out[k] for pc[k], where
 * `file` and `file_size` are set. */
struct source_query;
void riscv_program_lines(const struct riscv_program *p, const uint64_t *pc, size_t n,
                         struct source_query *out);
enum riscv_system riscv_program_system(const struct riscv_program *p);
const char *riscv_program_path(const struct riscv_program *p);
uint64_t riscv_program_entry(const struct riscv_program *p);

/* --- names, for reports: slow --------------------------------------------------------------------------- */

/* "solve, mesh.c:41"; "solve+0x1c" or "0x80000010" without debug information; returns buf. */
char *riscv_program_place(const struct riscv_program *p, uint64_t pc, char *buf, size_t size);
/* The function at an address ("" if not known), its file and line (0: not known). */
uint32_t riscv_program_source(const struct riscv_program *p, uint64_t pc, char *function,
                              size_t function_size, char *file, size_t file_size);
/* "grid+16", the object at an address; false: none is known. */
bool riscv_program_data_name(const struct riscv_program *p, uint64_t address, char *buf, size_t size);
bool riscv_program_symbol(const struct riscv_program *p, const char *name, uint64_t *address);
/* Number of the function at pc, for counters that are kept by function, and its name: 0 is "not in a
 * function". */
uint32_t riscv_program_function(const struct riscv_program *p, uint64_t pc);
uint32_t riscv_program_functions(const struct riscv_program *p);
uint64_t riscv_program_function_begin(const struct riscv_program *p, uint32_t number); /* 0 has none: 0 */
const char *riscv_program_function_name(const struct riscv_program *p, uint32_t number);

/* --- processes ------------------------------------------------------------------------------------------ */

/* What programs ask of the machine around their core. */
struct riscv_world {
    void (*write)(void *ctx, int fd, const char *text, size_t size); /* fd: 1 or 2 */
    void (*prompt)(void *ctx);                                       /* standard input is about to be read */
    uint64_t (*now)(void *ctx);  /* nanoseconds, as the host's clock shows them */
    uint64_t (*used)(void *ctx); /* the same as the core has used, which no clock's drift changes */
    void (*sleep)(void *ctx, uint64_t nanoseconds);
    void (*sleep_until)(void *ctx, uint64_t now); /* until the clock shows this; it may already */
    void (*yield)(void *ctx);
    void (*stuck)(void *ctx, const char *what); /* it waits for what only it could bring; may return */
    uint32_t rank;                              /* numbers a process; a random stream is its own */
    uint32_t ranks;                             /* of the job */
};

struct riscv_file { /* of a descriptor: its number with the host; -1: closed */
    int host;
    bool close_on_exec;
    bool pipe; /* it made it, and nobody else has an end */
};
struct riscv_mapped {
    uint64_t base, size;
};
struct riscv_process {
    struct riscv_core core; /* its owner is the process */
    const struct riscv_program *program;
    const struct riscv_world *world;
    void *ctx;
    char *const *argv;     /* the caller's */
    unsigned char *memory; /* all that is its own */
    uint64_t heap_end;     /* brk */
    struct {
        struct riscv_mapped *at;
        size_t n, cap;
    } mapped; /* by mmap, in order of address */
    struct {
        struct riscv_file *at;
        size_t n, cap;
    } files;
    int folder;          /* a descriptor of the host, or AT_FDCWD */
    uint64_t random;     /* state of its stream */
    uint64_t action[65]; /* handlers of signals, as the program set them */
    uint64_t tohost, fromhost;
    int error;  /* semihosting: the last errno */
    int status; /* once core.ended */
    int signal; /* the program ended itself by it; 0: it did not */
};

/* Makes the memory, and puts the core at the program's entry; port, timing, options and hart are the
 * caller's. The environment: "NAME=value", NULL-ended, for Linux programs. -1 with st: arguments too long, no
 * memory. */
int riscv_process_start(struct riscv_process *x, const struct riscv_program *p,
                        const struct riscv_world *world, void *ctx, char *const *argv, char *const *envp,
                        struct base_status *st);
void riscv_process_release(struct riscv_process *x);

/* Functions for the core's port. */
bool riscv_process_ecall(struct riscv_core *c);
bool riscv_process_semihost(struct riscv_core *c);
/* Of addresses in no span: tohost and fromhost. */
bool riscv_process_load(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value);
bool riscv_process_store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value);
/* Whether an exception is an error to be reported, rather than the program's own business. */
bool riscv_process_is_error(const struct riscv_core *c, enum riscv_cause cause);

static inline struct riscv_process *riscv_process_of(const struct riscv_core *c)
{
    return c->owner;
}

/* --- reports of errors ---------------------------------------------------------------------------------- */

/* The signal that Linux would send for it. */
int riscv_fault_signal(enum riscv_cause cause);
/* "load access fault at 0x10 (near NULL)", in words, of the trap that the core has stopped at. */
char *riscv_fault_text(const struct riscv_process *x, char *buf, size_t size);
/* Calls fn with lines that follow a report: backtrace, registers, instructions around pc. */
void riscv_fault_lines(const struct riscv_process *x, void (*fn)(const char *line));

#endif
