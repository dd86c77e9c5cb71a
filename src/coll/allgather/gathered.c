/* SPDX-License-Identifier: BSD-3-Clause */
/* gathered: an allgather as a gather to place 0 and a broadcast of everything, each by the selector's
 * choice. */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

static coll_build_fn gather(struct coll_schedule *s, struct coll_part *p)
{
    bool apart = coll_runs_apart(s);
    p->root = 0;
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, apart ? COLL_GATHERV : COLL_GATHER, s->bytes, s->size);
}

/* Parts that have places of their own are broadcast as one run, in temporary memory. */
static bool pack(struct coll_schedule *s, uint32_t round)
{
    uint64_t at = 0;
    coll_temp(s, coll_run_before(s, s->size) + 1);
    for (uint32_t k = 0; round == 0 && s->me == 0 && k < s->size; k++) {
        uint64_t bytes = coll_run_part(s, k);
        if (bytes)
            coll_add_copy(s, coll_run_final(s, k), coll_at(COLL_TEMP, at), bytes);
        at += bytes;
    }
    return round == 0;
}

static coll_build_fn packed(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return coll_runs_apart(s) && s->me == 0 ? pack : NULL;
}

static coll_build_fn broadcast(struct coll_schedule *s, struct coll_part *p)
{
    uint64_t bytes = coll_run_before(s, s->size);
    p->root = 0;
    p->source = p->dest = coll_run_at(s, 0);
    p->bytes = bytes;
    p->irregular = false;
    p->no_dest = s->me == 0;
    if (coll_runs_apart(s)) {
        coll_temp(s, bytes + 1);
        p->temp = bytes + 1;
    }
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_BROADCAST, bytes, s->size);
}

static bool unpack(struct coll_schedule *s, uint32_t round)
{
    if (round == 0 && s->me)
        coll_add_run_end(s);
    return round == 0;
}

/* n - 1 messages and the broadcast's. */
bool coll_allgather_gather_broadcast(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = gather}, {.part = packed}, {.part = broadcast}, {.all = unpack}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
