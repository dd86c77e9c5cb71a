/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match: which receive gets which message. Knows only envelopes: no ranks, times or bytes.
 *
 * A rank has two queues: receives that wait for a message, in the order in which they were posted, and
 * messages that wait for a receive, in the order in which they were added. A message goes to the first
 * receive that wants it; a receive gets the first message that it wants (MPI-5.0 section 3.5). Messages of
 * one sender are added in the order in which it sent them, so that none overtakes another, whatever the
 * network does with their bytes.
 *
 * A queue of a few items is searched from its head. A longer one is also sorted into bins by its items'
 * envelopes. There are four classes of bins; a receive belongs to the class given by its wildcards:
 *
 *      class           bins of receives                    bins of messages
 *      EXACT           source and tag                      source and tag
 *      ANY_TAG         source, for any tag                 source
 *      ANY_SOURCE      tag, of any source                  tag
 *      ANY             of any source and tag               the whole context
 *
 *      queue   head -> item <-> item <-> item <-> item     in order
 *                       |                  |
 *      bin     head -> item <-----------> item             in order; found by a hash of its key
 *
 * A message is looked up in the bins of up to four classes of receives, and the oldest of their first items
 * is taken. A receive is looked up in the one bin of messages of its class. Messages are sorted into a class
 * of bins with wildcards only once a receive has asked for it. The bins of all queues are in one table, so
 * that a queue costs no more than its items, and an item that is in no bin has no links for it.
 *
 * Invariants
 *  A1  The items of a queue, and of each bin, are in the order in which they were added: `age` rises.
 *  A2  A queue that is sorted has each item in a bin of each class in `classes`: a receive in one, of its own
 *      class, a message in all of them. A queue that is not sorted has no bin.
 *  A3  A bin is not empty.
 */
#ifndef PGASIM_P2P_MATCH_H
#define PGASIM_P2P_MATCH_H

#include "base/table.h"
#include "p2p/p2p.h"

enum p2p_class { P2P_EXACT, P2P_WITH_ANY_TAG, P2P_WITH_ANY_SOURCE, P2P_WITH_ANY, P2P_CLASSES };
static inline enum p2p_class p2p_class_of(const struct p2p_envelope *wanted)
{
    return (wanted->source == P2P_ANY_SOURCE) * P2P_WITH_ANY_SOURCE +
           (wanted->tag == P2P_ANY_TAG) * P2P_WITH_ANY_TAG;
}
static inline bool p2p_wants(const struct p2p_envelope *wanted, const struct p2p_envelope *message)
{
    return wanted->context == message->context &&
           (wanted->source == message->source || wanted->source == P2P_ANY_SOURCE) &&
           (wanted->tag == message->tag || wanted->tag == P2P_ANY_TAG);
}

/* A receive or a message in its queue; embedded in its owner's record. */
struct p2p_item;
struct p2p_link {
    struct p2p_item *prev, *next;
    uint32_t bin; /* of the table */
};
struct p2p_item {
    struct p2p_envelope envelope;
    bool queued;
    union {
        struct {
            struct p2p_item *prev, *next;
            uint64_t age;
            struct p2p_link
                *links; /* of a sorted queue: in the bin of a receive's class, in a message's bins by class */
        };
        struct engine_event event; /* its owner's, while it is not queued: its start is ahead of the clock */
    };
};

/* Empty when zeroed, except for `number` and `messages`. */
struct p2p_queue {
    struct p2p_item *head, *tail;
    uint32_t n;
    uint32_t number; /* unique among the queues of the table */
    bool messages;   /* items are messages, not receives */
    bool sorted;
    uint8_t classes;                /* sorted: the classes that have bins, one bit each */
    uint32_t of_class[P2P_CLASSES]; /* sorted: the receives by class */
};

/* The bins of all queues. */
struct p2p_bin;
struct p2p_bins {
    struct base_index index;
    BASE_ARRAY(struct p2p_bin) bin;
    struct base_pool one, all; /* links of receives, of messages */
    uint32_t free, used;       /* first free bin, or BASE_NONE; number of bins in use */
    uint64_t ages;             /* given so far */
};
void p2p_bins_init(struct p2p_bins *b);
void p2p_bins_release(struct p2p_bins *b);

/* Appends an item. Its envelope is set, and does not change while it is queued. */
void p2p_queue_add(struct p2p_bins *b, struct p2p_queue *q, struct p2p_item *item);
void p2p_queue_remove(struct p2p_bins *b, struct p2p_queue *q, struct p2p_item *item);
/* In a queue of receives: the first that wants the message. NULL: none does. */
struct p2p_item *p2p_queue_receive(const struct p2p_bins *b, const struct p2p_queue *q,
                                   const struct p2p_envelope *message);
/* In a queue of messages: the first wanted one; may re-sort the queue. NULL: there is none. */
struct p2p_item *p2p_queue_message(struct p2p_bins *b, struct p2p_queue *q,
                                   const struct p2p_envelope *wanted);
/* The first wanted messages of different senders: at most n of them, in the order in which they were added; how
 * many. */
size_t p2p_queue_senders(const struct p2p_queue *q, const struct p2p_envelope *wanted, struct p2p_item **out,
                         size_t n);
/* Asserts A1 to A3 for a queue; returns the number of bins that it has. */
uint32_t p2p_queue_check(const struct p2p_bins *b, const struct p2p_queue *q);

#endif
