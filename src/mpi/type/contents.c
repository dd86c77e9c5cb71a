/* SPDX-License-Identifier: BSD-3-Clause */
/* contents: how a datatype was made, for the program (MPI-5.0 section 5.1.13) and for reports. */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

#include <stdio.h>

/* --- MPI_Type_get_envelope ---------------------------------------------------------------------------- */

int mpi_type_get_envelope_c(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *num_integers,
                            MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes,
                            int *combiner)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, NULL, datatype, &rc);
    if (!t)
        return rc;
    if (!num_integers || !num_addresses || !num_large_counts || !num_datatypes || !combiner)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "a place for one of the numbers or the combiner is NULL");
    const struct mpi_made *m = t->made;
    *num_integers = m ? (MPI_Count)m->integers : 0;
    *num_addresses = m ? (MPI_Count)m->addresses : 0;
    *num_large_counts = m ? (MPI_Count)m->counts : 0;
    *num_datatypes = m ? (MPI_Count)m->parts : 0;
    *combiner = m ? m->combiner : MPI_COMBINER_NAMED;
    return MPI_SUCCESS;
}

static int is_large(struct mpi_call *c)
{
    return mpi_fail(c, NULL, MPI_ERR_TYPE,
                    "the datatype was made with large counts: expected a call of MPI_Type_get_envelope_c or "
                    "MPI_Type_get_contents_c");
}

int mpi_type_get_envelope(struct mpi_call *c, MPI_Datatype datatype, int *num_integers, int *num_addresses,
                          int *num_datatypes, int *combiner)
{
    if (!num_integers || !num_addresses || !num_datatypes || !combiner)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "a place for one of the numbers or the combiner is NULL");
    MPI_Count integers, addresses, counts, datatypes;
    int how;
    int rc = mpi_type_get_envelope_c(c, datatype, &integers, &addresses, &counts, &datatypes, &how);
    if (rc)
        return rc;
    if (counts)
        return is_large(c);
    *num_integers = (int)integers;
    *num_addresses = (int)addresses;
    *num_datatypes = (int)datatypes;
    *combiner = how;
    return MPI_SUCCESS;
}

/* --- MPI_Type_get_contents ---------------------------------------------------------------------------- */

/* Room for `max` where `needed` are written. */
static int check_room(struct mpi_call *c, const char *what, uint64_t needed, MPI_Count max, const void *at)
{
    if (max < 0 || (uint64_t)max < needed)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "there is room for %lld %s: the datatype has %llu",
                        (long long)max, what, (unsigned long long)needed);
    return needed && !at ? mpi_fail(c, NULL, MPI_ERR_ARG, "the array of %s is NULL", what) : MPI_SUCCESS;
}

int mpi_type_get_contents_c(struct mpi_call *c, MPI_Datatype datatype, MPI_Count max_integers,
                            MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes,
                            int array_of_integers[], MPI_Aint array_of_addresses[],
                            MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[])
{
    int rc = MPI_SUCCESS;
    char name[200];
    const struct mpi_type *t = mpi_type_of(c, NULL, datatype, &rc);
    if (!t)
        return rc;
    const struct mpi_made *m = t->made;
    if (!m)
        return mpi_fail(c, NULL, MPI_ERR_TYPE, "%s is a named predefined datatype: it has no contents",
                        mpi_type_text(t, name, sizeof name));
    if ((rc = check_room(c, "integers", m->integers, max_integers, array_of_integers)) ||
        (rc = check_room(c, "addresses", m->addresses, max_addresses, array_of_addresses)) ||
        (rc = check_room(c, "large counts", m->counts, max_large_counts, array_of_large_counts)) ||
        (rc = check_room(c, "datatypes", m->parts, max_datatypes, array_of_datatypes)))
        return rc;
    const int64_t *from = m->numbers;
    for (uint64_t k = 0; k < m->integers; k++)
        array_of_integers[k] = (int)*from++;
    for (uint64_t k = 0; k < m->addresses; k++)
        array_of_addresses[k] = (MPI_Aint)*from++;
    for (uint64_t k = 0; k < m->counts; k++)
        array_of_large_counts[k] = *from++;
    /* A datatype that is not predefined is a new object, which the program frees. */
    for (uint64_t k = 0; k < m->parts; k++) {
        const struct mpi_made_part *p = &m->part[k];
        uint32_t handle = p->predefined ? p->predefined->object.handle
                                        : mpi_type_create(c->self, mpi_made_retain(p->made))->object.handle;
        array_of_datatypes[k] = MPI_HANDLE(MPI_Datatype, handle);
    }
    return MPI_SUCCESS;
}

int mpi_type_get_contents(struct mpi_call *c, MPI_Datatype datatype, int max_integers, int max_addresses,
                          int max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[],
                          MPI_Datatype array_of_datatypes[])
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, NULL, datatype, &rc);
    if (!t)
        return rc;
    if (t->made && t->made->counts)
        return is_large(c);
    return mpi_type_get_contents_c(c, datatype, max_integers, max_addresses, 0, max_datatypes,
                                   array_of_integers, array_of_addresses, NULL, array_of_datatypes);
}

/* --- for reports -------------------------------------------------------------------------------------- */

static const struct {
    int combiner;
    const char *what, *function;
} combiners[] = {
    {MPI_COMBINER_DUP, "a copy of", "MPI_Type_dup"},
    {MPI_COMBINER_CONTIGUOUS, "an array of", "MPI_Type_contiguous"},
    {MPI_COMBINER_VECTOR, "a vector of", "MPI_Type_vector"},
    {MPI_COMBINER_HVECTOR, "a vector of", "MPI_Type_create_hvector"},
    {MPI_COMBINER_INDEXED, "blocks of", "MPI_Type_indexed"},
    {MPI_COMBINER_HINDEXED, "blocks of", "MPI_Type_create_hindexed"},
    {MPI_COMBINER_INDEXED_BLOCK, "blocks of", "MPI_Type_create_indexed_block"},
    {MPI_COMBINER_HINDEXED_BLOCK, "blocks of", "MPI_Type_create_hindexed_block"},
    {MPI_COMBINER_STRUCT, "a struct", "MPI_Type_create_struct"},
    {MPI_COMBINER_SUBARRAY, "a part of an array of", "MPI_Type_create_subarray"},
    {MPI_COMBINER_DARRAY, "a part of a distributed array of", "MPI_Type_create_darray"},
    {MPI_COMBINER_F90_REAL, "a Fortran type", "MPI_Type_create_f90_real"},
    {MPI_COMBINER_F90_COMPLEX, "a Fortran type", "MPI_Type_create_f90_complex"},
    {MPI_COMBINER_F90_INTEGER, "a Fortran type", "MPI_Type_create_f90_integer"},
    {MPI_COMBINER_RESIZED, "with other bounds,", "MPI_Type_create_resized"},
};

/* "3 x 2 ", "5 ", or nothing. */
static void counts_text(const struct mpi_made *m, char *buf, size_t size)
{
    long long first = m->parts && m->integers + m->counts ? (long long)m->numbers[0] : 0;
    bool is_vector = m->combiner == MPI_COMBINER_VECTOR || m->combiner == MPI_COMBINER_HVECTOR;
    if (is_vector)
        snprintf(buf, size, "%lld x %lld ", first, (long long)m->numbers[1]);
    else if (m->combiner >= MPI_COMBINER_CONTIGUOUS && m->combiner <= MPI_COMBINER_HINDEXED_BLOCK)
        snprintf(buf, size, "%lld ", first);
    else
        *buf = 0;
}

const char *mpi_type_text(const struct mpi_type *t, char *buf, size_t size)
{
    const struct mpi_made *m = t->made;
    const char *own = t->notes.name;
    if (!m) {
        snprintf(buf, size, "%s", t->standard);
        return buf;
    }
    char counts[64];
    counts_text(m, counts, sizeof counts);
    const char *part = m->parts != 1 || m->combiner == MPI_COMBINER_STRUCT ? ""
                       : m->part[0].predefined && m->part[0].predefined->standard
                           ? m->part[0].predefined->standard
                           : "derived datatypes";
    for (size_t k = 0; k < BASE_LENGTH(combiners); k++)
        if (combiners[k].combiner == m->combiner)
            snprintf(buf, size, "%s%s%s%s%s%s%s made by %s%s%s", own ? "'" : "", own ? own : "",
                     own ? "' (" : "", combiners[k].what, *part ? " " : "", counts, part,
                     combiners[k].function, m->large ? "_c" : "", own ? ")" : "");
    return buf;
}
