/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's network cards (profile rae) and RISC-V cores, as text and as JSON. */
#include <stdlib.h>

#include "report/profile.h"

/* --- cards -------------------------------------------------------------------------------------------- */

static double requests_of(const struct report_facts *f, uint32_t host)
{
    return (double)f->card[host].requests;
}

static double each(double sum, uint64_t n)
{
    return n ? sum / (double)n : 0;
}

static void add(struct report_card *sum, const struct report_card *c)
{
    sum->requests += c->requests;
    sum->atomics += c->atomics;
    sum->hits += c->hits;
    sum->merges += c->merges;
    sum->misses += c->misses;
    sum->streams += c->streams;
    sum->stalls += c->stalls;
    sum->executed += c->executed;
    sum->fills += c->fills;
    sum->writes += c->writes;
    sum->lost += c->lost;
    sum->filling += c->filling;
    sum->in_card += c->in_card;
    sum->mshrs += c->mshrs;
    sum->most = c->most > sum->most ? c->most : sum->most;
    sum->most_mshrs = c->most_mshrs > sum->most_mshrs ? c->most_mshrs : sum->most_mshrs;
    for (unsigned k = 0; k < REPORT_CARD_STATES; k++)
        sum->seconds[k] += c->seconds[k];
}

/* `run`: seconds of the run, times cards. */
static void print_card(FILE *out, const char *name, const struct report_card *c, double run)
{
    char n[7][32], p[2][32], t[2][32];
    fprintf(out, "  %-22s %9s %7s %7s %7s %7s %7s %7s %8.2f %8s %8s %9s %9s %6.1f %4u\n", name,
            base_show_count(n[0], (double)c->requests), base_show_count(n[1], (double)c->merges),
            base_show_count(n[2], (double)c->hits), base_show_count(n[3], (double)c->misses),
            base_show_count(n[4], (double)c->stalls), base_show_count(n[5], (double)c->fills),
            base_show_count(n[6], (double)c->writes), each((double)(c->fills + c->writes), c->requests),
            report_show_percent(p[0], c->seconds[REPORT_CARD_EXECUTES], run),
            report_show_percent(p[1], c->seconds[REPORT_CARD_FILLS], run),
            base_show_time(t[0], each(c->filling, c->fills)),
            base_show_time(t[1], each(c->in_card, c->requests)), run > 0 ? c->mshrs / run : 0, c->most_mshrs);
}

static void print_cards(const struct report_facts *f, FILE *out, size_t top)
{
    uint32_t *order;
    size_t all = report_order(f, f->about->hosts, requests_of, 0, &order);
    struct report_card sum = {0};
    report_heading(out,
                   "Network cards (profile rae): requests; lines of the host's memory; use over the run");
    fprintf(out, "  %-22s %9s %7s %7s %7s %7s %7s %7s %8s %8s %8s %9s %9s %11s\n", "host", "requests",
            "merged", "hits", "misses", "stalled", "read", "written", "each", "executes", "memory", "a fill",
            "in card", "MSHRs, most");
    for (size_t k = 0; k < all; k++) {
        char name[REPORT_TEXT];
        const struct report_card *c = &f->card[order[k]];
        add(&sum, c);
        if (!top || k < top)
            print_card(out, report_show_name(name, f->about->host[order[k]].name), c, f->end);
    }
    if (all > 1)
        print_card(out, "all", &sum, f->end * (double)all);
    if (sum.atomics)
        fprintf(out,
                "  accesses of host memory: %.3f for each of %llu atomics; lines that caches of cores lost: "
                "%llu\n",
                each((double)(sum.fills + sum.writes), sum.atomics), (unsigned long long)sum.atomics,
                (unsigned long long)sum.lost);
    free(order);
}

static void put_card(struct base_json *j, const struct report_facts *f, uint32_t host)
{
    const struct report_card *c = &f->card[host];
    base_json_open(j, NULL, '{');
    base_json_text(j, "host", f->about->host[host].name);
    base_json_count(j, "requests", c->requests);
    base_json_count(j, "atomics", c->atomics);
    base_json_count(j, "hits", c->hits);
    base_json_count(j, "merges", c->merges);
    base_json_count(j, "misses", c->misses);
    base_json_count(j, "streams", c->streams);
    base_json_count(j, "conflicts", c->conflicts);
    base_json_count(j, "stalls", c->stalls);
    base_json_count(j, "executed", c->executed);
    base_json_count(j, "lines_read", c->fills);
    base_json_count(j, "lines_written", c->writes);
    base_json_count(j, "lines_lost", c->lost);
    base_json_number(j, "executing", c->seconds[REPORT_CARD_EXECUTES]);
    base_json_number(j, "waiting_for_memory", c->seconds[REPORT_CARD_FILLS]);
    base_json_number(j, "fill_seconds", c->filling);
    base_json_number(j, "request_seconds", c->in_card);
    base_json_number(j, "mshr_seconds", c->mshrs);
    base_json_count(j, "most_requests", c->most);
    base_json_count(j, "most_mshrs", c->most_mshrs);
    base_json_close(j);
}

/* --- cores -------------------------------------------------------------------------------------------- */

static uint64_t sum_of(const struct report_counted *list, size_t n, enum trace_counted what)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += list[k].what == what ? list[k].count : 0;
    return sum;
}

static void print_shares(const struct report_facts *f, FILE *out, enum trace_counted what, uint64_t all,
                         const char *unit)
{
    for (size_t k = 0; k < f->counts_all; k++) {
        const struct report_counted *c = &f->counted_all[k];
        char name[REPORT_TEXT], percent[32];
        if (c->what == what)
            fprintf(out, "  %14llu %7s  %s: %s\n", (unsigned long long)c->count,
                    report_show_percent(percent, (double)c->count, (double)all), unit,
                    report_show_name(name, report_name_text(f, c->name)));
    }
}

static void print_core(const struct report_facts *f, FILE *out, const struct report_counted *list, size_t n)
{
    uint64_t instructions = sum_of(list, n, TRACE_COUNTED_CLASS),
             cycles = sum_of(list, n, TRACE_COUNTED_CYCLES), stalls = sum_of(list, n, TRACE_COUNTED_STALL);
    const struct report_counted *most = NULL;
    char name[REPORT_TEXT], percent[32];
    for (size_t k = 0; k < n && !most; k++)
        if (list[k].what == TRACE_COUNTED_STALL)
            most = &list[k];
    fprintf(out, "  %6u %14llu %14llu %7.2f %8s  %s\n", list->rank, (unsigned long long)instructions,
            (unsigned long long)cycles, each((double)cycles, instructions),
            report_show_percent(percent, (double)stalls, (double)cycles),
            most ? report_show_name(name, report_name_text(f, most->name)) : "");
}

/* How many of the list's first entries are of its first core. */
static size_t of_core(const struct report_counted *list, size_t n)
{
    size_t k = 0;
    while (k < n && list[k].rank == list->rank)
        k++;
    return k;
}

static void print_cores(const struct report_facts *f, FILE *out, size_t top)
{
    report_heading(out, "RISC-V cores: instructions by class, cycles without instructions by cause");
    print_shares(f, out, TRACE_COUNTED_CLASS, sum_of(f->counted_all, f->counts_all, TRACE_COUNTED_CLASS),
                 "instructions");
    print_shares(f, out, TRACE_COUNTED_STALL, sum_of(f->counted_all, f->counts_all, TRACE_COUNTED_CYCLES),
                 "cycles");
    if (f->traps)
        fprintf(out, "  %14llu traps taken\n", (unsigned long long)f->traps);
    fprintf(out, "  %6s %14s %14s %7s %8s  %s\n", "core", "instructions", "cycles", "CPI", "stalled",
            "most for");
    for (size_t k = 0, n, cores = 0; k < f->counts && (!top || cores < top); k += n, cores++) {
        n = of_core(&f->counted[k], f->counts - k);
        print_core(f, out, &f->counted[k], n);
    }
}

static void put_counts(struct base_json *j, const struct report_facts *f, const char *key,
                       const struct report_counted *list, size_t n, enum trace_counted what)
{
    base_json_open(j, key, '{');
    for (size_t k = 0; k < n; k++)
        if (list[k].what == what)
            base_json_count(j, report_name_text(f, list[k].name), list[k].count);
    base_json_close(j);
}

static void put_core(struct base_json *j, const struct report_facts *f, const struct report_counted *list,
                     size_t n)
{
    base_json_open(j, NULL, '{');
    base_json_count(j, "rank", list->rank);
    base_json_count(j, "instructions", sum_of(list, n, TRACE_COUNTED_CLASS));
    base_json_count(j, "cycles", sum_of(list, n, TRACE_COUNTED_CYCLES));
    put_counts(j, f, "classes", list, n, TRACE_COUNTED_CLASS);
    put_counts(j, f, "stalled_cycles", list, n, TRACE_COUNTED_STALL);
    base_json_close(j);
}

/* --- both --------------------------------------------------------------------------------------------- */

void report_cards_print(const struct report_facts *f, FILE *out, size_t top)
{
    if (f->card)
        print_cards(f, out, top);
    if (f->counts)
        print_cores(f, out, top);
}

void report_cards_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (f->card) {
        uint32_t *order;
        size_t n = report_order(f, f->about->hosts, requests_of, top, &order);
        base_json_open(j, "cards", '[');
        for (size_t k = 0; k < n; k++)
            put_card(j, f, order[k]);
        base_json_close(j);
        free(order);
    }
    if (!f->counts)
        return;
    base_json_count(j, "traps", f->traps);
    base_json_open(j, "cores", '[');
    for (size_t k = 0, n, cores = 0; k < f->counts && (!top || cores < top); k += n, cores++) {
        n = of_core(&f->counted[k], f->counts - k);
        put_core(j, f, &f->counted[k], n);
    }
    base_json_close(j);
}
