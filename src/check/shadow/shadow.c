/* SPDX-License-Identifier: BSD-3-Clause */
/* shadow: pages, areas, pins. */
#include "check/shadow/shadow.h"

#include <stdlib.h>

void shadow_init(struct shadow *s)
{
    memset(s, 0, sizeof *s);
    base_table_init(&s->pages, BASE_NUMBERS, sizeof(struct shadow_page *), "shadow pages");
    base_pool_init(&s->records, sizeof(struct shadow_page), "shadow pages");
    base_pool_init(&s->cells, SHADOW_CELLS * sizeof(uint32_t), "shadow cells");
}

void shadow_release(struct shadow *s)
{
    base_table_release(&s->pages);
    base_pool_release(&s->records);
    base_pool_release(&s->cells);
    free(s->areas.at);
}

static uint64_t page_of(uint64_t key)
{
    return key & ~(uint64_t)(SHADOW_PAGE - 1);
}

static void remember(struct shadow *s, uint64_t page, struct shadow_page *p)
{
    size_t at = shadow_near_at(page);
    s->near[at].key = page + 1;
    s->near[at].page = p;
}

static void forget_near(struct shadow *s)
{
    memset(s->near, 0, sizeof s->near);
}

/* --- pages ------------------------------------------------------------------------------------------ */

static struct shadow_page *find(const struct shadow *s, uint64_t page)
{
    struct shadow_page **p = base_table_find(&s->pages, page >> 12);
    return p ? *p : NULL;
}

static struct shadow_page *add(struct shadow *s, uint64_t page)
{
    struct shadow_page *p = base_pool_get(&s->records);
    *p = (struct shadow_page){.key = page};
    *(struct shadow_page **)base_table_add(&s->pages, page >> 12, NULL) = p;
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
    drop_cells(s, p);
    base_pool_put(&s->records, p);
}

/* The first area that ends after a key. */
static size_t area_from(const struct shadow *s, uint64_t key)
{
    size_t low = 0, high = s->areas.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->areas.at[middle].high > key)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct shadow_area *shadow_area_of(const struct shadow *s, uint64_t key)
{
    size_t k = area_from(s, key);
    return k < s->areas.n && s->areas.at[k].low <= key ? &s->areas.at[k] : NULL;
}

static bool in_area(const struct shadow *s, uint64_t page)
{
    size_t k = area_from(s, page);
    return k < s->areas.n && s->areas.at[k].low < page + SHADOW_PAGE;
}

struct shadow_page *shadow_look_up(struct shadow *s, uint64_t key, bool follow)
{
    uint64_t page = page_of(key);
    struct shadow_page *p = find(s, page);
    if (!p && (follow || in_area(s, page))) {
        p = add(s, page);
        p->pins = !in_area(s, page);
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

void shadow_area_add(struct shadow *s, const struct shadow_area *a)
{
    size_t k = area_from(s, a->low);
    BASE_ARRAY_PUSH(&s->areas, *a);
    memmove(&s->areas.at[k + 1], &s->areas.at[k], (s->areas.n - 1 - k) * sizeof *a);
    s->areas.at[k] = *a;
    forget_near(s);
}

/* The pages in [low, high) that nothing needs any more are dropped. */
static void sweep(struct shadow *s, uint64_t low, uint64_t high)
{
    for (uint64_t page = page_of(low); page < high; page += SHADOW_PAGE) {
        struct shadow_page *p = find(s, page);
        if (p && !p->pins && !in_area(s, page))
            drop(s, p);
    }
}

void shadow_area_remove(struct shadow *s, uint64_t low)
{
    size_t k = area_from(s, low);
    if (k == s->areas.n || s->areas.at[k].low != low)
        return;
    struct shadow_area was = s->areas.at[k];
    memmove(&s->areas.at[k], &s->areas.at[k + 1], (s->areas.n - 1 - k) * sizeof was);
    s->areas.n--;
    forget_near(s);
    sweep(s, was.low, was.high);
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
