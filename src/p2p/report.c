/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: what requests and probes wait for, in words, for the report of a deadlock: named as the front end
 * names it, and with the message in the receiver's queue that is nearly what is waited for.
 */
#include "p2p/internal.h"
#include "rank/title.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static p2p_name_fn name_fn;

void p2p_on_name(p2p_name_fn fn)
{
    name_fn = fn;
}

static void name(const struct rank *r, const struct p2p_envelope *e, const struct rank *to, uint64_t bytes,
                 char *buf, size_t size)
{
    char source[RANK_TITLE_SIZE] = "any rank", tag[32] = "any tag";
    if (name_fn && name_fn(r, e, to, bytes, buf, size))
        return;
    if (e->source != P2P_ANY_SOURCE)
        rank_title(rank_at(r->job, e->source), source, sizeof source);
    if (e->tag != P2P_ANY_TAG)
        snprintf(tag, sizeof tag, "tag %" PRId32, e->tag);
    if (to)
        snprintf(buf, size, "%" PRIu64 " bytes to be received by %s, %s, context %" PRIu32, bytes,
                 rank_title(to, source, sizeof source), tag, e->context);
    else
        snprintf(buf, size, "a message from %s, %s, context %" PRIu32, source, tag, e->context);
}

static bool matches(const struct p2p_envelope *wanted, const struct p2p_envelope *e, bool source)
{
    return source ? wanted->source == e->source || wanted->source == P2P_ANY_SOURCE
                  : wanted->tag == e->tag || wanted->tag == P2P_ANY_TAG;
}

/* Of the messages in the queue, the first that differs in its tag alone, or in its source alone. */
static const struct p2p_message *near_miss(const struct p2p_rank *k, const struct p2p_envelope *wanted)
{
    const struct p2p_item *other = NULL;
    for (const struct p2p_item *i = k->messages.head; i; i = i->next) {
        if (i->envelope.context != wanted->context)
            continue;
        if (matches(wanted, &i->envelope, true))
            return (const struct p2p_message *)(const void *)i;
        if (!other && matches(wanted, &i->envelope, false))
            other = i;
    }
    return (const struct p2p_message *)(const void *)other;
}

char *p2p_wanted_text(const struct p2p_rank *k, const struct p2p_envelope *e, char *buf, size_t size)
{
    name(k->rank, e, NULL, 0, buf, size);
    const struct p2p_message *m = near_miss(k, e);
    if (m) {
        size_t n = strlen(buf);
        snprintf(buf + n, size - n, "; unreceived is ");
        n = strlen(buf);
        name(k->rank, &m->item.envelope, NULL, m->fabric.bytes, buf + n, size - n);
    }
    return buf;
}

char *p2p_request_text(const struct p2p_request *q, char *buf, size_t size)
{
    if (q->other && q->describe)
        q->describe(q->about, buf, size);
    else if (q->other)
        snprintf(buf, size, "%s", q->call);
    else if (q->to)
        name(q->rank->rank, &q->item.envelope, q->to, q->bytes, buf, size);
    else
        p2p_wanted_text(q->rank, &q->item.envelope, buf, size);
    return buf;
}

void p2p_left(struct rank *r, void (*fn)(void *arg, const struct p2p_left *l), void *arg)
{
    const struct p2p_rank *k = rank_kept(r, &p2p_slot);
    for (const struct p2p_item *i = k ? k->messages.head : NULL; i; i = i->next) {
        const struct p2p_message *m = (const struct p2p_message *)(const void *)i;
        fn(arg, &(struct p2p_left){i->envelope, m->fabric.bytes, m->call,
                                   rank_code_of_low(m->from->rank, m->caller)});
    }
}
