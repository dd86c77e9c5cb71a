/* SPDX-License-Identifier: BSD-3-Clause */
/* reader: what the reader of an archive keeps (private to otf2/). */
#ifndef PGASIM_REPLAY_OTF2_READER_H
#define PGASIM_REPLAY_OTF2_READER_H

#include "base/table.h"
#include "replay/otf2/library.h"
#include "replay/otf2/otf2.h"

/* What a region is. */
enum replay_otf2_region {
    REPLAY_OTF2_CODE = 1, /* the program's */
    REPLAY_OTF2_CALL,     /* of the communication library; the others are calls that matter */
    REPLAY_OTF2_INIT,
    REPLAY_OTF2_FINALIZE,
    REPLAY_OTF2_EXCHANGE, /* sends and receives at once */
    REPLAY_OTF2_STARTS,   /* a send in it is not waited for */
};

enum { REPLAY_OTF2_MODE = 8 }; /* bits of it, above which there is how sends in it are done */

/* A group as the archive has it: locations, or places among those of its paradigm. */
struct replay_otf2_group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    bool global; /* its members are locations in any case */
    uint32_t n;
    uint64_t *member;
};
struct replay_otf2_location {
    OTF2_LocationRef location;
    OTF2_LocationGroupRef process;
    bool thread; /* it runs code */
};
/* What a member of a collective has sent and received, in bytes, as the archive counts them. */
struct replay_otf2_volume {
    uint64_t sent, received;
};
/* A communicator. Its collectives are numbered by each member; volume[number * n + place]. */
struct replay_otf2_comm {
    uint32_t n;
    uint32_t *rank;
    bool self, world;
    BASE_ARRAY(struct replay_otf2_volume) volume;
};
struct replay_otf2_win {
    OTF2_CommRef comm;
    bool inner; /* what is put there are messages of collectives, in pgasim's own archives */
};

struct replay_otf2 {
    const struct replay_otf2_library *lib;
    OTF2_Reader *reader;
    const char *path;
    struct base_status *st;
    bool failed;                /* st says why */
    bool multiplied;            /* volumes count data once for each member (Score-P) */
    double second;              /* in ticks */
    struct base_table strings;  /* number -> char * */
    struct base_table regions;  /* -> enum replay_otf2_region, and above enum p2p_sending */
    struct base_table groups;   /* -> struct replay_otf2_group */
    struct base_table comms;    /* -> place in comm + 1; until they are resolved, their group's number */
    struct base_table wins;     /* -> struct replay_otf2_win */
    struct base_table ranks_of; /* location -> rank */
    BASE_ARRAY(struct replay_otf2_location) locations;
    BASE_ARRAY(struct replay_otf2_comm) comm;
    uint32_t ranks;
    struct replay_tape
        *tape; /* with collectives by communicator, which collectives.c makes groups with sizes */
};

/* definitions.c: reads what is said of all locations. -1 with st. */
int replay_otf2_definitions(struct replay_otf2 *x);
void replay_otf2_release(struct replay_otf2 *x);
struct replay_otf2_comm *replay_otf2_comm(struct replay_otf2 *x, OTF2_CommRef comm); /* NULL: not known */
const char *replay_otf2_string(const struct replay_otf2 *x, uint32_t string);

/* events.c: the events of a location onto the tape, those of another thread of the rank as calls that are not played. -1
 * with st. */
int replay_otf2_events(struct replay_otf2 *x, OTF2_LocationRef location, uint32_t rank, bool other);

/* queue.c: a rank's actions in the order of their calls, where what a call starts is known later. */
struct replay_otf2_item {
    struct replay_action action;
    uint32_t comm; /* of a collective: its place in x->comm */
    struct replay_otf2_volume volume;
    bool open; /* it is not known yet */
};
struct replay_otf2_queue {
    struct replay_otf2 *x;
    uint32_t rank;
    BASE_ARRAY(struct replay_otf2_item) item;
    size_t first, gone;         /* the first one that is still there; how many were there before item.at[0] */
    struct base_table requests; /* -> number of its item */
    struct base_table sends;    /* -> struct replay_action: what was started */
    uint32_t *calls;            /* of collectives, by communicator */
};
void replay_otf2_queue_begin(struct replay_otf2_queue *q, struct replay_otf2 *x, uint32_t rank);
void replay_otf2_queue_end(struct replay_otf2_queue *q); /* what is open was never known */
void replay_otf2_put(struct replay_otf2_queue *q, const struct replay_otf2_item *item);
void replay_otf2_put_action(struct replay_otf2_queue *q, const struct replay_action *a);
/* An item that a request stands for; what it is comes with its completion, if `open`. */
void replay_otf2_put_request(struct replay_otf2_queue *q, uint64_t request,
                             const struct replay_otf2_item *item);
/* NULL: there is none. It is told with replay_otf2_close. */
struct replay_otf2_item *replay_otf2_requested(struct replay_otf2_queue *q, uint64_t request);
void replay_otf2_close(struct replay_otf2_queue *q, uint64_t request);

/* The same for a send, which is known at once; false: there is none. */
void replay_otf2_put_send(struct replay_otf2_queue *q, uint64_t request, const struct replay_action *a);
bool replay_otf2_take_send(struct replay_otf2_queue *q, uint64_t request, struct replay_action *out);

/* collectives.c */
int replay_otf2_operation(OTF2_CollectiveOp op); /* enum coll_op; -1: none, or none that is played */
uint32_t replay_otf2_place(const struct replay_otf2_comm *c, uint32_t rank); /* c->n: it is no member */
void replay_otf2_note(struct replay_otf2_comm *c, uint32_t rank, uint32_t number,
                      struct replay_otf2_volume v);
struct replay_tape *replay_otf2_sized(struct replay_otf2 *x);

#endif
