/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * left: what a rank leaves behind at the end of the library: messages that it never received, requests that
 * it never completed or freed. And how messages are named in reports, by communicators.
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

enum { SHOWN = 3 };
struct left {
    const struct mpi_rank *self;
    size_t active, inactive, messages;
    char text[800]; /* the first messages */
};

static void add_request(void *arg, void *object)
{
    struct left *n = arg;
    const struct mpi_request *q = object;
    if (q->dropped)
        return;
    if (q->active)
        n->active++;
    else
        n->inactive++;
}

static void add_message(void *arg, const struct p2p_envelope *e, uint64_t bytes)
{
    struct left *n = arg;
    char text[240];
    if (e->context < MPI_FIRST_CONTEXT - 1 || p2p_is_inner(e))
        return; /* of another front end */
    if (n->messages++ >= SHOWN)
        return;
    if (!name(n->self->rank, e, NULL, 0, text, sizeof text))
        snprintf(text, sizeof text, "a message from rank %u, tag %d, of a communicator that is gone",
                 e->source, e->tag);
    size_t at = strlen(n->text);
    snprintf(n->text + at, sizeof n->text - at, "%s%s (%llu bytes)", at ? "; " : "", text,
             (unsigned long long)bytes);
}

void mpi_message_leftovers(struct mpi_call *c)
{
    struct left n = {.self = c->self};
    char where[RANK_WHERE_SIZE];
    mpi_handle_each(c->self, MPI_KIND_REQUEST, add_request, &n);
    p2p_left(c->rank, add_message, &n);
    if (n.messages)
        base_warn("mpi/leftover", "%s: %s: %zu messages were never received: %s%s",
                  rank_where(where, c->rank), c->name, n.messages, n.text, n.messages > SHOWN ? "; ..." : "");
    if (n.active || n.inactive)
        base_warn("mpi/leftover",
                  "%s: %s: requests are left: %zu neither completed nor freed, %zu persistent ones not freed",
                  rank_where(where, c->rank), c->name, n.active, n.inactive);
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
