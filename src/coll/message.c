/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message: a payload under way, from the sender's memory to the receiver's. Short payloads travel in the
 * record, longer ones in a pooled buffer, those above the buffered limit stay where they are until the
 * arrival.
 */
#include "coll/exec.h"

/* Room for the payload that the message then owns. */
static void *room(struct coll_message *msg)
{
    if (msg->bytes <= COLL_SMALL)
        return msg->small;
    return base_buffers_get(&msg->instance->group->exec->buffers, msg->bytes);
}

struct coll_message *coll_message_create(struct coll_member *m, uint32_t index)
{
    struct coll_exec *x = coll_member_exec(m);
    const struct coll_step *step = &m->schedule.steps[index];
    struct coll_message *msg = base_pool_get(&x->messages);
    msg->instance = m->instance;
    msg->at = step->at;
    msg->bytes = step->bytes;
    msg->tag = step->tag;
    msg->from = m->call.me;
    msg->to = step->peer;
    msg->step = index;
    msg->sender = step->bytes + COLL_SIGNAL_BYTES > x->costs.buffered_limit ? m : NULL;
    msg->payload = NULL;
    if (!msg->sender) {
        msg->payload = room(msg);
        coll_memory_read(m, msg->at, msg->payload, msg->bytes);
    }
    return msg;
}

void coll_message_keep(struct coll_message *msg)
{
    if (msg->payload)
        return;
    msg->payload = room(msg);
    coll_memory_read(msg->sender, msg->at, msg->payload, msg->bytes);
}

void coll_message_destroy(struct coll_message *msg)
{
    struct coll_exec *x = msg->instance->group->exec;
    if (msg->payload && msg->payload != msg->small)
        base_buffers_put(&x->buffers, msg->payload, msg->bytes);
    base_pool_put(&x->messages, msg);
}

const void *coll_message_payload(const struct coll_message *msg, void **scratch)
{
    *scratch = NULL;
    if (msg->payload)
        return msg->payload;
    const void *there = coll_memory_look(msg->sender, msg->at, msg->bytes);
    if (there)
        return there;
    *scratch = base_buffers_get(&msg->instance->group->exec->buffers, msg->bytes);
    coll_memory_read(msg->sender, msg->at, *scratch, msg->bytes);
    return *scratch;
}

void coll_message_unread(const struct coll_message *msg, void *scratch)
{
    if (scratch)
        base_buffers_put(&msg->instance->group->exec->buffers, scratch, msg->bytes);
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
