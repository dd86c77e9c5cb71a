/* SPDX-License-Identifier: BSD-3-Clause */
/* values: the rows of a study as a table: a line for each point, a column for each parameter and result. */
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_tree.h>

#include "sweep/internal.h"

static const char *const always[] = {"status",       "reason",     "exit_status",
                                     "host_seconds", "peak_bytes", "current"};

static uint32_t column_of(const struct sweep_results *r, const char *name)
{
    uint32_t k = 0;
    while (k < r->columns && strcmp(name, r->name[k]) != 0)
        k++;
    return k;
}

static void read_kept(const struct sweep_results *r, const char *text, struct study_value *out)
{
    char why[100];
    yajl_val v = yajl_tree_parse(text, why, sizeof why);
    for (size_t k = 0; YAJL_IS_OBJECT(v) && k < YAJL_GET_OBJECT(v)->len; k++) {
        yajl_val value = YAJL_GET_OBJECT(v)->values[k];
        uint32_t column = column_of(r, YAJL_GET_OBJECT(v)->keys[k]);
        if (column >= r->columns || out[column].text)
            continue;
        if (YAJL_IS_NUMBER(value))
            out[column] = study_value_of(YAJL_GET_NUMBER(value), false);
        else if (YAJL_IS_STRING(value))
            out[column] = study_value_of(YAJL_GET_STRING(value), true);
    }
    yajl_tree_free(v);
}

static void read_point(const struct sweep_results *r, const struct sweep_task *t, struct study_value *out)
{
    const struct study *s = r->sweep->study;
    struct study_value *end = out + s->names + s->keeps;
    for (uint32_t k = 0; k < s->names; k++)
        out[k] = study_value_copy(&t->point->value[k]);
    if (!t->row.status)
        return;
    read_kept(r, t->row.kept, out);
    end[0] = study_value_of(t->row.status, true);
    if (t->row.reason)
        end[1] = study_value_of(t->row.reason, true);
    if (t->row.exit_status != STORE_NO_EXIT)
        end[2] = study_value_number(t->row.exit_status);
    end[3] = study_value_number(t->row.host_seconds);
    end[4] = study_value_number((double)t->row.peak_bytes);
    end[5] = study_value_number(!t->earlier);
}

void sweep_results_read(const struct sweep *x, struct sweep_results *out)
{
    const struct study *s = x->study;
    uint32_t n = s->names + (uint32_t)s->keeps;
    *out = (struct sweep_results){.sweep = x, .columns = n + (uint32_t)BASE_LENGTH(always)};
    out->name = base_alloc(out->columns * sizeof *out->name, "columns");
    out->value = base_zalloc((size_t)s->points * out->columns * sizeof *out->value, "results");
    for (uint32_t k = 0; k < out->columns; k++)
        out->name[k] = k < s->names ? s->name[k] : k < n ? s->keep[k - s->names].name : always[k - n];
    for (uint32_t k = 0; k < s->points; k++)
        read_point(out, &x->task[k], out->value + (size_t)k * out->columns);
}

void sweep_results_release(struct sweep_results *r)
{
    for (size_t k = 0; k < (size_t)r->sweep->study->points * r->columns; k++)
        study_value_release(&r->value[k]);
    free(r->value);
    free(r->name);
}

const struct study_value *sweep_result(const struct sweep_results *r, uint32_t point, const char *name)
{
    uint32_t column = column_of(r, name);
    return column < r->columns ? &r->value[(size_t)point * r->columns + column] : NULL;
}
