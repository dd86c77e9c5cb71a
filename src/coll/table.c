/* SPDX-License-Identifier: BSD-3-Clause */
/* table: the list of algorithms: names, and what each requires of a call. */
#include "coll/algorithms.h"
#include "coll/select.h"

#include <ctype.h>
#include <string.h>

#define COLL_ALGORITHM(op, function, name, aliases, traits, source, good_for)                                \
    {COLL_##op, name, aliases, source, good_for, traits},
static const struct coll_algorithm_info info[] = {
#include "coll/algorithms.def"
};
#undef COLL_ALGORITHM
#define COLL_ALGORITHM(op, function, ...) function,
static const coll_build_fn build[] = {
#include "coll/algorithms.def"
};
#undef COLL_ALGORITHM

static const char *const op_name[COLL_OPS] = {"barrier",
                                              "broadcast",
                                              "collect",
                                              "fcollect",
                                              "alltoall",
                                              "reduce",
                                              "inscan",
                                              "exscan",
                                              "gather",
                                              "gatherv",
                                              "scatter",
                                              "scatterv",
                                              "allgatherv",
                                              "alltoallv",
                                              "alltoallw",
                                              "reduce-root",
                                              "reduce-scatter",
                                              "reduce-scatter-block",
                                              "neighbor-allgather",
                                              "neighbor-alltoall"};

const struct coll_algorithm_info *coll_algorithms(size_t *n)
{
    *n = BASE_LENGTH(info);
    return info;
}

coll_build_fn coll_algorithm_function(size_t k)
{
    return build[k];
}

const char *coll_op_name(enum coll_op op)
{
    return (unsigned)op < COLL_OPS ? op_name[op] : "?";
}

const char *coll_select_name(coll_build_fn function)
{
    for (size_t k = 0; k < BASE_LENGTH(build); k++)
        if (build[k] == function)
            return info[k].name;
    return NULL;
}

bool coll_select_has(coll_build_fn function, unsigned trait)
{
    for (size_t k = 0; k < BASE_LENGTH(build); k++)
        if (build[k] == function && info[k].traits & trait)
            return true;
    return false;
}

bool coll_select_learns(enum coll_op op, coll_build_fn function)
{
    for (size_t k = 0; k < BASE_LENGTH(build); k++)
        if (build[k] == function && info[k].op == op && info[k].traits & COLL_LEARNS)
            return true;
    return op == COLL_COLLECT;
}

/* --- names -------------------------------------------------------------------------------------- */

static int folded(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

/* The n characters at a are the name b. */
static bool same(const char *a, size_t n, const char *b)
{
    for (size_t k = 0; k < n; k++)
        if (!b[k] || folded(a[k]) != folded(b[k]))
            return false;
    return !b[n];
}

/* Whether a word of the list is `name`, with its library or, if `bare`, without. */
static bool listed(const char *words, const char *name, bool bare)
{
    while (*words) {
        size_t n = strcspn(words, " ");
        const char *colon = memchr(words, ':', n);
        size_t skip = bare && colon ? (size_t)(colon + 1 - words) : 0;
        if (same(words + skip, n - skip, name))
            return true;
        words += n + strspn(words + n, " ");
    }
    return false;
}

enum { BY_NAME, BY_ALIAS, BY_BARE_ALIAS };

bool coll_name_is(const char *own, const char *aliases, const char *name, int way)
{
    return way == BY_NAME ? same(own, strlen(own), name) : listed(aliases, name, way == BY_BARE_ALIAS);
}

int coll_select_find(enum coll_op op, const char *name)
{
    if (!strcmp(name, "auto"))
        return COLL_AUTO;
    for (int way = 0; way < COLL_NAME_WAYS; way++)
        for (size_t k = 0; k < BASE_LENGTH(info); k++)
            if (info[k].op == op && coll_name_is(info[k].name, info[k].aliases, name, way))
                return (int)k;
    return -2;
}

/* --- requirements ------------------------------------------------------------------------------- */

static uint32_t least_factor(uint32_t n)
{
    for (uint32_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return d;
    return n;
}

static bool is_product(uint32_t n, unsigned factors)
{
    for (; n > 1 && factors > 1; factors--)
        n /= least_factor(n);
    return n > 1;
}

static bool uniform(const struct coll_hosts *hosts, uint32_t n)
{
    if (!hosts)
        return true;
    for (uint32_t h = 0; h < hosts->count; h++)
        if ((hosts->first[h + 1] - hosts->first[h]) * hosts->count != n)
            return false;
    return hosts->in_order;
}

static bool equal_parts(const struct coll_side *side, uint32_t n)
{
    if (!side->counts)
        return true;
    for (uint32_t k = 1; k < n; k++)
        if (coll_side_count(side, k) != coll_side_count(side, 0))
            return false;
    return true;
}

/* Operations with counts that all members know. */
static bool even(const struct coll_call *c)
{
    if (!c->local)
        return true;
    return equal_parts(coll_op_scatters_result(c->op) ? &c->local->source : &c->local->dest, c->group.size);
}

static const struct {
    unsigned trait;
    const char *words;
} requirement[] = {
    {COLL_POWER, "a power of two of members"},
    {COLL_EVEN, "an even number of members"},
    {COLL_GRID, "a number of members that is a product of two"},
    {COLL_CUBE, "a number of members that is a product of three"},
    {COLL_TWO, "two members"},
    {COLL_COMMUTES, "an operator that commutes"},
    {COLL_ITEMS, "as many items as members"},
    {COLL_DIVIDES, "a number of items that the number of members divides"},
    {COLL_EQUAL_PARTS, "parts of equal size"},
    {COLL_HOSTS, "members that share hosts"},
    {COLL_UNIFORM, "as many members on every host, next to each other"},
    {COLL_ORDERED_HOSTS, "an operator that commutes, or members of a host next to each other"},
    {COLL_SEPARATE, "different buffers"},
    {COLL_WHOLE_GRAPH, "a graph that all members know"},
    {COLL_STENCIL, "the same neighbours at all places of a grid"},
    {COLL_CIRCULANT, "neighbours at the same distances from all members"},
    {COLL_SIDES, "an exchange between two groups"},
};

const char *coll_trait_requirement(unsigned trait)
{
    for (size_t k = 0; k < BASE_LENGTH(requirement); k++)
        if (requirement[k].trait == trait)
            return requirement[k].words;
    return NULL;
}

static unsigned lacking(unsigned traits, const struct coll_call *c, const struct coll_hosts *hosts)
{
    uint32_t n = c->group.size;
    uint64_t items = c->bytes / (c->element ? c->element : 1);
    if (!(traits & ((COLL_RADIX - 1) | COLL_SIDES)))
        return 0;
    if (traits & COLL_POWER && n & (n - 1))
        return COLL_POWER;
    if (traits & COLL_EVEN && n % 2)
        return COLL_EVEN;
    if (traits & COLL_GRID && !is_product(n, 2))
        return COLL_GRID;
    if (traits & COLL_CUBE && !is_product(n, 3))
        return COLL_CUBE;
    if (traits & COLL_TWO && n != 2)
        return COLL_TWO;
    if (traits & COLL_COMMUTES && c->operator.ordered)
        return COLL_COMMUTES;
    if (traits & COLL_ITEMS && items < n)
        return COLL_ITEMS;
    if (traits & COLL_DIVIDES && items % n)
        return COLL_DIVIDES;
    if (traits & COLL_EQUAL_PARTS && !even(c))
        return COLL_EQUAL_PARTS;
    if (traits & COLL_HOSTS && !hosts)
        return COLL_HOSTS;
    if (traits & COLL_UNIFORM && !uniform(hosts, n))
        return COLL_UNIFORM;
    if (traits & COLL_ORDERED_HOSTS && c->operator.ordered && hosts && !hosts->in_order)
        return COLL_ORDERED_HOSTS;
    if (traits & COLL_SEPARATE && c->in_place)
        return COLL_SEPARATE;
    if (traits & COLL_SIDES && !c->sides)
        return COLL_SIDES;
    return coll_neighbors_lack(c->local ? c->local->neighbors : NULL, traits);
}

const char *coll_select_lacks(unsigned traits, const struct coll_call *c, const struct coll_hosts *hosts)
{
    return coll_trait_requirement(lacking(traits, c, hosts));
}
