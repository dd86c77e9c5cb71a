/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * multiple_writer: any number of clients write a chunk at a time, different bytes of it. A writing scope
 * begins with the home's data and a copy of them, the twin. At its end the bytes that differ go to the home,
 * which merges them into its data and answers: only then is the scope over, because no exclusion makes others
 * wait.
 */
#include "sdsm/protocol/protocol.h"

static enum sat_mode asks(enum sat_mode mode)
{
    return mode == SAT_READ ? SAT_READ : SAT_READWRITE;
}

static void release(struct sat_entry *e)
{
    struct sat_record r = sat_about_end(e);
    sat_log_release(e);
    e->state = SAT_IS_SHARED;
    if (e->ended == SAT_READ)
        return;
    char *diff = sat_diff_make(e->twin, sat_entry_data(e), e->size, &r.bytes);
    sat_to_server(&r, diff);
    sat_diff_free(diff);
    struct sat_record answer =
        sat_await(SAT_REP_RELEASE, e->id, "the end of a writing scope of chunk", e->place);
    if (answer.argument == e->version) /* nobody else has written in between */
        e->version = answer.version;
    else
        e->has_data = false;
}

static bool prepare(struct sat_dir *d, const struct sat_record *r)
{
    (void)r;
    if (!sat_store_find(d->id))
        sat_store_put(d->id, d->version, d->size, NULL);
    return true;
}

static void admit(struct sat_dir *d, const struct sat_record *r)
{
    (void)d;
    (void)r;
}

/* Readers are not heard of. */
static void ended(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    struct sat_store *s = sat_store_find(d->id);
    struct sat_record answer = *r;
    if (!sat_diff_apply(s->data, d->size, data, r->bytes))
        sat_fail(1, NULL, "bug: a bad diff of chunk %llu", (unsigned long long)d->id);
    answer.request = SAT_REP_RELEASE;
    answer.bytes = 0;
    answer.argument = d->version;
    answer.version = s->version = ++d->version;
    sat_to_client(r->client, r->server, &answer, NULL);
}

const struct sat_protocol sat_multiple_writer = {
    .title = "Multiple-Writer",
    .name = "multiple-writer",
    .hit = sat_hit_never,
    .asks = asks,
    .granted = sat_granted_state,
    .release = release,
    .invalidate = sat_never_invalidated,
    .evict = sat_evict_silently,
    .prepare = prepare,
    .admit = admit,
    .ended = ended,
    .answered = sat_answered_never,
    .twins = true,
};
