/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c: the role that computes. */
#include "stream.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This process's; handlers use it after the role's function has returned. */
static struct {
    struct video v;
    struct detector *detector;
    Chunk_t *in, *out, *taken;
    struct frame *result;
    int waiting;  /* whether `result` is not yet in `out` */
    int out_free; /* whether output has taken the last one */
} task;

/* Process tasks number themselves, from 0, by a counter in shared memory. Its protocol is one whose scopes
 * exclude each other, whatever that of the frames is. */
static unsigned long number_take(void)
{
    Chunk_t *counter = MALLOC(newHomeBaseMESI(), NUMBERS, sizeof(unsigned long));
    READWRITE(counter);
    unsigned long number = (*SAT_DATA(counter, unsigned long))++;
    RELEASE(counter);
    return number;
}

static size_t frame_size(void)
{
    return sizeof(struct frame) + (size_t)task.v.width * (size_t)task.v.height;
}

static void result_put(void)
{
    if (!task.out_free && !task.v.hasty) {
        task.waiting = 1;
        return;
    }
    task.waiting = task.out_free = 0;
    WRITE(task.out);
    memcpy(task.out->data, task.result, frame_size());
    RELEASE(task.out);
}

static void result_taken(Chunk_t *chunk, void *unused)
{
    (void)chunk, (void)unused;
    task.out_free = 1;
    if (task.waiting)
        result_put();
}

static void task_end(void)
{
    UNSUBSCRIBE(task.in);
    if (!task.v.hasty) {
        UNSUBSCRIBE(task.taken);
    }
    detector_destroy(task.detector);
    free(task.result);
}

static void frame_ready(Chunk_t *chunk, void *unused)
{
    (void)unused;
    READ(chunk);
    const struct frame *f = SAT_DATA(chunk, const struct frame);
    task.result->number = f->number;
    if (f->number != NO_FRAME)
        task.result->lines = detector_run(task.detector, f->pixel, task.result->pixel);
    RELEASE(chunk);
    if (task.result->number == NO_FRAME)
        task_end();
    else
        result_put();
}

/* What the whole run shares comes from input; how many threads there are is this binary's own option. */
static void settings_get(const _SAT_Bootstrap_t *bootstrap)
{
    struct video own;
    if (video_options(&own, bootstrap->argc, bootstrap->argv) < 0)
        stream_abort(2);
    task.v = stream_settings_get();
    task.v.threads = own.threads;
}

void role_process(_SAT_Bootstrap_t *bootstrap)
{
    settings_get(bootstrap);
    const unsigned long k = number_take();
    task.detector = detector_create(&task.v);
    task.result = calloc(1, frame_size());
    if (!task.detector || !task.result) {
        fprintf(stderr, "videostream: process %d has not enough memory for a frame\n", bootstrap->id);
        stream_abort(1);
    }
    task.result->by = bootstrap->id;
    snprintf(task.result->kind, sizeof task.result->kind, "%s", parts_kind);
    task.out_free = 1;
    task.in = stream_buffer(&task.v, IN + k);
    task.out = stream_buffer(&task.v, OUT + k);
    SUBSCRIBE(task.in, frame_ready, NULL);
    if (!task.v.hasty) {
        task.taken = stream_taken(k);
        SUBSCRIBE(task.taken, result_taken, NULL);
    }
    barrier(START, clientGetClientNr());
}
