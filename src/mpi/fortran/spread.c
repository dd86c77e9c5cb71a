/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread: a datatype of any form on a section of an array with gaps. The datatype's displacements count in
 * the section as if its elements were side by side (MPI-5.0 section 19.1.13); here they become offsets in
 * memory, element by element, so that the call needs no copy and may go on after it has returned.
 */
#include "mpi/fortran/fortran.h"

#include <stdlib.h>

/* Neighbours of one kind are one block. */
struct spread {
    const struct mpi_fortran_array *array;
    struct types_cursor cursor;
    struct types_strip strip; /* what is left of it: n runs, of the first `bytes` */
    uint64_t whole;           /* bytes of its other runs */
    int64_t next;             /* where the one after the first begins */
    int64_t *blocks, *offsets;
    const struct types_layout **of;
    size_t n, caps[3];
    int64_t end; /* of the last block */
};

static void add(struct spread *s, enum types_element e, int64_t offset)
{
    const struct types_layout *of = types_layout_of(e);
    if (!s->n || s->of[s->n - 1] != of || s->end != offset) {
        s->blocks = base_array_grow(s->blocks, &s->caps[0], s->n + 1, sizeof *s->blocks, "a section");
        s->offsets = base_array_grow(s->offsets, &s->caps[1], s->n + 1, sizeof *s->offsets, "a section");
        s->of = base_array_grow(s->of, &s->caps[2], s->n + 1, sizeof *s->of, "a section");
        s->blocks[s->n] = 0;
        s->offsets[s->n] = offset;
        s->of[s->n++] = of;
    }
    s->blocks[s->n - 1]++;
    s->end = offset + types_layout_bounds(of).extent;
}

/* Where byte `at` of the section is. */
static int64_t place(const struct mpi_fortran_array *a, int64_t at)
{
    int64_t element = at / (int64_t)a->element, offset = at % (int64_t)a->element;
    for (int k = 0; k < a->rank; k++) {
        int64_t n = mpi_fortran_extent(a, k);
        BASE_ASSERT("a section with bytes has elements", n > 0);
        offset += (k + 1 < a->rank ? element % n : element) * a->dim[k].stride * mpi_fortran_unit(a);
        element /= n;
    }
    return offset;
}

/* The offset, in the datatype, of the next `bytes` bytes of data. */
static int64_t take(struct spread *s, uint64_t bytes)
{
    if (!s->strip.bytes && s->strip.n > 1) {
        s->strip.n--;
        s->strip.bytes = s->whole;
        s->strip.offset = s->next;
        s->next += s->strip.stride;
    } else if (!s->strip.bytes) {
        bool more = types_cursor_next(&s->cursor, &s->strip);
        BASE_ASSERT("each element has its bytes", more);
        s->whole = s->strip.bytes;
        s->next = s->strip.offset + s->strip.stride;
    }
    BASE_ASSERT("an element lies in one run", s->strip.bytes >= bytes);
    int64_t offset = s->strip.offset;
    s->strip.offset += (int64_t)bytes;
    s->strip.bytes -= bytes;
    return offset;
}

static void add_elements(void *arg, enum types_element e, uint64_t times)
{
    struct spread *s = arg;
    const uint64_t size = types_layout_size(types_layout_of(e)), room = s->array->element;
    for (; times; times--) {
        int64_t at = take(s, size);
        if ((uint64_t)at % room + size <= room)
            add(s, e, place(s->array, at));
        else /* over the edge of an element of the array */
            for (uint64_t k = 0; k < size; k++)
                add(s, TYPES_BYTE, place(s->array, at + (int64_t)k));
    }
}

struct types_layout *mpi_fortran_spread(const struct mpi_fortran_array *a, int64_t count,
                                        const struct types_layout *of, struct base_status *st)
{
    struct spread s = {.array = a};
    types_cursor_init(&s.cursor, of, (uint64_t)count, 0, (uint64_t)count * types_layout_size(of));
    types_each_element(of, (uint64_t)count, add_elements, &s);
    types_cursor_release(&s.cursor);
    struct types_layout *out = types_layout_struct((int64_t)s.n, s.blocks, s.offsets, s.of, st);
    free(s.blocks);
    free(s.offsets);
    free(s.of);
    return out;
}
