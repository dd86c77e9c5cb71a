/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places: symmetric addresses as offsets: in the heap, as pgasim's heap would give them to the same blocks (first fit, in
 * steps of GRAIN bytes), so that its players find them there; and in the program's static data.
 */
#include "shmem_recorder.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GRAIN = 64 };
static const int64_t usual_heap = INT64_C(1) << 29; /* bytes, where no variable says it */

/* Sorted by offset. */
struct block {
    uintptr_t at;
    uint64_t size, offset, room;
};
static struct block *blocks;
static size_t n_blocks, cap_blocks;

/* --- the heap --------------------------------------------------------------------------------------------- */

static uint64_t up(uint64_t value, uint64_t to)
{
    return (value + to - 1) & ~(to - 1);
}

static uint64_t gap_begin(size_t k)
{
    return k ? blocks[k - 1].offset + blocks[k - 1].room : 0;
}

static uint64_t gap_end(size_t k)
{
    return k < n_blocks ? blocks[k].offset : UINT64_MAX;
}

void recorder_heap_alloc(const void *p, size_t size, size_t alignment)
{
    uint64_t grain = alignment > GRAIN ? alignment : GRAIN, room = up(size, GRAIN);
    size_t k = 0;
    if (!p || !size)
        return;
    while (up(gap_begin(k), grain) > gap_end(k) || gap_end(k) - up(gap_begin(k), grain) < room)
        k++;
    uint64_t offset = up(gap_begin(k), grain);
    if (n_blocks == cap_blocks)
        blocks = base_array_grow(blocks, &cap_blocks, n_blocks + 1, sizeof *blocks, "blocks of the heap");
    memmove(blocks + k + 1, blocks + k, (n_blocks++ - k) * sizeof *blocks);
    blocks[k] = (struct block){(uintptr_t)p, size, offset, room};
}

static size_t block_at(const void *p)
{
    size_t k = 0;
    while (k < n_blocks && blocks[k].at != (uintptr_t)p)
        k++;
    return k;
}

void recorder_heap_free(const void *p)
{
    size_t k = block_at(p);
    if (k == n_blocks)
        return;
    memmove(blocks + k, blocks + k + 1, (n_blocks - k - 1) * sizeof *blocks);
    n_blocks--;
}

/* A block that cannot grow where it is moves, and the old one is freed after that. */
void recorder_heap_realloc(const void *from, const void *to, size_t size)
{
    size_t k = block_at(from);
    uint64_t room = up(size, GRAIN);
    if (k == n_blocks || !size) {
        recorder_heap_free(from);
        recorder_heap_alloc(to, size, 0);
    } else if (to && room <= gap_end(k + 1) - blocks[k].offset) {
        blocks[k] = (struct block){(uintptr_t)to, size, blocks[k].offset, room};
    } else if (to) {
        blocks[k].at = 0; /* the new one may be where it was */
        recorder_heap_alloc(to, size, 0);
        recorder_heap_free(NULL);
    }
}

int64_t recorder_heap_size(void)
{
    static const char *const names[] = {"SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE",
                                        "SMA_SYMMETRIC_SIZE"};
    static const char units[] = "kmgt";
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        const char *text = getenv(names[k]);
        char *end;
        double size = text ? strtod(text, &end) : 0;
        if (!(size > 0) || size > 1e18)
            continue;
        const char *unit = *end ? strchr(units, *end | 0x20) : NULL;
        for (; unit && unit >= units; unit--)
            size *= 1024;
        return (int64_t)size;
    }
    return usual_heap;
}

/* --- static data ------------------------------------------------------------------------------------------ */

static struct piece {
    uintptr_t at;
    uint64_t size;
} pieces[RECORD_AREAS - 1];
static int64_t numbers[2 * RECORD_AREAS];
static size_t n_pieces;

static bool contains(const struct dl_phdr_info *info, const void *address)
{
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type == PT_LOAD && (uintptr_t)address - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
            return true;
    }
    return false;
}

/* Libraries of the system have no data that programs put to, nor do this one and the OpenSHMEM. */
static bool is_of_program(const struct dl_phdr_info *info)
{
    if (!*info->dlpi_name)
        return true;
    if (contains(info, numbers) || contains(info, recorder_shmem_real("shmem_my_pe")))
        return false;
    return strncmp(info->dlpi_name, "/lib", 4) && strncmp(info->dlpi_name, "/usr/", 5) &&
           *info->dlpi_name == '/';
}

static int add_pieces(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    for (int k = 0; is_of_program(info) && k < info->dlpi_phnum && n_pieces < BASE_LENGTH(pieces); k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type == PT_LOAD && p->p_flags & PF_W)
            pieces[n_pieces++] = (struct piece){info->dlpi_addr + p->p_vaddr, p->p_memsz};
    }
    return 0;
}

const int64_t *recorder_statics(int64_t *n)
{
    n_pieces = 0;
    dl_iterate_phdr(add_pieces, NULL);
    for (size_t k = 0; k < n_pieces; k++) {
        numbers[2 * k] = (int64_t)pieces[k].size;
        numbers[2 * k + 1] = (int64_t)(pieces[k].at % (uintptr_t)sysconf(_SC_PAGESIZE));
    }
    *n = 2 * (int64_t)n_pieces;
    return numbers;
}

/* --- both ------------------------------------------------------------------------------------------------- */

int64_t recorder_place(void *ctx, const void *address)
{
    static size_t last;
    uintptr_t at = (uintptr_t)address;
    (void)ctx;
    if (!address)
        return RECORD_NULL;
    if (last < n_blocks && at - blocks[last].at < blocks[last].size)
        return record_place(0, blocks[last].offset + (at - blocks[last].at));
    for (size_t k = 0; k < n_blocks; k++)
        if (at - blocks[k].at < blocks[k].size) {
            last = k;
            return record_place(0, blocks[k].offset + (at - blocks[k].at));
        }
    for (size_t k = 0; k < n_pieces; k++)
        if (at - pieces[k].at < pieces[k].size)
            return record_place((uint32_t)k + 1, at - pieces[k].at);
    return RECORD_SOMEWHERE;
}

void recorder_places_release(void)
{
    free(blocks);
    blocks = NULL;
    n_blocks = cap_blocks = 0;
}
