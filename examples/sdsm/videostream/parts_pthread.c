/* SPDX-License-Identifier: BSD-3-Clause */
/* parts_pthread.c: parts in threads of their own; the caller computes the first. */
#include "video.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

const char parts_kind[] = "pthreads";

struct call {
    void (*part)(void *what, int number, int parts);
    void *what;
    int number, parts;
    pthread_t thread;
};

static void *call_make(void *call)
{
    struct call *c = call;
    c->part(c->what, c->number, c->parts);
    return NULL;
}

void parts_run(int threads, void (*part)(void *what, int number, int parts), void *what)
{
    struct call call[256]; /* the settings allow no more */
    for (int k = 1; k < threads; k++) {
        call[k] = (struct call){.part = part, .what = what, .number = k, .parts = threads};
        int error = pthread_create(&call[k].thread, NULL, call_make, &call[k]);
        if (error) {
            fprintf(stderr, "videostreampthread: thread %d of %d cannot be made (error %d)\n", k, threads,
                    error);
            abort();
        }
    }
    part(what, 0, threads);
    for (int k = 1; k < threads; k++)
        pthread_join(call[k].thread, NULL);
}
