/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: the role that takes the results, puts them into order, and says how fast they came. */
#include "stream.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result {
    int there, lines;
    uint64_t checksum;
};

struct worker {
    Chunk_t *out, *taken;
    long frames; /* of this one */
    int by;      /* its process */
    char kind[16];
};

/* This process's; handlers use it after the role's function has returned. */
static struct {
    struct video v;
    double start;
    int n;
    long notices, printed;
    struct result *results; /* of each frame */
    struct worker *workers; /* of each process task */
    int *failed;
} output;

static void report(void)
{
    const double seconds = MPI_Wtime() - output.start;
    long lost = 0;
    fprintf(stderr, "videostream: %ld frames in %.6f s: %.1f frames a second\n", output.v.frames, seconds,
            (double)output.v.frames / seconds);
    for (int k = 0; k < output.n; k++) {
        const struct worker *w = &output.workers[k];
        if (w->frames)
            fprintf(stderr, "videostream: process %d (%s): %ld frames, %.1f%%\n", w->by, w->kind, w->frames,
                    100.0 * (double)w->frames / (double)output.v.frames);
    }
    for (long f = 0; f < output.v.frames; f++)
        lost += !output.results[f].there;
    if (lost) {
        fprintf(stderr, "videostream: %ld of %ld frames were overwritten before output took them\n", lost,
                output.v.frames);
        *output.failed = 1;
    }
}

static void output_end(void)
{
    for (int k = 0; k < output.n; k++) {
        UNSUBSCRIBE(output.workers[k].out);
    }
    report();
    free(output.results);
    free(output.workers);
}

/* Prints the results that are there, up to the first frame that is not. At the end, all that are. */
static void results_print(int all)
{
    for (; output.printed < output.v.frames; output.printed++) {
        const struct result *r = &output.results[output.printed];
        if (r->there)
            printf("frame %ld: %d lines, checksum %016llx\n", output.printed, r->lines,
                   (unsigned long long)r->checksum);
        else if (!all)
            return;
    }
}

/* Returns the frame's number. */
static long result_read(struct worker *w)
{
    READ(w->out);
    const struct frame *f = SAT_DATA(w->out, const struct frame);
    const long number = f->number;
    struct result *r = &output.results[number];
    w->by = f->by;
    memcpy(w->kind, f->kind, sizeof w->kind);
    if (!r->there) {
        *r = (struct result){1, f->lines, video_checksum(&output.v, f->pixel)};
        w->frames++;
        if (video_save(&output.v, "out", number, f->pixel) < 0)
            *output.failed = 1;
    }
    RELEASE(w->out);
    return number;
}

static void result_ready(Chunk_t *chunk, void *worker)
{
    struct worker *w = worker;
    (void)chunk;
    const long number = result_read(w);
    if (!output.v.hasty) {
        WRITE(w->taken);
        *SAT_DATA(w->taken, long) = number;
        RELEASE(w->taken);
    }
    const int last = ++output.notices == output.v.frames;
    results_print(last);
    if (last)
        output_end();
}

void role_output(_SAT_Bootstrap_t *bootstrap)
{
    output.v = stream_settings_get();
    output.n = sat_role_count(ROLE_PROCESS);
    output.failed = bootstrap->user;
    output.results = calloc((size_t)output.v.frames, sizeof *output.results);
    output.workers = calloc((size_t)output.n, sizeof *output.workers);
    if (!output.results || !output.workers) {
        fprintf(stderr, "videostream: output has not enough memory for %ld results\n", output.v.frames);
        stream_abort(1);
    }
    for (int k = 0; k < output.n; k++) {
        struct worker *w = &output.workers[k];
        w->out = stream_buffer(&output.v, OUT + (unsigned long)k);
        if (!output.v.hasty)
            w->taken = stream_taken((unsigned long)k);
        SUBSCRIBE(w->out, result_ready, w);
    }
    barrier(START, clientGetClientNr());
    output.start = MPI_Wtime();
}
