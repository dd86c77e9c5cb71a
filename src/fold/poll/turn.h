/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turn: one turn of a loop, as single steps recorded it, and what follows from it (private to fold/poll/).
 *
 * The record begins and ends at one instruction, the head, with the same stack pointer. What an instruction
 * reads and writes is given as sets of registers and as aligned words of memory. If nothing that differs from
 * turn to turn (a counter) decides a branch or an address, and nothing is stored outside of the own stack,
 * then the next turn takes the same way, and so do all others, until memory that the turn loads changes: the
 * loop is proven to poll.
 */
#ifndef PGASIM_FOLD_POLL_TURN_H
#define PGASIM_FOLD_POLL_TURN_H

#include "base/base.h"

/* Registers, by number: 16 general ones, flags, sets of other ones, the lower 128 bits of 16 vectors and
 * their upper parts. */
enum {
    POLL_GENERAL = 16,
    POLL_FLAGS = 16,
    POLL_X87 = 17,
    POLL_OTHERS = 18,
    POLL_VECTOR = 32,
    POLL_UPPER = 48
};
#define POLL_BIT(r) (UINT64_C(1) << (r))
enum {
    POLL_BRANCH = 1, /* what it reads decides what comes next */
    POLL_SOURCE = 2, /* its results come from outside: a clock, random bits */
    POLL_CHOICE = 8, /* a conditional jump */
    POLL_OPAQUE = 4, /* a system call, or an instruction that is not known */
};
enum { POLL_ACCESSES = 10, POLL_STEPS = 16384, POLL_WORDS = 8192 };

struct poll_access {
    uint16_t word;  /* its place in the turn's words */
    uint8_t offset; /* of the first byte, in the word */
    bool load, store;
    bool whole; /* all its bytes are stored */
};
struct poll_step {
    uintptr_t pc;
    uint64_t reads, writes; /* registers; one that is written in part is read, too */
    uint64_t addresses;     /* registers that form addresses */
    uint8_t flags, n;
    struct poll_access access[POLL_ACCESSES];
};

/* Eight aligned bytes of memory that the turn touches. */
struct poll_word {
    uintptr_t address;
    uint64_t first, last; /* its value before the turn, and after it */
    bool own;             /* on the rank's own stack */
    bool input;           /* loaded before the turn stored there */
    bool stored;
    /* of the judgement */
    bool varies, tainted, fed, written, carried;
};

struct poll_registers {
    uint64_t general[POLL_GENERAL], flags;
    uint64_t vector[16][2]; /* their lower halves */
};

struct poll_turn {
    struct poll_step *step; /* POLL_STEPS */
    struct poll_word *word; /* POLL_WORDS */
    uint16_t *index;        /* a hash table of twice as many places; 0: free, else word + 1 */
    uint32_t n, words;
    uint32_t elsewhere; /* words stored to that are not on the stack, as far as the recorder knows */
    struct poll_registers first, last;
    uint32_t exits; /* of the judgement: branches that memory alone decides */
    bool blind;     /* it called the simulator, whose memory is no condition of the loop */
    bool full;      /* there was no room for all of it */
};

enum poll_verdict {
    POLL_COMPUTES, /* it does something, as far as is known */
    POLL_UNPROVEN, /* it looks at memory and does nothing, but also counts or asks the system */
    POLL_PROVEN,   /* it goes on for ever unless memory that it loads changes */
};

void poll_turn_create(struct poll_turn *t); /* room for the largest, touched when used */
void poll_turn_destroy(struct poll_turn *t);
void poll_turn_clear(struct poll_turn *t);
/* The word at an address (a multiple of 8), made if it is new: `*made`. NULL: there is no room. */
struct poll_word *poll_turn_word(struct poll_turn *t, uintptr_t address, bool *made);
enum poll_verdict poll_turn_judge(struct poll_turn *t);

#endif
