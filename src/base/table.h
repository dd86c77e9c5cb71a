/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table: the project's hash table, in two layers.
 *
 *   index   hash -> number of an item that the caller keeps in an array of its own; the caller compares keys
 *   table   key -> value, kept in entries in the order of insertion; keys are numbers or bytes
 *
 *           index (open addressing)                entries (in order of insertion)
 *           +------+------+                        +-----+-------+
 *           | hash | item |  item - 1 ---------->  | key | value |
 *           +------+------+                        +-----+-------+
 *
 * An item's hash is kept beside its number, so that a search reads a key only if the hash is equal, and
 * growing reads no keys. A removed entry stays in place, and is skipped, until the entries are full; removing
 * the newest entry frees its place at once. A table holds at most 2^32 - 2 items.
 *
 * Invariants
 *  H1  At most three quarters of the slots are in use; an item is in one slot; no slot between the one where
 *      its hash begins and its own is free.
 *  H2  Iteration follows insertion: nothing that a table's user can see depends on a hash.
 *  H3  An entry is live exactly if the index leads to it.
 */
#ifndef PGASIM_BASE_TABLE_H
#define PGASIM_BASE_TABLE_H

#include "base/base.h"

enum { BASE_NONE = UINT32_MAX };

/* A 32-bit hash of all bits of a number. */
static inline uint64_t base_hash_fold(uint64_t x)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)x * UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}
static inline uint32_t base_hash(uint64_t number)
{
    return (uint32_t)base_hash_fold(number);
}
uint32_t base_hash_bytes(const void *bytes, size_t n);
/* FNV-1a, for what is kept in files: the same in every version. `from`: BASE_FNV, or what it was for the bytes
 * before. */
#define BASE_FNV UINT64_C(0xcbf29ce484222325)
uint64_t base_fnv(uint64_t from, const void *bytes, size_t n);

/* --- index ------------------------------------------------------------------------------------------ */

struct base_slot {
    uint32_t hash, item; /* item: its number + 1; 0: the slot is free */
};
/* Zeroed except for `what` and `layer`, it is empty and valid. */
struct base_index {
    struct base_slot *slot; /* mask + 1 of them; NULL: none yet */
    uint32_t mask, used;
    const char *what, *layer; /* for accounts; layer NULL: the table maps memory that no account sees */
};
void base_index_init_for(struct base_index *x, const char *what, const char *layer);
#define base_index_init(x, what) base_index_init_for(x, what, PGASIM_LAYER)
void base_index_release(struct base_index *x);
void base_index_clear(struct base_index *x);                   /* keeps its memory */
void base_index_reserve(struct base_index *x, uint32_t items); /* room for this many in total */
/* The caller knows that the item is not yet in the index. */
void base_index_add(struct base_index *x, uint32_t hash, uint32_t item);
/* false: not found */
bool base_index_remove(struct base_index *x, uint32_t hash, uint32_t item);

/* The items of one hash, one by one:
 *     for (uint32_t at = hash, k; (k = base_index_next(x, hash, &at)) != BASE_NONE;)
 *         if (... the key of item k is the wanted one ...) */
static inline uint32_t base_index_next(const struct base_index *x, uint32_t hash, uint32_t *at)
{
    if (BASE_UNLIKELY(!x->slot))
        return BASE_NONE;
    for (;;) {
        const struct base_slot *s = &x->slot[(*at)++ & x->mask];
        if (!s->item || s->hash == hash)
            return s->item - 1; /* BASE_NONE for a free slot */
    }
}
/* Prefetches the memory where a search for this hash begins. */
static inline void base_index_prefetch(const struct base_index *x, uint32_t hash)
{
    __builtin_prefetch(x->slot ? &x->slot[hash & x->mask] : NULL, 1);
}

/* --- table ------------------------------------------------------------------------------------------ */

enum base_keys { BASE_NUMBERS, BASE_BYTES };
struct base_table {
    struct base_index index;
    char *entry;      /* `n` in use, including removed ones */
    uint32_t n, live; /* entries; entries not removed */
    uint32_t cap;     /* how many entries there is room for */
    uint32_t stride;  /* bytes of an entry: key, value */
    enum base_keys keys;
};
/* How an entry stores a key of bytes. */
struct base_table_bytes {
    const void *at; /* owned by the caller; must live as long as the entry */
    uint32_t length, hash;
};

/* `value`: size of a value in bytes; values are aligned to 8. */
void base_table_init_for(struct base_table *t, enum base_keys keys, size_t value, const char *what,
                         const char *layer);
#define base_table_init(t, keys, value, what) base_table_init_for(t, keys, value, what, PGASIM_LAYER)
void base_table_release(struct base_table *t);
void base_table_clear(struct base_table *t); /* keeps its memory */
/* Makes room for this many entries in total; up to that, adding allocates nothing. */
void base_table_reserve(struct base_table *t, uint32_t entries);

/* Pointers to values hold until the next entry is added. */

/* The value for a number, or NULL. */
static inline void *base_table_find(const struct base_table *t, uint64_t key)
{
    const struct base_slot *slot = t->index.slot;
    uint32_t hash = base_hash(key);
    if (BASE_UNLIKELY(!slot))
        return NULL;
    for (uint32_t k = hash;; k++) {
        struct base_slot s = slot[k & t->index.mask];
        if (!s.item)
            return NULL;
        char *entry = t->entry + (size_t)(s.item - 1) * t->stride;
        if (s.hash == hash && BASE_LIKELY(*(uint64_t *)(void *)entry == key))
            return entry + sizeof key;
    }
}
/* The value for a number; a new one is zero. `*fresh` (may be NULL) is set if it is new. */
void *base_table_add(struct base_table *t, uint64_t key, bool *fresh);
bool base_table_remove(struct base_table *t, uint64_t key); /* false: it was not there */

/* The same for keys of bytes. A new entry refers to `key` itself, not to a copy; base_table_rekey moves it to
 * another address with the same bytes. */
void *base_table_find_bytes(const struct base_table *t, const void *key, size_t length);
void *base_table_add_bytes(struct base_table *t, const void *key, size_t length, bool *fresh);
bool base_table_remove_bytes(struct base_table *t, const void *key, size_t length);
void base_table_rekey(struct base_table *t, void *value, const void *key);

/* Iterates over values in order of insertion: returns the one at `*at` (0 at first) or later, NULL at the
 * end. Entries may be removed meanwhile, but not added. */
void *base_table_next(const struct base_table *t, uint32_t *at);
static inline uint64_t base_table_key(const void *value) /* for tables with numbers as keys */
{
    return ((const uint64_t *)value)[-1];
}
static inline const struct base_table_bytes *base_table_bytes(const void *value)
{
    return (const struct base_table_bytes *)value - 1;
}
/* A value's number, and the value of a number. It counts the entries before it, provided that none was ever
 * removed. */
uint32_t base_table_number(const struct base_table *t, const void *value);
static inline void *base_table_at(const struct base_table *t, uint32_t number)
{
    size_t key = t->keys == BASE_NUMBERS ? sizeof(uint64_t) : sizeof(struct base_table_bytes);
    return t->entry + (size_t)number * t->stride + key;
}
void base_table_check(const struct base_table *t); /* asserts H1 and H3 */

#endif
