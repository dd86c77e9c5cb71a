/* SPDX-License-Identifier: BSD-3-Clause */
/* start: MPI_T's start and end, apart from MPI's (MPI-5.0 section 15.3.4); its handles and texts. */
#include "mpi/calls.h"
#include "mpi/tool/tool.h"

#include <stdlib.h>
#include <string.h>

bool mpi_tool_open(const struct mpi_call *c)
{
    return c->self->tools && c->self->tools->opened;
}

struct mpi_tool *mpi_tool_create(struct mpi_rank *self, enum mpi_tool_what what, int index)
{
    struct mpi_tool *t = base_zalloc(sizeof *t, "handles of MPI_T");
    t->object.references = 1;
    t->what = (uint8_t)what;
    t->index = index;
    mpi_handle_make(self, MPI_KIND_TOOL, &t->object);
    return t;
}

void mpi_tool_destroy(struct mpi_rank *self, struct mpi_tool *t)
{
    mpi_handle_drop(self, &t->object);
    free(t);
}

struct mpi_tool *mpi_tool_find(const struct mpi_call *c, enum mpi_tool_what what, const void *handle)
{
    struct mpi_tool *t = mpi_find(c->self, MPI_KIND_TOOL, handle);
    return t && t->what == what ? t : NULL;
}

void mpi_tool_text(const char *text, char *to, int *length)
{
    if (!length)
        return;
    size_t n = strlen(text) + 1;
    if (to && *length > 0) {
        size_t room = (size_t)*length < n ? (size_t)*length : n;
        memcpy(to, text, room - 1);
        to[room - 1] = '\0';
    }
    *length = (int)n;
}

static void destroy_one(void *self, void *object)
{
    mpi_tool_destroy(self, object);
}

static void leave(struct mpi_rank *self)
{
    if (!self->tools)
        return;
    mpi_handle_each(self, MPI_KIND_TOOL, destroy_one, self);
    mpi_tool_news_release(self->tools);
    free(self->tools);
    self->tools = NULL;
    self->news = false;
}

void mpi_tool_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave};
    mpi_keeper_register(&keeper);
    mpi_tool_deliver_register();
}

int mpi_t_init_thread(struct mpi_call *c, int required, int *provided)
{
    if (!provided || required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE)
        return MPI_T_ERR_INVALID;
    if (!c->self->tools)
        c->self->tools = base_zalloc(sizeof *c->self->tools, "MPI_T's part of a rank");
    c->self->tools->opened++;
    *provided = required;
    return MPI_SUCCESS;
}

int mpi_t_finalize(struct mpi_call *c)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (--c->self->tools->opened == 0)
        leave(c->self);
    return MPI_SUCCESS;
}
