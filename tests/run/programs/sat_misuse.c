// SPDX-License-Identifier: BSD-3-Clause
// sat_misuse: wrong calls end the run with one message that names process, line and what was expected, and status
// 5; wrong options and topologies with status 2; a deadlock is explained: who has what open, who waits for it.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// run: --compute=off -np 3 -- nested
// status: 5
// stderr-match: sat: process 1: .*sat_misuse.c:[0-9]+: READ of chunk 7, which has an open scope: WRITE at sat_misuse.c:[0-9]+
// run: --compute=off -np 3 -- unopened
// status: 5
// stderr-match: sat: process 1: .*sat_misuse.c:[0-9]+: RELEASE of chunk 7, which has no open scope
// run: --compute=off -np 3 -- twice
// status: 5
// stderr-match: RELEASE of chunk 7, which has no open scope; the last one was opened at sat_misuse.c:[0-9]+
// run: --compute=off -np 3 -- size
// status: 5
// stderr-match: sat: process 0: chunk 7 has (64|128) bytes by process [12] \(sat_misuse.c:[0-9]+\), and (64|128) by process [12] \(sat_misuse.c:[0-9]+\)
// run: --compute=off -np 3 -- own-size
// status: 5
// stderr-match: chunk 7 has 64 bytes by the call at sat_misuse.c:[0-9]+, and 128 here
// run: --compute=off -np 3 -- protocol
// status: 5
// stderr-match: chunk 7 has protocol (update|home-lazy) by process [12] \(sat_misuse.c:[0-9]+\), and (update|home-lazy) by process [12]
// run: --compute=off -np 3 -- barrier
// status: 5
// stderr-match: barrier 4 is of [23] processes by process [12] \(sat_misuse.c:[0-9]+\), and of [23] by process [12] \(sat_misuse.c:[0-9]+\)
// run: --compute=off -np 3 -- left-open
// status: 5
// stderr-match: the WRITE scope of chunk 7 is still open at the end of the process
// run: --compute=off -np 3 -- left-locked
// status: 5
// stderr-match: lock 2 is still held at the end of the process
// run: --compute=off -np 3 -- once
// status: 5
// stderr-match: chunk 7 of protocol write-once is written a second time
// run: --compute=off -np 3 -- private --sat-check
// status: 5
// stderr-match: chunk 7 of protocol private is used by process [12] here, and by process [12] at sat_misuse.c:[0-9]+
// run: --compute=off -np 3 -- unlocked
// status: 5
// stderr-match: READWRITE of chunk 7 without its lock, 2, or with a shared one
// run: --compute=off -np 3 -- bound-late
// status: 5
// stderr-match: chunk 7 is bound to lock 2, which this process holds: taken at sat_misuse.c:[0-9]+
// run: --compute=off -np 3 -- bound-null
// status: 5
// stderr-match: sat_misuse.c:[0-9]+: sat_bind of a chunk that is NULL
// run: --compute=off -np 3 -- freed-locked
// status: 5
// stderr-match: sat_misuse.c:[0-9]+: FREE of chunk 7, whose lock 2 this process holds
// run: --compute=off -np 3 -- freed-open
// status: 5
// stderr-match: sat_misuse.c:[0-9]+: FREE of chunk 7, whose chain has an open scope \(sat_misuse.c:[0-9]+\)
// run: --compute=off -np 3 -- freed-null
// status: 5
// stderr-match: sat_misuse.c:[0-9]+: FREE of a chunk that is NULL
// run: --compute=off -np 3 -- sized-null
// status: 5
// stderr-match: sat_misuse.c:[0-9]+: sat_size of a chunk that is NULL
// run: --compute=off -np 3 -- huge --sat-chunk-size=1
// status: 1
// stderr-match: sat: process 1: no memory for 9223372036854775808 times [0-9]+ bytes
// unsanitized: it reports such sizes itself
// run: --compute=off -np 3 -- huge-chain
// status: 1
// stderr-match: sat: process 1: no memory for a chain of 2 chunks
// run: --compute=off -np 3 -- empty
// status: 5
// stderr-match: chunk 7: an allocation of 0 bytes
// run: --compute=off -np 3 -- end
// status: 5
// stderr-match: pass the end of the logical space
// run: --compute=off -np 3 -- outside
// status: 5
// stderr-match: WRITE outside of the S-DSM's life
// run: --compute=off -np 3 -- reading --sat-check
// stdout: 0
// stderr-match: warning: chunk 7: bytes 8 to 9 were stored in a READ scope; they are lost
// run: --compute=off -np 3 -- unscoped --sat-check
// stdout: 0
// stderr-match: warning: chunk 7: bytes 3 to 3 were stored outside of a scope, after the one of sat_misuse.c:[0-9]+
// run: --compute=off -np 3 -- read-outside --sat-check
// status: 139
// stderr-match: was ended by signal 11 \(Segmentation fault\) at address 0x5 \(near NULL\), in check_mode, sat_misuse.c:[0-9]+
// run: --compute=off -np 3 -- cycle
// status: 3
// stderr-match: chunk 8@0 \(home-mesi, version 1\): written by process [12] \(sat_misuse.c:[0-9]+\); WRITE wanted by process [12] \(sat_misuse.c:[0-9]+\)
// stderr-match: waits for WRITE 8 at sat_misuse.c:[0-9]+
// stderr-match: has WRITE of chunk 7 open, from sat_misuse.c:[0-9]+
// run: --compute=off -np 3 -- asleep
// status: 3
// stderr-match: rendezvous 9: waited for by process 1 \(sat_misuse.c:[0-9]+\)
// stderr-match: waits for rendezvous 9 at sat_misuse.c:[0-9]+
// stderr-not: waits for (lock|chunk|READ)
// run: --compute=off -np 3 -- edge --sat-rendezvous=edge
// status: 3
// stderr-match: rendezvous 9: last woken at 0.00[0-9]+ s, when nobody slept; waited for by process 1
// run: --compute=off -np 3 -- locked
// status: 3
// stderr-match: lock 2: held by process 1 \(sat_misuse.c:[0-9]+\); waited for by process 2 \(sat_misuse.c:[0-9]+\)
// run: --compute=off -np 3 -- missing
// status: 3
// stderr-match: barrier 4: 1 of 2 have come; waited for by process 1
// run: --compute=off -np 3 -- subscribed
// status: 3
// stderr-match: waits for notifications: of chunk 7 \(sat_misuse.c:[0-9]+\)
// stderr-not: (?s)waits for notifications.*waits for notifications
// run: --compute=off -np 3 -- unknown
// status: 3
// stderr-match: chunk 7@0 \(home-lazy, version 0\): no scope is open; READ wanted by process 1 \(sat_misuse.c:[0-9]+\), whose size nobody has said
// run: --compute=off -np 1 -- nested
// status: 2
// stderr-match: 1 process, and 1 of them servers
// run: --compute=off -np 3 -- nested --sat-sleep-max=fast
// status: 2
// stderr-match: --sat-sleep-max: "fast", expected seconds
// run: --compute=off -np 3 -- nested --sat-colour
// status: 2
// stderr-match: --sat-colour: unknown option
// run: --compute=off -np 3 -- nested --sat-protocol=best
// status: 2
// stderr-match: --sat-protocol: "best" is unknown; expected home-mesi
// run: --compute=off -np 3 -- nested --topology=/none
// status: 2
// stderr-match: sat: process 0: /none: cannot read the topology: No such file
// run: --compute=off -np 4 -- nested --topology=$DIR/sat_misuse.xml
// status: 2
// stderr-match: sat_misuse.xml: process 3 of 4 has no topology element
// run: --compute=off -np 2 -- nested --topology=$DIR/sat_misuse.xml
// status: 2
// stderr-match: sat_misuse.xml:6: process 2: the run has processes 0 to 1
// run: --compute=off -np 3 -- nested --topology=$DIR/sat_misuse.xml
// status: 2
// stderr-match: the topology gives process 2 role 2, for which the program has no function
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sat.h>

static int me;

static Chunk_t *words(Consistency_t *c, unsigned long id, size_t size)
{
    return MALLOC_LST(c, UL_LIST(id), UL_LIST(size));
}

static void ignore(Chunk_t *c, void *params)
{
    (void)c;
    (void)params;
}

/* Both clients call. */
static void both(const char *row)
{
    if (!strcmp(row, "size")) {
        Chunk_t *c = words(newHomeBaseLazy(), 7, me == 1 ? 64 : 128);
        READ(c);
        RELEASE(c);
    } else if (!strcmp(row, "protocol")) {
        Chunk_t *c = words(me == 1 ? newHomeBaseLazy() : newUpdate(), 7, 64);
        READ(c);
        RELEASE(c);
    } else if (!strcmp(row, "barrier")) {
        barrier(4, (unsigned)(me + 1));
    } else if (!strcmp(row, "locked")) {
        if (me == 1)
            sat_lock(2);
        barrier(1, 2);
        if (me == 2)
            sat_lock(2);
        rendezvous(1);
    } else if (!strcmp(row, "private")) {
        Chunk_t *c = words(newPrivate(), 7, 64);
        WRITE(c);
        RELEASE(c);
        barrier(1, 2);
    } else if (!strcmp(row, "left-locked")) { /* while the other waits for it */
        if (me == 1)
            sat_lock(2);
        barrier(1, 2);
        if (me == 2)
            sat_lock(2);
    } else if (!strcmp(row, "cycle")) {
        Chunk_t *first = words(newHomeBaseMESI(), me == 1 ? 7 : 8, 8),
                *second = words(newHomeBaseMESI(), me == 1 ? 8 : 7, 8);
        for (int k = 0; k < 2; k++) {
            WRITE(first);
            if (k) {
                barrier(1, 2);
                WRITE(second);
            }
            RELEASE(first);
        }
    }
}

static void synchronize(const char *row)
{
    if (!strcmp(row, "asleep")) {
        sat_lock(2); /* waited for, and there */
        sat_unlock(2);
        rendezvous(9);
    } else if (!strcmp(row, "edge")) {
        usleep(1000);
        wakeup(9);
        rendezvous(9);
    } else if (!strcmp(row, "missing")) {
        barrier(4, 2);
    } else if (!strcmp(row, "subscribed")) {
        Chunk_t *c = words(newHomeBaseLazy(), 7, 8);
        SUBSCRIBE(c, ignore, NULL);
        PUT(c); /* one notice comes, and then none */
    } else if (!strcmp(row, "unknown")) {
        Chunk_t *c = LOOKUP(7);
        READ(c);
    } else if (!strcmp(row, "bound-null")) {
        sat_bind(2, NULL);
    } else if (!strcmp(row, "freed-locked")) {
        Chunk_t *c = words(newEntry(), 7, 8);
        sat_bind(2, c);
        sat_lock(2);
        WRITE(c);
        RELEASE(c);
        FREE(c);
    } else if (!strcmp(row, "bound-late")) {
        sat_lock(2);
        sat_bind(2, words(newEntry(), 7, 8));
    } else if (!strcmp(row, "unlocked")) {
        Chunk_t *c = words(newEntry(), 7, 8);
        sat_bind(2, c);
        sat_lock_shared(2);
        READWRITE(c);
    }
}

static void check_mode(const char *row, Chunk_t *c)
{
    if (!strcmp(row, "reading")) {
        READ(c);
        c->data[8] = 1;
        c->data[9] = 2;
        RELEASE(c);
        READ(c);
        printf("%d\n", c->data[8]);
        RELEASE(c);
    } else if (!strcmp(row, "read-outside")) {
        READ(c);
        RELEASE(c);
        printf("%d\n", c->data[5]);
    } else if (!strcmp(row, "unscoped")) {
        READ(c);
        char *kept = c->data;
        RELEASE(c);
        kept[3] = 1;
        READ(c);
        printf("%d\n", c->data[3]);
        RELEASE(c);
    }
}

static void one(const char *row)
{
    Chunk_t *c = words(strcmp(row, "once") ? newHomeBaseLazy() : newWriteOnce(), 7, 64);
    if (!strcmp(row, "nested")) {
        WRITE(c);
        READ(c);
    } else if (!strcmp(row, "unopened")) {
        RELEASE(c);
    } else if (!strcmp(row, "twice") || !strcmp(row, "once")) {
        WRITE(c);
        RELEASE(c);
        if (!strcmp(row, "once")) {
            WRITE(c);
        }
        RELEASE(c);
    } else if (!strcmp(row, "own-size")) {
        words(newHomeBaseLazy(), 7, 128);
    } else if (!strcmp(row, "left-open") || !strcmp(row, "freed-open")) {
        WRITE(c);
        if (!strcmp(row, "freed-open")) {
            FREE(c);
        }
    }
}

static void sizes(const char *row)
{
    if (!strcmp(row, "empty"))
        MALLOC(7, 0);
    else if (!strcmp(row, "end"))
        MALLOC(ULONG_MAX - 1, 100000);
    else if (!strcmp(row, "huge"))
        MALLOC(0, 1ul << 63);
    else if (!strcmp(row, "huge-chain"))
        sat_read(MALLOC_LST(newHomeBaseLazy(), UL_LIST(7, 8), UL_LIST(1ul << 63)));
    else if (!strcmp(row, "freed-null"))
        FREE(NULL);
    else if (!strcmp(row, "sized-null"))
        sat_size(NULL);
}

static void client(_SAT_Bootstrap_t *b)
{
    static const char *const alone[] = {"nested",   "unopened",  "twice",     "once",
                                        "own-size", "left-open", "freed-open"};
    const char *row = b->argv[1];
    me = b->id;
    both(row);
    if (me != 1)
        return;
    synchronize(row);
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++)
        if (!strcmp(row, alone[k]))
            one(row);
    if (!strcmp(row, "reading") || !strcmp(row, "unscoped") || !strcmp(row, "read-outside"))
        check_mode(row, words(newHomeBaseLazy(), 7, 64));
    sizes(row);
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client};
    if (argc > 1 && !strcmp(argv[1], "outside")) {
        WRITE(NULL);
    }
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
