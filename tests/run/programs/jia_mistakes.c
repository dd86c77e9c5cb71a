// SPDX-License-Identifier: BSD-3-Clause
// What is said of programs that use JIAJIA's interface wrongly.
// build: $MPICC -g -O1 -Wall -Wextra -Werror "$SRC" -o $EXE -lsat
// run: -np 3 -- lock-twice
// status: 5
// stderr-match: sat: process 1: jia_lock: lock 3 is held by this process already
// run: -np 3 -- unlock
// status: 5
// stderr-match: sat: process \d: jia_unlock: lock 4 is not held by this process
// run: -np 3 -- barrier
// status: 5
// stderr-match: jia_barrier: lock 2 is held by this process; expected none
// run: -np 3 -- exit
// status: 5
// stderr-match: jia_exit: lock 2 is held by this process; expected none
// run: -np 3 -- negative
// status: 5
// stderr-match: jia_lock: lock -1: expected a number from 0 on
// run: -np 3 -- early
// status: 5
// stderr-match: sat: jia_barrier is called before jia_init
// run: -np 3 -- late
// status: 5
// stderr-match: sat: jia_lock is called after jia_exit
// run: -np 3 -- twice
// status: 5
// stderr-match: jia_init is called a second time
// run: -np 3 -- much
// status: 5
// stderr-match: jia_alloc: 2000000000 bytes, but only 1073737728 of the shared memory's 1073741824 are left; --sat-jia-memory=MiB
// run: -np 3 -- none
// status: 5
// stderr-match: jia_alloc2: a block of 0 bytes; expected 1 or more
// run: -np 3 -- piece
// status: 5
// stderr-match: jia_alloc3: a piece of -4 bytes; expected 1 or more
// run: -np 3 -- host
// status: 5
// stderr-match: jia_alloc2p: host 2; expected 0 to 1
// run: -np 3 -- differ
// status: 5
// stderr-match: jia_barrier: processes \d and \d have allocated shared memory differently
// run: -np 3 -- free-twice
// status: 5
// stderr-match: jia_free: 0x[0-9a-f]+ was freed before
// run: -np 3 -- free-inside
// status: 5
// stderr-match: jia_free: 0x[0-9a-f]+ is not the start of a block of shared memory
// run: -np 3 -- short
// status: 5
// stderr-match: jia_recv: a message of 8 bytes from host 1, tag 0, for which there is room for 4
// run: -np 3 -- error
// status: 1
// stderr-match: sat: process 1: the input is wrong: 42
// run: -np 3 -- beyond
// status: 139
// stderr-match: rank 1 .* was ended by signal 11 .* \(8192 bytes into the rank's view, in a page that it may not access\), in mistake, jia_mistakes.c:\d+
// run: -np 3 -- freed
// status: 139
// stderr-match: rank \d .* was ended by signal 11 .* \(0 bytes into the rank's view, .*, in mistake, jia_mistakes.c:\d+
// run: -np 3 -- after
// status: 5
// stderr-match: sat: an access to shared memory after jia_exit
// run: -np 3 -- stuck
// status: 3
// stderr-match: deadlock
// stderr-match: waits for lock 5 at jia_lock
// stderr-match: lock 5: held by process 1; waited for by process 2
// run: -np 3 -- apart
// status: 3
// stderr-match: barrier 0: 1 of 2 have come; waited for by process 1
// run: -np 2 -- none --sat-jia-memory=0
// status: 2
// stderr-match: --sat-jia-memory: "0", expected a number from 1 on
// run: -np 2 -- none --sat-jia-memory=99999999999
// status: 2
// stderr-match: --sat-jia-memory: 99999999999 MiB; expected at most \d+
// run: -np 1 -- none
// status: 2
// stderr-match: 1 process, and 1 of them servers: at least one more is needed
#include <jia.h>
#include <stdio.h>
#include <string.h>

static const char *what;

static int is(const char *name)
{
    return !strcmp(what, name);
}

static void mistake(int *at)
{
    if (is("lock-twice") && jiapid == 0) {
        jia_lock(3);
        jia_lock(3);
    } else if (is("unlock")) {
        jia_unlock(4);
    } else if (is("barrier")) {
        jia_lock(2);
        jia_barrier();
    } else if (is("exit")) {
        jia_lock(2);
        jia_exit();
    } else if (is("negative")) {
        jia_lock(-1);
    } else if (is("late")) {
        jia_exit();
        jia_lock(0);
    } else if (is("twice")) {
        jia_init(0, NULL);
    } else if (is("much")) {
        jia_alloc(2000000000);
    } else if (is("none")) {
        jia_alloc2(0, 1);
    } else if (is("piece")) {
        jia_alloc3(5000, -4, 0);
    } else if (is("host")) {
        jia_alloc2p(1, jiahosts);
    } else if (is("differ")) {
        jia_alloc2p(1, jiapid);
    } else if (is("free-twice")) {
        jia_free(at);
        jia_free(at);
    } else if (is("free-inside")) {
        jia_free(at + 1);
    } else if (is("short")) {
        char text[8] = "";
        if (jiapid == 1)
            jia_send(text, 8, 0, 0);
        else
            jia_recv(text, 4, 1, 0);
    } else if (is("error") && jiapid == 0) {
        jia_error("the input is wrong: %d", 42);
    } else if (is("beyond") && jiapid == 0) {
        at[2048] = 1;
    } else if (is("freed")) {
        jia_free(at);
        *at = 1;
    } else if (is("after")) {
        jia_exit();
        printf("%d\n", *at);
    } else if (is("stuck")) {
        if (jiapid == 1)
            jia_recv(NULL, 0, 0, 0);
        jia_lock(5);
        if (jiapid == 0) {
            jia_send(NULL, 0, 1, 0);
            jia_recv(NULL, 0, 1, 0);
        }
    } else if (is("apart") && jiapid == 1) {
        jia_recv(NULL, 0, 0, 0);
    }
    jia_barrier();
}

int main(int argc, char **argv)
{
    what = argc > 1 ? argv[1] : "";
    if (is("early"))
        jia_barrier();
    jia_init(argc, argv);
    mistake((int *)jia_alloc(100));
    jia_exit();
    return 0;
}
