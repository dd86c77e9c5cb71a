/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view: what a member sees of a file (MPI-5.0 section 14.3): from a displacement on, tiles of a filetype, of whose data
 * it sees etypes. Positions count the bytes of that data alone, as positions of layouts do.
 */
#include "mpi/file/parts.h"

#include <string.h>

/* --- places in a view ---------------------------------------------------------------------------------- */

static void fill(struct mpi_view *v)
{
    v->unit = types_layout_size(v->element);
    v->room = types_layout_size(v->tile);
    v->extent = types_layout_bounds(v->tile).extent;
}

void mpi_view_open(struct mpi_view *v, int64_t displacement)
{
    const struct types_layout *byte = types_layout_of(TYPES_BYTE);
    struct mpi_type *t = mpi_type_find(NULL, MPI_BYTE);
    *v = (struct mpi_view){
        .displacement = displacement, .etype = t, .filetype = t, .element = byte, .tile = byte};
    v->rep = mpi_datarep_find(NULL, "native");
    fill(v);
}

void mpi_view_release(struct mpi_view *v)
{
    mpi_type_release(v->etype);
    mpi_type_release(v->filetype);
    types_layout_release(v->element);
    types_layout_release(v->tile);
}

bool mpi_view_fits(const struct mpi_view *v, uint64_t position, uint64_t bytes)
{
    uint64_t end;
    if (!bytes)
        return true;
    if (!v->room || __builtin_add_overflow(position, bytes, &end) || end > INT64_MAX)
        return false;
    if (v->single && end > v->room)
        return false;
    int64_t low, high, count = (int64_t)(end / v->room + 1);
    if (!types_layout_fits(v->tile, (uint64_t)count))
        return false;
    types_layout_span(v->tile, (uint64_t)count, &low, &high);
    return high <= INT64_MAX - v->displacement;
}

int64_t mpi_view_offset(const struct mpi_view *v, uint64_t position)
{
    struct types_cursor c;
    struct types_strip s = {0};
    if (!mpi_view_fits(v, position, 1))
        return -1;
    types_cursor_init(&c, v->tile, position / v->room + 1, position, position + 1);
    types_cursor_next(&c, &s);
    types_cursor_release(&c);
    return v->displacement + s.offset;
}

void mpi_view_each(const struct mpi_view *v, uint64_t position, uint64_t bytes, mpi_run_fn fn, void *arg)
{
    struct types_cursor c;
    struct types_strip s = {0};
    bool more = bytes > 0;
    if (!more)
        return;
    if (types_layout_is_dense(v->tile, &s.offset)) {
        fn(arg, v->displacement + s.offset + (int64_t)position, bytes);
        return;
    }
    types_cursor_init(&c, v->tile, (position + bytes) / v->room + 1, position, position + bytes);
    while (more && types_cursor_next(&c, &s))
        for (uint64_t k = 0; more && k < s.n; k++)
            more = fn(arg, v->displacement + s.offset + (int64_t)k * s.stride, s.bytes);
    types_cursor_release(&c);
}

/* Whether the n-th etype, from 0, begins before the byte. */
static bool is_before(const struct mpi_view *v, uint64_t n, int64_t offset)
{
    uint64_t position;
    if (__builtin_mul_overflow(n, v->unit, &position))
        return false;
    int64_t at = mpi_view_offset(v, position);
    return at >= 0 && at < offset;
}

int64_t mpi_view_elements_before(const struct mpi_view *v, int64_t offset)
{
    uint64_t low = 0, high = 1;
    if (!v->room || !is_before(v, 0, offset))
        return 0;
    while (is_before(v, high, offset))
        low = high, high *= 2;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (is_before(v, middle, offset))
            low = middle;
        else
            high = middle;
    }
    return (int64_t)high;
}

/* --- checks -------------------------------------------------------------------------------------------- */

/* Offsets may not be negative, nor go back; what is written may not overlap. NULL: they are right. */
static const char *wrong_tile(struct mpi_view *v, bool writable)
{
    struct types_cursor c;
    struct types_strip s;
    int64_t last = 0, end = 0;
    const char *wrong = v->room && v->extent <= 0 ? "its extent is not positive" : NULL;
    types_cursor_init(&c, v->tile, v->room ? 1 : 0, 0, v->room);
    while (!wrong && types_cursor_next(&c, &s)) {
        if (s.offset < last || (s.n > 1 && s.stride < 0))
            wrong = s.offset < 0 ? "an offset is negative" : "its offsets do not increase";
        else if (writable && (s.offset < end || (s.n > 1 && (uint64_t)s.stride < s.bytes)))
            wrong = "parts of it overlap, and the file is written";
        last = s.offset + (int64_t)(s.n - 1) * s.stride;
        end = last + (int64_t)s.bytes;
    }
    types_cursor_release(&c);
    v->single = v->room && last >= v->extent + types_layout_bounds(v->tile).true_lower;
    return wrong;
}

static int check_types(struct mpi_call *c, struct mpi_file *f, struct mpi_view *v)
{
    char name[200];
    const char *wrong = wrong_tile(v, !(f->opened->amode & MPI_MODE_RDONLY));
    if (!v->unit)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the etype has no data: %s",
                        mpi_type_text(v->etype, name, sizeof name));
    if (v->room % v->unit)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG,
                        "the filetype has %llu bytes of data: expected a multiple of the etype's %llu",
                        (unsigned long long)v->room, (unsigned long long)v->unit);
    if (wrong)
        return mpi_fail(c, &f->guarded, MPI_ERR_IO, "the filetype is %s: %s",
                        mpi_type_text(v->filetype, name, sizeof name), wrong);
    return MPI_SUCCESS;
}

static int check_displacement(struct mpi_call *c, struct mpi_file *f, MPI_Offset disp)
{
    bool sequential = f->opened->amode & MPI_MODE_SEQUENTIAL;
    if ((disp == MPI_DISPLACEMENT_CURRENT) != sequential)
        return mpi_fail(
            c, &f->guarded, MPI_ERR_ARG,
            "the displacement is %lld: expected MPI_DISPLACEMENT_CURRENT with MPI_MODE_SEQUENTIAL, and only "
            "there",
            (long long)disp);
    if (disp < 0 && !sequential)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the displacement is %lld: expected 0 or more",
                        (long long)disp);
    return MPI_SUCCESS;
}

/* All members set their views at once, and the shared pointer goes to the beginning. Returns where it was, in bytes of
 * the file. */
static int64_t reset_shared(struct mpi_call *c, struct mpi_file *f)
{
    struct mpi_opened *o = f->opened;
    struct mpi_turn *t = mpi_turn_meet(c, f, MPI_SUCCESS, NULL);
    if (!t->solved) {
        t->seat[0].place = mpi_view_offset(&f->view, (uint64_t)o->pointer * f->view.unit);
        o->pointer = 0;
    }
    t->solved = true;
    int64_t was = t->seat[0].place;
    mpi_turn_leave(f, t);
    return was;
}

static struct mpi_type *check_type(struct mpi_call *c, struct mpi_file *f, MPI_Datatype datatype, int *rc)
{
    char name[200];
    struct mpi_type *t = mpi_type_of(c, &f->guarded, datatype, rc);
    if (t && !t->committed) {
        *rc = mpi_fail(c, &f->guarded, MPI_ERR_TYPE, "the datatype is not committed: %s",
                       mpi_type_text(t, name, sizeof name));
        return NULL;
    }
    return t;
}

/* --- setting and asking -------------------------------------------------------------------------------- */

/* With references of its own, which are released if it fails. */
static int make(struct mpi_call *c, struct mpi_file *f, struct mpi_view *v)
{
    int rc = MPI_SUCCESS;
    mpi_type_retain(v->etype);
    mpi_type_retain(v->filetype);
    v->element = mpi_datarep_layout(c, &f->guarded, v->rep, v->etype, &rc);
    v->tile = rc ? NULL : mpi_datarep_layout(c, &f->guarded, v->rep, v->filetype, &rc);
    if (!rc) {
        fill(v);
        rc = check_types(c, f, v);
    }
    if (rc)
        mpi_view_release(v);
    return rc;
}

static int make_with(struct mpi_call *c, struct mpi_file *f, struct mpi_view *v, MPI_Datatype etype,
                     MPI_Datatype filetype, const char *datarep)
{
    int rc = check_displacement(c, f, v->displacement);
    v->rep = datarep ? mpi_datarep_find(c->self, datarep) : NULL;
    if (!rc && !v->rep)
        rc = mpi_fail(c, &f->guarded, MPI_ERR_UNSUPPORTED_DATAREP,
                      "the data representation is %s%s%s: expected "
                      "\"native\", \"internal\", \"external32\" or a registered one",
                      datarep ? "\"" : "", datarep ? datarep : "NULL", datarep ? "\"" : "");
    if (!rc && (v->etype = check_type(c, f, etype, &rc)) && (v->filetype = check_type(c, f, filetype, &rc)))
        rc = make(c, f, v);
    return rc;
}

/* A member whose arguments are refused keeps its view. The others wait for it, and have theirs. */
int mpi_file_set_view(struct mpi_call *c, MPI_File fh, MPI_Offset disp, MPI_Datatype etype,
                      MPI_Datatype filetype, const char *datarep, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    struct mpi_view v = {.displacement = disp};
    if (!f)
        return rc;
    rc = mpi_comm_check_info(c, &f->guarded, info);
    if (!rc)
        rc = make_with(c, f, &v, etype, filetype, datarep);
    int64_t current = reset_shared(c, f);
    if (rc)
        return rc;
    if (disp == MPI_DISPLACEMENT_CURRENT)
        v.displacement = current;
    mpi_view_release(&f->view);
    f->view = v;
    f->pointer = 0;
    mpi_file_hint(c, f, info);
    return MPI_SUCCESS;
}

int mpi_file_get_view(struct mpi_call *c, MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype,
                      MPI_Datatype *filetype, char *datarep)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    if (!f)
        return rc;
    if (!disp || !etype || !filetype || !datarep)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the place for a result is NULL");
    *disp = f->view.displacement;
    *etype = mpi_type_again(c, f->view.etype);
    *filetype = mpi_type_again(c, f->view.filetype);
    strcpy(datarep, f->view.rep->name);
    return MPI_SUCCESS;
}

int mpi_file_get_type_extent(struct mpi_call *c, MPI_File fh, MPI_Datatype datatype, MPI_Count *extent)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    struct mpi_type *t = f ? mpi_type_of(c, &f->guarded, datatype, &rc) : NULL;
    if (!t)
        return rc;
    if (!extent)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the place for the extent is NULL");
    const struct types_layout *l = mpi_datarep_layout(c, &f->guarded, f->view.rep, t, &rc);
    if (l)
        *extent = types_layout_bounds(l).extent;
    types_layout_release(l);
    return rc;
}
