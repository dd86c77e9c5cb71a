/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copy: what makes large copies cheaper. The caller decides which copies qualify.
 *
 * base_copy_past is for memory that is not cached and will not be read soon. Ordinary stores first load each
 * line that they overwrite, and evict other lines; these write whole lines to memory. On processors without
 * such stores it is memcpy.
 *
 * base_populate is for memory that is about to be overwritten. If it is untouched, one call has the kernel
 * supply its pages, instead of a page fault for each. It is only a hint: a kernel that does not know the call
 * supplies the pages one by one, as always.
 */
#include "base/base.h"

#include <string.h>
#include <sys/mman.h>

/* Looks only at the page in the middle: programs often write a block's first and last words themselves. */
void base_populate(void *to, size_t bytes)
{
    uintptr_t mask = ~(uintptr_t)(base_page_size() - 1), start = (uintptr_t)to;
    uintptr_t middle = (start + bytes / 2) & mask;
    unsigned char present;
    if (!mincore((void *)middle, 1, &present) && !(present & 1))
        madvise((void *)(start & mask), bytes + (start & ~mask), MADV_POPULATE_WRITE);
}

#ifdef __SSE2__
#include <emmintrin.h>

enum { LINE = 64, PART = sizeof(__m128i) };

/* `to` is aligned to a cache line. */
static void copy_lines(char *to, const char *from, size_t lines)
{
    for (; lines--; to += LINE, from += LINE) {
        __m128i part[LINE / PART];
        for (int k = 0; k < LINE / PART; k++)
            part[k] = _mm_loadu_si128((const __m128i *)(const void *)(from + k * PART));
        for (int k = 0; k < LINE / PART; k++)
            _mm_stream_si128((__m128i *)(void *)(to + k * PART), part[k]);
    }
    _mm_sfence(); /* makes these stores visible to other threads before later ones */
}

void base_copy_past(void *to, const void *from, size_t bytes)
{
    size_t before = -(uintptr_t)to % LINE;
    if (before > bytes)
        before = bytes;
    size_t lines = (bytes - before) / LINE, after = (bytes - before) % LINE;
    memcpy(to, from, before);
    copy_lines((char *)to + before, (const char *)from + before, lines);
    memcpy((char *)to + bytes - after, (const char *)from + bytes - after, after);
}
#else
void base_copy_past(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif
