/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * share: a trace as a list of files, in which ranks that do the same name the same one. Each rank's lines, with loops, are
 * written relative to it: "-" in place of the rank, "+1" for the next one. Ranks whose lines are equal but for such numbers
 * are a class. Then, from the first line on, each of these numbers is written as it is, if it is the same for all of the class,
 * or relative, if that is; else the class is parted by it, in whichever way gives fewer parts. Computations differ by rank
 * (means.h), so a line has those of all ranks of its file.
 */
#include "replay/convert/convert.h"
#include "replay/means.h"
#include "replay/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/table.h"
#include "base/text.h"

struct ranks {
    uint32_t *at;
    size_t n, cap;
};
/* Lines in which a "+" stands for a number that differs by rank. */
struct class
{
    char *lines;
    size_t n;
    struct ranks ranks;
};
struct share {
    const char *path;
    struct replay_means *means;
    uint32_t ranks, files;
    struct base_table by_lines; /* lines -> place of their class */
    BASE_ARRAY(struct class) classes;
    uint32_t **peer;        /* of each rank, by number in its lines: relative */
    uint32_t *file;         /* of each rank: the first one of those that share it */
    struct base_text lines; /* of the rank that is read */
    BASE_ARRAY(uint32_t) peers;
};
enum way { RELATIVE, ABSOLUTE };

/* --- classes -------------------------------------------------------------------------------------------- */

static void add_line(void *ctx, const char *text, size_t n)
{
    struct share *s = ctx;
    for (size_t k = 0; k < n; k++) {
        base_text_char(&s->lines, text[k]);
        if (text[k] != '+' || text[k - 1] != ' ')
            continue;
        uint32_t value = 0;
        for (; text[k + 1] >= '0' && text[k + 1] <= '9'; k++)
            value = value * 10 + (uint32_t)(text[k + 1] - '0');
        BASE_ARRAY_PUSH(&s->peers, value);
    }
}

static void end_rank(void *ctx, uint32_t rank)
{
    struct share *s = ctx;
    size_t n = s->lines.n;
    base_text_char(&s->lines, '\0'); /* there is a byte, also if there are no lines */
    uint32_t *known = base_table_find_bytes(&s->by_lines, s->lines.at, n);
    if (!known) {
        const struct class c = {.lines = base_alloc(n + 1, "lines of a trace"), .n = n};
        memcpy(c.lines, s->lines.at, n + 1);
        known = base_table_add_bytes(&s->by_lines, c.lines, n, NULL);
        *known = (uint32_t)s->classes.n;
        BASE_ARRAY_PUSH(&s->classes, c);
    }
    struct ranks *ranks = &s->classes.at[*known].ranks;
    BASE_ARRAY_PUSH(ranks, rank);
    s->peer[rank] = base_alloc((s->peers.n + 1) * sizeof **s->peer, "ranks in lines of a trace");
    if (s->peers.n)
        memcpy(s->peer[rank], s->peers.at, s->peers.n * sizeof **s->peer);
    s->lines.n = s->peers.n = 0;
}

/* --- files ---------------------------------------------------------------------------------------------- */

/* A file's name as the list has it; compressed as the list is. */
static char *name_of(const struct share *s, uint32_t rank)
{
    const char *slash = strrchr(s->path, '/'), *dot = strrchr(s->path, '.');
    bool packed = dot && (!strcmp(dot, ".gz") || !strcmp(dot, ".zst"));
    return base_strfmt("%s_files/rank-%" PRIu32 "%s", slash ? slash + 1 : s->path, rank, packed ? dot : "");
}

/* Numbers of all ranks, or one if these are the same. */
static void put_numbers(struct base_text *to, const double *of, size_t n)
{
    bool same = true;
    for (size_t k = 1; k < n; k++)
        same &= of[k] == of[0];
    base_text_char(to, ' ');
    for (size_t k = 0; k < (same ? 1 : n); k++) {
        if (k)
            base_text_char(to, ',');
        replay_put_amount(to, of[k]);
    }
}

/* A computation, in place of the number of its place. */
static void put_means(const struct share *s, struct base_text *to, const struct ranks *of, uint32_t place)
{
    double *amount = base_alloc(2 * of->n * sizeof *amount, "places of computations"),
           *counts = amount + of->n;
    bool counted = false;
    for (size_t k = 0; k < of->n; k++) {
        uint64_t count;
        amount[k] = replay_mean_of(s->means, place, of->at[k], &count);
        counts[k] = (double)count;
        counted |= count > 0;
    }
    put_numbers(to, amount, of->n);
    if (counted)
        put_numbers(to, counts, of->n);
    free(amount);
}

/* Whether it is a computation by the number of its place; those of a collective's messages are said as they are. */
static bool computes(const char *line)
{
    return !strncmp(line, "- seconds -", 11) || !strncmp(line, "- compute -", 11);
}

/* A line of a class; returns where it ends. Of one rank alone it is as in any other trace. */
static const char *put_line(const struct share *s, struct base_text *to, const char *line,
                            const struct ranks *of, const unsigned char *way, size_t *peer)
{
    uint32_t rank = of->at[0];
    const char *p = line;
    if (of->n == 1) {
        base_text_count(to, rank);
        p++;
    }
    if (computes(line)) {
        base_text_put(to, p, (size_t)(line + 9 - p));
        put_means(s, to, of, (uint32_t)strtoul(line + 11, NULL, 10) - 1);
        p = strchr(line, '\n');
    }
    for (; *p != '\n'; p++) {
        if (*p != '+' || p[-1] != ' ') {
            base_text_char(to, *p);
            continue;
        }
        uint32_t value = s->peer[rank][*peer];
        if (way[(*peer)++] == RELATIVE)
            base_text_char(to, '+');
        else
            value = (value + rank) % s->ranks;
        base_text_count(to, value);
    }
    base_text_char(to, '\n');
    return p + 1;
}

static int write_file(struct share *s, const struct class *c, const struct ranks *of,
                      const unsigned char *way, struct base_status *st)
{
    struct base_text text;
    char *name = name_of(s, of->at[0]),
         *path = base_strfmt("%.*s%s", (int)(strrchr(s->path, '/') ? strrchr(s->path, '/') + 1 - s->path : 0),
                             s->path, name);
    size_t peer = 0;
    struct replay_output *out = replay_output_open(path, st);
    base_text_init(&text, "lines of a trace");
    base_text_format(&text, REPLAY_CALLS_HEAD " %" PRIu32 "\n", s->ranks);
    for (const char *line = c->lines; out && *line;) {
        line = put_line(s, &text, line, of, way, &peer);
        replay_output_put(out, text.at, text.n);
        text.n = 0;
    }
    base_text_release(&text);
    free(path);
    free(name);
    for (size_t k = 0; k < of->n; k++)
        s->file[of->at[k]] = of->at[0];
    s->files++;
    return out ? replay_output_close(out, st) : -1;
}

/* --- parting -------------------------------------------------------------------------------------------- */

struct valued {
    uint32_t value, rank;
};

static int by_value(const void *a, const void *b)
{
    const struct valued *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->rank > y->rank) - (x->rank < y->rank);
}

/* The ranks by what the number is if it is written like this; returns how many different ones there are. */
static size_t sort(const struct share *s, const struct ranks *of, size_t peer, enum way way,
                   struct valued *out)
{
    size_t different = 1;
    for (size_t k = 0; k < of->n; k++) {
        uint32_t rank = of->at[k], value = s->peer[rank][peer];
        out[k] = (struct valued){way == RELATIVE ? value : (value + rank) % s->ranks, rank};
    }
    qsort(out, of->n, sizeof *out, by_value);
    for (size_t k = 1; k < of->n; k++)
        different += out[k].value != out[k - 1].value;
    return different;
}

static int part(struct share *s, const struct class *c, const struct ranks *of, unsigned char *way,
                size_t peer, size_t peers, struct base_status *st);

/* The ranks that have the same value each. */
static int part_by(struct share *s, const struct class *c, const struct valued *sorted, size_t n,
                   unsigned char *way, size_t peer, size_t peers, struct base_status *st)
{
    int rc = 0;
    for (size_t k = 0, end; k < n && !rc; k = end) {
        struct ranks ranks = {0};
        for (end = k; end < n && sorted[end].value == sorted[k].value; end++)
            BASE_ARRAY_PUSH(&ranks, sorted[end].rank);
        rc = part(s, c, &ranks, way, peer + 1, peers, st);
        free(ranks.at);
    }
    return rc;
}

/* From this number on; of the ones before it is known how they are written. */
static int part(struct share *s, const struct class *c, const struct ranks *of, unsigned char *way,
                size_t peer, size_t peers, struct base_status *st)
{
    struct valued *sorted = base_alloc(2 * of->n * sizeof *sorted, "ranks in lines of a trace");
    int rc = 1;
    for (; of->n > 1 && peer < peers && rc > 0; peer++) {
        size_t relative = sort(s, of, peer, RELATIVE, sorted),
               absolute = sort(s, of, peer, ABSOLUTE, sorted + of->n);
        way[peer] = relative < absolute ? RELATIVE : ABSOLUTE;
        if (relative > 1 && absolute > 1)
            rc = part_by(s, c, way[peer] == RELATIVE ? sorted : sorted + of->n, of->n, way, peer, peers, st);
    }
    free(sorted);
    if (rc <= 0)
        return rc;
    if (of->n == 1)
        memset(way, ABSOLUTE, peers);
    return write_file(s, c, of, way, st);
}

/* A class as one file or several. */
static int write_class(struct share *s, const struct class *c, struct base_status *st)
{
    size_t peers = 0;
    for (const char *p = c->lines; *p; p++)
        peers += *p == '+' && p[-1] == ' ';
    unsigned char *way = base_alloc(peers + 1, "ranks in lines of a trace");
    int rc = part(s, c, &c->ranks, way, 0, peers, st);
    free(way);
    return rc;
}

/* --- the trace ------------------------------------------------------------------------------------------ */

static int write_list(const struct share *s, struct base_status *st)
{
    struct replay_output *out = replay_output_open(s->path, st);
    if (!out)
        return -1;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        char *name = name_of(s, s->file[rank]);
        replay_output_put(out, name, strlen(name));
        replay_output_put(out, "\n", 1);
        free(name);
    }
    return replay_output_close(out, st);
}

static int write_files(struct share *s, struct base_status *st)
{
    char *folder = base_strfmt("%s_files", s->path);
    int rc = 0;
    if (mkdir(folder, 0777) && errno != EEXIST)
        rc = base_fail(st, "%.400s: the folder cannot be made: %s", folder, strerror(errno));
    free(folder);
    for (size_t k = 0; k < s->classes.n && !rc; k++)
        rc = write_class(s, &s->classes.at[k], st);
    return rc ? rc : write_list(s, st);
}

static void release(struct share *s)
{
    for (size_t k = 0; k < s->classes.n; k++) {
        free(s->classes.at[k].lines);
        free(s->classes.at[k].ranks.at);
    }
    for (uint32_t rank = 0; rank < s->ranks; rank++)
        free(s->peer[rank]);
    free(s->peer);
    free(s->file);
    free(s->peers.at);
    free(s->classes.at);
    base_text_release(&s->lines);
    base_table_release(&s->by_lines);
    replay_means_destroy(s->means);
}

static char *assumptions_of(const struct share *s)
{
    return base_strfmt("%" PRIu64 " computations take the mean of their rank's at their place, of %" PRIu32
                       "; %" PRIu32 " ranks share %" PRIu32 " files",
                       replay_means_computations(s->means), replay_means_places(s->means), s->ranks,
                       s->files);
}

int replay_trace_share(struct replay_trace *t, const char *in, const char *path, struct replay_conversion *c,
                       char **assumptions, struct base_status *st)
{
    struct share s = {.path = path};
    struct replay_tape *tape;
    if (!t->tape)
        return base_fail(st, "%s: expected a trace of actions, not schedules in GOAL", in);
    if (replay_tape_threads(t->tape))
        return base_fail(st, "%s: ranks share files only where each rank has one thread", in);
    if (replay_tape_started(t->tape))
        return base_fail(st, "%s: ranks share files only where they start no others", in);
    c->n = 0;
    s.ranks = replay_tape_ranks(t->tape);
    s.peer = base_zalloc(s.ranks * sizeof *s.peer, "ranks in lines of a trace");
    s.file = base_zalloc(s.ranks * sizeof *s.file, "ranks in lines of a trace");
    base_table_init(&s.by_lines, BASE_BYTES, sizeof(uint32_t), "lines of a trace");
    base_text_init(&s.lines, "lines of a trace");
    s.means = replay_means_create(t->tape, &tape);
    int rc = replay_convert_relative(tape, add_line, end_rank, &s, c, st);
    replay_tape_destroy(tape);
    if (!rc)
        rc = write_files(&s, st);
    if (!rc)
        *assumptions = assumptions_of(&s);
    release(&s);
    return rc;
}
