/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's S-DSM as text: totals, and the chunks that deserve a look. */
#include "report/internal.h"
#include "report/profile.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- totals --------------------------------------------------------------------------------------- */

static void print_scopes(const struct report_sdsm *s, FILE *out)
{
    char n[4][32], hits[32], moved[32], changed[32], written[32], percent[32];
    uint64_t all = s->scopes[SDSM_READ] + s->scopes[SDSM_WRITE] + s->scopes[SDSM_READWRITE];
    if (!all)
        return;
    fprintf(out, "  scopes: %s (%s read, %s write, %s readwrite), %s hits; %s moved for them\n",
            base_show_count(n[0], (double)all), base_show_count(n[1], (double)s->scopes[SDSM_READ]),
            base_show_count(n[2], (double)s->scopes[SDSM_WRITE]),
            base_show_count(n[3], (double)s->scopes[SDSM_READWRITE]),
            report_show_percent(hits, (double)s->hits, (double)all), base_show_size(moved, (double)s->moved));
    if (s->written)
        fprintf(out, "  changed: %s of %s (%s) of the chunks' bytes in writing scopes",
                base_show_size(changed, (double)s->changed), base_show_size(written, (double)s->written),
                report_show_percent(percent, (double)s->changed, (double)s->written));
    if (s->written && s->changed && s->moved)
        fprintf(out, "; %.3g bytes moved for each byte changed", (double)s->moved / (double)s->changed);
    fputs(s->written ? "\n" : "", out);
}

static void print_times(const struct report_sdsm *s, FILE *out)
{
    double sum[SDSM_CLASSES] = {0}, all = 0, joules = 0;
    for (uint32_t k = 0; k < s->processes; k++) {
        for (int c = 0; c < SDSM_CLASSES; c++) {
            sum[c] += s->process[k].time[c];
            all += s->process[k].time[c];
        }
        joules += s->process[k].joules;
    }
    const char *separator = "  time of all processes: ";
    for (int c = 0; c < SDSM_CLASSES && all > 0; c++) {
        char percent[32];
        fprintf(out, "%s%s %s", separator, sdsm_class_text((enum sdsm_class)c),
                report_show_percent(percent, sum[c], all));
        separator = ", ";
    }
    if (all > 0)
        fputc('\n', out);
    if (joules > 0)
        fprintf(out, "  energy: %.4g J\n", joules);
}

static void print_waits(const struct report_sdsm *s, FILE *out)
{
    for (int w = 0; w < SDSM_WAITS; w++) {
        uint64_t n = 0;
        double seconds = 0, longest = 0;
        char count[32], time[32], most[32];
        for (uint32_t k = 0; k < s->processes; k++) {
            const struct sdsm_waits *one = &s->process[k].wait[w];
            n += one->count;
            seconds += one->seconds;
            longest = one->longest > longest ? one->longest : longest;
        }
        if (n)
            fprintf(out, "  waits, %s: %s of %s in all, the longest %s\n", sdsm_wait_text((enum sdsm_wait)w),
                    base_show_count(count, (double)n), base_show_time(time, seconds),
                    base_show_time(most, longest));
    }
}

static void print_messages(const struct report_sdsm *s, FILE *out)
{
    uint64_t messages[SDSM_TYPES] = {0}, bytes[SDSM_TYPES] = {0};
    for (uint32_t k = 0; k < s->processes; k++)
        for (size_t i = 0; i < s->process[k].sent.n; i++) {
            messages[s->process[k].sent.at[i].type] += s->process[k].sent.at[i].messages;
            bytes[s->process[k].sent.at[i].type] += s->process[k].sent.at[i].bytes;
        }
    const char *heading = "  messages sent:\n";
    for (unsigned t = 0; t < SDSM_TYPES; t++) {
        char count[32], size[32];
        if (!messages[t])
            continue;
        fprintf(out, "%s    %-18s %8s %12s\n", heading, sdsm_type_text(t),
                base_show_count(count, (double)messages[t]), base_show_size(size, (double)bytes[t]));
        heading = "";
    }
}

static void print_summary(const struct report_sdsm *s, FILE *out)
{
    char chunks[32], ignored[32];
    report_heading(out, "S-DSM");
    fprintf(out, "  %u process%s, %u of them %s; %s chunk%s\n", s->seen, s->seen == 1 ? "" : "es", s->servers,
            s->servers == 1 ? "a server" : "servers", base_show_count(chunks, (double)s->chunks.n),
            s->chunks.n == 1 ? "" : "s");
    print_scopes(s, out);
    print_times(s, out);
    print_waits(s, out);
    print_messages(s, out);
    if (s->ignored)
        fprintf(out, "  events that could not be understood: %s\n",
                base_show_count(ignored, (double)s->ignored));
}

/* --- chunks --------------------------------------------------------------------------------------- */

static void print_hot(const struct report_sdsm *s, FILE *out, size_t top)
{
    uint32_t *order;
    size_t n = sdsm_order(s, sdsm_key_hot, top, &order);
    if (n) {
        report_heading(out, "Hot chunks");
        fprintf(out, "  %20s %8s %8s %8s %10s %10s %10s\n", "chunk", "scopes", "writing", "hits", "moved",
                "changed", "processes");
    }
    for (size_t k = 0; k < n; k++) {
        const struct sdsm_chunk *c = sdsm_chunk_at(s, order[k]);
        char t[5][32];
        uint64_t all = sdsm_chunk_scopes(c);
        fprintf(
            out, "  %20" PRIu64 " %8s %8s %8s %10s %10s %10u\n", c->id, base_show_count(t[0], (double)all),
            base_show_count(t[1], (double)(all - c->scopes[SDSM_READ])),
            report_show_percent(t[2], (double)c->hits, (double)all), base_show_size(t[3], (double)c->moved),
            base_show_size(t[4], (double)c->changed), c->processes);
    }
    free(order);
}

static void print_contended(const struct report_sdsm *s, FILE *out, size_t top)
{
    uint32_t *order;
    size_t n = sdsm_order(s, sdsm_key_contended, top, &order);
    if (n) {
        report_heading(out, "Contended chunks: waits for the grant of a scope");
        fprintf(out, "  %20s %12s %7s %12s %12s  %s\n", "chunk", "waiting", "", "mean", "longest", "that of");
    }
    for (size_t k = 0; k < n; k++) {
        const struct sdsm_chunk *c = sdsm_chunk_at(s, order[k]);
        char t[5][32];
        uint64_t all = sdsm_chunk_scopes(c);
        fprintf(out, "  %20" PRIu64 " %12s %7s %12s %12s  process %u at %s\n", c->id,
                base_show_time(t[0], c->waited), report_show_percent(t[1], c->waited, s->waited),
                base_show_time(t[2], c->waited / (double)(all ? all : 1)), base_show_time(t[3], c->longest),
                c->longest_rank, base_show_time(t[4], c->longest_at));
    }
    free(order);
}

static void print_apart(const struct report_sdsm *s, FILE *out, size_t top)
{
    uint32_t *order;
    size_t n = sdsm_order(s, sdsm_key_apart, top, &order);
    if (n)
        report_heading(out, "False sharing: chunks of which each writer changes other bytes");
    for (size_t k = 0; k < n; k++) {
        const struct sdsm_chunk *c = sdsm_chunk_at(s, order[k]);
        char size[32], moved[32], changed[32], count[32];
        fprintf(out, "  chunk %" PRIu64 " of %s: %s handover%s between writers; %s moved, %s changed\n",
                c->id, base_show_size(size, (double)c->size), base_show_count(count, (double)c->handovers),
                c->handovers == 1 ? "" : "s", base_show_size(moved, (double)c->moved),
                base_show_size(changed, (double)c->changed));
        for (uint32_t w = 0; w < c->writers; w++)
            fprintf(out, "    process %u: within bytes %" PRIu64 " to %" PRIu64 ", %s scope%s\n",
                    c->writer[w].rank, c->writer[w].first, c->writer[w].end - 1,
                    base_show_count(count, (double)c->writer[w].scopes), c->writer[w].scopes == 1 ? "" : "s");
    }
    free(order);
}

void report_sdsm_print(const struct report_facts *f, FILE *out, size_t top)
{
    const struct report_sdsm *s = f->sdsm;
    if (!s)
        return;
    print_summary(s, out);
    print_hot(s, out, top);
    print_contended(s, out, top);
    print_apart(s, out, top);
}
