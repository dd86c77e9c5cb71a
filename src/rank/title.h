/* SPDX-License-Identifier: BSD-3-Clause */
/* title: what reports call a rank, where its number in the run is not the one that the user knows. */
#ifndef PGASIM_RANK_TITLE_H
#define PGASIM_RANK_TITLE_H

#include "rank/rank.h"

#include <stdio.h>

enum { RANK_TITLE_SIZE = 160 };
/* Writes such a name, "job lu, rank 1"; false: it has none. Set at start-up; NULL: no rank has any. */
extern bool (*rank_titles)(const struct rank *r, char *buf, size_t size);
/* That, or "rank 3"; returns buf. */
static inline char *rank_title(const struct rank *r, char *buf, size_t size)
{
    if (!rank_titles || !rank_titles(r, buf, size))
        snprintf(buf, size, "rank %u", r->id);
    return buf;
}

#endif
