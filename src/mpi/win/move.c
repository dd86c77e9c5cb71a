/* SPDX-License-Identifier: BSD-3-Clause */
/* move: put and get (MPI-5.0 sections 12.3.1, 12.3.2, 12.3.5). */
#include "mpi/win/parts.h"

/* The two ends of an operation, checked. */
struct ends {
    struct mpi_win *w;
    struct p2p_buffer here;
    struct mpi_place there;
};

static int check(struct mpi_call *c, struct ends *e, const void *address, MPI_Count count,
                 MPI_Datatype datatype, int rank, MPI_Aint disp, MPI_Count target_count,
                 MPI_Datatype target_datatype, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = e->w = mpi_win_of(c, win, &rc);
    e->there.target.rank = NULL;
    if (BASE_UNLIKELY(!w) || (rc = mpi_type_buffer(c, &w->guarded, address, count, datatype, &e->here)) ||
        (rc = mpi_reach(c, w, rank, disp, target_count, target_datatype, &e->there)))
        return rc;
    uint64_t bytes = types_layout_size(e->here.layout) * e->here.count;
    if (BASE_LIKELY(bytes == e->there.bytes || !e->there.target.rank))
        return MPI_SUCCESS;
    return mpi_fail(c, &w->guarded, MPI_ERR_TRUNCATE,
                    "the origin's data are %llu bytes, and the target's %llu: expected equal types",
                    (unsigned long long)bytes, (unsigned long long)e->there.bytes);
}

/* MPI_PROC_NULL: nothing moves, but a request is completed. */
static void nothing(const struct mpi_call *c, const struct ends *e)
{
    struct rma_ctx *x = mpi_win_ctx(e->w, c->rank);
    rma_put(x, (struct rma_target){c->rank, 0, 0}, NULL, 0, RMA_NONBLOCKING, c->name);
}

static void put(struct mpi_call *c, struct ends *e)
{
    struct rma_ctx *x = mpi_win_ctx(e->w, e->there.target.rank);
    struct rma_target to = e->there.target;
    const struct rma_items here = {e->here.layout, e->here.count};
    int64_t from_at, to_at;
    rma_count(c->rank);
    if (BASE_LIKELY(types_layout_is_run(here.layout, here.count, &from_at) &&
                    types_layout_is_run(e->there.items.layout, e->there.items.count, &to_at))) {
        to.address += (uintptr_t)to_at;
        rma_put(x, to, MPI_HANDLE(void *, e->here.address + (uintptr_t)from_at), e->there.bytes,
                RMA_NONBLOCKING, c->name);
    } else {
        rma_put_items(x, to, &e->there.items, MPI_HANDLE(void *, e->here.address), &here, RMA_NONBLOCKING,
                      c->name);
    }
}

static void get(struct mpi_call *c, struct ends *e)
{
    struct rma_ctx *x = mpi_win_ctx(e->w, e->there.target.rank);
    struct rma_target from = e->there.target;
    const struct rma_items here = {e->here.layout, e->here.count};
    int64_t from_at, to_at;
    rma_count(c->rank);
    if (BASE_LIKELY(types_layout_is_run(here.layout, here.count, &to_at) &&
                    types_layout_is_run(e->there.items.layout, e->there.items.count, &from_at))) {
        from.address += (uintptr_t)from_at;
        rma_get(x, from, MPI_HANDLE(void *, e->here.address + (uintptr_t)to_at), e->there.bytes,
                RMA_NONBLOCKING, c->name);
    } else {
        rma_get_items(x, from, &e->there.items, MPI_HANDLE(void *, e->here.address), &here, RMA_NONBLOCKING,
                      c->name);
    }
}

static int move(struct mpi_call *c, struct ends *e, MPI_Request *request, bool asked,
                void (*fn)(struct mpi_call *c, struct ends *e))
{
    int rc;
    if (asked && (rc = mpi_win_request(c, e->w, request)))
        return rc;
    if (BASE_LIKELY(e->there.target.rank != NULL))
        fn(c, e);
    else if (asked)
        nothing(c, e);
    return MPI_SUCCESS;
}

int mpi_put(struct mpi_call *c, const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
            int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
            MPI_Win win)
{
    struct ends e;
    int rc = check(c, &e, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                   target_datatype, win);
    return rc ? rc : move(c, &e, NULL, false, put);
}

int mpi_get(struct mpi_call *c, void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
            int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
            MPI_Win win)
{
    struct ends e;
    int rc = check(c, &e, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                   target_datatype, win);
    return rc ? rc : move(c, &e, NULL, false, get);
}

int mpi_rput(struct mpi_call *c, const void *origin_addr, MPI_Count origin_count,
             MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
             MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    struct ends e;
    int rc = check(c, &e, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                   target_datatype, win);
    return rc ? rc : move(c, &e, request, true, put);
}

int mpi_rget(struct mpi_call *c, void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
             MPI_Win win, MPI_Request *request)
{
    struct ends e;
    int rc = check(c, &e, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                   target_datatype, win);
    return rc ? rc : move(c, &e, request, true, get);
}
