/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations: what one atomic of each kind costs PE 0 when PE 1 has the word: the first, and the mean of the
 * next hundred.
 */
#include "remote.h"

enum { WARM = 100 };

static uint64_t word, seen;

static void cost_clear(void)
{
    remote_figure[REMOTE_INSTRUCTIONS] = remote_figure[REMOTE_CYCLES] = 0;
}

static void cost_print(const char *what, unsigned times)
{
    printf(" %s instructions %lu cycles %lu", what,
           (unsigned long)(remote_figure[REMOTE_INSTRUCTIONS] / times),
           (unsigned long)(remote_figure[REMOTE_CYCLES] / times));
    cost_clear();
}

/* The kind is known where the atomic is compiled, as in any program. */
#define MEASURE(name, kind, value, expected)                                                                 \
    static void measure_##name(void)                                                                         \
    {                                                                                                        \
        cost_clear();                                                                                        \
        seen += remote_counted(kind, &word, value, expected, 1);                                             \
        printf("%s", #name);                                                                                 \
        cost_print("first", 1);                                                                              \
        for (int i = 0; i < WARM; i++)                                                                       \
            seen += remote_counted(kind, &word, value, expected, 1);                                         \
        cost_print("then", WARM);                                                                            \
        printf("\n");                                                                                        \
    }
MEASURE(add, REMOTE_ADD, 5, 0)
MEASURE(inc, REMOTE_ADD, 1, 0)
MEASURE(cas, REMOTE_CAS, 1, 0)
MEASURE(band, REMOTE_AND, 6, 0)
MEASURE(bor, REMOTE_OR, 9, 0)
MEASURE(bxor, REMOTE_XOR, 3, 0)
MEASURE(min, REMOTE_MIN, 2, 0)
MEASURE(max, REMOTE_MAX, 8, 0)

int main(void)
{
    remote_init();
    if (remote_pes() < 2) {
        fprintf(stderr, "operations: needs two PEs, there is one\n");
        return 2;
    }
    remote_begin();
    if (remote_me() == 0) {
        measure_add();
        measure_inc();
        measure_cas();
        measure_band();
        measure_bor();
        measure_bxor();
        measure_min();
        measure_max();
    }
    remote_end();
    remote_report("operations", remote_me() == 1 ? word : seen);
    return 0;
}
