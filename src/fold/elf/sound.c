/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sound: what the dynamic linker takes for granted of an object that it loads. It follows the offsets and
 * addresses in an object's tables as they are, so in a damaged one it reads and writes anywhere, or ends the
 * process. Here they are checked before it is asked. What it checks itself (kinds of relocations, names and
 * versions that nobody defines) is left to it. System V ABI, chapter 5; glibc's elf/ is the linker.
 *
 * Files of all linkers pass that it can load: what is only unusual is not refused. lookup.c has the tables by
 * which it finds symbols.
 */
#include "fold/elf/sound.h"

#include <string.h>

#if defined(__x86_64__)
#define RELOC_NONE      R_X86_64_NONE
#define RELOC_RELATIVE  R_X86_64_RELATIVE
#define RELOC_IRELATIVE R_X86_64_IRELATIVE
#define RELOC_TLSDESC   R_X86_64_TLSDESC
#elif defined(__aarch64__)
#define RELOC_NONE      R_AARCH64_NONE
#define RELOC_RELATIVE  R_AARCH64_RELATIVE
#define RELOC_IRELATIVE R_AARCH64_IRELATIVE
#define RELOC_TLSDESC   R_AARCH64_TLSDESC
#endif
#ifndef DT_RELR
#define DT_RELRSZ 35
#define DT_RELR   36
#endif

/* --- memory of the loaded object -------------------------------------------------------------------- */

/* Whether [v, v + size) is memory of one loaded segment with these permissions. */
static bool in_memory(const struct elf_file *f, uint64_t v, uint64_t size, uint32_t flags)
{
    for (uint32_t k = 0; k < f->n_segments; k++) {
        const Elf64_Phdr *p = &f->segment[k];
        if (p->p_type == PT_LOAD && (p->p_flags & flags) == flags && v >= p->p_vaddr &&
            v - p->p_vaddr <= p->p_memsz && size <= p->p_memsz - (v - p->p_vaddr))
            return true;
    }
    return false;
}

const void *sound_table(const struct elf_file *f, uint64_t v, uint64_t size)
{
    return in_memory(f, v, size, PF_R) ? elf_at(f, v, size) : NULL;
}

/* --- segments --------------------------------------------------------------------------------------- */

static bool segment_is_sound(const struct elf_file *f, const Elf64_Phdr *p)
{
    switch (p->p_type) {
    case PT_PHDR:
        return in_memory(f, p->p_vaddr, f->n_segments * sizeof *p, PF_R);
    case PT_DYNAMIC:
        return elf_offset(f, p->p_vaddr, p->p_filesz) == p->p_offset &&
               in_memory(f, p->p_vaddr, p->p_filesz, PF_R);
    case PT_TLS:
        return !(p->p_align & (p->p_align - 1)) && (!p->p_filesz || sound_table(f, p->p_vaddr, p->p_filesz));
    case PT_NOTE:
    case PT_GNU_PROPERTY:
        return !p->p_filesz || in_memory(f, p->p_vaddr, p->p_memsz, PF_R);
    case PT_GNU_RELRO: /* made read-only, by whole pages */
        return !p->p_memsz || in_memory(f, p->p_vaddr, 1, PF_R | PF_W);
    default:
        return true;
    }
}

static bool segments_are_sound(const struct elf_file *f, uint32_t *which)
{
    for (*which = 0; *which < f->n_segments; ++*which)
        if (!segment_is_sound(f, &f->segment[*which]))
            return false;
    return true;
}

/* --- the dynamic section ---------------------------------------------------------------------------- */

static bool names_string(int64_t tag)
{
    return tag == DT_NEEDED || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH ||
           tag == DT_AUXILIARY || tag == DT_FILTER;
}

/* An entry that says where a table is needs those that say how long it is, and of what kind. */
static bool entries_are_complete(const struct elf_file *f)
{
    static const struct {
        int64_t tag, needs;
    } rules[] = {{DT_RELA, DT_RELASZ},
                 {DT_RELA, DT_RELAENT},
                 {DT_JMPREL, DT_PLTRELSZ},
                 {DT_JMPREL, DT_PLTREL},
                 {DT_PLTRELSZ, DT_JMPREL},
                 {DT_INIT_ARRAY, DT_INIT_ARRAYSZ},
                 {DT_FINI_ARRAY, DT_FINI_ARRAYSZ}};
    uint64_t v;
    for (size_t k = 0; k < BASE_LENGTH(rules); k++)
        if (elf_dynamic_find(f, rules[k].tag, &v) && !elf_dynamic_find(f, rules[k].needs, &v))
            return false;
    return true;
}

static bool dynamic_is_sound(const struct elf_file *f)
{
    uint64_t v;
    bool ends = false;
    for (uint32_t k = 0; k < f->n_dynamic && !ends; k++) {
        const Elf64_Dyn *d = &f->dynamic[k];
        ends = d->d_tag == DT_NULL;
        if (names_string(d->d_tag) && d->d_un.d_val >= f->strings_size)
            return false;
    }
    if (!ends || !entries_are_complete(f) || !f->strings || !elf_dynamic_find(f, DT_SYMTAB, &v) ||
        !in_memory(f, v, sizeof(Elf64_Sym), PF_R))
        return false;
    /* lazy binding stores into the first words of the table of slots */
    return !f->n_plt_relocations || !elf_dynamic_find(f, DT_PLTGOT, &v) || !v ||
           in_memory(f, v, 3 * sizeof(uint64_t), PF_R | PF_W);
}

/* --- relocations ------------------------------------------------------------------------------------ */

/* How many bytes are stored; of kinds that are not listed, the least. */
static uint64_t stored(uint64_t type)
{
    switch (type) {
    case RELOC_TLSDESC:
        return 16;
    case RELOC_RELATIVE:
    case RELOC_IRELATIVE:
    case RELOC_WORD:
    case RELOC_SLOT:
    case RELOC_GLOB:
        return 8;
    default:
        return 4;
    }
}

/* Resolvers are called while the object is loaded. */
static bool resolver_is_code(const struct elf_file *f, const Elf64_Rela *r, const Elf64_Sym *s)
{
    if (ELF64_R_TYPE(r->r_info) == RELOC_IRELATIVE)
        return in_memory(f, (uint64_t)r->r_addend, 1, PF_X);
    return !s || s->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(s->st_info) != STT_GNU_IFUNC ||
           in_memory(f, s->st_value, 1, PF_X);
}

static bool relocation_is_sound(const struct sound *o, const Elf64_Rela *r)
{
    const struct elf_file *f = o->f;
    uint64_t type = ELF64_R_TYPE(r->r_info);
    const Elf64_Sym *s = elf_relocation_symbol(f, r);
    if (ELF64_R_SYM(r->r_info) && (!s || !sound_symbol(o, (uint32_t)ELF64_R_SYM(r->r_info))))
        return false;
    return type == RELOC_NONE || (in_memory(f, r->r_offset, stored(type), PF_W) && resolver_is_code(f, r, s));
}

static bool relocations_are_sound(const struct sound *o, uint32_t *which)
{
    uint32_t n = o->f->n_relocations + o->f->n_plt_relocations;
    for (*which = 0; *which < n; ++*which)
        if (!relocation_is_sound(o, elf_relocation_at(o->f, *which)))
            return false;
    return true;
}

/* Relative relocations in short: an address, or one bit for each of the 63 words behind the last one. */
static bool short_relocations_are_sound(const struct elf_file *f)
{
    uint64_t v, size, at = 0;
    if (!elf_dynamic_find(f, DT_RELR, &v))
        return true;
    const unsigned char *table = elf_dynamic_find(f, DT_RELRSZ, &size) ? sound_table(f, v, size) : NULL;
    for (uint64_t k = 0; table && k + 8 <= size; k += 8) {
        uint64_t entry;
        memcpy(&entry, table + k, sizeof entry);
        if (entry & 1) {
            for (uint64_t bits = entry >> 1, word = at; bits; bits >>= 1, word += 8)
                if ((bits & 1) && !in_memory(f, word, 8, PF_W))
                    return false;
            at += 63 * sizeof(uint64_t);
        } else if (in_memory(f, entry, 8, PF_W)) {
            at = entry + 8;
        } else {
            return false;
        }
    }
    return table != NULL;
}

/* --- all of it -------------------------------------------------------------------------------------- */

int elf_check_sound(const struct elf_file *f, const char *name, struct base_status *st)
{
    struct sound o = {.f = f};
    uint32_t which;
    if (!segments_are_sound(f, &which))
        return base_fail(st, "%s: damaged ELF file (segment %u is not in the loaded ones)", name, which);
    if (!dynamic_is_sound(f))
        return base_fail(st, "%s: damaged ELF file (dynamic section)", name);
    if (!sound_versions(&o))
        return base_fail(st, "%s: damaged ELF file (versions of symbols)", name);
    if (!sound_hash(&o))
        return base_fail(st, "%s: damaged ELF file (hash table of symbols)", name);
    if (!relocations_are_sound(&o, &which))
        return base_fail(st,
                         "%s: damaged ELF file (relocation %u: its place or its symbol is not in the "
                         "object)",
                         name, which);
    if (!short_relocations_are_sound(f))
        return base_fail(st, "%s: damaged ELF file (relative relocations)", name);
    return 0;
}
