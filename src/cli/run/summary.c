/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary: the figures of a run for people, on the stream of reports. Kinds of operation that the program did
 * not use are left out.
 */
#include "cli/run/run.h"

#include "base/text.h"

#include <stdlib.h>

const char *run_privatize_name(enum fold_privatize way)
{
    static const char *const names[] = {
        [FOLD_AUTO] = "auto", [FOLD_DLOPEN] = "dlopen", [FOLD_SWAP] = "swap", [FOLD_NONE] = "none"};
    return names[way];
}

static void print_time(FILE *out, const struct run *r)
{
    const struct run_figures *f = &r->figures;
    char simulated[32], wall[32], platform[256];
    fprintf(out, "pgasim: %s simulated in %s: %lu rank%s on %u host%s of %s\n",
            base_show_time(simulated, f->simulated), base_show_time(wall, f->wall), r->options.ranks,
            r->options.ranks == 1 ? "" : "s", f->ranks.hosts_used, f->ranks.hosts_used == 1 ? "" : "s",
            r->options.platform ? base_text_show(platform, sizeof platform, r->options.platform)
                                : "the built-in cluster");
}

static void print_operations(FILE *out, const struct run_figures *f)
{
    const char *separator = "pgasim:   one-sided: ";
    base_print_kind(out, &separator, "puts", f->rma.puts, f->rma.put_bytes);
    base_print_kind(out, &separator, "gets", f->rma.gets, f->rma.get_bytes);
    base_print_kind(out, &separator, "atomics", f->rma.atomics, 0);
    if (f->rma.puts + f->rma.gets + f->rma.atomics)
        fputc('\n', out);
    separator = "pgasim:   two-sided: ";
    base_print_kind(out, &separator, "messages", f->p2p.messages - f->p2p.inner_messages,
                    f->p2p.bytes - f->p2p.inner_bytes);
    if (f->p2p.messages > f->p2p.inner_messages)
        fputc('\n', out);
    separator = "pgasim:   collective: ";
    base_print_kind(out, &separator, "calls", f->coll.calls, 0);
    base_print_kind(out, &separator, "messages", f->coll.messages, f->coll.bytes);
    if (f->coll.calls + f->coll.messages)
        fputc('\n', out);
}

static void print_memory(FILE *out, const struct run_figures *f)
{
    char peak[32], image[32], swaps[32];
    fprintf(out, "pgasim:   memory: %s at its peak; globals: %s a rank, by %s",
            base_show_size(peak, (double)f->peak_memory), base_show_size(image, (double)f->fold.image_bytes),
            run_privatize_name(f->way));
    if (f->fold.swaps)
        fprintf(out, ", exchanged %s times", base_show_count(swaps, (double)f->fold.swaps));
    fputc('\n', out);
}

static void print_heaps(FILE *out, const struct heap_counts *h)
{
    char all[32], most[32];
    if (!h->heaps)
        return;
    fprintf(out, "pgasim:   heaps: %s in ", base_show_size(all, (double)h->bytes));
    if (h->shared)
        fprintf(out, "one for all ranks\n");
    else
        fprintf(out, "%lu of %s, at most %s, of rank %u\n", h->heaps, h->heaps == 1 ? "a rank" : "ranks",
                base_show_size(most, (double)h->most), h->rank);
}

/* What was not computed must not be taken for a result. */
static void print_annotations(FILE *out, const struct fold_counts *f)
{
    char run[32], skipped[32], asked[32], peak[32];
    if (f->kernels_run + f->kernels_skipped)
        fprintf(out, "pgasim:   sampled kernels: executed %s times, skipped %s times%s\n",
                base_show_count(run, (double)f->kernels_run),
                base_show_count(skipped, (double)f->kernels_skipped),
                f->kernels_skipped ? ": the program's results are not computed" : "");
    if (f->folded_asked)
        fprintf(out, "pgasim:   folded memory: %s for the ranks in %s\n",
                base_show_size(asked, (double)f->folded_asked), base_show_size(peak, (double)f->folded_peak));
}

static void print_warning(void *arg, const char *key, const char *text, uint64_t count)
{
    fprintf(arg, "pgasim:   warning (%s, %lu time%s): %s\n", key, count, count == 1 ? "" : "s", text);
}

static void print_notice(void *arg, const char *key, const char *text, uint64_t count)
{
    fprintf(arg, "pgasim:   notice (%s, %lu time%s): %s\n", key, count, count == 1 ? "" : "s", text);
}

void run_summary_print(const struct run *r)
{
    FILE *out = base_report_stream();
    fflush(stdout);
    print_time(out, r);
    print_operations(out, &r->figures);
    cards_print(&r->figures.cards, out);
    busy_links_print(&r->figures.links, out);
    joules_print(&r->figures.joules, out);
    disks_print(&r->figures.disks, out);
    library_print(&r->figures.library, out);
    if (r->kind) {
        r->kind->summary(r, out);
    } else {
        print_memory(out, &r->figures);
        print_heaps(out, &r->figures.fold.heap);
        print_annotations(out, &r->figures.fold);
    }
    base_warnings_each(print_warning, out);
    base_notices_each(print_notice, out);
    run_traces_print(r);
    if (r->figures.status)
        fprintf(out, "pgasim:   ended with status %d\n", r->figures.status);
    fflush(out);
}
