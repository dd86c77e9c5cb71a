/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs misuse_rows_*.c share: the rows of docs/real-libraries.md that they test. By default a
 * program goes on after the mistake, with what real libraries return, and the mistake is counted; with
 * --strict it is an error. Each row checks what it gets. */
#ifndef MISUSE_ROWS_H
#define MISUSE_ROWS_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8 };
static int me, n;
static long *block, *gone, *next; /* gone: freed */
static long all[16 * N], from[N], psync[SHMEM_COLLECT_SYNC_SIZE], psync2[SHMEM_COLLECT_SYNC_SIZE];

static inline void check(int holds, int line)
{
    if (holds)
        return;
    printf("PE %d: wrong at line %d\n", me, line);
    exit(1);
}
#define CHECK(x) check((x) != 0, __LINE__)

static inline void fill(void)
{
    for (int k = 0; k < N; k++)
        from[k] = 10 * me + k + 1;
    shmem_barrier_all();
}

/* A mistake, made before the library is initialized, within its life, or after it. */
struct row {
    const char *name;
    void (*before)(void), (*within)(void), (*after)(void);
};
#define ROW(name)                                                                                            \
    {                                                                                                        \
#name, NULL, name, NULL                                                                              \
    }
#define BEFORE(name)                                                                                         \
    {                                                                                                        \
#name, name, NULL, NULL                                                                              \
    }
#define AFTER(name)                                                                                          \
    {                                                                                                        \
#name, NULL, NULL, name                                                                              \
    }

static inline void begin(const char *name)
{
    int level;
    if (strcmp(name, "thread_level"))
        shmem_init();
    else
        CHECK(shmem_init_thread(17, &level) == 0 && level == SHMEM_THREAD_MULTIPLE);
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (int k = 0; k < SHMEM_COLLECT_SYNC_SIZE; k++)
        psync[k] = psync2[k] = SHMEM_SYNC_VALUE;
    block = shmem_malloc(N * sizeof *block);
    gone = shmem_malloc(80);
    next = shmem_calloc(2, 80);
    shmem_free(gone);
    shmem_barrier_all();
}

static inline const struct row *row_of(const struct row *rows, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (!strcmp(rows[k].name, name))
            return &rows[k];
    fprintf(stderr, "no row %s\n", name);
    exit(1);
}

static inline int run_row(const struct row *rows, size_t count, const char *name)
{
    const struct row *row = row_of(rows, count, name);
    if (row->before)
        row->before();
    begin(row->name);
    if (row->within)
        row->within();
    shmem_barrier_all();
    if (me == 0)
        printf("%s: went on\n", row->name);
    shmem_finalize();
    if (row->after)
        row->after();
    return 0;
}

#endif
