/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * migratory: there is one copy, and its client opens scopes of all kinds without asking. If another client
 * asks, the home has the copy given back: with its data, if they are new.
 *
 * Ends of scopes are not known at the home. If the chunk has subscribers, the copy is marked as observed, and
 * its client tells of each writing scope.
 */
#include "sdsm/protocol/protocol.h"

static bool hit(const struct sat_entry *e, enum sat_mode mode)
{
    (void)mode;
    return e->has_data && e->state == SAT_MODIFIED;
}

/* Whatever the mode is: the copy comes here. */
static enum sat_mode asks(enum sat_mode mode)
{
    (void)mode;
    return SAT_READWRITE;
}

static void granted(struct sat_entry *e, const struct sat_record *r)
{
    (void)r;
    e->state = SAT_MODIFIED;
}

static void release(struct sat_entry *e)
{
    struct sat_record r = sat_about_end(e);
    sat_log_release(e);
    if (e->ended == SAT_READ)
        return;
    r.version = ++e->version;
    if (e->flags & SAT_OBSERVED)
        sat_to_server(&r, NULL);
}

/* The answer to an invalidation, or unasked. Data that are new go to the own server first. */
static void give_back(struct sat_entry *e, int home, enum sat_request request)
{
    struct sat_record r = sat_about(e, request, NULL);
    r.home = home;
    if (e->version != e->kept) {
        struct sat_record upload = r;
        upload.request = SAT_CLIENT_UPLOAD;
        upload.bytes = e->size;
        sat_to_server(&upload, sat_entry_published(e));
        r.flags |= SAT_WITH_DATA;
    }
    e->state = SAT_INVALID;
    sat_to_server(&r, NULL);
}

static void invalidate(struct sat_entry *e, const struct sat_record *r)
{
    if (e->state == SAT_MODIFIED) /* if not, it was given back unasked */
        give_back(e, r->home, SAT_REP_INVALIDATE);
}

static void evict(struct sat_entry *e)
{
    if (e->state == SAT_MODIFIED)
        give_back(e, e->home, SAT_LEAVE);
}

static bool prepare(struct sat_dir *d, const struct sat_record *r)
{
    if (!d->n_holders || d->holders[0].client == r->client)
        return true;
    sat_home_recall(d, &d->holders[0]);
    return false;
}

static void admit(struct sat_dir *d, const struct sat_record *r)
{
    if (!d->n_holders)
        sat_member_add(&d->holders, &d->n_holders, r);
}

static void answered(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    if (data) {
        sat_store_put(d->id, r->version, d->size, data);
        d->version = r->version;
    }
    sat_member_remove(d->holders, &d->n_holders, r->client);
}

const struct sat_protocol sat_migratory = {
    .title = "Migratory",
    .name = "migratory",
    .hit = hit,
    .asks = asks,
    .granted = granted,
    .release = release,
    .invalidate = invalidate,
    .evict = evict,
    .prepare = prepare,
    .admit = admit,
    .ended = sat_ended_unheeded,
    .answered = answered,
    .data_to_home = true,
    .quiet = true,
    .restores = true,
};
