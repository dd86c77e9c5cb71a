/* SPDX-License-Identifier: BSD-3-Clause */
/* environment: MPI_INFO_ENV, how a rank was started. */
#include "mpi/info/info.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"

const char *mpi_info_level(int level)
{
    return level == MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
           : level == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
           : level == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                            : "MPI_THREAD_SINGLE";
}

static void put_command(struct mpi_rank *self)
{
    struct base_text words;
    if (!self->argv || !self->argv[0])
        return;
    mpi_info_put(&self->environment, "command", self->argv[0]);
    base_text_init(&words, "an info object");
    for (char *const *word = self->argv + 1; *word; word++) {
        base_text_add(&words, words.n ? " " : "");
        base_text_add(&words, *word);
    }
    char *text = base_text_take(&words);
    if (*text && strlen(text) < MPI_MAX_INFO_VAL)
        mpi_info_put(&self->environment, "argv", text);
    free(text);
}

static void put_place(struct mpi_rank *self)
{
    struct utsname system;
    char folder[MPI_MAX_INFO_VAL];
    const struct platform *p = fabric_platform(rank_fabric(self->job->job));
    mpi_info_put(&self->environment, "host", platform_host(p, self->rank->host)->name);
    if (!uname(&system))
        mpi_info_put(&self->environment, "arch", system.machine);
    if (getcwd(folder, sizeof folder))
        mpi_info_put(&self->environment, "wdir", folder);
}

/* How the rank was started (section 11.2.1). */
struct mpi_info *mpi_info_environment(struct mpi_rank *self)
{
    char text[32];
    if (self->environment)
        return self->environment;
    put_command(self);
    put_place(self);
    snprintf(text, sizeof text, "%u", self->home->members.size);
    mpi_info_put(&self->environment, "maxprocs", text);
    mpi_info_put(&self->environment, "soft", text);
    mpi_info_put(&self->environment, "thread_level", mpi_info_level(self->level));
    return self->environment;
}
