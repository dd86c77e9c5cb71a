/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter: a[b[i]] = c[i] with random b over the memory of all PEs: how many of these are at another PE.
 *
 *   scatter [-i ITERATIONS] [-r SEED]
 *
 * The greatest of what is written to a word remains (an atomic maximum), so the result does not depend on who
 * comes first.
 */
#include "options.h"
#include "random.h"
#include "remote.h"

enum { WORDS = 4096 };

static uint64_t a[WORDS];

int main(int argc, char **args)
{
    uint64_t iterations = 4096, seed = 1, sum = 0;
    const struct option_of options[] = {
        {'i', &iterations, 1, UINT32_MAX}, {'r', &seed, 0, UINT32_MAX}, {0, NULL, 0, 0}};
    remote_init();
    if (!options_read(argc, args, 1, options))
        return 2;
    struct random_stream b = random_start(seed, 2ul * remote_me());
    struct random_stream c = random_start(seed, 2ul * remote_me() + 1);
    remote_begin();
    for (uint64_t i = 0; i < iterations; i++) {
        uint64_t at = random_below(&b, (uint64_t)WORDS * remote_pes());
        remote_max(&a[at / remote_pes()], random_below(&c, UINT64_C(1) << 32), (unsigned)(at % remote_pes()));
    }
    remote_end();
    for (uint64_t i = 0; i < WORDS; i++)
        sum += random_checksum(remote_me(), i, a[i]);
    remote_report("scatter", sum);
    return 0;
}
