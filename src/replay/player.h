/* SPDX-License-Identifier: BSD-3-Clause */
/* player: what the files that play share (private to replay/). */
#ifndef PGASIM_REPLAY_PLAYER_H
#define PGASIM_REPLAY_PLAYER_H

#include "coll/coll.h"
#include "p2p/p2p.h"
#include "replay/replay.h"
#include "replay/tape/tape.h"

/* A request that a rank has started and not waited for. */
struct replay_open {
    struct p2p_request *q; /* NULL: a test has completed it */
    uint32_t from, to;     /* ranks; REPLAY_ANY: any, or a collective's */
    int32_t tag;
};

struct replay_player {
    struct replay_cursor cursor;
    struct replay_open *open; /* in the order of their starts */
    uint32_t n, cap;
    uint32_t line; /* of the action that is played */
    uint16_t number;
    uint8_t kind; /* REPLAY_KINDS: the trace's end, where it waits for its open requests */
};

struct replay_job {
    struct rank_job *ranks;
    struct replay_tape *tape;
    const char *path;
    struct replay_player *player; /* of each rank */
    struct replay_action action;  /* the one that is played, until its rank waits */
    struct coll_group *group;     /* by number; [0] is all ranks */
    struct coll_p2p *messages;
    const struct coll_transport *transport;
    unsigned char *memory; /* of collectives whose data is moved; all ranks share it */
    size_t memory_bytes;
    double compute_scale;
    struct replay_counts counts;
};
struct replay_job *replay_job_of(const struct rank *r);
static inline struct replay_player *replay_player_of(const struct replay_job *j, const struct rank *r)
{
    return &j->player[r->id];
}

/* names.c: the MPI function that an action stands for. */
const char *replay_call_name(enum replay_kind kind, uint32_t number);

/* Each plays the action in j->action, of the current rank. message.c */
void replay_send(struct replay_job *j, struct rank *r);
void replay_receive(struct replay_job *j, struct rank *r);
void replay_exchange(struct replay_job *j, struct rank *r);
/* requests.c */
void replay_keep_open(struct replay_player *p, struct p2p_request *q, uint32_t from, uint32_t to,
                      int32_t tag);
void replay_wait(struct replay_job *j, struct rank *r);
void replay_wait_last(struct replay_job *j, struct rank *r);
void replay_wait_all(struct replay_job *j, struct rank *r);
void replay_wait_any(struct replay_job *j, struct rank *r);
void replay_test(struct replay_job *j, struct rank *r);
void replay_test_all(struct replay_job *j, struct rank *r);
void replay_test_any(struct replay_job *j, struct rank *r);
/* collective.c */
void replay_collective(struct replay_job *j, struct rank *r);
void replay_icollective(struct replay_job *j, struct rank *r);
/* work.c */
void replay_compute(struct replay_job *j, struct rank *r);
void replay_flops(struct replay_job *j, struct rank *r, double flops);
void replay_sleep(struct replay_job *j, struct rank *r);

#endif
