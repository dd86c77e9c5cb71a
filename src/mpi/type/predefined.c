/* SPDX-License-Identifier: BSD-3-Clause */
/* predefined: the datatypes of the standard, by the low byte of their handles. */
#include "mpi/type/type.h"

struct mpi_type mpi_types[256];

static const struct {
    uint8_t at;
    uint8_t element; /* enum types_element */
} elements[] = {
    {0x01, TYPES_AINT}, {0x02, TYPES_COUNT}, {0x03, TYPES_OFFSET}, {0x07, TYPES_PACKED},
    {0x08, TYPES_SHORT}, {0x09, TYPES_INT}, {0x0a, TYPES_LONG}, {0x0b, TYPES_LONGLONG},
    {0x0c, TYPES_USHORT}, {0x0d, TYPES_UINT}, {0x0e, TYPES_ULONG}, {0x0f, TYPES_ULONGLONG},
    {0x10, TYPES_FLOAT}, {0x12, TYPES_COMPLEX_FLOAT}, {0x13, TYPES_COMPLEX_FLOAT},
    {0x14, TYPES_DOUBLE}, {0x16, TYPES_COMPLEX_DOUBLE}, {0x17, TYPES_COMPLEX_DOUBLE},
    {0x18, TYPES_LOGICAL}, {0x19, TYPES_INTEGER}, {0x1a, TYPES_REAL}, {0x1b, TYPES_COMPLEX},
    {0x1c, TYPES_DOUBLE_PRECISION}, {0x1d, TYPES_DOUBLE_COMPLEX}, {0x1e, TYPES_CHARACTER},
    {0x20, TYPES_LONGDOUBLE}, {0x24, TYPES_COMPLEX_LONGDOUBLE}, {0x25, TYPES_COMPLEX_LONGDOUBLE},
    {0x28, TYPES_FLOAT_INT}, {0x29, TYPES_DOUBLE_INT}, {0x2a, TYPES_LONG_INT}, {0x2b, TYPES_INT_INT},
    {0x2c, TYPES_SHORT_INT}, {0x2d, TYPES_LONGDOUBLE_INT}, {0x30, TYPES_REAL_REAL}, {0x31, TYPES_DP_DP},
    {0x32, TYPES_INTEGER_INTEGER}, {0x38, TYPES_BOOL}, {0x39, TYPES_BOOL}, {0x3c, TYPES_WCHAR},
    {0x40, TYPES_INT8}, {0x41, TYPES_UINT8}, {0x43, TYPES_CHAR}, {0x44, TYPES_SCHAR}, {0x45, TYPES_UCHAR},
    {0x47, TYPES_BYTE}, {0x48, TYPES_INT16}, {0x49, TYPES_UINT16}, {0x50, TYPES_INT32}, {0x51, TYPES_UINT32},
    {0x58, TYPES_INT64}, {0x59, TYPES_UINT64}, {0xc0, TYPES_LOGICAL1}, {0xc1, TYPES_INTEGER1},
    {0xc8, TYPES_LOGICAL2}, {0xc9, TYPES_INTEGER2}, {0xca, TYPES_REAL2}, {0xd0, TYPES_LOGICAL4},
    {0xd1, TYPES_INTEGER4}, {0xd2, TYPES_REAL4}, {0xd3, TYPES_COMPLEX4}, {0xd8, TYPES_LOGICAL8},
    {0xd9, TYPES_INTEGER8}, {0xda, TYPES_REAL8}, {0xdb, TYPES_COMPLEX8}, {0xe0, TYPES_LOGICAL16},
    {0xe1, TYPES_INTEGER16}, {0xe2, TYPES_REAL16}, {0xe3, TYPES_COMPLEX16}, {0xeb, TYPES_COMPLEX32},
};

void mpi_type_register(void)
{
    for (size_t k = 0; k < BASE_LENGTH(elements); k++) {
        struct mpi_type *t = &mpi_types[elements[k].at];
        t->object = (struct mpi_object){0x200U + elements[k].at, 1};
        t->layout = types_layout_of((enum types_element)elements[k].element);
        t->committed = t->predefined = true;
    }
}

void mpi_type_retain(struct mpi_type *t)
{
    if (!t->predefined)
        t->object.references++;
}

int mpi_type_buffer(struct mpi_call *c, struct mpi_guarded *on, const void *address, MPI_Count count,
                    MPI_Datatype datatype, struct p2p_buffer *out)
{
    const struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (BASE_UNLIKELY(!t))
        return mpi_fail(c, on, MPI_ERR_TYPE, "%#lx is no datatype%s", (unsigned long)(uintptr_t)datatype,
                        datatype == MPI_DATATYPE_NULL ? " (MPI_DATATYPE_NULL)" : "");
    if (BASE_UNLIKELY(!t->committed))
        return mpi_fail(c, on, MPI_ERR_TYPE, "the datatype is not committed");
    if (BASE_UNLIKELY(count < 0))
        return mpi_fail(c, on, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count);
    *out = (struct p2p_buffer){(uintptr_t)address, (uint64_t)count, t->layout};
    return MPI_SUCCESS;
}
