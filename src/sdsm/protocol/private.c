/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private: one client uses the chunk, without messages. With --sat-check the first scope asks the home, which
 * ends the run if another client has done so.
 */
#include "sdsm/protocol/protocol.h"

static bool hit(const struct sat_entry *e, enum sat_mode mode)
{
    (void)mode;
    if (!e->size)
        sat_fail(SAT_STATUS_WRONG, e->made,
                 "chunk %llu of protocol private has no size here: it is used where it is "
                 "allocated",
                 (unsigned long long)e->id);
    return !sdsm->options.check || e->state == SAT_MODIFIED;
}

static enum sat_mode asks(enum sat_mode mode)
{
    (void)mode;
    return SAT_WRITE;
}

static void granted(struct sat_entry *e, const struct sat_record *r)
{
    (void)r;
    e->state = SAT_MODIFIED;
}

/* Nobody asks for the version. */
static void release(struct sat_entry *e)
{
    (void)e;
}

static bool prepare(struct sat_dir *d, const struct sat_record *r)
{
    if (d->n_holders && d->holders[0].client != r->client)
        sat_fail(SAT_STATUS_WRONG, r->place,
                 "chunk %llu of protocol private is used by process %d here, and by "
                 "process %d at %s",
                 (unsigned long long)d->id, r->client, d->holders[0].client, d->holders[0].place);
    return true;
}

static void admit(struct sat_dir *d, const struct sat_record *r)
{
    if (!d->n_holders)
        sat_member_add(&d->holders, &d->n_holders, r);
}

const struct sat_protocol sat_private = {
    .title = "Private",
    .name = "private",
    .hit = hit,
    .asks = asks,
    .granted = granted,
    .release = release,
    .invalidate = sat_never_invalidated,
    .evict = sat_evict_silently,
    .prepare = prepare,
    .admit = admit,
    .ended = sat_ended_unheeded,
    .answered = sat_answered_never,
    .pinned = true,
    .restores = true,
};
