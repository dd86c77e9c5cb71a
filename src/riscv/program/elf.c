/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf: reads the headers, segments and symbols of a 64-bit ELF file for RISC-V (ELF gABI, chapters 4 and 5;
 * the RISC-V psABI for its flags). Errors name the file and what was expected of it.
 */
#include "riscv/program/elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "riscv/core/core.h"

/* `n` records of `each` bytes at an offset of the file, or NULL. */
static const void *piece(const struct riscv_elf *f, uint64_t offset, uint64_t n, uint64_t each)
{
    return offset <= f->size && n <= (f->size - offset) / each ? f->bytes + offset : NULL;
}

static const char *machine_name(unsigned machine)
{
    switch (machine) {
    case EM_X86_64:
        return "x86-64";
    case EM_AARCH64:
        return "AArch64";
    default:
        return "another machine";
    }
}

static int check_header(const struct riscv_elf *f, Elf64_Ehdr *h, struct base_status *st)
{
    if (f->size < EI_NIDENT || memcmp(f->bytes, ELFMAG, SELFMAG))
        return base_fail(st, "%s is no ELF file: expected a program for RISC-V", f->path);
    if (f->bytes[EI_CLASS] == ELFCLASS32)
        return base_fail(st, "%s is a 32-bit program: expected one for RV64 (-march=rv64gc)", f->path);
    if (f->bytes[EI_CLASS] != ELFCLASS64 || f->bytes[EI_DATA] != ELFDATA2LSB || f->size < sizeof *h)
        return base_fail(st, "%s: its header is damaged: expected a 64-bit little-endian ELF file", f->path);
    memcpy(h, f->bytes, sizeof *h);
    if (h->e_machine != EM_RISCV)
        return base_fail(st, "%s is a program for %s: expected one for RISC-V (pgasim riscv-cc makes them)",
                         f->path, machine_name(h->e_machine));
    if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
        return base_fail(st, "%s is not linked: expected a program, not an object file", f->path);
    return 0;
}

/* --- segments -------------------------------------------------------------------------------------- */

static uint8_t rights(uint32_t flags)
{
    return (uint8_t)((flags & PF_R ? RISCV_READ : 0) | (flags & PF_W ? RISCV_WRITE : 0) |
                     (flags & PF_X ? RISCV_EXECUTE : 0));
}

static int add_segment(struct riscv_elf *f, const Elf64_Phdr *p, unsigned k, struct base_status *st)
{
    if (!p->p_memsz)
        return 0;
    if (f->segments == RISCV_SEGMENTS)
        return base_fail(st, "%s has more than %d segments to load", f->path, RISCV_SEGMENTS);
    if (!piece(f, p->p_offset, p->p_filesz, 1))
        return base_fail(st, "%s: the file ends within segment %u: expected %lu bytes at offset %lu", f->path,
                         k, p->p_filesz, p->p_offset);
    if (p->p_filesz > p->p_memsz || p->p_memsz > INT64_MAX || p->p_vaddr > INT64_MAX ||
        p->p_paddr > INT64_MAX)
        return base_fail(st, "%s: segment %u has impossible sizes", f->path, k);
    f->segment[f->segments++] = (struct riscv_segment){.address = p->p_vaddr,
                                                       .load = p->p_paddr,
                                                       .offset = p->p_offset,
                                                       .bytes = p->p_filesz,
                                                       .size = p->p_memsz,
                                                       .may = rights(p->p_flags)};
    return 0;
}

/* A note with Linux's ABI: all programs that link its C library have one. */
static bool names_linux(const struct riscv_elf *f, const Elf64_Phdr *p)
{
    const unsigned char *at = piece(f, p->p_offset, p->p_filesz, 1);
    uint64_t left = at ? p->p_filesz : 0;
    while (left >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr n;
        memcpy(&n, at, sizeof n);
        uint64_t size =
            sizeof n + (((uint64_t)n.n_namesz + 3) & ~3ULL) + (((uint64_t)n.n_descsz + 3) & ~3ULL);
        if (size > left)
            return false;
        if (n.n_type == NT_GNU_ABI_TAG && n.n_namesz == 4 && !memcmp(at + sizeof n, "GNU", 4))
            return true;
        at += size;
        left -= size;
    }
    return false;
}

static int read_segments(struct riscv_elf *f, const Elf64_Ehdr *h, struct base_status *st)
{
    const unsigned char *at = piece(f, h->e_phoff, h->e_phnum, sizeof(Elf64_Phdr));
    if (!at || h->e_phentsize != sizeof(Elf64_Phdr))
        return base_fail(st, "%s: its program headers are damaged", f->path);
    for (unsigned k = 0; k < h->e_phnum; k++) {
        Elf64_Phdr p;
        memcpy(&p, at + k * sizeof p, sizeof p);
        if (p.p_type == PT_INTERP)
            return base_fail(st, "%s is linked dynamically: expected a static program (-static)", f->path);
        if (p.p_type == PT_LOAD && add_segment(f, &p, k, st))
            return -1;
        if (p.p_type == PT_LOAD && h->e_phoff >= p.p_offset && h->e_phoff - p.p_offset < p.p_filesz)
            f->headers = p.p_vaddr + (h->e_phoff - p.p_offset);
        f->of_libc |= p.p_type == PT_NOTE && names_linux(f, &p);
    }
    if (!f->segments)
        return base_fail(st, "%s has no segment to load", f->path);
    f->header_count = h->e_phnum;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct riscv_segment *s = a, *t = b;
    return s->address < t->address ? -1 : s->address > t->address;
}

/* Where a linker script puts .data between sections without bytes, the zeros of one segment go on beneath the next.
 * They are made to end there, and the next one to go on as far as they did. */
static void part(struct riscv_segment *zeros, struct riscv_segment *next)
{
    uint64_t end = zeros->address + zeros->size, gap = next->address - zeros->address;
    if (gap >= zeros->size || gap < zeros->bytes || !(zeros->may & next->may & RISCV_WRITE))
        return;
    zeros->size = gap;
    if (end > next->address + next->size)
        next->size = end - next->address;
}

static int check_segments(struct riscv_elf *f, struct base_status *st)
{
    qsort(f->segment, f->segments, sizeof *f->segment, by_place);
    for (uint32_t k = 1; k < f->segments; k++)
        part(&f->segment[k - 1], &f->segment[k]);
    for (uint32_t k = 1; k < f->segments; k++)
        if (f->segment[k].address < f->segment[k - 1].address + f->segment[k - 1].size)
            return base_fail(st, "%s: two of its segments overlap at %#lx", f->path, f->segment[k].address);
    for (uint32_t k = 0; k < f->segments; k++)
        if (f->entry - f->segment[k].address < f->segment[k].size)
            return 0;
    return base_fail(st, "%s: its entry %#lx is in none of its segments", f->path, f->entry);
}

/* --- symbols --------------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const struct riscv_symbol *s = a, *t = b;
    if (s->address != t->address)
        return s->address < t->address ? -1 : 1;
    if (s->size !=
        t->size) /* a label at a function's start stands before the function, which then is found */
        return s->size < t->size ? -1 : 1;
    return s->name < t->name ? -1 : s->name > t->name;
}

/* The compiler's labels ($x, .L1) name nothing. */
static bool is_named(const Elf64_Sym *s, const char *name)
{
    unsigned type = ELF64_ST_TYPE(s->st_info);
    return s->st_shndx != SHN_UNDEF && *name && *name != '$' && *name != '.' &&
           (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE || type == STT_GNU_IFUNC);
}

static void take_symbols(struct riscv_elf *f, const unsigned char *at, uint64_t n, const char *names,
                         uint64_t names_size)
{
    f->symbol = base_alloc((n + 1) * sizeof *f->symbol, "symbols of a program");
    for (uint64_t k = 0; k < n; k++) {
        Elf64_Sym s;
        memcpy(&s, at + k * sizeof s, sizeof s);
        if (s.st_name < names_size && is_named(&s, names + s.st_name))
            f->symbol[f->symbols++] =
                (struct riscv_symbol){.address = s.st_value,
                                      .size = s.st_size,
                                      .name = names + s.st_name,
                                      .type = s.st_shndx == SHN_ABS ? STT_OBJECT : ELF64_ST_TYPE(s.st_info)};
    }
    qsort(f->symbol, f->symbols, sizeof *f->symbol, by_address);
}

/* A program without symbols, or with damaged ones, runs all the same. */
static void read_symbols(struct riscv_elf *f, const Elf64_Ehdr *h)
{
    const unsigned char *at = piece(f, h->e_shoff, h->e_shnum, sizeof(Elf64_Shdr));
    for (unsigned k = 0; at && h->e_shentsize == sizeof(Elf64_Shdr) && k < h->e_shnum; k++) {
        Elf64_Shdr s, names;
        memcpy(&s, at + k * sizeof s, sizeof s);
        if (s.sh_type != SHT_SYMTAB || s.sh_link >= h->e_shnum)
            continue;
        memcpy(&names, at + s.sh_link * sizeof names, sizeof names);
        const unsigned char *symbols = piece(f, s.sh_offset, s.sh_size, 1);
        const char *text = piece(f, names.sh_offset, names.sh_size, 1);
        if (symbols && text && names.sh_size && !text[names.sh_size - 1]) {
            take_symbols(f, symbols, s.sh_size / sizeof(Elf64_Sym), text, names.sh_size);
            return;
        }
    }
}

/* --- the whole ------------------------------------------------------------------------------------- */

int riscv_elf_read(struct riscv_elf *f, const char *path, const void *bytes, size_t size,
                   struct base_status *st)
{
    Elf64_Ehdr h;
    *f = (struct riscv_elf){.path = path, .bytes = bytes, .size = size};
    if (check_header(f, &h, st))
        return -1;
    f->entry = h.e_entry;
    f->moves = h.e_type == ET_DYN;
    if (read_segments(f, &h, st) || check_segments(f, st))
        return -1;
    read_symbols(f, &h);
    return 0;
}

void riscv_elf_release(struct riscv_elf *f)
{
    free(f->symbol);
    *f = (struct riscv_elf){0};
}

const struct riscv_symbol *riscv_elf_near(const struct riscv_elf *f, uint64_t address)
{
    size_t low = 0, high = f->symbols;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->symbol[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t k = low; k-- > 0;) {
        const struct riscv_symbol *s = &f->symbol[k];
        if (address - s->address < s->size || (!s->size && s->type != STT_OBJECT))
            return s;
        if (s->type == STT_FUNC) /* a function of known size, behind which the address is */
            return NULL;
    }
    return NULL;
}

bool riscv_elf_symbol(const struct riscv_elf *f, const char *name, uint64_t *address)
{
    for (size_t k = 0; k < f->symbols; k++)
        if (!strcmp(f->symbol[k].name, name)) {
            *address = f->symbol[k].address;
            return true;
        }
    return false;
}
