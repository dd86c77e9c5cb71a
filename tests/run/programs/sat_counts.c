// SPDX-License-Identifier: BSD-3-Clause
// sat_counts: how many messages and bytes each access costs (docs/sdsm.md has the table). Every row runs the S-DSM
// twice, with and without the access that is measured, and counts what all processes send, at MPI's profiling
// interface. "c" is the type consistency (4), "d" data_ctrl (3), "s" synchronization (5).
//
// The chunk has 64 bytes, its home is server 0. A record has 112 bytes. Client 3 measures; its server is 1.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// run: --compute=off -np 7 -- --topology $DIR/sat_counts.xml
// stdout: home-lazy: first write: 6 c 672 bytes, 1 d 176 bytes
// stdout: home-lazy: read of what it has: 6 c 672 bytes, 0 d 0 bytes
// stdout: home-lazy: read of data at the home: 4 c 448 bytes, 2 d 352 bytes
// stdout: home-lazy: read of data at another server: 5 c 560 bytes, 3 d 528 bytes
// stdout: home-lazy: read of data at its own server: 5 c 560 bytes, 1 d 176 bytes
// stdout: home-lazy: readwrite of data at the home: 4 c 448 bytes, 3 d 528 bytes
// stdout: home-mesi: first write: 6 c 672 bytes, 1 d 176 bytes
// stdout: home-mesi: read of data at the home: 2 c 224 bytes, 2 d 352 bytes
// stdout: home-mesi: read of what it has: 0 c 0 bytes, 0 d 0 bytes
// stdout: home-mesi: read of what it has written: 0 c 0 bytes, 0 d 0 bytes
// stdout: home-mesi: read of what it has read: 0 c 0 bytes, 0 d 0 bytes
// stdout: home-mesi: write of what another client has: 10 c 1120 bytes, 1 d 176 bytes
// stdout: update: first write: 5 c 560 bytes, 2 d 352 bytes
// stdout: update: write of what another client has: 5 c 560 bytes, 4 d 704 bytes
// stdout: update: read of what was sent on: 6 c 672 bytes, 0 d 0 bytes
// stdout: update: read of what was sent on where a store was lost: 6 c 672 bytes, 0 d 0 bytes
// stdout: migratory: first write, and the return at the end: 5 c 560 bytes, 2 d 352 bytes
// stdout: migratory: write of what it has: 0 c 0 bytes, 0 d 0 bytes
// stdout: migratory: write of what another client has written: 5 c 560 bytes, 4 d 704 bytes
// stdout: write-once: write: 6 c 672 bytes, 1 d 176 bytes
// stdout: write-once: read of data at the home: 2 c 224 bytes, 2 d 352 bytes
// stdout: write-once: read of what it has: 0 c 0 bytes, 0 d 0 bytes
// stdout: private: write and read: 0 c 0 bytes, 0 d 0 bytes
// stdout: multiple-writer: first write, of 4 bytes: 6 c 672 bytes, 2 d 240 bytes
// stdout: multiple-writer: read of data at the home: 2 c 224 bytes, 2 d 352 bytes
// stdout: multiple-writer: read of what it has written: 4 c 448 bytes, 0 d 0 bytes
// stdout: home-lazy: write of a chain of 4, of one home: 6 c 2688 bytes, 1 d 704 bytes
// stdout: home-lazy: first write, home at the own server: 3 c 336 bytes, 1 d 176 bytes
// stdout: home-lazy: first write, home by first touch: 5 c 560 bytes, 1 d 176 bytes
// stdout: entry: lock, write, unlock: 0 c 0 bytes, 2 d 400 bytes, 4 s 496 bytes
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include <sat.h>

enum { HOME = 3000, SIZE = 64, TYPES = 9 };
enum prepared {
    NOTHING,
    BY_ITSELF,
    AT_HOME,
    ELSEWHERE,
    AT_OWN,
    READ_ELSEWHERE,
    READ_AND_WRITTEN,
    WRITTEN,
    READ_HERE,
    STORED_AND_WRITTEN
};

static const struct row {
    const char *protocol, *what;
    enum prepared prepared;
    int access; /* 'r', 'w', 'b' (both), 'l' (lock), 'c' (chain), 'p' (write and read) */
    int home;   /* 0: modulo; 'o': at the own server; 'f': first touch */
} rows[] = {
    {"home-lazy", "first write", NOTHING, 'w', 0},
    {"home-lazy", "read of what it has", BY_ITSELF, 'r', 0},
    {"home-lazy", "read of data at the home", AT_HOME, 'r', 0},
    {"home-lazy", "read of data at another server", ELSEWHERE, 'r', 0},
    {"home-lazy", "read of data at its own server", AT_OWN, 'r', 0},
    {"home-lazy", "readwrite of data at the home", AT_HOME, 'b', 0},
    {"home-mesi", "first write", NOTHING, 'w', 0},
    {"home-mesi", "read of data at the home", AT_HOME, 'r', 0},
    {"home-mesi", "read of what it has", BY_ITSELF, 'r', 0},
    {"home-mesi", "read of what it has written", WRITTEN, 'r', 0},
    {"home-mesi", "read of what it has read", READ_HERE, 'r', 0},
    {"home-mesi", "write of what another client has", READ_ELSEWHERE, 'w', 0},
    {"update", "first write", NOTHING, 'w', 0},
    {"update", "write of what another client has", READ_ELSEWHERE, 'w', 0},
    {"update", "read of what was sent on", READ_AND_WRITTEN, 'r', 0},
    {"update", "read of what was sent on where a store was lost", STORED_AND_WRITTEN, 'r', 0},
    {"migratory", "first write, and the return at the end", NOTHING, 'w', 0},
    {"migratory", "write of what it has", BY_ITSELF, 'w', 0},
    {"migratory", "write of what another client has written", ELSEWHERE, 'b', 0},
    {"write-once", "write", NOTHING, 'w', 0},
    {"write-once", "read of data at the home", AT_HOME, 'r', 0},
    {"write-once", "read of what it has", BY_ITSELF, 'r', 0},
    {"private", "write and read", NOTHING, 'p', 0},
    {"multiple-writer", "first write, of 4 bytes", NOTHING, 'w', 0},
    {"multiple-writer", "read of data at the home", AT_HOME, 'r', 0},
    {"multiple-writer", "read of what it has written", WRITTEN, 'r', 0},
    {"home-lazy", "write of a chain of 4, of one home", NOTHING, 'c', 0},
    {"home-lazy", "first write, home at the own server", NOTHING, 'w', 'o'},
    {"home-lazy", "first write, home by first touch", NOTHING, 'w', 'f'},
    {"entry", "lock, write, unlock", NOTHING, 'l', 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct row *row;
static int measures;
static long sent[TYPES], bytes[TYPES];

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (tag < TYPES) {
        sent[tag]++;
        bytes[tag] += count;
    }
    return PMPI_Isend(buf, count, type, to, tag, comm, request);
}

static void write_to(Chunk_t *c)
{
    WRITE(c);
    SAT_DATA(c, int)[0] += 1;
    RELEASE(c);
}

static void read_from(Chunk_t *c)
{
    READ(c);
    RELEASE(c);
}

static void prepare(Chunk_t *c, int me)
{
    if (row->prepared == READ_AND_WRITTEN && me == 3)
        read_from(c);
    if (row->prepared == STORED_AND_WRITTEN && me == 3) {
        write_to(c);
        READ(c);
        SAT_DATA(c, int)[0] = -1;
        RELEASE(c);
    }
    barrier(1, clientGetClientNr());
    if (((row->prepared == BY_ITSELF || row->prepared == WRITTEN) && me == 3) ||
        ((row->prepared == AT_HOME || row->prepared == READ_HERE) && me == 5) ||
        ((row->prepared == ELSEWHERE || row->prepared == READ_AND_WRITTEN ||
          row->prepared == STORED_AND_WRITTEN) &&
         me == 4) ||
        (row->prepared == AT_OWN && me == 6))
        write_to(c);
    barrier(1, clientGetClientNr());
    if (row->prepared == READ_ELSEWHERE && me == 4)
        read_from(c);
    if (((row->prepared == BY_ITSELF && row->access == 'r') || row->prepared == READ_HERE) && me == 3)
        read_from(c);
    barrier(1, clientGetClientNr());
}

static void measure(Chunk_t *c)
{
    switch (row->access) {
    case 'r':
        read_from(c);
        break;
    case 'b':
        READWRITE(c);
        SAT_DATA(c, int)[1] = 7;
        RELEASE(c);
        break;
    case 'l':
        sat_lock(6);
        write_to(c);
        sat_unlock(6);
        break;
    case 'p':
        write_to(c);
        read_from(c);
        break;
    default:
        write_to(c);
    }
}

static void client(_SAT_Bootstrap_t *b)
{
    Consistency_t *consistency = sat_protocol(row->protocol);
    if (row->home == 'o')
        consistency = sat_with_home(consistency, SAT_HOME_NAMED, 1);
    if (row->home == 'f')
        consistency = sat_with_home(consistency, SAT_HOME_FIRST_TOUCH, 0);
    Chunk_t *c = row->access == 'c'
                     ? MALLOC_LST(consistency, UL_LIST(HOME, HOME + 3, HOME + 6, HOME + 9), UL_LIST(SIZE))
                     : MALLOC_LST(consistency, UL_LIST(HOME), UL_LIST(SIZE));
    if (row->access == 'l')
        sat_bind(6, c);
    prepare(c, b->id);
    if (b->id == 3 && measures)
        measure(c);
    barrier(1, clientGetClientNr());
}

static void run(int argc, char **argv, long *total_sent, long *total_bytes)
{
    _SAT_Roles_t roles[] = {NULL, client};
    memset(sent, 0, sizeof sent);
    memset(bytes, 0, sizeof bytes);
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    MPI_Allreduce(sent, total_sent, TYPES, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(bytes, total_bytes, TYPES, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static void print_row(long with[2][TYPES], long without[2][TYPES])
{
    static const struct {
        int type;
        const char *name;
    } types[] = {{4, "c"}, {3, "d"}, {5, "s"}};
    printf("%s: %s:", row->protocol, row->what);
    for (int k = 0; k < (row->access == 'l' ? 3 : 2); k++)
        printf("%s %ld %s %ld bytes", k ? "," : "", with[0][types[k].type] - without[0][types[k].type],
               types[k].name, with[1][types[k].type] - without[1][types[k].type]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < ROWS; k++) {
        long with[2][TYPES], without[2][TYPES];
        row = &rows[k];
        measures = 0;
        run(argc, argv, without[0], without[1]);
        measures = 1;
        run(argc, argv, with[0], with[1]);
        if (me == 0)
            print_row(with, without);
    }
    MPI_Finalize();
    return 0;
}
