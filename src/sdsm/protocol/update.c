/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * update: as home_lazy, and after each writing scope the home sends the new data to all clients that have a
 * copy. A later grant takes the same way, so the data are there before it. A client that drops its copy says
 * so, but not at its end, which its server knows of.
 */
#include "sdsm/protocol/protocol.h"

static void evict(struct sat_entry *e)
{
    struct sat_record r = sat_about(e, SAT_LEAVE, NULL);
    if (e->state != SAT_INVALID && !sdsm->ending)
        sat_to_server(&r, NULL);
    e->state = SAT_INVALID;
}

static void admit(struct sat_dir *d, const struct sat_record *r)
{
    if (!sat_member_has(d->holders, d->n_holders, r->client))
        sat_member_add(&d->holders, &d->n_holders, r);
    sat_admit_member(d, r);
}

static void ended(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    sat_ended_member(d, r, data);
    if (r->mode == SAT_READ)
        return;
    const struct sat_store *s = sat_store_find(d->id); /* they have come with the release */
    struct sat_record update = *r;
    update.request = SAT_UPDATE;
    for (size_t k = 0; k < d->n_holders; k++)
        if (d->holders[k].client != r->client)
            sat_to_client(d->holders[k].client, d->holders[k].server, &update, s->data);
}

static void answered(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    (void)data;
    sat_member_remove(d->holders, &d->n_holders, r->client);
}

const struct sat_protocol sat_update = {
    .title = "Update",
    .name = "update",
    .hit = sat_hit_never,
    .asks = sat_asks_mode,
    .granted = sat_granted_state,
    .release = sat_release_to_home,
    .invalidate = sat_never_invalidated,
    .evict = evict,
    .prepare = sat_prepare_exclusion,
    .admit = admit,
    .ended = ended,
    .answered = answered,
    .data_to_home = true,
};
