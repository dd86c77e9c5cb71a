/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads standard input in pieces while the others try, too: it gets every byte in order, they get
 * none. */
// shell: seq 1 3000 | $RUN --quiet -np 3 $EXE
// stdout: 0: 3000 numbers, sum 4501500
// stdout: 1: 0 numbers, sum 0
// stdout: 2: 0 numbers, sum 0
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long sum_of_bytes(const char *text, long *number, long *sum)
{
    long count = 0;
    for (; *text; text++)
        if (*text == '\n') {
            *sum += *number;
            *number = 0;
            count++;
        } else {
            *number = *number * 10 + (*text - '0');
        }
    return count;
}

int main(void)
{
    long count = 0, sum = 0, number;
    char line[40];
    shmem_init();
    int me = shmem_my_pe();
    for (int k = 0; k < 500; k++) { /* what scanf leaves unread must not reach another rank */
        if (scanf("%ld", &number) == 1) {
            sum += number;
            count++;
        }
        shmem_barrier_all();
    }
    int c = getchar();
    if (c != EOF && c != '\n')
        printf("%d: not a newline: %d\n", me, c);
    for (int k = 0; k < 500; k++) {
        c = getchar();
        if (c != EOF)
            ungetc(c, stdin);
        if (fgets(line, sizeof line, stdin) && sscanf(line, "%ld", &number) == 1) {
            sum += number;
            count++;
        }
        shmem_barrier_all();
    }
    ssize_t n;
    number = 0;
    while ((n = read(0, line, 7)) > 0) { /* the descriptor goes on where the stream was */
        line[n] = 0;
        count += sum_of_bytes(line, &number, &sum);
    }
    usleep((useconds_t)(1000 * me));
    printf("%d: %ld numbers, sum %ld\n", me, count, sum);
    shmem_finalize();
    return 0;
}
