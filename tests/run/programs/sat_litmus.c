// SPDX-License-Identifier: BSD-3-Clause
// sat_litmus: small programs on the shared memory, one for each promise of a protocol, of synchronization and of
// publish-subscribe. Each ends with a sum that only legal executions have. By the adversary's seeds they must all
// end so, too (docs/sdsm.md).
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// run: --compute=off -np 5
// stdout: all litmus programs are right
// stdout: all handlers were called
// run: --compute=off -np 7 -- --sat-servers 3
// stdout: all litmus programs are right
// stdout: all handlers were called
// run: --compute=off -np 6 -- --sat-servers 2 --sat-check
// stdout: all litmus programs are right
// stdout: all handlers were called
// run: --compute=off -np 6 -- --sat-servers 2 --sat-handlers-in-calls
// stdout: all litmus programs are right
// stdout: all handlers were called
// run: --compute=off -np 6 -- --sat-servers 2 migratory
// stdout: all litmus programs are right
// stdout: all handlers were called
// run: --leaks --compute=off -np 6 -- --sat-servers 2 update
// stdout: all litmus programs are right
// stdout: all handlers were called
// stderr-match: leaks: none
// unsanitized: it watches the blocks itself
// run: --compute=off -np 6 -- --sat-servers 2 home-lazy down:1
// stdout: all litmus programs are right
// stdout: all handlers were called
// shell: $PGASIM check -np 6 --seeds 8 --same-output --compute=off $EXE --sat-servers 2 > $W/out && cat $W/out
// stdout: all litmus programs are right
// stdout: all handlers were called
// varies: the adversary's figures
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sat.h>

#include "sat_order.h"

enum { ROUNDS = 8, WORDS = 32 };

static int me, clients; /* the client's number from 0 on */
static unsigned long base;

static void all(void)
{
    barrier(1000, clientGetClientNr());
}

static void expect(const char *what, long is, long expected)
{
    if (is == expected)
        return;
    printf("%s: client %d has %ld, expected %ld\n", what, me, is, expected);
    fflush(stdout);
    abort();
}

static Chunk_t *words(Consistency_t *c, unsigned long id)
{
    return MALLOC_LST(c, UL_LIST(base + id), UL_LIST(WORDS * sizeof(long)));
}

/* Message passing: who sees the flag sees the data. */
static void message_passing(Consistency_t *c)
{
    Chunk_t *data = words(c, 1), *flag = words(c, 2);
    for (int k = 1; k <= ROUNDS; k++) {
        if (me == 0) {
            READWRITE(data);
            SAT_DATA(data, long)[3] = k;
            RELEASE(data);
            READWRITE(flag);
            SAT_DATA(flag, long)[0] = k;
            RELEASE(flag);
            wakeup(5);
            all();
            continue;
        }
        long seen;
        do { /* without sleeping: the copy must not stay old for ever */
            READ(flag);
            seen = SAT_DATA(flag, long)[0];
            RELEASE(flag);
            if (seen < k)
                usleep(2);
        } while (seen < k);
        READ(data);
        expect("message passing", SAT_DATA(data, long)[3], k);
        RELEASE(data);
        all();
    }
    if (me == 1) /* wake-ups that found nobody are one */
        rendezvous(5);
}

/* Store buffering: of two clients that write one flag and read the other, one sees the other's. */
static void store_buffering(Consistency_t *c)
{
    Chunk_t *mine = words(c, 10 + (unsigned long)me % 2), *other = words(c, 11 - (unsigned long)me % 2);
    Chunk_t *sum = words(newHomeBaseLazy(), 12);
    if (me < 2) {
        WRITE(mine);
        memset(mine->data, 0, WORDS * sizeof(long));
        SAT_DATA(mine, long)[0] = 1;
        RELEASE(mine);
        READ(other);
        long seen = SAT_DATA(other, long)[0];
        RELEASE(other);
        READWRITE(sum);
        SAT_DATA(sum, long)[0] += seen;
        RELEASE(sum);
    }
    all();
    READ(sum);
    expect("store buffering", SAT_DATA(sum, long)[0] >= 1, 1);
    RELEASE(sum);
    all();
}

/* No update is lost, and both stores of a scope are seen together. */
static void counter(Consistency_t *c)
{
    Chunk_t *count = words(c, 20);
    for (int k = 0; k < ROUNDS; k++) {
        READWRITE(count);
        SAT_DATA(count, long)[0]++;
        SAT_DATA(count, long)[WORDS - 1]--;
        RELEASE(count);
        READ(count);
        expect("counter, in a scope", SAT_DATA(count, long)[0] + SAT_DATA(count, long)[WORDS - 1], 0);
        SAT_DATA(count, long)[0] = -1; /* lost */
        RELEASE(count);
    }
    all();
    READ(count);
    expect("counter", SAT_DATA(count, long)[0], (long)clients * ROUNDS);
    RELEASE(count);
    all();
}

/* Two of each pair write different words of one chunk at a time. */
static void multiple_writers(void)
{
    Chunk_t *c = words(newMultipleWriter(), 30);
    for (int k = 1; k <= ROUNDS; k++) {
        WRITE(c);
        SAT_DATA(c, long)[me] += k;
        usleep(5);
        RELEASE(c);
        all();
        READ(c);
        for (int other = 0; other < clients; other++)
            expect("multiple writers", SAT_DATA(c, long)[other], k * (k + 1) / 2);
        RELEASE(c);
        all();
    }
}

/* Who is told by a wake-up sees what was merged before. */
static void merged_before_wakeup(void)
{
    Chunk_t *c = words(newMultipleWriter(), 31);
    if (me == 0) {
        WRITE(c);
        SAT_DATA(c, long)[7] = 77;
        RELEASE(c);
        wakeup(6);
    } else if (me == 1) {
        rendezvous(6);
        READ(c);
        expect("merged before the wake-up", SAT_DATA(c, long)[7], 77);
        RELEASE(c);
    }
    all();
}

/* The data come with the lock. */
static void entry(void)
{
    Chunk_t *a = words(newEntry(), 40), *b = words(newEntry(), 41);
    sat_bind(9, a);
    sat_bind(9, b);
    for (int k = 0; k < ROUNDS; k++) {
        sat_lock(9);
        READWRITE(a);
        SAT_DATA(a, long)[me]++;
        RELEASE(a);
        READWRITE(b);
        SAT_DATA(b, long)[0]++;
        RELEASE(b);
        sat_unlock(9);
        sat_lock_shared(9);
        READ(a);
        READ(b);
        long sum = 0;
        for (int other = 0; other < clients; other++)
            sum += SAT_DATA(a, long)[other];
        expect("entry, shared", sum, SAT_DATA(b, long)[0]);
        RELEASE(a);
        RELEASE(b);
        sat_unlock(9);
    }
    all();
    sat_lock_shared(9);
    READ(b);
    expect("entry", SAT_DATA(b, long)[0], (long)clients * ROUNDS);
    RELEASE(b);
    sat_unlock(9);
    all();
}

/* A lock is one writer's, or some readers'. Who has it is noted in a chunk of its own. */
static void exclusion(void)
{
    Chunk_t *inside = words(newHomeBaseLazy(), 45);
    enum { WRITERS, READERS };
    for (int k = 0; k < ROUNDS; k++) {
        int writes = (me + k) % 3 == 0;
        if (writes) {
            sat_lock(10);
        } else {
            sat_lock_shared(10);
        }
        READWRITE(inside);
        SAT_DATA(inside, long)[writes ? WRITERS : READERS]++;
        expect("writers with the lock", SAT_DATA(inside, long)[WRITERS], writes);
        expect("readers beside a writer", writes && SAT_DATA(inside, long)[READERS], 0);
        RELEASE(inside);
        usleep(20);
        READWRITE(inside);
        SAT_DATA(inside, long)[writes ? WRITERS : READERS]--;
        RELEASE(inside);
        sat_unlock(10);
    }
    all();
}

static void write_once(void)
{
    Chunk_t *c = words(newWriteOnce(), 50);
    if (me == clients - 1) {
        usleep(20);
        WRITE(c);
        for (int k = 0; k < WORDS; k++)
            SAT_DATA(c, long)[k] = k;
        RELEASE(c);
    }
    for (int k = 0; k < 3; k++) {
        READ(c); /* waits for the first version */
        expect("write-once", SAT_DATA(c, long)[WORDS - 1], WORDS - 1);
        SAT_DATA(c, long)[WORDS - 1] = 0;
        RELEASE(c);
    }
    all();
}

static void private_data(void)
{
    Chunk_t *c = words(newPrivate(), 60 + (unsigned long)me);
    for (int k = 0; k < ROUNDS; k++) {
        READWRITE(c);
        SAT_DATA(c, long)[0] += me;
        RELEASE(c);
        READ(c);
        SAT_DATA(c, long)[0] = -1;
        RELEASE(c);
    }
    READ(c);
    expect("private", SAT_DATA(c, long)[0], (long)me * ROUNDS);
    RELEASE(c);
    all();
}

/* A chunk in two chains of one client: a write to one instance is one to the other. */
static void instances(Consistency_t *c)
{
    unsigned long a = base + 80, b = base + 81, d = base + 82;
    Chunk_t *one = MALLOC_LST(c, UL_LIST(a, b), UL_LIST(8)),
            *two = MALLOC_LST(c, UL_LIST(d, b, a), UL_LIST(8));
    if (me == 0) {
        WRITE(one);
        SAT_DATA(one, long)[0] = 5;
        SAT_DATA(one, long)[1] = 6;
        RELEASE(one);
        READ(two);
        expect("instances", SAT_DATA(two, long)[1] * 10 + SAT_DATA(two, long)[2], 65);
        RELEASE(two);
        WRITE(two->next);
        SAT_DATA(two->next, long)[0] = 7;
        RELEASE(two->next);
    }
    all();
    READ(one);
    expect("instances, elsewhere", SAT_DATA(one, long)[0] * 10 + SAT_DATA(one, long)[1], 57);
    RELEASE(one);
    expect("the same chain", MALLOC_LST(c, UL_LIST(a, b), UL_LIST(8)) == one, 1);
    all();
}

static void large(void)
{
    size_t size = 50000;
    unsigned n = (unsigned)((size + 4095) / 4096);
    if (me == 0) {
        Chunk_t *c = MALLOC(newHomeBaseMESI(), base + 100, size);
        WRITE(c);
        memset(c->data, 0, size);
        for (size_t k = 0; k < size / sizeof(int); k++)
            SAT_DATA(c, int)[k] = (int)k;
        RELEASE(c);
    }
    all();
    Chunk_t *c = LOOKUP(newHomeBaseMESI(), base + 100, n);
    READ(c);
    long sum = 0;
    for (size_t k = 0; k < size / sizeof(int); k++)
        sum += SAT_DATA(c, int)[k];
    RELEASE(c);
    expect("large", sum, (long)(size / 4) * (long)(size / 4 - 1) / 2);
    expect("size", (long)sat_size(c->prev), (long)(size % 4096));
    UnsignedLongList_t *one = UL_LIST(base + 200),
                       *huge = UL_LIST(300000); /* data in a message of their own */
    Chunk_t *h = MALLOC_LST(newUpdate(), one, huge);
    for (int k = 0; k < 3; k++) {
        READWRITE(h);
        for (int at = 0; at < 300000; at += 1000)
            h->data[at]++;
        RELEASE(h);
    }
    all();
    READ(h);
    for (int at = 0; at < 300000; at += 1000)
        expect("huge", h->data[at], 3 * clients);
    RELEASE(h);
    all();
}

static void symbols(void)
{
    char name[64], text[128];
    initSymbolicTable(sdsm);
    for (int k = 0; k < 5; k++) {
        snprintf(name, sizeof name, "uuid-%lu-%d-%d", base, k, me);
        snprintf(text, sizeof text, "%s is the value of client %d", name, me);
        writeSymbol(sdsm, name, text, strlen(text) + 1);
        snprintf(name, sizeof name, "uuid-%lu-%d-%d", base, k, (me + 1) % clients);
        snprintf(text, sizeof text, "%s is the value of client %d", name, (me + 1) % clients);
        void *value = NULL;
        size_t size = 0;
        readSymbol(sdsm, name, &value, &size); /* waits until there is one */
        expect("symbol", strcmp(value, text), 0);
        expect("symbol's size", (long)size, (long)strlen(text) + 1);
        free(value);
    }
    all();
}

/* --- publish-subscribe --------------------------------------------------------------------------------- */

static int notices, signals;
static Chunk_t *topic;

static void on_topic(Chunk_t *c, void *params)
{
    READ(c);
    long value = SAT_DATA(c, long)[0];
    RELEASE(c);
    expect("publish: never older than the notice", value >= ++notices, 1);
    if (notices < *(int *)params)
        return;
    expect("publish", value, *(int *)params);
    UNSUBSCRIBE(c);
}

static void on_signal(unsigned id, void *params)
{
    (void)params;
    if (++signals == clients)
        UNSUBSCRIBE_SIGNAL(id);
}

static int due;

/* Handlers run when the role's function has returned. */
static void publish(Consistency_t *c)
{
    due = clients * ROUNDS;
    topic = words(c, 90);
    SUBSCRIBE(topic, on_topic, &due);
    SUBSCRIBE_SIGNAL(3, on_signal, NULL);
    all();
    for (int k = 0; k < ROUNDS; k++) {
        READWRITE(topic);
        SAT_DATA(topic, long)[0]++;
        RELEASE(topic);
    }
    SIGNAL(3);
}

static void client(_SAT_Bootstrap_t *b)
{
    static const char *const names[] = {"home-mesi", "home-lazy", "update", "migratory"};
    clients = b->nclients;
    me = b->id - b->nservers;
    for (int k = 0; k < 4; k++) {
        Consistency_t *c = sat_protocol(names[k]);
        base = 1000ul * (unsigned long)(k + 1);
        message_passing(c);
        store_buffering(c);
        counter(c);
        instances(c);
    }
    multiple_writers();
    merged_before_wakeup();
    entry();
    exclusion();
    write_once();
    private_data();
    large();
    symbols();
    all();
    if (me == 0)
        puts("all litmus programs are right");
    publish(sat_protocol(b->argc > 1 ? b->argv[1] : "home-mesi"));
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client};
    for (int k = 1; k < argc; k++)
        order_receive(argv[k]);
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    if (clients) {
        if (notices != due || signals != clients) {
            printf("%d of %d notices, %d of %d signals\n", notices, due, signals, clients);
            return 1;
        }
        if (me == 0)
            puts("all handlers were called");
    }
    return 0;
}
