/* SPDX-License-Identifier: BSD-3-Clause */
/* disk: what the run's disks did, as it tells at its end. */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "disk ";

/* Counts, bytes and nanoseconds of a damaged trace are none. */
static double sound(int64_t value)
{
    return value > 0 ? (double)value : 0;
}

bool report_disk_event(struct report_facts *f, const struct trace_event *ev)
{
    if (!ev->call || strncmp(ev->call, prefix, strlen(prefix)) || !ev->detail ||
        strcmp(ev->detail, REPORT_DISK_FIELDS) || ev->peer != REPORT_DISK_VALUES || !ev->values ||
        ev->values[0] < 0 || ev->values[0] >= f->about->hosts)
        return false;
    struct report_disk d = {.name = ev->call + strlen(prefix),
                            .host = (uint32_t)ev->values[0],
                            .reads = sound(ev->values[1]),
                            .read_bytes = sound(ev->values[2]),
                            .writes = sound(ev->values[3]),
                            .written_bytes = sound(ev->values[4]),
                            .busy = 1e-9 * sound(ev->values[5]),
                            .waited = 1e-9 * sound(ev->values[6])};
    BASE_ARRAY_PUSH(&f->disks, d);
    return true;
}

static int busiest_first(const void *a, const void *b)
{
    const struct report_disk *x = a, *y = b;
    if (x->busy != y->busy)
        return x->busy > y->busy ? -1 : 1;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return strcmp(x->name, y->name);
}

void report_disks_finish(struct report_facts *f)
{
    if (f->disks.n)
        qsort(f->disks.at, f->disks.n, sizeof *f->disks.at, busiest_first);
}
