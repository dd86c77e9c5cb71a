/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sdsm KIND COUNT [BYTES]: COUNT accesses of each client to the software distributed shared memory, beside the same
 * bytes as messages and as puts. Client 1 says how long one took in simulated time.
 *
 *   hit      READ scopes of a copy that the client has (home-mesi)
 *   turn     READ scopes of a chunk that another client has just written: two clients write and read in turn
 *   miss     READ scopes of a chunk whose data the client has dropped: they come again (home-lazy)
 *   lazy     READ scopes that ask the home and move no data (home-lazy)
 *   count    READWRITE scopes of 100 chunks by all clients; the sum is checked
 *   message  the bytes go to the next rank and back as MPI messages
 *   put      the bytes go to the next rank as an OpenSHMEM put with quiet
 */
#include <mpi.h>
#include <sat.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kind;
static long count;
static size_t size;

static void tell(double from, double per)
{
    fprintf(stderr, "%s of %zu bytes: %.3f us\n", kind, size, (MPI_Wtime() - from) / per * 1e6);
}

static void reads(Chunk_t *c, const _SAT_Bootstrap_t *b)
{
    WRITE(c);
    RELEASE(c);
    READ(c);
    RELEASE(c);
    int misses = !strcmp(kind, "miss");
    double from = MPI_Wtime();
    for (long k = 0; k < count; k++) {
        READ(c);
        RELEASE(c);
        if (misses)
            FREE(c);
    }
    if (b->id == b->nservers)
        tell(from, (double)count);
}

/* Every scope finds that the other client has written: a scope of each client is one miss. */
static void turns(Chunk_t *c, const _SAT_Bootstrap_t *b)
{
    int first = b->id == b->nservers;
    double from = MPI_Wtime();
    for (long k = 0; k < count; k++) {
        if (first) {
            WRITE(c);
            c->data[0]++;
            RELEASE(c);
            wakeup(1);
            rendezvous(2);
        } else {
            rendezvous(1);
            READ(c);
            RELEASE(c);
            wakeup(2);
        }
    }
    if (first)
        tell(from, (double)count);
}

static void counts(const _SAT_Bootstrap_t *b)
{
    Chunk_t *mine = MALLOC(newHomeBaseLazy(), 1000 + (unsigned long)b->id % 100, size);
    for (long k = 0; k < count; k++) {
        READWRITE(mine);
        SAT_DATA(mine, long)[0]++;
        RELEASE(mine);
    }
    barrier(1, clientGetClientNr());
    if (b->id != b->np - 1)
        return;
    long sum = 0;
    for (unsigned long k = 0; k < 100; k++) {
        Chunk_t *c = MALLOC(newHomeBaseLazy(), 1000 + k, size);
        READ(c);
        sum += SAT_DATA(c, long)[0];
        RELEASE(c);
    }
    if (sum != count * b->nclients)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void client(_SAT_Bootstrap_t *b)
{
    Consistency_t *c = !strcmp(kind, "lazy") || !strcmp(kind, "miss") ? newHomeBaseLazy() : newHomeBaseMESI();
    unsigned long own = strcmp(kind, "turn") ? (unsigned long)b->id : 0;
    if (!strcmp(kind, "count"))
        counts(b);
    else if (!strcmp(kind, "turn"))
        turns(MALLOC_LST(c, UL_LIST(7), UL_LIST(size)), b);
    else
        reads(MALLOC_LST(c, UL_LIST(7 + own), UL_LIST(size)), b);
}

static void messages(void)
{
    int me;
    char *bytes = calloc(1, size);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    double from = MPI_Wtime();
    for (long k = 0; k < count; k++) {
        if (me == 0)
            MPI_Send(bytes, (int)size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(bytes, (int)size, MPI_BYTE, !me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me == 1)
            MPI_Send(bytes, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    if (me == 0)
        tell(from, 2 * (double)count);
    free(bytes);
}

static void puts_(void)
{
    shmem_init();
    char *to = shmem_calloc(1, size), *from_here = calloc(1, size);
    double from = MPI_Wtime();
    for (long k = 0; k < count && shmem_my_pe() == 0; k++) {
        shmem_putmem(to, from_here, size, 1);
        shmem_quiet();
    }
    if (shmem_my_pe() == 0)
        tell(from, (double)count);
    shmem_barrier_all();
    free(from_here);
    shmem_finalize();
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client};
    if (argc < 3)
        return 2;
    kind = argv[1];
    count = atol(argv[2]);
    size = argc > 3 && argv[3][0] != '-' ? (size_t)atol(argv[3]) : 64;
    MPI_Init(&argc, &argv);
    if (!strcmp(kind, "message"))
        messages();
    else if (!strcmp(kind, "put"))
        puts_();
    else
        _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    MPI_Finalize();
    return 0;
}
