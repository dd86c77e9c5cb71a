/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uneven_bruck: Bruck's algorithm for parts of different sizes (Fan, Domke, Ba, Kumar et al., "Optimizing the
 * Bruck algorithm for non-uniform all-to-all communication", HPDC 2022). Members know only the sizes of what
 * they send and get themselves, so the size of the longest part of all is found first, by dissemination; that
 * much room each part has on its way.
 *
 * Members learn sizes while it runs, so rounds are built from what is in temporary memory: first the maxima
 * that came, then (two-phase) the sizes of the parts held, then the parts. Sizes are moved even if parts are not.
 *
 * a is the time of one small message, B the bandwidth, L the bytes of the longest part, M those of a member's
 * parts, n members.
 */
#include "coll/alltoall/alltoall.h"
#include "coll/alltoall/index.h"

enum { WORD = 8, MAXIMA = 33 }; /* mine, then one from each round */

static uint64_t *words(struct coll_schedule *s, uint64_t n)
{
    return coll_learned(s, n * WORD);
}

static coll_place word(uint64_t k)
{
    return coll_at(COLL_TEMP, k * WORD);
}

/* --- the longest part --------------------------------------------------------------------------------- */

static uint64_t longest_here(const struct coll_schedule *s)
{
    uint64_t most = 0;
    for (uint32_t p = 0; p < s->size; p++) {
        uint64_t out = coll_part_bytes(s, COLL_SOURCE, p), in = coll_part_bytes(s, COLL_DEST, p);
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return most;
}

/* The longest that is known after so many rounds of the dissemination. */
static uint64_t longest_after(struct coll_schedule *s, uint32_t rounds)
{
    uint64_t *maxima = words(s, MAXIMA);
    if (!rounds)
        maxima[0] = longest_here(s);
    else if (maxima[rounds] > maxima[0])
        maxima[0] = maxima[rounds];
    return maxima[0];
}

static void pass_longest(struct coll_schedule *s, uint32_t round)
{
    uint32_t distance = UINT32_C(1) << round;
    longest_after(s, round);
    coll_add_receive(s, coll_before(s, distance), round, word(round + 1), WORD);
    coll_add_send(s, coll_after(s, distance), round, word(0), WORD);
}

enum { TAGS = 64 }; /* of the dissemination */

/* The exchange that follows carries other tags. */
static struct coll_part exchange_part(const struct coll_schedule *s)
{
    return (struct coll_part){.me = s->me,
                              .size = s->size,
                              .source = coll_at(COLL_SOURCE, 0),
                              .dest = coll_at(COLL_DEST, 0),
                              .bytes = s->bytes,
                              .tag = TAGS,
                              .irregular = true,
                              .in_place = s->in_place};
}

/* First all learn how long the longest part is. */
static bool longest_known(struct coll_schedule *s, uint32_t round, coll_build_fn exchange)
{
    uint32_t rounds = coll_log2_above(s->size);
    struct coll_part all = exchange_part(s);
    if (round < rounds) {
        pass_longest(s, round);
        return true;
    }
    if (round == rounds)
        longest_after(s, rounds);
    return coll_part_round(s, &all, exchange, round - rounds);
}

/* --- padded -------------------------------------------------------------------------------------------- */

static bool padded(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = coll_ways_base(COLL_WAYS_AROUND, s->size, 2);
    x.part = *words(s, MAXIMA);
    x.temp = MAXIMA * WORD;
    return coll_ways_round(s, round, &x);
}

/* All parts travel as if they were as long as the longest. log n (2 a + n L/(2 B)); 2 n ceil(log2 n)
 * messages. */
bool coll_alltoallv_padded_bruck(struct coll_schedule *s, uint32_t round)
{
    return longest_known(s, round, padded);
}

/* --- in two phases ------------------------------------------------------------------------------ */

/* Words of temporary memory, from the maxima on: the sizes of the parts held, those that go out, and those
 * that come in. */
static uint64_t *sizes(struct coll_schedule *s)
{
    return words(s, MAXIMA + 3 * (uint64_t)s->size) + MAXIMA;
}

static struct coll_ways ways(struct coll_schedule *s)
{
    struct coll_ways x = coll_ways_base(COLL_WAYS_AROUND, s->size, 2);
    x.part = *words(s, MAXIMA);
    x.temp = (MAXIMA + 3 * (uint64_t)s->size) * WORD;
    coll_temp(s, x.temp + 3 * x.part * s->size + 1);
    return x;
}

static void load(struct coll_schedule *s, const struct coll_ways *x)
{
    uint64_t *held = sizes(s);
    for (uint32_t w = 0; w < s->size; w++)
        held[w] = coll_part_bytes(s, COLL_SOURCE, coll_ways_along(x, s->me, w, false));
    coll_ways_load(s, x);
}

static void send_sizes(struct coll_schedule *s, const struct coll_ways *x, uint32_t d)
{
    uint64_t *held = sizes(s), n = 0, weight = x->weight[d];
    for (uint64_t w = coll_ways_next(x, d, 1, 0); w < x->n; w = coll_ways_next(x, d, 1, w + 1))
        held[s->size + n++] = held[w];
    coll_add_receive(s, coll_before(s, (uint32_t)weight), 2 * d, word(MAXIMA + 2 * (uint64_t)s->size),
                     n * WORD);
    coll_add_send(s, coll_after(s, (uint32_t)weight), 2 * d, word(MAXIMA + (uint64_t)s->size), n * WORD);
}

static coll_place room(const struct coll_ways *x, uint64_t k, uint64_t bytes)
{
    return coll_at(COLL_TEMP, x->temp + k * x->part + bytes);
}

/* Copies parts of these sizes, one after the other in the area that begins at room `area`. */
static uint64_t move(struct coll_program *p, const struct coll_ways *x, uint32_t d, const uint64_t *size,
                     uint64_t area, bool pack)
{
    uint64_t done = 0;
    for (uint64_t w = coll_ways_next(x, d, 1, 0); w < x->n; w = coll_ways_next(x, d, 1, w + 1), size++) {
        coll_place held = room(x, w, 0), packed = room(x, area, done);
        if (*size)
            coll_program_copy(p, pack ? held : packed, pack ? packed : held, *size);
        done += *size;
    }
    return done;
}

static uint64_t sum(const uint64_t *size, uint64_t n)
{
    uint64_t all = 0;
    for (uint64_t k = 0; k < n; k++)
        all += size[k];
    return all;
}

static void send_parts(struct coll_schedule *s, const struct coll_ways *x, uint32_t d)
{
    uint64_t *held = sizes(s), *in = held + 2 * (uint64_t)s->size, weight = x->weight[d], k = 0;
    struct coll_program p;
    coll_program_begin(&p, s);
    uint64_t bytes = move(&p, x, d, held + s->size, 2 * (uint64_t)s->size, true);
    uint32_t receive = coll_program_receive(&p, coll_before(s, (uint32_t)weight), 2 * d + 1,
                                            room(x, s->size, 0), sum(in, coll_ways_with(x, d, 1)));
    coll_program_send_wait(&p, coll_after(s, (uint32_t)weight), 2 * d + 1, room(x, 2 * (uint64_t)s->size, 0),
                           bytes);
    coll_program_wait(&p, receive);
    move(&p, x, d, in, s->size, false);
    coll_program_end(&p);
    for (uint64_t w = coll_ways_next(x, d, 1, 0); w < x->n; w = coll_ways_next(x, d, 1, w + 1))
        held[w] = in[k++];
}

static bool phases(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = ways(s);
    uint32_t step = round - 1;
    if (round > 2 * x.digits + 1)
        return false;
    if (round == 0)
        load(s, &x);
    else if (round > 2 * x.digits)
        coll_ways_unload(s, &x);
    else if (step % 2 == 0)
        send_sizes(s, &x, step / 2);
    else
        send_parts(s, &x, step / 2);
    return true;
}

/* In each step the sizes of the parts that follow are sent first, then the parts without padding. log n (3 a
 * + M/(2 B)); 3 n ceil(log2 n) messages. */
bool coll_alltoallv_two_phase_bruck(struct coll_schedule *s, uint32_t round)
{
    return longest_known(s, round, phases);
}
