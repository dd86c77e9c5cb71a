/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message: sends and receives of players, charged as MPI's (mpi/message/). Buffers have sizes and no place, and no
 * bytes are moved.
 */
#include "replay/player.h"

/* The context of a rank's messages is the number of its world. */
static uint32_t context_of(const struct rank *r)
{
    return replay_player_of(replay_job_of(r), r)->world;
}

static struct p2p_request *make_send(struct rank *r, uint32_t to, int32_t tag, uint64_t bytes,
                                     enum p2p_sending how, const char *call)
{
    const struct p2p_buffer buffer = {.count = bytes, .layout = types_layout_of(TYPES_BYTE)};
    return p2p_send_create(r, to, context_of(r), tag, &buffer, how, call);
}

static struct p2p_envelope wanted(const struct rank *r, uint32_t from, int32_t tag)
{
    return (struct p2p_envelope){.context = context_of(r),
                                 .source = from == REPLAY_ANY ? (uint32_t)P2P_ANY_SOURCE : from,
                                 .tag = tag == REPLAY_ANY_TAG ? P2P_ANY_TAG : tag};
}

static struct p2p_request *make_receive(struct rank *r, uint32_t from, int32_t tag, uint64_t bytes,
                                        const char *call)
{
    const struct p2p_buffer buffer = {.count = bytes, .layout = types_layout_of(TYPES_BYTE)};
    const struct p2p_envelope envelope = wanted(r, from, tag);
    return p2p_receive_create(r, &envelope, &buffer, call);
}

static void complete(struct rank *r, struct p2p_request *q, const char *call)
{
    p2p_issue_blocking(q);
    p2p_wait_all(r, &q, 1, call);
    p2p_request_destroy(q);
}

void replay_send(struct replay_job *j, struct rank *r)
{
    const struct replay_action *a = &j->action;
    bool later = a->kind == REPLAY_ISEND;
    const char *call = replay_call_name(a->kind, a->number);
    rank_enter_issue(call);
    struct p2p_request *q = make_send(r, a->peer, a->tag, a->bytes, (enum p2p_sending)a->number, call);
    j->counts.messages++;
    if (later) {
        replay_keep_open(replay_player_of(j, r), q, r->id, a->peer, a->tag);
        p2p_issue(q);
    } else {
        complete(r, q, call);
    }
    rank_leave(r, call);
}

/* The size that the next message of this kind has. */
static uint64_t probe(struct rank *r, uint32_t from, int32_t tag)
{
    struct p2p_status s;
    const struct p2p_envelope envelope = wanted(r, from, tag);
    p2p_probe(r, &envelope, "MPI_Probe", &s);
    return s.bytes;
}

void replay_receive(struct replay_job *j, struct rank *r)
{
    const struct replay_action *a = &j->action;
    bool later = a->kind == REPLAY_IRECV;
    const char *call = replay_call_name(a->kind, 0);
    uint32_t from = a->peer;
    int32_t tag = a->tag;
    uint64_t bytes = a->bytes;
    rank_enter_issue(call);
    if (bytes == REPLAY_UNKNOWN_SIZE)
        bytes = probe(r, from, tag);
    struct p2p_request *q = make_receive(r, from, tag, bytes, call);
    if (later) {
        replay_keep_open(replay_player_of(j, r), q, from, r->id, tag);
        p2p_issue(q);
    } else {
        complete(r, q, call);
    }
    rank_leave(r, call);
}

/* The send is started first, as SMPI does; with itself a rank exchanges nothing. */
void replay_exchange(struct replay_job *j, struct rank *r)
{
    static const char call[] = "MPI_Sendrecv";
    const struct replay_action *a = &j->action;
    rank_enter_issue(call);
    j->counts.messages++;
    if (a->peer != r->id || a->peer2 != r->id) {
        struct p2p_request *q[] = {make_receive(r, a->peer2, 0, a->bytes2, call),
                                   make_send(r, a->peer, 0, a->bytes, P2P_STANDARD, call)};
        p2p_issue(q[1]);
        p2p_issue(q[0]);
        p2p_wait_all(r, q, 2, call);
        p2p_request_destroy(q[0]);
        p2p_request_destroy(q[1]);
    }
    rank_leave(r, call);
}
