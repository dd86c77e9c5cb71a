/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shadow: a number for every four bytes of the memory that is followed, 0 at first: what is known of the
 * accesses to them. Memory that is not followed costs nothing.
 *
 * Addresses are in spaces: space 0 holds the addresses of this process; a rank whose addresses mean other
 * memory at other ranks (exchanged globals) has a space of its own for them, with places from 0 on. A page is followed
 * while it lies in an area, or while it is pinned. It has one number until its cells differ.
 *
 * Invariants
 *  S1  A page has cells, or all of its cells are `all`.
 *  S2  What shadow_find remembers is what it would find.
 */
#ifndef PGASIM_CHECK_SHADOW_H
#define PGASIM_CHECK_SHADOW_H

#include "base/table.h"

#include <string.h>
#include <wchar.h>

enum { SHADOW_CELL = 4, SHADOW_PAGE = 4096, SHADOW_CELLS = SHADOW_PAGE / SHADOW_CELL };
enum { SHADOW_SPACE_BITS = 22, SHADOW_PLACE_BITS = 63 - SHADOW_SPACE_BITS };
enum { SHADOW_SPACES = 1 << SHADOW_SPACE_BITS };

struct shadow_page {
    uint32_t all;
    uint32_t pins;
    uint32_t *cell; /* SHADOW_CELLS; NULL: `all` */
    uint64_t key;
};

/* Followed for as long as it is there; areas of one space do not overlap. */
struct shadow_area {
    uint64_t low, high; /* keys of bytes: shadow_key */
    const char *kind;
    uint32_t rank; /* whose */
};

/* The areas that reach into SHADOW_STRIP bytes from a multiple of it on, in order; of SHADOW_BLOCK bytes it is known how
 * many pages are followed. So neither many areas nor large ones cost much. */
enum { SHADOW_STRIP = 1 << 30, SHADOW_BLOCK = 1 << 21 };
struct shadow_strip {
    BASE_ARRAY(struct shadow_area) areas;
    size_t gone; /* of these: they have no kind any more, and are taken out when they are half of all */
};

enum { SHADOW_NEAR = 4096 };
struct shadow {
    struct {
        uint64_t key; /* of a page, + `era`; 0: none */
        struct shadow_page *page;
    } near[SHADOW_NEAR];
    uint64_t era;             /* less than SHADOW_PAGE; changes when other memory is followed */
    struct base_table pages;  /* key of a page -> struct shadow_page * */
    struct base_table strips; /* number of a strip -> struct shadow_strip */
    struct base_table blocks; /* number of a block -> pages, uint64_t */
    struct base_pool records, cells;
};

void shadow_init(struct shadow *s);
void shadow_release(struct shadow *s);

/* A byte's key; a page's is that of its first byte. `place`: an address in space 0, less than 2^SHADOW_PLACE_BITS
 * in others. */
static inline uint64_t shadow_key(uint32_t space, uint64_t place)
{
    return space ? UINT64_C(1) << 63 | (uint64_t)space << SHADOW_PLACE_BITS | place : place;
}
static inline uint32_t shadow_space_of(uint64_t key)
{
    return key >> 63 ? key >> SHADOW_PLACE_BITS & (SHADOW_SPACES - 1) : 0;
}
static inline uint64_t shadow_place_of(uint64_t key)
{
    return key >> 63 ? key & ((UINT64_C(1) << SHADOW_PLACE_BITS) - 1) : key;
}

void shadow_area_add(struct shadow *s, const struct shadow_area *a);
void shadow_area_remove(struct shadow *s, uint64_t low);
const struct shadow_area *shadow_area_of(const struct shadow *s, uint64_t key); /* NULL: in none */
/* The pages of [low, high) are followed until they are unpinned as often as pinned. */
void shadow_pin(struct shadow *s, uint64_t low, uint64_t high);
void shadow_unpin(struct shadow *s, uint64_t low, uint64_t high);

struct shadow_page *shadow_look_up(struct shadow *s, uint64_t key, bool follow);
static inline size_t shadow_near_at(uint64_t page)
{
    return (page >> 12 ^ page >> SHADOW_PLACE_BITS) % SHADOW_NEAR;
}
/* Whether it is remembered what is known of a byte's page: *p, NULL if it is not followed. */
static inline bool shadow_is_near(const struct shadow *s, uint64_t key, struct shadow_page **p)
{
    uint64_t page = key & ~(uint64_t)(SHADOW_PAGE - 1);
    size_t at = shadow_near_at(page);
    *p = s->near[at].page;
    return s->near[at].key == page + s->era;
}
/* The page of a byte; NULL: it is not followed. `follow`: then it is from now on, pinned. */
static inline struct shadow_page *shadow_find(struct shadow *s, uint64_t key, bool follow)
{
    struct shadow_page *p;
    if (BASE_LIKELY(shadow_is_near(s, key, &p) && (p || !follow)))
        return p;
    return shadow_look_up(s, key & ~(uint64_t)(SHADOW_PAGE - 1), follow);
}
/* Sets n cells; whether n cells are equal. As fast as the machine can: large transfers have many. */
static inline void shadow_fill(uint32_t *cell, uint32_t to, size_t n)
{
    _Static_assert(sizeof(wchar_t) == sizeof *cell, "cells are set as wide characters");
    wmemset((wchar_t *)cell, (wchar_t)to, n);
}
static inline bool shadow_is_even(const uint32_t *cell, size_t n)
{
    return !memcmp(cell, cell + 1, (n - 1) * sizeof *cell);
}
uint32_t *shadow_split(struct shadow *s, struct shadow_page *p); /* its cells */
void shadow_unite(struct shadow *s, struct shadow_page *p);      /* if its cells are equal */
/* All cells of [low, high) that are followed become 0; those in part, too. */
void shadow_forget(struct shadow *s, uint64_t low, uint64_t high);

#endif
