/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job: what p2p keeps of a job, from its first message on, and of each rank that has sent, received or been
 * sent to. A job without messages costs one pointer of each rank.
 */
#include "p2p/internal.h"

#include <stdlib.h>
#include <string.h>

struct rank_slot p2p_slot;

static struct p2p_job *job_create(struct rank_job *job)
{
    struct p2p_job *j = base_zalloc(sizeof *j, "messages");
    struct base_status st;
    j->job = job;
    j->engine = rank_engine(job);
    j->fabric = rank_fabric(job);
    j->trace = rank_trace(job);
    if (fabric_messages_create(&j->messages, j->fabric, rank_settings(job), &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    j->probes_poll = !strcmp(base_settings_text(rank_settings(job), "network/model"), "SMPI");
    p2p_bins_init(&j->bins);
    base_pool_init(&j->request_pool, sizeof(struct p2p_request), "requests");
    base_pool_init(&j->message_pool, sizeof(struct p2p_message) + sizeof(struct p2p_cargo), "messages");
    base_pool_init(&j->unmoved_pool, sizeof(struct p2p_message), "messages without bytes");
    base_pool_init(&j->rank_pool, sizeof(struct p2p_rank), "ranks' queues of messages");
    base_pool_init(&j->waiter_pool, sizeof(struct p2p_waiter), "waits for messages");
    base_pool_init(&j->prober_pool, sizeof(struct p2p_prober), "probes that wait");
    base_buffers_init(&j->buffers, "payloads of messages");
    base_pool_of_operations(&j->message_pool);
    base_pool_of_operations(&j->unmoved_pool);
    base_pool_of_operations(&j->waiter_pool);
    base_pool_of_operations(&j->prober_pool);
    base_buffers_of_operations(&j->buffers);
    rank_set_part(job, &p2p_slot, j);
    return j;
}

struct p2p_job *p2p_job_of(struct rank_job *job)
{
    struct p2p_job *j = rank_part(job, &p2p_slot);
    return j ? j : job_create(job);
}

struct p2p_rank *p2p_rank_create(struct rank *r)
{
    struct p2p_job *j = p2p_job_of(r->job);
    struct p2p_rank *k = base_pool_get(&j->rank_pool);
    *k = (struct p2p_rank){.rank = r,
                           .job = j,
                           .receives = {.number = 2 * r->id},
                           .messages = {.number = 2 * r->id + 1, .messages = true}};
    rank_keep(r, &p2p_slot, k);
    return k;
}

static uint64_t live_buffers(const struct base_buffers *b)
{
    uint64_t n = 0;
    for (size_t k = 0; k < BASE_LENGTH(b->class); k++)
        n += b->class[k].live;
    return n;
}

bool p2p_exists(const struct rank_job *job)
{
    return rank_part(job, &p2p_slot) != NULL;
}

struct p2p_counts p2p_counts(const struct rank_job *job)
{
    const struct p2p_job *j = rank_part(job, &p2p_slot);
    if (!j)
        return (struct p2p_counts){0};
    struct p2p_counts c = j->counts;
    c.requests = j->request_pool.live;
    c.live = j->message_pool.live + j->unmoved_pool.live;
    c.buffers = live_buffers(&j->buffers);
    c.waits = j->waiter_pool.live + j->prober_pool.live;
    return c;
}

struct p2p_traffic p2p_traffic(const struct rank *r)
{
    const struct p2p_rank *k = rank_kept(r, &p2p_slot);
    return k ? k->traffic : (struct p2p_traffic){0};
}

struct p2p_queued p2p_queued(const struct rank *r)
{
    const struct p2p_rank *k = rank_kept(r, &p2p_slot);
    return k ? (struct p2p_queued){k->receives.n, k->messages.n} : (struct p2p_queued){0};
}

/* Messages that nobody received may hold memory of their own. NULL: the rank has no part in any. */
static void rank_release(struct p2p_rank *k)
{
    while (k && k->messages.head) {
        struct p2p_message *m = (struct p2p_message *)(void *)k->messages.head;
        p2p_queue_remove(&k->job->bins, &k->messages, k->messages.head);
        p2p_message_destroy(m);
    }
}

static void job_end(struct rank_job *job)
{
    struct p2p_job *j = rank_part(job, &p2p_slot);
    if (!j)
        return;
    rank_set_part(job, &p2p_slot, NULL);
    for (uint32_t r = 0; r < rank_count(job); r++)
        rank_release(rank_kept(rank_at(job, r), &p2p_slot));
    p2p_bins_release(&j->bins);
    p2p_unlike_release(j);
    base_pool_release(&j->request_pool);
    base_pool_release(&j->message_pool);
    base_pool_release(&j->unmoved_pool);
    base_pool_release(&j->rank_pool);
    base_pool_release(&j->waiter_pool);
    base_pool_release(&j->prober_pool);
    base_buffers_release(&j->buffers);
    fabric_messages_destroy(j->messages);
    free(j);
}

void p2p_register(void)
{
    static const struct rank_front front = {.name = "p2p", .job_end = job_end};
    rank_slot_register(&p2p_slot, sizeof(void *));
    rank_front_register(&front);
    p2p_waits_register();
    p2p_probes_register();
}
