/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * share: a task of a job array of Slurm. Its results are in a database of its own in the array's folder, TASK-RESTART.db:
 * when Slurm starts a task again because its node was lost, the new one reads what the earlier ones have left, and writes
 * none of their files.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "sweep/internal.h"

/* A number that Slurm tells its tasks. */
static int told(const char *name, uint64_t instead, uint64_t *out, struct base_status *st)
{
    const char *text = getenv(name);
    struct base_status why;
    *out = instead;
    if (!text && instead == UINT64_MAX)
        return base_fail(st, "--share: %s is not set: expected to be started by a job array of Slurm", name);
    if (text && base_parse_uint(text, out, &why))
        return base_fail(st, "%s=%.80s: expected a number", name, text);
    return 0;
}

int sweep_share_write(const struct sweep *x, const char *folder, struct base_status *st)
{
    struct base_output o;
    char *path = base_strfmt("%s/pending", folder);
    int rc = base_output_open(&o, path, st);
    for (uint32_t k = 0; rc == 0 && k < x->study->points; k++)
        if (x->task[k].state == SWEEP_PENDING)
            fprintf(o.out, "%u %016" PRIx64 "\n", x->task[k].point->number, x->task[k].key);
    if (rc == 0)
        rc = base_output_commit(&o, st);
    free(path);
    return rc;
}

static void note_share(void *arg, struct store_row *r)
{
    struct sweep *x = arg;
    bool fresh;
    struct store_row *known = base_table_add(&x->rows, r->key, &fresh);
    if (fresh) {
        *known = *r;
        *r = (struct store_row){0};
    }
}

/* The rows of one database, if it is there. */
static int read_rows(struct sweep *x, const char *path, struct base_status *st)
{
    struct store *s;
    if (access(path, F_OK))
        return 0;
    if (store_open(&s, path, true, st))
        return -1;
    int rc = store_each(s, note_share, x, st);
    store_close(s);
    return rc;
}

/* What this task has done before it was started again. */
static int read_earlier(struct sweep *x, uint64_t task, uint64_t restart, struct base_status *st)
{
    int rc = 0;
    for (uint64_t k = 0; rc == 0 && k < restart; k++) {
        char *path = base_strfmt("%s/%" PRIu64 "-%" PRIu64 ".db", x->q->share, task, k);
        rc = read_rows(x, path, st);
        free(path);
    }
    return rc;
}

int sweep_share_open(struct sweep *x, struct base_status *st)
{
    uint64_t task, restart, cpus, megabytes;
    if (!x->q->database)
        return base_fail(st, "--share: expected --database, too");
    if (told("SLURM_ARRAY_TASK_ID", UINT64_MAX, &task, st) || told("SLURM_RESTART_COUNT", 0, &restart, st) ||
        told("SLURM_CPUS_PER_TASK", 1, &cpus, st) || told("SLURM_MEM_PER_NODE", 0, &megabytes, st))
        return -1;
    x->jobs = cpus > 0 && cpus < 4096 ? (uint32_t)cpus : 1;
    x->memory = x->memory ? x->memory : megabytes << 20;
    x->database = base_strfmt("%s/%" PRIu64 "-%" PRIu64 ".db", x->q->share, task, restart);
    x->work = base_strfmt("%s.work", x->database);
    x->files = base_strfmt("%s.files", x->q->database);
    return read_earlier(x, task, restart, st) ? -1 : store_open(&x->store, x->database, false, st);
}

/* One of the lines of the file; `mine`: it is this task's. */
static int take_line(struct sweep *x, const char *line, bool mine, struct base_status *st)
{
    char *end;
    unsigned long number = strtoul(line, &end, 10);
    uint64_t key = strtoull(end, NULL, 16);
    if (!number || number > x->study->points || x->task[number - 1].key != key)
        return base_fail(st,
                         "the study or one of its files is another one now than when the job was submitted");
    struct sweep_task *t = &x->task[number - 1];
    if (mine && !t->row.status) {
        t->state = SWEEP_PENDING;
        x->pending++;
    }
    return 0;
}

int sweep_share_take(struct sweep *x, struct base_status *st)
{
    char line[100], *path = base_strfmt("%s/pending", x->q->share);
    uint64_t task, tasks, number = 0;
    int rc = told("SLURM_ARRAY_TASK_ID", UINT64_MAX, &task, st) ||
                     told("SLURM_ARRAY_TASK_COUNT", UINT64_MAX, &tasks, st)
                 ? -1
                 : 0;
    FILE *f = rc ? NULL : fopen(path, "r");
    if (rc == 0 && !f)
        rc = base_fail(st, "%.200s: %s", path, strerror(errno));
    x->pending = 0;
    for (uint32_t k = 0; k < x->study->points; k++)
        x->task[k].state = x->task[k].row.status ? SWEEP_DONE : SWEEP_LEFT;
    for (; rc == 0 && fgets(line, sizeof line, f); number++)
        rc = take_line(x, line, tasks && number % tasks == task, st);
    if (f)
        fclose(f);
    free(path);
    return rc;
}
