/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system: file systems, from properties `storage/NAME/KEY`, wherever in the platform they stand (docs/storage.md).
 * A file system's disks are those of its servers, or of its own making (read_bw, write_bw).
 */
#include "storage/internal.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "storage/"

/* While it is read. */
struct system {
    struct storage_volume *volume;
    const char *servers, *names; /* as given */
    char *where;                 /* FILE:LINE of its first property */
    double bandwidth[2], both, latency;
    uint64_t disks;   /* of each server */
    uint64_t stripes; /* 0: all */
    uint64_t threads;
};
struct systems {
    BASE_ARRAY(struct system) list;
};

/* --- keys --------------------------------------------------------------------------------------------------- */

static int text_key(struct system *x, const char *key, const char *value, bool *known)
{
    *known = true;
    if (!strcmp(key, "mount"))
        x->volume->mount = value;
    else if (!strcmp(key, "servers"))
        x->servers = value;
    else if (!strcmp(key, "metadata"))
        x->names = value;
    else
        *known = false;
    return 0;
}

static int number_key(struct system *x, const struct storage_value *v, const char *key, bool *known,
                      struct base_status *st)
{
    struct storage_volume *o = x->volume;
    const struct {
        const char *key;
        enum base_kind kind;
        const char *range;
        double *out;
    } row[] = {
        {"read_bw", BASE_BANDWIDTH, BASE_BANDWIDTHS, &x->bandwidth[STORAGE_READ]},
        {"write_bw", BASE_BANDWIDTH, BASE_BANDWIDTHS, &x->bandwidth[STORAGE_WRITE]},
        {"readwrite_bw", BASE_BANDWIDTH, BASE_BANDWIDTHS, &x->both},
        {"latency", BASE_TIME, BASE_TIMES, &x->latency},
        {"request_time", BASE_TIME, BASE_TIMES, &o->request},
        {"sync_time", BASE_TIME, BASE_TIMES, &o->sync},
        {"lookup_time", BASE_TIME, BASE_TIMES, &o->naming[STORAGE_LOOKUP]},
        {"change_time", BASE_TIME, BASE_TIMES, &o->naming[STORAGE_CHANGE]},
        {"lock_time", BASE_TIME, BASE_TIMES, &o->lock},
        {"cache_bw", BASE_BANDWIDTH, BASE_BANDWIDTHS, &o->cache_bandwidth},
    };
    for (size_t k = 0; k < BASE_LENGTH(row); k++)
        if (!strcmp(row[k].key, key)) {
            *known = true;
            return storage_value_number(v, row[k].kind, row[k].range, row[k].out, st);
        }
    return 0;
}

static int whole_key(struct system *x, const struct storage_value *v, const char *key, bool *known,
                     struct base_status *st)
{
    struct storage_volume *o = x->volume;
    const struct {
        const char *key;
        enum base_kind kind;
        const char *range;
        uint64_t *out;
    } row[] = {
        {"disks", BASE_UINT, "1 to 1024", &x->disks},
        {"stripe_size", BASE_SIZE, "1B to 1TiB", &o->stripe},
        {"stripe_count", BASE_UINT, "0 to 65536", &x->stripes},
        {"metadata_threads", BASE_UINT, "1 to 4096", &x->threads},
        {"cache", BASE_SIZE, "0 to 8EiB", &o->cache},
        {"size", BASE_SIZE, "1B to 8EiB", &o->size},
        {"quota", BASE_SIZE, "1B to 8EiB", &o->quota},
    };
    for (size_t k = 0; k < BASE_LENGTH(row); k++)
        if (!strcmp(row[k].key, key)) {
            *known = true;
            return storage_value_whole(v, row[k].kind, row[k].range, row[k].out, st);
        }
    return 0;
}

static struct system *system_of(struct storage *s, struct systems *all, const char *name, size_t length,
                                const char *where)
{
    for (size_t k = 0; k < all->list.n; k++) {
        const char *has = all->list.at[k].volume->name;
        if (strlen(has) == length && !memcmp(has, name, length))
            return &all->list.at[k];
    }
    struct system x = {.disks = 1, .stripes = 1, .threads = 16, .where = base_strdup(where)};
    x.volume = storage_volume_add(s, base_strfmt("%.*s", (int)length, name), STORAGE_NONE);
    x.volume->stripe = 1 << 20;
    BASE_ARRAY_PUSH(&all->list, x);
    return &all->list.at[all->list.n - 1];
}

static int property_read(struct storage *s, struct systems *all, const struct platform_prop *p,
                         struct base_status *st)
{
    if (strncmp(p->key, PREFIX, strlen(PREFIX)) != 0)
        return 0;
    const char *name = p->key + strlen(PREFIX);
    size_t length = strcspn(name, "/");
    char *where = base_strfmt("%.200s:%u", p->file, p->line);
    int rc = 0;
    if (!length || !name[length]) {
        rc = base_fail(st, "%s: <prop id=\"%.80s\">: expected storage/NAME/KEY", where, p->key);
    } else {
        const char *key = name + length + 1;
        struct system *x = system_of(s, all, name, length, where);
        struct storage_value v = {where, p->key, p->value};
        bool known;
        rc = text_key(x, key, p->value, &known);
        rc = known ? rc : number_key(x, &v, key, &known, st);
        rc = known ? rc : whole_key(x, &v, key, &known, st);
        if (!known)
            rc = base_fail(st,
                           "%s: <prop id=\"%.80s\">: '%.40s' is no property of a file system; "
                           "docs/storage.md lists them",
                           where, p->key, key);
    }
    free(where);
    return rc;
}

/* --- servers -------------------------------------------------------------------------------------------------- */

static void own_disk(struct storage *s, const struct system *x, uint32_t host)
{
    double both = x->bandwidth[0] > x->bandwidth[1] ? x->bandwidth[0] : x->bandwidth[1];
    struct storage_disk d = {.name = x->volume->name, .of = x->volume, .host = host, .latency = x->latency};
    BASE_ARRAY_PUSH(&x->volume->targets, storage_disk_add(s, d, x->bandwidth, x->both > 0 ? x->both : both));
}

static int server_add(struct storage *s, const struct system *x, uint32_t host, struct base_status *st)
{
    struct storage_volume *v = x->volume;
    bool own = x->bandwidth[STORAGE_READ] > 0;
    size_t before = v->targets.n;
    for (uint64_t k = 0; own && k < x->disks; k++)
        own_disk(s, x, host);
    for (uint32_t k = 0; !own && k < s->platform_disks; k++)
        if (s->disks.at[k].host == host)
            BASE_ARRAY_PUSH(&v->targets, k);
    if (v->targets.n > before)
        return 0;
    return base_fail(
        st,
        "%s: file system %.80s: its server %.80s has no <disk>; expected one, or %s%.40s/read_bw and "
        "write_bw",
        x->where, v->name, platform_host(s->platform, host)->name, PREFIX, v->name);
}

/* A host, or all hosts of a zone or cluster. */
static int servers_named(struct storage *s, const struct system *x, const char *name, struct base_status *st)
{
    uint32_t host;
    if (!platform_host_find(s->platform, name, &host))
        return server_add(s, x, host, st);
    for (uint32_t k = 0; k < platform_zone_count(s->platform); k++) {
        struct platform_zone_view z = platform_zone_view(s->platform, k);
        if (strcmp(z.name, name) != 0 || !z.hosts)
            continue;
        for (uint32_t h = z.first_host; h < z.first_host + z.hosts; h++)
            if (server_add(s, x, h, st))
                return -1;
        return 0;
    }
    return base_fail(
        st, "%s: file system %.80s: no host or zone with hosts is called '%.80s'; expected its servers",
        x->where, x->volume->name, name);
}

static int servers_read(struct storage *s, const struct system *x, struct base_status *st)
{
    char *copy = base_strdup(x->servers ? x->servers : ""), *rest = copy, *one;
    int rc = 0;
    while (!rc && (one = strsep(&rest, " ,\t\n")) != NULL)
        if (*one)
            rc = servers_named(s, x, one, st);
    free(copy);
    return rc;
}

/* --- a whole file system ------------------------------------------------------------------------------------ */

static int complete(struct storage *s, const struct system *x, struct base_status *st)
{
    struct storage_volume *v = x->volume;
    if ((x->bandwidth[0] > 0) != (x->bandwidth[1] > 0))
        return base_fail(st, "%s: file system %.80s: expected both read_bw and write_bw, or neither",
                         x->where, v->name);
    if (servers_read(s, x, st))
        return -1;
    if (!v->targets.n)
        return base_fail(st, "%s: file system %.80s has no servers; expected " PREFIX "%.40s/servers",
                         x->where, v->name, v->name);
    if (v->mount && *v->mount != '/')
        return base_fail(st, "%s: file system %.80s: mount '%.80s'; expected a folder that begins with /",
                         x->where, v->name, v->mount);
    if (v->cache && !(v->cache_bandwidth > 0))
        return base_fail(st, "%s: file system %.80s has a cache; expected cache_bw, too", x->where, v->name);
    v->stripes = x->stripes && x->stripes < v->targets.n ? (uint32_t)x->stripes : (uint32_t)v->targets.n;
    v->name_server = s->disks.at[v->targets.at[0]].host;
    if (x->names && platform_host_find(s->platform, x->names, &v->name_server))
        return base_fail(st, "%s: file system %.80s: no host is called '%.80s'; expected its name server",
                         x->where, v->name, x->names);
    v->threads = (uint32_t)x->threads;
    v->free_at = base_zalloc(v->threads * sizeof *v->free_at, "name servers");
    return 0;
}

int storage_systems_read(struct storage *s, struct base_status *st)
{
    struct systems all = {0};
    struct platform_prop prop;
    int rc = 0;
    for (size_t k = 0; !rc && platform_property_at(s->platform, k, &prop); k++)
        rc = property_read(s, &all, &prop, st);
    for (size_t k = 0; !rc && k < all.list.n; k++)
        rc = complete(s, &all.list.at[k], st);
    for (size_t k = 0; k < all.list.n; k++)
        free(all.list.at[k].where);
    free(all.list.at);
    return rc;
}
