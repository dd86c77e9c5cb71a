/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c: the role that has the frames, and gives the next one to whichever process task is free. */
#include "stream.h"
#include <stdio.h>
#include <stdlib.h>

struct task {
    Chunk_t *in, *out;
};

/* This process's; handlers use it after the role's function has returned. */
static struct {
    struct video v;
    long next;   /* frame */
    int running; /* process tasks that have not been told to end */
    struct task *tasks;
} input;

/* The task's input buffer is free. */
static void feed(struct task *t)
{
    const long number = input.next < input.v.frames ? input.next++ : NO_FRAME;
    WRITE(t->in);
    struct frame *f = SAT_DATA(t->in, struct frame);
    f->number = number;
    if (number != NO_FRAME)
        video_frame(&input.v, number, f->pixel);
    RELEASE(t->in);
    if (number != NO_FRAME)
        return;
    UNSUBSCRIBE(t->out);
    input.running--;
}

static void computed(Chunk_t *chunk, void *task)
{
    (void)chunk;
    feed(task);
    if (input.running == 0)
        free(input.tasks);
}

void role_input(_SAT_Bootstrap_t *bootstrap)
{
    const int n = sat_role_count(ROLE_PROCESS);
    if (video_options(&input.v, bootstrap->argc, bootstrap->argv) < 0) {
        fprintf(stderr, "usage: videostream --topology FILE " VIDEO_USAGE "\n");
        stream_abort(2);
    }
    if (sat_role_count(ROLE_INPUT) != 1 || sat_role_count(ROLE_OUTPUT) != 1 || n < 1) {
        fprintf(
            stderr,
            "videostream: the topology has %d, %d, %d processes of the roles input (1), process (2), output "
            "(3); expected 1, at least 1, 1\n",
            sat_role_count(ROLE_INPUT), n, sat_role_count(ROLE_OUTPUT));
        stream_abort(2);
    }
    input.running = n;
    input.tasks = calloc((size_t)n, sizeof *input.tasks);
    if (!input.tasks)
        stream_abort(1);
    stream_settings_put(&input.v);
    for (int k = 0; k < n; k++) {
        struct task *t = &input.tasks[k];
        t->in = stream_buffer(&input.v, IN + (unsigned long)k);
        t->out = stream_buffer(&input.v, OUT + (unsigned long)k);
        SUBSCRIBE(t->out, computed, t);
    }
    barrier(START, clientGetClientNr());
    for (int k = 0; k < n; k++)
        feed(&input.tasks[k]);
}
