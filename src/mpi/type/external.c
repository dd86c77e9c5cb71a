/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * external: MPI_Pack_external and MPI_Unpack_external: data in the representation "external32" (MPI-5.0
 * sections 5.3 and 14.5.2): big-endian, IEEE 754, sizes by name rather than by the host. Integers
 * that become smaller keep their lower bytes.
 */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* --- one number --------------------------------------------------------------------------------------- */

/* How numbers of an element look here and there; a complex one is two numbers. */
struct form {
    uint32_t numbers; /* in an element */
    uint32_t here, there;
    bool is_signed;   /* an integer that may become longer */
    bool is_extended; /* long double of x87, where binary128 is wanted */
};

static struct form form_of(enum types_element e)
{
    const struct types_element_info *info = types_element_info(e);
    struct form f = {.numbers = info->class == TYPES_CLASS_COMPLEX ? 2 : 1};
    f.here = f.there = info->size / f.numbers;
    f.is_extended = LDBL_MANT_DIG == 64 && (e == TYPES_LONGDOUBLE || e == TYPES_COMPLEX_LONGDOUBLE);
    if (e == TYPES_LONG || e == TYPES_ULONG)
        f.there = 4;
    else if (e == TYPES_WCHAR)
        f.there = 2;
    else if (f.is_extended)
        f.there = 16;
    f.is_signed = e == TYPES_LONG;
    return f;
}

static void swap(void *to, const void *from, uint32_t bytes)
{
    for (uint32_t k = 0; k < bytes; k++)
        ((char *)to)[k] = ((const char *)from)[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes - 1 - k : k];
}

#if LDBL_MANT_DIG == 64
static void extend(void *to, const void *from)
{
    long double x;
    memcpy(&x, from, sizeof x);
    __float128 q = (__float128)x;
    swap(to, &q, 16);
}
static void shorten(void *to, const void *from)
{
    __float128 q;
    swap(&q, from, 16);
    long double x = (long double)q;
    memset(to, 0, sizeof x);
    memcpy(to, &x, 10);
}
#else
static void extend(void *to, const void *from)
{
    swap(to, from, 16);
}
#define shorten extend
#endif

/* Lower bytes, and more of them at the front, that are the sign's or 0. */
static void resize(char *to, uint32_t to_bytes, const char *from, uint32_t from_bytes, bool is_signed)
{
    uint64_t x = 0;
    memcpy(&x, from, from_bytes);
    if (is_signed && from_bytes < 8 && x >> (8 * from_bytes - 1) & 1)
        x |= UINT64_MAX << 8 * from_bytes;
    memcpy(to, &x, to_bytes);
}

static void encode(const struct form *f, char *there, const char *here)
{
    if (f->is_extended) {
        extend(there, here);
    } else if (f->here == f->there) {
        swap(there, here, f->here);
    } else {
        char narrow[8];
        resize(narrow, f->there, here, f->here, f->is_signed);
        swap(there, narrow, f->there);
    }
}

static void decode(const struct form *f, char *here, const char *there)
{
    if (f->is_extended) {
        shorten(here, there);
    } else if (f->here == f->there) {
        swap(here, there, f->here);
    } else {
        char narrow[8];
        swap(narrow, there, f->there);
        resize(here, f->here, narrow, f->there, f->is_signed);
    }
}

/* --- many --------------------------------------------------------------------------------------------- */

static void add_size(void *arg, enum types_element e, uint64_t times)
{
    struct form f = form_of(e);
    *(uint64_t *)arg += times * f.numbers * f.there;
}

uint64_t mpi_external_bytes(const struct types_layout *l, uint64_t count)
{
    uint64_t one = 0;
    types_each_element(l, 1, add_size, &one);
    return one * count;
}

/* Bytes of count items. No element grows to more than twice its size: no overflow below 2^62. */
static int size_of(struct mpi_call *c, const struct mpi_type *t, MPI_Count count, uint64_t *size)
{
    uint64_t one, all;
    if (count < 0)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count);
    one = mpi_external_bytes(t->layout, 1);
    if (__builtin_mul_overflow(one, (uint64_t)count, &all) || all > INT64_MAX)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "%lld items are more than 2^63 bytes", (long long)count);
    *size = all;
    return MPI_SUCCESS;
}

struct walk {
    char *here, *there;
    bool decode;
    const char *end; /* decoding: of what is there */
};

static void convert(void *arg, enum types_element e, uint64_t times)
{
    struct walk *w = arg;
    struct form f = form_of(e);
    for (uint64_t k = 0; k < times * f.numbers; k++) {
        if (w->decode && w->end - w->there < (ptrdiff_t)f.there) {
            w->end = w->there;
            return;
        }
        if (w->decode)
            decode(&f, w->here, w->there);
        else
            encode(&f, w->there, w->here);
        w->here += f.here;
        w->there += f.there;
    }
}

void mpi_external_encode(const struct types_layout *l, uint64_t count, const void *here, void *there)
{
    struct walk w = {.here = (char *)(uintptr_t)here, .there = there};
    types_each_element(l, count, convert, &w);
}

uint64_t mpi_external_decode(const struct types_layout *l, uint64_t count, void *here, const void *there, uint64_t n)
{
    struct walk w = {here, (char *)(uintptr_t)there, true, (const char *)there + n};
    types_each_element(l, count, convert, &w);
    return (uint64_t)(w.here - (char *)here);
}

static int check_name(struct mpi_call *c, const char *datarep)
{
    if (!datarep || strcmp(datarep, "external32"))
        return mpi_fail(c, NULL, MPI_ERR_UNSUPPORTED_DATAREP,
                        "the data representation is %s: expected \"external32\"", datarep ? datarep : "NULL");
    return MPI_SUCCESS;
}

/* The arguments that both directions share. *bytes: how many there are in external form. */
static int check(struct mpi_call *c, const char *datarep, const struct p2p_buffer *items,
                 const struct mpi_type *t, const void *packed, MPI_Count size, const MPI_Count *position,
                 uint64_t *bytes)
{
    int rc = check_name(c, datarep);
    if (!rc)
        rc = size_of(c, t, (MPI_Count)items->count, bytes);
    if (rc)
        return rc;
    if (!position)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place of the position is NULL");
    if (size < 0 || *position < 0 || *position > size)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "position %lld is not in a packed buffer of %lld bytes",
                        (long long)*position, (long long)size);
    if ((uint64_t)(size - *position) < *bytes)
        return mpi_fail(c, NULL, MPI_ERR_TRUNCATE, "%llu bytes of data do not fit at position %lld of %lld",
                        (unsigned long long)*bytes, (long long)*position, (long long)size);
    if (*bytes && !packed)
        return mpi_fail(c, NULL, MPI_ERR_BUFFER, "the packed buffer is NULL");
    return MPI_SUCCESS;
}

int mpi_pack_external(struct mpi_call *c, const char *datarep, const void *inbuf, MPI_Count incount,
                      MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position)
{
    struct p2p_buffer items;
    uint64_t bytes;
    int rc = mpi_type_buffer(c, NULL, inbuf, incount, datatype, &items);
    if (rc ||
        (rc = check(c, datarep, &items, mpi_type_find(c->self, datatype), outbuf, outsize, position, &bytes)))
        return rc;
    uint64_t here = types_layout_size(items.layout) * items.count;
    char *native = base_alloc(here ? here : 1, "packed data");
    types_pack(items.layout, items.count, inbuf, 0, here, native);
    mpi_external_encode(items.layout, items.count, native, (char *)outbuf + *position);
    free(native);
    *position += (MPI_Count)bytes;
    return MPI_SUCCESS;
}

int mpi_unpack_external(struct mpi_call *c, const char datarep[], const void *inbuf, MPI_Count insize,
                        MPI_Count *position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype)
{
    struct p2p_buffer items;
    uint64_t bytes;
    int rc = mpi_type_buffer(c, NULL, outbuf, outcount, datatype, &items);
    if (rc ||
        (rc = check(c, datarep, &items, mpi_type_find(c->self, datatype), inbuf, insize, position, &bytes)))
        return rc;
    uint64_t here = types_layout_size(items.layout) * items.count;
    char *native = base_alloc(here ? here : 1, "packed data");
    mpi_external_decode(items.layout, items.count, native, (const char *)inbuf + *position, bytes);
    types_unpack(items.layout, items.count, outbuf, 0, here, native);
    free(native);
    *position += (MPI_Count)bytes;
    return MPI_SUCCESS;
}

int mpi_pack_external_size(struct mpi_call *c, const char *datarep, MPI_Count incount, MPI_Datatype datatype,
                           MPI_Count *size)
{
    int rc = check_name(c, datarep);
    const struct mpi_type *t = rc ? NULL : mpi_type_of(c, NULL, datatype, &rc);
    uint64_t bytes;
    if (!t || (rc = size_of(c, t, incount, &bytes)))
        return rc;
    if (!size)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the size is NULL");
    *size = (MPI_Count)bytes;
    return MPI_SUCCESS;
}
