/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index: the exchanges by digits of index.h, and the algorithms for parts of one size that are made of them.
 * All work in place, too: the source is copied first, and dest is written last.
 *
 * a is the time of one small message, B the bandwidth, m the bytes of a part, n members.
 */
#include "coll/alltoall/index.h"
#include "coll/alltoall/alltoall.h"

/* --- ways ------------------------------------------------------------------------------------------ */

void coll_ways_add(struct coll_ways *x, uint32_t radix)
{
    uint32_t d = x->digits++;
    x->radix[d] = radix;
    x->weight[d] = d ? x->weight[d - 1] * x->radix[d - 1] : 1;
}

struct coll_ways coll_ways_base(enum coll_ways_kind kind, uint32_t n, uint32_t k)
{
    struct coll_ways x = {.kind = kind, .n = n, .at_once = true};
    for (uint64_t reach = 1; reach < n; reach *= k)
        coll_ways_add(&x, k);
    return x;
}

static uint32_t digit(const struct coll_ways *x, uint32_t d, uint32_t way)
{
    return way / x->weight[d] % x->radix[d];
}

uint32_t coll_ways_along(const struct coll_ways *x, uint32_t from, uint32_t way, bool back)
{
    uint32_t to = 0;
    if (x->kind == COLL_WAYS_XOR)
        return from ^ way;
    if (x->kind == COLL_WAYS_AROUND)
        return (uint32_t)(((uint64_t)from + (back ? x->n - way : way)) % x->n);
    for (uint32_t d = 0; d < x->digits; d++) {
        uint32_t side = x->radix[d], step = digit(x, d, way);
        to += (digit(x, d, from) + (back ? side - step : step)) % side * x->weight[d];
    }
    return to;
}

uint64_t coll_ways_with(const struct coll_ways *x, uint32_t d, uint32_t v)
{
    uint64_t weight = x->weight[d], period = weight * x->radix[d], rest = x->n % period, from = v * weight;
    uint64_t more = rest <= from ? 0 : rest - from < weight ? rest - from : weight;
    return x->n / period * weight + more;
}

uint64_t coll_ways_next(const struct coll_ways *x, uint32_t d, uint32_t v, uint64_t w)
{
    uint64_t weight = x->weight[d], period = weight * x->radix[d], from = v * weight;
    uint64_t here = w % period;
    if (here < from)
        w += from - here;
    else if (here >= from + weight)
        w += period - here + from;
    return w < x->n ? w : x->n;
}

/* --- copies ---------------------------------------------------------------------------------------- */

/* Copies that continue each other are one. */
struct run {
    struct coll_program *p;
    coll_place from, to;
    uint64_t bytes;
};

static void flush(struct run *r)
{
    if (r->bytes)
        coll_program_copy(r->p, r->from, r->to, r->bytes);
    r->bytes = 0;
}

static void copy(struct run *r, coll_place from, coll_place to, uint64_t bytes)
{
    if (r->bytes && r->from + r->bytes == from && r->to + r->bytes == to) {
        r->bytes += bytes;
        return;
    }
    flush(r);
    *r = (struct run){r->p, from, to, bytes};
}

/* Temporary memory: room for the n parts held, for those that come in, and for those that go out. */
static coll_place held(const struct coll_ways *x, uint64_t k)
{
    return coll_at(COLL_TEMP, x->temp + k * x->part);
}

void coll_ways_load(struct coll_schedule *s, const struct coll_ways *x)
{
    struct coll_program p;
    coll_program_begin(&p, s);
    struct run r = {.p = &p};
    for (uint32_t w = 0; w < x->n; w++) {
        uint32_t to = coll_ways_along(x, s->me, w, false);
        copy(&r, coll_part_at(s, COLL_SOURCE, to), held(x, w), coll_part_bytes(s, COLL_SOURCE, to));
    }
    flush(&r);
    coll_program_end(&p);
}

void coll_ways_unload(struct coll_schedule *s, const struct coll_ways *x)
{
    struct coll_program p;
    coll_program_begin(&p, s);
    struct run r = {.p = &p};
    for (uint32_t w = 0; w < x->n; w++) {
        uint32_t from = coll_ways_along(x, s->me, w, true);
        copy(&r, held(x, w), coll_part_at(s, COLL_DEST, from), coll_part_bytes(s, COLL_DEST, from));
    }
    flush(&r);
    coll_program_end(&p);
}

/* The parts with value v of digit d: packed at `area`, or put back from there. Returns where the next area
 * is. */
static coll_place move(struct coll_program *p, const struct coll_ways *x, uint32_t d, uint32_t v,
                       coll_place area, bool pack)
{
    struct run r = {.p = p};
    for (uint64_t w = coll_ways_next(x, d, v, 0); w < x->n;
         w = coll_ways_next(x, d, v, w + 1), area += x->part)
        copy(&r, pack ? held(x, w) : area, pack ? area : held(x, w), x->part);
    flush(&r);
    return area;
}

/* --- exchanges ------------------------------------------------------------------------------------- */

/* The values of a digit that occur, but for 0: one partner each. */
static uint32_t partners(const struct coll_ways *x, uint32_t d)
{
    uint64_t all = ((uint64_t)x->n - 1) / x->weight[d];
    return (uint32_t)(all < x->radix[d] - 1 ? all : x->radix[d] - 1);
}

static uint32_t swap(struct coll_program *p, const struct coll_schedule *s, const struct coll_ways *x,
                     uint32_t d, uint32_t v, coll_place in, coll_place out)
{
    uint32_t way = v * x->weight[d];
    uint64_t bytes = coll_ways_with(x, d, v) * x->part;
    uint32_t receive = coll_program_receive(p, coll_ways_along(x, s->me, way, true), d, in, bytes);
    coll_program_send(p, coll_ways_along(x, s->me, way, false), d, out, bytes);
    return receive;
}

/* All that goes is packed at `out` first. */
static void exchange(struct coll_program *p, const struct coll_schedule *s, const struct coll_ways *x,
                     uint32_t d, coll_place out)
{
    coll_place in = held(x, x->n), area = in, next = out;
    uint32_t n = partners(x, d), first;
    for (uint32_t v = 1; v <= n; v++)
        next = move(p, x, d, v, next, true);
    first = p->n;
    for (uint32_t v = 1; v <= n; v++) {
        uint64_t bytes = coll_ways_with(x, d, v) * x->part;
        uint32_t receive = swap(p, s, x, d, v, area, out);
        area += bytes, out += bytes;
        if (!x->at_once)
            coll_program_wait(p, receive), coll_program_wait(p, receive + 1);
    }
    for (uint32_t k = 0; x->at_once && k < 2 * n; k += x->sends_on ? 2 : 1)
        coll_program_wait(p, first + k);
    for (uint32_t v = 1; v <= n; v++)
        in = move(p, x, d, v, in, false);
}

/* One digit after the other; if sends go on, all digits in one round, each with room of its own for what
 * goes. */
static void add_digits(struct coll_schedule *s, const struct coll_ways *x, uint32_t from, uint32_t end)
{
    struct coll_program p;
    coll_program_begin(&p, s);
    for (uint32_t d = from; d < end; d++)
        exchange(&p, s, x, d, held(x, (uint64_t)x->n * (2 + (d - from))));
    coll_program_end(&p);
}

bool coll_ways_round(struct coll_schedule *s, uint32_t round, const struct coll_ways *x)
{
    uint32_t steps = x->sends_on ? 1 : x->digits, width = x->sends_on ? x->digits : 1;
    if (round > steps + 1)
        return false;
    coll_temp(s, x->temp + (2 + (uint64_t)width) * x->n * x->part + 1);
    if (round == 0)
        coll_ways_load(s, x);
    else if (round > steps)
        coll_ways_unload(s, x);
    else
        add_digits(s, x, x->sends_on ? 0 : round - 1, x->sends_on ? x->digits : round);
    return true;
}

/* --- algorithms ------------------------------------------------------------------------------------- */

enum { OWN_RADIX = 4 }; /* MPICH's own is 2, which is what bruck does */

/* Bruck's algorithm in base k (coll/radix), the k - 1 exchanges of a digit at once. log_k n (a + (k - 2) o +
 * (k - 1) n m/(k B)), o the overhead of a message; about n (k - 1) log_k n messages. */
bool coll_alltoall_k_bruck(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = coll_ways_base(COLL_WAYS_AROUND, s->size, coll_radix(s, OWN_RADIX));
    x.part = s->bytes;
    return coll_ways_round(s, round, &x);
}

/* The same with buffers for each phase, as MPICH's tsp_brucks: a phase begins when all of the one before has
 * come, though not all may have left. */
bool coll_alltoall_k_bruck_buffers(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = coll_ways_base(COLL_WAYS_AROUND, s->size, coll_radix(s, OWN_RADIX));
    x.part = s->bytes;
    x.sends_on = true;
    return coll_ways_round(s, round, &x);
}

/* The standard exchange on a hypercube, dimension by dimension (Johnsson, Ho, IEEE ToC 38(9), 1989). log2 n
 * (a + n m/(2 B)); n log2 n messages. For a power of two of members. */
bool coll_alltoall_hypercube(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = coll_ways_base(COLL_WAYS_XOR, s->size, 2);
    x.part = s->bytes;
    return coll_ways_round(s, round, &x);
}

/* Subcubes of k members (coll/radix, down to a power of two) exchange pairwise, one partner after the other,
 * then the next dimensions (Bokhari, "Multiphase complete exchange on a circuit switched hypercube", ICPP
 * 1991). log_k n (k - 1)(a + n m/(k B)); n (k - 1) log_k n messages. For a power of two of members. */
bool coll_alltoall_multiphase(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = coll_power_below(coll_radix(s, OWN_RADIX));
    struct coll_ways x = coll_ways_base(COLL_WAYS_XOR, s->size, k);
    x.part = s->bytes;
    x.at_once = false;
    return coll_ways_round(s, round, &x);
}

/* --- grids ------------------------------------------------------------------------------------------ */

/* The greatest divisor of n that is at most its root of this degree. */
static uint32_t side_of(uint32_t n, uint32_t degree)
{
    uint32_t best = 1;
    for (uint64_t side = 2; side * side * (degree == 3 ? side : 1) <= n; side++)
        if (n % side == 0)
            best = (uint32_t)side;
    return best;
}

/* Rows, then columns, of the most nearly square grid; a message has all parts that go the same way. (X + Y -
 * 2) a + n (2 - 1/X - 1/Y) m/B; n (X + Y - 2) messages. For n = X Y, neither of them 1. */
bool coll_alltoall_grid(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = {.kind = COLL_WAYS_GRID, .n = s->size, .part = s->bytes, .at_once = true};
    uint32_t rows = side_of(s->size, 2);
    coll_ways_add(&x, s->size / rows);
    coll_ways_add(&x, rows);
    return coll_ways_round(s, round, &x);
}

/* The same in three dimensions. (X + Y + Z - 3) a + n (3 - 1/X - 1/Y - 1/Z) m/B; n (X + Y + Z - 3) messages.
 * For n = X Y Z, none of them 1. */
bool coll_alltoall_cube(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = {.kind = COLL_WAYS_GRID, .n = s->size, .part = s->bytes, .at_once = true};
    uint32_t layers = side_of(s->size, 3), rows = side_of(s->size / layers, 2);
    coll_ways_add(&x, s->size / layers / rows);
    coll_ways_add(&x, rows);
    coll_ways_add(&x, layers);
    return coll_ways_round(s, round, &x);
}
