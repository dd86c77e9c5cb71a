/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files_view: random views (files_random.h). Ranks' filetypes are random types side by side, slots of a tile, parts of a
 * distributed array, or one type for all. All displacements are multiples of the etype's extent, as section 14.1.1
 * of MPI-5.0 wants it.
 */
#include "files_random.h"

static void replace(MPI_Datatype *t, MPI_Datatype by)
{
    MPI_Type_free(t);
    *t = by;
}

static MPI_Aint end_of(MPI_Datatype t)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(t, &low, &extent);
    return low + extent;
}

static MPI_Datatype draw_etype(int portable)
{
    MPI_Datatype plain[] = {MPI_BYTE, MPI_SHORT, MPI_INT, MPI_FLOAT, MPI_DOUBLE}, t;
    int kind = files_draw(portable ? 7 : 8);
    if (kind < 5)
        MPI_Type_contiguous(1, plain[kind], &t);
    else if (kind == 5)
        MPI_Type_contiguous(3, MPI_BYTE, &t);
    else if (kind == 6)
        MPI_Type_contiguous(2, MPI_INT, &t);
    else
        MPI_Type_create_resized(MPI_INT, 0, 8, &t);
    MPI_Type_commit(&t);
    return t;
}

/* One more constructor about t. */
static void wrap(MPI_Datatype *t, MPI_Aint unit)
{
    MPI_Datatype to;
    MPI_Aint low, e;
    int a = 1 + files_draw(3), b = 1 + files_draw(2), c = files_draw(3), kind = files_draw(8);
    int blocks[] = {b, 1 + c}, at[] = {c, c + b + a};
    MPI_Type_get_extent(*t, &low, &e);
    MPI_Aint bytes[] = {c * e, (c + b + a) * e};
    MPI_Datatype both[] = {*t, *t};
    int sizes[] = {a + 1, b + c + 1}, parts[] = {a, b}, starts[] = {a % 2, c};
    switch (kind) {
    case 0:
        MPI_Type_contiguous(a, *t, &to);
        break;
    case 1:
        MPI_Type_vector(a, b, b + c, *t, &to);
        break;
    case 2:
        MPI_Type_create_hvector(a, b, (b + c) * e, *t, &to);
        break;
    case 3:
        MPI_Type_indexed(2, blocks, at, *t, &to);
        break;
    case 4:
        MPI_Type_create_indexed_block(2, b, at, *t, &to);
        break;
    case 5:
        MPI_Type_create_struct(2, blocks, bytes, both, &to);
        break;
    case 6:
        MPI_Type_create_resized(*t, low, e + c * unit, &to);
        break;
    default:
        MPI_Type_create_subarray(2, sizes, parts, starts, b == 1 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, *t, &to);
    }
    replace(t, to);
}

static MPI_Datatype draw_type(MPI_Datatype etype, int deep)
{
    MPI_Datatype t;
    MPI_Aint unit = end_of(etype);
    MPI_Type_dup(etype, &t);
    while (deep-- > 0)
        wrap(&t, unit);
    return t;
}

/* The filetype of all. */
static MPI_Datatype draw_alike(MPI_Datatype etype)
{
    MPI_Datatype t = draw_type(etype, files_draw(3)), from_zero;
    if (files_without & WITHOUT_LOWER_BOUNDS) {
        MPI_Type_create_resized(t, 0, end_of(t), &from_zero);
        replace(&t, from_zero);
    }
    return t;
}

/* --- filetypes that are disjoint --------------------------------------------------------------------------- */

/* Random types, one behind the other. Returns where this rank's begins. */
static MPI_Aint draw_neighbors(MPI_Datatype etype, MPI_Datatype *mine)
{
    MPI_Aint all = 0, at = 0, unit = end_of(etype);
    MPI_Datatype own = MPI_DATATYPE_NULL, tile;
    for (int r = 0; r < files_n; r++) {
        MPI_Datatype t = draw_type(etype, 1 + files_draw(3));
        if (r == files_me)
            at = all;
        all += end_of(t) + files_draw(2) * unit;
        if (r == files_me)
            own = t;
        else
            MPI_Type_free(&t);
    }
    MPI_Type_create_resized(own, 0, all, &tile);
    MPI_Type_free(&own);
    *mine = tile;
    return at;
}

/* Slots of a tile, dealt at random; some are nobody's. */
static void draw_slots(MPI_Datatype etype, MPI_Datatype *mine)
{
    int owner[32], at[32], own = 0, slots = files_n + files_draw(32 - files_n);
    for (int s = 0; s < slots; s++)
        owner[s] = s < files_n ? s : files_draw(files_n + 1);
    for (int s = slots - 1; s > 0; s--) {
        int other = files_draw(s + 1), is = owner[s];
        owner[s] = owner[other];
        owner[other] = is;
    }
    for (int s = 0; s < slots; s++)
        if (owner[s] == files_me)
            at[own++] = s;
    MPI_Datatype part;
    MPI_Type_create_indexed_block(own, 1, at, etype, &part);
    MPI_Type_create_resized(part, 0, slots * end_of(etype), mine);
    MPI_Type_free(&part);
}

/* A part of an array that is distributed by blocks or cyclically. */
static void draw_array(MPI_Datatype etype, MPI_Datatype *mine)
{
    int grid[] = {0, 0}, sizes[2], how[2],
        arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Dims_create(files_n, 2, grid);
    for (int d = 0; d < 2; d++) {
        sizes[d] = grid[d] * (1 + files_draw(3));
        how[d] = files_draw(2) ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC;
    }
    MPI_Type_create_darray(files_n, files_me, 2, sizes, how, arguments, grid,
                           files_draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, etype, mine);
}

/* --- the view ------------------------------------------------------------------------------------------------ */

static void ask_view(struct file *f)
{
    MPI_Offset displacement, to;
    MPI_Datatype e, t;
    MPI_Aint extent;
    char name[MPI_MAX_DATAREP_STRING + 1] = "";
    files_went("get_view", MPI_File_get_view(f->handle, &displacement, &e, &t, name));
    files_went("get_type_extent", MPI_File_get_type_extent(f->handle, MPI_INT, &extent));
    files_say("view from %lld, %s, an int has %lld", (long long)displacement, name, (long long)extent);
    for (int k = 0; k < 3; k++) {
        int at = files_draw(50);
        if (files_went("get_byte_offset", MPI_File_get_byte_offset(f->handle, at, &to)))
            files_say("etype %d is at %lld", at, (long long)to);
    }
}

void files_view_bytes(struct file *f)
{
    f->alike = 1;
    MPI_Type_contiguous(1, MPI_BYTE, &f->etype);
    MPI_Type_commit(&f->etype);
    f->extent = 1;
}

void files_view_draw(struct file *f)
{
    int rep = files_draw(8), kind = files_draw(6), portable = !rep && !(files_without & WITHOUT_EXTERNAL);
    MPI_Aint at = files_draw(100);
    MPI_Datatype t;
    MPI_Type_free(&f->etype);
    f->etype = draw_etype(portable);
    f->extent = end_of(f->etype);
    f->alike = kind < 2;
    if (f->alike)
        t = draw_alike(f->etype);
    else if (kind == 2)
        draw_array(f->etype, &t);
    else if (kind == 3)
        draw_slots(f->etype, &t);
    else
        at += draw_neighbors(f->etype, &t);
    MPI_Type_commit(&t);
    files_went("set_view", MPI_File_set_view(f->handle, at, f->etype, t,
                                             portable                                          ? "external32"
                                             : rep == 1 && !(files_without & WITHOUT_INTERNAL) ? "internal"
                                                                                               : "native",
                                             MPI_INFO_NULL));
    MPI_Type_free(&t);
    ask_view(f);
}
