/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swf: workloads in the Standard Workload Format: a line of 18 numbers for each job, where -1 stands for what is not
 * known; `;` begins a comment. Of these are used: the job's number (1), when it was submitted (2), how long it ran
 * (4), its processors (5; if not known, those that were asked for, 8), the time that its user asked for (9; if not
 * known, how long it ran), and the number of its executable (14). A job whose executable has no trace takes its processors for the time that it ran.
 */
#include "replay/jobs/jobs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "record/record.h"

enum { NUMBER, SUBMITTED, RAN = 3, PROCESSORS, ASKED = 7, REQUESTED, EXECUTABLE = 13, NEEDED, FIELDS = 18 };
static const double seconds_most = 1e12;

struct reader {
    struct replay_list *list;
    const struct replay_job_traces *traces;
    uint32_t line;
    double field[FIELDS];
    struct base_status *st;
};

/* --- traces by executable ---------------------------------------------------------------------------- */

/* Where the path begins in "[NUMBER=]PATH"; *executable: -1 for all. */
static const char *path_of(const char *given, double *executable)
{
    size_t digits = strspn(given, "0123456789");
    *executable = -1;
    if (!digits || given[digits] != '=')
        return given;
    *executable = strtod(given, NULL);
    return given + digits + 1;
}

/* "%n" is the number of processors. */
static char *fill(const char *path, uint32_t processors)
{
    struct base_text out;
    base_text_init(&out, "a trace's path");
    for (const char *p = path; *p; p++) {
        if (p[0] == '%' && p[1] == 'n') {
            base_text_count(&out, processors);
            p++;
        } else {
            base_text_char(&out, *p);
        }
    }
    return base_text_take(&out);
}

/* The executable's own trace, or the one for all, or NULL. */
static char *trace_for(const struct reader *x, uint32_t processors)
{
    const char *found = NULL;
    double executable;
    for (size_t k = 0; k < x->traces->n; k++) {
        const char *path = path_of(x->traces->at[k], &executable);
        if (executable >= 0 && executable == x->field[EXECUTABLE])
            return fill(path, processors);
        if (executable < 0)
            found = path;
    }
    return found ? fill(found, processors) : NULL;
}

/* --- lines ------------------------------------------------------------------------------------------- */

static int fail(const struct reader *x, const char *what, const char *expected)
{
    return base_fail(x->st, "%s:%" PRIu32 ": %.80s: expected %s", x->list->path, x->line, what, expected);
}

/* Old logs leave out the last fields. */
static int read_fields(struct reader *x, char *line, size_t *n)
{
    char *rest = NULL;
    struct base_status why;
    *n = 0;
    for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        if (*n == FIELDS)
            return fail(x, word, "18 numbers on a line");
        if (base_parse_double(word, &x->field[*n], &why) || !isfinite(x->field[*n]))
            return fail(x, word, "a number");
        ++*n;
    }
    if (*n && *n < NEEDED)
        return fail(x, "the end of the line", "18 numbers, of which the 14th is that of the executable");
    return 0;
}

static int add_job(struct reader *x)
{
    double processors = x->field[PROCESSORS] > 0 ? x->field[PROCESSORS] : x->field[ASKED];
    if (!(processors > 0)) { /* it was cancelled before it began */
        x->list->left_out++;
        return 0;
    }
    if (processors > RECORD_RANKS_MOST || processors != floor(processors))
        return fail(x, "the number of processors", "a whole number up to 4194304");
    if (x->field[SUBMITTED] < 0 || x->field[SUBMITTED] > seconds_most)
        return fail(x, "the time at which the job is submitted", "seconds from 0 to 1e12");
    if (x->field[RAN] > seconds_most)
        return fail(x, "the time that the job ran", "1e12 seconds at most");
    if (x->field[REQUESTED] > seconds_most)
        return fail(x, "the time that was asked for", "1e12 seconds at most");
    struct replay_entry e = {.line = x->line,
                             .start = x->field[SUBMITTED],
                             .ranks = (uint32_t)processors,
                             .seconds = x->field[RAN] > 0 ? x->field[RAN] : 0,
                             .placement = REPLAY_PACKED,
                             .compute_scale = 1};
    e.expected = x->field[REQUESTED] > 0 ? x->field[REQUESTED] : e.seconds;
    e.name = base_strfmt("%.15g", x->field[NUMBER]);
    e.trace = trace_for(x, e.ranks);
    BASE_ARRAY_PUSH(&x->list->at, e);
    return 0;
}

static int read_line(struct reader *x, char *line)
{
    size_t n;
    line[strcspn(line, ";")] = '\0';
    if (read_fields(x, line, &n))
        return -1;
    return n ? add_job(x) : 0;
}

/* Jobs are in the order of submission already, mostly; those of one time stay in the order of their lines. */
static int by_time(const void *a, const void *b)
{
    const struct replay_entry *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

int replay_swf_parse(struct replay_list *l, const char *text, size_t bytes,
                     const struct replay_job_traces *traces, struct base_status *st)
{
    struct reader x = {.list = l, .traces = traces, .st = st};
    int rc = 0;
    l->queued = true;
    for (const char *p = text, *end = text + bytes, *stop; p < end && !rc; p = stop + 1) {
        stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        char *line = base_strfmt("%.*s", (int)(stop - p), p);
        x.line++;
        rc = read_line(&x, line);
        free(line);
    }
    if (!rc && !l->at.n)
        rc = base_fail(st, "%s: expected a list of jobs: JSON, or lines of the Standard Workload Format",
                       l->path);
    if (!rc)
        qsort(l->at.at, l->at.n, sizeof *l->at.at, by_time);
    return rc;
}
