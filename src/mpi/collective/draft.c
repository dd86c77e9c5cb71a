/* SPDX-License-Identifier: BSD-3-Clause */
/* draft: looks up and checks the arguments of collectives (draft.h). */
#include "mpi/collective/draft.h"

int mpi_draft_open(struct mpi_call *c, struct mpi_draft *d, enum coll_op op, MPI_Comm comm)
{
    int rc = MPI_SUCCESS;
    d->comm = mpi_comm_of(c, comm, &rc);
    if (BASE_UNLIKELY(!d->comm))
        return rc;
    d->call.name = c->name;
    d->call.op = op;
    d->call.me = d->comm->me;
    d->call.group = *d->comm->group;
    d->call.transport = c->self->job->transport;
    d->call.names = &mpi_coll_names;
    return MPI_SUCCESS;
}

/* --- buffers ------------------------------------------------------------------------------------------ */

int mpi_draft_real(struct mpi_call *c, const struct mpi_draft *d, const void *address, const char *what)
{
    if (BASE_LIKELY(!mpi_is_in_place(address)))
        return MPI_SUCCESS;
    return mpi_fail(c, &d->comm->guarded, MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed as the %s buffer here",
                    what);
}

int mpi_draft_data(struct mpi_call *c, struct mpi_draft *d, const void *address, MPI_Count count,
                   MPI_Datatype datatype, struct mpi_data *out)
{
    struct p2p_buffer b;
    int rc = mpi_type_buffer(c, &d->comm->guarded, address, count, datatype, &b);
    if (BASE_UNLIKELY(rc))
        return rc;
    if (BASE_UNLIKELY(mpi_is_in_place(address) && count))
        return mpi_draft_real(c, d, address, "send or receive");
    if (BASE_UNLIKELY(!types_layout_fits(b.layout, b.count)))
        return mpi_fail(c, &d->comm->guarded, MPI_ERR_COUNT,
                        "%lld items of this datatype do not fit in any memory", (long long)count);
    *out = (struct mpi_data){address, b.count, b.count * types_layout_size(b.layout), b.layout};
    if (BASE_UNLIKELY(c->self->job->checks_types))
        mpi_draft_compare(c, d, b.layout, b.count, datatype);
    return MPI_SUCCESS;
}

int mpi_draft_type(struct mpi_call *c, struct mpi_draft *d, MPI_Datatype datatype,
                   const struct types_layout **out)
{
    struct p2p_buffer b;
    int rc = mpi_type_buffer(c, &d->comm->guarded, NULL, 0, datatype, &b);
    if (rc)
        return rc;
    *out = b.layout;
    if (BASE_UNLIKELY(c->self->job->checks_types))
        mpi_draft_compare(c, d, b.layout, 1, datatype);
    return MPI_SUCCESS;
}

int mpi_draft_apart(struct mpi_call *c, const struct mpi_draft *d, const void *a, const void *b,
                    uint64_t bytes)
{
    if (BASE_LIKELY(a != b || !a || !bytes))
        return MPI_SUCCESS;
    return mpi_fail(c, &d->comm->guarded, MPI_ERR_BUFFER,
                    "the send and the receive buffer are the same memory: expected two, or MPI_IN_PLACE");
}

int mpi_draft_equal(struct mpi_call *c, const struct mpi_draft *d, uint64_t sent, uint64_t received)
{
    if (BASE_LIKELY(sent == received))
        return MPI_SUCCESS;
    return mpi_fail(c, &d->comm->guarded, sent > received ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT,
                    "the rank sends %llu bytes to itself, but receives %llu", (unsigned long long)sent,
                    (unsigned long long)received);
}

/* --- roots -------------------------------------------------------------------------------------------- */

int mpi_draft_root(struct mpi_call *c, struct mpi_draft *d, int root)
{
    const struct coll_group *peers = mpi_comm_peers(d->comm);
    bool special = mpi_is_inter(d) && (root == MPI_ROOT || root == MPI_PROC_NULL);
    if (BASE_UNLIKELY(!special && (root < 0 || (uint32_t)root >= peers->size)))
        return mpi_fail(c, &d->comm->guarded, MPI_ERR_ROOT, "the root is %d: expected 0 to %u%s", root,
                        peers->size - 1, mpi_is_inter(d) ? ", MPI_ROOT or MPI_PROC_NULL" : "");
    d->call.root = (uint32_t)root;
    return MPI_SUCCESS;
}

/* --- layouts ------------------------------------------------------------------------------------------ */

static void lay(struct mpi_draft *d, struct coll_side *side, const struct mpi_data *data)
{
    int64_t offset;
    bool elements = d->call.element && !coll_operator_is_user(d->call.operator); /* a predefined reduction */
    if (BASE_LIKELY(elements || (types_layout_is_dense(data->layout, &offset) && !offset)))
        return;
    side->layout = data->layout;
    d->laid = true;
}

/* How many times the data are there: a part for each member that takes part. */
static uint64_t parts_of(const struct mpi_draft *d, bool source)
{
    uint64_t peers = mpi_comm_peers(d->comm)->size;
    uint32_t sources, destinations;
    switch (d->call.op) {
    case COLL_ALLTOALL:
        return peers;
    case COLL_GATHER:
    case COLL_FCOLLECT:
        return source ? 1 : peers;
    case COLL_SCATTER:
        return source ? peers : 1;
    case COLL_NEIGHBOR_ALLGATHER:
    case COLL_NEIGHBOR_ALLTOALL:
        mpi_comm_degrees(d->comm, &sources, &destinations);
        return !source ? sources : d->call.op == COLL_NEIGHBOR_ALLTOALL ? destinations : 1;
    default:
        return 1;
    }
}

/* For mpi/check-buffers. Parts with counts of their own are not watched. */
static void use(struct mpi_draft *d, const struct mpi_data *data, bool source)
{
    if (BASE_LIKELY(!d->comm->owner->job->checks_buffers))
        return;
    d->uses[!source] =
        (struct p2p_buffer){(uintptr_t)data->address, data->count * parts_of(d, source), data->layout};
    d->used |= source ? 1 : 2;
}

void mpi_draft_dest(struct mpi_draft *d, const struct mpi_data *to)
{
    use(d, to, false);
    d->call.dest = (void *)(uintptr_t)to->address;
    lay(d, &d->local.dest, to);
}

void mpi_draft_source(struct mpi_draft *d, const struct mpi_data *from)
{
    use(d, from, true);
    d->call.source = from->address;
    lay(d, &d->local.source, from);
}

void mpi_draft_in_place(struct mpi_draft *d)
{
    coll_in_place(&d->call, d->laid ? &d->local : NULL);
}

/* --- reductions --------------------------------------------------------------------------------------- */

static void combine(void *arg, const void *left, void *right, uint64_t items)
{
    const struct mpi_draft *record = arg;
    mpi_op_apply(record->op, left, right, items, record->datatype);
}

static int reduce_by_user(struct mpi_draft *d, struct mpi_op *o, MPI_Datatype datatype,
                          const struct mpi_data *data)
{
    uint64_t size = types_layout_size(data->layout);
    d->op = o;
    d->datatype = (uint32_t)(uintptr_t)datatype;
    d->call.operator=(struct coll_operator){.op = TYPES_OPS, .ordered = !o->commutes};
    d->call.element = size ? size : 1;
    d->call.bytes = data->bytes;
    d->user = (struct coll_user){.combine = combine, .layout = data->layout};
    d->laid = true;
    return MPI_SUCCESS;
}

static int not_allowed(struct mpi_call *c, const struct mpi_draft *d, const struct mpi_op *o, bool predefined,
                       enum types_element e)
{
    if (!predefined)
        return mpi_fail(c, &d->comm->guarded, MPI_ERR_OP, "%s is defined on predefined datatypes only",
                        types_operator_name((enum types_op)o->op));
    return mpi_fail(c, &d->comm->guarded, MPI_ERR_OP, "%s is not defined on %s%s",
                    types_operator_name((enum types_op)o->op), types_element_info(e)->name,
                    o->op == TYPES_REPLACE || o->op == TYPES_NO_OP ? ": it is for one-sided operations" : "");
}

/* As other implementations, we compute logical operations on the integers of all languages (MPI_Aint and the
 * like), of which the standard speaks with other integer operations only. */
static enum types_element computed_as(const struct mpi_op *o, enum types_element e)
{
    bool logical = o->op == TYPES_LAND || o->op == TYPES_LOR || o->op == TYPES_LXOR;
    return logical && types_element_info(e)->class == TYPES_CLASS_MULTI_LANGUAGE ? TYPES_INT64 : e;
}

int mpi_draft_reduction(struct mpi_call *c, struct mpi_draft *d, MPI_Op op, MPI_Datatype datatype,
                        const struct mpi_data *data)
{
    struct mpi_op *o = mpi_op_find(c->self, op);
    if (BASE_UNLIKELY(!o))
        return mpi_fail(c, &d->comm->guarded, MPI_ERR_OP, "%#lx is no reduction operation%s",
                        (unsigned long)(uintptr_t)op, op == MPI_OP_NULL ? " (MPI_OP_NULL)" : "");
    if (o->op == TYPES_OPS)
        return reduce_by_user(d, o, datatype, data);
    enum types_element e = types_layout_element(data->layout);
    bool predefined = e != TYPES_ELEMENTS && data->layout == types_layout_of(e);
    if (predefined)
        e = computed_as(o, e);
    if (BASE_UNLIKELY(!predefined || o->op == TYPES_REPLACE || o->op == TYPES_NO_OP ||
                      !types_operator_allowed((enum types_op)o->op, e)))
        return not_allowed(c, d, o, predefined, e);
    d->call.operator=(struct coll_operator){.op = (enum types_op)o->op, .element = e};
    d->call.element = types_element_info(e)->extent; /* arrays in memory, as operators want them */
    d->call.bytes = data->count * d->call.element;
    return MPI_SUCCESS;
}
