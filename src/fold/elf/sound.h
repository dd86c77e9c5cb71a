/* SPDX-License-Identifier: BSD-3-Clause */
/* sound: what sound.c and lookup.c share (private to them). */
#ifndef PGASIM_FOLD_ELF_SOUND_H
#define PGASIM_FOLD_ELF_SOUND_H

#include "fold/elf/file.h"

struct sound {
    const struct elf_file *f;
    uint64_t numbers;  /* where the numbers of the symbols' versions are; 0: symbols have none */
    uint32_t versions; /* the highest such number that stands for a version */
};

/* The bytes of the file at a virtual address that are readable once loaded; NULL: not all of them are. */
const void *sound_table(const struct elf_file *f, uint64_t v, uint64_t size);

/* --- lookup.c --------------------------------------------------------------------------------------- */

/* The tables of versions that the object defines and needs; fills in `s`. */
bool sound_versions(struct sound *s);
/* The table by which the linker finds the symbols that the object defines. */
bool sound_hash(const struct sound *s);
/* A symbol that is about to be looked up: its name and the number of its version. */
bool sound_symbol(const struct sound *s, uint32_t number);

#endif
