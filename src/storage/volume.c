/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * volume: what a path belongs to. Each disk of a host is a volume of its own, which only that host reaches;
 * file systems (system.c) are reached by all. Mount points come from the properties `mount` and
 * `storage/NAME/mount`, and before them from the setting storage/mounts.
 */
#include "storage/internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct base_setting storage_settings[] = {
    {"storage/mounts", BASE_TEXT, "", "FOLDER=NAME,... with a file system's name, disk or none",
     "which folders of this machine are on which file system of the platform, on the hosts' own disks, or on "
     "nothing that takes time; before the platform's mount points. '.': the folder of the start",
     "none: docs/storage.md"},
    {"storage/built-in", BASE_BOOL, "no", NULL,
     "the built-in cluster has a parallel file system, as it has with io/posix", "docs/default-cluster.md"},
};
const size_t storage_settings_count = BASE_LENGTH(storage_settings);

/* --- volumes ---------------------------------------------------------------------------------------------- */

struct storage_volume *storage_volume_add(struct storage *s, const char *name, uint32_t host)
{
    struct storage_volume *v = base_zalloc(sizeof *v, "volumes");
    *v = (struct storage_volume){.name = name,
                                 .id = (uint32_t)s->volumes.n,
                                 .host = host,
                                 .stripe = UINT64_MAX,
                                 .stripes = 1,
                                 .name_server = host,
                                 .size = UINT64_MAX,
                                 .quota = UINT64_MAX};
    base_table_init(&v->clients, BASE_NUMBERS, sizeof(struct storage_client *), "caches by host");
    base_table_init(&v->waits, BASE_NUMBERS, sizeof(double), "waits for files");
    BASE_ARRAY_PUSH(&s->volumes, v);
    return v;
}

void storage_volumes_release(struct storage *s)
{
    for (size_t k = 0; k < s->volumes.n; k++) {
        struct storage_volume *v = s->volumes.at[k];
        storage_clients_release(v);
        base_table_release(&v->waits);
        free(v->targets.at);
        free(v->free_at);
        if (v->host == STORAGE_NONE)
            free((char *)(uintptr_t)v->name);
        free(v);
    }
    for (size_t k = 0; k < s->mounts.n; k++)
        free((char *)(uintptr_t)s->mounts.at[k].prefix);
    free(s->volumes.at);
    free(s->mounts.at);
}

uint32_t storage_volume_count(const struct storage *s)
{
    return (uint32_t)s->volumes.n;
}

struct storage_volume_totals storage_volume_totals(const struct storage *s, uint32_t volume)
{
    const struct storage_volume *v = s->volumes.at[volume];
    struct storage_volume_totals t = v->totals;
    t.name = v->name;
    t.host = v->host == STORAGE_NONE ? NULL : platform_host(s->platform, v->host)->name;
    t.used = v->used;
    return t;
}

/* --- hosts' own disks --------------------------------------------------------------------------------------- */

static int own_add(struct storage *s, uint32_t disk, struct base_status *st)
{
    const struct storage_disk *d = &s->disks.at[disk];
    struct storage_volume *v = storage_volume_add(s, d->name, d->host);
    bool fresh;
    BASE_ARRAY_PUSH(&v->targets, disk);
    v->mount = platform_disk_property(s->platform, disk, "mount");
    uint32_t *first = base_table_add(&s->of_host, d->host, &fresh);
    if (fresh)
        *first = v->id;
    char *where =
        base_strfmt("<disk id=\"%.80s\"> of host %.80s", d->name, platform_host(s->platform, d->host)->name);
#define VALUE(key) (&(struct storage_value){where, key, platform_disk_property(s->platform, disk, key)})
    int rc =
        storage_value_whole(VALUE("size"), BASE_SIZE, "1B to 8EiB", &v->size, st) ||
        storage_value_whole(VALUE("quota"), BASE_SIZE, "1B to 8EiB", &v->quota, st) ||
        storage_value_whole(VALUE("cache"), BASE_SIZE, "0 to 8EiB", &v->cache, st) ||
        storage_value_number(VALUE("cache_bw"), BASE_BANDWIDTH, BASE_BANDWIDTHS, &v->cache_bandwidth, st) ||
        storage_value_number(VALUE("lookup_time"), BASE_TIME, BASE_TIMES, &v->naming[STORAGE_LOOKUP], st) ||
        storage_value_number(VALUE("change_time"), BASE_TIME, BASE_TIMES, &v->naming[STORAGE_CHANGE], st) ||
        storage_value_number(VALUE("sync_time"), BASE_TIME, BASE_TIMES, &v->sync, st);
#undef VALUE
    if (!rc && v->cache && !(v->cache_bandwidth > 0))
        rc = base_fail(st, "%s: it has a cache; expected <prop id=\"cache_bw\">, too", where);
    if (!rc && v->mount && *v->mount != '/')
        rc = base_fail(st, "%s: <prop id=\"mount\">: '%.80s'; expected a folder that begins with /", where,
                       v->mount);
    free(where);
    return rc ? -1 : 0;
}

/* --- which one -------------------------------------------------------------------------------------------- */

/* How long a prefix of the path it is, counting whole names; 0: none. "/" is a prefix of all. */
static size_t matches(const char *prefix, const char *path)
{
    size_t n = strlen(prefix);
    while (n > 1 && prefix[n - 1] == '/')
        n--;
    if (n == 1)
        return *path == '/';
    return !strncmp(prefix, path, n) && (!path[n] || path[n] == '/') ? n : 0;
}

/* Of the host's own disks, the one whose mount point is longest; *best is how long the best so far is. */
static struct storage_volume *own_of(const struct storage *s, uint32_t host, const char *path, size_t *best)
{
    const uint32_t *first = base_table_find(&s->of_host, host);
    struct storage_volume *found = NULL;
    for (uint32_t k = first ? *first : UINT32_MAX; k < s->platform_disks && s->volumes.at[k]->host == host;
         k++) {
        struct storage_volume *v = s->volumes.at[k];
        size_t n = v->mount ? matches(v->mount, path) : 0;
        if (n > *best) {
            *best = n;
            found = v;
        }
    }
    return found;
}

/* The first one without a mount point. */
static struct storage_volume *rest_of(const struct storage *s, uint32_t host)
{
    const uint32_t *first = base_table_find(&s->of_host, host);
    for (uint32_t k = first ? *first : UINT32_MAX; k < s->platform_disks && s->volumes.at[k]->host == host;
         k++)
        if (!s->volumes.at[k]->mount)
            return s->volumes.at[k];
    return NULL;
}

struct storage_volume *storage_volume_of(const struct storage *s, uint32_t host, const char *path)
{
    const struct storage_mount *said = NULL;
    size_t best = 0;
    for (size_t k = 0; k < s->mounts.n; k++) {
        size_t n = matches(s->mounts.at[k].prefix, path);
        if (n > best) {
            best = n;
            said = &s->mounts.at[k];
        }
    }
    if (said)
        return said->nothing ? NULL : said->volume ? said->volume : rest_of(s, host);
    struct storage_volume *found = own_of(s, host, path, &best);
    for (size_t k = s->platform_disks; k < s->volumes.n; k++) {
        struct storage_volume *v = s->volumes.at[k];
        size_t n = v->mount ? matches(v->mount, path) : 0;
        if (n > best) {
            best = n;
            found = v;
        }
    }
    return found ? found : rest_of(s, host);
}

/* --- the setting ------------------------------------------------------------------------------------------ */

static int mount_name(struct storage *s, struct storage_mount *m, const char *name, struct base_status *st)
{
    if (!strcmp(name, "disk"))
        return 0;
    m->nothing = !strcmp(name, "none");
    for (size_t k = s->platform_disks; k < s->volumes.n && !m->volume; k++)
        if (!strcmp(s->volumes.at[k]->name, name))
            m->volume = s->volumes.at[k];
    if (m->nothing || m->volume)
        return 0;
    return base_fail(
        st, "storage/mounts: the platform has no file system '%.80s'; expected one, disk or none", name);
}

/* One FOLDER=NAME, which may be written to. */
static int mount_read(struct storage *s, char *text, struct base_status *st)
{
    char *equals = strrchr(text, '='), *here = NULL;
    if (!equals || equals == text)
        return base_fail(st, "storage/mounts: '%.80s'; expected FOLDER=NAME", text);
    *equals = 0;
    if (*text == '.' && (!text[1] || text[1] == '/'))
        here = getcwd(NULL, 0);
    if (*text != '/' && !here)
        return base_fail(st, "storage/mounts: '%.80s'; expected a folder that begins with /, or '.'", text);
    struct storage_mount m = {.prefix = here ? base_strfmt("%s%s", here, text + 1) : base_strdup(text)};
    free(here);
    BASE_ARRAY_PUSH(&s->mounts, m);
    return mount_name(s, &s->mounts.at[s->mounts.n - 1], equals + 1, st);
}

int storage_mounts_read(struct storage *s, const char *text, struct base_status *st)
{
    char *copy = base_strdup(text), *rest = copy, *one;
    int rc = 0;
    while (!rc && (one = strsep(&rest, ",")) != NULL)
        if (*one)
            rc = mount_read(s, one, st);
    free(copy);
    return rc;
}

int storage_volumes_read(struct storage *s, const struct base_settings *settings, struct base_status *st)
{
    for (uint32_t k = 0; k < s->platform_disks; k++)
        if (own_add(s, k, st))
            return -1;
    if (storage_systems_read(s, st))
        return -1;
    bool known = base_settings_known(settings, "storage/mounts");
    return known ? storage_mounts_read(s, base_settings_text(settings, "storage/mounts"), st) : 0;
}
