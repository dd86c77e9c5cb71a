/* SPDX-License-Identifier: BSD-3-Clause */
/* validation: the file of a validation, key by key; its platforms and programs are read by subjects.c. */
#include "sweep/study/validation.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/study/subjects.h"

/* What a run says about itself when the machine was too busy for it (tools/cluster). */
static const char void_words[] = "^cluster: void:";

static struct study_validation *of(void *into)
{
    return into;
}

/* --- numbers ---------------------------------------------------------------------------------------- */

/* "3%" or "0.03". */
static int take_part(struct study_reader *r, const yaml_node_t *n, double *out)
{
    const char *text = study_scalar(r, n, "a part, as in 3%");
    char *end;
    if (!text)
        return -1;
    double x = strtod(text, &end);
    bool percent = *end == '%';
    if (end == text || end[percent] || !isfinite(x) || x < 0)
        return study_yaml_wrong(&r->yaml, n, r->st, "expected a part, as in 3%%, not '%.80s'", text);
    *out = percent ? x / 100 : x;
    return 0;
}

static int take_count(struct study_reader *r, const yaml_node_t *n, uint32_t most, uint32_t *out)
{
    struct base_status why;
    uint64_t x;
    const char *text = study_scalar(r, n, "a number");
    if (!text)
        return -1;
    if (base_parse_uint(text, &x, &why) || !x || x > most)
        return study_yaml_wrong(&r->yaml, n, r->st, "expected 1 to %u, not '%.80s'", most, text);
    *out = (uint32_t)x;
    return 0;
}

#define PART(name, type, field)                                                                              \
    static int name(struct study_reader *r, const yaml_node_t *n, void *into)                                \
    {                                                                                                        \
        return take_part(r, n, &((type *)into)->field);                                                      \
    }
#define COUNT(name, limit, field)                                                                            \
    static int name(struct study_reader *r, const yaml_node_t *n, void *into)                                \
    {                                                                                                        \
        return take_count(r, n, limit, &of(into)->field);                                                    \
    }
PART(target_median, struct study_target, median)
PART(target_p95, struct study_target, p95)
PART(target_worst, struct study_target, worst)
PART(target_bias, struct study_target, bias)
PART(repetitions_interval, struct study_validation, interval)
COUNT(repetitions_least, STUDY_REPETITIONS, least)
COUNT(repetitions_most, STUDY_REPETITIONS, most)
COUNT(repetitions_tries, STUDY_REPETITIONS, tries)
COUNT(read_seeds, STUDY_SEEDS, seeds)

/* --- the keys of a validation ----------------------------------------------------------------------- */

#define KEY(name) static int read_##name(struct study_reader *r, const yaml_node_t *n, void *into)

KEY(title)
{
    return study_take_word(r, n, "a title", &of(into)->title);
}
KEY(database)
{
    return study_take_word(r, n, "a file name", &of(into)->database);
}
KEY(real_cc)
{
    return study_take_text(r, n, "a compiler", &of(into)->real_cc);
}
KEY(version)
{
    return study_take_text(r, n, "a command", &of(into)->version);
}
KEY(flags)
{
    return study_take_texts(r, n, "flags", &of(into)->flags);
}
KEY(options)
{
    return study_take_texts(r, n, "options", &of(into)->options);
}
KEY(settings)
{
    return study_take_pairs(r, n, "settings", &of(into)->settings);
}
KEY(environment)
{
    return study_take_pairs(r, n, "environment", &of(into)->environment);
}
KEY(timeout)
{
    return study_take_timeout(r, n, &of(into)->timeout);
}
KEY(seconds)
{
    return study_take_seconds(r, n, "seconds", &of(into)->seconds);
}
KEY(target)
{
    static const struct study_key keys[] = {
        {"median", target_median}, {"p95", target_p95}, {"worst", target_worst}, {"bias", target_bias}};
    return study_read_keys(r, n, keys, BASE_LENGTH(keys), &of(into)->target, "target");
}

/* A number is the most of them. */
KEY(repetitions)
{
    static const struct study_key keys[] = {{"least", repetitions_least},
                                            {"most", repetitions_most},
                                            {"interval", repetitions_interval},
                                            {"tries", repetitions_tries}};
    struct study_validation *v = of(into);
    v->least = 0;
    if (n->type == YAML_SCALAR_NODE ? repetitions_most(r, n, into)
                                    : study_read_keys(r, n, keys, BASE_LENGTH(keys), into, "repetitions"))
        return -1;
    bool said = v->least;
    v->least = said ? v->least : v->most < 6 ? v->most : 6;
    return v->least <= v->most
               ? 0
               : study_yaml_wrong(&r->yaml, n, r->st, "repetitions: expected least <= most (%u), not %u",
                                  v->most, v->least);
}

KEY(platforms)
{
    return study_read_platforms(r, n, of(into), void_words);
}
KEY(programs)
{
    return study_read_subjects(r, n, of(into));
}

/* In this order: programs are checked with what came before. */
static const struct study_key keys[] = {{"title", read_title},      {"database", read_database},
                                        {"target", read_target},    {"repetitions", read_repetitions},
                                        {"seeds", read_seeds},      {"timeout", read_timeout},
                                        {"real-cc", read_real_cc},  {"flags", read_flags},
                                        {"version", read_version},  {"settings", read_settings},
                                        {"options", read_options},  {"environment", read_environment},
                                        {"seconds", read_seconds},  {"platforms", read_platforms},
                                        {"programs", read_programs}};

/* --- the whole -------------------------------------------------------------------------------------- */

static int check(const struct study_validation *v, struct base_status *st)
{
    const char *missing = !v->platforms ? "platforms" : !v->subjects ? "programs" : NULL;
    return missing ? base_fail(st, "%.100s:1: expected %s", v->path, missing) : 0;
}

int study_validation_read_text(struct study_validation **out, const char *text, size_t size, const char *path,
                               struct base_status *st)
{
    struct study_reader r = {.st = st};
    if (study_yaml_load(&r.yaml, text, size, path, st))
        return -1;
    struct study_validation *v = base_zalloc(sizeof *v, "a validation");
    char *copy = base_strdup(path);
    v->path = base_strdup(path);
    v->folder = base_strdup(dirname(copy));
    free(copy);
    v->target = (struct study_target){NAN, NAN, NAN, NAN};
    v->least = 6;
    v->most = 15;
    v->tries = 3;
    v->interval = 0.02;
    v->timeout = STUDY_TIMEOUT;
    yaml_node_t *root = study_yaml_node(&r.yaml, 1);
    int rc = root ? study_read_keys(&r, root, keys, BASE_LENGTH(keys), v, "the validation")
                  : base_fail(st, "%.100s:1: the file is empty", path);
    rc = rc ? rc : check(v, st);
    study_reader_release(&r);
    study_yaml_release(&r.yaml);
    if (rc)
        study_validation_destroy(v);
    else
        *out = v;
    return rc;
}

int study_validation_read(struct study_validation **out, const char *path, struct base_status *st)
{
    size_t size;
    char *text = study_file_text(path, &size, st);
    int rc = text ? study_validation_read_text(out, text, size, path, st) : -1;
    free(text);
    return rc;
}

/* --- its end ---------------------------------------------------------------------------------------- */

static void free_keep(struct study_keep *k)
{
    free(k->name);
    free(k->what.at);
}

static void free_platform(struct study_platform *p)
{
    char *const words[] = {p->name, p->file.at, p->real.at, p->useless.at, p->version.at};
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        free(words[k]);
    study_texts_release(&p->run);
    study_texts_release(&p->options);
    study_texts_release(&p->inputs);
    study_pairs_release(&p->settings);
}

static void free_subject(struct study_subject *s)
{
    char *const words[] = {s->name, s->source.at, s->real.at, s->simulated.at, s->trace.at};
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        free(words[k]);
    study_texts_release(&s->flags);
    study_pairs_release(&s->environment);
    free_keep(&s->measured.keep);
    free_keep(&s->predicted.keep);
    if (s->study)
        study_destroy(s->study);
}

void study_validation_destroy(struct study_validation *v)
{
    char *const words[] = {v->path, v->folder, v->title, v->database, v->real_cc.at, v->version.at};
    for (size_t k = 0; k < v->platforms; k++)
        free_platform(&v->platform[k]);
    for (size_t k = 0; k < v->subjects; k++)
        free_subject(&v->subject[k]);
    free(v->platform);
    free(v->subject);
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        free(words[k]);
    study_texts_release(&v->flags);
    study_texts_release(&v->options);
    study_pairs_release(&v->settings);
    study_pairs_release(&v->environment);
    free_keep(&v->seconds.keep);
    free(v);
}
