// SPDX-License-Identifier: BSD-3-Clause
// sat_mixture: random programs of what sat_random leaves out. Writers of different bytes of one chunk, all of which
// arrive (multiple-writer); chunks that are bound to locks (entry); memory of the program's own, which PUT publishes
// as a whole and nothing else changes (MAP); notices, as many as there are writing scopes. Everybody sees a chunk
// go forward only.
//
// Arguments: first seed, programs, perhaps an order in which a process receives (sat_order.h). Prints the seed of what
// fails. Each program is a life of the S-DSM.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// run: --leaks --compute=off -np 4 -- 1 10
// stdout: 10 programs are right
// stderr-match: leaks: none
// unsanitized: it watches the blocks itself
// run: --compute=off -np 7 -- 100 6 --sat-servers=3 --sat-handlers-in-calls
// stdout: 6 programs are right
// run: --compute=off -np 7 -- 200 6 --topology=$DIR/sat_random.xml
// stdout: 6 programs are right
// run: --compute=off -np 6 -- 300 4 down:0 --sat-servers=2
// stdout: 4 programs are right
// run: --compute=off -np 6 -- 400 4 turns:3 --sat-servers=2
// stdout: 4 programs are right
// run: --compute=off -np 6 -- 500 4 --sat-servers=3 --sat-check --sat-protocol=home-lazy=update
// stdout: 4 programs are right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sat.h>

#include "sat_order.h"

enum { EACH = 4, WORDS = 24, STEPS = 80, MOST = 16 }; // EACH: chunks of each kind

static const char *const exclusive[EACH] = {"home-mesi", "home-lazy", "update", "migratory"};
static unsigned long seed, state;
static int me, clients; /* this client's number from 0 on */
static Chunk_t *shared[EACH], *guarded[EACH], *topics[EACH], *mapped[EACH];
static long memory[EACH][WORDS];
static long seen[EACH][MOST], locked[EACH], put[EACH][MOST]; /* the newest that was seen of each client */
static long mine[3][EACH], totals[3][EACH];                  /* scopes that wrote shared, guarded, topics */
static long notices[EACH];
static int ended; /* totals are known */

static unsigned long draw(unsigned long n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % n;
}

static void expect(const char *what, int k, int holds, long is, long expected)
{
    if (holds)
        return;
    printf("seed %lu: client %d, chunk %d: %s: %ld, expected %ld\n", seed, me, k, what, is, expected);
    fflush(stdout);
    abort();
}

static Chunk_t *words(Consistency_t *c, int kind, int k, size_t n)
{
    unsigned long id = 100 * (unsigned long)kind + (unsigned long)k;
    return MALLOC_LST(c, UL_LIST(id), UL_LIST(n * sizeof(long)));
}

/* --- each kind ----------------------------------------------------------------------------------------- */

static void look_at_shared(int k)
{
    long *data = SAT_DATA(shared[k], long);
    expect("own words", k, data[me] == mine[0][k], data[me], mine[0][k]);
    for (int c = 0; c < clients; c++) {
        expect("an old word", k, data[c] >= seen[k][c], data[c], seen[k][c]);
        seen[k][c] = data[c];
    }
}

static void use_shared(int k)
{
    int writes = draw(2) == 0;
    if (writes && draw(2)) {
        WRITE(shared[k]);
    } else if (writes) {
        READWRITE(shared[k]);
    } else {
        READ(shared[k]);
    }
    look_at_shared(k);
    if (writes && draw(5)) {
        SAT_DATA(shared[k], long)[me] = ++mine[0][k];
        usleep((unsigned)draw(10));
    } else if (!writes && draw(2)) {
        SAT_DATA(shared[k], long)[draw(WORDS)] = -1; /* lost */
    }
    RELEASE(shared[k]);
}

static void use_guarded(int k)
{
    unsigned lock = (unsigned)k % 2;
    int writes = draw(2) == 0;
    if (writes) {
        sat_lock(lock);
        READWRITE(guarded[k]);
    } else {
        sat_lock_shared(lock);
        READ(guarded[k]);
    }
    long *data = SAT_DATA(guarded[k], long);
    expect("two halves", k, data[0] == -data[WORDS - 1], data[0], -data[WORDS - 1]);
    expect("an old value under a lock", k, data[0] >= locked[k], data[0], locked[k]);
    if (writes) {
        data[0]++;
        data[WORDS - 1]--;
        mine[1][k]++;
    }
    locked[k] = data[0];
    RELEASE(guarded[k]);
    sat_unlock(lock);
}

static void use_topic(int k)
{
    READWRITE(topics[k]);
    SAT_DATA(topics[k], long)[0]++;
    RELEASE(topics[k]);
    mine[2][k]++;
}

static void look_at_mapped(int k)
{
    long value = memory[k][0];
    for (int w = 1; w < WORDS; w++)
        expect("a part of a PUT", k, memory[k][w] == value, memory[k][w], value);
    expect("an old PUT", k, value / MOST >= put[k][value % MOST], value / MOST, put[k][value % MOST]);
    put[k][value % MOST] = value / MOST;
}

static void step(int maps);

static void use_mapped(int k)
{
    if (draw(2)) {
        GET(mapped[k]);
        look_at_mapped(k);
        return;
    }
    long value = ++put[k][me] * MOST + me;
    for (int w = 0; w < WORDS; w++)
        memory[k][w] = value;
    for (unsigned long n = draw(3); n; n--)
        step(0); /* of other chunks */
    for (int w = 0; w < WORDS; w++)
        expect("stores before PUT", k, memory[k][w] == value, memory[k][w], value);
    PUT(mapped[k]);
}

static void step(int maps)
{
    int k = (int)draw(EACH);
    switch (draw(maps ? 4 : 3)) {
    case 0:
        use_shared(k);
        break;
    case 1:
        use_guarded(k);
        break;
    case 2:
        use_topic(k);
        break;
    default:
        use_mapped(k);
    }
    if (draw(30) == 0) {
        FREE(shared[draw(EACH)]);
        FREE(guarded[draw(EACH)]);
        FREE(topics[draw(EACH)]);
    }
}

/* --- a program ----------------------------------------------------------------------------------------- */

static void on_notice(Chunk_t *chunk, void *params)
{
    long k = *(int *)params;
    if (++notices[k] == totals[2][k] && ended) {
        UNSUBSCRIBE(chunk);
    }
}

static void make_chunks(void)
{
    static int numbers[EACH];
    for (int k = 0; k < EACH; k++) {
        Consistency_t *c = sat_protocol(exclusive[k]);
        shared[k] = words(newMultipleWriter(), 1, k, WORDS);
        guarded[k] = words(newEntry(), 2, k, WORDS);
        sat_bind((unsigned)k % 2, guarded[k]);
        topics[k] = words(c, 3, k, 1 + (size_t)k * 300);
        MAP(mapped[k], c, 400 + (unsigned long)k, sizeof memory[k], memory[k]);
        numbers[k] = k;
        SUBSCRIBE(topics[k], on_notice, &numbers[k]);
    }
}

/* How many writing scopes there were of each chunk. */
static void add_up(void)
{
    Chunk_t *all = words(newMigratory(), 5, 0, 3 * EACH);
    READWRITE(all);
    for (int k = 0; k < 3 * EACH; k++)
        SAT_DATA(all, long)[k] += mine[k / EACH][k % EACH];
    RELEASE(all);
    barrier(1, clientGetClientNr());
    READ(all);
    memcpy(totals, all->data, sizeof totals);
    RELEASE(all);
}

static void verify(void)
{
    for (int k = 0; k < EACH; k++) {
        long sum = 0;
        READ(shared[k]);
        look_at_shared(k);
        for (int c = 0; c < clients; c++)
            sum += SAT_DATA(shared[k], long)[c];
        RELEASE(shared[k]);
        expect("a lost word", k, sum == totals[0][k], sum, totals[0][k]);
        sat_lock_shared((unsigned)k % 2);
        READ(guarded[k]);
        long value = SAT_DATA(guarded[k], long)[0];
        RELEASE(guarded[k]);
        sat_unlock((unsigned)k % 2);
        expect("a lost update under a lock", k, value == totals[1][k], value, totals[1][k]);
        READ(topics[k]);
        value = SAT_DATA(topics[k], long)[0];
        RELEASE(topics[k]);
        expect("a lost update", k, value == totals[2][k], value, totals[2][k]);
        GET(mapped[k]);
        look_at_mapped(k);
    }
}

static void client(_SAT_Bootstrap_t *b)
{
    me = b->id - b->nservers;
    clients = b->nclients;
    state = seed * 0x9e3779b97f4a7c15u + (unsigned long)me * 77 + 1;
    make_chunks();
    barrier(1, clientGetClientNr());
    for (int k = 0; k < STEPS; k++)
        step(1);
    add_up();
    verify();
    barrier(1, clientGetClientNr());
    ended = 1;
    for (int k = 0; k < EACH; k++)
        if (notices[k] == totals[2][k]) {
            UNSUBSCRIBE(topics[k]);
        }
}

static void clear(void)
{
    memset(memory, 0, sizeof memory);
    memset(seen, 0, sizeof seen);
    memset(locked, 0, sizeof locked);
    memset(put, 0, sizeof put);
    memset(mine, 0, sizeof mine);
    memset(totals, 0, sizeof totals);
    memset(notices, 0, sizeof notices);
    ended = 0;
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client, client};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 1; k < argc; k++)
        order_receive(argv[k]);
    unsigned long first = strtoul(argv[1], NULL, 10), programs = strtoul(argv[2], NULL, 10);
    for (seed = first; seed < first + programs; seed++) {
        clear();
        _SAT_BOOTSTRAP(roles, NULL, argc, argv);
        for (int k = 0; k < EACH; k++)
            expect("notices", k, notices[k] == totals[2][k], notices[k], totals[2][k]);
    }
    if (rank == 0)
        printf("%lu programs are right\n", programs);
    MPI_Finalize();
    return 0;
}
