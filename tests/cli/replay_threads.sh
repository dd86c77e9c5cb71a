#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads in traces of calls: what they do to one another is recorded and played, takes the settings' times, shares the
# host's cores, survives a conversion; who is never woken is in the deadlock's report; what cannot be is refused.
. "$(dirname "$0")/lib.sh"

pgasim platform generate cluster --hosts 2 --cores 2 >two.xml || fail "a platform"
end_of() { # of a replay of $1 with the options behind it
    local trace=$1
    shift
    pgasim replay --quiet -platform two.xml --json end.json "$@" "$trace" || fail "$trace: status $?"
    python3 -c 'import json; print("%.9g" % json.load(open("end.json"))["simulated_seconds"])'
}
second=40e9 # flops of a core of this platform

# Three computations of a second on two cores; a thread is made, waits, is woken.
cat >cores <<T
# pgasim trace of calls 1, ranks: 1
0 MPI_Init
0 thread_create 2
0 thread_create 3
0.2 compute $second
0.3 compute $second
0 compute $second
0 thread_wait 3
0 thread_join 2
0.2 thread_end
0.3 thread_wake 1
0.3 thread_end
0 MPI_Finalize
T
[ "$(end_of cores --set thread/create-cost=0 --set thread/wake-cost=0)" = 1.5 ] || fail "cores: $(cat end.json)"
[ "$(end_of cores --set thread/create-cost=1s --set thread/wake-cost=0.25s)" = 3.25 ] || fail "costs: $(cat end.json)"
expect 0 'ranks have 2 further threads' pgasim trace-info cores

# A waking is kept until its thread waits for it; one thread's is not another one's.
cat >kept <<T
# pgasim trace of calls 1, ranks: 1
0 thread_create 2
0 thread_create 3
0 sleep 5
0 thread_wait 2
0 thread_wait 3
0.2 sleep 1
0.2 thread_wake 1
0.2 thread_end
0.3 sleep 9
0.3 thread_wake 1
0.3 thread_end
T
[ "$(end_of kept --set thread/create-cost=0 --set thread/wake-cost=0)" = 9 ] || fail "kept: $(cat end.json)"

# Of another rank; a thread ends its rank, whose first one never would; a thread's number is used again.
cat >ends <<T
# pgasim trace of calls 1, ranks: 2
0 thread_create 2
0 thread_join 2
0 thread_create 2
0 thread_join 2
0 thread_create 2
0 thread_wait 1.1
0.2 repeat 2
0.2 sleep 1
0.2 thread_end
0.2 end
0.2 sleep 1
0.2 thread_wake 1.1
0.2 thread_exit
1 thread_wait 0.2
T
[ "$(end_of ends --set thread/create-cost=0 --set thread/wake-cost=1s)" = 4 ] || fail "ends: $(cat end.json)"
pgasim convert ends again.calls || fail "convert: status $?"
[ "$(end_of again.calls --set thread/create-cost=0 --set thread/wake-cost=1s)" = 4 ] || fail "again: $(cat again.calls)"
expect 0 'actions of further threads: left out|actions of further threads.*left out' pgasim convert --to ti ends ends.ti

cat >stuck <<T
# pgasim trace of calls 1, ranks: 1
0 thread_create 2
0 thread_wait 2
0.2 sleep 1
0.2 thread_wait 1
T
expect 3 'thread 2, which woke it in the recorded run' pgasim replay stuck
expect 3 'thread 2 plays line 5 of the trace: thread_wait' pgasim replay stuck
expect 2 'cannot be extrapolated: expected a trace in which each rank has one thread' pgasim replay --extrapolate 4 stuck
expect 2 'typical computation is of traces in which each rank has one thread' pgasim replay --compute-typical stuck
printf '[{"trace": "ends", "hosts": ["node-0", "node-1"]}]\n' >jobs.json
expect 2 'rank 0 is ended by a thread that is not its first one' pgasim replay -platform two.xml --jobs jobs.json
printf '[{"trace": "cores", "hosts": ["node-1"]}, {"trace": "kept", "hosts": ["node-0"]}]\n' >jobs.json
expect 0 '' pgasim replay -platform two.xml --jobs jobs.json
printf '0 init\n0.2 repeat 2\n0.2 sleep 1\n' >wrong
expect 2 'wrong:3: a further thread of a rank: expected the end of a repeat' pgasim replay wrong

cat >threads.c <<'C'
#include <mpi.h>
#include <pgasim.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rank, other;
static void *work(void *arg)
{
    int tag = (int)(long)arg, value = 0;
    for (int k = 0; k < 20; k++) {
        pthread_mutex_lock(&lock);
        pgasim_compute_flops(1e6);
        pthread_mutex_unlock(&lock);
        MPI_Sendrecv(&tag, 1, MPI_INT, other, tag, &value, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}
int main(void)
{
    int level;
    pthread_t thread[3];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (long k = 0; k < 3; k++)
        pthread_create(&thread[k], NULL, work, (void *)k);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    MPI_Finalize();
    return 0;
}
C
pgasim cc -pthread threads.c -o threads || fail "threads.c does not compile"
run="pgasim run --quiet --compute=off -np 2 -platform two.xml"
$run --json run.json --record-ti calls.zst --trace t.pgt --trace-kinds default,replay ./threads || fail "run: status $?"
seconds() { python3 -c 'import json, sys; print(repr(json.load(open(sys.argv[1]))["simulated_seconds"]))' "$1"; }
pgasim convert t.pgt from_pgt.calls || fail "convert: status $?"
for trace in calls.zst t.pgt from_pgt.calls; do
    pgasim replay --quiet -platform two.xml --json play.json "$trace" || fail "$trace: status $?"
    [ "$(seconds run.json)" = "$(seconds play.json)" ] || fail "$trace: $(seconds run.json), $(seconds play.json)"
done
# elsewhere, in the recorded order
expect 0 '' pgasim replay --set thread/wake-cost=1ms --compute-scale 0.01 calls.zst
finish
