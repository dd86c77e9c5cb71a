/* SPDX-License-Identifier: BSD-3-Clause */
/* carried: messages of collectives as their transport sees them (transport.h). */
#include "coll/job.h"

const struct coll_transport *coll_message_transport(const struct coll_message *msg)
{
    return msg->instance->first.transport;
}

uint64_t coll_message_bytes(const struct coll_message *msg)
{
    return msg->bytes;
}

static struct rank *end_of(const struct coll_message *msg, uint32_t place)
{
    const struct coll_instance *i = msg->instance;
    struct coll_exec *x = coll_instance_exec(i);
    return x->runtime->rank(x->ctx, coll_group_rank(&i->group->key, place));
}

struct rank *coll_message_sender(const struct coll_message *msg)
{
    return end_of(msg, msg->from);
}

struct rank *coll_message_receiver(const struct coll_message *msg)
{
    return end_of(msg, msg->to);
}

const char *coll_message_call(const struct coll_message *msg)
{
    return msg->instance->first.name;
}

uint64_t coll_message_collective(const struct coll_message *msg)
{
    return msg->instance->meeting;
}

uint32_t coll_message_tag(const struct coll_message *msg)
{
    return msg->tag;
}

bool coll_message_is_even(const struct coll_message *msg)
{
    return msg->instance->even;
}

uint64_t coll_message_number(const struct coll_message *msg)
{
    return msg->number;
}

void coll_message_trace(struct coll_message *msg, uint64_t number, struct trace_event *ev)
{
    const struct coll_instance *i = msg->instance;
    const struct coll_job *j = BASE_CONTAINER(coll_instance_exec(i), const struct coll_job, exec);
    const struct coll_group *g = &i->group->key;
    msg->number = number;
    ev->time = engine_now(j->engine);
    ev->rank = coll_group_rank(g, msg->from);
    ev->peer = coll_group_rank(g, msg->to);
    ev->op = number;
    ev->bytes = msg->bytes;
    ev->call = i->first.name;
    trace_emit(j->trace, ev);
}
