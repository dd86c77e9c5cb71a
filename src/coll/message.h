/* SPDX-License-Identifier: BSD-3-Clause */
/* message: a message between members, from issue to the end of its receive. A part of exec.h. */
#ifndef PGASIM_COLL_MESSAGE_H
#define PGASIM_COLL_MESSAGE_H

#include "coll/schedule/schedule.h"
#include "coll/transport.h"

struct coll_instance;
struct coll_member;

enum { COLL_SMALL = 32 };

/* A message from issue to the end of its receive: three cache lines, of which an empty message touches two.
 * Its payload is in `small`, in a buffer, or still in the sender's memory at `at`. It stays there if the
 * sender waits for the arrival (`step` is not COLL_NO_STEP), or if nothing is written there while the sender
 * is in the collective (`lent`: the message is in the sender's list, and its payload is copied when the
 * sender leaves). */
enum { COLL_NO_STEP = UINT32_MAX };
struct coll_message {
    struct coll_message_room room; /* the transport's */
    struct coll_instance *instance;
    uint64_t bytes : COLL_BYTES_BITS, tag : COLL_TAG_BITS;
    uint32_t from, to;  /* places */
    uint32_t step;      /* the sender's, which waits for the arrival, or COLL_NO_STEP */
    bool lent, unmoved; /* unmoved: no payload (any more) */
    struct coll_message *next;
    coll_place at;
    union {
        _Alignas(16) unsigned char small[COLL_SMALL];
        struct {
            void *buffer;                                 /* of payloads above COLL_SMALL */
            struct coll_message *lent_next, **lent_place; /* in the sender's list */
        };
    };
    struct coll_member *sender;
    uint64_t number; /* in traces; only while there is one */
};
_Static_assert(sizeof(struct coll_message) <= 192, "three cache lines");
struct coll_message_list {
    struct coll_message *first, *last;
};

/* message.c: making, keeping and giving up messages. */
struct coll_message *coll_message_create(struct coll_member *m, uint32_t index); /* of its step */
void coll_message_own(struct coll_message *msg);  /* takes the payload out of its sender's memory */
void coll_message_keep(struct coll_message *msg); /* takes the payload where it may stay */
void coll_message_own_all(struct coll_member *m); /* the sender leaves: copies what is lent */
/* Where the sender's step says, contiguous; the payload, contiguous. Pass *scratch to coll_message_unread
 * afterwards. */
const void *coll_message_at_sender(const struct coll_message *msg, void **scratch);
const void *coll_message_payload(const struct coll_message *msg, void **scratch);
void coll_message_unread(const struct coll_message *msg, void *scratch);
void coll_message_append(struct coll_message_list *list, struct coll_message *msg);

#endif
