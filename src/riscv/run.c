/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: a core's quanta. Between remote accesses a core runs without the engine; its time is then the clock's
 * plus the cycles that it has run since (rank's own time, decision 0004). At the end of a quantum the clock
 * catches up, so that others' stores arrive.
 */
#include <math.h>

#include "clocks/clocks.h"
#include "rank/busy.h"
#include "riscv/internal.h"

/* Local addresses in no program's memory that mean something (the authors' simulator has the first two). */
#define BARRIER_BB UINT64_C(0xbb00000000000000)
#define BARRIER_AA UINT64_C(0xaa00000000000000)
#define COUNTING   UINT64_C(0xc000000000000000)

/* --- time ----------------------------------------------------------------------------------------------- */

/* The core's time is kept as an instant and the cycles since, so it does not depend on how often it is charged. */
void riscv_charge(struct riscv_rank *k)
{
    uint64_t cycle = k->process.core.cycle;
    double now = rank_now(k->rank);
    if (cycle == k->charged)
        return;
    if (now != k->own) {
        k->since = now;
        k->since_cycle = k->charged;
    }
    k->charged = cycle;
    riscv_traced_computing(k);
    k->own = k->since + (double)(cycle - k->since_cycle) / k->frequency;
    rank_energy_busy(k->rank, now, k->own);
    k->rank->ahead_until = k->own;
}

double riscv_leave(struct riscv_rank *k)
{
    riscv_charge(k);
    riscv_traced_leave(k);
    return rank_now(k->rank);
}

void riscv_back(struct riscv_rank *k, double from, enum riscv_stall why)
{
    double waited = rank_now(k->rank) - from;
    uint64_t cycles = waited > 0 ? (uint64_t)llround(waited * k->frequency) : 0;
    k->process.core.cycle += cycles;
    k->charged = k->process.core.cycle;
    k->counts.waited += cycles;
    k->counts.stalled[why] += cycles;
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_back(k);
}

void riscv_catch_up(struct riscv_rank *k)
{
    riscv_charge(k);
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_stop(k);
    rank_catch_up(k->rank);
}

static double seconds(const struct riscv_rank *k)
{
    return rank_now(k->rank) + (double)(k->process.core.cycle - k->charged) / k->frequency;
}

/* A clock that is behind begins at 0. */
static uint64_t clock_shown(const struct riscv_rank *k)
{
    return (uint64_t)(fmax(0, clocks_shown(k->rank, seconds(k))) * 1e9);
}

static uint64_t core_time(struct riscv_core *c)
{
    return clock_shown(riscv_rank_of_core(c));
}

/* --- the world of a process ----------------------------------------------------------------------------- */

static void world_write(void *ctx, int fd, const char *text, size_t size)
{
    rank_output(((struct riscv_rank *)ctx)->rank, fd, text, size);
}

static void world_prompt(void *ctx)
{
    rank_output_prompt(((struct riscv_rank *)ctx)->rank);
}

static uint64_t world_now(void *ctx)
{
    return clock_shown(ctx);
}

static uint64_t world_used(void *ctx)
{
    return (uint64_t)(seconds(ctx) * 1e9);
}

static void world_sleep(void *ctx, uint64_t ns)
{
    struct riscv_rank *k = ctx;
    double from = riscv_leave(k);
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_sleep(k, ns);
    rank_enter("sleep");
    k->rank->ahead_until = from + (double)ns * 1e-9;
    rank_catch_up(k->rank);
    rank_leave(k->rank, "sleep");
    riscv_back(k, from, RISCV_STALL_TRAP);
}

static void world_sleep_until(void *ctx, uint64_t ns)
{
    const struct riscv_rank *k = ctx;
    double left = (clocks_time(k->rank, (double)ns * 1e-9) - seconds(k)) * 1e9;
    if (left >= 1)
        world_sleep(ctx, left < 9e18 ? (uint64_t)llround(left) : UINT64_MAX / 2);
}

static void world_yield(void *ctx)
{
    struct riscv_rank *k = ctx;
    riscv_leave(k);
    riscv_catch_up(k);
}

static void world_stuck(void *ctx, const char *what)
{
    struct riscv_rank *k = ctx;
    const struct engine_reason why = {.what = what};
    riscv_begin_wait(k, what);
    rank_catch_up(k->rank);
    for (;;)
        engine_block(k->rank->engine, &why);
}

const struct riscv_world riscv_world = {.write = world_write,
                                        .prompt = world_prompt,
                                        .now = world_now,
                                        .used = world_used,
                                        .sleep_until = world_sleep_until,
                                        .sleep = world_sleep,
                                        .yield = world_yield,
                                        .stuck = world_stuck};

/* --- the port ------------------------------------------------------------------------------------------- */

static void count(struct riscv_rank *k, bool on)
{
    uint64_t now = k->process.core.instret + k->process.core.elsewhere + 1;
    if (on && !k->counting_from)
        k->counting_from = now;
    else if (!on && k->counting_from) {
        k->counts.counted += now - k->counting_from - 1; /* without the store that ends it */
        k->counting_from = 0;
    }
}

static bool store(struct riscv_core *c, uint64_t address, unsigned bytes, uint64_t value)
{
    struct riscv_rank *k = riscv_rank_of_core(c);
    if (address == BARRIER_BB || address == BARRIER_AA)
        riscv_barrier(k);
    else if (address == COUNTING)
        count(k, value);
    else
        return riscv_process_store(c, address, bytes, value);
    return true;
}

static bool trap(struct riscv_core *c, enum riscv_cause cause, uint64_t value)
{
    (void)value;
    if (riscv_process_is_error(c, cause))
        return false;
    riscv_traced_trap(riscv_rank_of_core(c), cause);
    return true;
}

const struct riscv_port riscv_port = {.load = riscv_process_load,
                                      .store = store,
                                      .remote = riscv_remote,
                                      .fence = riscv_fence,
                                      .ecall = riscv_process_ecall,
                                      .semihost = riscv_process_semihost,
                                      .trap = trap,
                                      .time = core_time};

enum { OUTPUT = 1024 }; /* quanta after which waiting output is looked after */

/* --- quanta --------------------------------------------------------------------------------------------- */

static void end_of_quantum(struct riscv_rank *k)
{
    riscv_catch_up(k);
    if (k->calm++ % OUTPUT == 0)
        rank_output_if_due();
    if (k->calm >= k->look_at)
        riscv_spin(k);
}

static void leave_for_ever(struct riscv_rank *k)
{
    riscv_leave(k);
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_end(k);
}

void riscv_run(struct rank *r)
{
    struct riscv_rank *k = riscv_rank_of(r);
    struct riscv_core *c = &k->process.core;
    for (;;) {
        enum riscv_end end = riscv_core_run(c, k->job->quantum);
        switch (end) {
        case RISCV_BUDGET:
            end_of_quantum(k);
            break;
        case RISCV_WAITS: /* for an interrupt, of which there are none: others' stores end it */
            riscv_wait_for_change(k, "wfi", 0);
            break;
        case RISCV_TRAPPED:
            leave_for_ever(k);
            riscv_counts_tell(k);
            riscv_report_trap(k);
        case RISCV_ENDED:
            leave_for_ever(k);
            riscv_counts_tell(k);
            if (k->process.signal)
                riscv_report_signal(k);
            rank_exit(k->process.status);
        }
    }
}
