/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress: OpenSHMEM expects operations to come although their rank makes no further call (1.6, annex on
 * progress), and a rank may wait for them in a way that nobody can see, such as a loop of calls. So while any is
 * kept back, some go from time to time, as the seed has it. MPI's go when a call needs them, or when nothing else
 * can happen.
 */
#include "check/nasty/parts.h"

static const double period = 1e-3;
enum { SHARE = 8 };

static size_t kept_of(const struct nasty *n)
{
    size_t kept = 0;
    uint32_t at = 0;
    for (struct nasty_op **op; (op = base_table_next(&n->ops, &at));)
        kept += (*op)->kept && !(*op)->mpi;
    return kept;
}

/* Each with the same chance, one at least. */
static void step(struct engine *e, struct engine_event *ev)
{
    struct nasty *n = BASE_CONTAINER(ev, struct nasty, progress);
    struct base_random r = nasty_random(n, (struct nasty_key){NASTY_GIVE, UINT32_MAX, n->steps++});
    size_t kept = kept_of(n), left = kept, wanted = kept / SHARE + 1;
    uint32_t at = 0;
    for (struct nasty_op **each; wanted && (each = base_table_next(&n->ops, &at));) {
        struct nasty_op *op = *each;
        if (!op->kept || op->mpi)
            continue;
        if (base_random_below(&r, left--) < wanted) {
            wanted--;
            op->kept = false;
            rma_release(n->job, op->number);
        }
    }
    if (kept)
        engine_event_at(e, ev, engine_now(e) + period);
}

void nasty_kept(struct nasty *n, struct nasty_op *op)
{
    struct engine *e = rank_engine(n->job);
    op->kept = true;
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
