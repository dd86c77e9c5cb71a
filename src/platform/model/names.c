/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names: the strings of a platform, and which object has which name. Strings are allocated from chunks that
 * live as long as the platform: a large cluster has hundreds of thousands of short ones.
 */
#include "platform/model/model.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 << 10 };

/* Memory from which strings are cut; the newest chunk is first. */
struct chunk {
    struct chunk *next;
    char bytes[];
};

/* Who bears a name. */
struct bearer {
    uint32_t id, line;
};

struct platform_names {
    struct chunk *chunks;
    char *free; /* in the newest chunk */
    size_t left;
    struct base_table tables[PLATFORM_SPACES]; /* struct bearer, by name */
};

struct platform_names *platform_names_create(void)
{
    struct platform_names *n = base_zalloc(sizeof *n, "platform names");
    for (unsigned space = 0; space < PLATFORM_SPACES; space++)
        base_table_init(&n->tables[space], BASE_BYTES, sizeof(struct bearer), "platform names");
    return n;
}

void platform_names_destroy(struct platform_names *n)
{
    for (unsigned space = 0; space < PLATFORM_SPACES; space++)
        base_table_release(&n->tables[space]);
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

static struct platform_named named(const struct bearer *b)
{
    return (struct platform_named){.name = base_table_bytes(b)->at, .id = b->id, .line = b->line};
}

bool platform_names_find(const struct platform_names *n, enum platform_space space, const char *name,
                         size_t length, struct platform_named *out)
{
    const struct bearer *b = base_table_find_bytes(&n->tables[space], name, length);
    if (b)
        *out = named(b);
    return b != NULL;
}

bool platform_names_add(struct platform_names *n, enum platform_space space, struct platform_named what,
                        struct platform_named *before)
{
    bool fresh;
    struct bearer *b = base_table_add_bytes(&n->tables[space], what.name, strlen(what.name), &fresh);
    if (fresh)
        *b = (struct bearer){what.id, what.line};
    else
        *before = named(b);
    return fresh;
}

bool platform_names_any(const struct platform_names *n, enum platform_space space,
                        bool (*fn)(void *arg, const struct platform_named *named), void *arg)
{
    uint32_t at = 0;
    for (const struct bearer *b; (b = base_table_next(&n->tables[space], &at));) {
        struct platform_named it = named(b);
        if (fn(arg, &it))
            return true;
    }
    return false;
}
