/* SPDX-License-Identifier: BSD-3-Clause */
/* read: distributions as text, and files that hold one. */
#include "noise/internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 20 };
static const char space[] = " \t\r\n";

/* --- files --------------------------------------------------------------------------------------------------------- */

/* What follows a '#' on its line is a comment. */
static void blank_comments(char *text)
{
    for (char *at = text; (at = strchr(at, '#'));)
        memset(at, ' ', strcspn(at, "\n"));
}

static char *file_text(const char *name, struct base_status *st)
{
    FILE *f = fopen(name, "r");
    if (!f) {
        base_fail(st, "%s: cannot be read: %s", name, strerror(errno));
        return NULL;
    }
    char *text = base_alloc(LARGEST_FILE + 1, "a file of noise");
    size_t n = fread(text, 1, LARGEST_FILE + 1, f);
    bool bad = ferror(f) != 0 || n > LARGEST_FILE || memchr(text, 0, n);
    fclose(f);
    if (bad) {
        free(text);
        base_fail(st, "%s: expected a text of 1 MiB at most", name);
        return NULL;
    }
    text[n] = 0;
    blank_comments(text);
    return text;
}

char *noise_text(const char *value, struct base_status *st)
{
    return strncmp(value, "file:", 5) ? base_strdup(value) : file_text(value + 5, st);
}

/* --- numbers ------------------------------------------------------------------------------------------------------- */

static char *trim(char *word)
{
    word += strspn(word, space);
    for (size_t n = strlen(word); n && strchr(space, word[n - 1]);)
        word[--n] = 0;
    return word;
}

static int number_read(double *out, char *text, double least, double most, struct base_status *st)
{
    char *word = trim(text);
    if (base_parse_double(word, out, NULL) || !(*out >= least && *out <= most))
        return base_fail(st, "'%.40s': expected a number from %g to %g", word, least, most);
    return 0;
}

static int value_read(double *out, char *text, enum noise_unit unit, struct base_status *st)
{
    char *word = trim(text);
    if (unit == NOISE_FACTOR)
        return number_read(out, word, 0, 1e9, st);
    if (base_parse_time(word, out, NULL) || !(*out >= 0 && *out <= 1e12))
        return base_fail(st, "'%.40s': expected a time from 0 to 1e12s, such as 2.5us", word);
    return 0;
}

/* --- lists of quantiles ---------------------------------------------------------------------------------------- */

/* Pareto's exponent: above 1, so that there is a mean. */
static int exponent_read(double *out, char *text, struct base_status *st)
{
    return number_read(out, text, 1.01, 1e6, st);
}

static int point_read(struct noise_distribution *d, char *text, enum noise_unit unit, struct base_status *st)
{
    struct noise_point p, *last = d->points ? &d->point[d->points - 1] : NULL;
    char *word = trim(text), *value = strchr(word, '=');
    if (!value)
        return base_fail(st, "'%.40s': expected PART=VALUE, such as 0.99=3us, or tail=EXPONENT", word);
    *value++ = 0;
    if (!strcmp(trim(word), "tail"))
        return exponent_read(&d->tail, value, st);
    if (number_read(&p.q, word, 0, 1, st) || value_read(&p.value, value, unit, st))
        return -1;
    if (last && !(p.q > last->q && p.value >= last->value))
        return base_fail(st, "'%.40s=%.40s': expected parts that rise, and values that do not fall", word,
                         value);
    d->point = base_realloc(d->point, (d->points + 1) * sizeof *d->point, "quantiles of noise");
    d->point[d->points++] = p;
    return 0;
}

static int list_read(struct noise_distribution *d, char *text, enum noise_unit unit, struct base_status *st)
{
    for (char *one; (one = strsep(&text, ","));)
        if (point_read(d, one, unit, st))
            return -1;
    return d->points ? 0 : base_fail(st, "expected quantiles, such as quantiles:0=1us,0.5=2us,1=9us");
}

/* --- distributions ------------------------------------------------------------------------------------------------- */

enum parameter { NONE, VALUE, SIGMA, SHAPE, EXPONENT };
static const struct {
    const char *name;
    enum noise_form form;
    enum parameter a, b;
} forms[] = {
    {"constant", NOISE_CONSTANT, VALUE, NONE},
    {"uniform", NOISE_UNIFORM, VALUE, VALUE},
    {"exponential", NOISE_EXPONENTIAL, VALUE, NONE},
    {"lognormal", NOISE_LOGNORMAL, VALUE, SIGMA},
    {"gamma", NOISE_GAMMA, SHAPE, VALUE},
    {"pareto", NOISE_PARETO, VALUE, EXPONENT},
    {"quantiles", NOISE_QUANTILES, NONE, NONE},
};
static const char expected[] =
    "expected constant:X, uniform:LEAST:MOST, exponential:MEAN, lognormal:MEDIAN:SIGMA, "
    "gamma:SHAPE:MEAN, pareto:LEAST:EXPONENT or quantiles:PART=X,...";

static int parameter_read(double *out, char **rest, enum parameter what, enum noise_unit unit,
                          struct base_status *st)
{
    char *one = what == NONE ? NULL : strsep(rest, ":");
    if (what == NONE)
        return 0;
    if (!one)
        return base_fail(st, "a value is missing; %s", expected);
    if (what == VALUE)
        return value_read(out, one, unit, st);
    if (what == EXPONENT)
        return exponent_read(out, one, st);
    return what == SIGMA ? number_read(out, one, 0, 10, st) : number_read(out, one, 0.01, 1e6, st);
}

static int fill(struct noise_distribution *d, char *text, enum noise_unit unit, struct base_status *st)
{
    char *rest = trim(text), *name = trim(strsep(&rest, ":"));
    size_t k = 0;
    while (k < BASE_LENGTH(forms) && strcmp(forms[k].name, name) != 0)
        k++;
    if (k == BASE_LENGTH(forms))
        return base_fail(st, "'%.40s': %s", name, expected);
    d->form = forms[k].form;
    if (d->form == NOISE_QUANTILES)
        return list_read(d, rest ? rest : name + strlen(name), unit, st);
    if (parameter_read(&d->a, &rest, forms[k].a, unit, st) ||
        parameter_read(&d->b, &rest, forms[k].b, unit, st))
        return -1;
    if (rest)
        return base_fail(st, "'%.40s': one value too many; %s", rest, expected);
    if (d->form == NOISE_UNIFORM && d->b < d->a)
        return base_fail(st, "uniform:%g:%g: expected the smaller value first", d->a, d->b);
    return 0;
}

struct noise_distribution *noise_read(const char *text, enum noise_unit unit, struct base_status *st)
{
    struct noise_distribution *d = base_zalloc(sizeof *d, "a distribution");
    char *copy = base_strdup(text);
    int rc = fill(d, copy, unit, st);
    free(copy);
    if (!rc)
        return d;
    noise_distribution_destroy(d);
    return NULL;
}

struct noise_distribution *noise_distribution_read(const char *value, enum noise_unit unit,
                                                   struct base_status *st)
{
    char *text = noise_text(value, st);
    struct noise_distribution *d = text ? noise_read(text, unit, st) : NULL;
    free(text);
    return d;
}
