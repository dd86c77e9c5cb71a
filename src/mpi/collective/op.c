/* SPDX-License-Identifier: BSD-3-Clause */
/* op: reduction operations (MPI-5.0 section 6.9): predefined ones, and functions of the program. */
#include "mpi/collective/draft.h"

#include "mpi/calls.h"

#include <stdlib.h>

#define PREDEFINED(value, name)                                                                              \
    [(value)-0x20] = {.object = {(value), 1}, .op = TYPES_##name, .commutes = true}
struct mpi_op mpi_ops[32] = {
    PREDEFINED(0x21, SUM),     PREDEFINED(0x22, MIN),   PREDEFINED(0x23, MAX),    PREDEFINED(0x24, PROD),
    PREDEFINED(0x28, BAND),    PREDEFINED(0x29, BOR),   PREDEFINED(0x2a, BXOR),   PREDEFINED(0x30, LAND),
    PREDEFINED(0x31, LOR),     PREDEFINED(0x32, LXOR),  PREDEFINED(0x38, MINLOC), PREDEFINED(0x39, MAXLOC),
    PREDEFINED(0x3c, REPLACE), PREDEFINED(0x3d, NO_OP),
};
#undef PREDEFINED

struct mpi_op *mpi_op_retain(struct mpi_op *o)
{
    if (o->op == TYPES_OPS)
        o->object.references++;
    return o;
}

void mpi_op_release(struct mpi_op *o)
{
    if (o && o->op == TYPES_OPS && --o->object.references == 0)
        free(o);
}

/* --- calling functions of the program --------------------------------------------------------------- */

static void apply_piece(const struct mpi_op *o, void *in, void *inout, MPI_Count n, uint32_t datatype)
{
    MPI_Datatype type = MPI_HANDLE(MPI_Datatype, datatype);
    int narrow = (int)n;
    rank_order_lend(true);
    if (o->call)
        o->call(o->fn, in, inout, n, datatype);
    else if (o->wide)
        ((MPI_User_function_c *)o->fn)(in, inout, &n, &type);
    else
        ((MPI_User_function *)o->fn)(in, inout, &narrow, &type);
    rank_order_lend(false);
}

/* A function that takes an int is given so many items at a time. */
enum { PIECE = 1 << 30 };

void mpi_op_apply(const struct mpi_op *o, const void *in, void *inout, uint64_t items, uint32_t datatype)
{
    const struct mpi_type *t = &mpi_types[datatype & 0xff];
    char *a = (char *)(uintptr_t)in, *b = inout;
    if (BASE_LIKELY(o->wide || items <= PIECE)) {
        apply_piece(o, a, b, (MPI_Count)items, datatype);
        return;
    }
    if (datatype - 0x200 >= 0x100)
        t = mpi_find(mpi_rank_of(rank_current), MPI_KIND_TYPE, MPI_HANDLE(void *, datatype));
    int64_t extent = t ? types_layout_bounds(t->layout).extent : 0;
    for (uint64_t done = 0; done < items; done += PIECE) {
        uint64_t n = items - done < PIECE ? items - done : PIECE;
        apply_piece(o, a + (int64_t)done * extent, b + (int64_t)done * extent, (MPI_Count)n, datatype);
    }
}

/* --- making and freeing ----------------------------------------------------------------------------- */

static int create(struct mpi_call *c, void (*fn)(void), int commute, bool wide, MPI_Op *op)
{
    if (!fn)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the function is NULL");
    if (!op)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the operation is NULL");
    mpi_coll_register();
    struct mpi_op *o = base_zalloc(sizeof *o, "reduction operations");
    o->op = TYPES_OPS;
    o->commutes = commute != 0;
    o->wide = wide;
    o->fn = fn;
    *op = MPI_HANDLE(MPI_Op, mpi_handle_make(c->self, MPI_KIND_OP, &o->object));
    return MPI_SUCCESS;
}

int mpi_op_create(struct mpi_call *c, MPI_User_function *user_fn, int commute, MPI_Op *op)
{
    return create(c, (void (*)(void))user_fn, commute, false, op);
}

int mpi_op_create_c(struct mpi_call *c, MPI_User_function_c *user_fn, int commute, MPI_Op *op)
{
    return create(c, (void (*)(void))user_fn, commute, true, op);
}

static int no_op(struct mpi_call *c, MPI_Op op)
{
    return mpi_fail(c, NULL, MPI_ERR_OP, "%#lx is no reduction operation%s", (unsigned long)(uintptr_t)op,
                    op == MPI_OP_NULL ? " (MPI_OP_NULL)" : "");
}

int mpi_op_free(struct mpi_call *c, MPI_Op *op)
{
    if (!op)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the operation is NULL");
    struct mpi_op *o = mpi_op_find(c->self, *op);
    if (!o)
        return no_op(c, *op);
    if (o->op != TYPES_OPS)
        return mpi_fail(c, NULL, MPI_ERR_OP, "a predefined operation cannot be freed");
    mpi_handle_drop(c->self, &o->object);
    mpi_op_release(o);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int mpi_op_commutative(struct mpi_call *c, MPI_Op op, int *commute)
{
    const struct mpi_op *o = mpi_op_find(c->self, op);
    if (!o)
        return no_op(c, op);
    if (!commute)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the result is NULL");
    *commute = o->commutes;
    return MPI_SUCCESS;
}

/* --- at the end of a rank ---------------------------------------------------------------------------- */

static void drop(void *arg, void *object)
{
    (void)arg;
    mpi_op_release(object);
}

void mpi_ops_leave(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_OP, drop, NULL);
}
