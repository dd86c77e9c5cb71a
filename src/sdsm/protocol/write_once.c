/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write_once: readers wait until the one writing scope has ended, and keep their copies for good. Another
 * writing scope is an error.
 */
#include "sdsm/protocol/protocol.h"

static bool hit(const struct sat_entry *e, enum sat_mode mode)
{
    return mode == SAT_READ && e->has_data && e->version > 0;
}

static _Noreturn void wrong(uint64_t id, const char *place)
{
    sat_fail(SAT_STATUS_WRONG, place, "chunk %llu of protocol write-once is written a second time",
             (unsigned long long)id);
}

static bool prepare(struct sat_dir *d, const struct sat_record *r)
{
    if (r->mode != SAT_READ && (d->version || sat_home_has_writer(d)))
        wrong(d->id, r->place);
    return !sat_home_has_writer(d);
}

static void admit(struct sat_dir *d, const struct sat_record *r)
{
    if (r->mode != SAT_READ)
        sat_member_set(&d->writer, r);
}

const struct sat_protocol sat_write_once = {
    .title = "Write-Once",
    .name = "write-once",
    .hit = hit,
    .asks = sat_asks_mode,
    .granted = sat_granted_state,
    .release = sat_release_writes,
    .invalidate = sat_never_invalidated,
    .evict = sat_evict_silently,
    .prepare = prepare,
    .admit = admit,
    .ended = sat_ended_member,
    .answered = sat_answered_never,
    .reads_wait = true,
};
