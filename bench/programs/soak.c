/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything repeatedly: `operations` of all PEs together (argument): puts, gets, atomics, put-signals,
 * contexts, teams, collectives, locks, allocation and freeing on both heaps. All counts must be right at the
 * end. PE 0 prints, at each of ten parts and so at 10, 50 and 100%, how many operations there were, the
 * process's CPU seconds and its resident memory, which should be the same from the first to the last.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 64, BYTES = 8192, BLOCK = 65536, SINGLE = 64, PARTS = 10 };

static int me, pes;
static uint64_t mine, common;  /* random streams: this PE's; the same at all PEs */
static uint64_t made, counted; /* operations of this PE; those that `table` must show at the end */
static uint64_t table[WORDS], scratch[WORDS], sum_in, sum_out, all_in[64], all_out[64 * 64], arrived,
    locked_count;
static long lock_word;
static unsigned char *heap, *ones, local[BYTES]; /* heap of BYTES, ones of BLOCK bytes */
static uint64_t strided[WORDS];
static void *volatile leaked;

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void fail(const char *what)
{
    printf("PE %d: %s\n", me, what);
    shmem_global_exit(1);
}

/* Mostly short, now and then up to all of the buffer. */
static size_t length(uint64_t x)
{
    return x % 64 == 0 ? 1 + x / 64 % BYTES : x % 8 == 0 ? 1 + x / 64 % 4096 : 8;
}

static void move(shmem_ctx_t ctx, uint64_t x, int pe)
{
    size_t n = length(x >> 8);
    switch (x % 8) {
    case 0:
        shmem_ctx_putmem(ctx, heap, local, n, pe);
        break;
    case 1:
        shmem_ctx_putmem_nbi(ctx, heap, local, n, pe);
        break;
    case 2:
        shmem_ctx_getmem(ctx, local, heap, n, pe);
        break;
    case 3:
        shmem_ctx_getmem_nbi(ctx, local, heap, n, pe);
        break;
    case 4:
        shmem_ctx_uint64_p(ctx, &scratch[x >> 32 & (WORDS - 1)], x, pe);
        break;
    case 5:
        mine ^= shmem_ctx_uint64_g(ctx, &scratch[x >> 32 & (WORDS - 1)], pe) & 1;
        break;
    case 6:
        shmem_ctx_uint64_iput(ctx, scratch, strided, 2, 2, WORDS / 2, pe);
        break;
    default:
        shmem_ctx_uint64_iget(ctx, strided, scratch, 2, 2, WORDS / 2, pe);
    }
}

static void atomic(shmem_ctx_t ctx, uint64_t x, int pe)
{
    uint64_t *word = &scratch[x >> 32 & (WORDS - 1)];
    uint64_t *counter = &table[x >> 40 & (WORDS - 1)];
    switch (x % 8) {
    case 0:
    case 1:
        counted++;
        shmem_ctx_uint64_atomic_fetch_add(ctx, counter, 1, pe);
        break;
    case 2:
    case 3:
        counted++;
        shmem_ctx_uint64_atomic_add(ctx, counter, 1, pe);
        break;
    case 4:
        counted++;
        shmem_ctx_uint64_atomic_inc(ctx, counter, pe);
        break;
    case 5:
        shmem_ctx_uint64_atomic_swap(ctx, word, x, pe);
        break;
    case 6:
        shmem_ctx_uint64_atomic_compare_swap(ctx, word, 0, x, pe);
        break;
    default:
        shmem_ctx_uint64_atomic_xor(ctx, word, x, pe);
    }
}

static void single(shmem_ctx_t ctx, int n)
{
    for (int k = 0; k < n; k++) {
        uint64_t x = next(&mine);
        int pe = (int)((x >> 16) % (uint64_t)pes);
        if (x & 1)
            move(ctx, x >> 1, pe);
        else
            atomic(ctx, x >> 1, pe);
    }
    shmem_ctx_quiet(ctx);
    made += (uint64_t)n;
}

/* Each round's signal is one more. */
static void signals(uint64_t round)
{
    shmem_putmem_signal(heap, local, 512, &arrived, 1, SHMEM_SIGNAL_ADD, (me + 1) % pes);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, round);
    made++;
}

static void collectives(uint64_t x)
{
    switch (x % 5) {
    case 0:
        sum_in = (uint64_t)me + x % 1000;
        shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &sum_out, &sum_in, 1);
        if (sum_out != (uint64_t)pes * (x % 1000) + (uint64_t)pes * (uint64_t)(pes - 1) / 2)
            fail("a wrong sum");
        break;
    case 1:
        shmem_uint64_broadcast(SHMEM_TEAM_WORLD, all_out, all_in, 64, (int)(x / 8 % (uint64_t)pes));
        break;
    case 2:
        shmem_uint64_alltoall(SHMEM_TEAM_WORLD, all_out, all_in, 1);
        break;
    case 3:
        shmem_uint64_fcollect(SHMEM_TEAM_WORLD, all_out, all_in, 1);
        break;
    default:
        shmem_team_sync(SHMEM_TEAM_WORLD);
    }
    shmem_barrier_all();
    made += 2;
}

static void contexts(void)
{
    shmem_ctx_t ctx[2];
    if (shmem_ctx_create(0, &ctx[0]) || shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx[1]))
        fail("no context");
    single(ctx[0], 8);
    single(ctx[1], 8);
    shmem_ctx_destroy(ctx[0]);
    shmem_ctx_destroy(ctx[1]);
}

static void teams(uint64_t x)
{
    shmem_team_t half, row, column;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &half);
    if (half != SHMEM_TEAM_INVALID) {
        sum_in = 1;
        shmem_uint64_sum_reduce(half, &sum_out, &sum_in, 1);
        if (sum_out != (uint64_t)shmem_team_n_pes(half) || shmem_team_create_ctx(half, 0, &ctx))
            fail("a wrong team");
        shmem_ctx_uint64_atomic_inc(ctx, &table[0], (int)(x % (uint64_t)shmem_team_n_pes(half)));
        counted++;
        shmem_ctx_quiet(ctx);
        shmem_ctx_destroy(ctx);
        shmem_team_destroy(half);
        made += 3;
    }
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 1 + (int)(x % 4), NULL, 0, &row, NULL, 0, &column);
    shmem_team_sync(row);
    shmem_team_sync(column);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    made += 4;
}

/* Blocks of all sizes up to BLOCK, and one that grows. */
static void blocks(uint64_t x)
{
    size_t n = 1 + x % (x % 4 ? 5000 : BLOCK);
    unsigned char *a = shmem_malloc(n), *b = shmem_calloc(n, 1), *own = malloc(1 + n / 32);
    if (!a || !b || !own)
        fail("no memory");
    memset(own, 1, 1 + n / 32);
    shmem_putmem(a, ones, n, (me + 1) % pes);
    shmem_barrier_all();
    if (a[0] != 1 || a[n - 1] != 1 || b[n / 2] != 0)
        fail("a block holds what it should not");
    b = shmem_realloc(b, 2 * n);
    shmem_free(a);
    shmem_free(b);
    free(own);
    made += 7;
}

static void locks(void)
{
    shmem_set_lock(&lock_word);
    uint64_t v = shmem_uint64_g(&locked_count, 0);
    shmem_uint64_p(&locked_count, v + 1, 0);
    shmem_quiet();
    shmem_clear_lock(&lock_word);
    made += 4;
}

/* Resident KiB and CPU seconds of the process, from the system: libc's functions tell the rank's. */
static void show(int part, uint64_t operations)
{
    unsigned long pages = 0, user = 0, system = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*u %lu", &pages) != 1)
        fail("/proc/self/statm");
    fclose(f);
    f = fopen("/proc/self/stat", "r");
    if (!f ||
        fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        fail("/proc/self/stat");
    fclose(f);
    printf("%3d%%: %llu operations, %.2f CPU seconds, %lu KiB\n", part * 100 / PARTS,
           (unsigned long long)operations, (double)(user + system) / (double)sysconf(_SC_CLK_TCK), pages * 4);
    fflush(stdout);
}

/* Every 16th round all PEs add up what they have made, so that they agree on when it is enough. */
static uint64_t total(uint64_t part)
{
    sum_in = part;
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &sum_out, &sum_in, 1);
    made++;
    return sum_out;
}

static void round_of(uint64_t round)
{
    uint64_t x = next(&common);
    single(SHMEM_CTX_DEFAULT, SINGLE);
    signals(round);
    collectives(x >> 8);
    if (round % 4 == 0)
        blocks(x >> 16);
    if (round % 8 == 1)
        contexts();
    if (round % 8 == 3)
        locks();
    if (round % 16 == 5)
        teams(x >> 24);
}

/* The most of everything that may be needed at one time, so that chance does not decide when that comes. */
static void warm_up(void)
{
    unsigned char *all = shmem_malloc(4 * BLOCK), *own = malloc(1 + BLOCK / 32);
    memset(all, 1, 4 * BLOCK);
    memset(own, 1, 1 + BLOCK / 32);
    memset(ones, 1, BLOCK);
    for (int kind = 0; kind < 4; kind++) {
        for (int k = 0; k < SINGLE; k++) {
            int pe = (me + k) % pes;
            size_t n = kind == 0 ? BYTES : kind == 1 ? 4096 : 8;
            if (kind == 3)
                shmem_uint64_atomic_xor(&scratch[k % WORDS], 0, pe);
            else if (k & 1)
                shmem_getmem_nbi(local, heap, n, pe);
            else
                shmem_putmem_nbi(heap, local, n, pe);
        }
        shmem_quiet();
        shmem_barrier_all();
    }
    shmem_free(all);
    free(own);
}

int main(int argc, char **argv)
{
    uint64_t operations = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000, so_far = 0, round = 0, seen = 0;
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    mine = 88172645463325252u + 977u * (uint64_t)me;
    common = 1181783497276652981u;
    if (pes > 64)
        fail("at most 64 PEs");
    heap = shmem_calloc(BYTES, 1);
    ones = shmem_malloc(BLOCK);
    warm_up();
    for (int part = 1; so_far < operations;) {
        round_of(++round);
        if (argc > 2) /* "leak": to see that it is noticed */
            leaked = memset(malloc(300), 1, 300);
        if (round % 16)
            continue;
        so_far = total(made);
        for (; part <= PARTS && so_far >= operations / PARTS * (uint64_t)part; part++)
            if (me == 0)
                show(part, so_far);
    }
    for (int k = 0; k < WORDS; k++)
        seen += table[k];
    if (total(seen) != total(counted) || (me == 0 && locked_count != (uint64_t)pes * ((round + 4) / 8)))
        fail("counters are wrong");
    shmem_free(heap);
    shmem_free(ones);
    shmem_finalize();
    return 0;
}
