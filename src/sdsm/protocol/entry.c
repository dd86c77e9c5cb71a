/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry: entry consistency, as in Midway. The chunk is bound to a lock (sat_bind), whose manager has its
 * data. They come with the lock, so scopes need no messages; they need the lock.
 */
#include "sdsm/protocol/protocol.h"

static bool hit(const struct sat_entry *e, enum sat_mode mode)
{
    if (!e->lock)
        sat_fail(SAT_STATUS_WRONG, e->place, "chunk %llu of protocol entry is bound to no lock (sat_bind)",
                 (unsigned long long)e->id);
    if (!sat_lock_held(e->lock, mode != SAT_READ))
        sat_fail(SAT_STATUS_WRONG, e->place, "%s of chunk %llu without its lock, %u%s", sat_mode_name(mode),
                 (unsigned long long)e->id, (unsigned)(e->lock - 1),
                 mode == SAT_READ ? "" : ", or with a shared one");
    return true;
}

static void granted(struct sat_entry *e, const struct sat_record *r)
{
    (void)e;
    (void)r;
}

static void release(struct sat_entry *e)
{
    e->version += e->ended != SAT_READ;
}

/* The home is not asked for scopes. */
static bool prepare(struct sat_dir *d, const struct sat_record *r)
{
    (void)d;
    (void)r;
    return true;
}

static void admit(struct sat_dir *d, const struct sat_record *r)
{
    (void)d;
    (void)r;
}

const struct sat_protocol sat_entry_consistency = {
    .title = "Entry",
    .name = "entry",
    .hit = hit,
    .asks = sat_asks_mode,
    .granted = granted,
    .release = release,
    .invalidate = sat_never_invalidated,
    .evict = sat_evict_silently,
    .prepare = prepare,
    .admit = admit,
    .ended = sat_ended_unheeded,
    .answered = sat_answered_never,
    .restores = true,
    .bound = true,
};
