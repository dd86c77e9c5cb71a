/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: what debuggers read of rank/: the job that runs, and its ranks. */
#include "rank/call.h"
#include "rank/internal.h"

const struct base_fact rank_facts[] = {
    {"rank_running_job", (uintptr_t)&rank_running_job},
    BASE_FACT_FIELD("rank_job.engine", struct rank_job_public, engine),
    BASE_FACT_FIELD("rank_job.fabric", struct rank_job_public, fabric),
    BASE_FACT_FIELD("rank_job.records", struct rank_job_public, records),
    BASE_FACT_FIELD("rank_job.stride", struct rank_job_public, stride),
    BASE_FACT_FIELD("rank_job.ranks", struct rank_job_public, ranks),
    BASE_FACT_FIELD("rank_job.part", struct rank_job_public, part),
    BASE_FACT_FIELD("rank_slot.offset", struct rank_slot, offset),
    BASE_FACT_FIELD("rank_slot.part", struct rank_slot, part),
    {"rank_call_anchor", (uintptr_t)rank_call_anchor},
    {"rank", sizeof(struct rank)},
    BASE_FACT_FIELD("rank.id", struct rank, id),
    BASE_FACT_FIELD("rank.host", struct rank, host),
    BASE_FACT_FIELD("rank.actor", struct rank, actor),
    BASE_FACT_FIELD("rank.ahead_until", struct rank, ahead_until),
    {NULL, 0},
};
