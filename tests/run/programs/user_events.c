/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What pgasim.h gives libraries: events of types of their own, properties of the host, what a rank says in a
 * deadlock report. Times are the same with and without a trace.
 */
// run: -np 2 -platform $DIR/user_events.xml -- events
// stdout: 0: class fast, power 12, no more
// stdout: 1: class slow, power 5, no more
// stdout: 0: types 0 1 0, wanted 0
// stdout: 1: types 0 1 0, wanted 0
// run: -np 2 -platform $DIR/user_events.xml --trace $W/t.json -- events
// stdout-has: 1: types 0 1 0, wanted 1
// jobs: 2
// run: -np 2 -platform $DIR/user_events.xml --trace $W/t.json --trace-kinds calls -- events
// stdout-has: 1: types 0 1 0, wanted 0
// shell: $RUN --quiet --trace $W/t.json --trace $W/t.pgt --trace $W/t.paje -np 2 -platform $DIR/user_events.xml $EXE events >$W/out && grep -E -o '"ts":[0-9.]*,.*"(lock.granted|tick)".*' $W/t.json | sort && grep -c 'lock\.granted' $W/t.paje && $PGASIM profile $W/t.pgt >$W/p
// stdout: "ts":1000,"tid":1,"s":"t","cat":"mark","name":"lock.granted","args":{"lock":"0","waited":"-9223372036854775808"}},
// stdout: "ts":1000,"tid":1,"s":"t","cat":"mark","name":"tick"},
// stdout: "ts":1000,"tid":2,"s":"t","cat":"mark","name":"lock.granted","args":{"lock":"1","waited":"9223372036854775807"}},
// stdout: "ts":1000,"tid":2,"s":"t","cat":"mark","name":"tick"},
// stdout: 2
// misuse: warning misuse/event-type -np 2 -- twice
// misuse: warning misuse/event-type -np 1 -- many
// misuse: warning misuse/event-type -np 1 -- nameless
// run: -np 3 -- deadlock
// status: 3
// stderr-match: (?m)^  what rank 0 says:\n    rank 0 holds lock 7\n    and waits for \?\[1m lock 8\n  what rank 2 says:\n    rank 2 holds lock 9\n
// stderr-not: what rank 1 says
// run: -np 70 -- deadlock
// times: 1
// status: 3
// stderr-match: (?m)^  what rank 64 says:$
// stderr-match: (?m)^  5 more ranks were not asked$
// stderr-not: what rank 65 says
// run: -np 3 -- calls
// status: 3
// stderr-match: (?m)^  what rank 0 says:\n    now it calls\n    \(it ends here: it calls shmem_barrier_all, and may not make calls\)\n  what rank 1 says:\n    now it calls\n
// run: -np 3 -- crash
// status: 139
// stderr-match: rank 1 .* was ended by signal 11
// stderr-match: deadlock at
// stderr-match: (?m)^  what rank 0 says:\n    rank 0 holds
#include <pgasim.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long flag;
static int me, held;
static const char *how;

static void events(void)
{
    const char *class = pgasim_host_property("class"), *power = pgasim_host_property("power");
    for (int k = 0; k < 2; k++, shmem_barrier_all())
        if (k == me)
            printf("%d: class %s, power %s, %s\n", me, class, power,
                   pgasim_host_property("nothing") ? "and nothing" : "no more");
    int granted = pgasim_event_type("lock.granted", "lock waited"), tick = pgasim_event_type("tick", "");
    int again = pgasim_event_type("lock.granted", "lock waited");
    pgasim_compute_seconds(1e-3 - pgasim_time());
    const long long values[] = {me, me ? 9223372036854775807LL : -9223372036854775807LL - 1};
    pgasim_event(granted, values);
    pgasim_event(tick, NULL);
    pgasim_event(-1, values);
    pgasim_event(2, values);
    for (int k = 0; k < 2; k++, shmem_barrier_all())
        if (k == me)
            printf("%d: types %d %d %d, wanted %d\n", me, granted, tick, again, pgasim_event_wanted());
}

static void describe(char *text, size_t size)
{
    if (!strcmp(how, "calls")) {
        snprintf(text, size, "now it calls");
        shmem_barrier_all();
    } else if (!strcmp(how, "crash") && me == 1) {
        *(volatile int *)8 = 0;
    } else {
        snprintf(text, size, "rank %d holds lock %d%s", me, held,
                 me ? "" : "\nand waits for \033[1m lock 8\n");
    }
}

static void deadlock(void)
{
    held = 7 + me;
    pgasim_on_deadlock(describe);
    if (me == 1 && !strcmp(how, "deadlock"))
        pgasim_on_deadlock(NULL);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
}

int main(int argc, char **argv)
{
    how = argc > 1 ? argv[1] : "";
    shmem_init();
    me = shmem_my_pe();
    if (!strcmp(how, "events"))
        events();
    else if (!strcmp(how, "twice"))
        printf("%d\n", pgasim_event_type("a", me ? "x" : "y") >= 0);
    else if (!strcmp(how, "many"))
        printf("%d\n", pgasim_event_type("a", "1 2 3 4 5 6 7 8 9"));
    else if (!strcmp(how, "nameless"))
        printf("%d\n", pgasim_event_type(NULL, NULL));
    else
        deadlock();
    shmem_finalize();
    return 0;
}
