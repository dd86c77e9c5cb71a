/* SPDX-License-Identifier: BSD-3-Clause */
/* life: begins and ends a job's input and output, and ends a rank's. */
#include "fold/io/cost.h"
#include "fold/io/outside.h"

#include <math.h>
#include <pthread.h>

static void await_input(struct rank *r)
{
    struct pollfd fd = {.fd = 0, .events = POLLIN};
    struct io_wait_for f = {.call = "reading standard input",
                            .fds = &fd,
                            .n = 1,
                            .nature = FILES_OTHER,
                            .outside = true,
                            .alone = true,
                            .seconds = INFINITY};
    (void)io_wait(r, &f);
}

void io_begin(struct fold_job *job)
{
    static bool once;
    if (!once)
        pthread_atfork(NULL, io_forked, io_become_child);
    once = true;
    files_begin();
    io_cost_begin(job->settings);
    io_waits_begin(job);
    io_outside_begin(job);
    libc_process.read_number = in_rank_read;
    libc_process.await_input = await_input;
    libc_process.changed = io_changed_at;
}

void io_end(struct fold_job *job)
{
    engine_on_outside(job->engine, NULL, NULL);
    libc_process.read_number = NULL;
    libc_process.await_input = NULL;
    libc_process.changed = NULL;
    io_cost_end();
    files_end();
}

/* --- the end of a rank ------------------------------------------------------------------------------- */

void io_release(struct rank *r)
{
    struct files_table *t = fold_part(r)->files;
    io_waits_forget(r); /* of threads that were dropped */
    for (int number = 0; t && number <= files_highest(t); number++) {
        const struct files_entry *e = files_find(t, number);
        if (e && e->stream && !e->folder)
            (void)in_rank_fclose(e->stream); /* what it holds is written, as exit does */
    }
    io_drop(r);
}

void io_drop(struct rank *r)
{
    struct files_table *t = fold_part(r)->files;
    io_waits_forget(r);
    io_children_forget(r);
    if (!t)
        return;
    io_timers_forget(r);
    files_destroy(t);
    fold_part(r)->files = NULL;
    io_changed(IO_ALL);
}
