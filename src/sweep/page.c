/* SPDX-License-Identifier: BSD-3-Clause */
/* page: the charts of a study's results, or one of them. */
#include "sweep/internal.h"
#include "sweep/plot/plot.h"

static const struct study_value *get(const void *arg, uint32_t point, const char *name)
{
    return sweep_result(arg, point, name);
}

static bool ok(const void *arg, uint32_t point)
{
    const struct store_row *row = &((const struct sweep_results *)arg)->sweep->task[point].row;
    return row->status && store_row_ok(row);
}

int sweep_page(const struct sweep_request *q, FILE *out)
{
    struct sweep x;
    struct base_status st;
    struct sweep_results r;
    int rc = sweep_open(&x, q, SWEEP_DATABASE_NEEDED, &st);
    if (rc == 0 && !x.study->plots)
        rc = study_wrong(x.study, 1, &st, "the study has no plots");
    if (rc == 0) {
        uint32_t earlier = sweep_earlier_take(&x);
        sweep_results_read(&x, &r);
        const struct plot_data d = {x.study, get, ok, &r, earlier};
        rc = q->picture ? plot_picture(&d, q->picture, out, &st) : plot_page(&d, out, &st);
        sweep_results_release(&r);
    }
    if (rc)
        base_error("%s", st.text);
    sweep_close(&x);
    return rc ? BASE_EXIT_INPUT : BASE_EXIT_OK;
}
