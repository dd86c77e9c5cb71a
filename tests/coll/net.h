/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * net: a small network below the executor of collectives, for tests. Ranks are scripts of calls; messages
 * take constant or random times, so that they overtake each other; a rank's addresses are not this process's,
 * and on request its memory never lies in one piece.
 */
#ifndef PGASIM_TESTS_COLL_NET_H
#define PGASIM_TESTS_COLL_NET_H

#include "coll/algorithms.h"
#include "coll/exec.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NET_ADDRESS ((uintptr_t)0x100000)

enum net_kind { NET_ENTER, NET_TIMER, NET_END, NET_ARRIVE, NET_ACK, NET_OPERATE, NET_RETURN };
struct net_event {
    double time;
    uint64_t seq;
    enum net_kind kind;
    void *what;
};

/* A rank: its memory (at NET_ADDRESS in its own terms), and the calls that it makes. */
struct net_rank {
    struct rank *rank;
    unsigned char *memory;
    size_t bytes;
    struct coll_rank kept;
    struct coll_member *member;
    const struct coll_call *calls;
    unsigned n_calls, made;
    double returned; /* when the last call returned */
};

struct net {
    struct coll_exec exec;
    struct coll_transport transport;
    double now;
    double latency, jitter, issue, receive, ack; /* seconds */
    uint64_t limit, segment;
    uint32_t radix;
    double (*apart)(uint32_t a, uint32_t b); /* seconds of a message between hosts; NULL: latency */
    bool pieces;                             /* direct access is refused */
    bool check;                              /* invariants after each event */
    struct base_random random;
    struct net_rank *ranks;
    struct rank *records;
    uint32_t n_ranks;
    BASE_ARRAY(struct net_event) heap;
    uint64_t seq;
    jmp_buf *mismatch;
    char text[512];
};

/* --- events ------------------------------------------------------------------------------------- */

static inline bool net_before(const struct net_event *a, const struct net_event *b)
{
    return a->time < b->time || (a->time == b->time && a->seq < b->seq);
}

static inline void net_swap(struct net *n, size_t a, size_t b)
{
    struct net_event t = n->heap.at[a];
    n->heap.at[a] = n->heap.at[b];
    n->heap.at[b] = t;
}

static inline void net_at(struct net *n, double time, enum net_kind kind, void *what)
{
    struct net_event ev = {time, n->seq++, kind, what};
    BASE_ARRAY_PUSH(&n->heap, ev);
    for (size_t k = n->heap.n - 1; k && net_before(&n->heap.at[k], &n->heap.at[(k - 1) / 2]); k = (k - 1) / 2)
        net_swap(n, k, (k - 1) / 2);
}

static inline struct net_event net_pop(struct net *n)
{
    struct net_event ev = n->heap.at[0];
    n->heap.at[0] = n->heap.at[--n->heap.n];
    for (size_t k = 0, c; (c = 2 * k + 1) < n->heap.n; k = c) {
        if (c + 1 < n->heap.n && net_before(&n->heap.at[c + 1], &n->heap.at[c]))
            c++;
        if (!net_before(&n->heap.at[c], &n->heap.at[k]))
            break;
        net_swap(n, k, c);
    }
    return ev;
}

static inline double net_jitter(struct net *n)
{
    return n->jitter > 0 ? n->jitter * base_random_unit(&n->random) : 0;
}

/* --- the transport ------------------------------------------------------------------------------ */

static inline struct net_rank *net_rank_of(struct net *n, const struct rank *r)
{
    return &n->ranks[r->id];
}

static inline unsigned char *net_memory(struct net *n, const struct rank *r, uintptr_t address, size_t bytes)
{
    struct net_rank *k = net_rank_of(n, r);
    if (address < NET_ADDRESS || address - NET_ADDRESS + bytes > k->bytes)
        fail_msg("rank %u: %zu bytes at %#zx are outside its memory", r->id, bytes, (size_t)address);
    return k->memory + (address - NET_ADDRESS);
}

static inline void net_timer(void *ctx, struct coll_cpu *c, double at)
{
    net_at(ctx, at, NET_TIMER, c);
}

static inline void net_end(void *ctx, struct coll_member *m, double at)
{
    net_at(ctx, at, NET_END, m);
}

static inline double net_issue_cost(void *ctx, uint64_t bytes, const struct rank *from, const struct rank *to)
{
    (void)bytes;
    assert_int_not_equal(from->id, to->id);
    return ((struct net *)ctx)->issue;
}

static inline void net_send(void *ctx, struct coll_message *msg, struct rank *from, struct rank *to,
                            uint64_t cause)
{
    struct net *n = ctx;
    (void)from, (void)to, (void)cause;
    net_at(n, n->now + n->latency + net_jitter(n), NET_ARRIVE, msg);
}

static inline double net_message_time(void *ctx, const struct rank *from, const struct rank *to)
{
    const struct net *n = ctx;
    if (from->host == to->host)
        return n->latency / 10;
    return n->apart ? n->apart(from->host, to->host) : n->latency;
}

static inline double net_ack_delay(void *ctx, struct coll_message *msg)
{
    (void)msg;
    return ((struct net *)ctx)->ack;
}

static inline void net_ack(void *ctx, struct coll_message *ack, double at)
{
    net_at(ctx, at, NET_ACK, ack);
}

/* The operators of tests take no time. */
static inline void net_operate(void *ctx, struct rank *r, struct coll_operation *o)
{
    struct net *n = ctx;
    double ready = coll_operation_ready(o);
    (void)r;
    net_at(n, ready > n->now ? ready : n->now, NET_OPERATE, o);
}

static inline struct rank *net_rank(void *ctx, uint32_t id)
{
    struct net *n = ctx;
    assert_true(id < n->n_ranks);
    return n->ranks[id].rank;
}

static inline void *net_direct(void *ctx, struct rank *r, uintptr_t address, size_t bytes)
{
    return ((struct net *)ctx)->pieces ? NULL : net_memory(ctx, r, address, bytes);
}

static inline void net_read(void *ctx, struct rank *r, uintptr_t address, void *out, size_t bytes)
{
    memcpy(out, net_memory(ctx, r, address, bytes), bytes);
}

static inline void net_write(void *ctx, struct rank *r, uintptr_t address, const void *in, size_t bytes)
{
    memcpy(net_memory(ctx, r, address, bytes), in, bytes);
}

static inline void net_touched(void *ctx, struct rank *r, uintptr_t address, size_t bytes)
{
    net_memory(ctx, r, address, bytes);
}

static inline void net_check(void *ctx, struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    (void)call;
    net_memory(ctx, r, address, bytes);
}

static inline void net_ended(struct coll_member *m)
{
    struct net *n = coll_member_exec(m)->ctx;
    net_at(n, n->now, NET_RETURN, net_rank_of(n, m->rank));
}

static inline void net_mismatch(void *ctx, struct rank *r, const char *call, const char *text)
{
    struct net *n = ctx;
    snprintf(n->text, sizeof n->text, "rank %u: %s: %s", r->id, call, text);
    if (!n->mismatch)
        fail_msg("%s", n->text);
    longjmp(*n->mismatch, 1);
}

static inline double net_byte_time(void *ctx, const struct rank *from, const struct rank *to)
{
    (void)ctx, (void)from, (void)to;
    return 0; /* not known */
}

static inline uint32_t net_zone(void *ctx, const struct rank *r, const char **routing)
{
    (void)ctx, (void)r;
    *routing = "Cluster";
    return 0;
}

static const struct coll_transport_ops net_ops = {
    .issue_cost = net_issue_cost,
    .send = net_send,
    .message_time = net_message_time,
    .byte_time = net_byte_time,
    .zone = net_zone,
    .ack_delay = net_ack_delay,
    .write = net_write,
    .touched = net_touched,
    .check = net_check,
};
static const struct coll_runtime net_runtime = {
    .timer = net_timer,
    .end = net_end,
    .ack = net_ack,
    .operate = net_operate,
    .rank = net_rank,
    .direct = net_direct,
    .read = net_read,
    .mismatch = net_mismatch,
};

/* --- the ranks' life ---------------------------------------------------------------------------- */

/* Fills what is 0 in n. */
static inline void net_init(struct net *n, uint32_t ranks, uint64_t seed)
{
    struct coll_select select = {.tuning = {.radix = n->radix ? n->radix : 4,
                                            .segment = n->segment ? n->segment : 512,
                                            .choose = coll_select_part}};
    for (int op = 0; op < COLL_OPS; op++)
        select.chosen[op] = COLL_AUTO;
    base_random_seed(&n->random, seed, 7);
    n->n_ranks = ranks;
    n->ranks = base_zalloc(ranks * sizeof *n->ranks, "test");
    n->records = aligned_alloc(_Alignof(struct rank), ranks * sizeof *n->records);
    for (uint32_t k = 0; k < ranks; k++) {
        n->records[k] = (struct rank){.id = k, .host = k};
        n->ranks[k].rank = &n->records[k];
    }
    n->transport = (struct coll_transport){
        .ops = &net_ops, .ctx = n, .overhead = 8, .buffered_limit = n->limit, .receive = n->receive};
    coll_exec_init(&n->exec, &net_runtime, n, &n->now, &select);
}

static inline unsigned char *net_give_memory(struct net *n, uint32_t id, size_t bytes)
{
    n->ranks[id].bytes = bytes;
    return n->ranks[id].memory = base_alloc(bytes + 1, "test");
}

static inline void net_release(struct net *n)
{
    coll_exec_release(&n->exec);
    for (uint32_t k = 0; k < n->n_ranks; k++)
        free(n->ranks[k].memory);
    free(n->ranks);
    free(n->records);
    free(n->heap.at);
}

static inline void net_choose(struct net *n, enum coll_op op, const char *name)
{
    n->exec.select.chosen[op] = coll_select_find(op, name);
    assert_true(n->exec.select.chosen[op] >= COLL_AUTO);
}

/* Rank `id` makes these calls, the first one at time `at`. */
static inline void net_script(struct net *n, uint32_t id, const struct coll_call *calls, unsigned n_calls,
                              double at)
{
    n->ranks[id].calls = calls;
    n->ranks[id].n_calls = n_calls;
    net_at(n, at, NET_ENTER, &n->ranks[id]);
}

static inline void net_enter(struct net *n, struct net_rank *r)
{
    double until;
    struct coll_call call = r->calls[r->made];
    call.transport = &n->transport;
    r->member = coll_exec_enter(&n->exec, &r->kept, r->rank, &call, false);
    r->member->ended = net_ended;
    if (coll_exec_start(r->member, &until))
        net_at(n, until > n->now ? until : n->now, NET_RETURN, r);
}

static inline void net_return(struct net *n, struct net_rank *r)
{
    coll_exec_leave(r->member);
    r->member = NULL;
    r->returned = n->now;
    if (++r->made < r->n_calls)
        net_at(n, n->now + net_jitter(n), NET_ENTER, r);
}

static inline void net_operate_now(struct coll_operation *o)
{
    coll_operation_begin(o);
    coll_operation_run(o);
    coll_operation_end(o);
}

/* Runs until nothing is left to happen. */
static inline void net_run(struct net *n)
{
    while (n->heap.n) {
        struct net_event ev = net_pop(n);
        n->now = ev.time;
        if (ev.kind == NET_ENTER)
            net_enter(n, ev.what);
        else if (ev.kind == NET_RETURN)
            net_return(n, ev.what);
        else if (ev.kind == NET_TIMER)
            coll_exec_timer(ev.what);
        else if (ev.kind == NET_END)
            coll_exec_ended(ev.what);
        else if (ev.kind == NET_OPERATE)
            net_operate_now(ev.what);
        else if (ev.kind == NET_ACK)
            coll_exec_acknowledged(ev.what);
        else
            coll_arrived(ev.what);
        if (n->check)
            coll_exec_check(&n->exec);
    }
}

/* Nothing is left over: every call made, every pool empty. */
static inline void net_expect_over(struct net *n)
{
    for (uint32_t k = 0; k < n->n_ranks; k++)
        if (n->ranks[k].made != n->ranks[k].n_calls)
            fail_msg("rank %u returned from %u of %u calls", k, n->ranks[k].made, n->ranks[k].n_calls);
    assert_int_equal(n->exec.messages.live, 0);
    assert_int_equal(n->exec.members.live, 0);
    assert_int_equal(n->exec.instances.live, 0);
    for (size_t k = 0; k < BASE_LENGTH(n->exec.buffers.class); k++)
        assert_int_equal(n->exec.buffers.class[k].live, 0);
}

/* A call whose memory the network stands for. */
static inline struct coll_call net_call(enum coll_op op, uint32_t me, uint32_t size, size_t bytes)
{
    return (struct coll_call){
        .name = coll_op_name(op),
        .op = op,
        .group = {.first = 0, .stride = 1, .size = size},
        .me = me,
        .source = (void *)NET_ADDRESS,
        .dest = (void *)(NET_ADDRESS + 4096),
        .bytes = bytes,
        .element = 8,
        .operator= {TYPES_SUM, TYPES_DOUBLE, false},
    };
}

#endif
