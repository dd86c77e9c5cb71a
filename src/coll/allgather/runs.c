/* SPDX-License-Identifier: BSD-3-Clause */
/* runs: places and sizes of runs of parts (runs.h), and collects by algorithms that need all sizes. */
#include "coll/allgather/runs.h"
#include "coll/allgather/allgather.h"

static bool is_sized(const struct coll_schedule *s)
{
    return s->call->op == COLL_COLLECT && !s->regular;
}

/* Of a collect, at the beginning of temporary memory: the bytes before each part, and of all. */
static const uint64_t *ends(const struct coll_schedule *s)
{
    return (const uint64_t *)(const void *)s->temp;
}

uint64_t coll_run_part(const struct coll_schedule *s, uint32_t k)
{
    if (is_sized(s))
        return ends(s)[k + 1] - ends(s)[k];
    return s->bounds ? (s->bounds[k + 1] - s->bounds[k]) * s->bytes : coll_part_bytes(s, COLL_DEST, k);
}

uint64_t coll_run_before(const struct coll_schedule *s, uint32_t k)
{
    uint64_t sum = 0;
    if (is_sized(s))
        return ends(s)[k];
    if (!coll_runs_apart(s))
        return (s->bounds ? s->bounds[k] : k) * s->bytes;
    for (uint32_t p = 0; p < k; p++)
        sum += coll_part_bytes(s, COLL_DEST, p);
    return sum;
}

coll_place coll_run_at(const struct coll_schedule *s, uint32_t k)
{
    return coll_at(coll_runs_apart(s) ? COLL_TEMP : COLL_DEST, coll_run_before(s, k));
}

coll_place coll_run_final(const struct coll_schedule *s, uint32_t k)
{
    return coll_runs_apart(s) ? coll_part_at(s, COLL_DEST, k) : coll_run_at(s, k);
}

void coll_add_run_receive(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t from, uint32_t end)
{
    coll_add_receive(s, peer, tag, coll_run_at(s, from), coll_run_bytes(s, from, end));
}

void coll_add_run_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t from, uint32_t end)
{
    coll_add_send(s, peer, tag, coll_run_at(s, from), coll_run_bytes(s, from, end));
}

void coll_add_run_begin(struct coll_schedule *s)
{
    uint64_t bytes = coll_run_part(s, s->me);
    if (!coll_runs_apart(s)) {
        coll_add_own(s, 0, coll_run_before(s, s->me), bytes);
        return;
    }
    coll_temp(s, coll_run_before(s, s->size) + 1);
    if (bytes)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_run_at(s, s->me), bytes);
}

void coll_add_run_end(struct coll_schedule *s)
{
    uint64_t at = 0;
    for (uint32_t k = 0; coll_runs_apart(s) && k < s->size; k++) {
        uint64_t bytes = coll_run_part(s, k);
        if (bytes)
            coll_add_copy(s, coll_at(COLL_TEMP, at), coll_run_final(s, k), bytes);
        at += bytes;
    }
}

/* --- single parts ------------------------------------------------------------------------------- */

void coll_add_single_receive(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t part)
{
    coll_add_receive(s, peer, tag, coll_run_final(s, part), coll_run_part(s, part));
}

void coll_add_single_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t part)
{
    coll_add_send(s, peer, tag, coll_single_from(s, part), coll_run_part(s, part));
}

void coll_add_single_own(struct coll_schedule *s)
{
    coll_add_own(s, 0, coll_place_offset(coll_run_final(s, s->me)), coll_run_part(s, s->me));
}

/* --- collects ----------------------------------------------------------------------------------- */

static struct coll_part all(const struct coll_schedule *s)
{
    return (struct coll_part){.me = s->me,
                              .size = s->size,
                              .source = coll_at(COLL_SOURCE, 0),
                              .dest = coll_at(COLL_DEST, 0),
                              .bytes = s->bytes,
                              .temp = (s->size + UINT64_C(1)) * sizeof(uint64_t)};
}

static bool exchange_sizes(struct coll_schedule *s, uint32_t round)
{
    struct coll_part p = all(s);
    uint64_t *sizes = coll_temp(s, p.temp);
    if (round == 0)
        sizes[s->me + 1] = s->bytes;
    p.bytes = sizeof *sizes;
    p.source = coll_at(COLL_TEMP, (s->me + UINT64_C(1)) * sizeof *sizes);
    p.dest = coll_at(COLL_TEMP, sizeof *sizes);
    if (coll_part_round(s, &p, coll_fcollect_bruck, round))
        return true;
    sizes[0] = 0;
    for (uint32_t k = 0; k < s->size; k++)
        sizes[k + 1] += sizes[k];
    return false;
}

bool coll_collect_sized(struct coll_schedule *s, uint32_t round, coll_build_fn build)
{
    struct coll_stage *at = coll_stage_open(s, round);
    struct coll_part p = all(s);
    bool any = at->number == 0 && exchange_sizes(s, round);
    if (!any && at->number == 0)
        *at = (struct coll_stage){1, round};
    p.irregular = true;
    p.tag = coll_stage_tag(s, 1);
    any = any || coll_part_round(s, &p, build, round - at->from);
    coll_stage_close(s);
    return any;
}
