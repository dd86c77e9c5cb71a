/* SPDX-License-Identifier: BSD-3-Clause */
/* code: actions as bytes (private to tape/). */
#ifndef PGASIM_REPLAY_CODE_H
#define PGASIM_REPLAY_CODE_H

#include "replay/tape/tape.h"

typedef BASE_ARRAY(unsigned char) replay_bytes;

/* What both sides keep: texts by number, and room for counts that are read. */
struct replay_texts {
    char **at;
    size_t n, cap;
};
uint32_t replay_text_number(struct replay_texts *t, const char *text);
void replay_texts_release(struct replay_texts *t);

/* Appends the action; `line`: of the rank's last action, which becomes this one's. */
void replay_encode(replay_bytes *out, struct replay_texts *texts, const struct replay_action *a,
                   uint32_t *line);
/* Reads one; returns where it ends. `counts` grows as needed and holds the action's. */
struct replay_counts {
    int64_t *at;
    size_t n, cap;
};
const unsigned char *replay_decode(const unsigned char *at, const struct replay_texts *texts,
                                   struct replay_counts *counts, struct replay_action *a, uint32_t *line);

#endif
