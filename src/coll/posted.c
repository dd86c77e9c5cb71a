/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posted: how members of two-sided collectives carry out a round. A member acts like a rank that calls
 * MPI_Irecv for all receives of the round, then MPI_Isend for its sends, and then waits, paying for each
 * message in order of arrival. The invariants (C13) are in exec.h.
 */
#include "coll/exec.h"

enum { NONE = UINT32_MAX };

void coll_posted_receive(struct coll_member *m, const struct coll_step *step)
{
    const struct coll_transport *t = coll_member_transport(m);
    const struct coll_instance *i = m->instance;
    bool placed = step->kind == COLL_STEP_RECEIVE_PLACED;
    t->ops->post(t->ctx, &(struct coll_receive){.rank = m->rank,
                                                .from = coll_member_rank(m, step->peer),
                                                .collective = i->meeting,
                                                .bytes = placed ? COLL_MOST_BYTES : step->bytes,
                                                .tag = step->tag,
                                                .even = i->even,
                                                .call = i->first.name});
}

/* A message that has already arrived is attached to its step, but no step has begun when this returns. */
void coll_posted_round(struct coll_member *m)
{
    for (uint32_t k = 0; k < m->schedule.receives; k++)
        if (m->schedule.steps[k].state != COLL_HELD)
            coll_posted_receive(m, &m->schedule.steps[k]);
}

/* --- messages that wait for the CPU --------------------------------------------------------------- */

/* The sender may reuse its memory from now on, so the payload is copied. */
void coll_posted_defer(struct coll_member *m, struct coll_step *step)
{
    struct coll_message *msg = step->message;
    if (msg->step != COLL_NO_STEP && msg->bytes && !msg->unmoved)
        coll_posted_move(msg);
    if (!msg->unmoved)
        coll_message_keep(msg);
    step->message = NULL;
    coll_exec_add_early(m, msg);
}

bool coll_posted_next(struct coll_member *m)
{
    struct coll_message *msg = m->early.first;
    if (!m->early_any || m->queue_first != NONE)
        return false;
    m->early.first = msg->next;
    m->early_any = m->early.first != NULL;
    uint32_t index = coll_schedule_receiver(&m->schedule, msg->from, msg->tag);
    BASE_ASSERT("C13", index != NONE && m->schedule.steps[index].state == COLL_STARTED);
    m->schedule.steps[index].message = msg;
    if (coll_step_receive(m, &m->schedule.steps[index]))
        coll_step_finish(m, index);
    return true;
}

/* --- one copy ------------------------------------------------------------------------------------- */

void coll_posted_move(struct coll_message *msg)
{
    const struct coll_member *m = coll_exec_receiver(msg);
    uint32_t index = m ? coll_schedule_receiver(&m->schedule, msg->from, msg->tag) : NONE;
    const struct coll_step *step = index == NONE ? NULL : &m->schedule.steps[index];
    void *scratch;
    if (!step || step->state != COLL_STARTED || step->kind != COLL_STEP_RECEIVE || step->bytes != msg->bytes)
        return;
    const void *bytes = coll_message_at_sender(msg, &scratch);
    coll_memory_write(m, step->at, bytes, msg->bytes);
    coll_message_unread(msg, scratch);
    msg->unmoved = true;
}
