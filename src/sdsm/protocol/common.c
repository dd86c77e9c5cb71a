/* SPDX-License-Identifier: BSD-3-Clause */
/* common: what several protocols do alike. */
#include "sdsm/protocol/protocol.h"

/* --- the client's side ---------------------------------------------------------------------------- */

bool sat_hit_never(const struct sat_entry *e, enum sat_mode mode)
{
    (void)e;
    (void)mode;
    return false;
}

enum sat_mode sat_asks_mode(enum sat_mode mode)
{
    return mode;
}

void sat_granted_state(struct sat_entry *e, const struct sat_record *r)
{
    e->state = r->request == SAT_REP_READ ? SAT_IS_SHARED : SAT_EXCLUSIVE;
}

void sat_log_release(const struct sat_entry *e)
{
    SAT_LOG("[%s] release chunk %llu@%d version %llu local state %d (%s)", e->protocol->title,
            (unsigned long long)e->id, e->home, (unsigned long long)e->version, e->state,
            sat_state_name(e->state));
}

struct sat_record sat_about_end(const struct sat_entry *e)
{
    struct sat_record r = sat_about(e, SAT_CLIENT_REQ_RELEASE, e->place);
    r.mode = e->ended;
    return r;
}

/* Data first, then control (Figure 14); the version is raised here. */
static void send_release(struct sat_entry *e)
{
    struct sat_record r = sat_about_end(e);
    if (e->ended != SAT_READ) {
        struct sat_record upload = r;
        upload.request = SAT_CLIENT_UPLOAD;
        upload.version = r.version = ++e->version;
        upload.bytes = e->size;
        sat_to_server(&upload, sat_entry_data(e));
    }
    sat_to_server(&r, NULL);
    e->state = SAT_IS_SHARED;
}

void sat_release_to_home(struct sat_entry *e)
{
    sat_log_release(e);
    send_release(e);
}

void sat_release_writes(struct sat_entry *e)
{
    sat_log_release(e);
    if (e->ended != SAT_READ)
        send_release(e);
}

void sat_never_invalidated(struct sat_entry *e, const struct sat_record *r)
{
    (void)r;
    sat_fail(1, NULL, "bug: chunk %llu of protocol %s was invalidated", (unsigned long long)e->id,
             e->protocol->name);
}

void sat_evict_silently(struct sat_entry *e)
{
    e->state = SAT_INVALID;
}

/* --- the home's side ------------------------------------------------------------------------------ */

bool sat_prepare_exclusion(struct sat_dir *d, const struct sat_record *r)
{
    return !sat_home_has_writer(d) && (r->mode == SAT_READ || !d->n_readers);
}

void sat_admit_member(struct sat_dir *d, const struct sat_record *r)
{
    if (r->mode == SAT_READ)
        sat_member_add(&d->readers, &d->n_readers, r);
    else
        sat_member_set(&d->writer, r);
}

void sat_home_written(struct sat_dir *d, const struct sat_record *r)
{
    d->version = r->version;
    d->owner = r->server;
    d->writer.client = -1;
}

void sat_ended_member(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    (void)data;
    if (r->mode == SAT_READ)
        sat_member_remove(d->readers, &d->n_readers, r->client);
    else
        sat_home_written(d, r);
}

void sat_ended_unheeded(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    (void)d;
    (void)r;
    (void)data;
}

void sat_answered_never(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    (void)d;
    (void)r;
    (void)data;
}

void sat_home_recall(struct sat_dir *d, struct sat_member *holder)
{
    struct sat_record r = {.chunk = d->id,
                           .request = SAT_REQ_INVALIDATE,
                           .version = d->version,
                           .protocol = sat_protocol_number(d->protocol),
                           .home = sdsm->id};
    if (holder->mode == SAT_NONE)
        return;
    holder->mode = SAT_NONE;
    sat_to_client(holder->client, holder->server, &r, NULL);
}
