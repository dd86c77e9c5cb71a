/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names: the strings of a platform, and who bears which name. Strings are cut from chunks that live as long
 * as the platform: a large cluster has hundreds of thousands of short ones.
 */
#define uthash_malloc(size)   base_alloc(size, "platform names")
#define uthash_free(at, size) free(at)
#define uthash_fatal(msg)     base_fatal(BASE_EXIT_HOST, "platform names: %s", msg)
#include "platform/model/model.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum { CHUNK = 64 << 10 };

/* Memory that strings are cut from; the newest chunk is first. */
struct chunk {
    struct chunk *next;
    char bytes[];
};

/* One name in its table; the key of `hh` is the name itself. */
struct entry {
    UT_hash_handle hh;
    uint32_t id, line;
};

struct platform_names {
    struct chunk *chunks;
    char *free; /* in the newest chunk */
    size_t left;
    struct base_pool entries;
    struct entry *tables[PLATFORM_SPACES];
};

struct platform_names *platform_names_create(void)
{
    struct platform_names *n = base_zalloc(sizeof *n, "platform names");
    base_pool_init(&n->entries, sizeof(struct entry), "platform names");
    return n;
}

void platform_names_destroy(struct platform_names *n)
{
    for (unsigned space = 0; space < PLATFORM_SPACES; space++)
        HASH_CLEAR(hh, n->tables[space]);
    base_pool_release(&n->entries);
    for (struct chunk *c = n->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(n);
}

/* --- strings ------------------------------------------------------------------------------------ */

static char *cut(struct platform_names *n, size_t bytes)
{
    if (bytes > n->left) {
        size_t size = bytes > CHUNK ? bytes : CHUNK;
        struct chunk *c = base_alloc(sizeof *c + size, "platform names");
        c->next = n->chunks;
        n->chunks = c;
        n->free = c->bytes;
        n->left = size;
    }
    char *at = n->free;
    n->free += bytes;
    n->left -= bytes;
    return at;
}

const char *platform_names_keep(struct platform_names *n, const char *text, size_t length)
{
    char *at = cut(n, length + 1);
    memcpy(at, text, length);
    at[length] = 0;
    return at;
}

const char *platform_names_number(struct platform_names *n, const char *prefix, uint32_t number,
                                  const char *suffix)
{
    char digits[10];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    char *at = cut(n, strlen(prefix) + count + strlen(suffix) + 1), *p = stpcpy(at, prefix);
    while (count)
        *p++ = digits[--count];
    stpcpy(p, suffix);
    return at;
}

/* --- tables ------------------------------------------------------------------------------------- */

static struct platform_named named(const struct entry *e)
{
    return (struct platform_named){.name = e->hh.key, .id = e->id, .line = e->line};
}

bool platform_names_find(const struct platform_names *n, enum platform_space space, const char *name,
                         size_t length, struct platform_named *out)
{
    struct entry *e;
    HASH_FIND(hh, n->tables[space], name, length, e);
    if (e)
        *out = named(e);
    return e != NULL;
}

bool platform_names_add(struct platform_names *n, enum platform_space space, struct platform_named what,
                        struct platform_named *before)
{
    size_t length = strlen(what.name);
    unsigned hash;
    struct entry *e;
    HASH_VALUE(what.name, length, hash);
    HASH_FIND_BYHASHVALUE(hh, n->tables[space], what.name, length, hash, e);
    if (e) {
        *before = named(e);
        return false;
    }
    e = base_pool_get(&n->entries);
    e->id = what.id;
    e->line = what.line;
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, n->tables[space], what.name, length, hash, e);
    return true;
}

bool platform_names_any(const struct platform_names *n, enum platform_space space,
                        bool (*fn)(void *arg, const struct platform_named *named), void *arg)
{
    for (const struct entry *e = n->tables[space]; e; e = e->hh.next) {
        struct platform_named it = named(e);
        if (fn(arg, &it))
            return true;
    }
    return false;
}
