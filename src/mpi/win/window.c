/* SPDX-License-Identifier: BSD-3-Clause */
/* window: windows as objects: what members share, each member's record, their life (parts.h). */
#include "mpi/win/parts.h"

#include "mpi/attr/attr.h"

#include <stdlib.h>
#include <string.h>

struct mpi_windows *mpi_windows_of(struct mpi_job *job)
{
    if (job->windows)
        return job->windows;
    struct mpi_windows *ws = job->windows = base_zalloc(sizeof *ws, "windows");
    ws->job = job;
    base_pool_init(&ws->wins, MPI_WIN_ROOM, "windows");
    mpi_controls_open(ws);
    return ws;
}

struct mpi_win *mpi_win_look(struct mpi_call *c, MPI_Win win, int *rc)
{
    struct mpi_win *w = mpi_find(c->self, MPI_KIND_WIN, win);
    c->self->last_win = w;
    if (BASE_UNLIKELY(!w))
        *rc = mpi_fail(c, NULL, MPI_ERR_WIN, "%#lx is no window%s", (unsigned long)(uintptr_t)win,
                       win == MPI_WIN_NULL ? " (MPI_WIN_NULL)" : "");
    return w;
}

char *mpi_win_text(const struct mpi_win *w, char *buf, size_t size)
{
    const char *quote = w->name && *w->name ? "'" : "";
    snprintf(buf, size, "window %s%s%s%sof %u rank%s (%s)", quote, *quote ? w->name : "", quote,
             *quote ? " " : "", w->window->n, w->window->n == 1 ? "" : "s", w->comm->space->maker);
    return buf;
}

/* --- names for reports on operations ------------------------------------------------------------------- */

static void name_target(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    const struct mpi_job *job = mpi_rank_of(r)->job;
    for (const struct mpi_window *v = job->windows ? job->windows->first : NULL; v; v = v->next) {
        uint32_t k = coll_group_place(&v->group, r->id);
        if (k == COLL_NOBODY || address - v->pane[k].base >= v->pane[k].size)
            continue;
        snprintf(buf, size, "%zu bytes at offset %llu of rank %u's part of a window", bytes,
                 (unsigned long long)(address - v->pane[k].base), k);
        return;
    }
    snprintf(buf, size, "%zu bytes at %p", bytes, MPI_HANDLE(void *, address));
}

static void name_local(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    (void)r;
    snprintf(buf, size, "%zu bytes at %p", bytes, MPI_HANDLE(void *, address));
}

static void name_stream(uintptr_t about, char *buf, size_t size)
{
    mpi_win_text(MPI_HANDLE(const struct mpi_win *, about), buf, size);
}

/* By the epoch that it is in. */
static const char *closer(uintptr_t about)
{
    const struct mpi_win *w = MPI_HANDLE(const struct mpi_win *, about);
    return w->access == MPI_ACCESS_FENCED    ? "MPI_Win_fence"
           : w->access == MPI_ACCESS_STARTED ? "MPI_Win_complete"
                                             : "MPI_Win_flush";
}

const struct rma_names mpi_win_names = {name_target, name_local, "MPI_Win_flush", name_stream, closer};

struct rma_ctx *mpi_win_ctx_make(struct mpi_win *w)
{
    w->ctx = rma_ctx_create(w->owner->rank, &mpi_win_names);
    rma_ctx_order_accumulates(w->ctx, !w->unordered);
    mpi_checked_stream(w);
    return w->ctx;
}

/* --- making -------------------------------------------------------------------------------------------- */

static bool on_one_host(const struct mpi_window *v)
{
    for (uint32_t k = 1; k < v->n; k++)
        if (mpi_win_member(v, k)->host != mpi_win_member(v, 0)->host)
            return false;
    return true;
}

/* The memory of windows that allocate it. */
static bool lay_out(struct mpi_window *v, struct mpi_told *told)
{
    if (v->flavor == MPI_WIN_FLAVOR_SHARED && !on_one_host(v)) {
        told->error = MPI_ERR_RMA_SHARED;
        snprintf(told->text, sizeof told->text,
                 "the ranks are not all on one host: split by MPI_COMM_TYPE_SHARED first");
        return false;
    }
    if ((v->flavor == MPI_WIN_FLAVOR_ALLOCATE || v->flavor == MPI_WIN_FLAVOR_SHARED) &&
        !mpi_win_allocate_all(v, told)) {
        told->error = MPI_ERR_NO_MEM;
        snprintf(told->text, sizeof told->text, "there are no %llu bytes for the window's %u ranks",
                 (unsigned long long)v->bytes, v->n);
        return false;
    }
    if (v->separate)
        mpi_win_separate(v);
    if (v->flavor == MPI_WIN_FLAVOR_SHARED)
        rank_memory_reach(v->job->job);
    return true;
}

static void *combine(struct mpi_job *job, struct mpi_told *told)
{
    struct mpi_windows *ws = mpi_windows_of(job);
    uint32_t n = told->members->size;
    struct mpi_window *v = base_zalloc(sizeof *v + n * sizeof *v->pane, "windows");
    const struct mpi_share *first = told->of(told, 0);
    v->job = job;
    v->n = n;
    v->references = n;
    v->flavor = first->flavor;
    v->group = coll_group_retain(told->members);
    v->all.many = true;
    v->separate = v->flavor != MPI_WIN_FLAVOR_SHARED && v->flavor != MPI_WIN_FLAVOR_DYNAMIC &&
                  !strcmp(base_settings_text(rank_settings(job->job), "mpi/win-model"), "separate");
    for (uint32_t k = 0; k < n; k++) {
        const struct mpi_share *s = told->of(told, k);
        v->pane[k].base = s->base;
        v->pane[k].size = s->size;
        v->pane[k].unit = s->unit;
    }
    v->next = ws->first;
    v->link = &ws->first;
    if (v->next)
        v->next->link = &v->next;
    ws->first = v;
    if (lay_out(v, told)) {
        for (uint32_t k = 0; k < n; k++)
            mpi_checked_pane(v, k, true);
        return v;
    }
    v->references = 1;
    mpi_window_release(v);
    return NULL;
}

static void predefine(struct mpi_win *w)
{
    const struct mpi_pane *p = w->mine;
    w->size = (MPI_Aint)p->size;
    struct mpi_value *at = w->predefined;
    at[MPI_WIN_BASE - MPI_WIN_BASE] = (struct mpi_value){.pointer = MPI_HANDLE(void *, p->base)};
    at[MPI_WIN_SIZE - MPI_WIN_BASE] = (struct mpi_value){.pointer = &w->size};
    at[MPI_WIN_DISP_UNIT - MPI_WIN_BASE] =
        (struct mpi_value){.integer = (int)p->unit, .form = MPI_FORM_INTEGER};
    at[MPI_WIN_CREATE_FLAVOR - MPI_WIN_BASE] =
        (struct mpi_value){.integer = w->window->flavor, .form = MPI_FORM_INTEGER};
    at[MPI_WIN_MODEL - MPI_WIN_BASE] = (struct mpi_value){
        .integer = w->window->separate ? MPI_WIN_SEPARATE : MPI_WIN_UNIFIED, .form = MPI_FORM_INTEGER};
}

struct mpi_win *mpi_win_build(struct mpi_call *c, MPI_Comm comm, struct mpi_share *mine, MPI_Info info,
                              int *rc)
{
    struct mpi_comm *of = mpi_comm_of(c, comm, rc);
    if (!of || (*rc = mpi_comm_check_intra(c, of)) || (*rc = mpi_comm_check_info(c, &of->guarded, info)))
        return NULL;
    struct mpi_comm *built = mpi_comm_build(c, of, mine, sizeof *mine, combine, rc);
    if (!built)
        return NULL;
    struct mpi_win *w = base_pool_get(&c->self->job->windows->wins);
    *w = (struct mpi_win){.owner = c->self};
    w->guarded.errhandler = &mpi_errors_are_fatal;
    w->guarded.about = MPI_ABOUT_WIN;
    w->comm = built;
    w->window = built->space->built;
    w->me = built->me;
    w->mine = &w->window->pane[w->me];
    mpi_win_hint(c, w, info);
    predefine(w);
    mpi_handle_make(c->self, MPI_KIND_WIN, &w->guarded.object);
    return w;
}

/* --- the end ------------------------------------------------------------------------------------------- */

static void posts_release(struct base_table *posts)
{
    uint32_t at = 0;
    for (const struct mpi_posts *p; posts && (p = base_table_next(posts, &at));)
        rank_order_forget(p->order);
    if (posts)
        base_table_release(posts);
}

void mpi_window_release(struct mpi_window *v)
{
    if (v->references || v->under_way)
        return;
    mpi_checked_lock_forget(&v->all);
    *v->link = v->next;
    if (v->next)
        v->next->link = v->link;
    for (uint32_t k = 0; k < v->n; k++) {
        struct mpi_pane *p = &v->pane[k];
        mpi_regions_release(p->regions);
        mpi_checked_lock_forget(&p->lock);
        rank_order_forget(p->order);
        posts_release(p->posts);
        free(p->posts);
        free(p->public_copy);
    }
    mpi_win_unmap(v);
    coll_group_release(&v->group);
    free(v);
}

void mpi_win_release(struct mpi_win *w)
{
    struct mpi_window *v = w->window;
    mpi_checked_pane(v, w->me, false);
    rma_forget(w->owner->rank, w->mine->base, w->mine->size);
    mpi_regions_forget(w->mine->regions, w->owner->rank);
    mpi_errhandler_release(w->guarded.errhandler);
    mpi_attributes_forget(w->owner, &w->attributes);
    mpi_info_release(w->info);
    coll_group_release(&w->targets);
    coll_group_release(&w->origins);
    if (w->locks)
        base_table_release(w->locks);
    free(w->locks);
    free(w->name);
    w->owner->last_win = NULL;
    v->references--;
    mpi_comm_release(w->comm);
    base_pool_put(&v->job->windows->wins, w);
    mpi_window_release(v);
}
