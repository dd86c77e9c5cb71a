/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * earlier: what is shown of points that have no row of their present key: the newest row with their parameters, which an
 * earlier version of pgasim, of the program, of its files or of the study has left. Sweeps never use it.
 */
#include <stdlib.h>
#include <string.h>

#include "sweep/internal.h"

static bool is_newer(const struct store_row *a, const struct store_row *b)
{
    int order = strcmp(a->at, b->at);
    return order ? order > 0 : a->key > b->key;
}

/* Parameters to struct store_row *, of all rows that no point has taken. */
static void find_newest(struct sweep *x, struct base_table *newest)
{
    uint32_t at = 0;
    base_table_init(newest, BASE_BYTES, sizeof(struct store_row *), "rows of earlier versions");
    for (struct store_row *r; (r = base_table_next(&x->rows, &at));) {
        bool fresh;
        if (!r->status)
            continue;
        struct store_row **known =
            base_table_add_bytes(newest, r->parameters, (uint32_t)strlen(r->parameters), &fresh);
        if (fresh || is_newer(r, *known))
            *known = r;
    }
}

uint32_t sweep_earlier_take(struct sweep *x)
{
    struct base_table newest;
    uint32_t taken = 0;
    find_newest(x, &newest);
    for (uint32_t k = 0; k < x->study->points; k++) {
        struct sweep_task *t = &x->task[k];
        if (t->row.status)
            continue;
        char *parameters = study_point_json(x->study, t->point);
        struct store_row **found = base_table_find_bytes(&newest, parameters, (uint32_t)strlen(parameters));
        free(parameters);
        if (!found)
            continue;
        t->row = store_row_copy(*found);
        t->earlier = true;
        taken++;
    }
    base_table_release(&newest);
    if (taken && !x->q->quiet)
        base_info(
            "%u of %u points are shown as an earlier version of pgasim, the program or the study has left "
            "them: pgasim sweep runs them anew",
            taken, x->study->points);
    return taken;
}
