/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A histogram whose bins are spread over all cores. Each core draws numbers, and counts each in its bin,
 * which is most often in another core's memory: with the network card by one remote atomic; without it
 * (-DLOCK) by a lock, a get, an addition and a put.
 *
 * To try: other BINS (few: they collide, and the card merges requests of one line), DRAWS, a skewed draw(),
 * -DLOCK.
 */
#include <inttypes.h>
#include <stdio.h>
#include <xbgas_rt.h>

#ifndef BINS
#define BINS 64 /* of each core */
#endif
#ifndef DRAWS
#define DRAWS 200 /* by each core */
#endif

static int64_t bin[BINS];
#ifdef LOCK
static int64_t lock[BINS];
#endif

/* A sequence of its own for each core, the same in every run. */
static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void count(int64_t *which, int pe)
{
#ifdef LOCK
    int64_t *its_lock = &lock[which - bin];
    xbgas_set_lock(its_lock, pe);
    int64_t value = xbgas_int64_g(which, pe);
    xbgas_int64_p(which, value + 1, pe);
    xbgas_clear_lock(its_lock, pe);
#else
    xbgas_int64_atomic_add(which, 1, pe);
#endif
}

/* How many of all draws a core's bins have, and the fullest of them. */
static void add_up(int64_t *total, int64_t *fullest)
{
    *total = *fullest = 0;
    for (int k = 0; k < BINS; k++) {
        *total += bin[k];
        *fullest = bin[k] > *fullest ? bin[k] : *fullest;
    }
}

int main(void)
{
    static int64_t total, fullest;
    xbgas_init();
    int pes = xbgas_n_pes();
    uint64_t state = (uint64_t)xbgas_my_pe() * 1000003 + 1;
    for (int k = 0; k < DRAWS; k++) {
        uint64_t number = draw(&state) % (uint64_t)(BINS * pes);
        count(&bin[number / (uint64_t)pes], (int)(number % (uint64_t)pes));
    }
    xbgas_barrier_all();
    add_up(&total, &fullest);
    xbgas_int64_sum_reduce(&total, &total, 1);
    xbgas_int64_max_reduce(&fullest, &fullest, 1);
    if (xbgas_my_pe() == 0)
        printf("%d cores counted %" PRId64 " numbers in %d bins; the fullest has %" PRId64 "\n", pes, total,
               BINS * pes, fullest);
    xbgas_finalize();
    return total != (int64_t)DRAWS * pes;
}
