/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * abort: a rank that fails ends others with it. Usually that is the whole job. Where ranks were started while it ran,
 * whoever knows says which ones belong together, and the others go on.
 */
#include "rank/internal.h"

#include <stdlib.h>

static void (*together)(const struct rank *r, bool *with);

void rank_on_abort(void (*fn)(const struct rank *r, bool *with))
{
    together = fn;
}

/* Whether a rank goes on that does not end with r. */
static bool somebody_stays(const struct rank *r, const bool *with)
{
    for (uint32_t k = 0; k < r->job->public.ranks; k++)
        if (!with[k] && !rank_at(r->job, k)->ended)
            return true;
    return false;
}

static void end_all(const struct rank *r, const bool *with)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < r->job->public.ranks; k++) {
        struct rank *other = rank_at(r->job, k);
        if (other == r || !with[k] || other->ended)
            continue;
        rank_end_at_once(other);
        n++;
    }
    if (n)
        base_error_more("%u rank%s connected with it: they end, too, and all others go on", n,
                        n == 1 ? " was" : "s were");
}

void rank_end_others(struct rank *r, int code)
{
    struct rank_job *job = r->job;
    if (!together || job->public.ranks == job->config.ranks)
        rank_job_exit(job, code);
    bool *with = base_zalloc(job->public.ranks * sizeof *with, "ranks that end together");
    together(r, with);
    bool stays = somebody_stays(r, with);
    if (stays)
        end_all(r, with);
    free(with);
    if (!stays)
        rank_job_exit(job, code);
}

_Noreturn void rank_abort(struct rank *r, int code)
{
    rank_end_others(r, code);
    rank_job_fault(r->job, code);
    r->left_in_order = r->ended = true;
    rank_exit(code);
}
