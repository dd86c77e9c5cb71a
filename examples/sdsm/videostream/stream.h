/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h: the chunks of the video application, and its roles.
 *
 * Process task k has an input buffer and an output buffer, chunks of one frame each. Writing one notifies its
 * subscribers; nothing else synchronizes the tasks once all have subscribed:
 *
 *   input  --IN k-->  process k  --OUT k-->  output  (takes the frame)
 *     ^                  ^         |           |
 *     '------------------|---------'           |     input: buffer IN k is free for the next frame
 *                        '-----TAKEN k---------'     process: buffer OUT k is free for the next result
 *
 * Without TAKEN, the next result could overwrite one that output has not read yet: input, too, is told of
 * OUT k, sends the next frame at once, and a short computation may be faster than output. That result would
 * be lost, and output, notified twice, would find the later one twice. The paper has no TAKEN; --hasty
 * leaves it out.
 *
 * The end: input writes a frame numbered NO_FRAME to each process task when it has no more, and ends its own
 * subscriptions; output ends its own when it has all frames.
 */
#ifndef STREAM_H
#define STREAM_H

#include <sat.h>
#include "video.h"

enum { ROLE_SERVER, ROLE_INPUT, ROLE_PROCESS, ROLE_OUTPUT, ROLES };

/* Logical addresses. Those of process task k: IN + k and so on. */
enum { NUMBERS = 1, IN = 1000, OUT = 100000, TAKEN = 200000 };
enum { START = 1 }; /* the barrier */
enum { NO_FRAME = -1 };

/* What IN and OUT chunks hold. */
struct frame {
    long number;
    int lines, by;         /* OUT: how many were found, by which process */
    char kind[16];         /* OUT: by which kind of binary */
    unsigned char pixel[]; /* width * height */
};

/* One chunk for a frame. */
Chunk_t *stream_buffer(const struct video *v, unsigned long id);
Chunk_t *stream_taken(unsigned long task);

/* The settings: given by input, known to the others afterwards. */
void stream_settings_put(const struct video *v);
struct video stream_settings_get(void);

/* Roles. */
void role_input(_SAT_Bootstrap_t *bootstrap);
void role_process(_SAT_Bootstrap_t *bootstrap);
void role_output(_SAT_Bootstrap_t *bootstrap);

/* Ends all processes with an exit status. */
_Noreturn void stream_abort(int status);

#endif
