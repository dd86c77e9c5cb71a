/* SPDX-License-Identifier: BSD-3-Clause */
/* For real.sh: a block that wait.h may replace, thrice; says how often it was executed and how long it all took, in ms. */
#include "wait.h"

int main(void)
{
    int executed = 0;
    double begin = wait_clock();
    for (int k = 0; k < 3; k++)
        WAIT_INSTEAD("block")
        {
            executed++;
            wait_sleep(0.01);
        }
    printf("%d %d\n", executed, (int)((wait_clock() - begin) * 1e3));
    return 0;
}
