/* SPDX-License-Identifier: BSD-3-Clause */
/* value: numbers and texts of a study. */
#include "sweep/study/study.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, double *out)
{
    char *end;
    if (!*text || isspace((unsigned char)*text) || strspn(text, "+-.0123456789eE") != strlen(text))
        return false;
    double x = strtod(text, &end);
    if (*end || !isfinite(x))
        return false;
    *out = x;
    return true;
}

struct study_value study_value_of(const char *text, bool quoted)
{
    struct study_value v = {.text = base_strdup(text)};
    v.is_number = !quoted && read_number(text, &v.number);
    return v;
}

struct study_value study_value_number(double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", x);
    if (strtod(text, NULL) != x)
        snprintf(text, sizeof text, "%.17g", x);
    return (struct study_value){.text = base_strdup(text), .number = x, .is_number = true};
}

struct study_value study_value_copy(const struct study_value *v)
{
    struct study_value copy = *v;
    copy.text = v->text ? base_strdup(v->text) : NULL;
    return copy;
}

void study_value_release(struct study_value *v)
{
    free(v->text);
    v->text = NULL;
}

void study_value_json(struct base_json *j, const char *key, const struct study_value *v)
{
    if (v->text && v->is_number) {
        struct study_value shortest = study_value_number(v->number);
        base_text_add(base_json_value(j, key), shortest.text);
        study_value_release(&shortest);
    } else
        base_json_text(j, key, v->text);
}

int study_value_compare(const struct study_value *a, const struct study_value *b)
{
    if (a->is_number != b->is_number)
        return a->is_number ? -1 : 1;
    if (a->is_number)
        return (a->number > b->number) - (a->number < b->number);
    return strcmp(a->text ? a->text : "", b->text ? b->text : "");
}

bool study_name_is_good(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}
