/* SPDX-License-Identifier: BSD-3-Clause */
/* keep: takes what the study keeps from the files of a run that has ended well. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yajl/yajl_tree.h>

#include "sweep/internal.h"

enum { LARGEST = 64 << 20, GROUPS = 2 };

/* The values so far; expressions may name them. */
struct kept {
    const struct sweep *x;
    const struct sweep_task *task;
    const char *folder;
    struct study_value *value; /* study->keeps of them; text NULL: not yet */
    yajl_val json;             /* of the run; NULL: not read */
};

char *sweep_read_file(const char *path, size_t *size)
{
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &file) || !S_ISREG(file.st_mode) || file.st_size > LARGEST) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    char *text = base_alloc((size_t)file.st_size + 1, "output of a run");
    size_t n = 0;
    ssize_t got;
    while (n < (size_t)file.st_size && (got = read(fd, text + n, (size_t)file.st_size - n)) > 0)
        n += (size_t)got;
    close(fd);
    text[n] = 0;
    *size = n;
    return text;
}

/* --- JSON ------------------------------------------------------------------------------------------- */

static yajl_val member(yajl_val v, const char *key, size_t length)
{
    for (size_t k = 0; YAJL_IS_OBJECT(v) && k < YAJL_GET_OBJECT(v)->len; k++) {
        const char *name = YAJL_GET_OBJECT(v)->keys[k];
        if (!strncmp(name, key, length) && !name[length])
            return YAJL_GET_OBJECT(v)->values[k];
    }
    return NULL;
}

/* "jobs[0].duration_seconds"; "\." is a point within a key. */
static yajl_val follow(yajl_val v, const char *path)
{
    while (v && *path) {
        if (*path == '[') {
            char *end;
            unsigned long k = strtoul(path + 1, &end, 10);
            bool is_there = *end == ']' && YAJL_IS_ARRAY(v) && k < YAJL_GET_ARRAY(v)->len;
            v = is_there ? YAJL_GET_ARRAY(v)->values[k] : NULL;
            path = is_there ? end + 1 : path;
        } else {
            path += *path == '.';
            char *key = base_strdup(path);
            size_t n = 0;
            for (; *path && *path != '.' && *path != '['; path++) {
                path += *path == '\\' && path[1];
                key[n++] = *path;
            }
            key[n] = 0;
            v = member(v, key, n);
            free(key);
        }
    }
    return v;
}

static int read_json(struct kept *k, struct base_status *st)
{
    char why[200] = "", *path = base_strfmt("%s/json", k->folder);
    size_t size;
    char *text = sweep_read_file(path, &size);
    free(path);
    if (!text)
        return base_fail(st, "the run has written no JSON");
    k->json = yajl_tree_parse(text, why, sizeof why);
    free(text);
    why[strcspn(why, "\n")] = 0;
    return k->json ? 0 : base_fail(st, "what the run has written is no JSON: %s", why);
}

static int from_json(struct kept *k, const char *path, struct study_value *out, struct base_status *st)
{
    if (!k->json && read_json(k, st))
        return -1;
    yajl_val v = follow(k->json, path);
    if (!v || YAJL_IS_OBJECT(v) || YAJL_IS_ARRAY(v) || YAJL_IS_NULL(v))
        return base_fail(st, "the run's JSON has no number or text '%.200s'", path);
    *out = YAJL_IS_NUMBER(v)   ? study_value_of(YAJL_GET_NUMBER(v), false)
           : YAJL_IS_STRING(v) ? study_value_of(YAJL_GET_STRING(v), true)
                               : study_value_number(YAJL_IS_TRUE(v));
    return 0;
}

/* --- output, files, expressions --------------------------------------------------------------------- */

/* 1 if it is in the output or the errors, else 0. */
static int from_either(const struct kept *k, const char *pattern, struct study_value *out,
                       struct base_status *st)
{
    static const char *const files[] = {"output", "errors"};
    regex_t regex;
    bool found = false;
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB))
        return base_fail(st, "the output cannot be searched");
    for (size_t i = 0; i < BASE_LENGTH(files); i++) {
        size_t size;
        char *path = base_strfmt("%s/%s", k->folder, files[i]), *text = sweep_read_file(path, &size);
        found |= text && !regexec(&regex, text, 0, NULL, 0);
        free(text);
        free(path);
    }
    regfree(&regex);
    *out = study_value_number(found);
    return 0;
}

/* The first match: its first group, or all of it if the expression has none. */
static int from_output(const struct kept *k, const char *file, const char *pattern, struct study_value *out,
                       struct base_status *st)
{
    regex_t regex;
    regmatch_t match[GROUPS];
    size_t size;
    char *path = base_strfmt("%s/%s", k->folder, file), *text = sweep_read_file(path, &size);
    free(path);
    if (!text || regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE)) {
        free(text);
        return base_fail(st, "the output cannot be searched");
    }
    int rc = regexec(&regex, text, GROUPS, match, 0);
    if (rc == 0) {
        const regmatch_t *m = &match[regex.re_nsub && match[1].rm_so >= 0];
        text[m->rm_eo] = 0;
        *out = study_value_of(text + m->rm_so, false);
    }
    regfree(&regex);
    free(text);
    return rc ? base_fail(st, "'%.200s' is not in the output", pattern) : 0;
}

static const struct study_value *find_kept(const void *arg, const char *name)
{
    const struct kept *k = arg;
    for (size_t i = 0; i < k->x->study->keeps; i++)
        if (!strcmp(k->x->study->keep[i].name, name))
            return &k->value[i];
    return NULL;
}

static int from_value(const struct kept *k, const char *expression, struct study_value *out,
                      struct base_status *st)
{
    const struct study_point_scope inner = {k->x->study, k->task->point, {find_kept, k}};
    const struct study_scope scope = study_scope_of(&inner);
    return study_evaluate(expression, &scope, out, st);
}

/* It is moved to a folder of the point's own, beside the database; the value is where. */
static int from_file(const struct kept *k, const char *name, struct study_value *out, struct base_status *st)
{
    const struct study_point_scope inner = {k->x->study, k->task->point, {0}};
    const struct study_scope scope = study_scope_of(&inner);
    char *word = study_expand(name, &scope, st);
    if (!word)
        return -1;
    const char *slash = strrchr(word, '/');
    char *from = base_strfmt("%s/%s", k->folder, word);
    char *folder = base_strfmt("%s/%016" PRIx64, k->x->files, k->task->key);
    char *to = base_strfmt("%s/%s", folder, slash ? slash + 1 : word);
    (void)mkdir(k->x->files, 0777);
    (void)mkdir(folder, 0777);
    int rc = rename(from, to) ? base_fail(st, "%.200s: %s", word, strerror(errno)) : 0;
    if (rc == 0)
        *out = study_value_of(to, true);
    else
        (void)rmdir(folder);
    free(to);
    free(folder);
    free(from);
    free(word);
    return rc;
}

static int take(struct kept *k, const struct study_keep *what, struct study_value *out,
                struct base_status *st)
{
    switch (what->source) {
    case STUDY_JSON:
        return from_json(k, what->what.at, out, st);
    case STUDY_OUTPUT:
        return from_output(k, "output", what->what.at, out, st);
    case STUDY_ERRORS:
        return from_output(k, "errors", what->what.at, out, st);
    case STUDY_FOUND:
        return from_either(k, what->what.at, out, st);
    case STUDY_FILE:
        return from_file(k, what->what.at, out, st);
    default:
        return from_value(k, what->what.at, out, st);
    }
}

char *sweep_keep(const struct sweep *x, const struct sweep_task *t, const char *folder,
                 struct base_status *st)
{
    const struct study *s = x->study;
    struct kept k = {.x = x,
                     .task = t,
                     .folder = folder,
                     .value = base_zalloc((s->keeps + 1) * sizeof *k.value, "results of a run")};
    struct base_status why;
    struct base_json j;
    char *text = NULL;
    int rc = 0;
    base_json_init(&j, NULL, &(struct base_json_form){0});
    base_json_open(&j, NULL, '{');
    for (size_t i = 0; rc == 0 && i < s->keeps; i++) {
        rc = take(&k, &s->keep[i], &k.value[i], &why);
        if (rc)
            (void)base_fail(st, "%.80s: %s", s->keep[i].name, why.text);
        else
            study_value_json(&j, s->keep[i].name, &k.value[i]);
    }
    base_json_close(&j);
    if (rc == 0)
        text = base_text_take(&j.text);
    base_json_end(&j);
    yajl_tree_free(k.json);
    for (size_t i = 0; i < s->keeps; i++)
        study_value_release(&k.value[i]);
    free(k.value);
    return text;
}
