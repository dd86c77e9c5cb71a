/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sources: whose messages receives and probes got that take any source or any tag, for recorders and players.
 * A recorder is told of them in the order in which a thread started them, as a player asks for them in that order, before
 * it starts them. So those that are known early wait for older ones.
 */
#include "mpi/message/parts.h"

#include <stdlib.h>

#include "base/table.h"

struct queue {
    struct mpi_sought *first, *last;
    uint32_t rank, thread;
};
struct mpi_sought {
    struct mpi_sought *next;
    struct queue *queue;
    bool known;
    struct mpi_source source;
};

/* A rank that never sends: what a receive that got no message takes. */
#define NOBODY ((uint32_t)P2P_ANY_SOURCE - 1)

bool mpi_sources_recorded;
static mpi_sources_fn listener;
static void *listens;
static struct base_table queues; /* rank and thread -> struct queue * */
static mpi_next_source_fn next_source;

static struct queue *queue_of(const struct rank *r)
{
    uint32_t thread = rank_thread_number(r);
    struct queue **q = base_table_add(&queues, (uint64_t)r->id << 32 | thread, NULL);
    if (!*q) {
        *q = base_zalloc(sizeof **q, "sources of receives");
        **q = (struct queue){.rank = r->id, .thread = thread};
    }
    return *q;
}

static void tell(struct queue *q, bool all)
{
    while (q->first && (all || q->first->known)) {
        struct mpi_sought *s = q->first;
        q->first = s->next;
        listener(listens, q->rank, q->thread, s->source);
        free(s);
    }
    if (!q->first)
        q->last = NULL;
}

struct mpi_sought *mpi_sought_begin_now(const struct rank *r)
{
    struct queue *q = queue_of(r);
    struct mpi_sought *s = base_zalloc(sizeof *s, "sources of receives");
    *s = (struct mpi_sought){.queue = q, .source = {MPI_ANY_SOURCE, MPI_ANY_TAG}};
    if (q->last)
        q->last->next = s;
    else
        q->first = s;
    q->last = s;
    return s;
}

void mpi_sought_end_now(struct mpi_sought *s, const struct mpi_comm *comm, const struct p2p_status *got)
{
    if (got && p2p_message_came(got))
        s->source = (struct mpi_source){(int)coll_group_place(mpi_comm_peers(comm), got->source), got->tag};
    s->known = true;
    tell(s->queue, false);
}

void mpi_sought_play(struct p2p_request *q, const struct mpi_comm *comm, uint8_t seeks)
{
    struct mpi_source from;
    if (!next_source)
        return;
    if (!next_source(&from))
        from = (struct mpi_source){MPI_ANY_SOURCE, MPI_ANY_TAG};
    struct p2p_envelope e = *p2p_receive_wanted(q);
    const struct coll_group *peers = mpi_comm_peers(comm);
    bool known = from.source >= 0 && (uint32_t)from.source < peers->size;
    bool nobody = from.source == MPI_PROC_NULL;
    if (seeks & MPI_SEEKS_SOURCE)
        e.source = nobody  ? NOBODY
                   : known ? coll_group_rank(peers, (uint32_t)from.source)
                           : (uint32_t)P2P_ANY_SOURCE;
    if (seeks & MPI_SEEKS_TAG)
        e.tag = nobody ? INT32_MAX : known && from.tag >= 0 ? from.tag : P2P_ANY_TAG;
    p2p_receive_want(q, &e);
}

void mpi_record_sources(mpi_sources_fn fn, void *arg)
{
    uint32_t at = 0;
    struct queue **q;
    while (listener && (q = base_table_next(&queues, &at))) {
        tell(*q, true);
        free(*q);
    }
    if (listener)
        base_table_release(&queues);
    listener = fn;
    listens = arg;
    mpi_sources_recorded = fn != NULL;
    if (fn)
        base_table_init(&queues, BASE_NUMBERS, sizeof(struct queue *), "sources of receives");
}

void mpi_play_sources(mpi_next_source_fn fn)
{
    next_source = fn;
}
