/* SPDX-License-Identifier: BSD-3-Clause */
/* The library of threads.cpp: a large assignment, volatile and unaligned data, an array that escapes. */
#include <string.h>

struct block {
    long words[9];
} one, two;
static volatile int calls;
static struct {
    char byte;
    long word;
} __attribute__((packed)) odd;
int *escaped;

long library_work(int n)
{
    int array[8] = {0};
    escaped = array;
    for (int k = 0; k < n; k++)
        array[k + 3] = k;
    one.words[8] = array[6];
    two = one;
    memcpy(&one, &two, sizeof one);
    odd.word = one.words[8];
    calls++;
    return odd.word + calls + __atomic_add_fetch(&two.words[0], 1, __ATOMIC_ACQ_REL);
}
