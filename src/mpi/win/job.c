/* SPDX-License-Identifier: BSD-3-Clause */
/* job: the end of windows with their ranks and with the job, and what the room registers. */
#include "mpi/win/parts.h"

#include <stdlib.h>

static void forget(void *arg, void *object)
{
    (void)arg;
    mpi_win_release(object);
}

static void leave(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_WIN, forget, NULL);
}

static void end(struct mpi_job *job)
{
    struct mpi_windows *ws = job->windows;
    if (!ws)
        return;
    while (ws->first) {
        ws->first->references = ws->first->under_way = 0;
        mpi_window_release(ws->first);
    }
    base_pool_release(&ws->controls);
    base_pool_release(&ws->wins);
    free(ws);
    job->windows = NULL;
}

void mpi_win_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave, .end = end};
    mpi_keeper_register(&keeper);
    mpi_control_register();
    mpi_lock_register();
    mpi_active_register();
}
