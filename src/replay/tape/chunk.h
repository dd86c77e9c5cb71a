/* SPDX-License-Identifier: BSD-3-Clause */
/* chunk: what a tape is made of (private to tape/): tape.c writes it, cursor.c reads it. */
#ifndef PGASIM_REPLAY_CHUNK_H
#define PGASIM_REPLAY_CHUNK_H

#include "base/table.h"
#include "replay/tape/code.h"
#include "replay/tape/loops.h"

/* Before a chunk's actions. */
struct replay_chunk {
    uint64_t next; /* 0: there is none */
    uint32_t next_size, used;
};

/* What a rank has written, and its open chunk, whose actions are at its place in memory already; of a tape in a file
 * they are kept until it is full. */
struct replay_track {
    uint64_t first, place; /* of the first chunk, of the open one; 0: none */
    unsigned char *kept;   /* NULL: at its place */
    uint32_t first_size, size, used, line;
    uint8_t last; /* action's kind */
};

struct replay_tape {
    BASE_ARRAY(struct replay_track) tracks;
    struct replay_texts texts;
    struct replay_counts counts;
    BASE_ARRAY(struct replay_group) groups;
    struct base_table group_of; /* ranks -> number */
    struct replay_loops loops;  /* that are being written */
    replay_bytes action;        /* the one that is being written */
    unsigned char *memory;      /* NULL: it is in the file */
    size_t room, limit;         /* bytes of memory now, and at most */
    int file;
    uint64_t used, actions;
    uint32_t initial; /* ranks; 0: all */
    bool calls, sources, symmetric, cores, times, computes, guessed;
    struct replay_tape *threads; /* NULL: there are none */
    struct base_table thread_at; /* rank and thread -> place; of `threads` */
    BASE_ARRAY(uint64_t) thread_keys;
    struct base_table exits; /* ranks that a further thread ends; of `threads` */
};

void replay_threads_release(struct replay_tape *t); /* threads.c */
_Noreturn void replay_no_file(const char *what);    /* "read", ...: errno says why; ends the process */

#endif
