/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations: what one atomic of each kind costs PE 0 when PE 1 has the word: the first, and the mean of the
 * next hundred.
 */
#include "remote.h"

enum { WARM = 100 };

static uint64_t word, seen;

static const struct {
    const char *name;
    enum remote_kind kind;
    uint64_t value, expected;
} operations[] = {
    {"add", REMOTE_ADD, 5, 0},  {"inc", REMOTE_ADD, 1, 0}, {"cas", REMOTE_CAS, 1, 0},
    {"band", REMOTE_AND, 6, 0}, {"bor", REMOTE_OR, 9, 0},  {"bxor", REMOTE_XOR, 3, 0},
    {"min", REMOTE_MIN, 2, 0},  {"max", REMOTE_MAX, 8, 0},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void measure(int k)
{
    uint64_t first_instructions = 0, first_cycles = 0;
    for (int i = 0; i < 1 + WARM; i++) {
        seen += remote_counted(operations[k].kind, &word, operations[k].value, operations[k].expected, 1);
        if (i > 0)
            continue;
        first_instructions = remote_figure[REMOTE_INSTRUCTIONS];
        first_cycles = remote_figure[REMOTE_CYCLES];
        remote_figure[REMOTE_INSTRUCTIONS] = remote_figure[REMOTE_CYCLES] = 0;
    }
    printf("%s first instructions %lu cycles %lu then instructions %lu cycles %lu\n", operations[k].name,
           (unsigned long)first_instructions, (unsigned long)first_cycles,
           (unsigned long)(remote_figure[REMOTE_INSTRUCTIONS] / WARM),
           (unsigned long)(remote_figure[REMOTE_CYCLES] / WARM));
    remote_figure[REMOTE_INSTRUCTIONS] = remote_figure[REMOTE_CYCLES] = 0;
}

int main(void)
{
    remote_init();
    if (remote_pes() < 2) {
        fprintf(stderr, "operations: needs two PEs, there is one\n");
        return 2;
    }
    remote_begin();
    if (remote_me() == 0)
        for (int k = 0; k < OPERATIONS; k++)
            measure(k);
    remote_end();
    remote_report("operations", remote_me() == 1 ? word : seen);
    return 0;
}
