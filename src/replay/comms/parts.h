/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of this room share (private to comms/). */
#ifndef PGASIM_REPLAY_COMMS_PARTS_H
#define PGASIM_REPLAY_COMMS_PARTS_H

#include "base/table.h"
#include "replay/comms/comms.h"
#include "replay/words/words.h"

enum { REPLAY_NO_COMM = UINT32_MAX };

/* A rank that is read. */
struct comms_walker {
    struct replay_cursor cursor;
    struct base_table comms, groups; /* word -> number of the communicator; word -> group */
    BASE_ARRAY(struct replay_comm) told;
    int64_t made;            /* the word of what it waits for */
    uint32_t world, parents; /* communicators; of a rank that nobody has started yet: REPLAY_NO_COMM */
    struct replay_comm home; /* the world, when all is read */
    bool begun, waits;
};
/* A communicator, or one side of an inter-communicator: `twin` is the other side's. */
struct comms_one {
    struct replay_comm comm;
    uint32_t twin;
    uint32_t dims; /* of a grid; 0: it is none */
    int64_t *dim;
    struct comms_meeting *open;
};
/* What a member has passed. */
struct comms_seat {
    uint32_t rank, side;
    int64_t color, key, place;
    bool member;
};
/* Ranks that make communicators together. */
struct comms_meeting {
    uint32_t function, expected;
    BASE_ARRAY(struct comms_seat) seats;
    uint32_t
        on; /* the communicator; of MPI_Comm_create_group and its like: REPLAY_NO_COMM, and the members are `group` */
    uint32_t group;
    bool wrong;    /* its members call different functions */
    uint32_t dims; /* of the grid that is made */
    int64_t *dim;
    uint32_t leader,
        remote; /* of MPI_Intercomm_create and MPI_Comm_join: the two leaders, by the one on this side */
    int64_t tag;
    uint32_t first, started;    /* by MPI_Comm_spawn; 0: none */
    BASE_ARRAY(int64_t) port;   /* its name, as words */
    struct comms_meeting *next; /* that waits for its other side */
};
struct replay_comms {
    struct replay_tape *tape;
    uint32_t ranks;
    struct comms_walker *walker;
    BASE_ARRAY(struct comms_one) comm; /* 0: the world */
    BASE_ARRAY(uint32_t) ready;        /* ranks that can go on */
    struct base_table together;        /* group and tag -> struct comms_meeting * */
    struct comms_meeting *halves;
    struct comms_meeting *callers; /* that wait at ports */
    uint32_t *mark;                /* of ranks: for who needs it, until it returns */
    uint32_t marks;
    int64_t world, self, nobody; /* words */
};

/* groups.c: the group that a word means; the one that a call makes; one of these ranks. */
uint32_t comms_group_of(const struct replay_comms *c, const struct comms_walker *w, int64_t word);
uint32_t comms_group_made(struct replay_comms *c, uint32_t rank, const struct replay_words *w);
uint32_t comms_group(struct replay_comms *c, const uint32_t *rank, uint32_t n);

/* comms.c: the communicator that a word means to a rank; a new one; the rank that waits has this one, and goes on. */
uint32_t comms_find(struct replay_comms *c, uint32_t rank, int64_t word);
uint32_t comms_add(struct replay_comms *c, uint32_t group, uint32_t remote);
void comms_give(struct replay_comms *c, uint32_t rank, uint32_t comm);

struct comms_meeting *comms_meeting_create(uint32_t function, uint32_t on, uint32_t group, uint32_t expected);
/* meeting.c: the rank comes to a call that makes a communicator, and waits, or has it. */
void comms_meet(struct replay_comms *c, uint32_t rank, const struct replay_words *w);
void comms_meetings_release(
    struct replay_comms *c); /* those that are open; their ranks wait for nothing then */

/* processes.c: two communicators, as the two sides have them, and the first one's number; who has come has this one. */
uint32_t comms_make_sides(struct replay_comms *c, uint32_t a, uint32_t b);
void comms_give_all(struct replay_comms *c, const struct comms_meeting *m, uint32_t comm);
void comms_worlds_begin(struct replay_comms *c); /* MPI_COMM_WORLD of the ranks that begin with the trace */
/* If the rank is the call's root, what it alone says: which ranks are started, the name of a port. */
void comms_note_root(const struct replay_comms *c, struct comms_meeting *m, uint32_t rank,
                     const struct replay_words *w);
void comms_start(struct replay_comms *c, struct comms_meeting *m);
struct comms_meeting *comms_socket(struct replay_comms *c, uint32_t rank, const struct replay_words *w);
/* Nobody else can go on: true, if some who wait at a port can. */
bool comms_ports_meet(struct replay_comms *c);

/* solve.c: all members have come; false: they wait for those of another meeting. */
bool comms_solve(struct replay_comms *c, struct comms_meeting *m);
void comms_meeting_destroy(struct comms_meeting *m);

#endif
