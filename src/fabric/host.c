/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host: parameters of single hosts. A <prop> of a host or a cluster, named like a setting of `rdma/`,
 * `local/`, `software/`, `card/`, `cache/` or `dram/`, overrides the setting there, wherever that came from,
 * because it is more specific. Hosts with equal properties share a model.
 */
#include "fabric/parts.h"

#include <stdlib.h>
#include <string.h>

static const char *const of_hosts[] = {"rdma/", "local/", "software/", "card/", "cache/", "dram/"};

static bool is_ours(const char *key)
{
    bool ours = strncmp(key, "network/", 8) == 0;
    for (size_t k = 0; k < BASE_LENGTH(of_hosts); k++)
        ours |= strncmp(key, of_hosts[k], strlen(of_hosts[k])) == 0;
    return ours;
}

static _Noreturn void refuse(const struct fabric *f, const struct platform_prop *p, const char *why)
{
    char where[160] = "";
    if (p->holder == PLATFORM_PROPERTY_OF_HOST)
        snprintf(where, sizeof where, "host '%.100s': ", platform_host(f->platform, p->first)->name);
    else if (p->holder == PLATFORM_PROPERTY_OF_CLUSTER && p->hosts)
        snprintf(where, sizeof where,
                 "the cluster of host '%.100s': ", platform_host(f->platform, p->first)->name);
    base_fatal(BASE_EXIT_INPUT, "%s:%u: %s<prop id=\"%.80s\">: %s", p->file, p->line, where, p->key, why);
}

static void check(const struct fabric *f, const struct platform_prop *p)
{
    if (p->holder == PLATFORM_PROPERTY_OF_OTHER)
        refuse(f, p, "expected in a host or a cluster");
    if (strncmp(p->key, "network/", 8) == 0)
        refuse(f, p, "applies to all hosts; expected in <config>");
}

/* The settings of hosts that have these properties; later ones override earlier ones. */
static void copy_setting(void *settings, const struct base_setting *decl, const char *value,
                         enum base_origin from)
{
    struct base_settings *s = settings;
    (void)from;
    if (base_settings_known(s, decl->key))
        base_settings_set(s, decl->key, value, BASE_FROM_PLATFORM, NULL);
}

static struct base_settings *settings_like(const struct base_settings *all)
{
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    base_settings_declare(s, node_settings, node_settings_count);
    base_settings_each(all, copy_setting, s);
    return s;
}

static void apply(const struct fabric *f, struct base_settings *s, const struct platform_prop *p)
{
    struct base_status st;
    struct fabric_model ignored;
    if (base_settings_set(s, p->key, p->value, BASE_FROM_COMMAND, &st) || fabric_model_read(&ignored, s, &st))
        refuse(f, p, st.text);
}

/* The model given by settings s; reuses the last one made if that is equal. */
static const struct fabric_model *model_of(struct fabric *f, const struct base_settings *s)
{
    struct fabric_model *m = base_zalloc(sizeof *m, "a host's parameters");
    if (fabric_model_read(m, s, NULL) == 0 && f->models.n &&
        /* unequal padding only costs a second record:
         * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
        memcmp(m, f->models.at[f->models.n - 1], sizeof *m) == 0) {
        free(m);
        return f->models.at[f->models.n - 1];
    }
    BASE_ARRAY_PUSH(&f->models, m);
    return m;
}

static void check_all(struct fabric *f, const struct base_settings *all)
{
    struct platform_prop p;
    struct base_settings *s = settings_like(all);
    for (size_t k = 0; platform_property_at(f->platform, k, &p); k++) {
        if (!is_ours(p.key))
            continue;
        check(f, &p);
        apply(f, s, &p);
    }
    base_settings_destroy(s);
}

/* The hosts of a cluster whose properties begin at k. */
static void read_cluster(struct fabric *f, const struct base_settings *all, size_t k)
{
    struct platform_prop first, p;
    struct base_settings *s = settings_like(all);
    platform_property_at(f->platform, k, &first);
    for (; platform_property_at(f->platform, k, &p) && p.holder == first.holder && p.first == first.first;
         k++)
        if (is_ours(p.key))
            apply(f, s, &p);
    const struct fabric_model *m = model_of(f, s);
    for (uint32_t h = 0; h < first.hosts; h++)
        f->nics[first.first + h].model = m;
    base_settings_destroy(s);
}

static void set_of_host(const struct fabric *f, struct base_settings *s, uint32_t host,
                        const struct base_setting *table, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const char *value = platform_host_property(f->platform, host, table[k].key);
        if (value)
            base_settings_set(s, table[k].key, value, BASE_FROM_COMMAND, NULL);
    }
}

/* A host with properties of its own, perhaps in addition to its cluster's. */
static void read_host(struct fabric *f, const struct base_settings *all, uint32_t host)
{
    struct base_settings *s = settings_like(all);
    set_of_host(f, s, host, fabric_settings, fabric_settings_count);
    set_of_host(f, s, host, node_settings, node_settings_count);
    f->nics[host].model = model_of(f, s);
    base_settings_destroy(s);
}

static void read_holders(struct fabric *f, const struct base_settings *all, enum platform_holder holder)
{
    struct platform_prop p;
    uint32_t last = UINT32_MAX;
    for (size_t k = 0; platform_property_at(f->platform, k, &p); k++) {
        if (p.holder != holder || !is_ours(p.key) || !p.hosts || p.first == last)
            continue;
        last = p.first;
        if (holder == PLATFORM_PROPERTY_OF_CLUSTER)
            read_cluster(f, all, k);
        else
            read_host(f, all, p.first);
    }
}

void fabric_hosts_read(struct fabric *f, const struct base_settings *settings)
{
    for (uint32_t h = 0; h < f->hosts; h++)
        f->nics[h].model = &f->model;
    check_all(f, settings);
    read_holders(f, settings, PLATFORM_PROPERTY_OF_CLUSTER);
    read_holders(f, settings, PLATFORM_PROPERTY_OF_HOST);
}

void fabric_hosts_release(struct fabric *f)
{
    for (size_t k = 0; k < f->models.n; k++)
        free(f->models.at[k]);
    free(f->models.at);
}
