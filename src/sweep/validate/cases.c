/* SPDX-License-Identifier: BSD-3-Clause */
/* cases: which there are, which of them are wanted, and what they are called. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sweep/validate/parts.h"

/* Parameters of other programs are absent here. */
struct others {
    const struct validate *v;
    const struct study *own;
    struct study_value empty;
    bool *met;
};

static bool has_name(const struct study *s, const char *name)
{
    for (uint32_t k = 0; k < s->names; k++)
        if (!strcmp(s->name[k], name))
            return true;
    return false;
}

static const struct study_value *find_other(const void *arg, const char *name)
{
    const struct others *o = arg;
    if (has_name(o->own, name))
        return NULL;
    for (size_t k = 0; k < o->v->file->subjects; k++)
        if (has_name(o->v->file->subject[k].study, name)) {
            *o->met = true;
            return &o->empty;
        }
    return NULL;
}

/* A condition that calculates with what this program does not have does not hold. */
static int is_wanted(const struct validate *v, struct validate_case *c, struct base_status *st)
{
    bool met = false;
    const struct study *s = c->pair->simulated.sweep.study;
    const uint32_t each = c->pair->simulated.each;
    const struct others others = {v, s, {.text = (char[]){""}, .absent = true}, &met};
    const struct study_point_scope inner = {s, &s->point[(size_t)c->number * each], {find_other, &others}};
    const struct study_scope scope = study_scope_of(&inner);
    struct base_status why;
    c->wanted = true;
    if (!v->q->only || !study_holds(v->q->only, &scope, &c->wanted, &why))
        return 0;
    c->wanted = false;
    return met ? 0 : base_fail(st, "--only: %s", why.text);
}

int validate_cases_make(struct validate *v, struct base_status *st)
{
    for (size_t k = 0; k < v->pairs; k++)
        v->cases += v->pair[k].cases;
    v->at = base_zalloc((v->cases + 1) * sizeof *v->at, "cases of a validation");
    struct validate_case *c = v->at;
    bool any = !v->q->only;
    for (size_t k = 0; k < v->pairs; k++)
        for (uint32_t i = 0; i < v->pair[k].cases; i++, c++) {
            *c = (struct validate_case){.pair = &v->pair[k], .number = i, .earlier = NAN};
            if (is_wanted(v, c, st))
                return -1;
            any |= c->wanted;
            v->pair[k].wanted |= c->wanted;
        }
    return any ? 0 : base_fail(st, "--only '%.60s' holds for none of %zu cases", v->q->only, v->cases);
}

/* --- what cases are called -------------------------------------------------------------------------- */

const char *validate_value(const struct validate_case *c, const char *name)
{
    const struct study *s = c->pair->simulated.sweep.study;
    const struct study_point *p = &s->point[(size_t)c->number * c->pair->simulated.each];
    for (uint32_t k = 0; k < s->names; k++)
        if (!strcmp(s->name[k], name))
            return p->value[k].text;
    return "";
}

char *validate_size(const struct validate_case *c)
{
    const struct study *s = c->pair->subject->study;
    struct base_text t;
    base_text_init(&t, "a size");
    for (uint32_t k = 1; k < s->names; k++)
        if (strcmp(s->name[k], "ranks") != 0)
            base_text_format(&t, "%s%s=%s", t.n ? " " : "", s->name[k], validate_value(c, s->name[k]));
    return base_text_take(&t);
}
