/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * polled: ranks that poll memory without a call, until it changes. A trace has the operations that wrote what they then
 * saw, of OpenSHMEM or on windows of MPI, and their players wait for these.
 */
#include "mpi/mpi_front.h"
#include "replay/player.h"
#include "rma/rma.h"

#include <stdlib.h>

enum { WORD = 8 };

/* Causes name the ranks that begin with the trace, and their threads, by one number. */
static bool is_named(const struct rank *r, const struct rma_writer *by)
{
    return rank_room(r->job) == rank_job_config(r->job)->ranks || by->by < rank_job_config(r->job)->ranks;
}

static bool has(const struct record_words *w, const struct rma_writer *by)
{
    for (size_t k = 1; k + 1 < w->n; k += 2)
        if (w->at[k] == by->by && w->at[k + 1] == by->cause)
            return true;
    return false;
}

bool replay_polled_causes(struct rank *r, const uintptr_t *word, size_t n, struct record_words *out)
{
    const struct rma_writers *known = rma_causes_known(r->job);
    record_push(out, 0);
    for (size_t k = 0; known && k < n; k++) {
        struct rma_writer by = rma_writers_last(known, mpi_memory_owner(r, word[k]), word[k], word[k] + WORD);
        if (!by.order || !is_named(r, &by) || has(out, &by))
            continue;
        record_push(out, by.by);
        record_push(out, by.cause);
    }
    out->at[0] = out->n > 1 ? (int64_t)out->n - 1 : RECORD_NO_ARRAY;
    return out->n > 1;
}

/* As fold/poll/ puts a rank aside: in no call. */
bool replay_polled(struct rank *r, const char *call, const struct record_value *causes)
{
    r->issuing = false;
    rank_catch_up(r);
    rank_look_again(r);
    if (!rma_causes_done(r, causes->p, causes->i))
        rma_causes_await(r, call, causes->p, causes->i, 0, UINTPTR_MAX);
    rma_poll(r);
    return causes->i > 0;
}
