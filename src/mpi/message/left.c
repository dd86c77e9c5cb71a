/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * left: what a rank leaves behind: at the end of the library requests that it never completed or freed, at
 * the end of the job messages that it never received. And how messages are named in reports, by
 * communicators.
 */
#include "mpi/message/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names ------------------------------------------------------------------------------------------- */

struct search {
    uint32_t context;
    const struct mpi_comm *found;
};

static void look_at(void *arg, void *object)
{
    struct search *s = arg;
    const struct mpi_comm *comm = object;
    if (comm->space->context == s->context)
        s->found = comm;
}

/* NULL: the rank has none with this context (any more). */
static const struct mpi_comm *comm_of_context(const struct mpi_rank *self, uint32_t context)
{
    struct search s = {context, NULL};
    if (self->world && self->world->space->context == context)
        return self->world;
    if (self->self && self->self->space->context == context)
        return self->self;
    mpi_handle_each(self, MPI_KIND_COMM, look_at, &s);
    return s.found;
}

/* "a message from rank 3, tag 7, of MPI_COMM_WORLD", ranks being those of the communicator. */
static bool name(const struct rank *r, const struct p2p_envelope *e, const struct rank *to, uint64_t bytes,
                 char *buf, size_t size)
{
    const struct mpi_rank *self = rank_kept((struct rank *)(uintptr_t)r, &mpi_slot);
    const struct mpi_comm *comm = self ? comm_of_context(self, e->context) : NULL;
    char of[200], tag[32] = "any tag", whom[32] = "any rank";
    if (!comm)
        return false;
    const struct coll_group *peers = mpi_comm_peers(comm);
    if (e->tag != P2P_ANY_TAG)
        snprintf(tag, sizeof tag, "tag %d", e->tag);
    if (to || e->source != P2P_ANY_SOURCE)
        snprintf(whom, sizeof whom, "rank %u", coll_group_place(peers, to ? to->id : e->source));
    mpi_comm_text(comm, of, sizeof of);
    if (to)
        snprintf(buf, size, "%llu bytes to be received by %s, %s, of %s", (unsigned long long)bytes, whom,
                 tag, of);
    else
        snprintf(buf, size, "a message from %s, %s, of %s", whom, tag, of);
    return true;
}

/* --- the end ----------------------------------------------------------------------------------------- */

/* MPI-5.0 section 11.2.2: a rank completes what it has started, and receives what it was sent. */
static const char key[] = "misuse/leftover";

static void warn_request(void *arg, void *object)
{
    const struct mpi_call *c = arg;
    const struct mpi_request *q = object;
    char made[RANK_WHERE_SIZE];
    if (!q->active || q->dropped)
        return;
    base_warn(key, "%s: a request%s was neither completed nor freed", c->name,
              mpi_leak_text(c->self, q->object.handle, made, sizeof made));
    if (rank_job_config(c->rank->job)->checked) /* it counts as an error, and as nothing else */
        mpi_leak_freed(c->self, q->object.handle);
}

void mpi_message_leftovers(struct mpi_call *c)
{
    mpi_handle_each(c->self, MPI_KIND_REQUEST, warn_request, c);
}

static void warn_message(void *arg, const struct p2p_left *l)
{
    const struct mpi_rank *self = arg;
    const struct rank *r = self->rank;
    char text[240], from[RANK_WHERE_SIZE];
    if (l->envelope.context < MPI_FIRST_CONTEXT - 1 || p2p_is_inner(&l->envelope))
        return; /* of another front end */
    if (!name(r, &l->envelope, NULL, 0, text, sizeof text))
        snprintf(text, sizeof text, "a message from rank %u, tag %d, of a communicator that is gone",
                 l->envelope.source, l->envelope.tag);
    rank_code_name(rank_at(r->job, l->envelope.source), l->caller, from, sizeof from);
    base_warn(key, "rank %u has never received %s (%llu bytes), sent by %s%s%s", r->id, text,
              (unsigned long long)l->bytes, l->call, *from ? " in " : "", from);
}

void mpi_message_lost(struct mpi_rank *self)
{
    if (self->state == MPI_STATE_FINALIZED && p2p_exists(self->job->job))
        p2p_left(self->rank, warn_message, self);
}

/* At the job's end p2p/ may have ended before: its requests are gone, and other work with them. */
static void end_request(void *arg, void *object)
{
    const struct mpi_rank *self = arg;
    struct mpi_request *q = object;
    if (!p2p_exists(self->job->job)) {
        q->p2p = NULL;
        if (q->kind != MPI_REQUEST_OTHER)
            mpi_request_drop(q);
    } else if (q->kind != MPI_REQUEST_OTHER || !p2p_active(q->p2p)) {
        mpi_request_drop(q);
    }
}

static void leave(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_REQUEST, end_request, self);
    mpi_unpaired_release(self);
    mpi_uses_release(self);
    free(self->bsends);
    free(self->session_bsends);
    self->bsends = self->session_bsends = NULL;
}

void mpi_message_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave};
    mpi_keeper_register(&keeper);
    mpi_request_register();
    p2p_on_name(name);
    p2p_on_note(mpi_bsend_left);
}
