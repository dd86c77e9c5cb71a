/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What would speed the run up: who has the largest parts of the critical path, and what halving each would
 * bring.
 *
 * Something twice as fast loses half of its part of the path. A link may also lose all of its contention: a
 * queue served twice as fast may never build up.
 *
 * Invariants
 *  S1  No foreseen gain exceeds the upper bound.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

enum { LINKS_MOST = 8, RANKS_MOST = 4, CALLS_MOST = 4 }; /* each is a replay */

static void suggest(struct report_facts *f, enum report_lever lever, uint32_t id, double part,
                    double contention)
{
    struct report_suggestion *s = &f->suggestion[f->suggestions++];
    *s = (struct report_suggestion){.lever = lever, .id = id, .part = part, .gain = part / 2};
    if (lever == REPORT_LEVER_LINK)
        s->gain += contention / 2;
    s->gain = fmin(s->gain, part);
    s->foreseen = fmin(report_replay(f, lever, id), s->gain);
    BASE_ASSERT("S1", s->foreseen <= s->gain && s->gain <= s->part);
}

/* On the path, at that link. */
static double contention_of(const struct report_facts *f, uint32_t link)
{
    double sum = 0;
    for (size_t k = 0; k < f->path.n; k++)
        if (f->path.at[k].op && f->path.at[k].link == link)
            sum += (double)f->path.at[k].contention;
    return sum;
}

/* The largest of n amounts, one after the other; what was taken is 0 then. */
static void suggest_largest(struct report_facts *f, enum report_lever lever, double *amount, uint32_t n,
                            unsigned most)
{
    while (most--) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < n; k++)
            if (amount[k] > amount[best])
                best = k;
        if (!n || !(amount[best] > 0))
            return;
        suggest(f, lever, best, amount[best], lever == REPORT_LEVER_LINK ? contention_of(f, best) : 0);
        amount[best] = 0;
    }
}

struct amounts {
    double *link, *rank, *call;
    double kind[REPORT_KINDS];
};

static void gather(const struct report_facts *f, struct amounts *a)
{
    for (size_t k = 0; k < f->path.n; k++) {
        const struct report_piece *piece = &f->path.at[k];
        double seconds = piece->end - piece->begin;
        if (piece->op) {
            a->kind[piece->kind] += seconds;
            if (piece->link != REPORT_NO_LINK)
                a->link[piece->link] += (double)piece->transfer + (double)piece->contention;
        } else if (piece->part == REPORT_COMPUTING) {
            a->rank[piece->rank] += seconds;
        } else if (piece->part == REPORT_CALLING) {
            a->call[piece->name] += seconds;
        }
    }
}

static int by_gain(const void *a, const void *b)
{
    const struct report_suggestion *x = a, *y = b;
    if (x->foreseen != y->foreseen)
        return x->foreseen > y->foreseen ? -1 : 1;
    if (x->gain != y->gain)
        return x->gain > y->gain ? -1 : 1;
    if (x->lever != y->lever)
        return x->lever < y->lever ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void suggest_all(struct report_facts *f, struct amounts *a)
{
    uint32_t names = report_names_count(f->work->names);
    double computing = f->path.part[REPORT_COMPUTING];
    suggest_largest(f, REPORT_LEVER_LINK, a->link, f->about->links, LINKS_MOST);
    suggest_largest(f, REPORT_LEVER_RANK, a->rank, f->about->ranks, RANKS_MOST);
    suggest_largest(f, REPORT_LEVER_CALL, a->call, names, CALLS_MOST);
    suggest_largest(f, REPORT_LEVER_KIND, a->kind, REPORT_KINDS, REPORT_KINDS);
    if (f->path.part[REPORT_LATENCY] > 0)
        suggest(f, REPORT_LEVER_LATENCY, 0, f->path.part[REPORT_LATENCY], 0);
    if (computing > 0)
        suggest(f, REPORT_LEVER_COMPUTATION, 0, computing, 0);
}

void report_path_suggest(struct report_facts *f)
{
    struct amounts a = {0};
    a.link = base_zalloc(sizeof *a.link * ((size_t)f->about->links + 1), "parts of the path");
    a.rank = base_zalloc(sizeof *a.rank * ((size_t)f->about->ranks + 1), "parts of the path");
    a.call = base_zalloc(sizeof *a.call * report_names_count(f->work->names), "parts of the path");
    f->suggestion =
        base_zalloc(sizeof *f->suggestion * (LINKS_MOST + RANKS_MOST + CALLS_MOST + REPORT_KINDS + 2),
                    "what would be faster");
    gather(f, &a);
    suggest_all(f, &a);
    qsort(f->suggestion, f->suggestions, sizeof *f->suggestion, by_gain);
    free(a.link);
    free(a.rank);
    free(a.call);
}
