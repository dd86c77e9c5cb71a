/* SPDX-License-Identifier: BSD-3-Clause */
/* made: the arguments with which datatypes were made (MPI-5.0 section 5.1.13). */
#include "mpi/type/parts.h"

#include <stdlib.h>
#include <string.h>

static bool is_large(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && name[n - 2] == '_' && name[n - 1] == 'c';
}

struct mpi_made *mpi_made_create(const struct mpi_call *c, int combiner, struct mpi_made_form form)
{
    bool large = is_large(c->name);
    struct mpi_made *m = base_zalloc(sizeof *m, "a datatype");
    m->references = 1;
    m->combiner = combiner;
    m->large = large;
    m->integers = form.ints + (large ? 0 : form.counts);
    m->addresses = large ? 0 : form.addresses;
    m->counts = large ? form.counts + form.addresses : 0;
    m->at_address = m->integers;
    m->at_count = m->integers + m->addresses;
    m->parts = form.parts;
    uint64_t numbers = m->integers + m->addresses + m->counts;
    m->numbers = base_alloc((numbers ? numbers : 1) * sizeof *m->numbers, "a datatype");
    m->part = base_zalloc((form.parts ? form.parts : 1) * sizeof *m->part, "a datatype");
    return m;
}

void mpi_made_int(struct mpi_made *m, int64_t value)
{
    m->numbers[m->at_integer++] = value;
}

void mpi_made_count(struct mpi_made *m, int64_t value)
{
    m->numbers[m->large ? m->at_count++ : m->at_integer++] = value;
}

void mpi_made_address(struct mpi_made *m, int64_t value)
{
    m->numbers[m->large ? m->at_count++ : m->at_address++] = value;
}

void mpi_made_part(struct mpi_made *m, const struct mpi_type *t)
{
    m->part[m->at_part++] = t->predefined ? (struct mpi_made_part){t, NULL}
                                          : (struct mpi_made_part){NULL, mpi_made_retain(t->made)};
}

struct mpi_made *mpi_made_retain(const struct mpi_made *m)
{
    struct mpi_made *mine = (struct mpi_made *)(uintptr_t)m;
    mine->references++;
    return mine;
}

static void drop(const struct mpi_made *m, struct mpi_made **unused)
{
    struct mpi_made *mine = (struct mpi_made *)(uintptr_t)m;
    if (mine && --mine->references == 0) {
        mine->next = *unused;
        *unused = mine;
    }
}

/* Not recursive: datatypes may be nested more deeply than a rank's stack. */
void mpi_made_release(const struct mpi_made *m)
{
    struct mpi_made *unused = NULL;
    drop(m, &unused);
    while (unused) {
        struct mpi_made *x = unused;
        unused = x->next;
        for (uint64_t k = 0; k < x->at_part; k++)
            drop(x->part[k].made, &unused);
        types_layout_release(x->layout);
        free(x->part);
        free(x->numbers);
        free(x);
    }
}
