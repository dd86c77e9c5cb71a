/* SPDX-License-Identifier: BSD-3-Clause */
/* table: what people read: a line for each case, then errors by program, by platform and of all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sweep/validate/parts.h"

enum { COLUMNS_MOST = 10 };

/* Cells, row by row. */
struct grid {
    uint32_t columns, left; /* the first ones are texts, to the left */
    struct cells {
        char **at;
        size_t n, cap;
    } cell;
};

static void put(struct grid *g, char *text)
{
    BASE_ARRAY_PUSH(&g->cell, text);
}

/* Characters, not bytes. */
static size_t width_of(const char *text)
{
    size_t n = 0;
    while (*text) {
        text += base_utf8(text) ? base_utf8(text) : 1;
        n++;
    }
    return n;
}

static void print(struct grid *g, FILE *out)
{
    size_t width[COLUMNS_MOST] = {0};
    for (size_t k = 0; k < g->cell.n; k++) {
        base_text_mask(g->cell.at[k]);
        size_t n = width_of(g->cell.at[k]);
        width[k % g->columns] = n > width[k % g->columns] ? n : width[k % g->columns];
    }
    for (size_t k = 0; k < g->cell.n; k++) {
        size_t column = k % g->columns, pad = width[column] - width_of(g->cell.at[k]);
        bool left = column < g->left, last = column + 1 == g->columns;
        fprintf(out, "%s%*s%s%*s%s", column ? "  " : "", left ? 0 : (int)pad, "", g->cell.at[k],
                left && !last ? (int)pad : 0, "", last ? "\n" : "");
        free(g->cell.at[k]);
    }
    free(g->cell.at);
}

/* --- cells ------------------------------------------------------------------------------------------ */

static char *percent(double x)
{
    return isnan(x) ? base_strdup("-") : base_strfmt("%.2f%%", 100 * x);
}

static char *signed_percent(double x)
{
    return isnan(x) ? base_strdup("-") : base_strfmt("%+.2f%%", 100 * x);
}

static char *show_time(double seconds)
{
    char buf[32];
    return base_strdup(isnan(seconds) ? "-" : base_show_time(buf, seconds));
}

static char *show_interval(const struct validate_sample *s)
{
    char low[32], high[32];
    return s->n > 1 ? base_strfmt("%s to %s", base_show_time(low, s->low), base_show_time(high, s->high))
                    : base_strdup("");
}

static char *show_runs(const struct validate_sample *s)
{
    struct base_text t;
    base_text_init(&t, "runs");
    base_text_format(&t, "%u", s->n);
    if (s->voids)
        base_text_format(&t, ", %u void", s->voids);
    if (s->failed)
        base_text_format(&t, ", %u failed", s->failed);
    return base_text_take(&t);
}

/* --- cases ------------------------------------------------------------------------------------------ */

static void head(struct grid *g, const char *const *names)
{
    for (uint32_t k = 0; k < g->columns; k++)
        put(g, base_strdup(names[k]));
}

static void print_cases(const struct validate *v, FILE *out)
{
    static const char *const names[] = {"program",  "size", "platform",  "ranks",    "measured",
                                        "interval", "runs", "predicted", "interval", "error"};
    struct grid g = {.columns = 10, .left = 3};
    bool seeds = v->file->seeds > 1;
    g.columns -= !seeds;
    for (uint32_t k = 0; k < 10; k++)
        if (seeds || k != 8)
            put(&g, base_strdup(names[k]));
    for (size_t k = 0; k < v->cases; k++) {
        const struct validate_case *c = &v->at[k];
        if (!c->wanted)
            continue;
        put(&g, base_strdup(c->pair->subject->name));
        put(&g, validate_size(c));
        put(&g, base_strdup(c->pair->platform->name));
        put(&g, base_strdup(validate_value(c, "ranks")));
        put(&g, show_time(c->measured.median));
        put(&g, show_interval(&c->measured));
        put(&g, show_runs(&c->measured));
        put(&g, show_time(c->predicted.median));
        if (seeds)
            put(&g, show_interval(&c->predicted));
        put(&g, signed_percent(c->error));
    }
    print(&g, out);
}

static void print_reasons(const struct validate *v, FILE *out)
{
    for (size_t k = 0; k < v->cases; k++) {
        const struct validate_case *c = &v->at[k];
        const char *measured = c->measured.reason, *predicted = c->predicted.reason;
        char *size = validate_size(c);
        if (c->wanted && measured)
            fprintf(out, "%s %s on %s, %s ranks, real: %s\n", c->pair->subject->name, size,
                    c->pair->platform->name, validate_value(c, "ranks"), measured);
        if (c->wanted && predicted)
            fprintf(out, "%s %s on %s, %s ranks, simulated: %s\n", c->pair->subject->name, size,
                    c->pair->platform->name, validate_value(c, "ranks"), predicted);
        free(size);
    }
}

/* --- errors ----------------------------------------------------------------------------------------- */

static void put_errors(struct grid *g, const struct validate_errors *e, const char *name)
{
    put(g, base_strdup(name));
    put(g, e->n < e->cases ? base_strfmt("%u of %u", e->n, e->cases) : base_strfmt("%u", e->n));
    put(g, percent(e->median));
    put(g, percent(e->p95));
    put(g, e->n ? signed_percent(e->worst) : base_strdup("-"));
    put(g, signed_percent(e->bias));
    put(g, base_strfmt("%u", e->above));
}

static void print_errors(const struct validate *v, FILE *out)
{
    static const char *const names[] = {"errors of", "cases", "median", "95%", "worst", "bias", "too long"};
    struct grid g = {.columns = BASE_LENGTH(names), .left = 1};
    head(&g, names);
    for (size_t k = 0; k < v->file->subjects; k++)
        if (v->program[k].cases)
            put_errors(&g, &v->program[k], v->program[k].name);
    for (size_t k = 0; v->file->platforms > 1 && k < v->file->platforms; k++)
        if (v->platform[k].cases) {
            char *name = base_strfmt("on %s", v->platform[k].name);
            put_errors(&g, &v->platform[k], name);
            free(name);
        }
    put_errors(&g, &v->all, "all");
    print(&g, out);
    if (v->file->seeds > 1 && v->all.runs)
        fprintf(out, "%.1f%% of %u real runs are within the interval of the seeds\n",
                100.0 * v->all.inside / v->all.runs, v->all.runs);
}

static void print_target(const struct validate *v, FILE *out)
{
    struct validate_limit limit[VALIDATE_TARGETS];
    validate_limits(v, limit);
    for (int k = 0; k < VALIDATE_TARGETS; k++)
        if (!isnan(limit[k].limit))
            fprintf(out, "target: %s at most %.3g%%: %.3g%%, %s\n", limit[k].name, 100 * limit[k].limit,
                    100 * limit[k].is, limit[k].is <= limit[k].limit ? "met" : "missed");
}

/* --- an earlier version ----------------------------------------------------------------------------- */

static void print_changes(const struct validate *v, FILE *out)
{
    struct grid g = {.columns = 7, .left = 3};
    static const char *const names[] = {"changed", "size", "platform", "ranks", "earlier", "now", ""};
    if (v->worse || v->better)
        head(&g, names);
    for (size_t k = 0; k < v->cases; k++) {
        const struct validate_case *c = &v->at[k];
        double more = fabs(c->error) - fabs(c->earlier);
        if (!c->wanted || isnan(c->earlier) || fabs(more) <= VALIDATE_CHANGE)
            continue;
        put(&g, base_strdup(c->pair->subject->name));
        put(&g, validate_size(c));
        put(&g, base_strdup(c->pair->platform->name));
        put(&g, base_strdup(validate_value(c, "ranks")));
        put(&g, signed_percent(c->earlier));
        put(&g, signed_percent(c->error));
        put(&g, base_strdup(more > 0 ? "worse" : "better"));
    }
    fprintf(out, "\nagainst %s: %u predictions worse, %u better, %u equal, %u without an earlier one\n",
            v->q->against, v->worse, v->better, v->earlier - v->worse - v->better, v->all.n - v->earlier);
    print(&g, out);
}

void validate_table(const struct validate *v, FILE *out)
{
    print_cases(v, out);
    print_reasons(v, out);
    fputc('\n', out);
    print_errors(v, out);
    print_target(v, out);
    if (v->q->against)
        print_changes(v, out);
}
