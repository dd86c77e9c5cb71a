/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function of xbgas_rt.h, held against what it must do. PE 0 prints how many values were wrong on all
 * PEs; a wrong one is told where it is found.
 */
#include <stdio.h>
#include <string.h>
#include <xbgas_rt.h>

enum { BLOCK = 700 };

static int64_t wrong, word64, zero64;
static int32_t word32[3];
static int me, all;

static void expect(const char *what, int64_t got, int64_t wanted)
{
    if (got == wanted)
        return;
    printf("PE %d: %s: %ld, expected %ld\n", me, what, (long)got, (long)wanted);
    wrong++;
}

static int next(int distance)
{
    return (me + distance) % all;
}

/* Blocks of all sizes and alignments, with the bytes beside them. */
static void blocks(void)
{
    unsigned char *there = xbgas_malloc(BLOCK), here[BLOCK], back[BLOCK];
    for (int k = 0; k < BLOCK; k++)
        here[k] = (unsigned char)(k * 7 + me);
    static const int at[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 13}, sizes[] = {0, 1, 2, 3, 7, 8, 9, 16, 31, 600};
    for (int a = 0; a < 10; a++)
        for (int s = 0; s < 10; s++) {
            memset(there, 99, BLOCK);
            memset(back, 98, BLOCK);
            xbgas_barrier_all();
            xbgas_putmem(there + at[a], here + at[9 - a], (size_t)sizes[s], next(1));
            xbgas_quiet();
            xbgas_getmem(back + at[9 - a], there + at[a], (size_t)sizes[s], next(1));
            expect("get", memcmp(back + at[9 - a], here + at[9 - a], (size_t)sizes[s]), 0);
            expect("behind a get", back[at[9 - a] + sizes[s]], 98);
            xbgas_barrier_all();
            for (int k = 0; k < sizes[s]; k++)
                expect("put", there[at[a] + k], (unsigned char)((at[9 - a] + k) * 7 + next(all - 1)));
            expect("behind a put", there[at[a] + sizes[s]], 99);
            expect("before a put", at[a] ? there[at[a] - 1] : 99, 99);
            xbgas_barrier_all();
        }
    xbgas_free(there);
}

static void strides(void)
{
    int32_t *there = xbgas_malloc(40 * sizeof *there), here[40], back[40];
    for (int k = 0; k < 40; k++)
        there[k] = -1, here[k] = 100 * me + k, back[k] = -2;
    xbgas_barrier_all();
    xbgas_iput(there, here + 1, 12, 8, 4, 10, next(1));
    xbgas_quiet();
    xbgas_iget(back, there, 4, 12, 4, 10, next(1));
    xbgas_barrier_all();
    for (int k = 0; k < 30; k++)
        expect("iput", there[k], k % 3 ? -1 : 100 * next(all - 1) + 1 + 2 * (k / 3));
    for (int k = 0; k < 11; k++)
        expect("iget", back[k], k < 10 ? 100 * me + 1 + 2 * k : -2);
    xbgas_free(there);
}

static void heap(void)
{
    int64_t *a = xbgas_malloc(100), *b = xbgas_malloc(1), *c = xbgas_malloc(5000), *other;
    static int64_t address;
    address = (int64_t)(uintptr_t)c;
    xbgas_barrier_all();
    expect("the same address", xbgas_int64_g(&address, next(1)), address);
    expect("alignment", (int64_t)(((uintptr_t)a | (uintptr_t)b | (uintptr_t)c) % 16), 0);
    xbgas_free(b);
    xbgas_free(a);
    other = xbgas_malloc(116); /* fits into a and b together */
    expect("joined blocks", other == a, 1);
    expect("too large", xbgas_malloc((size_t)1 << 40) == NULL, 1);
    expect("all that there are", xbgas_malloc(SIZE_MAX) == NULL, 1);
    xbgas_free(NULL);
    xbgas_free(c);
    xbgas_free(other);
    expect("all free again", xbgas_malloc(100) == (void *)a, 1);
    xbgas_free(a);
}

/* Every PE does the same to a word of PE 0. */
static void atomics64(void)
{
    int64_t old;
    xbgas_barrier_all();
    old = xbgas_int64_atomic_fetch_add(&word64, 1L << 33, 0);
    expect("fetch_add", old % (1L << 33) == 0 && old >> 33 < all, 1);
    xbgas_barrier_all();
    xbgas_int64_atomic_add(&word64, -5, 0);
    xbgas_barrier_all();
    expect("add", xbgas_int64_atomic_fetch(&word64, 0), ((1L << 33) - 5) * all);
    xbgas_barrier_all();
    xbgas_int64_atomic_set(&word64, 1L << me, next(1));
    xbgas_barrier_all();
    expect("set", word64, 1L << next(all - 1));
    xbgas_barrier_all();
    xbgas_int64_p(&word64, 0, me);
    xbgas_barrier_all();
    xbgas_int64_atomic_or(&word64, 1L << me, 0);
    xbgas_barrier_all();
    expect("or", xbgas_int64_g(&word64, 0), (1L << all) - 1);
    xbgas_barrier_all();
    xbgas_int64_atomic_xor(&word64, 3L << me, 0);
    xbgas_barrier_all();
    expect("xor", xbgas_int64_g(&word64, 0), 1L ^ ((1L << all) - 1) ^ (1L << all));
    xbgas_barrier_all();
    xbgas_int64_atomic_and(&word64, ~(2L << me), 0);
    xbgas_barrier_all();
    expect("and", xbgas_int64_g(&word64, 0),
           (1L ^ ((1L << all) - 1) ^ (1L << all)) & ~(((2L << all) - 1) - 1));
    xbgas_barrier_all();
    xbgas_int64_atomic_min(&word64, -me - 1, 0);
    xbgas_barrier_all();
    expect("min", xbgas_int64_g(&word64, 0), -all);
    xbgas_barrier_all();
    xbgas_int64_atomic_max(&word64, me - 1, 0);
    xbgas_barrier_all();
    expect("max", xbgas_int64_g(&word64, 0), all - 2 > -1 ? all - 2 : -1);
}

/* Exactly one wins a compare-and-swap, and what is swapped out and what is left are all values. */
static void exchanges(void)
{
    static int64_t slot, won, seen;
    xbgas_barrier_all();
    if (xbgas_int64_atomic_compare_swap(&slot, 0, me + 1, 0) == 0)
        xbgas_int64_atomic_add(&won, 1, 0);
    xbgas_barrier_all();
    expect("winners", xbgas_int64_g(&won, 0), 1);
    xbgas_barrier_all();
    xbgas_int64_p(&slot, 0, 0);
    xbgas_barrier_all();
    xbgas_int64_atomic_add(&seen, xbgas_int64_atomic_swap(&slot, me + 1, 0), 0);
    xbgas_barrier_all();
    expect("swapped", xbgas_int64_g(&seen, 0) + xbgas_int64_g(&slot, 0), (int64_t)all * (all + 1) / 2);
}

/* The words beside it stay as they are. */
static void atomics32(void)
{
    int32_t *w = &word32[1], old;
    word32[0] = word32[2] = -77;
    *w = INT32_MAX;
    xbgas_barrier_all();
    old = xbgas_int32_atomic_fetch_add(w, 1, next(1));
    expect("fetch_add 32", old, INT32_MAX);
    expect("wraps", xbgas_int32_atomic_fetch_min(w, 5, next(1)), INT32_MIN);
    expect("min 32", xbgas_int32_atomic_fetch_max(w, 6, next(1)), INT32_MIN);
    expect("max 32", xbgas_int32_atomic_fetch_or(w, 9, next(1)), 6);
    expect("or 32", xbgas_int32_atomic_fetch_and(w, 0x1c, next(1)), 15);
    expect("and 32", xbgas_int32_atomic_fetch_xor(w, -1, next(1)), 12);
    expect("xor 32", xbgas_int32_atomic_compare_swap(w, 1, 2, next(1)), -13);
    expect("no swap", xbgas_int32_atomic_compare_swap(w, -13, 2, next(1)), -13);
    expect("swap 32", xbgas_int32_atomic_swap(w, -3, next(1)), 2);
    expect("fetch 32", xbgas_int32_atomic_fetch(w, next(1)), -3);
    xbgas_int32_atomic_set(w, 70, next(1));
    xbgas_quiet();
    expect("g 32", xbgas_int32_g(w, next(1)), 70);
    xbgas_int32_p(w, 71, next(1));
    xbgas_barrier_all();
    expect("p 32", *w, 71);
    expect("beside", word32[0] + word32[2], -154);
}

static void locks(void)
{
    static int64_t lock, counted;
    xbgas_barrier_all();
    for (int k = 0; k < 5; k++) {
        xbgas_set_lock(&lock, all - 1);
        int64_t value = xbgas_int64_g(&counted, 0);
        xbgas_int64_p(&counted, value + 1, 0);
        xbgas_clear_lock(&lock, all - 1);
    }
    xbgas_barrier_all();
    expect("under a lock", xbgas_int64_g(&counted, 0), 5 * all);
}

static void collectives(void)
{
    int32_t *a = xbgas_malloc(300 * sizeof *a), *b = xbgas_malloc(300 * sizeof *b);
    double *x = xbgas_malloc(sizeof *x);
    for (int root = 0; root < all; root++) {
        for (int k = 0; k < 300; k++)
            a[k] = me * 1000 + k, b[k] = -1;
        xbgas_barrier_all();
        xbgas_broadcastmem(b, a, 299 * sizeof *a, root);
        for (int k = 0; k < 300; k++)
            expect("broadcast", b[k], k < 299 ? root * 1000 + k : -1);
    }
    xbgas_int32_sum_reduce(b, a, 300);
    for (int k = 0; k < 300; k++)
        expect("sum", b[k], 1000 * all * (all - 1) / 2 + all * k);
    xbgas_int32_max_reduce(b, a, 1);
    expect("max", b[0] + b[1], 1000 * (all - 1) + 1000 * all * (all - 1) / 2 + all);
    xbgas_int32_min_reduce(a, a, 2);
    expect("min in place", a[0] * 10 + a[1], 1);
    word64 = 1L << me;
    xbgas_int64_or_reduce(&word64, &word64, 1);
    expect("or", word64, (1L << all) - 1);
    word64 ^= 1L << me;
    xbgas_int64_and_reduce(&word64, &word64, 1);
    expect("and", word64, 0);
    zero64 = me + 1;
    xbgas_int64_xor_reduce(&word64, &zero64, 1);
    for (int k = 1; k <= all; k++)
        word64 ^= k;
    expect("xor", word64, 0);
    *x = 0.5 * (me + 1);
    xbgas_double_sum_reduce(x, x, 1);
    expect("sum of doubles", *x == 0.25 * all * (all + 1), 1);
    xbgas_free(x);
    xbgas_free(b);
    xbgas_free(a);
}

int main(void)
{
    xbgas_init();
    me = xbgas_my_pe(), all = xbgas_n_pes();
    expect("object of mine", (int64_t)xbgas_object(me), 0);
    expect("object of the next", (int64_t)xbgas_object(next(1)), all > 1 ? next(1) + 1 : 0);
    heap();
    blocks();
    strides();
    atomics64();
    exchanges();
    atomics32();
    locks();
    collectives();
    static int64_t sum;
    xbgas_int64_sum_reduce(&sum, &wrong, 1);
    if (me == 0)
        printf("%d PEs, %d wrong\n", all, (int)sum);
    xbgas_finalize();
    return sum != 0;
}
