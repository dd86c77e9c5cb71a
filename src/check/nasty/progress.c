/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress: OpenSHMEM expects operations to come although their rank makes no further call (1.6, annex on
 * progress), and a rank may wait for them in a way that nobody can see, such as a loop of calls. So while any is
 * kept back, some go from time to time, as the seed has it. MPI's go when a call needs them, or when nothing else
 * can happen.
 */
#include "check/nasty/parts.h"

#include <stdlib.h>

static const double period = 1e-3;
enum { SHARE = 8 };

/* Each with the same chance, one at least. */
static void step(struct engine *e, struct engine_event *ev)
{
    struct nasty *n = BASE_CONTAINER(ev, struct nasty, progress);
    struct base_random r = nasty_random(n, (struct nasty_key){NASTY_GIVE, UINT32_MAX, n->steps++});
    size_t kept = n->kept_shmem, left = kept, wanted = kept / SHARE + 1;
    BASE_ARRAY(struct nasty_op *) chosen = {0};
    const struct nasty_list *l = nasty_kept_all(n);
    for (size_t k = 0; k < l->n && wanted; k++)
        if (!l->op[k]->mpi && base_random_below(&r, left--) < wanted) {
            wanted--;
            BASE_ARRAY_PUSH(&chosen, l->op[k]);
        }
    for (size_t k = 0; k < chosen.n; k++) {
        nasty_kept_remove(n, chosen.at[k]);
        rma_release(n->job, chosen.at[k]->number);
    }
    free(chosen.at);
    if (kept)
        engine_event_at(e, ev, engine_now(e) + period);
}

void nasty_progress_kept(struct nasty *n, const struct nasty_op *op)
{
    struct engine *e = rank_engine(n->job);
    if (!op->mpi && !engine_event_pending(&n->progress))
        engine_event_at(e, &n->progress, engine_now(e) + period);
}

void nasty_progress_begin(struct nasty *n)
{
    engine_event_init(&n->progress, step);
}

void nasty_progress_end(struct nasty *n)
{
    engine_event_cancel(rank_engine(n->job), &n->progress);
}
