/* SPDX-License-Identifier: BSD-3-Clause */
/* For read_back.py: every kind of operation, from two threads per rank, between marks whose texts every
 * format must escape. */
#include <pgasim.h>
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long cell[4], counter;
static uint64_t signal_word;

static void *second(void *arg)
{
    int next = *(const int *)arg;
    pgasim_mark("from the \"second\"\nthread");
    for (long k = 0; k < 5; k++) {
        shmem_long_p(&cell[1], k, next);
        if (shmem_long_g(&cell[0], next) < 0 || shmem_long_atomic_fetch_inc(&counter, next) < 0)
            exit(1);
    }
    return NULL;
}

int main(void)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    long value = 7, fetched = 0;
    pthread_t thread;
    pgasim_mark_begin("outer <script>alert(1)</script>");
    pgasim_mark("\xc3\xa9\xff \\ ~0 %s");
    pthread_create(&thread, NULL, second, &next);
    for (int k = 0; k < 10; k++) {
        pgasim_mark_begin("~0");
        pgasim_compute_seconds(1e-6);
        shmem_long_put_nbi(&cell[2], &value, 1, next);
        shmem_long_put_signal(&cell[3], &value, 1, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
        shmem_long_atomic_add(&counter, 1, next);
        pgasim_mark_end();
        shmem_long_get(&fetched, &cell[3], 1, next);
    }
    pthread_join(thread, NULL);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 10);
    shmem_barrier_all();
    pgasim_mark_end();
    shmem_finalize();
    return fetched == 7 ? 0 : 1;
}
