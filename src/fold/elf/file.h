/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: reads what folding needs to know from an ELF file (part of elf.h). Every offset in the file is
 * checked before use, so a damaged file is an error and not a crash.
 */
#ifndef PGASIM_FOLD_ELF_FILE_H
#define PGASIM_FOLD_ELF_FILE_H

#include <elf.h>

#include "base/base.h"

/* Kinds of relocations that hold an address: a word, a slot of a call, the address of a global. */
#if defined(__x86_64__)
#define RELOC_WORD R_X86_64_64
#define RELOC_SLOT R_X86_64_JUMP_SLOT
#define RELOC_GLOB R_X86_64_GLOB_DAT
#elif defined(__aarch64__)
#define RELOC_WORD R_AARCH64_ABS64
#define RELOC_SLOT R_AARCH64_JUMP_SLOT
#define RELOC_GLOB R_AARCH64_GLOB_DAT
#endif

/* A shared object or position-independent program, mapped read-only. Pointers point into the mapping and are
 * NULL when the object has no such table. */
struct elf_file {
    const unsigned char *bytes;
    size_t size;
    bool mapped; /* bytes came from elf_open and are unmapped by elf_close */
    bool fixed;  /* an executable that is not position-independent */
    const Elf64_Phdr *segment;
    uint32_t n_segments;
    const Elf64_Dyn *dynamic; /* DT_NULL ends it within the file: checked */
    uint32_t n_dynamic;
    size_t dynamic_offset;
    uint64_t dynamic_address;
    const char *strings; /* the dynamic string table, 0-terminated within strings_size */
    size_t strings_size;
    const Elf64_Sym *symbol;
    uint32_t n_symbols; /* as many as fit after DT_SYMTAB (file.c says how they are counted) */
    const Elf64_Rela *relocation;
    uint32_t n_relocations;
    const Elf64_Rela *plt_relocation;
    uint32_t n_plt_relocations;
    size_t tables_end;   /* file offset behind the last table that the dynamic linker reads */
    uint64_t image_size; /* bytes from the first to the end of the last loaded segment */
    uint64_t init, init_array, init_array_size; /* virtual addresses, bytes; 0: none */
    uint64_t fini, fini_array, fini_array_size;
    uint64_t tls_size, tls_align;
};

/* Maps and checks `path`; -1 with st naming the file and what is wrong. */
int elf_open(struct elf_file *f, const char *path, struct base_status *st);
/* Also accepts executables that are not position-independent, for inspection only. */
int elf_open_any(struct elf_file *f, const char *path, struct base_status *st);
/* As elf_open_any, for bytes in memory that outlive f (tests, fuzzing). */
int elf_read_any(struct elf_file *f, const void *bytes, size_t size, const char *name,
                 struct base_status *st);
/* As elf_open, for such bytes. */
int elf_read(struct elf_file *f, const void *bytes, size_t size, const char *name, struct base_status *st);
void elf_close(struct elf_file *f);
/* -1 with st: the dynamic linker would go astray in it (sound.c). For objects that are about to be loaded. */
int elf_check_sound(const struct elf_file *f, const char *name, struct base_status *st);

static inline bool elf_within(const struct elf_file *f, uint64_t offset, uint64_t size)
{
    return offset <= f->size && size <= f->size - offset;
}
/* Tables are used in place, so they must be aligned in memory: a mapping is, given bytes may not be. */
static inline bool elf_usable(const struct elf_file *f, uint64_t offset, uint64_t size)
{
    return elf_within(f, offset, size) && ((uintptr_t)(f->bytes + offset) & 7) == 0;
}

/* The bytes at virtual address v, or NULL unless all `size` of them lie in the file part of one segment. */
const void *elf_at(const struct elf_file *f, uint64_t v, size_t size);
/* The same as a file offset; SIZE_MAX: none. */
size_t elf_offset(const struct elf_file *f, uint64_t v, size_t size);
/* Value of the first dynamic entry with this tag; false when there is none. */
bool elf_dynamic_find(const struct elf_file *f, int64_t tag, uint64_t *value);
/* A name in the dynamic string table; "" when the offset is out of range. */
const char *elf_string(const struct elf_file *f, uint64_t offset);
/* The n-th DT_NEEDED name, or NULL. */
const char *elf_needed(const struct elf_file *f, uint32_t n);
/* The virtual address of a symbol that the dynamic symbol table defines (not just refers to). */
bool elf_symbol_find(const struct elf_file *f, const char *name, uint64_t *address);
/* The symbol itself, or NULL. */
const Elf64_Sym *elf_definition(const struct elf_file *f, const char *name);
/* Calls fn for each name that the dynamic symbol table refers to and does not define. */
typedef void (*elf_reference_fn)(void *arg, const char *name, bool weak);
void elf_references_each(const struct elf_file *f, elf_reference_fn fn, void *arg);
/* Whether it uses the initial-exec model: thread-local data at a fixed distance from the thread pointer. */
bool elf_static_tls(const struct elf_file *f);
/* Whether it names a dynamic linker, as programs do. */
bool elf_has_interpreter(const struct elf_file *f);
/* The symbol that relocation r refers to, or NULL. */
const Elf64_Sym *elf_relocation_symbol(const struct elf_file *f, const Elf64_Rela *r);
/* All relocations, plain ones first: i < n_relocations + n_plt_relocations. */
static inline const Elf64_Rela *elf_relocation_at(const struct elf_file *f, uint32_t i)
{
    return i < f->n_relocations ? &f->relocation[i] : &f->plt_relocation[i - f->n_relocations];
}

/* How far functions move the stack pointer down in one step without touching what they step over (frames.c):
 * the largest fixed step, in bytes, and where a function that takes it begins; the number of functions that
 * take steps of any size (alloca, arrays of variable length), and where the first of them begins. */
struct elf_frames {
    uint64_t largest, largest_at;
    uint64_t variable, variable_at;
};
/* false, and all zero: the file has no index of its functions. */
bool elf_frames_read(const struct elf_file *f, struct elf_frames *out);

/* How many functions are instrumented for `pgasim check`; 0: none (instrumented.c). */
uint32_t elf_instrumented(const struct elf_file *f);
/* The names of the sources that have no instrumented code, as the full symbol table has them (symbols.c); returns how
 * many there are, and stores the first `room` of them. */
size_t elf_sources_unseen(const struct elf_file *f, const char **name, size_t room);
/* Functions in the full symbol table; 0: it is stripped. */
uint32_t elf_functions(const struct elf_file *f);

/* Calls fn for each data object of the full symbol table (.symtab); for none in a stripped file. */
typedef void (*elf_object_fn)(void *arg, const char *name, uint64_t address, uint64_t size);
void elf_objects_each(const struct elf_file *f, elf_object_fn fn, void *arg);
/* The function of the full symbol table that contains a virtual address, or NULL. */
const char *elf_function_at(const struct elf_file *f, uint64_t address);

#endif
