/* SPDX-License-Identifier: BSD-3-Clause */
/* store: rows of points in SQLite. */
#include "sweep/store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sweep/store/sqlite.h"

enum { APPLICATION = 0x70677377, PATIENCE_MS = 60000 }; /* "pgsw": the file is of this kind */

struct store {
    const struct store_sqlite *lib;
    sqlite3 *db;
    sqlite3_stmt *add;
    char *path;
};

#define COLUMNS "key, parameters, status, reason, exit_status, host_seconds, peak_bytes, kept, point, at"
#define NOW     "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

void store_row_release(struct store_row *r)
{
    free(r->parameters);
    free(r->status);
    free(r->reason);
    free(r->kept);
    free(r->at);
    *r = (struct store_row){0};
}

static char *copy_of(const char *text)
{
    return text ? base_strdup(text) : NULL;
}

struct store_row store_row_copy(const struct store_row *r)
{
    struct store_row out = *r;
    out.parameters = copy_of(r->parameters);
    out.status = copy_of(r->status);
    out.reason = copy_of(r->reason);
    out.kept = copy_of(r->kept);
    out.at = copy_of(r->at);
    return out;
}

static int failed(const struct store *s, struct base_status *st)
{
    return base_fail(st, "%.200s: %s", s->path, s->lib->errmsg(s->db));
}

static int run(struct store *s, const char *sql, struct base_status *st)
{
    return s->lib->exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(s, st);
}

/* The number that a statement answers; -1 with st. */
static int ask(struct store *s, const char *sql, int64_t *out, struct base_status *st)
{
    sqlite3_stmt *q;
    if (s->lib->prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        return failed(s, st);
    int rc = s->lib->step(q) == SQLITE_ROW ? 0 : failed(s, st);
    if (rc == 0)
        *out = s->lib->column_int64(q, 0);
    s->lib->finalize(q);
    return rc;
}

/* Files of versions before 1.0.0 have no times. */
static int add_time(struct store *s, struct base_status *st)
{
    int64_t there;
    if (ask(s, "SELECT count(*) FROM pragma_table_info('results') WHERE name = 'at'", &there, st))
        return -1;
    return there ? 0 : run(s, "ALTER TABLE results ADD COLUMN at TEXT", st);
}

/* An empty file becomes ours; one of something else is refused. */
static int prepare_file(struct store *s, bool reads, struct base_status *st)
{
    char sql[200];
    int64_t id, tables;
    if (ask(s, "PRAGMA application_id", &id, st) || ask(s, "SELECT count(*) FROM sqlite_master", &tables, st))
        return -1;
    if (id == APPLICATION)
        return add_time(s, st);
    if (tables || reads)
        return base_fail(st, "%.200s: this is no database of pgasim sweep", s->path);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d", APPLICATION);
    return run(s, "BEGIN IMMEDIATE", st) ||
                   run(s,
                       "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, point INTEGER, parameters "
                       "TEXT, "
                       "status TEXT, reason TEXT, exit_status INTEGER, host_seconds REAL, peak_bytes "
                       "INTEGER, "
                       "kept TEXT, at TEXT) WITHOUT ROWID",
                       st) ||
                   run(s, sql, st) || run(s, "COMMIT", st)
               ? -1
               : 0;
}

int store_open(struct store **out, const char *path, bool reads, struct base_status *st)
{
    const struct store_sqlite *lib = store_sqlite(st);
    if (!lib)
        return -1;
    struct store *s = base_zalloc(sizeof *s, "a database");
    s->lib = lib;
    s->path = base_strdup(path);
    int rc = lib->open_v2(path, &s->db, SQLITE_OPEN_READWRITE | (reads ? 0 : SQLITE_OPEN_CREATE), NULL);
    if (rc != SQLITE_OK)
        rc = s->db ? failed(s, st) : base_fail(st, "%.200s: cannot be opened", path);
    else
        rc = lib->busy_timeout(s->db, PATIENCE_MS) != SQLITE_OK || prepare_file(s, reads, st) ? -1 : 0;
    if (rc == 0 && lib->prepare_v2(s->db,
                                   "INSERT OR REPLACE INTO results (" COLUMNS
                                   ") VALUES (?,?,?,?,?,?,?,?,?,coalesce(?," NOW "))",
                                   -1, &s->add, NULL) != SQLITE_OK)
        rc = failed(s, st);
    if (rc)
        store_close(s);
    else
        *out = s;
    return rc;
}

void store_close(struct store *s)
{
    s->lib->finalize(s->add);
    s->lib->close(s->db);
    free(s->path);
    free(s);
}

/* --- rows ------------------------------------------------------------------------------------------- */

static void bind_text(const struct store *s, sqlite3_stmt *q, int column, const char *text)
{
    if (text)
        s->lib->bind_text(q, column, text, -1, SQLITE_STATIC);
    else
        s->lib->bind_null(q, column);
}

int store_add(struct store *s, const struct store_row *r, struct base_status *st)
{
    char key[20];
    snprintf(key, sizeof key, "%016" PRIx64, r->key);
    bind_text(s, s->add, 1, key);
    bind_text(s, s->add, 2, r->parameters);
    bind_text(s, s->add, 3, r->status);
    bind_text(s, s->add, 4, r->reason);
    if (r->exit_status == STORE_NO_EXIT)
        s->lib->bind_null(s->add, 5);
    else
        s->lib->bind_int64(s->add, 5, r->exit_status);
    s->lib->bind_double(s->add, 6, r->host_seconds);
    s->lib->bind_int64(s->add, 7, (int64_t)r->peak_bytes);
    bind_text(s, s->add, 8, r->kept);
    if (r->point)
        s->lib->bind_int64(s->add, 9, r->point);
    else
        s->lib->bind_null(s->add, 9);
    bind_text(s, s->add, 10, r->at);
    int rc = s->lib->step(s->add) == SQLITE_DONE ? 0 : failed(s, st);
    s->lib->reset(s->add);
    return rc;
}

static char *column(const struct store *s, sqlite3_stmt *q, int k)
{
    const char *text = (const char *)s->lib->column_text(q, k);
    return text ? base_strdup(text) : NULL;
}

static char *column_or(const struct store *s, sqlite3_stmt *q, int k, const char *instead)
{
    char *text = column(s, q, k);
    return text ? text : base_strdup(instead);
}

static struct store_row row_of(const struct store *s, sqlite3_stmt *q)
{
    const char *key = (const char *)s->lib->column_text(q, 0);
    struct store_row r = {.key = key ? strtoull(key, NULL, 16) : 0,
                          .point = (uint32_t)s->lib->column_int64(q, 8),
                          .parameters = column_or(s, q, 1, "{}"),
                          .status = column_or(s, q, 2, "?"),
                          .reason = column(s, q, 3),
                          .kept = column_or(s, q, 7, "{}"),
                          .at = column_or(s, q, 9, ""),
                          .host_seconds = s->lib->column_double(q, 5),
                          .peak_bytes = (uint64_t)s->lib->column_int64(q, 6)};
    r.exit_status =
        s->lib->column_type(q, 4) == SQLITE_NULL ? STORE_NO_EXIT : (int)s->lib->column_int64(q, 4);
    return r;
}

int store_each(struct store *s, void (*fn)(void *arg, struct store_row *r), void *arg, struct base_status *st)
{
    sqlite3_stmt *q;
    int step;
    if (s->lib->prepare_v2(s->db, "SELECT " COLUMNS " FROM results ORDER BY key", -1, &q, NULL) != SQLITE_OK)
        return failed(s, st);
    while ((step = s->lib->step(q)) == SQLITE_ROW) {
        struct store_row r = row_of(s, q);
        fn(arg, &r);
        store_row_release(&r);
    }
    int rc = step == SQLITE_DONE ? 0 : failed(s, st);
    s->lib->finalize(q);
    return rc;
}

/* --- the study's points ----------------------------------------------------------------------------- */

/* Names are letters, digits and '_'. */
static char *view_of(const struct store_plan *p)
{
    struct base_text t;
    base_text_init(&t, "a view");
    base_text_add(&t, "CREATE VIEW points AS SELECT point");
    for (uint32_t k = 0; k < p->names; k++)
        base_text_format(&t, ", json_extract(%s, '$.%s') AS \"%s\"",
                         k < p->parameters ? "parameters" : "kept", p->name[k], p->name[k]);
    base_text_add(&t, ", status, reason, exit_status, host_seconds, peak_bytes FROM results "
                      "WHERE point IS NOT NULL ORDER BY point");
    return base_text_take(&t);
}

static int number_rows(struct store *s, const struct store_plan *p, struct base_status *st)
{
    sqlite3_stmt *q;
    int rc = 0;
    if (s->lib->prepare_v2(s->db, "UPDATE results SET point = ? WHERE key = ?", -1, &q, NULL) != SQLITE_OK)
        return failed(s, st);
    for (uint32_t k = 0; rc == 0 && k < p->n; k++) {
        char key[20];
        snprintf(key, sizeof key, "%016" PRIx64, p->key[k]);
        s->lib->bind_int64(q, 1, k + 1);
        bind_text(s, q, 2, key);
        rc = s->lib->step(q) == SQLITE_DONE ? 0 : failed(s, st);
        s->lib->reset(q);
    }
    s->lib->finalize(q);
    return rc;
}

int store_plan(struct store *s, const struct store_plan *p, struct base_status *st)
{
    struct base_status ignored;
    char *view = view_of(p);
    int rc = run(s, "BEGIN IMMEDIATE", st);
    if (rc == 0) {
        rc = run(s, "UPDATE results SET point = NULL", st) || number_rows(s, p, st) ||
                     run(s, "DROP VIEW IF EXISTS points", st) || run(s, view, st) || run(s, "COMMIT", st)
                 ? -1
                 : 0;
        if (rc)
            (void)run(s, "ROLLBACK", &ignored);
    }
    free(view);
    return rc;
}

/* --- merging ---------------------------------------------------------------------------------------- */

struct merge {
    struct store *to;
    uint32_t rows;
    int rc;
    struct base_status *st;
};

static void take_row(void *arg, struct store_row *r)
{
    struct merge *m = arg;
    if (m->rc == 0)
        m->rc = store_add(m->to, r, m->st);
    m->rows += m->rc == 0;
}

int store_merge(struct store *s, const char *path, uint32_t *rows, struct base_status *st)
{
    struct store *from;
    struct merge m = {.to = s, .st = st};
    struct base_status ignored;
    if (store_open(&from, path, false, st))
        return -1;
    int rc = run(s, "BEGIN IMMEDIATE", st);
    if (rc == 0) {
        rc = store_each(from, take_row, &m, st) || m.rc || run(s, "COMMIT", st) ? -1 : 0;
        if (rc)
            (void)run(s, "ROLLBACK", &ignored);
    }
    store_close(from);
    if (rc == 0)
        *rows = m.rows;
    return rc;
}
