/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache: what the hosts have of the files of a volume with caches. A cache holds as many bytes as its volume says; to
 * make room, what was put into it first goes first. A range that was put in twice leaves with its first entry.
 */
#include "storage/internal.h"

#include <stdlib.h>

struct storage_client *storage_client_of(struct storage_volume *v, uint32_t host)
{
    bool fresh;
    struct storage_client **at = base_table_add(&v->clients, host, &fresh);
    if (!fresh)
        return *at;
    struct storage_client *c = base_zalloc(sizeof *c, "caches of files");
    c->volume = v;
    base_table_init(&c->cached, BASE_NUMBERS, sizeof(struct storage_cached), "cached files");
    return *at = c;
}

struct storage_cached *storage_cached_of(struct storage_client *c, struct storage_inode *i)
{
    return base_table_add(&c->cached, i->number, NULL);
}

static struct storage_cached *find(const struct storage_client *c, const struct storage_inode *i)
{
    return base_table_find(&c->cached, i->number);
}

void storage_clients_release(struct storage_volume *v)
{
    struct storage_client **c;
    for (uint32_t at = 0; (c = base_table_next(&v->clients, &at)) != NULL;) {
        struct storage_cached *x;
        for (uint32_t k = 0; (x = base_table_next(&(*c)->cached, &k)) != NULL;)
            free(x->have.at);
        base_table_release(&(*c)->cached);
        free((*c)->piece);
        free(*c);
    }
    base_table_release(&v->clients);
}

/* --- the ring of pieces ------------------------------------------------------------------------------------------ */

static void ring_grow(struct storage_client *c)
{
    size_t room = c->room ? 2 * c->room : 16;
    struct storage_piece *piece = base_alloc(room * sizeof *piece, "caches of files");
    for (size_t k = 0; c->piece && k < c->pieces; k++)
        piece[k] = c->piece[(c->oldest + k) % c->room];
    free(c->piece);
    c->piece = piece;
    c->oldest = 0;
    c->room = room;
}

/* A piece that continues the newest one joins it. */
static void ring_put(struct storage_client *c, struct storage_inode *i, uint64_t low, uint64_t high)
{
    struct storage_piece *newest = c->pieces ? &c->piece[(c->oldest + c->pieces - 1) % c->room] : NULL;
    if (newest && newest->inode == i && newest->high == low &&
        newest->high - newest->low < c->volume->cache / 64) {
        newest->high = high;
        return;
    }
    if (!c->piece || c->pieces == c->room)
        ring_grow(c);
    c->piece[(c->oldest + c->pieces++) % c->room] = (struct storage_piece){i, low, high};
}

static void make_room(struct storage_client *c)
{
    while (c->bytes > c->volume->cache && c->pieces) {
        struct storage_piece p = c->piece[c->oldest];
        c->oldest = (c->oldest + 1) % c->room;
        c->pieces--;
        storage_cache_drop(c, p.inode, p.low, p.high);
    }
}

/* --- what is cached ----------------------------------------------------------------------------------------------- */

void storage_cache_put(struct storage_client *c, struct storage_inode *i, uint64_t low, uint64_t high)
{
    if (high - low > c->volume->cache) /* its end is what stays */
        low = high - c->volume->cache;
    uint64_t more = storage_extents_add(&storage_cached_of(c, i)->have, low, high);
    if (!more)
        return;
    c->bytes += more;
    ring_put(c, i, low, high);
    make_room(c);
}

void storage_cache_drop(struct storage_client *c, const struct storage_inode *i, uint64_t low, uint64_t high)
{
    struct storage_cached *x = find(c, i);
    if (x)
        c->bytes -= storage_extents_cut(&x->have, low, high);
}

void storage_caches_drop(struct storage_inode *i, uint32_t but, uint64_t low, uint64_t high)
{
    struct storage_client **c;
    struct storage_volume *v = i->volume;
    for (uint32_t at = 0; (c = base_table_next(&v->clients, &at)) != NULL;)
        if (base_table_key(c) != but)
            storage_cache_drop(*c, i, low, high);
}

bool storage_cache_lacks(struct storage_client *c, const struct storage_inode *i, uint64_t *low,
                         uint64_t high, struct storage_extent *out)
{
    const struct storage_cached *x = c ? find(c, i) : NULL;
    size_t k = x ? storage_extents_find(&x->have, *low) : 0;
    if (x && k < x->have.n && x->have.at[k].low <= *low)
        *low = x->have.at[k++].high;
    if (*low >= high)
        return false;
    out->low = *low;
    out->high = x && k < x->have.n && x->have.at[k].low < high ? x->have.at[k].low : high;
    *low = out->high;
    return true;
}

uint64_t storage_cache_has(struct storage_client *c, const struct storage_inode *i, uint64_t low,
                           uint64_t high)
{
    uint64_t has = high - low, at = low;
    struct storage_extent lacks;
    while (storage_cache_lacks(c, i, &at, high, &lacks))
        has -= lacks.high - lacks.low;
    return has;
}
