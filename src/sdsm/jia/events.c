/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events: pages in the statistics and in traces, as chunks whose numbers are the pages'. A fetch is a reading
 * scope that ends at once. A page that is written is in a writing scope from the first store until its
 * difference goes out.
 */
#include "sdsm/jia/parts.h"

enum { READING = SAT_READ - 1, WRITING = SAT_READWRITE - 1 };

static void asks(uint32_t page, int mode)
{
    SAT_EVENT(SAT_EV_ACQUIRE, page, mode, sat_protocol_number(&sat_multiple_writer));
}

static void has(uint32_t page, int mode, size_t moved)
{
    SAT_EVENT(SAT_EV_GRANTED, page, mode, !moved, (long long)moved);
}

void jia_tell_allocated(uint32_t page)
{
    SAT_EVENT(SAT_EV_ALLOC, page, (long long)jia.page_bytes, SAT_ALLOC_MALLOC, (long long)jia.allocated, 0);
}

void jia_tell_fetch(uint32_t page)
{
    asks(page, READING);
}

void jia_tell_fetched(uint32_t page)
{
    has(page, READING, jia.page_bytes);
    SAT_EVENT(SAT_EV_RELEASE, page, READING, 0, 0, 0, (long long)jia.page_bytes);
}

void jia_tell_written(uint32_t page)
{
    asks(page, WRITING);
    has(page, WRITING, 0);
}

void jia_tell_released(uint32_t page)
{
    size_t first, end, n;
    sat_diff_range(jia.page[page].twin, jia_bytes(page), jia.page_bytes, &first, &end, &n);
    SAT_EVENT(SAT_EV_RELEASE, page, WRITING, (long long)first, (long long)end, (long long)n,
              (long long)jia.page_bytes);
}
