/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random remote atomics of all PEs on a few words of all PEs. What a word must hold at the end is computed
 * from the random streams of all PEs, one after the other: each word takes operations of one kind, whose
 * order does not matter. Old values: of the first seven targets, each looks at what all operations on its
 * words found, and whether there is an order in which they find that (order.h). On the others, tickets (1 is
 * added) are all different, and minima and maxima only go one way.
 *
 *     random_atomics [seed [operations of each PE [PEs that are targets]]]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <xbgas_rt.h>

#include "order.h"

enum kind { TICKET, ADD, XOR, OR, AND, MIN, MAX, COUNT, KINDS };
static struct words {
    int64_t d[KINDS];
    int32_t w[KINDS];
} mine, expected;
static int64_t tickets, wrong, sum, last_min[64], last_max[64];
static int targets;
enum { JUDGES = 7, MOST = 64, MOST_PES = 1024, MOST_FOUND = 1024 };
static struct found { /* by my operations */
    int64_t found, left;
    int16_t target;
    int8_t kind, wide;
} found[MOST];

struct draw {
    uint64_t state;
};

static uint64_t next(struct draw *r)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = r->state ^ r->state >> 31;
    return x * 0x9e3779b97f4a7c15u >> 11;
}

static struct draw stream(uint64_t seed, int pe)
{
    return (struct draw){seed * 1000003 + (uint64_t)pe * 7919 + 1};
}

struct step {
    int target, kind;
    bool wide;
    int64_t value;
};

static struct step step_of(struct draw *r)
{
    uint64_t x = next(r);
    struct step s = {(int)(x % (uint64_t)targets), (int)(x >> 20 & 7), x >> 30 & 1,
                     (int64_t)(next(r) << 12 ^ next(r))};
    if (!s.wide)
        s.value = (int32_t)s.value;
    if (s.kind == OR)
        s.value &= s.value >> 3 & s.value << 5; /* few bits are set, and some are left */
    if (s.kind == AND)
        s.value |= s.value >> 3 | s.value << 5;
    if (!s.wide)
        s.value = (int32_t)s.value;
    if (s.kind == TICKET)
        s.value = 1;
    return s;
}

static void begin(struct words *p)
{
    for (int k = 0; k < KINDS; k++)
        p->d[k] = p->w[k] = k == AND ? -1 : 0;
}

/* The sequential model. */
static int64_t model(int64_t word, const struct step *s)
{
    switch (s->kind) {
    case TICKET:
    case ADD:
        return (int64_t)((uint64_t)word + (uint64_t)s->value);
    case XOR:
        return word ^ s->value;
    case OR:
        return word | s->value;
    case AND:
        return word & s->value;
    case MIN:
        return word < s->value ? word : s->value;
    case MAX:
        return word > s->value ? word : s->value;
    default:
        return word + 1;
    }
}

static int64_t remote_d(uint64_t to, int64_t *word, const struct step *s)
{
    int64_t old, seen;
    switch (s->kind) {
    case TICKET:
    case ADD:
        return xbgas_amoadd_d(to, word, s->value);
    case XOR:
        return xbgas_amoxor_d(to, word, s->value);
    case OR:
        return xbgas_amoor_d(to, word, s->value);
    case AND:
        return xbgas_amoand_d(to, word, s->value);
    case MIN:
        return xbgas_amomin_d(to, word, s->value);
    case MAX:
        return xbgas_amomax_d(to, word, s->value);
    default: /* a count, by compare-and-swap */
        for (old = xbgas_load_d(to, word); (seen = xbgas_amocas_d(to, word, old, old + 1)) != old; old = seen)
            ;
        return old;
    }
}

static int32_t remote_w(uint64_t to, int32_t *word, const struct step *s)
{
    int32_t old, seen, value = (int32_t)s->value;
    switch (s->kind) {
    case TICKET:
    case ADD:
        return xbgas_amoadd_w(to, word, value);
    case XOR:
        return xbgas_amoxor_w(to, word, value);
    case OR:
        return xbgas_amoor_w(to, word, value);
    case AND:
        return xbgas_amoand_w(to, word, value);
    case MIN:
        return xbgas_amomin_w(to, word, value);
    case MAX:
        return xbgas_amomax_w(to, word, value);
    default:
        for (old = xbgas_load_w(to, word); (seen = xbgas_amocas_w(to, word, old, old + 1)) != old; old = seen)
            ;
        return old;
    }
}

static void note(const struct step *s, int64_t old)
{
    if (s->kind == TICKET)
        tickets += old;
    if (!s->wide || s->target >= 64)
        return;
    if (s->kind == MIN) {
        wrong += old > last_min[s->target];
        last_min[s->target] = old < s->value ? old : s->value;
    }
    if (s->kind == MAX) {
        wrong += old < last_max[s->target];
        last_max[s->target] = old > s->value ? old : s->value;
    }
}

static int64_t model_of(const struct step *s, int64_t word)
{
    return s->wide ? model(word, s) : (int32_t)model(word, s);
}

static void operate(uint64_t seed, int me, int steps)
{
    struct draw r = stream(seed, me);
    for (int i = 0; i < steps; i++) {
        struct step s = step_of(&r);
        uint64_t to = xbgas_object(s.target);
        int64_t old = s.wide ? remote_d(to, &mine.d[s.kind], &s) : remote_w(to, &mine.w[s.kind], &s);
        note(&s, old);
        found[i] = (struct found){old, model_of(&s, old), (int16_t)s.target, (int8_t)s.kind, s.wide};
    }
}

/* What the operations on my words found, of all PEs: those of each kind and width have an order. */
static int disorders(int me, int all, int steps)
{
    static struct found theirs[MOST];
    static struct order_step word[2 * KINDS][MOST_FOUND];
    static int n[2 * KINDS], last[MOST_PES];
    int bad = 0;
    for (int pe = 0; pe < all; pe++) {
        xbgas_getmem(theirs, found, (size_t)steps * sizeof *theirs, pe);
        for (int i = 0; i < steps; i++) {
            int at = theirs[i].kind + (theirs[i].wide ? KINDS : 0);
            if (theirs[i].target != me)
                continue;
            if (n[at] == MOST_FOUND)
                return 1;
            word[at][n[at]++] = (struct order_step){theirs[i].found, theirs[i].left, pe, i, false};
        }
    }
    for (int k = 0; k < KINDS; k++) {
        int64_t first = k == AND ? -1 : 0;
        bad += !order_exists(word[k], n[k], first, mine.w[k], last, all);
        bad += !order_exists(word[KINDS + k], n[KINDS + k], first, mine.d[k], last, all);
    }
    return bad;
}

/* What my words must hold; returns the sum of all tickets that were given here. */
static int64_t foresee(uint64_t seed, int me, int all, int steps)
{
    begin(&expected);
    for (int pe = 0; pe < all && me < targets; pe++) {
        struct draw r = stream(seed, pe);
        for (int i = 0; i < steps; i++) {
            struct step s = step_of(&r);
            if (s.target != me)
                continue;
            if (s.wide)
                expected.d[s.kind] = model(expected.d[s.kind], &s);
            else
                expected.w[s.kind] = (int32_t)model(expected.w[s.kind], &s);
        }
    }
    int64_t d = expected.d[TICKET], w = expected.w[TICKET];
    return d * (d - 1) / 2 + w * (w - 1) / 2;
}

int main(int argc, char **argv)
{
    xbgas_init();
    int me = xbgas_my_pe(), all = xbgas_n_pes();
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    int steps = argc > 2 ? atoi(argv[2]) : 50;
    if (steps > MOST || all > MOST_PES) {
        fprintf(stderr, "random_atomics: at most %d operations, %d PEs\n", MOST, MOST_PES);
        return 2;
    }
    targets = argc > 3 && atoi(argv[3]) < all ? atoi(argv[3]) : all;
    begin(&mine);
    xbgas_barrier_all();
    operate(seed, me, steps);
    xbgas_barrier_all();
    int64_t given = foresee(seed, me, all, steps);
    for (int k = 0; k < KINDS; k++)
        wrong += (mine.d[k] != expected.d[k]) + (mine.w[k] != expected.w[k]);
    int64_t bad = me < targets && me < JUDGES ? disorders(me, all, steps) : 0;
    uint64_t hash = 0;
    for (int k = 0; k < KINDS; k++)
        hash = (hash ^ (uint64_t)mine.d[k] ^ (uint64_t)mine.w[k] << 7) * 0x100000001b3u + (uint64_t)me;
    /* Sums of all PEs, at PE 0. */
    uint64_t first = xbgas_object(0);
    static int64_t total_wrong, total_tickets, total_bad;
    xbgas_amoadd_d(first, &total_wrong, wrong);
    xbgas_amoadd_d(first, &total_tickets, tickets - given);
    xbgas_amoadd_d(first, &total_bad, bad);
    xbgas_amoadd_d(first, &sum, (int64_t)hash);
    xbgas_barrier_all();
    if (me == 0)
        printf(
            "%d PEs, seed %lu: %ld wrong, tickets differ by %ld, %ld words without an order, memory %016lx\n",
            all, (unsigned long)seed, (long)total_wrong, (long)total_tickets, (long)total_bad,
            (unsigned long)sum);
    int status = me == 0 && (total_wrong || total_tickets || total_bad);
    xbgas_finalize();
    return status;
}
