/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_fold: as much of fold's face as rma calls, without programs: a rank is an actor that runs a C
 * function, its static data is one span, its symmetric heap a second area. In the `exchanged` way all ranks
 * have the same addresses and no area lies in this process in one piece, as for a rank that is not loaded in
 * swap mode.
 *
 * Platform: ranks 0 and 3 on host a, 1 on b, 2 on c, and so on; a -- b 1 us, 1 GB/s; b -- c 2 us, 2 GB/s; round
 * parameters.
 */
#ifndef PGASIM_TESTS_FAKE_FOLD_H
#define PGASIM_TESTS_FAKE_FOLD_H

#include "rma/rma.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#ifndef FAKE_RANKS
#define FAKE_RANKS 4
#endif
enum { FAKE_SIZE = 1 << 18, FAKE_THREADS = 64 };
#define FAKE_SPAN ((uintptr_t)0x100000000000) /* addresses of the exchanged way */
#define FAKE_HEAP ((uintptr_t)0x200000000000)

struct fold_job {
    struct engine *engine;
    struct fluid *fluid;
    struct platform *platform;
    struct fabric *fabric;
    struct base_settings *settings;
    struct trace trace;
    struct fold_rank rank[FAKE_RANKS];
    void *upper[FOLD_UPPERS];
    unsigned char *span[FAKE_RANKS], *heap[FAKE_RANKS];
    void (*body[FAKE_RANKS])(struct fold_rank *r);
    bool exchanged, no_symbols;
    char error[1024]; /* the last fold_program_error */
};
FOLD_THREAD struct fold_rank *fold_current;
void (*fold_stored)(struct fold_rank *r);
bool fold_jobs_on;
static struct fold_job fake;
static struct fold_front fake_front;

/* Objects of the span: 'grid' of 64 bytes at 0, 'table' of 4096 bytes at 256, 'rest' from 8192 to the end. */
static const struct fold_object fake_objects[] = {
    {"grid", 0, 0, 64}, {"table", 0, 256, 4096}, {"rest", 0, 8192, FAKE_SIZE - 8192}};

static const char fake_platform[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>\n"
    "<link id='ab' bandwidth='1GBps' latency='1us'/><link id='bc' bandwidth='2GBps' latency='2us'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"
    "<route src='b' dst='c'><link_ctn id='bc'/></route>\n"
    "<route src='a' dst='c'><link_ctn id='ab'/><link_ctn id='bc'/></route>\n</zone></platform>\n";
static const char *const fake_parameters[][2] = {
    {"rdma/put-overhead", "100ns"},   {"rdma/get-overhead", "200ns"},  {"rdma/atomic-overhead", "300ns"},
    {"rdma/copy-per-byte", "1ns"},    {"rdma/buffered-limit", "1000"}, {"rdma/inline-limit", "64"},
    {"rdma/fetch-latency", "500ns"},  {"rdma/gap", "100ns"},           {"rdma/packet", "0"},
    {"rdma/header-bytes", "0"},       {"rdma/read-service", "300ns"},  {"rdma/atomic-service", "400ns"},
    {"rdma/atomic-gap", "50ns"},      {"rdma/ack-overhead", "10ns"},   {"rdma/poll-cost", "25ns"},
    {"local/latency", "200ns"},       {"local/bandwidth", "1GBps"},    {"local/overhead", "10ns"},
    {"local/atomic-service", "80ns"},
};

/* --- fold's face -------------------------------------------------------------------------------- */

uint32_t fold_ranks(const struct fold_job *job)
{
    (void)job;
    return FAKE_RANKS;
}
struct fold_rank *fold_rank_at(struct fold_job *job, uint32_t id)
{
    return &job->rank[id];
}
struct engine *fold_engine(const struct fold_job *job)
{
    return job->engine;
}
struct fabric *fold_fabric(const struct fold_job *job)
{
    return job->fabric;
}
struct trace *fold_trace(const struct fold_job *job)
{
    return (struct trace *)&job->trace;
}
void *fold_job_upper(const struct fold_job *job, enum fold_upper which)
{
    return job->upper[which];
}
void fold_job_set_upper(struct fold_job *job, enum fold_upper which, void *p)
{
    job->upper[which] = p;
}
void fold_front_register(const struct fold_front *front)
{
    fake_front = *front;
}
uint32_t fold_span_count(const struct fold_job *job)
{
    (void)job;
    return 1;
}
struct fold_span fold_span_of(const struct fold_rank *r, uint32_t k)
{
    (void)k;
    return (struct fold_span){fake.exchanged ? FAKE_SPAN : (uintptr_t)fake.span[r->id], FAKE_SIZE};
}
bool fold_object_find(struct fold_job *job, uint32_t span, size_t offset, struct fold_object *out)
{
    (void)span;
    for (size_t k = BASE_LENGTH(fake_objects); k-- > 0 && !job->no_symbols;) {
        if (offset >= fake_objects[k].offset) {
            *out = fake_objects[k];
            return true;
        }
    }
    return false;
}

bool fold_static_name(const struct fold_rank *r, uintptr_t address, char *buf, size_t size)
{
    struct fold_span s = fold_span_of(r, 0);
    struct fold_object o;
    if (address - s.base >= s.size || !fold_object_find(r->job, 0, address - s.base, &o))
        return false;
    snprintf(buf, size, "'%s'", o.name);
    return true;
}

/* Where the bytes really are. */
static void *fake_bytes(struct fold_rank *r, uintptr_t address)
{
    if (fake.exchanged && address - FAKE_SPAN < FAKE_SIZE)
        return fake.span[r->id] + (address - FAKE_SPAN);
    if (fake.exchanged && address - FAKE_HEAP < FAKE_SIZE)
        return fake.heap[r->id] + (address - FAKE_HEAP);
    return (void *)address;
}
void *fold_direct(struct fold_rank *r, uintptr_t address, size_t size)
{
    (void)size;
    void *p = fake_bytes(r, address);
    return p == (void *)address ? p : NULL;
}
void fold_read(struct fold_rank *r, uintptr_t address, void *out, size_t size)
{
    memcpy(out, fake_bytes(r, address), size);
}
void fold_write(struct fold_rank *r, uintptr_t address, const void *in, size_t size)
{
    memcpy(fake_bytes(r, address), in, size);
}

void fold_trace_emit(const struct fold_rank *r, struct trace_event *ev)
{
    ev->time = rank_now(r);
    ev->rank = r->id;
    trace_emit(&r->job->trace, ev);
}
void fold_await_until(struct fold_rank *r, const char *call, double until, uint64_t cause)
{
    fold_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_BEGIN, .call = call});
    engine_sleep_until(fake.engine, until);
    fold_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_END, .cause = cause, .call = call});
}

void fold_program_error(struct fold_rank *r, const char *call, const char *fmt, ...)
{
    int n = snprintf(fake.error, sizeof fake.error, "rank %u: %s: ", (unsigned)r->id, call);
    va_list args;
    va_start(args, fmt);
    vsnprintf(fake.error + n, sizeof fake.error - (size_t)n, fmt, args);
    va_end(args);
    engine_actor_exit(fake.engine);
}

/* "rank 0: shmem_put of 8 bytes to rank 1 (host b): link l failed" */
void fold_operation_failed(struct fold_rank *r, const char *operation, const struct fabric_failure *why)
{
    char text[FABRIC_FAILURE_TEXT];
    snprintf(fake.error, sizeof fake.error, "rank %u: %s: %s", (unsigned)r->id, operation,
             fabric_failure_text(fake.fabric, why, text, sizeof text));
}

void fold_on_crash(bool (*fn)(char *buf, size_t size))
{
    (void)fn;
}

/* --- the stage of a test ------------------------------------------------------------------------ */

/* An address of rank r's span (heap), as the program of rank r would have it. */
static inline uintptr_t span_at(uint32_t rank, size_t offset)
{
    return fold_span_of(&fake.rank[rank], 0).base + offset;
}
static inline uintptr_t heap_at(uint32_t rank, size_t offset)
{
    return (fake.exchanged ? FAKE_HEAP : (uintptr_t)fake.heap[rank]) + offset;
}

/* Blocks of the heap: 'block 0' of 4096 bytes at 0, 'block 1' of 16 bytes at 8192, 'block 2' from 16384 on.
 */
static bool fake_heap_find(struct fold_rank *r, size_t offset, struct rma_block *out)
{
    static const struct rma_block blocks[] = {
        {"block 0", 0, 4096}, {"block 1", 8192, 16}, {"block 2", 16384, FAKE_SIZE - 16384}};
    (void)r;
    for (size_t k = BASE_LENGTH(blocks); k-- > 0;) {
        if (offset >= blocks[k].offset) {
            *out = blocks[k];
            return true;
        }
    }
    return false;
}

static void fake_heap_describe(struct fold_rank *r, size_t offset, size_t bytes, char *buf, size_t size)
{
    struct rma_block b;
    (void)bytes;
    snprintf(buf, size, "'%s'", fake_heap_find(r, offset, &b) ? b.name : "nothing");
}

static void fake_begin(bool exchanged)
{
    struct base_status st;
    memset(&fake, 0, sizeof fake);
    fake.exchanged = exchanged;
    fake.settings = base_settings_create();
    base_settings_declare(fake.settings, fabric_settings, fabric_settings_count);
    for (size_t k = 0; k < BASE_LENGTH(fake_parameters); k++)
        if (base_settings_set(fake.settings, fake_parameters[k][0], fake_parameters[k][1], BASE_FROM_COMMAND,
                              &st))
            fail_msg("%s", st.text);
    trace_init(&fake.trace);
    fake.engine = engine_create(
        &(struct engine_config){.max_actors = FAKE_RANKS + FAKE_THREADS, .stack_size = 128 << 10});
    fake.fluid = fluid_create(fake.engine);
    if (platform_load_text(&fake.platform, fake_platform, sizeof fake_platform - 1, "fake", fake.settings,
                           &st))
        fail_msg("%s", st.text);
    fake.fabric = fabric_create(fake.engine, fake.fluid, fake.platform, fake.settings);
    for (uint32_t k = 0; k < FAKE_RANKS; k++) {
        fake.rank[k] = (struct fold_rank){
            .id = k, .host = k % 3, .job = &fake, .engine = fake.engine, .measured_from = -1};
        fake.span[k] = base_zalloc(FAKE_SIZE, "span");
        fake.heap[k] = base_zalloc(FAKE_SIZE, "heap");
    }
    rma_register();
    fake_front.job_begin(&fake);
    const struct rma_heap heap = {FAKE_SIZE, fake_heap_find, fake_heap_describe};
    rma_heap_attach(&fake, &heap);
    for (uint32_t k = 0; k < FAKE_RANKS; k++)
        rma_heap_base(&fake.rank[k], heap_at(k, 0));
}

/* When all ranks came to their ends, no operation is left in a pool. */
static void fake_end(void)
{
    bool whole = engine_all_ended(fake.engine);
    trace_close(&fake.trace);
    fake_front.job_end(&fake);
    fabric_destroy(fake.fabric);
    platform_destroy(fake.platform);
    fluid_destroy(fake.fluid);
    engine_destroy(fake.engine);
    base_settings_destroy(fake.settings);
    for (uint32_t k = 0; k < FAKE_RANKS; k++) {
        free(fake.span[k]);
        free(fake.heap[k]);
    }
    if (whole)
        assert_int_equal(base_remainder_report(), 0);
    base_remainder_clear();
}

static void fake_body(void *arg)
{
    struct fold_rank *r = arg;
    fake.body[r->id](r);
    fold_catch_up(r);
    fake_front.rank_exit(r, 0);
}

static enum engine_end fake_run(void)
{
    for (uint32_t k = 0; k < FAKE_RANKS; k++) {
        if (fake.body[k])
            fake.rank[k].actor = engine_actor_spawn(fake.engine, fake_body, &fake.rank[k], &fake.rank[k]);
    }
    return engine_run(fake.engine);
}

static inline double fake_now(void)
{
    return engine_now(fake.engine);
}

#endif
