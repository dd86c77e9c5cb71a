/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tags: which lines a cache holds. The lines of a set stand in the order of their last use, so that the
 * order is all that the replacement needs to know.
 */
#include "node/node.h"

#include <string.h>

void node_tags_init(struct node_tags *t, const struct node_cache_config *config)
{
    *t = (struct node_tags){.sets = (uint32_t)(config->bytes / NODE_LINE / config->ways),
                            .ways = config->ways};
}

static size_t size_of(const struct node_tags *t)
{
    return (size_t)t->sets * t->ways * sizeof *t->at;
}

void node_tags_release(struct node_tags *t)
{
    if (t->at)
        base_unreserve(t->at, size_of(t));
    t->at = NULL;
    t->held = 0;
}

static inline uint64_t *set_of(const struct node_tags *t, uint64_t line)
{
    return t->at + line % t->sets * t->ways;
}

/* Where the line is in its set, or `ways`. */
static uint32_t find(const struct node_tags *t, const uint64_t *set, uint64_t line)
{
    uint32_t k = 0;
    while (k < t->ways && set[k] >> 1 != line + 1)
        k++;
    return k;
}

static void to_front(uint64_t *set, uint32_t k, uint64_t entry)
{
    memmove(set + 1, set, k * sizeof *set);
    set[0] = entry;
}

bool node_tags_use(struct node_tags *t, uint64_t line, bool write, bool *was_dirty,
                   struct node_victim *victim)
{
    if (BASE_UNLIKELY(!t->at))
        t->at = base_reserve(size_of(t), "tags of caches"); /* pages come as they are touched */
    uint64_t *set = set_of(t, line);
    uint32_t k = find(t, set, line);
    if (k < t->ways) {
        *was_dirty = set[k] & 1;
        to_front(set, k, set[k] | write);
        return true;
    }
    k = find(t, set, UINT64_MAX); /* a free place: line + 1 is 0 */
    if (k == t->ways)
        k--;
    else
        t->held++;
    *victim = (struct node_victim){(set[k] >> 1) - 1, set[k] != 0, set[k] & 1};
    to_front(set, k, (line + 1) << 1 | write);
    return false;
}

bool node_tags_hold(const struct node_tags *t, uint64_t line, bool *dirty)
{
    if (!t->at)
        return false;
    const uint64_t *set = set_of(t, line);
    uint32_t k = find(t, set, line);
    if (k == t->ways)
        return false;
    *dirty = set[k] & 1;
    return true;
}

bool node_tags_drop(struct node_tags *t, uint64_t line, bool *dirty)
{
    if (!node_tags_hold(t, line, dirty))
        return false;
    uint64_t *set = set_of(t, line);
    uint32_t k = find(t, set, line);
    memmove(set + k, set + k + 1, (t->ways - 1 - k) * sizeof *set);
    set[t->ways - 1] = 0;
    t->held--;
    return true;
}

void node_tags_clean(struct node_tags *t, uint64_t line)
{
    bool dirty;
    if (node_tags_hold(t, line, &dirty)) {
        uint64_t *set = set_of(t, line);
        set[find(t, set, line)] &= ~UINT64_C(1);
    }
}
