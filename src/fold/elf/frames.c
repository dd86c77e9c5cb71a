/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frames: how far the code of an object moves the stack pointer down in one step without touching what it
 * steps over. Read from the instructions, because unwind data does not say it: code that keeps a frame
 * pointer has the size of no frame in it, and code compiled with -fstack-clash-protection touches large
 * frames page by page. The unwind data's index tells where each function begins, in stripped files, too.
 *
 * Bytes that only look like such an instruction make a step larger than it is, never smaller.
 */
#include <string.h>

#include "fold/elf/file.h"

/* Steps by which compilers go through large frames, touching each page (GCC for aarch64: each 64 KiB). */
enum { PAGE = 4096, PAGES = 65536 };

/* The code of one function: the bytes of [from, from + n) in the file. */
struct code {
    const unsigned char *at;
    size_t n;
};

/* What one function does: its largest fixed step, whether it steps by a register, whether it takes large
 * steps page by page. */
struct steps {
    uint64_t fixed;
    bool variable, by_pages;
};

static void note_step(struct steps *s, uint64_t bytes)
{
    s->by_pages |= bytes == PAGE || bytes == PAGES;
    if (bytes > s->fixed)
        s->fixed = bytes;
}

#if defined(__x86_64__)

static uint32_t number_at(const unsigned char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* A register that a sum was computed in becomes the stack pointer: `sub %rax,%rdi; mov %rdi,%rsp`. */
static bool moves_difference(const unsigned char *p, size_t before)
{
    enum { NEAR = 12 };
    unsigned reg = (p[2] >> 3 & 7) | (p[0] & 4) << 1; /* of the mov */
    for (size_t k = 3; k <= before && k <= NEAR; k++) {
        const unsigned char *q = p - k;
        if ((q[0] & 0xf8) == 0x48 && q[1] == 0x29 && q[2] >= 0xc0 && ((q[2] & 7u) | (q[0] & 1u) << 3) == reg)
            return true;
    }
    return false;
}

/* System V ABI's processor: sub, add and lea of the stack pointer with a 32-bit number (opcode maps of the
 * Intel manual, volume 2); a subtracted register. */
static void look_at(const struct code *c, size_t k, struct steps *s)
{
    const unsigned char *p = c->at + k;
    size_t left = c->n - k;
    if ((p[0] & 0xf8) != 0x48 || left < 3) /* a 64-bit operation */
        return;
    if (left >= 7 && p[0] == 0x48 && p[1] == 0x81 && p[2] == 0xec && number_at(p + 3) <= INT32_MAX)
        note_step(s, number_at(p + 3));
    else if (left >= 7 && p[0] == 0x48 && p[1] == 0x81 && p[2] == 0xc4 && number_at(p + 3) > INT32_MAX)
        note_step(s, -(uint64_t)(int64_t)(int32_t)number_at(p + 3));
    else if (left >= 8 && p[0] == 0x48 && p[1] == 0x8d && p[2] == 0xa4 && p[3] == 0x24 &&
             number_at(p + 4) > INT32_MAX)
        note_step(s, -(uint64_t)(int64_t)(int32_t)number_at(p + 4));
    else if ((p[0] & ~4) == 0x48 && p[1] == 0x29 && (p[2] & 0xc7) == 0xc4)
        s->variable = true;
    else if ((p[0] & ~1) == 0x48 && p[1] == 0x2b && (p[2] & 0xf8) == 0xe0)
        s->variable = true;
    else if ((p[0] & ~4) == 0x48 && p[1] == 0x89 && (p[2] & 0xc7) == 0xc4 && moves_difference(p, k))
        s->variable = true;
}

enum { STRIDE = 1 };

#elif defined(__aarch64__)

enum { STRIDE = 4 };

static uint32_t word_at(const unsigned char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The number that the instructions just before `k` put into register `reg` (movz, movk); false: not known. */
static bool loaded_number(const struct code *c, size_t k, uint32_t reg, uint64_t *value)
{
    enum { NEAR = 8 };
    uint64_t v = 0;
    for (size_t back = 1; back <= NEAR && back * 4 <= k; back++) {
        uint32_t i = word_at(c->at + k - back * 4);
        uint32_t shift = (i >> 21 & 3) * 16, part = i >> 5 & 0xffff;
        if ((i & 31) != reg || ((i & 0xff800000) != 0xf2800000 && (i & 0xff800000) != 0xd2800000))
            continue;
        v |= (uint64_t)part << shift;
        if ((i & 0xff800000) == 0xd2800000) { /* movz: the first of them */
            *value = v;
            return true;
        }
    }
    return false;
}

/* sub sp, sp, #n{, lsl 12} and sub sp, sp, xN (Arm ARM, C6.2). */
static void look_at(const struct code *c, size_t k, struct steps *s)
{
    if (c->n - k < 4)
        return;
    uint32_t i = word_at(c->at + k);
    uint64_t bytes;
    if ((i & 0xff8003ff) == 0xd10003ff)
        note_step(s, (uint64_t)(i >> 10 & 0xfff) << (i >> 22 & 1 ? 12 : 0));
    else if ((i & 0xffe0ffff) != 0xcb2063ff)
        return;
    else if (loaded_number(c, k, i >> 16 & 31, &bytes))
        note_step(s, bytes);
    else
        s->variable = true;
}

#endif

static void read_function(const struct elf_file *f, uint64_t from, uint64_t to, struct elf_frames *out)
{
    struct code c = {elf_at(f, from, to - from), to - from};
    struct steps s = {0};
    if (!c.at)
        return;
    for (size_t k = 0; k < c.n; k += STRIDE)
        look_at(&c, k, &s);
    if (s.fixed > out->largest) {
        out->largest = s.fixed;
        out->largest_at = from;
    }
    if (s.variable && !s.by_pages) {
        out->variable_at = out->variable ? out->variable_at : from;
        out->variable++;
    }
}

/* --- where functions begin -------------------------------------------------------------------------- */

/* The head of .eh_frame_hdr (Linux Standard Base, Core, 10.6.2) as linkers write it: then pairs of numbers,
 * relative to the head and sorted by the first, which is where a function begins. */
struct index {
    unsigned char version, frame_as, count_as, table_as;
    int32_t frame;
    uint32_t count;
};
struct entry {
    int32_t function, description;
};
enum { UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b };

static const Elf64_Phdr *segment_of(const struct elf_file *f, uint32_t type, uint64_t address)
{
    for (uint32_t k = 0; k < f->n_segments; k++) {
        const Elf64_Phdr *p = &f->segment[k];
        if (p->p_type == type && (type != PT_LOAD || address - p->p_vaddr < p->p_filesz))
            return p;
    }
    return NULL;
}

bool elf_frames_read(const struct elf_file *f, struct elf_frames *out)
{
    const Elf64_Phdr *hdr = segment_of(f, PT_GNU_EH_FRAME, 0);
    struct index head;
    *out = (struct elf_frames){0};
    const void *at = hdr ? elf_at(f, hdr->p_vaddr, sizeof head) : NULL;
    if (!at)
        return false;
    memcpy(&head, at, sizeof head);
    const unsigned char *table =
        elf_at(f, hdr->p_vaddr + sizeof head, (uint64_t)head.count * sizeof(struct entry));
    if (head.version != 1 || head.count_as != UDATA4 || head.table_as != DATAREL_SDATA4 || !table)
        return false;
    uint64_t reached = 0; /* no byte is looked at twice, however damaged the table is */
    for (uint32_t k = 0; k < head.count; k++) {
        struct entry e[2];
        memcpy(e, table + k * sizeof *e, k + 1 < head.count ? sizeof e : sizeof *e);
        uint64_t from = hdr->p_vaddr + (uint64_t)(int64_t)e[0].function;
        const Elf64_Phdr *p = segment_of(f, PT_LOAD, from);
        uint64_t end = p ? p->p_vaddr + p->p_filesz : 0;
        uint64_t next = k + 1 < head.count ? hdr->p_vaddr + (uint64_t)(int64_t)e[1].function : end;
        if (!p || !(p->p_flags & PF_X) || next <= from || from < reached)
            continue;
        reached = next < end ? next : end;
        read_function(f, from, reached, out);
    }
    return true;
}
