/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isort: the integer sort benchmark IS of the NAS Parallel Benchmarks, by its specification (D. Bailey et
 * al., The NAS Parallel Benchmarks, RNR-94-007, section 2.5 "Kernel IS", and the class sizes and check values
 * that NASA publishes with NPB 3.4).
 *
 *   isort [S|W|A]
 *
 * The benchmark ranks N keys, ten times; the rank of a key is the number of smaller keys. Each PE holds N /
 * PEs of the keys. In each iteration
 *   1. two keys change, as the specification says, so that no iteration can reuse the last one's work;
 *   2. keys are counted in buckets by their upper bits, and a sum over all PEs gives the size of each bucket;
 *   3. whole buckets are dealt to the PEs in order, so that each gets a range of keys and about N / PEs of
 * them;
 *   4. a PE reserves room at each other PE by an atomic fetch-and-add and puts its keys there (key exchange);
 *   5. each PE counts the keys it received and so knows their ranks;
 *   6. five ranks are compared with known values (partial verification).
 * After the tenth iteration the keys are written in order of rank and checked to be sorted over all PEs (full
 * verification).
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITERATIONS = 10, CHECKS = 5, LOG_BUCKETS = 10, BUCKETS = 1 << LOG_BUCKETS };

/* In iteration i the key that is at place `index` has rank `rank + sign * i`. */
struct check {
    int index, rank, sign;
};
struct problem {
    char class;
    int log_keys, log_max_key;
    struct check checks[CHECKS];
};
static const struct problem problems[] = {
    /* clang-format off */
    {'S', 16, 11, {{48427, 0, 1}, {17148, 18, 1}, {23627, 346, 1}, {62548, 64917, -1}, {4431, 65463, -1}}},
    {'W', 20, 16, {{357773, 1247, 1}, {934767, 11696, 1}, {875723, 1039987, -1}, {898999, 1043896, -1},
                   {404505, 1048018, -1}}},
    {'A', 23, 19, {{2112377, 103, 1}, {662041, 17522, 1}, {5336171, 123927, 1}, {3642833, 8288933, -1},
                   {4250760, 8388265, -1}}},
    /* clang-format on */
};

/* One PE's part of the sort. */
struct sort {
    const struct problem *problem;
    long keys, max_key; /* of the whole problem */
    long first, n;      /* this PE's keys are those at places first .. first + n - 1 */
    int *key;
    int *by_bucket; /* the same keys, ordered by bucket */
    int low, high;  /* this PE ranks the keys in [low, high) */
    long below;     /* keys smaller than low, on all PEs */
    int *rank;      /* rank[k - low]: of key k */
    int *received;  /* symmetric: the keys in [low, high) of all PEs */
    long capacity;  /* of `received`, the same on all PEs */
    int passed;
};

/* The first BUCKETS entries are bucket sizes; the others the values of the keys whose ranks are checked. */
static int counted[BUCKETS + CHECKS], total[BUCKETS + CHECKS];
static int reduce_work[(BUCKETS + CHECKS) / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
static long filled;   /* keys that have room in `received` */
static long last_key; /* the largest of this PE's sorted keys; -1: it has none */
static long passed_by_all, unordered, in_order;
static unsigned long checksum;

/* The generator of the specification, x' = 5^13 x mod 2^46, and its n-th power for a start in mid-stream. */
enum { RANDOM_BITS = 46 };
static const uint64_t random_mask = ((uint64_t)1 << RANDOM_BITS) - 1;
static const uint64_t random_factor = 1220703125, random_seed = 314159265;

static uint64_t random_after(uint64_t n)
{
    uint64_t x = random_seed, factor = random_factor;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            x = x * factor & random_mask;
        factor = factor * factor & random_mask;
    }
    return x;
}

/* A key is the mean of four random numbers, scaled: exact in integers, where others use doubles. */
static void make_keys(struct sort *s)
{
    uint64_t x = random_after(4 * (uint64_t)s->first);
    for (long i = 0; i < s->n; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < 4; k++)
            sum += x = x * random_factor & random_mask;
        s->key[i] = (int)(sum >> (RANDOM_BITS + 2 - s->problem->log_max_key));
    }
}

static void *need(void *memory, const char *what)
{
    if (!memory) {
        fprintf(stderr, "isort: PE %d: no memory for %s\n", shmem_my_pe(), what);
        shmem_global_exit(1);
    }
    return memory;
}

static int bucket_of(const struct sort *s, int key)
{
    return key >> (s->problem->log_max_key - LOG_BUCKETS);
}

static void set_key(struct sort *s, long place, long value)
{
    if (place >= s->first && place < s->first + s->n)
        s->key[place - s->first] = (int)value;
}

/* Steps 1 and 2. */
static void count_buckets(struct sort *s, int iteration)
{
    set_key(s, iteration, iteration);
    set_key(s, iteration + ITERATIONS, s->max_key - iteration);
    memset(counted, 0, sizeof counted);
    for (long i = 0; i < s->n; i++)
        counted[bucket_of(s, s->key[i])]++;
    for (int c = 0; c < CHECKS; c++) {
        long place = s->problem->checks[c].index - s->first;
        if (place >= 0 && place < s->n)
            counted[BUCKETS + c] = s->key[place];
    }
    filled = 0;
    shmem_barrier_all(); /* the last iteration's reduction is over everywhere, and `filled` is 0 */
    shmem_int_sum_to_all(total, counted, BUCKETS + CHECKS, 0, 0, shmem_n_pes(), reduce_work, reduce_sync);
}

/* The PE that ranks the keys of a bucket, when `before` keys are in lower buckets. */
static int owner_of(const struct sort *s, long before)
{
    int pe = (int)(before * shmem_n_pes() / s->keys);
    return pe < shmem_n_pes() ? pe : shmem_n_pes() - 1;
}

/* Step 3: the range of keys that each PE gets, and the room for the largest. `to` has an entry for each PE
 * and one more: the first bucket of each. */
static void deal_buckets(struct sort *s, int *to)
{
    int pes = shmem_n_pes(), me = shmem_my_pe(), pe = -1, shift = s->problem->log_max_key - LOG_BUCKETS;
    long before = 0, start = 0, largest = 0;
    s->below = s->keys;
    for (int b = 0; b < BUCKETS; before += total[b++])
        if (owner_of(s, before) > pe) {
            largest = before - start > largest ? before - start : largest;
            start = before;
            while (pe < owner_of(s, before)) {
                to[++pe] = b;
                if (pe == me)
                    s->below = before;
            }
        }
    largest = before - start > largest ? before - start : largest;
    while (pe < pes)
        to[++pe] = BUCKETS;
    s->low = to[me] << shift;
    s->high = to[me + 1] << shift;
    if (largest > s->capacity) { /* so for every PE: all know all bucket sizes */
        shmem_free(s->received);
        s->received = need(shmem_malloc((size_t)largest * sizeof(int)), "the keys to rank");
        s->capacity = largest;
    }
}

/* Step 4. Each PE begins with another target, so that not all go to PE 0 first. */
static void exchange_keys(struct sort *s, const int *to)
{
    static int place[BUCKETS + 1], end[BUCKETS];
    int pes = shmem_n_pes();
    for (int b = 0; b < BUCKETS; b++)
        place[b + 1] = end[b] = place[b] + counted[b];
    for (long i = s->n - 1; i >= 0; i--)
        s->by_bucket[--end[bucket_of(s, s->key[i])]] = s->key[i];
    for (int k = 0; k < pes; k++) {
        int pe = (shmem_my_pe() + k) % pes;
        int from = place[to[pe]], n = place[to[pe + 1]] - from;
        if (n > 0) {
            long at = shmem_long_atomic_fetch_add(&filled, n, pe);
            shmem_int_put(s->received + at, s->by_bucket + from, (size_t)n, pe);
        }
    }
    shmem_barrier_all();
}

/* Step 5. */
static void rank_keys(struct sort *s)
{
    int range = s->high - s->low, before = (int)s->below;
    free(s->rank);
    s->rank = need(calloc((size_t)range + 1, sizeof(int)), "ranks");
    for (long i = 0; i < filled; i++)
        s->rank[s->received[i] - s->low]++;
    for (int k = 0; k < range; k++) {
        int n = s->rank[k];
        s->rank[k] = before;
        before += n;
    }
}

/* Step 6. */
static void check_ranks(struct sort *s, int iteration)
{
    for (int c = 0; c < CHECKS; c++) {
        const struct check *check = &s->problem->checks[c];
        int key = total[BUCKETS + c];
        if (key >= s->low && key < s->high)
            s->passed += s->rank[key - s->low] == check->rank + check->sign * iteration;
    }
}

/* Puts the keys where their ranks say, and checks that they are in order here and against the PE before. */
static void check_order(struct sort *s)
{
    int *sorted = need(malloc(((size_t)filled + 1) * sizeof(int)), "sorted keys");
    uint64_t sum = 0;
    long wrong = 0, before = -1;
    memset(sorted, 0xff, ((size_t)filled + 1) * sizeof(int));
    for (long i = 0; i < filled; i++)
        sorted[s->rank[s->received[i] - s->low]++ - s->below] = s->received[i];
    last_key = filled > 0 ? sorted[filled - 1] : -1;
    shmem_barrier_all();
    for (int pe = shmem_my_pe() - 1; pe >= 0 && before < 0; pe--)
        before = shmem_long_g(&last_key, pe);
    for (long i = 0; i < filled; i++) {
        wrong += sorted[i] < before;
        before = sorted[i];
        sum ^= (uint64_t)(s->below + i + 1) * 0x9e3779b97f4a7c15u * (uint64_t)(sorted[i] + 1);
    }
    shmem_long_atomic_add(&unordered, wrong, 0);
    shmem_long_atomic_add(&in_order, filled - wrong, 0);
    shmem_long_atomic_add(&passed_by_all, s->passed, 0);
    shmem_ulong_atomic_xor(&checksum, sum, 0);
    free(sorted);
    shmem_barrier_all();
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int report(const struct sort *s, double seconds)
{
    int right = passed_by_all == CHECKS * ITERATIONS && unordered == 0 && in_order == s->keys;
    printf("isort class %c: %ld keys below %ld, %d iterations, %d PEs\n", s->problem->class, s->keys,
           s->max_key, ITERATIONS, shmem_n_pes());
    printf("partial verification: %ld of %d ranks right\n", passed_by_all, CHECKS * ITERATIONS);
    printf("full verification: %ld of %ld keys in order, checksum %016lx\n", in_order, s->keys, checksum);
    printf("%s, %.6f s\n", right ? "successful" : "FAILED", seconds);
    return right ? 0 : 1;
}

static int run(const struct problem *problem)
{
    int pes = shmem_n_pes(), me = shmem_my_pe();
    struct sort s = {
        .problem = problem, .keys = 1L << problem->log_keys, .max_key = 1L << problem->log_max_key};
    s.first = s.keys * me / pes;
    s.n = s.keys * (me + 1) / pes - s.first;
    s.key = need(malloc(((size_t)s.n + 1) * sizeof(int)), "keys");
    s.by_bucket = need(malloc(((size_t)s.n + 1) * sizeof(int)), "keys by bucket");
    int *to = need(malloc(((size_t)pes + 1) * sizeof(int)), "bucket owners");
    make_keys(&s);
    shmem_barrier_all();
    double start = now();
    for (int iteration = 1; iteration <= ITERATIONS; iteration++) {
        count_buckets(&s, iteration);
        deal_buckets(&s, to);
        exchange_keys(&s, to);
        rank_keys(&s);
        check_ranks(&s, iteration);
    }
    double seconds = now() - start;
    check_order(&s);
    int status = me == 0 ? report(&s, seconds) : 0;
    shmem_free(s.received);
    free(s.rank);
    free(to);
    free(s.by_bucket);
    free(s.key);
    return status;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "S";
    int status = 2;
    shmem_init();
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        reduce_sync[i] = SHMEM_SYNC_VALUE;
    for (size_t c = 0; c < sizeof problems / sizeof problems[0] && argc <= 2; c++)
        if (name[0] == problems[c].class && name[1] == '\0')
            status = run(&problems[c]);
    if (status == 2 && shmem_my_pe() == 0)
        fprintf(stderr, "usage: isort [S|W|A]\n");
    shmem_finalize();
    return status;
}
