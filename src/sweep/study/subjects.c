/* SPDX-License-Identifier: BSD-3-Clause */
/* subjects: the platforms and programs of a validation. */
#include "sweep/study/subjects.h"

#include <stdlib.h>
#include <string.h>

#define KEY(prefix, name) static int prefix##_##name(struct study_reader *r, const yaml_node_t *n, void *into)
#define PLATFORM(name)    KEY(platform, name)
#define SUBJECT(name)     KEY(subject, name)

/* "whole", or a source as in what a study keeps. */
int study_take_seconds(struct study_reader *r, const yaml_node_t *n, const char *what,
                       struct study_seconds *out)
{
    free(out->keep.name);
    free(out->keep.what.at);
    *out = (struct study_seconds){.said = true};
    out->whole =
        n && n->type == YAML_SCALAR_NODE && !study_yaml_quoted(n) && !strcmp(study_yaml_text(n), "whole");
    if (out->whole)
        return 0;
    if (!n || n->type != YAML_MAPPING_NODE)
        return study_yaml_wrong(&r->yaml, n, r->st,
                                "%s: expected whole, {output: EXPRESSION}, {errors: EXPRESSION} or {json: "
                                "PATH}",
                                what);
    if (study_take_keep(r, n, n, "seconds", &out->keep))
        return -1;
    return out->keep.source <= STUDY_ERRORS
               ? 0
               : study_yaml_wrong(&r->yaml, n, r->st, "%s: expected output, errors or json", what);
}

/* --- platforms -------------------------------------------------------------------------------------- */

static struct study_platform *platform_of(void *into)
{
    return into;
}

PLATFORM(file)
{
    return study_take_text(r, n, "the name of a file", &platform_of(into)->file);
}
PLATFORM(real)
{
    return study_take_text(r, n, "the name of a file", &platform_of(into)->real);
}
PLATFORM(run)
{
    return study_take_texts(r, n, "a command", &platform_of(into)->run);
}
PLATFORM(version)
{
    return study_take_text(r, n, "a command", &platform_of(into)->version);
}
PLATFORM(options)
{
    return study_take_texts(r, n, "options", &platform_of(into)->options);
}
PLATFORM(inputs)
{
    return study_take_texts(r, n, "names of files", &platform_of(into)->inputs);
}
PLATFORM(settings)
{
    return study_take_pairs(r, n, "settings", &platform_of(into)->settings);
}
PLATFORM(useless)
{
    struct study_text *out = &platform_of(into)->useless;
    return study_take_text(r, n, "a regular expression", out) ? -1 : study_check_regex(r, n, out->at);
}

static const struct study_key platform_keys[] = {
    {"file", platform_file},     {"real", platform_real},        {"run", platform_run},
    {"void", platform_useless},  {"version", platform_version},  {"options", platform_options},
    {"inputs", platform_inputs}, {"settings", platform_settings}};

static int read_platform(struct study_reader *r, const yaml_node_t *key, const yaml_node_t *n,
                         struct study_validation *v, const char *useless)
{
    if (v->platforms == v->platforms_cap)
        v->platform = base_array_grow(v->platform, &v->platforms_cap, v->platforms + 1, sizeof *v->platform,
                                      "platforms");
    struct study_platform *p = &v->platform[v->platforms++];
    *p = (struct study_platform){.name = base_strdup(study_yaml_text(key)), .line = study_yaml_line(key)};
    if (study_read_keys(r, n, platform_keys, BASE_LENGTH(platform_keys), p, "a platform"))
        return -1;
    if (!p->useless.at)
        p->useless = (struct study_text){base_strdup(useless), p->line};
    if (!p->file.at)
        return study_yaml_wrong(&r->yaml, key, r->st, "platform %.80s: expected its file", p->name);
    for (size_t k = 0; k < p->run.n; k++)
        if (strstr(p->run.at[k].at, "${program}"))
            return 0;
    return study_yaml_wrong(&r->yaml, key, r->st,
                            "platform %.80s: expected run, a command in which ${program} is the program",
                            p->name);
}

int study_read_platforms(struct study_reader *r, const yaml_node_t *n, struct study_validation *v,
                         const char *useless)
{
    if (n->type != YAML_MAPPING_NODE || !study_yaml_pairs(n))
        return study_yaml_wrong(&r->yaml, n, r->st, "platforms: expected names with what they are");
    if (study_yaml_check_keys(&r->yaml, n, r->st))
        return -1;
    const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
    for (size_t k = 0; k < study_yaml_pairs(n); k++)
        if (read_platform(r, study_yaml_node(&r->yaml, pair[k].key), study_yaml_node(&r->yaml, pair[k].value),
                          v, useless))
            return -1;
    return 0;
}

/* --- programs --------------------------------------------------------------------------------------- */

static struct study_subject *subject_of(void *into)
{
    return into;
}

SUBJECT(platforms)
{
    return (void)into, study_add_parameter(r, n, "platform", n);
}
SUBJECT(ranks)
{
    return (void)into, study_add_parameter(r, n, "ranks", n);
}
SUBJECT(where)
{
    return (void)into, study_take_list(r, n, "a condition", &r->where);
}
SUBJECT(arguments)
{
    return study_take_texts(r, n, "arguments", &subject_of(into)->study->words);
}
SUBJECT(options)
{
    return study_take_texts(r, n, "options", &subject_of(into)->study->options);
}
SUBJECT(inputs)
{
    return study_take_texts(r, n, "names of files", &subject_of(into)->study->inputs);
}
SUBJECT(settings)
{
    return study_take_pairs(r, n, "settings", &subject_of(into)->study->settings);
}
SUBJECT(environment)
{
    return study_take_pairs(r, n, "environment", &subject_of(into)->environment);
}
SUBJECT(timeout)
{
    return study_take_timeout(r, n, &subject_of(into)->study->timeout);
}
SUBJECT(source)
{
    return study_take_text(r, n, "the name of a file", &subject_of(into)->source);
}
SUBJECT(flags)
{
    return study_take_texts(r, n, "flags", &subject_of(into)->flags);
}
SUBJECT(real)
{
    return study_take_text(r, n, "a program", &subject_of(into)->real);
}
SUBJECT(simulated)
{
    return study_take_text(r, n, "a program", &subject_of(into)->simulated);
}
SUBJECT(trace)
{
    return study_take_text(r, n, "a trace", &subject_of(into)->trace);
}
SUBJECT(seconds)
{
    struct study_subject *s = subject_of(into);
    return study_take_seconds(r, n, "seconds", &s->measured) ||
                   study_take_seconds(r, n, "seconds", &s->predicted)
               ? -1
               : 0;
}
SUBJECT(measured)
{
    return study_take_seconds(r, n, "measured", &subject_of(into)->measured);
}
SUBJECT(predicted)
{
    return study_take_seconds(r, n, "predicted", &subject_of(into)->predicted);
}
SUBJECT(unit)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    double unit = 1;
    const char *text = study_scalar(r, n, "a unit");
    for (size_t k = 0; text && k < BASE_LENGTH(units); k++, unit /= 1000)
        if (!strcmp(text, units[k])) {
            subject_of(into)->unit = unit;
            return 0;
        }
    return text ? study_yaml_wrong(&r->yaml, n, r->st, "unit: expected s, ms, us or ns, not '%.80s'", text)
                : -1;
}

static const struct study_key subject_keys[] = {
    {"platforms", subject_platforms}, {"parameters", study_read_parameters},
    {"points", study_read_points},    {"ranks", subject_ranks},
    {"where", subject_where},         {"source", subject_source},
    {"flags", subject_flags},         {"real", subject_real},
    {"simulated", subject_simulated}, {"trace", subject_trace},
    {"arguments", subject_arguments}, {"options", subject_options},
    {"settings", subject_settings},   {"environment", subject_environment},
    {"inputs", subject_inputs},       {"timeout", subject_timeout},
    {"seconds", subject_seconds},     {"measured", subject_measured},
    {"predicted", subject_predicted}, {"unit", subject_unit}};

static bool has_key(struct study_reader *r, const yaml_node_t *map, const char *name)
{
    for (size_t k = 0; map->type == YAML_MAPPING_NODE && k < study_yaml_pairs(map); k++) {
        const yaml_node_t *key = study_yaml_node(&r->yaml, map->data.mapping.pairs.start[k].key);
        if (key && key->type == YAML_SCALAR_NODE && !strcmp(study_yaml_text(key), name))
            return true;
    }
    return false;
}

/* Which platforms are named, and that no parameter has the name of something else. */
static int check_names(struct study_reader *r, const yaml_node_t *key, const struct study_validation *v)
{
    static const char *const ours[] = {"side", "program", "arguments", "repetition", "seed", "seconds"};
    const struct study *s = r->study;
    bool ranks = false;
    if (s->names > STUDY_NAMES - 3)
        return study_yaml_wrong(&r->yaml, key, r->st, "more than %d parameters", STUDY_NAMES - 4);
    for (uint32_t k = 0; k < s->names; k++) {
        ranks |= !strcmp(s->name[k], "ranks");
        for (size_t i = 0; i < BASE_LENGTH(ours); i++)
            if (!strcmp(s->name[k], ours[i]))
                return study_yaml_wrong(&r->yaml, key, r->st, "'%s' is no name for a parameter here",
                                        ours[i]);
    }
    if (!ranks)
        return study_yaml_wrong(&r->yaml, key, r->st, "program %.80s: expected ranks", study_yaml_text(key));
    for (size_t k = 0; k < r->axis.at[0].value.n; k++) {
        size_t i = 0;
        while (i < v->platforms && strcmp(r->axis.at[0].value.at[k].text, v->platform[i].name) != 0)
            i++;
        if (i == v->platforms)
            return study_yaml_wrong(&r->yaml, key, r->st, "there is no platform '%.80s'",
                                    r->axis.at[0].value.at[k].text);
    }
    return 0;
}

static int check_subject(struct study_reader *r, const yaml_node_t *key, const struct study_subject *s,
                         const struct study_validation *v)
{
    const char *wrong = s->source.at && (s->real.at || s->simulated.at || s->trace.at)
                            ? "expected either source or programs that are built"
                        : s->source.at && !v->real_cc.at
                            ? "a source needs real-cc, the compiler of the real MPI"
                        : !s->source.at && (!s->real.at || !s->simulated.at == !s->trace.at)
                            ? "expected source, or real with simulated or trace"
                        : s->measured.keep.source == STUDY_JSON && s->measured.keep.name
                            ? "a real run has no JSON; expected measured: {output: EXPRESSION}"
                            : NULL;
    return wrong ? study_yaml_wrong(&r->yaml, key, r->st, "program %.80s: %s", s->name, wrong) : 0;
}

/* What the program does not say of times, the whole file may. */
static void take_default(const struct study_seconds *of, struct study_seconds *out)
{
    if (out->said)
        return;
    *out = *of;
    out->whole = !of->said || of->whole;
    if (of->keep.name)
        out->keep.name = base_strdup(of->keep.name);
    if (of->keep.what.at)
        out->keep.what.at = base_strdup(of->keep.what.at);
}

static int read_points(struct study_reader *r, const yaml_node_t *key, const yaml_node_t *n,
                       const struct study_validation *v, struct study_subject *s)
{
    if (!has_key(r, n, "platforms")) {
        const char **names = base_alloc(v->platforms * sizeof *names, "names of platforms");
        for (size_t k = 0; k < v->platforms; k++)
            names[k] = v->platform[k].name;
        int rc = study_add_words(r, key, "platform", names, v->platforms);
        free(names);
        if (rc)
            return -1;
    }
    if (study_read_keys(r, n, subject_keys, BASE_LENGTH(subject_keys), s, "a program"))
        return -1;
    take_default(&v->seconds, &s->measured);
    take_default(&v->seconds, &s->predicted);
    return check_names(r, key, v) || check_subject(r, key, s, v) || study_make_points(r) ? -1 : 0;
}

static int read_subject(struct study_reader *outer, const yaml_node_t *key, const yaml_node_t *n,
                        struct study_validation *v)
{
    if (v->subjects == v->subjects_cap)
        v->subject =
            base_array_grow(v->subject, &v->subjects_cap, v->subjects + 1, sizeof *v->subject, "programs");
    struct study_subject *s = &v->subject[v->subjects++];
    *s = (struct study_subject){
        .name = base_strdup(study_yaml_text(key)), .line = study_yaml_line(key), .unit = 1};
    s->study = base_zalloc(sizeof *s->study, "a program's points");
    s->study->path = base_strdup(v->path);
    s->study->folder = base_strdup(v->folder);
    s->study->timeout = v->timeout;
    struct study_reader r = {.yaml = outer->yaml, .study = s->study, .st = outer->st};
    int rc = read_points(&r, key, n, v, s);
    study_reader_release(&r);
    return rc;
}

int study_read_subjects(struct study_reader *r, const yaml_node_t *n, struct study_validation *v)
{
    if (!v->platforms)
        return study_yaml_wrong(&r->yaml, n, r->st, "programs: expected platforms, too");
    if (n->type != YAML_MAPPING_NODE || !study_yaml_pairs(n))
        return study_yaml_wrong(&r->yaml, n, r->st, "programs: expected names with what they are");
    if (study_yaml_check_keys(&r->yaml, n, r->st))
        return -1;
    const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
    for (size_t k = 0; k < study_yaml_pairs(n); k++)
        if (read_subject(r, study_yaml_node(&r->yaml, pair[k].key), study_yaml_node(&r->yaml, pair[k].value),
                         v))
            return -1;
    return 0;
}
