/* SPDX-License-Identifier: BSD-3-Clause */
/* env: start and end of the library (MPI-5.0 chapter 11), time. */
#include "mpi/calls.h"
#include "mpi/comm/comm.h"
#include "mpi/message/message.h"
#include "mpi/type/type.h"

const struct base_setting mpi_settings[] = {
    {"mpi/buffering", BASE_TEXT, "eager", "eager or none",
     "none: a standard send always waits for its receive, so that programs which need buffering deadlock",
     "MPI-5.0 section 3.4 allows both"},
};
const size_t mpi_settings_count = BASE_LENGTH(mpi_settings);

static int initialize(struct mpi_call *c, int required)
{
    struct mpi_rank *self = c->self;
    if (self->state == MPI_STATE_OPEN)
        return mpi_fail(c, NULL, MPI_ERR_OTHER, "MPI is initialized already");
    if (self->state == MPI_STATE_FINALIZED)
        return mpi_fail(c, NULL, MPI_ERR_OTHER, "MPI was finalized: it cannot be initialized again");
    self->state = MPI_STATE_OPEN;
    self->open = true;
    self->level = required;
    self->main = engine_current(c->rank->engine);
    rank_api_opened(c->rank);
    return MPI_SUCCESS;
}

int mpi_init(struct mpi_call *c, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return initialize(c, MPI_THREAD_SINGLE);
}

int mpi_init_thread(struct mpi_call *c, int *argc, char ***argv, int required, int *provided)
{
    (void)argc, (void)argv;
    *provided = required;
    return initialize(c, required);
}

int mpi_finalize(struct mpi_call *c)
{
    struct mpi_rank *self = c->self;
    if (self->state != MPI_STATE_OPEN)
        return mpi_fail(c, NULL, MPI_ERR_OTHER, "MPI is not initialized, or was finalized before");
    self->state = MPI_STATE_FINALIZED;
    self->open = self->sessions > 0;
    rank_api_closed(c->rank);
    return MPI_SUCCESS;
}

double mpi_wtime(struct mpi_call *c)
{
    return engine_now(c->rank->engine);
}

void mpi_register(void)
{
    mpi_core_register();
    p2p_register();
    mpi_type_register();
    mpi_comm_register();
    mpi_message_register();
}
