/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * players: calls from their words. A player calls what a program calls, so its calls take the same time. Its memory holds
 * no data, so waits and tests do not look at it: they wait for the operations that the trace names.
 */
#include "shmem/lock.h"
#include "shmem/recorded.h"

#include <pgasim.h>
#include <stdlib.h>
#include <string.h>

#define CTX(x)  ((shmem_ctx_t)(uintptr_t)(x).i)
#define TEAM(x) ((shmem_team_t)(uintptr_t)(x).i)
#define TO(x)   ((void *)(uintptr_t)(x).p)

static const char *name_of(uint32_t function)
{
    return record_function_of(function)->name;
}

uintptr_t shmem_place_at(struct rank *r, int64_t word)
{
    const struct shmem_pe *self = rank_kept(r, &shmem_slot);
    uint32_t area;
    uint64_t offset;
    if (!self || !record_place_of(word, &area, &offset))
        return 0;
    if (area == RECORD_FOLDED)
        return self->job->folded_base + offset;
    if (area == 0)
        return shmem_heap_address(self->job, self->me, offset);
    return area <= rank_span_count(r) ? rank_span_of(r, area - 1).base + offset : 0;
}

/* --- waits and tests ------------------------------------------------------------------------------ */

/* Until what the trace names has been done to the bytes. */
static void await(const struct shmem_pe *self, const char *call, uintptr_t low, uintptr_t high,
                  const struct record_value *causes)
{
    rma_causes_await(self->rank, call, causes->p, causes->i, low, high);
}

static uint64_t wait_until(uint32_t function, const struct record_value *v)
{
    const char *call = name_of(function);
    struct shmem_pe *self = shmem_enter_issue(call);
    await(self, call, (uintptr_t)v[0].p, (uintptr_t)v[0].p + (uintptr_t)v[1].i, &v[2]);
    shmem_leave(self, call);
    return v[2].i > 0;
}

/* Looks once. What the call saw in the recorded run, and is not there yet, it waits for: returns 1. */
static uint64_t look(const char *call, const struct record_value *place, size_t bytes,
                     const struct record_value *causes)
{
    struct shmem_pe *self = shmem_enter_issue(call);
    rma_poll(self->rank);
    bool sees = rma_causes_done(self->rank, causes->p, causes->i);
    if (!sees)
        await(self, call, (uintptr_t)place->p, (uintptr_t)place->p + bytes, causes);
    shmem_leave(self, call);
    return !sees;
}

static uint64_t test(uint32_t function, const struct record_value *v)
{
    return look(name_of(function), &v[0], (size_t)v[1].i, &v[3]);
}

static uint64_t signal_fetch(uint32_t function, const struct record_value *v)
{
    return look(name_of(function), &v[0], sizeof(uint64_t), &v[1]);
}

static uint64_t test_lock(uint32_t function, const struct record_value *v)
{
    (void)function;
    if (!v[1].i)
        return (uint64_t)shmem_lock_test(TO(v[0]), true, NULL);
    shmem_lock_test(TO(v[0]), false, NULL);
    return 0;
}

/* --- memory --------------------------------------------------------------------------------------- */

static uint64_t memory(uint32_t function, const struct record_value *v)
{
    switch (function) {
    case RECORD_SHMEM_MALLOC:
        shmem_malloc((size_t)v[0].i);
        break;
    case RECORD_SHMEM_CALLOC:
        shmem_calloc(1, (size_t)v[0].i);
        break;
    case RECORD_SHMEM_ALIGN:
        shmem_align((size_t)v[0].i, (size_t)v[1].i);
        break;
    case RECORD_SHMEM_REALLOC:
        shmem_realloc(TO(v[0]), (size_t)v[1].i);
        break;
    case RECORD_SHMEM_FOLD_MALLOC:
        pgasim_fold_shmem_malloc((size_t)v[0].i);
        break;
    default:
        shmem_free(TO(v[0]));
    }
    return 0;
}

/* --- operations ----------------------------------------------------------------------------------- */

static uint64_t move(uint32_t function, const struct record_value *v)
{
    bool nbi = function == RECORD_SHMEM_PUT_NBI || function == RECORD_SHMEM_GET_NBI;
    bool puts = function == RECORD_SHMEM_PUT || function == RECORD_SHMEM_PUT_NBI;
    const struct shmem_form f = {
        .call = name_of(function), .size = 1, .kind = nbi ? RMA_NONBLOCKING : RMA_BLOCKING};
    (puts ? shmem_core_put : shmem_core_get)(&f, CTX(v[0]), TO(v[1]), v[2].p, (size_t)v[3].i, (int)v[4].i);
    return 0;
}

static uint64_t strided(uint32_t function, const struct record_value *v)
{
    const struct shmem_form f = {.call = name_of(function), .size = (uint32_t)v[7].i, .kind = RMA_BLOCKING};
    const struct shmem_strides s = {v[3].i, v[4].i, (size_t)v[5].i, (size_t)v[6].i, NULL};
    (function == RECORD_SHMEM_IBPUT ? shmem_core_put_strided : shmem_core_get_strided)(
        &f, CTX(v[0]), TO(v[1]), v[2].p, &s, (int)v[8].i);
    return 0;
}

static struct shmem_form atomic_form(uint32_t function, uint8_t op, const struct record_value *size)
{
    return (struct shmem_form){
        .call = name_of(function), .size = (uint32_t)size->i, .kind = op, .type = TYPES_UINT64};
}

static uint64_t post(uint32_t function, const struct record_value *v)
{
    static const uint8_t ops[] = {RMA_SET, RMA_ADD, RMA_AND, RMA_OR, RMA_XOR};
    const struct shmem_form f = atomic_form(function, ops[function - RECORD_SHMEM_SET], &v[2]);
    shmem_core_post(&f, CTX(v[0]), TO(v[1]), 0, (int)v[3].i, NULL);
    return 0;
}

static const uint8_t fetching[] = {RMA_FETCH, RMA_SWAP, RMA_COMPARE_SWAP, RMA_ADD, RMA_AND, RMA_OR, RMA_XOR};

static uint64_t fetch(uint32_t function, const struct record_value *v)
{
    const struct shmem_form f = atomic_form(function, fetching[(function - RECORD_SHMEM_FETCH) / 2], &v[2]);
    shmem_core_fetch(&f, CTX(v[0]), v[1].p, 0, 0, (int)v[3].i, NULL);
    return 0;
}

static uint64_t fetch_nbi(uint32_t function, const struct record_value *v)
{
    const struct shmem_form f = atomic_form(function, fetching[(function - RECORD_SHMEM_FETCH) / 2], &v[3]);
    shmem_core_fetch_nbi(&f, CTX(v[0]), TO(v[1]), v[2].p, 0, 0, (int)v[4].i, NULL);
    return 0;
}

static uint64_t put_signal(uint32_t function, const struct record_value *v)
{
    bool nbi = function == RECORD_SHMEM_PUT_SIGNAL_NBI;
    const struct shmem_form f = {
        .call = name_of(function), .size = 1, .kind = nbi ? RMA_NONBLOCKING : RMA_BLOCKING};
    const struct shmem_signal s = {TO(v[4]), 0, (int)v[5].i, NULL};
    shmem_core_put_signal(&f, CTX(v[0]), TO(v[1]), v[2].p, (size_t)v[3].i, &s, (int)v[6].i);
    return 0;
}

static uint64_t signal(uint32_t function, const struct record_value *v)
{
    int op = function == RECORD_SHMEM_SIGNAL_ADD ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
    const struct shmem_signal s = {TO(v[1]), 0, op, NULL};
    shmem_core_signal(name_of(function), CTX(v[0]), &s, (int)v[2].i);
    return 0;
}

/* --- order and collectives ------------------------------------------------------------------------ */

static uint64_t pe_quiet(uint32_t function, const struct record_value *v)
{
    const int64_t *list = v[1].p;
    size_t n = v[1].i > 0 ? (size_t)v[1].i : 0;
    int *pes = base_alloc((n + 1) * sizeof *pes, "target PEs");
    (void)function;
    for (size_t k = 0; k < n; k++)
        pes[k] = (int)list[k];
    shmem_ctx_pe_quiet(CTX(v[0]), pes, n);
    free(pes);
    return 0;
}

static struct shmem_who set_of(const struct record_value *v)
{
    return (struct shmem_who){NULL, true, (int)v[0].i, (int)v[1].i, (int)v[2].i, v[3].p, false, NULL};
}

static uint64_t order(uint32_t function, const struct record_value *v)
{
    switch (function) {
    case RECORD_SHMEM_FENCE:
        shmem_ctx_fence(CTX(v[0]));
        break;
    case RECORD_SHMEM_QUIET:
        shmem_ctx_quiet(CTX(v[0]));
        break;
    case RECORD_SHMEM_BARRIER_ALL:
        shmem_barrier_all();
        break;
    case RECORD_SHMEM_TEAM_SYNC:
        shmem_team_sync(TEAM(v[0]));
        break;
    case RECORD_SHMEM_BARRIER:
        shmem_barrier((int)v[0].i, (int)v[1].i, (int)v[2].i, TO(v[3]));
        break;
    default:
        shmem_sync((int)v[0].i, (int)v[1].i, (int)v[2].i, TO(v[3]));
    }
    return 0;
}

/* Of a team, or, with the next number, of an active set, which comes last. */
static uint64_t exchange(uint32_t function, const struct record_value *v)
{
    bool set = (function - RECORD_SHMEM_ALLTOALL) % 2;
    uint32_t base = function - set;
    uint32_t own = base == RECORD_SHMEM_BROADCAST ? 5 : base == RECORD_SHMEM_ALLTOALLS ? 6 : 4;
    const struct record_value *a = set ? v : v + 1;
    const struct shmem_who who = set ? set_of(v + own) : (struct shmem_who){.team = TEAM(v[0])};
    struct shmem_form f = {.call = name_of(function),
                           .size = (uint32_t)a[base == RECORD_SHMEM_ALLTOALLS ? 5 : 3].i};
    size_t n = (size_t)a[2].i;
    switch (base) {
    case RECORD_SHMEM_ALLTOALL:
        shmem_core_alltoall(&f, &who, TO(a[0]), a[1].p, n);
        break;
    case RECORD_SHMEM_ALLTOALLS:
        shmem_core_alltoalls(&f, &who, TO(a[0]), a[1].p, a[2].i, a[3].i, (size_t)a[4].i);
        break;
    case RECORD_SHMEM_BROADCAST:
        shmem_core_broadcast(&f, &who, TO(a[0]), a[1].p, n, (int)a[4].i);
        break;
    default:
        f.kind = base == RECORD_SHMEM_COLLECT ? COLL_COLLECT : COLL_FCOLLECT;
        shmem_core_collect(&f, &who, TO(a[0]), a[1].p, n);
    }
    return 0;
}

enum types_element shmem_played_type(const char *name)
{
    int e = 0;
    while (e < TYPES_ELEMENTS && strcmp(types_element_info((enum types_element)e)->name, name) != 0)
        e++;
    return (enum types_element)e;
}

static uint64_t reduce(uint32_t function, const struct record_value *v)
{
    static const enum types_op ops[] = {TYPES_BAND, TYPES_BOR, TYPES_BXOR, TYPES_MAX,
                                        TYPES_MIN,  TYPES_SUM, TYPES_PROD};
    bool scan = function >= RECORD_SHMEM_SUM_INSCAN;
    bool set = !scan && (function - RECORD_SHMEM_BAND_REDUCE) % 2;
    const struct record_value *a = set ? v : v + 1;
    const struct shmem_who who = set ? set_of(v + 4) : (struct shmem_who){.team = TEAM(v[0])};
    enum types_element e = shmem_played_type(a[3].p);
    const struct shmem_form f = {.call = name_of(function),
                                 .size = types_element_info(e)->extent,
                                 .kind = function == RECORD_SHMEM_SUM_INSCAN   ? COLL_INSCAN
                                         : function == RECORD_SHMEM_SUM_EXSCAN ? COLL_EXSCAN
                                                                               : COLL_REDUCE};
    const struct coll_operator op = {scan ? TYPES_SUM : ops[(function - RECORD_SHMEM_BAND_REDUCE) / 2], e,
                                     false};
    shmem_core_reduce(&f, &who, TO(a[0]), a[1].p, (size_t)a[2].i, set ? a[0].p : NULL, op);
    return 0;
}

/* --- teams, contexts, the rest -------------------------------------------------------------------- */

static uint64_t objects(uint32_t function, const struct record_value *v)
{
    switch (function) {
    case RECORD_SHMEM_TEAM_SPLIT_STRIDED:
        shmem_team_split_strided(TEAM(v[0]), (int)v[1].i, (int)v[2].i, (int)v[3].i, NULL, 0, TO(v[4]));
        break;
    case RECORD_SHMEM_TEAM_SPLIT_2D:
        shmem_team_split_2d(TEAM(v[0]), (int)v[1].i, NULL, 0, TO(v[2]), NULL, 0, TO(v[3]));
        break;
    case RECORD_SHMEM_TEAM_DESTROY:
        shmem_team_destroy(TEAM(v[0]));
        break;
    case RECORD_SHMEM_CTX_CREATE:
        shmem_ctx_create(v[0].i, TO(v[1]));
        break;
    case RECORD_SHMEM_TEAM_CREATE_CTX:
        shmem_team_create_ctx(TEAM(v[0]), v[1].i, TO(v[2]));
        break;
    default:
        shmem_ctx_destroy(CTX(v[0]));
    }
    return 0;
}

static uint64_t rest(uint32_t function, const struct record_value *v)
{
    switch (function) {
    case RECORD_SHMEM_INIT:
        shmem_init_of(v[0].i);
        shmem_pe_of(rank_current, name_of(function))->level =
            SHMEM_THREAD_MULTIPLE; /* it is not in the trace */
        break;
    case RECORD_SHMEM_FINALIZE:
        shmem_finalize();
        break;
    case RECORD_SHMEM_GLOBAL_EXIT:
        shmem_global_exit(0);
    case RECORD_SHMEM_SET_LOCK:
        shmem_set_lock(TO(v[0]));
        break;
    default:
        shmem_clear_lock(TO(v[0]));
    }
    return 0;
}

static uint64_t stores(uint32_t function, const struct record_value *v)
{
    const char *call = name_of(function);
    struct shmem_pe *self = v[0].i ? shmem_enter_issue(call) : shmem_enter(call);
    if (v[1].i > 0)
        shmem_stores_touch(self, v[1].p, (size_t)v[1].i);
    shmem_leave(self, call);
    return 0;
}

static uint64_t question(uint32_t function, const struct record_value *v)
{
    const char *call = name_of(function);
    struct rank *r = rank_enter(call);
    (void)v;
    if (function >= RECORD_SHMEM_WTIME)
        rma_poll(r);
    rank_leave(r, call);
    return 0;
}

/* In the order of record/shmem.def: from each number on until the next one. */
static const struct {
    uint32_t from;
    uint64_t (*play)(uint32_t function, const struct record_value *v);
} players[] = {
    {RECORD_SHMEM_INIT, rest},
    {RECORD_SHMEM_MALLOC, memory},
    {RECORD_SHMEM_PUT, move},
    {RECORD_SHMEM_IBPUT, strided},
    {RECORD_SHMEM_SET, post},
    {RECORD_SHMEM_FETCH, fetch},
    {RECORD_SHMEM_PUT_SIGNAL, put_signal},
    {RECORD_SHMEM_SIGNAL_ADD, signal},
    {RECORD_SHMEM_SIGNAL_FETCH, signal_fetch},
    {RECORD_SHMEM_WAIT_UNTIL, wait_until},
    {RECORD_SHMEM_TEST, test},
    {RECORD_SHMEM_POLLED, NULL}, /* it is no call: replay/ */
    {RECORD_SHMEM_FENCE, order},
    {RECORD_SHMEM_PE_QUIET, pe_quiet},
    {RECORD_SHMEM_BARRIER_ALL, order},
    {RECORD_SHMEM_ALLTOALL, exchange},
    {RECORD_SHMEM_BAND_REDUCE, reduce},
    {RECORD_SHMEM_TEAM_SPLIT_STRIDED, objects},
    {RECORD_SHMEM_SET_LOCK, rest},
    {RECORD_SHMEM_TEST_LOCK, test_lock},
    {RECORD_SHMEM_CLEAR_LOCK, rest},
    {RECORD_SHMEM_STORES, stores},
    {RECORD_SHMEM_PTR, question},
    {RECORD_SHMEM_FUNCTIONS, NULL},
};

uint64_t shmem_play(uint32_t function, const struct record_value *v)
{
    size_t k = 0;
    while (function >= players[k + 1].from)
        k++;
    if (players[k].play == fetch && (function - RECORD_SHMEM_FETCH) % 2)
        return fetch_nbi(function, v);
    return players[k].play(function, v);
}
