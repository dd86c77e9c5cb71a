/* SPDX-License-Identifier: BSD-3-Clause */
/* hints: info objects of windows (MPI-5.0 section 12.2.7). All keys are kept and given back. */
#include "mpi/win/parts.h"

#include <string.h>

static const struct {
    const char *key, *value;
} defaults[] = {{"no_locks", "false"},
                {"accumulate_ordering", "rar,raw,war,waw"},
                {"accumulate_ops", "same_op_no_op"},
                {"same_size", "false"},
                {"same_disp_unit", "false"},
                {"mpi_accumulate_granularity", "0"}};

static bool is_on(const struct mpi_info *hints, const char *key)
{
    const char *value = mpi_info_value(hints, key);
    return value && !strcmp(value, "true");
}

/* Keys that exist. */
static bool is_usable(const void *arg, const char *key, const char *value)
{
    const struct mpi_win *w = arg;
    (void)value;
    for (size_t k = 0; k < BASE_LENGTH(defaults); k++)
        if (!strcmp(key, defaults[k].key))
            return true;
    return w->window->memory && strstr(key, "alloc");
}

/* Takes over what the object says about keys that exist. */
static void take(struct mpi_call *c, struct mpi_win *w, MPI_Info info)
{
    mpi_info_take(&w->info, mpi_info_find(c->self, info), is_usable, w);
}

void mpi_win_hint(struct mpi_call *c, struct mpi_win *w, MPI_Info info)
{
    if (!w->info) {
        for (size_t k = 0; k < BASE_LENGTH(defaults); k++)
            mpi_info_put(&w->info, defaults[k].key, defaults[k].value);
        if (w->window->flavor == MPI_WIN_FLAVOR_SHARED)
            mpi_info_put(&w->info, "alloc_shared_noncontig", "false");
    }
    take(c, w, info);
    const char *order = mpi_info_value(w->info, "accumulate_ordering");
    w->no_locks = is_on(w->info, "no_locks");
    w->unordered = order && !strcmp(order, "none");
    if (w->ctx) {
        rma_ctx_order_accumulates(w->ctx, !w->unordered);
        mpi_checked_stream(w);
    }
}

int mpi_win_set_info(struct mpi_call *c, MPI_Win win, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_comm_check_info(c, &w->guarded, info)))
        return rc;
    mpi_win_hint(c, w, info);
    return MPI_SUCCESS;
}

int mpi_win_get_info(struct mpi_call *c, MPI_Win win, MPI_Info *info_used)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    if (!info_used)
        return mpi_fail(c, &w->guarded, MPI_ERR_ARG, "the address for the info object is NULL");
    *info_used = mpi_info_handle(c->self, mpi_info_copy(w->info));
    return MPI_SUCCESS;
}
