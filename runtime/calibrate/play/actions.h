/* SPDX-License-Identifier: BSD-3-Clause */
/* actions: what the files that read SMPI's actions share. Words are those of a line: word 1 is the action's name. */
#ifndef PLAY_ACTIONS_H
#define PLAY_ACTIONS_H

#include "play/trace.h"

/* ANY_RANK, ANY_TAG: as traces of calls have them. */
enum { ANY_RANK = -1, ANY_TAG = -2, OF_NO_MESSAGE = -9, MOST = 2147483647 };

/* Handles of calls. */
int64_t play_named(enum record_object o, const char *name);
int64_t play_world(void);
int64_t play_byte_type(void);

/* Word k of a line; -1 with st: it is missing, or not as expected. */
int play_whole(const struct play_words *w, size_t k, const char *what, double least, double most,
               int64_t *out, struct base_status *st);
int play_rank(const struct play_reader *x, const struct play_words *w, size_t k, bool wild, int64_t *out,
              struct base_status *st);
/* The size of the type that stands there, or of the default; made types have none. */
int play_type_size(const struct play_reader *x, const struct play_words *w, size_t k, int64_t *out,
                   struct base_status *st);
/* A count there, of the type at `type`, in bytes. */
int play_bytes(const struct play_reader *x, const struct play_words *w, size_t k, size_t type, int64_t *out,
               struct base_status *st);

/* A new request; its word. */
int64_t play_open_request(struct play_reader *x, int64_t from, int64_t to, int64_t tag);
/* 1: the line was one of a collective (group_actions.c); 0: it is not. */
int play_group_action(struct play_reader *x, const struct play_words *w, struct base_status *st);

#endif
