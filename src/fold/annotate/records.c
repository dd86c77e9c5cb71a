/* SPDX-License-Identifier: BSD-3-Clause */
/* records: creates and releases what annotations keep. */
#include "fold/annotate/annotate.h"

#include <stdlib.h>

struct fold_annotated *annotated_of(struct rank *r)
{
    struct fold_part *p = fold_part(r);
    if (!p->annotated)
        p->annotated = base_zalloc(sizeof *p->annotated, "a rank's annotations");
    r->charged = true;
    return p->annotated;
}

double annotated_owed(struct rank *r, struct fabric_traffic *traffic)
{
    struct fold_annotated *a = fold_part(r)->annotated;
    double flops = a->owed;
    traffic->moved += a->owed_traffic.moved;
    traffic->copied += a->owed_traffic.copied;
    a->owed = 0;
    a->owed_traffic = (struct fabric_traffic){0, 0};
    return flops;
}

void annotated_release(struct rank *r)
{
    struct fold_annotated *a = fold_part(r)->annotated;
    if (!a)
        return;
    sample_abandon(r);
    folded_drop_all(r);
    free(a->local);
    free(a->held.at);
    free(a);
    fold_part(r)->annotated = NULL;
    r->charged = false;
}

void annotated_begin(struct fold_job *job)
{
    struct annotated_job *a = base_zalloc(sizeof *a, "annotations");
    uint64_t threshold = base_settings_count(job->settings, "memory/fold-threshold");
    uint64_t window = base_settings_count(job->settings, "memory/fold-most");
    size_t page = base_page_size();
    folded_from = a->threshold = threshold ? (size_t)threshold : SIZE_MAX;
    a->window = window < page ? page : ((size_t)window + page - 1) & ~(page - 1);
    sample_sites_init(&a->samples);
    folded_init(a);
    events_init(a);
    base_table_init(&a->says, BASE_NUMBERS, sizeof(void (*)(char *, size_t)), "what ranks say of deadlocks");
    job->annotated = a;
}

void annotated_end(struct fold_job *job)
{
    if (!job->annotated)
        return;
    for (uint32_t i = 0; i < job->ranks; i++) /* of jobs that were stopped */
        annotated_release(fold_rank_at(job, i));
    sample_sites_release(&job->annotated->samples);
    folded_release(job->annotated);
    events_release(job->annotated);
    base_table_release(&job->annotated->says);
    free(job->annotated);
    folded_from = SIZE_MAX;
    job->annotated = NULL;
}
