/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * obvious: the configurations that one would try first. On each class of hosts, and on all hosts, in the
 * fewest hosts (packed) and in as many as there are (spread), with the fewest and the most processes, with
 * each protocol.
 */
#include "deploy/parts.h"

#include <stdlib.h>
#include <string.h>

struct obvious {
    const struct deploy_space *s;
    uint32_t most;
    struct deploy_set *out;
};

/* How many processes of a host are too many, when they are packed or spread. */
static bool better(const uint16_t *load, uint32_t h, uint32_t best, bool packed)
{
    return best == UINT32_MAX || (!packed && load[h] < load[best]);
}

/* `class`: UINT32_MAX, or the one to prefer. */
static uint32_t choose(const struct deploy_space *s, uint16_t kind, uint32_t class, bool packed,
                       const uint16_t *load)
{
    uint32_t best = UINT32_MAX, other = UINT32_MAX;
    for (uint32_t h = 0; h < s->hosts->n; h++) {
        if (!s->kind[kind].allowed[h] || load[h] >= s->hosts->at[h].room)
            continue;
        uint32_t *to = class == UINT32_MAX || s->like[h] == class ? &best : &other;
        if (better(load, h, *to, packed))
            *to = h;
    }
    return best == UINT32_MAX ? other : best;
}

static void add(struct obvious *o, uint32_t class, bool packed, int size, uint16_t list, uint16_t protocol)
{
    const struct deploy_space *s = o->s;
    uint16_t count[DEPLOY_KINDS] = {0}, load[DEPLOY_HOSTS] = {0}, rank = 0;
    for (uint16_t k = 0; k < s->kinds; k++)
        count[k] = (k ? size & 1 : size >> 1) ? s->kind[k].most : s->kind[k].least;
    struct deploy_config *c = deploy_config_create(count);
    if (list < s->lists)
        c->protocol[list] = protocol;
    for (uint16_t kind = 0; kind < s->kinds; kind++)
        for (uint16_t k = 0; k < count[kind]; k++, rank++) {
            uint32_t host = choose(s, kind, class, packed, load);
            if (host == UINT32_MAX) {
                free(c);
                return;
            }
            c->at[rank].host = (uint16_t)host;
            load[host]++;
        }
    for (int how = DEPLOY_PATTERNS - 1; how >= 0; how--)
        if (deploy_serves(s, (enum deploy_serve)how) ||
            (deploy_serves(s, DEPLOY_ANY) && how == DEPLOY_NEAREST)) {
            deploy_serve_apply(s, (enum deploy_serve)how, c);
            break;
        }
    if (o->out->at.n < o->most)
        (void)deploy_set_take(o->out, c);
    else
        free(c);
}

void deploy_obvious(const struct deploy_space *s, uint32_t most, struct deploy_set *out)
{
    struct obvious o = {s, most, out};
    for (int way = 7; way >= 0; way--) /* packed and spread, small and large */
        for (uint32_t h = 0; h <= s->hosts->n; h++)
            if (h == s->hosts->n || s->like[h] == h)
                add(&o, h == s->hosts->n ? UINT32_MAX : h, way & 1, way >> 1, s->lists, 0);
    for (uint16_t list = 0; list < s->lists; list++)
        for (uint16_t k = 1; k < s->list[list].n; k++)
            for (int way = 0; way < 8; way++)
                add(&o, UINT32_MAX, way & 1, way >> 1, list, k);
}
