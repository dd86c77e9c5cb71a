/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh: STAR-MPI's all-to-alls on a grid (Faraj, Yuan, Lowenthal, ICS 2006). Members first gather the whole
 * sources of their row, then send on what each member of their column needs; on a cube they gather along two
 * dimensions. More data than a direct exchange, but fewer messages. For parts of one size.
 *
 * a is the time of one small message, B the bandwidth, m the bytes of a part, n members.
 */
#include "coll/alltoall/alltoall.h"

/* The first r of temporary memory are whole sources of n parts each, the rest is where parts are packed. */
struct mesh {
    struct coll_schedule *s;
    struct coll_program p;
    uint32_t rows, tag;
};

static coll_place kept(const struct mesh *x, uint64_t row, uint64_t part)
{
    return coll_at(COLL_TEMP, (row * x->s->size + part) * x->s->bytes);
}

static void begin(struct mesh *x, struct coll_schedule *s, uint32_t rows)
{
    *x = (struct mesh){.s = s, .rows = rows};
    coll_temp(s, ((uint64_t)rows * s->size + rows) * s->bytes + 1);
    coll_program_begin(&x->p, s);
}

static void end(struct mesh *x)
{
    coll_program_wait_all(&x->p);
    coll_program_end(&x->p);
}

/* One dimension: the members first + k * stride, k < n, of which I am number `mine`. Each has `sources` rows;
 * number k's are kept from row start + k * sources on. */
struct line {
    uint32_t first, stride, n, mine, start, sources;
};

static void gather(struct mesh *x, struct line l)
{
    uint64_t bytes = (uint64_t)l.sources * x->s->size * x->s->bytes;
    coll_place own = l.sources > 1 ? kept(x, l.start + l.mine * l.sources, 0) : coll_at(COLL_SOURCE, 0);
    for (uint32_t k = 0; k < l.n; k++)
        if (k != l.mine)
            coll_program_receive(&x->p, l.first + k * l.stride, x->tag, kept(x, l.start + k * l.sources, 0),
                                 bytes);
    for (uint32_t k = 0; k < l.n; k++)
        if (k != l.mine)
            coll_program_send_wait(&x->p, l.first + k * l.stride, x->tag, own, bytes);
    coll_program_wait_all(&x->p);
    x->tag++;
}

/* Packs what my rows have for a member, which gets it at its places for the rows' members. */
static void forward(struct mesh *x, uint32_t to)
{
    uint64_t m = x->s->bytes;
    for (uint32_t row = 0; row < x->rows; row++)
        coll_program_copy(&x->p, kept(x, row, to), kept(x, x->rows, row), m);
    coll_program_send_wait(&x->p, to, x->tag, kept(x, x->rows, 0), x->rows * m);
}

static void take(struct mesh *x, uint32_t from)
{
    uint64_t m = x->s->bytes;
    coll_program_receive(&x->p, from, x->tag, coll_at(COLL_DEST, from / x->rows * x->rows * m), x->rows * m);
}

/* My part from each member of my rows, which begin with place `first`. */
static void keep_mine(struct mesh *x, uint32_t first)
{
    uint64_t m = x->s->bytes;
    for (uint32_t row = 0; row < x->rows; row++)
        coll_program_copy(&x->p, kept(x, row, x->s->me), coll_at(COLL_DEST, (first + row) * m), m);
}

/* The sides X <= Y of the most nearly square grid of n members. */
static uint32_t longer_side(uint32_t n)
{
    uint32_t side = 1;
    while ((uint64_t)(side + 1) * (side + 1) <= n)
        side++;
    while (n % side)
        side++;
    return side > n / side ? side : n / side;
}

/* A grid of X rows with Y members each, X <= Y. (X + Y - 2) a + (n (Y - 1) + Y (X - 1)) m/B; n (X + Y - 2)
 * messages. For n = X Y, neither of them 1. */
bool coll_alltoall_2dmesh(struct coll_schedule *s, uint32_t round)
{
    struct mesh x;
    uint32_t columns = longer_side(s->size), rows = s->size / columns;
    uint32_t base = s->me / columns * columns, column = s->me - base;
    if (round)
        return false;
    begin(&x, s, columns);
    coll_program_copy(&x.p, coll_at(COLL_SOURCE, 0), kept(&x, column, 0), s->size * s->bytes);
    gather(&x, (struct line){base, 1, columns, column, 0, 1});
    keep_mine(&x, base);
    for (uint32_t k = 0; k < rows; k++)
        if (k * columns != base)
            take(&x, k * columns + column);
    for (uint32_t k = 0; k < rows; k++)
        if (k * columns != base)
            forward(&x, k * columns + column);
    end(&x);
    return true;
}

/* The side of the layers: the smallest x >= n^(1/3) such that x^2 divides n, or 1. */
static uint32_t layer_side(uint32_t n)
{
    uint32_t side = 1;
    while ((uint64_t)(side + 1) * (side + 1) * (side + 1) <= n)
        side++;
    for (; side <= n / 3; side++)
        if (n % ((uint64_t)side * side) == 0)
            return side;
    return 1;
}

/* Z layers of X by X members; where n has no such square, layers of one member, and all parts are sent
 * directly. (2 X + Z - 3) a + (n (X - 1)(X + 1) + X^2 (Z - 1)) m/B; n (2 X + Z - 3) messages. */
bool coll_alltoall_3dmesh(struct coll_schedule *s, uint32_t round)
{
    struct mesh x;
    uint32_t side = layer_side(s->size), layer = side * side, layers = s->size / layer;
    uint32_t base = s->me / layer * layer, row = (s->me - base) / side, column = s->me % side;
    if (round)
        return false;
    begin(&x, s, layer);
    coll_program_copy(&x.p, coll_at(COLL_SOURCE, 0), kept(&x, s->me - base, 0), s->size * s->bytes);
    gather(&x, (struct line){base + row * side, 1, side, column, row * side, 1});
    gather(&x, (struct line){base + column, side, side, row, 0, side});
    keep_mine(&x, base);
    for (uint32_t k = 1; k < layers; k++)
        take(&x, coll_after(s, k * layer));
    for (uint32_t k = 1; k < layers; k++)
        forward(&x, coll_after(s, k * layer));
    end(&x);
    return true;
}
