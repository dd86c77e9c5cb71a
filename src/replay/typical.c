/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * typical: computations become the median of those at the same place (site.h).
 *
 * The median is that of a histogram, so that memory does not grow with the trace: amounts within two per cent are one bin,
 * and the bin with the median gives its mean. For means each rank has places of its own; amounts in bins far from the
 * median stay as they are, so that all others together take as long as before.
 */
#include "replay/player.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/table.h"
#include "base/text.h"
#include "replay/site.h"

enum { BINS_PER_OCTAVE = 32 };
static const double NEAR_MEDIAN = 0.5,
                    NEAR_TOTAL = 1e-4; /* how far amounts that a mean is of may be from the median */

struct bin {
    int32_t of; /* floor(log2(amount) * BINS_PER_OCTAVE) */
    uint64_t n;
    double sum, counted; /* of amounts, of counts of instructions */
};
struct place {
    BASE_ARRAY(struct bin) bins;
    uint64_t n;
    uint32_t rank; /* the first that came there */
    /* Once it is known; of the bins from `low` to `high`. */
    double typical;
    uint64_t counted;
    int32_t low, high;
};

struct study {
    struct replay_tape *tape;
    enum replay_typical how;
    struct base_table places; /* hash -> struct place */
    double *total;            /* that each rank computes */
    uint64_t computations;
    double recorded, typical; /* sums: of flops and of seconds, one of which a trace has */
};

/* A rank's way over the tape. What it computes waits for the next call. */
struct walk {
    struct replay_site site;
    BASE_ARRAY(struct replay_action) waiting;
};

/* --- places -------------------------------------------------------------------------------------------- */

static uint64_t place_of(const struct study *s, const struct walk *w, uint32_t rank,
                         const struct replay_action *a, uint64_t next)
{
    uint64_t hash = replay_site_of(&w->site, a->kind, next);
    return s->how == REPLAY_MEAN ? base_fnv(hash, &rank, sizeof rank) : hash;
}

static int32_t bin_of(double amount)
{
    return (int32_t)floor(log2(amount) * BINS_PER_OCTAVE);
}

static void count(struct study *s, uint64_t key, uint32_t rank, const struct replay_action *a)
{
    bool fresh;
    double amount = a->amount;
    struct place *p = base_table_add(&s->places, key, &fresh);
    int32_t of = bin_of(amount);
    size_t k = 0;
    if (fresh)
        p->rank = rank;
    s->total[rank] += amount;
    while (k < p->bins.n && p->bins.at[k].of != of)
        k++;
    if (k == p->bins.n)
        BASE_ARRAY_PUSH(&p->bins, (struct bin){.of = of});
    p->bins.at[k].n++;
    p->bins.at[k].sum += amount;
    p->bins.at[k].counted += a->kind == REPLAY_SECONDS ? (double)a->bytes : 0;
    p->n++;
}

static int by_amount(const void *a, const void *b)
{
    const struct bin *x = a, *y = b;
    return (x->of > y->of) - (x->of < y->of);
}

/* Of two, the smaller one: what is seldom is more often longer than shorter. */
static void find_median(struct place *p)
{
    uint64_t below = 0;
    size_t k = 0;
    qsort(p->bins.at, p->bins.n, sizeof *p->bins.at, by_amount);
    while (below + p->bins.at[k].n <= (p->n - 1) / 2)
        below += p->bins.at[k++].n;
    p->typical = p->bins.at[k].sum / (double)p->bins.at[k].n;
    p->counted = (uint64_t)(p->bins.at[k].counted / (double)p->bins.at[k].n);
    p->low = INT32_MIN;
    p->high = INT32_MAX;
}

/* Of all that is near the median. */
static void find_mean(const struct study *s, struct place *p)
{
    double median = p->typical, far = fmax(NEAR_MEDIAN * median, NEAR_TOTAL * s->total[p->rank]), sum = 0,
           counted = 0;
    uint64_t n = 0;
    p->high = INT32_MIN;
    for (size_t k = p->bins.n; k-- > 0;) {
        const struct bin *b = &p->bins.at[k];
        if (fabs(b->sum / (double)b->n - median) > far)
            continue;
        p->low = b->of;
        p->high = p->high == INT32_MIN ? b->of : p->high;
        sum += b->sum;
        counted += b->counted;
        n += b->n;
    }
    p->typical = sum / (double)n;
    p->counted = (uint64_t)(counted / (double)n);
}

/* --- walks --------------------------------------------------------------------------------------------- */

/* A call, or the end with hash 0: places of what waits are known. `out`: where to what waits goes; NULL: it is counted. */
static void arrive(struct study *s, struct walk *w, uint64_t next, struct replay_tape *out, uint32_t rank)
{
    for (size_t k = 0; k < w->waiting.n; k++) {
        struct replay_action *a = &w->waiting.at[k];
        uint64_t key = place_of(s, w, rank, a, next);
        if (!out) {
            count(s, key, rank, a);
            continue;
        }
        const struct place *p = base_table_find(&s->places, key);
        int32_t bin = bin_of(a->amount);
        s->recorded += a->amount;
        if (bin >= p->low && bin <= p->high) {
            s->computations++;
            a->amount = p->typical;
            a->bytes = p->counted;
        }
        s->typical += a->amount;
        replay_tape_write(out, rank, a);
    }
    w->waiting.n = 0;
    replay_site_pass(&w->site, next);
}

static void walk(struct study *s, uint32_t rank, struct replay_tape *out)
{
    struct walk w = {0};
    struct replay_cursor c;
    struct replay_action a = {0};
    replay_cursor_begin(s->tape, rank, &c);
    c.sources = out != NULL;
    while (replay_cursor_next(s->tape, &c, &a)) {
        if (replay_site_computes(&a)) {
            BASE_ARRAY_PUSH(&w.waiting, a);
            continue;
        }
        if (replay_site_is_call(&a))
            arrive(s, &w, replay_site_call(&a), out, rank);
        if (out)
            replay_tape_write(out, rank, &a);
    }
    arrive(s, &w, 0, out, rank);
    replay_cursor_end(&c);
    free(w.waiting.at);
}

static struct replay_tape *rewrite(struct study *s)
{
    struct replay_tape *out = replay_tape_copy_groups(s->tape);
    for (uint32_t rank = 0; rank < replay_tape_ranks(s->tape); rank++)
        walk(s, rank, out);
    replay_tape_seal(out);
    return out;
}

static void release(struct study *s)
{
    struct place *p;
    for (uint32_t at = 0; (p = base_table_next(&s->places, &at));)
        free(p->bins.at);
    base_table_release(&s->places);
    free(s->total);
}

static void find_typical(struct study *s)
{
    struct place *p;
    for (uint32_t rank = 0; rank < replay_tape_ranks(s->tape); rank++)
        walk(s, rank, NULL);
    for (uint32_t at = 0; (p = base_table_next(&s->places, &at));) {
        find_median(p);
        if (s->how == REPLAY_MEAN)
            find_mean(s, p);
    }
}

int replay_trace_typical(struct replay_trace *t, const char *path, enum replay_typical how,
                         char **assumptions, struct base_status *st)
{
    struct study s = {.tape = t->tape, .how = how};
    struct base_text text;
    if (!t->tape)
        return base_fail(st, "%s: expected a trace of actions, not schedules in GOAL", path);
    if (replay_tape_threads(t->tape))
        return base_fail(st, "%s: typical computation is of traces in which each rank has one thread", path);
    base_table_init(&s.places, BASE_NUMBERS, sizeof(struct place), "places of computations");
    s.total = base_zalloc(replay_tape_ranks(t->tape) * sizeof *s.total, "places of computations");
    find_typical(&s);
    t->tape = rewrite(&s);
    replay_tape_destroy(s.tape);
    base_text_init(&text, "assumptions");
    base_text_format(&text,
                     "%" PRIu64 " computations take what is typical at their %" PRIu32
                     " places, the %s times: %.6g%% of what was recorded\n",
                     s.computations, s.places.live,
                     how == REPLAY_MEAN ? "mean of their rank's" : "median of all ranks and",
                     s.recorded > 0 ? 100 * s.typical / s.recorded : 100);
    *assumptions = base_text_take(&text);
    release(&s);
    return 0;
}
