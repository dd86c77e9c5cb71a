/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle: who must have got which message. A random program notes what each rank started, when, and how it
 * ended; the oracle takes all starts in the order of their times and matches them by plain lists.
 */
#ifndef PGASIM_TESTS_P2P_ORACLE_H
#define PGASIM_TESTS_P2P_ORACLE_H

#include "world.h"

enum { ORACLE_NOTES = 1 << 15 };
enum note_kind { NOTE_SEND, NOTE_RECEIVE, NOTE_CANCEL, NOTE_FIND, NOTE_TAKE };
struct note {
    enum note_kind kind;
    uint32_t owner, order; /* who notes; of all its notes */
    uint32_t rank;         /* whose queues it meets: of a send, the target */
    double when, over;     /* started, complete */
    struct p2p_envelope envelope;
    uint64_t bytes;        /* of the message, of the room */
    uint64_t number;       /* SEND: of the message */
    uint32_t of;           /* CANCEL: the place of the receive's note in the log */
    bool found;            /* FIND, TAKE: something; CANCEL: it is taken back */
    struct p2p_status got; /* all but sends */
    uint64_t sum;          /* of the bytes that were got */
    bool matched;          /* the oracle's */
};
struct note_log {
    struct note at[ORACLE_NOTES];
    uint32_t n, of_owner[64];
};

static inline struct note *note_add(struct note_log *log, const struct rank *r, enum note_kind kind,
                                    uint32_t rank, const struct p2p_envelope *e)
{
    assert_true(log->n < ORACLE_NOTES);
    struct note *n = &log->at[log->n++];
    memset(n, 0, sizeof *n);
    n->kind = kind;
    n->owner = r->id;
    n->order = log->of_owner[r->id]++;
    n->rank = rank;
    n->when = rank_now(r);
    n->envelope = *e;
    return n;
}

static inline uint64_t sum_add(uint64_t sum, unsigned char byte)
{
    return (sum ^ byte) * UINT64_C(0x100000001b3);
}
static inline uint64_t sum_of(uint64_t message, uint64_t bytes)
{
    uint64_t sum = 1;
    for (uint64_t k = 0; k < bytes; k++)
        sum = sum_add(sum, byte_of(message, k));
    return sum;
}

/* --- the oracle ---------------------------------------------------------------------------------- */

static struct {
    struct note **at;
    uint32_t n;
} oracle_order, oracle_receives, oracle_messages;

static int oracle_by_time(const void *a, const void *b)
{
    const struct note *x = *(struct note *const *)a, *y = *(struct note *const *)b;
    if (x->when != y->when)
        return x->when < y->when ? -1 : 1;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static inline bool oracle_wants(const struct note *receive, const struct note *message)
{
    const struct p2p_envelope *w = &receive->envelope, *m = &message->envelope;
    return receive->rank == message->rank && w->context == m->context &&
           (w->source == P2P_ANY_SOURCE || w->source == m->source) &&
           (w->tag == P2P_ANY_TAG || w->tag == m->tag);
}

static inline void oracle_got(const struct note *n, const struct note *m, uint64_t room)
{
    uint64_t bytes = m->bytes < room ? m->bytes : room;
    const struct p2p_status *st = &n->got;
    if (st->source != m->envelope.source || st->tag != m->envelope.tag || st->bytes != m->bytes ||
        n->sum != sum_of(m->number, bytes) || st->outcome != (m->bytes > room ? P2P_TRUNCATED : P2P_OK))
        fail_msg("rank %u, note %u: got %" PRIu64
                 " bytes from %u, tag %d, outcome %d; expected message %#" PRIx64 " of %" PRIu64
                 " bytes from %u, tag %d",
                 n->owner, n->order, st->bytes, st->source, st->tag, st->outcome, m->number, m->bytes,
                 m->envelope.source, m->envelope.tag);
}

/* The place of the first message that n wants, or the number of all. */
static inline uint32_t oracle_find(const struct note *n)
{
    uint32_t k = 0;
    while (k < oracle_messages.n && !oracle_wants(n, oracle_messages.at[k]))
        k++;
    return k;
}
static inline void oracle_remove_message(uint32_t k)
{
    memmove(&oracle_messages.at[k], &oracle_messages.at[k + 1],
            (--oracle_messages.n - k) * sizeof(struct note *));
}
static inline void oracle_remove_receive(uint32_t k)
{
    oracle_receives.at[k]->matched = true;
    memmove(&oracle_receives.at[k], &oracle_receives.at[k + 1],
            (--oracle_receives.n - k) * sizeof(struct note *));
}

static inline void oracle_send(struct note *n)
{
    for (uint32_t k = 0; k < oracle_receives.n; k++)
        if (oracle_wants(oracle_receives.at[k], n)) {
            oracle_got(oracle_receives.at[k], n, oracle_receives.at[k]->bytes);
            oracle_remove_receive(k);
            return;
        }
    oracle_messages.at[oracle_messages.n++] = n;
}

static inline void oracle_receive(struct note *n)
{
    uint32_t k = oracle_find(n);
    if (k == oracle_messages.n) {
        oracle_receives.at[oracle_receives.n++] = n;
        return;
    }
    oracle_got(n, oracle_messages.at[k], n->bytes);
    n->matched = true;
    oracle_remove_message(k);
}

static inline void oracle_cancel(const struct note_log *log, const struct note *n)
{
    const struct note *receive = &log->at[n->of];
    if (n->found == receive->matched)
        fail_msg("rank %u, note %u: a receive is %s, though it is %s", n->owner, n->order,
                 n->found ? "taken back" : "not taken back", receive->matched ? "matched" : "not");
    for (uint32_t k = 0; n->found && k < oracle_receives.n; k++)
        if (oracle_receives.at[k] == receive) {
            oracle_remove_receive(k);
            return;
        }
}

static inline void oracle_look(struct note *n)
{
    uint32_t k = oracle_find(n);
    if (n->found != (k < oracle_messages.n))
        fail_msg("rank %u, note %u: %s", n->owner, n->order,
                 n->found ? "found what is not there" : "found nothing");
    if (!n->found)
        return;
    oracle_got(n, oracle_messages.at[k], n->kind == NOTE_FIND ? 0 : UINT64_MAX);
    if (n->kind == NOTE_TAKE)
        oracle_remove_message(k);
}

/* Fails where the log is not what the oracle says; returns how many messages nobody received. */
static inline uint32_t oracle_check(struct note_log *log)
{
    struct note **room = base_alloc(3 * ORACLE_NOTES * sizeof *room, "test");
    oracle_order.at = room;
    oracle_receives.at = room + ORACLE_NOTES;
    oracle_messages.at = room + 2 * ORACLE_NOTES;
    oracle_order.n = oracle_receives.n = oracle_messages.n = 0;
    for (uint32_t k = 0; k < log->n; k++)
        oracle_order.at[oracle_order.n++] = &log->at[k];
    qsort(oracle_order.at, oracle_order.n, sizeof *room, oracle_by_time);
    for (uint32_t k = 0; k < oracle_order.n; k++) {
        struct note *n = oracle_order.at[k];
        if (n->kind == NOTE_SEND)
            oracle_send(n);
        else if (n->kind == NOTE_RECEIVE)
            oracle_receive(n);
        else if (n->kind == NOTE_CANCEL)
            oracle_cancel(log, n);
        else
            oracle_look(n);
    }
    free(room);
    return oracle_messages.n;
}

/* --- random platforms ---------------------------------------------------------------------------- */

/* One to four hosts, each with a link of its own. */
static char platform_text[8192];
static inline void draw_platform(struct base_random *r)
{
    int n = snprintf(platform_text, sizeof platform_text,
                     "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
                     "<platform version='4.1'><zone id='z' routing='Full'>\n");
    uint64_t hosts = 1 + base_random_below(r, 4);
    for (uint64_t h = 0; h < hosts; h++)
        n += snprintf(platform_text + n, sizeof platform_text - (size_t)n,
                      "<host id='h%d' speed='1Gf'/><link id='l%d' bandwidth='%dMBps' latency='%dns'/>\n",
                      (int)h, (int)h, 100 + (int)base_random_below(r, 4000),
                      100 + (int)base_random_below(r, 20000));
    for (uint64_t h = 0; h < hosts; h++)
        for (uint64_t to = h; to < hosts; to++)
            n += snprintf(
                platform_text + n, sizeof platform_text - (size_t)n,
                h == to ? "<route src='h%d' dst='h%d'><link_ctn id='l%d'/></route>\n"
                        : "<route src='h%d' dst='h%d'><link_ctn id='l%d'/><link_ctn id='l%d'/></route>\n",
                (int)h, (int)to, (int)h, (int)to);
    snprintf(platform_text + n, sizeof platform_text - (size_t)n, "</zone></platform>\n");
}

/* --- two runs ------------------------------------------------------------------------------------ */

static int oracle_by_owner(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* Each rank did and got the same at the same times, to the last bit. Sorts both logs. */
static inline void logs_equal(struct note_log *a, struct note_log *b, const char *what)
{
    qsort(a->at, a->n, sizeof a->at[0], oracle_by_owner);
    qsort(b->at, b->n, sizeof b->at[0], oracle_by_owner);
    for (uint32_t k = 0; k < a->n && k < b->n; k++) {
        const struct note *x = &a->at[k], *y = &b->at[k];
        if (x->owner != y->owner || x->kind != y->kind || x->when != y->when || x->over != y->over ||
            x->sum != y->sum || x->got.source != y->got.source || x->got.bytes != y->got.bytes ||
            x->found != y->found)
            fail_msg("%s: rank %u, note %u: at %.17g, over at %.17g; before: rank %u at %.17g, over at %.17g",
                     what, y->owner, y->order, y->when, y->over, x->owner, x->when, x->over);
    }
    assert_int_equal(a->n, b->n);
}

#endif
