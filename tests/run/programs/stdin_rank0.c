/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 alone can read standard input, as under real launchers; for the others it is at its end. */
// shell: printf 'first\nsecond\n' | $RUN --quiet -np 3 $EXE
// stdout: PE 0 read 2 lines, the last: second
// stdout: PE 1 read 0 lines, the last: none
// stdout: PE 2 read 0 lines, the last: none
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int lines = 0, me = shmem_my_pe();
    char line[40] = "none\n", last[40];
    do
        strcpy(last, line);
    while (fgets(line, sizeof line, stdin) && ++lines);
    usleep((useconds_t)(1000 * me));
    printf("PE %d read %d lines, the last: %s", me, lines, last);
    shmem_finalize();
    return 0;
}
