/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cores reach each other: each adds to a word of all others, stores into its place of the next one's row,
 * waits in a loop for what the core before stored, and reads it back. Core 1 adds to A of core 0. Prints sums
 * that do not depend on who comes first.
 */
#include <stdint.h>
#include <stdio.h>

enum { CORES = 64, ADDITIONS = 100, DELAY = 20000 };
static volatile int64_t sum, least = 1000, row[CORES], a, received = -1;

/* object k + 1 is core k; the address is in a0, the object in e10 */
static int64_t remote_add(uint64_t core, volatile int64_t *word, int64_t value)
{
    register uint64_t address __asm__("a0") = (uint64_t)word;
    int64_t old;
    __asm__ volatile(".insn i 0x7b, 5, x10, %1, 0\n\t.insn r 0x6b, 7, 7, %0, %2, %3"
                     : "=&r"(old)
                     : "r"(core + 1), "r"(address), "r"(value)
                     : "memory");
    return old;
}

static int64_t remote_min(uint64_t core, volatile int64_t *word, int64_t value)
{
    register uint64_t address __asm__("a0") = (uint64_t)word;
    int64_t old;
    __asm__ volatile(".insn i 0x7b, 5, x10, %1, 0\n\t.insn r 0x6b, 7, 4, %0, %2, %3"
                     : "=&r"(old)
                     : "r"(core + 1), "r"(address), "r"(value)
                     : "memory");
    return old;
}

static void remote_store(uint64_t core, volatile int64_t *word, int64_t value)
{
    register uint64_t address __asm__("a0") = (uint64_t)word;
    __asm__ volatile(".insn i 0x7b, 5, x10, %0, 0\n\t.insn s 0x7b, 3, %2, 0(%1)"
                     :
                     : "r"(core + 1), "r"(address), "r"(value)
                     : "memory");
}

static int64_t remote_load(uint64_t core, volatile int64_t *word)
{
    register uint64_t address __asm__("a0") = (uint64_t)word;
    int64_t value;
    __asm__ volatile(".insn i 0x7b, 5, x10, %1, 0\n\t.insn i 0x77, 3, %0, 0(%2)"
                     : "=&r"(value)
                     : "r"(core + 1), "r"(address)
                     : "memory");
    return value;
}

/* Figure 5 of paper 002, as it is there: eamoadd.d x31, x21, x20. Returns what x31 receives. */
static int64_t figure_5(uint64_t core, volatile int64_t *word)
{
    register uint64_t x21 __asm__("x21") = (uint64_t)word, x20 __asm__("x20") = 1;
    register int64_t x31 __asm__("x31");
    __asm__ volatile(".insn i 0x7b, 5, x21, %1, 0\n\t.4byte 0x0f4affeb"
                     : "=&r"(x31)
                     : "r"(core + 1), "r"(x21), "r"(x20)
                     : "memory");
    return x31;
}

static void barrier(void)
{
    __asm__ volatile("fence" ::: "memory");
    *(volatile uint64_t *)0xbb00000000000000ul = 1;
}

int main(void)
{
    uint64_t me, cores;
    __asm__ volatile(".insn i 0x7b, 6, %0, x10, 0" : "=r"(me));
    __asm__ volatile(".insn i 0x7b, 6, %0, x11, 0" : "=r"(cores));
    for (int k = 0; k < ADDITIONS; k++)
        remote_add((me + (uint64_t)k) % cores, &sum, (int64_t)me + 1);
    remote_min(0, &least, -(int64_t)me);
    for (volatile int k = me ? DELAY : 0; k < DELAY; k++) /* core 0 comes late */
        ;
    if (me == 1 % cores)
        remote_store(0, &received, figure_5(0, &a));
    uint64_t next = (me + 1) % cores, before = (me + cores - 1) % cores;
    remote_store(next, &row[me], (int64_t)me + 1000);
    while (!row[before])
        ;
    barrier();
    int64_t all = 0;
    for (uint64_t k = 0; k < cores; k++)
        all += remote_load(k, &sum);
    if (me == 0)
        printf("sum %ld least %ld row %ld A %ld x31 %ld\n", (long)all, (long)least, (long)row[before],
               (long)a, (long)received);
    barrier();
    return 0;
}
