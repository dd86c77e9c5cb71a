/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_read: the rows of a table (CSV, RFC 4180). Only tables that this program has written are read: a file
 * with another first line, or with a line that is not as table.c writes it, is refused. A last line without
 * its end is what is left of a row whose writer was killed; it does not count.
 */
#include "deploy/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELDS = 12,
    JOB = 0,
    STATUS,
    TIME,
    ENERGY,
    SERVERS,
    CLIENTS,
    PARTS,
    CONFIG = PARTS + DEPLOY_PARTS,
    MESSAGE
};

struct line {
    char *text; /* the fields, each ended by a zero */
    const char *field[FIELDS];
};

void deploy_row_release(struct deploy_row *r)
{
    free(r->config);
    deploy_result_release(&r->result);
}

/* --- fields --------------------------------------------------------------------------------------- */

/* Copies the field at *at to *to, without quotes, and moves both behind it; false: it is not a field. */
static bool take_field(const char **at, const char *end, char **to)
{
    const char *p = *at;
    if (p < end && *p == '"') {
        for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
            p += *p == '"';
            *(*to)++ = *p;
        }
        if (p == end)
            return false;
        p++;
    } else {
        for (; p < end && *p != ','; p++) {
            if (*p == '"')
                return false;
            *(*to)++ = *p;
        }
    }
    *(*to)++ = 0;
    *at = p;
    return true;
}

static int split(struct line *l, const char *at, const char *end, struct base_status *st)
{
    char *to = l->text = base_alloc((size_t)(end - at) + FIELDS + 1, "a row");
    if (memchr(at, 0, (size_t)(end - at)))
        return base_fail(st, "a zero byte");
    for (int k = 0; k < FIELDS; k++) {
        l->field[k] = to;
        if (!take_field(&at, end, &to))
            return base_fail(st, "field %d is not quoted well", k + 1);
        if (at == end ? k + 1 < FIELDS : *at++ != ',' || k + 1 == FIELDS)
            return base_fail(st, "expected %d fields", FIELDS);
    }
    return 0;
}

static int read_double(const char *text, const char *what, double *out, struct base_status *st)
{
    double x;
    if (base_parse_double(text, &x, NULL) || x < 0)
        return base_fail(st, "%s '%.40s': expected a number, 0 or more", what, text);
    *out = x;
    return 0;
}

static int read_count(const char *text, const char *what, uint16_t *out, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(text, &n, NULL) || n < 1 || n > DEPLOY_PROCESSES)
        return base_fail(st, "%s '%.40s': expected a number of processes", what, text);
    *out = (uint16_t)n;
    return 0;
}

static int read_job(const struct deploy_table *t, const char *text, struct base_status *st)
{
    char job[24];
    snprintf(job, sizeof job, "%016llx", (unsigned long long)t->job);
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return base_fail(st, "job '%.40s': expected 16 hexadecimal digits", text);
    if (strcmp(text, job) != 0)
        return base_fail(
            st,
            "this table is of another exploration: the platform, the program or their options were "
            "others (job %s, now %s); use another file",
            text, job);
    return 0;
}

static int read_values(const struct line *l, struct deploy_result *r, struct base_status *st)
{
    if (read_double(l->field[TIME], "time", &r->value.time, st) ||
        read_double(l->field[ENERGY], "energy", &r->value.energy, st))
        return -1;
    for (int k = 0; k < DEPLOY_PARTS; k++)
        if (read_double(l->field[PARTS + k], deploy_part_names[k], &r->part[k], st))
            return -1;
    return 0;
}

static bool no_values(const struct line *l)
{
    bool none = !*l->field[TIME] && !*l->field[ENERGY];
    for (int k = 0; k < DEPLOY_PARTS; k++)
        none &= !*l->field[PARTS + k];
    return none;
}

static int read_result(const struct line *l, struct deploy_result *r, struct base_status *st)
{
    size_t n = strlen(l->field[STATUS]);
    if (n == 0 || n >= sizeof r->status ||
        strspn(l->field[STATUS], "abcdefghijklmnopqrstuvwxyz 0123456789") != n)
        return base_fail(st, "status '%.40s': expected ok, exit N, signal N, timeout or no summary",
                         l->field[STATUS]);
    memcpy(r->status, l->field[STATUS], n + 1);
    r->value = (struct deploy_value){INFINITY, INFINITY};
    if (deploy_result_ok(r))
        return read_values(l, r, st);
    if (!no_values(l))
        return base_fail(st, "status '%s' with a time or an energy", r->status);
    return 0;
}

static int read_row(const struct deploy_table *t, const struct line *l, struct deploy_row *r,
                    struct base_status *st)
{
    if (read_job(t, l->field[JOB], st) || read_count(l->field[SERVERS], "servers", &r->servers, st) ||
        read_count(l->field[CLIENTS], "clients", &r->clients, st) || read_result(l, &r->result, st))
        return -1;
    if (!*l->field[CONFIG])
        return base_fail(st, "an empty configuration");
    r->config = base_strdup(l->field[CONFIG]);
    r->result.message = *l->field[MESSAGE] ? base_strdup(l->field[MESSAGE]) : NULL;
    return 0;
}

/* --- lines ---------------------------------------------------------------------------------------- */

static int read_line(struct deploy_table *t, const char *at, const char *end, struct base_status *st)
{
    struct line l;
    struct deploy_row r = {0};
    int rc = split(&l, at, end, st) || read_row(t, &l, &r, st) ? -1 : 0;
    free(l.text);
    if (rc == 0)
        BASE_ARRAY_PUSH(&t->row, r);
    return rc;
}

static int foreign(const char *name, struct base_status *st)
{
    return base_fail(st, "%s:1: this is no table of pgasim explore: expected '%.*s'", name,
                     (int)sizeof DEPLOY_TABLE_HEAD - 2, DEPLOY_TABLE_HEAD);
}

int deploy_table_parse(struct deploy_table *t, const char *text, size_t size, const char *name,
                       struct base_status *st)
{
    const size_t head = sizeof DEPLOY_TABLE_HEAD - 1;
    struct base_status why;
    t->mended = size > 0 && text[size - 1] != '\n';
    t->whole = 0;
    if (memcmp(text, DEPLOY_TABLE_HEAD, size < head ? size : head) != 0)
        return foreign(name, st);
    if (size < head)
        return 0;
    size_t from = head;
    for (uint32_t line = 2; from < size; line++) {
        const char *end = memchr(text + from, '\n', size - from);
        if (!end)
            break;
        if (read_line(t, text + from, end, &why))
            return base_fail(st, "%s:%u: %s", name, line, why.text);
        from = (size_t)(end + 1 - text);
    }
    t->whole = from;
    return 0;
}
