/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep: the embarrassingly parallel benchmark of the NAS Parallel Benchmarks, by its specification (D. Bailey
 * et al., The NAS Parallel Benchmarks, RNR-94-007, section 2.1 "Kernel EP", and the class sizes and sums that
 * NASA publishes with NPB 3.4).
 *
 *   ep [S|W|A|B]
 *
 * Pairs of uniform numbers in (-1, 1) that fall into the unit circle become pairs of independent Gaussian
 * numbers (acceptance-rejection); they are summed and counted by the square annulus max(|X|, |Y|) that they
 * fall into. The PEs share the pairs out in blocks, each of which begins in mid-stream of one generator, and
 * add up at the end.
 *
 * Compiled with -DANNOTATED it tells pgasim, in six lines, that its blocks take equal time and that nobody
 * needs their contents: a few of them are executed and their mean stands for the others.
 */
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef ANNOTATED
#include <pgasim.h>
#define BLOCK_KERNEL    PGASIM_SAMPLE_GLOBAL(200, 0.01)
#define new_numbers(n)  pgasim_fold_malloc(n)
#define free_numbers(p) pgasim_fold_free(p)
#define blocks_skipped  ((long)pgasim_skipped())
#else
#define BLOCK_KERNEL
#define new_numbers(n)  malloc(n)
#define free_numbers(p) free(p)
#define blocks_skipped  0L
#endif

enum { ANNULI = 10, LOG_BLOCK = 14, BLOCK = 1 << LOG_BLOCK /* pairs */ };

struct problem {
    char class;
    int log_pairs;
    double sum_x, sum_y;
};
static const struct problem problems[] = {
    {'S', 24, -3.247834652034740e3, -6.958407078382297e3},
    {'W', 25, -2.863319731645753e3, -6.320053679109499e3},
    {'A', 28, -4.295875165629892e3, -1.580732573678431e4},
    {'B', 30, 4.033815542441498e4, -2.660669192809235e4},
};

/* What the PEs add up. */
static double sum[2], sum_of_all[2];
static long count[ANNULI], count_of_all[ANNULI];
static double seconds, seconds_of_slowest;

/* The generator of the specification, x' = 5^13 x mod 2^46, in exact integers. */
enum { RANDOM_BITS = 46 };
static const uint64_t random_mask = ((uint64_t)1 << RANDOM_BITS) - 1;
static const uint64_t random_factor = 1220703125, random_seed = 271828183;

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

/* Fills `numbers` with the block's 2 * BLOCK uniform numbers in (-1, 1). */
static void generate(long block, double *numbers)
{
    uint64_t x = random_after((uint64_t)block * 2 * BLOCK);
    for (int i = 0; i < 2 * BLOCK; i++) {
        x = x * random_factor & random_mask;
        numbers[i] = (double)x * 0x1p-45 - 1;
    }
}

static void tabulate(const double *numbers)
{
    for (int i = 0; i < 2 * BLOCK; i += 2) {
        double x = numbers[i], y = numbers[i + 1], t = x * x + y * y;
        if (t > 1)
            continue;
        double scale = sqrt(-2 * log(t) / t);
        x *= scale;
        y *= scale;
        count[(int)fmax(fabs(x), fabs(y))]++;
        sum[0] += x;
        sum[1] += y;
    }
}

static void work(long blocks, double *numbers)
{
    int64_t me = shmem_my_pe(), pes = shmem_n_pes();
    long end = blocks * (me + 1) / pes;
    for (long block = blocks * me / pes; block < end; block++)
        BLOCK_KERNEL
        {
            generate(block, numbers);
            tabulate(numbers);
        }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The sums of the specification hold to a relative 10^-8. */
static int is_right(double value, double expected)
{
    return fabs((value - expected) / expected) <= 1e-8;
}

static int report(const struct problem *p)
{
    long pairs = 0;
    int right = is_right(sum_of_all[0], p->sum_x) && is_right(sum_of_all[1], p->sum_y);
    printf("ep class %c: 2^%d pairs, %d PEs\n", p->class, p->log_pairs, shmem_n_pes());
    for (int k = 0; k < ANNULI; k++)
        pairs += count_of_all[k];
    printf("Gaussian pairs: %ld; sums %.12e %.12e\n", pairs, sum_of_all[0], sum_of_all[1]);
    for (int k = 0; k < ANNULI; k++)
        printf("%ld%c", count_of_all[k], k < ANNULI - 1 ? ' ' : '\n');
    if (blocks_skipped)
        printf("not verified: %ld of %d blocks were skipped, %.6f s\n", blocks_skipped,
               1 << (p->log_pairs - LOG_BLOCK), seconds_of_slowest);
    else
        printf("%s, %.6f s\n", right ? "successful" : "FAILED", seconds_of_slowest);
    return right || blocks_skipped ? 0 : 1;
}

static int run(const struct problem *p)
{
    double *numbers = new_numbers(2 * BLOCK * sizeof *numbers);
    if (!numbers)
        shmem_global_exit(1);
    shmem_barrier_all();
    double start = now();
    work(1L << (p->log_pairs - LOG_BLOCK), numbers);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, sum_of_all, sum, 2);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, count_of_all, count, ANNULI);
    seconds = now() - start;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &seconds_of_slowest, &seconds, 1);
    free_numbers(numbers);
    return shmem_my_pe() == 0 ? report(p) : 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "S";
    int status = 2;
    shmem_init();
    for (size_t c = 0; c < sizeof problems / sizeof problems[0] && argc <= 2; c++)
        if (name[0] == problems[c].class && name[1] == '\0')
            status = run(&problems[c]);
    if (status == 2 && shmem_my_pe() == 0)
        fprintf(stderr, "usage: ep [S|W|A|B]\n");
    shmem_finalize();
    return status;
}
