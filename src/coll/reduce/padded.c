/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * padded: reductions to all whose vector is split into n blocks of equal size, one for each member; the last
 * ones may be partly or wholly padding, which is sent but not reduced. Blocks lie in temporary memory. a is
 * the time of one small message, B the bandwidth, g the time to reduce a byte, m the bytes, n members.
 */
#include "coll/alltoall/alltoall.h"
#include "coll/reduce/reduce.h"

struct blocks {
    uint64_t each;         /* bytes of a block */
    coll_place all, other; /* all n, in order; as much memory again */
};

/* `items` of a block that is padded. */
static struct blocks blocks_of(struct coll_schedule *s, uint64_t items)
{
    uint64_t item = coll_item(s), n = s->bytes / item, each = (n % s->size ? items : n / s->size) * item;
    coll_temp(s, 2 * each * s->size + 1);
    return (struct blocks){each, coll_at(COLL_TEMP, 0), coll_at(COLL_TEMP, each * s->size)};
}

/* The bytes of [at, at + bytes) that are no padding. */
static uint64_t real(const struct coll_schedule *s, uint64_t at, uint64_t bytes)
{
    return at >= s->bytes ? 0 : bytes < s->bytes - at ? bytes : s->bytes - at;
}

static void add_copy(struct coll_schedule *s, coll_place from, coll_place to)
{
    if (s->bytes)
        coll_add_copy(s, from, to, s->bytes);
}

/* Every member's block to all others at once, in order of place. */
static void add_all_gather(struct coll_schedule *s, uint32_t tag, const struct blocks *b)
{
    for (uint32_t p = 0; p < s->size; p++)
        if (p != s->me)
            coll_add_receive(s, p, tag, b->all + p * b->each, b->each);
    for (uint32_t p = 0; p < s->size; p++)
        if (p != s->me)
            coll_add_send(s, p, tag, b->all + s->me * b->each, b->each);
}

/* --- halving ------------------------------------------------------------------------------------ */

static void add_halving(struct coll_schedule *s, uint32_t round, const struct blocks *b)
{
    uint32_t distance = s->size >> round, first = s->me / distance * distance;
    uint64_t kept = first * b->each, given = (first ^ distance) * b->each, bytes = distance * b->each;
    uint64_t some = real(s, kept, bytes);
    uint32_t in = coll_add_receive(s, s->me ^ distance, round, b->other, bytes);
    coll_add_send(s, s->me ^ distance, round, b->all + given, bytes);
    if (some)
        coll_order(s, in, coll_add_combine(s, b->other, b->all + kept, some));
}

static struct blocks halved(struct coll_schedule *s)
{
    return blocks_of(s, s->bytes / coll_item(s) / s->size + 1);
}

static bool halve_round(struct coll_schedule *s, uint32_t round)
{
    struct blocks b = halved(s);
    if (round == 0)
        add_copy(s, coll_at(COLL_SOURCE, 0), b.all);
    else if (round <= coll_log2_above(s->size))
        add_halving(s, round, &b);
    return round <= coll_log2_above(s->size);
}

static bool gather_at_once(struct coll_schedule *s, uint32_t round)
{
    struct blocks b = halved(s);
    if (round == 0)
        add_all_gather(s, 0, &b);
    return round == 0;
}

static coll_build_fn gather_halved(struct coll_schedule *s, struct coll_part *p)
{
    struct blocks b = halved(s);
    if (!s->tuning->leaf)
        return gather_at_once;
    p->source = b.all + s->me * b.each;
    p->dest = b.all;
    p->bytes = b.each;
    p->temp = 2 * b.each * s->size + 1;
    p->in_place = false;
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_FCOLLECT, b.each, s->size);
}

static bool store_round(struct coll_schedule *s, uint32_t round)
{
    if (round == 0)
        add_copy(s, halved(s).all, coll_at(COLL_DEST, 0));
    return round == 0;
}

/* Reduce-scatter by halving, beginning with the most distant, then everyone's block to all at once; or, if a
 * selector chose the algorithm, as it chooses for the blocks (STAR-MPI's rab1: Faraj, Yuan, Lowenthal, ICS
 * 2006). a log2 n + (n - 1)/n m (1/B + g), then a + m/B; n log2 n + n (n - 1) messages. Requires a power of
 * two of members and an operator that commutes. */
bool coll_reduce_halving_allgather(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = halve_round}, {.part = gather_halved}, {.all = store_round}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* --- all-to-all --------------------------------------------------------------------------------- */

/* As SMPI's default and Open MPI 4.1 do, where they would not use pairs for very long blocks. */
static bool by_bruck(uint32_t n, uint64_t bytes)
{
    uint64_t limit = n < 64 || (n >= 512 && n < 2048) ? 512 : n < 4096 ? 1024 : 2048;
    return n >= 16 && bytes < limit && (n >= 32 || bytes >= 4);
}

/* Everything at once; sends begin with the member before. */
static bool exchange_at_once(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    for (uint32_t p = 0; round == 0 && p < s->size; p++)
        if (p != s->me)
            coll_add_receive(s, p, 0, coll_at(COLL_DEST, p * m), m);
    for (uint32_t d = 1; round == 0 && d < s->size; d++)
        coll_add_send(s, coll_before(s, d), 0, coll_at(COLL_SOURCE, coll_before(s, d) * m), m);
    if (round == 0 && m)
        coll_add_copy(s, coll_at(COLL_SOURCE, s->me * m), coll_at(COLL_DEST, s->me * m), m);
    return round == 0;
}

static struct blocks exchanged(struct coll_schedule *s)
{
    uint64_t n = s->bytes / coll_item(s);
    return blocks_of(s, n < s->size ? s->size : n / s->size + 1);
}

static bool load_round(struct coll_schedule *s, uint32_t round)
{
    if (round == 0)
        add_copy(s, coll_at(COLL_SOURCE, 0), exchanged(s).all);
    return round == 0;
}

static coll_build_fn exchange(struct coll_schedule *s, struct coll_part *p)
{
    struct blocks b = exchanged(s);
    p->source = b.all;
    p->dest = b.other;
    p->bytes = b.each;
    p->temp = 2 * b.each * s->size + 1;
    return by_bruck(s->size, b.each) ? coll_alltoall_bruck : exchange_at_once;
}

/* All members' operands of my block, in order of place, then my block to all. */
static bool gather_round(struct coll_schedule *s, uint32_t round)
{
    struct blocks b = exchanged(s);
    uint64_t some = real(s, s->me * b.each, b.each);
    coll_place sum = b.other + (s->size - 1) * b.each;
    uint32_t last = UINT32_MAX;
    for (uint32_t p = s->size - 1; round == 0 && some && p-- > 0;) {
        uint32_t k = coll_add_combine(s, b.other + p * b.each, sum, some);
        if (last != UINT32_MAX)
            coll_order(s, last, k);
        last = k;
    }
    if (round == 1 && some)
        coll_add_copy(s, sum, b.all + s->me * b.each, some);
    if (round == 2)
        add_all_gather(s, round, &b);
    if (round == 3)
        add_copy(s, b.all, coll_at(COLL_DEST, 0));
    return round < 4;
}

/* Every member gets all operands of its block, by Bruck's algorithm if short, else all at once, reduces them,
 * and sends the result to all (STAR-MPI's rab2). 2 a + 2 (n - 1)/n m/B + (n - 1)/n g m; 2 n (n - 1) messages,
 * or n ceil(log2 n) + n (n - 1). */
bool coll_reduce_alltoall_allgather(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = load_round}, {.part = exchange}, {.all = gather_round}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
