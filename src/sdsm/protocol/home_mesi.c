/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * home_mesi: the paper's default. A client that has a copy reads it without asking. Before a client may
 * write, the home invalidates the other copies; a client answers when it has no open scope of the chunk.
 *
 *   state of a copy   left by
 *   I                 a granted scope -> S or E
 *   S                 an invalidation -> I; a granted writing scope -> E
 *   E                 the end of the scope -> S (after the store that makes it M)
 */
#include "sdsm/protocol/protocol.h"

static bool hit(const struct sat_entry *e, enum sat_mode mode)
{
    return mode == SAT_READ && e->has_data && e->state == SAT_IS_SHARED;
}

static void invalidate(struct sat_entry *e, const struct sat_record *r)
{
    struct sat_record answer = sat_about(e, SAT_REP_INVALIDATE, NULL);
    answer.home = r->home;
    e->state = SAT_INVALID;
    sat_to_server(&answer, NULL);
}

static bool prepare(struct sat_dir *d, const struct sat_record *r)
{
    bool alone = true;
    if (sat_home_has_writer(d))
        return false;
    for (size_t k = 0; k < d->n_holders && r->mode != SAT_READ; k++) {
        if (d->holders[k].client == r->client)
            continue;
        alone = false;
        sat_home_recall(d, &d->holders[k]);
    }
    return alone;
}

static void admit(struct sat_dir *d, const struct sat_record *r)
{
    if (!sat_member_has(d->holders, d->n_holders, r->client))
        sat_member_add(&d->holders, &d->n_holders, r);
    if (r->mode != SAT_READ)
        sat_member_set(&d->writer, r);
}

static void answered(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    (void)data;
    sat_member_remove(d->holders, &d->n_holders, r->client);
}

const struct sat_protocol sat_home_mesi = {
    .title = "Home-Based MESI",
    .name = "home-mesi",
    .hit = hit,
    .asks = sat_asks_mode,
    .granted = sat_granted_state,
    .release = sat_release_writes,
    .invalidate = invalidate,
    .evict = sat_evict_silently,
    .prepare = prepare,
    .admit = admit,
    .ended = sat_ended_member,
    .answered = answered,
};
