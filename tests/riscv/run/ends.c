/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends in the way that its argument names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

volatile int zero;

static int deep(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return n ? deep(n - 1) + frame[0] : 0;
}

static void poke(volatile int *p)
{
    *p = 5;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "well";
    printf("ends: %s\n", how);
    fflush(stdout);
    if (!strcmp(how, "status"))
        return 3;
    if (!strcmp(how, "wild"))
        poke((volatile int *)0x123456789000);
    if (!strcmp(how, "text"))
        poke((volatile int *)(void *)main);
    if (!strcmp(how, "illegal"))
        __asm__ volatile(".word 0");
    if (!strcmp(how, "stack"))
        return deep(1000000);
    if (!strcmp(how, "abort"))
        abort();
#ifdef __linux__
    int end[2];
    if (!strcmp(how, "pipe") && !pipe(end))
        return read(end[0], &(char){0}, 1) != 1;
#endif
    if (!strcmp(how, "loop"))
        while (!zero)
            ;
    return 0;
}
