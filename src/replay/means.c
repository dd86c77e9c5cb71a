/* SPDX-License-Identifier: BSD-3-Clause */
/* means: what each rank computes at each place (means.h), by two walks over the tape: one counts, one writes. */
#include "replay/means.h"

#include "base/table.h"
#include "replay/site.h"
#include "replay/write/write.h"

#include <math.h>
#include <stdlib.h>

/* Of one rank at a place. */
struct mean {
    uint64_t visits;
    double sum, counted, least, most; /* of what it computes at a visit, perhaps nothing */
};
struct place {
    bool computes; /* some rank does */
    uint32_t number;
};

struct replay_means {
    struct replay_tape *tape;
    struct base_table places;   /* site -> struct place */
    struct base_table means;    /* site and rank -> struct mean */
    BASE_ARRAY(uint64_t) sites; /* of places that compute, by number */
    uint64_t computations;
};

/* What a rank has computed since its last call. */
struct amounts {
    double seconds, flops, counted;
    uint32_t n;
};

static uint64_t key_of(uint64_t site, uint32_t rank)
{
    return base_fnv(site, &rank, sizeof rank);
}

/* --- counting ------------------------------------------------------------------------------------------- */

static void count(struct replay_means *m, uint64_t site, uint32_t rank, double amount, double counted)
{
    bool fresh;
    struct place *p = base_table_add(&m->places, site, &fresh);
    struct mean *x = base_table_add(&m->means, key_of(site, rank), &fresh);
    if (amount > 0 && !p->computes) {
        p->computes = true;
        p->number = (uint32_t)m->sites.n;
        BASE_ARRAY_PUSH(&m->sites, site);
    }
    x->least = fresh ? amount : fmin(x->least, amount);
    x->most = fresh ? amount : fmax(x->most, amount);
    x->visits++;
    x->sum += amount;
    x->counted += counted;
}

/* --- writing -------------------------------------------------------------------------------------------- */

static void put(struct replay_means *m, struct replay_tape *out, uint64_t site, uint32_t rank,
                enum replay_kind kind)
{
    const struct place *p = base_table_find(&m->places, site);
    const struct replay_action a = {.kind = kind, .amount = -1.0 - p->number};
    if (p->computes)
        replay_tape_write(out, rank, &a);
}

/* --- walks ---------------------------------------------------------------------------------------------- */

/* A call, or the end with hash 0. `out` NULL: what was computed before is counted. */
static void arrive(struct replay_means *m, struct replay_site *s, struct amounts *w, uint64_t next,
                   uint32_t rank, struct replay_tape *out)
{
    uint64_t seconds = replay_site_of(s, REPLAY_SECONDS, next),
             flops = replay_site_of(s, REPLAY_COMPUTE, next);
    if (out) {
        put(m, out, seconds, rank, REPLAY_SECONDS);
        put(m, out, flops, rank, REPLAY_COMPUTE);
    } else {
        count(m, seconds, rank, w->seconds, w->counted);
        count(m, flops, rank, w->flops, 0);
        m->computations += w->n;
    }
    *w = (struct amounts){0};
    replay_site_pass(s, next);
}

static void compute(struct amounts *w, const struct replay_action *a)
{
    w->n++;
    if (a->kind == REPLAY_COMPUTE) {
        w->flops += a->amount;
    } else {
        w->seconds += a->amount;
        w->counted += (double)a->bytes;
    }
}

static void walk(struct replay_means *m, uint32_t rank, struct replay_tape *out)
{
    struct replay_cursor c;
    struct replay_action a = {0};
    struct replay_site s = {0};
    struct amounts w = {0};
    replay_cursor_begin(m->tape, rank, &c);
    c.sources = out != NULL;
    while (replay_cursor_next(m->tape, &c, &a)) {
        if (replay_site_computes(&a))
            compute(&w, &a);
        if (replay_site_is_call(&a))
            arrive(m, &s, &w, replay_site_call(&a), rank, out);
        if (out && (replay_site_is_call(&a) || a.kind == REPLAY_SLEEP || a.kind == REPLAY_SOURCE ||
                    a.kind == REPLAY_MOVES))
            replay_tape_write(out, rank, &a);
    }
    arrive(m, &s, &w, 0, rank, out);
    replay_cursor_end(&c);
}

struct replay_means *replay_means_create(struct replay_tape *t, struct replay_tape **out)
{
    struct replay_means *m = base_zalloc(sizeof *m, "places of computations");
    uint32_t ranks = replay_tape_ranks(t);
    m->tape = t;
    base_table_init(&m->places, BASE_NUMBERS, sizeof(struct place), "places of computations");
    base_table_init(&m->means, BASE_NUMBERS, sizeof(struct mean), "places of computations");
    for (uint32_t rank = 0; rank < ranks; rank++)
        walk(m, rank, NULL);
    *out = replay_tape_copy_groups(t);
    for (uint32_t rank = 0; rank < ranks; rank++)
        walk(m, rank, *out);
    replay_tape_seal(*out);
    return m;
}

void replay_means_destroy(struct replay_means *m)
{
    base_table_release(&m->places);
    base_table_release(&m->means);
    free(m->sites.at);
    free(m);
}

/* What never differs stays as it is, to the last bit. */
double replay_mean_of(const struct replay_means *m, uint32_t place, uint32_t rank, uint64_t *counted)
{
    const struct mean *x = base_table_find(&m->means, key_of(m->sites.at[place], rank));
    *counted = x ? (uint64_t)(x->counted / (double)x->visits) : 0;
    return !x ? 0 : x->least == x->most ? x->least : replay_short_amount(x->sum / (double)x->visits);
}

uint32_t replay_means_places(const struct replay_means *m)
{
    return (uint32_t)m->sites.n;
}

uint64_t replay_means_computations(const struct replay_means *m)
{
    return m->computations;
}
