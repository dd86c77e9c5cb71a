/* SPDX-License-Identifier: BSD-3-Clause */
/* requests: those of calls, by the actions that they start; waits and tests for these. */
#include <mpi.h>

#include "replay/convert/plain.h"

static struct replay_request *request_of(struct replay_plain *x, int64_t word)
{
    return word < RECORD_MADE ? NULL : base_table_find(&x->requests, (uint64_t)word);
}

static void open_request(struct replay_plain *x, struct replay_request *q)
{
    q->open = true;
    x->open += q->n > 0;
    for (uint32_t k = 0; k < q->n; k++) {
        if (q->start[k].kind == REPLAY_ICOLLECTIVE)
            q->start[k].peer2 = ++x->serial;
        replay_plain_put(x, &q->start[k]);
    }
}

void replay_request_make(struct replay_plain *x, const struct replay_words *w,
                         const struct replay_request *made)
{
    struct replay_request *q =
        base_table_add(&x->requests, (uint64_t)replay_words_number(w, "request"), NULL);
    if (q->open)
        x->open -= q->n > 0; /* it was freed while it was open */
    *q = *made;
    if (!q->persistent)
        open_request(x, q);
}

void replay_request_seeks(struct replay_plain *x, const struct replay_words *w)
{
    struct replay_request *q = request_of(x, replay_words_number(w, "request"));
    const struct replay_known *on = replay_plain_comm(x, replay_words_number(w, "comm"));
    int64_t source = replay_words_number(w, "source");
    if (!q || source == MPI_PROC_NULL)
        return;
    q->any_source = source == MPI_ANY_SOURCE;
    q->any_tag = replay_words_number(w, "tag") == MPI_ANY_TAG;
    q->peers = on ? replay_plain_peers(on) : REPLAY_NO_GROUP;
}

/* Whose message this start of a persistent receive got. */
static void know_source(struct replay_plain *x, struct replay_request *q)
{
    int64_t source, tag;
    struct replay_action *a = &q->start[0];
    if (!x->sources || !(q->any_source || q->any_tag))
        return;
    enum replay_source found = replay_sources_next(x->sources, &source, &tag);
    bool known = found == REPLAY_SOURCE_KNOWN && q->peers != REPLAY_NO_GROUP &&
                 source < replay_members(x->tape, q->peers);
    q->n = found != REPLAY_SOURCE_NOBODY; /* what gets no message is no receive */
    if (q->any_source)
        a->peer = known ? replay_member(x->tape, q->peers, (uint32_t)source) : REPLAY_ANY;
    if (q->any_tag)
        a->tag = known ? (int32_t)tag : REPLAY_ANY_TAG;
}

void replay_request_start(struct replay_plain *x, const struct replay_words *w)
{
    const struct record_part *all = replay_words_part(w, "array_of_requests");
    const struct record_part *p = all ? all : replay_words_part(w, "request");
    for (int64_t k = 0; p && k < p->n; k++) {
        struct replay_request *q = request_of(x, p->at[k]);
        if (!q || !q->persistent || q->open)
            continue;
        if (!q->n && !(q->any_source || q->any_tag))
            replay_plain_left_out(x, w);
        know_source(x, q);
        open_request(x, q);
    }
}

void replay_request_wait(struct replay_plain *x, const struct replay_action *started)
{
    struct replay_action a = {
        .kind = REPLAY_WAIT, .peer = REPLAY_ANY, .peer2 = x->rank, .tag = REPLAY_ANY_TAG};
    if (started->kind == REPLAY_ISEND) {
        a.peer = x->rank;
        a.peer2 = started->peer;
        a.tag = started->tag;
    } else if (started->kind == REPLAY_IRECV) {
        a.peer = started->peer;
        a.tag = started->tag;
    } else {
        a.number = started->peer2;
    }
    replay_plain_put(x, &a);
}

/* With `silent` its actions are waited for by who calls. */
static void close_request(struct replay_plain *x, struct replay_request *q, bool silent)
{
    if (!q || !q->open)
        return;
    for (uint32_t k = 0; k < q->n && !silent; k++)
        replay_request_wait(x, &q->start[k]);
    x->open -= q->n > 0;
    q->open = false;
}

/* Those that are open; each is counted once, as a call has no request twice. */
static uint32_t count_open(struct replay_plain *x, const struct record_part *p)
{
    uint32_t n = 0;
    for (int64_t k = 0; k < p->n; k++) {
        const struct replay_request *q = request_of(x, p->at[k]);
        n += q && q->open && q->n;
    }
    return n;
}

static void close_all(struct replay_plain *x, const struct record_part *p)
{
    uint32_t n = count_open(x, p);
    bool all = n > 1 && n == x->open;
    if (all)
        replay_plain_put(x, &(struct replay_action){.kind = REPLAY_WAITALL});
    for (int64_t k = 0; k < p->n; k++)
        close_request(x, request_of(x, p->at[k]), all);
}

/* A test that said no: what it asked for is still open. */
static void test(struct replay_plain *x, const struct replay_words *w, int64_t word)
{
    const struct replay_request *q = request_of(x, word);
    if (!q || !q->open || !q->n)
        return;
    struct replay_action a = {
        .kind = REPLAY_TEST, .peer = x->rank, .peer2 = q->start[0].peer, .tag = q->start[0].tag};
    if (q->start[0].kind == REPLAY_IRECV) {
        a.peer = q->start[0].peer;
        a.peer2 = x->rank;
    }
    if (q->n == 1 && q->start[0].kind != REPLAY_ICOLLECTIVE)
        replay_plain_put(x, &a);
    else
        replay_plain_left_out(x, w);
}

static void complete_some(struct replay_plain *x, const struct replay_words *w, const struct record_part *p)
{
    const struct record_part *indices = replay_words_part(w, "array_of_indices"),
                             *one = replay_words_part(w, "indx");
    const struct record_part *which = indices ? indices : one;
    bool any = false;
    for (int64_t k = 0; which && k < which->n; k++) {
        any |= which->at[k] >= 0;
        if (which->at[k] >= 0 && which->at[k] < p->n)
            close_request(x, request_of(x, p->at[which->at[k]]), false);
    }
    if (!any && count_open(x, p))
        replay_unsay(x->sink->out, w->f->name, "left out where it completes nothing");
}

void replay_request_complete(struct replay_plain *x, const struct replay_words *w)
{
    const struct record_part *one = replay_words_part(w, "request"),
                             *all = replay_words_part(w, "array_of_requests");
    const struct record_part *flag = replay_words_part(w, "flag");
    if (replay_words_part(w, "indx") || replay_words_part(w, "outcount")) {
        if (all && all->n > 0)
            complete_some(x, w, all);
    } else if (!all && flag && !flag->at[0]) {
        test(x, w, one->at[0]);
    } else if (all && flag && !flag->at[0]) {
        if (count_open(x, all))
            replay_unsay(x->sink->out, w->f->name, "left out where it completes nothing");
    } else if (all || one) {
        close_all(x, all ? all : one);
    }
}
