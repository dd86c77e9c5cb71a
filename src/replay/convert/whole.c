/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole: actions as whole calls of MPI, for formats that have calls alone. Requests, which actions know by sender, receiver and
 * tag, get numbers, and are found as players find them. Groups of ranks become communicators, by splits at the beginning.
 * Combining takes no time in a trace of actions, but the flops that a line says, so reductions have an operator of the program's,
 * and their flops stand behind them.
 */
#include <mpi.h>

#include "coll/coll.h"
#include "p2p/p2p.h"
#include "replay/convert/layers.h"
#include "replay/convert/whole.h"

#include <stdlib.h>

/* Where the numbers of what actions make begin, in a trace that also has calls. */
enum { REQUESTS_BESIDE = 1 << 20, OPERATOR_BESIDE = 200 };

struct whole {
    struct replay_tape *from, *to;
    struct replay_conversion *out;
    struct replay_layers layers;
    uint32_t rank, line;
    bool begun, ended, reduces, buffers; /* of the rank: it has called MPI_Init, ... */
    struct replay_started_list open;     /* `op`: the request's number */
    BASE_ARRAY(uint32_t) spare;          /* numbers of requests that are complete */
    uint32_t made, first, op;            /* numbers: of requests so far, the first one, the operator's */
    struct record_words words;
    int64_t world;
};

/* --- calls ------------------------------------------------------------------------------------------------ */

static void put_call(struct whole *x, uint32_t function)
{
    replay_tape_write(x->to, x->rank,
                      &(struct replay_action){.kind = REPLAY_CALL,
                                              .line = x->line,
                                              .number = function,
                                              .counts = x->words.at,
                                              .n = (uint32_t)x->words.n});
}

static void call(struct whole *x, uint32_t function, const struct replay_argument *given, size_t n)
{
    replay_put_words(&x->words, function, given, n);
    put_call(x, function);
}
#define CALL(x, function, ...)                                                                               \
    do {                                                                                                     \
        const struct replay_argument given_[] = {__VA_ARGS__};                                               \
        call(x, function, given_, BASE_LENGTH(given_));                                                      \
    } while (0)

static void put_kind(struct whole *x, enum replay_kind kind, double amount)
{
    replay_tape_write(x->to, x->rank,
                      &(struct replay_action){.kind = kind, .line = x->line, .amount = amount});
}

static void became(struct whole *x, const struct replay_action *a, const char *what)
{
    replay_unsay(x->out, replay_name_of(a), what);
}

/* Each rank is in at most one group of a split. */
static void split(struct whole *x, uint32_t layer)
{
    uint32_t number = replay_layer_group(&x->layers, layer, x->rank), place = 0;
    const struct replay_group *g = number ? replay_tape_group_at(x->from, number) : NULL;
    while (g && g->rank[place] != x->rank)
        place++;
    CALL(x, RECORD_MPI_COMM_SPLIT, {"comm", x->world, NULL},
         {"color", g ? (int64_t)number : MPI_UNDEFINED, NULL}, {"key", place, NULL},
         {"newcomm", g ? RECORD_MADE + (int64_t)layer : replay_word_of(RECORD_COMM, "MPI_COMM_NULL"), NULL});
    replay_unsay(x->out, "communicator of a part of the ranks", "made by MPI_Comm_split at the beginning");
}

static void begin(struct whole *x)
{
    if (x->begun)
        return;
    x->begun = true;
    CALL(x, RECORD_MPI_INIT, {"", 0, NULL});
    for (uint32_t layer = 0; layer < x->layers.n; layer++)
        split(x, layer);
}

/* --- requests --------------------------------------------------------------------------------------------- */

static int64_t request_of(const struct whole *x, uint32_t number)
{
    return RECORD_MADE + (int64_t)x->first + number;
}

static uint32_t new_request(struct whole *x)
{
    return x->spare.n ? x->spare.at[--x->spare.n] : x->made++;
}

static void wait_for(struct whole *x, size_t k)
{
    uint32_t number = x->open.at[k].op;
    CALL(x, RECORD_MPI_WAIT, {"request", request_of(x, number), NULL});
    replay_started_take(&x->open, k);
    BASE_ARRAY_PUSH(&x->spare, number);
}

/* As players have it: what a test asks for stays open, as the last one. */
static void test(struct whole *x, size_t k)
{
    struct replay_started s = x->open.at[k];
    CALL(x, RECORD_MPI_TEST, {"request", request_of(x, s.op), NULL}, {"flag", 0, NULL});
    replay_started_take(&x->open, k);
    BASE_ARRAY_PUSH(&x->open, s);
}

static void complete(struct whole *x, const struct replay_action *a)
{
    size_t k = a->kind == REPLAY_WAIT_LAST ? x->open.n - 1 : replay_started_find(&x->open, a);
    if (k < x->open.n)
        (a->kind == REPLAY_TEST ? test : wait_for)(x, k);
}

/* MPI_Waitall, or a test for some that has completed none. */
static void complete_all(struct whole *x, uint32_t function)
{
    size_t n = x->open.n;
    int64_t *all = base_alloc((n + 1) * sizeof *all, "requests to wait for");
    for (size_t k = 0; k < n; k++)
        all[k] = request_of(x, x->open.at[k].op);
    CALL(x, function, {"count", (int64_t)n, NULL}, {"array_of_requests", (int64_t)n, all}, {"flag", 0, NULL},
         {"indx", MPI_UNDEFINED, NULL});
    free(all);
    for (; function == RECORD_MPI_WAITALL && x->open.n; x->open.n--)
        BASE_ARRAY_PUSH(&x->spare, x->open.at[x->open.n - 1].op);
}

/* Nobody knows which one it was. */
static void wait_any(struct whole *x, const struct replay_action *a)
{
    if (x->open.n)
        wait_for(x, 0);
    became(x, a, "as a wait for the oldest");
}

/* --- messages --------------------------------------------------------------------------------------------- */

static struct replay_data data_of(struct whole *x, uint64_t bytes)
{
    struct replay_data d = replay_data_of(bytes, 1);
    if (d.rounded)
        replay_unsay(x->out, "sizes above 2^31 - 1", "rounded up to whole elements");
    return d;
}

static int64_t tag_of(struct whole *x, int32_t tag)
{
    if (tag < 0)
        replay_unsay(x->out, "tags below 0", "without the highest bit");
    return tag & INT32_MAX;
}

static uint32_t send_function(struct whole *x, const struct replay_action *a)
{
    bool later = a->kind == REPLAY_ISEND;
    if (a->number == P2P_SYNCHRONOUS)
        return later ? RECORD_MPI_ISSEND : RECORD_MPI_SSEND;
    if (a->number != P2P_BUFFERED)
        return later ? RECORD_MPI_ISEND : RECORD_MPI_SEND;
    if (x->out->to == REPLAY_TO_ALLPROF) { /* whose readers know no buffers */
        became(x, a, "in standard mode");
        return later ? RECORD_MPI_ISEND : RECORD_MPI_SEND;
    }
    if (!x->buffers)
        CALL(x, RECORD_MPI_BUFFER_ATTACH, {"size", 1 << 30, NULL});
    x->buffers = true;
    return later ? RECORD_MPI_IBSEND : RECORD_MPI_BSEND;
}

static void start(struct whole *x, const struct replay_action *a, uint32_t number)
{
    replay_started_add(&x->open, a, x->rank, number);
}

static void send(struct whole *x, const struct replay_action *a)
{
    struct replay_data d = data_of(x, a->bytes);
    uint32_t function = send_function(x, a), number = a->kind == REPLAY_ISEND ? new_request(x) : 0;
    CALL(x, function, {"count", d.count, NULL}, {"datatype", d.type, NULL}, {"dest", a->peer, NULL},
         {"tag", tag_of(x, a->tag), NULL}, {"comm", x->world, NULL},
         {"request", request_of(x, number), NULL});
    if (a->kind == REPLAY_ISEND)
        start(x, a, number);
}

static void receive(struct whole *x, const struct replay_action *a)
{
    bool later = a->kind == REPLAY_IRECV, unknown = a->bytes == REPLAY_UNKNOWN_SIZE;
    struct replay_data d = data_of(x, unknown ? INT32_MAX : a->bytes);
    uint32_t number = later ? new_request(x) : 0;
    const struct replay_argument source = {"source",
                                           a->peer == REPLAY_ANY ? MPI_ANY_SOURCE : (int64_t)a->peer, NULL},
                                 tag = {"tag", a->tag == REPLAY_ANY_TAG ? MPI_ANY_TAG : tag_of(x, a->tag),
                                        NULL},
                                 comm = {"comm", x->world, NULL};
    if (unknown) {
        CALL(x, RECORD_MPI_PROBE, source, tag, comm);
        became(x, a,
               "as a probe, and a receive of 2^31 - 1 bytes at most, where its size is that of its message");
    }
    CALL(x, later ? RECORD_MPI_IRECV : RECORD_MPI_RECV, {"count", d.count, NULL}, {"datatype", d.type, NULL},
         source, tag, comm, {"request", request_of(x, number), NULL});
    if (later)
        start(x, a, number);
}

/* With itself a rank exchanges nothing. */
static void exchange(struct whole *x, const struct replay_action *a)
{
    bool alone = a->peer == x->rank && a->peer2 == x->rank;
    struct replay_data s = data_of(x, a->bytes), r = data_of(x, a->bytes2);
    CALL(x, RECORD_MPI_SENDRECV, {"sendcount", s.count, NULL}, {"sendtype", s.type, NULL},
         {"dest", alone ? MPI_PROC_NULL : (int64_t)a->peer, NULL}, {"recvcount", r.count, NULL},
         {"recvtype", r.type, NULL}, {"source", alone ? MPI_PROC_NULL : (int64_t)a->peer2, NULL},
         {"comm", x->world, NULL});
}

/* --- collectives ------------------------------------------------------------------------------------------- */

static bool reduces(uint32_t op)
{
    return op == COLL_REDUCE_ROOT || op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN ||
           op == COLL_REDUCE_SCATTER;
}

/* liballprof knows no operators: all are sums to its readers. */
static int64_t operator_of(struct whole *x, const struct replay_action *a)
{
    int64_t word = RECORD_MADE + (int64_t)x->op;
    if (!reduces(a->number))
        return 0;
    if (x->out->to == REPLAY_TO_ALLPROF) {
        if (!replay_tape_computes(x->from))
            became(x, a, "as sums, which take time");
        return replay_word_of(RECORD_OP, "MPI_SUM");
    }
    if (replay_tape_computes(x->from))
        return replay_word_of(RECORD_OP, "MPI_SUM");
    if (!x->reduces)
        CALL(x, RECORD_MPI_OP_CREATE, {"commute", 1, NULL}, {"op", word, NULL});
    x->reduces = true;
    return word;
}

static struct replay_call_on communicator_of(const struct whole *x, const struct replay_action *a)
{
    struct replay_call_on on = {.comm = x->world, .place = x->rank, .members = replay_tape_ranks(x->from)};
    if (!a->group)
        return on;
    const struct replay_group *g = replay_tape_group_at(x->from, a->group);
    on = (struct replay_call_on){.comm = RECORD_MADE + (int64_t)x->layers.of[a->group], .members = g->n};
    if (g->n == 1)
        on.comm = replay_word_of(RECORD_COMM, "MPI_COMM_SELF");
    while (on.place < g->n && g->rank[on.place] != x->rank)
        on.place++;
    return on;
}

static void collective(struct whole *x, const struct replay_action *a)
{
    struct replay_call_on on = communicator_of(x, a);
    on.op = operator_of(x, a);
    uint32_t function = replay_collective_call_words(a, &on, &x->words);
    if (function == RECORD_MPI_FUNCTIONS || on.place >= on.members) {
        became(x, a, "left out");
        return;
    }
    if (a->kind == REPLAY_ICOLLECTIVE)
        became(x, a, "as the blocking one");
    put_call(x, function);
    if (a->amount > 0 && a->kind == REPLAY_COLLECTIVE)
        put_kind(x, REPLAY_COMPUTE, a->amount);
}

/* --- a rank ------------------------------------------------------------------------------------------------- */

static void finish(struct whole *x)
{
    begin(x);
    if (x->open.n)
        complete_all(x, RECORD_MPI_WAITALL);
    if (!x->ended)
        CALL(x, RECORD_MPI_FINALIZE, {"", 0, NULL});
    x->ended = true;
}

/* A call of the trace's own; the first and the last one are for the actions, too. */
static void pass_call(struct whole *x, const struct replay_action *a)
{
    bool begins = a->number == RECORD_MPI_INIT || a->number == RECORD_MPI_INIT_THREAD;
    if (!begins)
        begin(x);
    if (a->number == RECORD_MPI_FINALIZE) {
        finish(x);
        return;
    }
    replay_tape_write(x->to, x->rank, a);
    if (!begins)
        return;
    for (uint32_t layer = 0; !x->begun && layer < x->layers.n; layer++)
        split(x, layer);
    x->begun = true;
}

static void say(struct whole *x, const struct replay_action *a)
{
    switch (a->kind) {
    case REPLAY_SEND:
    case REPLAY_ISEND:
        send(x, a);
        return;
    case REPLAY_RECV:
    case REPLAY_IRECV:
        receive(x, a);
        return;
    case REPLAY_SENDRECV:
        exchange(x, a);
        return;
    case REPLAY_WAIT:
    case REPLAY_TEST:
    case REPLAY_WAIT_LAST:
        complete(x, a);
        return;
    case REPLAY_WAITALL:
        complete_all(x, RECORD_MPI_WAITALL);
        return;
    case REPLAY_WAITANY:
        wait_any(x, a);
        return;
    case REPLAY_TESTALL:
        complete_all(x, RECORD_MPI_TESTALL);
        return;
    case REPLAY_TESTANY:
        complete_all(x, RECORD_MPI_TESTANY);
        return;
    default:
        collective(x, a);
    }
}

static void take(struct whole *x, const struct replay_action *a)
{
    x->line = a->line;
    if (x->ended && (a->kind == REPLAY_CALL || (a->kind >= REPLAY_INIT && a->kind <= REPLAY_ICOLLECTIVE))) {
        replay_unsay(x->out, "what comes behind the end of MPI", "left out");
        return;
    }
    if (a->kind == REPLAY_CALL) {
        if (a->number < RECORD_MPI_FUNCTIONS)
            pass_call(x, a);
        else
            replay_tape_write(x->to, x->rank, a);
    } else if (a->kind == REPLAY_INIT) {
        begin(x);
    } else if (a->kind == REPLAY_FINALIZE) {
        finish(x);
    } else if (a->kind >= REPLAY_SEND && a->kind <= REPLAY_ICOLLECTIVE) {
        begin(x);
        say(x, a);
    } else {
        if (!replay_tape_calls(x->from))
            begin(x); /* no time passes before the first call */
        replay_tape_write(x->to, x->rank, a);
    }
}

static void read_rank(struct whole *x)
{
    struct replay_cursor c;
    struct replay_action a = {0};
    x->begun = x->ended = x->reduces = x->buffers = false;
    x->open.n = x->spare.n = 0;
    x->made = 0;
    replay_cursor_begin(x->from, x->rank, &c);
    c.sources = true;
    while (replay_cursor_next(x->from, &c, &a))
        take(x, &a);
    replay_cursor_end(&c);
    finish(x);
}

struct replay_tape *replay_convert_whole(struct replay_tape *t, struct replay_conversion *out)
{
    struct whole x = {.from = t, .to = replay_tape_copy_groups(t), .out = out};
    x.world = replay_word_of(RECORD_COMM, "MPI_COMM_WORLD");
    if (replay_tape_calls(t)) {
        x.first = REQUESTS_BESIDE;
        x.op = OPERATOR_BESIDE;
    }
    replay_layers_init(&x.layers, t);
    for (x.rank = 0; x.rank < replay_tape_ranks(t); x.rank++)
        read_rank(&x);
    replay_leave_out_threads(t, out);
    replay_layers_release(&x.layers);
    record_words_release(&x.words);
    free(x.open.at);
    free(x.spare.at);
    replay_tape_seal(x.to);
    return x.to;
}
