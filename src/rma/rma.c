/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma: begins and ends with the job; keeps the figures.
 */
#include "rma/internal.h"

#include <stdlib.h>

static void classes_begin(struct rma_job *j)
{
    static const struct rma_class *const all[RMA_CLASSES] = {
        [RMA_PUT] = &rma_put_class,
        [RMA_PUT_NBI] = &rma_put_nbi_class,
        [RMA_GET] = &rma_get_class,
        [RMA_PUT_PACKED] = &rma_put_packed_class,
        [RMA_GET_PACKED] = &rma_get_packed_class,
        [RMA_PUT_SIGNAL] = &rma_put_signal_class,
        [RMA_PUT_SIGNAL_NBI] = &rma_put_signal_nbi_class,
        [RMA_ATOMIC_FETCH] = &rma_atomic_fetch_class,
        [RMA_ATOMIC_FETCH_NBI] = &rma_atomic_fetch_nbi_class,
        [RMA_ATOMIC_POST] = &rma_atomic_post_class,
        [RMA_ACCUMULATE] = &rma_accumulate_class,
        [RMA_ACCUMULATE_MANY] = &rma_accumulate_many_class,
        [RMA_GET_ACCUMULATE] = &rma_get_accumulate_class,
        [RMA_GET_ACCUMULATE_MANY] = &rma_get_accumulate_many_class,
        [RMA_COMPARE_AND_SWAP] = &rma_swap_class,
    };
    for (size_t k = 0; k < RMA_CLASSES; k++)
        j->classes[k] = *all[k];
    rma_op_handle(j);
}

static void job_begin(struct rank_job *job)
{
    struct rma_job *j = base_zalloc(sizeof *j, "one-sided operations");
    j->job = job;
    j->engine = rank_engine(job);
    j->fabric = rank_fabric(job);
    j->trace = rank_trace(job);
    j->observed = j->trace->on;
    classes_begin(j);
    base_pool_init(&j->ops, RMA_OP_ROOM, "one-sided operations");
    base_pool_init(&j->lanes, sizeof(struct rma_lane), "one-sided operations' order");
    base_pool_init(&j->contexts, sizeof(struct rma_ctx), "contexts");
    base_pool_init(&j->ranks, sizeof(struct rma_rank), "ranks' operations");
    base_pool_init(&j->watches, sizeof(struct rma_watch), "waits for variables");
    base_pool_init(&j->waiters, sizeof(struct rma_waiter), "waits for operations");
    base_buffers_init(&j->buffers, "payloads");
    base_table_init(&j->pages, BASE_NUMBERS, 0, "pages with atomics");
    base_table_init(&j->marks, BASE_NUMBERS, sizeof(uint64_t), "operations of further threads");
    base_table_init(&j->numbers, BASE_NUMBERS, sizeof(uint64_t), "operations of further threads");
    base_table_init(&j->before, BASE_NUMBERS, sizeof(uint64_t), "operations of earlier traces");
    base_table_init(&j->frames, BASE_NUMBERS, sizeof(uint64_t), "frames of pages");
    base_table_init(&j->layouts, BASE_NUMBERS, sizeof(uint64_t), "layouts in use");
    base_pool_of_operations(&j->ops);
    base_pool_of_operations(&j->watches);
    base_pool_of_operations(&j->waiters);
    base_buffers_of_operations(&j->buffers);
    rma_cards_trace(j);
    j->arrived = base_reserve(rank_room(job) * sizeof *j->arrived, "counts of operations");
    rank_set_part(job, &rma_slot, j);
    rma_source_begin();
}

/* The job is over, perhaps in the middle: operations may be in flight, and are dropped with their pool. */
static void job_end(struct rank_job *job)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    for (uint32_t id = 0; id < rank_count(job); id++) {
        struct rma_rank *k = rank_kept(rank_at(job, id), &rma_slot);
        for (struct rma_ctx *c = k ? k->contexts : NULL; c; c = c->next) {
            rma_lanes_release(c);
            rma_acks_release(c);
        }
    }
    rma_cards_release(j);
    base_unreserve(j->arrived, rank_room(job) * sizeof *j->arrived);
    base_table_release(&j->pages);
    base_table_release(&j->marks);
    rma_causes_release(j);
    rma_frames_release(j);
    rma_layouts_release(j);
    rma_rules_release(j);
    rma_ears_release(j);
    base_buffers_release(&j->buffers);
    base_pool_release(&j->waiters);
    base_pool_release(&j->watches);
    base_pool_release(&j->ranks);
    base_pool_release(&j->contexts);
    base_pool_release(&j->lanes);
    base_pool_release(&j->ops);
    rank_set_part(job, &rma_slot, NULL);
    free(j);
}

/* A rank that ends leaves no operation behind that would read its memory. */
static void settle(struct rank *r, int code)
{
    (void)code;
    struct rma_rank *k = rank_kept(r, &rma_slot);
    if (!k)
        return;
    for (struct rma_ctx *c = k->contexts; c; c = c->next)
        rma_quiet(c, "exit");
    k->watches = NULL; /* of actors that end with the rank */
    r->watching = 0;
}

/* What ranks wait for outside calls. */
const struct trace_call rma_calls[] = {
    {"context destroy", TRACE_KIND_QUIET, 0},
    {"exit", TRACE_KIND_QUIET, 0},
};
const size_t rma_calls_count = BASE_LENGTH(rma_calls);

void rma_register(void)
{
    static const struct rank_front front = {"rma", job_begin, job_end, settle};
    rank_slot_register(&rma_slot, sizeof(struct rma_rank *));
    trace_calls_register(rma_calls, rma_calls_count);
    rank_front_register(&front);
    rank_on_stored(rma_stored);
}

struct rma_counts rma_counts(const struct rank_job *job)
{
    const struct rma_job *j = rank_part(job, &rma_slot);
    return j->counts;
}
