/* SPDX-License-Identifier: BSD-3-Clause */
/* handle: tables of a rank's objects, and the numbers that name them (internal.h). */
#include "mpi/internal.h"

#include <stdlib.h>

enum { PLACE_BITS = 24, USE_BITS = 3, KIND_SHIFT = PLACE_BITS + USE_BITS };
static const uint32_t no_place = UINT32_MAX;

/* A free place: the next free one, or no_place, and how often it was used. */
static uintptr_t vacant(uint32_t next, uint32_t uses)
{
    return (uintptr_t)next << 8 | (uintptr_t)(uses & ((1 << USE_BITS) - 1)) << 1 | 1;
}
static uint32_t vacant_next(uintptr_t v)
{
    return (uint32_t)(v >> 8);
}
static uint32_t vacant_uses(uintptr_t v)
{
    return (uint32_t)(v >> 1) & ((1 << USE_BITS) - 1);
}

static struct mpi_table *table_of(struct mpi_rank *self, enum mpi_kind kind)
{
    struct mpi_table **t = &self->tables[kind];
    if (!*t) {
        *t = base_zalloc(sizeof **t, "handles");
        (*t)->free = no_place;
    }
    return *t;
}

static uint32_t place_new(struct mpi_table *t)
{
    if (t->n == t->cap) {
        size_t cap = t->cap;
        t->at = base_array_grow(t->at, &cap, t->n + 1, sizeof *t->at, "handles");
        t->cap = (uint32_t)cap;
    }
    if (t->n == MPI_PLACES)
        base_fatal(BASE_EXIT_PROGRAM, "a rank has %d live MPI objects of one kind: more are not possible",
                   MPI_PLACES);
    t->at[t->n] = vacant(no_place, 0);
    return t->n++;
}

uint32_t mpi_handle_make(struct mpi_rank *self, enum mpi_kind kind, struct mpi_object *o)
{
    struct mpi_table *t = table_of(self, kind);
    uint32_t place = t->free;
    if (place != no_place)
        t->free = vacant_next(t->at[place]);
    else
        place = place_new(t);
    uint32_t uses = vacant_uses(t->at[place]);
    t->at[place] = (uintptr_t)o;
    t->live++;
    o->references = 1;
    o->handle = (uint32_t)kind << KIND_SHIFT | uses << PLACE_BITS | place;
    if (BASE_UNLIKELY(self->job->leaks != NULL))
        mpi_leak_made(self, o);
    return o->handle;
}

enum mpi_kind mpi_handle_kind(uint32_t handle)
{
    return (enum mpi_kind)(handle >> KIND_SHIFT);
}

void mpi_handle_drop(struct mpi_rank *self, struct mpi_object *o)
{
    struct mpi_table *t = self->tables[o->handle >> KIND_SHIFT];
    uint32_t place = o->handle & (MPI_PLACES - 1), uses = o->handle >> PLACE_BITS;
    BASE_ASSERT("M1", t && place < t->n && t->at[place] == (uintptr_t)o);
    if (BASE_UNLIKELY(self->made != NULL))
        mpi_leak_freed(self, o->handle);
    t->at[place] = vacant(t->free, uses + 1);
    t->free = place;
    t->live--;
    o->handle = 0;
}

void mpi_handle_each(const struct mpi_rank *self, enum mpi_kind kind, void (*fn)(void *arg, void *object),
                     void *arg)
{
    const struct mpi_table *t = self->tables[kind];
    for (uint32_t k = 0; t && k < t->n; k++)
        if (!(t->at[k] & 1))
            fn(arg, (void *)t->at[k]); // NOLINT(performance-no-int-to-ptr)
}
