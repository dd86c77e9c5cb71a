/* SPDX-License-Identifier: BSD-3-Clause */
/* points: the product of the axes of a study, without the points that a condition leaves out. */
#include <stdlib.h>
#include <string.h>

#include "sweep/study/reader.h"

static const struct study_value *find(const void *arg, const char *name)
{
    const struct study_point_scope *s = arg;
    const struct study_value *v = s->more.find ? s->more.find(s->more.arg, name) : NULL;
    for (uint32_t k = 0; !v && k < s->study->names; k++)
        if (!strcmp(name, s->study->name[k]))
            v = &s->point->value[k];
    return v;
}

struct study_scope study_scope_of(const struct study_point_scope *s)
{
    return (struct study_scope){find, s};
}

static void fill(const struct study_reader *r, uint64_t number, struct study_value *out)
{
    for (size_t k = r->axis.n; k-- > 0;) {
        const struct study_axis *a = &r->axis.at[k];
        uint64_t row = number % a->rows;
        number /= a->rows;
        for (uint32_t i = 0; i < a->names; i++)
            out[a->first + i] = study_value_copy(&a->value.at[row * a->names + i]);
    }
}

static void release_point(const struct study *s, struct study_point *p)
{
    for (uint32_t k = 0; k < s->names; k++)
        study_value_release(&p->value[k]);
    free(p->value);
}

static int is_in(const struct study_reader *r, const struct study_point *p, bool *in)
{
    struct study_point_scope s = {r->study, p, {0}};
    const struct study_scope scope = study_scope_of(&s);
    struct base_status why;
    *in = true;
    for (size_t k = 0; *in && k < r->where.n; k++)
        if (study_holds(r->where.at[k].at, &scope, in, &why))
            return study_wrong(r->study, r->where.at[k].line, r->st, "where: %s", why.text);
    return 0;
}

/* Values repeat in an axis only by mistake, and would give one point twice. */
static int check_axis(const struct study_reader *r, const struct study_axis *a)
{
    for (uint32_t row = 1; row < a->rows && a->rows <= 2000; row++)
        for (uint32_t other = 0; other < row; other++) {
            uint32_t k = 0;
            while (k < a->names &&
                   !study_value_compare(&a->value.at[row * a->names + k], &a->value.at[other * a->names + k]))
                k++;
            if (k == a->names)
                return study_wrong(r->study, 1, r->st, "'%s' has '%.80s' twice", r->study->name[a->first],
                                   a->value.at[row * a->names].text);
        }
    return 0;
}

int study_make_points(struct study_reader *r)
{
    struct study *s = r->study;
    uint64_t all = 1;
    size_t cap = 0;
    for (size_t k = 0; k < r->axis.n; k++) {
        if (check_axis(r, &r->axis.at[k]))
            return -1;
        all *= r->axis.at[k].rows; /* each at most STUDY_POINTS */
        if (all > STUDY_POINTS)
            return study_wrong(s, 1, r->st, "more than %d points", STUDY_POINTS);
    }
    for (uint64_t number = 0; number < all; number++) {
        struct study_point p = {.value = base_zalloc((s->names + 1) * sizeof *p.value, "a point"),
                                .number = s->points + 1};
        bool in;
        fill(r, number, p.value);
        if (is_in(r, &p, &in)) {
            release_point(s, &p);
            return -1;
        }
        if (!in) {
            release_point(s, &p);
            continue;
        }
        if (s->points == cap)
            s->point = base_array_grow(s->point, &cap, cap + 1, sizeof *s->point, "points");
        s->point[s->points++] = p;
    }
    return s->points ? 0 : study_wrong(s, r->where.n ? r->where.at[0].line : 1, r->st, "no point is left");
}

char *study_point_json(const struct study *s, const struct study_point *p)
{
    struct base_json j;
    base_json_init(&j, NULL, &(struct base_json_form){0});
    base_json_open(&j, NULL, '{');
    for (uint32_t k = 0; k < s->names; k++)
        study_value_json(&j, s->name[k], &p->value[k]);
    base_json_close(&j);
    char *text = base_text_take(&j.text);
    base_json_end(&j);
    return text;
}
