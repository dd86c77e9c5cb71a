/* SPDX-License-Identifier: BSD-3-Clause */
/* set: configurations, each once, in order of insertion. */
#include "deploy/parts.h"

#include <stdlib.h>

void deploy_set_init(struct deploy_set *s)
{
    *s = (struct deploy_set){0};
    base_index_init(&s->index, "configurations");
}

void deploy_set_release(struct deploy_set *s)
{
    for (size_t k = 0; k < s->at.n; k++)
        free(s->at.at[k]);
    free(s->at.at);
    base_index_release(&s->index);
}

static uint32_t hash(const struct deploy_config *c)
{
    return base_hash_bytes(c, deploy_config_size(c));
}

uint32_t deploy_set_find(const struct deploy_set *s, const struct deploy_config *c)
{
    const uint32_t h = hash(c);
    for (uint32_t at = h, k; (k = base_index_next(&s->index, h, &at)) != BASE_NONE;)
        if (deploy_config_equal(s->at.at[k], c))
            return k;
    return BASE_NONE;
}

bool deploy_set_take(struct deploy_set *s, struct deploy_config *c)
{
    if (deploy_set_find(s, c) != BASE_NONE) {
        free(c);
        return false;
    }
    base_index_add(&s->index, hash(c), (uint32_t)s->at.n);
    BASE_ARRAY_PUSH(&s->at, c);
    return true;
}
