/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cycles of loads by where their lines are: with riscv/cache=data each line of the output is one that run.sh
 *derives by hand. Nobody has touched the memory that it loads from, so frames follow its pages.
 */
#include <stdio.h>
#include <stdint.h>

#include <xbgas_rt.h>

enum { LINE = 64, PAGE = 4096, PAGES = 160, SET = 32 * LINE };

extern char __heap_start[];

/* The load's own cycles: two counters differ by one more. */
static long cost(const volatile char *at)
{
    long before, after, value;
    __asm__ volatile("rdcycle %0\n\tld %2, 0(%3)\n\trdcycle %1"
                     : "=&r"(before), "=&r"(after), "=&r"(value)
                     : "r"(at)
                     : "memory");
    return after - before - 1;
}

static long cost_of_store(volatile char *at)
{
    long before, after;
    __asm__ volatile("rdcycle %0\n\tsd zero, 0(%2)\n\trdcycle %1"
                     : "=&r"(before), "=&r"(after)
                     : "r"(at)
                     : "memory");
    return after - before - 1;
}

static void one_core(volatile char *at)
{
    static long page[PAGES];
    long first = 0, second = 0, third = 0;
    for (int k = 0; k < PAGES; k++)
        page[k] = 0; /* the list is in the caches */
    for (int k = 0; k < PAGES; k++)
        page[k] = cost(at + (long)k * PAGE);
    /* Two pages are a row, 64 are a row of each bank. */
    for (int k = 0; k < PAGES; k++) {
        first += page[k] == 128;
        second += page[k] == 99;
        third += page[k] == 156;
    }
    printf("pages: %ld closed, %ld open, %ld conflicts\n", first, second, third);
    printf("last row's next line: %ld\n", cost(at + (PAGES - 1) * PAGE + LINE));
    printf("again: %ld, its neighbour %ld, a store %ld\n", cost(at + (PAGES - 1) * PAGE + LINE),
           cost(at + (PAGES - 1) * PAGE + LINE + 8), cost_of_store(at + (PAGES - 1) * PAGE + LINE));
    volatile char *set = at + (PAGES - 2) * PAGE + 16 * LINE;
    cost(set);
    for (int k = 1; k <= 8; k++)
        cost(at + 16 * LINE + (long)k * SET); /* 8 more of its set in the L1 */
    printf("left the L1: %ld\n", cost(set));
    printf("across two lines of the L1: %ld\n", (cost(set + LINE), cost(set + LINE - 4)));
}

/* A line that this core has, and that the network card changes for another one. */
static void with_card(int me)
{
    static volatile long word[16] __attribute__((aligned(LINE)));
    long before = 0, hit = 0, after = 0;
    if (me == 0) {
        before = cost((volatile char *)word);
        hit = cost((volatile char *)word);
    }
    (void)before;
    xbgas_barrier_all();
    if (me == 1)
        xbgas_amoadd_d(xbgas_object(0), word, 5);
    xbgas_barrier_all();
    if (me == 0) {
        after = cost((volatile char *)word);
        printf("hit %ld, behind the card's atomic %ld, then %ld; the word is %ld\n", hit, after,
               cost((volatile char *)word), word[0]);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        xbgas_init();
        with_card(xbgas_my_pe());
        return 0;
    }
    one_core((volatile char *)(((uintptr_t)__heap_start + 16 * PAGE) & -(uintptr_t)PAGE));
    return 0;
}
