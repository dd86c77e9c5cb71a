/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random MPI programs that are synchronized by construction, or but for one place: see plan.h. Each phase opens an
 * epoch of one kind, every rank issues its actions, the epoch is closed, and the owners check their memory.
 */
// build: $MPICC -g -O1 -Wall -I "$DIR" "$SRC" -o $EXE
#include "plan.h"
#include <mpi.h>

enum way { FENCE, PSCW, LOCK_ALL, SHARED, EXCLUSIVE, REQUESTS, CHAIN, COUNTER, WAYS };
static const char *const way_names[] = {"fence",     "post and start", "lock_all", "shared locks",
                                        "exclusive", "requests",       "chain",    "counter"};
enum spoil {
    EARLY_CHECK,  /* owners look at their memory before the epoch is closed */
    NO_FLUSH,     /* a barrier, but nothing completed */
    LOCAL_FLUSH,  /* completed at the origins only */
    NO_BARRIER,   /* completed, but the owners do not know */
    EARLY_RESULT, /* results of gets are read before they are complete */
    EARLY_REUSE,  /* origin buffers are overwritten before they are free */
    NO_LOCK,      /* a shared lock where an exclusive one is needed */
    EARLY_TOKEN,  /* the token is passed on before the update is complete */
    SPOILS
};
static const char *const spoil_names[] = {"memory is loaded before the epoch is closed",
                                          "no flush before the barrier",
                                          "a local flush before the barrier",
                                          "no barrier after the epoch",
                                          "results are read before they are complete",
                                          "buffers are overwritten before they are free",
                                          "shared instead of exclusive locks",
                                          "the token is sent before the flush"};
/* What can be left out in which way, as bits. */
static const unsigned possible[WAYS] = {
    [FENCE] = 1 << EARLY_CHECK | 1 << EARLY_RESULT | 1 << EARLY_REUSE,
    [PSCW] = 1 << EARLY_CHECK | 1 << EARLY_RESULT | 1 << EARLY_REUSE,
    [LOCK_ALL] = 1 << NO_FLUSH | 1 << LOCAL_FLUSH | 1 << NO_BARRIER | 1 << EARLY_RESULT | 1 << EARLY_REUSE,
    [SHARED] = 1 << NO_BARRIER,
    [EXCLUSIVE] = 1 << EARLY_RESULT | 1 << EARLY_REUSE,
    [REQUESTS] = 1 << NO_FLUSH | 1 << EARLY_RESULT,
    [CHAIN] = 1 << EARLY_TOKEN,
    [COUNTER] = 1 << NO_LOCK,
};

static long mine[SLOTS];
static MPI_Win win;
static MPI_Group world;

static void act(const struct action *a, int k, MPI_Request *request)
{
    long *out = origin[k], *in = result[k];
    MPI_Aint at = a->slot;
    switch (a->kind) {
    case PUT:
    case PUT_LATER:
        if (request)
            MPI_Rput(out, WIDTH, MPI_LONG, a->to, at, WIDTH, MPI_LONG, win, request);
        else
            MPI_Put(out, WIDTH, MPI_LONG, a->to, at, WIDTH, MPI_LONG, win);
        break;
    case PUT_ONE:
        MPI_Put(out, 1, MPI_LONG, a->to, at, 1, MPI_LONG, win);
        break;
    case GET:
    case GET_LATER:
        if (request)
            MPI_Rget(in, WIDTH, MPI_LONG, a->to, at, WIDTH, MPI_LONG, win, request);
        else
            MPI_Get(in, WIDTH, MPI_LONG, a->to, at, WIDTH, MPI_LONG, win);
        break;
    case ADD:
        MPI_Accumulate(out, 1, MPI_LONG, a->to, at, 1, MPI_LONG, MPI_SUM, win);
        break;
    default:
        MPI_Fetch_and_op(out, in, MPI_LONG, a->to, at, MPI_SUM, win);
    }
}

/* Issues my actions; in ways with a lock for each action, completes them, too. */
static void issue(const struct plan *plan, MPI_Request *requests)
{
    for (int k = 0; k < plan->count; k++) {
        const struct action *a = &plan->actions[k];
        requests[k] = MPI_REQUEST_NULL;
        if (a->from != me)
            continue;
        int alone = plan->how == SHARED || plan->how == EXCLUSIVE;
        if (alone)
            MPI_Win_lock(plan->how == SHARED ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, a->to, 0, win);
        act(a, k, plan->how == REQUESTS ? &requests[k] : NULL);
        if (plan->how == EXCLUSIVE && spoiled == EARLY_REUSE && !reads(a))
            memset(origin[k], 0xff, sizeof origin[k]);
        if (plan->how == EXCLUSIVE && spoiled == EARLY_RESULT && reads(a) && result[k][0] == -1)
            fail("result", k, result[k][0], 0);
        if (alone)
            MPI_Win_unlock(a->to, win);
    }
}

/* Before the epoch is closed: what a spoiled program does too early. */
static void early(const struct plan *plan)
{
    if (spoiled == EARLY_CHECK)
        check_memory(mine);
    if (spoiled == EARLY_RESULT)
        check_results(plan);
    if (spoiled == EARLY_REUSE)
        reuse_buffers(plan);
}

/* Own memory may be used now, in the separate memory model, too. */
static void own_memory(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win);
    MPI_Win_unlock(me, win);
}

/* A phase in which all actions happen at the same time. Leaves with the results checked and the memory ready. */
static void together(const struct plan *plan)
{
    MPI_Request requests[MOST_ACTIONS];
    int passive = plan->how == LOCK_ALL || plan->how == REQUESTS;
    fill_buffers(plan);
    if (plan->how == FENCE)
        MPI_Win_fence(0, win);
    if (plan->how == PSCW) {
        MPI_Win_post(world, 0, win);
        MPI_Win_start(world, 0, win);
    }
    if (passive)
        MPI_Win_lock_all(0, win);
    issue(plan, requests);
    if (plan->how == REQUESTS && spoiled != EARLY_RESULT)
        MPI_Waitall(plan->count, requests, MPI_STATUSES_IGNORE);
    if (plan->how != EXCLUSIVE)
        early(plan);
    if (plan->how == REQUESTS && spoiled == EARLY_RESULT)
        MPI_Waitall(plan->count, requests, MPI_STATUSES_IGNORE);
    if (plan->how == FENCE)
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (plan->how == PSCW) {
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
    if (passive && spoiled == LOCAL_FLUSH)
        MPI_Win_flush_local_all(win);
    if (passive && spoiled != NO_FLUSH && spoiled != LOCAL_FLUSH)
        MPI_Win_flush_all(win);
    if (plan->how != FENCE && plan->how != PSCW && spoiled != NO_BARRIER)
        MPI_Barrier(MPI_COMM_WORLD);
    if (passive) {
        MPI_Win_sync(win);
        if (spoiled >= 0 && spoiled != EARLY_RESULT && spoiled != EARLY_REUSE)
            check_memory(mine);
        MPI_Win_unlock_all(win);
    }
    if (plan->how == SHARED && spoiled == NO_BARRIER)
        check_memory(mine);
    if (spoiled >= 0)
        return;
    check_results(plan);
}

/* A word goes from rank to rank by way of another rank's memory; messages tell when it is there. */
static void chain(const struct plan *plan)
{
    int holder = plan->actions[0].to, slot = plan->actions[0].slot;
    long *word = &model[holder * SLOTS + slot], value = *word;
    MPI_Win_lock_all(0, win);
    if (me > 0)
        MPI_Recv(NULL, 0, MPI_INT, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Get(&result[0][0], 1, MPI_LONG, holder, slot, 1, MPI_LONG, win);
    MPI_Win_flush(holder, win);
    if (result[0][0] != value + me)
        fail("chain", slot, result[0][0], value + me);
    origin[0][0] = result[0][0] + 1;
    MPI_Put(&origin[0][0], 1, MPI_LONG, holder, slot, 1, MPI_LONG, win);
    if (spoiled != EARLY_TOKEN)
        MPI_Win_flush(holder, win);
    if (me + 1 < ranks)
        MPI_Send(NULL, 0, MPI_INT, me + 1, 0, MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    *word += ranks;
}

/* Every rank adds to a counter in critical sections. */
static void count(const struct plan *plan)
{
    int holder = plan->actions[0].to, slot = plan->actions[0].slot;
    for (int times = 0; times < 2; times++) {
        MPI_Win_lock(spoiled == NO_LOCK ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, holder, 0, win);
        MPI_Get(&result[0][0], 1, MPI_LONG, holder, slot, 1, MPI_LONG, win);
        MPI_Win_flush(holder, win);
        origin[0][0] = result[0][0] + 1;
        MPI_Put(&origin[0][0], 1, MPI_LONG, holder, slot, 1, MPI_LONG, win);
        MPI_Win_unlock(holder, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    model[holder * SLOTS + slot] += 2 * ranks;
}

/* The way to spoil the phase that comes first in a random order, or -1 if none makes a conflict. */
static int how_to_spoil(const struct plan *plan)
{
    for (int k = 0, start = (int)below(SPOILS); k < SPOILS; k++) {
        int what = (start + k) % SPOILS;
        if (!(possible[plan->how] >> what & 1))
            continue;
        int gets = has_kind(plan, GET) || has_kind(plan, GET_LATER);
        int puts = has_kind(plan, PUT) || has_kind(plan, PUT_LATER) || has_kind(plan, PUT_ONE);
        if (what == EARLY_RESULT ? gets : what == EARLY_REUSE ? puts : what >= NO_LOCK || has_update(plan))
            return what;
    }
    return -1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    seed_stream(argc > 1 ? argv[1] : "1");
    int phases = argc > 2 ? atoi(argv[2]) : 8;
    spoiling = argc > 3;
    int from = spoiling ? (int)below((unsigned)phases) : phases;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int phase = 0; phase < phases || (spoiling && spoiled < 0); phase++) {
        struct plan plan;
        choose(&plan, WAYS);
        if (spoiling && phase >= from)
            spoiled = how_to_spoil(&plan);
        if (spoiled >= 0)
            say_spoiled(phase, way_names[plan.how], spoil_names[spoiled], &plan);
        if (plan.how == CHAIN) {
            chain(&plan);
        } else if (plan.how == COUNTER) {
            count(&plan);
        } else {
            together(&plan);
            advance(&plan);
        }
        if (spoiled >= 0)
            break;
        own_memory();
        check_memory(mine);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
        store_memory(mine);
        MPI_Win_unlock(me, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    if (me == 0)
        printf("seed %s: %lx\n", argc > 1 ? argv[1] : "1", hash());
    MPI_Finalize();
    return wrong;
}
