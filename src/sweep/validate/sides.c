/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sides: makes studies of a validation: for each program and platform one of the real runs, a command, and one of the
 * simulated runs. What they run is in commands.c.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/validate/parts.h"

/* --- points ----------------------------------------------------------------------------------------- */

static void name_points(struct study *s, const struct study *of, const char *last)
{
    static const char *const first[] = {"side", "program"};
    for (size_t k = 0; k < BASE_LENGTH(first); k++)
        s->name[s->names++] = base_strdup(first[k]);
    for (uint32_t k = 0; k < of->names; k++)
        s->name[s->names++] = base_strdup(of->name[k]);
    if (last)
        s->name[s->names++] = base_strdup(last);
}

static void make_point(struct study *s, const struct validate_pair *p, const struct study_point *of,
                       bool real, uint32_t k)
{
    const struct study *from = p->subject->study;
    struct study_point *out = &s->point[s->points++];
    *out = (struct study_point){base_zalloc(s->names * sizeof *out->value, "a point"), s->points};
    out->value[0] = study_value_of(real ? "real" : "simulated", true);
    out->value[1] = study_value_of(p->subject->name, true);
    for (uint32_t i = 0; i < from->names; i++)
        out->value[2 + i] = study_value_copy(&of->value[i]);
    if (s->names > from->names + 2)
        out->value[2 + from->names] = study_value_number(k + 1);
}

/* Cases of a pair are the points of its program on its platform, in their order. */
static bool is_of(const struct validate_pair *p, const struct study_point *point)
{
    return !strcmp(point->value[0].text, p->platform->name);
}

static void make_points(struct study *s, struct validate_pair *p, const struct validate_side *side,
                        const char *last)
{
    const struct study *of = p->subject->study;
    p->cases = 0;
    for (uint32_t k = 0; k < of->points; k++)
        p->cases += is_of(p, &of->point[k]);
    name_points(s, of, last);
    s->point = base_zalloc(((size_t)p->cases * side->each + 1) * sizeof *s->point, "points");
    for (uint32_t k = 0; k < of->points; k++)
        for (uint32_t i = 0; i < side->each && is_of(p, &of->point[k]); i++)
            make_point(s, p, &of->point[k], side->real, i);
}

/* --- sides ------------------------------------------------------------------------------------------ */

/* "prog" in the file's folder is "./prog" for launchers. */
static char *as_command(const struct validate *v, const char *name)
{
    char *path = sweep_path(&v->main, name);
    bool is_there = !strchr(name, '/') && !access(path, F_OK);
    free(path);
    return base_strfmt("%s%s", is_there ? "./" : "", name);
}

/* Programs are built if they will be run. */
static int find_program(struct validate *v, const struct validate_pair *p, struct validate_side *side,
                        struct base_status *st)
{
    const struct study_subject *s = p->subject;
    side->present = true;
    if (!s->source.at)
        side->program =
            side->real ? as_command(v, s->real.at) : base_strdup(s->trace.at ? s->trace.at : s->simulated.at);
    else if (side->real && v->q->simulate_only)
        side->program = base_strdup("none");
    else
        side->program = validate_build(v, s, side->real, p->wanted && !v->q->dry_run, &side->present, st);
    return side->program ? 0 : -1;
}

/* A program that is not there gives no keys: nothing of it has been run, nor will be. */
static int number_tasks(struct validate *v, struct validate_side *side, struct base_status *st)
{
    struct sweep *x = &side->sweep;
    x->task = base_zalloc((x->study->points + 1) * sizeof *x->task, "points of a validation");
    for (uint32_t k = 0; k < x->study->points; k++)
        if (!side->present || (side->real && v->q->simulate_only))
            x->task[k] = (struct sweep_task){.point = &x->study->point[k], .state = SWEEP_LEFT, .ranks = 1};
        else if (sweep_task_of(x, &x->study->point[k], &x->task[k], st))
            return -1;
    return 0;
}

/* The side's study with its points; what they run comes later, when it is known which of them are wanted. */
static void begin_side(const struct validate *v, struct validate_pair *p, bool real)
{
    struct validate_side *side = real ? &p->real : &p->simulated;
    struct sweep *x = &side->sweep;
    *side = (struct validate_side){.real = real};
    *x = (struct sweep){.q = &v->request, .lock = -1, .jobs = 1, .retry_failed = v->q->retry_failed};
    base_table_init(&x->rows, BASE_NUMBERS, sizeof(struct store_row), "rows of a validation");
    side->each = real ? v->file->most : v->file->seeds ? v->file->seeds : 1;
    x->study = base_zalloc(sizeof *x->study, "a study");
    x->study->path = base_strdup(v->file->path);
    x->study->folder = base_strdup(v->file->folder);
    x->study->timeout = p->subject->study->timeout;
    x->folder = base_strdup(v->main.folder);
    x->database = base_strdup(v->main.database);
    x->files = base_strdup(v->main.files);
    x->work = base_strfmt("%s/%s%zu", v->main.work, real ? "real" : "simulated", (size_t)(p - v->pair));
    make_points(x->study, p, side, real ? "repetition" : v->file->seeds ? "seed" : NULL);
}

static int make_side(struct validate *v, const struct validate_pair *p, struct validate_side *side,
                     struct base_status *st)
{
    const struct study_platform *at = p->platform;
    struct sweep *x = &side->sweep;
    struct base_status ignored;
    uint64_t content;
    if (find_program(v, p, side, st))
        return -1;
    const struct validate_files f = {side->program, side->real && at->real.at ? at->real.at : at->file.at};
    if (side->real) {
        validate_real_study(v, p, &f, x->study);
    } else {
        validate_simulated_study(v, p, &f, x->study);
    }
    char *path = sweep_path(x, f.platform);
    if (!sweep_content(&v->main, path, &content, &ignored))
        side->content = base_strfmt("%016lx", (unsigned long)content);
    free(path);
    return number_tasks(v, side, st);
}

static void end_side(struct validate_side *side)
{
    side->sweep.store = NULL; /* it is the validation's */
    sweep_close(&side->sweep);
    free(side->program);
    free(side->content);
}

void validate_sides_release(struct validate *v)
{
    for (size_t k = 0; k < v->pairs; k++) {
        end_side(&v->pair[k].real);
        end_side(&v->pair[k].simulated);
    }
    for (size_t k = 0; k < v->cases; k++) {
        validate_sample_release(&v->at[k].measured);
        validate_sample_release(&v->at[k].predicted);
    }
    free(v->pair);
    free(v->at);
}

int validate_sides_make(struct validate *v, struct base_status *st)
{
    const struct study_validation *f = v->file;
    v->pair = base_zalloc(f->subjects * f->platforms * sizeof *v->pair, "sides of a validation");
    for (size_t k = 0; k < f->subjects * f->platforms; k++) {
        struct validate_pair *p = &v->pair[v->pairs++];
        p->subject = &f->subject[k / f->platforms];
        p->platform = &f->platform[k % f->platforms];
        begin_side(v, p, true);
        begin_side(v, p, false);
    }
    if (validate_cases_make(v, st))
        return -1;
    for (size_t k = 0; k < v->pairs; k++)
        if (make_side(v, &v->pair[k], &v->pair[k].real, st) ||
            make_side(v, &v->pair[k], &v->pair[k].simulated, st))
            return -1;
    return 0;
}
