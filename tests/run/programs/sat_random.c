// SPDX-License-Identifier: BSD-3-Clause
// sat_random: random programs on the shared memory (sat.h), each compared with what scope consistency allows.
//
// Every chunk holds a count of its writing scopes and, for every chunk, the count that its last writer had seen of
// it. A reader checks that the content is whole (all of it by one writer), that no count is less than what it has
// seen itself or has read of: so effects are seen in causal order, across chunks and protocols. At the end each
// chunk's count must be the number of its writing scopes: no update is lost.
//
// Arguments: protocol ("mixed": all that exclude writers), first seed, programs, perhaps an order in which a process
// receives (sat_order.h). Prints the seed of what fails.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// run: --leaks --compute=off -np 5 -- mixed 1 12
// stdout: mixed: 12 programs are right
// stderr-match: leaks: none
// unsanitized: it watches the blocks itself
// run: --compute=off -np 6 -- mixed 100 8 --sat-servers 2
// stdout: mixed: 8 programs are right
// run: --compute=off -np 9 -- home-mesi 1 8 --sat-servers=3
// stdout: home-mesi: 8 programs are right
// run: --compute=off -np 7 -- home-lazy 1 8 --sat-servers=3
// stdout: home-lazy: 8 programs are right
// run: --compute=off -np 7 -- update 1 8 --sat-servers=3
// stdout: update: 8 programs are right
// run: --compute=off -np 7 -- migratory 1 8 --sat-servers=3
// stdout: migratory: 8 programs are right
// run: --compute=off -np 7 -- mixed 400 4 down:0 --sat-servers=3
// stdout: mixed: 4 programs are right
// run: --compute=off -np 7 -- mixed 500 4 up:1 --sat-servers=3
// stdout: mixed: 4 programs are right
// run: --compute=off -np 7 -- mixed 600 4 turns:5 --sat-servers=3
// stdout: mixed: 4 programs are right
// run: --compute=off -np 7 -- mixed 200 8 --sat-servers=3 --topology=$DIR/sat_random.xml
// stdout: mixed: 8 programs are right
// run: --compute=off -np 7 -- mixed 300 8 --sat-servers=2 --sat-check
// stdout: mixed: 8 programs are right
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sat.h>

#include "sat_order.h"

enum { CHUNKS = 12, ALIKE = 6, STEPS = 60, PAD = 40 }; /* chunks from ALIKE on have one protocol */

struct content {
    unsigned long count, writer, step;
    unsigned long seen[CHUNKS];
    unsigned long fill[]; /* count * 1000 + writer, all of it */
};

static const char *wanted;
static unsigned long seed, first, programs;
static Chunk_t *chunks[CHUNKS], *chains[3];
static unsigned long seen[CHUNKS], written[CHUNKS];
static unsigned long state;
static int me;

static unsigned long draw(unsigned long n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % n;
}

static void fail(const char *what, int chunk, unsigned long is, unsigned long expected)
{
    printf("seed %lu: process %d, chunk %d: %s: %lu, expected %lu\n", seed, me, chunk, what, is, expected);
    fflush(stdout);
    abort();
}

static unsigned long fills(int k)
{
    return 1 + (unsigned long)(k * PAD) % 400;
}

static size_t bytes_of(int k)
{
    return sizeof(struct content) + fills(k) * sizeof(unsigned long);
}

static Consistency_t *consistency_of(int k)
{
    k = k < ALIKE ? k : ALIKE;
    static const char *const names[] = {"home-mesi", "home-lazy", "update", "migratory"};
    Consistency_t *c = sat_protocol(strcmp(wanted, "mixed") ? wanted : names[(seed + (unsigned long)k) % 4]);
    switch ((seed / 4 + (unsigned long)k) % 4) {
    case 1:
        return sat_with_home(c, SAT_HOME_FIRST_TOUCH, 0);
    case 2:
        return sat_with_home(c, SAT_HOME_CYCLIC, 3);
    case 3:
        return sat_with_home(c, SAT_HOME_NAMED, (unsigned long)sat_server_count() - 1);
    default:
        return c;
    }
}

static unsigned long id_of(int k)
{
    return seed * 100 + (unsigned long)k * 7 % CHUNKS;
}

static void check(int k, const struct content *c)
{
    if (c->count < seen[k])
        fail("an old version", k, c->count, seen[k]);
    for (unsigned long f = 0; f < fills(k); f++)
        if (c->fill[f] != (c->count ? c->count * 1000 + c->writer : 0))
            fail("torn content", k, c->fill[f], c->count * 1000 + c->writer);
    seen[k] = c->count;
    for (int other = 0; other < CHUNKS; other++)
        if (c->seen[other] > seen[other])
            seen[other] = c->seen[other];
}

static void change(int k, struct content *c, unsigned long count)
{
    c->count = count;
    c->writer = (unsigned long)me;
    seen[k] = count;
    for (unsigned long f = 0; f < fills(k); f++)
        c->fill[f] = count * 1000 + c->writer;
    memcpy(c->seen, seen, sizeof seen);
    written[k]++;
}

static void linger(void)
{
    if (draw(4) == 0)
        usleep((unsigned)draw(30));
}

static void update(Chunk_t *c, int k)
{
    check(k, SAT_DATA(c, struct content));
    linger();
    change(k, SAT_DATA(c, struct content), SAT_DATA(c, struct content)->count + 1);
}

static void one(int k)
{
    Chunk_t *c = chunks[k];
    switch (draw(5)) {
    case 0:
        READWRITE(c);
        update(c, k);
        RELEASE(c);
        break;
    case 1: /* what is stored in a reading scope is lost */
        READ(c);
        check(k, SAT_DATA(c, struct content));
        SAT_DATA(c, struct content)->fill[draw(fills(k))] = 999;
        RELEASE(c);
        break;
    default:
        READ(c);
        check(k, SAT_DATA(c, struct content));
        linger();
        check(k, SAT_DATA(c, struct content));
        RELEASE(c);
    }
}

/* A chain is some of the chunks that are alike, in an order of its own. */
static int member(int chain, int at)
{
    return ALIKE + (at * 5 + chain * 2) % (CHUNKS - ALIKE);
}

static void many(int chain)
{
    Chunk_t *c = chains[chain];
    int writes = draw(3) == 0, n = 3 + chain;
    if (writes) {
        READWRITE(c);
    } else {
        READ(c);
    }
    Chunk_t *at = c;
    for (int k = 0; k < n; k++, at = at->next)
        check(member(chain, k), SAT_DATA(at, struct content));
    for (int k = 0; k < n && writes; k++, at = at->next)
        change(member(chain, k), SAT_DATA(at, struct content), SAT_DATA(at, struct content)->count + 1);
    RELEASE(c);
}

static void allocate(void)
{
    for (int k = 0; k < CHUNKS; k++) {
        UnsignedLongList_t *id = UL_LIST(id_of(k)), *size = UL_LIST(bytes_of(k));
        chunks[k] = MALLOC_LST(consistency_of(k), id, size);
    }
    for (int chain = 0; chain < 3; chain++) {
        unsigned long ids[CHUNKS], sizes[CHUNKS];
        for (int k = 0; k < 3 + chain; k++) {
            ids[k] = id_of(member(chain, k));
            sizes[k] = bytes_of(member(chain, k));
        }
        chains[chain] = MALLOC_LST(consistency_of(ALIKE), sat_list(3 + (size_t)chain, ids),
                                   sat_list(3 + (size_t)chain, sizes));
    }
}

static void total(int k)
{
    static const unsigned long base = 1ul << 40;
    UnsignedLongList_t *id = UL_LIST(base + seed * 100 + (unsigned long)k),
                       *size = UL_LIST(sizeof(unsigned long));
    Chunk_t *sum = MALLOC_LST(newMigratory(), id, size);
    READWRITE(sum);
    *SAT_DATA(sum, unsigned long) += written[k];
    RELEASE(sum);
}

static void verify(int k)
{
    static const unsigned long base = 1ul << 40;
    Chunk_t *sum = LOOKUP(newMigratory(), base + seed * 100 + (unsigned long)k, 1);
    READ(sum);
    unsigned long expected = *SAT_DATA(sum, unsigned long);
    RELEASE(sum);
    READ(chunks[k]);
    check(k, SAT_DATA(chunks[k], struct content));
    if (SAT_DATA(chunks[k], struct content)->count != expected)
        fail("a lost update", k, SAT_DATA(chunks[k], struct content)->count, expected);
    RELEASE(chunks[k]);
}

static void program(void)
{
    memset(seen, 0, sizeof seen);
    memset(written, 0, sizeof written);
    state = seed * 0x9e3779b97f4a7c15u + (unsigned long)me * 77 + 1;
    allocate();
    for (int step = 0; step < STEPS; step++) {
        if (draw(40) == 0)
            FREE(chunks[draw(CHUNKS)]);
        if (draw(5) == 0)
            many((int)draw(3));
        else
            one((int)draw(CHUNKS));
    }
    for (int k = 0; k < CHUNKS; k++)
        total(k);
    barrier(7, clientGetClientNr());
    for (int k = 0; k < CHUNKS; k++)
        verify(k);
    barrier(7, clientGetClientNr());
}

static void client(_SAT_Bootstrap_t *b)
{
    assert(b->argc == 4 || b->argc == 5);
    wanted = b->argv[1];
    first = strtoul(b->argv[2], NULL, 10);
    programs = strtoul(b->argv[3], NULL, 10);
    me = b->id;
    for (seed = first; seed < first + programs; seed++)
        program();
    if (me == b->np - 1)
        printf("%s: %lu programs are right\n", wanted, programs);
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client};
    for (int k = 1; k < argc; k++)
        order_receive(argv[k]);
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
