/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_coll: buffers of random datatypes for tests of collectives. An item of every kind holds two ints, in
 * other places of its extent, so that ranks with different kinds can exchange items. Every int of a buffer's
 * memory is compared with what a naive computation leaves there, gaps included.
 */
#ifndef MPI_COLL_H
#define MPI_COLL_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 2, KINDS = 6, MARGIN = 64, GAP = -77 };

static int me, ranks, wrong;
static const char *what = "";

#define CHECK(x) check((x), #x, __LINE__)
static inline void check(int ok, const char *text, int line)
{
    if (ok || wrong++ > 4)
        return;
    fprintf(stderr, "rank %d of %d, line %d: %s: %s\n", me, ranks, line, what, text);
}

/* --- random numbers, the same at all ranks -------------------------------------------------------------- */

static unsigned long long stream;
static inline unsigned below(unsigned n)
{
    stream = stream * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(stream >> 33) % n;
}

/* --- datatypes ------------------------------------------------------------------------------------------ */

struct kind {
    MPI_Datatype type;
    int at[WORDS], extent; /* in ints */
};
static struct kind kinds[KINDS];

static inline void kind_make(struct kind *k, MPI_Datatype type, int a, int b, int extent)
{
    MPI_Type_commit(&type);
    *k = (struct kind){type, {a, b}, extent};
}

static inline void kinds_make(void)
{
    MPI_Datatype t, u;
    MPI_Type_contiguous(2, MPI_INT, &t);
    kind_make(&kinds[0], t, 0, 1, 2);
    MPI_Type_vector(2, 1, 3, MPI_INT, &t);
    kind_make(&kinds[1], t, 0, 3, 4);
    MPI_Type_vector(2, 1, -2, MPI_INT, &t);
    kind_make(&kinds[2], t, 0, -2, 3);
    MPI_Type_vector(2, 1, 2, MPI_INT, &u);
    MPI_Type_create_resized(u, -4, 20, &t);
    MPI_Type_free(&u);
    kind_make(&kinds[3], t, 0, 2, 5);
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 0}, MPI_INT, &t);
    kind_make(&kinds[4], t, 1, 0, 2);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){8, -4}, MPI_INT, &t);
    kind_make(&kinds[5], t, 2, -1, 4);
}

static inline void kinds_free(void)
{
    for (int k = 0; k < KINDS; k++)
        MPI_Type_free(&kinds[k].type);
}

/* --- buffers -------------------------------------------------------------------------------------------- */

struct image {
    int *memory, *expected, *before;
    int size, zero; /* in ints; zero: where the call's address is */
};

/* Room for items from `low` to `high` of a kind. */
static inline struct image image_make(const struct kind *k, int low, int high)
{
    struct image i = {.zero = MARGIN - low * k->extent, .size = 2 * MARGIN + (high - low + 1) * k->extent};
    i.memory = malloc((size_t)i.size * sizeof(int));
    i.expected = malloc((size_t)i.size * sizeof(int));
    i.before = malloc((size_t)i.size * sizeof(int));
    for (int n = 0; n < i.size; n++)
        i.memory[n] = i.expected[n] = GAP;
    return i;
}
static inline void *image_at(const struct image *i)
{
    return i->memory + i->zero;
}
static inline void put(int *memory, const struct image *i, const struct kind *k, int item, int word,
                       int value)
{
    memory[i->zero + item * k->extent + k->at[word]] = value;
}
/* The data of rank `from` for rank `to` (or for all: -1). */
static inline int value_of(int from, int to, int item, int word)
{
    return (from * 131 + (to + 1)) * 4096 + item * WORDS + word;
}
static inline void fill(const struct image *i, const struct kind *k, int at, int items, int from, int to)
{
    for (int n = 0; n < items; n++)
        for (int w = 0; w < WORDS; w++) {
            put(i->memory, i, k, at + n, w, value_of(from, to, n, w));
            put(i->expected, i, k, at + n, w, value_of(from, to, n, w));
        }
}
static inline void expect(const struct image *i, const struct kind *k, int at, int items, int from, int to)
{
    for (int n = 0; n < items; n++)
        for (int w = 0; w < WORDS; w++)
            put(i->expected, i, k, at + n, w, value_of(from, to, n, w));
}
static inline void image_check(const struct image *i, int line)
{
    for (int n = 0; n < i->size; n++)
        if (i->memory[n] != i->expected[n]) {
            char text[160];
            snprintf(text, sizeof text, "int %d is %d, expected %d", n - i->zero, i->memory[n],
                     i->expected[n]);
            check(0, text, line);
            return;
        }
}
static inline void image_free(struct image *i)
{
    free(i->memory);
    free(i->expected);
    free(i->before);
}

/* --- the three forms of a call -------------------------------------------------------------------------- */

enum { BLOCKING, STARTED, PERSISTENT, FORMS };
static int form;
/* A persistent one runs twice, on the same data. */
static inline void run_again(MPI_Request *q, const struct image *i)
{
    if (i->size)
        memcpy(i->before, i->memory, (size_t)i->size * sizeof(int));
    MPI_Start(q);
    MPI_Wait(q, MPI_STATUS_IGNORE);
    if (i->size)
        memcpy(i->memory, i->before, (size_t)i->size * sizeof(int));
    MPI_Start(q);
    MPI_Wait(q, MPI_STATUS_IGNORE);
    MPI_Request_free(q);
}
#if MPI_VERSION >= 4
#define PERSISTENT_FORM(blocking, changed, ...)                                                              \
    CHECK(MPI_##blocking##_init(__VA_ARGS__, MPI_INFO_NULL, &request_) == MPI_SUCCESS);                      \
    run_again(&request_, changed)
#else /* another library, asked whether it agrees */
#define PERSISTENT_FORM(blocking, changed, ...)                                                              \
    (void)run_again;                                                                                         \
    CHECK(MPI_##blocking(__VA_ARGS__) == MPI_SUCCESS)
#endif
#define FORM(blocking, started, changed, ...)                                                                \
    do {                                                                                                     \
        MPI_Request request_;                                                                                \
        what = #blocking;                                                                                    \
        if (form == BLOCKING) {                                                                              \
            CHECK(MPI_##blocking(__VA_ARGS__) == MPI_SUCCESS);                                               \
        } else if (form == STARTED) {                                                                        \
            CHECK(MPI_##started(__VA_ARGS__, &request_) == MPI_SUCCESS);                                     \
            MPI_Wait(&request_, MPI_STATUS_IGNORE);                                                          \
        } else {                                                                                             \
            PERSISTENT_FORM(blocking, changed, __VA_ARGS__);                                                 \
        }                                                                                                    \
    } while (0)

static inline int finish(const char *name)
{
    int all;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        printf("%s: %s\n", name, all ? "wrong" : "right");
    MPI_Finalize();
    return all != 0;
}

#endif
