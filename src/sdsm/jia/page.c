/* SPDX-License-Identifier: BSD-3-Clause */
/* page: a client's copies of pages: fetching, twins, differences, notices. */
#include <stdlib.h>
#include <string.h>

#include "sdsm/jia/parts.h"

void jia_pages_push(struct jia_pages *p, uint32_t page)
{
    if (p->n == p->cap) {
        p->cap = p->cap ? 2 * p->cap : 64;
        p->at = sat_grow(p->at, p->cap * sizeof *p->at);
    }
    p->at[p->n++] = page;
}

/* --- twins ---------------------------------------------------------------------------------------- */

static char *take_twin(void)
{
    char *twin = jia.twins;
    if (twin)
        memcpy(&jia.twins, twin, sizeof jia.twins);
    else
        twin = sat_grow(NULL, jia.page_bytes);
    return twin;
}

static void give_twin_back(struct jia_page *p)
{
    memcpy(p->twin, &jia.twins, sizeof jia.twins);
    jia.twins = p->twin;
    p->twin = NULL;
}

/* --- faults --------------------------------------------------------------------------------------- */

/* The pages from `page` on that are fetched together with it. */
static uint32_t fetched_with(uint32_t page)
{
    uint32_t n = 1;
    while (n < sdsm->options.jia_prefetch && page + n < jia.allocated &&
           jia.page[page + n].state == JIA_INVALID && jia.page[page + n].home == jia.page[page].home)
        n++;
    return n;
}

/* The answers come in the order of the pages, so the last one is awaited. */
static uint32_t fetch(uint32_t page)
{
    uint32_t n = fetched_with(page);
    for (uint32_t k = 0; sat_stats_on && k < n; k++)
        jia_tell_fetch(page + k);
    jia_ask(SAT_JIA_PAGE, page, jia.page[page].home, n, NULL, 0);
    jia.awaited = page + n - 1;
    sat_await(SAT_JIA_PAGE_IS, page + n - 1, "page", "an access to it");
    for (uint32_t k = 0; k < n; k++) {
        jia.page[page + k].state = JIA_CLEAN;
        if (sat_stats_on)
            jia_tell_fetched(page + k);
    }
    return n;
}

void jia_page_arrived(const struct sat_record *r, const char *data)
{
    memcpy(jia_bytes((uint32_t)r->chunk), data, r->bytes);
    if (r->chunk == jia.awaited)
        sat_wake(r);
}

static void write_page(uint32_t page)
{
    struct jia_page *p = &jia.page[page];
    p->twin = take_twin();
    memcpy(p->twin, jia_bytes(page), jia.page_bytes);
    p->state = JIA_WRITTEN;
    if (sat_stats_on)
        jia_tell_written(page);
    p->idle = 0;
    p->faults += p->faults < UINT8_MAX;
    jia_pages_push(&jia.written, page);
    jia_memory_protect(page, 1, JIA_READ_WRITE);
}

/* A mistake of the program; the simulator says where it is. */
static int refuse(size_t offset)
{
    const struct jia_page *p = &jia.page[offset / jia.page_bytes];
    if (sdsm && sdsm->simulated)
        return 0;
    if (!jia.open)
        sat_fail(SAT_STATUS_WRONG, NULL, "an access to shared memory after jia_exit");
    if (p->home == JIA_FREED)
        sat_fail(SAT_STATUS_WRONG, NULL,
                 "an access to shared memory that was freed, %zu bytes from its start", offset);
    sat_fail(SAT_STATUS_WRONG, NULL,
             "an access to shared memory that is not allocated: %zu bytes from its start, of which %zu are "
             "allocated",
             offset, (size_t)jia.allocated * jia.page_bytes);
}

int jia_fault(void *address, int store)
{
    size_t offset = (size_t)((char *)address - jia.at);
    uint32_t page = (uint32_t)(offset / jia.page_bytes), n = 1;
    if (!jia.open || jia.page[page].home < 0)
        return refuse(offset);
    bool valid = jia.page[page].state != JIA_INVALID;
    if (jia.page[page].state == JIA_WRITTEN) { /* another thread of the process was first */
        jia_memory_protect(page, 1, JIA_READ_WRITE);
        return 1;
    }
    enum sat_class class = sat_enter(SAT_SDSM);
    if (!valid)
        n = fetch(page);
    if (!valid && (!store || n > 1))
        jia_memory_protect(page, n, JIA_READ);
    if (store || valid)
        write_page(page);
    sat_enter(class);
    return 1;
}

/* --- releasing ------------------------------------------------------------------------------------ */

/* J3. */
static void tell(uint32_t page)
{
    struct jia_page *p = &jia.page[page];
    size_t from = 0;
    for (size_t k = 0; k < jia.n_held; k++)
        from = jia.held[k].told > from ? jia.held[k].told : from;
    if (p->told > from)
        return;
    jia_pages_push(&jia.told, page);
    p->told = (uint32_t)jia.told.n;
}

/* A page that was written in more than one interval stays WRITTEN, with a new twin, until it has not changed
 * for some intervals: to compare it in vain costs a small part of a fault. */
static bool may_stay(struct jia_page *p, bool changed)
{
    enum { FAULTS = 2, IDLE = 8 };
    p->idle = changed ? 0 : (uint8_t)(p->idle + 1);
    if (p->idle == IDLE)
        p->faults = 0;
    return jia.stay && p->faults >= FAULTS;
}

/* Returns whether the page stays WRITTEN. */
static bool send_difference(uint32_t page, bool drop)
{
    struct jia_page *p = &jia.page[page];
    uint64_t bytes;
    char *diff = sat_diff_make(p->twin, jia_bytes(page), jia.page_bytes, &bytes);
    bool stays = may_stay(p, diff != NULL) && !drop;
    if (sat_stats_on)
        jia_tell_released(page);
    if (diff) {
        jia_ask(SAT_JIA_DIFF, page, p->home, 0, diff, bytes);
        jia.sent[p->home] = true;
        tell(page);
    }
    if (stays && diff) {
        memcpy(p->twin, jia_bytes(page), jia.page_bytes);
    } else if (!stays) {
        give_twin_back(p);
        p->state = JIA_CLEAN;
    }
    sat_diff_free(diff);
    if (stays && sat_stats_on)
        jia_tell_written(page);
    return stays;
}

static int ascending(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* What `told` has twice is taken out while no lock refers to its order. */
static void shorten_told(void)
{
    size_t n = 0;
    if (jia.n_held || jia.told.n < 4096)
        return;
    qsort(jia.told.at, jia.told.n, sizeof *jia.told.at, ascending);
    for (size_t k = 0; k < jia.told.n; k++)
        if (!n || jia.told.at[n - 1] != jia.told.at[k])
            jia.told.at[n++] = jia.told.at[k];
    jia.told.n = n;
    for (size_t k = 0; k < n; k++)
        jia.page[jia.told.at[k]].told = (uint32_t)k + 1;
}

/* The homes that were sent differences, other than the manager, say that they have them. */
static void await_homes(int manager)
{
    jia.flushing = 0;
    for (int k = 0; k < sdsm->n_servers; k++)
        if (jia.sent[k] && k != manager) {
            jia_ask(SAT_JIA_FLUSH, 0, k, 0, NULL, 0);
            jia.sent[k] = false;
            jia.flushing++;
        }
    if (jia.flushing)
        sat_await(SAT_JIA_FLUSHED, 0, "the homes of pages that it has written", NULL);
}

/* Puts `written` in order, each page once, without those that notices have taken away. */
static void sort_written(void)
{
    size_t n = 0;
    if (jia.written.n)
        qsort(jia.written.at, jia.written.n, sizeof *jia.written.at, ascending);
    for (size_t k = 0; k < jia.written.n; k++)
        if (jia.page[jia.written.at[k]].state == JIA_WRITTEN &&
            !(n && jia.written.at[n - 1] == jia.written.at[k]))
            jia.written.at[n++] = jia.written.at[k];
    jia.written.n = n;
}

static void close_pages(uint32_t first, uint32_t end)
{
    if (first < end)
        jia_memory_protect(first, end - first, JIA_READ);
}

void jia_release_pages(int manager)
{
    uint32_t first = 0, end = 0; /* a run of pages that are CLEAN now */
    size_t stay = 0;
    sort_written();
    for (size_t k = 0; k < jia.written.n; k++) {
        uint32_t page = jia.written.at[k];
        if (send_difference(page, false)) {
            jia.written.at[stay++] = page;
            continue;
        }
        if (page != end) {
            close_pages(first, end);
            first = page;
        }
        end = page + 1;
    }
    close_pages(first, end);
    jia.written.n = stay;
    shorten_told();
    await_homes(manager);
}

/* --- acquiring ------------------------------------------------------------------------------------ */

/* The pages [first, end): what is written here goes to the homes, whose bytes will be fetched. */
static void drop(uint32_t first, uint32_t end)
{
    for (uint32_t page = first; page < end; page++) {
        if (jia.page[page].state == JIA_WRITTEN)
            (void)send_difference(page, true);
        jia.page[page].state = JIA_INVALID;
        jia.page[page].faults = 0;
    }
    jia_memory_protect(first, end - first, JIA_NO_ACCESS);
}

void jia_invalidate(const struct jia_notice *notices, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (uint32_t page = notices[k].first; page < notices[k].end;) {
            uint32_t first = page;
            while (page < notices[k].end && jia.page[page].state != JIA_INVALID)
                page++;
            if (first < page)
                drop(first, page);
            else
                page++;
        }
}

/* What was written there is of no use any more. */
void jia_drop_freed(uint32_t page, uint32_t n)
{
    jia_memory_protect(page, n, JIA_NO_ACCESS);
    for (uint32_t k = page; k < page + n; k++) {
        if (jia.page[k].state == JIA_WRITTEN)
            give_twin_back(&jia.page[k]);
        jia.page[k].state = JIA_INVALID;
        jia.page[k].home = JIA_FREED;
    }
}

void jia_pages_end(void)
{
    sort_written();
    for (size_t k = 0; k < jia.written.n; k++)
        give_twin_back(&jia.page[jia.written.at[k]]);
    while (jia.twins) {
        char *twin = jia.twins;
        memcpy(&jia.twins, twin, sizeof jia.twins);
        free(twin);
    }
    free(jia.written.at);
    free(jia.told.at);
    free(jia.held);
    free(jia.sent);
    free(jia.answer);
}
