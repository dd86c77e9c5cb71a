/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files that convert share (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_PARTS_H
#define PGASIM_REPLAY_CONVERT_PARTS_H

#include "base/table.h"
#include "replay/convert/convert.h"
#include "replay/words/words.h"

/* said.c: counts what the format cannot say, by names that live on. `became`: "left out", "as send". */
void replay_unsay(struct replay_conversion *c, const char *what, const char *became);

const char *replay_name_of(const struct replay_action *a); /* as lines have it, in all modes of sends */

/* Who gets the actions of each rank, in their order; none of them is a call. REPLAY_ICOLLECTIVE has in `peer2`, and its wait in
 * `number`, by which serial number they belong together, or 0. Collectives have in `tag` the number of their communicator, or 0. */
struct replay_remote_sink;
struct replay_sink {
    void (*put)(struct replay_sink *s, uint32_t rank, const struct replay_action *a);
    void (*end)(struct replay_sink *s, uint32_t rank); /* the rank has no more */
    const struct replay_remote_sink *remote; /* one-sided operations (remote.h); NULL: they are left out */
    struct replay_conversion *out;
    /* A call whose actions come next, and, with NULL, its end. NULL: nobody asks. */
    void (*call)(struct replay_sink *s, uint32_t rank, const char *name);
};
/* plain.c: gives a sink a tape's actions, with actions in place of calls; or, with `call`, calls as they are.
 * Those of further threads it leaves out; they are counted, but with `call`. */
void replay_feed(struct replay_tape *t, struct replay_sink *s, bool call);
void replay_leave_out_threads(const struct replay_tape *t, struct replay_conversion *out); /* counts them */

/* sizes.c: bytes of data of datatypes, of one rank. */
struct replay_sizes {
    struct base_table made; /* word -> bytes */
};
void replay_sizes_init(struct replay_sizes *x);
void replay_sizes_release(struct replay_sizes *x);
uint64_t replay_size_of(const struct replay_sizes *x, int64_t type); /* 0: not known, or of no data */
/* 1: the call makes a type; -1: one whose size is not known; 0: none. */
int replay_sizes_note(struct replay_sizes *x, const struct replay_words *w);

/* collective.c: a collective of all ranks as an action; its counts go to `counts`, of n or 2 n members. false: such
 * arguments there are not. */
bool replay_collective_of(const struct replay_words *w, const struct replay_sizes *sizes, uint32_t rank,
                          uint32_t ranks, int64_t *counts, struct replay_action *a);

/* started.c: the open requests of a rank, which actions know by sender, receiver and tag, the oldest first. */
struct replay_started {
    uint32_t from, to;
    int32_t tag;
    uint32_t op;     /* of a schedule */
    uint32_t serial; /* tells collectives of calls apart; 0: the trace does not */
};
struct replay_started_list {
    struct replay_started *at;
    size_t n, cap;
};
void replay_started_add(struct replay_started_list *l, const struct replay_action *a, uint32_t rank,
                        uint32_t op);
/* The place of the one that a wait or test means, as replay has it (replay/requests.c); l->n: there is none. */
size_t replay_started_find(const struct replay_started_list *l, const struct replay_action *a);
void replay_started_take(struct replay_started_list *l, size_t k);

#endif
