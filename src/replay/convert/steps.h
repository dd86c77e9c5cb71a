/* SPDX-License-Identifier: BSD-3-Clause */
/* steps: collectives as the messages of their schedules (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_STEPS_H
#define PGASIM_REPLAY_CONVERT_STEPS_H

#include "coll/coll.h"
#include "replay/convert/parts.h"

struct replay_steps {
    struct coll_unroller *unroller;
    const struct replay_tape *tape;
    struct replay_conversion *out;
    struct base_table counts; /* communicator -> how many collectives of it the rank has had */
};
/* -1 with st: a setting coll/... is not usable. */
int replay_steps_init(struct replay_steps *x, const struct replay_tape *t, struct replay_conversion *out,
                      struct base_status *st);
void replay_steps_next_rank(struct replay_steps *x);
void replay_steps_release(struct replay_steps *x);

/* Ranks are those of the world. Tags tell the collectives of a group apart that may be under way together. */
struct replay_step {
    enum coll_unrolled_kind kind;
    uint32_t peer, tag;
    uint64_t bytes;
};
/* As coll_unroll_sink has them. */
struct replay_steps_sink {
    void (*step)(void *arg, const struct replay_step *s);
    void (*order)(void *arg, uint32_t before, uint32_t after);
    void (*round)(void *arg);
    void *arg;
};
/* What the rank does in its collective. false, and nothing is told: its messages depend on what they say. */
bool replay_steps_tell(struct replay_steps *x, uint32_t rank, const struct replay_action *a,
                       const struct replay_steps_sink *to);

/* flat.c: passes the actions of a tape on to a sink, but collectives of some of the ranks as their messages. */
struct replay_flat;
struct replay_flat *replay_flat_create(const struct replay_tape *t, struct replay_sink *to,
                                       struct base_status *st);
struct replay_sink *replay_flat_sink(struct replay_flat *x);
void replay_flat_destroy(struct replay_flat *x);

#endif
