/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomics: eight ways to spread atomics over the memory of other PEs, in the manner of the benchmark suite
 * CircusTent (its names, operands and numbers of atomics for each iteration; no line of it).
 *
 *   atomics KERNEL add|cas [-m WORDS] [-i ITERATIONS] [-s STRIDE] [-r SEED] [-l COUNT]
 *
 * Every PE has two arrays, `array` and `index`, and works on those of the next PE (PTRCHASE: of a random PE
 * for each iteration). With add, atomics that only read add 0; with cas they replace 0 by 0. What is replaced
 * is hardly ever 0, so a compare-and-swap moves data but changes none. All numbers depend on the seed alone.
 * A PE's words have one writer, so the checksum is the same however long anything takes.
 *
 * STRIDE1 and STRIDEN begin again when they have reached the end of the array: then the same lines are used
 * in many passes. COUNT addresses of the atomics that PE 0 receives are printed by their sender ("address N":
 * bytes into array, or into index after it).
 */
#include "options.h"
#include "random.h"
#include "remote.h"
#include <string.h>

#ifndef ATOMICS_WORDS
#define ATOMICS_WORDS 65536 /* of each array, at most */
#endif
enum { MOST_WORDS = ATOMICS_WORDS, MOST_INDICES = ATOMICS_WORDS, MOST_ITERATIONS = 1 << 24 };

static uint64_t array[MOST_WORDS], index_of[MOST_INDICES + 1];
static uint64_t words = MOST_WORDS < 4096 ? MOST_WORDS : 4096,
                iterations = MOST_WORDS < 4096 ? MOST_WORDS : 4096;
static uint64_t stride = 9, seed = 1, logs;

struct job {
    bool cas;
    unsigned target;
    uint64_t returned; /* a checksum of all values that atomics have returned */
    uint64_t step;     /* how many those are */
};

/* The word is at the target. Adds `value`, or replaces 0 by it. */
static uint64_t atomic(struct job *j, uint64_t *word, uint64_t value)
{
    if (j->target == 0 && logs && remote_me() != 0) {
        logs--;
        bool first = word >= array && word < array + MOST_WORDS;
        printf("address %zu\n",
               first ? (size_t)(word - array) * 8 : (size_t)words * 8 + (size_t)(word - index_of) * 8);
    }
    uint64_t old = j->cas ? remote_cas(word, 0, value, j->target) : remote_add(word, value, j->target);
    j->returned += random_checksum(remote_me() + 1, j->step++, old);
    return old;
}

/* --- kernels ------------------------------------------------------------------------------------ */

static void at_random(struct job *j)
{
    for (uint64_t i = 0; i < iterations; i++)
        atomic(j, &array[remote_load(&index_of[i], j->target)], j->cas ? 0 : 1);
}

static void strided(struct job *j, uint64_t by)
{
    uint64_t at = 0;
    for (uint64_t i = 0; i < iterations; i++) {
        atomic(j, &array[at], j->cas ? 0 : 0xf);
        at += by;
        if (at >= words)
            at -= words;
    }
}

static void stride_1(struct job *j)
{
    strided(j, 1);
}

static void stride_n(struct job *j)
{
    strided(j, stride);
}

static void pointer_chase(struct job *j)
{
    struct random_stream s = random_start(seed + 2, remote_me());
    uint64_t at = 0;
    for (uint64_t i = 0; i < iterations; i++) {
        j->target = (unsigned)random_below(&s, remote_pes());
        at = atomic(j, &index_of[at], 0);
    }
}

static void central(struct job *j)
{
    for (uint64_t i = 0; i < iterations; i++)
        atomic(j, &array[0], j->cas ? 0 : 1);
}

static void scatter_gather(struct job *j)
{
    for (uint64_t i = 0; i < iterations; i++) {
        uint64_t from = atomic(j, &index_of[i], 0), to = atomic(j, &index_of[i + 1], 0);
        uint64_t value = atomic(j, &array[from], j->cas ? 0 : 1);
        atomic(j, &array[to], value);
    }
}

static void scatter(struct job *j)
{
    for (uint64_t i = 0; i < iterations; i++) {
        uint64_t to = atomic(j, &index_of[i + 1], 0);
        uint64_t value = atomic(j, &array[i % words], j->cas ? 0 : 1);
        atomic(j, &array[to], value);
    }
}

static void gather(struct job *j)
{
    for (uint64_t i = 0; i < iterations; i++) {
        uint64_t from = atomic(j, &index_of[i + 1], 0);
        uint64_t value = atomic(j, &array[from], j->cas ? 0 : 1);
        atomic(j, &array[i % words], value);
    }
}

static const struct kernel {
    const char *name;
    void (*run)(struct job *j);
    enum { NO_INDEX, OF_ARRAY, OF_INDEX } index; /* what the elements of index are places in */
} kernels[] = {
    {"RAND", at_random, OF_ARRAY},         {"STRIDE1", stride_1, NO_INDEX}, {"STRIDEN", stride_n, NO_INDEX},
    {"PTRCHASE", pointer_chase, OF_INDEX}, {"CENTRAL", central, NO_INDEX},  {"SG", scatter_gather, OF_ARRAY},
    {"SCATTER", scatter, OF_ARRAY},        {"GATHER", gather, OF_ARRAY},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* --- the program -------------------------------------------------------------------------------- */

static void fill(const struct kernel *k)
{
    struct random_stream a = random_start(seed, remote_me()), b = random_start(seed + 1, remote_me());
    for (uint64_t i = 0; i < words; i++)
        array[i] = random_below(&a, UINT64_C(1) << 31);
    for (uint64_t i = 0; k->index != NO_INDEX && i <= iterations; i++)
        index_of[i] = random_below(&b, k->index == OF_INDEX ? iterations : words);
}

static uint64_t checksum(const struct job *j)
{
    uint64_t sum = j->returned;
    for (uint64_t i = 0; i < words; i++)
        sum += random_checksum(1000000 + remote_me(), i, array[i]);
    return sum;
}

static int usage(const char *name)
{
    fprintf(stderr, "%s KERNEL add|cas [-m WORDS] [-i ITERATIONS] [-s STRIDE] [-r SEED] [-l COUNT]\n", name);
    for (int k = 0; k < KERNELS; k++)
        fprintf(stderr, "%s%s", kernels[k].name, k + 1 < KERNELS ? " " : "\n");
    return 2;
}

static int run(const struct kernel *k, const char *name, const char *way)
{
    if (k->index != NO_INDEX && iterations > MOST_INDICES) {
        fprintf(stderr, "%s: %s has at most %d iterations\n", name, k->name, MOST_INDICES);
        return 2;
    }
    struct job j = {.cas = way[0] == 'c', .target = (remote_me() + 1) % remote_pes()};
    char what[64];
    fill(k);
    remote_begin();
    k->run(&j);
    remote_end();
    snprintf(what, sizeof what, "%s %s", k->name, way);
    remote_report(what, checksum(&j));
    return 0;
}

int main(int argc, char **args)
{
    const struct option_of options[] = {
        {'m', &words, 1, MOST_WORDS},  {'i', &iterations, 1, MOST_ITERATIONS},
        {'s', &stride, 1, MOST_WORDS}, {'r', &seed, 0, UINT32_MAX},
        {'l', &logs, 0, UINT32_MAX},   {0, NULL, 0, 0},
    };
    remote_init();
    if (argc < 3 || (strcmp(args[2], "add") != 0 && strcmp(args[2], "cas") != 0))
        return usage(args[0]);
    if (!options_read(argc, args, 3, options))
        return 2;
    if (stride > words) {
        fprintf(stderr, "%s: a stride of %lu leaves an array of %lu words at once\n", args[0],
                (unsigned long)stride, (unsigned long)words);
        return 2;
    }
    for (int k = 0; k < KERNELS; k++)
        if (strcmp(args[1], kernels[k].name) == 0)
            return run(&kernels[k], args[0], args[2]);
    return usage(args[0]);
}
