/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage: what the tests of rma share: test ranks on a small platform with round parameters, so that times
 * can be computed by hand.
 *
 * Platform: ranks 0 and 3 on host a, 1 on b, 2 on c, and so on; a -- b 1 us, 1 GB/s; b -- c 2 us, 2 GB/s. A
 * rank without a body ends at once.
 */
#ifndef PGASIM_TESTS_RMA_STAGE_H
#define PGASIM_TESTS_RMA_STAGE_H

#include "rank/ranks.h"
#include "rma/rma.h"
#include "seed.h"

#include <inttypes.h>
#include <math.h>

#ifndef STAGE_RANKS
#define STAGE_RANKS 4
#endif
enum { STAGE_BYTES = 1 << 18 }; /* of a rank's statics, and of its heap */
#define US 1e-6

static struct ranks stage;
static struct rma_counts stage_counts; /* of the last run */

/* Objects of the statics: 'grid' of 64 bytes at 0, 'table' of 4096 bytes at 256, 'rest' from 8192 to the
 * end. */
static const struct rank_object stage_objects[] = {
    {"grid", 0, 0, 64}, {"table", 0, 256, 4096}, {"rest", 0, 8192, STAGE_BYTES - 8192}};

static const char stage_platform[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>\n"
    "<link id='ab' bandwidth='1GBps' latency='1us'/><link id='bc' bandwidth='2GBps' latency='2us'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"
    "<route src='b' dst='c'><link_ctn id='bc'/></route>\n"
    "<route src='a' dst='c'><link_ctn id='ab'/><link_ctn id='bc'/></route>\n</zone></platform>\n";
static const char *const stage_parameters[][2] = {
    {"rdma/put-overhead", "100ns"},   {"rdma/get-overhead", "200ns"},  {"rdma/atomic-overhead", "300ns"},
    {"rdma/copy-per-byte", "1ns"},    {"rdma/buffered-limit", "1000"}, {"rdma/inline-limit", "64"},
    {"rdma/fetch-latency", "500ns"},  {"rdma/gap", "100ns"},           {"rdma/packet", "0"},
    {"rdma/header-bytes", "0"},       {"rdma/read-service", "300ns"},  {"rdma/atomic-service", "400ns"},
    {"rdma/atomic-gap", "50ns"},      {"rdma/ack-overhead", "10ns"},   {"rdma/poll-cost", "25ns"},
    {"local/latency", "200ns"},       {"local/bandwidth", "1GBps"},    {"local/overhead", "10ns"},
    {"local/atomic-service", "80ns"},
};

/* --- targets ------------------------------------------------------------------------------------- */

/* Names of memory in reports: areas and offsets. */
static void stage_name(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    size_t in_statics = address - ranks_statics_at(r->id, 0), in_heap = address - ranks_heap_at(r->id, 0);
    (void)bytes;
    if (in_statics < STAGE_BYTES)
        snprintf(buf, size, "statics+%zu", in_statics);
    else if (in_heap < STAGE_BYTES)
        snprintf(buf, size, "heap+%zu", in_heap);
    else
        snprintf(buf, size, "other memory");
}
static void stage_stream(uintptr_t about, char *buf, size_t size)
{
    snprintf(buf, size, "stream %zu", (size_t)about);
}
static const struct rma_names stage_names = {stage_name, stage_name, "quiet", stage_stream, NULL};
/* An element of this size that can be compared and swapped. */
static inline enum types_element stage_word(size_t size)
{
    return size == 1   ? TYPES_UINT8
           : size == 2 ? TYPES_UINT16
           : size == 4 ? TYPES_UINT32
           : size == 8 ? TYPES_UINT64
                       : TYPES_INTEGER16;
}

static inline struct rma_ctx *stage_ctx(struct rank *r)
{
    return rma_ctx_create(r, &stage_names);
}
static inline struct rma_target stage_to(uint32_t rank, uintptr_t address)
{
    struct rank *r = rank_at(stage.job, rank);
    return (struct rma_target){r, address, rma_word(r, address)};
}

/* Given by a test: what to do when rma's part of a job has begun. */
static void (*stage_at_begin)(struct rank_job *job);
static void stage_job_begin(struct rank_job *job)
{
    if (stage_at_begin)
        stage_at_begin(job);
    stage_at_begin = NULL;
}

/* Before rma's part of a job ends. */
static void stage_job_end(struct rank_job *job)
{
    stage_counts = rma_counts(job);
}

/* --- a test's stage ------------------------------------------------------------------------------- */

/* What a test changes lies between the two. */
static inline void stage_prepare(bool exchanged)
{
    static const struct rank_front front = {"stage", stage_job_begin, stage_job_end, NULL};
    rma_register();
    rank_front_register(&front);
    ranks_prepare(&stage, STAGE_RANKS, STAGE_BYTES);
    stage.exchanged = exchanged;
    stage.objects = stage_objects;
    stage.n_objects = BASE_LENGTH(stage_objects);
    for (size_t k = 0; k < BASE_LENGTH(stage_parameters); k++)
        ranks_setting(&stage, stage_parameters[k][0], stage_parameters[k][1]);
}
static inline void stage_begin(void)
{
    ranks_begin(&stage, ranks_platform(&stage, stage_platform), NULL);
}

static inline int stage_setup(void **state)
{
    (void)state;
    stage_prepare(false);
    stage_begin();
    return 0;
}
static inline int stage_setup_exchanged(void **state)
{
    (void)state;
    stage_prepare(true);
    stage_begin();
    return 0;
}
static inline int stage_teardown(void **state)
{
    (void)state;
    ranks_end(&stage);
    return 0;
}
/* Runs a test on a fresh stage, with either kind of addresses. */
#define STAGE_TEST(f)                                                                                        \
    {                                                                                                        \
#f, f, stage_setup, stage_teardown, NULL                                                             \
    }
#define STAGE_TEST_EXCHANGED(f)                                                                              \
    {                                                                                                        \
#f ", exchanged", f, stage_setup_exchanged, stage_teardown, NULL                                     \
    }

/* All ranks that have bodies run to their ends. */
static inline void stage_run(void)
{
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("the job did not end as it should: %s", stage.report);
}
static inline void stage_run_rank0(ranks_body_fn body)
{
    stage.body[0] = body;
    stage_run();
}

/* --- time, words and seeds ------------------------------------------------------------------------ */

static inline double stage_now(void)
{
    return engine_now(stage.engine);
}
static inline void until(double us)
{
    engine_sleep(stage.engine, us * US - stage_now());
}
static inline void time_is(double expected_us, int line)
{
    if (fabs(stage_now() - expected_us * US) > 1e-6 * US * fabs(expected_us) + 1e-15)
        fail_msg("line %d: it is %.9g us, expected %.9g us", line, stage_now() / US, expected_us);
}
#define TIME_IS(t) time_is(t, __LINE__)

static inline uint64_t word(const unsigned char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t stage_seed(void)
{
    return seed_of_test(1);
}

#endif
