// SPDX-License-Identifier: BSD-3-Clause
// Hosts and links that a platform's profiles slow down and turn off under ranks, and what on-failure makes of
// it. Ranks 0, 1 and 2 are on hosts a, b and c; failing_hosts.xml turns b off at 2.5 s, the link between a
// and c at 4 s, and halves a's speed at 1 s.
// build: $OSHCC -O1 $SRC -o $EXE -pthread
//
// 2 Gflop at 1 Gf and from 1 s on at 0.5 Gf take 3 s; with nobody talking only b matters, or nothing with
// kill-rank.
// run: -np 3 --compute off --platform $DIR/failing_hosts.xml --set on-failure=kill-rank -- compute
// stdout-match: ^0 computed until 3\.0000
// stdout-match: ^2 computed until 2\.0000
// stderr-match: rank 1 \(host b\) ends at 2\.500 s: host b failed
// stderr-match: deadlock at .*: 2 of 3 ranks wait
// stderr-match: rank 1 \(host b\) ended at 2\.500 s: host b failed
// status: 3
//
// run: -np 3 --compute off --platform $DIR/failing_hosts.xml -- compute
// status: 6
// stderr-match: host b failed at 2\.500 s of simulated time, with 1 rank on it
// stderr-match: rank 1 was computing, or asleep
//
// Ranks 0, 1 and 2 on c, a and b, as a deployment file says.
// run: -np 3 --compute off --platform $DIR/failing_hosts.xml --hostfile $DIR/failing_deployment.xml -- compute
// status: 6
// stdout-match: ^0 computed until 2\.0000
// stderr-match: rank 2 was in shmem_finalize since 2\.000 s
// run: -np 4 --compute off --platform $DIR/failing_hosts.xml --hostfile $DIR/failing_deployment.xml -- compute
// status: 2
// stderr-match: failing_deployment\.xml: 3 <actor>s for 4 ranks; expected at least one per rank
// varies: nothing was simulated
//
// Who waits for the dead rank's word waits for ever.
// run: -np 2 --compute off --platform $DIR/failing_hosts.xml --set on-failure=kill-rank -- wait
// status: 3
// stderr-match: deadlock at 2\.500 s of simulated time: 1 of 2 ranks wait
// stderr-match: shmem_int_wait_until: 1 rank: 0
// stderr-match: rank 1 \(host b\) ended at 2\.500 s: host b failed
//
// A put to a host that is off, and one over a link that is cut while it flows.
// run: -np 2 --compute off --platform $DIR/failing_hosts.xml -- late
// status: 6
// stderr-match: host b failed at 2\.500 s
// run: -np 3 --compute off --platform $DIR/failing_link.xml -- cut
// status: 6
// stderr-match: rank 0 \(host a\) at 4\.000 s: shmem_putmem.* of 3000000 bytes to rank 2 \(host c\): link ac failed
// stderr-match: the rank was in shmem
// run: -np 3 --compute off --platform $DIR/failing_link.xml --set on-failure=kill-rank -- cut
// stdout-match: ^2 goes on at 5
// stdout-match: ^1 finds 7 at rank 0
// stdout-match: ^1 goes on at 5\.0001
// stderr-match: rank 0 \(host a\) ends at 4\.000 s: link ac failed, which shmem_putmem.* of 3000000 bytes to rank 2 \(host c\) needs
//
// The rank dies with all of its threads: with them waiting, computing and asleep.
// run: -np 2 --compute off --platform $DIR/failing_link.xml --set on-failure=kill-rank --set thread/most=8 -- threads
// stdout: 0 goes on at 30
// stderr-match: rank 1 \(host b\) ends at 20\.00 s: host b failed
//
// A host that is off from the start; those that come back start nobody.
// run: -np 3 --compute off --platform $DIR/failing_start.xml -- cut
// status: 6
// stderr-match: host c failed at 0 s of simulated time, with 1 rank on it
// stderr-match: rank 2 was computing, or asleep
// run: -np 3 --compute off --platform $DIR/failing_start.xml --set on-failure=kill-rank -- hello
// status: 3
// stderr-match: shmem_init: 2 ranks: 0-1
// stderr-match: rank 2 \(host c\) ended at 0 s: host c failed
//
// A barrier's message over the cut link.
// run: -np 3 --compute off --platform $DIR/failing_link.xml -- barrier
// status: 6
// stderr-match: a collective's message of 8 bytes to host [ac]: link ac failed
// stderr-match: the rank was in shmem_barrier_all since 6
//
// run: -np 3 --compute off --platform $DIR/failing_link.xml --set on-failure=restart -- hello
// status: 2
// stderr-match: setting on-failure: 'restart'; expected abort or kill-rank
// varies: nothing was simulated
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pgasim.h>

static int word;
static char data[3000000];
static int me;

static void say_end(void)
{
    printf("%d goes on at %g\n", me, pgasim_time());
    fflush(stdout);
    _exit(0);
}

static void compute(void)
{
    pgasim_compute_flops(me == 1 ? 9e9 : 2e9);
    printf("%d computed until %.4f\n", me, pgasim_time());
    fflush(stdout);
}

static void wait_for_word(void)
{
    if (me == 1) {
        pgasim_compute_seconds(3);
        shmem_int_p(&word, 1, 0);
    }
    shmem_int_wait_until(&word, SHMEM_CMP_EQ, 1);
}

static void put_late(void)
{
    pgasim_compute_seconds(2.6);
    shmem_int_p(&word, 1, !me);
    shmem_quiet();
}

static void put_over_the_cut(void)
{
    if (me == 0) {
        pgasim_compute_seconds(2);
        shmem_putmem(data, data, sizeof data, 2);
        shmem_quiet();
    }
    pgasim_compute_seconds(5);
    if (me == 1) { /* the memory of a dead rank stays */
        shmem_int_p(&word, 7, 0);
        shmem_quiet();
        printf("1 finds %d at rank 0\n", shmem_int_g(&word, 0));
    }
    say_end();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    switch ((long)arg) {
    case 0:
        pthread_mutex_lock(&lock);
        break;
    case 1:
        pgasim_compute_seconds(1000);
        break;
    default:
        sleep(1000);
    }
    printf("a dead thread goes on\n");
    return NULL;
}

static void with_threads(void)
{
    pthread_t t[3];
    if (me == 0) {
        pgasim_compute_seconds(30);
        say_end();
    }
    pthread_mutex_lock(&lock);
    for (long k = 0; k < 3; k++)
        pthread_create(&t[k], NULL, thread, (void *)k);
    pthread_join(t[0], NULL);
}

static void hello(void)
{
    printf("%d is here\n", me);
    fflush(stdout);
    _exit(0);
}

static void late_barrier(void)
{
    pgasim_compute_seconds(6);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*fn)(void);
    } parts[] = {{"compute", compute},      {"wait", wait_for_word},   {"late", put_late},
                 {"cut", put_over_the_cut}, {"threads", with_threads}, {"barrier", late_barrier},
                 {"hello", hello}};
    shmem_init();
    me = shmem_my_pe();
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (argc > 1 && !strcmp(argv[1], parts[k].name))
            parts[k].fn();
    shmem_finalize();
    return 0;
}
