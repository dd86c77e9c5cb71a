/* SPDX-License-Identifier: BSD-3-Clause */
/* info: what is on a tape, without playing it. */
#include "replay/player.h"

#include "replay/convert/convert.h"
#include "replay/pairs.h"

#include <string.h>

struct survey {
    struct replay_facts *facts;
    struct base_table calls; /* kind and number -> struct replay_call */
    struct replay_pairs pairs;
    struct replay_volumes *volumes; /* NULL: there are no calls */
    bool threads;                   /* what is made before, by whichever thread, is not known */
};

/* Sent, of so many bytes, or received. */
static void count_message(struct survey *s, uint32_t from, uint32_t to, int32_t tag, bool sent,
                          uint64_t bytes)
{
    if (from == REPLAY_ANY || tag == REPLAY_ANY_TAG)
        s->pairs.open_minded[to] = true;
    else if (sent)
        replay_pairs_sent(&s->pairs, from, to, tag, bytes);
    else
        replay_pairs_received(&s->pairs, from, to, tag);
}

static void count_pair(struct survey *s, uint32_t rank, const struct replay_action *a)
{
    switch (a->kind) {
    case REPLAY_SEND:
    case REPLAY_ISEND:
        count_message(s, rank, a->peer, a->tag, true, a->bytes);
        break;
    case REPLAY_RECV:
    case REPLAY_IRECV:
        count_message(s, a->peer, rank, a->tag, false, 0);
        break;
    case REPLAY_SENDRECV:
        count_message(s, rank, a->peer, 0, true, a->bytes);
        count_message(s, a->peer2, rank, 0, false, 0);
        break;
    default:
        break;
    }
}

static void count_call(struct survey *s, uint32_t rank, const struct replay_action *a,
                       struct replay_call *call)
{
    struct replay_facts *f = s->facts;
    uint64_t bytes;
    if (!replay_volumes_of(s->volumes, a, &bytes) && !s->threads && !f->missing++) {
        f->missing_call = call->name;
        f->missing_rank = rank;
        f->missing_line = a->line;
    }
    call->bytes += bytes;
}

static void count_action(struct survey *s, uint32_t rank, const struct replay_action *a)
{
    struct replay_facts *f = s->facts;
    bool fresh;
    uint64_t which = a->kind == REPLAY_SKIP ? base_hash_bytes(a->text, strlen(a->text)) : a->number;
    struct replay_call *call = base_table_add(&s->calls, (uint64_t)a->kind << 32 | which, &fresh);
    if (fresh)
        call->name = a->kind == REPLAY_SKIP ? a->text : replay_call_name(a->kind, a->number);
    call->played = a->kind != REPLAY_SKIP || !a->number;
    call->count++;
    switch (a->kind) {
    case REPLAY_COMPUTE:
        f->flops += a->amount;
        break;
    case REPLAY_SLEEP:
        f->slept += a->amount;
        break;
    case REPLAY_CALL:
        count_call(s, rank, a, call);
        break;
    case REPLAY_SECONDS:
        f->seconds += a->amount;
        f->counted += (double)a->bytes;
        break;
    case REPLAY_SEND:
    case REPLAY_ISEND:
    case REPLAY_SENDRECV:
        call->bytes += a->bytes;
        break;
    case REPLAY_COLLECTIVE:
    case REPLAY_ICOLLECTIVE:
        call->bytes += a->bytes;
        f->flops += a->amount;
        break;
    default:
        break;
    }
}

/* Those of a rank, or of one of its further threads. */
static uint64_t count_actions(struct survey *s, struct replay_tape *t, uint32_t rank, uint32_t place)
{
    struct replay_action a = {0};
    struct replay_cursor c;
    uint64_t n = 0;
    replay_cursor_begin(t, place, &c);
    for (; replay_cursor_next(t, &c, &a); n++) {
        if (!(replay_kind_fields(a.kind) & REPLAY_NUMBER) || a.kind == REPLAY_LOCATION ||
            replay_kind_is_of_threads(a.kind))
            a.number = 0;
        count_action(s, rank, &a);
        if (!s->volumes)
            count_pair(s, rank, &a);
    }
    replay_cursor_end(&c);
    return n;
}

static void count_rank(struct survey *s, struct replay_tape *t, uint32_t rank)
{
    if (s->volumes)
        replay_volumes_next_rank(s->volumes, rank);
    uint64_t n = count_actions(s, t, rank, rank);
    s->facts->actions += n;
    replay_facts_rank(s->facts, n);
}

/* Further threads, after all ranks. */
static void count_threads(struct survey *s, struct replay_tape *threads)
{
    for (uint32_t place = 0; threads && place < replay_tape_ranks(threads); place++) {
        if (s->volumes)
            replay_volumes_next_rank(s->volumes, REPLAY_ANY);
        s->facts->actions += count_actions(s, threads, 0, place);
        s->facts->threads++;
    }
}

/* Messages of calls are those of the actions that stand for them, on communicators whose ranks are known. */
static void count_pairs_of_calls(struct survey *s, struct replay_tape *t)
{
    struct replay_conversion ignored = {.to = REPLAY_TO_CALLS};
    struct replay_tape *actions = replay_convert_actions(t, &ignored);
    for (uint32_t rank = 0; rank < replay_tape_ranks(actions); rank++) {
        struct replay_action a = {0};
        struct replay_cursor c;
        replay_cursor_begin(actions, rank, &c);
        while (replay_cursor_next(actions, &c, &a))
            count_pair(s, rank, &a);
        replay_cursor_end(&c);
    }
    replay_tape_destroy(actions);
}

static void tell_calls(struct survey *s, struct replay_tape *t)
{
    if (!s->volumes)
        return;
    replay_volumes_tell(s->volumes, s->facts);
    replay_volumes_destroy(s->volumes);
    if (!s->threads)
        count_pairs_of_calls(s, t);
}

void replay_tape_facts(struct replay_tape *t, struct replay_facts *out)
{
    struct survey s = {.facts = out, .threads = replay_tape_threads(t) != NULL};
    struct replay_call *call;
    *out = (struct replay_facts){.ranks = replay_tape_ranks(t), .least = UINT64_MAX};
    out->started = replay_tape_started(t);
    base_table_init(&s.calls, BASE_NUMBERS, sizeof(struct replay_call), "calls of a trace");
    replay_pairs_init(&s.pairs, out->ranks);
    if (replay_tape_calls(t))
        s.volumes = replay_volumes_create(t);
    for (uint32_t rank = 0; rank < out->ranks; rank++)
        count_rank(&s, t, rank);
    count_threads(&s, replay_tape_threads(t));
    tell_calls(&s, t);
    replay_pairs_close(&s.pairs, out);
    for (uint32_t at = 0; (call = base_table_next(&s.calls, &at)) && out->n < BASE_LENGTH(out->call);)
        out->call[out->n++] = *call;
    base_table_release(&s.calls);
}
