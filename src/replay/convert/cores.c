/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores: what RISC-V cores did, as actions. Cycles are flops, of which a host does as many a second as its cores have
 * cycles; accesses are operations that formats with messages can say; what a core saw is waited for.
 */
#include "coll/coll.h"
#include "replay/convert/plain.h"

enum { STREAM = 1 }; /* of a core there is only one */

static void reach(struct replay_plain *x, const struct replay_words *w)
{
    int64_t core = replay_words_number(w, "core");
    uint64_t bytes = (uint64_t)replay_words_number(w, "bytes");
    bool stores = w->function == RECORD_RISCV_STORE, loads = w->function == RECORD_RISCV_LOAD;
    const struct replay_remote o = {.target = (uint32_t)core,
                                    .number = ++x->operations,
                                    .there = loads ? 0 : bytes,
                                    .back = stores ? 0 : bytes,
                                    .stream = STREAM,
                                    .sent = stores,
                                    .answered = !stores};
    if (!x->sink->remote)
        replay_plain_left_out(x, w);
    else if (core < x->ranks && core != x->rank)
        x->sink->remote->move(x->sink, x->rank, &o);
}

static void settle(struct replay_plain *x)
{
    if (x->sink->remote)
        x->sink->remote->settle(x->sink, x->rank, STREAM, REPLAY_ANY);
}

static void wait_for(struct replay_plain *x, const struct replay_words *w)
{
    const struct record_part *causes = replay_words_part(w, "causes");
    if (!x->sink->remote) {
        replay_plain_left_out(x, w);
        return;
    }
    for (int64_t k = 0; k + 1 < causes->n; k += 2)
        if (causes->at[k] >= 0 && causes->at[k] < x->ranks && causes->at[k + 1] > 1)
            x->sink->remote->until(x->sink, x->rank, (uint32_t)causes->at[k],
                                   (uint32_t)(causes->at[k + 1] / 2));
}

static void compute(struct replay_plain *x, const struct record_part *cycles)
{
    double sum = 0;
    for (int64_t k = 0; k < cycles->n; k++)
        sum += (double)cycles->at[k];
    replay_plain_put(x, &(struct replay_action){.kind = REPLAY_COMPUTE, .amount = sum});
}

void replay_core_action(struct replay_plain *x, const struct replay_words *w)
{
    switch (w->function) {
    case RECORD_RISCV_CYCLES:
        compute(x, &w->part[0]);
        return;
    case RECORD_RISCV_FENCE:
        settle(x);
        return;
    case RECORD_RISCV_BARRIER:
        settle(x);
        replay_plain_put(x, &(struct replay_action){.kind = REPLAY_COLLECTIVE, .number = COLL_BARRIER});
        return;
    case RECORD_RISCV_SLEEP:
        replay_plain_put(
            x, &(struct replay_action){.kind = REPLAY_SLEEP, .amount = 1e-9 * (double)w->part[0].at[0]});
        return;
    case RECORD_RISCV_WAIT:
    case RECORD_RISCV_SEEN:
        wait_for(x, w);
        return;
    default:
        reach(x, w);
    }
}
