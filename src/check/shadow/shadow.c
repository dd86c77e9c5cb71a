/* SPDX-License-Identifier: BSD-3-Clause */
/* shadow: pages, areas, pins. */
#include "check/shadow/shadow.h"

#include <stdlib.h>

void shadow_init(struct shadow *s)
{
    memset(s, 0, sizeof *s);
    s->era = 1;
    base_table_init(&s->pages, BASE_NUMBERS, sizeof(struct shadow_page *), "shadow pages");
    base_table_init(&s->strips, BASE_NUMBERS, sizeof(struct shadow_strip), "areas of memory");
    base_table_init(&s->blocks, BASE_NUMBERS, sizeof(uint64_t), "shadow pages");
    base_pool_init(&s->records, sizeof(struct shadow_page), "shadow pages");
    base_pool_init(&s->cells, SHADOW_CELLS * sizeof(uint32_t), "shadow cells");
}

void shadow_release(struct shadow *s)
{
    uint32_t at = 0;
    for (struct shadow_strip *strip; (strip = base_table_next(&s->strips, &at));)
        free(strip->areas.at);
    base_table_release(&s->strips);
    base_table_release(&s->blocks);
    base_table_release(&s->pages);
    base_pool_release(&s->records);
    base_pool_release(&s->cells);
}

static uint64_t page_of(uint64_t key)
{
    return key & ~(uint64_t)(SHADOW_PAGE - 1);
}

static void remember(struct shadow *s, uint64_t page, struct shadow_page *p)
{
    size_t at = shadow_near_at(page);
    s->near[at].key = page + s->era;
    s->near[at].page = p;
}

static void forget_near(struct shadow *s)
{
    if (++s->era < SHADOW_PAGE)
        return;
    memset(s->near, 0, sizeof s->near);
    s->era = 1;
}

/* --- areas ------------------------------------------------------------------------------------------ */

static struct shadow_strip *strip_of(const struct shadow *s, uint64_t key)
{
    return base_table_find(&s->strips, key / SHADOW_STRIP);
}

/* The first area that ends after a key. */
static size_t area_from(const struct shadow_strip *strip, uint64_t key)
{
    size_t low = 0, high = strip->areas.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strip->areas.at[middle].high > key)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Where the next strip, or block, begins. */
static uint64_t next(uint64_t key, uint64_t size)
{
    return (key / size + 1) * size;
}

/* The first area that has bytes in [from, to), of one strip; NULL: none. */
static const struct shadow_area *first_area(const struct shadow *s, uint64_t from, uint64_t to)
{
    const struct shadow_strip *strip = strip_of(s, from);
    for (size_t k = strip ? area_from(strip, from) : 0; strip && k < strip->areas.n; k++) {
        if (strip->areas.at[k].low >= to)
            return NULL;
        if (strip->areas.at[k].kind)
            return &strip->areas.at[k];
    }
    return NULL;
}

const struct shadow_area *shadow_area_of(const struct shadow *s, uint64_t key)
{
    return first_area(s, key, key + 1);
}

static bool in_area(const struct shadow *s, uint64_t page)
{
    return first_area(s, page, page + SHADOW_PAGE);
}

/* --- pages ------------------------------------------------------------------------------------------ */

static struct shadow_page *find(const struct shadow *s, uint64_t page)
{
    struct shadow_page **p = base_table_find(&s->pages, page >> 12);
    return p ? *p : NULL;
}

static uint64_t *pages_of(const struct shadow *s, uint64_t key)
{
    return base_table_find(&s->blocks, key / SHADOW_BLOCK);
}

static struct shadow_page *add(struct shadow *s, uint64_t page)
{
    struct shadow_page *p = base_pool_get(&s->records);
    *p = (struct shadow_page){.key = page};
    *(struct shadow_page **)base_table_add(&s->pages, page >> 12, NULL) = p;
    uint64_t *pages = pages_of(s, page);
    ++*(pages ? pages : (uint64_t *)base_table_add(&s->blocks, page / SHADOW_BLOCK, NULL));
    remember(s, page, p);
    return p;
}

static void drop_cells(struct shadow *s, struct shadow_page *p)
{
    if (p->cell)
        base_pool_put(&s->cells, p->cell);
    p->cell = NULL;
}

static void drop(struct shadow *s, struct shadow_page *p)
{
    size_t at = shadow_near_at(p->key);
    if (s->near[at].page == p)
        s->near[at].key = 0;
    base_table_remove(&s->pages, p->key >> 12);
    --*pages_of(s, p->key);
    drop_cells(s, p);
    base_pool_put(&s->records, p);
}

struct shadow_page *shadow_look_up(struct shadow *s, uint64_t key, bool follow)
{
    uint64_t page = page_of(key);
    struct shadow_page *p = find(s, page);
    bool area = !p && in_area(s, page);
    if (!p && (follow || area)) {
        p = add(s, page);
        p->pins = !area;
        return p;
    }
    remember(s, page, p);
    return p;
}

uint32_t *shadow_split(struct shadow *s, struct shadow_page *p)
{
    if (p->cell)
        return p->cell;
    p->cell = base_pool_get(&s->cells);
    shadow_fill(p->cell, p->all, SHADOW_CELLS);
    return p->cell;
}

void shadow_unite(struct shadow *s, struct shadow_page *p)
{
    if (!shadow_is_even(p->cell, SHADOW_CELLS))
        return;
    p->all = p->cell[0];
    drop_cells(s, p);
}

void shadow_forget(struct shadow *s, uint64_t low, uint64_t high)
{
    uint64_t next;
    for (uint64_t key = low; key < high; key = next) {
        next = page_of(key) + SHADOW_PAGE;
        struct shadow_page *p = find(s, page_of(key));
        if (!p)
            continue;
        if (key == p->key && next <= high) {
            drop_cells(s, p);
            p->all = 0;
            continue;
        }
        size_t from = (key - p->key) / SHADOW_CELL, to = SHADOW_CELLS;
        if (high < next)
            to = (high - p->key + SHADOW_CELL - 1) / SHADOW_CELL;
        memset(shadow_split(s, p) + from, 0, (to - from) * sizeof *p->cell);
    }
}

/* --- what is followed ------------------------------------------------------------------------------- */

static void put_area(struct shadow_strip *strip, const struct shadow_area *a)
{
    size_t k = area_from(strip, a->low);
    BASE_ARRAY_PUSH(&strip->areas, *a);
    memmove(&strip->areas.at[k + 1], &strip->areas.at[k], (strip->areas.n - 1 - k) * sizeof *a);
    strip->areas.at[k] = *a;
}

static void take_area(struct shadow_strip *strip, uint64_t low)
{
    size_t k = area_from(strip, low), left = 0;
    while (!strip->areas.at[k].kind)
        k++;
    strip->areas.at[k].kind = NULL;
    if (2 * ++strip->gone < strip->areas.n)
        return;
    for (k = 0; k < strip->areas.n; k++)
        if (strip->areas.at[k].kind)
            strip->areas.at[left++] = strip->areas.at[k];
    strip->areas.n = left;
    strip->gone = 0;
}

void shadow_area_add(struct shadow *s, const struct shadow_area *a)
{
    for (uint64_t key = a->low; key < a->high; key = next(key, SHADOW_STRIP))
        put_area(base_table_add(&s->strips, key / SHADOW_STRIP, NULL), a);
    forget_near(s);
}

/* The pages in [low, high), of one block, that nothing needs any more are dropped. */
static void sweep(struct shadow *s, uint64_t low, uint64_t high)
{
    const uint64_t *pages = pages_of(s, low);
    for (uint64_t page = page_of(low); page < high && pages && *pages; page += SHADOW_PAGE) {
        struct shadow_page *p = find(s, page);
        if (p && !p->pins && !in_area(s, page))
            drop(s, p);
    }
}

void shadow_area_remove(struct shadow *s, uint64_t low)
{
    const struct shadow_area *a = shadow_area_of(s, low);
    if (!a || a->low != low)
        return;
    uint64_t high = a->high;
    for (uint64_t key = low; key < high; key = next(key, SHADOW_STRIP))
        take_area(strip_of(s, key), low);
    forget_near(s);
    for (uint64_t key = low; key < high; key = next(key, SHADOW_BLOCK))
        sweep(s, key, next(key, SHADOW_BLOCK) < high ? next(key, SHADOW_BLOCK) : high);
}

void shadow_pin(struct shadow *s, uint64_t low, uint64_t high)
{
    for (uint64_t page = page_of(low); page < high; page += SHADOW_PAGE) {
        struct shadow_page *p = find(s, page);
        (p ? p : add(s, page))->pins++;
    }
}

void shadow_unpin(struct shadow *s, uint64_t low, uint64_t high)
{
    for (uint64_t page = page_of(low); page < high; page += SHADOW_PAGE) {
        struct shadow_page *p = find(s, page);
        if (p && !--p->pins && !in_area(s, page))
            drop(s, p);
    }
}
