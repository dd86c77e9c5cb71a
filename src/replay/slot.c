/* SPDX-License-Identifier: BSD-3-Clause */
/* slot: where a job's part is found that its players share. */
#include "replay/player.h"

struct rank_slot replay_slot;

struct replay_job *replay_job_of(const struct rank *r)
{
    return rank_part(r->job, &replay_slot);
}
