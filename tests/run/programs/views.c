// SPDX-License-Identifier: BSD-3-Clause
// Views: one address, each rank's own bytes and protection; handlers that wait for messages in the middle of
// an instruction, of a function of libc, and of a loop over registers.
// build: $MPICC -g -O2 -Wall -Wextra -Werror "$SRC" -o $EXE
// run: -np 3 --compute=off -- all
// stdout: address: the same at all ranks, bytes are not
// stdout: handlers wait: 96 faults of 3 ranks, sums are right
// stdout: registers: kept by 64 faults in a loop
// stdout: functions of libc: memcpy, strlen, qsort
// stdout: pieces: 256 pages, each other than its neighbours
// stdout: messages: from and to a view of a rank that does not run
// stdout: threads: two of a rank fault in turn
// stderr-not: .
// run: -np 40 --compute=off -- all
// stdout-has: address: the same at all ranks, bytes are not
// stdout-has: registers: kept by 64 faults in a loop
// run: -np 2 --compute=measured -- all
// stdout-has: messages: from and to a view of a rank that does not run
// varies: computation is measured
// run: -np 2 --compute=off --jobs 2 -- all
// stdout-has: handlers wait: 64 faults of 2 ranks, sums are right
// run: -np 2 -- refused
// status: 139
// stdout: asked for 8192, a store
// stderr-match: rank 1 .* was ended by signal 11 .* at address 0x[0-9a-f]+ \(8192 bytes into the rank's view, in a page that it may only read\), in refused, views.c:\d+
// run: -np 2 -- given
// status: 139
// stderr-match: rank 1 .*: MPI_Get_processor_name: its caller gave it memory that cannot be written, at address .* \(4096 bytes into the rank's view, in a page that it may not access\)
// run: -np 2 -- sizes
// status: 5
// stderr-match: pgasim_view_make: \d+ bytes at address .*, but another rank's view has \d+ bytes at .*: expected the same at all ranks
// run: -np 1 -- twice
// status: 5
// stderr-match: pgasim_view_make: the rank has a view already
// run: -np 1 -- crooked
// status: 5
// stderr-match: pgasim_view_make: 5000 bytes at address \(nil\): expected whole pages of 4096 bytes
// run: -np 1 -- occupied
// status: 5
// stderr-match: pgasim_view_make: 4096 bytes at address 0x[0-9a-f]+: these addresses are not free
// run: -np 1 -- outside
// status: 5
// stderr-match: pgasim_view_protect: 4096 bytes at address 0x[0-9a-f]+, access 2: expected whole pages of the rank's view
// run: -np 1 --stack-size 64KiB -- deep
// status: 139
// stderr-match: stack overflow: its stack of 64.00 KiB is full, in deep, views.c
#include <mpi.h>
#include <pgasim.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 4096 };
static int me, ranks, faults, waits = 1;
static struct pgasim_view view;
static MPI_Comm ring;

static char *page(int k)
{
    return (char *)view.at + (size_t)k * PAGE;
}

static void say(const char *text)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("%s\n", text);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void require(int holds, const char *what)
{
    if (holds)
        return;
    printf("rank %d: %s\n", me, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Waits for everybody, so that other ranks run meanwhile, with their own bytes at the same addresses. */
static int on_fault(void *address, int store)
{
    char *first = page((int)(((char *)address - page(0)) / PAGE));
    faults++;
    if (waits) {
        int next = (me + 1) % ranks, before = (me + ranks - 1) % ranks, got = -1;
        MPI_Sendrecv(&me, 1, MPI_INT, next, 0, &got, 1, MPI_INT, before, 0, ring, MPI_STATUS_IGNORE);
        require(got == before, "another's message in a handler");
    }
    pgasim_view_protect(first, PAGE, store ? PGASIM_READ_WRITE : PGASIM_READ);
    return 1;
}

static void make(size_t bytes)
{
    require(pgasim_view_make(&view, NULL, bytes, on_fault) == 1, "no view");
}

static void close_all(void)
{
    pgasim_view_protect(view.at, view.bytes, PGASIM_NO_ACCESS);
    faults = 0;
}

static void same_address(void)
{
    uintptr_t mine = (uintptr_t)view.at, first = mine;
    MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    require(first == mine, "another address");
    *(volatile int *)page(0) = me;
    *(char **)page(1) = page(0); /* pointers in a view mean the own bytes */
    MPI_Barrier(MPI_COMM_WORLD);
    require(*(volatile int *)page(0) == me, "another rank's bytes");
    require(*(volatile int *)*(char **)page(1) == me, "another rank's bytes by a pointer");
    require(*(int *)view.inside == me, "the bytes inside");
    say("address: the same at all ranks, bytes are not");
}

static void handlers_wait(void)
{
    char text[80];
    long sum = 0, total = 0, all = 0, mine;
    close_all();
    for (int k = 0; k < 16; k++)
        ((int *)view.inside)[k * PAGE / (int)sizeof(int)] = me * 100 + k;
    for (int k = 0; k < 16; k++)
        sum += *(volatile int *)page(k);
    for (int k = 0; k < 16; k++)
        *(volatile int *)page(k) += 1;
    for (int k = 0; k < 16; k++)
        require(((int *)view.inside)[k * PAGE / (int)sizeof(int)] == me * 100 + k + 1, "a store");
    mine = faults;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&sum, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    require(total == 16L * 100 * ranks * (ranks - 1) / 2 + 120L * ranks, "a sum");
    snprintf(text, sizeof text, "handlers wait: %ld faults of %d ranks, sums are right", all, ranks);
    say(text);
}

/* Many values in registers of all kinds, while a handler that uses them as well runs in the middle. */
static void registers(void)
{
    double sum[16] = {0};
    unsigned long words = 0;
    close_all();
    for (int k = 0; k < 64; k++)
        for (int i = 0; i < 16; i++)
            ((double *)((char *)view.inside + (size_t)k * PAGE))[i] = me + k * 0.5 + i;
    for (int k = 0; k < 64; k++) {
        const double *row = (const double *)(void *)page(k);
        for (int i = 0; i < 16; i++)
            sum[i] = sum[i] * 1.0 + row[i];
        words = words * 31 + (unsigned long)k;
    }
    unsigned long right = 0;
    for (int k = 0; k < 64; k++)
        right = right * 31 + (unsigned long)k;
    for (int i = 0; i < 16; i++)
        require(sum[i] == 64.0 * me + 0.5 * 63 * 64 / 2 + 64.0 * i, "a sum in registers");
    require(words == right && faults == 64, "registers");
    say("registers: kept by 64 faults in a loop");
}

static int descending(const void *left, const void *right)
{
    return *(const int *)right - *(const int *)left;
}

static void functions(void)
{
    static char copy[3 * PAGE];
    close_all();
    memset(view.inside, 'a' + me % 16, 2 * PAGE + 5);
    ((char *)view.inside)[2 * PAGE + 5] = 0;
    memcpy(copy, view.at, sizeof copy);
    require(strlen(copy) == 2 * PAGE + 5 && copy[0] == 'a' + me % 16, "memcpy");
    close_all();
    require(strlen(view.at) == 2 * PAGE + 5 && faults == 3, "strlen");
    close_all();
    int *at = (int *)view.inside, *shown = (int *)view.at;
    for (int k = 0; k < 3000; k++)
        at[k] = k * 7 % 3000 + me;
    qsort(shown, 3000, sizeof *shown, descending);
    for (int k = 0; k < 3000; k++)
        require(at[k] == 2999 - k + me, "qsort");
    say("functions of libc: memcpy, strlen, qsort");
}

static void pieces(void)
{
    enum { MANY = 256 };
    close_all();
    waits = 0;
    for (int k = 0; k < MANY; k++)
        pgasim_view_protect(page(k), PAGE, k % 2 ? PGASIM_READ : PGASIM_READ_WRITE);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < MANY; k += 2)
            *(volatile int *)page(k) = me + k + round;
        MPI_Barrier(MPI_COMM_WORLD);
        for (int k = 0; k < MANY; k++)
            require(k % 2 || *(volatile int *)page(k) == me + k + round, "a page among others");
    }
    require(!faults, "a fault in an accessible page");
    for (int k = 1; k < MANY; k += 2)
        *(volatile int *)page(k) = 1;
    require(faults == MANY / 2, "a page that may only be read");
    waits = 1;
    say("pieces: 256 pages, each other than its neighbours");
}

/* Long messages, whose bytes move while other ranks run. */
static void messages(void)
{
    enum { INTS = 1 << 18 };
    int next = (me + 1) % ranks, before = (me + ranks - 1) % ranks;
    MPI_Request both[2];
    close_all();
    pgasim_view_protect(view.at, view.bytes, PGASIM_READ_WRITE);
    int *out = (int *)view.at, *in = out + INTS;
    for (int k = 0; k < INTS; k++)
        out[k] = me * 3 + k;
    MPI_Irecv(in, INTS, MPI_INT, before, 1, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(out, INTS, MPI_INT, next, 1, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    for (int k = 0; k < INTS; k++)
        require(in[k] == before * 3 + k && out[k] == me * 3 + k, "a message");
    say("messages: from and to a view of a rank that does not run");
}

static void *second(void *arg)
{
    (void)arg;
    for (int k = 8; k < 16; k++)
        *(volatile int *)page(k) = k + me;
    return NULL;
}

static void threads(void)
{
    pthread_t t;
    close_all();
    waits = 0;
    pthread_create(&t, NULL, second, NULL);
    for (int k = 0; k < 8; k++)
        *(volatile int *)page(k) = k + me;
    pthread_join(t, NULL);
    for (int k = 0; k < 16; k++)
        require(*(volatile int *)page(k) == k + me, "a thread's store");
    require(faults == 16, "faults of threads");
    say("threads: two of a rank fault in turn");
}

static int on_mistake(void *address, int store)
{
    printf("asked for %ld, a %s\n", (long)((char *)address - page(0)), store ? "store" : "load");
    return 0;
}

static void refused(void)
{
    pgasim_view_make(&view, NULL, 4 * PAGE, on_mistake);
    pgasim_view_protect(view.at, view.bytes, PGASIM_READ);
    if (me == 1)
        *(volatile int *)page(2) = *(volatile int *)page(3);
}

static int deep(int n)
{
    volatile char room[512];
    room[0] = (char)n;
    if (n == 0)
        return *(volatile char *)page(0);
    return deep(n - 1) + room[0];
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    if (!strcmp(what, "all")) {
        make((size_t)PAGES * PAGE);
        same_address();
        handlers_wait();
        registers();
        functions();
        pieces();
        messages();
        threads();
    } else if (!strcmp(what, "refused")) {
        refused();
    } else if (!strcmp(what, "given")) {
        make(4 * PAGE);
        if (me == 1)
            MPI_Get_processor_name(page(1), &argc);
    } else if (!strcmp(what, "sizes")) {
        make(((size_t)me + 1) * PAGE);
    } else if (!strcmp(what, "twice")) {
        make(PAGE);
        make(PAGE);
    } else if (!strcmp(what, "crooked")) {
        make(5000);
    } else if (!strcmp(what, "occupied")) {
        pgasim_view_make(&view, (void *)((uintptr_t)&view / PAGE * PAGE), PAGE, on_fault);
    } else if (!strcmp(what, "outside")) {
        make(PAGE);
        pgasim_view_protect(page(1), PAGE, PGASIM_READ_WRITE);
    } else if (!strcmp(what, "deep")) {
        make(PAGE);
        waits = 0;
        printf("%d\n", deep(80));
    }
    MPI_Finalize();
    return 0;
}
