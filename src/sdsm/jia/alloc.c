/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alloc: where shared memory lies. All processes make the same calls and so get the same addresses, without a
 * message; barriers compare the calls. A block begins at a page. A page's home is the server whose number in
 * the list is that of the page's host modulo the number of servers.
 */
#include <stdlib.h>

#include "sdsm/jia/parts.h"

/* Which hosts the pages of a block are dealt out to: `size` of the pieces by turn. */
struct deal {
    int host;
    const int *size; /* bytes */
    int n;
    bool per_round; /* a piece of the same size to each host, then of the next size */
};

/* FNV-1a, of the numbers that every process must have in common. */
static void note(uint64_t value)
{
    if (!jia.calls)
        jia.calls = UINT64_C(14695981039346656037);
    for (int k = 0; k < 8; k++, value >>= 8)
        jia.calls = (jia.calls ^ (value & 0xff)) * UINT64_C(1099511628211);
}

static uint32_t pages_of(const char *call, const char *what, int bytes)
{
    if (bytes <= 0)
        jia_wrong("%s: %s of %d bytes; expected 1 or more", call, what, bytes);
    return (uint32_t)(((size_t)bytes + jia.page_bytes - 1) / jia.page_bytes);
}

static void check_host(const char *call, int host)
{
    if (host < 0 || host >= jiahosts)
        jia_wrong("%s: host %d; expected 0 to %d", call, host, jiahosts - 1);
}

static void add_block(uint32_t pages)
{
    jia.blocks = sat_grow(jia.blocks, (jia.n_blocks + 1) * sizeof *jia.blocks);
    jia.blocks[jia.n_blocks++] = (struct jia_block){jia.allocated, pages, false};
    jia.allocated += pages;
}

static void deal_out(const char *call, uint32_t first, uint32_t pages, struct deal d)
{
    for (uint32_t given = 0, piece = 0; given < pages; piece++) {
        uint32_t turn = d.per_round ? piece / (uint32_t)jiahosts : piece;
        uint32_t n = pages_of(call, "a piece", d.size[turn % (uint32_t)d.n]);
        uint32_t host = ((uint32_t)d.host + piece) % (uint32_t)jiahosts;
        note(host);
        for (; n && given < pages; n--, given++) {
            jia.page[first + given].home = (int16_t)(host % (uint32_t)sdsm->n_servers);
            if (sat_stats_on)
                jia_tell_allocated(first + given);
        }
    }
}

static unsigned long allocate(const char *call, int bytes, struct deal d)
{
    enum sat_class class = jia_enter(call);
    uint32_t pages = pages_of(call, "a block", bytes), first = jia.allocated;
    check_host(call, d.host);
    if (d.n <= 0)
        jia_wrong("%s: %d sizes of pieces; expected 1 or more", call, d.n);
    if (pages > jia.pages - jia.allocated)
        jia_wrong(
            "%s: %d bytes, but only %zu of the shared memory's %zu are left; --sat-jia-memory=MiB, also in "
            "the environment variable SAT_OPTIONS, makes it larger",
            call, bytes, (size_t)(jia.pages - jia.allocated) * jia.page_bytes, jia.bytes);
    note(pages);
    add_block(pages);
    deal_out(call, first, pages, d);
    sat_enter(class);
    return (unsigned long)(jia.at + (size_t)first * jia.page_bytes);
}

/* --- calls ---------------------------------------------------------------------------------------- */

unsigned long jia_alloc3(int totalsize, int blocksize, int starthost)
{
    return allocate("jia_alloc3", totalsize, (struct deal){starthost, &blocksize, 1, false});
}

unsigned long jia_alloc4(int totalsize, const int *blocks, int n, int starthost)
{
    return allocate("jia_alloc4", totalsize, (struct deal){starthost, blocks, n, true});
}

unsigned long jia_alloc_array(int totalsize, const int *array, int n)
{
    return allocate("jia_alloc_array", totalsize, (struct deal){0, array, n, false});
}

unsigned long jia_alloc2(int totalsize, int blocksize)
{
    return allocate("jia_alloc2", totalsize, (struct deal){0, &blocksize, 1, false});
}

unsigned long jia_alloc2p(int totalsize, int starthost)
{
    return allocate("jia_alloc2p", totalsize, (struct deal){starthost, &totalsize, 1, false});
}

unsigned long jia_alloc1(int totalsize)
{
    return allocate("jia_alloc1", totalsize, (struct deal){0, &totalsize, 1, false});
}

unsigned long jia_alloc(int totalsize)
{
    int host = jia.next_host;
    jia.next_host = jiahosts ? (host + 1) % jiahosts : 0;
    return allocate("jia_alloc", totalsize, (struct deal){host, &totalsize, 1, false});
}

/* The same host in all processes (D. Knuth's generator, The Art of Computer Programming, 3.3.4, line 26). */
unsigned long jia_alloc_random(int totalsize)
{
    jia.random = jia.random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    int host = jiahosts ? (int)((jia.random >> 33) % (unsigned)jiahosts) : 0;
    return allocate("jia_alloc_random", totalsize, (struct deal){host, &totalsize, 1, false});
}

static struct jia_block *block_at(const void *address)
{
    for (size_t k = 0; k < jia.n_blocks; k++)
        if (jia.at + (size_t)jia.blocks[k].first * jia.page_bytes == address)
            return &jia.blocks[k];
    return NULL;
}

/* The addresses are not used again. */
void jia_free(void *addr)
{
    enum sat_class class = jia_enter("jia_free");
    struct jia_block *b = block_at(addr);
    if (b && !b->freed) {
        b->freed = true;
        note(b->first);
        jia_drop_freed(b->first, b->pages);
    } else {
        jia_wrong("jia_free: %p %s", addr,
                  b ? "was freed before" : "is not the start of a block of shared memory");
    }
    sat_enter(class);
}
