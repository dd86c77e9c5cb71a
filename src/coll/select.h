/* SPDX-License-Identifier: BSD-3-Clause */
/* select: which algorithm carries out a call. All members must choose the same, so the choice depends only on
 * what their calls have in common. */
#ifndef PGASIM_COLL_SELECT_H
#define PGASIM_COLL_SELECT_H

#include "coll/schedule.h"

/* The user's choices by operation: an index into coll_algorithms, or COLL_AUTO. */
enum { COLL_AUTO = -1, COLL_MOST_RADIX = 64 /* as in the range of coll/radix */ };
struct coll_select {
    int chosen[COLL_OPS];
    struct coll_tuning tuning;
};

/* Reads coll/<operation>. -1 with st: no such algorithm; the known names are listed. */
int coll_select_read(struct coll_select *s, const struct base_settings *settings, struct base_status *st);
/* The index in coll_algorithms of `name` for op, COLL_AUTO for "auto", -2 when there is none. */
int coll_select_find(enum coll_op op, const char *name);
coll_build_fn coll_select_algorithm(const struct coll_select *s, const struct coll_call *call,
                                    const struct coll_hosts *hosts);
const char *coll_select_name(coll_build_fn function); /* the algorithm's, without the operation */
/* The automatic choice for n members, no two of which share a host. */
coll_build_fn coll_select_flat(const struct coll_call *call, uint32_t n);

#endif
