/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes: how much data an item of a datatype has: of the standard's, and of those that a rank makes. */
#include "mpi/mpi_front.h"
#include "replay/convert/parts.h"

#include <string.h>

enum { MOST = INT32_MAX }; /* of bytes: counts of 2^22 such items are still numbers */

void replay_sizes_init(struct replay_sizes *x)
{
    base_table_init(&x->made, BASE_NUMBERS, sizeof(uint64_t), "datatypes of a trace");
}

void replay_sizes_release(struct replay_sizes *x)
{
    base_table_release(&x->made);
}

uint64_t replay_size_of(const struct replay_sizes *x, int64_t type)
{
    if (type < RECORD_MADE)
        return mpi_predefined_size(type);
    const uint64_t *size = base_table_find(&x->made, (uint64_t)type);
    return size ? *size : 0;
}

/* A product that stays a number. */
static uint64_t times(uint64_t a, int64_t b)
{
    return b <= 0 ? 0 : a > MOST / (uint64_t)b ? MOST : a * (uint64_t)b;
}

static uint64_t sum(const struct record_part *p)
{
    uint64_t total = 0;
    for (int64_t k = 0; p && k < p->n; k++)
        total += p->at[k] > 0 && p->at[k] < MOST ? (uint64_t)p->at[k] : 0;
    return total;
}

static uint64_t product(const struct record_part *p)
{
    uint64_t total = 1;
    for (int64_t k = 0; p && k < p->n; k++)
        total = times(total, p->at[k]);
    return total;
}

static uint64_t of_struct(const struct replay_sizes *x, const struct replay_words *w)
{
    const struct record_part *types = replay_words_part(w, "array_of_types"),
                             *lengths = replay_words_part(w, "array_of_blocklengths");
    uint64_t total = 0;
    for (int64_t k = 0; types && lengths && k < types->n && k < lengths->n && total < MOST; k++)
        total += times(replay_size_of(x, types->at[k]), lengths->at[k]);
    return total;
}

/* Items of the old type in one of the new one. */
static uint64_t items(const struct replay_words *w)
{
    const struct record_part *lengths = replay_words_part(w, "array_of_blocklengths"),
                             *subsizes = replay_words_part(w, "array_of_subsizes");
    if (lengths)
        return sum(lengths);
    if (subsizes)
        return product(subsizes);
    uint64_t n = replay_words_part(w, "count") ? times(1, replay_words_number(w, "count")) : 1;
    return replay_words_part(w, "blocklength") ? times(n, replay_words_number(w, "blocklength")) : n;
}

int replay_sizes_note(struct replay_sizes *x, const struct replay_words *w)
{
    const struct record_part *made = replay_words_part(w, "newtype");
    if (!made)
        return 0;
    if (made->at[0] < RECORD_MADE) /* Fortran's by their range */
        return 1;
    uint64_t *size = base_table_add(&x->made, (uint64_t)made->at[0], NULL);
    *size = 0;
    if (replay_words_part(w, "array_of_types"))
        *size = of_struct(x, w);
    else if (replay_words_part(w, "array_of_gsizes") || !replay_words_part(w, "oldtype"))
        return -1;
    else
        *size = times(replay_size_of(x, replay_words_number(w, "oldtype")), (int64_t)items(w));
    return 1;
}
