/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost: what messages cost their ranks' CPUs, and how they will behave, by the fabric's model. Charges
 * nothing.
 */
#include "p2p/internal.h"

unsigned p2p_request_how(const struct p2p_request *q)
{
    static const unsigned how[] = {[P2P_STANDARD] = 0,
                                   [P2P_WAITING] = FABRIC_SYNCHRONIZES,
                                   [P2P_SYNCHRONOUS] = FABRIC_SYNCHRONIZES,
                                   [P2P_READY] = 0,
                                   [P2P_BUFFERED] = FABRIC_BUFFERS};
    return how[q->how];
}

double p2p_start_cost(const struct p2p_request *q, bool blocking)
{
    unsigned how = p2p_request_how(q) | (blocking ? 0 : FABRIC_NONBLOCKING);
    return q->to ? fabric_send_cost(q->rank->job->messages, q->rank->rank->host, q->bytes, how) : 0;
}

double p2p_finish_cost(const struct p2p_request *q)
{
    return q->state == P2P_COMPLETE && !q->to ? q->cost : 0;
}

struct fabric_messages *p2p_model(const struct rank *r)
{
    return p2p_job_of(r->job)->messages;
}

double p2p_send_cost(const struct rank *r, uint64_t bytes)
{
    return fabric_send_cost(p2p_model(r), r->host, bytes, FABRIC_NONBLOCKING);
}

bool p2p_send_overlaps(const struct rank *r)
{
    return fabric_send_overlaps(p2p_model(r));
}

uint64_t p2p_waits_from(const struct rank *r)
{
    return fabric_synchronous_from(p2p_model(r));
}

double p2p_empty_time(const struct rank *from, const struct rank *to)
{
    const struct fabric_messages *ms = p2p_model(from);
    struct fabric_message m = {
        .from = from->host, .to = to->host, .mode = (uint8_t)fabric_message_mode(ms, 0, FABRIC_NONBLOCKING)};
    return p2p_send_cost(from, 0) + fabric_message_least(ms, &m) + fabric_receive_cost(ms, &m);
}
