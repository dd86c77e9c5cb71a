/* SPDX-License-Identifier: BSD-3-Clause */
/* made: records of how datatypes were made, and the calls that read them (MPI-5.0 section 5.1.13). */
#include "mpi/type/made.h"

#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

static bool is_large(const char *call)
{
    size_t n = strlen(call);
    return n > 2 && !strcmp(call + n - 2, "_c");
}

struct mpi_maker mpi_make_begin(struct mpi_call *c, int combiner, bool has_counts, size_t values,
                                size_t types)
{
    struct mpi_made *made = base_zalloc(sizeof *made, "datatypes");
    made->combiner = combiner;
    made->large = has_counts && is_large(c->name);
    made->call = c->name;
    made->value = base_zalloc((values + 1) * sizeof *made->value, "datatypes");
    made->types = base_zalloc((types + 1) * sizeof(struct mpi_type *), "datatypes");
    return (struct mpi_maker){c, made};
}

/* Integers come before addresses, and those before counts, in every constructor. */
static void push(struct mpi_made *made, size_t *n, int64_t value)
{
    made->value[made->n_integers + made->n_addresses + made->n_counts] = value;
    ++*n;
}

void mpi_make_integer(struct mpi_maker *m, int64_t value)
{
    push(m->made, &m->made->n_integers, value);
}

void mpi_make_count(struct mpi_maker *m, int64_t value)
{
    push(m->made, m->made->large ? &m->made->n_counts : &m->made->n_integers, value);
}

void mpi_make_address(struct mpi_maker *m, int64_t value)
{
    push(m->made, m->made->large ? &m->made->n_counts : &m->made->n_addresses, value);
}

void mpi_make_type(struct mpi_maker *m, struct mpi_type *t)
{
    mpi_type_retain(t);
    m->made->types[m->made->n_types++] = t;
}

void mpi_made_release(struct mpi_made *made)
{
    if (!made)
        return;
    for (size_t k = 0; k < made->n_types; k++)
        mpi_type_release(made->types[k]);
    free(made->types);
    free(made->value);
    free(made);
}

int mpi_make_fail(struct mpi_maker *m, int code, const char *text)
{
    mpi_made_release(m->made);
    return mpi_fail(m->c, NULL, code, "%s", text);
}

int mpi_make_end(struct mpi_maker *m, struct types_layout *layout, const struct base_status *st,
                 MPI_Datatype *newtype)
{
    if (!layout)
        return mpi_make_fail(m, MPI_ERR_ARG, st->text);
    struct mpi_type *t = base_zalloc(sizeof *t, "datatypes");
    t->layout = layout;
    t->made = m->made;
    *newtype = MPI_HANDLE(MPI_Datatype, mpi_handle_make(m->c->self, MPI_KIND_TYPE, &t->object));
    return MPI_SUCCESS;
}

/* --- reading them ----------------------------------------------------------------------------------------- */

static const struct mpi_made *made_of(const struct mpi_type *t)
{
    static const struct mpi_made named = {.combiner = MPI_COMBINER_NAMED};
    return t->made ? t->made : &named;
}

int mpi_type_get_envelope_c(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *num_integers,
                            MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes,
                            int *combiner)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (!num_integers || !num_addresses || !num_large_counts || !num_datatypes || !combiner)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an address for a result is NULL");
    const struct mpi_made *made = made_of(t);
    *num_integers = (MPI_Count)made->n_integers;
    *num_addresses = (MPI_Count)made->n_addresses;
    *num_large_counts = (MPI_Count)made->n_counts;
    *num_datatypes = (MPI_Count)made->n_types;
    *combiner = made->combiner;
    return MPI_SUCCESS;
}

static int too_large(struct mpi_call *c)
{
    return mpi_fail(c, NULL, MPI_ERR_TYPE,
                    "the datatype was made with large counts: only the _c form can tell them");
}

int mpi_type_get_envelope(struct mpi_call *c, MPI_Datatype datatype, int *num_integers, int *num_addresses,
                          int *num_datatypes, int *combiner)
{
    MPI_Count n[4] = {0};
    if (!num_integers || !num_addresses || !num_datatypes)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an address for a result is NULL");
    int rc = mpi_type_get_envelope_c(c, datatype, &n[0], &n[1], &n[2], &n[3], combiner);
    if (rc || n[2])
        return rc ? rc : too_large(c);
    *num_integers = (int)n[0];
    *num_addresses = (int)n[1];
    *num_datatypes = (int)n[3];
    return MPI_SUCCESS;
}

/* Datatypes are given as new references with handles of their own, predefined ones as they are. */
static MPI_Datatype given(struct mpi_call *c, struct mpi_type *t)
{
    if (t->predefined || t->made->combiner == MPI_COMBINER_F90_INTEGER ||
        t->made->combiner == MPI_COMBINER_F90_REAL || t->made->combiner == MPI_COMBINER_F90_COMPLEX)
        return mpi_type_handle(t);
    struct mpi_type *copy = base_zalloc(sizeof *copy, "datatypes");
    const struct mpi_made *from = t->made;
    struct mpi_maker m = mpi_make_begin(c, from->combiner, false,
                                        from->n_integers + from->n_addresses + from->n_counts, from->n_types);
    struct mpi_made *made = m.made;
    made->large = from->large;
    made->call = from->call;
    made->n_integers = from->n_integers;
    made->n_addresses = from->n_addresses;
    made->n_counts = from->n_counts;
    memcpy(made->value, from->value,
           (from->n_integers + from->n_addresses + from->n_counts) * sizeof *made->value);
    for (size_t k = 0; k < from->n_types; k++)
        mpi_make_type(&m, from->types[k]);
    copy->layout = types_layout_retain(t->layout);
    copy->committed = t->committed;
    copy->made = made;
    return MPI_HANDLE(MPI_Datatype, mpi_handle_make(c->self, MPI_KIND_TYPE, &copy->object));
}

int mpi_type_get_contents_c(struct mpi_call *c, MPI_Datatype datatype, MPI_Count max_integers,
                            MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes,
                            int array_of_integers[], MPI_Aint array_of_addresses[],
                            MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[])
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    const struct mpi_made *made = made_of(t);
    if (made->combiner == MPI_COMBINER_NAMED)
        return mpi_fail(c, NULL, MPI_ERR_TYPE, "%s is predefined: it has no contents", t->text);
    if (max_integers < (MPI_Count)made->n_integers || max_addresses < (MPI_Count)made->n_addresses ||
        max_large_counts < (MPI_Count)made->n_counts || max_datatypes < (MPI_Count)made->n_types)
        return mpi_fail(c, NULL, MPI_ERR_ARG,
                        "the arrays are too short: %zu integers, %zu addresses, %zu large "
                        "counts, %zu datatypes",
                        made->n_integers, made->n_addresses, made->n_counts, made->n_types);
    const int64_t *value = made->value;
    for (size_t k = 0; k < made->n_integers; k++)
        array_of_integers[k] = (int)*value++;
    for (size_t k = 0; k < made->n_addresses; k++)
        array_of_addresses[k] = *value++;
    for (size_t k = 0; k < made->n_counts; k++)
        array_of_large_counts[k] = *value++;
    for (size_t k = 0; k < made->n_types; k++)
        array_of_datatypes[k] = given(c, made->types[k]);
    return MPI_SUCCESS;
}

int mpi_type_get_contents(struct mpi_call *c, MPI_Datatype datatype, int max_integers, int max_addresses,
                          int max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[],
                          MPI_Datatype array_of_datatypes[])
{
    const struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (t && made_of(t)->n_counts)
        return too_large(c);
    return mpi_type_get_contents_c(c, datatype, max_integers, max_addresses, 0, max_datatypes,
                                   array_of_integers, array_of_addresses, NULL, array_of_datatypes);
}
