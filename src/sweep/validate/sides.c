/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sides: makes studies of a validation: for each program and platform one of the real runs, a command, and one of the
 * simulated runs. In their texts ${program} and ${platform} are files, all else is as in other studies.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "sweep/validate/parts.h"

/* --- texts ------------------------------------------------------------------------------------------ */

/* What stands for a file in the words of one side. */
struct files {
    const char *program, *platform;
};

static void add_escaped(struct base_text *t, const char *text)
{
    for (; *text; text++) {
        if (*text == '$')
            base_text_char(t, '$');
        base_text_char(t, *text);
    }
}

static char *with_files(const char *text, const struct files *f)
{
    static const char program[] = "${program}", platform[] = "${platform}";
    struct base_text t;
    base_text_init(&t, "a word of a command");
    while (*text) {
        if (!strncmp(text, program, sizeof program - 1)) {
            add_escaped(&t, f->program);
            text += sizeof program - 1;
        } else if (!strncmp(text, platform, sizeof platform - 1)) {
            add_escaped(&t, f->platform);
            text += sizeof platform - 1;
        } else {
            base_text_char(&t, *text++);
        }
    }
    return base_text_take(&t);
}

static void push(struct study_texts *out, char *text, uint32_t line)
{
    struct study_text t = {text, line};
    BASE_ARRAY_PUSH(out, t);
}

static void push_all(struct study_texts *out, const struct study_texts *in, const struct files *f)
{
    for (size_t k = 0; k < in->n; k++)
        push(out, with_files(in->at[k].at, f), in->at[k].line);
}

static void push_settings(struct study_pairs *out, const struct study_pairs *in, const struct files *f)
{
    for (size_t k = 0; k < in->n; k++) {
        struct study_pair p = {base_strdup(in->at[k].key),
                               {with_files(in->at[k].text.at, f), in->at[k].text.line}};
        BASE_ARRAY_PUSH(out, p);
    }
}

/* "prog" in the file's folder is "./prog" for launchers. */
static char *as_command(const struct validate *v, const char *name)
{
    char *path = sweep_path(&v->main, name);
    bool is_there = !strchr(name, '/') && !access(path, F_OK);
    free(path);
    return base_strfmt("%s%s", is_there ? "./" : "", name);
}

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

/* --- what is run and kept --------------------------------------------------------------------------- */

static void keep(struct study *s, const char *name, enum study_source source, const struct study_text *what)
{
    if (s->keeps == s->keeps_cap)
        s->keep = base_array_grow(s->keep, &s->keeps_cap, s->keeps + 1, sizeof *s->keep, "what is kept");
    s->keep[s->keeps++] = (struct study_keep){base_strdup(name), source, {base_strdup(what->at), what->line}};
}

static void real_command(const struct validate *v, const struct validate_pair *p, const struct files *f,
                         struct study *s)
{
    static const char arguments[] = "${arguments}";
    const struct study_pairs *sets[] = {&v->file->environment, &p->subject->environment};
    bool placed = false;
    s->command = STUDY_OTHER;
    if (sets[0]->n || sets[1]->n)
        push(&s->words, base_strdup("env"), p->subject->line);
    for (size_t i = 0; i < BASE_LENGTH(sets); i++)
        for (size_t k = 0; k < sets[i]->n; k++)
            push(&s->words, base_strfmt("%s=%s", sets[i]->at[k].key, sets[i]->at[k].text.at),
                 sets[i]->at[k].text.line);
    for (size_t k = 0; k < p->platform->run.n; k++) {
        const struct study_text *t = &p->platform->run.at[k];
        bool here = !strcmp(t->at, arguments);
        if (here)
            push_all(&s->words, &p->subject->study->words, f);
        else
            push(&s->words, with_files(t->at, f), t->line);
        placed |= here;
    }
    if (!placed)
        push_all(&s->words, &p->subject->study->words, f);
    keep(s, "void", STUDY_FOUND, &p->platform->useless);
    if (!p->subject->measured.whole)
        keep(s, "seconds", p->subject->measured.keep.source, &p->subject->measured.keep.what);
}

/* A changed program or network measures again. */
static void real_inputs(const struct validate_pair *p, const struct files *f, struct study *s)
{
    bool names_platform = false;
    push_all(&s->inputs, &p->subject->study->inputs, f);
    push_all(&s->inputs, &p->platform->inputs, f);
    for (size_t k = 0; k < p->platform->run.n; k++)
        names_platform |= strstr(p->platform->run.at[k].at, "${platform}") != NULL;
    if (names_platform) {
        struct base_text t;
        base_text_init(&t, "a file");
        add_escaped(&t, f->platform);
        push(&s->inputs, base_text_take(&t), p->platform->line);
    }
    if (strchr(f->program, '/')) { /* else it is in PATH */
        struct base_text t;
        base_text_init(&t, "a file");
        add_escaped(&t, f->program);
        push(&s->inputs, base_text_take(&t), p->subject->line);
    }
}

static void simulated_command(const struct validate *v, const struct validate_pair *p, const struct files *f,
                              struct study *s)
{
    const struct study_pairs *sets[] = {&v->file->environment, &p->subject->environment};
    const struct study_subject *of = p->subject;
    s->command = of->trace.at ? STUDY_REPLAY : STUDY_RUN;
    push(&s->words, with_files("${program}", f), of->line);
    if (s->command == STUDY_RUN) {
        push_all(&s->words, &of->study->words, f);
        s->ranks = (struct study_text){base_strdup("${ranks}"), of->line};
    }
    for (size_t i = 0; s->command == STUDY_RUN && i < BASE_LENGTH(sets); i++)
        for (size_t k = 0; k < sets[i]->n; k++) {
            push(&s->options, base_strdup("-x"), of->line);
            push(&s->options, base_strfmt("%s=%s", sets[i]->at[k].key, sets[i]->at[k].text.at),
                 sets[i]->at[k].text.line);
        }
    push_all(&s->options, &v->file->options, f);
    push_all(&s->options, &p->platform->options, f);
    push_all(&s->options, &of->study->options, f);
    push_settings(&s->settings, &v->file->settings, f);
    push_settings(&s->settings, &p->platform->settings, f);
    push_settings(&s->settings, &of->study->settings, f);
    if (v->file->seeds) {
        struct study_pair seed = {base_strdup("noise/seed"), {base_strdup("${seed}"), of->line}};
        BASE_ARRAY_PUSH(&s->settings, seed);
    }
    struct base_text t;
    base_text_init(&t, "a platform");
    add_escaped(&t, f->platform);
    s->platform = (struct study_text){base_text_take(&t), p->platform->line};
    push_all(&s->inputs, &of->study->inputs, f);
    const struct study_text whole = {(char[]){"simulated_seconds"}, of->line};
    keep(s, "seconds", of->predicted.whole ? STUDY_JSON : of->predicted.keep.source,
         of->predicted.whole ? &whole : &of->predicted.keep.what);
}

/* --- sides ------------------------------------------------------------------------------------------ */

static char *program_of(struct validate *v, const struct validate_pair *p, bool real, struct base_status *st)
{
    const struct study_subject *s = p->subject;
    if (s->source.at)
        return real && v->q->simulate_only ? base_strdup("none") : validate_build(v, s, real, st);
    return real ? as_command(v, s->real.at) : base_strdup(s->trace.at ? s->trace.at : s->simulated.at);
}

static int number_tasks(struct validate *v, struct validate_side *side, struct base_status *st)
{
    struct sweep *x = &side->sweep;
    x->task = base_zalloc((x->study->points + 1) * sizeof *x->task, "points of a validation");
    for (uint32_t k = 0; k < x->study->points; k++)
        if (side->real && v->q->simulate_only)
            x->task[k] = (struct sweep_task){.point = &x->study->point[k], .state = SWEEP_LEFT, .ranks = 1};
        else if (sweep_task_of(x, &x->study->point[k], &x->task[k], st))
            return -1;
    return 0;
}

static int make_side(struct validate *v, struct validate_pair *p, struct validate_side *side, bool real,
                     struct base_status *st)
{
    const struct study_platform *at = p->platform;
    const struct files files = {NULL, real && at->real.at ? at->real.at : at->file.at};
    struct sweep *x = &side->sweep;
    struct base_status ignored;
    uint64_t content;
    side->real = real;
    side->each = real ? v->file->most : v->file->seeds ? v->file->seeds : 1;
    side->program = program_of(v, p, real, st);
    if (!side->program)
        return -1;
    const struct files f = {side->program, files.platform};
    struct study *s = x->study = base_zalloc(sizeof *s, "a study");
    s->path = base_strdup(v->file->path);
    s->folder = base_strdup(v->file->folder);
    s->timeout = p->subject->study->timeout;
    x->folder = base_strdup(v->main.folder);
    x->database = base_strdup(v->main.database);
    x->files = base_strdup(v->main.files);
    x->work = base_strfmt("%s/%s%zu", v->main.work, real ? "real" : "simulated", (size_t)(p - v->pair));
    make_points(s, p, side, real ? "repetition" : v->file->seeds ? "seed" : NULL);
    if (real) {
        real_command(v, p, &f, s);
        real_inputs(p, &f, s);
    } else {
        simulated_command(v, p, &f, s);
    }
    char *path = sweep_path(x, f.platform);
    if (!sweep_content(&v->main, path, &content, &ignored))
        side->content = base_strfmt("%016lx", (unsigned long)content);
    free(path);
    return number_tasks(v, side, st);
}

static void begin_side(const struct validate *v, struct validate_side *side)
{
    side->sweep = (struct sweep){.q = &v->request, .lock = -1, .jobs = 1, .retry_failed = v->q->retry_failed};
    base_table_init(&side->sweep.rows, BASE_NUMBERS, sizeof(struct store_row), "rows of a validation");
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
        begin_side(v, &p->real);
        begin_side(v, &p->simulated);
        if (make_side(v, p, &p->real, true, st) || make_side(v, p, &p->simulated, false, st))
            return -1;
    }
    return validate_cases_make(v, st);
}
