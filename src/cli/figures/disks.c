/* SPDX-License-Identifier: BSD-3-Clause */
/* disks: what disks and file systems did in a run, for the summary, --json and the trace. */
#include "cli/figures/disks.h"

#include "base/json.h"
#include "report/report.h"

#include <stdlib.h>

/* Names live no longer than the job. */
static const char *kept(const char *name)
{
    return name ? base_strdup(name) : NULL;
}

static void dropped(const char *name)
{
    free((char *)(uintptr_t)name);
}

static void take(struct disks *x, const struct storage *s)
{
    x->all = storage_disk_count(s);
    x->disk = base_alloc((x->all + 1) * sizeof *x->disk, "totals of disks");
    for (uint32_t k = 0; k < x->all; k++) {
        struct storage_disk_totals t = storage_disk_totals(s, k);
        if (!(t.accesses[STORAGE_READ] + t.accesses[STORAGE_WRITE]))
            continue;
        t.name = kept(t.name);
        t.host = kept(t.host);
        t.volume = kept(t.volume);
        x->disk[x->disks++] = t;
    }
    x->volume = base_alloc((storage_volume_count(s) + 1) * sizeof *x->volume, "totals of volumes");
    for (uint32_t k = 0; k < storage_volume_count(s); k++) {
        struct storage_volume_totals t = storage_volume_totals(s, k);
        if (!(t.requests[STORAGE_READ] + t.requests[STORAGE_WRITE] + t.names))
            continue;
        t.name = kept(t.name);
        t.host = kept(t.host);
        x->volume[x->volumes++] = t;
    }
}

/* Rank 0 tells of disks. */
static void tell(struct trace *t, const struct storage *s, double now)
{
    for (uint32_t k = 0; k < storage_disk_count(s); k++) {
        struct storage_disk_totals d = storage_disk_totals(s, k);
        int64_t v[REPORT_DISK_VALUES] = {
            d.host_id,           (int64_t)d.accesses[0],  (int64_t)d.bytes[0],      (int64_t)d.accesses[1],
            (int64_t)d.bytes[1], (int64_t)(d.busy * 1e9), (int64_t)(d.shared * 1e9)};
        if (!(d.accesses[0] + d.accesses[1]))
            continue;
        char *name = base_strfmt("disk %s", d.name);
        trace_emit(t, &(struct trace_event){.time = now,
                                            .type = TRACE_USER,
                                            .call = trace_keep(t, name),
                                            .detail = REPORT_DISK_FIELDS,
                                            .values = v,
                                            .peer = REPORT_DISK_VALUES});
        free(name);
    }
}

struct disks disks_of_job(const struct rank_job *job, double simulated)
{
    struct disks x = {.simulated = simulated};
    if (storage_of(job))
        take(&x, storage_of(job));
    if (storage_of(job) && trace_wants(rank_trace(job), TRACE_CATEGORY_USER))
        tell(rank_trace(job), storage_of(job), simulated);
    return x;
}

void disks_release(struct disks *x)
{
    for (uint32_t k = 0; k < x->disks; k++) {
        dropped(x->disk[k].name);
        dropped(x->disk[k].host);
        dropped(x->disk[k].volume);
    }
    for (uint32_t k = 0; k < x->volumes; k++) {
        dropped(x->volume[k].name);
        dropped(x->volume[k].host);
    }
    free(x->disk);
    free(x->volume);
    *x = (struct disks){0};
}

/* --- for people ------------------------------------------------------------------------------------------ */

static void print_volume(const struct storage_volume_totals *v, FILE *out)
{
    char waited[32], longest[32], used[32];
    const char *separator = ": ";
    fprintf(out, "pgasim:   files on %s%s%s", v->name, v->host ? " of " : "", v->host ? v->host : "");
    base_print_kind(out, &separator, "reads", v->requests[STORAGE_READ], v->bytes[STORAGE_READ]);
    base_print_kind(out, &separator, "writes", v->requests[STORAGE_WRITE], v->bytes[STORAGE_WRITE]);
    base_print_kind(out, &separator, "names", v->names, 0);
    base_print_kind(out, &separator, "lock conflicts", v->conflicts, 0);
    if (v->used)
        fprintf(out, "; grown by %s", base_show_size(used, (double)v->used));
    if (v->waited > 0)
        fprintf(out, "; ranks waited %s, rank %u most: %s", base_show_time(waited, v->waited),
                v->longest_rank, base_show_time(longest, v->longest));
    fputc('\n', out);
}

static const struct storage_disk_totals *busiest(const struct disks *x)
{
    const struct storage_disk_totals *most = x->disk;
    for (uint32_t k = 1; k < x->disks; k++)
        if (x->disk[k].busy > most->busy)
            most = &x->disk[k];
    return most;
}

void disks_print(const struct disks *x, FILE *out)
{
    enum { SHOWN = 8 };
    char bytes[32];
    for (uint32_t k = 0; k < x->volumes && k < SHOWN; k++)
        print_volume(&x->volume[k], out);
    if (x->volumes > SHOWN)
        fprintf(out, "pgasim:   files on %u more disks\n", x->volumes - SHOWN);
    if (!x->disks)
        return;
    const struct storage_disk_totals *d = busiest(x);
    fprintf(out, "pgasim:   disks: %u of %u used; %s of %s was busy for %.1f %% of the time, with %s\n",
            x->disks, x->all, d->name, d->host, x->simulated > 0 ? 100 * d->busy / x->simulated : 0,
            base_show_size(bytes, d->bytes[STORAGE_READ] + d->bytes[STORAGE_WRITE]));
}

/* --- for programs ---------------------------------------------------------------------------------------- */

static void put_disk(const struct storage_disk_totals *d, struct base_json *j)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "name", d->name);
    base_json_text(j, "host", d->host);
    if (d->volume)
        base_json_text(j, "volume", d->volume);
    base_json_count(j, "reads", d->accesses[STORAGE_READ]);
    base_json_number(j, "read_bytes", d->bytes[STORAGE_READ]);
    base_json_count(j, "writes", d->accesses[STORAGE_WRITE]);
    base_json_number(j, "written_bytes", d->bytes[STORAGE_WRITE]);
    base_json_number(j, "busy_seconds", d->busy);
    base_json_number(j, "access_seconds", d->shared);
    base_json_close(j);
}

static void put_volume(const struct storage_volume_totals *v, struct base_json *j)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "name", v->name);
    if (v->host)
        base_json_text(j, "host", v->host);
    base_json_count(j, "reads", v->requests[STORAGE_READ]);
    base_json_count(j, "read_bytes", v->bytes[STORAGE_READ]);
    base_json_count(j, "cached_bytes", v->hits);
    base_json_count(j, "writes", v->requests[STORAGE_WRITE]);
    base_json_count(j, "written_bytes", v->bytes[STORAGE_WRITE]);
    base_json_count(j, "names", v->names);
    base_json_count(j, "lock_conflicts", v->conflicts);
    base_json_count(j, "used_bytes", v->used);
    base_json_number(j, "waited_seconds", v->waited);
    base_json_count(j, "longest_rank", v->longest_rank);
    base_json_number(j, "longest_seconds", v->longest);
    base_json_close(j);
}

void disks_json(const struct disks *x, struct base_json *j)
{
    if (!x->volumes)
        return;
    base_json_open(j, "disks", '[');
    for (uint32_t k = 0; k < x->disks; k++)
        put_disk(&x->disk[k], j);
    base_json_close(j);
    base_json_open(j, "volumes", '[');
    for (uint32_t k = 0; k < x->volumes; k++)
        put_volume(&x->volume[k], j);
    base_json_close(j);
}
