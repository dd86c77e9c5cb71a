/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: how many functions of an object tell `pgasim check` of their loads and stores. Each begins with a
 * call of __tsan_func_entry. Its references to the function are few: a slot, and the stub of the procedure
 * linkage table that jumps through it; so the calls are found by decoding call instructions alone.
 */
#include "fold/elf/file.h"

#include <string.h>

static const char entry[] = "__tsan_func_entry";

/* The virtual address of the word by which the object calls it; 0: none. */
static uint64_t find_slot(const struct elf_file *f)
{
    for (uint32_t i = 0; i < f->n_relocations + f->n_plt_relocations; i++) {
        const Elf64_Rela *r = elf_relocation_at(f, i);
        const Elf64_Sym *s = elf_relocation_symbol(f, r);
        if (s && s->st_shndx == SHN_UNDEF && strcmp(elf_string(f, s->st_name), entry) == 0)
            return r->r_offset;
    }
    return 0;
}

#if defined(__x86_64__)

static int32_t word_at(const unsigned char *p)
{
    int32_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* Where the stub's jump through the slot (jmp *disp(%rip)) is; 0: there is none. */
static uint64_t find_stub(const unsigned char *code, size_t size, uint64_t at, uint64_t slot)
{
    for (size_t k = 0; k + 6 <= size; k++)
        if (code[k] == 0xff && code[k + 1] == 0x25 &&
            at + k + 6 + (uint64_t)(int64_t)word_at(code + k + 2) == slot)
            return at + k;
    return 0;
}

/* A stub may begin before its jump: endbr64, a prefix. */
static uint32_t count_calls(const unsigned char *code, size_t size, uint64_t at, uint64_t slot, uint64_t stub)
{
    uint32_t n = 0;
    for (size_t k = 0; k + 6 <= size; k++) {
        uint64_t target = at + k + 5 + (uint64_t)(int64_t)word_at(code + k + 1);
        bool direct = code[k] == 0xe8 && stub && target <= stub && stub - target <= 5;
        bool through = code[k] == 0xff && code[k + 1] == 0x15 &&
                       at + k + 6 + (uint64_t)(int64_t)word_at(code + k + 2) == slot;
        n += direct || through;
    }
    return n;
}

#elif defined(__aarch64__)

static uint32_t word_at(const unsigned char *p)
{
    uint32_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* Where the stub (adrp x16, page; ldr x17, [x16, offset]) is; 0: there is none. */
static uint64_t find_stub(const unsigned char *code, size_t size, uint64_t at, uint64_t slot)
{
    for (size_t k = 0; k + 8 <= size; k += 4) {
        uint32_t adrp = word_at(code + k), ldr = word_at(code + k + 4);
        if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
            continue;
        int64_t pages = (int64_t)((uint64_t)(((adrp >> 5 & 0x7ffff) << 2) | (adrp >> 29 & 3)) << 43) >> 43;
        uint64_t page = ((at + k) & ~UINT64_C(0xfff)) + (uint64_t)pages * 4096;
        if (page + (ldr >> 10 & 0xfff) * 8 == slot)
            return at + k;
    }
    return 0;
}

/* A stub may begin before that: bti. */
static uint32_t count_calls(const unsigned char *code, size_t size, uint64_t at, uint64_t slot, uint64_t stub)
{
    uint32_t n = 0;
    (void)slot;
    for (size_t k = 0; k + 4 <= size && stub; k += 4) {
        uint32_t bl = word_at(code + k);
        int64_t distance = (int64_t)((uint64_t)(bl & 0x3ffffff) << 38) >> 36;
        uint64_t target = at + k + (uint64_t)distance;
        n += (bl & 0xfc000000) == 0x94000000 && target <= stub && stub - target <= 4;
    }
    return n;
}

#endif

uint32_t elf_instrumented(const struct elf_file *f)
{
    uint64_t slot = find_slot(f), stub = 0;
    uint32_t n = 0;
    for (int pass = 0; slot && pass < 2; pass++)
        for (uint32_t i = 0; i < f->n_segments; i++) {
            const Elf64_Phdr *p = &f->segment[i];
            if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || !elf_within(f, p->p_offset, p->p_filesz))
                continue;
            const unsigned char *code = f->bytes + p->p_offset;
            if (pass)
                n += count_calls(code, p->p_filesz, p->p_vaddr, slot, stub);
            else if (!stub)
                stub = find_stub(code, p->p_filesz, p->p_vaddr, slot);
        }
    return n;
}
