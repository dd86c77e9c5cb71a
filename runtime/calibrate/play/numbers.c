/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers: words of SMPI's actions as numbers, ranks and bytes. Numbers may be written as floating-point ones. */
#include <stdlib.h>
#include <string.h>

#include "play/actions.h"

/* Sizes of SMPI's types, by their numbers. */
static const unsigned char sizes[] = {
    8, 4,  1,  2, 8, 4, 1,  8,  1, 1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,  8,  1, 2, 4,  8,  8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0,  1,  8, 8};
enum { TYPE_DOUBLE = 0, TYPE_BYTE = 6 };

int64_t play_named(enum record_object o, const char *name)
{
    int64_t value = 0;
    record_value_of(o, name, strlen(name), &value);
    return value;
}

int64_t play_world(void)
{
    return play_named(RECORD_COMM, "MPI_COMM_WORLD");
}

int64_t play_byte_type(void)
{
    return play_named(RECORD_TYPE, "MPI_BYTE");
}

/* --- numbers -------------------------------------------------------------------------------------------- */

int play_whole(const struct play_words *w, size_t k, const char *what, double least, double most,
               int64_t *out, struct base_status *st)
{
    char *end = NULL;
    double x = k < w->n ? strtod(w->at[k], &end) : 0;
    if (k >= w->n || end == w->at[k] || *end || !(x >= least && x <= most))
        return base_fail(st, "%.40s %.40s: expected %s from %.0f to %.0f", w->at[1], k < w->n ? w->at[k] : "",
                         what, least, most);
    *out = (int64_t)x;
    return 0;
}

int play_rank(const struct play_reader *x, const struct play_words *w, size_t k, bool wild, int64_t *out,
              struct base_status *st)
{
    bool relative = x->relative && k < w->n && *w->at[k] == '+';
    if (play_whole(w, k, "a rank", wild && !relative ? -MOST : 0, x->wanted->ranks - 1, out, st))
        return -1;
    if (relative)
        *out = (*out + x->wanted->rank) % x->wanted->ranks;
    if (*out < 0)
        *out = ANY_RANK;
    return 0;
}

/* The size of the type that stands there, or of the default; made types have none. */
int play_type_size(const struct play_reader *x, const struct play_words *w, size_t k, int64_t *out,
                   struct base_status *st)
{
    int64_t type = x->doubles ? TYPE_DOUBLE : TYPE_BYTE;
    if (k < w->n && play_whole(w, k, "a type's number", -1, sizeof sizes - 1.0, &type, st))
        return -1;
    *out = type < 0 ? 0 : sizes[type];
    return 0;
}

int play_bytes(const struct play_reader *x, const struct play_words *w, size_t k, size_t type, int64_t *out,
               struct base_status *st)
{
    int64_t count, size;
    if (play_whole(w, k, "a count", 0, MOST, &count, st) || play_type_size(x, w, type, &size, st))
        return -1;
    if (count * size > MOST)
        return base_fail(st, "%.40s: %lld bytes; expected less than 2 GiB", w->at[1],
                         (long long)(count * size));
    *out = count * size;
    return 0;
}
