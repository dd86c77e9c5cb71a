/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * external: the portable representation external32 (MPI-5.0 section 14.5.2): big endian, elements of fixed sizes. Data
 * is packed as it lies in memory first, and then converted element by element, in the order of the type map.
 */
#include "mpi/type/made.h"

#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

/* Calls fn for each run of equal elements of a datatype, in order. */
typedef void (*element_fn)(void *arg, enum types_element e, uint64_t n);
static void each_element(const struct mpi_type *t, uint64_t times, element_fn fn, void *arg)
{
    const struct mpi_made *made = t->made;
    if (t->predefined || !made->n_types) {
        enum types_element e = types_layout_element(t->layout);
        if (e != TYPES_ELEMENTS)
            fn(arg, e, times);
        return;
    }
    if (made->combiner == MPI_COMBINER_STRUCT) {
        for (uint64_t i = 0; i < times; i++)
            for (size_t k = 0; k < made->n_types; k++)
                each_element(made->types[k], (uint64_t)made->value[1 + k], fn, arg);
        return;
    }
    uint64_t size = types_layout_size(made->types[0]->layout);
    if (size)
        each_element(made->types[0], times * (types_layout_size(t->layout) / size), fn, arg);
}

/* --- one element -------------------------------------------------------------------------------------------------- */

enum { MOST = 16 };

/* Bytes of a number, of which a complex one has two. */
static uint32_t external_size(enum types_element e)
{
    const struct types_element_info *i = types_element_info(e);
    switch ((int)e) {
    case TYPES_LONG:
    case TYPES_ULONG:
        return 4;
    case TYPES_WCHAR:
        return 2;
    case TYPES_LONGDOUBLE:
    case TYPES_COMPLEX_LONGDOUBLE:
        return 16;
    default:
        return i->class == TYPES_CLASS_COMPLEX ? i->size / 2 : i->size;
    }
}

static bool is_long_double(enum types_element e)
{
    return e == TYPES_LONGDOUBLE || e == TYPES_COMPLEX_LONGDOUBLE;
}

static void to_external(enum types_element e, const unsigned char *in, uint32_t native, unsigned char *out,
                        uint32_t external)
{
    unsigned char wide[MOST];
    if (is_long_double(e)) {
        long double x;
        memcpy(&x, in, sizeof x);
#if defined(__x86_64__)
        __float128 y = x;
        memcpy(wide, &y, sizeof y);
#else
        memcpy(wide, &x, sizeof x);
#endif
    } else {
        bool negative = !types_element_info(e)->is_unsigned && in[native - 1] & 0x80;
        memset(wide, negative ? 0xff : 0, sizeof wide);
        memcpy(wide, in, native);
    }
    for (uint32_t k = 0; k < external; k++)
        out[k] = wide[external - 1 - k];
}

static void from_external(enum types_element e, const unsigned char *in, uint32_t external,
                          unsigned char *out, uint32_t native)
{
    unsigned char wide[MOST];
    bool negative = !types_element_info(e)->is_unsigned && in[0] & 0x80;
    memset(wide, negative ? 0xff : 0, sizeof wide);
    for (uint32_t k = 0; k < external; k++)
        wide[external - 1 - k] = in[k];
    if (is_long_double(e)) {
#if defined(__x86_64__)
        __float128 y;
        memcpy(&y, wide, sizeof y);
        long double x = (long double)y;
        memset(out, 0, native);
        memcpy(out, &x, 10);
#else
        memcpy(out, wide, native);
#endif
        return;
    }
    memcpy(out, wide, native);
}

/* --- sequences ------------------------------------------------------------------------------------------------------ */

struct walk {
    unsigned char *native, *external;
    uint64_t size; /* external bytes so far */
    bool in;       /* from external */
};

static void number(struct walk *w, enum types_element e, uint32_t native, uint64_t n)
{
    uint32_t external = external_size(e);
    w->size += n * external;
    for (uint64_t k = 0; w->native && k < n; k++) {
        if (w->in)
            from_external(e, w->external, external, w->native, native);
        else
            to_external(e, w->native, native, w->external, external);
        w->native += native;
        w->external += external;
    }
}

static void element(void *arg, enum types_element e, uint64_t n)
{
    struct walk *w = arg;
    const struct types_element_info *i = types_element_info(e);
    if (i->class == TYPES_CLASS_COMPLEX) {
        number(w, e, i->size / 2, 2 * n);
    } else if (i->class == TYPES_CLASS_PAIR) {
        for (uint64_t k = 0; k < n; k++) {
            number(w, i->first, types_element_info(i->first)->size, 1);
            number(w, i->second, types_element_info(i->second)->size, 1);
        }
    } else {
        number(w, e, i->size, n);
    }
}

static uint64_t external_bytes(const struct mpi_type *t, uint64_t count)
{
    struct walk w = {0};
    each_element(t, count, element, &w);
    return w.size;
}

/* --- calls ------------------------------------------------------------------------------------------------------------ */

static struct mpi_type *check(struct mpi_call *c, const char *datarep, const void *buffer, MPI_Count count,
                              MPI_Datatype datatype, int *rc)
{
    struct p2p_buffer b;
    if (!datarep || strcmp(datarep, "external32"))
        *rc = mpi_fail(c, NULL, MPI_ERR_ARG, "the data representation is '%s': expected 'external32'",
                       datarep ? datarep : "(NULL)");
    else
        *rc = mpi_type_buffer(c, NULL, buffer, count, datatype, &b);
    return *rc ? NULL : mpi_type_find(c->self, datatype);
}

static int convert(struct mpi_call *c, struct mpi_type *t, void *data, MPI_Count count,
                   unsigned char *external, MPI_Count size, MPI_Count *position, bool in)
{
    uint64_t bytes = (uint64_t)count * types_layout_size(t->layout),
             needs = external_bytes(t, (uint64_t)count);
    if (!position || *position < 0 || *position > size || needs > (uint64_t)(size - *position))
        return mpi_fail(c, NULL, MPI_ERR_TRUNCATE,
                        "%llu bytes of external32 do not lie in the %lld bytes from the "
                        "position on",
                        (unsigned long long)needs, (long long)size);
    unsigned char *native = base_zalloc(bytes + 1, "packed data");
    struct walk w = {native, external + *position, 0, in};
    if (!in)
        types_pack(t->layout, (uint64_t)count, data, 0, bytes, native);
    each_element(t, (uint64_t)count, element, &w);
    if (in)
        types_unpack(t->layout, (uint64_t)count, data, 0, bytes, native);
    free(native);
    *position += (MPI_Count)needs;
    return MPI_SUCCESS;
}

int mpi_pack_external(struct mpi_call *c, const char *datarep, const void *inbuf, MPI_Count incount,
                      MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position)
{
    int rc;
    struct mpi_type *t = check(c, datarep, inbuf, incount, datatype, &rc);
    return t ? convert(c, t, (void *)(uintptr_t)inbuf, incount, outbuf, outsize, position, false) : rc;
}

int mpi_unpack_external(struct mpi_call *c, const char datarep[], const void *inbuf, MPI_Count insize,
                        MPI_Count *position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype)
{
    int rc;
    struct mpi_type *t = check(c, datarep, outbuf, outcount, datatype, &rc);
    return t ? convert(c, t, outbuf, outcount, (unsigned char *)(uintptr_t)inbuf, insize, position, true)
             : rc;
}

int mpi_pack_external_size(struct mpi_call *c, const char *datarep, MPI_Count incount, MPI_Datatype datatype,
                           MPI_Count *size)
{
    int rc = MPI_SUCCESS;
    if (!datarep || strcmp(datarep, "external32"))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the data representation is '%s': expected 'external32'",
                        datarep ? datarep : "(NULL)");
    const struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (incount < 0)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)incount);
    *size = (MPI_Count)external_bytes(t, (uint64_t)incount);
    return MPI_SUCCESS;
}
