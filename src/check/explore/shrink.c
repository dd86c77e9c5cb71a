/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shrink: tries parts of a failing run's decisions, and finds the least that still gives the same kind of outcome.
 * Each trial is exact: the seed decides what a decision does, and those that are not allowed are not taken.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/explore/parts.h"

/* --- trials ---------------------------------------------------------------------------------------------- */

char *explore_allow(struct explore *x, const struct explore_lines *decisions, const bool *set)
{
    char *path = explore_path(x, x->lists++, "allow");
    FILE *f = fopen(path, "we");
    for (size_t k = 0; f && k < decisions->line.n; k++)
        if (!set || set[k])
            fprintf(f, "%s\n", decisions->line.at[k]);
    if (!f || fclose(f))
        base_fatal(BASE_EXIT_HOST, "%s: %s", path, strerror(errno));
    return path;
}

struct trials {
    const struct explore_trial *of;
    size_t taken, found;
};

static bool take(void *arg, struct explore_run *r)
{
    struct trials *t = arg;
    struct explore_result got = explore_read(t->of->x, r);
    struct explore_outcome o = explore_outcome_of(&got, &t->of->x->plain);
    bool same = !strcmp(o.key, t->of->key);
    if (same)
        t->found = t->taken;
    t->taken++;
    explore_outcome_release(&o);
    explore_result_release(&got);
    return !same;
}

size_t explore_try(void *arg, const bool *candidates, size_t n, size_t count)
{
    const struct explore_trial *trial = arg;
    struct explore *x = trial->x;
    struct trials t = {.of = trial, .found = count};
    struct explore_run *runs = base_zalloc(count * sizeof *runs, "trials");
    char **allow = base_zalloc(count * sizeof *allow, "trials");
    for (size_t k = 0; k < count; k++) {
        allow[k] = explore_allow(x, trial->decisions, candidates + k * n);
        runs[k] = (struct explore_run){.way = EXPLORE_NASTY,
                                       .seed = trial->seed,
                                       .allow = allow[k],
                                       .limit = x->limit,
                                       .scripted = x->request->systematic};
    }
    explore_batch(x, runs, count, take, &t);
    for (size_t k = 0; k < count; k++) {
        unlink(allow[k]);
        free(allow[k]);
    }
    free(allow);
    free(runs);
    return t.found;
}

/* --- one row ------------------------------------------------------------------------------------------- */

/* Leaves the least set in `kept`. false: it cannot be repeated, or the time is over. */
static bool least(struct explore_trial *t, struct explore_row *row, bool *kept)
{
    size_t n = t->decisions->line.n;
    bool *two = base_zalloc(2 * n + 1, "decisions"); /* none, and all */
    memset(two + n, true, n);
    size_t found = explore_try(t, two, n, 2);
    free(two);
    memset(kept, found == 1, n);
    row->anyway = found == 0;
    if (found == 1)
        explore_ddmin(kept, n, explore_try, t);
    return found < 2 && !explore_over(t->x);
}

static char *file_name(const struct explore_request *q, size_t number)
{
    const char *slash = strrchr(q->name, '/');
    char *name = q->output ? base_strdup(q->output) : base_strfmt("%s.check", slash ? slash + 1 : q->name);
    const char *dot = strrchr(name, '.'), *folder = strrchr(name, '/');
    if (number == 0)
        return name;
    if (!dot || dot == name || (folder && dot < folder + 2))
        dot = name + strlen(name);
    char *numbered = base_strfmt("%.*s-%zu%s", (int)(dot - name), name, number + 1, dot);
    free(name);
    return numbered;
}

static struct explore_lines copy_of(const char *const *words)
{
    struct explore_lines l = {{0}};
    for (; *words; words++)
        BASE_ARRAY_PUSH(&l.line, base_strdup(*words));
    return l;
}

static void write_file(const struct explore *x, const struct explore_seed *s, struct explore_row *row,
                       char *name)
{
    struct base_output o;
    struct base_status st;
    const struct explore_command *c = &x->request->command;
    struct explore_replay r = {.options = copy_of(c->options),
                               .program = copy_of(c->program),
                               .decisions = row->least,
                               .outcome = s->outcome.text,
                               .key = s->outcome.key,
                               .scripted = x->request->systematic,
                               .seed = s->seed};
    int failed = base_output_open(&o, name, &st);
    if (!failed) {
        explore_replay_write(&r, o.out);
        failed = base_output_commit(&o, &st);
    }
    if (failed)
        base_error("%s", st.text);
    row->file = failed ? NULL : base_strdup(name);
    explore_lines_release(&r.options);
    explore_lines_release(&r.program);
}

/* --- the pair of traces ---------------------------------------------------------------------------------- */

/* The run that fails, and the one without its last decision, which does not. */
static void trace_pair(struct explore *x, const struct explore_seed *s, struct explore_row *row)
{
    static const char *const names[] = {"fails", "passes"};
    size_t n = row->least.line.n;
    bool *set = base_alloc(n + 1, "decisions");
    memset(set, true, n);
    for (int k = 0; k < 2; k++) {
        char *path = base_strfmt("%s-%s.pgt", x->request->pair, names[k]);
        if (k && n)
            set[n - 1] = false;
        char *allow = explore_allow(x, &row->least, set);
        struct explore_run r = {.way = EXPLORE_NASTY,
                                .seed = s->seed,
                                .allow = allow,
                                .trace = path,
                                .limit = x->limit,
                                .scripted = x->request->systematic};
        explore_one(x, &r);
        explore_run_forget(x, &r);
        unlink(allow);
        free(allow);
        free(path);
    }
    free(set);
    x->paired = true;
}

/* --- all of them ----------------------------------------------------------------------------------------- */

static void shrink(struct explore *x, struct explore_findings *f, struct explore_row *row, size_t number)
{
    const struct explore_seed *s = &f->seeds.at[row->first];
    size_t n = s->decisions.line.n;
    struct explore_trial t = {x, s->seed, s->outcome.key, &s->decisions};
    bool *kept = base_zalloc(n + 1, "decisions");
    row->shrunk = least(&t, row, kept);
    for (size_t k = 0; k < n; k++)
        if (kept[k])
            BASE_ARRAY_PUSH(&row->least.line, base_strdup(s->decisions.line.at[k]));
    free(kept);
    if (x->interrupt || (!row->shrunk && !row->least.line.n))
        return;
    char *name = file_name(x->request, number);
    write_file(x, s, row, name);
    free(name);
    if (x->request->pair && !x->paired)
        trace_pair(x, s, row);
}

void explore_shrink(struct explore *x, struct explore_findings *f)
{
    size_t number = 0;
    for (size_t k = 0; k < f->rows.n && !explore_over(x); k++) {
        enum explore_end end = f->seeds.at[f->rows.at[k].first].outcome.end;
        if (end == EXPLORE_FAILED || end == EXPLORE_OTHER ||
            end == EXPLORE_MEMORY) /* the list of one that did not end is not whole */
            shrink(x, f, &f->rows.at[k], number++);
    }
}
