/* SPDX-License-Identifier: BSD-3-Clause */
/* compare: medians and their intervals, errors of predictions, and what they are by program and platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "sweep/validate/parts.h"

/* --- samples ---------------------------------------------------------------------------------------- */

/* How many values lie outside the interval at each end, so that it has the true median with a probability of 95%: the
 * number of values below the median is binomial. Fewer than 6 values cannot have that, and give all they have. */
static uint32_t outside(uint32_t n)
{
    double probability = pow(0.5, n), below = 0;
    uint32_t k = 0;
    for (;; k++) {
        below += probability;
        if (2 * below > 0.05 || k + 1 > n / 2)
            break;
        probability *= (double)(n - k) / (k + 1);
    }
    return k ? k - 1 : 0;
}

/* Takes the values. */
void validate_sample_of(double *value, uint32_t n, bool real, struct validate_sample *out)
{
    out->value = value;
    out->n = n;
    out->median = out->low = out->high = NAN;
    if (!n)
        return;
    base_numbers_sort(value, n);
    uint32_t skip = real ? outside(n) : 0;
    out->median = base_numbers_median(value, n);
    out->low = value[skip];
    out->high = value[n - 1 - skip];
}

void validate_sample_release(struct validate_sample *s)
{
    free(s->value);
    s->value = NULL;
}

double validate_scale(const struct study_subject *s, bool real)
{
    const struct study_seconds *of = real ? &s->measured : &s->predicted;
    return of->whole || of->keep.source == STUDY_JSON ? 1 : s->unit;
}

/* What a row says in seconds; NAN: nothing, with a reason. */
static double seconds_of(const struct validate_case *c, bool real, const struct store_row *row,
                         const char **reason)
{
    static const char seconds[] = "\"seconds\":";
    if (real && c->pair->subject->measured.whole)
        return row->host_seconds;
    const char *found = strstr(row->kept, seconds);
    char *end = NULL;
    double x = found ? strtod(found + sizeof seconds - 1, &end) : NAN;
    bool good = found && end != found + sizeof seconds - 1 && isfinite(x) && x > 0;
    if (!good)
        *reason = "what was found in its output is no time above 0";
    return good ? x * validate_scale(c->pair->subject, real) : NAN;
}

void validate_sample_read(const struct validate_case *c, bool real, struct validate_sample *out)
{
    const struct validate_side *side = real ? &c->pair->real : &c->pair->simulated;
    double *value = base_alloc(side->each * sizeof *value, "times of runs");
    uint32_t n = 0;
    *out = (struct validate_sample){0};
    for (uint32_t k = 0; k < side->each; k++) {
        const struct store_row *row = &side->sweep.task[c->number * side->each + k].row;
        const char *reason = row->status ? row->reason : NULL;
        if (!row->status)
            continue;
        double x = store_row_ok(row) ? seconds_of(c, real, row, &reason) : NAN;
        if (!isnan(x))
            value[n++] = x;
        else if (!strcmp(row->status, "void"))
            out->voids++;
        else
            out->failed++;
        if (isnan(x) && (!out->reason || strcmp(row->status, "void") != 0))
            out->reason = reason ? reason : row->status;
    }
    validate_sample_of(value, n, real, out);
}

/* --- errors ----------------------------------------------------------------------------------------- */

/* Those that `is` says yes to. */
static bool is_of(const struct validate_case *c, const char *program, const char *platform)
{
    return c->wanted && (!program || !strcmp(program, c->pair->subject->name)) &&
           (!platform || !strcmp(platform, c->pair->platform->name));
}

/* The smallest value that 95% of all do not exceed. */
static double p95_of(const double *value, uint32_t n)
{
    uint32_t k = (uint32_t)ceil(0.95 * n - 1e-9);
    return value[k ? k - 1 : 0];
}

static void errors_of(const struct validate *v, const char *program, const char *platform,
                      struct validate_errors *out)
{
    double *size = base_alloc((v->cases + 1) * sizeof *size, "errors"), sum = 0;
    *out = (struct validate_errors){.name = program ? program : platform};
    for (size_t k = 0; k < v->cases; k++) {
        const struct validate_case *c = &v->at[k];
        if (!is_of(c, program, platform))
            continue;
        out->cases++;
        if (!c->compared)
            continue;
        size[out->n++] = fabs(c->error);
        sum += c->error;
        out->above += c->error > 0;
        out->runs += c->measured.n;
        for (uint32_t i = 0; i < c->measured.n; i++)
            out->inside +=
                c->measured.value[i] >= c->predicted.low && c->measured.value[i] <= c->predicted.high;
        out->worst = fabs(c->error) > fabs(out->worst) ? c->error : out->worst;
    }
    out->median = out->p95 = out->bias = NAN;
    if (out->n) {
        base_numbers_sort(size, out->n);
        out->median = base_numbers_median(size, out->n);
        out->p95 = p95_of(size, out->n);
        out->bias = sum / out->n;
    }
    free(size);
}

void validate_compare(struct validate *v)
{
    const struct study_validation *f = v->file;
    for (size_t k = 0; k < v->cases; k++) {
        struct validate_case *c = &v->at[k];
        validate_sample_read(c, true, &c->measured);
        validate_sample_read(c, false, &c->predicted);
        c->compared = c->measured.n && c->predicted.n;
        c->error = c->compared ? (c->predicted.median - c->measured.median) / c->measured.median : NAN;
    }
    v->program = base_zalloc(f->subjects * sizeof *v->program, "errors by program");
    v->platform = base_zalloc(f->platforms * sizeof *v->platform, "errors by platform");
    for (size_t k = 0; k < f->subjects; k++)
        errors_of(v, f->subject[k].name, NULL, &v->program[k]);
    for (size_t k = 0; k < f->platforms; k++)
        errors_of(v, NULL, f->platform[k].name, &v->platform[k]);
    errors_of(v, NULL, NULL, &v->all);
}

void validate_limits(const struct validate *v, struct validate_limit out[VALIDATE_TARGETS])
{
    const struct study_target *t = &v->file->target;
    const struct validate_errors *e = &v->all;
    out[0] = (struct validate_limit){"median", t->median, e->median};
    out[1] = (struct validate_limit){"p95", t->p95, e->p95};
    out[2] = (struct validate_limit){"worst", t->worst, fabs(e->worst)};
    out[3] = (struct validate_limit){"bias", t->bias, fabs(e->bias)};
}

bool validate_within_target(const struct validate *v)
{
    struct validate_limit limit[VALIDATE_TARGETS];
    bool within = true;
    validate_limits(v, limit);
    for (int k = 0; k < VALIDATE_TARGETS; k++)
        within &= isnan(limit[k].limit) || limit[k].is <= limit[k].limit;
    return within;
}
