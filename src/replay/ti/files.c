/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files: a time-independent trace is one file with the lines of all ranks, or a list of files, one to a line, the k-th
 * of which has the lines of rank k. Ranks may share a file: there "-" is the rank whose lines are read.
 */
#include "base/table.h"
#include "replay/input/input.h"
#include "replay/ti/line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line with something on it, without its end; false: there is none in these bytes. */
static bool first_line(const char *head, size_t n, char *line, size_t size)
{
    for (size_t at = 0; at < n;) {
        const char *end = memchr(head + at, '\n', n - at);
        size_t length = end ? (size_t)(end - head) - at : n - at;
        snprintf(line, size, "%.*s", (int)(length < size ? length : size - 1), head + at);
        const char *p = line + strspn(line, " \t\r");
        if (*p && *p != '#')
            return true;
        at += length + 1;
    }
    return false;
}

/* "rank action ..."; or "- action ...", which is of a file that a list names. */
static bool is_action(const char *line)
{
    uint32_t rank;
    char first[8], word[64];
    return (replay_ti_rank_of(line, &rank) || (sscanf(line, "%7s", first) == 1 && !strcmp(first, "-"))) &&
           sscanf(line, "%*s %63s", word) == 1;
}

/* The name of one file. */
static bool is_name(const char *line)
{
    line += strspn(line, " \t");
    size_t length = strcspn(line, " \t\r");
    return length && !line[length + strspn(line + length, " \t\r")];
}

bool replay_ti_is(const char *head, size_t n)
{
    char line[4096];
    return !memchr(head, '\0', n) && first_line(head, n, line, sizeof line) &&
           (is_action(line) || is_name(line));
}

static enum replay_ti_version version_of(const char *head, size_t n)
{
    for (const char *p = head, *end; (size_t)(p - head) < n; p = end + 1) {
        char line[256];
        end = memchr(p, '\n', n - (size_t)(p - head));
        if (!end)
            break; /* the last line may be cut off */
        snprintf(line, sizeof line, "%.*s", (int)(end - p < 255 ? end - p : 255), p);
        enum replay_ti_version v = replay_ti_version_of(line);
        if (v != REPLAY_TI_EITHER)
            return v;
    }
    return REPLAY_TI_EITHER;
}

static int fail_at(const struct replay_input *in, const char *why, struct base_status *st)
{
    return base_fail(st, "%s:%" PRIu32 ": %.400s", replay_input_path(in), replay_input_line_number(in), why);
}

/* --- a file of lines -------------------------------------------------------------------------------- */

static int write_action(struct replay_tape *t, struct replay_ti_reader *x, uint32_t line,
                        struct base_status *st)
{
    const struct replay_action times = {.kind = REPLAY_TIMES,
                                        .line = line,
                                        .amount = (double)x->times.begin,
                                        .bytes = (uint64_t)x->times.duration};
    uint32_t rank = x->rank;
    x->action.line = line;
    if (x->thread > 1) { /* what is its own is on the tape of further threads */
        rank = replay_tape_thread(t, x->rank, x->thread);
        if (x->action.kind == REPLAY_THREAD_EXIT)
            replay_tape_rank_ends(t, x->rank);
        t = replay_tape_threads(t);
    }
    if (x->action.kind == REPLAY_LOOP)
        return replay_tape_loop(t, rank, line, x->action.number, st);
    if (x->action.kind == REPLAY_LOOP_END)
        return replay_tape_loop_end(t, rank, line, st);
    if (x->times.known && replay_tape_keeps_times(t))
        replay_tape_write(t, rank, &times);
    replay_tape_write(t, rank, &x->action);
    return 0;
}

/* Of one rank alone, or, with `rank` REPLAY_ANY, of all. */
static int read_lines(struct replay_tape *t, struct replay_input *in, struct replay_ti_reader *x,
                      uint32_t rank, struct base_status *st)
{
    char *line;
    struct base_status why;
    int got;
    while ((got = replay_input_line(in, &line, st)) > 0) {
        int found = replay_ti_line(x, line, &why);
        if (found < 0)
            return fail_at(in, why.text, st);
        if (!found)
            continue;
        if (rank != REPLAY_ANY && x->rank != rank) {
            base_warn("replay/other-rank",
                      "%s:%" PRIu32 ": an action of rank %" PRIu32 " in the file of rank %" PRIu32
                      " is left out",
                      replay_input_path(in), replay_input_line_number(in), x->rank, rank);
            continue;
        }
        x->highest = x->rank > x->highest ? x->rank : x->highest;
        if (write_action(t, x, replay_input_line_number(in), &why))
            return fail_at(in, why.text, st);
    }
    if (!got && replay_tape_loops_closed(t, &why))
        return fail_at(in, why.text, st);
    return got;
}

/* How many ranks the file has. `given`: that begin with it; 0: nobody has said. */
static int count_ranks(const char *path, struct replay_input *in, uint32_t given, struct replay_ti_ranks *out,
                       struct base_status *st)
{
    size_t n;
    const char *head = (const char *)replay_input_peek(in, &n, st);
    *out = (struct replay_ti_ranks){given, given};
    if (!head)
        return -1;
    if (given && !replay_ti_may_start(head, n))
        return 0;
    if (replay_ti_count(path, out, st))
        return -1;
    bool starts = out->all > out->initial;
    if (given && starts && out->initial != given)
        return base_fail(
            st, "%s: %" PRIu32 " ranks begin with the trace: expected as many as are asked for, %" PRIu32,
            path, out->initial, given);
    if (given && !starts)
        *out = (struct replay_ti_ranks){given, given};
    return 0;
}

static int read_one(struct replay_tape *t, const char *path, struct replay_input *in, uint32_t ranks,
                    bool old, struct base_status *st)
{
    struct replay_ti_reader x;
    struct replay_ti_ranks has;
    enum { MOST = 1 << 22 };
    if (count_ranks(path, in, ranks, &has, st))
        return -1;
    if (has.all > MOST)
        return base_fail(st, "%s: rank %" PRIu32 ": expected %d ranks at most", path, has.all - 1, MOST);
    replay_ti_reader_init(&x, has, old);
    replay_tape_ranks_least(t, has.all);
    replay_tape_set_initial(t, has.initial);
    int rc = read_lines(t, in, &x, REPLAY_ANY, st);
    if (!rc && ranks && x.highest + 1 < ranks)
        base_warn("replay/idle-ranks", "%s: the trace has no action of ranks %" PRIu32 " to %" PRIu32, path,
                  x.highest + 1, ranks - 1);
    replay_ti_reader_release(&x);
    return rc;
}

/* --- a list of files -------------------------------------------------------------------------------- */

struct list {
    char **at;
    size_t n, cap;
};

static void list_release(struct list *l)
{
    for (size_t k = 0; k < l->n; k++)
        free(l->at[k]);
    free(l->at);
}

/* A name is meant from where pgasim was started, as SMPI does; or, if there is no such file, from the list's
 * folder. */
static char *resolve(const char *list, const char *name)
{
    const char *slash = strrchr(list, '/');
    if (*name == '/' || !slash || !access(name, F_OK))
        return base_strdup(name);
    return base_strfmt("%.*s/%s", (int)(slash - list), list, name);
}

static int read_names(struct list *l, struct replay_input *in, struct base_status *st)
{
    char *line;
    int got;
    while ((got = replay_input_line(in, &line, st)) > 0) {
        line += strspn(line, " \t");
        if (!*line || *line == '#')
            continue;
        if (!is_name(line))
            return fail_at(in, "expected the name of one file", st);
        line[strcspn(line, " \t\r")] = '\0';
        BASE_ARRAY_PUSH(l, resolve(replay_input_path(in), line));
    }
    return got;
}

static int read_file_of(struct replay_tape *t, const char *path, struct replay_ti_reader *x, uint32_t rank,
                        struct base_status *st)
{
    size_t n;
    struct replay_input *in = replay_input_open(path, st);
    if (!in)
        return -1;
    const unsigned char *head = replay_input_peek(in, &n, st);
    int rc = -1;
    if (head) {
        enum replay_ti_version v = version_of((const char *)head, n);
        x->old = v == REPLAY_TI_EITHER ? x->old : v == REPLAY_TI_OLD;
        rc = read_lines(t, in, x, rank, st);
    }
    replay_input_close(in);
    return rc;
}

static int read_of_all(struct replay_tape *t, const char *path, uint32_t ranks, struct base_status *st)
{
    size_t n;
    struct replay_input *in = replay_input_open(path, st);
    const char *head = in ? (const char *)replay_input_peek(in, &n, st) : NULL;
    int rc = head ? read_one(t, path, in, ranks, version_of(head, n) == REPLAY_TI_OLD, st) : -1;
    replay_input_close(in);
    return rc;
}

/* How many ranks have a file of this name, so far. */
static uint32_t *sharers_of(struct base_table *names, const char *name)
{
    bool fresh;
    return base_table_add_bytes(names, name, strlen(name), &fresh);
}

/* Several ranks may name one file. */
static int read_each(struct replay_tape *t, const struct list *files, struct base_status *st)
{
    struct base_table all, met;
    struct replay_ti_reader x;
    int rc = 0;
    base_table_init(&all, BASE_BYTES, sizeof(uint32_t), "files of a trace");
    base_table_init(&met, BASE_BYTES, sizeof(uint32_t), "files of a trace");
    for (size_t k = 0; k < files->n; k++)
        ++*sharers_of(&all, files->at[k]);
    replay_ti_reader_init(&x, (struct replay_ti_ranks){(uint32_t)files->n, (uint32_t)files->n}, false);
    replay_tape_ranks_least(t, (uint32_t)files->n);
    for (size_t k = 0; k < files->n && !rc; k++) {
        x.own = (uint32_t)k;
        x.sharer = (*sharers_of(&met, files->at[k]))++;
        x.sharers = *sharers_of(&all, files->at[k]);
        rc = read_file_of(t, files->at[k], &x, (uint32_t)k, st);
    }
    replay_ti_reader_release(&x);
    base_table_release(&met);
    base_table_release(&all);
    return rc;
}

static int read_list(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    struct list files = {0};
    int rc = read_names(&files, in, st);
    if (!rc && files.n == 1) { /* as SMPI has it: the one file has the lines of all ranks */
        rc = read_of_all(t, files.at[0], ranks, st);
        list_release(&files);
        return rc;
    }
    if (!rc && ranks && ranks != files.n)
        rc = base_fail(st, "%s: %zu files, one for each rank; expected %" PRIu32 ", the number of ranks",
                       replay_input_path(in), files.n, ranks);
    if (!rc)
        rc = read_each(t, &files, st);
    list_release(&files);
    return rc;
}

int replay_ti_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    char line[4096];
    size_t n;
    const char *head = (const char *)replay_input_peek(in, &n, st), *path = replay_input_path(in);
    if (!head)
        return -1;
    if (!first_line(head, n, line, sizeof line))
        return base_fail(st, "%s: the trace is empty", path);
    if (is_action(line))
        return read_one(t, path, in, ranks, version_of(head, n) == REPLAY_TI_OLD, st);
    return read_list(t, in, ranks, st);
}
