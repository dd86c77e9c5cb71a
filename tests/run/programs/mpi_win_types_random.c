/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random one-sided programs whose results the standard fixes, of all kinds of windows, operations, operators,
 * datatypes at both ends, request forms and synchronization. Each prints a hash of all memory and results; the
 * ones expected here are MPICH's. Arguments: the first seed, how many.
 *
 * A window is divided into slots, of which each has an owner among the ranks (who puts, gets, or makes a row
 * of accumulates that is in order), or is accumulated by all with one operator whose order does not matter.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 4 -- 1 60
// stdout: seeds 1 and on, 60 programs: 6a88e4a885753e89
// run: -np 4 --map-by host -- 1 60
// stdout: seeds 1 and on, 60 programs: 6a88e4a885753e89
// run: -np 4 --set mpi/win-model=separate -- 1 60
// stdout: seeds 1 and on, 60 programs: 6a88e4a885753e89
// run: -np 4 --map-by host --set rdma/profile=software -- 1 60
// stdout: seeds 1 and on, 60 programs: 6a88e4a885753e89
// run: -np 4 --map-by host --set rdma/profile=rae -- 1 60
// stdout: seeds 1 and on, 60 programs: 6a88e4a885753e89
// run: -np 3 -- 1 40
// stdout: seeds 1 and on, 40 programs: 1cc5538a35b674d2
// run: -np 2 -- 1 40
// stdout: seeds 1 and on, 40 programs: fe30113113843f56
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, RANKS = 4, SLOTS = 12, ROOM = 256, MOST = 8, OPS = 6, ROUND_OPS = RANKS * SLOTS * OPS };
enum { PUT, GET, ROW, COMMON, ROLES };
enum { CREATE, ALLOCATE, SHARED, DYNAMIC, KINDS };
enum { FENCE, POST, LOCK, LOCK_ALL, HOWS };

static int me, n;
static bool one_host;
static uint64_t state;
static unsigned char *memory;
static MPI_Aint base[RANKS]; /* of dynamic windows */
static int unit;
static MPI_Win win;
static struct {
    unsigned char from[4 * ROOM], to[4 * ROOM];
} local[ROUND_OPS];
static int used, waits;
static MPI_Request request[ROUND_OPS];
static MPI_Datatype made[4 * ROUND_OPS];
static int types;

static int below(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((unsigned)(state >> 33) % (unsigned)limit);
}

/* --- datatypes ----------------------------------------------------------------------------------------- */

static const struct {
    MPI_Datatype *type;
    int bytes, integer, is_unsigned;
} basic[] = {{(MPI_Datatype[]){MPI_INT8_T}, 1, 1, 0},   {(MPI_Datatype[]){MPI_UINT16_T}, 2, 1, 1},
             {(MPI_Datatype[]){MPI_INT32_T}, 4, 1, 0},  {(MPI_Datatype[]){MPI_INT64_T}, 8, 1, 0},
             {(MPI_Datatype[]){MPI_UINT64_T}, 8, 1, 1}, {(MPI_Datatype[]){MPI_DOUBLE}, 8, 0, 0},
             {(MPI_Datatype[]){MPI_FLOAT}, 4, 0, 0}};
enum { BASICS = sizeof basic / sizeof basic[0] };

/* `count` elements as one item, of at most 3 * count elements' extent: plain, with gaps, in reverse, or of
 * two parts. Every rank makes it, so that all draw the same numbers. */
static MPI_Datatype shape(int b, int count)
{
    MPI_Datatype t, of = *basic[b].type;
    int at[MOST], lengths[MOST];
    switch (below(4)) {
    case 0:
        MPI_Type_contiguous(count, of, &t);
        break;
    case 1:
        MPI_Type_vector(count, 1, 2, of, &t);
        break;
    case 2:
        for (int k = 0; k < count; k++)
            at[k] = 2 * (count - 1 - k), lengths[k] = 1;
        MPI_Type_indexed(count, lengths, at, of, &t);
        break;
    default: {
        MPI_Aint where[2] = {0, (count / 2 + 1) * basic[b].bytes};
        int parts[2] = {count / 2, count - count / 2};
        MPI_Datatype both[2] = {of, of};
        MPI_Type_create_struct(2, parts, where, both, &t);
    }
    }
    MPI_Type_commit(&t);
    return made[types++] = t;
}

/* --- operations ---------------------------------------------------------------------------------------- */

struct action {
    int role, from, to, b, count, op, form, asked;
    MPI_Datatype here, there, third;
    MPI_Aint disp;
};

/* MPICH 4.0.2 takes large unsigned numbers for negative in MPI_MAX and MPI_MIN: not asked of it. */
static MPI_Op operator(int which, int b)
{
    static MPI_Op of_integers[10], of_reals[5];
    of_integers[0] = of_reals[0] = MPI_SUM;
    of_integers[1] = of_reals[1] = MPI_MAX;
    of_integers[2] = of_reals[2] = MPI_MIN;
    of_integers[3] = of_reals[3] = MPI_REPLACE;
    of_integers[4] = of_reals[4] = MPI_PROD;
    of_integers[5] = MPI_BAND, of_integers[6] = MPI_BOR, of_integers[7] = MPI_BXOR;
    of_integers[8] = MPI_LAND, of_integers[9] = MPI_LXOR;
    if (!basic[b].integer)
        return of_reals[which % 5];
    return of_integers[basic[b].is_unsigned && (which == 1 || which == 2) ? 0 : which];
}

/* Values that sums and products of reals keep exact, without a zero that is negative. */
static void fill(unsigned char *at, size_t bytes, int b)
{
    for (size_t k = 0; k + (size_t)basic[b].bytes <= bytes; k += (size_t)basic[b].bytes) {
        int v = below(5) - basic[b].integer;
        double d = v;
        float f = (float)v;
        if (basic[b].integer)
            memset(at + k, v < 0 ? 255 : v, (size_t)basic[b].bytes);
        else if (basic[b].bytes == 8)
            memcpy(at + k, &d, 8);
        else
            memcpy(at + k, &f, 4);
    }
}

static void issue(const struct action *a, unsigned char *from, unsigned char *to)
{
    MPI_Op op = operator(a->op, a->b);
    bool single = a->role == ROW && (a->form == 1 || (a->form == 2 && basic[a->b].integer));
    MPI_Request *q = a->asked && !single ? &request[waits++] : NULL;
    if (a->role == PUT && q)
        MPI_Rput(from, 1, a->here, a->to, a->disp, 1, a->there, win, q);
    else if (a->role == PUT)
        MPI_Put(from, 1, a->here, a->to, a->disp, 1, a->there, win);
    else if (a->role == GET && q)
        MPI_Rget(to, 1, a->here, a->to, a->disp, 1, a->there, win, q);
    else if (a->role == GET)
        MPI_Get(to, 1, a->here, a->to, a->disp, 1, a->there, win);
    else if ((a->role == COMMON || a->form == 0) && q)
        MPI_Raccumulate(from, 1, a->here, a->to, a->disp, 1, a->there, op, win, q);
    else if (a->role == COMMON || a->form == 0)
        MPI_Accumulate(from, 1, a->here, a->to, a->disp, 1, a->there, op, win);
    else if (a->form == 1)
        MPI_Fetch_and_op(from, to, *basic[a->b].type, a->to, a->disp, op, win);
    else if (a->form == 2 && basic[a->b].integer)
        MPI_Compare_and_swap(from, from + 64, to, *basic[a->b].type, a->to, a->disp, win);
    else if (q)
        MPI_Rget_accumulate(from, 1, a->here, to, 1, a->third, a->to, a->disp, 1, a->there,
                            a->form == 3 ? MPI_NO_OP : op, win, q);
    else
        MPI_Get_accumulate(from, 1, a->here, to, 1, a->third, a->to, a->disp, 1, a->there,
                           a->form == 3 ? MPI_NO_OP : op, win);
}

/* What happens to one slot of one rank in this round; all ranks draw, the origins act. */
static void work_on(int to, int slot, int how)
{
    struct action a = {.to = to, .role = below(ROLES), .from = below(n), .b = below(BASICS)};
    int rows = a.role == ROW ? 1 + below(OPS) : 1, common = below(3);
    a.count = 1 + below(MOST);
    a.disp = slot * ROOM / unit;
    if (base[to])
        a.disp = MPI_Aint_add(base[to], slot * ROOM);
    for (int k = 0; k < rows; k++) {
        a.op = a.role == COMMON ? common : below(10);
        a.form = below(5);
        a.here = shape(a.b, a.count);
        a.there = shape(a.b, a.count);
        a.third = shape(a.b, a.count);
        a.asked = (how == LOCK || how == LOCK_ALL) && below(2);
        int mine = used++;
        fill(local[mine].from, sizeof local[mine].from, a.b);
        memset(local[mine].to, 0, sizeof local[mine].to);
        if (a.role != COMMON && a.from != me)
            continue;
        if (a.role == COMMON)
            for (size_t i = 0; i < sizeof local[mine].from && basic[a.b].integer; i++)
                local[mine].from[i] = (unsigned char)(local[mine].from[i] + me);
        if (how == LOCK)
            MPI_Win_lock(k % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, to, 0, win);
        issue(&a, local[mine].from, local[mine].to);
        if (how == LOCK) {
            MPI_Waitall(waits, request, MPI_STATUSES_IGNORE);
            waits = 0;
            MPI_Win_unlock(to, win);
        }
        if (how == LOCK_ALL && k % 3 == 0)
            MPI_Win_flush(to, win);
    }
}

/* --- windows and synchronization ----------------------------------------------------------------------- */

static void make(int kind)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "same_disp_unit", "true");
    MPI_Info_set(info, "same_size", below(2) ? "true" : "false");
    unit = 1 << below(5);
    memset(base, 0, sizeof base);
    if (kind == CREATE) {
        memory = aligned_alloc(PAGE, PAGE);
        MPI_Win_create(memory, SLOTS * ROOM, unit, info, MPI_COMM_WORLD, &win);
    } else if (kind == SHARED && one_host) {
        MPI_Win_allocate_shared(SLOTS * ROOM, unit, info, MPI_COMM_WORLD, &memory, &win);
    } else if (kind == ALLOCATE || kind == SHARED) {
        MPI_Win_allocate(SLOTS * ROOM, unit, info, MPI_COMM_WORLD, &memory, &win);
    } else {
        memory = aligned_alloc(PAGE, PAGE);
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_attach(win, memory, SLOTS * ROOM);
        MPI_Get_address(memory, &base[me]);
        MPI_Allgather(MPI_IN_PLACE, 1, MPI_AINT, base, 1, MPI_AINT, MPI_COMM_WORLD);
    }
    MPI_Info_free(&info);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    for (int k = 0; k < SLOTS * ROOM; k++)
        memory[k] = (unsigned char)((k * 7 + me * 13) % 3);
    MPI_Win_unlock(me, win);
}

static void unmake(int kind)
{
    if (kind == DYNAMIC)
        MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
    if (kind == CREATE || kind == DYNAMIC)
        free(memory);
}

static void act(int how)
{
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (how == FENCE)
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (how == POST) {
        MPI_Win_post(world, 0, win);
        MPI_Win_start(world, 0, win);
    }
    if (how == LOCK_ALL)
        MPI_Win_lock_all(0, win);
    for (int to = 0; to < n; to++)
        for (int slot = 0; slot < SLOTS; slot++)
            if (below(3))
                work_on(to, slot, how);
    MPI_Waitall(waits, request, MPI_STATUSES_IGNORE);
    waits = 0;
    if (how == FENCE)
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (how == POST) {
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
    if (how == LOCK_ALL)
        MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_free(&world);
}

static uint64_t hash_of(const unsigned char *at, size_t bytes, uint64_t hash)
{
    for (size_t k = 0; k < bytes; k++)
        hash = (hash ^ at[k]) * 0x100000001b3u;
    return hash;
}

static uint64_t run(uint64_t seed)
{
    state = seed * 77 + 5;
    int kind = below(KINDS), how = below(HOWS);
    make(kind);
    MPI_Barrier(MPI_COMM_WORLD);
    used = 0;
    memset(local, 0, sizeof local);
    act(how);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    uint64_t hash = hash_of(memory, SLOTS * ROOM, (uint64_t)me + 1), sum;
    MPI_Win_unlock(me, win);
    for (int k = 0; k < ROUND_OPS; k++)
        hash = hash_of(local[k].to, sizeof local[k].to, hash);
    while (types)
        MPI_Type_free(&made[--types]);
    unmake(kind);
    MPI_Allreduce(&hash, &sum, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm near;
    int size;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &size);
    one_host = size == n;
    MPI_Comm_free(&near);
    uint64_t first = strtoull(argc > 1 ? argv[1] : "1", NULL, 10), hash = 0;
    int programs = argc > 2 ? atoi(argv[2]) : 1, each = argc > 3;
    for (int k = 0; k < programs; k++) {
        uint64_t one = run(first + (uint64_t)k);
        hash = hash * 31 + one;
        if (each && !me)
            printf("seed %llu: %016llx\n", (unsigned long long)first + (unsigned)k, (unsigned long long)one);
    }
    if (!me)
        printf("seeds %llu and on, %d programs: %016llx\n", (unsigned long long)first, programs,
               (unsigned long long)hash);
    MPI_Finalize();
    return 0;
}
