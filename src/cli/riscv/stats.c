/* SPDX-License-Identifier: BSD-3-Clause */
/* stats: instructions by class, cycles by cause, and both of each core. */
#include "cli/riscv/stats.h"

static void print_shares(const struct riscv_counts *c, FILE *out)
{
    for (int k = 0; k < RISCV_CLASSES; k++)
        if (c->by_class[k])
            fprintf(out, "pgasim:   %12lu  %5.1f %%  %s\n", c->by_class[k],
                    100 * (double)c->by_class[k] / (double)c->instructions,
                    riscv_class_name((enum riscv_class)k));
    if (c->library)
        fprintf(out, "pgasim:   %12lu  %5.1f %%  communication library\n", c->library,
                100 * (double)c->library / (double)c->instructions);
    fprintf(out, "pgasim:   %12lu cycles of waiting for remote accesses and other cores\n", c->waited);
    for (int k = 0; k < RISCV_STALLS; k++)
        if (c->stalled[k])
            fprintf(out, "pgasim:   %12lu  %5.1f %%  of the cycles: %s\n", c->stalled[k],
                    100 * (double)c->stalled[k] / (double)c->cycles, riscv_stall_name((enum riscv_stall)k));
    if (c->counted)
        fprintf(out, "pgasim:   %12lu instructions in counted stretches\n", c->counted);
}

static uint64_t stalled(const struct riscv_counts *c)
{
    uint64_t sum = 0;
    for (int k = 0; k < RISCV_STALLS; k++)
        sum += c->stalled[k];
    return sum;
}

static const char *most_for(const struct riscv_counts *c)
{
    int most = 0;
    for (int k = 1; k < RISCV_STALLS; k++)
        most = c->stalled[k] > c->stalled[most] ? k : most;
    return c->stalled[most] ? riscv_stall_name((enum riscv_stall)most) : "";
}

void riscv_stats_print(FILE *out, const struct riscv_counts *all, const struct riscv_counts *core, size_t n)
{
    enum { CORES_SHOWN = 64 };
    print_shares(all, out);
    if (n)
        fprintf(out, "pgasim:   %6s %14s %14s %7s %10s %9s  %s\n", "core", "instructions", "cycles", "CPI",
                "remote", "stalled", "most for");
    for (size_t k = 0; k < n && k < CORES_SHOWN; k++) {
        const struct riscv_counts *c = &core[k];
        fprintf(out, "pgasim:   %6zu %14lu %14lu %7.2f %10lu %7.1f %%  %s\n", k, c->instructions, c->cycles,
                c->instructions ? (double)c->cycles / (double)c->instructions : 0,
                c->loads + c->stores + c->atomics,
                c->cycles ? 100 * (double)stalled(c) / (double)c->cycles : 0, most_for(c));
    }
    if (n > CORES_SHOWN)
        fprintf(out, "pgasim:   and %zu more cores: --json has all\n", n - CORES_SHOWN);
}

void riscv_stats_json(struct base_json *j, const struct riscv_counts *c)
{
    base_json_count(j, "instructions", c->instructions);
    base_json_count(j, "cycles", c->cycles);
    base_json_count(j, "waited_cycles", c->waited);
    base_json_count(j, "counted_instructions", c->counted);
    base_json_count(j, "skipped_instructions", c->skipped);
    base_json_count(j, "library_instructions", c->library);
    base_json_open(j, "classes", '{');
    for (int k = 0; k < RISCV_CLASSES; k++)
        base_json_count(j, riscv_class_name((enum riscv_class)k), c->by_class[k]);
    base_json_close(j);
    base_json_open(j, "stalled_cycles", '{');
    for (int k = 0; k < RISCV_STALLS; k++)
        base_json_count(j, riscv_stall_name((enum riscv_stall)k), c->stalled[k]);
    base_json_close(j);
    base_json_open(j, "caches", '{');
    base_json_count(j, "accesses", c->cache.accesses);
    base_json_count(j, "l1_hits", c->cache.l1_hits);
    base_json_count(j, "l2_hits", c->cache.l2_hits);
    base_json_count(j, "memory", c->cache.memory);
    base_json_count(j, "from_others", c->cache.from_others);
    base_json_count(j, "lost", c->cache.lost);
    base_json_close(j);
    base_json_open(j, "remote", '{');
    base_json_count(j, "loads", c->loads);
    base_json_count(j, "stores", c->stores);
    base_json_count(j, "atomics", c->atomics);
    base_json_count(j, "barriers", c->barriers);
    base_json_close(j);
}
