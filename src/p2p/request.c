/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request: sends and receives as their owners have them: made, started, complete, taken back (states in
 * internal.h).
 */
#include "p2p/internal.h"

/* --- making -------------------------------------------------------------------------------------- */

static struct p2p_request *request_create(struct p2p_rank *k, const struct p2p_buffer *buffer,
                                          const char *call)
{
    struct p2p_request *q = base_pool_get(&k->job->request_pool);
    q->item.queued = false;
    q->rank = k;
    q->buffer = *buffer;
    q->buffer.layout = types_layout_retain(buffer->layout);
    q->bytes = buffer->count * types_layout_size(buffer->layout);
    q->to = NULL;
    q->state = P2P_IDLE;
    q->how = P2P_STANDARD;
    q->destroyed = q->posting = q->apart = q->other = false;
    q->unmoved = k->rank->memory->nowhere;
    q->waiter = NULL;
    q->done = NULL;
    q->note = NULL; /* and no number */
    q->pending = (struct rank_pending){0};
    q->call = call;
    return q;
}

struct p2p_request *p2p_send_create(struct rank *r, uint32_t to, uint32_t context, int32_t tag,
                                    const struct p2p_buffer *buffer, enum p2p_sending how, const char *call)
{
    struct p2p_request *q = request_create(p2p_rank_of(r), buffer, call);
    BASE_ASSERT("P7: a message has no wildcard", tag != P2P_ANY_TAG);
    q->item.envelope = (struct p2p_envelope){context, r->id, tag};
    q->to = rank_at(r->job, to);
    q->how = (uint8_t)how;
    return q;
}

struct p2p_request *p2p_receive_create(struct rank *r, const struct p2p_envelope *wanted,
                                       const struct p2p_buffer *buffer, const char *call)
{
    struct p2p_request *q = request_create(p2p_rank_of(r), buffer, call);
    q->item.envelope = *wanted;
    return q;
}

const struct p2p_envelope *p2p_receive_wanted(const struct p2p_request *q)
{
    return &q->item.envelope;
}

void p2p_receive_want(struct p2p_request *q, const struct p2p_envelope *wanted)
{
    BASE_ASSERT("P1", q->state != P2P_ACTIVE && !q->item.queued);
    q->item.envelope = *wanted;
}

struct p2p_request *p2p_other_create(struct rank *r, const char *call,
                                     void (*describe)(const void *about, char *buf, size_t size),
                                     const void *about)
{
    struct p2p_buffer none = {.layout = types_layout_of(TYPES_BYTE)};
    struct p2p_request *q = request_create(p2p_rank_of(r), &none, call);
    q->item.envelope = (struct p2p_envelope){0};
    q->other = true;
    q->describe = describe;
    q->about = about;
    return q;
}

static void destroy(struct p2p_request *q)
{
    types_layout_release(q->buffer.layout);
    rank_order_forget(q->pending.order);
    base_pool_put(&q->rank->job->request_pool, q);
}

void p2p_request_destroy(struct p2p_request *q)
{
    q->destroyed = true;
    q->done = NULL;
    if (BASE_UNLIKELY(q->pending.action != 0))
        p2p_checked_freed(q);
    if (q->state != P2P_ACTIVE)
        destroy(q);
}

void p2p_request_tell(struct p2p_request *q, p2p_done_fn done, void *arg)
{
    BASE_ASSERT("P1", q->state != P2P_ACTIVE);
    q->done = done;
    q->arg = arg;
}

void p2p_request_unmoved(struct p2p_request *q)
{
    BASE_ASSERT("P1", q->state != P2P_ACTIVE);
    q->unmoved = true;
}

const struct p2p_buffer *p2p_request_buffer(const struct p2p_request *q)
{
    return &q->buffer;
}

void p2p_request_note(struct p2p_request *q, void *note)
{
    BASE_ASSERT("P1", q->state != P2P_ACTIVE);
    q->note = note;
}

bool p2p_active(const struct p2p_request *q)
{
    return q->state == P2P_ACTIVE;
}

const struct p2p_status *p2p_status(const struct p2p_request *q)
{
    return &q->status;
}

static void (*note_fn)(void *note);

void p2p_on_note(void (*fn)(void *note))
{
    note_fn = fn;
}

/* Nobody will ask for its status. */
static void hand_over_note(const struct p2p_request *q)
{
    if (p2p_message_came(&q->status) && !q->to && !q->other && q->status.note && note_fn)
        note_fn(q->status.note);
}

/* --- being complete ------------------------------------------------------------------------------ */

void p2p_request_complete(struct p2p_request *q, enum p2p_outcome outcome, double time)
{
    struct p2p_waiter *w = q->waiter;
    BASE_ASSERT("P5", q->state == P2P_ACTIVE);
    q->state = P2P_COMPLETE;
    q->waiter = NULL;
    q->status.outcome = outcome;
    q->status.time = time;
    if (w && w->left && --w->left == 0)
        engine_wake(q->rank->job->engine, w->actor);
    if (BASE_UNLIKELY(q->destroyed)) {
        hand_over_note(q);
        destroy(q);
    } else if (q->done)
        q->done(q, q->arg);
}

void p2p_request_fail(struct p2p_request *q, const struct fabric_failure *why)
{
    q->status.failure = *why;
    p2p_request_complete(q, P2P_FAILED, engine_now(q->rank->job->engine));
}

/* --- starting ------------------------------------------------------------------------------------ */

static void post(struct p2p_request *q)
{
    struct p2p_rank *k = q->rank;
    struct p2p_item *item = p2p_message_wanted(k, &q->item.envelope);
    if (!item) {
        p2p_queue_add(&k->job->bins, &k->receives, &q->item);
        return;
    }
    p2p_queue_remove(&k->job->bins, &k->messages, item);
    p2p_message_match((struct p2p_message *)(void *)item, q);
}

static void post_event(struct engine *e, struct engine_event *ev)
{
    struct p2p_request *q = BASE_CONTAINER(ev, struct p2p_request, item.event);
    (void)e;
    q->rank->pending--;
    q->posting = false;
    post(q);
}

static void begin(struct p2p_request *q)
{
    BASE_ASSERT("P1", q->state != P2P_ACTIVE && !q->destroyed);
    q->state = P2P_ACTIVE;
    q->cost = 0;
    q->caller = q->rank->rank->caller;
    q->status = (struct p2p_status){.source = q->item.envelope.source,
                                    .tag = q->item.envelope.tag,
                                    .bytes = q->to ? q->bytes : 0,
                                    .room = q->bytes};
}

static void receive_start(struct p2p_request *q, double when)
{
    struct p2p_rank *k = q->rank;
    if (BASE_UNLIKELY(k->job->trace->on))
        p2p_trace_posted(q, when);
    if (!p2p_must_wait(k, &q->item.envelope, when)) {
        post(q);
        return;
    }
    k->pending++;
    q->posting = true;
    engine_event_init(&q->item.event, post_event);
    fabric_lead_post(k->job->fabric, &q->item.event, when);
}

void p2p_start(struct p2p_request *q, double when)
{
    begin(q);
    if (q->to)
        p2p_message_start(q, when);
    else
        receive_start(q, when);
}

void p2p_start_matched(struct p2p_request *q, struct p2p_message *m)
{
    struct fabric_failure why = m->why;
    BASE_ASSERT("P3", p2p_is(m, P2P_TAKEN) && !q->to && m->to == q->rank);
    begin(q);
    if (BASE_UNLIKELY(q->rank->job->trace->on))
        p2p_trace_posted(q, engine_now(q->rank->job->engine));
    if (BASE_LIKELY(!p2p_is(m, P2P_LOST))) {
        p2p_message_match(m, q);
        return;
    }
    p2p_message_destroy(m);
    p2p_request_fail(q, &why);
}

void p2p_other_start(struct p2p_request *q)
{
    BASE_ASSERT("P1", q->other);
    begin(q);
}

void p2p_other_complete(struct p2p_request *q)
{
    p2p_request_complete(q, P2P_OK, engine_now(q->rank->job->engine));
}

/* --- taking back --------------------------------------------------------------------------------- */

bool p2p_request_cancel(struct p2p_request *q)
{
    struct p2p_rank *k = q->rank;
    BASE_ASSERT("P8: what is taken back has been started", !q->posting);
    if (q->state != P2P_ACTIVE || q->other)
        return false;
    if (q->item.queued)
        p2p_queue_remove(&k->job->bins, &k->receives, &q->item);
    else if (q->to && q->message->item.queued)
        p2p_message_cancel(q->message);
    else
        return false;
    p2p_request_complete(q, P2P_CANCELLED, engine_now(k->job->engine));
    return true;
}
