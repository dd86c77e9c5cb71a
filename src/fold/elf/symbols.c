/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols: the names in an ELF object: needed libraries, dynamic symbols, the full symbol table. */
#include <string.h>

#include "fold/elf/elf.h"

#if defined(__x86_64__)
#define RELOC_TPOFF R_X86_64_TPOFF64
#elif defined(__aarch64__)
#define RELOC_TPOFF R_AARCH64_TLS_TPREL
#endif

const char *elf_string(const struct elf_file *f, uint64_t offset)
{
    return offset < f->strings_size ? f->strings + offset : "";
}

const char *elf_needed(const struct elf_file *f, uint32_t n)
{
    for (uint32_t i = 0; i < f->n_dynamic && f->dynamic[i].d_tag != DT_NULL; i++)
        if (f->dynamic[i].d_tag == DT_NEEDED && n-- == 0)
            return elf_string(f, f->dynamic[i].d_un.d_val);
    return NULL;
}

const Elf64_Sym *elf_definition(const struct elf_file *f, const char *name)
{
    for (uint32_t i = 1; i < f->n_symbols; i++) {
        const Elf64_Sym *s = &f->symbol[i];
        const char *is = elf_string(f, s->st_name);
        if (s->st_shndx != SHN_UNDEF && is[0] == name[0] && strcmp(is, name) == 0)
            return s;
    }
    return NULL;
}

bool elf_symbol_find(const struct elf_file *f, const char *name, uint64_t *address)
{
    const Elf64_Sym *s = elf_definition(f, name);
    if (s)
        *address = s->st_value;
    return s != NULL;
}

void elf_references_each(const struct elf_file *f, elf_reference_fn fn, void *arg)
{
    for (uint32_t i = 1; i < f->n_symbols; i++) {
        const Elf64_Sym *s = &f->symbol[i];
        unsigned bind = ELF64_ST_BIND(s->st_info);
        const char *name = elf_string(f, s->st_name);
        if (s->st_shndx == SHN_UNDEF && bind != STB_LOCAL && *name)
            fn(arg, name, bind == STB_WEAK);
    }
}

bool elf_static_tls(const struct elf_file *f)
{
    uint64_t flags;
    if (elf_dynamic_find(f, DT_FLAGS, &flags) && (flags & DF_STATIC_TLS))
        return true;
    for (uint32_t i = 0; i < f->n_relocations; i++)
        if (ELF64_R_TYPE(f->relocation[i].r_info) == RELOC_TPOFF)
            return true;
    return false;
}

bool elf_has_interpreter(const struct elf_file *f)
{
    for (uint32_t i = 0; i < f->n_segments; i++)
        if (f->segment[i].p_type == PT_INTERP)
            return true;
    return false;
}

const Elf64_Sym *elf_relocation_symbol(const struct elf_file *f, const Elf64_Rela *r)
{
    uint64_t i = ELF64_R_SYM(r->r_info);
    return i != 0 && i < f->n_symbols ? &f->symbol[i] : NULL;
}

/* --- data objects -------------------------------------------------------------------------------- */

struct symbol_table {
    const Elf64_Sym *symbol;
    size_t n;
    const char *strings;
    size_t strings_size;
};

static bool find_full_table(const struct elf_file *f, struct symbol_table *t)
{
    const Elf64_Ehdr *h = (const void *)f->bytes;
    if (h->e_shentsize != sizeof(Elf64_Shdr) ||
        !elf_usable(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return false;
    const Elf64_Shdr *s = (const void *)(f->bytes + h->e_shoff);
    for (uint32_t i = 0; i < h->e_shnum; i++) {
        if (s[i].sh_type != SHT_SYMTAB || s[i].sh_link >= h->e_shnum ||
            !elf_usable(f, s[i].sh_offset, s[i].sh_size))
            continue;
        const Elf64_Shdr *str = &s[s[i].sh_link];
        if (!elf_within(f, str->sh_offset, str->sh_size) || str->sh_size == 0 ||
            f->bytes[str->sh_offset + str->sh_size - 1] != 0)
            continue;
        *t =
            (struct symbol_table){(const void *)(f->bytes + s[i].sh_offset), s[i].sh_size / sizeof(Elf64_Sym),
                                  (const char *)f->bytes + str->sh_offset, str->sh_size};
        return true;
    }
    return false;
}

void elf_objects_each(const struct elf_file *f, elf_object_fn fn, void *arg)
{
    struct symbol_table t;
    if (!find_full_table(f, &t))
        return; /* the dynamic table lacks statics, so names would be misleading */
    for (size_t i = 1; i < t.n; i++) {
        const Elf64_Sym *s = &t.symbol[i];
        unsigned type = ELF64_ST_TYPE(s->st_info);
        if ((type == STT_OBJECT || type == STT_COMMON) && s->st_shndx != SHN_UNDEF && s->st_size != 0 &&
            s->st_name < t.strings_size)
            fn(arg, t.strings + s->st_name, s->st_value, s->st_size);
    }
}

uint32_t elf_functions(const struct elf_file *f)
{
    struct symbol_table t;
    uint32_t n = 0;
    if (!find_full_table(f, &t))
        return 0;
    for (size_t i = 1; i < t.n; i++)
        n += ELF64_ST_TYPE(t.symbol[i].st_info) == STT_FUNC && t.symbol[i].st_shndx != SHN_UNDEF &&
             t.symbol[i].st_size != 0;
    return n;
}

/* Of the linker's, and of the object that our own wrappers add. */
static bool is_startup(const char *name)
{
    static const char *const names[] = {"",       "crtstuff.c", "Scrt1.o",     "crt1.o",
                                        "crti.o", "crtn.o",     "pgasim_crt.c"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (!strcmp(name, names[k]))
            return true;
    return false;
}

/* Of gcc, of clang: it is in each source that is instrumented. */
static bool is_constructor(const char *name)
{
    return !strncmp(name, "_sub_I_00099_", strlen("_sub_I_00099_")) ||
           !strncmp(name, "tsan.module_ctor", strlen("tsan.module_ctor"));
}

size_t elf_sources_unseen(const struct elf_file *f, const char **name, size_t room)
{
    struct symbol_table t;
    const char *source = NULL;
    size_t n = 0;
    if (!find_full_table(f, &t))
        return 0;
    for (size_t i = 1; i <= t.n; i++) {
        const Elf64_Sym *s = &t.symbol[i];
        bool ends = i == t.n || ELF64_ST_BIND(s->st_info) != STB_LOCAL;
        if (!ends && s->st_name >= t.strings_size)
            continue;
        bool file = !ends && ELF64_ST_TYPE(s->st_info) == STT_FILE;
        if ((file || ends) && source && n++ < room)
            name[n - 1] = source;
        if (ends)
            break;
        const char *text = t.strings + s->st_name;
        if (file)
            source = is_startup(text) ? NULL : text;
        else if (source && is_constructor(text))
            source = NULL;
    }
    return n;
}

const char *elf_function_at(const struct elf_file *f, uint64_t address)
{
    struct symbol_table t;
    if (!find_full_table(f, &t))
        return NULL;
    for (size_t i = 1; i < t.n; i++) {
        const Elf64_Sym *s = &t.symbol[i];
        if (ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && address >= s->st_value &&
            address - s->st_value < s->st_size && s->st_name < t.strings_size)
            return t.strings + s->st_name;
    }
    return NULL;
}
