/* SPDX-License-Identifier: BSD-3-Clause */
/* Each core adds its number to a word of core 0, by one remote atomic. */
#include <stdio.h>
#include <xbgas_rt.h>

static int64_t sum; /* static data has the same address on all cores */

int main(void)
{
    xbgas_init();
    xbgas_int64_atomic_add(&sum, xbgas_my_pe(), 0);
    xbgas_barrier_all();
    if (xbgas_my_pe() == 0)
        printf("%d cores, their numbers add up to %d\n", xbgas_n_pes(), (int)sum);
    xbgas_finalize();
    return 0;
}
