/* SPDX-License-Identifier: BSD-3-Clause */
/* trace: files and lines. A file that gzip or zstd has compressed is read through that program. */
#include "play/trace.h"

#include <stdlib.h>
#include <string.h>

void play_add_step(struct play_reader *x, struct play_step step)
{
    struct play_trace *t = x->trace;
    step.line = x->line;
    if (t->n == t->cap)
        t->step = base_array_grow(t->step, &t->cap, t->n + 1, sizeof *t->step, "steps of a trace");
    t->step[t->n++] = step;
}

void play_add_call(struct play_reader *x, uint32_t function, const int64_t *words, size_t n)
{
    struct play_step step = {.what = function, .at = x->trace->words.n, .n = (uint32_t)n};
    for (size_t k = 0; k < n; k++)
        record_push(&x->trace->words, words[k]);
    play_add_step(x, step);
}

/* --- loops and computation ------------------------------------------------------------------------------ */

static int loop_begin(struct play_reader *x, const struct play_words *w, struct base_status *st)
{
    double times = 0;
    if (play_amount(w, 2, &times, st))
        return -1;
    if (!(times >= 1 && times <= 0x1p53) || x->depth == PLAY_DEPTH)
        return base_fail(st, "repeat: expected at least one turn, and at most %d loops within one another",
                         PLAY_DEPTH);
    x->loop[x->depth] = x->trace->n;
    x->open_before[x->depth++] = x->n_open;
    play_add_step(x, (struct play_step){.what = PLAY_REPEAT, .times = (uint64_t)times});
    return 0;
}

static int loop_end(struct play_reader *x, struct base_status *st)
{
    if (!x->depth)
        return base_fail(st, "end: expected a repeat before");
    size_t begin = x->loop[--x->depth];
    if (x->n_open != x->open_before[x->depth])
        return base_fail(
            st, "end: a request of one turn of the loop is waited for in another, which cannot be played");
    x->trace->step[begin].at = x->trace->n;
    play_add_step(x, (struct play_step){.what = PLAY_END, .at = begin});
    return 0;
}

/* Of a shared line: the number of this rank. */
static const char *own_number(const struct play_reader *x, const char *word)
{
    for (int k = 0; x->relative && k < x->sharer && word && strchr(word, ','); k++)
        word = strchr(word, ',') + 1;
    return word;
}

int play_amount(const struct play_words *w, size_t k, double *out, struct base_status *st)
{
    char *end = NULL;
    double x = k < w->n ? strtod(w->at[k], &end) : 0;
    if (k >= w->n || end == w->at[k] || (*end && *end != ',') || !(x >= 0 && x <= 1e300))
        return base_fail(st, "%.40s %.40s: expected a number of 0 or more", w->at[1],
                         k < w->n ? w->at[k] : "");
    *out = x;
    return 0;
}

static int computation(struct play_reader *x, struct play_words *w, uint32_t what, struct base_status *st)
{
    double amount;
    if (w->n > 2)
        w->at[2] = (char *)own_number(x, w->at[2]);
    if (play_amount(w, 2, &amount, st))
        return -1;
    x->trace->flops |= what == PLAY_FLOPS && amount > 0;
    play_add_step(x, (struct play_step){.what = what, .amount = amount});
    return 0;
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static int call(struct play_reader *x, const char *text, struct base_status *st)
{
    size_t length = strcspn(text, " \t");
    uint32_t function = record_find(text, length);
    struct record_words words = {0};
    const struct record_relative to = {(uint32_t)x->wanted->rank, (uint32_t)x->wanted->ranks};
    if (function >= RECORD_MPI_FUNCTIONS || !x->wanted->has_player(function))
        return base_fail(st, "%.*s: no call that can be played on a real MPI",
                         (int)(length < 60 ? length : 60), text);
    if (record_parse_relative(&record_mpi[function], text + length, x->relative ? &to : NULL, &words, st)) {
        record_words_release(&words);
        return -1;
    }
    play_add_call(x, function, words.at, words.n);
    record_words_release(&words);
    return 0;
}

static int action(struct play_reader *x, struct play_words *w, struct base_status *st)
{
    const char *name = w->n > 1 ? w->at[1] : "";
    if (!strcmp(name, "seconds") || !strcmp(name, "sleep"))
        return computation(x, w, PLAY_SECONDS, st);
    if (!strcmp(name, "compute"))
        return computation(x, w, PLAY_FLOPS, st);
    if (!strcmp(name, "repeat"))
        return loop_begin(x, w, st);
    if (!strcmp(name, "end"))
        return loop_end(x, st);
    return play_action(x, w, st);
}

static void cut(struct play_words *w, char *line)
{
    w->n = 0;
    for (char *word = strtok(line, " \t"); word; word = strtok(NULL, " \t")) {
        if (w->n == w->cap)
            w->at = base_array_grow(w->at, &w->cap, w->n + 1, sizeof *w->at, "words of a line");
        w->at[w->n++] = word;
    }
}

/* Whose line it is: 1, mine; 0, another's or nobody's; -1: it cannot be said. */
static int whose(struct play_reader *x, const char *line, struct base_status *st)
{
    char *end;
    x->relative = line[0] == '-' && (line[1] == ' ' || line[1] == '\t');
    if (x->relative && !x->sharers)
        return base_fail(st, "-: expected a rank; - is for files that a list names");
    if (x->relative)
        return 1;
    long rank = strtol(line, &end, 10);
    if (*line < '0' || *line > '9' || (*end != ' ' && *end != '\t' && *end != '.'))
        return base_fail(st, "'%.20s': expected a rank", line);
    if (rank >= x->wanted->ranks)
        return base_fail(st, "rank %ld: the trace has more than the %d ranks that play it", rank,
                         x->wanted->ranks);
    if (*end == '.')
        return base_fail(st, "%.20s: threads of ranks cannot be played", line);
    return rank == x->wanted->rank;
}

static int line_read(struct play_reader *x, char *line, struct play_words *w, struct base_status *st)
{
    line[strcspn(line, "\r\n")] = '\0';
    line += strspn(line, " \t");
    if (!*line || *line == '#')
        return 0;
    int mine = whose(x, line, st);
    if (mine <= 0)
        return mine;
    char *times = strstr(line, " @");
    if (times)
        *times = '\0';
    char *name = line + strcspn(line, " \t");
    name += strspn(name, " \t");
    if (!strncmp(name, "MPI_", 4) || !strncmp(name, "shmem", 5) || !strncmp(name, "pgasim_", 7) ||
        !strncmp(name, "riscv_", 6))
        return call(x, name, st);
    cut(w, line);
    return action(x, w, st);
}

/* --- files ---------------------------------------------------------------------------------------------- */

struct source {
    FILE *file;
    bool piped;
};

/* The name within quotation marks of the shell. */
static void quote(char *out, size_t size, const char *program, const char *path)
{
    size_t n = (size_t)snprintf(out, size, "%s -dc -- '", program);
    for (; *path && n + 6 < size; path++)
        if (*path == '\'')
            n += (size_t)snprintf(out + n, size - n, "'\\''");
        else
            out[n++] = *path;
    snprintf(out + n, size - n, "'");
}

static int source_open(struct source *s, const char *path, struct base_status *st)
{
    unsigned char magic[4] = {0};
    char command[5000];
    *s = (struct source){.file = fopen(path, "r")};
    if (!s->file)
        return base_fail(st, "%.300s: cannot be read", path);
    size_t n = fread(magic, 1, sizeof magic, s->file);
    bool gzip = n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b,
         zstd = n == 4 && !memcmp(magic, "\x28\xb5\x2f\xfd", 4);
    rewind(s->file);
    if (!gzip && !zstd)
        return 0;
    fclose(s->file);
    quote(command, sizeof command, gzip ? "gzip" : "zstd", path);
    s->piped = true;
    s->file = popen(command, "r");
    return s->file ? 0 : base_fail(st, "%.300s: cannot be uncompressed", path);
}

/* 0, or -1 if a program has failed that uncompresses it. */
static int source_close(struct source *s, const char *path, bool all, struct base_status *st)
{
    int status = s->piped ? pclose(s->file) : fclose(s->file);
    return all && status ? base_fail(st, "%.300s: cannot be read to its end", path) : 0;
}

static int lines_read(struct play_reader *x, const char *path, struct base_status *st)
{
    struct source s;
    struct base_status why = {""};
    struct play_words w = {0};
    char *line = NULL;
    size_t size = 0;
    int rc = 0;
    if (source_open(&s, path, st))
        return -1;
    for (x->line = 1; !rc && getline(&line, &size, s.file) >= 0; x->line++)
        if ((rc = line_read(x, line, &w, &why)) < 0)
            base_fail(st, "%.300s:%u: %.400s", path, (unsigned)x->line, why.text);
    if (!rc && x->depth)
        rc = base_fail(st, "%.300s: the trace ends within a loop (repeat)", path);
    free(line);
    free(w.at);
    return source_close(&s, path, !rc, st) || rc ? -1 : 0;
}

/* --- lists of files ------------------------------------------------------------------------------------- */

/* A name is meant from the current folder, or from the list's. */
static char *resolve(const char *list, const char *name)
{
    const char *slash = strrchr(list, '/');
    FILE *here = *name == '/' || !slash ? NULL : fopen(name, "r");
    size_t folder = *name == '/' || !slash || here ? 0 : (size_t)(slash - list) + 1;
    if (here)
        fclose(here);
    char *path = calloc(1, folder + strlen(name) + 1);
    if (path) {
        memcpy(path, list, folder);
        strcpy(path + folder, name);
    }
    return path;
}

/* The line as a name, without blanks around it; NULL: it has several words or none. */
static char *name_of(char *line)
{
    line += strspn(line, " \t");
    line[strcspn(line, "\r\n")] = '\0';
    size_t n = strcspn(line, " \t");
    if (!n || *line == '#' || line[n + strspn(line + n, " \t")])
        return NULL;
    line[n] = '\0';
    return line;
}

/* The k-th file of a list is that of rank k. *found: NULL if this is no list. */
static int list_read(struct play_reader *x, const char *path, char **found, struct base_status *st)
{
    struct source s;
    char *line = NULL, **names = NULL;
    size_t size = 0, n = 0, cap = 0;
    bool list = true;
    *found = NULL;
    if (source_open(&s, path, st))
        return -1;
    while (list && getline(&line, &size, s.file) >= 0) {
        char *name = name_of(line);
        list = name || !line[strspn(line, " \t\r\n")] || line[strspn(line, " \t")] == '#';
        if (!name)
            continue;
        if (n == cap)
            names = base_array_grow(names, &cap, n + 1, sizeof *names, "names of a list");
        names[n++] = strdup(name);
    }
    free(line);
    source_close(&s, path, false, st);
    list = list && n;
    int rc = list && n > 1 && n != (size_t)x->wanted->ranks
                 ? base_fail(st, "%.300s: a trace of %zu ranks; expected %d, which play it", path, n,
                             x->wanted->ranks)
                 : 0;
    size_t own = n > 1 ? (size_t)x->wanted->rank : 0;
    if (list && !rc) {
        *found = resolve(path, names[own]);
        for (size_t k = 0; n > 1 && k < n; k++)
            if (!strcmp(names[k], names[own])) {
                x->sharer += k < own;
                x->sharers++;
            }
    }
    for (size_t k = 0; k < n; k++)
        free(names[k]);
    free(names);
    return rc;
}

int play_trace_read(struct play_trace *t, const char *path, const struct play_wanted *w,
                    struct base_status *st)
{
    struct play_reader x = {.wanted = w, .trace = t};
    char *own;
    *t = (struct play_trace){0};
    record_push(&t->words, 0); /* so that words are somewhere, also if there are none */
    int rc = list_read(&x, path, &own, st);
    t->path = own ? own : strdup(path);
    if (!rc)
        rc = lines_read(&x, t->path, st);
    if (!rc)
        play_actions_end(&x);
    free(x.open);
    return rc;
}

void play_trace_release(struct play_trace *t)
{
    free(t->path);
    free(t->step);
    record_words_release(&t->words);
    *t = (struct play_trace){0};
}
