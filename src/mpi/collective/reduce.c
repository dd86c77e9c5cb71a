/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce: reductions and scans (MPI-5.0 sections 6.9 to 6.11, and their other forms). */
#include "mpi/calls.h"
#include "mpi/collective/draft.h"

struct operands {
    const void *sendbuf;
    void *recvbuf;
    MPI_Count count;
    MPI_Datatype datatype;
    MPI_Op op;
};

/* Of a reduction whose result, of the same size, each member gets. */
static int take_both(struct mpi_call *c, struct mpi_draft *d, const struct operands *o)
{
    bool in_place = mpi_is_in_place(o->sendbuf) && !mpi_is_inter(d);
    struct mpi_data from, to;
    int rc = mpi_draft_real(c, d, o->recvbuf, "receive");
    if (rc || (rc = mpi_draft_data(c, d, o->recvbuf, o->count, o->datatype, &to)) ||
        (rc = mpi_draft_reduction(c, d, o->op, o->datatype, &to)))
        return rc;
    mpi_draft_dest(d, &to);
    if (in_place) {
        mpi_draft_in_place(d);
        return rc;
    }
    if ((rc = mpi_draft_data(c, d, o->sendbuf, o->count, o->datatype, &from)))
        return rc;
    mpi_draft_source(d, &from);
    return mpi_draft_apart(c, d, o->sendbuf, o->recvbuf, from.bytes);
}

/* Of a member that gets no result. */
static int take_source(struct mpi_call *c, struct mpi_draft *d, const struct operands *o)
{
    struct mpi_data from;
    int rc = mpi_draft_data(c, d, o->sendbuf, o->count, o->datatype, &from);
    if (rc || (rc = mpi_draft_reduction(c, d, o->op, o->datatype, &from)))
        return rc;
    mpi_draft_source(d, &from);
    return rc;
}

static int take_dest(struct mpi_call *c, struct mpi_draft *d, const struct operands *o)
{
    struct mpi_data to;
    int rc = mpi_draft_data(c, d, o->recvbuf, o->count, o->datatype, &to);
    if (rc || (rc = mpi_draft_reduction(c, d, o->op, o->datatype, &to)))
        return rc;
    mpi_draft_dest(d, &to);
    return rc;
}

/* --- reductions ----------------------------------------------------------------------------------------- */

static int check_reduce_between(struct mpi_call *c, struct mpi_draft *d, const struct operands *o, int root)
{
    int rc = MPI_SUCCESS;
    if (root == MPI_ROOT)
        rc = take_dest(c, d, o);
    else if (root != MPI_PROC_NULL)
        rc = take_source(c, d, o);
    if (!rc)
        mpi_inter_reduce(d, root);
    return rc;
}

static int check_reduce(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, void *recvbuf,
                        MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    const struct operands o = {sendbuf, recvbuf, count, datatype, op};
    int rc = mpi_draft_open(c, d, COLL_REDUCE_ROOT, comm);
    if (rc || (rc = mpi_draft_root(c, d, root)))
        return rc;
    if (mpi_is_inter(d))
        return check_reduce_between(c, d, &o, root);
    return d->call.root == d->call.me ? take_both(c, d, &o) : take_source(c, d, &o);
}

static int check_allreduce(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, void *recvbuf,
                           MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct operands o = {sendbuf, recvbuf, count, datatype, op};
    int rc = mpi_draft_open(c, d, COLL_REDUCE, comm);
    if (rc || (rc = take_both(c, d, &o)))
        return rc;
    if (mpi_is_inter(d))
        mpi_inter_allreduce(d);
    return rc;
}

/* --- scans ---------------------------------------------------------------------------------------------- */

static int check_prefix(struct mpi_call *c, struct mpi_draft *d, enum coll_op what, const struct operands *o,
                        MPI_Comm comm)
{
    int rc = mpi_draft_open(c, d, what, comm);
    if (!rc && mpi_is_inter(d))
        return mpi_fail(c, &d->comm->guarded, MPI_ERR_COMM,
                        "this is an inter-communicator: it has no prefixes");
    return rc ? rc : take_both(c, d, o);
}

static int check_scan(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, void *recvbuf,
                      MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return check_prefix(c, d, COLL_INSCAN, &(struct operands){sendbuf, recvbuf, count, datatype, op}, comm);
}

static int check_exscan(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, void *recvbuf,
                        MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    d->call.keep_first = true;
    return check_prefix(c, d, COLL_EXSCAN, &(struct operands){sendbuf, recvbuf, count, datatype, op}, comm);
}

/* --- reduce-scatter ---------------------------------------------------------------------------------------
 * */

/* The operands, `total` items, and the part that the member gets, `mine` items. */
static int take_parts(struct mpi_call *c, struct mpi_draft *d, const struct operands *o, MPI_Count total,
                      MPI_Count mine)
{
    bool in_place = mpi_is_in_place(o->sendbuf) && !mpi_is_inter(d);
    struct mpi_data from, to;
    int rc = mpi_draft_real(c, d, o->recvbuf, "receive");
    if (rc || (rc = mpi_draft_data(c, d, o->recvbuf, in_place ? total : mine, o->datatype, &to)))
        return rc;
    if (in_place)
        from = to;
    else if ((rc = mpi_draft_data(c, d, o->sendbuf, total, o->datatype, &from)))
        return rc;
    if ((rc = mpi_draft_reduction(c, d, o->op, o->datatype, &from)))
        return rc;
    mpi_draft_dest(d, &to);
    if (in_place) {
        mpi_draft_in_place(d);
        return rc;
    }
    mpi_draft_source(d, &from);
    return mpi_draft_apart(c, d, o->sendbuf, o->recvbuf, from.bytes);
}

/* Bytes of an item as it is reduced and sent. */
static uint64_t unit_of(const struct mpi_draft *d)
{
    return d->op ? types_layout_size(d->user.layout) : d->call.element;
}

/* Parts of `each` items. */
static int take_equal_parts(struct mpi_call *c, struct mpi_draft *d, const struct operands *o, MPI_Count each)
{
    int rc = take_parts(c, d, o, each * (MPI_Count)d->call.group.size, each);
    if (rc)
        return rc;
    uint64_t part = (uint64_t)each * unit_of(d);
    if (mpi_is_inter(d))
        mpi_inter_reduce_scatter(d, NULL, part);
    else
        d->call.bytes = part;
    return MPI_SUCCESS;
}

static bool all_equal(struct mpi_numbers counts, uint32_t n)
{
    int64_t first = counts.at ? mpi_number(counts, 0) : -1;
    bool equal = first >= 0;
    for (uint32_t k = 1; equal && k < n; k++)
        equal = mpi_number(counts, k) == first;
    return equal;
}

/* Equal parts need no lists of counts, which algorithms would have to add up. Otherwise parts of a reduction by
 * the program's function count items, others bytes. */
static int check_reduce_scatter(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, void *recvbuf,
                                struct mpi_numbers recvcounts, MPI_Datatype datatype, MPI_Op op,
                                MPI_Comm comm)
{
    struct operands o = {sendbuf, recvbuf, 0, datatype, op};
    struct mpi_parts *items;
    int64_t total = 0;
    int rc = mpi_draft_open(c, d, COLL_REDUCE_SCATTER, comm);
    if (!rc && !mpi_is_inter(d) && all_equal(recvcounts, d->call.group.size))
        return take_equal_parts(c, d, &o, mpi_number(recvcounts, 0));
    if (rc || (rc = mpi_parts_follow(c, d, recvcounts, d->call.group.size, 1, &items)))
        return rc;
    d->dest_parts = items; /* it is freed with the draft */
    for (uint32_t k = 0; k < items->n; k++)
        total += (int64_t)mpi_parts_count(items, k);
    o.count = total;
    int64_t mine = (int64_t)mpi_parts_count(items, d->call.me);
    rc = take_parts(c, d, &o, total, mine);
    if (rc || (rc = mpi_parts_follow(c, d, recvcounts, items->n, unit_of(d), &d->source_parts)))
        return rc;
    if (mpi_is_inter(d))
        mpi_inter_reduce_scatter(d, d->source_parts, (uint64_t)mine * unit_of(d));
    else if (d->op)
        mpi_parts_use(d, &d->local.source, d->dest_parts, d->user.layout);
    else
        mpi_parts_use(d, &d->local.source, d->source_parts, NULL);
    return rc;
}

static int check_reduce_scatter_block(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                                      void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                      MPI_Comm comm)
{
    const struct operands o = {sendbuf, recvbuf, recvcount, datatype, op};
    int rc = mpi_draft_open(c, d, COLL_REDUCE_SCATTER_BLOCK, comm);
    return rc ? rc : take_equal_parts(c, d, &o, recvcount);
}

MPI_COLLECTIVE(reduce, (sendbuf, recvbuf, count, datatype, op, root, comm), const void *sendbuf,
               void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
MPI_COLLECTIVE(allreduce, (sendbuf, recvbuf, count, datatype, op, comm), const void *sendbuf, void *recvbuf,
               MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
MPI_COLLECTIVE(scan, (sendbuf, recvbuf, count, datatype, op, comm), const void *sendbuf, void *recvbuf,
               MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
MPI_COLLECTIVE(exscan, (sendbuf, recvbuf, count, datatype, op, comm), const void *sendbuf, void *recvbuf,
               MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
MPI_COLLECTIVE(reduce_scatter, (sendbuf, recvbuf, recvcounts, datatype, op, comm), const void *sendbuf,
               void *recvbuf, struct mpi_numbers recvcounts, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
MPI_COLLECTIVE(reduce_scatter_block, (sendbuf, recvbuf, recvcount, datatype, op, comm), const void *sendbuf,
               void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)

/* --- without communication --------------------------------------------------------------------------------
 * */

struct applied {
    const struct mpi_op *op;
    const void *in;
    void *inout;
    uint64_t items;
    uint32_t datatype;
};

static void apply(void *arg)
{
    const struct applied *a = arg;
    mpi_op_apply(a->op, a->in, a->inout, a->items, a->datatype);
}

int mpi_reduce_local(struct mpi_call *c, const void *inbuf, void *inoutbuf, MPI_Count count,
                     MPI_Datatype datatype, MPI_Op op)
{
    /* Errors go where those go that are about no communicator. */
    struct mpi_draft d = {.comm =
                              c->self->unguarded_is_world ? mpi_comm_world(c->self) : mpi_comm_self(c->self)};
    struct mpi_data data;
    int rc = mpi_draft_real(c, &d, inbuf, "first");
    if (rc || (rc = mpi_draft_real(c, &d, inoutbuf, "second")) ||
        (rc = mpi_draft_data(c, &d, inbuf, count, datatype, &data)) ||
        (rc = mpi_draft_data(c, &d, inoutbuf, count, datatype, &data)) ||
        (rc = mpi_draft_apart(c, &d, inbuf, inoutbuf, data.bytes)) ||
        (rc = mpi_draft_reduction(c, &d, op, datatype, &data)))
        return rc;
    if (d.op && data.count)
        rank_call_back(c->rank, apply, &(struct applied){d.op, inbuf, inoutbuf, data.count, d.datatype});
    else if (!d.op)
        types_operator(d.call.operator.op, d.call.operator.element)(inoutbuf, inbuf, inoutbuf, data.count);
    return rc;
}
