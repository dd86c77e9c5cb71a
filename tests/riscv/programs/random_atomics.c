/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random remote atomics of all PEs on a few words of all PEs. What a word must hold at the end is computed
 * from the random streams of all PEs, one after the other: each word takes operations of one kind, whose
 * order does not matter. Old values are checked where they say something about the order: tickets (1 is
 * added) are all different, and minima and maxima only go one way.
 *
 *     random_atomics [seed [operations of each PE [PEs that are targets]]]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <xbgas_rt.h>

enum kind { TICKET, ADD, XOR, OR, AND, MIN, MAX, COUNT, KINDS };
static struct words {
    int64_t d[KINDS];
    int32_t w[KINDS];
} mine, expected;
static int64_t tickets, wrong, sum, last_min[64], last_max[64];
static int targets;

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

static void operate(uint64_t seed, int me, int steps)
{
    struct draw r = stream(seed, me);
    for (int i = 0; i < steps; i++) {
        struct step s = step_of(&r);
        uint64_t to = xbgas_object(s.target);
        note(&s, s.wide ? remote_d(to, &mine.d[s.kind], &s) : remote_w(to, &mine.w[s.kind], &s));
    }
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
    targets = argc > 3 && atoi(argv[3]) < all ? atoi(argv[3]) : all;
    begin(&mine);
    xbgas_barrier_all();
    operate(seed, me, steps);
    xbgas_barrier_all();
    int64_t given = foresee(seed, me, all, steps);
    for (int k = 0; k < KINDS; k++)
        wrong += (mine.d[k] != expected.d[k]) + (mine.w[k] != expected.w[k]);
    uint64_t hash = 0;
    for (int k = 0; k < KINDS; k++)
        hash = (hash ^ (uint64_t)mine.d[k] ^ (uint64_t)mine.w[k] << 7) * 0x100000001b3u + (uint64_t)me;
    /* Sums of all PEs, at PE 0. */
    uint64_t first = xbgas_object(0);
    static int64_t total_wrong, total_tickets;
    xbgas_amoadd_d(first, &total_wrong, wrong);
    xbgas_amoadd_d(first, &total_tickets, tickets - given);
    xbgas_amoadd_d(first, &sum, (int64_t)hash);
    xbgas_barrier_all();
    if (me == 0)
        printf("%d PEs: %ld wrong, tickets differ by %ld, memory %016lx\n", all, (long)total_wrong,
               (long)total_tickets, (unsigned long)sum);
    int status = me == 0 && (total_wrong || total_tickets);
    xbgas_finalize();
    return status;
}
