/* SPDX-License-Identifier: BSD-3-Clause */
/* misuse: mistakes that lose nothing here, and that real libraries let pass: warnings (docs/misuse.md). */
#include "mpi/win/parts.h"

/* --- locked and exposed -------------------------------------------------------------------------------- */

enum { PLACE = 200 };

static const char *place_of(const struct rank *r, uint32_t caller, char buf[PLACE])
{
    struct rank_code at = rank_code_of_low(r, caller);
    return at.object ? rank_code_name(r, at, buf, PLACE) : "an unknown place";
}

void mpi_misuse_locked(const struct mpi_control *k)
{
    const struct mpi_window *v = k->window;
    if (k->all && k->exclusive) /* the request at the member's own lock comes next */
        return;
    uint32_t at = k->all ? 0 : k->to;
    while (k->all && !v->pane[at].exposed)
        at++;
    if (!v->pane[at].exposed || base_warn_again("misuse/locked-and-exposed"))
        return;
    char lock[PLACE], post[PLACE];
    const struct rank *from = mpi_win_member(v, k->from);
    base_warn(
        "misuse/locked-and-exposed",
        "rank %u's %s (in %s) meets memory of rank %u that is exposed by MPI_Win_post (in %s): expected "
        "MPI_Win_wait before",
        from->id, k->all ? "MPI_Win_lock_all" : "MPI_Win_lock", place_of(from, k->caller, lock),
        mpi_win_member(v, at)->id, place_of(mpi_win_member(v, at), v->pane[at].posted, post));
}

void mpi_window_expose(struct mpi_call *c, struct mpi_win *w)
{
    struct mpi_window *v = w->window;
    char name[200], holder[80] = "";
    const struct mpi_lock *l = &w->mine->lock;
    uint32_t shared = l->shared - l->leaving[0] + v->all.shared - v->all.leaving[0];
    w->mine->exposed = true;
    w->mine->posted = c->rank->caller;
    v->exposures++;
    if (l->exclusive > l->leaving[1])
        snprintf(holder, sizeof holder, "by rank %u, exclusively", l->holder);
    else if (shared)
        snprintf(holder, sizeof holder, "by %u rank%s, shared", shared, shared == 1 ? "" : "s");
    if (*holder)
        base_warn("misuse/locked-and-exposed",
                  "%s: %s: the rank exposes its memory while it is locked, %s: expected an unlock before",
                  c->name, mpi_win_text(w, name, sizeof name), holder);
}

/* Here the operations are completed and their memory is not touched any more; a real library may lose
 * them. */
void mpi_misuse_free(const struct mpi_call *c, const struct mpi_win *w)
{
    char name[200], text[PLACE];
    struct rank_block b;
    if (w->access == MPI_ACCESS_FENCED && w->used)
        base_warn("misuse/open-epoch",
                  "%s: %s: operations have followed the fence in %s: expected a fence before", c->name,
                  mpi_win_text(w, name, sizeof name), place_of(c->rank, w->opened, text));
    if (c->self->job->checks_buffers && w->window->flavor == MPI_WIN_FLAVOR_CREATE && w->mine->size &&
        rank_block_find(w->mine->base, &b) && b.freed)
        base_warn("misuse/freed-memory",
                  "%s: %s: its memory was freed before it: expected free after MPI_Win_free", c->name,
                  mpi_win_text(w, name, sizeof name));
}

void mpi_window_cover(struct mpi_win *w)
{
    w->mine->exposed = false;
    w->window->exposures--;
}

/* --- buffers that overlap ------------------------------------------------------------------------------ */

void mpi_misuse_overlap(const struct mpi_call *c, const char *a, const void *x, const char *b, const void *y,
                        uint64_t bytes)
{
    base_warn("misuse/overlap",
              "%s: the buffers of the %s (%llu bytes at %p) and of the %s (at %p) overlap: expected separate "
              "ones",
              c->name, a, (unsigned long long)bytes, x, b, y);
}
