/* SPDX-License-Identifier: BSD-3-Clause */
/* started: which ranks of a trace a call starts. */
#include "record/record.h"
#include "replay/tape/tape.h"

static bool may_start(uint32_t function)
{
    return function == RECORD_MPI_COMM_SPAWN || function == RECORD_MPI_COMM_SPAWN_MULTIPLE;
}

/* More ranks than a trace may have are none. */
bool replay_starts_in(uint32_t function, const struct record_part *part, uint32_t *first, uint32_t *ranks)
{
    if (!may_start(function))
        return false;
    const struct record_function *f = record_function_of(function);
    const struct record_part *from = &part[f->n - 2],
                             *started = &part[f->n - 1]; /* as the generator has them */
    int64_t all = 0;
    for (int64_t k = 0; k < started->n; k++) {
        if (started->at[k] < 0 || started->at[k] > RECORD_RANKS_MOST)
            return false;
        all += started->at[k];
    }
    if (from->at[0] < 0 || from->at[0] > RECORD_RANKS_MOST || all < 1 || all > RECORD_RANKS_MOST)
        return false;
    *first = (uint32_t)from->at[0];
    *ranks = (uint32_t)all;
    return true;
}

bool replay_starts_of(uint32_t function, const int64_t *words, size_t n, uint32_t *first, uint32_t *ranks)
{
    struct record_part part[RECORD_PARAMS];
    return may_start(function) && record_parts(record_function_of(function), words, n, part) &&
           replay_starts_in(function, part, first, ranks);
}
