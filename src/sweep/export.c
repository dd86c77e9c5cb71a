/* SPDX-License-Identifier: BSD-3-Clause */
/* export: the rows of a study as CSV (RFC 4180) or as lines of JSON, one for each point that has ended. */
#include <stdlib.h>
#include <string.h>

#include "sweep/internal.h"

static void put_cell(FILE *out, const char *text)
{
    if (!text)
        return;
    bool quoted = text[strcspn(text, ",\"\r\n")] || *text == ' ';
    if (!quoted) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_csv(const struct sweep_results *r, uint32_t point, FILE *out)
{
    fprintf(out, "%u", point + 1);
    for (uint32_t k = 0; k < r->columns; k++) {
        fputc(',', out);
        put_cell(out, r->value[(size_t)point * r->columns + k].text);
    }
    fputc('\n', out);
}

static void put_json(const struct sweep_results *r, uint32_t point, FILE *out)
{
    struct base_json j;
    base_json_init(&j, out, &(struct base_json_form){0});
    base_json_open(&j, NULL, '{');
    base_json_count(&j, "point", point + 1);
    for (uint32_t k = 0; k < r->columns; k++)
        study_value_json(&j, r->name[k], &r->value[(size_t)point * r->columns + k]);
    base_json_close(&j);
    base_json_end(&j);
    fputc('\n', out);
}

int sweep_export(const struct sweep_request *q, enum sweep_form form, FILE *out)
{
    struct sweep x;
    struct base_status st;
    struct sweep_results r;
    if (sweep_open(&x, q, SWEEP_DATABASE_NEEDED, &st)) {
        base_error("%s", st.text);
        sweep_close(&x);
        return BASE_EXIT_INPUT;
    }
    (void)sweep_earlier_take(&x);
    sweep_results_read(&x, &r);
    if (form == SWEEP_CSV) {
        fputs("point", out);
        for (uint32_t k = 0; k < r.columns; k++)
            fprintf(out, ",%s", r.name[k]);
        fputc('\n', out);
    }
    for (uint32_t k = 0; k < x.study->points; k++)
        if (x.task[k].row.status)
            form == SWEEP_CSV ? put_csv(&r, k, out) : put_json(&r, k, out);
    sweep_results_release(&r);
    sweep_close(&x);
    return BASE_EXIT_OK;
}
