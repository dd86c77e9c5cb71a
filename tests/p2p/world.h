/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world: what tests of messages share: ranks of plain functions (rank/ranks.h) on hosts a -- b with 1 us and
 * 1 GB/s between them, and messages that cost what those of tests/fabric/test_message.c cost, so that for k
 * bytes
 *
 *            o_s = 2 us + k/2 ns   o_is = 1 us + k/4 ns   o_r = 3 us + k ns   way = 1 us + k ns
 *   k        Send                  Isend                  Recv
 *   800      2.4                   1.2                    3.8                 1.8  asynchronous, below 1000
 *   8000     6                     3                      11                  9    detached, below 10000
 *   80000                          21                                         81   synchronous
 */
#ifndef PGASIM_TESTS_P2P_WORLD_H
#define PGASIM_TESTS_P2P_WORLD_H

#include "p2p/p2p.h"
#include "rank/ranks.h"
#include "seed.h"

#include <inttypes.h>
#include <math.h>

#define US 1e-6
enum { AREA = 1 << 20 };

#define WORLD_PLATFORM                                                                                       \
    "<?xml version='1.0'?>\n"                                                                                \
    "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"                                         \
    "<platform version='4.1'><zone id='z' routing='Full'>\n"                                                 \
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"                                                 \
    "<link id='ab' bandwidth='1GBps' latency='1us'/><link id='self' bandwidth='2GBps' latency='1us'/>\n"     \
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"                                                   \
    "<route src='a' dst='a'><link_ctn id='self'/></route>\n"                                                 \
    "</zone></platform>\n"

static struct ranks world;
static struct p2p_counts world_counts; /* at the end of the run */

/* Before p2p forgets it all: fronts end in the opposite order of their registration. */
static void world_job_end(struct rank_job *job)
{
    world_counts = p2p_counts(job);
}

static inline uint64_t test_seed(void)
{
    return seed_of_test(1);
}

static inline void world_prepare(uint32_t ranks)
{
    static const struct rank_front front = {.name = "test", .job_end = world_job_end};
    p2p_register();
    rank_front_register(&front);
    ranks_prepare(&world, ranks, AREA);
    base_settings_declare(world.settings, fabric_message_settings, fabric_message_settings_count);
    ranks_setting(&world, "smpi/os", "0:2us:0.5ns");
    ranks_setting(&world, "smpi/ois", "0:1us:0.25ns");
    ranks_setting(&world, "smpi/or", "0:3us:1ns");
    ranks_setting(&world, "smpi/async-small-thresh", "1000");
    ranks_setting(&world, "smpi/send-is-detached-thresh", "10000");
    ranks_setting(&world, "smpi/envelope", "0");
}

static inline void world_begin(void)
{
    ranks_begin(&world, ranks_platform(&world, WORLD_PLATFORM), NULL);
}

static inline void world_end(void)
{
    ranks_end(&world);
}

/* Two ranks, on a and b, run these bodies to their ends. */
static inline void two(ranks_body_fn a, ranks_body_fn b)
{
    world_prepare(2);
    world_begin();
    world.body[0] = a;
    world.body[1] = b;
    if (ranks_run(&world) != ENGINE_ALL_DONE)
        fail_msg("%s", world.report);
}

/* Nothing is left. */
static inline void none_left(void)
{
    struct p2p_counts c = world_counts;
    if (c.requests || c.live || c.buffers || c.waits)
        fail_msg("left: %" PRIu64 " requests, %" PRIu64 " messages, %" PRIu64 " payloads, %" PRIu64 " waits",
                 c.requests, c.live, c.buffers, c.waits);
}

static inline void near(double got, double expected_us, const char *what, int line)
{
    if (fabs(got / US - expected_us) > 1e-6 * fabs(expected_us) + 1e-9)
        fail_msg("line %d: %s is %.9g us, expected %.9g us", line, what, got / US, expected_us);
}
#define IS(got, us)  near(got, us, #got, __LINE__)
#define NOW_IS(r, t) near(rank_now(r), t, "the rank's time", __LINE__)

/* --- buffers ------------------------------------------------------------------------------------- */

static inline struct p2p_buffer bytes_at(uintptr_t address, uint64_t n)
{
    return (struct p2p_buffer){address, n, types_layout_of(TYPES_BYTE)};
}
/* In the heap of the rank. */
static inline struct p2p_buffer heap_bytes(const struct rank *r, size_t offset, uint64_t n)
{
    return bytes_at(ranks_heap_at(r->id, offset), n);
}
static inline unsigned char byte_of(uint64_t message, uint64_t k)
{
    return (unsigned char)(1 + (message * 31 + k * 7 + (k >> 8)) % 255); /* never 0 */
}
static inline void fill(struct rank *r, size_t offset, uint64_t n, uint64_t message)
{
    unsigned char *p = ranks_bytes(r, ranks_heap_at(r->id, offset), n);
    for (uint64_t k = 0; k < n; k++)
        p[k] = byte_of(message, k);
}
static inline void has(struct rank *r, size_t offset, uint64_t n, uint64_t message)
{
    const unsigned char *p = ranks_bytes(r, ranks_heap_at(r->id, offset), n);
    for (uint64_t k = 0; k < n; k++)
        if (p[k] != byte_of(message, k))
            fail_msg("byte %" PRIu64 " of message %" PRIu64 " is %u, expected %u", k, message, p[k],
                     byte_of(message, k));
}

static inline struct p2p_status send_to(struct rank *r, uint32_t to, int32_t tag, size_t offset, uint64_t n,
                                        enum p2p_sending how)
{
    struct p2p_buffer b = heap_bytes(r, offset, n);
    struct p2p_status st;
    p2p_send(r, to, 0, tag, &b, how, "send", &st);
    return st;
}
static inline struct p2p_status receive_from(struct rank *r, uint32_t source, int32_t tag, size_t offset,
                                             uint64_t n)
{
    struct p2p_buffer b = heap_bytes(r, offset, n);
    struct p2p_status st;
    p2p_receive(r, &(struct p2p_envelope){0, source, tag}, &b, "receive", &st);
    return st;
}
static inline struct p2p_request *isend_to(struct rank *r, uint32_t to, int32_t tag, size_t offset,
                                           uint64_t n, enum p2p_sending how)
{
    struct p2p_buffer b = heap_bytes(r, offset, n);
    struct p2p_request *q = p2p_send_create(r, to, 0, tag, &b, how, "isend");
    p2p_issue(q);
    return q;
}
static inline struct p2p_request *ireceive_from(struct rank *r, uint32_t source, int32_t tag, size_t offset,
                                                uint64_t n)
{
    struct p2p_buffer b = heap_bytes(r, offset, n);
    struct p2p_request *q = p2p_receive_create(r, &(struct p2p_envelope){0, source, tag}, &b, "ireceive");
    p2p_issue(q);
    return q;
}
/* Waits for it, and gives it back. */
static inline struct p2p_status wait_for(struct rank *r, struct p2p_request *q)
{
    p2p_wait_all(r, &q, 1, "wait");
    struct p2p_status st = *p2p_status(q);
    p2p_request_destroy(q);
    return st;
}
static inline void sleep_until(struct rank *r, double us)
{
    rank_catch_up(r);
    if (us * US > rank_now(r)) /* a time in us and back may be rounded to one that is over */
        engine_sleep_until(r->engine, us * US);
}

#endif
