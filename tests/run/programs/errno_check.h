/* SPDX-License-Identifier: BSD-3-Clause */
/* CHECK for programs that try system calls: says which PE and line found something wrong, with errno. */
#include <errno.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                                                          \
    do                                                                                                       \
        if (!(what)) {                                                                                       \
            fprintf(stderr, "PE %d, line %d: %s: %s\n", shmem_my_pe(), __LINE__, #what, strerror(errno));    \
            exit(3);                                                                                         \
        }                                                                                                    \
    while (0)
