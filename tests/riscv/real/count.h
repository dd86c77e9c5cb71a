/* SPDX-License-Identifier: BSD-3-Clause */
/* count: instructions that a part of a program took, where the program is a bare one; nothing is said
 * elsewhere, since a simulator of Linux has no such counter of its own. */
#ifndef COUNT_H
#define COUNT_H

#include <stdio.h>

#ifdef BARE
static inline unsigned long count_now(void)
{
    unsigned long n;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, minstret\n.option pop" : "=r"(n));
    return n;
}
#else
static inline unsigned long count_now(void)
{
    return 0;
}
#endif

/* Prints the instructions since `before`, or nothing. */
static inline void count_print(unsigned long before)
{
    unsigned long n = count_now() - before;
    if (n)
        printf("%lu instructions\n", n);
}

#endif
