/* SPDX-License-Identifier: BSD-3-Clause */
/* findings: what the runs have shown, in rows of one kind of outcome each. */
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

bool explore_is_failure(const struct explore_request *q, const struct explore_outcome *o)
{
    return o->end == EXPLORE_FAILED || o->end == EXPLORE_ENDLESS ||
           ((o->end == EXPLORE_OTHER || o->end == EXPLORE_MEMORY) && q->same_output);
}

void explore_findings_add(struct explore_findings *f, uint64_t seed, struct explore_outcome outcome,
                          struct explore_lines decisions)
{
    struct explore_seed s = {seed, outcome, decisions};
    struct explore_row row = {.first = f->seeds.n, .runs = 1};
    BASE_ARRAY_PUSH(&f->seeds, s);
    for (size_t k = 0; k < f->rows.n; k++)
        if (!strcmp(f->seeds.at[f->rows.at[k].first].outcome.key, outcome.key)) {
            f->rows.at[k].runs++;
            return;
        }
    BASE_ARRAY_PUSH(&f->rows, row);
}

void explore_findings_release(struct explore_findings *f)
{
    for (size_t k = 0; k < f->seeds.n; k++) {
        explore_outcome_release(&f->seeds.at[k].outcome);
        explore_lines_release(&f->seeds.at[k].decisions);
    }
    for (size_t k = 0; k < f->rows.n; k++) {
        explore_lines_release(&f->rows.at[k].least);
        free(f->rows.at[k].file);
    }
    explore_mistakes_release(f);
    explore_outcome_release(&f->plain);
    explore_outcome_release(&f->detector);
    finding_list_release(&f->found);
    free(f->seeds.at);
    free(f->rows.at);
    free(f->races.at);
}
