/* SPDX-License-Identifier: BSD-3-Clause */
/* query: groups, names, attributes and shared memory of windows (MPI-5.0 sections 12.2.3, 12.2.6, 7.7.3). */
#include "mpi/win/parts.h"

#include "mpi/attr/attr.h"

#include <stdlib.h>
#include <string.h>

int mpi_win_get_group(struct mpi_call *c, MPI_Win win, MPI_Group *group)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    if (!group)
        return mpi_fail(c, &w->guarded, MPI_ERR_ARG, "the place for the group is NULL");
    *group = mpi_group_make(c->self, coll_group_retain(&w->window->group), w->comm->session);
    return MPI_SUCCESS;
}

int mpi_win_set_name(struct mpi_call *c, MPI_Win win, const char *win_name)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    if (!win_name)
        return mpi_fail(c, &w->guarded, MPI_ERR_ARG, "the name is NULL");
    free(w->name);
    w->name = base_strfmt("%.*s", MPI_MAX_OBJECT_NAME - 1, win_name);
    return MPI_SUCCESS;
}

int mpi_win_get_name(struct mpi_call *c, MPI_Win win, char *win_name, int *resultlen)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = win == MPI_WIN_NULL ? NULL : mpi_win_of(c, win, &rc);
    if (rc)
        return rc;
    if (!win_name || !resultlen)
        return mpi_fail(c, w ? &w->guarded : NULL, MPI_ERR_ARG,
                        "the place for the name or its length is NULL");
    const char *name = !w ? "MPI_WIN_NULL" : w->name ? w->name : "";
    *resultlen = (int)strlen(name);
    memcpy(win_name, name, strlen(name) + 1);
    return MPI_SUCCESS;
}

/* --- shared memory ------------------------------------------------------------------------------------- */

/* Whether a member can load and store another's memory: what the window allocated, on its host. */
static bool is_reachable(const struct mpi_win *w, uint32_t member)
{
    const struct mpi_window *v = w->window;
    return member == w->me || (v->memory && mpi_win_member(v, member)->host == w->owner->rank->host);
}

/* MPI_PROC_NULL stands for the first member that has memory. */
static uint32_t first_with_memory(const struct mpi_window *v)
{
    for (uint32_t k = 0; k < v->n; k++)
        if (v->pane[k].size)
            return k;
    return 0;
}

int mpi_win_shared_query(struct mpi_call *c, MPI_Win win, int rank, MPI_Aint *size, MPI_Count *disp_unit,
                         void *baseptr)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rank != MPI_PROC_NULL && (rc = mpi_win_rank(c, w, rank))))
        return rc;
    if (w->window->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return mpi_fail(c, &w->guarded, MPI_ERR_RMA_FLAVOR, "a dynamic window has no memory of its own");
    if (!size || !disp_unit || !baseptr)
        return mpi_fail(c, &w->guarded, MPI_ERR_ARG, "the address for a result is NULL");
    uint32_t k = rank == MPI_PROC_NULL ? first_with_memory(w->window) : (uint32_t)rank;
    const struct mpi_pane *p = &w->window->pane[k];
    bool reachable = is_reachable(w, k);
    *size = reachable ? (MPI_Aint)p->size : 0;
    *disp_unit = reachable ? p->unit : 0;
    if (reachable && k != w->me)
        rank_ahead_end(c->self->job->job);
    *(void **)baseptr = reachable ? MPI_HANDLE(void *, p->base) : NULL;
    return MPI_SUCCESS;
}

/* --- attributes ---------------------------------------------------------------------------------------- */

static bool is_predefined(int key)
{
    return key >= MPI_WIN_BASE && key <= MPI_WIN_MODEL;
}

static struct mpi_holder holder_of(struct mpi_win *w)
{
    return (struct mpi_holder){MPI_KIND_WIN, w->guarded.object.handle, &w->guarded, &w->attributes};
}

int mpi_win_set_attr(struct mpi_call *c, MPI_Win win, int win_keyval, void *attribute_val)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    if (is_predefined(win_keyval))
        return mpi_fail(c, &w->guarded, MPI_ERR_KEYVAL, "the key %d is predefined: programs cannot set it",
                        win_keyval);
    struct mpi_holder h = holder_of(w);
    return mpi_attributes_set(c, &h, win_keyval, (struct mpi_value){.pointer = attribute_val});
}

int mpi_win_get_attr(struct mpi_call *c, MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    if (!attribute_val || !flag)
        return mpi_fail(c, &w->guarded, MPI_ERR_ARG, "the place for the %s is NULL", flag ? "value" : "flag");
    if (is_predefined(win_keyval)) {
        *flag = 1;
        *(void **)attribute_val = mpi_value_pointer(&w->predefined[win_keyval - MPI_WIN_BASE]);
        return MPI_SUCCESS;
    }
    struct mpi_holder h = holder_of(w);
    return mpi_attributes_get_c(c, &h, win_keyval, attribute_val, flag);
}

int mpi_win_delete_attr(struct mpi_call *c, MPI_Win win, int win_keyval)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    if (is_predefined(win_keyval))
        return mpi_fail(c, &w->guarded, MPI_ERR_KEYVAL, "the key %d is predefined: its value stays",
                        win_keyval);
    struct mpi_holder h = holder_of(w);
    return mpi_attributes_remove(c, &h, win_keyval);
}
