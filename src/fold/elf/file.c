/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads ELF objects (System V ABI, chapters 4 and 5). Leaves names and symbols to symbols.c, loading to
 * sparse.c, and patching to patch.c.
 */
#include "fold/elf/elf.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SHT_RELR
#define SHT_RELR 19
#endif

#if defined(__x86_64__)
#define ELF_MACHINE    EM_X86_64
#define RELOC_RELATIVE R_X86_64_RELATIVE
#elif defined(__aarch64__)
#define ELF_MACHINE    EM_AARCH64
#define RELOC_RELATIVE R_AARCH64_RELATIVE
#else
#error "no ELF machine number known for this architecture"
#endif

size_t elf_offset(const struct elf_file *f, uint64_t v, size_t size)
{
    for (uint32_t i = 0; i < f->n_segments; i++) {
        const Elf64_Phdr *p = &f->segment[i];
        if (p->p_type == PT_LOAD && v >= p->p_vaddr && v - p->p_vaddr <= p->p_filesz &&
            size <= p->p_filesz - (v - p->p_vaddr))
            return p->p_offset + (v - p->p_vaddr);
    }
    return SIZE_MAX;
}

const void *elf_at(const struct elf_file *f, uint64_t v, size_t size)
{
    size_t at = elf_offset(f, v, size);
    return at == SIZE_MAX ? NULL : f->bytes + at;
}

static int read_header(struct elf_file *f, const char *name, struct base_status *st)
{
    const Elf64_Ehdr *h = (const void *)f->bytes;
    if (f->size >= 2 && memcmp(f->bytes, "#!", 2) == 0)
        return base_fail(st, "%s: a script, not a program (libtool leaves the program itself in .libs)",
                         name);
    if (f->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return base_fail(st, "%s: not an ELF program", name);
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_machine != ELF_MACHINE)
        return base_fail(st, "%s: an ELF file for another machine", name);
    if (h->e_type != ET_DYN && h->e_type != ET_EXEC)
        return base_fail(st, "%s: not a program or shared library (an object file or a core dump)", name);
    f->fixed = h->e_type == ET_EXEC;
    if (h->e_phentsize != sizeof(Elf64_Phdr) ||
        !elf_usable(f, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)))
        return base_fail(st, "%s: damaged ELF file (program headers)", name);
    f->segment = (const void *)(f->bytes + h->e_phoff);
    f->n_segments = h->e_phnum;
    return 0;
}

static int read_segments(struct elf_file *f, const char *name, struct base_status *st)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < f->n_segments; i++) {
        const Elf64_Phdr *p = &f->segment[i];
        if (p->p_type != PT_LOAD && p->p_type != PT_DYNAMIC && p->p_type != PT_TLS)
            continue;
        if (!elf_within(f, p->p_offset, p->p_filesz) || p->p_memsz < p->p_filesz ||
            p->p_memsz > (UINT64_C(1) << 46) || p->p_vaddr > (UINT64_C(1) << 46))
            return base_fail(st, "%s: damaged ELF file (segment %u)", name, i);
        if (p->p_type == PT_LOAD) {
            if (p->p_vaddr < high)
                return base_fail(st, "%s: damaged ELF file (segment %u overlaps the one before)", name, i);
            low = p->p_vaddr < low ? p->p_vaddr : low;
            high = p->p_vaddr + p->p_memsz > high ? p->p_vaddr + p->p_memsz : high;
        } else if (p->p_type == PT_TLS) {
            f->tls_size = p->p_memsz;
            f->tls_align = p->p_align;
        } else if (elf_usable(f, p->p_offset, p->p_filesz)) {
            f->dynamic = (const void *)(f->bytes + p->p_offset);
            f->dynamic_offset = p->p_offset;
            f->dynamic_address = p->p_vaddr;
            f->n_dynamic = (uint32_t)(p->p_filesz / sizeof(Elf64_Dyn));
        }
    }
    if ((low != 0 && !f->fixed) || !f->dynamic)
        return base_fail(st, "%s: not dynamically linked", name);
    f->image_size = high;
    return 0;
}

bool elf_dynamic_find(const struct elf_file *f, int64_t tag, uint64_t *value)
{
    for (uint32_t i = 0; i < f->n_dynamic && f->dynamic[i].d_tag != DT_NULL; i++)
        if (f->dynamic[i].d_tag == tag) {
            *value = f->dynamic[i].d_un.d_val;
            return true;
        }
    return false;
}

static uint64_t dynamic_or_zero(const struct elf_file *f, int64_t tag)
{
    uint64_t v = 0;
    (void)elf_dynamic_find(f, tag, &v);
    return v;
}

/* Finds a table by the tags of its address and size; *n in items of `item` bytes. false: damaged. */
static bool read_table(struct elf_file *f, int64_t address_tag, uint64_t bytes, size_t item,
                       const void **table, uint32_t *n)
{
    uint64_t v;
    *table = NULL;
    *n = 0;
    if (!elf_dynamic_find(f, address_tag, &v) || bytes == 0)
        return true;
    size_t at = elf_offset(f, v, bytes);
    if (at == SIZE_MAX || ((uintptr_t)(f->bytes + at) & (item > 1 ? 7 : 0)) != 0)
        return false;
    *table = f->bytes + at;
    *n = (uint32_t)(bytes / item);
    if (at + bytes > f->tables_end)
        f->tables_end = at + bytes;
    return true;
}

/* The dynamic symbol table has no length of its own. Relocations name the symbols that we need. Defined
 * symbols are counted by the section header if there is one; otherwise the string table usually follows the
 * symbols. */
static uint32_t count_symbols(const struct elf_file *f, uint64_t symtab)
{
    const Elf64_Ehdr *h = (const void *)f->bytes;
    if (h->e_shentsize == sizeof(Elf64_Shdr) &&
        elf_usable(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr))) {
        const Elf64_Shdr *s = (const void *)(f->bytes + h->e_shoff);
        for (uint32_t i = 0; i < h->e_shnum; i++)
            if (s[i].sh_type == SHT_DYNSYM && s[i].sh_addr == symtab)
                return (uint32_t)(s[i].sh_size / sizeof(Elf64_Sym));
    }
    uint64_t strtab = dynamic_or_zero(f, DT_STRTAB);
    return strtab > symtab ? (uint32_t)((strtab - symtab) / sizeof(Elf64_Sym)) : 0;
}

/* Everything that the dynamic linker reads lies below the text in files that linkers make; the section
 * headers tell where it ends. Without headers, the whole file counts. */
static void find_tables_end(struct elf_file *f)
{
    const Elf64_Ehdr *h = (const void *)f->bytes;
    if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shnum == 0 ||
        !elf_usable(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr))) {
        f->tables_end = f->size;
        return;
    }
    const Elf64_Shdr *s = (const void *)(f->bytes + h->e_shoff);
    for (uint32_t i = 0; i < h->e_shnum; i++) {
        bool read = s[i].sh_type == SHT_HASH || s[i].sh_type == SHT_GNU_HASH ||
                    s[i].sh_type == SHT_GNU_versym || s[i].sh_type == SHT_GNU_verneed ||
                    s[i].sh_type == SHT_GNU_verdef || s[i].sh_type == SHT_RELA || s[i].sh_type == SHT_RELR ||
                    s[i].sh_type == SHT_NOTE;
        if (read && (s[i].sh_flags & SHF_ALLOC) && elf_within(f, s[i].sh_offset, s[i].sh_size) &&
            s[i].sh_offset + s[i].sh_size > f->tables_end)
            f->tables_end = s[i].sh_offset + s[i].sh_size;
    }
}

/* The head of DT_GNU_HASH's table. */
struct gnu_hash {
    uint32_t buckets, first_symbol, mask_words, shift;
};

/* What the dynamic linker takes for granted: it ends the process, in the middle of dlopen, where it finds it
 * otherwise (glibc: elf/get-dynamic-info.h, elf/dl-setup_hash.c). */
static bool suits_linker(const struct elf_file *f)
{
    static const struct {
        int64_t tag;
        uint64_t value;
    } fixed[] = {{DT_RELAENT, sizeof(Elf64_Rela)}, {DT_SYMENT, sizeof(Elf64_Sym)}, {DT_PLTREL, DT_RELA}};
    uint64_t v;
    for (size_t k = 0; k < BASE_LENGTH(fixed); k++)
        if (elf_dynamic_find(f, fixed[k].tag, &v) && v != fixed[k].value)
            return false;
    if (!elf_dynamic_find(f, DT_GNU_HASH, &v)) /* absent in objects of other linkers */
        return true;
    struct gnu_hash hash;
    const void *at = elf_at(f, v, sizeof hash);
    if (!at)
        return false;
    memcpy(&hash, at, sizeof hash);
    return hash.buckets && hash.mask_words && !(hash.mask_words & (hash.mask_words - 1));
}

/* The same for relocations: the first DT_RELACOUNT are of one kind. */
static bool relative_ones_are(const struct elf_file *f)
{
    uint64_t n;
    if (!elf_dynamic_find(f, DT_RELACOUNT, &n))
        return true;
    for (uint64_t k = 0; k < n && n <= f->n_relocations; k++)
        if (ELF64_R_TYPE(f->relocation[k].r_info) != RELOC_RELATIVE)
            return false;
    return n <= f->n_relocations;
}

static int read_dynamic(struct elf_file *f, const char *name, struct base_status *st)
{
    uint32_t n = 0;
    const void *t;
    if (!suits_linker(f))
        return base_fail(st, "%s: damaged ELF file (dynamic section)", name);
    if (!read_table(f, DT_STRTAB, dynamic_or_zero(f, DT_STRSZ), 1, &t, &n))
        return base_fail(st, "%s: damaged ELF file (string table)", name);
    f->strings = t;
    f->strings_size = n;
    if (n && f->strings[n - 1] != 0)
        return base_fail(st, "%s: damaged ELF file (string table has no end)", name);
    uint64_t symtab = dynamic_or_zero(f, DT_SYMTAB);
    uint64_t symbols = symtab ? count_symbols(f, symtab) : 0;
    if (!read_table(f, DT_SYMTAB, symbols * sizeof(Elf64_Sym), sizeof(Elf64_Sym), &t, &f->n_symbols))
        return base_fail(st, "%s: damaged ELF file (symbol table)", name);
    f->symbol = t;
    if (!read_table(f, DT_RELA, dynamic_or_zero(f, DT_RELASZ), sizeof(Elf64_Rela), &t, &f->n_relocations))
        return base_fail(st, "%s: damaged ELF file (relocations)", name);
    f->relocation = t;
    if (!relative_ones_are(f))
        return base_fail(st, "%s: damaged ELF file (relative relocations)", name);
    if (!read_table(f, DT_JMPREL, dynamic_or_zero(f, DT_PLTRELSZ), sizeof(Elf64_Rela), &t,
                    &f->n_plt_relocations))
        return base_fail(st, "%s: damaged ELF file (PLT relocations)", name);
    f->plt_relocation = t;
    find_tables_end(f);
    f->init = dynamic_or_zero(f, DT_INIT);
    f->init_array = dynamic_or_zero(f, DT_INIT_ARRAY);
    f->init_array_size = dynamic_or_zero(f, DT_INIT_ARRAYSZ);
    f->fini = dynamic_or_zero(f, DT_FINI);
    f->fini_array = dynamic_or_zero(f, DT_FINI_ARRAY);
    f->fini_array_size = dynamic_or_zero(f, DT_FINI_ARRAYSZ);
    if (f->init >= f->image_size || f->fini >= f->image_size || f->init_array >= f->image_size ||
        f->fini_array >= f->image_size || f->init_array_size > f->image_size - f->init_array ||
        f->fini_array_size > f->image_size - f->fini_array)
        return base_fail(st, "%s: damaged ELF file (constructors)", name);
    return 0;
}

int elf_read_any(struct elf_file *f, const void *bytes, size_t size, const char *name, struct base_status *st)
{
    *f = (struct elf_file){.bytes = bytes, .size = size};
    if (read_header(f, name, st) || read_segments(f, name, st) || read_dynamic(f, name, st))
        return -1;
    return 0;
}

static int refuse_fixed(const struct elf_file *f, const char *name, struct base_status *st)
{
    return f->fixed ? base_fail(st, "%s: not position-independent", name) : 0;
}

int elf_read(struct elf_file *f, const void *bytes, size_t size, const char *name, struct base_status *st)
{
    return elf_read_any(f, bytes, size, name, st) || refuse_fixed(f, name, st) ? -1 : 0;
}

int elf_open_any(struct elf_file *f, const char *path, struct base_status *st)
{
    struct stat s;
    int fd =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe opens, and is refused below */
    if (fd < 0)
        base_open_failed(path);
    if (fd < 0)
        return base_fail(st, "%s: %s", path, strerror(errno));
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size == 0) {
        close(fd);
        return base_fail(st, "%s: not a program file", path);
    }
    void *m = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (m == MAP_FAILED)
        return base_fail(st, "%s: cannot map: %s", path, strerror(errno));
    if (elf_read_any(f, m, (size_t)s.st_size, path, st)) {
        munmap(m, (size_t)s.st_size);
        return -1;
    }
    f->mapped = true;
    return 0;
}

int elf_open(struct elf_file *f, const char *path, struct base_status *st)
{
    if (elf_open_any(f, path, st))
        return -1;
    if (refuse_fixed(f, path, st)) {
        elf_close(f);
        return -1;
    }
    return 0;
}

void elf_close(struct elf_file *f)
{
    if (f->mapped)
        munmap((void *)(uintptr_t)f->bytes, f->size);
    *f = (struct elf_file){0};
}
