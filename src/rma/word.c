/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * word: numbers for words of any memory, and physical addresses. Where memory lies may differ from run to run,
 * by whole pages: so pages are numbered in order of first use, and words within their page. Words have
 * numbers in their job, frames in their host.
 */
#include "rma/internal.h"

#include <stdlib.h>

enum { PAGE = 4096, WORD = 8, RANK_SHIFT = 40 };

/* Addresses have 52 bits above those within a page; a rank's number takes the place of those that no process
 * has (47 bits in all), so that the key is exact for 2^24 ranks. */
static uint64_t key_of(const struct rank *r, uintptr_t address)
{
    return (uint64_t)r->id << RANK_SHIFT ^ address / PAGE;
}

static uint32_t first_word(struct rank *r, uintptr_t address)
{
    struct base_table *pages = &rma_job_of(r)->pages;
    return base_table_number(pages, base_table_add(pages, key_of(r, address), NULL)) * (PAGE / WORD);
}

uint32_t rma_word(struct rank *r, uintptr_t address)
{
    return first_word(r, address) + (uint32_t)(address % PAGE / WORD);
}

uint32_t rma_word_near(struct rma_page *last, struct rank *r, uintptr_t address)
{
    if (BASE_UNLIKELY(last->rank != r || last->page != address / PAGE))
        *last = (struct rma_page){r, address / PAGE, first_word(r, address)};
    return last->first + (uint32_t)(address % PAGE / WORD);
}

/* --- physical addresses --------------------------------------------------------------------------------- */

void rma_frames_release(struct rma_job *j)
{
    base_table_release(&j->frames);
    free(j->frames_used);
}

uint64_t rma_physical(struct rank *r, uintptr_t address)
{
    struct rma_job *j = rma_job_of(r);
    bool fresh;
    uint64_t *frame = base_table_add(&j->frames, key_of(r, address), &fresh);
    if (!j->frames_used)
        j->frames_used = base_zalloc(platform_host_count(fabric_platform(j->fabric)) * sizeof(uint64_t),
                                     "frames of hosts");
    if (fresh)
        *frame = j->frames_used[r->host]++;
    return *frame * PAGE + address % PAGE;
}

void rma_forget(struct rank *r, uintptr_t address, uint64_t bytes)
{
    struct base_table *frames = &rma_job_of(r)->frames;
    uintptr_t last = (address + bytes - 1) / PAGE;
    for (uintptr_t page = address / PAGE; bytes && frames->live && page <= last; page++)
        base_table_remove(frames, key_of(r, page * PAGE));
}
