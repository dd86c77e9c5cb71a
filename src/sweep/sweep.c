/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep: a study, what its database holds of it, and what is to be run. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/internal.h"

/* --- opening ---------------------------------------------------------------------------------------- */

/* Without links, as runs may be in other folders; the file itself may not be there yet. */
static char *absolute(const char *path, struct base_status *st)
{
    char *copy = base_strdup(path), *name = base_strdup(path), *folder = realpath(dirname(copy), NULL);
    char *out = folder ? base_strfmt("%s/%s", folder, basename(name)) : NULL;
    if (!out)
        (void)base_fail(st, "%.200s: %s", path, strerror(errno));
    free(folder);
    free(name);
    free(copy);
    return out;
}

/* "study.yaml" -> "study.db", in the same folder. */
static char *named_after(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t n = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);
    return base_strfmt("%.*s.db", (int)n, path);
}

char *sweep_database_path(const struct sweep *x, const char *said, const char *file, struct base_status *st)
{
    char *path = x->q->database ? base_strdup(x->q->database)
                 : said         ? sweep_path(x, said)
                                : named_after(file);
    char *out = absolute(path, st);
    free(path);
    return out;
}

static int open_database(struct sweep *x, enum sweep_database how, struct base_status *st)
{
    const struct sweep_request *q = x->q;
    if (q->share)
        return sweep_share_open(x, st);
    x->database = sweep_database_path(x, x->study->database, x->study->path, st);
    if (!x->database)
        return -1;
    x->work = base_strfmt("%s.work", x->database);
    x->files = base_strfmt("%s.files", x->database);
    bool is_there = !access(x->database, F_OK);
    if (!is_there && how == SWEEP_DATABASE_IF_THERE)
        return 0;
    if (!is_there && how == SWEEP_DATABASE_NEEDED)
        return base_fail(st, "%.200s: there are no results yet", x->database);
    return store_open(&x->store, x->database, how != SWEEP_DATABASE_MADE, st);
}

/* A row whose key is not among the points is of another version of the study, or of the program. */
static void note_row(void *arg, struct store_row *r)
{
    struct sweep *x = arg;
    bool fresh;
    struct store_row *known = base_table_add(&x->rows, r->key, &fresh);
    if (fresh || !known->status) {
        *known = *r;
        *r = (struct store_row){0};
    }
}

static int find_tasks(struct sweep *x, struct base_status *st)
{
    x->task = base_zalloc(x->study->points * sizeof *x->task, "points of a sweep");
    for (uint32_t k = 0; k < x->study->points; k++)
        if (sweep_task_of(x, &x->study->point[k], &x->task[k], st))
            return -1;
    return 0;
}

/* The point's number, for conditions of the command line. */
static const struct study_value *find_number(const void *arg, const char *name)
{
    return strcmp(name, "point") ? NULL : arg;
}

/* Whether the user has asked for this point. */
static int is_wanted(const struct sweep *x, const struct study_point *p, bool *out, struct base_status *st)
{
    *out = true;
    if (!x->q->only)
        return 0;
    struct study_value number = study_value_number(p->number);
    const struct study_point_scope inner = {x->study, p, {find_number, &number}};
    const struct study_scope scope = study_scope_of(&inner);
    struct base_status why;
    int rc = study_holds(x->q->only, &scope, out, &why);
    if (rc)
        (void)base_fail(st, "--only: %s", why.text);
    study_value_release(&number);
    return rc;
}

int sweep_look(struct sweep *x, struct base_status *st)
{
    bool any = !x->q->only;
    x->pending = x->failed = 0;
    if (x->store && store_each(x->store, note_row, x, st))
        return -1;
    for (uint32_t k = 0; k < x->study->points; k++) {
        struct sweep_task *t = &x->task[k];
        struct store_row *known = base_table_find(&x->rows, t->key);
        bool wanted;
        if (is_wanted(x, t->point, &wanted, st))
            return -1;
        any |= wanted;
        if (known && known->status) {
            store_row_release(&t->row);
            t->row = *known;
            *known = (struct store_row){0};
        }
        bool again = t->row.status && x->retry_failed && !store_row_ok(&t->row);
        t->state = t->row.status && !(again && wanted) ? SWEEP_DONE : wanted ? SWEEP_PENDING : SWEEP_LEFT;
        x->pending += t->state == SWEEP_PENDING;
        x->failed += t->state == SWEEP_DONE && !store_row_ok(&t->row);
    }
    return any ? 0
               : base_fail(st, "--only '%.60s' holds for none of %u points", x->q->only, x->study->points);
}

int sweep_open(struct sweep *x, const struct sweep_request *q, enum sweep_database how,
               struct base_status *st)
{
    *x = (struct sweep){
        .q = q, .lock = -1, .jobs = q->jobs, .memory = q->memory, .retry_failed = q->retry_failed};
    base_table_init(&x->rows, BASE_NUMBERS, sizeof(struct store_row), "rows of a sweep");
    if (study_read(&x->study, q->study, st))
        return -1;
    x->folder = realpath(x->study->folder, NULL);
    if (!x->folder)
        return base_fail(st, "%.200s: %s", x->study->folder, strerror(errno));
    if (open_database(x, how, st) || find_tasks(x, st) || sweep_look(x, st))
        return -1;
    return q->share ? sweep_share_take(x, st) : 0;
}

static void release_rows(struct sweep *x)
{
    uint32_t at = 0;
    for (struct store_row *r; (r = base_table_next(&x->rows, &at));)
        store_row_release(r);
    base_table_release(&x->rows);
}

void sweep_close(struct sweep *x)
{
    sweep_work_close(x);
    release_rows(x);
    if (x->store)
        store_close(x->store);
    for (uint32_t k = 0; x->task && k < x->study->points; k++)
        store_row_release(&x->task[k].row);
    for (size_t k = 0; k < x->content.n; k++)
        free(x->content.at[k].path);
    free(x->content.at);
    free(x->task);
    if (x->study)
        study_destroy(x->study);
    char *const paths[] = {x->folder, x->database, x->work, x->files};
    for (size_t k = 0; k < BASE_LENGTH(paths); k++)
        free(paths[k]);
}

/* --- a sweep ---------------------------------------------------------------------------------------- */

int sweep_number_points(struct sweep *x, struct base_status *st)
{
    const struct study *s = x->study;
    const char **name = base_alloc((s->names + s->keeps + 1) * sizeof *name, "columns");
    uint64_t *key = base_alloc(s->points * sizeof *key, "keys");
    for (uint32_t k = 0; k < s->points; k++)
        key[k] = x->task[k].key;
    for (uint32_t k = 0; k < s->names; k++)
        name[k] = s->name[k];
    for (size_t k = 0; k < s->keeps; k++)
        name[s->names + k] = s->keep[k].name;
    const struct store_plan p = {key, s->points, name, s->names, s->names + (uint32_t)s->keeps};
    int rc = store_plan(x->store, &p, st);
    free(key);
    free(name);
    return rc;
}

static void tell_failed(const struct sweep *x)
{
    uint32_t shown = 0;
    for (uint32_t k = 0; k < x->study->points && shown < 3; k++) {
        const struct sweep_task *t = &x->task[k];
        if (t->state == SWEEP_DONE && !store_row_ok(&t->row)) {
            base_info("point %u, %s: %s%s%s", t->point->number, t->row.parameters, t->row.status,
                      t->row.reason ? ": " : "", t->row.reason ? t->row.reason : "");
            shown++;
        }
    }
    if (x->failed > shown)
        base_info("%u more have failed", x->failed - shown);
}

int sweep_conclude(const struct sweep *x)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < x->study->points; k++)
        left += x->task[k].state != SWEEP_DONE;
    if (x->interrupt)
        base_info("ended by SIG%s; %u of %u points are in %s: the same command goes on from there",
                  sigabbrev_np(x->interrupt), x->study->points - left, x->study->points, x->database);
    else if (!x->q->quiet) {
        base_info("%u points: %u ran now, %u were there before, %u are left; %u failed; %s", x->study->points,
                  x->ran, x->study->points - left - x->ran, left, x->failed, x->database);
        tell_failed(x);
    }
    return x->interrupt ? 128 + x->interrupt : x->failed ? BASE_EXIT_PROGRAM : BASE_EXIT_OK;
}

static int carry_out(struct sweep *x)
{
    struct base_status st;
    int status;
    if (sweep_work_open(x, &st) || (!x->q->share && sweep_number_points(x, &st))) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    base_signals_block(&x->signals);
    if (sweep_schedule(x, &st)) {
        base_error("%s", st.text);
        status = BASE_EXIT_HOST;
    } else {
        status = sweep_conclude(x);
    }
    base_signals_restore(&x->signals);
    return status;
}

int sweep_run(const struct sweep_request *q)
{
    struct sweep x;
    struct base_status st;
    int status = BASE_EXIT_INPUT;
    if (sweep_open(&x, q, SWEEP_DATABASE_MADE, &st))
        base_error("%s", st.text);
    else
        status = carry_out(&x);
    sweep_close(&x);
    return status;
}

/* --- lists ------------------------------------------------------------------------------------------ */

void sweep_show_command(const struct sweep *x, const struct sweep_task *t, FILE *out)
{
    struct base_status st;
    struct base_text line;
    char *folder = base_strfmt("%s/%u", x->work, t->point->number);
    char **words = sweep_words(x, t->point, folder, &st);
    base_text_init(&line, "a command");
    base_text_shell_words(&line, (const char *const *)words);
    base_text_char(&line, '\n');
    fprintf(out, "%u:", t->point->number);
    base_text_write(&line, out);
    base_text_release(&line);
    sweep_words_free(words);
    free(folder);
}

static void list_point(const struct sweep *x, const struct sweep_task *t, FILE *out)
{
    fprintf(out, "%u", t->point->number);
    for (uint32_t k = 0; k < x->study->names; k++)
        fprintf(out, "\t%s=%s", x->study->name[k], t->point->value[k].text);
    fprintf(out, "\t%s\n", t->row.status ? t->row.status : "");
}

int sweep_list(const struct sweep_request *q, bool commands, FILE *out)
{
    struct sweep x;
    struct base_status st;
    int status = BASE_EXIT_OK;
    bool wanted;
    if (sweep_open(&x, q, SWEEP_DATABASE_IF_THERE, &st)) {
        base_error("%s", st.text);
        status = BASE_EXIT_INPUT;
    }
    for (uint32_t k = 0; status == BASE_EXIT_OK && k < x.study->points; k++) {
        const struct sweep_task *t = &x.task[k];
        if (commands && t->state == SWEEP_PENDING)
            sweep_show_command(&x, t, out);
        else if (!commands && !is_wanted(&x, t->point, &wanted, &st) && wanted)
            list_point(&x, t, out);
    }
    sweep_close(&x);
    return status;
}
