/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology: who is server, who is whose client. The seed, process 0, reads it from a file (topology_xml.c) or
 * makes an ordinary one, and tells every other process its part when it asks (the paper's section 3).
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

/* A process's part, followed by the servers, the number of processes of each role, the clients of a server
 * (as int32_t), and the seed's options. */
struct part {
    int32_t role, server, n_servers, n_clients, n_roles, n_my_clients, words;
    uint64_t capacity, capacity_bytes;
};

/* --sat-servers processes are servers, the others clients of role 1, who are dealt out to them. */
static void make_ordinary(struct sat_process *all, int np)
{
    unsigned long servers = sdsm->options.servers;
    if (!servers || servers >= (unsigned long)np)
        sat_fail(SAT_STATUS_INPUT, NULL, "%d process%s, and %lu of them servers: at least one more is needed",
                 np, np == 1 ? "" : "es", servers);
    for (int k = 0; k < np; k++) {
        bool server = (unsigned long)k < servers;
        all[k] = (struct sat_process){.role = !server, .server = server ? -1 : (int)((unsigned)k % servers)};
    }
}

/* What all processes are told alike. */
static void count_all(const struct sat_process *all, int np)
{
    for (int k = 0; k < np; k++)
        if (all[k].role >= sdsm->n_roles)
            sdsm->n_roles = all[k].role + 1;
    sdsm->roles = sat_alloc((size_t)sdsm->n_roles * sizeof *sdsm->roles);
    for (int k = 0; k < np; k++)
        sdsm->roles[all[k].role]++;
    sdsm->servers = sat_alloc((size_t)sdsm->roles[0] * sizeof *sdsm->servers);
    for (int k = 0; k < np; k++)
        if (!all[k].role)
            sdsm->servers[sdsm->n_servers++] = k;
    sdsm->n_clients = np - sdsm->n_servers;
}

/* The clients of a server; NULL: none. One pass over all processes serves all servers: they are chained. */
static int32_t *clients_of(int server, int *n)
{
    int32_t *list = NULL;
    *n = 0;
    if (sdsm->all[server].role)
        return NULL;
    for (int k = 0; k < sdsm->np; k++)
        *n += sdsm->all[k].role && sdsm->all[k].server == server;
    list = sat_alloc((size_t)*n * sizeof *list);
    for (int k = 0, at = 0; k < sdsm->np; k++)
        if (sdsm->all[k].role && sdsm->all[k].server == server)
            list[at++] = k;
    return list;
}

static char *add(char *at, const void *bytes, size_t n)
{
    if (n)
        memcpy(at, bytes, n);
    return at + n;
}

static void tell(int to)
{
    int n;
    int32_t *clients = clients_of(to, &n);
    const struct sat_process *p = &sdsm->all[to];
    const char *words = sat_options_words();
    struct part part = {.role = p->role,
                        .server = p->server,
                        .n_servers = sdsm->n_servers,
                        .n_clients = sdsm->n_clients,
                        .n_roles = sdsm->n_roles,
                        .n_my_clients = n,
                        .words = (int32_t)strlen(words) + 1,
                        .capacity = p->capacity,
                        .capacity_bytes = p->capacity_bytes};
    size_t numbers = (size_t)(part.n_servers + part.n_roles + n) * sizeof(int32_t);
    struct sat_record r = {.request = SAT_TELL_TOPOLOGY, .bytes = sizeof part + numbers + (size_t)part.words};
    char *data = sat_alloc(r.bytes), *at = add(data, &part, sizeof part);
    at = add(at, sdsm->servers, (size_t)part.n_servers * sizeof(int32_t));
    at = add(at, sdsm->roles, (size_t)part.n_roles * sizeof(int32_t));
    at = add(at, clients, (size_t)n * sizeof(int32_t));
    add(at, words, (size_t)part.words);
    sat_send(to, &r, data);
    free(data);
    free(clients);
}

static int *take(const char **at, int n)
{
    int *list = sat_alloc((size_t)n * sizeof *list);
    if (n)
        memcpy(list, *at, (size_t)n * sizeof *list);
    *at += (size_t)n * sizeof *list;
    return list;
}

static void learn(const char *data)
{
    struct part part;
    memcpy(&part, data, sizeof part);
    const char *at = data + sizeof part;
    sdsm->n_servers = part.n_servers;
    sdsm->n_clients = part.n_clients;
    sdsm->n_roles = part.n_roles;
    sdsm->n_my_clients = part.n_my_clients;
    sdsm->servers = take(&at, part.n_servers);
    sdsm->roles = take(&at, part.n_roles);
    sdsm->clients = take(&at, part.n_my_clients);
    sdsm->self = (struct sat_process){part.role, part.server, part.capacity, part.capacity_bytes, true};
    sat_options_apply(at);
}

void sat_topology_handle(int from, const struct sat_record *r, const char *data)
{
    if (r->request == SAT_ASK_TOPOLOGY) {
        tell(from);
        sdsm->told++;
    } else {
        learn(data);
        sdsm->told = sdsm->np;
    }
}

static void seed(void)
{
    const char *path = sdsm->options.topology;
    sdsm->all = sat_alloc((size_t)sdsm->np * sizeof *sdsm->all);
    if (path) {
        sat_topology_read_file(path, sdsm->all, sdsm->np);
        SAT_LOG("Topology (%d topologies) loaded from file %s", sdsm->np, path);
    } else {
        make_ordinary(sdsm->all, sdsm->np);
    }
    count_all(sdsm->all, sdsm->np);
    sdsm->self = sdsm->all[0];
    sdsm->clients = clients_of(0, &sdsm->n_my_clients);
    sat_options_apply("");
    SAT_LOG("Starting code (role 0)");
    for (sdsm->told = 1; sdsm->told < sdsm->np;)
        sat_receive(true);
    free(sdsm->all);
    sdsm->all = NULL;
}

void sat_topology_learn(void)
{
    struct sat_record r = {.request = SAT_ASK_TOPOLOGY, .client = sdsm->id};
    if (sdsm->id == 0) {
        seed();
    } else {
        sat_send(0, &r, NULL);
        while (!sdsm->told)
            sat_receive(true);
    }
    sdsm->role = sdsm->self.role;
    sdsm->server = sdsm->role ? sdsm->self.server : sdsm->id;
}

void sat_topology_release(void)
{
    free(sdsm->servers);
    free(sdsm->roles);
    free(sdsm->clients);
}
