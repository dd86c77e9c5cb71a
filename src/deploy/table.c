/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table: the results, in memory and in a file. A row is written by one call as soon as it is known, so that a
 * process that is killed loses only the runs that had not ended. The file is locked while it is open.
 */
#include "deploy/table.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- writing -------------------------------------------------------------------------------------- */

void deploy_put_number(struct base_text *t, double x)
{
    char buf[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, x);
        if (strtod(buf, NULL) == x)
            break;
    }
    base_text_add(t, buf);
}

static void put_message(struct base_text *t, const char *message)
{
    base_text_char(t, '"');
    for (const char *p = message; *p; p++) {
        if (*p == '"')
            base_text_char(t, '"');
        base_text_char(t, *p == '\n' ? ' ' : *p);
    }
    base_text_char(t, '"');
}

static void put_row(struct base_text *t, uint64_t job, const struct deploy_row *r)
{
    const struct deploy_result *result = &r->result;
    bool ok = deploy_result_ok(result);
    base_text_format(t, "%016llx,%s,", (unsigned long long)job, result->status);
    if (ok)
        deploy_put_number(t, result->value.time);
    base_text_char(t, ',');
    if (ok)
        deploy_put_number(t, result->value.energy);
    base_text_format(t, ",%u,%u,", r->servers, r->clients);
    for (int k = 0; k < DEPLOY_PARTS; k++) {
        if (ok)
            deploy_put_number(t, result->part[k]);
        base_text_char(t, ',');
    }
    base_text_format(t, "%s,", r->config);
    if (result->message)
        put_message(t, result->message);
    base_text_char(t, '\n');
}

static int write_all(struct deploy_table *t, const char *at, size_t n, struct base_status *st)
{
    for (ssize_t put; n; at += put, n -= (size_t)put)
        if ((put = write(t->fd, at, n)) < 0)
            return base_fail(st, "cannot write %s: %s", t->path, strerror(errno));
    return 0;
}

int deploy_table_add(struct deploy_table *t, struct deploy_row *row, struct base_status *st)
{
    struct base_text text;
    base_text_init(&text, "a row");
    put_row(&text, t->job, row);
    BASE_ARRAY_PUSH(&t->row, *row);
    int rc = t->fd < 0 ? 0 : write_all(t, text.at, text.n, st);
    base_text_release(&text);
    return rc;
}

/* --- opening -------------------------------------------------------------------------------------- */

static struct deploy_table *create(const char *path, uint64_t job)
{
    struct deploy_table *t = base_zalloc(sizeof *t, "a table");
    t->path = path ? base_strdup(path) : NULL;
    t->fd = -1;
    t->job = job;
    return t;
}

void deploy_table_destroy(struct deploy_table *t)
{
    for (size_t k = 0; k < t->row.n; k++)
        deploy_row_release(&t->row.at[k]);
    free(t->row.at);
    if (t->fd >= 0)
        close(t->fd);
    free(t->path);
    free(t);
}

int deploy_table_read(struct deploy_table **out, const char *text, size_t size, const char *name,
                      uint64_t job, struct base_status *st)
{
    struct deploy_table *t = create(NULL, job);
    if (deploy_table_parse(t, text, size, name, st)) {
        deploy_table_destroy(t);
        return -1;
    }
    *out = t;
    return 0;
}

static int open_file(struct deploy_table *t, off_t *size, struct base_status *st)
{
    struct stat file;
    t->fd = open(t->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (t->fd < 0) {
        base_open_failed(t->path);
        return base_fail(st, "%s: %s", t->path, strerror(errno));
    }
    if (fstat(t->fd, &file) || !S_ISREG(file.st_mode))
        return base_fail(st, "%s: this is no ordinary file", t->path);
    if (flock(t->fd, LOCK_EX | LOCK_NB))
        return base_fail(st, "%s: another pgasim explore uses this table", t->path);
    *size = file.st_size;
    return 0;
}

static int load(struct deploy_table *t, struct base_status *st)
{
    off_t size = 0;
    if (open_file(t, &size, st))
        return -1;
    char *text = base_alloc((size_t)size + 1, "a table");
    ssize_t n = size ? pread(t->fd, text, (size_t)size, 0) : 0;
    int rc = n == size ? deploy_table_parse(t, text, (size_t)size, t->path, st)
                       : base_fail(st, "%s: cannot read it: %s", t->path,
                                   n < 0 ? strerror(errno) : "it has shrunk");
    free(text);
    if (rc == 0 && t->mended && ftruncate(t->fd, (off_t)t->whole))
        return base_fail(st, "%s: %s", t->path, strerror(errno));
    if (rc == 0 && !t->whole)
        return write_all(t, DEPLOY_TABLE_HEAD, sizeof DEPLOY_TABLE_HEAD - 1, st);
    return rc;
}

int deploy_table_open(struct deploy_table **out, const char *path, uint64_t job, struct base_status *st)
{
    struct deploy_table *t = create(path, job);
    if (path && load(t, st)) {
        deploy_table_destroy(t);
        return -1;
    }
    *out = t;
    return 0;
}

/* --- rows ----------------------------------------------------------------------------------------- */

uint32_t deploy_table_rows(const struct deploy_table *t)
{
    return (uint32_t)t->row.n;
}

const struct deploy_row *deploy_table_row(const struct deploy_table *t, uint32_t k)
{
    return &t->row.at[k];
}

bool deploy_table_mended(const struct deploy_table *t)
{
    return t->mended;
}

/* The best ones first; equal ones, and those that failed, by their configurations. */
static int compare(const void *pa, const void *pb)
{
    const struct deploy_row *a = pa, *b = pb;
    const struct deploy_value x = a->result.value, y = b->result.value;
    if (x.time != y.time)
        return x.time < y.time ? -1 : 1;
    if (x.energy != y.energy)
        return x.energy < y.energy ? -1 : 1;
    return strcmp(a->config, b->config);
}

int deploy_table_sort(struct deploy_table *t, struct base_status *st)
{
    struct base_output o;
    struct base_text text;
    qsort(t->row.at, t->row.n, sizeof t->row.at[0], compare);
    if (!t->path)
        return 0;
    if (base_output_open(&o, t->path, st))
        return -1;
    base_text_init(&text, "a table");
    base_text_add(&text, DEPLOY_TABLE_HEAD);
    for (size_t k = 0; k < t->row.n; k++)
        put_row(&text, t->job, &t->row.at[k]);
    base_text_write(&text, o.out);
    base_text_release(&text);
    return base_output_commit(&o, st);
}
