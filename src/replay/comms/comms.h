/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comms: which ranks the communicators are of that a trace's calls of MPI make. All ranks are read side by side, as the
 * members of a communicator follow from what all of them have passed; a rank that makes one waits for the others.
 *
 * Groups are those of the tape (replay_tape_group), of the world's ranks; 0: all ranks, in order.
 */
#ifndef PGASIM_REPLAY_COMMS_H
#define PGASIM_REPLAY_COMMS_H

#include "replay/tape/tape.h"

enum { REPLAY_NO_GROUP = UINT32_MAX, REPLAY_EMPTY_GROUP = UINT32_MAX - 1 };

struct replay_comm {
    uint32_t group;  /* REPLAY_NO_GROUP: the rank is no member, or who they are is not known */
    uint32_t remote; /* the other group of an inter-communicator; else REPLAY_NO_GROUP */
    uint32_t number; /* tells it from others of the same group; 0: MPI_COMM_WORLD */
};

uint32_t replay_members(const struct replay_tape *t, uint32_t group); /* how many they are */
uint32_t replay_member(const struct replay_tape *t, uint32_t group, uint32_t place);
/* The rank's place; REPLAY_ANY: it is no member. */
uint32_t replay_place(const struct replay_tape *t, uint32_t group, uint32_t rank);

struct replay_comms;
/* Reads the calls of all ranks; new groups are added to the tape. */
struct replay_comms *replay_comms_find(struct replay_tape *t);
void replay_comms_destroy(struct replay_comms *c);
/* MPI_COMM_WORLD of a rank: of those that begin with the trace, or that were started with it. */
struct replay_comm replay_comms_world(const struct replay_comms *c, uint32_t rank);
/* Whether a call of this function makes a communicator, or names a group of a window's ranks. */
bool replay_comms_tells(uint32_t function);
/* What the k-th such call of a rank has made, or named as `group`; k from 0. */
struct replay_comm replay_comms_told(const struct replay_comms *c, uint32_t rank, uint32_t k);

#endif
