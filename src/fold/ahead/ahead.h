/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gates: between code that runs ahead of its turn (rank/ahead.c) and functions of the system's libraries (fold/ahead/).
 *
 * References to such functions, and to what libc.def puts in their place, get the address of a gate: a few instructions
 * that go on to the function at once when the caller has the turn, and first let it take its turn when it is ahead.
 * Functions that code may call ahead (gates.def) have no gate.
 */
#ifndef PGASIM_FOLD_AHEAD_H
#define PGASIM_FOLD_AHEAD_H

#include "fold/elf/elf.h"

/* Why the ranks of a program cannot run ahead, or NULL. */
const char *gates_refusal(const struct objects *o);
/* Adds gates to the slots of all objects. -1: more than there is room for. */
int gates_collect(struct objects *o, uint32_t ranks);
/* What to write in place of the address of a function or an object, for the slot whose value is k. */
uintptr_t gates_address(uint64_t k, uintptr_t address);

/* getopt's variables, of which each rank has its own: code that is ahead reads them without asking. */
struct gates_options {
    int index, errors, character;
    char *argument;
};
struct gates_options *gates_options(uint32_t rank); /* NULL: there are no gates */
void gates_copy(uint32_t rank);                     /* the next addresses are those of the rank's copy */
void gates_close(void);

#endif
