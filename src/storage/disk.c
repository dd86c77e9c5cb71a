/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * disk: disks as in SimGrid's model S19. An access uses the disk's bandwidth for its kind, and the one that reads
 * and writes have together (the larger of both, unless the property readwrite_bw says otherwise); all accesses
 * weigh the same. Of ours is a time before each access (property latency), during which the disk serves others.
 */
#include "storage/internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct access {
    struct engine_event event;
    struct storage *storage;
    storage_done_fn done;
    void *arg;
    double bytes, begun;
    uint32_t disk;
    uint8_t how;
    bool runs; /* it counts as running */
};

static struct storage_disk *disk_of(const struct access *a)
{
    return &a->storage->disks.at[a->disk];
}

/* --- totals --------------------------------------------------------------------------------------------- */

static void count_begin(struct access *a, double now)
{
    struct storage_disk *d = disk_of(a);
    a->runs = true;
    a->begun = now;
    if (d->running++ == 0)
        d->since = now;
}

static void count_end(const struct access *a, double now)
{
    struct storage_disk *d = disk_of(a);
    d->totals.shared += now - a->begun;
    d->totals.accesses[a->how]++;
    d->totals.bytes[a->how] += a->bytes;
    if (--d->running == 0)
        d->totals.busy += now - d->since;
}

struct storage_disk_totals storage_disk_totals(const struct storage *s, uint32_t disk)
{
    const struct storage_disk *d = &s->disks.at[disk];
    struct storage_disk_totals t = d->totals;
    t.name = d->name;
    t.host = platform_host(s->platform, d->host)->name;
    t.host_id = d->host;
    t.volume = d->of ? d->of->name : NULL;
    if (d->running)
        t.busy += engine_now(s->engine) - d->since;
    return t;
}

uint32_t storage_disk_count(const struct storage *s)
{
    return (uint32_t)s->disks.n;
}

/* --- accesses ---------------------------------------------------------------------------------------------- */

static void end(struct access *a, int error)
{
    struct storage *s = a->storage;
    storage_done_fn done = a->done;
    void *arg = a->arg;
    if (a->runs)
        count_end(a, engine_now(s->engine));
    base_pool_put(&s->accesses, a);
    done(arg, error);
}

static void flow_over(struct fluid *f, void *arg)
{
    (void)f;
    end(arg, 0);
}

static void begin(struct engine *e, struct engine_event *ev)
{
    struct access *a = BASE_CONTAINER(ev, struct access, event);
    struct storage_disk *d = disk_of(a);
    if (BASE_UNLIKELY(!fabric_host_on(a->storage->fabric, d->host))) {
        end(a, EIO);
        return;
    }
    count_begin(a, engine_now(e));
    if (!(a->bytes > 0)) {
        end(a, 0);
        return;
    }
    struct fluid_use uses[] = {{d->both, 1}, {d->one[a->how], 1}};
    fluid_start(a->storage->fluid, uses, BASE_LENGTH(uses), a->bytes, 1, INFINITY, flow_over, a);
}

void storage_disk_start(struct storage *s, uint32_t disk, enum storage_access how, double bytes,
                        storage_done_fn done, void *arg)
{
    struct access *a = base_pool_get(&s->accesses);
    *a = (struct access){
        .storage = s, .done = done, .arg = arg, .bytes = bytes, .disk = disk, .how = (uint8_t)how};
    engine_event_init(&a->event, begin);
    engine_event_post(s->engine, &a->event, engine_now(s->engine) + s->disks.at[disk].latency);
}

/* --- the disks ------------------------------------------------------------------------------------------------ */

uint32_t storage_disk_add(struct storage *s, struct storage_disk d, const double bandwidth[2], double both)
{
    d.both = fluid_resource_add(s->fluid, both, FLUID_SHARED);
    for (int how = STORAGE_READ; how <= STORAGE_WRITE; how++)
        d.one[how] = fluid_resource_add(s->fluid, bandwidth[how], FLUID_SHARED);
    BASE_ARRAY_PUSH(&s->disks, d);
    return (uint32_t)s->disks.n - 1;
}

uint32_t storage_disk_find(const struct storage *s, uint32_t host, const char *name)
{
    for (uint32_t k = 0; k < s->platform_disks; k++)
        if (s->disks.at[k].host == host && (!name || !strcmp(s->disks.at[k].name, name)))
            return k;
    return STORAGE_NONE;
}

static int platform_disk_add(struct storage *s, uint32_t k, struct base_status *st)
{
    const struct platform_disk *d = platform_disk(s->platform, k);
    struct storage_disk disk = {.name = d->name, .host = d->host};
    double bandwidth[2] = {d->read_bandwidth, d->write_bandwidth};
    double both = fmax(d->read_bandwidth, d->write_bandwidth);
    char *where =
        base_strfmt("<disk id=\"%.80s\"> of host %.80s", d->name, platform_host(s->platform, d->host)->name);
    struct storage_value v = {where, "readwrite_bw", platform_disk_property(s->platform, k, "readwrite_bw")};
    int rc = storage_value_number(&v, BASE_BANDWIDTH, BASE_BANDWIDTHS, &both, st);
    v = (struct storage_value){where, "latency", platform_disk_property(s->platform, k, "latency")};
    rc = rc ? rc : storage_value_number(&v, BASE_TIME, BASE_TIMES, &disk.latency, st);
    free(where);
    if (!rc)
        (void)storage_disk_add(s, disk, bandwidth, both);
    return rc;
}

static void pools_init(struct storage *s)
{
    base_pool_init(&s->accesses, sizeof(struct access), "accesses to disks");
    base_pool_init(&s->requests, sizeof(struct storage_request), "requests to files");
    base_pool_init(&s->files, sizeof(struct storage_file), "open files");
    storage_parts_init(s);
    storage_names_init(s);
    base_pool_of_operations(&s->accesses);
    base_pool_of_operations(&s->requests);
    base_table_init(&s->inodes, BASE_BYTES, sizeof(struct storage_name), "files");
    base_table_init(&s->of_host, BASE_NUMBERS, sizeof(uint32_t), "disks by host");
}

int storage_create(struct storage **out, struct fabric *f, const struct base_settings *settings,
                   struct base_status *st)
{
    struct storage *s = base_zalloc(sizeof *s, "storage");
    int rc = 0;
    s->fabric = f;
    s->fluid = fabric_fluid(f);
    s->engine = fabric_engine(f);
    s->platform = fabric_platform(f);
    pools_init(s);
    for (uint32_t k = 0; k < platform_disk_count(s->platform) && !rc; k++)
        rc = platform_disk_add(s, k, st);
    s->platform_disks = (uint32_t)s->disks.n;
    if (!rc)
        rc = storage_volumes_read(s, settings, st);
    if (rc || !s->disks.n) {
        storage_destroy(s);
        s = NULL;
    }
    if (!rc)
        *out = s;
    return rc;
}

void storage_destroy(struct storage *s)
{
    if (!s)
        return;
    storage_inodes_release(s);
    storage_volumes_release(s);
    base_table_release(&s->inodes);
    base_table_release(&s->of_host);
    base_pool_release(&s->accesses);
    base_pool_release(&s->requests);
    base_pool_release(&s->files);
    base_pool_release(&s->parts);
    base_pool_release(&s->names);
    free(s->disks.at);
    free(s);
}
