/* SPDX-License-Identifier: BSD-3-Clause */
/* predefined: the datatypes of the standard, by the low byte of their handles; and which are pairs, or have
 * a size (MPI-5.0 sections 5.1.2, 19.1.5). */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

struct mpi_type mpi_types[256];
struct mpi_type mpi_type_lower, mpi_type_upper;

/* Of names with the same value, the one that programs are oldest with. */
static const struct {
    uint8_t at;
    uint8_t element; /* enum types_element */
    const char *name;
} elements[] = {
    {0x01, TYPES_AINT, "MPI_AINT"},
    {0x02, TYPES_COUNT, "MPI_COUNT"},
    {0x03, TYPES_OFFSET, "MPI_OFFSET"},
    {0x07, TYPES_PACKED, "MPI_PACKED"},
    {0x08, TYPES_SHORT, "MPI_SHORT"},
    {0x09, TYPES_INT, "MPI_INT"},
    {0x0a, TYPES_LONG, "MPI_LONG"},
    {0x0b, TYPES_LONGLONG, "MPI_LONG_LONG_INT"},
    {0x0c, TYPES_USHORT, "MPI_UNSIGNED_SHORT"},
    {0x0d, TYPES_UINT, "MPI_UNSIGNED"},
    {0x0e, TYPES_ULONG, "MPI_UNSIGNED_LONG"},
    {0x0f, TYPES_ULONGLONG, "MPI_UNSIGNED_LONG_LONG"},
    {0x10, TYPES_FLOAT, "MPI_FLOAT"},
    {0x12, TYPES_COMPLEX_FLOAT, "MPI_C_COMPLEX"},
    {0x13, TYPES_COMPLEX_FLOAT, "MPI_CXX_FLOAT_COMPLEX"},
    {0x14, TYPES_DOUBLE, "MPI_DOUBLE"},
    {0x16, TYPES_COMPLEX_DOUBLE, "MPI_C_DOUBLE_COMPLEX"},
    {0x17, TYPES_COMPLEX_DOUBLE, "MPI_CXX_DOUBLE_COMPLEX"},
    {0x18, TYPES_LOGICAL, "MPI_LOGICAL"},
    {0x19, TYPES_INTEGER, "MPI_INTEGER"},
    {0x1a, TYPES_REAL, "MPI_REAL"},
    {0x1b, TYPES_COMPLEX, "MPI_COMPLEX"},
    {0x1c, TYPES_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION"},
    {0x1d, TYPES_DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX"},
    {0x1e, TYPES_CHARACTER, "MPI_CHARACTER"},
    {0x20, TYPES_LONGDOUBLE, "MPI_LONG_DOUBLE"},
    {0x24, TYPES_COMPLEX_LONGDOUBLE, "MPI_C_LONG_DOUBLE_COMPLEX"},
    {0x25, TYPES_COMPLEX_LONGDOUBLE, "MPI_CXX_LONG_DOUBLE_COMPLEX"},
    {0x28, TYPES_FLOAT_INT, "MPI_FLOAT_INT"},
    {0x29, TYPES_DOUBLE_INT, "MPI_DOUBLE_INT"},
    {0x2a, TYPES_LONG_INT, "MPI_LONG_INT"},
    {0x2b, TYPES_INT_INT, "MPI_2INT"},
    {0x2c, TYPES_SHORT_INT, "MPI_SHORT_INT"},
    {0x2d, TYPES_LONGDOUBLE_INT, "MPI_LONG_DOUBLE_INT"},
    {0x30, TYPES_REAL_REAL, "MPI_2REAL"},
    {0x31, TYPES_DP_DP, "MPI_2DOUBLE_PRECISION"},
    {0x32, TYPES_INTEGER_INTEGER, "MPI_2INTEGER"},
    {0x38, TYPES_BOOL, "MPI_C_BOOL"},
    {0x39, TYPES_BOOL, "MPI_CXX_BOOL"},
    {0x3c, TYPES_WCHAR, "MPI_WCHAR"},
    {0x40, TYPES_INT8, "MPI_INT8_T"},
    {0x41, TYPES_UINT8, "MPI_UINT8_T"},
    {0x43, TYPES_CHAR, "MPI_CHAR"},
    {0x44, TYPES_SCHAR, "MPI_SIGNED_CHAR"},
    {0x45, TYPES_UCHAR, "MPI_UNSIGNED_CHAR"},
    {0x47, TYPES_BYTE, "MPI_BYTE"},
    {0x48, TYPES_INT16, "MPI_INT16_T"},
    {0x49, TYPES_UINT16, "MPI_UINT16_T"},
    {0x50, TYPES_INT32, "MPI_INT32_T"},
    {0x51, TYPES_UINT32, "MPI_UINT32_T"},
    {0x58, TYPES_INT64, "MPI_INT64_T"},
    {0x59, TYPES_UINT64, "MPI_UINT64_T"},
    {0xc0, TYPES_LOGICAL1, "MPI_LOGICAL1"},
    {0xc1, TYPES_INTEGER1, "MPI_INTEGER1"},
    {0xc8, TYPES_LOGICAL2, "MPI_LOGICAL2"},
    {0xc9, TYPES_INTEGER2, "MPI_INTEGER2"},
    {0xca, TYPES_REAL2, "MPI_REAL2"},
    {0xd0, TYPES_LOGICAL4, "MPI_LOGICAL4"},
    {0xd1, TYPES_INTEGER4, "MPI_INTEGER4"},
    {0xd2, TYPES_REAL4, "MPI_REAL4"},
    {0xd3, TYPES_COMPLEX4, "MPI_COMPLEX4"},
    {0xd8, TYPES_LOGICAL8, "MPI_LOGICAL8"},
    {0xd9, TYPES_INTEGER8, "MPI_INTEGER8"},
    {0xda, TYPES_REAL8, "MPI_REAL8"},
    {0xdb, TYPES_COMPLEX8, "MPI_COMPLEX8"},
    {0xe0, TYPES_LOGICAL16, "MPI_LOGICAL16"},
    {0xe1, TYPES_INTEGER16, "MPI_INTEGER16"},
    {0xe2, TYPES_REAL16, "MPI_REAL16"},
    {0xe3, TYPES_COMPLEX16, "MPI_COMPLEX16"},
    {0xeb, TYPES_COMPLEX32, "MPI_COMPLEX32"},
};

/* MPI_LB and MPI_UB: nothing, at a place. */
static void register_mark(struct mpi_type *t, uint32_t handle, const char *name)
{
    *t = (struct mpi_type){.object = {handle, 1}, .committed = true, .predefined = true, .standard = name};
    t->layout = types_layout_contiguous(0, types_layout_of(TYPES_BYTE), NULL);
}

void mpi_type_register(void)
{
    if (mpi_type_lower.layout)
        return;
    for (size_t k = 0; k < BASE_LENGTH(elements); k++)
        mpi_types[elements[k].at] = (struct mpi_type){
            .object = {0x200U + elements[k].at, 1},
            .layout = types_layout_of((enum types_element)elements[k].element),
            .committed = true,
            .predefined = true,
            .standard = elements[k].name,
        };
    register_mark(&mpi_type_lower, (uint32_t)(uintptr_t)MPI_LB, "MPI_LB");
    register_mark(&mpi_type_upper, (uint32_t)(uintptr_t)MPI_UB, "MPI_UB");
    mpi_keeper_register(&mpi_type_keeper);
}

uint64_t mpi_predefined_size(int64_t handle)
{
    mpi_type_register();
    bool known = handle >= 0x200 && handle < 0x300;
    const struct types_layout *layout = known ? mpi_types[handle - 0x200].layout : NULL;
    return layout ? types_layout_size(layout) : 0;
}

/* --- datatypes by what they are ------------------------------------------------------------------------- */

int mpi_type_get_value_index(struct mpi_call *c, MPI_Datatype value_type, MPI_Datatype index_type,
                             MPI_Datatype *pair_type)
{
    static const struct {
        MPI_Datatype value, index, pair;
    } pairs[] = {
        {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
        {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
        {MPI_LONG, MPI_INT, MPI_LONG_INT},
        {MPI_INT, MPI_INT, MPI_2INT},
        {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
        {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
        {MPI_REAL, MPI_REAL, MPI_2REAL},
        {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
        {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
    };
    int rc = MPI_SUCCESS;
    if (!mpi_type_old(c, value_type, pair_type, &rc) || !mpi_type_of(c, NULL, index_type, &rc))
        return rc;
    *pair_type = MPI_DATATYPE_NULL;
    for (size_t k = 0; k < BASE_LENGTH(pairs); k++)
        if (pairs[k].value == value_type && pairs[k].index == index_type)
            *pair_type = pairs[k].pair;
    return MPI_SUCCESS;
}

int mpi_type_match_size(struct mpi_call *c, int typeclass, int size, MPI_Datatype *datatype)
{
    static const struct {
        int class, size;
        MPI_Datatype datatype;
    } sized[] = {
        {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
        {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
        {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_REAL, 2, MPI_REAL2},
        {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
        {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
        {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
        {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32}, {MPIX_TYPECLASS_LOGICAL, 1, MPI_LOGICAL1},
        {MPIX_TYPECLASS_LOGICAL, 2, MPI_LOGICAL2},  {MPIX_TYPECLASS_LOGICAL, 4, MPI_LOGICAL4},
        {MPIX_TYPECLASS_LOGICAL, 8, MPI_LOGICAL8},  {MPIX_TYPECLASS_LOGICAL, 16, MPI_LOGICAL16},
    };
    if (!datatype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the datatype is NULL");
    bool is_class = false;
    for (size_t k = 0; k < BASE_LENGTH(sized); k++) {
        is_class = is_class || sized[k].class == typeclass;
        if (sized[k].class == typeclass && sized[k].size == size) {
            *datatype = sized[k].datatype;
            return MPI_SUCCESS;
        }
    }
    if (!is_class)
        return mpi_fail(c, NULL, MPI_ERR_ARG,
                        "%d is no class of types: expected MPI_TYPECLASS_INTEGER, _REAL or _COMPLEX",
                        typeclass);
    return mpi_fail(c, NULL, MPI_ERR_ARG, "there is no type of that class of %d bytes", size);
}
