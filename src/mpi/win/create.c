/* SPDX-License-Identifier: BSD-3-Clause */
/* create: calls that make windows and free them (MPI-5.0 section 12.2). */
#include "mpi/win/parts.h"

#include "mpi/attr/attr.h"

#include <stdlib.h>
#include <string.h>

static int check(struct mpi_call *c, MPI_Comm comm, MPI_Aint size, MPI_Aint unit, const void *to)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of)
        return rc;
    if (size < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_SIZE, "the size is %lld bytes: expected 0 or more",
                        (long long)size);
    if (unit <= 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_DISP, "the displacement unit is %lld: expected 1 or more",
                        (long long)unit);
    if (!to)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the address for a result is NULL");
    return MPI_SUCCESS;
}

/* Makes the window and writes its handle. `base`: where to write the address of its memory; or NULL. */
static int make(struct mpi_call *c, MPI_Comm comm, struct mpi_share *mine, MPI_Info info, void **base,
                MPI_Win *win)
{
    int rc = MPI_SUCCESS;
    const struct mpi_win *w = mpi_win_build(c, comm, mine, info, &rc);
    *win = w ? MPI_HANDLE(MPI_Win, w->guarded.object.handle) : MPI_WIN_NULL;
    if (w && base)
        *base = MPI_HANDLE(void *, w->mine->base);
    return rc;
}

int mpi_win_create(struct mpi_call *c, void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info,
                   MPI_Comm comm, MPI_Win *win)
{
    struct mpi_share mine = {
        .base = (uintptr_t)base, .size = (uint64_t)size, .unit = disp_unit, .flavor = MPI_WIN_FLAVOR_CREATE};
    int rc = check(c, comm, size, disp_unit, win);
    if (!rc && size && !base)
        rc = mpi_fail(c, &mpi_comm_find(c->self, comm)->guarded, MPI_ERR_BASE,
                      "the window's address is NULL: expected that of %lld bytes", (long long)size);
    return rc ? rc : make(c, comm, &mine, info, NULL, win);
}

static int allocate(struct mpi_call *c, struct mpi_share *mine, MPI_Info info, MPI_Comm comm, void *baseptr,
                    MPI_Win *win)
{
    int rc = check(c, comm, (MPI_Aint)mine->size, mine->unit, baseptr ? win : NULL);
    if (rc)
        return rc;
    const struct mpi_info *hints = mpi_info_find(c->self, info);
    const char *apart = mpi_info_value(hints, "alloc_shared_noncontig");
    const char *align = mpi_info_value(hints, "mpi_minimum_memory_alignment");
    uint64_t wanted = align ? strtoull(align, NULL, 10) : 0;
    mine->apart = apart && !strcmp(apart, "true");
    for (mine->align = wanted ? 1 : 0; mine->align < wanted && mine->align < 1U << 30;)
        mine->align *= 2;
    return make(c, comm, mine, info, baseptr, win);
}

int mpi_win_allocate(struct mpi_call *c, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                     void *baseptr, MPI_Win *win)
{
    struct mpi_share mine = {.size = (uint64_t)size, .unit = disp_unit, .flavor = MPI_WIN_FLAVOR_ALLOCATE};
    return allocate(c, &mine, info, comm, baseptr, win);
}

int mpi_win_allocate_shared(struct mpi_call *c, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info,
                            MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct mpi_share mine = {.size = (uint64_t)size, .unit = disp_unit, .flavor = MPI_WIN_FLAVOR_SHARED};
    return allocate(c, &mine, info, comm, baseptr, win);
}

int mpi_win_create_dynamic(struct mpi_call *c, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct mpi_share mine = {.unit = 1, .flavor = MPI_WIN_FLAVOR_DYNAMIC};
    int rc = check(c, comm, 0, 1, win);
    return rc ? rc : make(c, comm, &mine, info, NULL, win);
}

int mpi_win_free(struct mpi_call *c, MPI_Win *win)
{
    int rc = MPI_SUCCESS;
    if (!win)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place of the window is NULL");
    struct mpi_win *w = mpi_win_of(c, *win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_FREE)))
        return rc;
    mpi_misuse_free(c, w);
    rc = mpi_attributes_delete(c, &w->attributes, w->guarded.object.handle);
    if (rc)
        return mpi_fail(c, &w->guarded, rc, "a function that deletes an attribute returned %d", rc);
    if (w->ctx)
        rma_quiet(w->ctx, c->name);
    mpi_win_barrier(c, w);
    mpi_win_refresh(w);
    if (w->ctx)
        rma_ctx_destroy(w->ctx);
    mpi_handle_drop(c->self, &w->guarded.object);
    mpi_win_release(w);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}
