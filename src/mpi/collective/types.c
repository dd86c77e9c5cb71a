/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types: with mpi/check-types, the data that members of a collective pass are compared (MPI-5.0 section 6.1:
 * the type signatures of what is sent must be those of what is received). Where all members pass parts of one
 * size, at every buffer that matters, these are equal sequences of elements; where sizes differ, data of one
 * kind of element are compared by that. Parts with datatypes of their own, and neighbours, are not compared.
 */
#include "mpi/collective/draft.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of MPI_PACKED, and of nothing, go with everything. */
static bool has_kind(const struct types_layout *l)
{
    return types_layout_size(l) && types_layout_element(l) != TYPES_PACKED;
}

static uint64_t fingerprint(const struct types_layout *l, uint64_t count)
{
    struct types_signature s = types_signature(l, count);
    return base_hash_fold(s.kinds ^ base_hash_fold(s.elements)) | 1;
}

/* The text, which lives as long as the job. */
static const char *intern(struct mpi_job *job, const char *text)
{
    struct base_table *texts = &mpi_colls_of(job)->texts;
    char **at = base_table_find_bytes(texts, text, strlen(text));
    if (at)
        return *at;
    char *copy = base_strdup(text);
    *(char **)base_table_add_bytes(texts, copy, strlen(copy), NULL) = copy;
    return copy;
}

void mpi_texts_release(struct mpi_colls *j)
{
    uint32_t k = 0;
    for (char **at; (at = base_table_next(&j->texts, &k));)
        free(*at);
    base_table_release(&j->texts);
}

static bool compares(enum coll_op op)
{
    return op != COLL_ALLTOALLW && op != COLL_NEIGHBOR_ALLGATHER && op != COLL_NEIGHBOR_ALLTOALL &&
           op != COLL_BARRIER;
}

/* Elements of l, the layout of t, as a number and as text; count 0: any number of them. */
static uint64_t describe(struct mpi_job *job, const struct mpi_type *t, const struct types_layout *l,
                         uint64_t count, const char **text)
{
    struct mpi_colls *j = mpi_colls_of(job);
    char name[160], counted[200];
    if (t != j->said.type || count != j->said.count) {
        const struct types_layout *of = count ? l : types_layout_of(types_layout_element(l));
        mpi_type_text(t, name, sizeof name);
        snprintf(counted, sizeof counted, "%llu x %s", (unsigned long long)count, name);
        j->said.text = intern(job, count ? counted : name);
        j->said.print = fingerprint(of, count ? count : 1);
        j->said.count = count;
        j->said.type = t->predefined ? t : NULL; /* others may become others */
    }
    *text = j->said.text;
    return j->said.print;
}

void mpi_draft_compare(struct mpi_call *c, struct mpi_draft *d, const struct types_layout *l, uint64_t count,
                       MPI_Datatype datatype)
{
    const char *text;
    bool whole = coll_op_is_even(d->call.op);
    const struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (d->comm->remote || !compares(d->call.op) || !has_kind(l) || !t ||
        (whole ? !count : types_layout_element(l) == TYPES_ELEMENTS))
        return;
    uint64_t print = describe(c->self->job, t, l, whole ? count : 0, &text);
    if (d->call.same_types && d->call.same_types != print) {
        base_warn("misuse/types", "%s: the call's buffers are of %s and %s: expected equal elements", c->name,
                  d->call.types, text);
        return;
    }
    d->call.same_types = print;
    d->call.types = text;
}
