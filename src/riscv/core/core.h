/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core: one RV64 core: RV64IMAFDC, Zicsr, Zifencei, Zba, Zbb, Zbs, Zacas, M and U mode, xBGAS and the remote
 * atomic extension (paper 002). Knows no platform, no files and no clock: what is outside of the core is its
 * port, whose functions may block, for a core runs on a stack of its own.
 *
 * Memory: a core sees a few spans of bytes. What lies in none of them is asked of the port. Cores that run
 * the same program share its decoded instructions (struct riscv_code): a core that has changed its text gets
 * its own at the next fence.i, as the architecture demands.
 */
#ifndef PGASIM_RISCV_CORE_H
#define PGASIM_RISCV_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct riscv_core;

/* --- memory ----------------------------------------------------------------------------------------- */

enum riscv_access { RISCV_READ = 1, RISCV_WRITE = 2, RISCV_EXECUTE = 4 };

struct riscv_span {
    uint64_t base, size;
    unsigned char *host; /* where its bytes are */
    uint8_t may;         /* set of enum riscv_access */
};
enum { RISCV_SPANS = 8 };

/* --- what a core asks of its surroundings -------------------------------------------------------------- */

/* A load, store or atomic with an object number other than 0 (xBGAS: {e[rs1], x[rs1]}). */
enum riscv_remote_kind {
    RISCV_LOAD,
    RISCV_STORE,
    RISCV_ADD,
    RISCV_XOR,
    RISCV_OR,
    RISCV_AND,
    RISCV_MIN, /* signed */
    RISCV_MAX,
    RISCV_CAS, /* as amocas of Zacas; or, by --cas=symmetric, as the authors' Spike has it */
};
struct riscv_remote {
    uint64_t object, address;
    uint64_t operand;  /* stores, atomics; CAS: the new value */
    uint64_t expected; /* CAS */
    uint64_t result;   /* loads, atomics: the old value, not extended; the port's */
    uint8_t kind;      /* enum riscv_remote_kind */
    uint8_t bytes;     /* 1, 2, 4, 8 */
};

enum riscv_cause { /* of exceptions: mcause */
                   RISCV_FETCH_MISALIGNED,
                   RISCV_FETCH_FAULT,
                   RISCV_ILLEGAL,
                   RISCV_BREAKPOINT,
                   RISCV_LOAD_MISALIGNED,
                   RISCV_LOAD_FAULT,
                   RISCV_STORE_MISALIGNED,
                   RISCV_STORE_FAULT,
                   RISCV_ECALL_U,
                   RISCV_ECALL_M = 11,
};

/* Any may be NULL: then there is no such thing. All are called with pc at the instruction, and instret and
 * cycle as they are before it. */
struct riscv_port {
    /* Local bytes in no span. false: an access fault. */
    bool (*load)(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t *value);
    bool (*store)(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value);
    /* Returns when it is done: may block. false: an access fault (an unknown object). */
    bool (*remote)(struct riscv_core *c, struct riscv_remote *access);
    void (*fence)(struct riscv_core *c); /* fence: waits until all remote stores before it are done */
    bool (*ecall)(struct riscv_core *c); /* done; false: it traps */
    bool (*semihost)(
        struct riscv_core *c); /* slli x0,x0,31; ebreak; srai x0,x0,7. done; false: ebreak traps */
    /* An exception is about to be taken. false: it is not; riscv_core_run returns RISCV_TRAPPED. */
    bool (*trap)(struct riscv_core *c, enum riscv_cause cause, uint64_t value);
    uint64_t (*time)(struct riscv_core *c); /* the CSR time, ticks */
};

enum { RISCV_LINE = 64 }; /* bytes of text that are fetched together */

/* Cycles beyond the instruction's own (its class has them in instructions.def). NULL functions: 0. Called
 * only in runs with timing, before the instruction has any effect; they may block. */
enum riscv_use { RISCV_USE_LOAD, RISCV_USE_STORE, RISCV_USE_ATOMIC };
struct riscv_timing {
    /* Of an instruction in another line of text than the one before it. */
    uint32_t (*fetch)(struct riscv_core *c, uint64_t address);
    uint32_t (*data)(struct riscv_core *c, uint64_t address, unsigned bytes, enum riscv_use use);
};

/* Lines that the timing's functions need not be asked about: a fetch from one takes no cycles, a load `hit`,
 * and so do stores and atomics if the line is marked as RISCV_OWNED. The timing keeps the list. A line has
 * one place in it, by its number. */
enum { RISCV_NEAR = 64, RISCV_OWNED = 1 };
struct riscv_near {
    uint64_t line[RISCV_NEAR]; /* number << 1, or RISCV_OWNED; UINT64_MAX: none */
    uint64_t mask;             /* places that are used - 1; a power of two of them */
    uint32_t hit;              /* cycles beyond the instruction's own */
    uint64_t hits, fetches;    /* counted by the core */
};

/* --- the core ------------------------------------------------------------------------------------------ */

/* Classes of instructions, for counters and own cycles (instructions.def). */
enum riscv_class {
    RISCV_ALU,
    RISCV_JUMP, /* branches, too */
    RISCV_MEMORY,
    RISCV_MUL,
    RISCV_DIV,
    RISCV_FLOAT,
    RISCV_FDIV, /* and square roots */
    RISCV_AMO,  /* lr, sc, amo: local */
    RISCV_SYSTEM,
    RISCV_REMOTE_MEMORY, /* xBGAS loads and stores, whatever their object */
    RISCV_REMOTE_AMO,
    RISCV_CLASSES
};

enum riscv_end {
    RISCV_BUDGET,  /* the instructions are used up */
    RISCV_ENDED,   /* `ended` was set by a function of the port */
    RISCV_TRAPPED, /* an exception was refused: cause and value are in the core, pc at the instruction */
    RISCV_WAITS,   /* wfi with nothing pending */
};

struct riscv_options {
    bool xbgas_2020;    /* words of eaddie, ese, erle, erse as before xBGAS 2.0.0 */
    bool cas_symmetric; /* eamocas: expected = x[rs2], new = the local word at the same address */
    bool low_extended;  /* e0 to e9 may not be used: using one is illegal */
};

struct riscv_code; /* decoded instructions of a text */

struct riscv_core {
    uint64_t x[32], pc, f[32], e[32];
    uint64_t instret, cycle; /* cycle: equal to instret plus stalls; advanced by timing and by the owner */
    /* Instructions that were executed for the core by others. The program's counters contain them. */
    uint64_t elsewhere;
    uint64_t count[RISCV_CLASSES];
    const struct riscv_port *port;
    const struct riscv_timing *timing; /* NULL: off */
    struct riscv_near *near;           /* NULL: the timing is always asked */
    void *owner;
    struct riscv_code *code;
    struct riscv_options options;
    struct riscv_span span[RISCV_SPANS];
    uint32_t spans;
    uint32_t hart; /* mhartid */
    uint32_t fflags, frm;
    uint64_t reserved; /* lr: its address, or UINT64_MAX */
    /* eag: the next access of xBGAS is of so many elements, local ones from there on; 0: of one. */
    struct {
        uint64_t count, address;
    } aggregate;
    uint64_t line; /* of text, where the timing was last told of an instruction; or UINT64_MAX */
    uint8_t mode;  /* 3: M, 0: U */
    bool ended;    /* by the port */
    bool flat;     /* with timing: instructions take one cycle each, as without */
    enum riscv_cause cause;
    uint64_t value;
    uint64_t object; /* of the access that failed; 0: it was local */
    struct {
        uint64_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval, medeleg, mideleg, mcounteren;
    } csr;
};

/* Code of a program, for all cores with the same text at the same addresses. Freed when its last core is. */
struct riscv_code *riscv_code_create(void);
void riscv_code_drop(struct riscv_code *code);

/* How often each instruction was executed, by its address: exact, traps and budgets included. Cores of a code
 * that has one take a loop of their own. The code does not own it. */
struct riscv_profile;
struct riscv_profile *riscv_profile_create(void);
void riscv_profile_destroy(struct riscv_profile *p);
void riscv_code_profile(struct riscv_code *code, struct riscv_profile *p); /* before its first core runs */
/* Adds what the core's code has counted since: before the profile is read. */
void riscv_core_profile_take(const struct riscv_core *c);
void riscv_profile_add(struct riscv_profile *p, uint64_t pc, uint64_t times);
/* In order of address. */
void riscv_profile_visit(const struct riscv_profile *p, void (*fn)(void *arg, uint64_t pc, uint64_t times),
                         void *arg);

/* Reset: all registers 0, M mode, pc. Floating point is off until mstatus.FS (bits 13, 14) is not 0. The
 * fields port, timing, owner, options, hart are the caller's, set before or after. Takes a share of code. */
void riscv_core_init(struct riscv_core *c, struct riscv_code *code, uint64_t pc);
void riscv_core_close(struct riscv_core *c);
/* false: too many, or it overlaps another. */
bool riscv_core_span(struct riscv_core *c, struct riscv_span s);
/* Runs at most so many instructions. An exception at the first instruction of the trap handler ends the run,
 * too: it would be taken for ever. */
enum riscv_end riscv_core_run(struct riscv_core *c, uint64_t instructions);
/* Where the bytes [address, address + size) are, if they lie in one span that may be used so; or NULL. */
void *riscv_core_bytes(const struct riscv_core *c, uint64_t address, uint64_t size, uint8_t may);

/* The address was changed by others: a reservation there is lost. */
static inline void riscv_core_changed(struct riscv_core *c, uint64_t address, uint64_t size)
{
    if (c->reserved - address < size || address - c->reserved < 8)
        c->reserved = UINT64_MAX;
}
/* The old value (not extended); *value becomes the new one. What a card's core and a local amo do. */
uint64_t riscv_amo(enum riscv_remote_kind kind, unsigned bytes, void *word, uint64_t operand,
                   uint64_t expected);

/* --- text ------------------------------------------------------------------------------------------- */

/* Writes the instruction as GNU objdump does ("addi\ta0,a0,1"); returns its bytes, 2 or 4. Unknown words:
 * ".4byte\t0x.." or ".2byte\t0x..". */
unsigned riscv_disassemble(uint32_t word, uint64_t pc, const struct riscv_options *o, char *text,
                           size_t size);
const char *riscv_register_name(unsigned x); /* "zero", "ra", ... */
const char *riscv_float_name(unsigned f);
const char *riscv_cause_text(enum riscv_cause cause);

#endif
