/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage: a run on paper for tests of writers: three ranks on two hosts, with names that no form likes, and
 * two links between them, one for each direction.
 */
#ifndef PGASIM_TEST_TRACE_STAGE_H
#define PGASIM_TEST_TRACE_STAGE_H

#include "trace/trace.h"

#define HOSTILE "a\"b\\c\n<script>alert('1')</script>\t\xc3\xa9\xff\x01"

static inline uint32_t stage_route(void *ctx, uint32_t from, uint32_t to, const uint32_t **links,
                                   double *latency)
{
    static const uint32_t way[] = {0, 1};
    (void)ctx;
    *latency = 0;
    *links = &way[from];
    return from != to;
}

static inline struct trace_about stage_about(void)
{
    static const struct trace_call calls[] = {
        {"barrier", TRACE_KIND_BARRIER, 0},
        {"fetch_inc", TRACE_KIND_ATOMIC_FETCH_INCREMENT, 0},
        {"get", TRACE_KIND_GET, 0},
        {"inc", TRACE_KIND_ATOMIC_INCREMENT, 0},
        {"make", TRACE_KIND_MEMORY, TRACE_AWAITS_COLLECTIVE},
        {"put", TRACE_KIND_PUT, 0},
        {"receive", TRACE_KIND_RECEIVE, 0},
        {"send", TRACE_KIND_SEND, 0},
    };
    trace_calls_register(calls, BASE_LENGTH(calls));
    static const uint32_t rank_host[] = {0, 1, 1};
    static const struct trace_host host[] = {{HOSTILE, 1e9, 4}, {"node-1", 1e9, 4}};
    static const struct trace_link link[] = {{"up " HOSTILE, 1e9, 1e-6, false}, {"down", 1e9, 1e-6, false}};
    return (struct trace_about){.program = "./program " HOSTILE,
                                .arguments = HOSTILE,
                                .platform = HOSTILE,
                                .version = "0",
                                .ranks = 3,
                                .hosts = 2,
                                .links = 2,
                                .rank_host = rank_host,
                                .host = host,
                                .link = link,
                                .route = stage_route};
}

/* An event at so many nanoseconds. */
static inline void stage_at(const struct trace_sink *s, double ns, enum trace_type type, uint32_t rank,
                            struct trace_event more)
{
    more.time = ns * 1e-9;
    more.type = type;
    more.rank = rank;
    s->event(s->ctx, &more);
}
#define AT(s, ns, type, rank, ...) stage_at(s, ns, TRACE_##type, rank, (struct trace_event){__VA_ARGS__})

/* One two-sided message. */
static inline void stage_play_messages(const struct trace_sink *s)
{
    AT(s, 15, RECEIVE_POSTED, 1, .call = "receive", .op = 6, .peer = TRACE_ANY, .bytes = 64, .context = 7,
       .tag = -1);
    AT(s, 15, SEND_ISSUED, 0, .call = "send", .op = 7, .peer = 1, .bytes = 48, .context = 7, .tag = 5,
       .least = 1e-9);
    AT(s, 15.25, SEND_ARRIVED, 0, .call = "send", .op = 7, .peer = 1, .bytes = 48);
    AT(s, 15.25, SEND_MATCHED, 0, .call = "send", .op = 7, .peer = 1, .bytes = 48, .cause = 6);
    AT(s, 15.5, SEND_RECEIVED, 0, .call = "send", .op = 7, .peer = 1, .bytes = 48);
}

/* What pictures do not show. */
static inline void stage_play_rest(const struct trace_sink *s)
{
    AT(s, 15.5, ORDERED, 2, .call = "fence", .peer = 1, .context = 2);
    AT(s, 15.5, COMPLETED, 2, .call = "quiet", .peer = TRACE_ANY, .context = 2);
    AT(s, 15.5, EPOCH_BEGIN, 2, .call = "start", .peer = 0, .context = 3);
    AT(s, 15.5, EPOCH_END, 2, .call = "complete", .peer = 0, .context = 3);
    AT(s, 15.5, MEMORY_MADE, 2, .call = "make", .bytes = 4096, .context = 3,
       .address = UINT64_C(0x7f0000001000));
    AT(s, 15.5, MEMORY_FREED, 2, .call = "free", .context = 3, .address = UINT64_C(0x7f0000001000));
    AT(s, 15.75, BUFFER, 2, .call = "write", .op = 8, .bytes = 64, .detail = "double", .tag = 1,
       .address = UINT64_MAX);
}

/* A collective write of rank 2, in two phases, to a disk of host 0; and a read that rank 1 starts. */
static inline void stage_play_files(const struct trace_sink *s)
{
    AT(s, 15.75, IO_BEGIN, 2, .call = "write_all", .op = 8, .bytes = 512, .detail = HOSTILE, .context = 600,
       .tag = TRACE_IO_ALL, .address = 1024, .kind = TRACE_KIND_WRITE);
    AT(s, 15.75, IO_BEGIN, 1, .call = "iread", .op = 9, .bytes = 16, .detail = "other", .context = 16,
       .tag = TRACE_IO_STARTED, .kind = TRACE_KIND_READ);
    AT(s, 15.75, PHASE_BEGIN, 2, .call = "exchange", .op = 8, .bytes = 100, .context = 3,
       .tag = TRACE_IO_ALL);
    AT(s, 15.75, IO_ASKED, 2, .call = "write", .op = 10, .bytes = 600, .detail = HOSTILE, .address = 1024,
       .kind = TRACE_KIND_WRITE);
    AT(s, 15.85, PHASE_END, 2, .call = "exchange", .op = 8, .context = 3, .tag = TRACE_IO_ALL);
    AT(s, 15.95, IO_SERVED, 2, .call = "disk " HOSTILE, .op = 10, .bytes = 600, .least = 0.2e-9,
       .detail = HOSTILE, .context = 0, .kind = TRACE_KIND_WRITE);
    AT(s, 15.95, IO_ANSWERED, 2, .op = 10);
    AT(s, 15.95, IO_END, 2, .call = "write_all", .op = 8, .bytes = 512, .detail = HOSTILE, .context = 600,
       .tag = TRACE_IO_ALL, .address = 1024, .kind = TRACE_KIND_WRITE);
    AT(s, 15.95, IO_END, 1, .call = "iread", .op = 9, .bytes = 16, .detail = "other", .context = 16,
       .tag = TRACE_IO_STARTED, .kind = TRACE_KIND_READ);
}

/* A put races with a load; the trace hears of it when the load comes. */
static inline void stage_play_race(const struct trace_sink *s)
{
    AT(s, 15.75, RACE, 2, .thread = 1, .call = "what is missing " HOSTILE, .op = 1, .peer = 0, .bytes = 16,
       .detail = "window+0x10", .context = 1);
    AT(s, 15.75, RACE_ACCESS, 0, .call = "put", .op = 1, .peer = 2, .least = 3e-9, .detail = "main, " HOSTILE,
       .tag = TRACE_ACCESS_WRITES);
    AT(s, 15.75, RACE_ACCESS, 2, .thread = 1, .call = "a load", .op = 1, .peer = 0, .least = 15.75e-9,
       .tag = TRACE_ACCESS_READS);
}

/* A request of rank 0 to the card of host 1, and one that is streamed; a core's counts. */
static inline void stage_play_card(const struct trace_sink *s)
{
    AT(s, 9, CARD_ARRIVED, 1, .op = 1, .bytes = 8, .detail = "add", .address = 128);
    AT(s, 9, CARD_STALLED, 1, .op = 1, .tag = 1, .address = 128);
    AT(s, 9.25, CARD_CONFLICT, 1, .op = 1, .address = 128);
    AT(s, 9.5, CARD_MISSED, 1, .op = 1, .address = 128);
    AT(s, 9.5, CARD_MERGED, 1, .op = 3, .peer = 1, .tag = 2, .address = 128);
    AT(s, 9.5, CARD_STREAMED, 1, .op = 2, .peer = 2, .tag = 3, .address = 192);
    AT(s, 9.75, CARD_FILLED, 1, .least = 2.5e-10, .address = 128);
    AT(s, 9.75, CARD_BEGINS, 1, .op = 1, .detail = "add", .address = 128);
    AT(s, 9.75, CARD_EXECUTED, 1, .op = 2, .peer = 2, .detail = "load", .address = 192);
    AT(s, 10, CARD_EXECUTED, 1, .op = 1, .detail = "add", .address = 128);
    AT(s, 10, CARD_WROTE_BACK, 1, .address = 128);
    AT(s, 10, CARD_INVALIDATED, 1, .tag = 1, .address = 128);
    AT(s, 10, CARD_DRAINED, 1, .address = 128);
    AT(s, 10, CARD_HIT, 1, .op = 4, .peer = 1, .address = 128);
    AT(s, 10, CORE_TRAPPED, 2, .detail = "illegal " HOSTILE, .address = UINT64_C(0x80000000));
    AT(s, 10, CORE_COUNTED, 2, .detail = "integer", .bytes = UINT64_MAX, .tag = TRACE_COUNTED_CLASS);
    AT(s, 10, CORE_COUNTED, 2, .detail = "fences", .bytes = 7, .tag = TRACE_COUNTED_STALL);
}

/* Something of every type. */
static inline void stage_play(const struct trace_sink *s)
{
    static const int64_t values[] = {7, INT64_MIN, -1};
    for (uint32_t r = 0; r < 3; r++)
        AT(s, 0, RANK_BEGIN, r, .op = 0);
    AT(s, 1, COMPUTE_BEGIN, 0, .op = 0);
    AT(s, 2, COMPUTE_END, 0, .op = 0);
    AT(s, 2, MARK, 0, .call = HOSTILE);
    AT(s, 2, MARK_BEGIN, 0, .call = "~0");
    AT(s, 2.5, USER, 0, .call = "held " HOSTILE, .detail = "lock  " HOSTILE " last", .peer = 3,
       .values = values);
    AT(s, 3, CALL_ENTER, 0, .call = "put");
    AT(s, 3, PUT_ISSUED, 0, .call = "put", .op = 1, .peer = 1, .bytes = 100);
    AT(s, 4, CALL_LEAVE, 0, .call = "put");
    AT(s, 5, CALL_ENTER, 2, .call = "get", .thread = 1);
    AT(s, 5, GET_ISSUED, 2, .call = "get", .op = 2, .peer = 0, .bytes = 8, .thread = 1);
    AT(s, 5, WAIT_BEGIN, 2, .call = "get", .thread = 1);
    AT(s, 5.5, KEPT_BACK, 0, .call = "put", .op = 1, .peer = 1, .tag = TRACE_KEPT_AT_TARGET);
    AT(s, 6, PUT_DELIVERED, 0, .call = "put", .op = 1, .peer = 1, .bytes = 100);
    AT(s, 6.5, SIGNAL_UPDATED, 0, .call = "put", .op = 1, .peer = 1, .bytes = 100);
    AT(s, 7, GET_READ, 2, .call = "get", .op = 2, .peer = 0, .bytes = 8);
    AT(s, 7.5, KEPT_BACK, 2, .call = "get", .op = 2, .peer = 0, .tag = TRACE_KEPT_AT_ORIGIN);
    AT(s, 8, GET_ARRIVED, 2, .call = "get", .op = 2, .peer = 0, .bytes = 8);
    AT(s, 8, WAIT_END, 2, .call = "get", .thread = 1, .cause = 2);
    AT(s, 8, CALL_LEAVE, 2, .call = "get", .thread = 1);
    AT(s, 9, ATOMIC_ISSUED, 1, .call = "fetch_inc", .op = 3, .peer = 0, .bytes = 8);
    stage_play_card(s);
    AT(s, 10, ATOMIC_EXECUTED, 1, .call = "fetch_inc", .op = 3, .peer = 0, .bytes = 8);
    AT(s, 11, ATOMIC_ARRIVED, 1, .call = "fetch_inc", .op = 3, .peer = 0, .bytes = 8);
    AT(s, 11, ATOMIC_ISSUED, 1, .call = "inc", .op = 4, .peer = 0, .bytes = 8);
    AT(s, 12, ATOMIC_EXECUTED, 1, .call = "inc", .op = 4, .peer = 0, .bytes = 8);
    for (uint32_t r = 0; r < 3; r++)
        AT(s, 13, COLLECTIVE_BEGIN, r, .call = "barrier", .detail = HOSTILE, .op = 1, .peer = 3);
    AT(s, 13, COLLECTIVE_CHOSEN, 0, .call = "barrier", .detail = "coll/" HOSTILE, .op = 1, .peer = 3,
       .least = 1e-6);
    AT(s, 13, MESSAGE_ISSUED, 1, .call = "barrier", .op = 5, .peer = 0);
    AT(s, 14, MESSAGE_ARRIVED, 1, .call = "barrier", .op = 5, .peer = 0);
    for (uint32_t r = 0; r < 3; r++)
        AT(s, 15, COLLECTIVE_END, r, .call = "barrier", .detail = HOSTILE, .op = 1, .peer = 3);
    AT(s, 15, MARK_END, 0, .op = 0);
    stage_play_messages(s);
    stage_play_rest(s);
    stage_play_race(s);
    stage_play_files(s);
    AT(s, 16, COLLECTIVE_BETTER, 0, .call = "barrier", .detail = "linear", .op = 1, .peer = 3, .least = 0.5);
    for (uint32_t r = 0; r < 3; r++)
        AT(s, 16, RANK_END, r, .op = 0);
}

#endif
