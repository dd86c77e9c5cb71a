/* SPDX-License-Identifier: BSD-3-Clause */
/* seats: factors, runs and shares. What they are is in seats.h. */
#include "coll/schedule/seats.h"

static struct coll_seats with(uint32_t n, uint32_t count)
{
    return (struct coll_seats){.n = n, .count = count};
}

static void add_factor(struct coll_seats *t, uint32_t factor)
{
    uint32_t last = t->steps ? t->steps - 1 : 0;
    t->distance[t->steps] = t->steps ? t->distance[last] * t->factor[last] : 1;
    t->factor[t->steps++] = factor;
}

struct coll_seats coll_seats_power(uint32_t n, uint32_t k)
{
    uint32_t power = 1;
    while (n / k >= power)
        power *= k;
    struct coll_seats t = with(n, power);
    for (uint32_t left = power; left > 1; left /= k)
        add_factor(&t, k);
    return t;
}

/* The largest factor of n that is at most k and not 1; 1: there is none. */
static uint32_t factor_of(uint32_t n, uint32_t k)
{
    uint32_t f = k < n ? k : n;
    while (f > 1 && n % f)
        f--;
    return f;
}

/* Taking the largest factor first never fails where all prime factors are at most k: what is left has the
 * same ones. */
static bool is_product(uint32_t n, uint32_t k)
{
    while (n > 1) {
        uint32_t f = factor_of(n, k);
        if (f < 2)
            return false;
        n /= f;
    }
    return true;
}

struct coll_seats coll_seats_product(uint32_t n, uint32_t k)
{
    uint32_t count = n;
    while (!is_product(count, k))
        count--;
    struct coll_seats t = with(n, count);
    for (uint32_t left = count, f; left > 1; left /= f)
        add_factor(&t, f = factor_of(left, k));
    return t;
}

/* --- runs --------------------------------------------------------------------------------------- */

uint32_t coll_seat_run(const struct coll_seats *t, uint32_t seat)
{
    return t->n / t->count + (seat < t->n % t->count);
}

uint32_t coll_seat_place(const struct coll_seats *t, uint32_t seat)
{
    uint32_t longer = t->n % t->count;
    return seat * (t->n / t->count) + (seat < longer ? seat : longer);
}

uint32_t coll_seat_of(const struct coll_seats *t, uint32_t place)
{
    uint32_t each = t->n / t->count, longer = t->n % t->count, first = longer * (each + 1);
    return place < first ? place / (each + 1) : longer + (place - first) / each;
}

struct coll_share coll_seat_share(const struct coll_seats *t, uint32_t seat, uint32_t steps)
{
    struct coll_share share = {0, t->count};
    for (uint32_t d = 0; d < steps; d++) {
        share.width /= t->factor[d];
        share.kept += coll_seat_digit(t, seat, d) * share.width;
    }
    return share;
}

void coll_order_reduces(struct coll_schedule *s, uint32_t first, uint32_t n, uint32_t lower)
{
    for (uint32_t k = lower; k > 1; k--)
        coll_order(s, first + k - 1, first + k - 2);
    for (uint32_t k = lower; k < n; k++)
        if (k > lower)
            coll_order(s, first + k - 1, first + k);
        else if (lower)
            coll_order(s, first, first + k);
}
