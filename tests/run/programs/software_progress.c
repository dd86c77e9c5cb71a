/* SPDX-License-Identifier: BSD-3-Clause */
/* Who serves a get, an atomic and a put while their target computes or sleeps for 1 ms: its network card, a
 * progress thread, or the target itself, and then not before its next call. */
// run: -np 2 --map-by host
// stdout: get while computing: at once
// stdout: add while sleeping: at once
// stdout: put while computing: at once
// stdout: get while waiting: at once
// stdout: the target got 3 and was held up for less than 1 us
// run: -np 2 --map-by host --set rdma/profile=software --set software/progress=thread
// stdout-has: get while computing: at once
// stdout-has: add while sleeping: at once
// stdout-has: put while computing: at once
// stdout-has: get while waiting: at once
// stdout-has: the target got 3 and was held up for less than 1 us
// run: -np 2 --map-by host --set rdma/profile=software
// stdout: get while computing: when it is done
// stdout: add while sleeping: when it is done
// stdout: put while computing: when it is done
// stdout: get while waiting: at once
// stdout: the target got 3 and was held up for less than 1 us
// run: -np 2 --map-by host --set rdma/profile=software --set software/service=100us
// stdout: get while computing: when it is done
// stdout: add while sleeping: when it is done
// stdout: put while computing: when it is done
// stdout: get while waiting: late
// stdout: the target got 3 and was held up for 100 us
// run: -np 2 --map-by host --set rdma/profile=hardware
// status: 2
// stderr-match: rdma/profile: 'hardware'; expected rdma, software or rae
#include <pgasim.h>
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static long word, other, flag;
static double began;

static void say(const char *what)
{
    double took = pgasim_time() - began;
    printf("%s: %s\n", what, took > 900e-6 ? "when it is done" : took < 20e-6 ? "at once" : "late");
}

/* The target computes meanwhile, in two steps: what lies between them is no call. */
static void step(int me, const char *what)
{
    long got;
    shmem_barrier_all();
    if (me == 1 && what[0] == 'a')
        usleep(1000);
    else if (me == 1)
        for (int k = 0; k < 2; k++)
            pgasim_compute_seconds(500e-6);
    if (me == 0) {
        pgasim_compute_seconds(50e-6);
        began = pgasim_time();
        if (what[0] == 'g')
            shmem_getmem(&got, &word, sizeof got, 1);
        else if (what[0] == 'a')
            shmem_long_atomic_fetch_add(&word, 1, 1);
        else
            shmem_long_p(&other, 1, 1);
        shmem_quiet();
        say(what);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    word = 2;
    step(me, "get while computing");
    step(me, "add while sleeping");
    step(me, "put while computing");
    double end = 0;
    if (me == 0) {
        pgasim_compute_seconds(50e-6);
        began = pgasim_time();
        long got;
        shmem_getmem(&got, &word, sizeof got, 1);
        say("get while waiting");
        shmem_long_p(&flag, 1, 1);
        shmem_long_p(&other, 1, 1); /* the target's CPU has this one when the target goes on */
        shmem_quiet();
        shmem_barrier_all();
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        began = pgasim_time();
        shmem_long_p(&word, word, 1);
        end = pgasim_time();
        shmem_barrier_all();
        printf("the target got %ld and was held up for %s\n", word,
               end - began < 1e-6 ? "less than 1 us" : "100 us");
    }
    shmem_finalize();
    return 0;
}
