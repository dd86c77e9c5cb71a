/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote: loads, stores and atomics with an object number, as one-sided operations (rma/). The object
 * lookaside buffer maps object k to rank k - 1, the same at all cores; a core's own object is reached over
 * the fabric, too, as any other (loop-back). An unknown object, or an address at which the other core has no
 * memory, is an access fault. Stores do not wait (xBGAS: weak order); a fence does.
 */
#include "riscv/internal.h"

static const char *name_of(const struct riscv_remote *a)
{
    static const char *const names[] = {
        [RISCV_LOAD] = "eld",    [RISCV_STORE] = "esd",   [RISCV_ADD] = "eamoadd",
        [RISCV_XOR] = "eamoxor", [RISCV_OR] = "eamoor",   [RISCV_AND] = "eamoand",
        [RISCV_MIN] = "eamomin", [RISCV_MAX] = "eamomax", [RISCV_CAS] = "eamocas"};
    return names[a->kind];
}

/* In order of name. */
static const struct trace_call calls[] = {{"barrier", TRACE_KIND_BARRIER, 0},
                                          {"eamoadd", TRACE_KIND_ATOMIC_FETCH_ADD, 0},
                                          {"eamoand", TRACE_KIND_ATOMIC_FETCH_UPDATE, 0},
                                          {"eamocas", TRACE_KIND_ATOMIC_COMPARE_SWAP, 0},
                                          {"eamomax", TRACE_KIND_ATOMIC_FETCH_UPDATE, 0},
                                          {"eamomin", TRACE_KIND_ATOMIC_FETCH_UPDATE, 0},
                                          {"eamoor", TRACE_KIND_ATOMIC_FETCH_UPDATE, 0},
                                          {"eamoxor", TRACE_KIND_ATOMIC_FETCH_UPDATE, 0},
                                          {"eld", TRACE_KIND_GET, 0},
                                          {"esd", TRACE_KIND_PUT, 0},
                                          {"fence", TRACE_KIND_QUIET, 0},
                                          {"local loop", TRACE_KIND_WAIT_VALUE, 0},
                                          {"sleep", TRACE_KIND_SLEEP, 0},
                                          {"wfi", TRACE_KIND_WAIT_VALUE, 0}};

void riscv_calls_register(void)
{
    trace_calls_register(calls, BASE_LENGTH(calls));
}

/* --- names in rma's reports ----------------------------------------------------------------------------- */

static void name_target(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    (void)bytes;
    const struct riscv_start *s = riscv_rank_of(r)->start; /* players have none */
    if (!s || !riscv_program_data_name(s->program, address, buf, size))
        snprintf(buf, size, "%#lx", (unsigned long)address);
}

static void name_local(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    (void)r, (void)address, (void)bytes;
    snprintf(buf, size, "a register");
}

static void name_stream(uintptr_t about, char *buf, size_t size)
{
    (void)about;
    snprintf(buf, size, "the core");
}

static struct rma_ctx *context_of(struct riscv_rank *k)
{
    static const struct rma_names names = {
        .target = name_target, .local = name_local, .completion = "fence", .stream = name_stream};
    if (!k->ctx)
        k->ctx = rma_ctx_create(k->rank, &names);
    return k->ctx;
}

/* --- operations ----------------------------------------------------------------------------------------- */

static uint64_t atomic(struct rma_ctx *c, struct rma_target t, const struct riscv_remote *a, const char *name)
{
    static const enum rma_atomic op[] = {
        [RISCV_ADD] = RMA_ADD, [RISCV_XOR] = RMA_XOR, [RISCV_OR] = RMA_OR,           [RISCV_AND] = RMA_AND,
        [RISCV_MIN] = RMA_MIN, [RISCV_MAX] = RMA_MAX, [RISCV_CAS] = RMA_COMPARE_SWAP};
    const struct rma_atomic_args args = {.op = op[a->kind],
                                         .size = a->bytes,
                                         .operand = a->operand,
                                         .compare = a->expected,
                                         .type = a->bytes == 4 ? TYPES_INT32 : TYPES_INT64,
                                         .blocks = true};
    return rma_atomic_fetch(c, t, &args, name);
}

static void operate(struct riscv_rank *k, struct rma_target t, struct riscv_remote *a, const char *name)
{
    struct rma_ctx *c = context_of(k);
    switch (a->kind) {
    case RISCV_STORE:
        rma_put(c, t, &a->operand, a->bytes, RMA_BLOCKING, name);
        return;
    case RISCV_LOAD:
        k->scratch = 0;
        rma_get(c, t, (void *)RISCV_SCRATCH, a->bytes, RMA_BLOCKING, name);
        a->result = k->scratch;
        return;
    default:
        t.word = rma_word(t.rank, t.address);
        a->result = atomic(c, t, a, name);
        return;
    }
}

/* If the origin has a communication library, the core's counters contain its instructions. Its time is part
 * of the operation. */
static void count_library(struct riscv_rank *k, enum riscv_remote_kind kind)
{
    static const enum fabric_work work[] = {
        [RISCV_LOAD] = FABRIC_WORK_GET,    [RISCV_STORE] = FABRIC_WORK_PUT,   [RISCV_ADD] = FABRIC_WORK_ADD,
        [RISCV_XOR] = FABRIC_WORK_XOR,     [RISCV_OR] = FABRIC_WORK_OR,       [RISCV_AND] = FABRIC_WORK_AND,
        [RISCV_MIN] = FABRIC_WORK_MIN_MAX, [RISCV_MAX] = FABRIC_WORK_MIN_MAX, [RISCV_CAS] = FABRIC_WORK_CAS};
    struct fabric *f = rank_fabric(k->job->job);
    k->process.core.elsewhere += fabric_library_instructions(f, k->rank->host, work[kind]);
}

static void count(struct riscv_counts *counts, enum riscv_remote_kind kind)
{
    if (kind == RISCV_LOAD)
        counts->loads++;
    else if (kind == RISCV_STORE)
        counts->stores++;
    else
        counts->atomics++;
}

void riscv_access(struct riscv_rank *k, struct rank *other, struct riscv_remote *a)
{
    const char *name = name_of(a);
    double from = riscv_leave(k);
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_access(k, other, a);
    if (BASE_UNLIKELY(k->job->writers != NULL))
        rma_mark_next(k->rank, ++k->operations);
    else
        rma_count(k->rank);
    struct rank *r = rank_enter_issue(name);
    r->caller = (uint32_t)k->process.core.pc;
    if (a->kind != RISCV_STORE)
        rank_catch_up(r);
    operate(k, (struct rma_target){.rank = other, .address = a->address}, a, name);
    rank_leave(r, name);
    riscv_back(k, from, RISCV_STALL_REMOTE);
    count(&k->counts, a->kind);
    count_library(k, a->kind);
    k->calm = 0;
}

bool riscv_remote(struct riscv_core *c, struct riscv_remote *a)
{
    struct riscv_rank *k = riscv_rank_of_core(c);
    uint8_t may = a->kind == RISCV_LOAD    ? RISCV_READ
                  : a->kind == RISCV_STORE ? RISCV_WRITE
                                           : RISCV_READ | RISCV_WRITE;
    if (a->object - 1 >= rank_count(k->job->job))
        return false;
    struct rank *other = rank_at(k->job->job, (uint32_t)(a->object - 1));
    struct riscv_rank *there = riscv_rank_of(other);
    if (!there || !riscv_core_bytes(&there->process.core, a->address, a->bytes, may))
        return false;
    riscv_access(k, other, a);
    return true;
}

void riscv_fence(struct riscv_core *c)
{
    struct riscv_rank *k = riscv_rank_of_core(c);
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_fence(k);
    if (!k->ctx || rma_ctx_idle(k->ctx))
        return;
    double from = riscv_leave(k);
    struct rank *r = rank_enter("fence");
    r->caller = (uint32_t)c->pc;
    rma_quiet(k->ctx, "fence");
    rank_leave(r, "fence");
    riscv_back(k, from, RISCV_STALL_FENCE);
}
