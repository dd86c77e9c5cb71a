/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call: sends and receives as calls of the current rank, which pays for its part of them and, while it only
 * issues, runs ahead of the clock (docs/decisions/0004-running-ahead.md).
 */
#include "p2p/internal.h"

/* A message of more bytes than this, and whose sender does not wait, is not sent ahead of the clock: a
 * receive that is already posted can then get its bytes at once. Catching up costs less than the copy that
 * this saves. */
enum { COPY_AHEAD = 16 << 10 };

/* The rank's own time before the messages of a send that waits for nobody. */
static void come_up(const struct p2p_request *q)
{
    if (q->to && q->bytes > COPY_AHEAD)
        rank_catch_up(q->rank->rank);
}

static void issue(struct p2p_request *q, double cost)
{
    struct p2p_rank *k = q->rank;
    bool overlaps = fabric_send_overlaps(k->job->messages);
    if (BASE_UNLIKELY(rank_checker != NULL))
        p2p_checked_start(q);
    if (!overlaps)
        p2p_spend(k, cost);
    come_up(q);
    p2p_start(q, rank_now(k->rank));
    if (overlaps)
        p2p_spend(k, cost);
}

void p2p_issue(struct p2p_request *q)
{
    issue(q, p2p_start_cost(q, false));
}

void p2p_issue_blocking(struct p2p_request *q)
{
    issue(q, p2p_start_cost(q, true));
}

/* As SMPI charges it: that of a blocking send, or nothing if it waits for its receive. */
void p2p_issue_kept(struct p2p_request *q)
{
    bool waits = p2p_request_how(q) == FABRIC_SYNCHRONIZES || q->bytes >= p2p_waits_from(q->rank->rank);
    issue(q, waits ? 0 : p2p_start_cost(q, true));
}

void p2p_issue_matched(struct p2p_request *q, struct p2p_message *m)
{
    rank_catch_up(q->rank->rank);
    if (BASE_UNLIKELY(rank_checker != NULL))
        p2p_checked_start(q);
    p2p_start_matched(q, m);
}

static void complete(struct rank *r, struct p2p_request *q, const char *call, struct p2p_status *out)
{
    p2p_wait_all(r, &q, 1, call);
    *out = q->status;
    p2p_request_destroy(q);
}

void p2p_send(struct rank *r, uint32_t to, uint32_t context, int32_t tag, const struct p2p_buffer *buffer,
              enum p2p_sending how, const char *call, struct p2p_status *out)
{
    struct p2p_request *q = p2p_send_create(r, to, context, tag, buffer, how, call);
    p2p_issue_blocking(q);
    complete(r, q, call, out);
}

void p2p_receive(struct rank *r, const struct p2p_envelope *wanted, const struct p2p_buffer *buffer,
                 const char *call, struct p2p_status *out)
{
    struct p2p_request *q = p2p_receive_create(r, wanted, buffer, call);
    p2p_issue_blocking(q);
    complete(r, q, call, out);
}

void p2p_receive_matched(struct rank *r, struct p2p_message *m, const struct p2p_buffer *buffer,
                         const char *call, struct p2p_status *out)
{
    struct p2p_request *q = p2p_receive_create(r, &m->item.envelope, buffer, call);
    p2p_issue_matched(q, m);
    complete(r, q, call, out);
}

bool p2p_cancel(struct p2p_request *q)
{
    rank_catch_up(q->rank->rank);
    return p2p_request_cancel(q);
}
