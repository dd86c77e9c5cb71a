/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write: files of liballprof, one for each rank. Calls have no length, and what is computed is the time between them, to the
 * nanosecond. What calls say is in call.c.
 */
#include "replay/allprof/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define LONGEST 1e9 /* seconds of one computation */

struct replay_allprof_writer *replay_allprof_writer_create(const char *path, uint32_t ranks,
                                                           struct base_status *st)
{
    struct replay_numbered names;
    if (replay_numbered_find(&names, path, st))
        return NULL;
    char *next = replay_numbered_name(&names, ranks);
    bool more = !access(next, F_OK);
    if (more)
        base_fail(st, "%s is there, and would be read as a rank's of this trace, which has %" PRIu32, next,
                  ranks);
    free(next);
    if (more)
        return NULL;
    struct replay_allprof_writer *x = base_zalloc(sizeof *x, "a trace of liballprof");
    x->path = base_strdup(path);
    replay_numbered_find(&x->names, x->path, st);
    base_table_init(&x->handles, BASE_NUMBERS, sizeof(int64_t), "communicators of a trace");
    base_text_init(&x->line, "a line of a trace");
    replay_allprof_places_init(&x->places);
    return x;
}

void replay_allprof_writer_destroy(struct replay_allprof_writer *x)
{
    if (!x)
        return;
    if (x->out)
        replay_output_discard(x->out);
    base_table_release(&x->handles);
    base_text_release(&x->line);
    replay_allprof_places_release(&x->places);
    free(x->path);
    free(x);
}

/* --- a rank's file ----------------------------------------------------------------------------------------------- */

int replay_allprof_writer_begin(struct replay_allprof_writer *x, struct replay_tape *t, uint32_t rank,
                                struct base_status *st)
{
    char *name = replay_numbered_name(&x->names, rank);
    x->out = replay_output_open(name, st);
    free(name);
    x->rank = rank;
    x->now = x->shown = 0;
    x->rest = 0;
    x->begun = false;
    x->next_handle = 0;
    base_table_clear(&x->handles);
    if (!x->out)
        return -1;
    replay_allprof_places_release(&x->places);
    replay_allprof_places_init(&x->places);
    replay_allprof_places_find(&x->places, t, rank);
    return 0;
}

bool replay_allprof_writer_seconds(struct replay_allprof_writer *x, double seconds)
{
    bool longer = seconds > LONGEST;
    double ns = (longer ? LONGEST : seconds) * 1e9 + x->rest, whole = round(ns);
    x->rest = ns - whole;
    x->now += (int64_t)whole;
    return !longer;
}

void replay_allprof_put_time(struct replay_allprof_writer *x, int64_t ns)
{
    base_text_format(&x->line, ":%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

/* A call that says no more than that the rank was there: where computation comes before the first call, or behind the last one. */
static void put_moment(struct replay_allprof_writer *x, int64_t ns)
{
    x->line.n = 0;
    base_text_add(&x->line, "MPI_Wtime");
    replay_allprof_put_time(x, ns);
    replay_allprof_put_time(x, ns);
    replay_allprof_put_line(x, ns);
}

void replay_allprof_put_line(struct replay_allprof_writer *x, int64_t ns)
{
    base_text_char(&x->line, '\n');
    replay_output_put(x->out, x->line.at, x->line.n);
    x->begun = true;
    x->shown = ns;
}

void replay_allprof_put_begin(struct replay_allprof_writer *x)
{
    if (!x->begun && x->now)
        put_moment(x, 0);
}

int replay_allprof_writer_end(struct replay_allprof_writer *x, struct base_status *st)
{
    if (!x->begun)
        put_moment(x, 0);
    if (x->shown != x->now)
        put_moment(x, x->now);
    struct replay_output *out = x->out;
    x->out = NULL;
    return replay_output_close(out, st);
}
