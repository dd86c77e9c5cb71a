/* SPDX-License-Identifier: BSD-3-Clause */
/* user: events of types that the program, or a library in it, has made: counted; those of the S-DSM understood. */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

void report_user_event(struct report_facts *f, const struct trace_event *ev)
{
    const char *name = ev->call ? ev->call : "";
    bool fresh;
    if (report_job_event(f, ev) || report_energy_event(f, ev) || report_disk_event(f, ev))
        return;
    struct report_user *u = base_table_add_bytes(&f->work->users, name, strlen(name), &fresh);
    u->name = name;
    u->count++;
    if (!sdsm_is_event(name) || (ev->peer && !ev->values))
        return;
    if (!f->sdsm)
        f->sdsm = sdsm_create(f->about->ranks);
    sdsm_add(f->sdsm, f->work->now, ev->rank, name, ev->values, ev->peer);
}

static int most_first(const void *a, const void *b)
{
    const struct report_user *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->name, y->name);
}

void report_users_finish(struct report_facts *f)
{
    uint32_t at = 0;
    if (f->sdsm)
        sdsm_finish(f->sdsm, f->end);
    f->user = base_zalloc((f->work->users.live + 1) * sizeof *f->user, "types of user's events");
    for (const struct report_user *u; (u = base_table_next(&f->work->users, &at));)
        f->user[f->users++] = *u;
    qsort(f->user, f->users, sizeof *f->user, most_first);
}

int report_sdsm_files(const struct report *r, const char *folder, struct base_status *st)
{
    return sdsm_write_files(r->facts->sdsm, folder, st);
}
