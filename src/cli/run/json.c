/* SPDX-License-Identifier: BSD-3-Clause */
/* json: the figures of a run for machines, as one JSON object. Keys and units are documented in
 * pgasim-run(1). */
#include "base/output.h"
#include "check/check.h"
#include "cli/self_profile/self_profile.h"
#include "cli/run/run.h"

#include <stdlib.h>

/* --- how it ended -------------------------------------------------------------------------------- */

const char *run_end_name(const struct run *r)
{
    const struct run_figures *f = &r->figures;
    if (run_interrupted())
        return "interrupted";
    if (!r->over)
        return f->status > 128 ? "crashed" : "error";
    if (f->ranks.deadlocked)
        return "deadlock";
    if (!f->whole)
        return "stopped";
    return f->status ? "failed" : "finished";
}

/* --- the object ---------------------------------------------------------------------------------- */

static void put_operations(struct base_json *j, const struct run_figures *f)
{
    base_json_open(j, "operations", '{');
    base_json_count(j, "puts", f->rma.puts);
    base_json_count(j, "put_bytes", f->rma.put_bytes);
    base_json_count(j, "gets", f->rma.gets);
    base_json_count(j, "get_bytes", f->rma.get_bytes);
    base_json_count(j, "atomics", f->rma.atomics);
    base_json_count(j, "messages", f->p2p.messages - f->p2p.inner_messages);
    base_json_count(j, "message_bytes", f->p2p.bytes - f->p2p.inner_bytes);
    base_json_count(j, "collective_calls", f->coll.calls);
    base_json_count(j, "collective_messages", f->coll.messages);
    base_json_count(j, "collective_bytes", f->coll.bytes);
    base_json_close(j);
}

static void put_engine(struct base_json *j, const struct run_figures *f)
{
    base_json_open(j, "engine", '{');
    base_json_count(j, "events", f->events);
    base_json_count(j, "switches", f->switches);
    base_json_count(j, "image_swaps", f->fold.swaps);
    base_json_close(j);
}

static void put_heaps(struct base_json *j, const struct heap_counts *h)
{
    base_json_open(j, "heaps", '{');
    base_json_count(j, "heaps", h->heaps);
    base_json_flag(j, "shared", h->shared);
    base_json_count(j, "bytes", h->bytes);
    base_json_count(j, "largest_bytes", h->most);
    base_json_count(j, "largest_rank", h->rank);
    base_json_close(j);
}

static void put_fold(struct base_json *j, const struct run_figures *f)
{
    base_json_text(j, "privatize", run_privatize_name(f->way));
    base_json_count(j, "image_bytes", f->fold.image_bytes);
    base_json_count(j, "kernels_run", f->fold.kernels_run);
    base_json_count(j, "kernels_skipped", f->fold.kernels_skipped);
    base_json_count(j, "folded_asked_bytes", f->fold.folded_asked);
    base_json_count(j, "folded_peak_bytes", f->fold.folded_peak);
}

static void put_warning(void *arg, const char *key, const char *text, uint64_t count)
{
    struct base_json *j = arg;
    base_json_open(j, NULL, '{');
    base_json_text(j, "key", key);
    base_json_text(j, "text", text);
    base_json_count(j, "count", count);
    base_json_close(j);
}

static void put_words(struct base_json *j, const char *key, char **words)
{
    base_json_open(j, key, '[');
    for (; *words; words++)
        base_json_text(j, NULL, *words);
    base_json_close(j);
}

static void put_run(struct base_json *j, const struct run *r)
{
    const struct run_figures *f = &r->figures;
    base_json_open(j, NULL, '{');
    base_json_text(j, "pgasim", pgasim_version);
    char **command = run_parts_words(&r->options);
    put_words(j, "command", command);
    free(command);
    base_json_count(j, "status", (uint64_t)f->status);
    base_json_text(j, "ended", run_end_name(r));
    base_json_text(j, "error", base_first_error());
    base_json_number(j, "simulated_seconds", f->simulated);
    base_json_number(j, "wall_seconds", f->wall);
    base_json_number(j, "cpu_seconds", f->cpu);
    base_json_number(j, "measured_seconds", f->ranks.measured);
    base_json_count(j, "ranks", r->options.ranks);
    base_json_count(j, "hosts", f->ranks.hosts_used);
    base_json_text(j, "platform", r->options.platform ? r->options.platform : "");
    if (!r->kind)
        put_fold(j, f);
    base_json_count(j, "stack_bytes", run_options_stack_size(&r->options));
    base_json_count(j, "peak_memory_bytes", f->peak_memory);
    if (r->kind)
        r->kind->json(r, j);
    else
        put_heaps(j, &f->fold.heap);
    put_operations(j, f);
    cards_json(&f->cards, j);
    if (f->links.used)
        busy_links_json(&f->links, j);
    joules_json(&f->joules, j);
    disks_json(&f->disks, j);
    library_json(&f->library, j);
    put_engine(j, f);
    run_seeds_json(&f->seeds, j);
    profile_write_json(j);
    check_json(j);
    base_json_open(j, "warnings", '[');
    base_warnings_each(put_warning, j);
    base_json_close(j);
    base_json_open(j, "notices", '[');
    base_notices_each(put_warning, j);
    base_json_close(j);
    base_json_close(j);
}

/* --- the file ------------------------------------------------------------------------------------ */

int run_json_write(struct run *r, const char *path, struct base_status *st)
{
    struct base_output o;
    struct base_json json;
    if (base_output_open(&o, path, st))
        return -1;
    base_json_init(&json, o.out, &(struct base_json_form){.indent = "  ", .null_for_invalid = true});
    put_run(&json, r);
    base_json_end(&json);
    return base_output_commit(&o, st);
}
