/* SPDX-License-Identifier: BSD-3-Clause */
/* queue: actions of a rank, held back behind a request of which it is not known yet what it is. */
#include "replay/otf2/reader.h"

#include <stdlib.h>
#include <string.h>

void replay_otf2_queue_begin(struct replay_otf2_queue *q, struct replay_otf2 *x, uint32_t rank)
{
    *q = (struct replay_otf2_queue){.x = x, .rank = rank};
    base_table_init(&q->requests, BASE_NUMBERS, sizeof(uint64_t), "requests of a trace");
    base_table_init(&q->sends, BASE_NUMBERS, sizeof(struct replay_action), "requests of a trace");
    q->calls = base_zalloc((x->comm.n + 1) * sizeof *q->calls, "communicators of a trace");
}

/* A collective's communicator and number are found again by who makes their sizes. */
static void write(struct replay_otf2_queue *q, struct replay_otf2_item *item)
{
    struct replay_action *a = &item->action;
    if (a->kind == REPLAY_COLLECTIVE || a->kind == REPLAY_ICOLLECTIVE) {
        replay_otf2_note(&q->x->comm.at[item->comm], q->rank, q->calls[item->comm]++, item->volume);
        a->group = item->comm;
    }
    replay_tape_write(q->x->tape, q->rank, a);
}

static void flush(struct replay_otf2_queue *q)
{
    while (q->first < q->item.n && !q->item.at[q->first].open)
        write(q, &q->item.at[q->first++]);
    if (q->first == q->item.n) {
        q->gone += q->item.n;
        q->first = q->item.n = 0;
    }
}

void replay_otf2_queue_end(struct replay_otf2_queue *q)
{
    for (size_t k = q->first; k < q->item.n; k++)
        if (q->item.at[k].open)
            q->item.at[k] = (struct replay_otf2_item){
                .action = {.kind = REPLAY_SKIP, .text = "a request that is never complete", .number = 1}};
    flush(q);
    base_table_release(&q->requests);
    base_table_release(&q->sends);
    free(q->item.at);
    free(q->calls);
}

void replay_otf2_put(struct replay_otf2_queue *q, const struct replay_otf2_item *item)
{
    BASE_ARRAY_PUSH(&q->item, *item);
    flush(q);
}

void replay_otf2_put_action(struct replay_otf2_queue *q, const struct replay_action *a)
{
    replay_otf2_put(q, &(struct replay_otf2_item){.action = *a});
}

void replay_otf2_put_request(struct replay_otf2_queue *q, uint64_t request,
                             const struct replay_otf2_item *item)
{
    *(uint64_t *)base_table_add(&q->requests, request, NULL) = q->gone + q->item.n;
    replay_otf2_put(q, item);
}

struct replay_otf2_item *replay_otf2_requested(struct replay_otf2_queue *q, uint64_t request)
{
    const uint64_t *number = base_table_find(&q->requests, request);
    bool there = number && *number >= q->gone + q->first && *number < q->gone + q->item.n;
    return there ? &q->item.at[*number - q->gone] : NULL;
}

void replay_otf2_close(struct replay_otf2_queue *q, uint64_t request)
{
    struct replay_otf2_item *item = replay_otf2_requested(q, request);
    if (item)
        item->open = false;
    base_table_remove(&q->requests, request);
    flush(q);
}

void replay_otf2_put_send(struct replay_otf2_queue *q, uint64_t request, const struct replay_action *a)
{
    *(struct replay_action *)base_table_add(&q->sends, request, NULL) = *a;
    replay_otf2_put_action(q, a);
}

bool replay_otf2_take_send(struct replay_otf2_queue *q, uint64_t request, struct replay_action *out)
{
    const struct replay_action *a = base_table_find(&q->sends, request);
    if (!a)
        return false;
    *out = *a;
    base_table_remove(&q->sends, request);
    return true;
}
