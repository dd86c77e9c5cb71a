/* SPDX-License-Identifier: BSD-3-Clause */
/* read: a file line by line; which format it is; numbers and words. */
#include "calibrate/read/read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

enum { UNKNOWN = 2000 }; /* lines that may stand before what tells the format */

static const struct read_format *const formats[] = {&calibrate_read_lines_format, &calibrate_read_imb_format,
                                                    &calibrate_read_osu_format,
                                                    &calibrate_read_simgrid_format};

int calibrate_read_fail(struct read_state *r, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return base_fail(r->st, "%.100s:%u: %s", r->name, r->line, text);
}

struct calibrate_point calibrate_read_point(const struct read_state *r, enum calibrate_kind kind,
                                            enum calibrate_mode mode)
{
    return (struct calibrate_point){.kind = kind,
                                    .mode = mode,
                                    .from = -1,
                                    .to = -1,
                                    .rank = -1,
                                    .identified = true,
                                    .file = r->file,
                                    .line = r->line};
}

void calibrate_read_add(struct read_state *r, const struct calibrate_point *p)
{
    BASE_ARRAY_PUSH(&r->table->point, *p);
}

int calibrate_read_words(char *text, char **word, int most)
{
    int n = 0;
    for (char *rest = NULL, *w = strtok_r(text, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
        if (n < most)
            word[n] = w;
        n++;
    }
    return n;
}

int calibrate_read_number(struct read_state *r, const char *what, const char *word, double least, double most,
                          double *out)
{
    char *end;
    double x = strtod(word, &end);
    if (end == word || *end || !(x >= least && x <= most))
        return calibrate_read_fail(r, "%s '%.40s': expected a number from %g to %g", what, word, least, most);
    *out = x;
    return 0;
}

/* --- samples ---------------------------------------------------------------------------------------- */

static int in_groups(const void *a, const void *b)
{
    const struct read_sample *x = a, *y = b;
    if (x->kind != y->kind || x->mode != y->mode)
        return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : x->mode < y->mode ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static double quantile(const struct read_sample *s, size_t n, double part)
{
    double at = part * (double)(n - 1);
    size_t k = (size_t)at;
    return k + 1 < n ? s[k].seconds + (at - (double)k) * (s[k + 1].seconds - s[k].seconds) : s[n - 1].seconds;
}

static void group_add(struct read_state *r, const struct read_sample *s, size_t n)
{
    struct calibrate_point p = calibrate_read_point(r, s->kind, s->mode);
    double half = 0.98 * sqrt((double)n),
           middle = (double)(n + 1) / 2; /* of the median's interval, in ranks */
    p.bytes = s->bytes;
    p.where = r->where;
    p.samples = (uint32_t)n;
    p.seconds = quantile(s, n, 0.5);
    p.low = s[middle - half < 1 ? 0 : (size_t)(middle - half) - 1].seconds;
    p.high = s[middle + half >= (double)n ? n - 1 : (size_t)ceil(middle + half) - 1].seconds;
    p.least = s[0].seconds;
    p.most = s[n - 1].seconds;
    p.q10 = quantile(s, n, 0.1);
    p.q90 = quantile(s, n, 0.9);
    p.q99 = quantile(s, n, 0.99);
    for (size_t k = 0; k < n; k++)
        p.mean += s[k].seconds / (double)n;
    calibrate_read_add(r, &p);
}

void calibrate_read_samples_end(struct read_state *r)
{
    if (!r->sample.n)
        return;
    qsort(r->sample.at, r->sample.n, sizeof *r->sample.at, in_groups);
    for (size_t k = 0, n; k < r->sample.n; k += n) {
        const struct read_sample *s = &r->sample.at[k];
        for (n = 1;
             k + n < r->sample.n && s[n].kind == s->kind && s[n].mode == s->mode && s[n].bytes == s->bytes;)
            n++;
        group_add(r, s, n);
    }
}

/* --- a file ------------------------------------------------------------------------------------------- */

/* Reads a line, without its end, into the buffer. 1: there is one; 0: the end of the file; -1 with st. */
static int next_line(struct read_state *r, FILE *in, char *buffer)
{
    size_t n = 0;
    int c;
    r->line++;
    while ((c = getc_unlocked(in)) != EOF && c != '\n') {
        if (n == READ_LINE - 1)
            return calibrate_read_fail(r, "a line of more than 1 MiB");
        if (!c)
            return calibrate_read_fail(r, "a NUL character: expected text");
        buffer[n++] = (char)c;
    }
    if (n && buffer[n - 1] == '\r')
        n--;
    buffer[n] = '\0';
    if (ferror(in))
        return base_fail(r->st, "%.200s: %s", r->name, strerror(errno));
    return n || c != EOF;
}

static const struct read_format *format_of(const char *line)
{
    for (size_t k = 0; k < BASE_LENGTH(formats); k++)
        if (formats[k]->is(line))
            return formats[k];
    return NULL;
}

static int read_all(struct read_state *r, FILE *in, char *buffer)
{
    const struct read_format *f = NULL;
    int got;
    while ((got = next_line(r, in, buffer)) > 0) {
        if (!f && (f = format_of(buffer)))
            r->table->file.at[r->file].format = f->words;
        if (f && f->line(r, buffer))
            return -1;
        if (!f && r->line == UNKNOWN)
            break;
    }
    if (got < 0)
        return -1;
    if (!f)
        return base_fail(
            r->st,
            "%.200s: expected measurements: of runtime/calibrate, or as SimGrid's platform-calibration, "
            "IMB or OSU's benchmarks write them",
            r->name);
    return f->end(r);
}

/* CR1: what was added behind these numbers is taken back. */
static void take_back(struct calibrate_table *t, size_t points, size_t ranks, size_t files)
{
    t->point.n = points;
    for (size_t k = ranks; k < t->rank.n; k++)
        free(t->rank.at[k].host);
    t->rank.n = ranks;
    for (size_t k = files; k < t->file.n; k++) {
        free(t->file.at[k].name);
        free(t->file.at[k].library);
    }
    t->file.n = files;
}

int calibrate_read_stream(struct calibrate_table *t, FILE *in, const char *name, enum calibrate_where where,
                          struct base_status *st)
{
    size_t points = t->point.n, ranks = t->rank.n, files = t->file.n;
    struct read_state r = {
        .table = t, .name = name, .file = (uint32_t)files, .where = where, .st = st, .previous = -1};
    char *buffer = base_alloc(READ_LINE, "a line of measurements");
    BASE_ARRAY_PUSH(&t->file, ((struct calibrate_file){.name = base_strdup(name)}));
    int rc = read_all(&r, in, buffer);
    if (!rc && t->point.n == points)
        rc = base_fail(st, "%.200s: there are no measurements in it", name);
    if (rc)
        take_back(t, points, ranks, files);
    free(r.sample.at);
    free(buffer);
    return rc;
}

int calibrate_read(struct calibrate_table *t, const char *path, enum calibrate_where where,
                   struct base_status *st)
{
    struct stat file;
    int fd = base_input_open(path, &file);
    if (fd < 0 || S_ISDIR(file.st_mode)) {
        int failed = fd < 0 ? errno : EISDIR;
        if (fd >= 0)
            close(fd);
        return base_fail(st, "%.200s: %s", path, strerror(failed));
    }
    FILE *in = fdopen(fd, "r");
    if (!in) {
        int failed = errno;
        close(fd);
        return base_fail(st, "%.200s: %s", path, strerror(failed));
    }
    int rc = calibrate_read_stream(t, in, path, where, st);
    (void)fclose(in);
    return rc;
}
