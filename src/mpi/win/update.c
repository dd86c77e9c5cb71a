/* SPDX-License-Identifier: BSD-3-Clause */
/* update: accumulates and the atomics of one element (MPI-5.0 sections 12.3.3, 12.3.4, 12.3.5). */
#include "mpi/win/parts.h"

#include "mpi/collective/collective.h"

struct update {
    struct mpi_win *w;
    struct mpi_place there;
    struct rma_operands from;
    bool fetches;
    struct p2p_buffer result;
};

/* The operator, for the target's element. */
static int check_op(struct mpi_call *c, struct update *u, MPI_Op op)
{
    const struct mpi_op *o = mpi_op_find(c->self, op);
    if (!o)
        return mpi_fail(c, &u->w->guarded, MPI_ERR_OP, "%#lx is no operation", (unsigned long)(uintptr_t)op);
    if (o->op == TYPES_OPS)
        return mpi_fail(c, &u->w->guarded, MPI_ERR_OP,
                        "the operation is a function: expected a predefined one");
    u->from.op = (enum types_op)o->op;
    if (!u->there.target.rank || !u->there.bytes)
        return MPI_SUCCESS;
    enum types_element e = types_layout_element(u->there.items.layout);
    if (e == TYPES_ELEMENTS)
        return mpi_fail(c, &u->w->guarded, MPI_ERR_TYPE,
                        "the target's datatype has several basic types: expected one");
    if (!types_operator(u->from.op, e)) /* sums of MPI_CHAR are not the standard's, but everybody's */
        return mpi_fail(c, &u->w->guarded, MPI_ERR_OP,
                        "the operation %s does not exist for elements of type %s",
                        types_operator_name(u->from.op), types_element_info(e)->name);
    return MPI_SUCCESS;
}

static int check_bytes(struct mpi_call *c, const struct update *u, const struct p2p_buffer *b,
                       const char *what)
{
    uint64_t bytes = types_layout_size(b->layout) * b->count;
    if (BASE_LIKELY(bytes == u->there.bytes || !u->there.target.rank))
        return MPI_SUCCESS;
    return mpi_fail(c, &u->w->guarded, MPI_ERR_TRUNCATE,
                    "the %s is %llu bytes, and the target's data are %llu: expected equal types", what,
                    (unsigned long long)bytes, (unsigned long long)u->there.bytes);
}

/* The operand; MPI_NO_OP has none. */
static int take_origin(struct mpi_call *c, struct update *u, const void *address, MPI_Count count,
                       MPI_Datatype datatype)
{
    struct p2p_buffer from;
    if (u->from.op == TYPES_NO_OP)
        return MPI_SUCCESS;
    int rc = mpi_type_buffer(c, &u->w->guarded, address, count, datatype, &from);
    if (rc || !u->there.target.rank || (rc = check_bytes(c, u, &from, "operand")))
        return rc;
    u->from.source = MPI_HANDLE(void *, from.address);
    u->from.items = (struct rma_items){from.layout, from.count};
    return MPI_SUCCESS;
}

static int take_result(struct mpi_call *c, struct update *u, void *address, MPI_Count count,
                       MPI_Datatype datatype)
{
    int rc = mpi_type_buffer(c, &u->w->guarded, address, count, datatype, &u->result);
    u->fetches = true;
    return rc ? rc : check_bytes(c, u, &u->result, "result");
}

/* Two of a call's local buffers, of equally many bytes. */
static inline void check_apart(const struct mpi_call *c, const char *a, const void *x, const char *b,
                               const void *y, uint64_t bytes)
{
    uintptr_t low = (uintptr_t)x, other = (uintptr_t)y;
    if (BASE_UNLIKELY(low < other + bytes && other < low + bytes && low))
        mpi_misuse_overlap(c, a, x, b, y, bytes);
}

/* Of buffers with gaps it is not known: data may lie in each other's gaps. */
static void check_buffers(const struct mpi_call *c, const struct update *u)
{
    int64_t first, second;
    if (u->from.source && types_layout_is_run(u->from.items.layout, u->from.items.count, &first) &&
        types_layout_is_run(u->result.layout, u->result.count, &second))
        check_apart(c, "operand", (const char *)u->from.source + first, "result",
                    MPI_HANDLE(const char *, u->result.address) + second, u->there.bytes);
}

static int begin(struct mpi_call *c, struct update *u, int rank, MPI_Aint disp, MPI_Count count,
                 MPI_Datatype datatype, MPI_Op op, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    *u = (struct update){.w = mpi_win_of(c, win, &rc)};
    if (BASE_UNLIKELY(!u->w) || (rc = mpi_reach(c, u->w, rank, disp, count, datatype, &u->there)))
        return rc;
    return check_op(c, u, op);
}

static void number_word(struct mpi_win *w, struct mpi_place *p)
{
    int64_t low, high;
    types_layout_span(p->items.layout, p->items.count, &low, &high);
    p->target.word = rma_word_near(&w->page, p->target.rank, p->own + (uintptr_t)low);
}

static int issue(struct mpi_call *c, struct update *u, MPI_Request *request, bool asked)
{
    struct rma_ctx *x = mpi_win_ctx(u->w, u->there.target.rank ? u->there.target.rank : c->rank);
    int rc;
    if (asked && (rc = mpi_win_request(c, u->w, request)))
        return rc;
    if (BASE_LIKELY(u->there.target.rank != NULL))
        rma_count(c->rank);
    if (BASE_UNLIKELY(!u->there.target.rank || !u->there.bytes)) {
        if (asked)
            rma_put(x, (struct rma_target){c->rank, 0, 0}, NULL, 0, RMA_NONBLOCKING, c->name);
        return MPI_SUCCESS;
    }
    number_word(u->w, &u->there);
    const struct rma_items here = {u->result.layout, u->result.count};
    if (u->fetches)
        rma_get_accumulate(x, u->there.target, &u->there.items, &u->from,
                           MPI_HANDLE(void *, u->result.address), &here, RMA_NONBLOCKING, c->name);
    else if (u->from.op != TYPES_NO_OP)
        rma_accumulate(x, u->there.target, &u->there.items, &u->from, c->name);
    return MPI_SUCCESS;
}

/* --- accumulate ---------------------------------------------------------------------------------------- */

static int accumulate(struct mpi_call *c, struct update *u, const void *address, MPI_Count count,
                      MPI_Datatype datatype, MPI_Op op)
{
    if (op == MPI_NO_OP)
        return mpi_fail(c, &u->w->guarded, MPI_ERR_OP, "MPI_NO_OP is for calls that return values");
    return take_origin(c, u, address, count, datatype);
}

int mpi_accumulate(struct mpi_call *c, const void *origin_addr, MPI_Count origin_count,
                   MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                   MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct update u;
    int rc = begin(c, &u, target_rank, target_disp, target_count, target_datatype, op, win);
    if (rc || (rc = accumulate(c, &u, origin_addr, origin_count, origin_datatype, op)))
        return rc;
    return issue(c, &u, NULL, false);
}

int mpi_raccumulate(struct mpi_call *c, const void *origin_addr, MPI_Count origin_count,
                    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                    MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                    MPI_Request *request)
{
    struct update u;
    int rc = begin(c, &u, target_rank, target_disp, target_count, target_datatype, op, win);
    if (rc || (rc = accumulate(c, &u, origin_addr, origin_count, origin_datatype, op)))
        return rc;
    return issue(c, &u, request, true);
}

/* --- get_accumulate ------------------------------------------------------------------------------------ */

int mpi_get_accumulate(struct mpi_call *c, const void *origin_addr, MPI_Count origin_count,
                       MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
                       MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                       MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct update u;
    int rc = begin(c, &u, target_rank, target_disp, target_count, target_datatype, op, win);
    if (rc || (rc = take_origin(c, &u, origin_addr, origin_count, origin_datatype)) ||
        (rc = take_result(c, &u, result_addr, result_count, result_datatype)))
        return rc;
    check_buffers(c, &u);
    return issue(c, &u, NULL, false);
}

int mpi_rget_accumulate(struct mpi_call *c, const void *origin_addr, MPI_Count origin_count,
                        MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
                        MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                        MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                        MPI_Request *request)
{
    struct update u;
    int rc = begin(c, &u, target_rank, target_disp, target_count, target_datatype, op, win);
    if (rc || (rc = take_origin(c, &u, origin_addr, origin_count, origin_datatype)) ||
        (rc = take_result(c, &u, result_addr, result_count, result_datatype)))
        return rc;
    check_buffers(c, &u);
    return issue(c, &u, request, true);
}

/* --- one element --------------------------------------------------------------------------------------- */

/* A predefined datatype that has one element. */
static int check_single(struct mpi_call *c, const struct update *u, MPI_Datatype datatype)
{
    const struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (!t || t->predefined)
        return MPI_SUCCESS;
    return mpi_fail(c, &u->w->guarded, MPI_ERR_TYPE,
                    "the datatype is a derived one: expected a predefined one");
}

int mpi_fetch_and_op(struct mpi_call *c, const void *origin_addr, void *result_addr, MPI_Datatype datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    struct update u;
    int rc = begin(c, &u, target_rank, target_disp, 1, datatype, op, win);
    if (rc || (rc = check_single(c, &u, datatype)) || (rc = take_origin(c, &u, origin_addr, 1, datatype)) ||
        (rc = take_result(c, &u, result_addr, 1, datatype)) || !u.there.target.rank)
        return rc;
    number_word(u.w, &u.there);
    check_apart(c, "operand", u.from.source, "result", result_addr, u.there.bytes);
    rma_count(c->rank);
    rma_fetch_op(mpi_win_ctx(u.w, u.there.target.rank), u.there.target,
                 types_layout_element(u.there.items.layout), u.from.op, origin_addr, result_addr,
                 RMA_NONBLOCKING, c->name);
    return MPI_SUCCESS;
}

int mpi_compare_and_swap(struct mpi_call *c, const void *origin_addr, const void *compare_addr,
                         void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp,
                         MPI_Win win)
{
    const unsigned allowed = TYPES_CLASS_C_INTEGER | TYPES_CLASS_F_INTEGER | TYPES_CLASS_LOGICAL |
                             TYPES_CLASS_MULTI_LANGUAGE | TYPES_CLASS_BYTE | TYPES_CLASS_CHARACTER;
    struct update u;
    struct p2p_buffer compare;
    int rc = begin(c, &u, target_rank, target_disp, 1, datatype, MPI_REPLACE, win);
    if (rc || (rc = check_single(c, &u, datatype)) || (rc = take_origin(c, &u, origin_addr, 1, datatype)) ||
        (rc = take_result(c, &u, result_addr, 1, datatype)) ||
        (rc = mpi_type_buffer(c, &u.w->guarded, compare_addr, 1, datatype, &compare)))
        return rc;
    if (!u.there.target.rank)
        return MPI_SUCCESS;
    const struct types_element_info *e = types_element_info(types_layout_element(u.there.items.layout));
    if (!(e->class & allowed))
        return mpi_fail(c, &u.w->guarded, MPI_ERR_TYPE,
                        "elements of type %s cannot be compared: expected an integer, a logical or a byte",
                        e->name);
    number_word(u.w, &u.there);
    check_apart(c, "operand", origin_addr, "result", result_addr, e->size);
    check_apart(c, "comparand", compare_addr, "result", result_addr, e->size);
    rma_count(c->rank);
    rma_compare_swap(mpi_win_ctx(u.w, u.there.target.rank), u.there.target,
                     types_layout_element(u.there.items.layout), compare_addr, origin_addr, result_addr,
                     RMA_NONBLOCKING, c->name);
    return MPI_SUCCESS;
}
