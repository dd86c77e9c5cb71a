/* SPDX-License-Identifier: BSD-3-Clause */
/* values: the values of parameters: lists, ranges, powers, and explicit points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/study/reader.h"

static int add_name(struct study_reader *r, const yaml_node_t *at, const char *name)
{
    struct study *s = r->study;
    static const char *const ours[] = {"and", "or", "not", "point", "folder", "json", "study"};
    static const char *const results[] = {"status",       "reason",     "exit_status",
                                          "host_seconds", "peak_bytes", "current"};
    if (!study_name_is_good(name))
        return study_yaml_wrong(&r->yaml, at, r->st, "'%.80s': expected a name of letters, digits and '_'",
                                name);
    for (size_t k = 0; k < BASE_LENGTH(ours); k++)
        if (!strcmp(name, ours[k]))
            return study_yaml_wrong(&r->yaml, at, r->st,
                                    "'%s' is no name for a parameter: it has a meaning already", name);
    for (size_t k = 0; k < BASE_LENGTH(results); k++)
        if (!strcmp(name, results[k]))
            return study_yaml_wrong(&r->yaml, at, r->st,
                                    "'%s' is no name for a parameter: each point has a result of this name; "
                                    "expected another one",
                                    name);
    for (uint32_t k = 0; k < s->names; k++)
        if (!strcmp(name, s->name[k]))
            return study_yaml_wrong(&r->yaml, at, r->st, "parameter '%.80s' is there twice", name);
    if (s->names == STUDY_NAMES)
        return study_yaml_wrong(&r->yaml, at, r->st, "more than %d parameters", STUDY_NAMES);
    s->name[s->names++] = base_strdup(name);
    return 0;
}

static int add_value(struct study_reader *r, struct study_axis *a, const yaml_node_t *n)
{
    const char *text = study_scalar(r, n, "a value");
    if (!text)
        return -1;
    if (a->value.n >= STUDY_POINTS)
        return study_yaml_wrong(&r->yaml, n, r->st, "more than %d values", STUDY_POINTS);
    BASE_ARRAY_PUSH(&a->value, study_value_of(text, study_yaml_quoted(n)));
    return 0;
}

/* --- ranges and powers ------------------------------------------------------------------------------ */

struct range {
    double from, to, step, powers; /* NAN: not said */
};

static int take_number(struct study_reader *r, const yaml_node_t *n, double *out)
{
    const char *text = study_scalar(r, n, "a number");
    if (!text)
        return -1;
    struct study_value v = study_value_of(text, study_yaml_quoted(n));
    int rc = v.is_number ? 0 : study_yaml_wrong(&r->yaml, n, r->st, "expected a number, not '%.80s'", text);
    *out = v.number;
    study_value_release(&v);
    return rc;
}

#define NUMBER(field)                                                                                        \
    static int take_##field(struct study_reader *r, const yaml_node_t *n, void *into)                        \
    {                                                                                                        \
        return take_number(r, n, &((struct range *)into)->field);                                            \
    }
NUMBER(from)
NUMBER(to)
NUMBER(step)
NUMBER(powers)
static const struct study_key range_keys[] = {
    {"from", take_from}, {"to", take_to}, {"step", take_step}, {"powers", take_powers}};

static int check_range(struct study_reader *r, const yaml_node_t *n, const struct range *x)
{
    if (isnan(x->from) || isnan(x->to) || x->from > x->to)
        return study_yaml_wrong(&r->yaml, n, r->st, "expected {from: A, to: B} with A <= B");
    if (!isnan(x->powers) && (!(x->powers > 1) || !(x->from > 0) || !isnan(x->step)))
        return study_yaml_wrong(
            &r->yaml, n, r->st,
            "expected {powers: BASE, from: A, to: B} with BASE > 1 and A > 0, and no step");
    if (isnan(x->powers) && !isnan(x->step) && !(x->step > 0))
        return study_yaml_wrong(&r->yaml, n, r->st, "expected a step above 0");
    return 0;
}

/* The end is included, whatever the rounding of steps. */
static int add_range(struct study_reader *r, struct study_axis *a, const yaml_node_t *n)
{
    struct range x = {NAN, NAN, NAN, NAN};
    if (study_read_keys(r, n, range_keys, BASE_LENGTH(range_keys), &x, "a range") || check_range(r, n, &x))
        return -1;
    bool powers = !isnan(x.powers);
    double step = isnan(x.step) ? 1 : x.step;
    double count =
        powers ? floor(log(x.to / x.from) / log(x.powers) + 1e-9) : floor((x.to - x.from) / step + 1e-9);
    if (!(count < STUDY_POINTS))
        return study_yaml_wrong(&r->yaml, n, r->st, "more than %d values", STUDY_POINTS);
    for (int k = 0; k <= (int)count; k++) {
        double value = powers ? x.from * pow(x.powers, k) : x.from + k * step;
        if (!isfinite(value))
            return study_yaml_wrong(&r->yaml, n, r->st, "a value is too large");
        BASE_ARRAY_PUSH(&a->value, study_value_number(value));
    }
    return 0;
}

/* --- parameters ------------------------------------------------------------------------------------- */

/* The axis is put into the list first, which frees it whatever comes. */
static struct study_axis *new_axis(struct study_reader *r)
{
    BASE_ARRAY_PUSH(&r->axis, ((struct study_axis){.first = r->study->names}));
    return &r->axis.at[r->axis.n - 1];
}

static int add_values(struct study_reader *r, struct study_axis *a, const yaml_node_t *n)
{
    if (n->type == YAML_MAPPING_NODE)
        return add_range(r, a, n);
    if (n->type == YAML_SCALAR_NODE)
        return add_value(r, a, n);
    for (size_t k = 0; k < study_yaml_items(n); k++) {
        const yaml_node_t *item = study_yaml_node(&r->yaml, n->data.sequence.items.start[k]);
        if (item && item->type == YAML_MAPPING_NODE ? add_range(r, a, item) : add_value(r, a, item))
            return -1;
    }
    return a->value.n ? 0 : study_yaml_wrong(&r->yaml, n, r->st, "a list without values");
}

int study_add_parameter(struct study_reader *r, const yaml_node_t *key, const char *name,
                        const yaml_node_t *n)
{
    struct study_axis *a = new_axis(r);
    if (add_name(r, key, name))
        return -1;
    a->names = 1;
    if (add_values(r, a, n))
        return -1;
    a->rows = (uint32_t)a->value.n;
    return 0;
}

int study_add_words(struct study_reader *r, const yaml_node_t *at, const char *name, const char *const *word,
                    size_t n)
{
    struct study_axis *a = new_axis(r);
    if (add_name(r, at, name))
        return -1;
    a->names = 1;
    a->rows = (uint32_t)n;
    for (size_t k = 0; k < n; k++)
        BASE_ARRAY_PUSH(&a->value, study_value_of(word[k], true));
    return 0;
}

int study_read_parameters(struct study_reader *r, const yaml_node_t *n, void *into)
{
    (void)into;
    if (n->type != YAML_MAPPING_NODE)
        return study_yaml_wrong(&r->yaml, n, r->st, "parameters: expected names with their values");
    if (study_yaml_check_keys(&r->yaml, n, r->st))
        return -1;
    const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
    for (size_t k = 0; k < study_yaml_pairs(n); k++) {
        const yaml_node_t *key = study_yaml_node(&r->yaml, pair[k].key);
        if (study_add_parameter(r, key, study_yaml_text(key), study_yaml_node(&r->yaml, pair[k].value)))
            return -1;
    }
    return 0;
}

int study_read_seeds(struct study_reader *r, const yaml_node_t *n, void *into)
{
    (void)into;
    if (n->type != YAML_SCALAR_NODE)
        return study_add_parameter(r, n, "seed", n);
    uint64_t count;
    struct base_status why;
    if (base_parse_uint(study_yaml_text(n), &count, &why) || !count || count > STUDY_POINTS)
        return study_yaml_wrong(&r->yaml, n, r->st, "seeds: expected how many, or a list of them");
    struct study_axis *a = new_axis(r);
    if (add_name(r, n, "seed"))
        return -1;
    a->names = 1;
    a->rows = (uint32_t)count;
    for (uint64_t k = 1; k <= count; k++)
        BASE_ARRAY_PUSH(&a->value, study_value_number((double)k));
    return 0;
}

/* --- explicit points -------------------------------------------------------------------------------- */

static const yaml_node_t *member(struct study_reader *r, const yaml_node_t *map, const char *name)
{
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    for (size_t k = 0; k < study_yaml_pairs(map); k++)
        if (!strcmp(study_yaml_text(study_yaml_node(&r->yaml, pair[k].key)), name))
            return study_yaml_node(&r->yaml, pair[k].value);
    return NULL;
}

/* A point has what the first one has. */
static int add_point(struct study_reader *r, struct study_axis *a, const yaml_node_t *n)
{
    if (!n || n->type != YAML_MAPPING_NODE)
        return study_yaml_wrong(&r->yaml, n, r->st, "expected a point: {NAME: VALUE, ...}");
    if (study_yaml_check_keys(&r->yaml, n, r->st))
        return -1;
    for (size_t k = 0; !a->rows && k < study_yaml_pairs(n); k++) {
        const yaml_node_t *key = study_yaml_node(&r->yaml, n->data.mapping.pairs.start[k].key);
        if (add_name(r, key, study_yaml_text(key)))
            return -1;
        a->names++;
    }
    if (!a->names || study_yaml_pairs(n) != a->names)
        return study_yaml_wrong(&r->yaml, n, r->st, "expected a point with the same names as the first one");
    for (uint32_t k = 0; k < a->names; k++) {
        const yaml_node_t *value = member(r, n, r->study->name[a->first + k]);
        if (!value)
            return study_yaml_wrong(&r->yaml, n, r->st, "a point without '%s', which the first one has",
                                    r->study->name[a->first + k]);
        if (add_value(r, a, value))
            return -1;
    }
    a->rows++;
    return 0;
}

int study_read_points(struct study_reader *r, const yaml_node_t *n, void *into)
{
    (void)into;
    if (n->type != YAML_SEQUENCE_NODE || !study_yaml_items(n))
        return study_yaml_wrong(&r->yaml, n, r->st, "points: expected a list of points");
    struct study_axis *a = new_axis(r);
    for (size_t k = 0; k < study_yaml_items(n); k++)
        if (add_point(r, a, study_yaml_node(&r->yaml, n->data.sequence.items.start[k])))
            return -1;
    return 0;
}
