/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbol: data under a name (the paper's Figure 7). The table is shared data itself: a name's hash says which
 * bucket, a chunk at the end of the logical space, has its entry; if that bucket is full, it is the next one.
 * An entry names the chunks that hold the data; they are written before the entry can be seen.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

enum { BUCKETS = 1 << 16, SERIALS = 1 << 20, BUCKET_BYTES = 4096, LONGEST = 1024 };

/* A bucket's beginning; then entries, each padded to 8 bytes. */
struct bucket {
    uint32_t used, serial, full, unused;
};

struct symbol {
    uint64_t base, size;
    uint32_t length, unused;
    char name[];
};

/* Room for 2^20 chunks for the data of each symbol, and for 2^20 symbols of each bucket. */
static uint64_t data_id(uint64_t bucket, uint64_t serial)
{
    return SAT_RESERVED + BUCKETS + ((bucket * SERIALS + serial) << 20);
}

/* For the data of a new symbol, or of one that has another size now. */
static uint64_t next_id(uint64_t bucket, char *bytes, const char *place)
{
    struct bucket *b = (void *)bytes;
    if (b->serial == SERIALS)
        sat_fail(SAT_STATUS_WRONG, place,
                 "writeSymbol: the symbols of bucket %llu have changed their sizes %d times",
                 (unsigned long long)bucket, SERIALS);
    return data_id(bucket, b->serial++);
}

static uint64_t bucket_of(const char *name)
{
    return sat_hash(name, strlen(name)) % BUCKETS;
}

static Chunk_t *chunk_of(uint64_t id, size_t size, const char *place)
{
    sdsm->in_symbols = true;
    const unsigned long ids[] = {id}, sizes[] = {size};
    UnsignedLongList_t one = {1, (unsigned long *)ids}, bytes = {1, (unsigned long *)sizes};
    Chunk_t *c = sat_malloc_list_at(newHomeBaseLazy(), &one, &bytes, place);
    sdsm->in_symbols = false;
    return c;
}

static Chunk_t *data_of(uint64_t base, uint64_t size, const char *place)
{
    sdsm->in_symbols = true;
    Chunk_t *c = sat_malloc_at(newHomeBaseLazy(), base, size, place);
    sdsm->in_symbols = false;
    return c;
}

static struct symbol *find(char *bytes, const char *name)
{
    struct bucket *b = (void *)bytes;
    for (char *at = bytes + sizeof *b, *end = at + b->used; at < end;) {
        struct symbol *s = (void *)at;
        if (s->length == strlen(name) && !memcmp(s->name, name, s->length))
            return s;
        at += (sizeof *s + s->length + 7) & ~(size_t)7;
    }
    return NULL;
}

/* The name's entry in a bucket that is open for writing; NULL: it has to go into the next one. */
static struct symbol *add(char *bytes, const char *name)
{
    struct bucket *b = (void *)bytes;
    size_t need = (sizeof(struct symbol) + strlen(name) + 7) & ~(size_t)7;
    if (b->full || sizeof *b + b->used + need > BUCKET_BYTES) {
        b->full = 1;
        return NULL;
    }
    struct symbol *s = (void *)(bytes + sizeof *b + b->used);
    b->used += (uint32_t)need;
    s->length = (uint32_t)strlen(name);
    memcpy(s->name, name, s->length);
    return s;
}

static void check(const Sdsm_t *s, const char *call, const char *name, const char *place)
{
    if (!s || s != sdsm || !sdsm->role)
        sat_fail(SAT_STATUS_WRONG, place, "%s: expected a client's S-DSM", call);
    if (!name || !*name || strlen(name) > LONGEST)
        sat_fail(SAT_STATUS_WRONG, place, "%s: expected a name of 1 to %d characters", call, LONGEST);
}

/* Nothing is to be prepared: the table's chunks are made when they are used. */
void sat_symbols_init_at(Sdsm_t *s, const char *place)
{
    check(s, "initSymbolicTable", "any", place);
}

void sat_symbol_write_at(Sdsm_t *sat, const char *name, const void *data, size_t size, const char *place)
{
    check(sat, "writeSymbol", name, place);
    if (!data || !size)
        sat_fail(SAT_STATUS_WRONG, place, "writeSymbol of %s: no data", name);
    for (uint64_t bucket = bucket_of(name);; bucket = (bucket + 1) % BUCKETS) {
        Chunk_t *c = chunk_of(SAT_RESERVED + bucket, BUCKET_BYTES, place);
        sat_readwrite_at(c, place);
        struct symbol *s = find(c->data, name);
        bool fresh = !s;
        if (fresh)
            s = add(c->data, name);
        if (!s) {
            sat_release_at(c, place);
            continue;
        }
        if (fresh || s->size != size)
            s->base = next_id(bucket, c->data, place);
        s->size = size;
        Chunk_t *d = data_of(s->base, size, place);
        sat_write_at(d, place);
        memcpy(d->data, data, size);
        sat_release_at(d, place);
        sat_free_at(d, place);
        sat_release_at(c, place);
        return;
    }
}

/* Where the data are and how many; waits until there are. */
static void await(const char *name, const char *place, uint64_t *base, uint64_t *size)
{
    for (uint64_t bucket = bucket_of(name);;) {
        Chunk_t *c = chunk_of(SAT_RESERVED + bucket, BUCKET_BYTES, place);
        sat_read_at(c, place);
        for (;;) {
            const struct symbol *s = find(c->data, name);
            if (s) {
                *base = s->base;
                *size = s->size;
            }
            bool full = ((struct bucket *)(void *)c->data)->full;
            uint64_t version = c->sat_entry->version;
            sat_release_at(c, place);
            if (s)
                return;
            if (full)
                break;
            sat_scope_open_newer(c, version, place);
        }
        bucket = (bucket + 1) % BUCKETS;
    }
}

void sat_symbol_read_at(Sdsm_t *sat, const char *name, void **data, size_t *size, const char *place)
{
    check(sat, "readSymbol", name, place);
    if (!data || !size)
        sat_fail(SAT_STATUS_WRONG, place, "readSymbol of %s: expected where to store pointer and size", name);
    uint64_t base, bytes;
    await(name, place, &base, &bytes);
    Chunk_t *d = data_of(base, bytes, place);
    size_t room = *data ? *size : bytes;
    sat_read_at(d, place);
    if (!*data)
        *data = sat_alloc(bytes);
    memcpy(*data, d->data, room < bytes ? room : bytes);
    sat_release_at(d, place);
    sat_free_at(d, place);
    *size = bytes;
}
