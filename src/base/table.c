/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table: see table.h. When an item is removed, the slots behind it are moved up, so that no markers of
 * removed items are needed. Entries are compacted when they are full and a quarter of them is removed.
 */
#include "base/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_SLOTS = 8, FIRST_ENTRIES = 8, LARGE = 16 << 20 };

/* --- hashes ----------------------------------------------------------------------------------------- */

static uint64_t load8(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static uint64_t load4(const unsigned char *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* Up to 7 bytes as one number. */
static uint64_t load_few(const unsigned char *p, size_t n)
{
    if (n >= 4)
        return load4(p) | load4(p + n - 4) << 32;
    return n ? p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16 : 0;
}

/* Eight bytes at a time; the last eight may overlap those before. */
uint32_t base_hash_bytes(const void *bytes, size_t n)
{
    const unsigned char *p = bytes, *end = p + n;
    uint64_t h = UINT64_C(0x2d358dccaa6c78a5) ^ n;
    if (n < 8) {
        h = base_hash_fold(h ^ load_few(p, n));
    } else {
        for (; end - p > 8; p += 8)
            h = base_hash_fold(h ^ load8(p));
        h = base_hash_fold(h ^ load8(end - 8));
    }
    h = base_hash_fold(h);
    return (uint32_t)(h ^ h >> 32);
}

uint64_t base_fnv(uint64_t from, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t k = 0; k < n; k++)
        from = (from ^ p[k]) * UINT64_C(0x100000001b3);
    return from;
}

/* --- memory ----------------------------------------------------------------------------------------- */

/* Memory that accounts must not see: that of the accounts themselves, and of a signal handler. */
static void *map(size_t bytes, const char *what)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        base_fatal(BASE_EXIT_HOST, "out of memory: %zu bytes for %s", bytes, what);
    return p;
}

/* Access to slots is random, so large tables use huge pages. */
static void *slots_get(const struct base_index *x, size_t bytes)
{
    if (!x->layer)
        return map(bytes, x->what);
    if (bytes < LARGE)
        return base_zalloc_for(bytes, x->what, x->layer);
    void *p = base_reserve_for(bytes, x->what, x->layer);
    base_fill(p, bytes);
    return p;
}

static void slots_put(const struct base_index *x, void *p, size_t bytes)
{
    if (!p)
        return;
    if (!x->layer)
        munmap(p, bytes);
    else if (bytes < LARGE)
        free(p);
    else
        base_unreserve(p, bytes);
}

/* --- index ------------------------------------------------------------------------------------------ */

static size_t slots(const struct base_index *x)
{
    return x->slot ? (size_t)x->mask + 1 : 0;
}

void base_index_init_for(struct base_index *x, const char *what, const char *layer)
{
    *x = (struct base_index){.what = what, .layer = layer};
}

void base_index_release(struct base_index *x)
{
    slots_put(x, x->slot, slots(x) * sizeof *x->slot);
    base_index_init_for(x, x->what, x->layer);
}

void base_index_clear(struct base_index *x)
{
    if (x->used)
        memset(x->slot, 0, slots(x) * sizeof *x->slot);
    x->used = 0;
}

static void insert(struct base_index *x, struct base_slot s)
{
    uint32_t k = s.hash & x->mask;
    while (x->slot[k].item)
        k = (k + 1) & x->mask;
    x->slot[k] = s;
}

static void resize(struct base_index *x, size_t wanted)
{
    struct base_index old = *x;
    BASE_ASSERT("H1", wanted <= (size_t)1 << 32);
    x->slot = slots_get(x, wanted * sizeof *x->slot);
    x->mask = (uint32_t)(wanted - 1);
    for (size_t k = 0; k < slots(&old); k++)
        if (old.slot[k].item)
            insert(x, old.slot[k]);
    slots_put(x, old.slot, slots(&old) * sizeof *old.slot);
}

static bool has_room(size_t n_slots, size_t items)
{
    return 4 * items <= 3 * n_slots;
}

void base_index_reserve(struct base_index *x, uint32_t items)
{
    size_t wanted = x->slot ? slots(x) : FIRST_SLOTS;
    while (!has_room(wanted, items))
        wanted *= 2;
    if (wanted > slots(x))
        resize(x, wanted);
}

void base_index_add(struct base_index *x, uint32_t hash, uint32_t item)
{
    BASE_ASSERT("H1", item < BASE_NONE);
    if (BASE_UNLIKELY(!has_room(slots(x), (size_t)x->used + 1)))
        base_index_reserve(x, x->used + 1);
    insert(x, (struct base_slot){hash, item + 1});
    x->used++;
}

static struct base_slot *slot_of(const struct base_index *x, uint32_t hash, uint32_t item)
{
    for (uint32_t at = hash, k; (k = base_index_next(x, hash, &at)) != BASE_NONE;)
        if (k == item)
            return &x->slot[(at - 1) & x->mask];
    return NULL;
}

/* Items behind the hole move up, unless their search begins behind it. */
bool base_index_remove(struct base_index *x, uint32_t hash, uint32_t item)
{
    struct base_slot *s = slot_of(x, hash, item);
    if (!s)
        return false;
    uint32_t hole = (uint32_t)(s - x->slot);
    for (uint32_t k = (hole + 1) & x->mask; x->slot[k].item; k = (k + 1) & x->mask) {
        if (((k - x->slot[k].hash) & x->mask) < ((k - hole) & x->mask))
            continue;
        x->slot[hole] = x->slot[k];
        hole = k;
    }
    x->slot[hole].item = 0;
    x->used--;
    return true;
}

/* --- entries ---------------------------------------------------------------------------------------- */

static size_t key_bytes(const struct base_table *t)
{
    return t->keys == BASE_NUMBERS ? sizeof(uint64_t) : sizeof(struct base_table_bytes);
}

static char *entry_at(const struct base_table *t, uint32_t k)
{
    return t->entry + (size_t)k * t->stride;
}

static uint32_t hash_at(const struct base_table *t, uint32_t k)
{
    const void *entry = entry_at(t, k);
    if (t->keys == BASE_NUMBERS)
        return base_hash(*(const uint64_t *)entry);
    return ((const struct base_table_bytes *)entry)->hash;
}

static void set_cap(struct base_table *t, size_t cap)
{
    size_t bytes = cap * t->stride, old = (size_t)t->cap * t->stride;
    const struct base_index *x = &t->index;
    BASE_ASSERT("H1", cap <= BASE_NONE);
    if (x->layer) {
        t->entry = base_realloc_for(t->entry, bytes, x->what, x->layer);
    } else {
        char *entry = map(bytes, x->what);
        if (old) {
            memcpy(entry, t->entry, old);
            munmap(t->entry, old);
        }
        t->entry = entry;
    }
    t->cap = (uint32_t)cap;
}

/* Moves the live entries together and renumbers them. A new number is lower than all numbers still to be
 * processed, so that it is never mistaken for a removed entry's. */
static void compact(struct base_table *t)
{
    uint32_t to = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        struct base_slot *s = slot_of(&t->index, hash_at(t, k), k);
        if (!s)
            continue;
        s->item = to + 1;
        if (to != k)
            memcpy(entry_at(t, to), entry_at(t, k), t->stride);
        to++;
    }
    BASE_ASSERT("H3", to == t->live);
    t->n = to;
}

static void make_room(struct base_table *t)
{
    if (t->n < t->cap)
        return;
    if (t->live <= t->n / 4 * 3 && t->live < t->n)
        compact(t);
    else
        set_cap(t, t->cap ? (size_t)t->cap + t->cap / 2 : FIRST_ENTRIES);
}

/* A new last entry, zero except for its key, which the caller writes. */
static char *append(struct base_table *t, uint32_t hash)
{
    make_room(t);
    char *entry = memset(entry_at(t, t->n), 0, t->stride);
    base_index_add(&t->index, hash, t->n++);
    t->live++;
    return entry;
}

static void drop(struct base_table *t, const void *value)
{
    uint32_t k = base_table_number(t, value);
    base_index_remove(&t->index, hash_at(t, k), k);
    t->live--;
    if (k + 1 == t->n)
        t->n--;
}

/* --- table ------------------------------------------------------------------------------------------ */

void base_table_init_for(struct base_table *t, enum base_keys keys, size_t value, const char *what,
                         const char *layer)
{
    *t = (struct base_table){.keys = keys};
    base_index_init_for(&t->index, what, layer);
    t->stride = (uint32_t)(key_bytes(t) + ((value + 7) & ~(size_t)7));
}

void base_table_release(struct base_table *t)
{
    base_index_release(&t->index);
    if (t->index.layer)
        free(t->entry);
    else if (t->cap)
        munmap(t->entry, (size_t)t->cap * t->stride);
    t->entry = NULL;
    t->n = t->live = t->cap = 0;
}

void base_table_clear(struct base_table *t)
{
    base_index_clear(&t->index);
    t->n = t->live = 0;
}

void base_table_reserve(struct base_table *t, uint32_t entries)
{
    base_index_reserve(&t->index, entries);
    if (t->cap < entries)
        set_cap(t, entries);
}

void *base_table_add(struct base_table *t, uint64_t key, bool *fresh)
{
    void *value = base_table_find(t, key);
    if (fresh)
        *fresh = !value;
    if (value)
        return value;
    char *entry = append(t, base_hash(key));
    memcpy(entry, &key, sizeof key);
    return entry + sizeof key;
}

bool base_table_remove(struct base_table *t, uint64_t key)
{
    void *value = base_table_find(t, key);
    if (value)
        drop(t, value);
    return value != NULL;
}

static void *find_bytes(const struct base_table *t, const void *key, size_t length, uint32_t hash)
{
    for (uint32_t at = hash, k; (k = base_index_next(&t->index, hash, &at)) != BASE_NONE;) {
        struct base_table_bytes *have = (void *)entry_at(t, k);
        if (have->length == length && !memcmp(have->at, key, length))
            return have + 1;
    }
    return NULL;
}

void *base_table_find_bytes(const struct base_table *t, const void *key, size_t length)
{
    return t->live ? find_bytes(t, key, length, base_hash_bytes(key, length)) : NULL;
}

void *base_table_add_bytes(struct base_table *t, const void *key, size_t length, bool *fresh)
{
    uint32_t hash = base_hash_bytes(key, length);
    void *value = find_bytes(t, key, length, hash);
    BASE_ASSERT("H1", length <= UINT32_MAX);
    if (fresh)
        *fresh = !value;
    if (value)
        return value;
    struct base_table_bytes *entry = (void *)append(t, hash);
    *entry = (struct base_table_bytes){key, (uint32_t)length, hash};
    return entry + 1;
}

bool base_table_remove_bytes(struct base_table *t, const void *key, size_t length)
{
    void *value = base_table_find_bytes(t, key, length);
    if (value)
        drop(t, value);
    return value != NULL;
}

void base_table_rekey(struct base_table *t, void *value, const void *key)
{
    struct base_table_bytes *entry = (struct base_table_bytes *)value - 1;
    BASE_ASSERT("H3", t->keys == BASE_BYTES && !memcmp(entry->at, key, entry->length));
    entry->at = key;
}

uint32_t base_table_number(const struct base_table *t, const void *value)
{
    return (uint32_t)((size_t)((const char *)value - key_bytes(t) - t->entry) / t->stride);
}

void *base_table_next(const struct base_table *t, uint32_t *at)
{
    bool whole = t->live == t->n;
    while (*at < t->n) {
        uint32_t k = (*at)++;
        if (whole || slot_of(&t->index, hash_at(t, k), k))
            return entry_at(t, k) + key_bytes(t);
    }
    return NULL;
}

void base_table_check(const struct base_table *t)
{
    uint32_t live = 0, used = 0;
    for (uint32_t k = 0; k < t->n; k++)
        live += slot_of(&t->index, hash_at(t, k), k) != NULL;
    for (size_t k = 0; k < slots(&t->index); k++)
        used += t->index.slot[k].item != 0;
    BASE_ASSERT("H1", used == t->index.used && has_room(slots(&t->index), used));
    BASE_ASSERT("H3", live == t->live && used == live && t->n <= t->cap);
}
