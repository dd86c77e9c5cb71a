/* SPDX-License-Identifier: BSD-3-Clause */
/* read: the file of a study, key by key. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "sweep/study/reader.h"

enum { LARGEST = 16 << 20 };

const char *const study_commands[STUDY_OTHER + 1] = {"run", "replay", "riscv", "another command"};

int study_wrong(const struct study *s, uint32_t line, struct base_status *st, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return base_fail(st, "%.100s:%u: %s", s->path, line, text);
}

/* --- scalars and lists ------------------------------------------------------------------------------ */

const char *study_scalar(struct study_reader *r, const yaml_node_t *n, const char *what)
{
    if (n && n->type == YAML_SCALAR_NODE && strlen(study_yaml_text(n)) == n->data.scalar.length)
        return study_yaml_text(n);
    (void)study_yaml_wrong(&r->yaml, n, r->st, "expected %.80s, not a list or names", what);
    return NULL;
}

int study_take_word(struct study_reader *r, const yaml_node_t *n, const char *what, char **out)
{
    const char *text = study_scalar(r, n, what);
    if (!text)
        return -1;
    free(*out);
    *out = base_strdup(text);
    return 0;
}

int study_take_text(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_text *out)
{
    if (study_take_word(r, n, what, &out->at))
        return -1;
    out->line = study_yaml_line(n);
    return 0;
}

static void push(struct study_texts *out, const char *text, size_t size, uint32_t line)
{
    struct study_text t = {base_strfmt("%.*s", (int)size, text), line};
    BASE_ARRAY_PUSH(out, t);
}

int study_take_list(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_texts *out)
{
    bool one = n->type != YAML_SEQUENCE_NODE;
    for (size_t k = 0; k < (one ? 1 : study_yaml_items(n)); k++) {
        const yaml_node_t *item = one ? n : study_yaml_node(&r->yaml, n->data.sequence.items.start[k]);
        const char *text = study_scalar(r, item, what);
        if (!text)
            return -1;
        push(out, text, strlen(text), study_yaml_line(item));
    }
    return 0;
}

/* Blanks within "${...}" do not split. */
static size_t word_length(const char *c)
{
    size_t n = 0;
    for (bool inside = false; c[n] && (inside || !strchr(" \t\n\r", c[n])); n++)
        inside = inside ? c[n] != '}' : c[n] == '$' && c[n + 1] == '{';
    return n;
}

int study_take_texts(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_texts *out)
{
    if (n->type != YAML_SCALAR_NODE)
        return study_take_list(r, n, what, out);
    const char *c = study_scalar(r, n, what);
    if (!c)
        return -1;
    for (size_t length; c += strspn(c, " \t\n\r"), *c; c += length) {
        length = word_length(c);
        push(out, c, length, study_yaml_line(n));
    }
    return 0;
}

int study_take_pairs(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_pairs *out)
{
    if (n->type != YAML_MAPPING_NODE)
        return study_yaml_wrong(&r->yaml, n, r->st, "%s: expected keys with their values", what);
    if (study_yaml_check_keys(&r->yaml, n, r->st))
        return -1;
    const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
    for (size_t k = 0; k < study_yaml_pairs(n); k++) {
        struct study_pair p = {.key = base_strdup(study_yaml_text(study_yaml_node(&r->yaml, pair[k].key)))};
        int rc = study_take_text(r, study_yaml_node(&r->yaml, pair[k].value), "a value", &p.text);
        BASE_ARRAY_PUSH(out, p);
        if (rc)
            return -1;
    }
    return 0;
}

int study_take_timeout(struct study_reader *r, const yaml_node_t *n, double *out)
{
    struct base_status why;
    const char *text = study_scalar(r, n, "a time");
    if (!text)
        return -1;
    if (base_parse_time(text, out, &why) || !(*out > 0))
        return study_yaml_wrong(&r->yaml, n, r->st,
                                "timeout: expected a time above 0, as in 10m, not '%.80s'", text);
    return 0;
}

int study_read_keys(struct study_reader *r, const yaml_node_t *map, const struct study_key *key, size_t n,
                    void *into, const char *what)
{
    if (map->type != YAML_MAPPING_NODE)
        return study_yaml_wrong(&r->yaml, map, r->st, "%s: expected keys with their values", what);
    if (study_yaml_check_keys(&r->yaml, map, r->st))
        return -1;
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    for (size_t k = 0; k < study_yaml_pairs(map); k++) {
        const yaml_node_t *at = study_yaml_node(&r->yaml, pair[k].key);
        struct base_nearest near = {.given = study_yaml_text(at)};
        const char *best = NULL;
        for (size_t i = 0; i < n; i++)
            best = base_nearest_offer(&near, key[i].name) ? key[i].name : best;
        if (!best || strcmp(best, near.given) != 0)
            return study_yaml_wrong(&r->yaml, at, r->st, "unknown key '%.80s' of %s%s%s", near.given, what,
                                    best ? "; the nearest known one is " : "", best ? best : "");
    }
    for (size_t i = 0; i < n; i++) /* in the table's order */
        for (size_t k = 0; k < study_yaml_pairs(map); k++)
            if (!strcmp(study_yaml_text(study_yaml_node(&r->yaml, pair[k].key)), key[i].name) &&
                key[i].read(r, study_yaml_node(&r->yaml, pair[k].value), into))
                return -1;
    return 0;
}

/* --- the keys of a study ---------------------------------------------------------------------------- */

#define KEY(name) static int read_##name(struct study_reader *r, const yaml_node_t *n, void *into)

KEY(title)
{
    return (void)into, study_take_word(r, n, "a title", &r->study->title);
}
KEY(database)
{
    return (void)into, study_take_word(r, n, "a file name", &r->study->database);
}
KEY(options)
{
    return (void)into, study_take_texts(r, n, "options", &r->study->options);
}
KEY(inputs)
{
    return (void)into, study_take_texts(r, n, "names of files", &r->study->inputs);
}
KEY(ranks)
{
    return (void)into, study_take_text(r, n, "a number of ranks", &r->study->ranks);
}
KEY(memory)
{
    return (void)into, study_take_text(r, n, "a size", &r->study->memory);
}
KEY(where)
{
    return (void)into, study_take_list(r, n, "a condition", &r->where);
}
KEY(arguments)
{
    return (void)into, study_take_texts(r, n, "arguments", &r->study->words);
}

KEY(command)
{
    (void)into;
    r->study->command = STUDY_OTHER;
    if (n->type == YAML_SEQUENCE_NODE)
        return study_take_list(r, n, "the words of a command", &r->study->words);
    const char *text = study_scalar(r, n, "a command");
    int k = 0;
    while (text && k < STUDY_OTHER && strcmp(text, study_commands[k]) != 0)
        k++;
    r->study->command = (enum study_command)k;
    return text && k < STUDY_OTHER
               ? 0
               : study_yaml_wrong(&r->yaml, n, r->st,
                                  "command: expected run, replay, riscv or a list of words");
}

KEY(program)
{
    (void)into;
    if (r->study->command == STUDY_OTHER)
        return study_yaml_wrong(&r->yaml, n, r->st, "the program is the first word of the command already");
    if (r->study->words.n)
        return study_yaml_wrong(&r->yaml, n, r->st, "expected either a program or a trace");
    return study_take_list(r, n, "a program", &r->study->words);
}

KEY(platform)
{
    static const char expected[] = "platform: expected the name of a file, or {generate: ARGUMENTS}";
    (void)into;
    if (n->type != YAML_MAPPING_NODE)
        return study_take_text(r, n, "a platform", &r->study->platform);
    if (study_yaml_check_keys(&r->yaml, n, r->st))
        return -1;
    const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
    if (study_yaml_pairs(n) != 1 ||
        strcmp(study_yaml_text(study_yaml_node(&r->yaml, pair->key)), "generate") != 0)
        return study_yaml_wrong(&r->yaml, n, r->st, "%s", expected);
    return study_take_text(r, study_yaml_node(&r->yaml, pair->value), expected, &r->study->generate);
}

KEY(settings)
{
    return (void)into, study_take_pairs(r, n, "settings", &r->study->settings);
}

KEY(timeout)
{
    return (void)into, study_take_timeout(r, n, &r->study->timeout);
}

KEY(directory)
{
    const char *text = study_scalar(r, n, "study or point");
    (void)into;
    if (!text)
        return -1;
    r->study->own_folder = !strcmp(text, "point");
    return r->study->own_folder || !strcmp(text, "study")
               ? 0
               : study_yaml_wrong(&r->yaml, n, r->st, "directory: expected study or point, not '%.80s'",
                                  text);
}

/* In this order: what comes later is checked with what came before. */
static const struct study_key keys[] = {{"title", read_title},         {"database", read_database},
                                        {"points", study_read_points}, {"parameters", study_read_parameters},
                                        {"seeds", study_read_seeds},   {"where", read_where},
                                        {"command", read_command},     {"program", read_program},
                                        {"trace", read_program},       {"arguments", read_arguments},
                                        {"options", read_options},     {"settings", read_settings},
                                        {"ranks", read_ranks},         {"platform", read_platform},
                                        {"inputs", read_inputs},       {"timeout", read_timeout},
                                        {"memory", read_memory},       {"directory", read_directory},
                                        {"keep", study_read_keep},     {"plots", study_read_plots},
                                        {"slurm", study_read_slurm}};

/* --- the whole -------------------------------------------------------------------------------------- */

static int check(const struct study_reader *r)
{
    const struct study *s = r->study;
    if (!s->words.n && !(s->command == STUDY_REPLAY && s->options.n)) /* which may name a list of jobs */
        return study_wrong(s, 1, r->st, "expected a program, a trace, or a command");
    if (s->command == STUDY_OTHER && (s->options.n || s->settings.n || s->platform.at || s->generate.at))
        return study_wrong(
            s, 1, r->st,
            "options, settings and platforms are of run, replay and riscv: expected them within the command");
    for (size_t k = 0; k < s->keeps; k++) {
        for (uint32_t i = 0; i < s->names; i++)
            if (!strcmp(s->keep[k].name, s->name[i]))
                return study_wrong(s, s->keep[k].what.line, r->st, "'%s' is a parameter already", s->name[i]);
    }
    return 0;
}

void study_reader_release(struct study_reader *r)
{
    for (size_t k = 0; k < r->axis.n; k++) {
        for (size_t i = 0; i < r->axis.at[k].value.n; i++)
            study_value_release(&r->axis.at[k].value.at[i]);
        free(r->axis.at[k].value.at);
    }
    for (size_t k = 0; k < r->where.n; k++)
        free(r->where.at[k].at);
    free(r->where.at);
    free(r->axis.at);
}

int study_read_text(struct study **out, const char *text, size_t size, const char *path,
                    struct base_status *st)
{
    struct study_reader r = {.st = st};
    if (study_yaml_load(&r.yaml, text, size, path, st))
        return -1;
    struct study *s = r.study = base_zalloc(sizeof *s, "a study");
    char *copy = base_strdup(path);
    s->path = base_strdup(path);
    s->folder = base_strdup(dirname(copy));
    s->timeout = STUDY_TIMEOUT;
    free(copy);
    yaml_node_t *root = study_yaml_node(&r.yaml, 1);
    int rc = root ? study_read_keys(&r, root, keys, BASE_LENGTH(keys), NULL, "the study")
                  : study_wrong(s, 1, st, "the file is empty");
    rc = rc || check(&r) || study_make_points(&r) ? -1 : 0;
    study_reader_release(&r);
    study_yaml_release(&r.yaml);
    if (rc)
        study_destroy(s);
    else
        *out = s;
    return rc;
}

/* The text of a file; NULL with st. The caller frees it. */
char *study_file_text(const char *path, size_t *bytes, struct base_status *st)
{
    struct stat file;
    int fd = base_input_open(path, &file);
    if (fd < 0 || S_ISDIR(file.st_mode)) {
        int failed = fd < 0 ? errno : EISDIR;
        if (fd >= 0)
            close(fd);
        (void)base_fail(st, "%.200s: %s", path, strerror(failed));
        return NULL;
    }
    char *text = base_alloc(LARGEST, "the text of a study");
    size_t size = 0;
    ssize_t n = 0;
    while (size < LARGEST && (n = read(fd, text + size, LARGEST - size)) > 0)
        size += (size_t)n;
    int failed = n < 0 ? errno : 0;
    close(fd);
    *bytes = size;
    if (!failed && size < LARGEST)
        return text;
    (void)(failed ? base_fail(st, "%.200s: %s", path, strerror(failed))
                  : base_fail(st, "%.200s: a study of 16 MiB or more", path));
    free(text);
    return NULL;
}

int study_read(struct study **out, const char *path, struct base_status *st)
{
    size_t size;
    char *text = study_file_text(path, &size, st);
    int rc = text ? study_read_text(out, text, size, path, st) : -1;
    free(text);
    return rc;
}
