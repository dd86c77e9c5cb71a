/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input: the bytes or lines of a file that may be compressed by gzip or zstd, or of the recording in a .pgt, which is
 * found by its first bytes.
 * It is read once and forwards; what is in memory does not grow with it, only with its longest line.
 */
#ifndef PGASIM_REPLAY_INPUT_H
#define PGASIM_REPLAY_INPUT_H

#include "base/base.h"

struct replay_input;
/* NULL with st: it cannot be read. */
struct replay_input *replay_input_open(const char *path, struct base_status *st);
void replay_input_close(struct replay_input *in);
const char *replay_input_path(const struct replay_input *in);

/* The next line, without its end, as a string that stays until the next call and may be written to. 1; 0: there
 * are no more; -1 with st as above, or the line is too long. A NUL is an error: the file is no text. */
int replay_input_line(struct replay_input *in, char **line, struct base_status *st);
uint32_t replay_input_line_number(const struct replay_input *in); /* of the last line, from 1 */
/* The first bytes of the decompressed content, which are read again afterwards: at most 64 KiB; *n: how many there
 * are. NULL with st. Before the first read. */
const unsigned char *replay_input_peek(struct replay_input *in, size_t *n, struct base_status *st);

/* The next n bytes of content, at most 64 KiB, until the next call. NULL with st: it cannot be read, or ends before. */
const unsigned char *replay_input_bytes(struct replay_input *in, size_t n, struct base_status *st);
/* The bytes of content that are at hand, at least one, until the next call; *n 0: it is at its end. -1 with st. */
int replay_input_some(struct replay_input *in, const unsigned char **bytes, size_t *n,
                      struct base_status *st);

/* --- files whose names differ in a number (numbered.c) ------------------------------------------------ */

struct replay_numbered {
    const char *path; /* of number 0 */
    int before;       /* bytes before the number */
    int digits;
    const char *behind;
};
/* Finds the last number of a file's name, which has to be 0. -1 with st. */
int replay_numbered_find(struct replay_numbered *x, const char *path, struct base_status *st);
char *replay_numbered_name(const struct replay_numbered *x, uint32_t number); /* the caller frees it */
uint32_t replay_numbered_count(const struct replay_numbered *x);              /* from 0 on, without a gap */

#endif
