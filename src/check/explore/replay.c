/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay: files that describe one adversarial run and how it ends. Lines of a key and a value:
 *
 *     pgasim check 1
 *     option -np
 *     option 2
 *     word ./program
 *     seed 7
 *     outcome status 134: program: a.c:20: main: Assertion `got == 7' failed.
 *     kind status 134: program: a.c:20: main: Assertion `got == N' failed.
 *     decision hold@0#0 MPI_Put by rank 0 (main, a.c:16): kept back until it is needed
 *
 * With a line "way systematic" the decisions are choices (systematic.c). In values, a backslash is written as \\ and a line's end as \n. Lines that begin with # are for people.
 */
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

static const char head[] = "pgasim check 1";

/* --- writing ------------------------------------------------------------------------------------------- */

static void write_value(FILE *out, const char *key, const char *value)
{
    fprintf(out, "%s ", key);
    for (; *value; value++)
        if (*value == '\n' || *value == '\\')
            fputs(*value == '\n' ? "\\n" : "\\\\", out);
        else
            fputc(*value, out);
    fputc('\n', out);
}

static void write_lines(FILE *out, const char *key, const struct explore_lines *l)
{
    for (size_t k = 0; k < l->line.n; k++)
        write_value(out, key, l->line.at[k]);
}

void explore_replay_write(const struct explore_replay *r, FILE *out)
{
    fprintf(out, "%s\n# A run that goes wrong. pgasim check --replay FILE repeats it.\n", head);
    write_lines(out, "option", &r->options);
    write_lines(out, "word", &r->program);
    fprintf(out, "seed %llu\n", (unsigned long long)r->seed);
    if (r->scripted)
        fputs("way systematic\n", out);
    write_value(out, "outcome", r->outcome);
    write_value(out, "kind", r->key);
    write_lines(out, "decision", &r->decisions);
}

/* --- reading ------------------------------------------------------------------------------------------- */

/* In place. */
static char *plain_value(char *value)
{
    char *to = value;
    for (const char *at = value; *at; at++)
        if (at[0] == '\\' && at[1])
            *to++ = *++at == 'n' ? '\n' : *at;
        else
            *to++ = *at;
    *to = 0;
    return value;
}

static int read_once(char **to, const char *key, const char *value, struct base_status *st)
{
    if (*to)
        return base_fail(st, "a second %s", key);
    *to = base_strdup(value);
    return 0;
}

static int read_value(struct explore_replay *r, const char *key, const char *value, bool *seeded,
                      struct base_status *st)
{
    struct {
        const char *key;
        struct explore_lines *to;
    } lists[] = {{"option", &r->options}, {"word", &r->program}, {"decision", &r->decisions}};
    for (size_t k = 0; k < BASE_LENGTH(lists); k++)
        if (!strcmp(key, lists[k].key)) {
            BASE_ARRAY_PUSH(&lists[k].to->line, base_strdup(value));
            return 0;
        }
    if (!strcmp(key, "outcome"))
        return read_once(&r->outcome, key, value, st);
    if (!strcmp(key, "kind"))
        return read_once(&r->key, key, value, st);
    if (!strcmp(key, "way")) {
        r->scripted = !strcmp(value, "systematic");
        return r->scripted ? 0 : base_fail(st, "expected systematic");
    }
    if (strcmp(key, "seed"))
        return base_fail(st, "expected option, word, seed, way, outcome, kind or decision");
    *seeded = true;
    return base_parse_uint(value, &r->seed, st);
}

static int read_line(struct explore_replay *r, char *line, bool *seeded, struct base_status *st)
{
    char *space = strchr(line, ' ');
    if (!*line || *line == '#')
        return 0;
    if (!space)
        return base_fail(st, "expected a key and a value");
    *space = 0;
    return read_value(r, line, plain_value(space + 1), seeded, st);
}

static int read_all(struct explore_replay *r, FILE *in, const char *name, struct base_status *st)
{
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    bool seeded = false;
    int failed = 0;
    struct base_status why;
    for (ssize_t n; !failed && (n = getline(&line, &size, in)) > 0;) {
        line[n - (line[n - 1] == '\n')] = 0;
        if (!number++)
            failed = strcmp(line, head) ? base_fail(st, "%s: not a file of pgasim check", name) : 0;
        else if (read_line(r, line, &seeded, &why))
            failed = base_fail(st, "%s:%u: %s", name, number, why.text);
    }
    free(line);
    if (!failed && !(number && seeded && (r->options.line.n || r->program.line.n) && r->outcome && r->key))
        failed = base_fail(st, "%s: %s", name, number ? "it ends too early" : "it is empty");
    return failed;
}

int explore_replay_read(struct explore_replay *r, FILE *in, const char *name, struct base_status *st)
{
    *r = (struct explore_replay){.seed = 0};
    if (!read_all(r, in, name, st))
        return 0;
    explore_replay_release(r);
    return -1;
}

void explore_replay_release(struct explore_replay *r)
{
    explore_lines_release(&r->options);
    explore_lines_release(&r->program);
    explore_lines_release(&r->decisions);
    free(r->outcome);
    free(r->key);
    *r = (struct explore_replay){.seed = 0};
}
