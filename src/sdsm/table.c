/* SPDX-License-Identifier: BSD-3-Clause */
/* table: things by number, kept in libc's search trees, which are walked in ascending order. */
#include <search.h>
#include <stdlib.h>

#include "sdsm/internal.h"

static int by_id(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

void *sat_table_find(void *const *table, uint64_t id)
{
    void *const *node = *table ? tfind(&id, table, by_id) : NULL;
    return node ? *node : NULL;
}

void sat_table_add(void **table, void *thing)
{
    if (!tsearch(thing, table, by_id))
        sat_fail(1, NULL, "out of memory");
}

void sat_table_remove(void **table, uint64_t id)
{
    if (*table)
        tdelete(&id, table, by_id);
}

struct walk {
    void (*visit)(void *thing, void *ctx);
    void *ctx;
};

static void visit_node(const void *node, VISIT which, void *closure)
{
    struct walk *w = closure;
    if (which == postorder || which == leaf)
        w->visit(*(void *const *)node, w->ctx);
}

void sat_table_each(void *table, void (*visit)(void *thing, void *ctx), void *ctx)
{
    struct walk w = {visit, ctx};
    if (table)
        twalk_r(table, visit_node, &w);
}

void sat_table_clear(void **table, void (*release)(void *thing))
{
    if (*table)
        tdestroy(*table, release);
    *table = NULL;
}
