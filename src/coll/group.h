/* SPDX-License-Identifier: BSD-3-Clause */
/* group: where the members of a collective meet. A part of exec.h. */
#ifndef PGASIM_COLL_GROUP_H
#define PGASIM_COLL_GROUP_H

#include "coll/coll.h"
#include "coll/message.h"
#include "coll/select.h"

struct coll_exec;
struct coll_order;

/* A place in a group: how many collectives its rank has called there, and those that run or wait. */
struct coll_seat {
    uint64_t calls;
    struct coll_member *active;
    struct coll_message_list unexpected; /* of calls not yet made */
};

/* One collective: the meeting of the members' calls of equal number. */
struct coll_instance {
    struct coll_group_record *group;
    uint64_t number, meeting; /* of its group; of all */
    uint32_t entered, left;
    uint32_t first_place;        /* who came first, and with what */
    bool plain;                  /* one-sided, and without a user's operator: members take the short paths */
    bool even;                   /* coll_message_is_even of its messages */
    struct coll_order *order;    /* for a checker; NULL: none */
    struct coll_decision chosen; /* by the first member: the same for all */
    struct coll_call first;
};

/* Identifies a group; never by the address of a list of ranks. */
struct coll_group_id {
    uint32_t id, first, stride, size; /* if id is not 0, the others are 0 */
};

/* A group's seats and running instances; kept until it is forgotten, because the call numbers are. */
struct coll_group_record {
    struct coll_group key; /* of the call that came first; a reference */
    struct coll_group_id id;
    struct coll_exec *exec;
    const struct coll_transport *transport; /* of the call that came first */
    struct coll_seat *seats;
    struct coll_instance **ring; /* instance `base + k` at (base + k) & (cap - 1); NULL: all have left */
    uint64_t base, end;
    struct coll_hosts *hosts;
    struct coll_islands *islands;
    struct coll_network network;                     /* pipe 0: not yet known */
    bool hosts_known, islands_known, islands_missed; /* missed: a notice says so */
    bool forgotten;                                  /* no member calls again */
    uint32_t cap;
};

/* group.c: where members meet. */
struct coll_group_record *coll_group_find(struct coll_exec *x, struct coll_group_record *last,
                                          const struct coll_call *call); /* last: a guess, or NULL */
struct coll_instance *coll_group_enter(struct coll_group_record *g, const struct coll_call *call,
                                       struct rank *r);
/* Which members share hosts; NULL: none do. */
const struct coll_hosts *coll_group_hosts(struct coll_group_record *g);
/* What is known of the network between the members. */
const struct coll_network *coll_group_network(struct coll_group_record *g);
/* Which hosts are close to each other, for a call with an operator that keeps their order if `ordered`; NULL: the
 * group has no such structure. */
const struct coll_islands *coll_group_islands(struct coll_group_record *g, bool ordered);
void coll_group_leave(struct coll_instance *i);
/* order.c */
void coll_order_release(struct coll_instance *i);
void coll_records_release(struct coll_exec *x);
/* The group's record, or NULL; and freeing it, as soon as none of its collectives runs: no member calls
 * again. */
struct coll_group_record *coll_record_of(const struct coll_exec *x, const struct coll_group *key);
void coll_record_forget(struct coll_group_record *g);

#endif
