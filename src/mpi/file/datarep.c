/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * datarep: how data look in files (MPI-5.0 section 14.5): as in memory ("native", "internal"), in the standard's
 * portable form ("external32"), or as functions of the program make them.
 */
#include "mpi/file/parts.h"

#include <stdlib.h>
#include <string.h>

static const struct mpi_datarep predefined[] = {
    {.name = "native", .form = MPI_DATA_NATIVE},
    {.name = "internal", .form = MPI_DATA_NATIVE},
    {.name = "external32", .form = MPI_DATA_EXTERNAL},
};

const struct mpi_datarep *mpi_datarep_find(const struct mpi_rank *self, const char *name)
{
    for (size_t k = 0; k < BASE_LENGTH(predefined); k++)
        if (!strcmp(predefined[k].name, name))
            return &predefined[k];
    const struct mpi_datarep *r = self ? self->datareps : NULL;
    while (r && strcmp(r->name, name))
        r = r->next;
    return r;
}

void mpi_datareps_release(struct mpi_rank *self)
{
    while (self->datareps) {
        struct mpi_datarep *r = self->datareps;
        self->datareps = r->next;
        free((char *)(uintptr_t)r->name);
        free(r->owned);
        mpi_extents_release(r->known);
        free(r);
    }
}

/* --- registering ---------------------------------------------------------------------------------------- */

static int enter(struct mpi_call *c, const char *name, struct mpi_datarep what)
{
    struct mpi_guarded *on = mpi_file_null(c->self);
    if (!name || !*name || strlen(name) >= MPI_MAX_DATAREP_STRING)
        return mpi_fail(c, on, MPI_ERR_ARG,
                        "the name of the data representation is %s: expected 1 to %d characters",
                        !name   ? "NULL"
                        : *name ? "too long"
                                : "empty",
                        MPI_MAX_DATAREP_STRING - 1);
    if (mpi_datarep_find(c->self, name))
        return mpi_fail(c, on, MPI_ERR_DUP_DATAREP, "there is a data representation \"%s\"", name);
    if (!what.extent && !mpi_host_is_played(c->rank))
        return mpi_fail(c, on, MPI_ERR_ARG, "the function that tells extents is NULL");
    struct mpi_datarep *r = base_alloc(sizeof *r, "data representations");
    *r = what;
    r->form = MPI_DATA_REGISTERED;
    r->name = base_strdup(name);
    r->known = mpi_extents_create();
    r->next = c->self->datareps;
    c->self->datareps = r;
    return MPI_SUCCESS;
}

void mpi_datarep_own(struct mpi_rank *self, void *memory)
{
    self->datareps->owned = memory;
}

int mpi_register_datarep(struct mpi_call *c, const char *datarep,
                         MPI_Datarep_conversion_function *read_conversion_fn,
                         MPI_Datarep_conversion_function *write_conversion_fn,
                         MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state)
{
    return enter(c, datarep,
                 (struct mpi_datarep){.read = (void (*)(void))read_conversion_fn,
                                      .write = (void (*)(void))write_conversion_fn,
                                      .extent = dtype_file_extent_fn,
                                      .extra = extra_state});
}

int mpi_register_datarep_c(struct mpi_call *c, const char *datarep,
                           MPI_Datarep_conversion_function_c *read_conversion_fn,
                           MPI_Datarep_conversion_function_c *write_conversion_fn,
                           MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state)
{
    return enter(c, datarep,
                 (struct mpi_datarep){.read = (void (*)(void))read_conversion_fn,
                                      .write = (void (*)(void))write_conversion_fn,
                                      .wide = true,
                                      .extent = dtype_file_extent_fn,
                                      .extra = extra_state});
}

/* --- how datatypes lie in files ------------------------------------------------------------------------- */

struct extents {
    struct mpi_call *c;
    const struct mpi_datarep *rep;
    const struct mpi_type *type;
    MPI_Aint extent;
    int rc;
};

static MPI_Datatype asked(const struct extents *e)
{
    return MPI_HANDLE(MPI_Datatype, e->type->object.handle);
}

static void ask_extent(void *arg)
{
    struct extents *e = arg;
    e->rc = e->rep->extent(asked(e), &e->extent, e->rep->extra);
}

/* Asks the function of the program, or the trace of a player. */
static void find_extent(struct extents *e)
{
    if (e->rep->extent)
        rank_call_back(e->c->rank, ask_extent, e);
    else
        e->extent = (MPI_Aint)mpi_extent_played(e->rep, asked(e));
    if (!e->rc && e->extent < 0)
        e->rc = MPI_ERR_CONVERSION;
    if (!e->rc && e->rep->extent)
        mpi_extent_tell(e->c, e->rep, asked(e), e->extent);
}

/* Bytes of one item of a predefined datatype; 0: there is no such, or e->rc is set. */
static uint64_t size_there(void *arg, const struct mpi_type *t)
{
    struct extents *e = arg;
    if (e->rep->form == MPI_DATA_EXTERNAL)
        return mpi_external_bytes(t->layout, 1);
    e->type = t;
    e->extent = 0;
    find_extent(e);
    return e->rc ? 0 : (uint64_t)e->extent;
}

const struct types_layout *mpi_datarep_layout(struct mpi_call *c, struct mpi_guarded *on,
                                              const struct mpi_datarep *rep, const struct mpi_type *t,
                                              int *rc)
{
    struct extents e = {.c = c, .rep = rep};
    if (rep->form == MPI_DATA_NATIVE)
        return types_layout_retain(t->layout);
    const struct types_layout *l = mpi_type_relaid(t, size_there, &e);
    if (!l || e.rc) {
        types_layout_release(l);
        *rc = mpi_fail(c, on, e.rc ? MPI_ERR_CONVERSION : MPI_ERR_TYPE,
                       "the datatype cannot be laid out in the representation \"%s\"", rep->name);
        return NULL;
    }
    return l;
}

uint64_t mpi_datarep_bytes(struct mpi_call *c, struct mpi_file *f, const struct mpi_data *d, int *rc)
{
    const struct mpi_datarep *rep = f->view.rep;
    if (rep->form == MPI_DATA_NATIVE)
        return d->bytes;
    if (rep->form == MPI_DATA_EXTERNAL)
        return mpi_external_bytes(d->layout, d->count);
    const struct mpi_type *t = mpi_type_find(c->self, d->datatype);
    const struct types_layout *l = t ? mpi_datarep_layout(c, &f->guarded, rep, t, rc) : NULL;
    uint64_t bytes = l ? types_layout_size(l) * d->items : 0;
    types_layout_release(l);
    return bytes;
}

/* --- converting ----------------------------------------------------------------------------------------- */

struct conversion {
    const struct mpi_datarep *rep;
    const struct mpi_data *data;
    void (*fn)(void);
    void *here, *there;
    uint64_t count;
    int rc;
};

static void call_conversion(void *arg)
{
    struct conversion *x = arg;
    MPI_Datatype datatype = x->data->datatype;
    if (x->rep->wide)
        x->rc = ((MPI_Datarep_conversion_function_c *)x->fn)(x->here, datatype, (MPI_Count)x->count, x->there,
                                                             0, x->rep->extra);
    else
        x->rc = ((MPI_Datarep_conversion_function *)x->fn)(x->here, datatype, (int)x->count, x->there, 0,
                                                           x->rep->extra);
}

/* The items of a section of an array of Fortran's side by side, as the program's functions know them. */
struct copy {
    const struct types_layout *layout; /* of one item */
    char *room, *first;
    void *packed;
};

static void copy_make(struct mpi_call *c, struct copy *y, const struct mpi_data *d)
{
    int64_t low, high;
    y->layout = mpi_type_find(c->self, d->datatype)->layout;
    types_layout_span(y->layout, d->items, &low, &high);
    y->room = base_zalloc((size_t)(high - low), "data of files");
    y->first = y->room - low;
    y->packed = base_alloc(d->bytes, "data of files");
    types_pack(d->layout, d->count, d->at, 0, d->bytes, y->packed);
    types_unpack(y->layout, d->items, y->first, 0, d->bytes, y->packed);
}

/* The first `moved` bytes go back to the section. */
static void copy_end(const struct copy *y, const struct mpi_data *d, uint64_t moved)
{
    if (moved) {
        types_pack(y->layout, d->items, y->first, 0, moved, y->packed);
        types_unpack(d->layout, d->count, d->at, 0, moved, y->packed);
    }
    free(y->packed);
    free(y->room);
}

/* All at once, from the first item on. `moved`: the bytes that the function writes in memory. */
static int convert(struct mpi_call *c, struct mpi_file *f, const struct mpi_data *d, void (*fn)(void),
                   void *there, uint64_t count, uint64_t moved)
{
    struct conversion x = {f->view.rep, d, fn, d->at, there, count, MPI_SUCCESS};
    struct copy y = {0};
    if (!x.rep->wide && count > INT32_MAX)
        return mpi_fail(c, &f->guarded, MPI_ERR_CONVERSION,
                        "%llu items: the function of MPI_Register_datarep takes 2^31 - 1 at most",
                        (unsigned long long)count);
    if (d->section) {
        copy_make(c, &y, d);
        x.here = y.first;
    }
    rank_call_back(c->rank, call_conversion, &x);
    if (d->section)
        copy_end(&y, d, x.rc ? 0 : moved);
    return x.rc ? mpi_fail(c, &f->guarded, MPI_ERR_CONVERSION,
                           "a function of the representation \"%s\" returned %d", x.rep->name, x.rc)
                : MPI_SUCCESS;
}

int mpi_datarep_encode(struct mpi_call *c, struct mpi_file *f, const struct mpi_data *d, void *there)
{
    const struct mpi_datarep *rep = f->view.rep;
    if (rep->form == MPI_DATA_REGISTERED && rep->write)
        return convert(c, f, d, rep->write, there, d->items, 0);
    char *here = base_alloc(d->bytes, "data of files");
    types_pack(d->layout, d->count, d->at, 0, d->bytes, here);
    if (rep->form == MPI_DATA_EXTERNAL)
        mpi_external_encode(d->layout, d->count, here, there);
    else
        memcpy(there, here, d->there < d->bytes ? d->there : d->bytes);
    free(here);
    return MPI_SUCCESS;
}

int mpi_datarep_decode(struct mpi_call *c, struct mpi_file *f, const struct mpi_data *d, void *there,
                       uint64_t n, uint64_t *moved)
{
    const struct mpi_datarep *rep = f->view.rep;
    if (rep->form == MPI_DATA_REGISTERED && rep->read) {
        uint64_t items = n / (d->there / d->items);
        *moved = items * (d->bytes / d->items);
        return items ? convert(c, f, d, rep->read, there, items, *moved) : MPI_SUCCESS;
    }
    char *here = base_alloc(d->bytes, "data of files");
    if (rep->form == MPI_DATA_EXTERNAL) {
        *moved = mpi_external_decode(d->layout, d->count, here, there, n);
    } else {
        *moved = n < d->bytes ? n : d->bytes;
        memcpy(here, there, *moved);
    }
    types_unpack(d->layout, d->count, d->at, 0, *moved, here);
    free(here);
    return MPI_SUCCESS;
}
