// SPDX-License-Identifier: BSD-3-Clause
// sat_corners: where calls meet that seldom do: chains whose sizes are unknown, memory of the program's own that it
// changes outside of scopes, subscriptions that are in a hurry, questions while others wait.
//
// Processes 0 to 2 are servers, 3 to 5 clients. The chunks of `subscribed` have their home on server 1. Client 3, of
// server 0, may hear from it later than client 4, of server 2, and what follows from that.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// build: printf 'a\nb\nc\na\nc\nc\n' > hosts
// run: --compute=off -np 6 -- --topology $DIR/sat_corners_topology.xml
// stdout: all corners are clean
// run: --compute=off -np 6 -- --topology $DIR/sat_corners_topology.xml --sat-check
// stdout: all corners are clean
// run: --compute=off -np 6 -- --topology $DIR/sat_corners_topology.xml --sat-stats $W/stats
// stdout: all corners are clean
// run: --compute=off -np 6 -platform $DIR/sat_corners.xml -hostfile $W/hosts -- --topology $DIR/sat_corners_topology.xml
// stdout: all corners are clean
// run: --leaks --compute=off -np 6 -- turns:4 --topology $DIR/sat_corners_topology.xml
// stdout: all corners are clean
// stderr-match: leaks: none
// unsanitized: it watches the blocks itself
// run: --compute=off -np 6 -- down:0 --topology $DIR/sat_corners_topology.xml
// stdout: all corners are clean
// run: --compute=off -np 6 -- down:1 --topology $DIR/sat_corners_topology.xml
// stdout: all corners are clean
// run: --compute=off -np 6 -- up:2 --topology $DIR/sat_corners_topology.xml
// stdout: all corners are clean
// run: --compute=off -np 6 -- in-calls --topology $DIR/sat_corners_topology.xml --sat-handlers-in-calls
// stdout: all corners are clean
// run: --compute=off -np 6 -- --sat-servers 3 --sat-sleep-min 0
// stdout: all corners are clean
// run: --compute=off -np 6 -- --sat-servers 3 --sat-sleep-growth 1 --sat-sleep-min 1e-12
// stdout: all corners are clean
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sat.h>

#include "sat_order.h"

enum { WORDS = 8 };

static const char *const exclusive[] = {"home-mesi", "home-lazy", "update", "migratory"};
static int me; /* number of this client */
static unsigned long base;

static void both(void)
{
    barrier(1, clientGetClientNr());
}

static void expect(const char *what, long is, long expected)
{
    if (is == expected)
        return;
    printf("%s, base %lu: client %d has %ld, expected %ld\n", what, base, me, is, expected);
    fflush(stdout);
    abort();
}

static Chunk_t *words(Consistency_t *c, unsigned long id)
{
    return MALLOC_LST(c, UL_LIST(base + id), UL_LIST(WORDS * sizeof(long)));
}

/* A member of a chain whose sizes this client does not know: where it is depends on those before it. */
static void member(Consistency_t *c)
{
    unsigned long a = base + 1, b = base + 2, d = base + 3;
    if (me == 0) {
        Chunk_t *all = MALLOC_LST(c, UL_LIST(a, b, d), UL_LIST(1000, 24, 500));
        WRITE(all);
        for (int k = 0; k < 1524; k++)
            all->data[k] = (char)(k % 100);
        RELEASE(all);
    }
    both();
    if (me == 1) {
        Chunk_t *all = LOOKUP(c, base + 1, 3), *last = all->prev;
        READ(last);
        expect("member", last->data[0] * 1000 + last->data[499], 1024 % 100 * 1000 + 1523 % 100);
        RELEASE(last);
        READ(all);
        expect("chain", last->data - all->data, 1024);
        expect("chain's data", all->data[999] * 1000 + all->data[1000], 99 * 1000);
        RELEASE(all);
    }
    both();
}

/* What was stored in mapped memory is what PUT publishes, whatever has come from elsewhere in between. */
static void put_publishes(Consistency_t *c)
{
    static long mine[WORDS];
    Chunk_t *chunk;
    memset(mine, 0, sizeof mine);
    MAP(chunk, c, base + 10, sizeof mine, mine);
    GET(chunk);
    both();
    if (me == 0) {
        mine[1] = 7;
        PUT(chunk);
    } else if (me == 1) {
        mine[0] = 100;
        usleep(100000); /* the other one's new version comes */
    }
    both();
    if (me == 1) {
        PUT(chunk);
    }
    both();
    GET(chunk);
    expect("PUT", mine[0] * 10 + mine[1], 1000);
    both();
}

/* What is stored there after PUT is not published before the next one. */
static void put_only(Consistency_t *c)
{
    static long mine[WORDS];
    Chunk_t *chunk;
    memset(mine, 0, sizeof mine);
    MAP(chunk, c, base + 20, sizeof mine, mine);
    if (me == 0) {
        mine[0] = 1;
        PUT(chunk);
        mine[0] = 2;
        GET(chunk);
    }
    both();
    if (me == 1) {
        GET(chunk);
        expect("GET", mine[0], 1);
        mine[0] = 3;
    }
    both();
    if (me == 0) {
        GET(chunk);
        expect("GET, of what was not PUT", mine[0] != 3, 1);
        mine[0] = 4;
        PUT(chunk);
    }
    both();
    if (me == 1) {
        GET(chunk);
        expect("GET", mine[0], 4);
    }
    both();
}

/* The same under a lock, whose holder gives back what was written in scopes. */
static void put_under_a_lock(void)
{
    static long mine[WORDS];
    Chunk_t *chunk;
    memset(mine, 0, sizeof mine);
    MAP(chunk, newEntry(), base + 25, sizeof mine, mine);
    sat_bind(UINT_MAX, chunk);
    if (me == 0) {
        sat_lock(UINT_MAX);
        mine[0] = 1;
        PUT(chunk);
        mine[0] = 2;
        sat_unlock(UINT_MAX);
    }
    both();
    if (me == 1) {
        sat_lock_shared(UINT_MAX);
        GET(chunk);
        expect("GET under a lock", mine[0], 1);
        sat_unlock(UINT_MAX);
    }
    both();
}

/* A lock's data go to an instance whose place is known: not to a chain in which another chunk's size is not. */
static void bound_in_two_chains(void)
{
    Chunk_t *bound = words(newEntry(), 61);
    sat_bind(5, bound);
    if (me == 0) {
        sat_lock(5);
        WRITE(bound);
        SAT_DATA(bound, long)[0] = 61;
        RELEASE(bound);
        sat_unlock(5);
    }
    both();
    if (me == 1) {
        Chunk_t *two = LOOKUP(newEntry(), base + 60, 2);
        sat_lock_shared(5);
        READ(bound);
        expect("bound", SAT_DATA(bound, long)[0], 61);
        RELEASE(bound);
        sat_bind(6, words(newEntry(), 60)); /* now it is known */
        sat_lock(6);
        READ(two);
        expect("bound, in a chain", SAT_DATA(two, long)[WORDS], 61);
        RELEASE(two);
        sat_unlock(6);
        sat_unlock(5);
    }
    both();
}

/* --- subscriptions, questions -------------------------------------------------------------------------- */

/* Each subscription ends with its first notice; one that is lost keeps its client from ending. */
static void on_notice(Chunk_t *chunk, void *params)
{
    (void)params;
    UNSUBSCRIBE(chunk);
}

/* Who is subscribed hears of every later scope, also of a client that has the only copy and needs no messages. */
static void subscribed(Consistency_t *c, unsigned long id, int within)
{
    Chunk_t *chunk = MALLOC_LST(c, UL_LIST(id), UL_LIST(8));
    if (me == 0) {
        WRITE(chunk);
        RELEASE(chunk);
        if (within) {
            WRITE(chunk);
        }
        wakeup(2);
        rendezvous(5);
        if (!within) {
            WRITE(chunk);
        }
        RELEASE(chunk);
    } else if (me == 1) {
        rendezvous(2);
        SUBSCRIBE(chunk, on_notice, NULL);
        wakeup(5);
    }
}

/* A holder subscribes to its own scopes, from within one. */
static void subscribed_to_itself(Consistency_t *c)
{
    Chunk_t *chunk = words(c, 30);
    if (me == 0) {
        READWRITE(chunk);
        SUBSCRIBE(chunk, on_notice, NULL);
        RELEASE(chunk);
    }
    both();
}

/* Sizes and subscriptions are no scopes: who asks for them does not queue behind those who wait for one. */
static void questions(Consistency_t *c)
{
    Chunk_t *chunk = me == 0 ? words(c, 40) : NULL;
    if (me == 0) {
        WRITE(chunk);
        wakeup(6);
        wakeup(8);
        rendezvous(7);
        expect("the open scope's data", SAT_DATA(chunk, long)[0] = 9, 9);
        RELEASE(chunk);
    } else if (me == 2) {
        rendezvous(8);
        Chunk_t *it = LOOKUP(c, base + 40, 1);
        READ(it);
        expect("the closed scope's data", SAT_DATA(it, long)[0], 9);
        RELEASE(it);
    } else if (me == 1) {
        rendezvous(6);
        usleep(100000); /* the third one waits for a scope by now */
        Chunk_t *it = LOOKUP(c, base + 40, 1);
        expect("size", (long)sat_size(it), WORDS * sizeof(long));
        SUBSCRIBE(it, on_notice, NULL);
        UNSUBSCRIBE(it);
        wakeup(7);
        READ(it);
        expect("the closed scope's data", SAT_DATA(it, long)[0], 9);
        RELEASE(it);
    }
    both();
}

static int calls;

static void on_call(Chunk_t *chunk, void *params)
{
    (void)params;
    calls++;
    UNSUBSCRIBE(chunk);
}

/* With --sat-handlers-in-calls, they are called while a process waits without an open scope; else not here. */
static void called(Consistency_t *c, int in_calls)
{
    Chunk_t *chunk = words(c, 70), *other = words(c, 71);
    if (me == 1) {
        SUBSCRIBE(chunk, on_call, NULL);
        READ(other);
    }
    both();
    if (me == 0) {
        WRITE(chunk);
        RELEASE(chunk);
        usleep(100000); /* the notice has arrived */
    }
    both();
    if (me == 1) {
        expect("handlers within a scope", calls, 0);
        RELEASE(other);
    }
    usleep(1000);
    both();
    if (me == 1)
        expect("handlers in calls", calls, in_calls);
}

/* Notices go on to come when their subscription has ended, and the client that had it ends. */
static void unsubscribed(Consistency_t *c)
{
    Chunk_t *chunk = words(c, 50);
    if (me == 1) {
        SUBSCRIBE(chunk, on_notice, NULL);
    }
    both();
    for (int k = 0; k < 40 && me == 0; k++) {
        WRITE(chunk);
        RELEASE(chunk);
    }
}

static void client(_SAT_Bootstrap_t *b)
{
    me = b->id - 3;
    for (unsigned long k = 0; k < 4; k++) {
        Consistency_t *c = sat_protocol(exclusive[k]);
        base = 1000 * (k + 1);
        member(c);
        put_publishes(c);
        put_only(c);
        subscribed_to_itself(c);
        questions(c);
        subscribed(c, 3 * k + 1, 0);
        both();
        subscribed(c, 3 * k + 100, 1);
        both();
    }
    base = 9000;
    member(newMultipleWriter());
    put_only(newMultipleWriter());
    put_under_a_lock();
    bound_in_two_chains();
    called(newHomeBaseMESI(), b->argc > 1 && !strcmp(b->argv[1], "in-calls"));
    unsubscribed(newHomeBaseMESI());
    if (me == 0)
        puts("all corners are clean");
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client};
    for (int k = 1; k < argc; k++)
        order_receive(argv[k]);
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
