/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of files_mpi.c's writes by a loop of pwrite: COUNT blocks of 4 KiB of each of N ranks. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096 };

int main(int argc, char **argv)
{
    char data[BLOCK];
    long n = argc > 1 ? atol(argv[1]) : 1, count = argc > 2 ? atol(argv[2]) : 1;
    int file = open("bench.tmp", O_CREAT | O_RDWR, 0666);
    for (long rank = 0; rank < n; rank++) {
        memset(data, (int)rank, sizeof data);
        for (long k = 0; k < count; k++)
            if (pwrite(file, data, BLOCK, (k * n + rank) * BLOCK) != BLOCK) {
                perror("bench.tmp");
                return 1;
            }
    }
    close(file);
    return unlink("bench.tmp") != 0;
}
