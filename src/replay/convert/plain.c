/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: actions in place of MPI's calls. A call on MPI_COMM_WORLD or a duplicate of it has one, or some; of others that
 * took time, it is counted that they are left out. What a test or a wait for any had completed is waited for.
 */
#include <mpi.h>

#include "p2p/p2p.h"
#include "replay/convert/plain.h"

#include <stdlib.h>
#include <string.h>

static void begin(struct replay_plain *x, struct replay_sink *sink, uint32_t rank, uint32_t ranks)
{
    *x = (struct replay_plain){.sink = sink, .rank = rank, .ranks = ranks};
    record_value_of(RECORD_COMM, "MPI_COMM_WORLD", 14, &x->world);
    base_table_init(&x->requests, BASE_NUMBERS, sizeof(struct replay_request), "requests of a trace");
    base_table_init(&x->messages, BASE_NUMBERS, sizeof(struct replay_message), "messages of a trace");
    base_table_init(&x->worlds, BASE_NUMBERS, sizeof(uint64_t), "communicators of a trace");
    replay_sizes_init(&x->sizes);
}

static void end(struct replay_plain *x)
{
    base_table_release(&x->requests);
    base_table_release(&x->messages);
    base_table_release(&x->worlds);
    replay_sizes_release(&x->sizes);
    free(x->counts);
}

void replay_plain_put(struct replay_plain *x, struct replay_action *a)
{
    a->line = x->line;
    x->sink->put(x->sink, x->rank, a);
}

static void put_kind(struct replay_plain *x, enum replay_kind kind)
{
    replay_plain_put(x, &(struct replay_action){.kind = kind});
}

void replay_plain_left_out(struct replay_plain *x, const struct replay_words *w)
{
    replay_unsay(x->sink->out, w->f->name, "left out");
}

static bool is_world(const struct replay_plain *x, int64_t comm)
{
    return comm == x->world || (comm >= RECORD_MADE && base_table_find(&x->worlds, (uint64_t)comm));
}

/* --- messages ------------------------------------------------------------------------------------------ */

/* 1; 0: it is to nobody, and takes no time; -1: it cannot be said. */
static int address(const struct replay_plain *x, int64_t comm, int64_t peer, int64_t tag, bool receives,
                   struct replay_action *a)
{
    if (!is_world(x, comm))
        return -1;
    if (peer == MPI_PROC_NULL)
        return 0;
    if (receives && peer == MPI_ANY_SOURCE)
        a->peer = REPLAY_ANY;
    else if (peer < 0 || peer >= x->ranks)
        return -1;
    else
        a->peer = (uint32_t)peer;
    if (receives && tag == MPI_ANY_TAG)
        a->tag = REPLAY_ANY_TAG;
    else if (tag < 0 || tag > INT32_MAX)
        return -1;
    else
        a->tag = (int32_t)tag;
    return 1;
}

static bool data(const struct replay_plain *x, const struct replay_words *w, const char *count,
                 const char *type, struct replay_action *a)
{
    enum { MOST = 1 << 30 };
    int64_t n = replay_words_number(w, count);
    a->bytes = (uint64_t)n * replay_size_of(&x->sizes, replay_words_number(w, type));
    return n >= 0 && n <= MOST;
}

/* By their names in the call; the same results. */
struct names {
    const char *peer, *tag, *count, *type;
};
static int message(const struct replay_plain *x, const struct replay_words *w, struct names by, bool receives,
                   struct replay_action *a)
{
    int64_t comm = replay_words_number(w, "comm"), peer = replay_words_number(w, by.peer),
            tag = replay_words_number(w, by.tag);
    int found = address(x, comm, peer, tag, receives, a);
    return found > 0 && !data(x, w, by.count, by.type, a) ? -1 : found;
}

/* --- calls -------------------------------------------------------------------------------------------------- */

/* An action, or the request of one. `found`: as address() has it. */
static void say(struct replay_plain *x, const struct replay_words *w, enum replay_when when, int found,
                struct replay_action *a)
{
    if (found < 0)
        replay_plain_left_out(x, w);
    if (when == REPLAY_NOW && found > 0)
        replay_plain_put(x, a);
    if (when != REPLAY_NOW)
        replay_request_make(x, w,
                            &(struct replay_request){{*a}, found > 0, false, when == REPLAY_PERSISTENT});
}

static void send(struct replay_plain *x, const struct replay_words *w, struct replay_rule r)
{
    struct replay_action a = {.kind = r.when == REPLAY_NOW ? REPLAY_SEND : REPLAY_ISEND,
                              .number = r.number == P2P_READY ? P2P_STANDARD : r.number};
    int found = message(x, w, (struct names){"dest", "tag", "count", "datatype"}, false, &a);
    say(x, w, (enum replay_when)r.when, found, &a);
}

static void receive(struct replay_plain *x, const struct replay_words *w, struct replay_rule r)
{
    struct replay_action a = {.kind = r.when == REPLAY_NOW ? REPLAY_RECV : REPLAY_IRECV};
    int found = message(x, w, (struct names){"source", "tag", "count", "datatype"}, true, &a);
    say(x, w, (enum replay_when)r.when, found, &a);
}

static void probe(struct replay_plain *x, const struct replay_words *w)
{
    int64_t word = replay_words_number(w, "message");
    const struct record_part *flag = replay_words_part(w, "flag");
    replay_plain_left_out(x, w);
    if ((!flag || flag->at[0]) && word >= RECORD_MADE)
        *(struct replay_message *)base_table_add(&x->messages, (uint64_t)word, NULL) =
            (struct replay_message){replay_words_number(w, "source"), replay_words_number(w, "tag"),
                                    replay_words_number(w, "comm")};
}

static void receive_matched(struct replay_plain *x, const struct replay_words *w, struct replay_rule r)
{
    struct replay_action a = {.kind = r.when == REPLAY_NOW ? REPLAY_RECV : REPLAY_IRECV};
    const struct replay_message *m =
        base_table_find(&x->messages, (uint64_t)replay_words_number(w, "message"));
    int found = m ? address(x, m->comm, m->source, m->tag, true, &a) : -1;
    if (found > 0 && !data(x, w, "count", "datatype", &a))
        found = -1;
    say(x, w, (enum replay_when)r.when, found, &a);
}

/* A line of an exchange has no tags; where there are some, it is said as a receive, a send and a wait. */
static void exchange(struct replay_plain *x, const struct replay_words *w, struct replay_rule r)
{
    bool replaces = replay_words_part(w, "count") != NULL;
    struct replay_action s = {.kind = REPLAY_ISEND}, q = {.kind = REPLAY_IRECV};
    const char *count = replaces ? "count" : "sendcount", *type = replaces ? "datatype" : "sendtype";
    int sends = message(x, w, (struct names){"dest", "sendtag", count, type}, false, &s);
    if (!replaces) {
        count = "recvcount";
        type = "recvtype";
    }
    int receives = message(x, w, (struct names){"source", "recvtag", count, type}, true, &q);
    if (sends < 0 || receives < 0) {
        say(x, w, (enum replay_when)r.when, -1, &s);
        return;
    }
    if (r.when == REPLAY_LATER) {
        struct replay_request made = {.n = (uint32_t)(sends + receives)};
        made.start[0] = receives ? q : s;
        made.start[1] = s;
        replay_request_make(x, w, &made);
    } else if (sends && receives && !s.tag && !q.tag) {
        replay_plain_put(x, &(struct replay_action){.kind = REPLAY_SENDRECV,
                                                    .peer = s.peer,
                                                    .peer2 = q.peer,
                                                    .bytes = s.bytes,
                                                    .bytes2 = q.bytes});
    } else {
        s.kind = REPLAY_SEND;
        q.kind = sends ? REPLAY_IRECV : REPLAY_RECV;
        if (receives)
            replay_plain_put(x, &q);
        if (sends)
            replay_plain_put(x, &s);
        if (sends && receives)
            replay_request_wait(x, &q);
    }
}

static void collective(struct replay_plain *x, const struct replay_words *w, struct replay_rule r)
{
    struct replay_action a = {.kind = r.when == REPLAY_NOW ? REPLAY_COLLECTIVE : REPLAY_ICOLLECTIVE,
                              .number = r.number};
    bool can = is_world(x, replay_words_number(w, "comm"));
    if (can && !x->counts)
        x->counts = base_alloc(2 * (size_t)x->ranks * sizeof *x->counts, "counts of members");
    can = can && replay_collective_of(w, &x->sizes, x->rank, x->ranks, x->counts, &a);
    if (r.when == REPLAY_PERSISTENT && a.n)
        can = false; /* its counts would have to be kept */
    say(x, w, (enum replay_when)r.when, can ? 1 : -1, &a);
}

/* A Cartesian grid of all ranks has them in the same order. */
static bool has_all(const struct replay_plain *x, const struct replay_words *w)
{
    const struct record_part *dims = replay_words_part(w, "dims");
    int64_t n = 1;
    for (int64_t k = 0; dims && k < dims->n; k++)
        if (dims->at[k] < 0 || dims->at[k] > x->ranks || (n *= dims->at[k]) > x->ranks)
            return false;
    return is_world(x, replay_words_number(w, dims ? "comm_old" : "comm")) && (!dims || n == x->ranks);
}

static void duplicate(struct replay_plain *x, const struct replay_words *w)
{
    int64_t made = replay_words_number(w, replay_words_part(w, "newcomm") ? "newcomm" : "comm_cart");
    replay_plain_left_out(x, w);
    if (made < RECORD_MADE)
        return;
    if (has_all(x, w))
        base_table_add(&x->worlds, (uint64_t)made, NULL);
    else
        base_table_remove(&x->worlds, (uint64_t)made);
}

/* A communicator that is made has perhaps the number of an old one. */
static void other(struct replay_plain *x, const struct replay_words *w)
{
    for (uint32_t k = 0; k < w->f->n; k++)
        if (w->part[k].param && w->f->param[k].object == RECORD_COMM &&
            w->f->param[k].kind == RECORD_HANDLE && w->f->param[k].way == RECORD_OUT)
            base_table_remove(&x->worlds, (uint64_t)w->part[k].at[0]);
    if (replay_words_part(w, "request") && replay_words_part(w, "request")->param->way == RECORD_OUT)
        replay_request_make(x, w,
                            &(struct replay_request){.persistent = strstr(w->f->name, "_init") != NULL});
    replay_plain_left_out(x, w);
}

static void convert_call(struct replay_plain *x, const struct replay_action *a)
{
    struct replay_words w = {.f = record_function_of(a->number), .function = a->number};
    static const int64_t none[1];
    if (!record_parts(w.f, a->n ? a->counts : none, a->n, w.part))
        base_fatal(BASE_EXIT_BUG, "words of %s", w.f->name);
    x->line = a->line;
    if (a->number >= RECORD_MPI_FUNCTIONS) {
        replay_unsay(x->sink->out, w.f->name, "left out");
        return;
    }
    int type = replay_sizes_note(&x->sizes, &w);
    if (type < 0)
        replay_unsay(x->sink->out, w.f->name, "of no data, as its size is not known");
    if (type)
        return;
    struct replay_rule r = replay_rule_of(&w);
    switch ((enum replay_way)r.way) {
    case REPLAY_QUIET_CALL:
        return;
    case REPLAY_INITIALIZE_CALL:
        put_kind(x, REPLAY_INIT);
        return;
    case REPLAY_FINALIZE_CALL:
        put_kind(x, REPLAY_FINALIZE);
        return;
    case REPLAY_DUPLICATE_CALL:
        duplicate(x, &w);
        return;
    case REPLAY_SEND_CALL:
        send(x, &w, r);
        return;
    case REPLAY_RECEIVE_CALL:
        receive(x, &w, r);
        return;
    case REPLAY_EXCHANGE_CALL:
        exchange(x, &w, r);
        return;
    case REPLAY_PROBE_CALL:
        probe(x, &w);
        return;
    case REPLAY_MATCHED_CALL:
        receive_matched(x, &w, r);
        return;
    case REPLAY_COLLECTIVE_CALL:
        collective(x, &w, r);
        return;
    case REPLAY_START_CALL:
        replay_request_start(x, &w);
        return;
    case REPLAY_COMPLETE_CALL:
        replay_request_complete(x, &w);
        return;
    case REPLAY_OTHER_CALL:
        other(x, &w);
    }
}

void replay_feed(struct replay_tape *t, struct replay_sink *s, bool call)
{
    for (uint32_t rank = 0; rank < replay_tape_ranks(t); rank++) {
        struct replay_plain x;
        struct replay_cursor c;
        struct replay_action a = {0};
        begin(&x, s, rank, replay_tape_ranks(t));
        replay_cursor_begin(t, rank, &c);
        while (replay_cursor_next(t, &c, &a))
            if (a.kind == REPLAY_CALL && !call)
                convert_call(&x, &a);
            else
                s->put(s, rank, &a);
        replay_cursor_end(&c);
        s->end(s, rank);
        end(&x);
    }
}
