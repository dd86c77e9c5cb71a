/* SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmarks of riscv-tests ask of their surroundings. Some have no main, but an entry of each
 * thread. */
#include "count.h"

void setStats(int enable);
void setStats(int enable)
{
    static unsigned long before;
    if (enable)
        before = count_now();
    else
        count_print(before);
}

__attribute__((weak)) void thread_entry(int thread, int threads)
{
    (void)thread;
    (void)threads;
}

__attribute__((weak)) int main(void)
{
    thread_entry(0, 1);
    return 0;
}
