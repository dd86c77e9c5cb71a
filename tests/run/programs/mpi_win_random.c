/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random one-sided programs whose results the standard fixes, against a naive model that every rank computes:
 * in each round every byte of a window is put by at most one rank, or only added to, or only read, whatever
 * the kind of synchronization and of operation.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 2 -- 1 60
// stdout: done
// run: -np 3 -- 2 60
// stdout: done
// run: -np 7 -- 3 40
// stdout: done
// run: -np 16 -- 4 20
// stdout: done
// run: -np 4 --set mpi/win-model=separate -- 5 60
// stdout: done
// run: -np 5 --set rdma/profile=software -- 6 40
// stdout: done
// run: -np 5 --map-by host --set rdma/profile=rae -- 6 40
// stdout: done
// run: -np 6 --map-by host --set rdma/profile=rae --set card/cache-size=128 --set card/policy=retain -- 7 40
// stdout: done
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 48, BLOCK = 4 };
static int me, n;
static uint64_t state;
static int64_t *mine, *model; /* the window's memory; of all ranks, as it must be */
static MPI_Win win;
static MPI_Datatype pairs, backwards; /* two of three; BLOCK in reverse */

/* The same numbers at all ranks. */
static unsigned below(unsigned limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % limit;
}

static void fail(const char *what, int at, int64_t got, int64_t expected)
{
    printf("rank %d: %s %d is %lld, expected %lld\n", me, what, at, (long long)got, (long long)expected);
    exit(1);
}

struct action {
    int from, to, slot, kind;
    int64_t value;
};
enum { PUT, GET, ADD, MAX, SWAP, CAS, FETCH, PUT_PAIRS, PUT_BACK, KINDS };

/* The slots that an action touches, each with what it becomes; returns their number. */
static int effect(const struct action *a, int slots[BLOCK], int64_t values[BLOCK])
{
    int64_t *there = model + (size_t)a->to * SLOTS;
    int k = 0;
    switch (a->kind) {
    case PUT_PAIRS: /* 0, 1, 3, 4 are put; the extent is three */
        for (int i = 0; i < 4; i++, k++)
            slots[k] = a->slot + i + i / 2, values[k] = a->value + i;
        return k;
    case PUT_BACK:
        for (int i = 0; i < BLOCK; i++, k++)
            slots[k] = a->slot + BLOCK - 1 - i, values[k] = a->value + i;
        return k;
    case ADD:
        for (int i = 0; i < BLOCK; i++, k++)
            slots[k] = a->slot + i, values[k] = there[a->slot + i] + a->value + i;
        return k;
    default:
        slots[0] = a->slot;
        values[0] = a->kind == MAX     ? (a->value > there[a->slot] ? a->value : there[a->slot])
                    : a->kind == FETCH ? there[a->slot] + a->value
                    : a->kind == CAS   ? (there[a->slot] % 2 ? there[a->slot] : a->value)
                                       : a->value;
        return 1;
    }
}

static int64_t data[64][BLOCK], result[64][BLOCK], compare[64];

static void act(const struct action *a, int k, MPI_Request *q)
{
    int64_t *out = data[k], *in = result[k];
    *q = MPI_REQUEST_NULL;
    for (int i = 0; i < BLOCK; i++)
        out[i] = a->value + i;
    switch (a->kind) {
    case PUT:
        MPI_Put(out, 1, MPI_INT64_T, a->to, a->slot, 1, MPI_INT64_T, win);
        break;
    case GET:
        MPI_Get(in, 1, MPI_INT64_T, a->to, a->slot, 1, MPI_INT64_T, win);
        break;
    case ADD:
        MPI_Accumulate(out, BLOCK, MPI_INT64_T, a->to, a->slot, BLOCK, MPI_INT64_T, MPI_SUM, win);
        break;
    case MAX:
        MPI_Get_accumulate(out, 1, MPI_INT64_T, in, 1, MPI_INT64_T, a->to, a->slot, 1, MPI_INT64_T, MPI_MAX,
                           win);
        break;
    case SWAP:
        MPI_Fetch_and_op(out, in, MPI_INT64_T, a->to, a->slot, MPI_REPLACE, win);
        break;
    case CAS:
        compare[k] = model[(size_t)a->to * SLOTS + a->slot];
        compare[k] += compare[k] % 2 != 0;
        MPI_Compare_and_swap(out, &compare[k], in, MPI_INT64_T, a->to, a->slot, win);
        break;
    case FETCH:
        MPI_Fetch_and_op(out, in, MPI_INT64_T, a->to, a->slot, MPI_SUM, win);
        break;
    case PUT_PAIRS:
        MPI_Put(out, 4, MPI_INT64_T, a->to, a->slot, 2, pairs, win);
        break;
    default:
        MPI_Put(out, BLOCK, MPI_INT64_T, a->to, a->slot, 1, backwards, win);
    }
}

/* Fills in the round's actions, of which no two touch one slot. */
static int choose(struct action *list, char *taken)
{
    int count = 0;
    memset(taken, 0, (size_t)n * SLOTS);
    for (int tries = 8 * n; tries-- && count < 64;) {
        struct action a = {(int)below(n), (int)below(n), (int)below(SLOTS - 8), (int)below(KINDS),
                           below(1000)};
        int slots[BLOCK], clash = 0;
        int64_t values[BLOCK];
        int k = effect(&a, slots, values);
        for (int i = 0; i < k; i++)
            clash |= taken[a.to * SLOTS + slots[i]];
        if (clash)
            continue;
        for (int i = 0; i < k; i++)
            taken[a.to * SLOTS + slots[i]] = 1;
        list[count++] = a;
    }
    return count;
}

static void perform(const struct action *list, int count, int how)
{
    MPI_Request q;
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (how == 0)
        MPI_Win_fence(0, win);
    if (how == 1)
        MPI_Win_lock_all(0, win);
    if (how == 2) {
        MPI_Win_post(world, 0, win);
        MPI_Win_start(world, 0, win);
    }
    for (int k = 0; k < count; k++) {
        if (list[k].from != me)
            continue;
        if (how >= 3)
            MPI_Win_lock(how == 3 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, list[k].to, 0, win);
        act(&list[k], k, &q);
        if (how == 1 && k % 3 == 0)
            MPI_Win_flush(list[k].to, win);
        if (how >= 3)
            MPI_Win_unlock(list[k].to, win);
    }
    if (how == 0)
        MPI_Win_fence(0, win);
    if (how == 1)
        MPI_Win_unlock_all(win);
    if (how == 2) {
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&world);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win); /* own memory may be read now, in the separate model, too */
    MPI_Win_unlock(me, win);
}

static void check(const struct action *list, int count)
{
    for (int k = 0; k < count; k++) {
        const struct action *a = &list[k];
        int slots[BLOCK];
        int64_t values[BLOCK], *there = model + (size_t)a->to * SLOTS;
        int fetches =
            a->kind == GET || a->kind == MAX || a->kind == SWAP || a->kind == CAS || a->kind == FETCH;
        if (fetches && a->from == me && result[k][0] != there[a->slot])
            fail("result", k, result[k][0], there[a->slot]);
        int touched = a->kind == GET ? 0 : effect(a, slots, values);
        for (int i = 0; i < touched; i++)
            there[slots[i]] = values[i];
    }
    for (int k = 0; k < SLOTS; k++)
        if (mine[k] != model[(size_t)me * SLOTS + k])
            fail("slot", k, mine[k], model[(size_t)me * SLOTS + k]);
}

int main(int argc, char **argv)
{
    struct action list[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    state = strtoull(argc > 1 ? argv[1] : "1", NULL, 10) * 77;
    int rounds = argc > 2 ? atoi(argv[2]) : 10;
    char *taken = malloc((size_t)n * SLOTS);
    model = calloc((size_t)n * SLOTS, sizeof *model);
    const int back[BLOCK] = {3, 2, 1, 0};
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT64_T, &two);
    MPI_Type_create_resized(two, 0, 3 * sizeof(int64_t), &pairs);
    MPI_Type_create_indexed_block(BLOCK, 1, back, MPI_INT64_T, &backwards);
    MPI_Type_commit(&pairs);
    MPI_Type_commit(&backwards);
    MPI_Win_allocate(SLOTS * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    for (int round = 0; round < rounds; round++) {
        int count = choose(list, taken), how = (int)below(5);
        perform(list, count, how);
        check(list, count);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Type_free(&two);
    MPI_Type_free(&pairs);
    MPI_Type_free(&backwards);
    MPI_Finalize();
    if (!me)
        puts("done");
    return 0;
}
