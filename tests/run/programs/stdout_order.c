/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of output come whole and in the order of simulated time, whatever they were made of. */
// run: -np 3
// stdout: at 1 ms: PE 2, put together
// stdout: at 2 ms: PE 1, put together
// stdout: at 3 ms: PE 0, put together
// stdout: puts 2
// stdout: write 2
// stdout: puts 1
// stdout: write 1
// stdout: puts 0
// stdout: write 0
// stdout: no end of line 0
// stdout: no end of line 1
// stdout: no end of line 2
// stderr-match: \Aerr 2\nerr 1\nerr 0\n
// run: -np 3 --tag-output
// stdout-has: [0] at 3 ms: PE 0, put together
// stdout-has: [2] write 2
// stdout-match: ^\[1\] no end of line 1\n
// stderr-match: ^\[2\] err 2
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    char text[40];
    usleep((useconds_t)(1000 * (3 - me)));
    printf("at %d ms: ", 3 - me);
    usleep(10000); /* all begin a line before any ends one: it counts when the line ends */
    fputs("PE ", stdout);
    putchar('0' + me);
    fwrite(", put together\n", 1, 15, stdout);
    usleep(10000);
    fprintf(stderr, "err %d\n", me);
    snprintf(text, sizeof text, "puts %d", me);
    puts(text);
    fflush(stdout);
    snprintf(text, sizeof text, "write %d\n", me);
    if (write(1, text, strlen(text)) != (ssize_t)strlen(text))
        return 1;
    shmem_barrier_all();
    printf("no end of line %d", me);
    shmem_finalize();
    usleep((useconds_t)(1000 * me)); /* a line without an end is written when its rank ends */
    return 0;
}
