/* SPDX-License-Identifier: BSD-3-Clause */
/* serve: patterns by which servers are given to clients, and whether a configuration is in a space. */
#include "deploy/parts.h"

#include <stdlib.h>
#include <string.h>

const char *const deploy_serve_names[] = {"blocks", "round-robin", "nearest", "any"};

/* --- patterns ------------------------------------------------------------------------------------- */

static uint16_t nearest(const struct deploy_space *s, const struct deploy_config *c, uint16_t rank,
                        const uint16_t *clients)
{
    const struct deploy_hosts *h = s->hosts;
    uint16_t best = 0;
    for (uint16_t k = 1; k < c->count[DEPLOY_SERVERS]; k++) {
        double d = h->latency[c->at[rank].host * h->n + c->at[k].host];
        double d_best = h->latency[c->at[rank].host * h->n + c->at[best].host];
        if (d < d_best || (d == d_best && clients[k] < clients[best]))
            best = k;
    }
    return best;
}

static void give(const struct deploy_space *s, enum deploy_serve how, struct deploy_config *c)
{
    uint16_t servers = c->count[DEPLOY_SERVERS], clients = (uint16_t)(c->n - servers);
    uint16_t *has = base_zalloc((servers + 1u) * sizeof *has, "clients of servers");
    for (uint16_t k = 0; k < clients; k++) {
        uint16_t rank = (uint16_t)(servers + k), server = 0;
        if (how == DEPLOY_BLOCKS)
            server = (uint16_t)((uint32_t)k * servers / clients);
        else if (how == DEPLOY_ROUND_ROBIN)
            server = k % servers;
        else
            server = nearest(s, c, rank, has);
        c->at[rank].server = server;
        has[server]++;
    }
    free(has);
}

void deploy_serve_apply(const struct deploy_space *s, enum deploy_serve how, struct deploy_config *c)
{
    deploy_config_canonical_places(s, c);
    give(s, how, c);
    deploy_config_canonical(s, c);
}

int deploy_serve_of(const struct deploy_space *s, const struct deploy_config *c)
{
    if (deploy_serves(s, DEPLOY_ANY))
        return DEPLOY_ANY;
    for (int how = 0; how < DEPLOY_PATTERNS; how++) {
        if (!deploy_serves(s, (enum deploy_serve)how))
            continue;
        struct deploy_config *copy = deploy_config_copy(c);
        deploy_serve_apply(s, (enum deploy_serve)how, copy);
        bool is = deploy_config_equal(copy, c);
        free(copy);
        if (is)
            return how;
    }
    return -1;
}

/* --- limits --------------------------------------------------------------------------------------- */

bool deploy_config_fits(const struct deploy_space *s, const struct deploy_config *c)
{
    uint16_t load[DEPLOY_HOSTS] = {0}, rank = 0;
    for (uint16_t kind = 0; kind < s->kinds; kind++)
        for (uint16_t k = 0; k < c->count[kind]; k++, rank++) {
            uint16_t host = c->at[rank].host;
            if (!s->kind[kind].allowed[host] || ++load[host] > s->hosts->at[host].room)
                return false;
        }
    return true;
}

bool deploy_space_holds(const struct deploy_space *s, const struct deploy_config *c)
{
    for (uint16_t k = 0; k < s->kinds; k++)
        if (c->count[k] < s->kind[k].least || c->count[k] > s->kind[k].most)
            return false;
    return deploy_config_fits(s, c) && deploy_serve_of(s, c) >= 0;
}

double deploy_config_power_idle(const struct deploy_space *s, const struct deploy_config *c)
{
    bool used[DEPLOY_HOSTS] = {false};
    double watts = 0;
    for (uint16_t k = 0; k < c->n; k++)
        used[c->at[k].host] = true;
    for (uint32_t h = 0; h < s->hosts->n; h++)
        watts += used[h] ? s->hosts->at[h].power_idle : 0;
    return watts;
}
