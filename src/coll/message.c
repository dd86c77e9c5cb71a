/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message: a payload under way, from the sender's memory to the receiver's. Short payloads travel in the
 * record, longer ones in a pooled buffer; those above the buffered limit, and those from a source that does
 * not change, stay where they are until the arrival.
 */
#include "coll/exec.h"

/* Reads the payload from the sender's memory into the message. */
static void take(struct coll_message *msg, const struct coll_member *sender)
{
    void *room = msg->small;
    if (msg->unmoved) {
        msg->step = COLL_NO_STEP;
        return;
    }
    if (msg->bytes > COLL_SMALL)
        room = msg->buffer = base_buffers_get(&coll_instance_exec(msg->instance)->buffers, msg->bytes);
    coll_memory_read(sender, msg->at, room, msg->bytes);
    msg->step = COLL_NO_STEP;
}

/* The sources of these do not change while a member is in the collective. */
static bool may_lend(const struct coll_member *m, coll_place at)
{
    static const bool stays[COLL_OPS] = {
        [COLL_ALLTOALL] = true,           [COLL_ALLTOALLV] = true,        [COLL_ALLTOALLW] = true,
        [COLL_FCOLLECT] = true,           [COLL_ALLGATHERV] = true,       [COLL_BROADCAST] = true,
        [COLL_NEIGHBOR_ALLGATHER] = true, [COLL_NEIGHBOR_ALLTOALL] = true};
    const struct coll_schedule *s = &m->schedule;
    return coll_place_base(at) == COLL_SOURCE && stays[s->call->op] && !s->in_place;
}

static void lend(struct coll_message *msg, struct coll_member *m)
{
    msg->lent = true;
    msg->lent_next = m->lent;
    msg->lent_place = &m->lent;
    if (m->lent)
        m->lent->lent_place = &msg->lent_next;
    m->lent = msg;
}

static void end_loan(struct coll_message *msg)
{
    *msg->lent_place = msg->lent_next;
    if (msg->lent_next)
        msg->lent_next->lent_place = msg->lent_place;
    msg->lent = false;
}

void coll_message_own(struct coll_message *msg)
{
    if (msg->lent)
        end_loan(msg);
    else if (msg->step == COLL_NO_STEP)
        return;
    take(msg, msg->sender);
}

void coll_message_own_all(struct coll_member *m)
{
    struct coll_message *msg;
    while ((msg = m->lent)) {
        end_loan(msg);
        take(msg, m);
    }
}

struct coll_message *coll_message_create(struct coll_member *m, uint32_t index)
{
    struct coll_exec *x = coll_member_exec(m);
    const struct coll_step *step = &m->schedule.steps[index];
    struct coll_message *msg = base_pool_get(&x->messages);
    const struct coll_transport *t = coll_member_transport(m);
    bool buffered = step->bytes + t->overhead <= t->buffered_limit;
    msg->instance = m->instance;
    msg->bytes = step->bytes;
    msg->tag = step->tag;
    msg->lent = false;
    msg->unmoved = !coll_moves(&m->schedule, step->at, step->bytes);
    msg->from = m->schedule.me;
    msg->to = step->peer;
    msg->step = buffered ? COLL_NO_STEP : index;
    if ((!msg->bytes || msg->unmoved) && buffered)
        return msg; /* the rest of the record stays cold */
    msg->at = step->at;
    msg->sender = m;
    if (!buffered)
        return msg;
    if (coll_member_is_two_sided(m))
        coll_posted_move(msg);
    if (msg->unmoved)
        return msg;
    if (msg->bytes > COLL_SMALL && may_lend(m, step->at))
        lend(msg, m);
    else
        take(msg, m);
    return msg;
}

void coll_message_keep(struct coll_message *msg)
{
    if (msg->step != COLL_NO_STEP)
        take(msg, msg->sender);
}

void coll_message_destroy(struct coll_message *msg)
{
    struct coll_exec *x = coll_instance_exec(msg->instance);
    if (msg->lent)
        end_loan(msg);
    else if (msg->step == COLL_NO_STEP && msg->bytes > COLL_SMALL && !msg->unmoved)
        base_buffers_put(&x->buffers, msg->buffer, msg->bytes);
    base_pool_put(&x->messages, msg);
}

const void *coll_message_at_sender(const struct coll_message *msg, void **scratch)
{
    *scratch = NULL;
    const void *there = coll_memory_look(msg->sender, msg->at, msg->bytes);
    if (there)
        return there;
    *scratch = base_buffers_get(&coll_instance_exec(msg->instance)->buffers, msg->bytes);
    coll_memory_read(msg->sender, msg->at, *scratch, msg->bytes);
    return *scratch;
}

const void *coll_message_payload(const struct coll_message *msg, void **scratch)
{
    *scratch = NULL;
    if (msg->unmoved)
        return NULL;
    if (msg->step == COLL_NO_STEP && !msg->lent)
        return msg->bytes > COLL_SMALL ? msg->buffer : msg->small;
    return coll_message_at_sender(msg, scratch);
}

void coll_message_unread(const struct coll_message *msg, void *scratch)
{
    if (scratch)
        base_buffers_put(&coll_instance_exec(msg->instance)->buffers, scratch, msg->bytes);
}

void coll_message_append(struct coll_message_list *list, struct coll_message *msg)
{
    msg->next = NULL;
    if (list->first)
        list->last->next = msg;
    else
        list->first = msg;
    list->last = msg;
}
