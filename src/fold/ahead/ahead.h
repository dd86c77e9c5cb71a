/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gates: stand between code that runs ahead of its turn (rank/ahead.c) and functions of the system's
 * libraries.
 *
 * References to such functions, and to their replacements from libc.def, get the address of a gate. If the
 * caller has its turn, the gate's few instructions jump to the function at once. If the caller is ahead, it
 * first waits for its turn. Functions that may be called ahead (gates.def) have no gate.
 */
#ifndef PGASIM_FOLD_AHEAD_H
#define PGASIM_FOLD_AHEAD_H

#include "fold/elf/elf.h"

/* Why the ranks of a program cannot run ahead, or NULL. */
const char *gates_refusal(const struct objects *o);
/* Adds gates to the slots of all objects. -1: there is no room for so many. */
int gates_collect(struct objects *o, uint32_t ranks);
/* What to write instead of `address`, that of a function or an object, for the slot whose value is k. */
uintptr_t gates_address(uint64_t k, uintptr_t address);

/* getopt's variables, of which each rank has its own, because code that is ahead reads them directly. */
struct gates_options {
    int index, errors, character;
    char *argument;
};
struct gates_options *gates_options(uint32_t rank); /* NULL: there are no gates */
void gates_copy(uint32_t rank);                     /* the next addresses are for the rank's copy */
void gates_close(void);

#endif
