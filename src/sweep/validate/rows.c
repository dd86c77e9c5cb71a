/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows: what databases hold of a validation. Rows are found by their keys; measurements of another version of pgasim or
 * of the file, and earlier predictions, by the values of their parameters.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/validate/parts.h"

/* --- rows by parameters ----------------------------------------------------------------------------- */

/* The newest row of each point. */
struct newest {
    struct base_table rows;          /* parameters to struct store_row */
    const struct base_table *except; /* keys that do not count; NULL: none */
};

/* When a row was made; all are written by facts.c. */
static const char *made_at(const struct store_row *r)
{
    static const char at[] = "\"at\":\"";
    const char *found = strstr(r->kept, at);
    return found ? found + sizeof at - 1 : "";
}

static void note(void *arg, struct store_row *r)
{
    struct newest *n = arg;
    bool fresh;
    if (n->except && base_table_find(n->except, r->key))
        return;
    struct store_row *known = base_table_find_bytes(&n->rows, r->parameters, (uint32_t)strlen(r->parameters));
    if (known && strncmp(made_at(known), made_at(r), 20) >= 0)
        return;
    if (known) {
        char *key = known->parameters; /* the table refers to it */
        known->parameters = NULL;
        store_row_release(known);
        free(r->parameters);
        *known = *r;
        known->parameters = key;
    } else {
        known = base_table_add_bytes(&n->rows, r->parameters, strlen(r->parameters), &fresh);
        *known = *r;
    }
    *r = (struct store_row){0};
}

static int newest_read(struct newest *n, struct store *store, const struct base_table *except,
                       struct base_status *st)
{
    *n = (struct newest){.except = except};
    base_table_init(&n->rows, BASE_BYTES, sizeof(struct store_row), "rows of a validation");
    return store_each(store, note, n, st);
}

static void newest_release(struct newest *n)
{
    uint32_t at = 0;
    for (struct store_row *r; (r = base_table_next(&n->rows, &at));)
        store_row_release(r);
    base_table_release(&n->rows);
}

static struct store_row *newest_find(struct newest *n, const struct study *s, const struct study_point *p)
{
    char *parameters = study_point_json(s, p);
    struct store_row *row = base_table_find_bytes(&n->rows, parameters, strlen(parameters));
    free(parameters);
    return row;
}

/* --- what has been run ------------------------------------------------------------------------------ */

/* Whatever was measured for these points. */
static void take_measured(struct sweep *x, struct newest *n)
{
    for (uint32_t k = 0; k < x->study->points; k++) {
        const struct store_row *r = newest_find(n, x->study, &x->study->point[k]);
        if (r)
            x->task[k].row = store_row_copy(r);
    }
}

static int look(struct validate *v, struct validate_side *side, struct newest *n, struct base_status *st)
{
    side->sweep.store = v->main.store;
    if (!side->real || !v->q->simulate_only)
        return sweep_look(&side->sweep, st);
    take_measured(&side->sweep, n);
    return 0;
}

int validate_rows_look(struct validate *v, struct base_status *st)
{
    struct newest n = {0};
    bool is_there = !access(v->main.database, F_OK);
    if (v->q->simulate_only && !is_there)
        return base_fail(st, "%.200s: there are no measurements yet", v->main.database);
    if (v->q->dry_run && !is_there)
        return 0;
    if (store_open(&v->main.store, v->main.database, v->q->dry_run, st))
        return -1;
    int rc = v->q->simulate_only ? newest_read(&n, v->main.store, NULL, st) : 0;
    for (size_t k = 0; rc == 0 && k < v->pairs; k++)
        rc = look(v, &v->pair[k].real, &n, st) || look(v, &v->pair[k].simulated, &n, st) ? -1 : 0;
    if (v->q->simulate_only)
        newest_release(&n);
    return rc;
}

/* --- the view --------------------------------------------------------------------------------------- */

struct columns {
    const char **at;
    size_t n, cap;
};

static void add_column(struct columns *c, const char *name)
{
    for (size_t k = 0; k < c->n; k++)
        if (!strcmp(c->at[k], name))
            return;
    BASE_ARRAY_PUSH(c, name);
}

int validate_rows_number(struct validate *v, struct base_status *st)
{
    static const char *const kept[] = {"seconds", "void", "at",     "machine",
                                       "kernel",  "mpi",  "pgasim", "platform_content"};
    BASE_ARRAY(uint64_t) key = {0};
    struct columns columns = {0};
    for (size_t k = 0; k < 2 * v->pairs; k++) {
        const struct validate_pair *p = &v->pair[k / 2];
        const struct sweep *x = k % 2 ? &p->simulated.sweep : &p->real.sweep;
        for (uint32_t i = 0; i < x->study->names; i++)
            add_column(&columns, x->study->name[i]);
        for (uint32_t i = 0; i < x->study->points; i++)
            BASE_ARRAY_PUSH(&key, x->task[i].row.status ? x->task[i].row.key : x->task[i].key);
    }
    uint32_t parameters = (uint32_t)columns.n;
    for (size_t k = 0; k < BASE_LENGTH(kept); k++)
        add_column(&columns, kept[k]);
    const struct store_plan plan = {key.at, (uint32_t)key.n, columns.at, parameters, (uint32_t)columns.n};
    int rc = store_plan(v->main.store, &plan, st);
    free(key.at);
    free(columns.at);
    return rc;
}

/* --- an earlier database ---------------------------------------------------------------------------- */

/* The number kept as seconds; NAN: there is none. */
static double seconds_of(const struct store_row *r)
{
    static const char seconds[] = "\"seconds\":";
    const char *found = r && store_row_ok(r) ? strstr(r->kept, seconds) : NULL;
    char *end;
    if (!found)
        return NAN;
    double x = strtod(found + sizeof seconds - 1, &end);
    return end == found + sizeof seconds - 1 ? NAN : x;
}

static void compare(struct validate *v, struct validate_case *c, struct newest *n)
{
    const struct sweep *x = &c->pair->simulated.sweep;
    const uint32_t each = c->pair->simulated.each;
    struct validate_sample s = {0};
    double *value = base_alloc(each * sizeof *value, "earlier predictions");
    uint32_t count = 0;
    for (uint32_t k = 0; k < each; k++) {
        double seconds = seconds_of(newest_find(n, x->study, &x->study->point[c->number * each + k]));
        if (!isnan(seconds))
            value[count++] = seconds * validate_scale(c->pair->subject, false);
    }
    validate_sample_of(value, count, false, &s);
    if (count && c->compared) {
        c->earlier = (s.median - c->measured.median) / c->measured.median;
        double more = fabs(c->error) - fabs(c->earlier);
        v->earlier++;
        v->worse += more > VALIDATE_CHANGE;
        v->better += more < -VALIDATE_CHANGE;
    }
    validate_sample_release(&s);
}

/* In our own database present predictions are not earlier ones. */
static void present_keys(const struct validate *v, struct base_table *keys)
{
    base_table_init(keys, BASE_NUMBERS, sizeof(uint64_t), "keys");
    for (size_t k = 0; k < v->pairs; k++) {
        const struct sweep *x = &v->pair[k].simulated.sweep;
        for (uint32_t i = 0; i < x->study->points; i++)
            (void)base_table_add(keys, x->task[i].key, NULL);
    }
}

int validate_rows_against(struct validate *v, struct base_status *st)
{
    struct store *store;
    struct newest n;
    struct base_table keys;
    char *path = realpath(v->q->against, NULL);
    if (!path)
        return base_fail(st, "--against %.200s: %s", v->q->against, strerror(errno));
    bool ours = !strcmp(path, v->main.database);
    int rc = store_open(&store, path, true, st);
    free(path);
    if (rc)
        return -1;
    present_keys(v, &keys);
    rc = newest_read(&n, store, ours ? &keys : NULL, st);
    for (size_t k = 0; rc == 0 && k < v->cases; k++)
        if (v->at[k].wanted)
            compare(v, &v->at[k], &n);
    newest_release(&n);
    base_table_release(&keys);
    store_close(store);
    return rc;
}
