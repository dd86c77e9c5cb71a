/* SPDX-License-Identifier: BSD-3-Clause */
/* info: what is on a tape, without playing it. */
#include "replay/player.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Messages between two ranks with one tag. */
struct pair {
    uint32_t from, to;
    int32_t tag;
};
struct count {
    struct pair key;
    uint64_t sent, received;
};

struct survey {
    struct replay_facts *facts;
    struct base_table calls; /* kind and number -> struct replay_call */
    struct base_table pairs; /* struct pair -> struct count * */
    struct base_pool counts;
    bool *open_minded; /* of each rank: it receives from any rank, or any tag */
};

static void count_message(struct survey *s, uint32_t from, uint32_t to, int32_t tag, bool sent)
{
    bool fresh;
    if (from == REPLAY_ANY || tag == REPLAY_ANY_TAG) {
        s->open_minded[to] = true;
        return;
    }
    const struct pair key = {from, to, tag};
    struct count **found = base_table_find_bytes(&s->pairs, &key, sizeof key);
    if (!found) {
        struct count *c = base_pool_get(&s->counts);
        *c = (struct count){.key = key};
        found = base_table_add_bytes(&s->pairs, &c->key, sizeof c->key, &fresh);
        *found = c;
    }
    (*found)->sent += sent;
    (*found)->received += !sent;
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
    case REPLAY_SECONDS:
        f->seconds += a->amount;
        break;
    case REPLAY_SEND:
    case REPLAY_ISEND:
        call->bytes += a->bytes;
        count_message(s, rank, a->peer, a->tag, true);
        break;
    case REPLAY_RECV:
    case REPLAY_IRECV:
        count_message(s, a->peer, rank, a->tag, false);
        break;
    case REPLAY_SENDRECV:
        call->bytes += a->bytes;
        count_message(s, rank, a->peer, 0, true);
        count_message(s, a->peer2, rank, 0, false);
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

static void count_rank(struct survey *s, struct replay_tape *t, uint32_t rank)
{
    struct replay_action a = {0};
    struct replay_cursor c;
    uint64_t n = 0;
    replay_cursor_begin(t, rank, &c);
    for (; replay_cursor_next(t, &c, &a); n++) {
        if (!(replay_kind_fields(a.kind) & REPLAY_NUMBER) || a.kind == REPLAY_LOCATION)
            a.number = 0;
        count_action(s, rank, &a);
    }
    replay_cursor_end(&c);
    s->facts->actions += n;
    s->facts->idle += n == 0;
    s->facts->least = n < s->facts->least ? n : s->facts->least;
    s->facts->most = n > s->facts->most ? n : s->facts->most;
}

static void find_unmatched(struct survey *s)
{
    struct replay_facts *f = s->facts;
    struct count **c;
    for (uint32_t at = 0; (c = base_table_next(&s->pairs, &at));) {
        if ((*c)->sent == (*c)->received || ((*c)->sent > (*c)->received && s->open_minded[(*c)->key.to]))
            continue;
        if (f->unmatched++ < BASE_LENGTH(f->first))
            f->first[f->unmatched - 1] = (struct replay_unmatched){(*c)->key.from, (*c)->key.to,
                                                                   (*c)->key.tag, (*c)->sent, (*c)->received};
    }
}

void replay_tape_facts(struct replay_tape *t, struct replay_facts *out)
{
    struct survey s = {.facts = out};
    struct replay_call *call;
    *out = (struct replay_facts){.ranks = replay_tape_ranks(t), .least = UINT64_MAX};
    base_table_init(&s.calls, BASE_NUMBERS, sizeof(struct replay_call), "calls of a trace");
    base_table_init(&s.pairs, BASE_BYTES, sizeof(struct count *), "messages of a trace");
    base_pool_init(&s.counts, sizeof(struct count), "messages of a trace");
    s.open_minded = base_zalloc(out->ranks, "ranks of a trace");
    for (uint32_t rank = 0; rank < out->ranks; rank++)
        count_rank(&s, t, rank);
    find_unmatched(&s);
    for (uint32_t at = 0; (call = base_table_next(&s.calls, &at)) && out->n < BASE_LENGTH(out->call);)
        out->call[out->n++] = *call;
    free(s.open_minded);
    base_table_release(&s.calls);
    base_table_release(&s.pairs);
    base_pool_release(&s.counts);
}
