/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slot: the bytes that modules keep in each rank's record, and their pointers of a job. Modules register at
 * start-up in a fixed order, before any job is made, so all jobs have the same records. A job's part 0 stays empty: it is
 * that of a slot which was not registered, so that others may ask for a module's part of a job without it.
 */
#include "rank/internal.h"

static struct {
    size_t bytes; /* of a record so far; 0: none registered */
    uint32_t parts;
    bool used;
} slots = {.parts = 1};

static size_t begin(void)
{
    return slots.bytes ? slots.bytes : offsetof(struct rank, slots);
}

void rank_slot_register(struct rank_slot *s, size_t bytes)
{
    if (s->offset) /* registered by an earlier start in this process */
        return;
    BASE_ASSERT("N4: slots are registered before the first job", !slots.used);
    BASE_ASSERT("N5: there are as many parts as modules", slots.parts < RANK_PARTS);
    s->offset = (uint32_t)begin();
    s->part = slots.parts++;
    slots.bytes = begin() + (bytes + 7) / 8 * 8;
}

size_t rank_record_size(void)
{
    slots.used = true;
    return (begin() + 63) / 64 * 64;
}

void rank_set_part(struct rank_job *job, const struct rank_slot *s, void *p)
{
    BASE_ASSERT("N6: a slot is registered before it is used", s->offset);
    job->public.part[s->part] = p;
}
