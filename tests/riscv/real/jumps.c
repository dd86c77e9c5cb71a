/* SPDX-License-Identifier: BSD-3-Clause */
/* setjmp, calls through pointers, variable arguments, deep recursion and a big switch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "count.h"

static jmp_buf back;

static unsigned ackermann(unsigned m, unsigned n)
{
    if (!m)
        return n + 1;
    return n ? ackermann(m - 1, ackermann(m, n - 1)) : ackermann(m - 1, 1);
}

static void dive(int depth, double x)
{
    if (!depth)
        longjmp(back, (int)(x * 2));
    dive(depth - 1, x + 0.5);
}

static double total(int n, ...)
{
    va_list list;
    va_start(list, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += i & 1 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

static long step(unsigned op, long a)
{
    switch (op % 11) {
    case 0:
        return a + 3;
    case 1:
        return a * 5;
    case 2:
        return a ^ 0x55;
    case 3:
        return a >> 1;
    case 4:
        return a - 77;
    case 5:
        return a << 2;
    case 6:
        return ~a;
    case 7:
        return a % 1000003;
    case 8:
        return a / 3;
    case 9:
        return a | 1;
    default:
        return -a;
    }
}

static void bye(void)
{
    printf("bye\n");
}

int main(void)
{
    atexit(bye);
    unsigned long before = count_now();
    volatile int rounds = 0;
    int came = setjmp(back);
    if (came < 40) {
        rounds++;
        dive(10 + came, came / 2.0);
    }
    long a = 1;
    for (unsigned i = 0; i < 20000; i++)
        a = step(i * 2654435761u >> 7, a);
    unsigned deep = ackermann(2, 60);
    count_print(before);
    printf("%d rounds, %d; %ld; %u; %g\n", rounds, came, a, deep, total(4, 1, 2.5, 3, 4.25));
    return 3;
}
