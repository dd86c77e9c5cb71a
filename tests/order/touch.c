/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of libc: each uses a cell of its own in one thread, and the other thread writes it, in no order. */
#define _GNU_SOURCE
#define STRIDE 64
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

/* A cell, and what uses it: p is its address. */
#define USES                                                                                                 \
    USE(memcpy_to, memcpy(p, "text", 5))                                                                     \
    USE(memcpy_from, memcpy(room, p, 5))                                                                     \
    USE(memmove_to, memmove(p, "text", 5))                                                                   \
    USE(memset_to, memset(p, 0, 5))                                                                          \
    USE(mempcpy_to, mempcpy(p, "text", 5))                                                                   \
    USE(bcopy_from, (bcopy(p, room, 5), 0))                                                                  \
    USE(bzero_to, (bzero(p, 5), 0))                                                                          \
    USE(memcmp_one, memcmp(p, room, 5))                                                                      \
    USE(memchr_in, memchr(p, 1, 5))                                                                          \
    USE(strcpy_to, strcpy(p, "text"))                                                                        \
    USE(strcpy_from, strcpy(room, p))                                                                        \
    USE(stpcpy_to, stpcpy(p, "text"))                                                                        \
    USE(strncpy_to, strncpy(p, "text", 20))                                                                  \
    USE(strcat_to, strcat(p, "text"))                                                                        \
    USE(strncat_from, strncat((*room = 0, room), p, 2))                                                      \
    USE(strlen_of, strlen(p))                                                                                \
    USE(strnlen_of, strnlen(p, 3))                                                                           \
    USE(strcmp_one, strcmp(p, "a"))                                                                          \
    USE(strncmp_other, strncmp("a", p, 5))                                                                   \
    USE(strcasecmp_one, strcasecmp(p, "a"))                                                                  \
    USE(strchr_in, strchr(p, 'x'))                                                                           \
    USE(strrchr_in, strrchr(p, 'x'))                                                                         \
    USE(strstr_in, strstr(p, "x"))                                                                           \
    USE(strdup_of, (free(strdup(p)), 0))                                                                     \
    USE(strtol_of, strtol(p, NULL, 10))                                                                      \
    USE(atoi_of, atoi(p))                                                                                    \
    USE(atof_of, atof(p))                                                                                    \
    USE(sprintf_to, sprintf(p, "%d", 5))                                                                     \
    USE(snprintf_to, snprintf(p, 3, "%d%s", 5, "much more"))                                                 \
    USE(printf_text, fprintf(null, "%d %5.2f %-*s|%s %ld", 1, 2.0, 3, "a", p, 4l))                           \
    USE(printf_precise, fprintf(null, "%.*s", 3, p))                                                         \
    USE(sscanf_from, sscanf(p, "%d", (int *)room))                                                           \
    USE(sscanf_to, sscanf("text 3 7", "%*s %d %hhd", (int *)room, (signed char *)p))                         \
    USE(sscanf_set, sscanf("abc", "%[a-c]", p))                                                              \
    USE(write_from, write(pipes[1], p, 4))                                                                   \
    USE(read_to, read(pipes[0], p, 4))                                                                       \
    USE(writev_from, writev(pipes[1], &(struct iovec){p, 4}, 1))                                             \
    USE(readv_to, readv(pipes[0], &(struct iovec){p, 4}, 1))                                                 \
    USE(send_from, send(sockets[1], p, 4, 0))                                                                \
    USE(recv_to, recv(sockets[0], p, 4, 0))                                                                  \
    USE(fwrite_from, fwrite(p, 1, 4, file))                                                                  \
    USE(fputs_from, fputs(p, (fputs("line\n", file), file)))                                                 \
    USE(fread_to, fread(p, 1, 4, (rewind(file), file)))                                                      \
    USE(fgets_to, fgets(p, 4, file))                                                                         \
    USE(pwrite_from, pwrite(fileno(file), p, 4, 0))                                                          \
    USE(pread_to, pread(fileno(file), p, 4, 0))                                                              \
    USE(time_to, time((time_t *)p))                                                                          \
    USE(clock_gettime_to, clock_gettime(CLOCK_REALTIME, (struct timespec *)p))                               \
    USE(gettimeofday_to, gettimeofday((struct timeval *)p, NULL))                                            \
    USE(qsort_of, (qsort(p, 4, 1, compare), 0))                                                              \
    USE(rand_r_of, rand_r((unsigned *)p))
#define USE(name, does) CELL(name, 1)
#define CELLS           USES CELL(fresh, 0) CELL(memchr_found, 0)
#include "cells.h"
#undef USE

static FILE *null, *file;
static volatile intptr_t sink;
static int pipes[2], sockets[2];

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static void *uses(void *unused)
{
    static char room[256];
    char *p;
#define USE(name, does)                                                                                      \
    p = &cells[STRIDE * name];                                                                               \
    sink += (intptr_t)(does);
    USES if (!memchr((memcpy(&cells[STRIDE * memchr_found - 2], "ab", 2), &cells[STRIDE * memchr_found - 2]),
                     'b', 8)) puts("?");
    return unused;
}

int main(void)
{
    pthread_t id;
    cells_begin();
    null = fopen("/dev/null", "w");
    file = tmpfile();
    if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
        return 1;
    pthread_create(&id, NULL, uses, NULL);
    usleep(100000);
    for (int k = 0; k <= memchr_found; k++)
        W(k);
    cells_end();
    pthread_join(id, NULL);
}
