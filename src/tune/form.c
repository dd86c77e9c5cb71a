/* SPDX-License-Identifier: BSD-3-Clause */
/* form: the forms in which a table is written, and rules by size, of which all forms are made. */
#include "tune/form.h"

#include <math.h>
#include <string.h>

static const char *const forms[] = {
    [TUNE_RULES] = "pgasim", [TUNE_OMPI] = "ompi", [TUNE_OMPI_JSON] = "ompi-json", [TUNE_MPICH] = "mpich"};

int tune_form_find(const char *name, enum tune_form *out, struct base_status *st)
{
    for (size_t k = 0; k < BASE_LENGTH(forms); k++)
        if (!strcmp(name, forms[k])) {
            *out = (enum tune_form)k;
            return 0;
        }
    return base_fail(st, "no form \"%.60s\": expected pgasim, ompi, ompi-json or mpich", name);
}

bool tune_form_holds(enum tune_form form, enum coll_op op)
{
    return form == TUNE_RULES || (!tune_op_has_graph(op) && !tune_op_is_between(op));
}

bool tune_form_allows(enum tune_form form, const struct coll_algorithm_info *a, const struct tune_choice *c)
{
    switch (form) {
    case TUNE_OMPI: /* a file of numbers has no requests at a time */
        return tune_ompi_has(a, c) && !c->window;
    case TUNE_OMPI_JSON:
        return tune_ompi_has(a, c);
    case TUNE_MPICH:
        return tune_mpich_has(a) && !(a->traits & COLL_RADIX) && !c->window && !c->segment;
    default:
        return true;
    }
}

void tune_write_form(enum tune_form form, const struct tune_space *s, const struct tune_table *t,
                     const char *title, FILE *out)
{
    switch (form) {
    case TUNE_OMPI:
        tune_write_ompi(s, t, out);
        return;
    case TUNE_OMPI_JSON:
        tune_write_ompi_json(s, t, out);
        return;
    case TUNE_MPICH:
        tune_write_mpich(s, t, out);
        return;
    default:
        tune_write_rules(s, t, title, out);
    }
}

/* --- rules ---------------------------------------------------------------------------------------- */

static void add_rule(struct tune_rules *r, const struct tune_cell *c)
{
    bool known = c->state != TUNE_OPEN && c->time < INFINITY && c->best.algorithm >= 0;
    struct tune_rule rule = {r->at.n ? c->point.bytes : 0, known, c->best};
    const struct tune_rule *last = r->at.n ? &r->at.at[r->at.n - 1] : NULL;
    if (last && last->known == known && (!known || tune_choices_equal(&last->choice, &rule.choice)))
        return;
    BASE_ARRAY_PUSH(&r->at, rule);
}

void tune_rules_next(const struct tune_space *s, const struct tune_table *t, size_t *k,
                     struct tune_rules *out)
{
    out->op = t->at[*k].point.op;
    out->ranks = s->place.at[t->at[*k].point.place].ranks;
    out->at.n = 0;
    const struct tune_graph *graph = s->place.at[t->at[*k].point.place].graph;
    for (; *k < t->n; ++*k) {
        const struct tune_cell *c = &t->at[*k];
        if (s->place.at[c->point.place].graph != graph)
            return;
        if (c->point.op != out->op || s->place.at[c->point.place].ranks != out->ranks)
            return;
        add_rule(out, c);
    }
}

bool tune_rules_any(const struct tune_table *t, enum coll_op op)
{
    for (size_t k = 0; k < t->n; k++)
        if (t->at[k].point.op == op)
            return true;
    return false;
}

/* Names are compared without regard to '-' and '_'. */
static bool same(const char *a, const char *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if ((a[k] == '-' ? '_' : a[k]) != (b[k] == '-' ? '_' : b[k]))
            return false;
    return !b[n];
}

bool tune_has_alias(const struct coll_algorithm_info *a, const char *library, const char *name)
{
    size_t length = strlen(library);
    for (const char *p = a->aliases; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n > length + 1 && !strncmp(p, library, length) && p[length] == ':' &&
            strlen(name) == n - length - 1 && same(p + length + 1, name, n - length - 1))
            return true;
        p += n;
    }
    return false;
}
