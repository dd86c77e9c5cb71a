/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe: looking for a message that nobody has received yet, with and without taking it, at once or until
 * there is one. Waiting probers are told of each message that enters the queue, in order of arrival; the
 * first matched probe among them takes it.
 */
#include "p2p/internal.h"

void p2p_message_describe(const struct p2p_message *m, struct p2p_status *out)
{
    out->source = m->item.envelope.source;
    out->tag = m->item.envelope.tag;
    out->bytes = m->fabric.bytes;
    out->outcome = P2P_OK;
    out->note = m->note;
}

/* The next one of any sender, if somebody chooses the sender. */
static __attribute__((noinline)) struct p2p_item *choose(struct p2p_rank *k,
                                                         const struct p2p_envelope *wanted)
{
    enum { SENDERS = 16 };
    struct p2p_item *first[SENDERS];
    size_t n = p2p_queue_senders(&k->messages, wanted, first, SENDERS);
    return n ? first[rank_choose(k->rank, RANK_CHOOSE_MESSAGE, n)] : NULL;
}

struct p2p_item *p2p_message_wanted(struct p2p_rank *k, const struct p2p_envelope *wanted)
{
    if (BASE_UNLIKELY(rank_adversary != NULL) && wanted->source == P2P_ANY_SOURCE)
        return choose(k, wanted);
    return p2p_queue_message(&k->job->bins, &k->messages, wanted);
}

static struct p2p_message *find(struct p2p_rank *k, const struct p2p_envelope *wanted, struct p2p_status *out)
{
    struct p2p_message *m = (struct p2p_message *)(void *)p2p_message_wanted(k, wanted);
    if (m) {
        *out = (struct p2p_status){.time = engine_now(k->job->engine)};
        p2p_message_describe(m, out);
    }
    return m;
}

static void take(struct p2p_message *m)
{
    p2p_queue_remove(&m->to->job->bins, &m->to->messages, &m->item);
    m->fabric.owner_flags |= P2P_TAKEN;
}

bool p2p_find(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out)
{
    struct p2p_rank *k = rank_kept(r, &p2p_slot);
    return k && find(k, wanted, out);
}

struct p2p_message *p2p_take(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out)
{
    struct p2p_message *m = find(p2p_rank_of(r), wanted, out);
    if (m)
        take(m);
    return m;
}

/* --- until there is one -------------------------------------------------------------------------- */

void p2p_probers_tell(struct p2p_message *m)
{
    struct engine *e = m->to->job->engine;
    struct p2p_prober **at = &m->to->probers, *p;
    while (!p2p_is(m, P2P_TAKEN) && (p = *at)) {
        if (!p2p_wants(&p->wanted, &m->item.envelope)) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        p->over = true;
        p->status = (struct p2p_status){.time = engine_now(e)};
        p2p_message_describe(m, &p->status);
        p->order = rank_order_copy(m->order);
        if (p->takes) {
            take(m);
            p->message = m;
        }
        engine_wake(e, p->actor);
    }
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct p2p_prober *p = arg;
    p2p_wanted_text(p->of, &p->wanted, buf, size);
}

static uint64_t whom(const void *arg)
{
    const struct p2p_prober *p = arg;
    return p->wanted.source == P2P_ANY_SOURCE ? ENGINE_NOBODY : p->wanted.source;
}

void p2p_probes_register(void)
{
    engine_waits_register(describe, whom);
}

/* The current rank's actor waits. */
static struct p2p_message *wait_for(struct p2p_rank *k, const struct p2p_envelope *wanted, bool takes,
                                    const char *call, struct p2p_status *out)
{
    struct engine *e = k->job->engine;
    struct p2p_prober *p = base_pool_get(&k->job->prober_pool), **last = &k->probers;
    *p = (struct p2p_prober){.of = k, .wanted = *wanted, .actor = engine_current(e), .takes = takes};
    while (*last)
        last = &(*last)->next;
    *last = p;
    struct engine_reason why = {call, describe, p};
    while (!p->over)
        engine_block(e, &why);
    *out = p->status;
    struct p2p_message *m = p->message;
    rank_order_acquire(k->rank, p->order);
    rank_order_forget(p->order);
    base_pool_put(&k->job->prober_pool, p);
    return m;
}

/* What the rank has issued ahead of the clock may take what a probe would find now. */
void p2p_probe(struct rank *r, const struct p2p_envelope *wanted, const char *call, struct p2p_status *out)
{
    struct p2p_rank *k = p2p_rank_of(r);
    if (k->job->probes_poll) {
        while (!p2p_look(r, wanted, out))
            ;
        return;
    }
    rank_catch_up(r);
    const struct p2p_message *m = find(k, wanted, out);
    if (m)
        rank_order_acquire(r, m->order);
    else
        wait_for(k, wanted, false, call, out);
}

struct p2p_message *p2p_match(struct rank *r, const struct p2p_envelope *wanted, const char *call,
                              struct p2p_status *out)
{
    struct p2p_rank *k = p2p_rank_of(r);
    rank_catch_up(r);
    struct p2p_message *m = p2p_take(r, wanted, out);
    if (!m)
        return wait_for(k, wanted, true, call, out);
    rank_order_acquire(r, m->order);
    return m;
}

/* --- without waiting: the call takes its time, then looks ---------------------------------------- */

/* Failed looks in a row take longer and longer, where the model has it. */
static void look_pay(struct p2p_rank *k)
{
    struct fabric_call_costs costs = fabric_call_costs(k->job->messages);
    rank_catch_up(k->rank);
    p2p_pay(k->rank, costs.iprobe * (costs.grow ? 1 + k->looks : 1));
}

bool p2p_look(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out)
{
    struct p2p_rank *k = p2p_rank_of(r);
    look_pay(k);
    const struct p2p_message *m = find(k, wanted, out);
    k->looks = m ? 0 : k->looks + 1;
    if (m)
        rank_order_acquire(r, m->order);
    return m != NULL;
}

struct p2p_message *p2p_look_match(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out)
{
    struct p2p_rank *k = p2p_rank_of(r);
    look_pay(k);
    struct p2p_message *m = p2p_take(r, wanted, out);
    k->looks = m ? 0 : k->looks + 1;
    if (m)
        rank_order_acquire(r, m->order);
    return m;
}
