/* SPDX-License-Identifier: BSD-3-Clause */
/* export: cases as CSV (RFC 4180), and all results as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/validate/parts.h"

enum { DIGITS = 10 };

/* --- CSV -------------------------------------------------------------------------------------------- */

static void cell(FILE *out, const char *text, bool last)
{
    bool quoted = text[strcspn(text, ",\"\r\n")] || *text == ' ';
    if (quoted)
        fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"" : "", out);
    fputc(last ? '\n' : ',', out);
}

static void number(FILE *out, double x, bool last)
{
    char text[32] = "";
    if (isfinite(x))
        snprintf(text, sizeof text, "%.*g", DIGITS, x);
    cell(out, text, last);
}

static void sample(FILE *out, const struct validate_sample *s)
{
    number(out, s->median, false);
    number(out, s->low, false);
    number(out, s->high, false);
    number(out, s->n, false);
    number(out, s->voids, false);
    number(out, s->failed, false);
}

void validate_csv(const struct validate *v, FILE *out)
{
    fputs("program,size,platform,ranks,measured,measured_low,measured_high,measured_runs,measured_void,"
          "measured_failed,predicted,predicted_low,predicted_high,predicted_runs,predicted_void,"
          "predicted_failed,error,earlier_error\n",
          out);
    for (size_t k = 0; k < v->cases; k++) {
        const struct validate_case *c = &v->at[k];
        if (!c->wanted)
            continue;
        char *size = validate_size(c);
        cell(out, c->pair->subject->name, false);
        cell(out, size, false);
        cell(out, c->pair->platform->name, false);
        cell(out, validate_value(c, "ranks"), false);
        sample(out, &c->measured);
        sample(out, &c->predicted);
        number(out, c->error, false);
        number(out, c->earlier, true);
        free(size);
    }
}

/* --- JSON ------------------------------------------------------------------------------------------- */

static void json_sample(struct base_json *j, const char *key, const struct validate_sample *s)
{
    base_json_open(j, key, '{');
    base_json_digits(j, "median", s->median, DIGITS);
    base_json_digits(j, "low", s->low, DIGITS);
    base_json_digits(j, "high", s->high, DIGITS);
    base_json_count(j, "runs", s->n);
    base_json_count(j, "void", s->voids);
    base_json_count(j, "failed", s->failed);
    if (s->reason)
        base_json_text(j, "reason", s->reason);
    base_json_close(j);
}

static void json_case(struct base_json *j, const struct validate_case *c)
{
    const struct study *s = c->pair->simulated.sweep.study;
    const struct study_point *p = &s->point[(size_t)c->number * c->pair->simulated.each];
    base_json_open(j, NULL, '{');
    for (uint32_t k = 1; k < 2 + c->pair->subject->study->names; k++) /* not the side, nor the seed */
        study_value_json(j, s->name[k], &p->value[k]);
    json_sample(j, "measured", &c->measured);
    json_sample(j, "predicted", &c->predicted);
    base_json_digits(j, "error", c->error, DIGITS);
    if (!isnan(c->earlier))
        base_json_digits(j, "earlier_error", c->earlier, DIGITS);
    base_json_close(j);
}

static void json_errors(struct base_json *j, const char *key, const struct validate_errors *e)
{
    base_json_open(j, key, '{');
    if (e->name)
        base_json_text(j, "name", e->name);
    base_json_count(j, "cases", e->cases);
    base_json_count(j, "compared", e->n);
    base_json_digits(j, "median", e->median, DIGITS);
    base_json_digits(j, "p95", e->p95, DIGITS);
    base_json_digits(j, "worst", e->n ? e->worst : NAN, DIGITS);
    base_json_digits(j, "bias", e->bias, DIGITS);
    base_json_count(j, "too_long", e->above);
    base_json_count(j, "real_runs", e->runs);
    base_json_count(j, "within_seeds", e->inside);
    base_json_close(j);
}

static void json_target(struct base_json *j, const struct validate *v)
{
    struct validate_limit limit[VALIDATE_TARGETS];
    validate_limits(v, limit);
    base_json_open(j, "target", '{');
    for (int k = 0; k < VALIDATE_TARGETS; k++)
        if (!isnan(limit[k].limit))
            base_json_digits(j, limit[k].name, limit[k].limit, DIGITS);
    base_json_flag(j, "met", validate_within_target(v));
    base_json_close(j);
}

void validate_json(const struct validate *v, FILE *out)
{
    struct base_json j;
    base_json_init(&j, out, &(struct base_json_form){.indent = " "});
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "title", v->file->title);
    base_json_text(&j, "pgasim", v->q->version);
    base_json_text(&j, "machine", v->machine);
    base_json_text(&j, "kernel", v->kernel);
    base_json_open(&j, "cases", '[');
    for (size_t k = 0; k < v->cases; k++)
        if (v->at[k].wanted)
            json_case(&j, &v->at[k]);
    base_json_close(&j);
    base_json_open(&j, "programs", '[');
    for (size_t k = 0; k < v->file->subjects; k++)
        json_errors(&j, NULL, &v->program[k]);
    base_json_close(&j);
    base_json_open(&j, "platforms", '[');
    for (size_t k = 0; k < v->file->platforms; k++)
        json_errors(&j, NULL, &v->platform[k]);
    base_json_close(&j);
    json_errors(&j, "all", &v->all);
    json_target(&j, v);
    if (v->q->against) {
        base_json_open(&j, "against", '{');
        base_json_text(&j, "database", v->q->against);
        base_json_count(&j, "worse", v->worse);
        base_json_count(&j, "better", v->better);
        base_json_count(&j, "compared", v->earlier);
        base_json_close(&j);
    }
    base_json_close(&j);
    base_json_end(&j);
    fputc('\n', out);
}
