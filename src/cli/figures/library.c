/* SPDX-License-Identifier: BSD-3-Clause */
/* library: what a communication library took, and the parameters that say so. */
#include "cli/figures/library.h"

#include "base/base.h"
#include "base/json.h"

struct library library_of(const struct fabric *f)
{
    struct library l = {.counts = fabric_library_counts(f)};
    if (l.counts.on)
        l.facts = fabric_library_facts(f);
    return l;
}

static uint64_t calls_of(const struct library *l)
{
    uint64_t sum = 0;
    for (int w = 0; w < FABRIC_WORKS; w++)
        sum += l->counts.calls[w];
    return sum;
}

/* Of the operations that there were. */
static void print_each(const struct library *l, FILE *out)
{
    fprintf(out, "pgasim:     instructions of each:");
    for (int w = 0; w < FABRIC_WORKS; w++)
        if (l->counts.calls[w])
            fprintf(out, " %s %u,", fabric_work_name((enum fabric_work)w), l->facts.each[w]);
    fprintf(out, " target %u; %g cycle%s each at %g GHz\n", l->facts.target, l->facts.cycles,
            l->facts.cycles == 1 ? "" : "s", l->facts.frequency / 1e9);
}

void library_print(const struct library *l, FILE *out)
{
    char calls[32], origins[32], targets[32];
    if (!l->counts.on)
        return;
    fprintf(out, "pgasim:   library %s: %s operations: %s instructions at origins, %s at targets\n",
            l->facts.name, base_show_count(calls, (double)calls_of(l)),
            base_show_count(origins, (double)l->counts.at_origins),
            base_show_count(targets, (double)l->counts.at_targets));
    if (calls_of(l))
        print_each(l, out);
}

void library_json(const struct library *l, struct base_json *j)
{
    if (!l->counts.on)
        return;
    base_json_open(j, "library", '{');
    base_json_text(j, "name", l->facts.name);
    base_json_number(j, "cycles_per_instruction", l->facts.cycles);
    base_json_number(j, "frequency", l->facts.frequency);
    base_json_count(j, "operations", calls_of(l));
    base_json_count(j, "origin_instructions", l->counts.at_origins);
    base_json_count(j, "target_instructions", l->counts.at_targets);
    base_json_open(j, "each", '{');
    for (int w = 0; w < FABRIC_WORKS; w++)
        base_json_count(j, fabric_work_name((enum fabric_work)w), l->facts.each[w]);
    base_json_count(j, "target", l->facts.target);
    base_json_close(j);
    base_json_close(j);
}
