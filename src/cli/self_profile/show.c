/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show: the profile for people, as two tables on the stream of reports, and for machines. Shares are
 * of all CPU time, and of all memory that the process had when the job ended.
 */
#include "cli/self_profile/self_profile.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED = 4, LAYERS_MOST = 32 };

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static const char *show_time(char *buf, uint64_t micros)
{
    return base_show_time(buf, 1e-6 * (double)micros);
}

/* --- time ---------------------------------------------------------------------------------------- */

static void print_functions(FILE *out, const struct profile_layer *l, uint64_t all)
{
    const char *separator = "  ";
    for (size_t k = 0; k < l->functions.n && k < NAMED; k++) {
        double share = percent(profile_sum(&l->functions.at[k].time), all);
        if (share < 0.1)
            break;
        fprintf(out, "%s%s %.1f%%", separator, l->functions.at[k].name, share);
        separator = ", ";
    }
    fputc('\n', out);
}

static void print_time(FILE *out)
{
    uint64_t all = profile_sum(&profile.all);
    char whole[32], kernel[32], setup[32], run[32];
    fprintf(out,
            "pgasim: self-profile: %s of CPU time, %s until the ranks began, %s in the kernel; %lu samples\n",
            show_time(whole, all),
            show_time(setup, profile_sum_phase(&profile.all, PROFILE_LOAD) +
                                 profile_sum_phase(&profile.all, PROFILE_SETUP)),
            show_time(kernel, profile_sum_system(&profile.all)), profile.samples);
    fprintf(out, "pgasim:   %-10s %6s %10s %10s %10s  %s\n", "layer", "share", "before", "ranks", "kernel",
            "functions");
    for (size_t k = 0; k < profile.layers.n; k++) {
        const struct profile_layer *l = &profile.layers.at[k];
        fprintf(out, "pgasim:   %-10s %5.1f%% %10s %10s %10s", l->name, percent(profile_sum(&l->time), all),
                show_time(setup, profile_sum_phase(&l->time, PROFILE_LOAD) +
                                     profile_sum_phase(&l->time, PROFILE_SETUP)),
                show_time(run, profile_sum_phase(&l->time, PROFILE_RUN)),
                show_time(kernel, profile_sum_system(&l->time)));
        print_functions(out, l, all);
    }
}

/* --- memory -------------------------------------------------------------------------------------- */

struct memory {
    const char *layer;
    uint64_t now, peak, reserved;
};

/* The layers' sums, most first; returns how many. */
static size_t sum_memory(struct memory *m)
{
    size_t n = 0;
    for (size_t k = 0; k < profile.accounts.n; k++) {
        const struct base_account *a = &profile.accounts.at[k];
        size_t i = 0;
        while (i < n && strcmp(m[i].layer, a->layer))
            i++;
        if (i == LAYERS_MOST)
            continue;
        if (i == n)
            m[n++] = (struct memory){.layer = a->layer};
        m[i].now += profile_account_bytes(a);
        m[i].peak += a->peak + a->resident;
        m[i].reserved += a->reserved;
    }
    return n;
}

static int by_now(const void *a, const void *b)
{
    const struct memory *x = a, *y = b;
    return x->now != y->now ? (x->now < y->now) - (x->now > y->now) : strcmp(x->layer, y->layer);
}

static void print_purposes(FILE *out, const char *layer)
{
    char size[32];
    const char *separator = "  ";
    unsigned shown = 0;
    for (size_t k = 0; k < profile.accounts.n && shown < NAMED; k++) {
        const struct base_account *a = &profile.accounts.at[k];
        if (strcmp(a->layer, layer) || profile_account_bytes(a) < 4096)
            continue;
        fprintf(out, "%s%.*s %s", separator, (int)strcspn(a->what, "("), a->what,
                base_show_size(size, (double)profile_account_bytes(a)));
        separator = ", ";
        shown++;
    }
    fputc('\n', out);
}

static void print_row(FILE *out, const struct memory *m)
{
    char now[32], peak[32], reserved[32];
    fprintf(out, "pgasim:   %-10s %5.1f%% %10s %10s %10s", m->layer, percent(m->now, profile.resident),
            base_show_size(now, (double)m->now), base_show_size(peak, (double)m->peak),
            m->reserved ? base_show_size(reserved, (double)m->reserved) : "-");
}

static void print_memory(FILE *out)
{
    struct memory m[LAYERS_MOST];
    char now[32], peak[32], tables[32];
    size_t n = sum_memory(m);
    uint64_t known = profile.program_heap;
    fprintf(out, "pgasim: self-profile: %s of memory at its peak, %s when the job ended; %s of page tables\n",
            base_show_size(peak, (double)profile.peak), base_show_size(now, (double)profile.resident),
            base_show_size(tables, (double)profile.page_tables));
    fprintf(out, "pgasim:   %-10s %6s %10s %10s %10s  %s\n", "layer", "share", "now", "peak", "reserved",
            "for");
    if (n)
        qsort(m, n, sizeof *m, by_now);
    for (size_t k = 0; k < n; k++) {
        known += m[k].now;
        print_row(out, &m[k]);
        print_purposes(out, m[k].layer);
    }
    print_row(out, &(struct memory){
                       .layer = PROFILE_PROGRAM, .now = profile.program_heap, .peak = profile.program_heap});
    fprintf(out, "  malloc by the program and by libraries\n");
    uint64_t rest = profile.resident > known ? profile.resident - known : 0;
    print_row(out, &(struct memory){.layer = PROFILE_REST, .now = rest, .peak = rest});
    fprintf(out, "  code and data of files; %s of malloc's, free\n",
            base_show_size(now, (double)profile.heap_free));
}

void profile_print(FILE *out)
{
    if (!profile.taken)
        return;
    print_time(out);
    print_memory(out);
}

/* --- JSON ---------------------------------------------------------------------------------------- */

static void put_key_seconds(struct base_json *j, const char *key, uint64_t micros)
{
    base_text_format(base_json_value(j, key), "%.6f", 1e-6 * (double)micros);
}

static void put_time(struct base_json *j, const struct profile_time *t)
{
    put_key_seconds(j, "seconds", profile_sum(t));
    put_key_seconds(j, "kernel_seconds", profile_sum_system(t));
    put_key_seconds(j, "before_ranks_seconds",
                    profile_sum_phase(t, PROFILE_LOAD) + profile_sum_phase(t, PROFILE_SETUP));
}

static void put_layer(struct base_json *j, const struct profile_layer *l)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "layer", l->name);
    put_time(j, &l->time);
    base_json_open(j, "functions", '[');
    for (size_t k = 0; k < l->functions.n; k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", l->functions.at[k].name);
        put_time(j, &l->functions.at[k].time);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_close(j);
}

static void put_account(struct base_json *j, const struct base_account *a)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "layer", a->layer);
    base_json_text(j, "for", a->what);
    base_json_count(j, "blocks_bytes", a->blocks);
    base_json_count(j, "pools_bytes", a->pools);
    base_json_count(j, "peak_bytes", a->peak);
    base_json_count(j, "reserved_bytes", a->reserved);
    base_json_count(j, "resident_bytes", a->resident);
    base_json_close(j);
}

void profile_write_json(struct base_json *j)
{
    if (!profile.taken)
        return;
    base_json_open(j, "self_profile", '{');
    base_json_count(j, "samples", profile.samples);
    put_time(j, &profile.all);
    base_json_open(j, "layers", '[');
    for (size_t k = 0; k < profile.layers.n; k++)
        put_layer(j, &profile.layers.at[k]);
    base_json_close(j);
    base_json_count(j, "memory_bytes", profile.resident);
    base_json_count(j, "memory_peak_bytes", profile.peak);
    base_json_count(j, "page_tables_bytes", profile.page_tables);
    base_json_count(j, "program_heap_bytes", profile.program_heap);
    base_json_count(j, "heap_free_bytes", profile.heap_free);
    base_json_open(j, "memory", '[');
    for (size_t k = 0; k < profile.accounts.n; k++)
        put_account(j, &profile.accounts.at[k]);
    base_json_close(j);
    base_json_close(j);
}
