// SPDX-License-Identifier: BSD-3-Clause
// JIAJIA's interface: counters under locks, two writers of one page under two locks, nested locks, pointers
// in shared memory, phases between barriers, a matrix product, condition variables, messages, all ways to
// allocate.
// build: $MPICC -g -O2 -Wall -Wextra -Werror "$SRC" -o $EXE -lsat
// build: ${MPICC%cc}cxx -x c++ -g -Wall -Wextra -Werror "$SRC" -x none -o cxx -lsat
// run: -np 2
// stdout: 1 hosts, 0 errors
// stderr-not: .
// run: -np 5
// stdout: 4 hosts, 0 errors
// stderr-not: .
// run: -np 17
// stdout: 16 hosts, 0 errors
// shell: SAT_OPTIONS=--sat-servers=3 $RUN --quiet -np 8 $EXE
// stdout: 5 hosts, 0 errors
// shell: SAT_OPTIONS="--sat-servers=2 --sat-jia-prefetch=8 --sat-jia-memory=64" $RUN --quiet -np 6 $EXE
// stdout: 4 hosts, 0 errors
// shell: $RUN --quiet -np 4 ./cxx --sat-servers 1
// stdout: 3 hosts, 0 errors
// shell: $RUN --quiet --compute=off --trace t.pgt -np 4 $EXE >out && $PGASIM profile t.pgt | grep -Eo "waits, (locks|barriers)|^Hot chunks|^False sharing|names of calls.*unknown"
// stdout: waits, barriers
// stdout: waits, locks
// stdout: Hot chunks
// stdout: False sharing
#include <jia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096

static int errors;

static void expect(long got, long want, const char *what)
{
    if (got == want)
        return;
    printf("host %d: %s: %ld, expected %ld\n", jiapid, what, got, want);
    errors++;
}

static void counters(void)
{
    enum { ROUNDS = 30 };
    volatile int *one = (volatile int *)jia_alloc(sizeof(int));
    for (int k = 0; k < ROUNDS; k++) {
        jia_lock(7);
        *one += 1;
        jia_unlock(7);
    }
    jia_barrier();
    expect(*one, ROUNDS * jiahosts, "a counter under a lock");
}

/* Neighbouring words of one page, each under a lock of its own, and one that each host writes without any. */
static void one_page(void)
{
    enum { ROUNDS = 20 };
    volatile int *at = (volatile int *)jia_alloc(PAGE);
    for (int k = 0; k < ROUNDS; k++) {
        int which = (k + jiapid) % 2;
        jia_lock(which);
        at[which] += 1 + which;
        at[100 + jiapid] += 1;
        jia_unlock(which);
    }
    jia_barrier();
    expect(at[0], ROUNDS / 2 * jiahosts, "the first word of a page");
    expect(at[1], ROUNDS * jiahosts, "the second word of a page");
    for (int k = 0; k < jiahosts; k++)
        expect(at[100 + k], ROUNDS, "a word of one host");
    jia_barrier();
}

/* What the inner lock guards is seen by the next holder of either. A page that is written under both is taken
 * away while it is written. */
static void nested(void)
{
    enum { ROUNDS = 10 };
    volatile int *at = (volatile int *)jia_alloc(PAGE), *other = (volatile int *)jia_alloc(PAGE);
    for (int k = 0; k < ROUNDS; k++) {
        jia_lock(1);
        at[0]++;
        jia_lock(2);
        at[1]++;
        other[0]++;
        jia_unlock(2);
        at[2] = at[1];
        expect(at[1] >= at[0], 1, "the inner counter");
        jia_unlock(1);
        jia_lock(2);
        at[1]++;
        other[0]++;
        jia_unlock(2);
    }
    jia_barrier();
    expect(at[0], ROUNDS * jiahosts, "the outer lock's counter");
    expect(at[1], 2 * ROUNDS * jiahosts, "the inner lock's counter");
    expect(other[0], 2 * ROUNDS * jiahosts, "the inner lock's counter in a page of its own");
}

/* A list whose nodes lie in pages of the hosts that made them. */
struct node {
    struct node *next;
    int host, number;
};

static void pointers(void)
{
    enum { EACH = 12 };
    struct node **head = (struct node **)jia_alloc(sizeof *head);
    struct node *mine = NULL;
    for (int k = 0; k < jiahosts; k++) {
        struct node *block = (struct node *)jia_alloc2p(EACH * (int)sizeof *block, k);
        mine = k == jiapid ? block : mine;
    }
    for (int k = 0; k < EACH; k++) {
        jia_lock(3);
        mine[k].host = jiapid;
        mine[k].number = k;
        mine[k].next = *head;
        *head = &mine[k];
        jia_unlock(3);
    }
    jia_barrier();
    int n = 0, *seen = (int *)calloc((size_t)jiahosts, sizeof *seen);
    for (const struct node *at = *head; at; at = at->next, n++) {
        expect(at->number, EACH - 1 - seen[at->host], "a node's number");
        seen[at->host]++;
    }
    expect(n, EACH * jiahosts, "the length of a list");
    free(seen);
    jia_barrier();
}

/* Each host reads its neighbours' halves and writes its own, in the other of two arrays. */
static void phases(void)
{
    enum { EACH = 1500, ROUNDS = 6 };
    int n = EACH * jiahosts;
    int *old = (int *)jia_alloc3(n * (int)sizeof *old, EACH * (int)sizeof *old, 0);
    int *next = (int *)jia_alloc3(n * (int)sizeof *next, EACH * (int)sizeof *next, 0);
    int *plain = (int *)malloc(2 * (size_t)n * sizeof *plain), *now = plain, *then = plain + n;
    if (jiapid == 0)
        for (int k = 0; k < n; k++)
            old[k] = k % 10;
    for (int k = 0; k < n; k++)
        now[k] = k % 10;
    jia_barrier();
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = jiapid * EACH; k < (jiapid + 1) * EACH; k++)
            next[k] = old[(k + n - 1) % n] + 2 * old[(k + 1) % n] % 100;
        for (int k = 0; k < n; k++)
            then[k] = now[(k + n - 1) % n] + 2 * now[(k + 1) % n] % 100;
        int *swap = old;
        old = next;
        next = swap;
        swap = now;
        now = then;
        then = swap;
        jia_barrier();
    }
    for (int k = 0; k < n; k++)
        expect(old[k], now[k], "a cell after the phases");
    free(plain);
    jia_barrier();
}

static void matrices(void)
{
    enum { N = 96 };
    int bytes = N * N * (int)sizeof(double), part = (bytes + jiahosts - 1) / jiahosts;
    double(*a)[N] = (double(*)[N])jia_alloc3(bytes, part, 0);
    double(*b)[N] = (double(*)[N])jia_alloc2(bytes, part);
    double(*c)[N] = (double(*)[N])jia_alloc3(bytes, part, jiahosts - 1);
    if (jiapid == jiahosts - 1)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = i + j;
                b[i][j] = i == j ? 2 : 0;
            }
    jia_barrier();
    int from = 0, to = N - 1;
    jia_divtask(&from, &to);
    for (int i = from; i <= to; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    jia_barrier();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            expect((long)c[i][j], 2L * (i + j), "an element of a product");
    jia_barrier();
}

static void conditions(void)
{
    volatile int *at = (volatile int *)jia_alloc(PAGE);
    if (jiapid == 0) {
        at[5] = 55;
        jia_setcv(4);
    }
    jia_waitcv(4);
    expect(at[5], 55, "what was written before a condition was set");
    jia_wait();
    if (jiapid == 0)
        jia_resetcv(4);
    jia_wait();
    if (jiapid == jiahosts - 1) {
        at[6] = 66;
        jia_setcv(4);
    }
    jia_waitcv(4);
    expect(at[6], 66, "what was written before it was set again");
    jia_barrier();
}

/* From and to shared memory, longer than what a message of the library holds. */
static void messages(void)
{
    enum { BYTES = 50000 };
    char *out = (char *)jia_alloc(BYTES * jiahosts) + BYTES * jiapid, *in = (char *)malloc(BYTES);
    char *there = (char *)jia_alloc(BYTES * jiahosts) + BYTES * jiapid;
    int next = (jiapid + 1) % jiahosts, before = (jiapid + jiahosts - 1) % jiahosts;
    for (int k = 0; k < BYTES; k++)
        out[k] = (char)(k + jiapid);
    jia_send(out, 10, next, 1);
    jia_send(out, BYTES, next, 2);
    expect(jia_recv(there, BYTES, before, 2), BYTES, "the length of a message");
    expect(jia_recv(in, BYTES, before, 1), 10, "the length of a message with another tag");
    expect(there[BYTES - 1], (char)(BYTES - 1 + before), "a byte of a message");
    expect(in[9], (char)(9 + before), "a byte of a message with another tag");
    strcpy(in, jiapid == jiahosts - 1 ? "from the last one" : "");
    jia_bcast(in, 18, jiahosts - 1);
    expect(strcmp(in, "from the last one"), 0, "a broadcast");
    free(in);
    jia_barrier();
    expect(there[5], (char)(5 + before), "a byte of a message, behind a barrier");
    jia_barrier();
}

static void allocations(void)
{
    int sizes[3] = {PAGE, 3 * PAGE, 100};
    char *a = (char *)jia_alloc(1), *b = (char *)jia_alloc_random(PAGE + 1), *c = (char *)jia_alloc1(5);
    char *d = (char *)jia_alloc4(40 * PAGE, sizes, 3, jiahosts - 1);
    char *e = (char *)jia_alloc_array(20 * PAGE, sizes, 3),
         *f = (char *)G_MALLOC(10) expect(b - a, PAGE, "the pages of a block of a byte");
    expect(c - b, 2 * PAGE, "the pages of a block of a page and a byte");
    expect(e - d, 40 * PAGE, "a block of several sizes of pieces");
    expect(f - e, 20 * PAGE, "a block of an array");
    for (int k = jiapid; k < 40; k += jiahosts)
        d[k * PAGE + 17] = (char)(k + 1);
    jia_barrier();
    for (int k = 0; k < 40; k++)
        expect(d[k * PAGE + 17], k + 1, "a page of a block of several sizes of pieces");
    expect(d[18], 0, "a byte that nobody has written");
    jia_barrier();
    jia_free(b);
}

/* Functions of libc that find pages missing while they work. */
static void texts(void)
{
    char *at = (char *)jia_alloc(8 * PAGE), line[3 * PAGE];
    if (jiapid == 0) {
        memset(at, 'x', 2 * PAGE + 10);
        strcpy(at + 5 * PAGE - 3, "across pages");
    }
    jia_barrier();
    expect((long)strlen(at), 2 * PAGE + 10, "the length of a text");
    snprintf(line, sizeof line, "<%s>", at + 5 * PAGE - 3);
    expect(strcmp(line, "<across pages>"), 0, "a formatted text");
    jia_barrier();
}

int main(int argc, char **argv)
{
    double start = jia_clock();
    jia_init(argc, argv);
    jia_config(WVEC, ON);
    counters();
    one_page();
    nested();
    pointers();
    phases();
    matrices();
    conditions();
    messages();
    allocations();
    texts();
    jia_loadcheck();
    int *all = (int *)jia_alloc(sizeof *all);
    expect(jia_clock() >= start && jia_startstat() <= jia_stopstat(), 1, "the clock");
    jia_lock(0);
    *all += errors;
    jia_unlock(0);
    jia_barrier();
    if (jiapid == 0)
        printf("%d hosts, %d errors\n", jiahosts, *all);
    jia_exit();
    return 0;
}
