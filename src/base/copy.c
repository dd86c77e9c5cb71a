/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base_copy_past: large copies into memory that is not cached and will not be read soon. Ordinary stores
 * first load each line that they overwrite, and evict other lines; these write whole lines to memory. On
 * processors without such stores it is memcpy. The caller decides which copies qualify.
 */
#include "base/base.h"

#include <string.h>

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
