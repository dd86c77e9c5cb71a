/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample: executes a kernel until its cost is known well enough, then skips it and charges the mean (SMPI
 * paper, section 3.4). A sample is what one execution computes, in flops: measured, given by annotations, or
 * both. Operations within a kernel take their own time and are not part of the sample.
 *
 * Costs are kept in flops, so that ranks on hosts of different speed can share them.
 *
 * A sample counts as soon as its kernel ends, before its time has passed. Otherwise all ranks that begin at
 * one instant would execute it. Skipping must cost next to nothing, since a program may skip millions of
 * times between two calls. So a skip only adds to what the rank owes, and the rank's next call of any kind
 * charges the sum, as it charges measured computation.
 */
#include "pgasim.h"

#include "fold/annotate/annotate.h"

#include <stdlib.h>
#include <string.h>

/* What the program states at the kernel. */
struct spot {
    const char *file, *tag;
    int line;
};

/* --- sites --------------------------------------------------------------------------------------- */

static uint32_t hash_of(const struct spot *s)
{
    uint64_t file = base_hash_bytes(s->file, strlen(s->file)), tag = base_hash_bytes(s->tag, strlen(s->tag));
    return base_hash((file << 32 | tag) + (uint64_t)s->line);
}

static bool is_at(const struct sample_site *site, const struct spot *s)
{
    return site->line == s->line && strcmp(site->tag, s->tag) == 0 && strcmp(site->file, s->file) == 0;
}

/* Names are copied, because a rank's copy of the program may be gone after its end. */
static struct sample_site *add_site(struct sample_sites *sites, const struct spot *s, uint32_t hash)
{
    struct sample_site *site = base_zalloc(sizeof *site, "a sampled kernel");
    site->file = base_strdup(s->file);
    site->tag = base_strdup(s->tag);
    site->line = s->line;
    site->number = (uint32_t)sites->site.n;
    BASE_ARRAY_PUSH(&sites->site, site);
    base_index_add(&sites->index, hash, site->number);
    return site;
}

static struct sample_site *site_of(struct sample_sites *sites, const struct spot *s)
{
    if (BASE_LIKELY(sites->last && is_at(sites->last, s)))
        return sites->last;
    uint32_t hash = hash_of(s);
    for (uint32_t at = hash, k; (k = base_index_next(&sites->index, hash, &at)) != BASE_NONE;)
        if (is_at(sites->site.at[k], s))
            return sites->last = sites->site.at[k];
    return sites->last = add_site(sites, s, hash);
}

void sample_sites_init(struct sample_sites *sites)
{
    base_index_init(&sites->index, "sampled kernels");
    base_pool_init(&sites->open, sizeof(struct sample_open), "kernels that are executed");
    base_pool_of_operations(&sites->open);
}

void sample_sites_release(struct sample_sites *sites)
{
    for (size_t k = 0; k < sites->site.n; k++) {
        free(sites->site.at[k]->file);
        free(sites->site.at[k]->tag);
        free(sites->site.at[k]);
    }
    free(sites->site.at);
    base_index_release(&sites->index);
    base_pool_release(&sites->open);
}

/* --- samples ------------------------------------------------------------------------------------- */

/* The samples to use: all ranks', or the rank's own. */
static struct sample *sample_at(struct fold_annotated *a, struct sample_site *site, bool global)
{
    if (global)
        return &site->all;
    if (site->number >= a->n_local) {
        a->local = base_realloc(a->local, (site->number + 1) * sizeof *a->local, "samples of a rank");
        memset(a->local + a->n_local, 0, (site->number + 1 - a->n_local) * sizeof *a->local);
        a->n_local = site->number + 1;
    }
    return &a->local[site->number];
}

static void add(struct sample *s, double flops, const struct fabric_traffic *traffic)
{
    double off = flops - s->mean;
    s->n++;
    s->mean += off / (double)s->n;
    s->squares += off * (flops - s->mean);
    s->traffic.moved += (traffic->moved - s->traffic.moved) / (double)s->n;
    s->traffic.copied += (traffic->copied - s->traffic.copied) / (double)s->n;
}

/* The standard error of the mean, sqrt(squares / (n - 1) / n), is within `error` times the mean. */
static bool is_known(const struct sample *s, double error)
{
    double n = (double)s->n, most = error * s->mean;
    return s->n >= 2 && error > 0 && s->squares <= most * most * (n - 1) * n;
}

static bool is_enough(const struct sample *s, int most, double error)
{
    return s->n > 0 && ((most > 0 && s->n >= (uint64_t)most) || is_known(s, error));
}

/* --- kernels that are executed ------------------------------------------------------------------- */

static void count(struct sample_open *o, double flops, const struct fabric_traffic *traffic)
{
    o->flops += flops;
    o->traffic.moved += traffic->moved;
    o->traffic.copied += traffic->copied;
}

void sample_charge(struct rank *r, double flops, const struct fabric_traffic *traffic)
{
    const struct engine_actor *me = engine_current(r->engine);
    for (struct sample_open *o = fold_part(r)->annotated->open; o; o = o->next)
        if (o->actor == me)
            count(o, flops, traffic);
}

static struct sample_open **find_open(struct rank *r, const struct sample_site *site)
{
    const struct engine_actor *me = engine_current(r->engine);
    struct sample_open **at = &fold_part(r)->annotated->open;
    while (*at && ((*at)->actor != me || (*at)->site != site))
        at = &(*at)->next;
    return at;
}

/* Closes the site's kernel, and those within it that the actor left in the middle (break, return,
 * longjmp). */
static void close_through(struct rank *r, const struct sample_open *last)
{
    const struct engine_actor *actor = last->actor;
    struct sample_open **at = &fold_part(r)->annotated->open, *o = NULL;
    while (o != last) {
        o = *at;
        if (o->actor == actor) {
            *at = o->next;
            base_pool_put(&fold_of(r)->annotated->samples.open, o);
        } else {
            at = &o->next;
        }
    }
}

void sample_abandon(struct rank *r)
{
    while (fold_part(r)->annotated->open)
        close_through(r, fold_part(r)->annotated->open);
}

static void open_kernel(struct rank *r, struct sample_site *site, bool global)
{
    struct sample_open *left = *find_open(r, site), *o;
    if (left)
        close_through(r, left);
    o = base_pool_get(&fold_of(r)->annotated->samples.open);
    *o = (struct sample_open){.next = fold_part(r)->annotated->open,
                              .site = site,
                              .actor = engine_current(r->engine),
                              .global = global};
    fold_part(r)->annotated->open = o;
    fold_of(r)->annotated->samples.run++;
}

/* Adds what is not charged yet, without charging it: while this rank slept, others would execute what its
 * sample can spare them. */
static void settle(struct rank *r, struct sample_open *o)
{
    if (r->threads > 1) {
        annotated_enter("pgasim_sample");
        rank_leave(r, "pgasim_sample");
        return;
    }
    double flops = rank_compute_take(r);
    const struct fold_annotated *a = fold_part(r)->annotated;
    count(o, a->owed + flops, &a->owed_traffic);
    annotated_owe(r, flops, (struct fabric_traffic){0, 0});
}

static void skip_kernel(struct rank *r, const struct sample *s)
{
    fold_of(r)->annotated->samples.skipped++;
    if (r->threads > 1) {
        annotated_enter("pgasim_sample");
        rank_execute_moving(r, s->mean, &s->traffic);
        rank_leave(r, "pgasim_sample");
        return;
    }
    annotated_owe(r, s->mean, s->traffic);
}

struct demand {
    int most;
    double error;
    bool global;
};

static bool is_skipped(struct rank *r, struct sample_site *site, const struct demand *d)
{
    const struct sample *s = sample_at(fold_part(r)->annotated, site, d->global);
    bool enough = is_enough(s, d->most, d->error);
    if (enough)
        skip_kernel(r, s);
    return enough;
}

/* Lets the rank's own time pass first: meanwhile others may make the execution needless. */
static bool execute(struct rank *r, struct sample_site *site, const struct demand *d)
{
    annotated_enter("pgasim_sample");
    const struct sample *s = sample_at(fold_part(r)->annotated, site, d->global);
    bool wanted = !is_enough(s, d->most, d->error);
    if (wanted)
        open_kernel(r, site, d->global);
    rank_leave(r, "pgasim_sample");
    return wanted;
}

BASE_PUBLIC int pgasim_sample_begin(const char *file, int line, const char *tag, int global, int most,
                                    double error)
{
    struct rank *r = rank_current;
    if (!r)
        return 1;
    annotated_of(r);
    struct sample_site *site = site_of(&fold_of(r)->annotated->samples, &(struct spot){file, tag, line});
    const struct demand d = {most, error, global};
    return !is_skipped(r, site, &d) && (execute(r, site, &d) || !is_skipped(r, site, &d));
}

BASE_PUBLIC int pgasim_sample_end(const char *file, int line, const char *tag)
{
    struct rank *r = rank_current;
    if (!r || !fold_part(r)->annotated || !fold_part(r)->annotated->open)
        return 0;
    struct sample_site *site = site_of(&fold_of(r)->annotated->samples, &(struct spot){file, tag, line});
    struct sample_open *o = *find_open(r, site);
    if (!o)
        return 0;
    settle(r, o);
    add(sample_at(fold_part(r)->annotated, site, o->global), o->flops, &o->traffic);
    close_through(r, o);
    return 0;
}

BASE_PUBLIC unsigned long pgasim_skipped(void)
{
    return rank_current ? fold_of(rank_current)->annotated->samples.skipped : 0;
}
