/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: actions in place of MPI's calls. A message has one, or some, whose ranks are those of the world; so has a
 * collective, of a group of ranks. Of other calls that took time, it is counted that they are left out. What a test or a
 * wait for any had completed is waited for.
 */
#include <mpi.h>

#include "p2p/p2p.h"
#include "replay/convert/plain.h"

#include <stdlib.h>
#include <string.h>

static void note_comm(struct replay_plain *x, int64_t word, struct replay_comm comm)
{
    if (comm.group == REPLAY_NO_GROUP) {
        base_table_remove(&x->comms, (uint64_t)word);
        return;
    }
    *(struct replay_known *)base_table_add(&x->comms, (uint64_t)word, NULL) = (struct replay_known){
        comm, replay_place(x->tape, comm.group, x->rank), replay_members(x->tape, comm.group), 0};
}

const struct replay_known *replay_plain_comm(const struct replay_plain *x, int64_t word)
{
    return base_table_find(&x->comms, (uint64_t)word);
}

uint32_t replay_plain_peers(const struct replay_known *on)
{
    return on->comm.remote == REPLAY_NO_GROUP ? on->comm.group : on->comm.remote;
}

static void begin(struct replay_plain *x, struct replay_sink *sink, struct replay_tape *t,
                  const struct replay_comms *found, uint32_t rank)
{
    static const char *const known[] = {"MPI_COMM_WORLD", "MPI_COMM_SELF"};
    *x = (struct replay_plain){
        .sink = sink, .tape = t, .found = found, .rank = rank, .ranks = replay_tape_ranks(t)};
    base_table_init(&x->requests, BASE_NUMBERS, sizeof(struct replay_request), "requests of a trace");
    base_table_init(&x->messages, BASE_NUMBERS, sizeof(struct replay_message), "messages of a trace");
    base_table_init(&x->comms, BASE_NUMBERS, sizeof(struct replay_known), "communicators of a trace");
    base_table_init(&x->windows, BASE_NUMBERS, sizeof(struct replay_window), "windows of a trace");
    base_table_init(&x->teams, BASE_NUMBERS, sizeof(uint32_t), "teams of a trace");
    record_shmem_value_of(RECORD_CTX, "SHMEM_CTX_DEFAULT", 17, &x->default_ctx);
    replay_sizes_init(&x->sizes);
    for (size_t k = 0; k < BASE_LENGTH(known); k++) {
        int64_t word = 0;
        struct replay_comm comm = {0, REPLAY_NO_GROUP, 0};
        record_value_of(RECORD_COMM, known[k], strlen(known[k]), &word);
        if (!k && found)
            comm = replay_comms_world(found, rank);
        if (k && x->ranks > 1)
            comm.group = replay_tape_group(t, &rank, 1);
        note_comm(x, word, comm);
    }
}

static void end(struct replay_plain *x)
{
    base_table_release(&x->requests);
    base_table_release(&x->messages);
    base_table_release(&x->comms);
    base_table_release(&x->windows);
    base_table_release(&x->teams);
    replay_sizes_release(&x->sizes);
    replay_sources_destroy(x->sources);
    free(x->words.at);
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

/* --- messages ------------------------------------------------------------------------------------------ */

/* 1; 0: it is to nobody, and takes no time; -1: it cannot be said. */
static int address(const struct replay_plain *x, int64_t comm, int64_t peer, int64_t tag, bool receives,
                   struct replay_action *a)
{
    const struct replay_known *on = replay_plain_comm(x, comm);
    if (!on)
        return -1;
    uint32_t peers = replay_plain_peers(on);
    if (peer == MPI_PROC_NULL)
        return 0;
    if (receives && peer == MPI_ANY_SOURCE)
        a->peer = REPLAY_ANY;
    else if (peer < 0 || peer >= replay_members(x->tape, peers))
        return -1;
    else
        a->peer = replay_member(x->tape, peers, (uint32_t)peer);
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
        replay_request_make(
            x, w,
            &(struct replay_request){.start = {*a}, .n = found > 0, .persistent = when == REPLAY_PERSISTENT});
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
    if (r.when == REPLAY_PERSISTENT)
        replay_request_seeks(x, w);
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
    enum { MOST = (1 << 20) - 1, STANDING = 1 << 10 };
    struct replay_known *on = base_table_find(&x->comms, (uint64_t)replay_words_number(w, "comm"));
    bool can = on && on->comm.remote == REPLAY_NO_GROUP;
    if (can && !x->counts)
        x->counts = base_alloc(2 * (size_t)x->ranks * sizeof *x->counts, "counts of members");
    can = can && replay_collective_of(w, &x->sizes, on->place, on->size, x->counts, &a);
    a.group = can ? on->comm.group : 0;
    a.tag = can ? (int32_t)(on->comm.number & MOST) : 0;
    if (can && r.when == REPLAY_PERSISTENT)
        a.tag |= (int32_t)(++on->standing % STANDING) << 20;
    if (r.when == REPLAY_PERSISTENT && a.n)
        can = false; /* its counts would have to be kept */
    say(x, w, (enum replay_when)r.when, can ? 1 : -1, &a);
}

static void leave_out(struct replay_plain *x, const struct replay_words *w)
{
    if (replay_words_part(w, "request") && replay_words_part(w, "request")->param->way == RECORD_OUT)
        replay_request_make(x, w,
                            &(struct replay_request){.persistent = strstr(w->f->name, "_init") != NULL});
    replay_plain_left_out(x, w);
}

/* Also the calls that name a group of a window's ranks. */
static void make_comm(struct replay_plain *x, const struct replay_words *w)
{
    struct replay_comm told = replay_comms_told(x->found, x->rank, x->told++);
    for (uint32_t k = 0; k < w->f->n; k++) {
        const struct record_part *p = &w->part[k];
        if (p->param && p->param->object == RECORD_COMM && p->param->way == RECORD_OUT &&
            p->at[0] >= RECORD_MADE)
            note_comm(x, p->at[0], told);
    }
    if (w->function == RECORD_MPI_WIN_POST || w->function == RECORD_MPI_WIN_START)
        replay_window_epoch(x, w, told.group);
    else
        leave_out(x, w);
}

/* The call with whose message it got in the place of wildcards; one that was cancelled got nobody's. Where the trace has too few of these, these stay. */
static void know_source(struct replay_plain *x, struct replay_action *a)
{
    if (!x->sources || a->number >= RECORD_MPI_FUNCTIONS)
        return;
    x->words.n = 0;
    for (uint32_t k = 0; k < a->n; k++)
        record_push(&x->words, a->counts[k]);
    replay_sources_resolve(x->sources, a->number, x->words.at, x->words.n, MPI_PROC_NULL);
    a->counts = x->words.at;
}

static void say_call(struct replay_plain *x, struct replay_action *a)
{
    struct replay_words w;
    know_source(x, a);
    replay_words_of(&w, a);
    x->line = a->line;
    if (a->number == RECORD_POSIX_EXTENT || a->number == RECORD_POSIX_OPEN) /* take no time */
        return;
    if (a->number >= RECORD_RISCV_FUNCTIONS) {
        replay_plain_left_out(x, &w);
        return;
    }
    if (a->number >= RECORD_SHMEM_FUNCTIONS) {
        replay_core_action(x, &w);
        return;
    }
    if (a->number >= RECORD_MPI_FUNCTIONS) {
        replay_symmetric_call(x, &w);
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
    case REPLAY_COMM_CALL:
        make_comm(x, &w);
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
        if (!replay_window_call(x, &w))
            leave_out(x, &w);
    }
}

static void convert_call(struct replay_plain *x, struct replay_action *a)
{
    struct replay_sink *s = x->sink;
    if (s->call)
        s->call(s, x->rank, record_function_of(a->number)->name);
    say_call(x, a);
    if (s->call)
        s->call(s, x->rank, NULL);
}

static void pass(struct replay_sink *s, uint32_t rank, struct replay_action *a)
{
    if (a->kind == REPLAY_COLLECTIVE || a->kind == REPLAY_ICOLLECTIVE) {
        a->tag = 0;
        a->peer2 = 0;
    }
    if (a->kind == REPLAY_WAIT)
        a->number = 0;
    s->put(s, rank, a);
}

void replay_leave_out_threads(const struct replay_tape *t, struct replay_conversion *out)
{
    struct replay_tape *threads = replay_tape_threads(t);
    for (uint32_t place = 0; threads && place < replay_tape_ranks(threads); place++) {
        struct replay_cursor c;
        struct replay_action a = {0};
        replay_cursor_begin(threads, place, &c);
        while (replay_cursor_next(threads, &c, &a))
            replay_unsay(out, "actions of further threads", "left out");
        replay_cursor_end(&c);
    }
}

void replay_feed(struct replay_tape *t, struct replay_sink *s, bool call)
{
    struct replay_comms *found = call ? NULL : replay_comms_find(t);
    for (uint32_t rank = 0; rank < replay_tape_ranks(t); rank++) {
        struct replay_plain x;
        struct replay_cursor c;
        struct replay_action a = {0};
        begin(&x, s, t, found, rank);
        replay_cursor_begin(t, rank, &c);
        c.sources = call;
        x.sources = call ? NULL : replay_sources_create(t, rank);
        while (replay_cursor_next(t, &c, &a))
            if (a.kind == REPLAY_CALL && !call)
                convert_call(&x, &a);
            else
                pass(s, rank, &a);
        replay_cursor_end(&c);
        s->end(s, rank);
        end(&x);
    }
    if (found)
        replay_comms_destroy(found);
    if (!call)
        replay_leave_out_threads(t, s->out);
}
