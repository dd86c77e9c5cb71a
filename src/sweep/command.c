/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command: the command of a point, and its key, a number for all that its results depend on: the values of its
 * parameters, the words of the command, the content of the simulator, the program, the platform and the other files
 * that the study names, and what is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "sweep/internal.h"

/* Raised when rows get another meaning. */
static const char version[] = "pgasim sweep 1";

struct words {
    char **at;
    size_t n, cap;
};

/* Names that are not parameters: where the run's files are. */
struct places {
    struct study_value point, folder, json, study;
};
static const struct study_value *find_place(const void *arg, const char *name)
{
    const struct places *p = arg;
    return !strcmp(name, "point")    ? &p->point
           : !strcmp(name, "folder") ? &p->folder
           : !strcmp(name, "json")   ? &p->json
           : !strcmp(name, "study")  ? &p->study
                                     : NULL;
}

/* Where they are does not count for the key. */
static struct places places_of(const struct sweep *x, const struct study_point *p, const char *folder)
{
    struct places out = {.point = study_value_number(folder ? p->number : 0)};
    char *json = base_strfmt("%s/json", folder ? folder : "");
    out.folder = study_value_of(folder ? folder : "", true);
    out.json = study_value_of(json, true);
    out.study = study_value_of(folder ? x->folder : "", true);
    free(json);
    return out;
}

static void places_release(struct places *p)
{
    study_value_release(&p->point);
    study_value_release(&p->folder);
    study_value_release(&p->json);
    study_value_release(&p->study);
}

static char *expand(const struct sweep *x, const struct study_point *p, const struct places *places,
                    const struct study_text *text, struct base_status *st)
{
    const struct study_point_scope inner = {x->study, p, {find_place, places}};
    const struct study_scope scope = study_scope_of(&inner);
    struct base_status why;
    char *out = study_expand(text->at, &scope, &why);
    if (!out)
        (void)study_wrong(x->study, text->line, st, "%s", why.text);
    return out;
}

void sweep_words_free(char **words)
{
    for (char **w = words; words && *w; w++)
        free(*w);
    free(words);
}

static void push(struct words *w, const char *text)
{
    BASE_ARRAY_PUSH(w, base_strdup(text));
}

static int push_text(const struct sweep *x, const struct study_point *p, const struct places *places,
                     struct words *w, const struct study_text *text, struct base_status *st)
{
    char *word = expand(x, p, places, text, st);
    if (!word)
        return -1;
    BASE_ARRAY_PUSH(w, word);
    return 0;
}

/* --- platforms that are generated ------------------------------------------------------------------- */

char **sweep_generate_words(const struct sweep *x, const struct study_point *p, struct base_status *st)
{
    struct words w = {0};
    struct places places = places_of(x, p, NULL);
    st->text[0] = 0;
    char *all = x->study->generate.at ? expand(x, p, &places, &x->study->generate, st) : NULL;
    places_release(&places);
    if (!all)
        return NULL;
    push(&w, x->q->self);
    push(&w, "platform");
    push(&w, "generate");
    char *rest = all;
    for (char *word; (word = strtok_r(rest, " \t\n", &rest));)
        push(&w, word);
    free(all);
    BASE_ARRAY_PUSH(&w, (char *)NULL);
    return w.at;
}

char *sweep_platform_path(const struct sweep *x, char *const *words)
{
    uint64_t hash = BASE_FNV;
    for (words++; *words; words++)
        hash = base_fnv(hash, *words, strlen(*words) + 1);
    return base_strfmt("%s/platform-%016lx.xml", x->work, (unsigned long)hash);
}

/* --- the words -------------------------------------------------------------------------------------- */

/* A file of the study, seen from everywhere; for the key, as it is written. */
static void push_file(const struct sweep *x, struct words *w, const char *name, bool for_key)
{
    char *path = for_key ? base_strdup(name) : sweep_find_program(x, name);
    BASE_ARRAY_PUSH(w, path ? path : base_strdup(name));
}

static int push_platform(const struct sweep *x, const struct study_point *p, const struct places *places,
                         struct words *w, bool for_key, struct base_status *st)
{
    const struct study *s = x->study;
    char *word, **generated;
    if (!s->platform.at && !s->generate.at)
        return 0;
    push(w, "--platform");
    if (s->platform.at) {
        if (!(word = expand(x, p, places, &s->platform, st)))
            return -1;
        push_file(x, w, word, for_key);
        free(word);
        return 0;
    }
    if (!(generated = sweep_generate_words(x, p, st)))
        return -1;
    if (for_key)
        for (char **g = generated + 1; *g; g++)
            push(w, *g);
    else {
        word = sweep_platform_path(x, generated);
        BASE_ARRAY_PUSH(w, word);
    }
    sweep_words_free(generated);
    return 0;
}

/* Ours stand before the study's own options, which may override --compute. */
static int push_options(const struct sweep *x, const struct study_point *p, const struct places *places,
                        struct words *w, bool for_key, struct base_status *st)
{
    const struct study *s = x->study;
    push(w, for_key ? "pgasim" : x->q->self);
    push(w, study_commands[s->command]);
    push(w, "--quiet");
    push(w, "--json");
    push(w, places->json.text);
    if (s->command == STUDY_RUN)
        push(w, "--compute=off");
    if (push_platform(x, p, places, w, for_key, st))
        return -1;
    if (s->ranks.at) {
        push(w, "-np");
        if (push_text(x, p, places, w, &s->ranks, st))
            return -1;
    }
    for (size_t k = 0; k < s->settings.n; k++) {
        char *value = expand(x, p, places, &s->settings.at[k].text, st);
        if (!value)
            return -1;
        push(w, "--set");
        BASE_ARRAY_PUSH(w, base_strfmt("%s=%s", s->settings.at[k].key, value));
        free(value);
    }
    for (size_t k = 0; k < s->options.n; k++)
        if (push_text(x, p, places, w, &s->options.at[k], st))
            return -1;
    return 0;
}

static int push_all(const struct sweep *x, const struct study_point *p, const struct places *places,
                    struct words *w, bool for_key, struct base_status *st)
{
    const struct study *s = x->study;
    if (s->command != STUDY_OTHER && push_options(x, p, places, w, for_key, st))
        return -1;
    for (size_t k = 0; k < s->words.n; k++) {
        char *word = expand(x, p, places, &s->words.at[k], st);
        if (!word)
            return -1;
        if (k == 0)
            push_file(x, w, word, for_key);
        else
            push(w, word);
        free(word);
    }
    return 0;
}

char **sweep_words(const struct sweep *x, const struct study_point *p, const char *folder,
                   struct base_status *st)
{
    struct words w = {0};
    struct places places = places_of(x, p, folder);
    int rc = push_all(x, p, &places, &w, !folder, st);
    places_release(&places);
    BASE_ARRAY_PUSH(&w, (char *)NULL);
    if (rc == 0)
        return w.at;
    sweep_words_free(w.at);
    return NULL;
}

/* --- the key ---------------------------------------------------------------------------------------- */

static void add(uint64_t *key, const char *text)
{
    *key = base_fnv(*key, text, strlen(text) + 1);
}

static int add_content(struct sweep *x, uint64_t *key, const char *path, struct base_status *st)
{
    uint64_t hash;
    if (sweep_content(x, path, &hash, st))
        return -1;
    *key = base_fnv(*key, &hash, sizeof hash);
    return 0;
}

/* A file that the study names; `program`: it may also be in PATH. */
static int add_file(struct sweep *x, const struct study_point *p, uint64_t *key,
                    const struct study_text *text, bool program, struct base_status *st)
{
    struct base_status why;
    struct places places = places_of(x, p, NULL);
    char *name = expand(x, p, &places, text, st);
    places_release(&places);
    if (!name)
        return -1;
    char *path = program ? sweep_find_program(x, name) : sweep_path(x, name);
    int rc = !path ? study_wrong(x->study, text->line, st, "there is no program %.200s", name)
             : add_content(x, key, path, &why) ? study_wrong(x->study, text->line, st, "%s", why.text)
                                               : 0;
    free(path);
    free(name);
    return rc;
}

static int add_files(struct sweep *x, const struct study_point *p, uint64_t *key, struct base_status *st)
{
    const struct study *s = x->study;
    if (s->command != STUDY_OTHER && add_content(x, key, x->q->library, st))
        return -1;
    bool program = s->command == STUDY_RUN || s->command == STUDY_OTHER;
    if ((s->words.n && add_file(x, p, key, &s->words.at[0], program, st)) ||
        (s->platform.at && add_file(x, p, key, &s->platform, false, st)))
        return -1;
    for (size_t k = 0; k < s->inputs.n; k++)
        if (add_file(x, p, key, &s->inputs.at[k], false, st))
            return -1;
    return 0;
}

/* The number that a text says; `text` not said: 0. */
static int number_of(const struct sweep *x, const struct study_point *p, const struct study_text *text,
                     bool size, double *out, struct base_status *st)
{
    struct base_status why;
    uint64_t whole = 0;
    *out = 0;
    if (!text->at)
        return 0;
    struct places places = places_of(x, p, NULL);
    char *word = expand(x, p, &places, text, st);
    places_release(&places);
    if (!word)
        return -1;
    int rc = size ? base_parse_size(word, &whole, &why) : base_parse_uint(word, &whole, &why);
    if (rc || !whole)
        rc = study_wrong(x->study, text->line, st, "expected %s, not '%.80s'",
                         size ? "a size, as in 2GB" : "a number of ranks", word);
    *out = (double)whole;
    free(word);
    return rc;
}

int sweep_task_of(struct sweep *x, const struct study_point *p, struct sweep_task *out,
                  struct base_status *st)
{
    const struct study *s = x->study;
    struct sweep_task t = {.point = p, .key = BASE_FNV};
    if (number_of(x, p, &s->ranks, false, &t.ranks, st) || number_of(x, p, &s->memory, true, &t.memory, st))
        return -1;
    t.ranks = t.ranks < 1 ? 1 : t.ranks;
    char **words = sweep_words(x, p, NULL, st), *parameters = study_point_json(s, p);
    add(&t.key, version);
    add(&t.key, parameters);
    add(&t.key, s->own_folder ? "own" : "");
    for (char **w = words; words && *w; w++)
        add(&t.key, *w);
    for (size_t k = 0; k < s->keeps; k++) {
        add(&t.key, s->keep[k].name);
        add(&t.key, s->keep[k].what.at);
        t.key = base_fnv(t.key, &s->keep[k].source, sizeof s->keep[k].source);
    }
    int rc = words ? add_files(x, p, &t.key, st) : -1;
    sweep_words_free(words);
    free(parameters);
    if (rc == 0)
        *out = t;
    return rc;
}
